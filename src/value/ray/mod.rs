//! Rays and segments: one by one, and as columns.
//!
//! A ray is the set of points `origin + t · direction` with `t_min ≤ t ≤ t_max`, closed at both
//! ends. `t` counts lengths of `direction`. A segment from a to b is a ray with direction b − a and
//! interval \[0, 1\]; a line has \[−∞, ∞\].

mod batch;
mod grid;
mod group;

pub use batch::RayBatch;
pub use grid::PointGrid;
pub(crate) use group::{GROUP, GroupColumn, Heading, RayGroup, RaySource};

use crate::columns::{Columns, Item, Map, PartsOf, Record, Row, Rows, Shape, plain_numbers};
use crate::simd::{Real, Scalar, with_default_float_mode};
use crate::status::Status;

/// One ray, in the order of a row of an (N, 8) array: eight numbers in space, six in the plane.
///
/// `Ray` by itself is a ray of `f32` in space, `Ray<f32, 2>` one in the plane. Where a ray is made,
/// its numbers decide: `Ray::new([0.0; 3], [0.0, 0.0, 1.0])` is one of `f64` unless something says
/// otherwise, such as the scene it is cast at.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize, [T; D]: serde::Serialize",
        deserialize = "T: Scalar + serde::Deserialize<'de>, [T; D]: serde::Deserialize<'de>"
    ))
)]
#[repr(C)]
pub struct Ray<T = f32, const D: usize = 3> {
    /// Where `t` is 0. At most 2¹⁰⁰ in magnitude, 2³⁰⁰ in `f64`.
    pub origin: [T; D],
    /// Where the ray goes. Its largest component has a magnitude from 2⁻¹⁰⁰ to 2¹⁰⁰, from 2⁻³⁰⁰ to
    /// 2³⁰⁰ in `f64`.
    pub direction: [T; D],
    /// The least `t` that counts, itself included.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::math::or_minus_infinity"))]
    pub t_min: T,
    /// The greatest `t` that counts, itself included.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::math::or_infinity"))]
    pub t_max: T,
}

plain_numbers!(Ray<D>: 2 * D + 2);

impl<T: Scalar, const D: usize> Ray<T, D> {
    /// A ray that starts at `origin` and never ends: interval \[0, ∞\].
    pub const fn new(origin: [T; D], direction: [T; D]) -> Self {
        Self { origin, direction, t_min: T::ZERO, t_max: T::INFINITY }
    }

    /// The segment from `start` to `end`: direction `end − start`, rounded, interval \[0, 1\]. So
    /// it ends where `start` and the rounded direction lead, a rounding beside `end`, and may miss
    /// a slanting surface on which `end` lies.
    pub fn segment(start: [T; D], end: [T; D]) -> Self {
        // A thread that rounds otherwise would make another ray.
        let direction =
            with_default_float_mode(|| std::array::from_fn(|axis| end[axis] - start[axis]));
        Self::new(start, direction).with_interval(T::ZERO, T::ONE)
    }

    /// The line through `point` along `direction`: interval \[−∞, ∞\].
    pub const fn line(point: [T; D], direction: [T; D]) -> Self {
        Self::new(point, direction).with_interval(T::NEG_INFINITY, T::INFINITY)
    }

    /// The same ray with the interval \[`t_min`, `t_max`\].
    #[must_use]
    pub const fn with_interval(self, t_min: T, t_max: T) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// The point at `t`.
    pub fn at(&self, t: T) -> [T; D] {
        with_default_float_mode(|| {
            std::array::from_fn(|axis| self.origin[axis] + t * self.direction[axis])
        })
    }

    /// The defect of this ray, or `None` if it can be cast.
    ///
    /// ```
    /// use lanecast::{Ray, Status};
    /// assert_eq!(Ray::new([0.0; 3], [0.0, 0.0, 1.0]).defect(), None);
    /// assert_eq!(Ray::new([0.0; 3], [0.0; 3]).defect(), Some(Status::ZeroDirection));
    /// ```
    pub fn defect(&self) -> Option<Status> {
        self.line_defect()
    }

