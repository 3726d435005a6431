//! The triangles of two by two cells of a grid, by lane: the first triangles of all four cells, then
//! the second, so that a coordinate of a corner is that of four vertices in a square, twice.

use crate::leaf::block::cell_halves;
use crate::simd::LANES;

/// The four vertices of a square, from this row and column on.
#[inline(always)]
fn square<X: Copy>(grid: &[[X; 3]; 3], [row, column]: [usize; 2]) -> [X; 4] {
    [grid[row][column], grid[row][column + 1], grid[row + 1][column], grid[row + 1][column + 1]]
}

/// Writes coordinates by vertex, then axis, then lane, from those of columns, of rows, and of
/// vertices row by row.
#[inline(always)]
pub(super) fn write_cells<X: Copy>(
    x: [X; 3],
    y: [X; 3],
    z: &[[X; 3]; 3],
    into: &mut [[[X; LANES]; 3]; 3],
) {
    let [south, middle, north] = y;
    let grids = [[x; 3], [[south; 3], [middle; 3], [north; 3]], *z];
    let [first, second] = cell_halves(|up, right| [up, right]);
    for vertex in 0..3 {
        for axis in 0..3 {
            let (low, high) = into[vertex][axis].split_at_mut(LANES / 2);
            low.copy_from_slice(&square(&grids[axis], first[vertex]));
            high.copy_from_slice(&square(&grids[axis], second[vertex]));
        }
    }
}

/// The numbers of the triangles, from those of the first triangle in each row of cells.
#[inline(always)]
pub(super) fn cell_numbers([south, north]: [u32; 2]) -> [u32; LANES] {
    [south, south + 2, north, north + 2, south + 1, south + 3, north + 1, north + 3]
}
