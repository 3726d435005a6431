//! How fast rays are at instances.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lanecast::{Affine, HitBatch, Ray, Scene, SceneBuilder, Threads};
use lanecast_reference::meshes::{Mesh, terrain};
use lanecast_reference::random::Random;

const SIDE: u16 = 128;

/// Rays of a camera that looks down at the square from 0 to 1 from beside it, line by line.
fn camera() -> Vec<Ray> {
    let at = |place: u16| f32::from(place) / f32::from(SIDE);
    let pixels = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| [at(column), at(row)]));
    pixels.map(|[x, y]| Ray::new([0.5, -0.4, 0.6], [x - 0.5, y + 0.4, -0.6])).collect()
}

/// 0.97 where this was written, 0.71 before rays went in streams; `benches/queries.rs` has a scene
/// with 0.77.
#[test]
#[ignore = "measures time; means nothing in a debug build"]
fn four_hundred_instances_have_four_fifths_of_the_flat_speed() {
    let mesh = terrain(20, &mut Random::new(1)).scaled(1.0 / 400.0);
    let patch = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene"));
    let (mut placed, mut flat) = (SceneBuilder::new(), Mesh::default());
    for number in 0..400_u16 {
        let [x, y] = [number % 20, number / 20].map(|step| f32::from(step) / 20.0);
        placed = placed.instance(&patch, Affine::translation([x.into(), y.into(), 0.0]));
        flat = flat.with(&mesh.clone().moved([x, y, 0.0]));
    }
    let placed = placed.build().expect("a scene");
    let flat = Scene::from_triangles(&flat.vertices, &flat.triangles).expect("a scene");
    let (rays, mut hits) = (camera(), HitBatch::new());
    let mut cast = |scene: &Scene| {
        let start = Instant::now();
        scene.cast(&rays).threads(&Threads::ONE).closest_into(&mut hits).expect("answers");
        (start.elapsed(), hits.status().iter().filter(|status| status.is_hit()).count())
    };
    let (mut times, mut met) = ([Duration::MAX; 2], [0; 2]);
    for _ in 0..200 {
        for (number, scene) in [&placed, &flat].into_iter().enumerate() {
            let (time, hits) = cast(scene);
            (times[number], met[number]) = (times[number].min(time), hits);
        }
    }
    assert!(met[0] > rays.len() / 2 && met[0].abs_diff(met[1]) * 100 < rays.len(), "{met:?}");
    let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
    eprintln!("{:.2?} placed, {:.2?} flat: {ratio:.2}", times[0], times[1]);
    assert!(ratio > 0.8 || cfg!(debug_assertions), "{ratio}");
}
