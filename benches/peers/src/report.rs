//! What is said in the end: tables in words, as JSON and as CSV.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use crate::kernels::Family;
use crate::machine::Machine;
use crate::{Result, files};

/// All tables of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    version: &'static str,
    #[serde(flatten)]
    machine: Machine,
    threads: usize,
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
    /// Whether it does not meet the backs of triangles, and is not expected to.
    pub(crate) one_sided: bool,
    /// What it has in common with those that give the same answers.
    #[serde(skip)]
    pub(crate) answers: Option<String>,
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
    one_sided: bool,
    giga_tests_per_second: Option<f64>,
    lanecast_is_faster_by: Option<f64>,
    mismatches: usize,
    answers_checked: usize,
}

impl Report {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::here(),
            threads,
            tables: Vec::new(),
        }
    }

    /// How many wrong answers lanecast gave.
    pub(crate) fn lanecast_mismatches(&self) -> usize {
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        let of_lanecast =
            rows.filter(|row| matches!(row.family, Family::Lanecast | Family::LanecastForms));
        of_lanecast.map(|row| row.mismatches).sum()
    }

    /// What is said when nothing was measured.
    pub(crate) fn checked(&self) -> String {
        let mut text = String::new();
        let (mut rows, mut answers, mut wrong) = (0, 0, 0);
        for table in &self.tables {
            for row in &table.rows {
                rows += 1;
                answers += row.answers_checked;
                wrong += row.mismatches;
                if row.mismatches > 0 {
                    let Row { contestant, mismatches, answers_checked, .. } = row;
                    let name = table.name();
                    let _ = writeln!(
                        text,
                        "{name}: {contestant}: {mismatches} of {answers_checked} answers are wrong"
                    );
                }
            }
        }
        let _ = writeln!(
            text,
            "{wrong} of {answers} answers are wrong, in {rows} rows of {} tables",
            self.tables.len()
        );
        text
    }

    /// What is said after measuring: lanecast beside the best of each other family, and all speeds.
    pub(crate) fn summary(&self) -> String {
        let mut text = format!(
            "{}, {} thread(s) used\n\nlanecast's best backend, the best contestant of other crates, and the best loops over columns; × is how\nmany times as fast as they lanecast is\n\n",
            self.machine, self.threads
        );
        text.push_str(
            "| test | lanecast, G tests/s | other crates, G tests/s | × | loops, G tests/s | × | wrong |\n",
        );
        text.push_str("|---|---|---|---|---|---|---|\n");
        for table in &self.tables {
            let _ = write!(text, "| {} |", table.name());
            for family in [Family::Lanecast, Family::Crate, Family::Loops] {
                let Some(row) = table.best_of(family) else {
                    text.push_str(" – | – |");
                    continue;
                };
                let speed = row.giga_tests_per_second.unwrap_or(0.0);
                let _ = write!(text, " {speed:.2} ({}) |", row.contestant);
                if family != Family::Lanecast {
                    let _ = write!(text, " {:.1} |", row.lanecast_is_faster_by.unwrap_or(0.0));
                }
            }
            let _ =
                writeln!(text, " {} |", table.rows.iter().map(|row| row.mismatches).sum::<usize>());
        }
        text.push_str(&self.same_answers());
        let mut forms: Vec<&str> = self.tables.iter().map(|table| table.form).collect();
        forms.sort_unstable();
        forms.dedup();
        for form in forms {
            text.push_str(&self.matrix(form));
        }
        text
    }

    /// lanecast beside the loop that gives the same answers, each on its best instructions.
    fn same_answers(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            let loops = table.rows.iter().filter(|row| row.family == Family::SameLoops);
            let mut answers: Vec<&str> = loops.filter_map(|row| row.answers.as_deref()).collect();
            answers.sort_unstable();
            answers.dedup();
            for answers in answers {
                let best = |family| {
                    let rows = table.rows.iter().filter(|row| row.family == family);
                    let same = rows.filter(|row| row.answers.as_deref() == Some(answers));
                    same.filter_map(|row| row.giga_tests_per_second).fold(0.0, f64::max)
                };
                let (lanecast, plain) = (best(Family::Lanecast), best(Family::SameLoops));
                let (name, ratio) = (table.name(), lanecast / plain);
                let _ =
                    writeln!(text, "| {name}{answers} | {lanecast:.2} | {plain:.2} | {ratio:.2} |");
            }
        }
        if !text.is_empty() {
            let head = "\n| test | lanecast, G tests/s | the loop of the same test | × |\n|---|---|---|---|\n";
            text.insert_str(0, head);
        }
        text
    }

    /// All contestants in one form, G tests/s.
    fn matrix(&self, form: &str) -> String {
        let tables: Vec<&Table> = self.tables.iter().filter(|table| table.form == form).collect();
        let mut contestants: Vec<&str> = Vec::new();
        for row in tables.iter().flat_map(|table| &table.rows) {
            if !contestants.contains(&row.contestant.as_str()) {
                contestants.push(&row.contestant);
            }
        }
        let mut text = format!("\n{form}, G tests/s\n\n| contestant |");
        for table in &tables {
            let _ = write!(text, " {} {} |", table.primitive, table.precision);
        }
        let _ = writeln!(text, "\n|---{}|", "|---".repeat(tables.len()));
        for contestant in contestants {
            let _ = write!(text, "| {contestant} |");
            for table in &tables {
                let row = table.rows.iter().find(|row| row.contestant == contestant);
                let speed = row.and_then(|row| row.giga_tests_per_second);
                let _ = write!(
                    text,
                    " {} |",
                    speed.map_or_else(|| "–".to_owned(), |speed| format!("{speed:.2}"))
                );
            }
            text.push('\n');
        }
        text
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, json: Option<&Path>, csv: Option<&Path>) -> Result<()> {
        let records = self.tables.iter().flat_map(|table| {
            table.rows.iter().map(move |row| Record {
                primitive: table.primitive,
                precision: table.precision,
                form: table.form,
                rays: table.rays,
                primitives: table.primitives,
                contestant: &row.contestant,
                family: row.family,
                one_sided: row.one_sided,
                giga_tests_per_second: row.giga_tests_per_second,
                lanecast_is_faster_by: row.lanecast_is_faster_by,
                mismatches: row.mismatches,
                answers_checked: row.answers_checked,
            })
        });
        files::write(self, records, json, csv)
    }
}

