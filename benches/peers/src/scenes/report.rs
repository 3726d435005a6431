//! What is said in the end.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::cell::{Cell, Row};
use super::contestants::{Family, Isa};
use super::price::Price;
use super::ray_set::{Order, Query};
use crate::machine::Machine;
use crate::{Result, files};

/// All cells of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    version: &'static str,
    #[serde(flatten)]
    pub(crate) machine: Machine,
    pub(crate) threads: usize,
    pub(crate) prices: Vec<Price>,
    pub(crate) cells: Vec<Cell>,
}

/// A row of the CSV file.
#[derive(Debug, Serialize)]
struct Record<'a> {
    scene: &'static str,
    triangles: usize,
    rays: &'static str,
    query: Query,
    order: Order,
    threads: usize,
    contestant: &'a str,
    family: Family,
    isa: Option<Isa>,
    rays_cast: usize,
    in_the_rounds: bool,
    mega_rays_per_second: Option<f64>,
    lanecast_is_faster_by: Option<f64>,
    mismatches: usize,
    answers_checked: usize,
}

impl Cell {
    /// The cell, the fastest first.
    pub(crate) fn words(&self, machine: &Machine) -> String {
        let mut text = format!(
            "{} {}: {} rays, {:.1}% hits, {} rounds; {machine}\n\n| contestant | M rays/s | lanecast is × | wrong answers |\n|---|---|---|---|\n",
            self.scene,
            self.rays,
            self.ray_count,
            100.0 * self.share_of_hits,
            self.rounds
        );
        let speed = |row: &Row| row.mega_rays_per_second.unwrap_or(0.0);
        let mut rows: Vec<&Row> =
            self.rows.iter().filter(|row| row.in_the_rounds || row.mismatches > 0).collect();
        rows.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        for row in rows {
            let ratio = row
                .lanecast_is_faster_by
                .map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                text,
                "| {} | {:.2} | {ratio} | {} of {} |",
                row.contestant,
                speed(row),
                row.mismatches,
                row.answers_checked
            );
        }
        text.push('\n');
        text
    }
}

impl Report {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::here(),
            threads,
            prices: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// How many wrong answers lanecast gave.
    pub(crate) fn lanecast_mismatches(&self) -> usize {
        let rows = self.cells.iter().flat_map(|cell| &cell.rows);
        rows.filter(|row| row.family.is_lanecast()).map(|row| row.mismatches).sum()
    }

    /// What is said when nothing was measured.
    pub(crate) fn checked(&self) -> String {
        let mut text = String::new();
        let (mut rows, mut answers, mut wrong) = (0, 0, 0);
        for cell in &self.cells {
            for row in &cell.rows {
                rows += 1;
                answers += row.answers_checked;
                wrong += row.mismatches;
                if row.mismatches > 0 {
                    let Row { contestant, mismatches, answers_checked, .. } = row;
                    let (scene, rays) = (cell.scene, cell.rays);
                    let _ = writeln!(
                        text,
                        "{scene} {rays}: {contestant}: {mismatches} of {answers_checked} answers are wrong"
                    );
                }
            }
        }
        let cells = self.cells.len();
        let _ = writeln!(
            text,
            "{wrong} of {answers} answers are wrong, in {rows} rows of {cells} cells"
        );
        text
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, json: Option<&Path>, csv: Option<&Path>) -> Result<()> {
        let records = self.cells.iter().flat_map(|cell| {
            cell.rows.iter().map(move |row| Record {
                scene: cell.scene,
                triangles: cell.triangles,
                rays: cell.rays,
                query: cell.query,
                order: cell.order,
                threads: self.threads,
                contestant: &row.contestant,
                family: row.family,
                isa: row.isa,
                rays_cast: row.rays_cast,
                in_the_rounds: row.in_the_rounds,
                mega_rays_per_second: row.mega_rays_per_second,
                lanecast_is_faster_by: row.lanecast_is_faster_by,
                mismatches: row.mismatches,
                answers_checked: row.answers_checked,
            })
        });
        files::write(self, records, json, csv)
    }
}
