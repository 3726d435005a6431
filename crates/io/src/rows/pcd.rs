//! Points as a PCD file of the Point Cloud Library: a header of a line a word, then text, records,
//! or packed columns.
//!
//! The format is that of <https://pointclouds.org/documentation/tutorials/pcd_file_format.html>.

use super::lines::Lines;
use super::lzf;
use super::records::{self, Field, Layout};
use super::scalar::{Kind, Scalar};
use super::{Row, Source};
use crate::error::{FileName, Result, counted};
use crate::excerpt;
use std::io::{self, Cursor, Read};

/// PCD files begin with a remark that says so, or with their version.
pub(super) const MAGICS: [&[u8]; 2] = [b"# .PCD", b"VERSIO"];

pub(super) fn open<R: Row>(file: FileName, reader: Box<dyn Read + Send>) -> Result<Source<R>> {
    let mut lines = Lines::new(file.clone(), reader);
    let [mut names, mut sizes, mut types, mut counts]: [Vec<String>; 4] = Default::default();
    let (mut size, mut points) = ([None; 2], None);
    let data = loop {
        let Some(line) = lines.next()? else {
            return Err(file.content("truncated: the header has no \"DATA\""));
        };
        let mut words = line.split_ascii_whitespace();
        let key = words.next().unwrap_or_default();
        let values: Vec<_> = words.map(str::to_owned).collect();
        let number = || match &values[..] {
            [number] => number.parse::<u64>().ok(),
            _ => None,
        };
        let wrong =
            || lines.wrong(format_args!("not a line of a PCD header: {:?}", excerpt(&line)));
        match key {
            "" | "VERSION" | "VIEWPOINT" => {}
            _ if key.starts_with('#') => {}
            "FIELDS" | "COLUMNS" => names = values,
            "SIZE" => sizes = values,
            "TYPE" => types = values,
            "COUNT" => counts = values,
            "WIDTH" => size[0] = Some(number().ok_or_else(wrong)?),
            "HEIGHT" => size[1] = Some(number().ok_or_else(wrong)?),
            "POINTS" => points = Some(number().ok_or_else(wrong)?),
            "DATA" => break values.concat(),
            _ => return Err(wrong()),
        }
    };
    let (is_text, is_packed) = match data.as_str() {
        "ascii" => (true, false),
        "binary" => (false, false),
        "binary_compressed" => (false, true),
        other => return Err(file.content(format_args!("unknown PCD data {:?}", excerpt(other)))),
    };
    let area = size[0].zip(size[1]).and_then(|(width, height)| width.checked_mul(height));
    let count = match (points, area) {
        (Some(points), Some(area)) if points != area => {
            return Err(file.content(format_args!(
                "the header counts {points} points, and by its size {area}"
            )));
        }
        (points, area) => points.or(area),
    };
    let count = count.ok_or_else(|| file.content("the header does not count the points"))?;
    let of_one = vec!["1".to_owned(); names.len()];
    let counts = if counts.is_empty() { of_one } else { counts };
    if [&sizes, &types, &counts].iter().any(|values| values.len() != names.len()) {
        return Err(file.content("FIELDS, SIZE, TYPE and COUNT have not as many values each"));
    }
    let (mut fields, mut columns, mut of_names) = (Vec::new(), Vec::new(), 0);
    for (((name, size), kind), count) in names.iter().zip(&sizes).zip(&types).zip(&counts) {
        let field = excerpt(name).into_owned();
        let kind = kind_of(kind, size).ok_or_else(|| {
            let (kind, size) = (excerpt(kind), excerpt(size));
            file.content(format_args!("field \"{field}\": unknown TYPE {kind} of SIZE {size}"))
        })?;
        let count =
            count.parse().ok().filter(|count| fields.len().saturating_add(*count) <= MOST_NUMBERS);
        let count: usize = count.ok_or_else(|| {
            file.content(format_args!("field \"{field}\": a COUNT that is too large"))
        })?;
        if count == 0 {
            // The Point Cloud Library refuses it too.
            let what = "COUNT 0; a field has one number or more";
            return Err(file.content(format_args!("field \"{field}\": {what}")));
        }
        if count > 1 {
            of_names += count * name.len();
        }
        if of_names > MOST_OF_NAMES {
            return Err(file.content(format_args!(
                "field \"{field}\": the names of numbers up to its last take {of_names} bytes; at \
                 most {MOST_OF_NAMES} are read"
            )));
        }
        let scalar = Scalar { kind, big_endian: false };
        // Several numbers of a name are none of a row's.
        let name_of =
            |place: usize| if count == 1 { name.clone() } else { format!("{name}[{place}]") };
        fields.extend((0..count).map(|place| Field { name: name_of(place), scalar }));
        let first = fields.len() - count;
        columns.push(Column {
            is_padding: name == PADDING,
            first,
            count,
            size: count * scalar.size(),
        });
    }
    if is_packed {
        lines = unpack(&file, lines, count, &mut fields, columns)?;
    }
    let layout = Layout {
        fields,
        count,
        is_text,
        what: "point",
        whats: "points",
        spans_lines: false,
        rest: None,
    };
    records::open(file, lines, layout)
}

