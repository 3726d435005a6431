//! What `lanecast bench` says at the end.

use super::rounds::Rounds;
use crate::machine;
use crate::mesh::Built;
use crate::number::{counted, grouped, seconds};
use crate::report;
use serde::Serialize;
use std::path::Path;

/// The part of the time for which a processor works for the only program that runs on it.
const IDLE: f64 = 0.95;

/// The fields of the JSON report.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    version: &'static str,
    date: String,
    processor: String,
    cores: usize,
    mesh: String,
    triangles: usize,
    build_seconds: f64,
    rounds: usize,
    /// The part of the time for which the processor was at work here, on one thread; null where the
    /// system does not tell.
    processor_share: Option<f64>,
    cases: Vec<Measured>,
}

#[derive(Debug, Serialize)]
struct Measured {
    kind: &'static str,
    query: &'static str,
    rays: usize,
    backend: &'static str,
    threads: usize,
    million_rays_per_second: f64,
    /// By the processor's time in all threads; null where the system does not tell.
    million_rays_per_processor_second: Option<f64>,
}

impl Report {
    pub(super) fn new(mesh: &Path, built: &Built, rounds: &Rounds<'_>) -> Self {
        let cases = rounds.cases.iter().map(|case| Measured {
            kind: case.set.kind,
            query: if case.set.any { "any" } else { "closest" },
            rays: case.set.rays.len(),
            backend: case.backend.name(),
            threads: case.threads.count(),
            million_rays_per_second: case.million_rays_per_second(),
            million_rays_per_processor_second: case.million_rays_per_processor_second(),
        });
        Self {
            version: env!("CARGO_PKG_VERSION"),
            date: machine::today(),
            processor: machine::processor(),
            cores: machine::cores(),
            mesh: mesh.display().to_string(),
            triangles: built.scene.triangle_count(),
            build_seconds: built.seconds,
            rounds: rounds.rounds,
            processor_share: rounds.share(),
            cases: cases.collect(),
        }
    }

    /// A table with one column per number of threads.
    pub(super) fn words(&self) -> String {
        let same_row = |a: &Measured, b: &Measured| a.kind == b.kind && a.backend == b.backend;
        let mut rows: Vec<Vec<String>> = Vec::new();
        for row in self.cases.chunk_by(same_row) {
            if rows.is_empty() {
                let mut head = ["kind", "query", "backend", "rays"].map(str::to_owned).to_vec();
                head.extend(row.iter().map(|case| match case.threads {
                    1 => "1 thread".to_owned(),
                    threads => format!("{threads} threads"),
                }));
                head.push("per processor second".to_owned());
                rows.push(head);
            }
            let first = &row[0];
            let mut cells = [first.kind, first.query, first.backend].map(str::to_owned).to_vec();
            cells.push(grouped(first.rays));
            cells.extend(row.iter().map(|case| format!("{:.2}", case.million_rays_per_second)));
            // Of one thread: others wait for each other, which takes time of the processor too.
            let by_processor = row.iter().find(|case| case.threads == 1);
            let by_processor = by_processor.and_then(|case| case.million_rays_per_processor_second);
            cells.push(
                by_processor.map_or_else(|| "unknown".to_owned(), |rate| format!("{rate:.2}")),
            );
            rows.push(cells);
        }
        let busy = match self.processor_share {
            Some(share) if share < IDLE => format!(
                "\nThe machine was busy: a processor worked here for {:.0}% of the time of one thread. Measure again when it is \
                 idle, or take the rates per processor second.\n",
                100.0 * share
            ),
            _ => String::new(),
        };
        format!(
            "lanecast {} on {}, {}, {}\n{}: {}, tree built in {}\n\nMillion rays per second, medians of {}; all answers are the same\n\n{}{busy}",
            self.version,
            self.processor,
            counted(self.cores, "core"),
            self.date,
            self.mesh,
            counted(self.triangles, "triangle"),
            seconds(self.build_seconds),
            counted(self.rounds, "round"),
            report::table(3, &rows),
        )
    }
}
