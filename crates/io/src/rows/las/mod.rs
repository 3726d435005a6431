//! Points of LAS and LAZ files, the formats of airborne laser scans (ASPRS LAS 1.4).
//!
//! `las` reads the header and knows the layouts of points, `laz` unpacks them. What a file says of
//! lengths is held against its own length first (`head` and `packed`): both crates allocate what
//! they are told.

mod extra;
mod head;
mod packed;

use super::array::refuse_beyond;
use super::columns::Names;
use super::format::Input;
use super::{Chunk, Column, Row, Rows, Source};
use crate::error::{FileName, InFile, Result};
use extra::Extra;
use head::Head;
use las::{PointData, PointDataBuilder};
use packed::Packed;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

/// Points are read in pieces of so many at most, and of so many bytes.
const PIECE: u64 = 8192;
const PIECE_BYTES: u64 = 1 << 20;

struct LasRows {
    file: FileName,
    data: Data,
    /// The piece being handed out, and how many of its points have been.
    points: PointData,
    from: usize,
    /// The names of what points have beside their positions, and which of them are kept. Those of
    /// extra dimensions are the last.
    more: Names,
    extra: Vec<Extra>,
    kept: Vec<usize>,
    /// How many points have been read into pieces.
    read: u64,
    total: u64,
}

enum Data {
    Plain(BufReader<File>),
    Packed(Packed),
}

pub(super) fn open<R: Row>(file: FileName, input: Input) -> Result<Source<R>> {
    let mut input = BufReader::new(input.into_file().in_file(&file)?);
    let head = Head::read(&file, &mut input)?;
    let format = head.format;
    let points =
        PointDataBuilder::new().with_format(format).with_transforms(head.transforms).build();
    let data = match &head.packing {
        Some(packing) => Data::Packed(file.guarded(|| Packed::open(&file, input, &head, packing))?),
        None => {
            head.check_end_of_points(&file, &mut input)?;
            let sought = input.seek(SeekFrom::Start(head.points_at));
            sought.in_file(&file)?;
            Data::Plain(input)
        }
    };
    let (extra, has_others) = Extra::read(&head.extra, format.extra_bytes.into());
    let more = [
        ("gps_time", format.has_gps_time),
        ("red", format.has_color),
        ("green", format.has_color),
        ("blue", format.has_color),
        ("nir", format.has_nir),
        ("waveform", format.has_waveform),
        (OTHER_BYTES, has_others),
    ];
    let more = more.into_iter().filter(|&(_, is_there)| is_there).map(|(name, _)| name);
    let more = OF_EVERY_POINT.into_iter().chain(more).map(str::to_owned);
    let more: Vec<_> = more.chain(extra.iter().map(|extra| extra.name.clone())).collect();
    let total = head.count;
    let (ignored, more, kept) = (more.clone(), Names::new(more), Vec::new());
    let rows = LasRows { file, data, points, from: 0, more, extra, kept, read: 0, total };
    Ok(Source::new(rows, Some(total), false, ignored))
}

impl LasRows {
    /// Reads the next piece; there is one.
    fn next_piece(&mut self) -> Result<()> {
        let Self { file, data, points, read, total, .. } = self;
        let of_bytes = PIECE_BYTES / (points.record_len() as u64).max(1);
        let wanted = (*total - *read).min(of_bytes.clamp(1, PIECE));
        file.guarded(|| match data {
            Data::Plain(input) => {
                input.read_exact(points.resize_for(wanted as usize)).map_err(|error| {
                    // Of a file that became shorter since it was opened.
                    file.foreign(&among(&error, *read, wanted, *total), error)
                })
            }
            Data::Packed(packed) => packed.fill(file, points, *read, wanted),
        })?;
        (*read, self.from) = (*read + self.points.len() as u64, 0);
        Ok(())
    }

    /// Appends what some points of the piece have in an extra dimension.
    fn put_extra(&self, extra: &Extra, range: &Range<usize>, to: &mut Column) -> Result<()> {
        let (points, length) = (&self.points, self.points.record_len());
        let fields = length - usize::from(points.format().extra_bytes);
        let records = points.raw_bytes()[range.start * length..].chunks_exact(length);
        let before = self.read - points.len() as u64;
        for (row, record) in range.clone().zip(records) {
            let beyond = extra.put(&record[fields..], to).err().map(|value| (row, value));
            refuse_beyond(&self.file, before, beyond)?;
        }
        Ok(())
    }
}

/// Where reading points went wrong.
fn among(error: &io::Error, from: u64, count: u64, total: u64) -> String {
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "truncated or damaged",
        _ => "damaged",
    };
    format!("{what} among the points {from} to {} of {total}: ", from + count - 1)
}

