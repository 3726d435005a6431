//! Vertices that lie within a tolerance of each other, joined.

use super::mesh::Mesh;
use crate::error::{Error, Result};
use crate::math::{LARGEST_COORDINATE, mixed};
use crate::simd::{Scalar, with_default_float_mode};

/// What [welding](crate::SceneBuilder::weld) did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welded {
    /// How many vertices took the place of another, of those that triangles name. Vertices that had equal coordinates
    /// before do not count.
    pub joined: usize,
    /// How far the one of them moved that moved farthest: at most the tolerance, and 0 if none did.
    pub farthest: f64,
    /// How many triangles with three different corners came to have two equal ones. They keep their ids; no ray meets
    /// them, and they are no part of a surface.
    pub collapsed: usize,
}

/// Finds a tolerance that none is.
pub(super) fn check<T: Scalar>(tolerance: T) -> Result<T> {
    let is_distance = with_default_float_mode(|| tolerance >= T::ZERO && tolerance.is_finite());
    if is_distance { Ok(tolerance) } else { Err(Error::UnusableTolerance { tolerance: tolerance.to_f64() }) }
}

/// The vertices of each mesh after welding, and what that did; nothing without a tolerance.
///
/// Vertices take their turns as triangles name them, so that neither what no triangle names nor how vertices are indexed
/// has a part in it. Squares of distances below [`LEAST`] are not to be told apart: a tolerance below it joins nothing.
pub(super) fn weld<T: Scalar>(
    meshes: &[Mesh<'_, T>],
    tolerance: Option<T>,
) -> (Vec<Vec<[T; 3]>>, Option<Welded>) {
    let welded = tolerance.map(|tolerance| with_default_float_mode(|| weld_within(meshes, tolerance)));
    welded.map_or_else(Default::default, |(vertices, welded)| (vertices, Some(welded)))
}

fn weld_within<T: Scalar>(meshes: &[Mesh<'_, T>], tolerance: T) -> (Vec<Vec<[T; 3]>>, Welded) {
    let mut welded = Welded { joined: 0, farthest: 0.0, collapsed: 0 };
    if tolerance.to_f64() < LEAST {
        return (meshes.iter().map(|mesh| mesh.vertices.to_vec()).collect(), welded);
    }
    let count = meshes.iter().map(|mesh| mesh.vertices.len().min(3 * mesh.triangles.len())).sum();
    let mut kept = Kept::new(tolerance.to_f64(), count);
    let mut weld_mesh = |mesh: &Mesh<'_, T>| {
        let mut vertices = mesh.vertices.to_vec();
        let mut seen = vec![false; vertices.len()];
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            for vertex in triangle.map(|vertex| vertex as usize) {
                if std::mem::replace(&mut seen[vertex], true) {
                    continue;
                }
                let (from, to) = (vertices[vertex], kept.join(vertices[vertex]));
                if from != to {
                    vertices[vertex] = to;
                    welded.joined += 1;
                    welded.farthest = welded.farthest.max(squared_distance(from, to).sqrt());
                }
            }
            let after = triangle.map(|vertex| vertices[vertex as usize]);
            welded.collapsed += usize::from(!has_equal(mesh.corners(index)) && has_equal(after));
        }
        vertices
    };
    let vertices = meshes.iter().map(&mut weld_mesh).collect();
    (vertices, welded)
}

/// The least tolerance that joins anything, which matters to `f64` only.
const LEAST: f64 = 1e-150;

fn has_equal<T: Scalar>([a, b, c]: [[T; 3]; 3]) -> bool {
    a == b || b == c || c == a
}

/// In `f64`, from left to right: what a tolerance is compared with, squared.
pub(super) fn squared_distance<T: Scalar>(a: [T; 3], b: [T; 3]) -> f64 {
    let [x, y, z] = std::array::from_fn(|axis| a[axis].to_f64() - b[axis].to_f64());
    x * x + y * y + z * z
}

/// The places that others are joined with: each is farther from those before it than the tolerance.
#[derive(Debug)]
pub(super) struct Kept<T> {
    squared_tolerance: f64,
    grid: Grid<T>,
}

impl<T: Scalar> Kept<T> {
    /// For at most `count` places.
    pub(super) fn new(tolerance: f64, count: usize) -> Self {
        Self { squared_tolerance: tolerance * tolerance, grid: Grid::new(tolerance, count) }
    }

    /// The first place that is within the tolerance of this one, which is kept itself if there is none.
    pub(super) fn join(&mut self, place: [T; 3]) -> [T; 3] {
        let mut first = NONE;
        self.grid.any_near(place, |index, other| {
            if index < first && squared_distance(place, other) <= self.squared_tolerance {
                first = index;
            }
            false
        });
        if first != NONE {
            return self.grid.places[first as usize];
        }
        self.grid.add(place);
        place
    }
}

/// Stands for no place.
const NONE: u32 = u32::MAX;

/// Places by the cells of a grid, which are of a hash table of chains. Whoever asks for those near another compares
/// distances, so it does not matter that cells share chains.
#[derive(Debug)]
pub(super) struct Grid<T> {
    places: Vec<[T; 3]>,
    /// Of each chain the place that was added last.
    last: Vec<u32>,
    /// Of each place the one that was added before it to its chain.
    before: Vec<u32>,
    /// What near is: a little more than it was to be, as sums round.
    reach: f64,
    /// The side of a cell: 8 to 16 times the reach, so that most balls lie in one cell, and a power of two, so that
    /// quotients by it are exact.
    side: f64,
}

