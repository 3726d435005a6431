//! Welding: joins vertices within a tolerance.

use std::iter::successors;

use super::geometry::Mesh;
use crate::math::{LARGEST_COORDINATE, mixed};
use crate::simd::{MapEach, Scalar};
use crate::threads::{Stop, advanced};

/// The result of [welding](crate::SceneBuilder::weld).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welded {
    /// The number of vertices of triangles that moved to another place.
    pub joined: usize,
    /// The greatest distance that a vertex moved: at most the tolerance; 0 if none moved.
    pub farthest: f64,
    /// The number of triangles with three different corners before and equal corners after. They
    /// keep their ids; no ray meets them, and they are not part of a surface.
    pub collapsed: usize,
}

/// The vertices of each mesh after welding, visited in the order of triangles, so that neither
/// unused vertices nor indices matter, and the result. `None` if `stop` says so. Reports
/// triangles.
pub(super) fn weld<T: Scalar>(
    meshes: &[Mesh<'_, T>],
    tolerance: T,
    stop: Stop<'_>,
) -> Option<(Vec<Vec<[T; 3]>>, Welded)> {
    let mut welded = Welded { joined: 0, farthest: 0.0, collapsed: 0 };
    let tolerance = tolerance.to_f64();
    if tolerance < LEAST {
        return Some((meshes.iter().map(|mesh| mesh.vertices.iter().collect()).collect(), welded));
    }
    let count = meshes.iter().map(|mesh| mesh.vertices.len().min(3 * mesh.count())).sum();
    // The places that stay: each is farther than the tolerance from those before it.
    let mut kept = Grid::new(tolerance, count);
    let mut unreported = 0;
    let mut weld_mesh = |mesh: &Mesh<'_, T>| {
        let mut vertices: Vec<_> = mesh.vertices.iter().collect();
        let mut seen = vec![false; vertices.len()];
        for (index, triangle) in (0..mesh.count()).map(|index| (index, mesh.triangle(index))) {
            if index % PIECE == 0 {
                // Those before it, of this mesh or of the one before.
                let before = std::mem::replace(&mut unreported, PIECE.min(mesh.count() - index));
                if advanced(stop, before) {
                    return None;
                }
            }
            for vertex in triangle.map_each(|vertex| vertex as usize) {
                if std::mem::replace(&mut seen[vertex], true) {
                    continue;
                }
                let (from, to) = (vertices[vertex], kept.join(vertices[vertex], tolerance));
                if from != to {
                    vertices[vertex] = to;
                    welded.joined += 1;
                    welded.farthest = welded.farthest.max(squared_distance(from, to).sqrt());
                }
            }
            let after = triangle.map_each(|vertex| vertices[vertex as usize]);
            welded.collapsed += usize::from(!has_equal(mesh.corners(index)) && has_equal(after));
        }
        Some(vertices)
    };
    let vertices = meshes.iter().map(&mut weld_mesh).collect::<Option<_>>()?;
    Some((vertices, welded))
}

/// Triangles that are welded between two questions whether to stop.
const PIECE: usize = 1 << 12;

/// The least tolerance that joins anything, which matters to `f64` only: smaller distances have no
/// squares.
const LEAST: f64 = 1e-150;

fn has_equal<T: Scalar>([a, b, c]: [[T; 3]; 3]) -> bool {
    a == b || b == c || c == a
}

/// The squared distance, in `f64`, summed from left to right; it is compared with the squared
/// tolerance.
pub(super) fn squared_distance<T: Scalar>(a: [T; 3], b: [T; 3]) -> f64 {
    let [x, y, z] = std::array::from_fn(|axis| a[axis].to_f64() - b[axis].to_f64());
    x * x + y * y + z * z
}

const NONE: u32 = u32::MAX;

