//! A grid of heights as ground that rays meet.

use crate::work::Work;
use lanecast::answers::AnyHitBatch;
use lanecast::primitive::HeightField;
use lanecast::support::with_default_float_mode;
use lanecast::{CastOptions, Error, Maker, Ray, RayBatch, Result, Scene, SceneBuilder};
use std::sync::Arc;

/// The part of a pixel's width by which eyes are above the ground at least, as rays that start on a
/// triangle meet it, wherever they go. The opposite edges of the triangles at a pixel are 0.7 of its
/// width away or more, so that this takes 0.0001 degrees of their elevation at most.
const LIFT: f64 = 1e-6;
/// The part of the height, where that is more: well above the rounding of heights.
const LIFT_OF_HEIGHT: f64 = 1.0 / (1_u64 << 40) as f64;
/// How far the walls around holes go down, in widths and lengths of the grid: below any ray that goes
/// down by 89 degrees or less. Deeper walls would cost: boxes are of `f32`, and so as wide as the
/// depth is rounded.
const DEPTH: f64 = 64.0;

/// A grid of heights: ground under the triangles between the centres of neighbouring pixels.
///
/// Each four neighbours are the corners of two triangles, as in a
/// [`HeightField`](lanecast::primitive::HeightField); a triangle with a corner without data is not
/// there. Whatever is below a triangle is ground: a ray that comes through a hole meets the walls
/// around it, so that nobody looks out from under a mountain.
///
/// ```
/// use lanecast::SceneBuilder;
/// use lanecast_terrain::Terrain;
/// // Two rows of three pixels, 10 by 10, of which the first has its centre at (5, 15).
/// let heights = [1.0, 2.0, 3.0, 4.0, f64::NAN, 6.0];
/// let transform = [10.0, 0.0, 5.0, 0.0, -10.0, 15.0];
/// let terrain = Terrain::new(&heights, [2, 3], transform, SceneBuilder::default())?;
/// assert_eq!(terrain.point(5), [25.0, 5.0, 6.0]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone)]
pub struct Terrain {
    heights: Vec<f64>,
    /// Of the columns.
    x: Vec<f64>,
    /// Of the rows.
    y: Vec<f64>,
    /// The numbers of the pixels with data.
    pixels: Vec<u32>,
    lift: f64,
    scene: Arc<Scene<f64>>,
}

impl std::fmt::Debug for Terrain {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terrain").field("rows and columns", &self.size()).finish_non_exhaustive()
    }
}

impl Terrain {
    /// Heights of rows and columns of pixels, row by row, NaN where there are no data, and
    /// `[a, b, c, d, e, f]`: the centre of the pixel in column `i` and row `j` is at
    /// x = a · i + b · j + c and y = d · i + e · j + f. North is where y grows, whether rows go
    /// there or away from it. The builder has threads, backend and watcher of the build.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: heights that are infinite or beyond 2¹⁰⁰, or not as many as pixels,
    /// by their place; a transform that is rotated, not finite, or gives pixels no size; fewer than
    /// two rows or columns. [`Error::Stopped`] by the watcher, and the errors of
    /// [`SceneBuilder::build`].
    pub fn new(
        heights: &[f64],
        [rows, columns]: [usize; 2],
        transform: [f64; 6],
        builder: SceneBuilder<'_, f64>,
    ) -> Result<Self> {
        let [a, b, c, d, e, f] = transform;
        if b != 0.0 || d != 0.0 {
            let problem = "is rotated; gdalwarp makes a grid of it that is not";
            return Err(refused("terrain", "transform", problem));
        }
        if !(transform.iter().all(|x| x.is_finite()) && a != 0.0 && e != 0.0) {
            let problem = format!("is {transform:?}, which gives pixels no size");
            return Err(refused("terrain", "transform", &problem));
        }
        if rows.checked_mul(columns) != Some(heights.len()) {
            let found = heights.len();
            let problem = format!("are {found}, not one for each of {rows} × {columns} pixels");
            return Err(refused("terrain", "heights", &problem));
        }
        let usable = |height: &f64| height.is_nan() || height.abs() <= 2_f64.powi(100);
        if let Some(pixel) = heights.iter().position(|height| !usable(height)) {
            let (row, column) = (pixel / columns, pixel % columns);
            let problem = format!(
                "hold {} in row {row}, column {column}; they must be at most 2^100 in magnitude, or NaN",
                heights[pixel]
            );
            return Err(refused("terrain", "heights", &problem));
        }
        with_default_float_mode(|| {
            let along = |step: f64, start: f64, count: usize| {
                let least = start.min(start + step * count.saturating_sub(1) as f64);
                let place = |number: usize| least + number as f64 * step.abs();
                let mut places: Vec<f64> = (0..count).map(place).collect();
                if step < 0.0 {
                    places.reverse();
                }
                (least, places)
            };
            let ((x0, x), (y0, y)) = (along(a, c, columns), along(e, f, rows));
            // Those of the field ascend along both axes.
            let mut ascending = heights.to_vec();
            if a < 0.0 {
                ascending.chunks_mut(columns.max(1)).for_each(<[f64]>::reverse);
            }
            if e < 0.0 {
                let row = |row: usize| &ascending[row * columns..][..columns];
                ascending = (0..rows).rev().flat_map(row).copied().collect();
            }
            let size = [rows, columns];
            let field = HeightField::new(&ascending, size, [x0, y0], [a.abs(), e.abs()])?;
            drop(ascending);
            let (corners, walls) = walls_around_holes(&field);
            let mut builder: SceneBuilder<'_, f64> = builder;
            builder = builder.height_field(field)?;
            if !walls.is_empty() {
                builder = builder.quads(&corners, &walls)?;
            }
            let is_data = |(pixel, height): (u32, &f64)| (!height.is_nan()).then_some(pixel);
            Ok(Self {
                pixels: (0..).zip(heights).filter_map(is_data).collect(),
                heights: heights.to_vec(),
                x,
                y,
                lift: LIFT * a.abs().min(e.abs()),
                scene: Arc::new(builder.build()?),
            })
        })
    }

