//! Rows as the arrays of an NPZ file: one of whole rows, one for each triple of numbers, or one for
//! each column.

use super::array::{Array, ArrayRows, Shape, scalar_of, size_of, unexpected_shape};
use super::columns::Names;
use super::format::Input;
use super::npy::shape_of;
use super::scalar::Scalar;
use super::{Column, Row, Source, near};
use crate::error::{FileName, InFile, Result, counted, list};
use crate::excerpt;
use crate::npy::NpyHeader;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use zip::ZipArchive;

/// What an array of a name holds.
#[derive(Debug, Clone, Copy)]
enum Holds {
    /// Whole rows.
    Rows,
    /// So many numbers from this one on.
    Numbers(usize, usize),
    Ids,
}

/// What the array of this name holds, if it is known.
fn holds<R: Row>(name: &str) -> Option<Holds> {
    let mut triples = R::TRIPLES.iter().map(|&(triple, first)| (triple, Holds::Numbers(first, 3)));
    let mut numbers =
        (0..).zip(R::NAMES).map(|(number, &column)| (column, Holds::Numbers(number, 1)));
    let whole = [(R::ARRAY, Holds::Rows), (R::ID_NAME, Holds::Ids)];
    let mut known = whole.into_iter().chain(triples.by_ref()).chain(numbers.by_ref());
    known.find(|&(known, _)| known == name).map(|(_, holds)| holds)
}

/// Opens an archive, with the names of its members. A name that stands there twice would be lost:
/// the last one counts.
pub(super) fn open_archive(
    file: &FileName,
    mut input: File,
) -> Result<(ZipArchive<File>, Vec<String>)> {
    let mut open = || -> io::Result<_> {
        let length = input.metadata()?.len();
        let mut end = Vec::new();
        input.seek(SeekFrom::Start(length.saturating_sub(END_AND_COMMENT)))?;
        input.by_ref().take(END_AND_COMMENT).read_to_end(&mut end)?;
        input.rewind()?;
        Ok((length, end))
    };
    let (length, end) = open().in_file(file)?;
    let mut archive = ZipArchive::new(input).map_err(|error| {
        let what = "truncated or no zip archive: no directory of its arrays at its end";
        file.foreign(&format!("{what}, byte {length}: "), error)
    })?;
    let members = archive.file_names().map(|name| name.map(Cow::into_owned));
    let members: Vec<String> =
        members.collect::<Result<_, _>>().map_err(|error| file.foreign("", error))?;
    // Counted modulo 2¹⁶, or, of larger archives, elsewhere.
    let comment = archive.comment().len();
    let counted = end.len().checked_sub(END + comment).and_then(|at| end[at..].get(10..12));
    let counted = counted.map_or(u16::MAX, |count| u16::from_le_bytes([count[0], count[1]]));
    if counted != u16::MAX && usize::from(counted) != members.len() {
        let there = members.len();
        let what = format_args!(
            "its directory counts {counted} members of {there} names: one stands there twice"
        );
        return Err(file.content(what));
    }
    // What is packed once would be unpacked for each.
    if archive.has_overlapping_entries().map_err(|error| file.foreign("", error))? {
        return Err(file.content("malformed: members of the archive share bytes"));
    }
    Ok((archive, members))
}

/// The bytes of the end of an archive, and the most that a comment may follow with (APPNOTE 6.3,
/// 4.3.16).
const END: usize = 22;
const END_AND_COMMENT: u64 = 22 + u16::MAX as u64;

/// Unpacks the values of a member to a temporary file: as many as its shape says, and one byte
/// more, so that too much is seen. Up to the end its checksum is not looked at.
pub(super) fn unpack(
    file: &FileName,
    mut packed: impl Read,
    shape: &Shape,
    scalar: Scalar,
) -> Result<File> {
    let most = u64::try_from(size_of(shape, scalar)).unwrap_or(u64::MAX).saturating_add(1);
    let mut unpack = || -> io::Result<_> {
        let mut unpacked = tempfile::tempfile()?;
        io::copy(&mut packed.by_ref().take(most), &mut unpacked)?;
        unpacked.rewind()?;
        Ok(unpacked)
    };
    unpack().in_file(file)
}

