//! Long work in pieces: spread over threads, watched, and stopped when the caller says so.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::threads::Threads;

/// The progress of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rays answered; in bulk, pairs of a line and a primitive tested; of a file, bytes written.
    pub done: usize,
    /// The total.
    pub total: usize,
}

/// A watcher. It gets the progress every few ten thousand rays, or every few million pairs in bulk, and stops the call by
/// breaking: after some milliseconds of work on each thread, tens for a slow test, and more only where the watertight test has
/// to decide nearly every pair. A break after the last answer stops nothing. To keep the answers before a stop, cast slices of
/// the batch. Several threads call it: of two calls the later may report less.
pub type Watch<'w> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'w;

/// Counts the work, reports it to the watcher, and stops all threads when it breaks.
pub(crate) struct Watched<'w> {
    watch: Option<&'w Watch<'w>>,
    done: AtomicUsize,
    total: usize,
    /// A break stops all threads, also those that do not call the watcher.
    stopped: AtomicBool,
}

impl<'w> Watched<'w> {
    pub(crate) fn new(total: usize, watch: Option<&'w Watch<'w>>) -> Self {
        Self { watch, done: AtomicUsize::new(0), total, stopped: AtomicBool::new(false) }
    }

    /// Adds `more` to the progress; breaks if the call is to stop.
    pub(crate) fn advance(&self, more: usize) -> ControlFlow<()> {
        if let (Some(watch), 1..) = (self.watch, more) {
            let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
            if watch(Progress { done, total: self.total }).is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        if self.stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Passes each chunk of `length` rows, with its part of the answer, to `work`, until it breaks.
    pub(crate) fn for_each_chunk<T: Send>(
        &self,
        length: usize,
        chunk: usize,
        parts: impl Iterator<Item = T>,
        threads: &Threads,
        work: &(dyn Fn(Range<usize>, T) -> ControlFlow<()> + Sync),
    ) -> Result<()> {
        let ranges = (0..length).step_by(chunk).map(|start| start..length.min(start + chunk));
        let end = threads.try_for_each(ranges.zip(parts).collect(), &|(range, part)| {
            // A call that was stopped elsewhere does not begin here.
            self.advance(0)?;
            work(range, part)
        });
        // A break at the end stops nothing.
        if end.is_break() && self.done.load(Ordering::Relaxed) < self.total {
            return Err(self.stopped());
        }
        Ok(())
    }

    pub(crate) fn stopped(&self) -> Error {
        Error::Stopped { done: self.done.load(Ordering::Relaxed), total: self.total }
    }
}

/// The rows of a chunk, and whom to tell of parts of it.
pub(crate) struct Chunk<'w> {
    rows: Range<usize>,
    /// How many rows the watcher was not told of.
    untold: Cell<usize>,
    watched: Option<&'w Watched<'w>>,
}

impl Chunk<'_> {
    pub(crate) fn unwatched(rows: Range<usize>) -> Self {
        Self { untold: Cell::new(rows.len()), rows, watched: None }
    }

    pub(crate) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Adds `more` rows to the progress, no more in all than there are; breaks if the call is to stop.
    pub(crate) fn advance(&self, more: usize) -> ControlFlow<()> {
        let more = more.min(self.untold.get());
        self.untold.set(self.untold.get() - more);
        self.watched.map_or(ControlFlow::Continue(()), |watched| watched.advance(more))
    }
}

/// Passes each chunk with its part of the answer to `work`. The watcher is told of what `work` does not tell it of.
pub(crate) fn for_each_chunk<T: Send>(
    rays: usize,
    chunk: usize,
    mut parts: impl Iterator<Item = T>,
    threads: &Threads,
    watch: Option<&Watch<'_>>,
    work: &(dyn Fn(&Chunk<'_>, T) + Sync),
) -> Result<()> {
    if rays <= chunk && watch.is_none() {
        // A few rays must not pay for the hand-over to threads.
        if let Some(part) = parts.next() {
            work(&Chunk::unwatched(0..rays), part);
        }
        return Ok(());
    }
    let watched = Watched::new(rays, watch);
    watched.for_each_chunk(rays, chunk, parts, threads, &|range, part| {
        let chunk = Chunk { untold: Cell::new(range.len()), rows: range, watched: Some(&watched) };
        work(&chunk, part);
        // What was stopped is not done.
        watched.advance(0)?;
        watched.advance(chunk.untold.get())
    })
}
