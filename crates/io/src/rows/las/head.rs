//! The header of a LAS file, and whether what it says of places and lengths can be true.

use super::extra;
use crate::error::{FileName, InFile, Result};
use las::point::Format;
use las::raw::{Header, Vlr};
use las::{Transform, Vector};
use laz::LazVlr;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The least bytes of a header, those of LAS 1.0 to 1.2.
const SHORTEST: u64 = 227;
/// The bytes before the data of a record, and of an extended one (ASPRS LAS 1.4, tables 7 and 27).
const RECORD: u64 = 54;
const EXTENDED_RECORD: u64 = 60;
/// Where an extended record has the length of its data.
const EXTENDED_LENGTH_AT: u64 = 20;

/// How the record about packing begins where all points are one chunk, as the first LASzip had it.
const WITHOUT_CHUNKS: [u8; 2] = [1, 0];

/// What is used of a header.
pub(super) struct Head {
    /// The bytes of the file.
    pub(super) length: u64,
    pub(super) count: u64,
    pub(super) format: Format,
    pub(super) transforms: Vector<Transform>,
    pub(super) point_length: u64,
    pub(super) points_at: u64,
    /// Where what follows the points begins.
    after_points: u64,
    /// How the points of a LAZ file are packed.
    pub(super) packing: Option<Packing>,
    /// What a record says of extra dimensions; nothing without one.
    pub(super) extra: Vec<u8>,
}

pub(super) struct Packing {
    pub(super) items: LazVlr,
    /// Whether the points lie in chunks, with a table of these.
    pub(super) is_chunked: bool,
}

impl Head {
    /// Reads a file up to its points.
    pub(super) fn read(file: &FileName, input: &mut BufReader<File>) -> Result<Self> {
        let length = input.get_ref().metadata().in_file(file)?.len();
        let cut = || {
            file.content(format_args!(
                "truncated: it ends at byte {length}, before its header or its table of chunks is complete"
            ))
        };
        let foreign = |error: las::Error| match error {
            las::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => cut(),
            error => file.foreign("", error),
        };
        let raw = Header::read_from(input.by_ref()).map_err(foreign)?;
        let points_at = u64::from(raw.offset_to_point_data);
        if length < points_at.max(SHORTEST) {
            return Err(cut());
        }
        let mut format = Format::new(raw.point_data_record_format).map_err(foreign)?;
        let (point_length, least) = (raw.point_data_record_length, format.len());
        format.extra_bytes = point_length.checked_sub(least).ok_or_else(|| {
            file.content(format_args!(
                "malformed: points of {point_length} bytes, whose format has {least}"
            ))
        })?;
        // Where both counts are there and differ, older readers go by the older one (ASPRS LAS 1.4,
        // R15).
        let count = match (raw.number_of_point_records, raw.large_file) {
            (0, Some(large)) => large.number_of_point_records,
            (count, _) => u64::from(count),
        };
        let (packing, extra) = find_records(file, input, &raw)?;
        let packing = match (format.is_compressed, packing) {
            (true, None) => {
                return Err(file.content("malformed: its points are packed, no record says how"));
            }
            (true, packing) => packing,
            (false, _) => None,
        };
        let evlrs = raw.evlr.map_or(length, |evlr| evlr.start_of_first_evlr);
        let end = points_at.saturating_add(count.saturating_mul(point_length.into()));
        let waveforms = raw.start_of_waveform_data_packet_record.filter(|&start| start >= end);
        let head = Self {
            length,
            count,
            format,
            transforms: transforms(&raw),
            point_length: point_length.into(),
            points_at,
            after_points: evlrs.min(waveforms.unwrap_or(length)).min(length),
            packing,
            extra,
        };
        if head.packing.is_none() {
            let there = (length - points_at) / head.point_length.max(1);
            if there < count {
                return Err(
                    file.content(format_args!("truncated: point {there} of {count} is incomplete"))
                );
            }
        }
        if let Some(evlr) = raw.evlr {
            head.check_extended(file, input, evlr.start_of_first_evlr, evlr.number_of_evlrs)?;
        }
        Ok(head)
    }