    /// [`defect`](Self::defect) for callers in the default floating-point mode.
    #[inline]
    pub(crate) fn find_defect(&self) -> Option<Status> {
        let bound = T::LARGEST_COORDINATE;
        let largest = self.direction.iter().fold(T::ZERO, |largest, d| d.abs().max(largest));
        if !self.origin.iter().all(|x| x.abs() <= bound) {
            Some(Status::InvalidOrigin)
        } else if !self.direction.iter().all(|x| x.is_finite()) {
            Some(Status::InvalidDirection)
        } else if largest == T::ZERO {
            Some(Status::ZeroDirection)
        } else if !(T::ONE / bound <= largest && largest <= bound) {
            Some(Status::DirectionOutOfRange)
        } else if self.t_min.is_nan() || self.t_max.is_nan() {
            Some(Status::InvalidInterval)
        } else {
            (self.t_min > self.t_max).then_some(Status::EmptyInterval)
        }
    }
}

/// A line of a test: a [`Ray`] or a [`Segment`]; there are no others.
pub trait Line: Record {
    /// Its defect, or `None` if it can be tested.
    fn line_defect(&self) -> Option<Status> {
        // A thread that counts subnormals as zero would find other defects.
        with_default_float_mode(|| self.find_line_defect())
    }

    /// The same, for callers in the default floating-point mode.
    #[doc(hidden)]
    fn find_line_defect(&self) -> Option<Status>;

    /// The lanes that certainly have no defect; few others have none.
    #[doc(hidden)]
    fn surely_sound<R: Real<Scalar = Self::Scalar>>(parts: &PartsOf<Self, R>) -> R::Mask;
}

/// The numbers of a ray, or as many other values.
pub(crate) type RayParts<X, const D: usize> = Ray<X, D>;

impl<X> RayParts<X, 3> {
    #[inline(always)]
    pub(crate) const fn in_order(&self) -> [&X; 8] {
        let Self { origin: [ox, oy, oz], direction: [dx, dy, dz], t_min, t_max } = self;
        [ox, oy, oz, dx, dy, dz, t_min, t_max]
    }

    #[inline(always)]
    pub(crate) const fn in_order_mut(&mut self) -> [&mut X; 8] {
        let Self { origin: [ox, oy, oz], direction: [dx, dy, dz], t_min, t_max } = self;
        [ox, oy, oz, dx, dy, dz, t_min, t_max]
    }
}

#[derive(Debug, Clone, Copy)]
pub struct RayShape<const D: usize>;

impl<const D: usize> Shape for RayShape<D> {
    const COUNT: usize = 2 * D + 2;

    type Of<X: Item> = RayParts<X, D>;

    #[inline(always)]
    fn filled<X: Item>(value: X) -> RayParts<X, D> {
        RayParts { origin: [value; D], direction: [value; D], t_min: value, t_max: value }
    }

    #[inline(always)]
    fn places() -> RayParts<usize, D> {
        let [origin, direction] = Rows::<2, D>::places();
        RayParts { origin, direction, t_min: 2 * D, t_max: 2 * D + 1 }
    }

    #[inline(always)]
    fn at<X: Item>(parts: &RayParts<X, D>, place: usize) -> &X {
        match place {
            _ if place < D => &parts.origin[place],
            _ if place < 2 * D => &parts.direction[place - D],
            _ if place == 2 * D => &parts.t_min,
            _ => &parts.t_max,
        }
    }

    #[inline(always)]
    fn at_mut<X: Item>(parts: &mut RayParts<X, D>, place: usize) -> &mut X {
        match place {
            _ if place < D => &mut parts.origin[place],
            _ if place < 2 * D => &mut parts.direction[place - D],
            _ if place == 2 * D => &mut parts.t_min,
            _ => &mut parts.t_max,
        }
    }

    #[inline(always)]
    fn map<X: Item, Y: Item>(parts: &RayParts<X, D>, map: &impl Map<X, Y>) -> RayParts<Y, D> {
        let (origin, direction) = (Row::map(&parts.origin, map), Row::map(&parts.direction, map));
        RayParts { origin, direction, t_min: map.map(&parts.t_min), t_max: map.map(&parts.t_max) }
    }
}

impl<T: Scalar, const D: usize> Record for Ray<T, D> {
    type Scalar = T;
    type Shape = RayShape<D>;

