//! The order in which the rays of a chunk are taken.

use std::ops::Range;

use super::plan::TILE;
use crate::value::GROUP;

/// The rows of a chunk that are not cast yet.
pub(super) struct ChunkRows {
    /// The first row, and the end of the rows.
    first: usize,
    end: usize,
    /// The rays in a line of the picture; 0 if the rays are no picture.
    width: usize,
    /// The lines in a tile, whose columns fill a group. In a chunk of four lines or fewer, tiles
    /// are as much wider as they are lower.
    lines: usize,
    /// The next row: the first of a run, or the first line and column of a tile.
    next: [usize; 2],
    /// Rows put back.
    waiting: Vec<u32>,
    /// The number of those that have been taken again.
    handed_out: usize,
}

impl ChunkRows {
    /// All rows of a chunk. If the rays are a picture, the chunk begins with a line of it.
    pub(super) fn new(count: usize, width: Option<usize>) -> Self {
        let lines = width.map_or(1, |width| count.div_ceil(width).next_power_of_two().min(TILE));
        Self {
            first: 0,
            end: count,
            width: width.unwrap_or(0),
            lines,
            next: [0; 2],
            waiting: Vec::new(),
            handed_out: 0,
        }
    }

    /// Rows in their order.
    pub(super) fn run(rows: Range<usize>) -> Self {
        Self { first: rows.start, next: [rows.start, 0], ..Self::new(rows.end, None) }
    }

    /// How many they were at first.
    pub(super) fn length(&self) -> usize {
        self.end - self.first
    }

    /// The prefetch distance in rows: a line of tiles, or the next group.
    ///
    /// Each column of a tile lies in eight places of memory. Prefetching the next tile there
    /// stalls; a line of tiles is one piece, prefetched in order and a little at a time.
    pub(super) fn ahead(&self) -> usize {
        if self.width == 0 { GROUP } else { self.lines * self.width }
    }

    /// Takes the next tile of the picture, or the next rows in order, and returns their number: 0
    /// at the end.
    pub(super) fn next_group(&mut self, group: &mut [u32; GROUP]) -> usize {
        let [first, column] = self.next;
        if self.width == 0 {
            let end = self.end.min(first + GROUP);
            for (place, row) in group.iter_mut().zip(first..end) {
                *place = row as u32;
            }
            self.next[0] = end;
            return end - first;
        }
        let (lines, columns) = (self.lines, GROUP / self.lines);
        self.next = if column + columns < self.width {
            [first, column + columns]
        } else {
            [first + lines, 0]
        };
        if (first + lines - 1) * self.width + column + columns <= self.end
            && column + columns <= self.width
        {
            // A whole tile needs no check for each of its rays.
            for (line, rows) in group.chunks_exact_mut(columns).enumerate() {
                let start = ((first + line) * self.width + column) as u32;
                for (place, row) in rows.iter_mut().enumerate() {
                    *row = start + place as u32;
                }
            }
            return GROUP;
        }
        let mut taken = 0;
        for line in first..first + lines {
            for column in column..self.width.min(column + columns) {
                let row = line * self.width + column;
                if row < self.end {
                    group[taken] = row as u32;
                    taken += 1;
                }
            }
        }
        taken
    }

    /// Puts rows back for [`take`](Self::take).
    pub(super) fn put_back(&mut self, rows: &[u32]) {
        self.waiting.extend_from_slice(rows);
    }

    /// Whether no rows are left.
    pub(super) fn is_done(&self) -> bool {
        self.handed_out == self.waiting.len() && self.next[0] * self.width.max(1) >= self.end
    }

    /// Takes the next rows, and returns their number: 0 at the end.
    pub(super) fn take(&mut self, group: &mut [u32; GROUP]) -> usize {
        let waiting = &self.waiting[self.handed_out..];
        if waiting.is_empty() {
            return self.next_group(group);
        }
        let taken = waiting.len().min(GROUP);
        group[..taken].copy_from_slice(&waiting[..taken]);
        self.handed_out += taken;
        taken
    }
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/rows.rs"]
mod tests;