/// Numbers of a point: histograms of features have up to some thousand.
const MOST_NUMBERS: usize = 1 << 14;
/// Each number of a field of several has a name that begins with that of the field: so many bytes of
/// such names are believed.
const MOST_OF_NAMES: usize = 64 * MOST_NUMBERS;
/// The name of a field that is none, but room between others.
const PADDING: &str = "_";

/// A field, whose values stand together where points are packed.
struct Column {
    is_padding: bool,
    /// Its first number among those of all fields, and how many it has.
    first: usize,
    count: usize,
    /// How many bytes a point has of it.
    size: usize,
}

/// The packed columns behind a header as records. The Point Cloud Library leaves padding out of
/// them.
fn unpack(
    file: &FileName,
    mut lines: Lines,
    count: u64,
    fields: &mut Vec<Field>,
    mut columns: Vec<Column>,
) -> Result<Lines> {
    let mut lengths = [[0; 4]; 2];
    if lines.fill(lengths.as_flattened_mut())? < size_of_val(&lengths) {
        return Err(file.content("truncated: the lengths of its packed points are incomplete"));
    }
    let [packed, unpacked] = lengths.map(|length| u64::from(u32::from_le_bytes(length)));
    let record = |columns: &[Column]| columns.iter().map(|column| column.size).sum::<usize>();
    let is_whole =
        |columns: &[Column]| u128::from(count) * record(columns) as u128 == u128::from(unpacked);
    if !is_whole(&columns) {
        for padding in columns.iter().rev().filter(|column| column.is_padding) {
            fields.drain(padding.first..padding.first + padding.count);
        }
        columns.retain(|column| !column.is_padding);
    }
    if !is_whole(&columns) {
        let (size, points) = (record(&columns), counted(count, "point"));
        return Err(file.content(format_args!(
            "malformed: {points} of {size} bytes each, which unpack to {unpacked} bytes"
        )));
    }
    let bytes = lines.take(packed)?;
    if (bytes.len() as u64) < packed {
        let there = bytes.len();
        return Err(file.content(format_args!(
            "truncated: {there} of {packed} bytes of packed points are there"
        )));
    }
    let unpacked = lzf::unpack(&bytes, unpacked as usize)
        .map_err(|what| file.content(format_args!("damaged: its packed points {what}")))?;
    drop(bytes);
    let mut places = Vec::with_capacity(columns.len());
    let mut start = 0;
    for Column { size, .. } in &columns {
        places.push((start, *size));
        start += count as usize * size;
    }
    let records = Unpacked {
        bytes: unpacked,
        columns: places,
        size: record(&columns),
        next: 0,
        piece: Cursor::default(),
    };
    Ok(lines.after(records))
}

/// Columns as the records that they are, which are put together as they are read.
struct Unpacked {
    bytes: Vec<u8>,
    /// Where each column begins, and how many bytes a record has of it.
    columns: Vec<(usize, usize)>,
    /// The bytes of a record.
    size: usize,
    /// The record that is put together next.
    next: usize,
    /// Those that are read.
    piece: Cursor<Vec<u8>>,
}

/// Records are put together in pieces of so many bytes.
const PIECE: usize = 1 << 16;

impl Unpacked {
    fn next_piece(&mut self) {
        let Self { bytes, columns, next, piece, .. } = self;
        let size = self.size.max(1);
        let left = bytes.len() / size - *next;
        let count = left.min((PIECE / size).max(1));
        piece.set_position(0);
        let records = piece.get_mut();
        records.resize(count * size, 0);
        let mut at = 0;
        for &(start, width) in &*columns {
            let values = bytes[start + *next * width..].chunks_exact(width);
            for (record, value) in records.chunks_exact_mut(size).zip(values) {
                record[at..at + width].copy_from_slice(value);
            }
            at += width;
        }
        *next += count;
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64 {
            self.next_piece();
        }
        self.piece.read(buffer)
    }
}

fn kind_of(kind: &str, size: &str) -> Option<Kind> {
    match kind {
        "F" => Kind::of("f", size).filter(|kind| *kind != Kind::F16),
        "I" => Kind::of("i", size),
        "U" => Kind::of("u", size),
        _ => None,
    }
}
