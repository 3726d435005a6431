//! Rays as columns.

use std::ops::Range;

use super::{Ray, RayParts};
use crate::columns::{Column, Columns, Maker, Strided, expect_length, expect_rows};
use crate::error::Result;
use crate::simd::Scalar;

/// Any number of rays as columns, borrowed from the caller's memory without a copy.
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
///
/// Vectors of glam, of nalgebra and others are arrays in memory, and `bytemuck` views them as such
/// (of glam with its feature `bytemuck`; a `Vec3A` has four numbers and does not fit):
///
/// ```
/// use glam::Vec3;
/// use lanecast::RayBatch;
/// let eye = Vec3::new(0.0, 0.0, 5.0);
/// let (origins, directions) = ([eye; 2], [Vec3::NEG_Z, Vec3::new(0.5, 0.0, -1.0).normalize()]);
/// let rays = RayBatch::from_pairs(bytemuck::cast_slice(&origins), bytemuck::cast_slice(&directions))?;
/// assert_eq!(Vec3::from(rays.ray(1).origin), eye);
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// Fields of structs are [columns with a stride](crate::columns::Strided), and so are rows of any
/// width:
///
/// ```
/// use lanecast::{RayBatch, columns::Strided};
/// use std::mem::offset_of;
/// #[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
/// #[repr(C)]
/// struct Pulse { origin: glam::Vec3, time: f32, direction: glam::Vec3, range: f32 }
///
/// let (origin, direction) = (glam::Vec3::Z, glam::Vec3::NEG_Z);
/// let pulses = [Pulse { origin, time: 0.0, direction, range: 100.0 }, Pulse { origin, time: 0.1, direction, range: 80.0 }];
/// let field = |offset: usize, axis: usize| Strided::<f32>::of_field(&pulses, offset + 4 * axis);
/// let vector = |offset| Ok::<_, lanecast::Error>([field(offset, 0)?, field(offset, 1)?, field(offset, 2)?]);
/// let rays = RayBatch::from_strided(vector(offset_of!(Pulse, origin))?, vector(offset_of!(Pulse, direction))?)?;
/// assert_eq!(rays.ray(1).direction, [0.0, 0.0, -1.0]);
///
/// let (nearest, range) = ([0.5_f32; 2], Strided::of_field(&pulses, offset_of!(Pulse, range))?);
/// let rays = rays.with_intervals(&nearest, range)?;
/// assert_eq!((rays.ray(1).t_min, rays.ray(1).t_max), (0.5, 80.0));
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// A [`Maker`] makes rays while they are answered, so that none are stored:
///
/// ```
/// use lanecast::{Maker, Ray, RayBatch, Scene};
/// /// Rays straight down at a grid of a million places.
/// struct Downwards;
/// impl Maker<Ray> for Downwards {
///     fn len(&self) -> usize {
///         1000 * 1000
///     }
///     fn make(&self, first: usize, rays: &mut [Ray]) {
///         for (place, ray) in (first..).zip(rays) {
///             let [x, y] = [place % 1000, place / 1000].map(|step| step as f32 * 1e-3);
///             *ray = Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]);
///         }
///     }
/// }
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let first_line = RayBatch::made(&Downwards).slice(0..1000);
/// assert_eq!(scene.cast(&first_line).closest()?.hit(999).map(|hit| hit.t), Some(1.0));
/// # Ok::<(), lanecast::Error>(())
/// ```
pub type RayBatch<'a, T = f32, const D: usize = 3> = Columns<'a, Ray<T, D>>;

impl<'a, T: Scalar, const D: usize> RayBatch<'a, T, D> {
    /// One column per axis for the origins and for the directions, all of equal length: else
    /// [`Error::ColumnLength`](crate::Error::ColumnLength) names the first that differs.
    pub fn from_columns(origin: [&'a [T]; D], direction: [&'a [T]; D]) -> Result<Self> {
        Self::from_strided(origin.map(Strided::from), direction.map(Strided::from))
    }