/// Places by the cells of a grid, in a hash table of chains. Callers compare distances, so cells
/// may share chains.
#[derive(Debug)]
pub(super) struct Grid<T> {
    places: Vec<[T; 3]>,
    /// The last place added to each chain.
    last: Vec<u32>,
    /// For each place the place added to its chain before.
    before: Vec<u32>,
    /// The distance of near places, a little greater than asked for, as sums round.
    reach: f64,
    /// The side of a cell: 8 to 16 times the reach, as most balls then lie in one, and a power of
    /// two, for exact quotients.
    side: f64,
}

impl<T: Scalar> Grid<T> {
    /// For at most `count` places, to find those within `reach` of others.
    pub(super) fn new(reach: f64, count: usize) -> Self {
        // No two places are farther apart.
        let farthest = 8.0 * f64::from(LARGEST_COORDINATE);
        let reach = (reach * (1.0 + 8.0 * f64::EPSILON)).min(farthest);
        // The power of two at or below the reach is its exponent alone.
        let exponent = reach.max(f64::MIN_POSITIVE).to_bits() & f64::INFINITY.to_bits();
        let side = 16.0 * f64::from_bits(exponent);
        let last = vec![NONE; count.next_power_of_two()];
        Self { places: Vec::new(), last, before: Vec::new(), reach, side }
    }

    /// The first place within a tolerance, at most the reach, of this one. If there is none, this
    /// one is added.
    pub(super) fn join(&mut self, place: [T; 3], tolerance: f64) -> [T; 3] {
        let within =
            |&(_, other): &(u32, _)| squared_distance(place, other) <= tolerance * tolerance;
        if let Some((_, first)) = self.near(place).filter(within).min_by_key(|&(number, _)| number)
        {
            return first;
        }
        self.add(place);
        place
    }

    pub(super) fn add(&mut self, place: [T; 3]) {
        let cell = place.map_each(|x| self.cell(x.to_f64()));
        let chain = self.chain(cell);
        self.before.push(std::mem::replace(&mut self.last[chain], self.places.len() as u32));
        self.places.push(place);
    }

    /// The places within reach, with their numbers in the order of adding; and other places, in no
    /// order, and some twice.
    pub(super) fn near(&self, place: [T; 3]) -> impl Iterator<Item = (u32, [T; 3])> {
        let [xs, ys, zs] = place.map(|x| self.cells(x.to_f64()).into_iter().flatten());
        let cells = xs.flat_map(move |x| {
            let zs = zs.clone();
            ys.clone().flat_map(move |y| zs.clone().map(move |z| [x, y, z]))
        });
        cells.flat_map(|cell| {
            let last = self.last[self.chain(cell)];
            let numbers =
                successors(Some(last), |&number| self.before.get(number as usize).copied());
            numbers.map_while(|number| Some((number, *self.places.get(number as usize)?)))
        })
    }

    /// The number of a cell along an axis. Borders lie a third of a cell beside multiples of its
    /// side: many coordinates are multiples of some power of two, and a ball at a border lies in
    /// two cells along each axis.
    fn cell(&self, x: f64) -> f64 {
        (x / self.side + 1.0 / 3.0).floor()
    }

    /// The numbers of the cells within reach along an axis: one or two, by rounding three.
    ///
    /// Numbers above 2⁵⁰ are rounded, but the reach is at most an eighth of a cell, so near
    /// coordinates are equal there.
    fn cells(&self, x: f64) -> [Option<f64>; 3] {
        let [low, high] = [x - self.reach, x + self.reach].map_each(|x| self.cell(x));
        let between = low + 1.0;
        [
            Some(low),
            (low < between && between < high).then_some(between),
            (low < high).then_some(high),
        ]
    }

    fn chain(&self, cell: [f64; 3]) -> usize {
        let hash = cell.into_iter().fold(0, |hash, number| {
            // Adding zero turns −0 into 0.
            mixed(hash ^ (number + 0.0).to_bits())
        });
        hash as usize & (self.last.len() - 1)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/scene/weld.rs"]
mod tests;
