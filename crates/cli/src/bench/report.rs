//! What `lanecast bench` says at the end.

use super::rounds::Rounds;
use crate::machine;
use crate::mesh::Built;
use crate::number::{grouped, seconds};
use crate::report;
use serde::Serialize;
use std::path::Path;

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
                rows.push(head);
            }
            let first = &row[0];
            let mut cells = [first.kind, first.query, first.backend].map(str::to_owned).to_vec();
            cells.push(grouped(first.rays));
            cells.extend(row.iter().map(|case| format!("{:.2}", case.million_rays_per_second)));
            rows.push(cells);
        }
        format!(
            "lanecast {} on {}, {} cores, {}\n{}: {} triangles, tree built in {}\n\nMillion rays per second, medians of {} rounds; all answers are the same\n\n{}",
            self.version,
            self.processor,
            self.cores,
            self.date,
            self.mesh,
            grouped(self.triangles),
            seconds(self.build_seconds),
            self.rounds,
            report::table(3, &rows),
        )
    }
}