impl<T: Scalar> Grid<T> {
    /// For at most `count` places, to find those within `reach` of others.
    pub(super) fn new(reach: f64, count: usize) -> Self {
        // Nothing is farther apart than that.
        let farthest = 8.0 * f64::from(LARGEST_COORDINATE);
        let reach = (reach * (1.0 + 8.0 * f64::EPSILON)).min(farthest);
        let side = 2.0_f64.powi(reach.log2().floor() as i32 + 4);
        let last = vec![NONE; count.next_power_of_two()];
        Self { places: Vec::new(), last, before: Vec::new(), reach, side }
    }

    pub(super) fn add(&mut self, place: [T; 3]) {
        let cell = place.map(|x| self.cell(x.to_f64()));
        let chain = self.chain(cell);
        self.before.push(std::mem::replace(&mut self.last[chain], self.places.len() as u32));
        self.places.push(place);
    }

    /// Whether one of the places within reach is what is sought. Others are shown too, in no order, and some twice: the
    /// number of each, in the order of adding, and the place.
    pub(super) fn any_near(&self, place: [T; 3], mut is_sought: impl FnMut(u32, [T; 3]) -> bool) -> bool {
        let [xs, ys, zs] = place.map(|x| self.cells(x.to_f64()));
        for &x in xs.iter().flatten() {
            for &y in ys.iter().flatten() {
                for &z in zs.iter().flatten() {
                    let mut index = self.last[self.chain([x, y, z])];
                    while index != NONE {
                        if is_sought(index, self.places[index as usize]) {
                            return true;
                        }
                        index = self.before[index as usize];
                    }
                }
            }
        }
        false
    }

    /// The number of a cell along an axis. Borders lie a third of a cell beside multiples of its side: many coordinates are
    /// multiples of some power of two, and a ball at a border lies in two cells along each axis.
    fn cell(&self, x: f64) -> f64 {
        (x / self.side + 1.0 / 3.0).floor()
    }

    /// The numbers of the cells along an axis that are within reach: one or two, or by rounding three.
    ///
    /// Numbers that are larger than 2⁵⁰ are rounded, but coordinates there are out of each other's reach, which is at most
    /// an eighth of a cell: what is near is equal.
    fn cells(&self, x: f64) -> [Option<f64>; 3] {
        let [low, high] = [x - self.reach, x + self.reach].map(|x| self.cell(x));
        let between = low + 1.0;
        [Some(low), (low < between && between < high).then_some(between), (low < high).then_some(high)]
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
mod tests {
    use super::*;

    fn near(grid: &Grid<f64>, place: [f64; 3]) -> Vec<u32> {
        let mut found = Vec::new();
        grid.any_near(place, |index, _| {
            found.push(index);
            false
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn places_on_either_side_of_a_border_are_near() {
        let mut grid = Grid::new(1.0, 100);
        assert_eq!(grid.side, 16.0);
        let borders = [-32.0, -16.0, 0.0, 16.0, 1024.0, -1e15];
        for border in borders {
            for axis in 0..3 {
                let at = |x: f64| -> [f64; 3] {
                    std::array::from_fn(
                        |other| if other == axis { border - 16.0 / 3.0 + x } else { -16.0 / 3.0 },
                    )
                };
                let first = grid.places.len() as u32;
                for x in [-0.5, 0.0, 0.5] {
                    grid.add(at(x));
                }
                for x in [-0.5, 0.0, 0.5] {
                    let found = near(&grid, at(x));
                    assert!((first..first + 3).all(|index| found.contains(&index)), "{:?}: {found:?}", at(x));
                }
            }
        }
    }

    #[test]
    fn numbers_of_cells_never_overflow() {
        let large = f64::from(LARGEST_COORDINATE);
        for reach in [LEAST, f64::from(f32::from_bits(1)), 1.0, 1e20, f64::MAX] {
            let mut grid = Grid::new(reach, 8);
            let places = [-large, -1.0, -0.0, 0.0, 1e-300, large].map(|x| [x, 0.0, -x]);
            for (index, place) in (0..).zip(places) {
                grid.add(place);
                assert!(near(&grid, place).contains(&index), "reach {reach}: {place:?}");
                let numbers = place.map(|x| grid.cells(x));
                assert!(
                    numbers.iter().flatten().flatten().all(|x| x.is_finite()),
                    "reach {reach}: {numbers:?}"
                );
            }
        }
    }

    #[test]
    fn cells_next_to_each_other_are_looked_at_to_the_last_that_f64_counts() {
        let grid = Grid::<f64>::new(1.0, 1);
        let cells = |x: f64| grid.cells(x).into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(cells(8.0), [0.0]);
        assert_eq!(cells(16.0), [1.0]);
        assert_eq!(cells(11.0), [0.0, 1.0]);
        assert_eq!(cells(-5.0), [-1.0, 0.0]);
        // Coordinates there are 16 apart, one in each cell, and then one in two cells.
        let last = 2.0_f64.powi(52) * 16.0;
        assert_eq!(cells(last + 16.0), [2.0_f64.powi(52) + 1.0]);
        assert_eq!(cells(4.0 * last), [2.0_f64.powi(54)]);
    }
}
