//! Points of a LAZ file, chunk by chunk.
//!
//! `laz` makes room for as many chunks as their table counts, for as many bytes as a layer of a
//! chunk claims, and ten thousand times the bytes that a point has beyond its format: each is held
//! against what the file has before it is asked.

use super::among;
use super::head::{Head, Packing, read_u64};
use crate::error::{FileName, InFile, Result, counted};
use las::PointData;
use laz::laszip::ChunkTable;
use laz::{LasZipDecompressor, LazItemType, LazVlr};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The bytes of a point, and beyond its format: for each of the latter `laz` takes 10 kB. Writers
/// have some dozens.
const LONGEST_POINT: u64 = 4096;
/// Items of a point: a format has four, and bytes beyond it as one more.
const MOST_ITEMS: usize = 8;
/// Versions of packing in layers, of the formats 6 to 10.
const OF_LAYERS: [u16; 2] = [3, 4];

pub(super) struct Packed {
    decompressor: LasZipDecompressor<'static, BufReader<File>>,
    /// The points of the chunks to come, the next at the end; without any one chunk has all.
    chunks: Vec<u64>,
    /// How many points of the chunk at hand are to come.
    left: u64,
    /// How many layers a chunk has, where it has some, and the bytes of the point before their
    /// lengths.
    layers: Option<(usize, u64)>,
    /// Where the last chunk ends.
    end: u64,
    total: u64,
}

impl Packed {
    pub(super) fn open(
        file: &FileName,
        mut input: BufReader<File>,
        head: &Head,
        packing: &Packing,
    ) -> Result<Self> {
        let layers = check_items(file, head, &packing.items)?;
        let (chunks, end) = match packing.is_chunked {
            true => chunks(file, &mut input, head, &packing.items)?,
            false => (Vec::new(), head.length),
        };
        let points = input.seek(SeekFrom::Start(head.points_at));
        points.in_file(file)?;
        let decompressor = LasZipDecompressor::new(input, packing.items.clone());
        let decompressor = decompressor.map_err(|error| file.foreign("malformed: ", error))?;
        Ok(Self { decompressor, chunks, left: 0, layers, end, total: head.count })
    }

    /// Unpacks `wanted` of the points from `done` on, or those up to the end of a chunk.
    pub(super) fn fill(
        &mut self,
        file: &FileName,
        points: &mut PointData,
        done: u64,
        wanted: u64,
    ) -> Result<()> {
        let total = self.total;
        let explain = |error: io::Error| file.foreign(&among(&error, done, wanted, total), error);
        if self.left == 0 {
            self.left = self.chunks.pop().unwrap_or(u64::MAX);
            let checked = self.check_layers(self.left.min(total - done)).map_err(explain)?;
            checked.in_file(file)?;
        }
        let count = wanted.min(self.left);
        let bytes = points.resize_for(count as usize);
        self.decompressor.decompress_many(bytes).map_err(explain)?;
        self.left -= count;
        if done + count < total { Ok(()) } else { self.check_end(file) }
    }

    /// Whether the layers of the chunk that begins here fit into the file, and whether they are of
    /// `expected` points.
    fn check_layers(&mut self, expected: u64) -> io::Result<Result<(), String>> {
        let Some((layers, point)) = self.layers else { return Ok(Ok(())) };
        let input = self.decompressor.get_mut();
        let at = input.stream_position()?;
        input.seek(SeekFrom::Start(at + point))?;
        let mut number = || {
            let mut bytes = [0; 4];
            input.read_exact(&mut bytes).map(|()| u64::from(u32::from_le_bytes(bytes)))
        };
        let there = number()?;
        let mut length = point + 4 * (layers as u64 + 1);
        for _ in 0..layers {
            length += number()?;
        }
        input.seek(SeekFrom::Start(at))?;
        let left = self.end.saturating_sub(at);
        Ok(if length > left {
            Err(format!(
                "truncated or malformed: the chunk at byte {at} claims {length} bytes, {left} are there"
            ))
        } else if there != expected {
            Err(format!(
                "the chunk at byte {at} holds {}, and should {expected}",
                counted(there, "point")
            ))
        } else {
            Ok(())
        })
    }

