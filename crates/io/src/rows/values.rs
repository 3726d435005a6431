//! One column of numbers, of any name.

use super::Moved;
use super::array::{Array, Input, Shape, scalar_of, size_of, unexpected_shape};
use super::npy::PIECE;
use crate::error::{FileName, Result, extension, list, unknown_format};
use crate::excerpt;
use crate::npy::NpyHeader;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// Reads one column of numbers, rounded to the nearest `f32`: an NPY array of the shape (N,) or (N, 1), the array of an NPZ
/// file or the column of a CSV file that is called `name`. Without a name there must be one alone. An empty field is NaN.
///
/// # Errors
/// The file cannot be read, has no such column, or holds what is no number. The message names the file and the place.
pub fn read_values(path: &Path, name: Option<&str>) -> Result<Vec<f32>> {
    let file = FileName::of(path);
    let open = || File::open(path).map_err(|error| file.system(error));
    match (extension(path).as_str(), name) {
        ("npy", Some(name)) => {
            let what = format!("an NPY array has no columns, and none is \"{}\"", excerpt(name));
            Err(file.content(what))
        }
        ("npy", None) => of_array(file.clone(), Input::File(open()?)),
        ("npz", _) => file.clone().guarded(|| of_member(&file, open()?, name)),
        ("csv", _) => of_csv(&file, open()?, name),
        (other, _) => Err(file.content(unknown_format("value", other, "npy, npz, csv"))),
    }
}

fn of_array(file: FileName, mut input: Input) -> Result<Vec<f32>> {
    let header = NpyHeader::read(&file, &mut input)?;
    let scalar = scalar_of(&file, &header)?;
    let ([rows] | [rows, 1]) = header.shape[..] else {
        return Err(file.content(unexpected_shape(&header, "(N,) or (N, 1)")));
    };
    let shape = Shape { rows, places: vec![0] };
    if size_of(&shape, scalar) > u128::from(u64::MAX) {
        return Err(file.content(format_args!("truncated: the header promises {rows} rows")));
    }
    let mut array = Array::open(file, &header, scalar, shape, input)?;
    let mut values = Vec::new();
    let mut left = rows;
    while left > 0 {
        let piece = left.min(PIECE as u64);
        let start = values.len();
        values.resize(start + piece as usize, 0.0);
        array.read_numbers(&mut values[start..], 1, &mut Moved::default())?;
        left -= piece;
    }
    array.end()?;
    Ok(values)
}

/// The one that is meant of those that there are.
fn chosen(file: &FileName, what: &str, names: &[String], name: Option<&str>) -> Result<usize> {
    let is_meant = |found: &String| name.is_none_or(|name| found == name);
    let mut meant = (0..names.len()).filter(|&place| is_meant(&names[place]));
    match (meant.next(), meant.next(), name) {
        (Some(place), None, _) => Ok(place),
        (None, _, Some(name)) => {
            let name = excerpt(name);
            Err(file.content(format_args!("there is no {what} \"{name}\"; found {}", list(names))))
        }
        (None, _, None) => Err(file.content(format_args!("there is no {what}"))),
        (_, _, Some(name)) => {
            Err(file.content(format_args!("{what} \"{}\" stands there twice", excerpt(name))))
        }
        (_, _, None) => {
            Err(file.content(format_args!("name one {what} of {}, as in FILE:NAME", list(names))))
        }
    }
}

fn of_member(file: &FileName, input: File, name: Option<&str>) -> Result<Vec<f32>> {
    let mut archive = zip::ZipArchive::new(input).map_err(|error| file.foreign("", error))?;
    let members = archive.file_names().map(|name| name.map(std::borrow::Cow::into_owned));
    let members: Vec<String> = members.collect::<Result<_, _>>().map_err(|error| file.foreign("", error))?;
    let names: Vec<_> =
        members.iter().map(|name| name.strip_suffix(".npy").unwrap_or(name).to_owned()).collect();
    let member = &members[chosen(file, "array", &names, name)?];
    let part = file.part(member);
    let mut packed = archive.by_name(member).map_err(|error| file.foreign("", error))?;
    let mut unpack = || {
        let mut unpacked = tempfile::tempfile()?;
        std::io::copy(&mut packed.by_ref(), &mut unpacked)?;
        unpacked.rewind()?;
        Ok(unpacked)
    };
    let unpacked = unpack().map_err(|error| part.system(error))?;
    of_array(part, Input::File(unpacked))
}

fn of_csv(file: &FileName, input: File, name: Option<&str>) -> Result<Vec<f32>> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let explain = |error: csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        file.at_line(line.max(1), error)
    };
    let header = reader.byte_headers().map_err(explain)?;
    let names: Vec<_> = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let place = chosen(file, "column", &names, name)?;
    let mut values = Vec::new();
    for record in reader.byte_records() {
        let record = record.map_err(explain)?;
        let field = String::from_utf8_lossy(record.get(place).unwrap_or_default());
        let value = if field.is_empty() { Some(f32::NAN) } else { field.parse().ok() };
        values.push(value.ok_or_else(|| {
            let line = record.position().map_or(0, csv::Position::line);
            let (name, field) = (excerpt(&names[place]), excerpt(&field));
            file.at_line(line, format_args!("column \"{name}\": {field:?} is not a number"))
        })?);
    }
    Ok(values)
}
