//! A list of answers for each ray or point of a batch.

use super::{ClosestPoint, Hit};
use crate::columns::{rows, shown};
use crate::status::Status;

/// A list of answers for each ray or point of a batch, in compressed rows: that of ray or point `i`
/// begins at `offsets()[i]` and ends before `offsets()[i + 1]`.
#[derive(Clone, PartialEq)]
pub struct Lists<X> {
    pub(crate) status: Vec<Status>,
    pub(crate) offsets: Vec<usize>,
    pub(crate) all: Vec<X>,
}

/// Every hit of every ray of a batch, or the nearest of each, in the order of `t`, then ids.
pub type AllHitsBatch<T = f32> = Lists<Hit<T>>;

/// The nearest primitives to each point of a batch, or all within a radius, in the order of their
/// distances, then ids.
pub type NearPointBatch<T = f32> = Lists<ClosestPoint<T>>;

shown!([X] Lists<X> as "Lists", self { "len": self.status.len(), "answers": self.all.len() });

impl<X> Default for Lists<X> {
    fn default() -> Self {
        Self { status: Vec::new(), offsets: Vec::new(), all: Vec::new() }
    }
}

impl<X> Lists<X> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of rays or points.
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// Whether there is no ray or point.
    pub fn is_empty(&self) -> bool {
        self.status.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.status.clear();
        self.offsets.clear();
        self.all.clear();
    }

    /// The status of each ray or point: a hit, a miss if nothing is met or within the radius, or
    /// the reason why it has no answer.
    pub fn status(&self) -> &[Status] {
        &self.status
    }

    /// The start of each list; one longer than there are rays or points, and empty before the first
    /// batch.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    fn of(&self, row: usize) -> &[X] {
        &self.all[self.offsets[row]..self.offsets[row + 1]]
    }
}

rows! {
    /// The list of each ray or point, in order.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let rays = [0.25, 9.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
    /// let all = scene.cast(&rays).all()?;
    /// assert!(all.iter().map(|hits| hits.len()).eq([1, 0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ['b, X] &'b Lists<X> => &'b [X], Lists::len, Lists::of
}

impl<T> Lists<Hit<T>> {
    /// The hits of all rays, one ray after the other.
    pub fn hits(&self) -> &[Hit<T>] {
        &self.all
    }

    /// The hits of ray `index`, nearest first. Panics if there is no such ray.
    pub fn of_ray(&self, index: usize) -> &[Hit<T>] {
        self.of(index)
    }
}

impl<T> Lists<ClosestPoint<T>> {
    /// The closest points of the primitives, one point of the batch after the other.
    pub fn points(&self) -> &[ClosestPoint<T>] {
        &self.all
    }

    /// The closest points of the primitives near point `index`, nearest first. Panics if there is
    /// no such point.
    pub fn of_point(&self, index: usize) -> &[ClosestPoint<T>] {
        self.of(index)
    }
}
