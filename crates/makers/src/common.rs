//! Shared by makers: checks of options, points and directions in `f64`, the axes of a camera, runs
//! of rays.

use std::fmt::Display;
use std::ops::RangeInclusive;

use lanecast::Scalar;
use lanecast::support::mixed;
pub(crate) use lanecast::support::with_default_float_mode;
pub(crate) use lanecast::{Error, Maker, Ray, Result};

/// 2¹⁰⁰, the bound on every coordinate of rays.
pub(crate) const LARGEST_COORDINATE: f64 = <f32 as Scalar>::LARGEST_COORDINATE as f64;

/// A point or a direction. Rays are rounded when made.
pub(crate) type Vector = [f64; 3];

/// A maker, by its name in errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked(pub(crate) &'static str);

/// Returns the error of a maker's field that is not usable, with the reason.
macro_rules! ensure {
    ($is_usable:expr, $asked:expr, $field:expr, $($problem:tt)+) => {
        let is_usable: bool = $is_usable;
        if !is_usable {
            let (Asked(maker), problem) = ($asked, format!($($problem)+));
            return Err(Error::UnusableField { maker, field: $field, problem });
        }
    };
}
pub(crate) use ensure;

impl Asked {
    pub(crate) fn within<X>(self, field: &'static str, x: X, range: RangeInclusive<X>) -> Result<()>
    where
        X: Copy + PartialOrd + Display,
    {
        let (least, most) = (range.start(), range.end());
        ensure!(range.contains(&x), self, field, "is {x}; it must be from {least} to {most}");
        Ok(())
    }

    /// The error of a row of a field.
    pub(crate) fn row(self, field: &'static str, row: usize, problem: String) -> Error {
        Error::UnusableRow { maker: self.0, field, row, problem }
    }

    pub(crate) fn point(self, field: &'static str, point: Vector) -> Result<Vector> {
        let is_usable = point.iter().all(|x| x.abs() <= LARGEST_COORDINATE);
        ensure!(
            is_usable,
            self,
            field,
            "is {point:?}; it must be finite and at most 2^100 in magnitude"
        );
        Ok(point)
    }

    /// A direction with a length.
    pub(crate) fn direction(self, field: &'static str, direction: Vector) -> Result<Vector> {
        // Beyond this a square is beyond what `f64` holds.
        let least = 1.0 / LARGEST_COORDINATE;
        let has_length = length(self.point(field, direction)?) >= least;
        ensure!(has_length, self, field, "is {direction:?}, which has no direction");
        Ok(direction)
    }

    pub(crate) fn size(self, field: &'static str, size: [u32; 2]) -> Result<[usize; 2]> {
        let [width, height] = size.map(|side| side as usize);
        let is_counted = matches!(width.checked_mul(height), Some(1..));
        ensure!(
            is_counted,
            self,
            field,
            "is {width} x {height}; there must be a ray, and all be counted"
        );
        Ok([width, height])
    }

    /// Checks that each of `points` with each of `others`, a field, can be counted.
    pub(crate) fn counted(self, field: &'static str, points: usize, others: usize) -> Result<()> {
        let is_counted = points.checked_mul(others).is_some();
        ensure!(is_counted, self, field, "and points are more than can be counted together");
        Ok(())
    }
}

pub(crate) fn add([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax + bx, ay + by, az + bz]
}

pub(crate) fn sub([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

pub(crate) fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

pub(crate) fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f64 {
    ax * bx + ay * by + az * bz
}

pub(crate) fn scale(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

pub(crate) fn length<const N: usize>(a: [f64; N]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The same direction with length 1; a zero vector stays zero.
pub(crate) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

/// Two unit vectors perpendicular to the unit vector `axis` and to each other; the three are
/// right-handed.
pub(crate) fn tangents(axis: Vector) -> [Vector; 2] {
    let [x, y, z] = axis.map(f64::abs);
    // The coordinate axis that lies farthest from `axis`.
    let farthest = [x, y, z].iter().position(|&part| part == x.min(y).min(z)).unwrap_or(2);
    let mut other = [0.0; 3];
    other[farthest] = 1.0;
    let first = unit(cross(other, axis));
    [first, cross(axis, first)]
}

/// The precision of the rays of makers and of measurements: `f32` or `f64`.
pub trait Number: lanecast::Precision {
    /// The nearest number of this precision.
    fn of_f64(value: f64) -> Self;
}

impl Number for f32 {
    fn of_f64(value: f64) -> Self {
        value as Self
    }
}

impl Number for f64 {
    fn of_f64(value: f64) -> Self {
        value
    }
}

pub(crate) fn ray<T: Number>(origin: Vector, direction: Vector) -> Ray<T> {
    Ray::new(origin.map(T::of_f64), direction.map(T::of_f64))
}

/// Two numbers from 0 to 1, 1 excluded, which depend only on the seed and the number of what they
/// are for (SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014).
pub(crate) fn random(seed: u64, number: u64) -> [f64; 2] {
    let state =
        mixed(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)).wrapping_add(number.wrapping_mul(2));
    [1, 2].map(|step: u64| {
        let bits = mixed(state.wrapping_add(step).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// The axes of a camera, unit vectors perpendicular to each other: to the right, upwards, and from
/// `eye` to `target`. If `up` is along that, upwards is some direction perpendicular to it.
pub(crate) fn view(asked: Asked, eye: Vector, target: Vector, up: Vector) -> Result<[Vector; 3]> {
    let (eye, target) = (asked.point("eye", eye)?, asked.point("target", target)?);
    ensure!(eye != target, asked, "target", "is where the eye is, at {eye:?}");
    let up = unit(asked.direction("up", up)?);
    let forward = unit(asked.direction("target", sub(target, eye))?);
    let right = match cross(forward, up) {
        side if length(side) > 1e-9 => unit(side),
        _ => tangents(forward)[0],
    };
    Ok([right, cross(right, forward), forward])
}

/// Makes rays line by line, each of `width` rays: lines of a picture, firings, the rays of a point.
/// `line` prepares the line with a number, and its result makes the ray at a place of it. `first`
/// is the number of the first ray.
pub(crate) fn make_lines<T, M: Fn(usize) -> Ray<T>>(
    width: usize,
    first: usize,
    rays: &mut [Ray<T>],
    line: impl Fn(usize) -> M,
) {
    make_runs(width, first, rays, |number, place, run| {
        let make = line(number);
        for (ray, place) in run.iter_mut().zip(place..) {
            *ray = make(place);
        }
    });
}

/// The same by a function that makes the rays of the line with a number, from a place of it on, as
/// many as it gets.
pub(crate) fn make_runs<T>(
    width: usize,
    first: usize,
    mut rays: &mut [Ray<T>],
    make: impl Fn(usize, usize, &mut [Ray<T>]),
) {
    // Without rays there may be no lines.
    let (mut number, mut place) = (first / width.max(1), first % width.max(1));
    while !rays.is_empty() {
        let (run, rest) = rays.split_at_mut(rays.len().min(width - place));
        make(number, place, run);
        (number, place, rays) = (number + 1, 0, rest);
    }
}
