//! Long work in pieces: spread over threads, watched, and stopped when the caller says so.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::threads::Threads;

/// How far a batch has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rays answered; in bulk, lines, or primitives where there is one line.
    pub done: usize,
    /// Rays in the batch, or whatever is counted.
    pub total: usize,
}

/// Is told of progress every few thousand rays and stops the batch by breaking off.
///
/// It is called from whatever thread got there, by several at once: of two calls the later may
/// report less. When all rays are answered there is nothing left to stop. Who wants to keep what was
/// answered before a stop casts slices of the batch.
pub type Watch<'w> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'w;

/// Hands `work` each chunk: which rays, and the part of the answer that belongs to them.
pub(crate) fn for_each_chunk<T: Send>(
    rays: usize,
    chunk: usize,
    parts: impl Iterator<Item = T>,
    threads: &Threads,
    watch: Option<&Watch<'_>>,
    work: impl Fn(Range<usize>, T) + Sync + Send,
) -> Result<()> {
    let done = AtomicUsize::new(0);
    // One watcher's break stops all threads, also those that hear nothing of it.
    let stopped = AtomicBool::new(false);
    let chunks = (0..rays).step_by(chunk).map(|start| start..rays.min(start + chunk)).zip(parts).collect();
    let end = threads.try_for_each(chunks, |(range, part)| {
        if stopped.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let length = range.len();
        work(range, part);
        let done = done.fetch_add(length, Ordering::Relaxed) + length;
        let end = watch.map_or(ControlFlow::Continue(()), |watch| watch(Progress { done, total: rays }));
        if end.is_break() {
            stopped.store(true, Ordering::Relaxed);
        }
        end
    });
    let done = done.into_inner();
    // A break on the last chunk comes too late to stop anything.
    if end.is_break() && done < rays { Err(Error::Stopped { done, total: rays }) } else { Ok(()) }
}
