//! How a batch is cut into chunks.

use std::ops::Range;

use super::Options;
use crate::chunks;
use crate::error::Result;
use crate::query::{ChunkCast, SharedPace};
use crate::scene::{Precision, Scene};
use crate::simd::Scalar;
use crate::value::{RayBatch, picture};

/// The least and the greatest number of rays in a chunk.
const OF_RAYS: [usize; 2] = [512, 1 << 15];
/// The same at a scene that holds more than triangles: the rays of a chunk are kept while they are cast at each part.
const OF_RAYS_AT_PARTS: [usize; 2] = [512, 1 << 14];
/// The least and the greatest number of points in a chunk: a point takes as long as many rays.
const OF_POINTS: [usize; 2] = [64, 1 << 12];

/// How a batch is cut.
#[derive(Debug)]
pub(super) struct Plan {
    /// Rays or points in a chunk.
    pub(super) chunk: usize,
    /// The rays in a line of a picture, if the batch is one. Chunks then hold whole tiles.
    pub(super) row_width: Option<usize>,
    /// When chunks go in streams.
    pub(super) streams: SharedPace,
}

impl Plan {
    /// For rays; `has_parts`: whether they are cast at more than one tree.
    pub(super) fn of_rays<T: Scalar>(
        rays: &RayBatch<'_, T>,
        options: &Options<'_, T>,
        has_parts: bool,
    ) -> Self {
        let range = if has_parts { OF_RAYS_AT_PARTS } else { OF_RAYS };
        let plan = Self::of_chunks(length(rays.len(), range, options));
        match picture::row_width(rays).map(|width| (width, width * picture::TILE)) {
            Some((width, band)) => {
                let chunk = (plan.chunk / band).max(1) * band;
                Self { row_width: Some(width), chunk, ..plan }
            }
            None => plan,
        }
    }

    /// For points, or rays from points, which are not a picture.
    pub(super) fn of_points<T: Scalar>(points: usize, options: &Options<'_, T>) -> Self {
        Self::of_chunks(length(points, OF_POINTS, options))
    }

    /// For queries of inside points, in whole bytes of bits.
    pub(super) fn of_inside<T: Scalar>(points: usize, options: &Options<'_, T>) -> Self {
        Self::of_chunks(length(points, OF_RAYS, options).next_multiple_of(8))
    }

    /// Chunks of this length.
    pub(super) const fn of_chunks(chunk: usize) -> Self {
        Self { chunk, row_width: None, streams: SharedPace::new() }
    }

    /// The cast of the rays in these rows.
    pub(super) fn chunk_cast<'c, T: Precision>(
        &'c self,
        scene: &Scene<T>,
        options: &'c Options<'c, T>,
        rows: Range<usize>,
    ) -> ChunkCast<'c, T> {
        let Options { contact, coherence, way, brute_force, .. } = *options;
        ChunkCast {
            backend: options.backend_of(scene),
            selection: options.selection.slice(rows),
            contact,
            coherence,
            way,
            brute_force,
            row_width: self.row_width,
            streams: &self.streams,
        }
    }

    /// Passes each chunk to `work`, on the threads and with the watcher of the options.
    pub(super) fn for_each_chunk<T: Scalar, P: Send>(
        &self,
        rows: usize,
        parts: impl Iterator<Item = P>,
        options: &Options<'_, T>,
        work: impl Fn(Range<usize>, P) + Sync + Send,
    ) -> Result<()> {
        chunks::for_each_chunk(rows, self.chunk, parts, options.threads, options.watch, work)
    }
}

/// The length of a chunk: long enough that its start and end cost nothing in comparison, short enough that progress is
/// smooth and all threads end together.
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
