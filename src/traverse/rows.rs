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
mod tests {
    use super::*;

    /// However a chunk is cut, each of its rows is handed out once.
    #[test]
    fn every_row_comes_once() {
        for count in [0, 1, 63, 64, 65, 1000] {
            for width in [None, Some(8), Some(13), Some(100), Some(5000)] {
                let mut rows = Rows::new(count, width);
                let mut group = [0; GROUP];
                let mut seen = vec![0; count];
                // A few groups are put back, the others are cast as groups.
                for number in 0..5 {
                    let taken = rows.next_group(&mut group);
                    if number % 2 == 0 {
                        rows.put_back(&group[..taken]);
                    } else {
                        group[..taken].iter().for_each(|&row| seen[row as usize] += 1);
                    }
                }
                loop {
                    let taken = rows.take(&mut group);
                    if taken == 0 {
                        break;
                    }
                    group[..taken].iter().for_each(|&row| seen[row as usize] += 1);
                }
                assert!(seen.iter().all(|&times| times == 1), "{count} rays, {width:?} a line");
            }
        }
    }

    #[test]
    fn tiles_are_square() {
        let mut group = [0; GROUP];
        assert_eq!(Rows::new(1600, Some(100)).next_group(&mut group), GROUP);
        let expected: Vec<u32> =
            (0..8).flat_map(|line| (0..8).map(move |column| 100 * line + column)).collect();
        assert_eq!(group.to_vec(), expected);
    }
}
