//! What `lanecast bench --kernels` says at the end.

use super::case::{Cell, Row};
use super::machine_limits::MachineLimits;
use crate::machine;
use crate::number::bytes;
use crate::report;
use lanecast::Threads;
use lanecast::limits::{Kind, Stream};
use serde::Serialize;
use std::collections::BTreeMap;

/// The fields of the JSON report. Rates are in thousand million (10⁹) a second, shares from 0 to 1.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    version: &'static str,
    date: String,
    processor: String,
    cores: usize,
    rounds: usize,
    registers: Vec<Registers>,
    reads: Vec<Reads>,
    memory: Vec<MemoryRates>,
    kernels: Vec<Measured>,
}

/// Operations on whole vectors on one core, by kind.
#[derive(Debug, Serialize)]
struct Registers {
    backend: &'static str,
    precision: &'static str,
    lanes: usize,
    operations: BTreeMap<&'static str, f64>,
    compare_and: f64,
    add_multiply_min: f64,
    fastest_mix: f64,
    in_turn: Vec<(&'static str, &'static str, f64)>,
}

#[derive(Debug, Serialize)]
struct Reads {
    level: &'static str,
    bytes: usize,
    threads: usize,
    gigabytes: f64,
}

#[derive(Debug, Serialize)]
struct MemoryRates {
    bytes: usize,
    threads: usize,
    read_gigabytes: f64,
    write_gigabytes: f64,
    copy_gigabytes: f64,
}

#[derive(Debug, Serialize)]
struct Measured {
    primitive: &'static str,
    test: &'static str,
    precision: &'static str,
    bytes_read_per_pair: usize,
    bytes_written_per_pair: usize,
    /// Of one vector of answers, many against many, by kind.
    operations: BTreeMap<&'static str, usize>,
    backends: Vec<OnBackend>,
}

#[derive(Debug, Serialize)]
struct OnBackend {
    backend: &'static str,
    tests: f64,
    tests_limit: f64,
    tests_limited_by: String,
    share_of_limit: f64,
    pairs: Vec<PairRates>,
}

#[derive(Debug, Serialize)]
struct PairRates {
    threads: usize,
    pairs: f64,
    gigabytes: f64,
    /// What the memory moves at most, in as many columns or in one sequence.
    memory_gigabytes: f64,
    share_of_memory: f64,
}

const PRECISIONS: [&str; 2] = ["f32", "f64"];

impl Report {
    pub(super) fn new(limits: &MachineLimits, threads: &[Threads], rows: &[Row]) -> Self {
        let registers = limits.rates.iter().flat_map(|both| both.iter().zip(PRECISIONS));
        let registers = registers.map(|(rates, precision)| {
            let measured = Kind::MEASURED.into_iter().filter_map(|kind| Some((kind, rates.of(kind)?)));
            let mut in_turn = Vec::new();
            for (place, first) in Kind::MEASURED.into_iter().enumerate() {
                for second in &Kind::MEASURED[place + 1..] {
                    let rate = rates.in_turn(first, *second).unwrap_or(0.0);
                    in_turn.push((first.name(), second.name(), rate / 1e9));
                }
            }
            Registers {
                backend: rates.backend.name(),
                precision,
                lanes: rates.lanes,
                operations: measured.map(|(kind, rate)| (kind.name(), rate / 1e9)).collect(),
                compare_and: rates.comparisons() / 1e9,
                add_multiply_min: rates.slab_mix() / 1e9,
                fastest_mix: rates.fastest_mix() / 1e9,
                in_turn,
            }
        });
        let reads = limits.caches.iter().map(|sequence| Reads {
            level: sequence.level,
            bytes: sequence.bytes,
            threads: sequence.threads,
            gigabytes: sequence.bytes_per_second / 1e9,
        });
        let memory = limits.memory.iter().map(|memory| MemoryRates {
            bytes: limits.memory_bytes,
            threads: memory.threads,
            read_gigabytes: memory.rate(Stream::Read) / 1e9,
            write_gigabytes: memory.rate(Stream::Write) / 1e9,
            copy_gigabytes: memory.rate(Stream::Copy) / 1e9,
        });
        let kernels = rows.iter().map(|row| Measured {
            primitive: row.kernel.primitive,
            test: row.kernel.test,
            precision: row.kernel.precision,
            bytes_read_per_pair: row.bytes_read,
            bytes_written_per_pair: row.bytes_written,
            operations: operations(row),
            backends: row.cells.iter().map(|cell| on_backend(threads, row, cell)).collect(),
        });
        Self {
            version: env!("CARGO_PKG_VERSION"),
            date: machine::today(),
            processor: machine::processor(),
            cores: machine::cores(),
            rounds: rows.iter().map(|row| row.rounds).min().unwrap_or(0),
            registers: registers.collect(),
            reads: reads.collect(),
            memory: memory.collect(),
            kernels: kernels.collect(),
        }
    }

    pub(super) fn words(&self) -> String {
        format!(
            "\
lanecast {} on {}, {} cores, {}

What one core does in registers: G operations on vectors a second, the fastest of several turns

{}
What is read in sequence, and what memory takes: GB/s

{}
Many against many, data in L1, 1 thread: G tests a second, and of the limit that the test's
operations set

{}
Pairs streamed from memory: G pairs a second, GB/s read and written, and of the most that the
memory moves in as many columns or in one sequence (last column)

{}
Medians of {} rounds or more; all answers are the same
",
            self.version,
            self.processor,
            self.cores,
            self.date,
            report::table(1, &self.register_rows()),
            report::table(1, &self.memory_rows()),
            report::table(3, &self.many_rows()),
            report::table(3, &self.pair_rows()),
            self.rounds,
        )
    }

