//! Batches of rays, answered chunk by chunk.

use std::ops::Range;

use super::plan::Plan;
use super::{Cast, OneRay, Options};
use crate::answers::{AllHitsBatch, Hit, With};
use crate::error::Result;
use crate::query::{ChunkCast, Sink};
use crate::scene::{Precision, Scene};
use crate::simd::Backend;
use crate::status::Status;
use crate::value::{Ray, RayBatch};

/// Input of [`Scene::cast`]: one ray or a batch.
pub trait Rays<'s, T: Precision> {
    /// [`OneRay`] or [`RaysOf`]; this selects the queries and their answers.
    type Of;

    /// The rays with the scene of their request.
    fn at(self, scene: &'s Scene<T>) -> Self::Of;
}

impl<'s, T: Precision> Rays<'s, T> for &'s Ray<T> {
    type Of = OneRay<'s, T>;

    #[inline]
    fn at(self, scene: &'s Scene<T>) -> OneRay<'s, T> {
        OneRay { scene, ray: self }
    }
}

impl<'s, 'r: 's, T: Precision> Rays<'s, T> for RayBatch<'r, T> {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        RaysOf { scene, rays: self.rows(0..self.len()) }
    }
}

impl<'s, 'r: 's, T: Precision> Rays<'s, T> for &RayBatch<'r, T> {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        (*self).at(scene)
    }
}

impl<'s, T: Precision> Rays<'s, T> for &'s [Ray<T>] {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        RayBatch::from_rays(self).at(scene)
    }
}

impl<'s, T: Precision, const N: usize> Rays<'s, T> for &'s [Ray<T>; N] {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        self.as_slice().at(scene)
    }
}

impl<'s, T: Precision> Rays<'s, T> for &'s Vec<Ray<T>> {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        self.as_slice().at(scene)
    }
}

/// A batch of rays and their scene.
#[derive(Debug, Clone)]
pub struct RaysOf<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) rays: RayBatch<'a, T>,
}

/// A chunk of a batch.
pub(super) struct Chunk<'r, 'a, T: Precision> {
    pub(super) cast: ChunkCast<'r, T>,
    pub(super) scene: &'r Scene<T>,
    pub(super) rays: &'r RayBatch<'a, T>,
    pub(super) rows: Range<usize>,
}

impl<T: Precision> Chunk<'_, '_, T> {
    pub(super) fn run(&self, sink: &mut dyn Sink<T>) {
        let mut room = Vec::new();
        self.cast.run(self.scene, &self.rays.stored(self.rows.clone(), &mut room), sink);
    }
}

impl<'a, T: Precision> Cast<'_, T, RaysOf<'a, T>> {
    pub(super) fn len(&self) -> usize {
        self.asked.rays.len()
    }

    pub(super) fn optional_columns(&self) -> With {
        With { instances: self.asked.scene.others.has_instances(), normals: self.options.normals }
    }

    /// # Errors
    /// [`Error::ColumnLength`](crate::Error::ColumnLength) if the request holds a column of another length.
    pub(super) fn plan(&self) -> Result<Plan> {
        self.options.selection.check(self.len())?;
        let RaysOf { scene, ref rays } = self.asked;
        Ok(Plan::of_rays(rays, &self.options, !scene.others.is_empty()))
    }

    /// Passes each chunk with its part of the answers to `work`.
    pub(super) fn for_each_chunk<P: Send>(
        &self,
        plan: &Plan,
        parts: impl Iterator<Item = P>,
        work: impl Fn(Chunk<'_, 'a, T>, P) + Sync + Send,
    ) -> Result<()> {
        let (RaysOf { scene, rays }, options) = (&self.asked, &self.options);
        plan.for_each_chunk(rays.len(), parts, options, |rows, part| {
            let cast = plan.chunk_cast(scene, options, rows.clone());
            work(Chunk { cast, scene, rays, rows }, part);
        })
    }

    /// Concatenates the hits of all chunks. `find` gives the hits of a chunk, sorted by row, then by order along the ray.
    pub(super) fn put_together(
        &self,
        hits: &mut AllHitsBatch<T>,
        find: impl Fn(Chunk<'_, 'a, T>, &mut [Status]) -> Vec<(u32, Hit<T>)> + Sync + Send,
    ) -> Result<()> {
        let (rays, plan) = (self.len(), self.plan().inspect_err(|_| hits.clear())?);
        hits.clear();
        hits.status.resize(rays, Status::Miss);
        let mut found = vec![Vec::new(); rays.div_ceil(plan.chunk)];
        let parts = hits.status.chunks_mut(plan.chunk).zip(&mut found);
        self.for_each_chunk(&plan, parts, |chunk, (status, found)| *found = find(chunk, status))
            .inspect_err(|_| hits.clear())?;
        hits.offsets.reserve(rays + 1);
        hits.hits.reserve(found.iter().map(Vec::len).sum());
        for (start, found) in (0..rays).step_by(plan.chunk).zip(&found) {
            let mut rest = found.iter().peekable();
            for row in 0..plan.chunk.min(rays - start) {
                hits.offsets.push(hits.hits.len());
                while let Some((_, hit)) = rest.next_if(|(of_row, _)| *of_row as usize == row) {
                    hits.hits.push(*hit);
                }
            }
        }
        hits.offsets.push(hits.hits.len());
        Ok(())
    }
}

/// The answers that `write` writes to an empty batch.
pub(super) fn owned<B: Default>(write: impl FnOnce(&mut B) -> Result<()>) -> Result<B> {
    let mut answers = B::default();
    write(&mut answers)?;
    Ok(answers)
}

impl<T: Precision> Options<'_, T> {
    /// The backend of a cast at this scene.
    #[inline]
    pub(super) fn backend_of(&self, scene: &Scene<T>) -> Backend {
        self.backend.unwrap_or_else(|| scene.backend())
    }
}
