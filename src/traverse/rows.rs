//! In which order the rays of a chunk are taken.

use crate::value::GROUP;

/// The side of a tile: 8 × 8 rays make a group.
const SIDE: usize = 8;

/// Rows of a chunk that are still to be cast.
pub(super) struct Rows {
    /// How many the chunk has.
    count: usize,
    /// How many make a line of a picture; 0 where the rays are no picture.
    width: usize,
    /// The next in line: the first row of a run, or the first line and column of a tile.
    next: [usize; 2],
    /// Rows taken already or put back.
    waiting: Vec<u32>,
    /// How many of those have been handed out.
    handed_out: usize,
}

impl Rows {
    /// All rows of a chunk that begins with a line of the picture, if the rays are one.
    pub(super) fn new(count: usize, width: Option<usize>) -> Self {
        Self { count, width: width.unwrap_or(0), next: [0; 2], waiting: Vec::new(), handed_out: 0 }
    }

    /// How many rows ahead of those that are taken to ask for memory: a line of tiles, or the next group.
    ///
    /// The lines of a picture lie in as many places as a tile is high, in each column. To ask for the next tile
    /// there keeps memory waiting; a line of tiles is one piece, asked for in its order a little at a time.
    pub(super) fn ahead(&self) -> usize {
        if self.width == 0 { GROUP } else { SIDE * self.width }
    }

    /// Takes the next tile of the picture, or the next rows in their order, and says how many there are:
    /// 0 if none are left.
    pub(super) fn next_group(&mut self, group: &mut [u32; GROUP]) -> usize {
        let mut taken = 0;
        let [first, column] = self.next;
        if self.width == 0 {
            let end = self.count.min(first + GROUP);
            for row in first..end {
                group[taken] = row as u32;
                taken += 1;
            }
            self.next[0] = end;
            return taken;
        }
        if (first + SIDE - 1) * self.width + column + SIDE <= self.count && column + SIDE <= self.width {
            // A whole tile, without asking for each of its rays.
            for (line, rows) in group.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
                let start = ((first + line) * self.width + column) as u32;
                for (place, row) in rows.iter_mut().enumerate() {
                    *row = start + place as u32;
                }
            }
            self.next = if column + SIDE < self.width { [first, column + SIDE] } else { [first + SIDE, 0] };
            return GROUP;
        }
        for line in first..first + SIDE {
            for column in column..self.width.min(column + SIDE) {
                let row = line * self.width + column;
                if row < self.count {
                    group[taken] = row as u32;
                    taken += 1;
                }
            }
        }
        self.next = if column + SIDE < self.width { [first, column + SIDE] } else { [first + SIDE, 0] };
        taken
    }

    /// Puts rows back that are to be handed out one by one.
    pub(super) fn put_back(&mut self, rows: &[u32]) {
        self.waiting.extend_from_slice(rows);
    }

    /// Takes what comes next, and says how many there are: 0 if none are left.
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