pub(super) fn open<R: Row>(file: &FileName, input: Input) -> Result<Source<R>> {
    let input = input.into_file().in_file(file)?;
    file.clone().guarded(|| {
        let (archive, members) = open_archive(file, input)?;
        open_members(file, archive, members)
    })
}

/// An array by itself that `numpy.savez` was given without a name is one of whole rows.
fn open_members<R: Row>(
    file: &FileName,
    mut archive: ZipArchive<File>,
    members: Vec<String>,
) -> Result<Source<R>> {
    let (mut rows, mut ignored) = (ArrayRows::new(file.clone()), Vec::new());
    let mut first: Option<(String, u64)> = None;
    let mut held_by: Vec<Option<String>> = vec![None; R::NAMES.len()];
    for member in &members {
        let name = name_of(member);
        let nameless = (members.len() == 1 && name == "arr_0").then_some(Holds::Rows);
        let Some(holds) = holds::<R>(name).or(nameless) else {
            refuse_near::<R>(file, name)?;
            ignored.push(name.to_owned());
            continue;
        };
        let mut array = open_array::<R>(file, &mut archive, member, holds)?;
        let count = array.shape.rows;
        let (of, known) = first.get_or_insert_with(|| (member.clone(), count));
        if *known != count {
            let what = format!("{member} has {}, {of} has {known}", counted(count, "row"));
            return Err(file.content(what));
        }
        rows.total = count;
        let (start, length) = match holds {
            Holds::Ids => {
                // It is whole, as `open_array` has seen to.
                rows.ids = array.scalar.whole().map(|id_type| (array, id_type));
                continue;
            }
            Holds::Rows => (0, array.shape.places.len()),
            Holds::Numbers(start, length) => (start, length),
        };
        for (held_by, number) in held_by[start..start + length].iter_mut().zip(&R::NAMES[start..]) {
            if let Some(other) = held_by.replace(member.clone()) {
                let what = format_args!("both {other} and {member} hold \"{number}\"");
                return Err(file.content(what));
            }
        }
        array.shape.places.iter_mut().for_each(|place| *place += start);
        rows.arrays.push(array);
    }
    if held_by[..R::REQUIRED].contains(&None) {
        let triples = R::TRIPLES
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect::<Vec<_>>()
            .join(" and ");
        let missing = (0..R::REQUIRED).filter(|&number| held_by[number].is_none());
        let missing = missing.map(|number| R::NAMES[number]).collect::<Vec<_>>().join(", ");
        let found = list(&members);
        let expected = if R::TRIPLES.is_empty() { String::new() } else { format!(" or {triples}") };
        let what =
            format!("no array of {missing}: expected \"{}\"{expected}; found {found}", R::ARRAY);
        return Err(file.content(what));
    }
    let (total, has_ids) = (rows.total, rows.ids.is_some());
    let names = Names::new(members.iter().map(|member| name_of(member).to_owned()).collect());
    rows.members = Some(Members { file: file.clone(), archive, members, names });
    Ok(Source::new(rows, Some(total), has_ids, ignored))
}

/// The arrays of a file, any of which may be a column that is kept.
pub(super) struct Members {
    file: FileName,
    archive: ZipArchive<File>,
    members: Vec<String>,
    /// What they are called.
    names: Names,
}

impl Members {
    /// Whether the header of the array of a name says that it can be kept.
    pub(super) fn can_keep(&mut self, name: &str, rows: u64) -> bool {
        self.with_header(name, rows, |_, _, _| Ok(())).is_ok()
    }

    /// Opens the array of a name, which is to have a number or a boolean for each of so many rows;
    /// with it no values of its kind.
    pub(super) fn column(&mut self, name: &str, rows: u64) -> Result<(Array, Column)> {
        self.with_header(name, rows, |file, packed, kept| {
            let Kept { header, scalar, shape, kind } = kept;
            let unpacked = unpack(&file, packed, &shape, scalar)?;
            Ok((Array::open(file, &header, scalar, shape, Input::File(unpacked))?, kind))
        })
    }

