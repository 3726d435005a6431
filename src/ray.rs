//! Rays: one by one, and as columns.
//!
//! A ray is the set of points `origin + t · direction` with `t_min ≤ t ≤ t_max`, closed at both
//! ends. `t` counts lengths of `direction`, which need not be a unit vector. A segment from a to b
//! is a ray with direction b − a and interval \[0, 1\]; a line has \[−∞, ∞\].

use crate::error::{Error, Result};
use crate::math::LARGEST_COORDINATE;
use crate::simd::with_default_float_mode;
use crate::status::Status;

/// The largest component of a direction must lie within these magnitudes, so that neither its
/// reciprocal nor the products formed from it leave the normal range of `f32`.
const DIRECTION_RANGE: std::ops::RangeInclusive<f32> =
    f32::from_bits(0x0d80_0000)..=f32::from_bits(0x7180_0000);

/// One ray: eight `f32` in the order of a row of an (N, 8) array.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Ray {
    /// Where `t` is 0. At most 2¹⁰⁰ in magnitude.
    pub origin: [f32; 3],
    /// Where the ray goes. Its largest component has a magnitude from 2⁻¹⁰⁰ to 2¹⁰⁰.
    pub direction: [f32; 3],
    /// The least `t` that counts, itself included.
    pub t_min: f32,
    /// The greatest `t` that counts, itself included.
    pub t_max: f32,
}

impl Ray {
    /// A ray that starts at `origin` and never ends: interval \[0, ∞\].
    pub const fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self { origin, direction, t_min: 0.0, t_max: f32::INFINITY }
    }

    /// The segment from `start` to `end`: direction `end − start`, rounded, interval \[0, 1\].
    pub fn segment(start: [f32; 3], end: [f32; 3]) -> Self {
        Self::new(start, crate::math::sub(end, start)).with_interval(0.0, 1.0)
    }

    /// The line through `point` along `direction`: interval \[−∞, ∞\].
    pub const fn line(point: [f32; 3], direction: [f32; 3]) -> Self {
        Self::new(point, direction).with_interval(f32::NEG_INFINITY, f32::INFINITY)
    }

    /// The same ray with the interval \[`t_min`, `t_max`\].
    #[must_use]
    pub const fn with_interval(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// The point at `t`.
    pub fn at(&self, t: f32) -> [f32; 3] {
        std::array::from_fn(|axis| self.origin[axis] + t * self.direction[axis])
    }

    /// What is wrong with this ray, or `None` if it can be cast.
    ///
    /// ```
    /// use lanecast::{Ray, Status};
    /// assert_eq!(Ray::new([0.0; 3], [0.0, 0.0, 1.0]).defect(), None);
    /// assert_eq!(Ray::new([0.0; 3], [0.0; 3]).defect(), Some(Status::ZeroDirection));
    /// ```
    pub fn defect(&self) -> Option<Status> {
        // A thread that counts subnormals as zero would find other defects.
        with_default_float_mode(|| self.find_defect())
    }

    /// [`defect`](Self::defect) for where the floating-point mode is known to be the default.
    pub(crate) fn find_defect(&self) -> Option<Status> {
        let largest = self.direction.iter().fold(0.0_f32, |largest, d| largest.max(d.abs()));
        if !self.origin.iter().all(|x| x.abs() <= LARGEST_COORDINATE) {
            Some(Status::InvalidOrigin)
        } else if !self.direction.iter().all(|x| x.is_finite()) {
            Some(Status::InvalidDirection)
        } else if largest == 0.0 {
            Some(Status::ZeroDirection)
        } else if !DIRECTION_RANGE.contains(&largest) {
            Some(Status::DirectionOutOfRange)
        } else if self.t_min.is_nan() || self.t_max.is_nan() {
            Some(Status::InvalidInterval)
        } else if self.t_min > self.t_max {
            Some(Status::EmptyInterval)
        } else {
            None
        }
    }

    /// The defect as an error.
    pub(crate) fn refuse_defect(&self) -> Result<()> {
        self.find_defect().map_or(Ok(()), |status| Err(Error::InvalidRay { status }))
    }
}

/// One column of a batch.
#[derive(Debug, Clone, Copy)]
enum Column<'a> {
    /// Every `stride`-th value of a slice, from `first` on. Stride 1 is a plain column, 3 a component
    /// of `[[f32; 3]]`, 6 or 8 a component of rows: one shape, and so a batch never copies.
    Strided { values: &'a [f32], first: usize, stride: usize },
    /// The same value in every row.
    Constant(f32),
}

impl<'a> Column<'a> {
    const fn plain(values: &'a [f32]) -> Self {
        Self::of_rows(values, 0, 1)
    }

    const fn of_rows(values: &'a [f32], component: usize, width: usize) -> Self {
        Self::Strided { values, first: component, stride: width }
    }

    #[inline(always)]
    fn get(&self, row: usize) -> f32 {
        match *self {
            Self::Strided { values, first, stride } => values[first + row * stride],
            Self::Constant(value) => value,
        }
    }

    fn skip(self, rows: usize) -> Self {
        match self {
            Self::Strided { values, first, stride } => {
                Self::Strided { values, first: first + rows * stride, stride }
            }
            Self::Constant(_) => self,
        }
    }
}