    /// The scene: the triangles, and walls below the edges of holes.
    pub fn scene(&self) -> &Arc<Scene<f64>> {
        &self.scene
    }

    /// The number of rows and of columns.
    pub fn size(&self) -> [usize; 2] {
        [self.y.len(), self.x.len()]
    }

    /// The heights, row by row.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// The numbers of the pixels with data: row · columns + column.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// The ground at the centre of a pixel. Panics if there is no such pixel.
    pub fn point(&self, pixel: u32) -> [f64; 3] {
        let (pixel, columns) = (pixel as usize, self.x.len());
        [self.x[pixel % columns], self.y[pixel / columns], self.heights[pixel]]
    }

    /// Eyes so high above the ground at places, by x and y; none beside the terrain and over holes.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a height that is negative or not finite. Those of casts.
    pub fn eyes(
        &self,
        places: &[[f64; 2]],
        height: f64,
        options: &CastOptions<'_, f64>,
    ) -> Result<Vec<Option<[f64; 3]>>> {
        let height = not_negative("viewshed", "observer_height", height)?;
        with_default_float_mode(|| {
            // A NaN changes nothing.
            let top = self.heights.iter().fold(f64::NEG_INFINITY, |top, height| top.max(*height));
            let above = top + 1.0;
            let down = |[x, y]: &[f64; 2]| Ray::new([*x, *y, above], [0.0, 0.0, -1.0]);
            let down: Vec<Ray<f64>> = places.iter().map(down).collect();
            let hits = self.scene.cast(&down).with(options).closest()?;
            let eye = |(row, [x, y]): (usize, &[f64; 2])| {
                let hit = hits.hit(row)?;
                Some([*x, *y, above - hit.t + height])
            };
            Ok(places.iter().enumerate().map(eye).collect())
        })
    }

    /// An eye above the centre of a pixel.
    pub(crate) fn eye(&self, pixel: u32, height: f64) -> [f64; 3] {
        let [x, y, ground] = self.point(pixel);
        let lift = self.lift.max(ground.abs() * LIFT_OF_HEIGHT);
        [x, y, ground + height.max(lift)]
    }

    /// Which rays from eyes above these pixels meet the ground.
    pub(crate) fn meet<D: Towards>(
        &self,
        eyes: &Eyes<'_, D>,
        work: &mut Work<'_>,
        hits: &mut AnyHitBatch,
    ) -> Result<()> {
        work.part(eyes.len(), |options| {
            self.scene.cast(&RayBatch::made(eyes)).with(options).any_into(hits)
        })
    }