/// What extra bytes are called of which no record says that they are numbers.
const OTHER_BYTES: &str = "extra_bytes";

/// What every point has beside its position.
const OF_EVERY_POINT: [&str; 9] = [
    "intensity",
    "return_number",
    "number_of_returns",
    "scan_direction",
    "edge_of_flight_line",
    "classification",
    "scan_angle",
    "user_data",
    "point_source_id",
];

/// No values of what points have under this name, where that is one number.
fn kind_of(name: &str) -> Option<Column> {
    match name {
        "scan_angle" => Some(Column::F32(Vec::new())),
        "gps_time" => Some(Column::F64(Vec::new())),
        "waveform" | OTHER_BYTES => None,
        _ => Some(Column::I64(Vec::new())),
    }
}

/// Appends what some points of a piece have under a name.
fn put_kept(points: &PointData, range: &Range<usize>, name: &str, to: &mut Column) {
    fn put<V>(
        to: &mut Vec<Option<V>>,
        range: &Range<usize>,
        values: impl Iterator<Item = impl Into<V>>,
    ) {
        to.extend(values.skip(range.start).take(range.len()).map(|value| Some(value.into())));
    }
    let flag = |bit: u8| {
        // ASPRS LAS 1.4, tables 7 and 16.
        let at = if points.format().is_extended { 15 } else { 14 };
        let records = points.raw_bytes().chunks_exact(points.record_len());
        records.map(move |record| record[at] >> bit & 1)
    };
    let colors = |place: usize| {
        let colors = points.rgb().into_iter().flatten();
        colors.map(move |(red, green, blue)| [red, green, blue][place])
    };
    match (to, name) {
        (Column::F32(to), _) => put(to, range, points.scan_angle_degrees()),
        (Column::F64(to), _) => put(to, range, points.gps_time().into_iter().flatten()),
        (Column::I64(to), "intensity") => put(to, range, points.intensity()),
        (Column::I64(to), "return_number") => put(to, range, points.return_number()),
        (Column::I64(to), "number_of_returns") => put(to, range, points.number_of_returns()),
        (Column::I64(to), "scan_direction") => put(to, range, flag(6)),
        (Column::I64(to), "edge_of_flight_line") => put(to, range, flag(7)),
        (Column::I64(to), "classification") => put(to, range, points.classification()),
        (Column::I64(to), "user_data") => put(to, range, points.user_data()),
        (Column::I64(to), "point_source_id") => put(to, range, points.point_source_id()),
        (Column::I64(to), "red") => put(to, range, colors(0)),
        (Column::I64(to), "green") => put(to, range, colors(1)),
        (Column::I64(to), "blue") => put(to, range, colors(2)),
        (Column::I64(to), "nir") => put(to, range, points.nir().into_iter().flatten()),
        (to, name) => unreachable!("{name} to {to:?}"),
    }
}

impl<R: Row> Rows<R> for LasRows {
    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>> {
        let Self { more, extra, kept, file, .. } = self;
        let places = names.iter().map(|name| more.place_of("dimension", name));
        *kept = places.collect::<Result<_, _>>().in_file(file)?;
        let fields = more.len() - extra.len();
        let kind = |&place: &usize| {
            let kind = match place.checked_sub(fields) {
                Some(place) => Some(extra[place].none()),
                None => kind_of(&more[place]),
            };
            kind.ok_or_else(|| {
                let name = &more[place];
                file.content(format_args!("\"{name}\" is not kept: it is not one number"))
            })
        };
        kept.iter().map(kind).collect()
    }

    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        let Chunk { rows, kept, moved, .. } = chunk;
        let mut wanted = max_rows - rows.len();
        while wanted > 0 {
            let there = self.points.len() - self.from;
            if there == 0 {
                if self.read == self.total {
                    break;
                }
                self.next_piece()?;
                continue;
            }
            let taken = wanted.min(there);
            let points = self.points.x().zip(self.points.y()).zip(self.points.z());
            rows.extend(points.skip(self.from).take(taken).map(|((x, y), z)| {
                let mut row = R::BLANK;
                let numbers = row.numbers().iter_mut().zip([x, y, z]).enumerate();
                numbers.for_each(|(place, (number, value))| *number = moved.nearest(place, value));
                row
            }));
            let range = self.from..self.from + taken;
            let fields = self.more.len() - self.extra.len();
            for (&place, to) in self.kept.iter().zip(&mut *kept) {
                match place.checked_sub(fields) {
                    Some(place) => self.put_extra(&self.extra[place], &range, to)?,
                    None => put_kept(&self.points, &range, &self.more[place], to),
                }
            }
            self.from += taken;
            wanted -= taken;
        }
        Ok(())
    }
}
