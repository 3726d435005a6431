//! The rays of a case as they lie in memory.

use crate::common::rays::Rounded;
use crate::soak::case::{Row, Uses};
use crate::soak::setting::Layout;
use lanecast::{CastOptions, Culling, Maker, Ray, RayBatch, Scalar};

pub(crate) struct Columns<T> {
    pub(crate) rays: Copies<T>,
    /// As far as the layout has them.
    origins: Vec<[T; 3]>,
    directions: Vec<[T; 3]>,
    /// The same, number by number.
    numbers: [Vec<T>; 6],
    t_min: Vec<T>,
    t_max: Vec<T>,
    masks: Vec<u32>,
    culling: Vec<Culling>,
    skips: [Vec<u32>; 3],
    pub(crate) limits: Vec<u32>,
}

/// Makes rays by copying them.
pub(crate) struct Copies<T>(pub(crate) Vec<Ray<T>>);

impl<T: Scalar> Maker<Ray<T>> for Copies<T> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn make(&self, first: usize, into: &mut [Ray<T>]) {
        into.copy_from_slice(&self.0[first..first + into.len()]);
    }
}

impl<T: Rounded> Columns<T> {
    pub(crate) fn new(rows: &[Row], layout: Layout) -> Self {
        let rays: Vec<Ray<T>> = rows.iter().map(|row| T::ray(&row.ray)).collect();
        let (of_pairs, of_columns) = match layout {
            Layout::Pairs => (&rays[..], &[][..]),
            Layout::Columns => (&[][..], &rays[..]),
            _ => (&[][..], &[][..]),
        };
        let number = |place: usize| {
            of_columns.iter().map(move |ray| [ray.origin, ray.direction][place / 3][place % 3])
        };
        Self {
            origins: of_pairs.iter().map(|ray| ray.origin).collect(),
            directions: of_pairs.iter().map(|ray| ray.direction).collect(),
            numbers: [0, 1, 2, 3, 4, 5].map(|place| number(place).collect()),
            t_min: rays.iter().map(|ray| ray.t_min).collect(),
            t_max: rays.iter().map(|ray| ray.t_max).collect(),
            masks: rows.iter().map(|row| row.mask).collect(),
            culling: rows.iter().map(|row| row.culling).collect(),
            skips: [0, 1, 2].map(|place| rows.iter().map(|row| row.skip[place]).collect()),
            limits: rows.iter().map(|row| row.limit).collect(),
            rays: Copies(rays),
        }
    }

    pub(crate) fn batch(&self, layout: Layout) -> RayBatch<'_, T> {
        let ([x, y, z, dx, dy, dz], Self { t_min, t_max, .. }) =
            (self.numbers.each_ref().map(Vec::as_slice), self);
        let batch = match layout {
            Layout::Rays => return RayBatch::from_rays(&self.rays.0),
            Layout::Made => return RayBatch::made(&self.rays),
            Layout::Rows => RayBatch::from_rows8(bytemuck::cast_slice(&self.rays.0)),
            Layout::Pairs => RayBatch::from_pairs(&self.origins, &self.directions),
            Layout::Columns => RayBatch::from_columns([x, y, z], [dx, dy, dz]),
        };
        let batch = batch.expect("columns of equal length");
        // What all have in common is told once.
        if t_min.iter().all(|&t| t == t_min[0]) && t_max.iter().all(|&t| t == t_max[0]) {
            batch.with_interval(t_min[0], t_max[0])
        } else {
            batch.with_intervals(t_min, t_max).expect("as long")
        }
    }

    /// What each ray leaves out.
    pub(crate) fn leave_out<'a>(
        &'a self,
        uses: &Uses,
        mut options: CastOptions<'a, T>,
    ) -> CastOptions<'a, T> {
        if uses.masks {
            options = options.mask(&self.masks);
        }
        if uses.culling_of_each {
            options = options.culling(&self.culling);
        }
        if uses.skips {
            let [instances, geometries, primitives] = &self.skips;
            options = options.skip(geometries, primitives).skip_in(instances);
        }
        options
    }
}
