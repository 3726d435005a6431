//! Long work in pieces: spread over threads, watched, and stopped when the caller says so.

use std::cell::Cell;
use std::cmp;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

use crate::error::{Error, Result};
use crate::threads::{Stop, Threads};

/// The progress of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rays or points answered; in bulk, pairs of a line and a primitive tested; of a file, bytes
    /// written or checked. Of builds, changes, copies and checks of scenes, which take steps over
    /// all primitives, the share of the work that is done, in primitives: `total` when all is done,
    /// and not before.
    pub done: usize,
    /// The total.
    pub total: usize,
}

/// A watcher. It gets the progress every few ten thousand rays, or every few million pairs in bulk,
/// and some hundred times a second from each thread where rows take longer. It stops the call by
/// breaking: after some milliseconds, whatever is asked of whatever scene, as long as code of the
/// caller (a filter, a maker, primitives) returns within these. A break after the last answer stops
/// nothing. To keep the answers before a stop, cast slices of the batch. Several threads call it:
/// of two calls the later may report less, or the same.
pub type Watch<'w> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'w;

/// Does work in steps, which counts `total` in all, or less: the watcher hears of the last when all
/// is done. After a stop the work gives anything.
pub(crate) fn until_stopped<R>(
    total: usize,
    watch: Option<&Watch<'_>>,
    work: impl FnOnce(Stop<'_>) -> Result<R>,
) -> Result<R> {
    if watch.is_none() {
        return work(None);
    }
    let watched = Watched::new(total, watch);
    let left = AtomicUsize::new(total.saturating_sub(1));
    let advance = |more: usize| {
        let take = |left: usize| Some(left.saturating_sub(more));
        let left = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        watched.report(more.min(left.unwrap_or(0))).is_break()
    };
    let result = work(Some(&advance));
    if watched.is_stopped() {
        return Err(watched.stopped());
    }
    if result.is_ok() {
        // A break now stops nothing.
        let _ = watched.report(total - watched.done.load(Ordering::Relaxed));
    }
    result
}

/// The rows of a batch, chunk by chunk. On several threads a chunk is a fraction of what is left:
/// long at first, as each costs something to begin, and short at last, so that all threads end
/// together.
#[derive(Debug, Clone)]
pub(crate) struct Chunks {
    left: Range<usize>,
    lengths: [usize; 2],
    /// A chunk is one of so many parts of what is left, within the lengths.
    parts: usize,
    /// The rows in a line: chunks are whole lines, eight of them or a multiple where that is not
    /// too long.
    line: usize,
}

impl Chunks {
    /// Chunks of the shortest to the longest length, for so many threads.
    pub(crate) const fn shared(rows: usize, lengths: [usize; 2], threads: usize) -> Self {
        // By twice as many parts as threads, none waits for a chunk whose rows take twice as long
        // as the others'.
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

    /// The part of each chunk, of a slice with a value for so many rows, of which the last may be
    /// for fewer.
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

    /// After all rows are answered, for what is still to do.
    pub(crate) fn done(total: usize, watch: Option<&'w Watch<'w>>) -> Self {
        Self { done: AtomicUsize::new(total), ..Self::new(total, watch) }
    }

    /// Adds `more` to the progress; breaks if the call is to stop. Once it is, nothing is added:
    /// work that was given up is not done.
    pub(crate) fn advance(&self, more: usize) -> ControlFlow<()> {
        if more > 0 { self.report(more) } else { self.flow() }
    }

    /// The same, and asks the watcher also without progress.
    pub(crate) fn report(&self, more: usize) -> ControlFlow<()> {
        if let (Some(watch), false) = (self.watch, self.is_stopped()) {
            let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
            if watch(Progress { done, total: self.total }).is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        self.flow()
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
            self.flow()?;
            work(range, part)
        });
        // A break at the end stops nothing.
        if end.is_break() && self.done.load(Ordering::Relaxed) < self.total {
            return Err(self.stopped());
        }
        Ok(())
    }

    /// Breaks if the call was stopped.
    fn flow(&self) -> ControlFlow<()> {
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Work on rows that may be stopped, whose progress the caller reports, or of which nothing is
    /// reported.
    pub(crate) fn chunk(&self, rows: Range<usize>) -> Chunk<'_> {
        Chunk { untold: Cell::new(0), ..Chunk::new(rows, Some(self)) }
    }

    /// The error of a call that was stopped, whatever was done.
    pub(crate) fn finish(&self) -> Result<()> {
        if self.is_stopped() { Err(self.stopped()) } else { Ok(()) }
    }

    pub(crate) fn stopped(&self) -> Error {
        Error::Stopped { done: self.done.load(Ordering::Relaxed), total: self.total }
    }
}

/// Work between two looks at the clock, in units of some ten nanoseconds.
const UNITS: u32 = 1 << 12;

/// The units that a call of the caller's own code counts as: it may take ten milliseconds, and the
/// clock as long as a short one.
pub(crate) const OF_OWN: u32 = UNITS / 16;

/// How long a thread works before it asks the watcher again.
const TICK: Duration = Duration::from_millis(10);

/// So many values are sorted between two looks: in some twenty milliseconds.
const RUN: usize = 1 << 18;

/// The rows of a chunk, whom to tell of parts of it, and when to look whether the call is to stop.
pub(crate) struct Chunk<'w> {
    rows: Range<usize>,
    /// How many rows the watcher was not told of.
    untold: Cell<usize>,
    watched: Option<&'w Watched<'w>>,
    /// The work before the next look at the clock; 0 once the call is to stop.
    left: Cell<u32>,
    ticks: Ticks,
}

