//! Fields of heights over a grid: the triangles of a mesh that is not stored.
//!
//! A box of the tree holds a tile of cells. A ray at a tile is cut to its heights, then row by row
//! to the cells that it may pass; these are tested by the arithmetic of meshes.

use std::ops::Range;

use super::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
use crate::columns::shown;
use crate::error::{Error, Result};
use crate::kernel::{ExactScalar, LoneRay};
use crate::leaf::block::Foot;
use crate::leaf::triangle::foot;
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES, cross, rounded_normal, sub};
use crate::memory::Memory;
use crate::simd::{MapEach, Scalar, with_default_float_mode};
use crate::value::{Aabb, Affine, Contact, Ray, Side, Triangle};

/// The cells along a side of a tile.
const TILE: usize = 8;

/// A surface over a grid in the plane of x and y, by a height for each vertex: terrain, relief, a
/// scan. Two triangles a cell, of which none is stored.
///
/// The vertex in row r and column c is (x₀ + c · Δx, y₀ + r · Δy, `heights[r · columns + c]`). x
/// and y are a product and a sum in `f64`, then rounded to `T`; [`vertex`](Self::vertex) gives
/// them. A cell has the vertices
///
/// ```text
/// y  v10 --- v11       triangle 2 · cell:     v00, v01, v10
/// |   | \     |        triangle 2 · cell + 1: v11, v10, v01
/// |   |   \   |        cell = r · (columns − 1) + c, with r and c of v00
/// |  v00 --- v01
/// +------------- x
/// ```
///
/// with the diagonal from v01 to v10. A primitive id is that of a triangle;
/// [`quad_point`](crate::primitive::quad_point) gives the cell and the place in it. The front is
/// up, and stays there in instances that mirror.
///
/// Every answer for a ray has the bits that [`Watertight`](crate::primitive::Watertight) gives for
/// these triangles: no ray is lost at edges, and each crossing counts once. In `f32` these are the
/// bits of a mesh of the same triangles; a `Scene<f64>` may give a mesh other last bits. A NaN
/// height is a hole: triangles with such a corner are not met and have no closest point. A field
/// encloses nothing, and queries of inside points refuse it.
///
/// It takes the size of a height for each vertex, and about a byte more for each cell: a twentieth
/// of a mesh in `f32`. Steep rays take 1.3 to 2 times as long as at a mesh, grazing ones 4 to 6
/// times.
///
/// ```
/// use lanecast::primitive::{HeightField, quad_point};
/// use lanecast::{Ray, SceneBuilder};
/// // Two rows of three heights, over cells of 10 by 10, from (0, 0).
/// let heights = [0.0, 0.0, 5.0, 0.0, 0.0, 5.0];
/// let field = HeightField::new(&heights, [2, 3], [0.0, 0.0], [10.0, 10.0])?;
/// let scene = SceneBuilder::new().height_field(field)?.build()?;
/// let down = Ray::new([18.0, 6.0, 100.0], [0.0, 0.0, -1.0]);
/// let hit = scene.cast(&down).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.primitive_id), (96.0, 3));
/// let (cell, [along_x, along_y]) = quad_point(hit.primitive_id, hit.u, hit.v);
/// assert!(cell == 1 && (along_x - 0.8).abs() < 1e-6 && (along_y - 0.6).abs() < 1e-6);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone)]
pub struct HeightField<T: Scalar = f32> {
    heights: Memory<T>,
    /// Rows and columns of vertices, at least two each.
    vertices: [usize; 2],
    origin: [T; 2],
    spacing: [T; 2],
    /// The least and the greatest height of each tile; the least is above the greatest where all
    /// are holes.
    ranges: Vec<[T; 2]>,
}

shown!([T: Scalar] HeightField<T> as "HeightField", self {
    "rows and columns": self.vertices,
    "origin": self.origin,
    "spacing": self.spacing,
});

