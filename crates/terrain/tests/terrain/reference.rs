//! Hills with holes, and what is seen there by a calculation over every triangle in `f64`.

use lanecast::{CastOptions, SceneBuilder};
use lanecast_reference::random::Random;
use lanecast_terrain::Terrain;

pub(crate) const ROWS: usize = 13;
pub(crate) const COLUMNS: usize = 17;

/// Rows go south, north, and north with columns that go west, at survey coordinates.
pub(crate) const TRANSFORMS: [[f64; 6]; 3] = [
    [5.0, 0.0, 500_000.5, 0.0, -5.0, 5_200_000.25],
    [5.0, 0.0, 500_000.5, 0.0, 4.0, 5_200_000.25],
    [-3.0, 0.0, 500_000.5, 0.0, -4.0, 5_200_000.25],
];

/// Hills of some ten metres, and their triangles.
pub(crate) struct Hills {
    pub(crate) heights: Vec<f64>,
    pub(crate) transform: [f64; 6],
    pub(crate) triangles: Vec<[[f64; 3]; 3]>,
    pub(crate) terrain: Terrain,
}

impl Hills {
    /// With a hole amid them, one at the rim, and one with a pixel of its own in it, or without.
    pub(crate) fn new(transform: [f64; 6], has_holes: bool) -> Self {
        let mut random = Random::new(5);
        let mut height = |at: usize| {
            let (row, column) = ((at / COLUMNS) as f64, (at % COLUMNS) as f64);
            let smooth = 9.0 * ((0.5 * row).sin() + (0.4 * column).cos());
            let rough = random.unit_f64() * 4.0;
            let is_hole = (row - 6.0).hypot(column - 9.0) < 2.5
                || (row - 12.0).hypot(column - 3.0) < 2.0
                || (row == 3.0 && (2.0..5.0).contains(&column));
            let is_island = row == 6.0 && column == 9.0;
            if has_holes && is_hole && !is_island { f64::NAN } else { smooth + rough }
        };
        let heights: Vec<f64> = (0..ROWS * COLUMNS).map(&mut height).collect();
        let terrain = Terrain::new(&heights, [ROWS, COLUMNS], transform, SceneBuilder::default());
        let triangles = triangles(&heights, transform);
        Self { heights, transform, triangles, terrain: terrain.expect("a terrain") }
    }

    /// The pixels with data and the ground there.
    pub(crate) fn points(&self) -> impl Iterator<Item = (usize, [f64; 3])> {
        let points = (0..ROWS * COLUMNS).map(|at| (at, point(&self.heights, self.transform, at)));
        points.filter(|(_, point)| !point[2].is_nan())
    }

    /// The least and the greatest elevation of the horizon about an azimuth: there may be a step,
    /// at the edge of a hole.
    pub(crate) fn horizon(&self, eye: [f64; 3], azimuth: f64, most: f64) -> [f64; 2] {
        let near = [-1e-7, 0.0, 1e-7].map(|more| self.horizon_at(eye, azimuth + more, most));
        [near.into_iter().fold(90.0, f64::min), near.into_iter().fold(-90.0, f64::max)]
    }

    /// The greatest elevation of the part of a triangle that is in this direction.
    fn horizon_at(&self, eye: [f64; 3], azimuth: f64, most: f64) -> f64 {
        let (east, north) = azimuth.to_radians().sin_cos();
        let mut highest = -90.0_f64;
        for corners in &self.triangles {
            // Along the direction, to its right, and above the eye.
            let seen = corners.map(|[x, y, z]| {
                let (x, y) = (x - eye[0], y - eye[1]);
                [x * east + y * north, x * north - y * east, z - eye[2]]
            });
            let mut cut: Vec<[f64; 2]> = Vec::new();
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (seen[a], seen[b]);
                // Within the rounding of coordinates.
                if a[1].abs() < 1e-9 {
                    cut.push([a[0], a[2]]);
                }
                if a[1] * b[1] < 0.0 {
                    let part = a[1] / (a[1] - b[1]);
                    cut.push([a[0] + part * (b[0] - a[0]), a[2] + part * (b[2] - a[2])]);
                }
            }
            cut.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let (Some(&first), Some(&last)) = (cut.first(), cut.last()) else { continue };
            for end in [first[0], last[0].min(most)] {
                let length = last[0] - first[0];
                let part = if length > 0.0 { (end - first[0]) / length } else { 0.0 };
                let above = first[1] + part * (last[1] - first[1]);
                if end > 1e-6 && end <= most && part >= 0.0 {
                    highest = highest.max(above.atan2(end).to_degrees());
                }
            }
        }
        highest
    }
}

fn point(heights: &[f64], [a, _, c, _, e, f]: [f64; 6], at: usize) -> [f64; 3] {
    [a * (at % COLUMNS) as f64 + c, e * (at / COLUMNS) as f64 + f, heights[at]]
}

/// The triangles between centres of pixels that all have data, with the diagonal from the lower
/// right to the upper left of a cell.
fn triangles(heights: &[f64], transform: [f64; 6]) -> Vec<[[f64; 3]; 3]> {
    let mut all = Vec::new();
    for row in 1..ROWS {
        for column in 1..COLUMNS {
            let mut cell =
                [(row, column - 1), (row, column), (row - 1, column - 1), (row - 1, column)]
                    .map(|(row, column)| point(heights, transform, row * COLUMNS + column));
            // By y and then by x: lower left, lower right, upper left, upper right.
            cell.sort_by(|a, b| (a[1], a[0]).partial_cmp(&(b[1], b[0])).expect("numbers"));
            let [v00, v01, v10, v11] = cell;
            all.extend([[v00, v01, v10], [v11, v10, v01]]);
        }
    }
    all.retain(|corners| corners.iter().all(|corner| !corner[2].is_nan()));
    all
}

pub(crate) fn options<'a>() -> CastOptions<'a, f64> {
    CastOptions::new()
}