    /// The gradient of the ground at a pixel along x and y: the mean of those of the triangles that
    /// meet there; 0 where there are none.
    pub(crate) fn gradient(&self, pixel: u32) -> [f64; 2] {
        let [rows, columns] = self.size();
        let (row, column) = (pixel as usize / columns, pixel as usize % columns);
        // Triangles have a right angle at a corner, from which one leg goes along x and one along
        // y. In a cell these are the corners with the least and with the greatest x and y.
        let [goes_right, goes_up] = [self.x[1] > self.x[0], self.y[1] > self.y[0]];
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for (first_row, first_column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (Some(row), Some(column)) =
                (row.checked_sub(first_row), column.checked_sub(first_column))
            else {
                continue;
            };
            if row + 1 >= rows || column + 1 >= columns {
                continue;
            }
            for is_upper in [false, true] {
                let corner_row = row + usize::from(goes_up == is_upper);
                let corner_column = column + usize::from(goes_right == is_upper);
                let (other_row, other_column) =
                    (2 * row + 1 - corner_row, 2 * column + 1 - corner_column);
                let at = |row: usize, column: usize| (row * columns + column) as u32;
                let corners = [
                    at(corner_row, corner_column),
                    at(corner_row, other_column),
                    at(other_row, corner_column),
                ];
                let [[x, y, z], along_x, along_y] = corners.map(|corner| self.point(corner));
                let slopes =
                    [(along_x[2] - z) / (along_x[0] - x), (along_y[2] - z) / (along_y[1] - y)];
                if corners.contains(&pixel) && slopes.iter().all(|slope| !slope.is_nan()) {
                    sum = [sum[0] + slopes[0], sum[1] + slopes[1]];
                    count += 1.0;
                }
            }
        }
        if count > 0.0 { sum.map(|sum: f64| sum / count) } else { [0.0; 2] }
    }
}

/// What is wrong with an argument.
pub(crate) fn refused(what: &'static str, field: &'static str, problem: &str) -> Error {
    Error::UnusableField { maker: what, field, problem: problem.to_owned() }
}

/// A height or a distance.
pub(crate) fn not_negative(what: &'static str, field: &'static str, value: f64) -> Result<f64> {
    if (0.0..=1e29).contains(&value) {
        return Ok(value);
    }
    let problem = format!("is {value}; it must be from 0 to 1e29");
    Err(refused(what, field, &problem))
}

/// Where a ray goes by its place among others, and up to which `t`.
pub(crate) trait Towards: Fn(usize) -> ([f64; 3], f64) + Sync {}

impl<D: Fn(usize) -> ([f64; 3], f64) + Sync> Towards for D {}

/// A ray from above each of some pixels.
pub(crate) struct Eyes<'a, D> {
    pub(crate) terrain: &'a Terrain,
    pub(crate) pixels: &'a [u32],
    /// Above the ground.
    pub(crate) height: f64,
    pub(crate) towards: D,
}

impl<D: Towards> Maker<Ray<f64>> for Eyes<'_, D> {
    fn len(&self) -> usize {
        self.pixels.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray<f64>]) {
        for (place, ray) in (first..).zip(rays) {
            let origin = self.terrain.eye(self.pixels[place], self.height);
            let (direction, t_max) = (self.towards)(place);
            *ray = Ray { t_max, ..Ray::new(origin, direction) };
        }
    }
}

/// A wall below each edge between a triangle and one that is not there, and deep: what passes under
/// the ground has met one of them. The rim of the grid needs none, as nothing comes in there.
fn walls_around_holes(field: &HeightField<f64>) -> (Vec<[f64; 3]>, Vec<[u32; 4]>) {
    let ([rows, columns], heights) = (field.size(), field.heights());
    let (mut corners, mut walls) = (Vec::new(), Vec::new());
    if !heights.iter().any(|height| height.is_nan()) {
        return (corners, walls);
    }
    let [width, length] = [columns, rows].map(|count| count as f64);
    let [dx, dy] = field.spacing();
    // A NaN changes nothing.
    let lowest = heights.iter().fold(f64::INFINITY, |lowest, height| lowest.min(*height));
    let bottom = lowest - DEPTH * (width * dx + length * dy);
    let is_data = |(row, column): (usize, usize)| !heights[row * columns + column].is_nan();
    let is_lower = |row: usize, column: usize| {
        [(row, column), (row, column + 1), (row + 1, column)].into_iter().all(is_data)
    };
    let is_upper = |row: usize, column: usize| {
        [(row + 1, column + 1), (row + 1, column), (row, column + 1)].into_iter().all(is_data)
    };
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            // Each edge within the grid is one of a lower triangle, and its other side an upper one.
            let is_there = is_lower(row, column);
            let beyond = [
                (row > 0).then(|| (is_upper(row - 1, column), [(0, 0), (0, 1)])),
                (column > 0).then(|| (is_upper(row, column - 1), [(0, 0), (1, 0)])),
                Some((is_upper(row, column), [(0, 1), (1, 0)])),
            ];
            for (is_other, ends) in beyond.into_iter().flatten() {
                if is_there == is_other {
                    continue;
                }
                let first = corners.len() as u32;
                let [a, b] = ends.map(|(up, right)| field.vertex(row + up, column + right));
                corners.extend([a, b, [b[0], b[1], bottom], [a[0], a[1], bottom]]);
                walls.push([0, 1, 2, 3].map(|corner| first + corner));
            }
        }
    }
    (corners, walls)
}