impl<T: Scalar> HeightField<T> {
    /// A field of rows and columns of heights, row by row, with x₀ and y₀, and the spacing along x
    /// and y.
    ///
    /// [`Error::UnusableField`] names the unusable argument: fewer than two rows or columns,
    /// heights that are not as many as vertices, an origin that is not finite, a spacing that is
    /// not finite and above 0. [`Error::TooManyTriangles`] beyond 2²⁹ cells. A scene refuses
    /// vertices with an infinite coordinate or one beyond 2¹⁰⁰, by [`Error::UnusableVertex`].
    pub fn new(
        heights: &[T],
        [rows, columns]: [usize; 2],
        origin: [T; 2],
        spacing: [T; 2],
    ) -> Result<Self> {
        Self::of(Memory::copied(heights), [rows, columns], origin, spacing)
    }

    pub(crate) fn of(
        heights: Memory<T>,
        [rows, columns]: [usize; 2],
        origin: [T; 2],
        spacing: [T; 2],
    ) -> Result<Self> {
        let refuse =
            |field, problem| Err(Error::UnusableField { maker: "height field", field, problem });
        for (field, count) in [("rows", rows), ("columns", columns)] {
            if count < 2 {
                return refuse(field, format!("are {count}; there must be two at least"));
            }
        }
        if rows.checked_mul(columns) != Some(heights.len()) {
            return refuse(
                "heights",
                format!("are {}, not one for each of {rows} × {columns} vertices", heights.len()),
            );
        }
        let triangles = (rows - 1) * (columns - 1) * 2;
        if triangles > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles });
        }
        with_default_float_mode(|| {
            for axis in 0..2 {
                let (start, step) = (origin[axis], spacing[axis]);
                if !start.is_finite() {
                    return refuse(
                        ["origin x", "origin y"][axis],
                        format!("is {start}; it must be finite"),
                    );
                }
                if !(step > T::ZERO && step.is_finite()) {
                    return refuse(
                        ["spacing x", "spacing y"][axis],
                        format!("is {step}; it must be finite and above 0"),
                    );
                }
            }
            let mut field =
                Self { heights, vertices: [rows, columns], origin, spacing, ranges: Vec::new() };
            field.ranges = field.tiles().map(|first| field.range_of(&field.tile(first))).collect();
            Ok(field)
        })
    }

    /// The heights, row by row.
    pub fn heights(&self) -> &[T] {
        &self.heights
    }

    /// The number of rows and of columns of vertices.
    pub const fn size(&self) -> [usize; 2] {
        self.vertices
    }

    /// x₀ and y₀.
    pub const fn origin(&self) -> [T; 2] {
        self.origin
    }

    /// The distance of neighbours along x and along y.
    pub const fn spacing(&self) -> [T; 2] {
        self.spacing
    }

    /// A vertex, with a NaN height at a hole. Panics if there is no such row or column.
    pub fn vertex(&self, row: usize, column: usize) -> [T; 3] {
        let [rows, columns] = self.vertices;
        assert!(row < rows && column < columns, "vertex {row}, {column} of {rows} × {columns}");
        with_default_float_mode(|| self.vertex_at(row, column))
    }

    fn vertex_at(&self, row: usize, column: usize) -> [T; 3] {
        let height = self.heights[row * self.vertices[1] + column];
        [self.along(0, column), self.along(1, row), height]
    }

    /// A coordinate of the vertices in a column (axis 0) or a row (axis 1).
    fn along(&self, axis: usize, number: usize) -> T {
        T::nearest_to(self.origin[axis].to_f64() + number as f64 * self.spacing[axis].to_f64())
    }

    /// The number of columns of cells.
    fn width(&self) -> usize {
        self.vertices[1] - 1
    }

    /// The row and the column of the cell of a triangle.
    fn cell(&self, primitive_id: u32) -> [usize; 2] {
        let cell = primitive_id as usize / 2;
        [cell / self.width(), cell % self.width()]
    }

    /// A triangle that exists as a solid; `None` at holes.
    pub(super) fn solid(&self, primitive_id: u32) -> Option<Triangle<f64>> {
        let corners = self.corners(primitive_id);
        (!is_hole(&corners))
            .then(|| Triangle::new(corners.map_each(|corner| corner.map(T::to_f64))))
    }

    /// The corners of a triangle that exists; NaN at holes.
    pub(crate) fn corners(&self, primitive_id: u32) -> [[T; 3]; 3] {
        let [row, column] = self.cell(primitive_id);
        let (right, left) = (self.vertex_at(row, column + 1), self.vertex_at(row + 1, column));
        match primitive_id % 2 {
            0 => [self.vertex_at(row, column), right, left],
            _ => [self.vertex_at(row + 1, column + 1), left, right],
        }
    }

    /// The first triangle of each tile.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = u32> {
        let ([rows, columns], width) = (self.vertices.map_each(|count| count - 1), self.width());
        let firsts = (0..rows)
            .step_by(TILE)
            .flat_map(move |row| (0..columns).step_by(TILE).map(move |column| (row, column)));
        firsts.map(move |(row, column)| 2 * (row * width + column) as u32)
    }

    /// The rows and columns of the cells in the tile that starts with a triangle; none if there is
    /// no such triangle.
    pub(crate) fn tile(&self, first: u32) -> [Range<usize>; 2] {
        let [row, column] = self.cell(first);
        let [rows, columns] = self.vertices.map_each(|count| count - 1);
        [row..rows.min(row + TILE), column..columns.min(column + TILE)]
    }

    /// The triangles in that tile.
    pub(crate) fn triangles_of(&self, first: u32) -> impl Iterator<Item = u32> {
        let ([rows, columns], width) = (self.tile(first), self.width());
        rows.flat_map(move |row| {
            (2 * (row * width + columns.start)..2 * (row * width + columns.end)).map(|id| id as u32)
        })
    }

    fn range_of(&self, [rows, columns]: &[Range<usize>; 2]) -> [T; 2] {
        let mut range = [T::INFINITY, T::NEG_INFINITY];
        for row in rows.start..=rows.end {
            for &height in &self.heights[row * self.vertices[1]..][columns.start..=columns.end] {
                // A NaN changes nothing.
                range = [height.min(range[0]), height.max(range[1])];
            }
        }
        range
    }

    /// The heights of the tile that starts with a triangle.
    fn range(&self, first: u32) -> [T; 2] {
        let [row, column] = self.cell(first);
        self.ranges[row / TILE * self.width().div_ceil(TILE) + column / TILE]
    }

    /// The box around the tile that starts with a triangle; empty if all heights are holes, or if
    /// there is no such triangle.
    pub(crate) fn tile_bounds(&self, first: u32) -> Aabb<T> {
        if self.cell(first)[0] >= self.vertices[0] - 1 {
            return Aabb::EMPTY;
        }
        let ([rows, columns], [least, greatest]) = (self.tile(first), self.range(first));
        if least > greatest {
            return Aabb::EMPTY;
        }
        Aabb {
            min: [self.along(0, columns.start), self.along(1, rows.start), least],
            max: [self.along(0, columns.end), self.along(1, rows.end), greatest],
        }
    }

    /// Refuses vertices that a scene cannot hold.
    pub(crate) fn check(&self, geometry_id: u32) -> Result<()> {
        let bound = T::of(LARGEST_COORDINATE);
        let usable = |x: &T| x.is_nan() || x.abs() <= bound;
        let [rows, columns] = self.vertices;
        let ends = [(0, 0), (rows - 1, columns - 1)].into_iter();
        let at_end = ends.map(|(row, column)| row * columns + column).find(|&end| {
            let [x, y, _] = self.vertex_at(end / columns, end % columns);
            !(usable(&x) && usable(&y))
        });
        let Some(vertex) =
            at_end.or_else(|| self.heights.iter().position(|height| !usable(height)))
        else {
            return Ok(());
        };
        let position = self.vertex_at(vertex / columns, vertex % columns).map(T::to_f64);
        Err(Error::UnusableVertex { geometry_id, vertex, position })
    }
}

