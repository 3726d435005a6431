//! Points of LAS and LAZ files, the formats of airborne laser scans (ASPRS LAS 1.4).

use super::columns::Columns;
use super::{Moved, Row, Rows};
use crate::error::{FileName, Result};
use las::{PointDataBuilder, Reader};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::mpsc::{self, Receiver, SyncSender};

/// Points are read in pieces, so that a header which promises too much costs no memory.
const PIECE: u64 = 8192;

/// The reader of `las` stays on the thread that opened it, so it has one of its own, which reads a piece ahead.
pub(super) struct LasRows<R> {
    file: FileName,
    pieces: Receiver<Result<Vec<[f64; 3]>>>,
    columns: Columns<R>,
    /// The piece being handed out, and how many of its points have been.
    piece: (Vec<[f64; 3]>, usize),
    total: u64,
    done: u64,
}

impl<R: Row> LasRows<R> {
    pub(super) fn open(file: FileName, mut input: File) -> Result<Self> {
        let sizes = Sizes::of(&mut input).map_err(|error| file.system(error))?;
        if sizes.too_many_chunks {
            return Err(file.content("malformed: more chunks than the file has bytes for"));
        }
        let length = sizes.length;
        let (opened, open) = mpsc::channel();
        let (sender, pieces) = mpsc::sync_channel(1);
        let name = file.clone();
        std::thread::spawn(move || {
            let reader = name.guarded(|| {
                Reader::new(BufReader::new(input)).map_err(|error| match ends_early(&error) {
                    true => name.content(format_args!(
                        "truncated: it ends at byte {length}, before its header or its table of chunks is complete"
                    )),
                    false => name.foreign("", error),
                })
            });
            let header = reader.as_ref().ok().map(Reader::header);
            let header = header.map(|header| (header.number_of_points(), *header.point_format()));
            let reader = match (reader, header) {
                (Ok(reader), Some(header)) if opened.send(Ok(header)).is_ok() => reader,
                (Err(error), _) => return drop(opened.send(Err(error))),
                _ => return,
            };
            read(&name, reader, &sender);
        });
        let gone = |_| file.content("the thread that reads it ended early");
        let (total, format) = open.recv().map_err(gone)??;
        if let Some(point) = sizes.points_there.filter(|&there| there < total) {
            return Err(file.content(format_args!("truncated: point {point} of {total} is incomplete")));
        }
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
        let names: Vec<_> = R::NAMES.iter().copied().chain(OF_EVERY_POINT).chain(more).collect();
        let columns = Columns::find(&names).map_err(|what| file.content(what))?;
        Ok(Self { file, pieces, columns, piece: (Vec::new(), 0), total, done: 0 })
    }
}

/// What the size of a file says of what its header counts.
struct Sizes {
    length: u64,
    /// How many points a LAS file has bytes for.
    points_there: Option<u64>,
    /// Whether a LAZ file claims so many chunks that a table of them, for which the reader makes room, would not fit into the
    /// file.
    too_many_chunks: bool,
}

impl Sizes {
    /// A file that is too short for a header is said to be by the reader.
    fn of(input: &mut File) -> io::Result<Self> {
        const POINTS_AT: u64 = 96;
        const FORMAT_AT: u64 = 104;
        const POINT_LENGTH_AT: u64 = 105;
        const IS_COMPRESSED: u8 = 0x80;
        let length = input.metadata()?.len();
        let mut number = |at: u64| {
            let mut bytes = [0; 8];
            input.seek(SeekFrom::Start(at.min(length.saturating_sub(8))))?;
            let read = input.read(&mut bytes)?;
            bytes[read..].fill(0);
            Ok::<_, io::Error>(u64::from_le_bytes(bytes))
        };
        let points = number(POINTS_AT)? & 0xffff_ffff;
        let is_compressed = number(FORMAT_AT)? as u8 & IS_COMPRESSED != 0;
        let point_length = number(POINT_LENGTH_AT)? & 0xffff;
        // The table may be named where the points begin or, by writers that could not go back, at the end.
        let mut too_many = false;
        for named_at in [points, length.saturating_sub(8)] {
            let table = number(named_at)?;
            let chunks = number(table)? >> 32;
            too_many |= table > points && table < length && chunks > length;
        }
        input.rewind()?;
        let points_there = length.saturating_sub(points).checked_div(point_length);
        Ok(Self {
            length,
            points_there: points_there.filter(|_| !is_compressed),
            too_many_chunks: is_compressed && too_many,
        })
    }
}

/// Whether the cause is that a file ends too early.
fn ends_early(error: &las::Error) -> bool {
    match error {
        las::Error::Io(error) => error.kind() == io::ErrorKind::UnexpectedEof,
        // The crate beneath keeps the system's error to itself, but for its words.
        las::Error::LasZipError(error) => error.to_string().contains("failed to fill whole buffer"),
        _ => false,
    }
}

/// Sends all points, or what is wrong with them, until nobody listens.
fn read(name: &FileName, mut reader: Reader, sender: &SyncSender<Result<Vec<[f64; 3]>>>) {
    let (mut points, total) =
        (PointDataBuilder::new().for_header(reader.header()).build(), reader.header().number_of_points());
    let mut done = 0;
    while done < total {
        let wanted = (total - done).min(PIECE);
        let piece = name.guarded(|| {
            let read = reader.fill_points(wanted, &mut points).map_err(|error| {
                let last = done + wanted - 1;
                let what = if ends_early(&error) { "truncated or damaged" } else { "damaged" };
                name.foreign(&format!("{what} among the points {done} to {last} of {total}: "), error)
            })?;
            let piece: Vec<_> =
                points.x().zip(points.y()).zip(points.z()).map(|((x, y), z)| [x, y, z]).collect();
            if read < wanted || piece.len() as u64 != read {
                let row = done + read;
                return Err(name.content(format_args!("truncated: point {row} of {total} is incomplete")));
            }
            Ok(piece)
        });
        done += wanted;
        let ends = piece.is_err();
        if sender.send(piece).is_err() || ends {
            return;
        }
    }
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

impl<R: Row> Rows<R> for LasRows<R> {
    fn total(&self) -> Option<u64> {
        Some(self.total)
    }

    fn read(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        _ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
        let end = self.done.saturating_add(max_rows as u64).min(self.total);
        while self.done < end {
            let (piece, from) = &mut self.piece;
            if *from == piece.len() {
                let gone = |_| self.file.content("the thread that reads it ended early");
                self.piece = (self.pieces.recv().map_err(gone)??, 0);
                continue;
            }
            let taken = &piece[*from..piece.len().min(*from + (end - self.done) as usize)];
            rows.extend(taken.iter().map(|point| {
                let mut row = R::BLANK;
                let numbers = row.numbers().iter_mut().zip(point).enumerate();
                numbers.for_each(|(place, (number, &value))| *number = moved.nearest(place, value));
                row
            }));
            *from += taken.len();
            self.done += taken.len() as u64;
        }
        Ok(())
    }

    fn ignored(&self) -> &[String] {
        &self.columns.ignored
    }
}
