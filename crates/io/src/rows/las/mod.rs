//! Points of LAS and LAZ files, the formats of airborne laser scans (ASPRS LAS 1.4).
//!
//! `las` reads the header and knows the layouts of points, `laz` unpacks them. What a file says of
//! lengths is held against its own length first (`head` and `packed`): both crates allocate what
//! they are told.

mod head;
mod packed;

use super::format::Input;
use super::{Chunk, Row, Rows, Source};
use crate::error::{FileName, InFile, Result};
use head::Head;
use las::{PointData, PointDataBuilder};
use packed::Packed;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Points are read in pieces of so many at most, and of so many bytes.
const PIECE: u64 = 8192;
const PIECE_BYTES: u64 = 1 << 20;

struct LasRows {
    file: FileName,
    data: Data,
    /// The piece being handed out, and how many of its points have been.
    points: PointData,
    from: usize,
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
    let more = [
        ("gps_time", format.has_gps_time),
        ("red", format.has_color),
        ("green", format.has_color),
        ("blue", format.has_color),
        ("nir", format.has_nir),
        ("waveform", format.has_waveform),
        ("extra_bytes", format.extra_bytes > 0),
    ];
    let more = more.into_iter().filter(|&(_, is_there)| is_there).map(|(name, _)| name);
    let ignored = OF_EVERY_POINT.into_iter().chain(more).map(str::to_owned).collect();
    let total = head.count;
    let rows = LasRows { file, data, points, from: 0, read: 0, total };
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
}

/// Where reading points went wrong.
fn among(error: &io::Error, from: u64, count: u64, total: u64) -> String {
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "truncated or damaged",
        _ => "damaged",
    };
    format!("{what} among the points {from} to {} of {total}: ", from + count - 1)
}

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

impl<R: Row> Rows<R> for LasRows {
    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        let Chunk { rows, moved, .. } = chunk;
        let mut wanted = max_rows;
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
            self.from += taken;
            wanted -= taken;
        }
        Ok(())
    }
}