/// A part of a line by its ends in `t`, cut to where it lies between two planes square to an axis;
/// `None` if nothing is left.
fn cut(
    [start, end]: [f64; 2],
    origin: f64,
    direction: f64,
    [min, max]: [f64; 2],
) -> Option<[f64; 2]> {
    if direction == 0.0 {
        return (min <= origin && origin <= max).then_some([start, end]);
    }
    let (a, b) = ((min - origin) / direction, (max - origin) / direction);
    let cut = [start.max(a.min(b)), end.min(a.max(b))];
    (cut[0] <= cut[1]).then_some(cut)
}

impl<T: ExactScalar> HeightField<T> {
    /// Calls `meet` with each triangle of a tile that a ray meets, by the triangle that the tile
    /// starts with.
    ///
    /// # Why no triangle is missed
    ///
    /// In units of roundoff, shearing moves a vertex by at most 2 X + 4 Z along an axis, X and Z
    /// its distances from the origin ([`Watertight`](crate::primitive::Watertight)): the line
    /// passes a box around a cell of a triangle that it meets by no more than 6 D, the sum of the
    /// greatest distances along the axes. Vertices are off the grid by 3 M, the sum of the greatest
    /// magnitudes, and a plane relative to the origin by another rounding of D. Planes are moved by
    /// 32 (D + M). A quotient rounds `t` by one unit of itself, which is one of D along all axes
    /// where the line is in the tile. A cell is passed over where its heights are all above the
    /// line, or all below: above a cell they are those of its corners at most.
    pub(crate) fn intersect_tile(
        &self,
        first: u32,
        ray: &Ray<T>,
        contact: Contact,
        meet: &mut dyn FnMut(u32, SurfacePoint<T>, Side),
    ) {
        let bounds = self.tile_bounds(first);
        if bounds.is_empty() {
            return;
        }
        let [rows, columns] = self.tile(first);
        let (origin, direction) = (ray.origin.map(T::to_f64), ray.direction.map(T::to_f64));
        let [min, max] = [bounds.min, bounds.max].map_each(|corner| corner.map(T::to_f64));
        let mut room = 0.0;
        for axis in 0..3 {
            let extent = min[axis].abs().max(max[axis].abs());
            room += 2.0 * extent
                + (min[axis] - origin[axis]).abs().max((max[axis] - origin[axis]).abs());
        }
        let [x0, y0] = self.origin.map(T::to_f64);
        let [dx, dy] = self.spacing.map(T::to_f64);
        let room = 32.0 * T::UNIT_ROUNDOFF.to_f64() * (room + x0.abs() + y0.abs());
        let part = [f64::NEG_INFINITY, f64::INFINITY];
        let Some(part) = cut(part, origin[2], direction[2], [min[2] - room, max[2] + room]) else {
            return;
        };
        // The extent of a part of the line along an axis.
        let span = |[start, end]: [f64; 2], axis: usize| {
            // A part without ends is of a line square to the axis.
            let at = |t: f64| {
                if direction[axis] == 0.0 {
                    origin[axis]
                } else {
                    origin[axis] + t * direction[axis]
                }
            };
            let (a, b) = (at(start), at(end));
            [a.min(b) - room, a.max(b) + room]
        };
        // The cells along an axis that a part of the line may pass: whole numbers from 0 on.
        let passed = |part: [f64; 2], axis: usize, from: f64, step: f64, all: &Range<usize>| {
            let [low, high] = span(part, axis).map_each(|x| ((x - from) / step) as usize);
            all.start.max(low)..all.end.min(high.saturating_add(1))
        };
        let planes = |number: usize, from: f64, step: f64| {
            [from + number as f64 * step - room, from + (number + 1) as f64 * step + room]
        };
        let mut line = None;
        for row in passed(part, 1, y0, dy, &rows) {
            let Some(part) = cut(part, origin[1], direction[1], planes(row, y0, dy)) else {
                continue;
            };
            for column in passed(part, 0, x0, dx, &columns) {
                let Some(part) = cut(part, origin[0], direction[0], planes(column, x0, dx)) else {
                    continue;
                };
                let [low, high] = span(part, 2);
                let place = row * self.vertices[1] + column;
                let heights =
                    [place, place + 1, place + self.vertices[1], place + self.vertices[1] + 1]
                        .map_each(|vertex| self.heights[vertex].to_f64());
                // Both are false for a NaN.
                if heights.iter().all(|&height| height < low)
                    || heights.iter().all(|&height| height > high)
                {
                    continue;
                }
                let line = line.get_or_insert_with(|| LoneRay::new(ray, contact));
                let cell = 2 * (row * self.width() + column) as u32;
                for id in [cell, cell + 1] {
                    self.meet_with(id, line, &mut |point, side| meet(id, point, side));
                }
            }
        }
    }

