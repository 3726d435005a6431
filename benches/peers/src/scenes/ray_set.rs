//! Rays, as rows and as columns, and what is asked of them.

use lanecast::Ray;
use serde::Serialize;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Query {
    Closest,
    Any,
}

/// Whether neighbours in a set go the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    Coherent,
    Incoherent,
}

/// The rays of one cell of the table.
#[derive(Debug)]
pub(crate) struct RaySet {
    pub(crate) name: &'static str,
    pub(crate) query: Query,
    pub(crate) order: Order,
    pub(crate) rays: Vec<Ray>,
    /// The same: origin, direction, `t_min`, `t_max`.
    columns: [Vec<f32>; 8],
}

/// Some of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RaySlice<'a> {
    pub(crate) columns: [&'a [f32]; 8],
}

/// The most that any contestant takes at once; sets are a multiple of it.
const WIDEST: usize = 16;

impl RaySet {
    pub(crate) fn new(name: &'static str, query: Query, order: Order, mut rays: Vec<Ray>) -> Self {
        rays.truncate(rays.len() / WIDEST * WIDEST);
        let column = |place: usize| {
            let number = |ray: &Ray| match place {
                0..3 => ray.origin[place],
                3..6 => ray.direction[place - 3],
                6 => ray.t_min,
                _ => ray.t_max,
            };
            rays.iter().map(number).collect()
        };
        Self { name, query, order, columns: std::array::from_fn(column), rays }
    }

    pub(crate) fn columns(&self) -> RaySlice<'_> {
        RaySlice { columns: self.columns.each_ref().map(Vec::as_slice) }
    }

    /// All rays, in pieces of so many.
    pub(crate) fn pieces(&self, length: usize) -> impl Iterator<Item = RaySlice<'_>> {
        (0..self.rays.len()).step_by(length).map(move |start| {
            let end = (start + length).min(self.rays.len());
            RaySlice { columns: self.columns.each_ref().map(|column| &column[start..end]) }
        })
    }

    /// The rows of every so many-th run of 64 rays, for who takes too long for all.
    pub(crate) fn thinned_rows(&self, keep_one_in: usize) -> Vec<u32> {
        let kept = |row: &usize| (row / 64).is_multiple_of(keep_one_in);
        (0..self.rays.len()).filter(kept).map(|row| row as u32).collect()
    }
}
