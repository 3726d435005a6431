//! One column of numbers, of any name.

use super::Moved;
use super::array::{Array, PIECE, Shape, scalar_of, size_of, unexpected_shape};
use super::csv::Table;
use super::format::Input;
use super::npz;
use super::scalar::Scalar;
use crate::error::{FileName, InFile, Result, extension, list, unknown_format};
use crate::excerpt;
use crate::npy::NpyHeader;
use std::fs::File;
use std::path::Path;

/// Reads one column of numbers, rounded to the nearest `f32`: an NPY array of the shape (N,) or (N,
/// 1), the array of an NPZ file or the column of a CSV file that is called `name`. Without a name
/// there must be one alone. An empty field is NaN.
///
/// # Errors
/// The file cannot be read, has no such column, or holds what is no number. The message names the
/// file and the place.
pub fn read_values(path: &Path, name: Option<&str>) -> Result<Vec<f32>> {
    let file = FileName::of(path);
    let open = || File::open(path).in_file(&file);
    match (extension(path).as_str(), name) {
        ("npy", Some(name)) => {
            let what = format!("an NPY array has no columns, and none is \"{}\"", excerpt(name));
            Err(file.content(what))
        }
        ("npy", None) => {
            let mut input = open()?;
            let header = NpyHeader::read(&file, &mut input)?;
            let (shape, scalar) = shape_of(&file, &header)?;
            of_array(file, &header, shape, scalar, Input::File(input))
        }
        ("npz", _) => file.clone().guarded(|| of_member(&file, open()?, name)),
        ("csv", _) => of_csv(&file, open()?, name),
        (other, _) => Err(file.content(unknown_format("value", other, "npy, npz, csv"))),
    }
}

fn shape_of(file: &FileName, header: &NpyHeader) -> Result<(Shape, Scalar)> {
    let scalar = scalar_of(file, header)?;
    let ([rows] | [rows, 1]) = header.shape[..] else {
        return Err(file.content(unexpected_shape(header, "(N,) or (N, 1)")));
    };
    let shape = Shape { rows, places: vec![0] };
    if size_of(&shape, scalar) > u128::from(u64::MAX) {
        return Err(file.content(format_args!("truncated: the header promises {rows} rows")));
    }
    Ok((shape, scalar))
}

fn of_array(
    file: FileName,
    header: &NpyHeader,
    shape: Shape,
    scalar: Scalar,
    input: Input,
) -> Result<Vec<f32>> {
    let mut left = shape.rows;
    let there = match &input {
        Input::File(opened) => opened.metadata().in_file(&file)?.len() / scalar.size() as u64,
        Input::Pipe(_) => 0,
    };
    let mut array = Array::open(file, header, scalar, shape, input)?;
    // As many as there can be; more would be moved as they grow.
    let mut values = Vec::with_capacity(left.min(there) as usize);
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
    let (mut archive, members) = npz::open_archive(file, input)?;
    let names: Vec<_> = members.iter().map(|member| npz::name_of(member).to_owned()).collect();
    let member = &members[chosen(file, "array", &names, name)?];
    let part = file.part(member);
    let mut packed = archive.by_name(member).map_err(|error| file.foreign("", error))?;
    let header = NpyHeader::read(&part, &mut packed)?;
    let (shape, scalar) = shape_of(&part, &header)?;
    let unpacked = npz::unpack(&part, packed, &shape, scalar)?;
    of_array(part, &header, shape, scalar, Input::File(unpacked))
}

fn of_csv(file: &FileName, input: File, name: Option<&str>) -> Result<Vec<f32>> {
    let mut table = Table::open(file.clone(), Box::new(input))?;
    let place = chosen(file, "column", &table.names, name)?;
    let mut values = Vec::new();
    while table.next()? {
        let text = table.field(place);
        values.push(match &*text {
            "" => f32::NAN,
            text => text.parse().map_err(|_| table.wrong(&table.names[place], text, "a number"))?,
        });
    }
    Ok(values)
}