    /// The same for one triangle, whatever tile it is in.
    pub(crate) fn intersect_triangle(
        &self,
        id: u32,
        ray: &Ray<T>,
        contact: Contact,
        meet: &mut dyn FnMut(SurfacePoint<T>, Side),
    ) {
        if (id as usize) < self.count() {
            self.meet_with(id, &LoneRay::new(ray, contact), meet);
        }
    }

    fn meet_with(&self, id: u32, line: &LoneRay<T>, meet: &mut dyn FnMut(SurfacePoint<T>, Side)) {
        let corners = self.corners(id);
        if is_hole(&corners) {
            return;
        }
        if let Some((side, [t, u, v])) = line.meet(corners) {
            meet(SurfacePoint { t, u, v, normal: normal(&corners) }, side);
        }
    }
}

fn is_hole<T: Scalar>(corners: &[[T; 3]; 3]) -> bool {
    corners.iter().any(|[_, _, height]| height.is_nan())
}

/// (v1 − v0) × (v2 − v0) in `f64`, as for meshes of `f32`.
fn normal<T: Scalar>(corners: &[[T; 3]; 3]) -> [T; 3] {
    let [a, b, c] = corners.map_each(|corner| corner.map(T::to_f64));
    let normal = cross(sub(b, a), sub(c, a));
    if size_of::<T>() == size_of::<f32>() {
        rounded_normal(normal).map(T::of)
    } else {
        normal.map(T::nearest_to)
    }
}

