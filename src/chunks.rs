//! Long work in pieces: spread over threads, watched, and stopped when the caller says so.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::threads::Threads;

/// How far a call has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rays answered; in bulk, pairs of a line and a primitive tested; of a file, bytes written.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}

/// Is told of progress every few ten thousand rays, or every few million pairs in bulk, and stops the call by
/// breaking off. That is after some milliseconds of work on each thread, tens where a test is slow, and more
/// only where the watertight test has to decide about nearly every pair.
///
/// It is called from whatever thread got there, by several at once: of two calls the later may
/// report less. When everything is answered there is nothing left to stop. Who wants to keep what was
/// answered before a stop casts slices of the batch.
pub type Watch<'w> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'w;

/// Counts what is done, tells the watcher of it, and lets all threads know that one was told to stop.
pub(crate) struct Watched<'w> {
    watch: Option<&'w Watch<'w>>,
    done: AtomicUsize,
    total: usize,
    /// One watcher's break stops all threads, also those that hear nothing of it.
    stopped: AtomicBool,
}

impl<'w> Watched<'w> {
    pub(crate) fn new(total: usize, watch: Option<&'w Watch<'w>>) -> Self {
        Self { watch, done: AtomicUsize::new(0), total, stopped: AtomicBool::new(false) }
    }

    /// `more` is done; breaks if no more is wanted.
    pub(crate) fn advance(&self, more: usize) -> ControlFlow<()> {
        if let (Some(watch), 1..) = (self.watch, more) {
            let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
            if watch(Progress { done, total: self.total }).is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        if self.stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Hands `work` each chunk of `length` things, and the part of the answer that belongs to it, until it
    /// breaks off, as it does when [`advance`](Self::advance) says so.
    pub(crate) fn for_each_chunk<T: Send>(
        &self,
        length: usize,
        chunk: usize,
        parts: impl Iterator<Item = T>,
        threads: &Threads,
        work: impl Fn(Range<usize>, T) -> ControlFlow<()> + Sync + Send,
    ) -> Result<()> {
        let ranges = (0..length).step_by(chunk).map(|start| start..length.min(start + chunk));
        let end = threads.try_for_each(ranges.zip(parts).collect(), |(range, part)| {
            // What was stopped elsewhere does not begin here.
            self.advance(0)?;
            work(range, part)
        });
        // A break at the very end comes too late to stop anything.
        if end.is_break() && self.done.load(Ordering::Relaxed) < self.total {
            return Err(self.stopped());
        }
        Ok(())
    }

    /// What is said of work that was stopped.
    pub(crate) fn stopped(&self) -> Error {
        Error::Stopped { done: self.done.load(Ordering::Relaxed), total: self.total }
    }
}

/// Hands `work` each chunk: which rays, and the part of the answer that belongs to them.
pub(crate) fn for_each_chunk<T: Send>(
    rays: usize,
    chunk: usize,
    mut parts: impl Iterator<Item = T>,
    threads: &Threads,
    watch: Option<&Watch<'_>>,
    work: impl Fn(Range<usize>, T) + Sync + Send,
) -> Result<()> {
    if rays <= chunk && watch.is_none() {
        // A handful of rays must not pay for being shared out.
        if let Some(part) = parts.next() {
            work(0..rays, part);
        }
        return Ok(());
    }
    let watched = Watched::new(rays, watch);
    watched.for_each_chunk(rays, chunk, parts, threads, |range, part| {
        let length = range.len();
        work(range, part);
        watched.advance(length)
    })
}
