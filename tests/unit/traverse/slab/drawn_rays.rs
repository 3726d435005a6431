//! Strategies of all tests made into rays of this crate.

#[path = "../../../common/strategies.rs"]
#[expect(unreachable_pub, reason = "shared with other tests")]
mod strategies;

pub(super) use strategies::{cases, coordinate, interval, triple};

use crate::value::Ray;
use proptest::prelude::*;
use strategies::ray_parts;

/// A ray without defect.
pub(super) fn any_ray() -> impl Strategy<Value = Ray> {
    ray_parts()
        .prop_map(|(origin, direction, [t_min, t_max])| Ray { origin, direction, t_min, t_max })
        .prop_filter("without defect", |ray| ray.defect().is_none())
}

/// A ray from `origin` that is at `target` at t = 1, or as near as rounding lets it; `None` if that
/// is no ray.
pub(super) fn aimed(origin: [f32; 3], target: [f32; 3], [t_min, t_max]: [f32; 2]) -> Option<Ray> {
    let direction = std::array::from_fn(|axis| target[axis] - origin[axis]);
    let ray = Ray { origin, direction, t_min, t_max };
    ray.defect().is_none().then_some(ray)
}
