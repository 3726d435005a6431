//! Cutting a batch into chunks, spreading them over threads, saying how far it has got.

mod cast;

pub(crate) use cast::Caster;

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::primitive::Culling;
use crate::threads::Threads;

/// How far a batch has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rays answered.
    pub done: usize,
    /// Rays in the batch.
    pub total: usize,
}

/// Is told of progress every few thousand rays and stops the batch by breaking off.
///
/// It is called from whatever thread got there, by several at once: of two calls the later may
/// report less. When all rays are answered there is nothing left to stop. Who wants to keep what was
/// answered before a stop casts slices of the batch.
pub type Watch<'w> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'w;

/// How a batch is cast. The answers do not depend on any of it but the culling.
///
/// ```
/// use lanecast::{CastOptions, Culling, Threads};
/// let options = CastOptions::new().threads(Threads::ONE).culling(Culling::Back);
/// ```
#[derive(Clone, Default)]
pub struct CastOptions<'w> {
    pub(crate) threads: Threads,
    pub(crate) culling: Culling,
    pub(crate) normals: bool,
    pub(crate) in_flight: Option<usize>,
    pub(crate) watch: Option<&'w Watch<'w>>,
}

impl<'w> CastOptions<'w> {
    /// All threads, both sides of every triangle, no normals, nobody watching.
    pub fn new() -> Self {
        Self::default()
    }

    /// The threads to use; all of them unless set.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Which sides of a triangle do not count; both count unless set.
    #[must_use]
    pub fn culling(self, culling: Culling) -> Self {
        Self { culling, ..self }
    }

    /// Whether closest hits come with their geometric normals; not unless set.
    #[must_use]
    pub fn normals(self, normals: bool) -> Self {
        Self { normals, ..self }
    }

    /// How many rays a core has under way at once; 64 unless set, which is also the most, and 1 is
    /// the least. There is no reason to set it but to measure what it gains.
    #[must_use]
    pub fn rays_in_flight(self, rays: usize) -> Self {
        Self { in_flight: Some(rays), ..self }
    }

    /// Who is told of progress and may stop the batch.
    #[must_use]
    pub fn watch(self, watch: &'w Watch<'w>) -> Self {
        Self { watch: Some(watch), ..self }
    }
}

impl std::fmt::Debug for CastOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CastOptions")
            .field("threads", &self.threads)
            .field("culling", &self.culling)
            .field("normals", &self.normals)
            .field("in_flight", &self.in_flight)
            .field("watched", &self.watch.is_some())
            .finish()
    }
}

/// How a batch of so many rays is cut: long enough that starting and draining a chunk is nothing
/// beside it, short enough that progress is smooth and all threads end together.
fn chunk_size(rays: usize, options: &CastOptions<'_>) -> usize {
    const LONGEST: usize = 8192;
    const SHORTEST: usize = 512;
    if rays <= SHORTEST {
        // One chunk, whatever the threads; asking for their count may start them.
        return SHORTEST;
    }
    match options.threads.count() {
        1 => LONGEST,
        threads => (rays / (4 * threads)).clamp(SHORTEST, LONGEST),
    }
}

/// Hands `work` each chunk: which rays, and the part of the answer that belongs to them.
fn for_each_chunk<T: Send>(
    rays: usize,
    chunk: usize,
    parts: impl Iterator<Item = T>,
    options: &CastOptions<'_>,
    work: impl Fn(Range<usize>, T) + Sync + Send,
) -> Result<()> {
    let done = AtomicUsize::new(0);
    // One watcher's break stops all threads, also those that hear nothing of it.
    let stopped = AtomicBool::new(false);
    let chunks = (0..rays).step_by(chunk).map(|start| start..rays.min(start + chunk)).zip(parts).collect();
    let end = options.threads.try_for_each(chunks, |(range, part)| {
        if stopped.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let length = range.len();
        work(range, part);
        let done = done.fetch_add(length, Ordering::Relaxed) + length;
        let end =
            options.watch.map_or(ControlFlow::Continue(()), |watch| watch(Progress { done, total: rays }));
        if end.is_break() {
            stopped.store(true, Ordering::Relaxed);
        }
        end
    });
    let done = done.into_inner();
    // A break on the last chunk comes too late to stop anything.
    if end.is_break() && done < rays { Err(Error::Stopped { done, total: rays }) } else { Ok(()) }
}
