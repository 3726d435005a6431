//! What is said in the end.

use std::path::Path;

use serde::Serialize;

use super::batches::{self, Length};
use super::sizes::{self, Size};
use super::threads::{self, Scaling};
use crate::machine::Machine;
use crate::scenes::price::EMBREE;
use crate::{Result, files};

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    version: &'static str,
    #[serde(flatten)]
    pub(super) machine: Machine,
    /// The most.
    pub(super) threads: usize,
    /// At which batches and threads grow.
    pub(super) triangles: usize,
    pub(super) sizes: Vec<Size>,
    pub(super) batches: Vec<Length>,
    pub(super) scalings: Vec<Scaling>,
}

/// A row of the CSV file: one figure.
#[derive(Debug, Serialize)]
struct Record<'a> {
    table: &'static str,
    contestant: &'a str,
    triangles: usize,
    rays: &'static str,
    batch: Option<usize>,
    threads: usize,
    quantity: &'static str,
    value: f64,
}

impl Report {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::here(),
            threads,
            triangles: 0,
            sizes: Vec::new(),
            batches: Vec::new(),
            scalings: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.batches.is_empty() && self.scalings.is_empty()
    }

    /// How many wrong answers lanecast gave.
    pub(super) fn lanecast_mismatches(&self) -> usize {
        self.answers().map(|(_, wrong, _)| wrong).sum()
    }

    /// Of lanecast: where, how many are wrong, of how many.
    fn answers(&self) -> impl Iterator<Item = (String, usize, usize)> {
        let sizes = self.sizes.iter().flat_map(|size| {
            size.sets.iter().flat_map(move |set| {
                set.cell.rows.iter().filter(|row| row.family.is_lanecast()).map(move |row| {
                    let place = format!(
                        "{} triangles, {}: {}",
                        size.triangles, set.cell.rays, row.contestant
                    );
                    (place, row.mismatches, row.answers_checked)
                })
            })
        });
        let batches = self.batches.iter().map(|row| {
            (
                format!("batches of {} {}", row.length, row.rays),
                row.mismatches,
                row.answers_compared,
            )
        });
        let threads =
            self.scalings.iter().filter(|scaling| scaling.answers_compared > 0).map(|scaling| {
                (
                    format!("{} on threads", scaling.work),
                    scaling.mismatches,
                    scaling.answers_compared,
                )
            });
        sizes.chain(batches).chain(threads)
    }

    /// What is said when nothing was measured.
    pub(super) fn checked(&self) -> String {
        let mut text = String::new();
        let (mut rows, mut all, mut all_wrong) = (0, 0, 0);
        for (place, wrong, answers) in self.answers() {
            rows += 1;
            all += answers;
            all_wrong += wrong;
            if wrong > 0 {
                text.push_str(&format!("{place}: {wrong} of {answers} answers are wrong\n"));
            }
        }
        text.push_str(&format!(
            "{all_wrong} of {all} answers of lanecast are wrong, in {rows} rows\n"
        ));
        text
    }

    /// All tables.
    pub(super) fn summary(&self) -> String {
        let mut text = String::new();
        let heading = |what: String| format!("\n## {what}\n\n{}\n\n", self.machine);
        if !self.sizes.is_empty() {
            text.push_str(&heading("Triangles, one thread".to_owned()));
            text.push_str(&sizes::table_of_rays(&self.sizes));
            text.push('\n');
            text.push_str(&sizes::table_of_trees(&self.sizes));
        }
        if !self.batches.is_empty() {
            text.push_str(&heading(format!("Batches, {} triangles", self.triangles)));
            text.push_str(&batches::table(&self.batches, self.threads));
        }
        if !self.scalings.is_empty() {
            text.push_str(&heading(format!("Threads, {} triangles", self.triangles)));
            text.push_str(&threads::table(&self.scalings));
        }
        let wrong = self.lanecast_mismatches();
        let answers: usize = self.answers().map(|(_, _, answers)| answers).sum();
        text.push_str(&format!("\n{wrong} of {answers} answers of lanecast are wrong.\n"));
        text
    }

    /// Writes the files that were asked for.
    pub(super) fn write(&self, json: Option<&Path>, csv: Option<&Path>) -> Result<()> {
        files::write(self, self.records().into_iter(), json, csv)
    }

    fn records(&self) -> Vec<Record<'_>> {
        let mut records = Vec::new();
        for size in &self.sizes {
            let record = |contestant, rays, quantity, value| Record {
                table: "triangles",
                contestant,
                triangles: size.triangles,
                rays,
                batch: None,
                threads: 1,
                quantity,
                value,
            };
            for set in &size.sets {
                let name = set.cell.rays;
                let speed = "million rays a second";
                for row in &set.cell.rows {
                    records.extend(
                        row.mega_rays_per_second
                            .map(|value| record(row.contestant.as_str(), name, speed, value)),
                    );
                }
                records.push(record("lanecast", name, "visits of a ray", set.visits));
                let ratio = set.cell.ratios.best;
                records.extend(
                    ratio.map(|value| record("lanecast", name, "of Embree's best speed", value)),
                );
            }
            let Some(price) = &size.price else { continue };
            for tree in &price.trees {
                let name = tree.builder;
                let mesh_bytes = if name == EMBREE { size.mesh_bytes_per_triangle } else { 0.0 };
                let build = tree.mega_triangles_per_second;
                let bytes = tree.bytes_per_triangle + mesh_bytes;
                records.push(record(name, "", "million triangles built a second", build));
                records.push(record(name, "", "bytes per triangle, all told", bytes));
            }
        }
        for row in &self.batches {
            let costs = [(1, row.one_thread), (self.threads, row.all_threads)];
            for (threads, cost) in
                costs.into_iter().filter_map(|(threads, cost)| Some((threads, cost?)))
            {
                for (contestant, value) in
                    [("lanecast", cost.batch), ("lanecast, one by one", cost.single)]
                {
                    records.push(Record {
                        table: "batches",
                        contestant,
                        triangles: self.triangles,
                        rays: row.rays,
                        batch: Some(row.length),
                        threads,
                        quantity: "nanoseconds a ray",
                        value,
                    });
                }
            }
        }
        for scaling in &self.scalings {
            for step in &scaling.steps {
                let quantities = [
                    ("million a second", step.mega_per_second),
                    ("of one thread's speed", step.speedup),
                ];
                for (quantity, value) in quantities {
                    records.push(Record {
                        table: "threads",
                        contestant: "lanecast",
                        triangles: self.triangles,
                        rays: scaling.work,
                        batch: None,
                        threads: step.threads,
                        quantity,
                        value,
                    });
                }
            }
        }
        records
    }
}