    fn register_rows(&self) -> Vec<Vec<String>> {
        let row = |name: &str, value: &dyn Fn(&Registers) -> String| {
            std::iter::once(name.to_owned()).chain(self.registers.iter().map(value)).collect()
        };
        let mut rows = vec![
            row("", &|registers| format!("{} {}", registers.backend, registers.precision)),
            row("lanes", &|registers| registers.lanes.to_string()),
        ];
        for kind in Kind::MEASURED {
            rows.push(row(kind.name(), &|registers| {
                registers.operations.get(kind.name()).map_or_else(String::new, |rate| format!("{rate:.2}"))
            }));
        }
        rows.push(row("compare, and", &|registers| format!("{:.2}", registers.compare_and)));
        rows.push(row("add, multiply, min", &|registers| format!("{:.2}", registers.add_multiply_min)));
        rows.push(row("fastest mix of two", &|registers| format!("{:.2}", registers.fastest_mix)));
        rows
    }

    fn memory_rows(&self) -> Vec<Vec<String>> {
        let mut head = vec![String::new(), "size".to_owned()];
        head.extend(self.memory.iter().map(|memory| threads_in_words(memory.threads)));
        let mut rows = vec![head];
        for of_level in self.reads.chunk_by(|a, b| a.level == b.level) {
            let mut row = vec![format!("{} read", of_level[0].level), bytes(of_level[0].bytes)];
            row.extend(of_level.iter().map(|reads| format!("{:.1}", reads.gigabytes)));
            rows.push(row);
        }
        let bytes_of = |memory: &[MemoryRates]| memory.first().map_or_else(String::new, |m| bytes(m.bytes));
        for (stream, name) in ["memory read", "memory write", "memory copy"].into_iter().enumerate() {
            let mut row = vec![name.to_owned(), bytes_of(&self.memory)];
            row.extend(self.memory.iter().map(|memory| {
                let rates = [memory.read_gigabytes, memory.write_gigabytes, memory.copy_gigabytes];
                format!("{:.1}", rates[stream])
            }));
            rows.push(row);
        }
        rows
    }

    fn many_rows(&self) -> Vec<Vec<String>> {
        let mut head = ["primitive", "test", ""].map(str::to_owned).to_vec();
        for cell in self.kernels.iter().take(1).flat_map(|kernel| &kernel.backends) {
            head.extend([cell.backend.to_owned(), "limit".to_owned(), "of it".to_owned()]);
        }
        head.push("limited by".to_owned());
        let mut rows = vec![head];
        for kernel in &self.kernels {
            let mut row = [kernel.primitive, kernel.test, kernel.precision].map(str::to_owned).to_vec();
            for cell in &kernel.backends {
                row.extend([
                    format!("{:.3}", cell.tests),
                    format!("{:.3}", cell.tests_limit),
                    percent(cell.share_of_limit),
                ]);
            }
            row.extend(kernel.backends.last().map(|cell| cell.tests_limited_by.clone()));
            rows.push(row);
        }
        rows
    }

    fn pair_rows(&self) -> Vec<Vec<String>> {
        let mut head = ["primitive", "test", "", "threads"].map(str::to_owned).to_vec();
        for cell in self.kernels.iter().take(1).flat_map(|kernel| &kernel.backends) {
            head.extend([cell.backend.to_owned(), "GB/s".to_owned(), "of memory".to_owned()]);
        }
        head.push("memory".to_owned());
        let mut rows = vec![head];
        for kernel in &self.kernels {
            for (place, memory) in self.memory.iter().enumerate() {
                let mut row = [kernel.primitive, kernel.test, kernel.precision].map(str::to_owned).to_vec();
                row.push(memory.threads.to_string());
                for pairs in kernel.backends.iter().filter_map(|cell| cell.pairs.get(place)) {
                    row.extend([
                        format!("{:.3}", pairs.pairs),
                        format!("{:.1}", pairs.gigabytes),
                        percent(pairs.share_of_memory),
                    ]);
                }
                let limit = kernel.backends.first().and_then(|cell| cell.pairs.get(place));
                row.extend(limit.map(|pairs| format!("{:.1}", pairs.memory_gigabytes)));
                rows.push(row);
            }
        }
        rows
    }
}

fn operations(row: &Row) -> BTreeMap<&'static str, usize> {
    let counts = row.cells.first().map(|cell| cell.counts);
    let of_kind = |kind: Kind| Some((kind.name(), counts?.of_kind(kind))).filter(|&(_, count)| count > 0);
    Kind::ALL.into_iter().filter_map(of_kind).collect()
}

fn on_backend(threads: &[Threads], row: &Row, cell: &Cell) -> OnBackend {
    let rates = threads.iter().zip(&row.memory).zip(&cell.pairs_per_second);
    let pairs = rates.map(|((threads, memory), &pairs)| {
        let bytes = pairs * (row.bytes_read + row.bytes_written) as f64;
        PairRates {
            threads: threads.count(),
            pairs: pairs / 1e9,
            gigabytes: bytes / 1e9,
            memory_gigabytes: memory / 1e9,
            share_of_memory: bytes / memory,
        }
    });
    OnBackend {
        backend: cell.backend.name(),
        tests: cell.tests_per_second / 1e9,
        tests_limit: cell.bound.tests_per_second / 1e9,
        tests_limited_by: cell.bound.reason.to_string(),
        share_of_limit: cell.tests_per_second / cell.bound.tests_per_second,
        pairs: pairs.collect(),
    }
}

fn threads_in_words(threads: usize) -> String {
    if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}
