//! How a batch is cut into chunks.

use std::ops::Range;

use super::{Options, Precision, RayBatch, Result, Scalar, Scene, Sink, With};
use crate::answers::Answers;
use crate::chunks;
use crate::query::{ChunkCast, SharedPace};
use crate::value::picture;

/// The least and the greatest number of rays in a chunk.
const OF_RAYS: [usize; 2] = [512, 1 << 15];
/// The same at a scene that holds more than triangles: the rays of a chunk are kept while they are cast at each part.
const OF_RAYS_AT_PARTS: [usize; 2] = [512, 1 << 14];
/// The least and the greatest number of points in a chunk: a point takes as long as many rays.
const OF_POINTS: [usize; 2] = [64, 1 << 12];

/// How a batch is cut, and cast at the scene of its request.
pub(super) struct Plan<'a, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    options: &'a Options<'a, T>,
    /// Rays or points in a chunk.
    pub(super) chunk: usize,
    /// The rays in a line of a picture, if the batch is one. Chunks then hold whole tiles.
    row_width: Option<usize>,
    /// When chunks go in streams.
    streams: SharedPace,
}

impl<'a, T: Precision> Plan<'a, T> {
    pub(super) fn of_rays(scene: &'a Scene<T>, options: &'a Options<'a, T>, rays: &RayBatch<'_, T>) -> Self {
        let range = if scene.others.is_empty() { OF_RAYS } else { OF_RAYS_AT_PARTS };
        let mut plan = Self::of_chunks(scene, options, length(rays.len(), range, options));
        if let Some(width) = picture::row_width(rays) {
            let band = width * picture::TILE;
            (plan.row_width, plan.chunk) = (Some(width), (plan.chunk / band).max(1) * band);
        }
        plan
    }

    pub(super) fn of_points(scene: &'a Scene<T>, options: &'a Options<'a, T>, points: usize) -> Self {
        Self::of_chunks(scene, options, length(points, OF_POINTS, options))
    }

    /// For queries of inside points, in whole bytes of bits.
    pub(super) fn of_inside(scene: &'a Scene<T>, options: &'a Options<'a, T>, points: usize) -> Self {
        Self::of_chunks(scene, options, length(points, OF_RAYS, options).next_multiple_of(8))
    }

    /// Chunks of this length.
    pub(super) const fn of_chunks(scene: &'a Scene<T>, options: &'a Options<'a, T>, chunk: usize) -> Self {
        Self { scene, options, chunk, row_width: None, streams: SharedPace::new() }
    }

    /// The cast of the rays in these rows.
    pub(super) fn cast(&self, rows: Range<usize>) -> ChunkCast<'_, T> {
        let Options { contact, coherence, way, brute_force, ref selection, .. } = *self.options;
        let (backend, selection) = (self.options.backend_of(self.scene), selection.slice(rows));
        let (row_width, streams) = (self.row_width, &self.streams);
        ChunkCast { backend, selection, contact, coherence, way, brute_force, row_width, streams }
    }

    /// Casts some of the rays.
    pub(super) fn run(&self, rays: &RayBatch<'_, T>, rows: Range<usize>, sink: &mut dyn Sink<T>) {
        let mut room = Vec::new();
        self.cast(rows.clone()).run(self.scene, &rays.stored(rows, &mut room), sink);
    }

    /// Passes each chunk to `work`, on the threads and with the watcher of the options.
    pub(super) fn for_each_chunk<P: Send>(
        &self,
        rows: usize,
        parts: impl Iterator<Item = P>,
        work: impl Fn(Range<usize>, P) + Sync + Send,
    ) -> Result<()> {
        chunks::for_each_chunk(rows, self.chunk, parts, self.options.threads, self.options.watch, &work)
    }

    /// Passes each chunk of a batch of answers to `work`. `plan` may refuse the request.
    pub(super) fn fill<B: Answers>(
        columns: B::Columns<'_>,
        (rows, with): (usize, With),
        plan: impl FnOnce() -> Result<Self>,
        work: impl Fn(&Self, Range<usize>, B::Rows<'_>) + Sync + Send,
    ) -> Result<()> {
        B::fill(columns, rows, with, |columns, with| {
            let plan = plan()?;
            plan.for_each_chunk(rows, B::chunks(columns, rows, plan.chunk), |rows, columns| {
                B::write(columns, rows.len(), with, |answers| work(&plan, rows, answers));
            })
        })
    }
}

/// The length of a chunk: its start and end cost little in comparison, progress is smooth, and all threads end
/// together.
fn length<T: Scalar>(rows: usize, [shortest, longest]: [usize; 2], options: &Options<'_, T>) -> usize {
    if let Some(chunk) = options.chunk {
        return chunk;
    }
    if rows <= shortest {
        // One chunk at any number of threads; asking for their count may start them.
        return shortest;
    }
    match options.threads.count() {
        1 => longest,
        threads => (rows / (4 * threads)).clamp(shortest, longest),
    }
}
