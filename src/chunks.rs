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

/// The rows of a batch, chunk by chunk. On several threads a chunk is a fraction of what is left: long at first, as each costs
/// something to begin, and short at last, so that all threads end together.
#[derive(Debug, Clone)]
pub(crate) struct Chunks {
    left: Range<usize>,
    lengths: [usize; 2],
    /// A chunk is one of so many parts of what is left, within the lengths.
    parts: usize,
    /// The rows in a line: chunks are whole lines, eight of them or a multiple where that is not too long.
    line: usize,
}

impl Chunks {
    /// Chunks of the shortest to the longest length, for so many threads.
    pub(crate) const fn shared(rows: usize, lengths: [usize; 2], threads: usize) -> Self {
        // By twice as many parts as threads, none waits for a chunk whose rows take twice as long as the others'.
        let parts = if threads > 1 { 2 * threads } else { 1 };
        Self { left: 0..rows, lengths, parts, line: 1 }
    }

    /// Chunks of one length.
    pub(crate) const fn even(rows: usize, length: usize) -> Self {
        Self::shared(rows, [length; 2], 1)
    }

    /// The same in whole lines of so many rows.
    pub(crate) fn of_lines(self, line: usize) -> Self {
        Self { line, ..self }
    }

    /// The part of each chunk, of a slice with a value for so many rows, of which the last may be for fewer.
    pub(crate) fn parts_of<T>(
        self,
        mut values: &mut [T],
        rows_of_value: usize,
    ) -> impl Iterator<Item = &mut [T]> {
        self.map(move |rows| {
            values.split_off_mut(..rows.len().div_ceil(rows_of_value)).expect("values for all rows")
        })
    }
}

impl Iterator for Chunks {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let Self { left, lengths: [shortest, longest], parts, line } = self;
        let length = (left.len() / *parts).clamp(*shortest, *longest);
        let length = match (*line, length / *line) {
            _ if length >= left.len() => left.len(),
            (1, _) => length / *shortest * *shortest,
            (line, lines @ LINES..) => lines / LINES * LINES * line,
            (line, lines) => line << lines.max(1).ilog2(),
        };
        let rows = left.start..left.start + length.min(left.len());
        left.start = rows.end;
        (!rows.is_empty()).then_some(rows)
    }
}

/// Lines that are best together: those of a tile of a picture.
const LINES: usize = 8;

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

    /// Passes each chunk, with its part of the answer, to `work`, until it breaks.
    pub(crate) fn for_each_chunk<T: Send>(
        &self,
        chunks: Chunks,
        parts: impl Iterator<Item = T>,
        threads: &Threads,
        work: &(dyn Fn(Range<usize>, T) -> ControlFlow<()> + Sync),
    ) -> Result<()> {
        let end = threads.try_for_each(chunks.zip(parts).collect(), &|(range, part)| {
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
    chunks: Chunks,
    mut parts: impl Iterator<Item = T>,
    threads: &Threads,
    watch: Option<&Watch<'_>>,
    work: &(dyn Fn(&Chunk<'_>, T) + Sync),
) -> Result<()> {
    if watch.is_none() && chunks.clone().nth(1).is_none() {
        // A few rays must not pay for the hand-over to threads.
        if let Some(part) = parts.next() {
            work(&Chunk::unwatched(chunks.left), part);
        }
        return Ok(());
    }
    let watched = Watched::new(chunks.left.len(), watch);
    watched.for_each_chunk(chunks, parts, threads, &|range, part| {
        let chunk = Chunk { watched: Some(&watched), ..Chunk::unwatched(range) };
        work(&chunk, part);
        // What was stopped is not done.
        watched.advance(0)?;
        watched.advance(chunk.untold.get())
    })
}

#[cfg(test)]
#[path = "../tests/unit/chunks.rs"]
mod tests;
