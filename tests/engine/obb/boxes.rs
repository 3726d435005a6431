//! Oriented boxes and rays in either precision: by hand, and as arguments to proptest.

use lanecast::primitive::Obb;
use lanecast::{Ray, Scalar};
use proptest::prelude::*;

/// What a test needs to know of a precision beyond the library's own.
pub(crate) trait Precision: Scalar {
    /// Rotations have entries of so many bits: as few as the tolerance allows, so that products with small
    /// whole numbers are exact.
    const AXIS_BITS: i32;
    fn rounded(x: f64) -> Self;
}

impl Precision for f32 {
    const AXIS_BITS: i32 = 18;
    fn rounded(x: f64) -> Self {
        x as Self
    }
}

impl Precision for f64 {
    const AXIS_BITS: i32 = 42;
    fn rounded(x: f64) -> Self {
        x
    }
}

pub(crate) fn of<T: Precision>(v: [f64; 3]) -> [T; 3] {
    v.map(T::rounded)
}

pub(crate) const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Two turns by the angle of the triangle 3-4-5, about z and about x.
pub(crate) const TURNED_TWICE: [[f64; 3]; 3] = [[0.6, 0.8, 0.0], [-0.48, 0.36, 0.8], [0.64, -0.48, 0.6]];

/// Axes whose products with small whole numbers are exact.
pub(crate) fn short<T: Precision>(axes: [[f64; 3]; 3]) -> [[T; 3]; 3] {
    let scale = 2.0_f64.powi(T::AXIS_BITS);
    axes.map(|axis| axis.map(|x| T::rounded((x * scale).round() / scale)))
}

pub(crate) fn obb<T: Precision>(center: [f64; 3], axes: [[f64; 3]; 3], half_extents: [f64; 3]) -> Obb<T> {
    Obb::new(of(center), short(axes), of(half_extents)).expect("a sound box")
}

pub(crate) fn ray<T: Precision>(origin: [f64; 3], direction: [f64; 3], [t_min, t_max]: [f64; 2]) -> Ray<T> {
    Ray { origin: of(origin), direction: of(direction), t_min: T::rounded(t_min), t_max: T::rounded(t_max) }
}

pub(crate) const LINE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
pub(crate) const RAY: [f64; 2] = [0.0, f64::INFINITY];
pub(crate) const SEGMENT: [f64; 2] = [0.0, 1.0];

/// Ordinary, on a lattice, far away, tiny or huge.
pub(crate) fn coordinate() -> BoxedStrategy<f64> {
    prop_oneof![
        6 => (-8..=8_i32).prop_map(|i| f64::from(i) * 0.25),
        8 => -2.0..2.0_f64,
        2 => (-8..=8_i32).prop_map(|i| 1e7 + f64::from(i)),
        1 => -1e30..1e30_f64,
        1 => -1e-30..1e-30_f64,
    ]
    .boxed()
}

pub(crate) fn triple() -> BoxedStrategy<[f64; 3]> {
    [coordinate(), coordinate(), coordinate()].boxed()
}

fn axes<T: Precision>() -> BoxedStrategy<[[T; 3]; 3]> {
    let of_quaternion = [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0, -1.0..1.0].prop_filter_map("long", |q| {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [w, x, y, z] = q.map(|part| part / length);
        (length > 0.1).then(|| {
            [
                of([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)]),
                of([2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)]),
                of([2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)]),
            ]
        })
    });
    let [u, v, w] = TURNED_TWICE;
    prop_oneof![
        4 => of_quaternion,
        1 => Just(short(IDENTITY)),
        1 => Just(short([u, v, w])),
        // Left-handed.
        1 => Just(short([u, w, v])),
    ]
    .boxed()
}

pub(crate) fn any_obb<T: Precision>() -> BoxedStrategy<Obb<T>> {
    (triple(), axes::<T>(), triple())
        .prop_map(|(center, axes, half_extents)| {
            Obb::new(of(center), axes, of(half_extents.map(f64::abs))).expect("a sound box")
        })
        .boxed()
}

/// A direction whose components may be zero or as good as zero beside the largest.
pub(crate) fn direction() -> BoxedStrategy<[f64; 3]> {
    let component = prop_oneof![
        2 => Just(0.0_f64),
        1 => Just(-0.0_f64),
        3 => prop_oneof![Just(1.0_f64), Just(-1.0), Just(0.5), Just(-3.0)],
        4 => -1.0..1.0_f64,
        1 => prop_oneof![Just(1e-7_f64), Just(-6e-8), Just(1e-16), Just(1e-38), Just(-1e-42)],
    ]
    .boxed();
    [component.clone(), component.clone(), component]
        .prop_filter("not too short", |d| d.iter().any(|x| x.abs() > 1e-3))
        .boxed()
}

/// A ray from `origin` that is at a point of the box's boundary or inside at t = 1, as near as rounding lets
/// it; `None` if that is no ray.
pub(crate) fn aimed<T: Precision>(
    obb: &Obb<T>,
    weights: [f64; 3],
    origin: [f64; 3],
    ends: [f64; 2],
) -> Option<Ray<T>> {
    let mut direction = [0.0; 3];
    for i in 0..3 {
        let mut target = obb.center[i].to_f64();
        for (axis, weight) in weights.into_iter().enumerate() {
            target += weight * obb.half_extents[axis].to_f64() * obb.axes[axis][i].to_f64();
        }
        direction[i] = target - origin[i];
    }
    let ray = ray(origin, direction, ends);
    let longest = direction.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
    // Beyond, `t` of other points of the box leaves the normal numbers.
    (ray.defect().is_none() && longest > 1e-7).then_some(ray)
}