    /// Whether the records behind the points lie within the file. Nothing of them is read.
    fn check_extended(
        &self,
        file: &FileName,
        input: &mut BufReader<File>,
        at: u64,
        count: u32,
    ) -> Result<()> {
        let mut at = at;
        if at < self.points_at {
            return Err(file
                .content(format_args!("malformed: extended records at byte {at}, in its header")));
        }
        for number in 0..count {
            let left = self.length.saturating_sub(at);
            let data = match left.checked_sub(EXTENDED_RECORD) {
                Some(_) => read_u64(input, at + EXTENDED_LENGTH_AT).in_file(file)?,
                None => 0,
            };
            if left < EXTENDED_RECORD || left - EXTENDED_RECORD < data {
                let length = self.length;
                return Err(file.content(format_args!(
                    "truncated or malformed: extended record {number} of {count}, at byte {at} and of {data} bytes, \
                     ends beyond byte {length}, the end of the file"
                )));
            }
            at += EXTENDED_RECORD + data;
        }
        Ok(())
    }

    /// Whether what follows the points of a LAS file is nothing, or records that the header names.
    pub(super) fn check_end_of_points(
        &self,
        file: &FileName,
        input: &mut BufReader<File>,
    ) -> Result<()> {
        // That they fit into the file is known.
        let end = self.points_at + self.count * self.point_length;
        if end > self.after_points {
            let what = format_args!(
                "malformed: its points end at byte {end}, other data begin at {}",
                self.after_points
            );
            return Err(file.content(what));
        }
        let is_filled = |input: &mut BufReader<File>| {
            input.seek(SeekFrom::Start(end))?;
            let mut left = input.take(self.after_points - end);
            let mut bytes = [0; 4096];
            loop {
                match left.read(&mut bytes)? {
                    0 => return Ok(false),
                    read if bytes[..read].iter().any(|byte| *byte != 0) => return Ok(true),
                    _ => {}
                }
            }
        };
        if !is_filled(input).map_err(|error: io::Error| file.system(error))? {
            return Ok(());
        }
        let (count, there) =
            (self.count, (self.after_points - self.points_at) / self.point_length.max(1));
        Err(match there.cmp(&count) {
            std::cmp::Ordering::Greater => {
                file.content(format_args!("{there} points are there, the header counts {count}"))
            }
            _ => {
                file.content(format_args!("more follows the {count} points that the header counts"))
            }
        })
    }
}

/// Reads over the records between the header and the points, for that which says how points are
/// packed, and that about extra dimensions.
fn find_records(
    file: &FileName,
    input: &mut BufReader<File>,
    raw: &Header,
) -> Result<(Option<Packing>, Vec<u8>)> {
    let (mut at, points_at) = (u64::from(raw.header_size), u64::from(raw.offset_to_point_data));
    let (mut packing, mut extra) = (None, Vec::new());
    let count = raw.number_of_variable_length_records;
    if at < SHORTEST {
        return Err(file.content(format_args!("malformed: a header of {at} bytes")));
    }
    input.seek(SeekFrom::Start(at)).in_file(file)?;
    for number in 0..count {
        let outside = || {
            file.content(format_args!(
                "malformed: record {number} of {count}, at byte {at}, ends beyond byte {points_at}, where its points begin"
            ))
        };
        if at + RECORD > points_at {
            return Err(outside());
        }
        let record =
            Vlr::read_from(input.by_ref(), false).map_err(|error| file.foreign("", error))?;
        let end = at + RECORD + record.data.len() as u64;
        if end > points_at {
            return Err(outside());
        }
        let user = record.user_id.split(|byte| *byte == 0).next();
        if user == Some(LazVlr::USER_ID.as_bytes()) && record.record_id == LazVlr::RECORD_ID {
            let items = LazVlr::from_buffer(&record.data);
            let items =
                items.map_err(|error| file.foreign("malformed: how points are packed: ", error))?;
            packing = Some(Packing { items, is_chunked: record.data[..2] != WITHOUT_CHUNKS });
        } else if user == Some(extra::USER_ID) && record.record_id == extra::RECORD_ID {
            extra = record.data;
        }
        at = end;
    }
    Ok((packing, extra))
}

fn transforms(raw: &Header) -> Vector<Transform> {
    Vector {
        x: Transform { scale: raw.x_scale_factor, offset: raw.x_offset },
        y: Transform { scale: raw.y_scale_factor, offset: raw.y_offset },
        z: Transform { scale: raw.z_scale_factor, offset: raw.z_offset },
    }
}

pub(super) fn read_u64(input: &mut BufReader<File>, at: u64) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.seek(SeekFrom::Start(at))?;
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
