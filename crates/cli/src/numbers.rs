//! Small tables with named columns: poses, beams, shots, reflectances.

use crate::failure::{Failure, Result};
use crate::output;
use lanecast_io::{excerpt, meant_column};
use std::io::Read;
use std::path::Path;

/// The rows of a CSV file, with the line that each stands in.
#[derive(Debug)]
pub(crate) struct Table<const N: usize, V = f64> {
    pub(crate) rows: Vec<[V; N]>,
    pub(crate) lines: Vec<usize>,
    /// Which of the columns are there.
    pub(crate) given: [bool; N],
    /// The names of the columns that are not read.
    pub(crate) ignored: Vec<String>,
}

/// Reads a CSV file of numbers with a header that names these columns, in any order; `-` is standard
/// input. The last `optional` columns may be missing, and are 0 then. A record is one line.
pub(crate) fn read<const N: usize>(
    path: &Path,
    columns: [&'static str; N],
    optional: usize,
) -> Result<Table<N>> {
    read_as(path, columns, optional, |text| {
        text.parse().map_err(|_| format!("{:?} is not a number", excerpt(text)))
    })
}

/// The same of values of another type, which are made of the text of a field, or a problem with it.
pub(crate) fn read_as<const N: usize, V: Default>(
    path: &Path,
    columns: [&'static str; N],
    optional: usize,
    value: impl Fn(&str) -> Result<V, String>,
) -> Result<Table<N, V>> {
    let name =
        if output::is_standard(path) { "standard input".into() } else { path.to_string_lossy() };
    let bytes = if output::is_standard(path) {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| Failure::about(&name, error))?;
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let lines = (1..).zip(text.split(['\n', '\r']));
    let mut records =
        lines.filter(|(_, line)| !line.trim().is_empty()).map(|(line, text)| (line, fields(text)));
    let refused = |line: usize, problem: &str| {
        Failure::about(&name, in_one_line(&format!("line {line}: {problem}")))
    };
    let needed = columns[..N - optional].join(", ");
    let Some((line, header)) = records.next() else {
        return Err(Failure::about(
            &name,
            format!("the file is empty; needed are the columns {needed}"),
        ));
    };
    for name in header.iter().filter(|name| !columns.contains(&&***name)) {
        if let Some(meant) = meant_column(name, &columns) {
            let name = excerpt(name);
            let problem = format!(
                "column \"{name}\" is not known; did you mean \"{meant}\"? rename it or remove it"
            );
            return Err(refused(line, &problem));
        }
    }
    let mut places = [None; N];
    for (number, (place, column)) in places.iter_mut().zip(columns).enumerate() {
        let mut found = (0..header.len()).filter(|&place| header[place] == column);
        *place = found.next();
        if place.is_none() && number < N - optional {
            let problem = format!("there is no column \"{column}\"; needed: {needed}");
            return Err(refused(line, &problem));
        }
        if found.next().is_some() {
            return Err(refused(line, &format!("column \"{column}\" stands there twice")));
        }
    }
    let ignored = header.iter().filter(|name| !columns.contains(&&***name)).cloned().collect();
    let given = places.map(|place| place.is_some());
    let mut table = Table { rows: Vec::new(), lines: Vec::new(), given, ignored };
    for (line, record) in records {
        let (found, expected) = (record.len(), header.len());
        if found != expected {
            let found = crate::number::counted(found, "field");
            return Err(refused(line, &format!("{found}, but the header has {expected}")));
        }
        let mut row = std::array::from_fn(|_| V::default());
        for (field, (column, &place)) in row.iter_mut().zip(columns.iter().zip(&places)) {
            let Some(place) = place else { continue };
            *field = value(&record[place])
                .map_err(|problem| refused(line, &format!("column \"{column}\": {problem}")))?;
        }
        table.rows.push(row);
        table.lines.push(line);
    }
    Ok(table)
}

/// The fields of a line.
fn fields(line: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .has_headers(false)
        .from_reader(line.as_bytes());
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

/// What is said of a file, on one line, whatever the file holds.
fn in_one_line(problem: &str) -> String {
    problem.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