/// Each primitive is a triangle.
impl<T: ExactScalar> Primitives<T> for HeightField<T> {
    fn count(&self) -> usize {
        2 * self.width() * (self.vertices[0] - 1)
    }

    /// Empty at holes.
    fn bounds(&self, primitive_id: u32) -> Aabb<T> {
        let corners = self.corners(primitive_id);
        if is_hole(&corners) { Aabb::EMPTY } else { Aabb::of_points(corners) }
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        self.intersect_triangle(primitive_id, ray, Contact::Touch, &mut |point, _| meet(point));
    }

    fn nearest_points(&self) -> Option<&dyn NearestPoints<T>> {
        Some(self)
    }
}

impl<T: ExactScalar> NearestPoints<T> for HeightField<T> {
    /// The closest point as of a triangle of a mesh, with its weights.
    fn nearest_point(&self, id: u32, point: [f64; 3], placed: &Affine) -> Option<NearestPoint<T>> {
        let corners = ((id as usize) < self.count()).then(|| self.corners(id))?;
        if is_hole(&corners) {
            return None;
        }
        let Foot { point, u, v, .. } =
            foot(point, corners.map_each(|corner| placed.carry(corner.map(T::to_f64))));
        Some(NearestPoint {
            point,
            u: T::nearest_to(u),
            v: T::nearest_to(v),
            normal: normal(&corners),
        })
    }
}
