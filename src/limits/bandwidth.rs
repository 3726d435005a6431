//! How many bytes a second go to and from memory in sequence.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Instant;

use crate::error::{Error, Result};
use crate::simd::{Backend, VectorKernel, Vectors, dispatch_widest};

/// What is done in sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Every vector is loaded.
    Read,
    /// Every vector is stored. A core first reads the lines that it stores to: that takes its share of
    /// the memory's time, and is not counted in the bytes.
    Write,
    /// Every vector of one half is loaded, changed and stored to the other; both count.
    Copy,
    /// Many columns side by side, some vectors of each at a time: so many are loaded and so many stored; all
    /// count. Of some columns a core has more lines under way than of one sequence; of more than about
    /// sixteen it loses track.
    Columns {
        /// Columns that are loaded.
        read: usize,
        /// Columns that are stored.
        written: usize,
    },
}

/// Memory to go through in sequence, some of it for each thread.
#[derive(Debug)]
pub struct Buffers(Vec<Vec<CacheLine>>);

/// A line of the cache.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct CacheLine([f32; 16]);

/// What the threads wait for.
const WAIT: u8 = 0;
const GO: u8 = 1;
const GO_HOME: u8 = 2;

impl Buffers {
    /// `bytes` for each of at least one thread, rounded to whole kilobytes.
    pub fn new(threads: usize, bytes: usize) -> Self {
        // Not zeros, for which the system may keep a single page.
        let lines = vec![CacheLine([1.0; 16]); (bytes >> 10).max(1) * 16];
        Self(vec![lines; threads.max(1)])
    }

    /// Bytes a second of all threads together, each going through its memory as often as it takes to have
    /// moved about `total` bytes, and at least once.
    ///
    /// # Errors
    /// [`Error::Threads`] if the system does not start the threads.
    pub fn measure(&mut self, stream: Stream, backend: Backend, total: usize) -> Result<f64> {
        let bytes = size_of_val(&self.0[0][..]);
        let passes = total.div_ceil(bytes).max(1);
        let work = |lines: &mut [CacheLine]| {
            let start = Instant::now();
            dispatch_widest::<f32, _>(backend, Pass { stream, lines, passes });
            (start, Instant::now())
        };
        let times = match &mut self.0[..] {
            [lines] => vec![work(lines)],
            buffers => all_at_once(buffers, &work)?,
        };
        let start = times.iter().map(|&(start, _)| start).min();
        let end = times.iter().map(|&(_, end)| end).max();
        let seconds = end.zip(start).map_or(0.0, |(end, start)| (end - start).as_secs_f64());
        Ok((times.len() * passes * bytes) as f64 / seconds.max(1e-9))
    }
}

/// Gives each buffer to a thread; none begins before all have started.
fn all_at_once<T: Send>(
    buffers: &mut [Vec<CacheLine>],
    work: &(impl Fn(&mut [CacheLine]) -> T + Sync),
) -> Result<Vec<T>> {
    let threads = buffers.len();
    let failed = |reason: String| Error::Threads { threads, reason };
    let (signal, ready) = (AtomicU8::new(WAIT), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let (signal, ready) = (&signal, &ready);
        let mut started = Vec::new();
        for lines in buffers {
            let wait_and_work = move || {
                ready.fetch_add(1, Ordering::Release);
                while signal.load(Ordering::Acquire) == WAIT {
                    std::thread::yield_now();
                }
                (signal.load(Ordering::Acquire) == GO).then(|| work(lines))
            };
            match std::thread::Builder::new().spawn_scoped(scope, wait_and_work) {
                Ok(thread) => started.push(thread),
                Err(error) => {
                    signal.store(GO_HOME, Ordering::Release);
                    return Err(failed(error.to_string()));
                }
            }
        }
        while ready.load(Ordering::Acquire) < threads {
            std::thread::yield_now();
        }
        signal.store(GO, Ordering::Release);
        let results = started.into_iter().map(|thread| thread.join().ok().flatten());
        results.map(|result| result.ok_or_else(|| failed("a thread ended early".to_owned()))).collect()
    })
}

struct Pass<'a> {
    stream: Stream,
    lines: &'a mut [CacheLine],
    passes: usize,
}

/// Vectors that are loaded at a time, each into a sum of its own, so that no sum is waited for.
const AT_A_TIME: usize = 8;

impl VectorKernel<f32> for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<f32>>(self, lanes: V) {
        let value = lanes.splat(std::hint::black_box(1.0));
        let rows: &mut [V::Row] = bytemuck::cast_slice_mut(self.lines);
        for _ in 0..self.passes {
            match self.stream {
                Stream::Read => read(lanes, rows),
                Stream::Write => {
                    for row in rows.iter_mut() {
                        lanes.store(value, row);
                    }
                }
                Stream::Copy => {
                    let (from, into) = rows.split_at_mut(rows.len() / 2);
                    for place in 0..from.len().min(into.len()) {
                        // A plain copy would become a call to one.
                        lanes.store(lanes.load(&from[place]) * value, &mut into[place]);
                    }
                }
                Stream::Columns { read, written } => columns(lanes, rows, read, written, value),
            }
            // Or one pass would do for all.
            std::hint::black_box(&mut *rows);
        }
    }
}

/// Half are added and half are multiplied, so that neither's ports limit the loads.
#[inline(always)]
fn read<V: Vectors<f32>>(lanes: V, rows: &[V::Row]) {
    let mut sums = [lanes.splat(1.0); AT_A_TIME];
    for start in (0..rows.len() / AT_A_TIME * AT_A_TIME).step_by(AT_A_TIME) {
        let some = &rows[start..start + AT_A_TIME];
        for place in 0..AT_A_TIME {
            let loaded = lanes.load(&some[place]);
            sums[place] = if place % 2 == 0 { sums[place] + loaded } else { sums[place] * loaded };
        }
    }
    keep(lanes, sums);
}

#[inline(always)]
fn columns<V: Vectors<f32>>(lanes: V, rows: &mut [V::Row], read: usize, written: usize, value: V::Real) {
    let rows_of_line = size_of::<CacheLine>() / size_of::<V::Row>();
    // No multiple of a page, or all columns would compete for the same places of the first-level cache.
    let lines = (rows.len() / rows_of_line / (read + written).max(1)).saturating_sub(9) / 64 * 64 + 9;
    let column = lines * rows_of_line;
    let (from, into) = rows.split_at_mut(read * column);
    let mut sums = [lanes.splat(1.0); AT_A_TIME];
    for start in (0..column / AT_A_TIME * AT_A_TIME).step_by(AT_A_TIME) {
        for column in from.chunks_exact(column) {
            let some = &column[start..start + AT_A_TIME];
            for place in 0..AT_A_TIME {
                sums[place] = sums[place] + lanes.load(&some[place]);
            }
        }
        for column in into.chunks_exact_mut(column).take(written) {
            for row in &mut column[start..start + AT_A_TIME] {
                lanes.store(value, row);
            }
        }
    }
    keep(lanes, sums);
}

/// Sums that nobody wants are not computed.
#[inline(always)]
fn keep<V: Vectors<f32>>(lanes: V, sums: [V::Real; AT_A_TIME]) {
    for sum in sums {
        let mut row: V::Row = bytemuck::Zeroable::zeroed();
        lanes.store(sum, &mut row);
        std::hint::black_box(row);
    }
}