    /// Whether the last point is the end of its chunk. One of the formats 0 to 5 does not count its
    /// points.
    fn check_end(&mut self, file: &FileName) -> Result<()> {
        let at = self.decompressor.get_mut().stream_position().in_file(file)?;
        let left = self.end.saturating_sub(at);
        if left <= MOST_LEFT {
            return Ok(());
        }
        let total = self.total;
        Err(file.content(format_args!(
            "{left} bytes of packed points follow the {total} that the header counts"
        )))
    }
}

/// What a coder may write after its last point.
const MOST_LEFT: u64 = 4;

/// Whether the items of a packed point are those of a point of this length; the number of their
/// layers, if they have some.
fn check_items(file: &FileName, head: &Head, packing: &LazVlr) -> Result<Option<(usize, u64)>> {
    let items = packing.items();
    let Some(version) =
        items.first().map(laz::LazItem::version).filter(|_| items.len() <= MOST_ITEMS)
    else {
        return Err(
            file.content(format_args!("malformed: points are packed as {} items", items.len()))
        );
    };
    let bytes: u64 = items.iter().map(|item| u64::from(item.size())).sum();
    if bytes != head.point_length {
        let there = head.point_length;
        return Err(file
            .content(format_args!("malformed: packed points have {bytes} bytes, points {there}")));
    }
    if bytes > LONGEST_POINT {
        return Err(file.content(format_args!(
            "points of {bytes} bytes; of LAZ at most {LONGEST_POINT} are read"
        )));
    }
    let layers = items.iter().map(|item| match item.item_type() {
        LazItemType::Point14 => 9,
        LazItemType::RGBNIR14 => 2,
        LazItemType::Byte14(count) => usize::from(count),
        _ => 1,
    });
    Ok(OF_LAYERS.contains(&version).then(|| (layers.sum(), bytes)))
}

/// How many points each chunk has, the first at the end, and where the last one ends.
fn chunks(
    file: &FileName,
    input: &mut BufReader<File>,
    head: &Head,
    packing: &LazVlr,
) -> Result<(Vec<u64>, u64)> {
    let Head { points_at, count, length, .. } = *head;
    let cut = || {
        file.content(format_args!(
            "truncated: it ends at byte {length}, before its header or its table of chunks is complete"
        ))
    };
    // The table is named where the points begin or, by writers that could not go back, at the end.
    let named = [points_at, length.saturating_sub(8)].map(|at| read_u64(input, at));
    let Some(table) = named.into_iter().flatten().find(|&table| table as i64 > points_at as i64)
    else {
        return Err(cut());
    };
    if table.saturating_add(8) > length {
        return Err(cut());
    }
    let number = read_u64(input, table).in_file(file)? >> 32;
    // The first point of a chunk is not packed. Where there are no points some writers count one
    // chunk.
    let most = (table.saturating_sub(points_at + 8) / head.point_length.max(1)).max(1);
    if number > most {
        return Err(file.content(format_args!(
            "malformed: {number} chunks, where the file has bytes for {most}"
        )));
    }
    input.seek(SeekFrom::Start(points_at)).in_file(file)?;
    let read = ChunkTable::read_from(input, packing);
    let read =
        read.map_err(|error| file.foreign("truncated or malformed: the table of chunks: ", error))?;
    let mut chunks: Vec<u64> = read.as_ref().iter().rev().map(|chunk| chunk.point_count).collect();
    let there = chunks.iter().fold(0_u64, |there, &chunk| there.saturating_add(chunk));
    let is_right = if packing.uses_variable_size_chunks() {
        there == count && !chunks.contains(&0)
    } else {
        // The last one may have fewer.
        let chunk = u64::from(packing.chunk_size());
        count <= there && (there - count < chunk || count == 0 && there <= chunk)
    };
    if !is_right {
        let many = counted(chunks.len() as u64, "chunk");
        let what =
            format_args!("the header counts {count} points, the table of its {many} {there}");
        return Err(file.content(what));
    }
    if count == 0 {
        chunks.clear();
    }
    Ok((chunks, table))
}