/// Says when a [`TICK`] has passed since the first look, or since it last said so.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[derive(Default)]
struct Ticks {
    last: Cell<Option<Instant>>,
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Ticks {
    fn has_passed(&self) -> bool {
        let now = Instant::now();
        let has_passed = self.last.get().is_some_and(|last| now.duration_since(last) >= TICK);
        if has_passed || self.last.get().is_none() {
            self.last.set(Some(now));
        }
        has_passed
    }
}

/// Without a clock, as in a page, looks are counted.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[derive(Default)]
struct Ticks {
    looks: Cell<u32>,
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Ticks {
    fn has_passed(&self) -> bool {
        const UNIT: Duration = Duration::from_nanos(10);
        const LOOKS: u32 = (TICK.as_nanos() / UNIT.as_nanos()) as u32 / UNITS;
        self.looks.set((self.looks.get() + 1) % LOOKS);
        self.looks.get() == 0
    }
}

impl<'w> Chunk<'w> {
    fn new(rows: Range<usize>, watched: Option<&'w Watched<'w>>) -> Self {
        let watched = watched.filter(|watched| watched.watch.is_some());
        let left = if watched.is_some() { UNITS } else { u32::MAX };
        Self {
            untold: Cell::new(rows.len()),
            rows,
            watched,
            left: Cell::new(left),
            ticks: Ticks::default(),
        }
    }

    pub(crate) fn unwatched(rows: Range<usize>) -> Self {
        Self::new(rows, None)
    }

    /// Rows that are part of the work on these, and no progress themselves.
    pub(crate) fn within(&self, rows: Range<usize>) -> Self {
        Self { untold: Cell::new(0), ..Self::new(rows, self.watched) }
    }

    /// Counts work, in units of some ten nanoseconds; breaks if the call is to stop. What is
    /// answered then does not matter, and rows that were answered stay.
    #[inline(always)]
    pub(crate) fn work(&self, units: u32) -> ControlFlow<()> {
        let left = self.left.get();
        if left > units {
            self.left.set(left - units);
            return ControlFlow::Continue(());
        }
        self.look()
    }

    #[cold]
    #[inline(never)]
    fn look(&self) -> ControlFlow<()> {
        let Some(watched) = self.watched else {
            self.left.set(u32::MAX);
            return ControlFlow::Continue(());
        };
        let flow = if self.ticks.has_passed() { watched.report(0) } else { watched.flow() };
        self.left.set(if flow.is_break() { 0 } else { UNITS });
        flow
    }

    /// Sorts values, equal ones in no order. They are not sorted if it breaks.
    pub(crate) fn sort<X: Copy>(
        &self,
        values: &mut [X],
        order: impl Fn(&X, &X) -> cmp::Ordering,
    ) -> ControlFlow<()> {
        for run in values.chunks_mut(RUN) {
            self.work((run.len() / 2).max(1) as u32)?;
            run.sort_unstable_by(&order);
        }
        let (mut merged, mut length) = (Vec::new(), RUN);
        while length < values.len() {
            merged.clear();
            merged.reserve_exact(values.len());
            for pair in values.chunks(2 * length) {
                let (mut first, mut second) = pair.split_at(length.min(pair.len()));
                while let ([a, first_rest @ ..], [b, second_rest @ ..]) = (first, second) {
                    self.work(1)?;
                    if order(b, a).is_lt() {
                        merged.push(*b);
                        second = second_rest;
                    } else {
                        merged.push(*a);
                        first = first_rest;
                    }
                }
                merged.extend_from_slice(first);
                merged.extend_from_slice(second);
            }
            values.copy_from_slice(&merged);
            length *= 2;
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Adds `more` rows to the progress, no more in all than there are; breaks if the call is to
    /// stop.
    pub(crate) fn advance(&self, more: usize) -> ControlFlow<()> {
        let more = more.min(self.untold.get());
        self.untold.set(self.untold.get() - more);
        self.watched.map_or(ControlFlow::Continue(()), |watched| watched.advance(more))
    }
}

/// Passes each chunk with its part of the answer to `work`. The watcher is told of what `work` does
/// not tell it of.
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
        let chunk = Chunk::new(range, Some(&watched));
        work(&chunk, part);
        watched.advance(chunk.untold.get())
    })
}

#[cfg(test)]
#[path = "../tests/unit/chunks.rs"]
mod tests;
