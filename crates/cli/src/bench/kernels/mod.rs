//! `lanecast bench --kernels`: tests per second beside what the machine can do at most.

mod case;
mod columns;
mod list;
mod machine_limits;
mod report;
mod samples;

use crate::failure::Result;
use crate::machine;
use crate::progress::Progress;
use case::Session;
use lanecast::{Backend, Threads};
use list::KERNELS;
use machine_limits::MachineLimits;
use report::Report;
use std::time::Duration;

/// Measures all kernels on these backends for about so long; `memory` are the bytes that take a stream
/// beyond all caches.
pub(super) fn run(backends: &[Backend], time: Duration, memory: Option<usize>, json: bool) -> Result<()> {
    let cores = machine::cores();
    let mut threads = vec![Threads::ONE];
    if cores > 1 {
        threads.push(Threads::exactly(cores)?);
    }
    let mut limits = MachineLimits::measure(backends, &threads, memory)?;
    let mut rows = Vec::new();
    let progress = Progress::new(!json, Some(KERNELS.len() as u64), "kernels");
    for kernel in KERNELS {
        let time = time / KERNELS.len() as u32;
        let mut session = Session { kernel, backends, threads: &threads, limits: &mut limits, time };
        rows.push((kernel.measure)(&mut session)?);
        progress.set(rows.len() as u64);
    }
    drop(progress);
    let report = Report::new(&limits, &threads, &rows);
    if json { crate::report::say_json(&report) } else { crate::report::say(&report.words()) }
}

/// The middle of some measurements; 0 where there is none.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[length / 2],
        length => (sorted[length / 2 - 1] + sorted[length / 2]) / 2.0,
    }
}