/// Any number of rays as eight columns, borrowed from the caller's memory as it lies.
///
/// Unless a constructor says otherwise, the interval of every ray is \[0, ∞\].
///
/// ```
/// use lanecast::RayBatch;
/// let origins = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0]];
/// let directions = [[0.0, 0.0, -1.0]; 2];
/// let rays = RayBatch::from_pairs(&origins, &directions)?;
/// assert_eq!(rays.len(), 2);
/// assert_eq!(rays.ray(1).origin, [1.0, 0.0, 5.0]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct RayBatch<'a> {
    /// origin x y z, direction x y z, t_min, t_max
    columns: [Column<'a>; 8],
    len: usize,
}

impl<'a> RayBatch<'a> {
    /// Six columns of equal length.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] names the first column whose length differs.
    pub fn from_columns(origin: [&'a [f32]; 3], direction: [&'a [f32]; 3]) -> Result<Self> {
        const NAMES: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];
        let len = origin[0].len();
        let [ox, oy, oz] = origin;
        let [dx, dy, dz] = direction;
        for (name, column) in NAMES.into_iter().zip([ox, oy, oz, dx, dy, dz]) {
            expect_length(name, column.len(), len)?;
        }
        let [ox, oy, oz, dx, dy, dz] = [ox, oy, oz, dx, dy, dz].map(Column::plain);
        Ok(Self::new([ox, oy, oz, dx, dy, dz], len))
    }

    /// One origin and one direction per ray.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if the slices differ in length.
    pub fn from_pairs(origins: &'a [[f32; 3]], directions: &'a [[f32; 3]]) -> Result<Self> {
        expect_length("directions", directions.len(), origins.len())?;
        let (o, d) = (origins.as_flattened(), directions.as_flattened());
        let columns = [(o, 0), (o, 1), (o, 2), (d, 0), (d, 1), (d, 2)];
        Ok(Self::new(columns.map(|(values, component)| Column::of_rows(values, component, 3)), origins.len()))
    }

    /// Rows of six values, `ox oy oz dx dy dz`: the memory of an (N, 6) array.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if the slice does not divide into rows.
    pub fn from_rows6(values: &'a [f32]) -> Result<Self> {
        let len = expect_rows(values, 6)?;
        Ok(Self::new(std::array::from_fn(|component| Column::of_rows(values, component, 6)), len))
    }

    /// Rows of eight values, `ox oy oz dx dy dz t_min t_max`: the memory of an (N, 8) array.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if the slice does not divide into rows.
    pub fn from_rows8(values: &'a [f32]) -> Result<Self> {
        let len = expect_rows(values, 8)?;
        Ok(Self { columns: std::array::from_fn(|component| Column::of_rows(values, component, 8)), len })
    }

    /// A slice of [`Ray`], which is the same memory as rows of eight.
    pub fn from_rays(rays: &'a [Ray]) -> Self {
        let values = bytemuck::cast_slice(rays);
        Self {
            columns: std::array::from_fn(|component| Column::of_rows(values, component, 8)),
            len: rays.len(),
        }
    }

    /// The same rays, every one with, instead of its own, the interval \[`t_min`, `t_max`\].
    #[must_use]
    pub fn with_interval(mut self, t_min: f32, t_max: f32) -> Self {
        self.columns[6] = Column::Constant(t_min);
        self.columns[7] = Column::Constant(t_max);
        self
    }

    /// The same rays, each with an interval of its own.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if a column's length is not the number of rays.
    pub fn with_intervals(mut self, t_min: &'a [f32], t_max: &'a [f32]) -> Result<Self> {
        expect_length("t_min", t_min.len(), self.len)?;
        expect_length("t_max", t_max.len(), self.len)?;
        self.columns[6] = Column::plain(t_min);
        self.columns[7] = Column::plain(t_max);
        Ok(self)
    }

    /// How many rays there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no ray at all.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Ray number `index`, gathered from its columns.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    #[inline(always)]
    pub fn ray(&self, index: usize) -> Ray {
        assert!(index < self.len, "ray {index} of a batch of {}", self.len);
        // Not `map`, which would be a call for every ray.
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = &self.columns;
        Ray {
            origin: [ox.get(index), oy.get(index), oz.get(index)],
            direction: [dx.get(index), dy.get(index), dz.get(index)],
            t_min: t_min.get(index),
            t_max: t_max.get(index),
        }
    }

    /// The rays of `range` as a batch of their own.
    ///
    /// # Panics
    /// If `range` reaches beyond the batch.
    #[must_use]
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        assert!(
            range.start <= range.end && range.end <= self.len,
            "rays {range:?} of a batch of {}",
            self.len
        );
        Self { columns: self.columns.map(|column| column.skip(range.start)), len: range.len() }
    }

    fn new(columns: [Column<'a>; 6], len: usize) -> Self {
        let [ox, oy, oz, dx, dy, dz] = columns;
        let (t_min, t_max) = (Column::Constant(0.0), Column::Constant(f32::INFINITY));
        Self { columns: [ox, oy, oz, dx, dy, dz, t_min, t_max], len }
    }
}

impl<'a> From<&'a [Ray]> for RayBatch<'a> {
    fn from(rays: &'a [Ray]) -> Self {
        Self::from_rays(rays)
    }
}

fn expect_length(column: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(Error::ColumnLength { column, found, expected }) }
}

fn expect_rows(values: &[f32], width: usize) -> Result<usize> {
    if values.len().is_multiple_of(width) {
        Ok(values.len() / width)
    } else {
        Err(Error::RowWidth { found: values.len(), width })
    }
}
