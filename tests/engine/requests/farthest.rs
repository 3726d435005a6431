//! The last hit of each ray, held against all of its hits.

use super::{mixed, of_triangles, rays};
use crate::common::backends::every_backend;
use lanecast::{Contact, Culling, Hit, Precision, Ray, RayBatch, Scene};

/// The last of all hits that touch; of several at one `t` the first in order.
fn last_of_all<T: Precision>(all: &[Hit<T>]) -> Option<Hit<T>> {
    let last = all.last()?;
    all.iter().find(|hit| hit.t == last.t).copied()
}

fn check<T: Precision>(scene: &Scene<T>, rays: &[Ray<T>], culling: Culling, what: &str) -> usize {
    let batch = &RayBatch::from_rays(rays);
    let all = scene.cast(batch).contact(Contact::Touch).culling(culling).all().unwrap();
    let expected: Vec<_> = (0..rays.len()).map(|row| last_of_all(all.of_ray(row))).collect();
    let scan = scene.cast(batch).culling(culling).normals(true).brute_force().farthest().unwrap();
    for backend in every_backend() {
        let request = scene.cast(batch).backend(backend).culling(culling);
        let found = request.farthest().unwrap();
        assert_eq!(found.status(), all.status(), "{what}, {backend}");
        for (row, ray) in rays.iter().enumerate() {
            assert_eq!(found.hit(row), expected[row], "{what}, {backend}: {ray:?}");
            let one = scene.cast(ray).backend(backend).culling(culling).farthest();
            assert_eq!(
                one.ok(),
                ray.defect().is_none().then_some(expected[row]),
                "{what}, {backend}: {ray:?}"
            );
        }
        assert_eq!(request.normals(true).farthest().unwrap(), scan, "{what}, {backend}: normals");
    }
    let closest = scene.cast(batch).culling(culling).closest().unwrap();
    (0..rays.len()).filter(|&row| closest.hit(row) != expected[row]).count()
}

#[test]
fn the_farthest_hit_is_the_last_of_all() {
    for culling in [Culling::None, Culling::Back, Culling::Front] {
        let mut others = check(&mixed(), &rays(), culling, "mixed");
        others += check(&of_triangles::<f32>(), &rays(), culling, "f32");
        others += check(&of_triangles::<f64>(), &rays(), culling, "f64");
        assert!(others > rays::<f32>().len() / 2, "{others} rays hit something behind the closest");
    }
}
