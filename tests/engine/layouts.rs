//! The same rays answer the same, however they lie in memory. That it does not matter how the batch
//! is cut, `soak` holds.

use crate::common::backends::every_backend;
use lanecast::{Coherence, HitBatch, Ray, RayBatch, Scene, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

/// More than a chunk of the engine holds, also on one thread.
const RAYS: usize = 40_000;

fn terrain() -> Scene {
    let mesh = meshes::terrain(12, &mut Random::new(1));
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh")
}

fn rays(seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let ray = |_| {
        let [x, y, _] = random.point(-1.0, 13.0);
        let [dx, dy, dz] = random.direction();
        Ray::new([x, y, 4.0], [dx, dy, -dz.abs()])
            .with_interval(random.unit(), 2.0 + 20.0 * random.unit())
    };
    (0..RAYS).map(ray).collect()
}

fn closest<'a>(scene: &'a Scene, batch: &RayBatch<'a>) -> HitBatch {
    scene.cast(batch).geometric_normals(true).closest().expect("not stopped")
}

fn assert_same_rays(batch: &RayBatch<'_>, rays: &[Ray], what: &str) {
    assert_eq!(batch.len(), rays.len(), "{what}");
    for (i, ray) in rays.iter().enumerate() {
        assert_eq!(batch.ray(i), *ray, "{what}: ray {i}");
    }
}

#[test]
fn every_constructor_casts_the_same_rays() {
    let (scene, rays) = (terrain(), rays(2));
    let column = |value: fn(&Ray) -> f32| -> Vec<f32> { rays.iter().map(value).collect() };
    let [ox, oy, oz] = [column(|r| r.origin[0]), column(|r| r.origin[1]), column(|r| r.origin[2])];
    let [dx, dy, dz] =
        [column(|r| r.direction[0]), column(|r| r.direction[1]), column(|r| r.direction[2])];
    let [t_min, t_max] = [column(|r| r.t_min), column(|r| r.t_max)];
    let origins: Vec<_> = rays.iter().map(|ray| ray.origin).collect();
    let directions: Vec<_> = rays.iter().map(|ray| ray.direction).collect();
    let rows6: Vec<f32> =
        rays.iter().flat_map(|ray| ray.origin.into_iter().chain(ray.direction)).collect();
    let rows8: Vec<f32> = rays
        .iter()
        .flat_map(|r| r.origin.into_iter().chain(r.direction).chain([r.t_min, r.t_max]))
        .collect();

    let of_columns =
        RayBatch::from_columns([&ox, &oy, &oz], [&dx, &dy, &dz]).expect("equal lengths");
    let of_pairs = RayBatch::from_pairs(&origins, &directions).expect("equal lengths");
    let of_rows6 = RayBatch::from_rows6(&rows6).expect("whole rows");
    let batches = [
        ("rays", RayBatch::from_rays(&rays)),
        ("rows of eight", RayBatch::from_rows8(&rows8).expect("whole rows")),
        ("columns", of_columns.with_intervals(&t_min, &t_max).expect("equal lengths")),
        ("pairs", of_pairs.with_intervals(&t_min, &t_max).expect("equal lengths")),
        ("rows of six", of_rows6.with_intervals(&t_min, &t_max).expect("equal lengths")),
    ];
    let expected = closest(&scene, &batches[0].1);
    assert!(expected.status().iter().filter(|status| status.is_hit()).count() > RAYS / 10);
    for backend in every_backend() {
        for (what, batch) in &batches {
            assert_same_rays(batch, &rays, what);
            let hits = scene
                .cast(batch)
                .backend(backend)
                .geometric_normals(true)
                .closest()
                .expect("not stopped");
            assert!(hits == expected, "{what}, {backend}, seed 2");
        }
    }
}

#[test]
fn rays_without_an_interval_start_at_zero_and_never_end() {
    let rays: Vec<Ray> =
        rays(3).into_iter().map(|ray| ray.with_interval(0.0, f32::INFINITY)).collect();
    let rows6: Vec<f32> =
        rays.iter().flat_map(|ray| ray.origin.into_iter().chain(ray.direction)).collect();
    let batch = RayBatch::from_rows6(&rows6).expect("whole rows");
    assert_same_rays(&batch, &rays, "rows of six");
    let (near, far) = (-3.0, 3.0);
    let within: Vec<Ray> = rays.iter().map(|ray| ray.with_interval(near, far)).collect();
    assert_same_rays(&batch.with_interval(near, far), &within, "one interval for all");
    assert_same_rays(&RayBatch::from_rays(&rays).with_interval(near, far), &within, "replaced");
}

#[test]
fn reused_buffers_keep_their_memory() {
    let (scene, rays) = (terrain(), rays(6));
    let mut hits = HitBatch::new();
    let batch = RayBatch::from_rays(&rays);
    scene.cast(&batch).closest_into(&mut hits).expect("not stopped");
    let before = (hits.t().as_ptr(), hits.status().as_ptr(), hits.primitive_id().as_ptr());
    scene.cast(&batch.slice(0..9)).closest_into(&mut hits).expect("not stopped");
    scene.cast(&batch).closest_into(&mut hits).expect("not stopped");
    assert_eq!(before, (hits.t().as_ptr(), hits.status().as_ptr(), hits.primitive_id().as_ptr()));
}

#[test]
fn normals_are_right_handed_and_not_normalised() {
    let vertices = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
    let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 1]]).expect("a sound mesh");
    let rays =
        [Ray::new([0.5, 0.5, 1.0], [0.0, 0.0, -1.0]), Ray::new([9.0, 0.5, 1.0], [0.0, 0.0, -1.0])];
    let hits = closest(&scene, &RayBatch::from_rays(&rays));
    assert_eq!(hits.geometric_normal(), [[0.0, 0.0, 6.0], [0.0; 3]]);
}

/// A line of the picture is longer than a chunk, and a band of lines longer than a stream.
#[test]
fn a_picture_wider_than_a_stream_answers_as_its_parts() {
    let (scene, width, lines) = (terrain(), 8200, 17);
    let bounds = scene.bounds();
    let middle = [0, 1, 2].map(|axis| 0.5 * (bounds.min[axis] + bounds.max[axis]));
    let eye = [middle[0], middle[1], bounds.max[2] + 0.5 * (bounds.max[0] - bounds.min[0])];
    let mut rays: Vec<Ray> = (0..width * lines)
        .map(|place| {
            let (column, line) = ((place % width) as f32, (place / width) as f32);
            Ray::new(eye, [column / width as f32 - 0.5, 0.05 * line - 0.4, -1.0])
        })
        .collect();
    for place in [0, 77, 70_000, width * lines - 1] {
        rays[place].direction[1] = f32::NAN;
    }
    let parts: Vec<HitBatch> =
        rays.chunks(1000).map(|part| closest(&scene, &RayBatch::from_rays(part))).collect();
    let status: Vec<_> = parts.iter().flat_map(|part| part.status().iter().copied()).collect();
    let t: Vec<_> = parts.iter().flat_map(|part| part.t().iter().map(|t| t.to_bits())).collect();
    assert!(status.iter().any(|status| status.is_hit()), "nothing is met");
    for coherence in [Coherence::Detect, Coherence::Coherent, Coherence::Incoherent] {
        let cast = scene.cast(&rays).threads(&Threads::ONE).coherence(coherence);
        let whole = cast.closest().expect("answers");
        assert!(whole.status() == status, "{coherence:?}");
        assert!(whole.t().iter().map(|t| t.to_bits()).eq(t.iter().copied()), "{coherence:?}");
    }
}