    /// Does something with the array of a name behind its header.
    fn with_header<T>(
        &mut self,
        name: &str,
        rows: u64,
        then: impl FnOnce(FileName, &mut dyn Read, Kept) -> Result<T>,
    ) -> Result<T> {
        let Self { file, archive, members, names } = self;
        let member = &members[names.place_of("array", name).in_file(file)?];
        file.clone().guarded(|| {
            let file = file.part(member);
            let mut packed = archive.by_name(member).map_err(|error| file.foreign("", error))?;
            let kept = Kept::read(&file, &mut packed, rows)?;
            then(file, &mut packed, kept)
        })
    }
}

/// What the header of an array says that is to be a column of so many rows.
struct Kept {
    header: NpyHeader,
    scalar: Scalar,
    shape: Shape,
    /// No values of its kind.
    kind: Column,
}

impl Kept {
    fn read(file: &FileName, packed: &mut impl Read, rows: u64) -> Result<Self> {
        let mut header = NpyHeader::read(file, packed)?;
        let is_truth = header.descr == "|b1";
        if is_truth {
            "|u1".clone_into(&mut header.descr);
        }
        let scalar = scalar_of(file, &header)?;
        let shape = column_of(&header)
            .ok_or_else(|| unexpected_shape(&header, "(N,) or (N, 1)"))
            .in_file(file)?;
        if shape.rows != rows {
            let found = counted(shape.rows, "row");
            return Err(file.content(format_args!("{found}, where {rows} are read")));
        }
        let kind = match is_truth {
            true => Column::Bool(Vec::new()),
            false => Column::of_scalar(scalar.kind),
        };
        Ok(Self { header, scalar, shape, kind })
    }
}

/// What the array in a member is called.
pub(super) fn name_of(member: &str) -> &str {
    member.strip_suffix(".npy").unwrap_or(member)
}

/// The shape of an array with one value for each row.
fn column_of(header: &NpyHeader) -> Option<Shape> {
    match header.shape[..] {
        [rows] => Some(Shape { rows, places: vec![0] }),
        _ => Shape::of(header, 1),
    }
}

/// A name that nearly is that of a known array.
fn refuse_near<R: Row>(file: &FileName, name: &str) -> Result<()> {
    let triples = R::TRIPLES.iter().map(|&(name, _)| name);
    let known = R::NAMES.iter().copied().chain([R::ARRAY, R::ID_NAME]).chain(triples);
    match near::meant(name, known, R::ALIASES) {
        Some(meant) => {
            let name = excerpt(name);
            let what = format_args!(
                "array \"{name}\" is not known; did you mean \"{meant}\"? rename it or remove it"
            );
            Err(file.content(what))
        }
        None => Ok(()),
    }
}

/// Opens a member, whose values go to a temporary file: those of several cannot be unpacked in
/// turns.
fn open_array<R: Row>(
    file: &FileName,
    archive: &mut ZipArchive<File>,
    member: &str,
    holds: Holds,
) -> Result<Array> {
    let file = file.part(member);
    let mut packed = archive.by_name(member).map_err(|error| file.foreign("", error))?;
    let header = NpyHeader::read(&file, &mut packed)?;
    let scalar = scalar_of(&file, &header)?;
    let shape = match holds {
        Holds::Rows => shape_of::<R>(&header),
        Holds::Numbers(_, 3) => {
            Shape::of(&header, 3).ok_or_else(|| unexpected_shape(&header, "(N, 3) or (3,)"))
        }
        Holds::Numbers(..) | Holds::Ids => {
            column_of(&header).ok_or_else(|| unexpected_shape(&header, "(N,) or (N, 1)"))
        }
    };
    let shape = shape.in_file(&file)?;
    if matches!(holds, Holds::Ids) && scalar.whole().is_none() {
        let found = excerpt(&header.descr).into_owned();
        return Err(
            file.content(format_args!("values of the type {found:?}; expected whole numbers"))
        );
    }
    let unpacked = unpack(&file, packed, &shape, scalar)?;
    Array::open(file, &header, scalar, shape, Input::File(unpacked))
}