impl Table {
    fn best_of(&self, family: Family) -> Option<&Row> {
        let speed = |row: &Row| row.giga_tests_per_second.unwrap_or(0.0);
        let rows = self.rows.iter().filter(|row| row.family == family);
        rows.max_by(|a, b| speed(a).total_cmp(&speed(b)))
    }

    /// As it is called on the command line and in summaries.
    fn name(&self) -> String {
        format!("{} {} {}", self.primitive, self.precision, self.form)
    }

    /// The table, the fastest first.
    pub(crate) fn words(&self) -> String {
        let mut text = format!(
            "{}: {} rays, {} primitives, {:.1}% hits, {} pairs too near a border to say, {} rounds\n\n",
            self.name(),
            self.rays,
            self.primitives,
            100.0 * self.share_of_hits,
            self.pairs_at_a_border,
            self.rounds
        );
        text.push_str(
            "| contestant | G tests/s | lanecast is × | wrong answers |\n|---|---|---|---|\n",
        );
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        let speed = |row: &Row| row.giga_tests_per_second.unwrap_or(0.0);
        rows.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        for row in rows {
            let _ = writeln!(
                text,
                "| {}{} | {:.2} | {:.2} | {} of {} |",
                row.contestant,
                if row.one_sided { " (one-sided)" } else { "" },
                speed(row),
                row.lanecast_is_faster_by.unwrap_or(0.0),
                row.mismatches,
                row.answers_checked
            );
        }
        text.push('\n');
        text
    }
}
