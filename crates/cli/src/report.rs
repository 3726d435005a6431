//! What the program says: results on standard output, remarks on standard error.
//!
//! Nothing else in the program writes to either (but hits and pictures sent to `-`, and the help).

use crate::failure::{Failure, Result};
use crate::output;
use lanecast_io::{excerpt, excerpt_of_name};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// Writes text to standard output.
///
/// # Errors
/// [`Failure::BrokenPipe`] when nobody reads it.
pub(crate) fn say(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::about("standard output", error),
    })
}

/// Writes a report as JSON to standard output.
pub(crate) fn say_json(report: &impl Serialize) -> Result<()> {
    say(&json(report)?)
}

/// A report as JSON text, one indented object.
pub(crate) fn json(report: &impl Serialize) -> Result<String> {
    let text =
        serde_json::to_string_pretty(report).map_err(|error| Failure::about("report", error))?;
    Ok(text + "\n")
}

/// Says what a subcommand has done beside its results at `output`: in a line for people on standard
/// error, or as JSON on standard output, on standard error if the results go there.
pub(crate) fn sum_up(
    summary: &impl Serialize,
    line: impl FnOnce() -> String,
    as_json: bool,
    output: &Path,
) -> Result<()> {
    match (as_json, output::is_standard(output)) {
        (true, false) => say_json(summary)?,
        (true, true) => remark(json(summary)?.trim_end()),
        (false, _) => remark(&line()),
    }
    Ok(())
}

/// Writes text to standard error. Where that fails there is nobody left to tell.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says in one line what went wrong or looks wrong, whatever names of files have in them.
pub(crate) fn complain(message: &str) {
    let mut line = "lanecast: ".to_owned();
    for character in message.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    remark(&line);
}

/// Says on standard error why the program ends early, in one line or not at all, and returns its
/// exit code.
pub(crate) fn end(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Message(message) => {
            complain(message);
            ExitCode::from(2)
        }
        Failure::BrokenPipe => ExitCode::SUCCESS,
        Failure::Differs => ExitCode::from(1),
        Failure::Interrupted => ExitCode::from(130),
    }
}

/// Names the columns of an input that nothing is done with.
pub(crate) fn name_ignored(input: &Path, columns: &[String]) {
    if columns.is_empty() {
        return;
    }
    let shown = |name: &String| {
        if name.is_empty() { "\"\"".to_owned() } else { name.escape_debug().to_string() }
    };
    let names = columns.iter().map(shown).collect::<Vec<_>>().join(", ");
    let input = excerpt_of_name(&input.display().to_string()).into_owned();
    complain(&format!("{input}: ignored columns: {}", excerpt(&names)));
}

/// Rows of text in columns: the first `left` columns flush left, the others flush right.
pub(crate) fn table(left: usize, rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max()
    };
    let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            line.push_str(&if column < left {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
#[path = "../tests/unit/report.rs"]
mod tests;
