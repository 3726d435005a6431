//! The precision of coordinates, and which need `f64`.

use super::compiled::Compiled;
use crate::hits::Values;
use lanecast::Precision;

/// The precision of coordinates of meshes, rays, points and answers: `f32` or `f64`.
#[expect(private_bounds, reason = "there are no others: how they are read is not for callers")]
pub trait Coordinate: Precision + std::str::FromStr + Compiled {
    /// The nearest number of this precision, infinite beyond its range.
    fn nearest(value: f64) -> Self;

    /// Such numbers as the values of a column.
    fn values(values: &[Self]) -> Values<'_> {
        Self::column(values)
    }
}

impl Coordinate for f32 {
    fn nearest(value: f64) -> Self {
        value as Self
    }
}

impl Coordinate for f64 {
    fn nearest(value: f64) -> Self {
        value
    }
}

/// Numbers beyond are no coordinates.
pub(crate) const FARTHEST: f64 = 1e30;

/// By how much rounding to `T` moves one of these coordinates at most. Numbers that no scene takes
/// do not count.
pub fn moved_by_rounding<T: Coordinate>(coordinates: impl Iterator<Item = f64>) -> f64 {
    let by = |x: f64| if x.abs() <= FARTHEST { (x - T::nearest(x).to_f64()).abs() } else { 0.0 };
    coordinates.map(by).fold(0.0, f64::max)
}

/// The rule by which rounding costs digits: a coordinate is moved by more than 2⁻²¹, about
/// 1/2,000,000, of the size of the scene, the longest side of the box around it. Never so at a
/// scene without a size.
pub fn is_moved_too_far(moved: f64, size: f64) -> bool {
    const FINE_ENOUGH: f64 = (1 << 21) as f64;
    size > 0.0 && moved > size / FINE_ENOUGH
}

/// How coarse `f32` is for a scene, where rounding to it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coarseness {
    /// The distance between neighbouring `f32` at the coordinate of greatest magnitude.
    pub spacing: f32,
    /// How many such steps make the longest side of the box around the scene.
    pub steps: u32,
}

impl Coarseness {
    /// The rule by which a mesh needs `f64`, as rounding to `f32` could move its coordinates [too
    /// far](is_moved_too_far): the longest side of the box around it, from its least corner to its
    /// greatest, is shorter than 2²⁰ steps between neighbouring `f32` at the coordinate of greatest
    /// magnitude. So it does wherever that coordinate is 16 times as large as that side or larger,
    /// and nowhere up to 8 times. `None` where `f32` is fine enough, and for a box without extent.
    pub fn of_f32([min, max]: [[f64; 3]; 2]) -> Option<Self> {
        let mut extent = Extent::EMPTY;
        extent.add(min);
        extent.add(max);
        extent.coarseness()
    }
}

/// The box around coordinates of a scene, and how far from 0 those of them reach that rounding to
/// `f32` may move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    min: [f64; 3],
    max: [f64; 3],
    farthest: f64,
    moved: f64,
}

impl Extent {
    /// No coordinates.
    pub const EMPTY: Self =
        Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3], farthest: 0.0, moved: 0.0 };

    /// Adds a point to the box. Numbers that no scene takes do not count.
    pub fn add_exact(&mut self, point: [f64; 3]) {
        if point.iter().all(|x| x.abs() <= FARTHEST) {
            let bounds = self.min.iter_mut().zip(&mut self.max);
            for ((min, max), x) in bounds.zip(point) {
                (*min, *max) = (min.min(x), max.max(x));
            }
        }
    }

    /// Adds numbers that rounding may move.
    pub fn add_rounded(&mut self, numbers: &[f64]) {
        for &x in numbers.iter().filter(|x| x.abs() <= FARTHEST) {
            self.farthest = self.farthest.max(x.abs());
            self.moved = self.moved.max((x - f64::from(x as f32)).abs());
        }
    }

    /// Adds a point whose coordinates rounding may move.
    pub fn add(&mut self, point: [f64; 3]) {
        if point.iter().all(|x| x.abs() <= FARTHEST) {
            self.add_exact(point);
            self.add_rounded(&point);
        }
    }

    /// The longest side of the box; 0 without points.
    pub fn size(&self) -> f64 {
        (0..3).fold(0.0, |size, axis| size.max(self.max[axis] - self.min[axis]))
    }

    /// By how much rounding to `f32` moves a coordinate at most.
    pub const fn moved(&self) -> f64 {
        self.moved
    }

    /// How coarse `f32` is, where it could move coordinates [too far](is_moved_too_far).
    pub fn coarseness(&self) -> Option<Coarseness> {
        let (size, farthest) = (self.size(), self.farthest as f32);
        let spacing = farthest.next_up() - farthest;
        let is_coarse = is_moved_too_far(f64::from(spacing) / 2.0, size);
        is_coarse.then(|| Coarseness { spacing, steps: (size / f64::from(spacing)) as u32 })
    }
}