    fn column_name(place: usize) -> &'static str {
        let axis = |names: [&'static str; 3], axis: usize| {
            names.get(axis).copied().unwrap_or("a component")
        };
        match place {
            _ if place < D => axis(["ox", "oy", "oz"], place),
            _ if place < 2 * D => axis(["dx", "dy", "dz"], place - D),
            _ if place == 2 * D => "t_min",
            _ => "t_max",
        }
    }
}

impl<T: Scalar, const D: usize> Line for Ray<T, D> {
    #[inline]
    fn find_line_defect(&self) -> Option<Status> {
        self.find_defect()
    }

    #[inline(always)]
    fn surely_sound<R: Real<Scalar = T>>(ray: &RayParts<R, D>) -> R::Mask {
        let bound = ray.t_min.splat(T::LARGEST_COORDINATE);
        let least = ray.t_min.splat(T::ONE / T::LARGEST_COORDINATE);
        // A sum of magnitudes is within the bound only if all of them are, and NaN if one of them
        // is.
        let mut largest = ray.direction[0].abs();
        let mut sum = ray.origin[0].abs() + largest;
        for axis in 1..D {
            let direction = ray.direction[axis].abs();
            sum = sum + (ray.origin[axis].abs() + direction);
            largest = direction.max(largest);
        }
        ray.t_min.le_in(ray.t_max, least.le_in(largest, sum.le(bound)))
    }
}

/// A segment given by its ends, both of which belong to it; they may be the same point.
///
/// Most tests take it as a [`Ray::segment`]; clipping takes its ends: one that is not cut off comes
/// back bit for bit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[T; D]: serde::Serialize",
        deserialize = "[T; D]: serde::Deserialize<'de>"
    ))
)]
#[repr(C)]
pub struct Segment<T = f32, const D: usize = 3> {
    /// The point at `t` = 0.
    pub start: [T; D],
    /// The point at `t` = 1.
    pub end: [T; D],
}

/// Any number of segments as columns: starts and ends.
pub type SegmentBatch<'a, T = f32, const D: usize = 3> = Columns<'a, Segment<T, D>>;

plain_numbers!(Segment<D>: 2 * D);

impl<T: Scalar, const D: usize> Segment<T, D> {
    /// The segment between two points.
    pub const fn new(start: [T; D], end: [T; D]) -> Self {
        Self { start, end }
    }

    /// The defect of this segment, or `None` if it can be clipped: [`Status::InvalidOrigin`] for a
    /// start and [`Status::InvalidDirection`] for an end that is NaN or beyond the bound on
    /// coordinates.
    pub fn defect(&self) -> Option<Status> {
        self.line_defect()
    }
}

/// The segment as most tests take it.
///
/// ```
/// use lanecast::{Ray, Segment};
/// let segment = Segment::new([1.0, 0.0, 0.0], [3.0, 0.0, 4.0]);
/// assert_eq!(Ray::from(segment), Ray::segment([1.0, 0.0, 0.0], [3.0, 0.0, 4.0]));
/// ```
impl<T: Scalar, const D: usize> From<Segment<T, D>> for Ray<T, D> {
    fn from(Segment { start, end }: Segment<T, D>) -> Self {
        Self::segment(start, end)
    }
}

impl<T: Scalar, const D: usize> Record for Segment<T, D> {
    type Scalar = T;
    type Shape = Rows<2, D>;

    fn column_name(place: usize) -> &'static str {
        if place < D { "a component of the starts" } else { "a component of the ends" }
    }
}

impl<T: Scalar, const D: usize> Line for Segment<T, D> {
    #[inline]
    fn find_line_defect(&self) -> Option<Status> {
        let unusable = |point: &[T; D]| !point.iter().all(|x| x.abs() <= T::LARGEST_COORDINATE);
        if unusable(&self.start) {
            Some(Status::InvalidOrigin)
        } else {
            unusable(&self.end).then_some(Status::InvalidDirection)
        }
    }

    #[inline(always)]
    fn surely_sound<R: Real<Scalar = T>>([start, end]: &[[R; D]; 2]) -> R::Mask {
        let mut sum = start[0].abs() + end[0].abs();
        for axis in 1..D {
            sum = sum + (start[axis].abs() + end[axis].abs());
        }
        sum.le(sum.splat(T::LARGEST_COORDINATE))
    }
}
