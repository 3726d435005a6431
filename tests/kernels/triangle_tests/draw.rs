//! Triangles and rays as arguments to proptest, and as numbers with more bits.

use crate::common::strategies::{coordinate, ray_parts, triple};
use lanecast::{Culling, Ray};
use proptest::prelude::*;

pub(crate) type Corners = [[f32; 3]; 3];

pub(crate) fn any_corners() -> impl Strategy<Value = Corners> {
    let corner = || triple(coordinate().boxed());
    prop_oneof![
        [corner(), corner(), corner()],
        ([corner(), corner(), corner()], prop_oneof![Just(1.0_f32), Just(1e-3), Just(1e-6)])
            .prop_map(|([a, b, c], size)| {
                let beside = |p: [f32; 3]| std::array::from_fn(|axis| a[axis] + size * p[axis]);
                [a, beside(b), beside(c)]
            }),
    ]
    .prop_filter("within the bound", |corners| corners.iter().flatten().all(|x| x.abs() <= 1e30))
}

/// A ray without defect.
pub(crate) fn any_ray() -> impl Strategy<Value = Ray> {
    ray_parts()
        .prop_map(|(origin, direction, [t_min, t_max])| Ray { origin, direction, t_min, t_max })
        .prop_filter("without defect", |ray| ray.defect().is_none())
}

pub(crate) fn any_culling() -> impl Strategy<Value = Culling> {
    prop_oneof![Just(Culling::None), Just(Culling::Back), Just(Culling::Front)]
}

/// The same rays and triangles as numbers of `f64` that have more bits than `f32` holds.
pub(crate) fn finer(x: f32) -> f64 {
    f64::from(x) * (1.0 + 2_f64.powi(-30) / 3.0)
}

pub(crate) fn finer_ray(ray: &Ray) -> Ray<f64> {
    let [origin, direction] = [ray.origin, ray.direction].map(|v| v.map(finer));
    Ray { origin, direction, t_min: f64::from(ray.t_min), t_max: f64::from(ray.t_max) }
}
