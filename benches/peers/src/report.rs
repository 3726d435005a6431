//! What is said in the end: tables in words, as JSON and as CSV.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use serde::Serialize;

use crate::kernels::Family;
use crate::{Result, machine};

/// All tables of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    version: &'static str,
    unix_time: u64,
    processor: String,
    cores: usize,
    threads: usize,
    measured: bool,
    pub(crate) tables: Vec<Table>,
}

/// All contestants on one input.
#[derive(Debug, Serialize)]
pub(crate) struct Table {
    pub(crate) primitive: &'static str,
    pub(crate) precision: &'static str,
    pub(crate) form: &'static str,
    pub(crate) rays: usize,
    pub(crate) primitives: usize,
    pub(crate) rounds: usize,
    pub(crate) share_of_hits: f64,
    pub(crate) pairs_at_a_border: usize,
    pub(crate) rows: Vec<Row>,
}

/// One contestant.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) contestant: String,
    pub(crate) family: Family,
    pub(crate) giga_tests_per_second: Option<f64>,
    /// How many times as fast as this contestant lanecast is on its best backend.
    pub(crate) lanecast_is_faster_by: Option<f64>,
    pub(crate) mismatches: usize,
    pub(crate) answers_checked: usize,
}

/// A row of the CSV file.
#[derive(Debug, Serialize)]
struct Record<'a> {
    primitive: &'static str,
    precision: &'static str,
    form: &'static str,
    rays: usize,
    primitives: usize,
    contestant: &'a str,
    family: Family,
    giga_tests_per_second: Option<f64>,
    lanecast_is_faster_by: Option<f64>,
    mismatches: usize,
    answers_checked: usize,
}

impl Report {
    pub(crate) fn new(threads: usize, measured: bool) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            unix_time: machine::unix_time(),
            processor: machine::processor(),
            cores: machine::cores(),
            threads,
            measured,
            tables: Vec::new(),
        }
    }

    /// How many wrong answers lanecast gave.
    pub(crate) fn lanecast_mismatches(&self) -> usize {
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        let of_lanecast = rows.filter(|row| matches!(row.family, Family::Lanecast | Family::LanecastForms));
        of_lanecast.map(|row| row.mismatches).sum()
    }

    /// One line a table: lanecast's best beside the best of each other family.
    pub(crate) fn summary(&self) -> String {
        let mut text = format!("{}, {} cores, {} thread(s)\n\n", self.processor, self.cores, self.threads);
        if !self.measured {
            let wrong: Vec<_> = self
                .tables
                .iter()
                .flat_map(|table| table.rows.iter().map(move |row| (table, row)))
                .filter(|(_, row)| row.mismatches > 0)
                .collect();
            let _ = writeln!(
                text,
                "{} tables checked, {} rows with wrong answers",
                self.tables.len(),
                wrong.len()
            );
            for (table, row) in wrong {
                let _ = writeln!(
                    text,
                    "{} {} {}: {}: {} of {}",
                    table.primitive,
                    table.precision,
                    table.form,
                    row.contestant,
                    row.mismatches,
                    row.answers_checked
                );
            }
            return text;
        }
        let _ = writeln!(
            text,
            "| test | form | lanecast, G tests/s | best other crate, G tests/s | × | best loops over columns, G tests/s | × |\n|---|---|---|---|---|---|---|"
        );
        for table in &self.tables {
            let best = |family| table.best_of(family);
            let Some(lanecast) = best(Family::Lanecast) else { continue };
            let _ = write!(
                text,
                "| {} {} | {} | {:.2} ({}) |",
                table.primitive,
                table.precision,
                table.form,
                lanecast.giga_tests_per_second.unwrap_or(0.0),
                lanecast.contestant
            );
            for other in [best(Family::Crate), best(Family::Loops)] {
                let _ = match other {
                    Some(row) => write!(
                        text,
                        " {:.2} ({}) | {:.1} |",
                        row.giga_tests_per_second.unwrap_or(0.0),
                        row.contestant,
                        row.lanecast_is_faster_by.unwrap_or(0.0)
                    ),
                    None => write!(text, " – | – |"),
                };
            }
            text.push('\n');
        }
        text
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, json: Option<&Path>, csv: Option<&Path>) -> Result<()> {
        if let Some(path) = json {
            serde_json::to_writer_pretty(File::create(path)?, self)?;
        }
        if let Some(path) = csv {
            let mut writer = csv::Writer::from_path(path)?;
            for table in &self.tables {
                for row in &table.rows {
                    writer.serialize(Record {
                        primitive: table.primitive,
                        precision: table.precision,
                        form: table.form,
                        rays: table.rays,
                        primitives: table.primitives,
                        contestant: &row.contestant,
                        family: row.family,
                        giga_tests_per_second: row.giga_tests_per_second,
                        lanecast_is_faster_by: row.lanecast_is_faster_by,
                        mismatches: row.mismatches,
                        answers_checked: row.answers_checked,
                    })?;
                }
            }
            writer.flush()?;
        }
        Ok(())
    }
}

impl Table {
    fn best_of(&self, family: Family) -> Option<&Row> {
        let speed = |row: &Row| row.giga_tests_per_second.unwrap_or(0.0);
        let rows = self.rows.iter().filter(|row| row.family == family);
        rows.max_by(|a, b| speed(a).total_cmp(&speed(b)))
    }

    /// The table, the fastest first.
    pub(crate) fn words(&self) -> String {
        let mut text = format!(
            "{} {}, {}: {} rays, {} primitives, {:.1}% hits, {} pairs at a border, {} rounds\n\n",
            self.primitive,
            self.precision,
            self.form,
            self.rays,
            self.primitives,
            100.0 * self.share_of_hits,
            self.pairs_at_a_border,
            self.rounds
        );
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        let speed = |row: &Row| row.giga_tests_per_second.unwrap_or(0.0);
        rows.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        text.push_str("| contestant | G tests/s | lanecast is × | wrong answers |\n|---|---|---|---|\n");
        for row in rows {
            let number =
                |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} of {} |",
                row.contestant,
                number(row.giga_tests_per_second),
                number(row.lanecast_is_faster_by),
                row.mismatches,
                row.answers_checked
            );
        }
        text.push('\n');
        text
    }
}
