//! Small tables of numbers with named columns: poses, beams.

use crate::failure::{Failure, Result};
use crate::output;
use crate::report;
use lanecast_io::excerpt;
use std::fs::File;
use std::path::Path;

/// Reads a CSV file with a header that names at least these columns, in any order; `-` is standard input.
pub(crate) fn read<const N: usize>(path: &Path, columns: [&str; N]) -> Result<Vec<[f64; N]>> {
    read_with(path, columns, 0)
}

/// The same where the last `optional` columns may be missing, and are 0 then.
pub(crate) fn read_with<const N: usize>(
    path: &Path,
    columns: [&str; N],
    optional: usize,
) -> Result<Vec<[f64; N]>> {
    let standard = output::is_standard(path);
    let name = if standard { "standard input".to_owned() } else { path.display().to_string() };
    let about = |problem: &dyn std::fmt::Display| Failure::about(&name, in_one_line(problem));
    let input: Box<dyn std::io::Read> = if standard {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| about(&error))?)
    };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let header = reader.headers().map_err(|error| about(&error))?;
    let mut places = [None; N];
    for (number, (place, column)) in places.iter_mut().zip(columns).enumerate() {
        let mut found = (0..header.len()).filter(|&place| &header[place] == column);
        *place = found.next();
        if place.is_none() && number < N - optional {
            let needed = columns[..N - optional].join(", ");
            return Err(about(&format!("line 1: there is no column \"{column}\"; needed: {needed}")));
        }
        if found.next().is_some() {
            return Err(about(&format!("line 1: column \"{column}\" stands there twice")));
        }
    }
    let ignored: Vec<_> = header.iter().filter(|name| !columns.contains(name)).map(str::to_owned).collect();
    report::name_ignored(path, &ignored, false);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| about(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut row = [0.0; N];
        for (number, (column, &place)) in row.iter_mut().zip(columns.iter().zip(&places)) {
            let Some(place) = place else { continue };
            let text = record.get(place).unwrap_or_default();
            *number = text.parse().map_err(|_| {
                let text = excerpt(text);
                about(&format!("line {line}: column \"{column}\": {text:?} is not a number"))
            })?;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What is said of a file, on one line, whatever the file holds.
fn in_one_line(problem: &dyn std::fmt::Display) -> String {
    problem.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