    /// Rays whose numbers lie anywhere, such as in structs. Errors are those of
    /// [`from_columns`](Self::from_columns).
    pub fn from_strided(
        origin: [Strided<'a, T>; D],
        direction: [Strided<'a, T>; D],
    ) -> Result<Self> {
        let len = origin[0].len;
        let [t_min, t_max] =
            [T::ZERO, T::INFINITY].map(|t| Strided { column: Column::Constant(t), len });
        Self::from_strided_parts(RayParts { origin, direction, t_min, t_max })
    }

    /// One origin and one direction per ray. Errors are those of
    /// [`from_columns`](Self::from_columns).
    pub fn from_pairs(origins: &'a [[T; D]], directions: &'a [[T; D]]) -> Result<Self> {
        expect_length("directions", directions.len(), origins.len())?;
        let [origin, direction] =
            [origins, directions].map(|rows| *Columns::of_slice(rows).parts());
        Ok(Self::endless(origin, direction, origins.len()))
    }

    /// Rays from many points that all go one way.
    pub fn from_points(origins: &'a [[T; D]], direction: [T; D]) -> Self {
        Self::from_origins(&Columns::of_slice(origins), direction)
    }

    pub(crate) fn from_origins(origins: &Columns<'a, [T; D]>, direction: [T; D]) -> Self {
        Self::endless(*origins.parts(), direction.map(Column::Constant), origins.len())
    }

    /// A slice of [`Ray`].
    pub fn from_rays(rays: &'a [Ray<T, D>]) -> Self {
        Self::of_slice(rays)
    }

    /// Rays that are generated on demand, a chunk at a time, by one of the package
    /// `lanecast-makers` or by the caller's own. Answers are those to the same rays in memory. Each
    /// query generates the rays again: few rays are faster stored.
    pub fn made(maker: &'a dyn Maker<Ray<T, D>>) -> Self {
        Self::of_maker(maker)
    }

    /// The same rays with the interval \[`t_min`, `t_max`\] in place of their own.
    #[must_use]
    pub const fn with_interval(mut self, t_min: T, t_max: T) -> Self {
        self.set_interval(Column::Constant(t_min), Column::Constant(t_max));
        self
    }

    /// The same rays, each with an interval of its own, by slices or [strided
    /// columns](crate::columns::Strided). Errors are those of [`from_columns`](Self::from_columns).
    pub fn with_intervals(
        mut self,
        t_min: impl Into<Strided<'a, T>>,
        t_max: impl Into<Strided<'a, T>>,
    ) -> Result<Self> {
        let (t_min, t_max) = (t_min.into(), t_max.into());
        expect_length("t_min", t_min.len, self.len())?;
        expect_length("t_max", t_max.len, self.len())?;
        self.set_interval(t_min.column, t_max.column);
        Ok(self)
    }

    const fn set_interval(&mut self, t_min: Column<'a, T>, t_max: Column<'a, T>) {
        (self.parts.t_min, self.parts.t_max) = (t_min, t_max);
        if let Some(made) = &mut self.made {
            made.given |= 0b11 << (2 * D);
        }
    }

    /// Ray number `index`, gathered from its columns. Panics if `index` is not below
    /// [`len`](Self::len).
    #[inline(always)]
    pub fn ray(&self, index: usize) -> Ray<T, D> {
        assert!(index < self.len(), "ray {index} of a batch of {}", self.len());
        if self.made.is_some() {
            return self.get(index);
        }
        // `map` would be a call for every ray.
        let parts = self.parts();
        let (mut origin, mut direction) = ([T::ZERO; D], [T::ZERO; D]);
        for axis in 0..D {
            origin[axis] = parts.origin[axis].get(index);
            direction[axis] = parts.direction[axis].get(index);
        }
        Ray { origin, direction, t_min: parts.t_min.get(index), t_max: parts.t_max.get(index) }
    }

    fn endless(origin: [Column<'a, T>; D], direction: [Column<'a, T>; D], len: usize) -> Self {
        let (t_min, t_max) = (Column::Constant(T::ZERO), Column::Constant(T::INFINITY));
        Self::of_parts(RayParts { origin, direction, t_min, t_max }, len)
    }
}

impl<'a, T: Scalar> RayBatch<'a, T> {
    /// Rows of six values, `ox oy oz dx dy dz`: the memory of an (N, 6) array.
    /// [`Error::RowWidth`](crate::Error::RowWidth) if the slice does not divide into rows.
    pub fn from_rows6(values: &'a [T]) -> Result<Self> {
        let len = expect_rows(values.len(), 6)?;
        let columns =
            |first| std::array::from_fn(|component| Column::of_rows(values, first + component, 6));
        Ok(Self::endless(columns(0), columns(3), len))
    }

    /// Rows `ox oy oz dx dy dz t_min t_max`: an (N, 8) array. Errors are those of
    /// [`from_rows6`](Self::from_rows6).
    pub fn from_rows8(values: &'a [T]) -> Result<Self> {
        expect_rows(values.len(), 8)?;
        Self::from_rows(values.as_chunks::<8>().0)
    }

    /// Prefetches the rays in these rows, clamped to the batch, in any layout.
    #[inline(always)]
    pub(crate) fn prefetch(&self, rows: Range<usize>) {
        let rows = rows.start..rows.end.min(self.len());
        let RayParts { origin, direction, t_min, t_max } = self.parts();
        // Rows: the first component brings the others.
        let components = if matches!(origin[0], Column::Strided { stride: 1, .. }) { 3 } else { 1 };
        for axis in 0..components {
            origin[axis].prefetch_rows(rows.clone());
            direction[axis].prefetch_rows(rows.clone());
        }
        if components == 3 {
            t_min.prefetch_rows(rows.clone());
            t_max.prefetch_rows(rows);
        }
    }
}
