//! How long opening takes.

use std::sync::Arc;
use std::time::Instant;

use lanecast::primitive::Sphere;
use lanecast::{Affine, HitBatch, Ray, Scene, SceneBuilder};

use crate::folder::Folder;
use lanecast_reference::meshes::terrain;
use lanecast_reference::random::Random;

/// Run it by itself, in release:
/// `cargo test --release --test engine scene_files:: -- --ignored --nocapture`.
#[test]
#[ignore = "takes a minute and two gigabytes; means nothing in a debug build"]
fn ten_million_triangles_are_open_within_50_milliseconds() {
    let folder = Folder::new();
    let path = folder.path("terrain.scene");
    let mut random = Random::new(1);
    let mesh = terrain(2_240, &mut random);
    let start = Instant::now();
    let saved = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");
    eprintln!("{} triangles built in {:.2?}", saved.triangle_count(), start.elapsed());
    drop(mesh);
    let start = Instant::now();
    saved.save(&path).expect("written");
    let bytes = path.metadata().expect("a file").len();
    eprintln!("{:.1} MB saved in {:.2?}", bytes as f64 / 1e6, start.elapsed());

    let rays: Vec<_> = (0..1 << 20)
        .map(|_| {
            let [x, y] = [random.between(0.0, 2_240.0), random.between(0.0, 2_240.0)];
            let [across, along] = [random.between(-9.0, 9.0), random.between(-9.0, 9.0)];
            lanecast::Ray::new([x, y, 3.0], [across, along, -1.0])
        })
        .collect();
    let cast = |scene: &Scene| {
        let (mut hits, start) = (HitBatch::new(), Instant::now());
        scene.cast(&rays).geometric_normals(true).closest_into(&mut hits).expect("answers");
        (format!("{:?}", start.elapsed()), hits)
    };
    let mut times = Vec::new();
    for round in 0..5 {
        let start = Instant::now();
        let opened = Scene::open(&path).expect("a scene");
        times.push(start.elapsed());
        let [first, second] = [cast(&opened), cast(&opened)];
        let [before, again] = [cast(&saved), cast(&saved)];
        assert!(first.1 == before.1, "other answers");
        let start = Instant::now();
        opened.check().expect("whole");
        eprintln!(
            "{round}: opened in {:.2?}, checked in {:.2?}; a million rays in {}, then {}; as built {}, {}",
            times[round],
            start.elapsed(),
            first.0,
            second.0,
            before.0,
            again.0
        );
    }
    times.sort();
    assert!(times[2].as_millis() < 50 || cfg!(debug_assertions), "{times:?}");
}

/// Run it as the one above.
#[test]
#[ignore = "takes a minute; means nothing in a debug build"]
fn spheres_and_instances_are_open_in_no_time() {
    let folder = Folder::new();
    let path = folder.path("spheres.scene");
    let mut random = Random::new(2);
    let places: Vec<[f32; 3]> = (0..1 << 20).map(|_| random.point(-100.0, 100.0)).collect();
    let spheres: Vec<Sphere> =
        places.iter().map(|&place| Sphere::new(place, random.between(0.05, 0.3))).collect();
    let ball = Arc::new(
        SceneBuilder::new()
            .spheres(&spheres[..100])
            .and_then(SceneBuilder::build)
            .expect("a scene"),
    );
    let rays: Vec<Ray> = (0..1 << 16)
        .map(|_| Ray::segment(random.point(-100.0, 100.0), random.point(-100.0, 100.0)))
        .collect();
    let cast = |scene: &Scene, count: usize| {
        let (mut hits, start) = (HitBatch::new(), Instant::now());
        scene.cast(&rays[..count]).closest_into(&mut hits).expect("answers");
        (start.elapsed(), hits)
    };
    for what in ["a million spheres", "100,000 instances"] {
        let start = Instant::now();
        let mut builder = SceneBuilder::new();
        if what == "a million spheres" {
            builder = builder.spheres(&spheres).expect("spheres");
        } else {
            for place in &places[..100_000] {
                let scaled = [0.001, 0.001, 0.001];
                let rows = std::array::from_fn(|i| {
                    let mut row = [0.0, 0.0, 0.0, f64::from(place[i])];
                    row[i] = scaled[i];
                    row
                });
                builder = builder.instance(&ball, Affine::from_rows(rows));
            }
        }
        let saved = builder.build().expect("a scene");
        let built = start.elapsed();
        let first = cast(&saved, 1).0;
        let start = Instant::now();
        saved.save(&path).expect("written");
        eprintln!(
            "{what}: built in {built:.2?}, first ray {first:.2?}, saved in {:.2?}",
            start.elapsed()
        );
        for round in 0..5 {
            let start = Instant::now();
            let opened = Scene::open(&path).expect("a scene");
            let open = start.elapsed();
            let first = cast(&opened, 1).0;
            let [after, before] = [cast(&opened, rays.len()), cast(&saved, rays.len())];
            assert!(after.1 == before.1, "other answers");
            let bytes = path.metadata().expect("a file").len() as f64 / 1e6;
            eprintln!(
                "{round}: {bytes:.1} MB opened in {open:.2?}, first ray {first:.2?}; {} rays in {:.2?}, as built {:.2?}",
                rays.len(),
                after.0,
                before.0
            );
        }
    }
}
