//! One kernel on all backends: checked, then measured in rounds.

use super::columns::OwnedColumns;
use super::list::Kernel;
use super::machine_limits::MachineLimits;
use super::median;
use super::samples::Sample;
use crate::failure::{Failure, Result};
use lanecast::limits::{Bound, Counts, Form, Stream};
use lanecast::primitive::Test;
use lanecast::{Backend, Bulk, Columns, HitTable, Record, Threads};
use std::time::{Duration, Instant};

/// Lines and primitives of many against many: what a large batch does over and over. The library copies
/// some hundred primitives at a time next to the core and leads some hundred lines over them, so its loops
/// read the first-level cache however long the columns are. Copying, and preparing a line, are paid for as
/// in any large call.
const LINES: usize = 2048;
const PRIMITIVES: usize = 1024;

/// Calls of many against many in one measurement, which are too short by themselves.
const CALLS: usize = 2;

/// Every case is measured at least so often.
const FEWEST_ROUNDS: usize = 3;

/// What a kernel is measured with.
pub(super) struct Session<'a> {
    pub(super) kernel: &'static Kernel,
    pub(super) backends: &'a [Backend],
    pub(super) threads: &'a [Threads],
    pub(super) limits: &'a mut MachineLimits,
    pub(super) time: Duration,
}

/// What came of it.
pub(super) struct Row {
    pub(super) kernel: &'static Kernel,
    pub(super) rounds: usize,
    /// Bytes that a pair's columns hold and that its answer takes.
    pub(super) bytes_read: usize,
    pub(super) bytes_written: usize,
    /// Bytes a second that the memory moves at most, by the number of threads.
    pub(super) memory: Vec<f64>,
    pub(super) cells: Vec<Cell>,
}

/// A kernel on one backend.
pub(super) struct Cell {
    pub(super) backend: Backend,
    pub(super) counts: Counts,
    pub(super) bound: Bound,
    pub(super) tests_per_second: f64,
    /// By the number of threads.
    pub(super) pairs_per_second: Vec<f64>,
}

impl Session<'_> {
    pub(super) fn measure<P: Sample, K: Test<P>>(&mut self, test: K) -> Result<Row>
    where
        K::Line: Sample,
    {
        let bytes_read = size_of::<K::Line>() + size_of::<P>();
        let counts = Counts::of::<P, K>(&test, Form::Bits);
        let bytes_written = 1 + counts.answer_numbers * size_of::<P::Scalar>();
        let pairs = (self.limits.memory_bytes / (bytes_read + bytes_written)).max(1);
        let (lines, primitives) = (OwnedColumns::sample(pairs, 1), OwnedColumns::sample(pairs, 2));
        let pairs = Pairs { test, lines: lines.borrow()?, primitives: primitives.borrow()? };
        let (lines, primitives) = (OwnedColumns::sample(LINES, 3), OwnedColumns::sample(PRIMITIVES, 4));
        let many = Many { test, lines: lines.borrow()?, primitives: primitives.borrow()? };
        let [mut bits, mut expected_bits] = [Vec::new(), Vec::new()];
        let [mut table, mut expected_table] = [HitTable::new(), HitTable::new()];
        many.run(self.backends[0], &mut expected_bits)?;
        pairs.run(self.backends[0], &self.threads[0], &mut expected_table)?;
        if expected_bits.iter().all(|&word| word == 0) {
            return Err(self.defect("nothing is met"));
        }
        for &backend in self.backends {
            many.run(backend, &mut bits)?;
            for threads in self.threads {
                pairs.run(backend, threads, &mut table)?;
                let same = table.codes() == expected_table.codes()
                    && (0..counts.answer_numbers)
                        .all(|place| table.column(place) == expected_table.column(place));
                if bits != expected_bits || !same {
                    let problem = format!("{backend} and {} answer differently", self.backends[0]);
                    return Err(self.defect(&problem));
                }
            }
        }
        drop(expected_table);

        let start = Instant::now();
        let mut seconds_of_many = vec![Vec::new(); self.backends.len()];
        let mut seconds_of_pairs = vec![vec![Vec::new(); self.threads.len()]; self.backends.len()];
        // The codes, of a byte each, are left out.
        let read = bytes_read / size_of::<P::Scalar>();
        let columns = Stream::Columns { read, written: counts.answer_numbers };
        let mut memory = vec![0.0; self.threads.len()];
        let mut rounds = 0;
        while rounds < FEWEST_ROUNDS || start.elapsed() < self.time {
            for (place, &backend) in self.backends.iter().enumerate() {
                // Once before, for the streams of pairs have emptied the caches.
                many.run(backend, &mut bits)?;
                let start = Instant::now();
                for _ in 0..CALLS {
                    many.run(backend, &mut bits)?;
                }
                seconds_of_many[place].push(start.elapsed().as_secs_f64() / CALLS as f64);
                for (seconds, threads) in seconds_of_pairs[place].iter_mut().zip(self.threads) {
                    let start = Instant::now();
                    pairs.run(backend, threads, &mut table)?;
                    seconds.push(start.elapsed().as_secs_f64());
                }
            }
            self.limits.measure_memory(columns, &mut memory)?;
            rounds += 1;
        }

        let precision = usize::from(size_of::<P::Scalar>() == size_of::<f64>());
        let cells = self.backends.iter().enumerate().map(|(place, &backend)| Cell {
            backend,
            counts,
            bound: counts.bound(&self.limits.rates[place][precision], self.limits.first_level[place]),
            tests_per_second: (LINES * PRIMITIVES) as f64 / median(&seconds_of_many[place]),
            pairs_per_second: seconds_of_pairs[place]
                .iter()
                .map(|seconds| pairs.lines.len() as f64 / median(seconds))
                .collect(),
        });
        Ok(Row { kernel: self.kernel, rounds, bytes_read, bytes_written, memory, cells: cells.collect() })
    }

    fn defect(&self, problem: &str) -> Failure {
        let Kernel { primitive, test, precision, .. } = self.kernel;
        Failure::about(
            format_args!("{test} on {primitive} in {precision}"),
            format!("{problem}, which is a defect"),
        )
    }
}

/// Many lines against many primitives on one thread.
struct Many<'a, P: Record, K: Test<P>> {
    test: K,
    lines: Columns<'a, K::Line>,
    primitives: Columns<'a, P>,
}

impl<P: Record, K: Test<P>> Many<'_, P, K> {
    fn run(&self, backend: Backend, bits: &mut Vec<u64>) -> Result<()> {
        let bulk = Bulk::new(self.test).backend(backend).threads(Threads::ONE);
        bulk.bits(&self.lines, &self.primitives, bits)?;
        Ok(())
    }
}

/// As many lines as primitives, pair by pair.
struct Pairs<'a, P: Record, K: Test<P>> {
    test: K,
    lines: Columns<'a, K::Line>,
    primitives: Columns<'a, P>,
}

impl<P: Record, K: Test<P>> Pairs<'_, P, K> {
    fn run(&self, backend: Backend, threads: &Threads, table: &mut HitTable<P, K>) -> Result<()> {
        let bulk = Bulk::new(self.test).backend(backend).threads(threads.clone());
        bulk.pairwise(&self.lines, &self.primitives, table)?;
        Ok(())
    }
}
