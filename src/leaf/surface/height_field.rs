//! Fields of heights over a grid: the triangles of a mesh that is not stored.
//!
//! A leaf of their tree is two by two cells. Its block of eight triangles is made of the heights
//! whenever it is visited, and tested as the blocks of meshes.

use super::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
use crate::columns::shown;
use crate::error::{Error, Result};
use crate::kernel::{ExactScalar, LoneRay};
use crate::leaf::block::{Foot, TriangleLeaf, cell_halves};
use crate::leaf::triangle::foot;
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES, cross, rounded_normal, sub};
use crate::memory::Memory;
use crate::simd::{LANES, MapEach, Scalar, with_default_float_mode};
use crate::value::{Aabb, Affine, Contact, Ray};

/// The cells along a side of a leaf.
const SIDE: usize = 2;

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
/// Every answer has the bits of a mesh of the same triangles: no ray is lost at edges, and each
/// crossing counts once. A NaN height is a hole: triangles with such a corner are not met and have
/// no closest point. A field encloses nothing, and queries of inside points refuse it.
///
/// It takes the size of a height for each vertex, and nine bytes for each cell: in `f32` 13 bytes,
/// where a mesh takes 112. Rays and points take 0.7 to 1.6 times as long as at the mesh.
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
            Ok(Self { heights, vertices: [rows, columns], origin, spacing })
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

    /// The corners of a triangle that exists; NaN at holes.
    pub(crate) fn corners(&self, primitive_id: u32) -> [[T; 3]; 3] {
        let [row, column] = self.cell(primitive_id);
        let at = |up: usize, right: usize| self.vertex_at(row + up, column + right);
        cell_halves(at)[primitive_id as usize % 2]
    }

    /// The rows and columns of leaves.
    pub(crate) fn leaves(&self) -> [usize; 2] {
        self.vertices.map_each(|count| (count - 1).div_ceil(SIDE))
    }

    /// The extent of a leaf along a column and along a row.
    pub(crate) fn leaf_extent(&self) -> [f64; 2] {
        let [x, y] = self.spacing;
        [y, x].map_each(|step| SIDE as f64 * step.to_f64())
    }

    /// A box around all, holes but for their heights included; empty if all heights are holes.
    pub(crate) fn around(&self) -> Aabb<T> {
        let mut range = [T::INFINITY, T::NEG_INFINITY];
        for &height in &*self.heights {
            // A NaN changes nothing.
            range = [height.min(range[0]), height.max(range[1])];
        }
        if range[0] > range[1] {
            return Aabb::EMPTY;
        }
        let [rows, columns] = self.vertices;
        Aabb {
            min: [self.along(0, 0), self.along(1, 0), range[0]],
            max: [self.along(0, columns - 1), self.along(1, rows - 1), range[1]],
        }
    }

    /// The triangles of a leaf that are no holes.
    fn leaf_triangles(&self, row: usize, column: usize) -> impl Iterator<Item = u32> {
        let [rows, columns] = self.vertices.map_each(|count| count - 1);
        let cells = (row * SIDE..rows.min((row + 1) * SIDE)).flat_map(move |row| {
            (column * SIDE..columns.min((column + 1) * SIDE)).map(move |column| (row, column))
        });
        let ids = cells.flat_map(|(row, column)| {
            let first = 2 * (row * self.width() + column) as u32;
            [first, first + 1]
        });
        ids.filter(|&id| !is_hole(&self.corners(id)))
    }

    /// The heights of the vertices of a leaf, if it has all its cells and no hole.
    #[inline(always)]
    fn whole_leaf(&self, row: usize, column: usize) -> Option<[[T; 3]; 3]> {
        let width = self.vertices[1];
        if (column + 1) * SIDE >= width {
            return None;
        }
        let of_row = |up: usize| -> Option<[T; 3]> {
            let start = row * SIDE * width + column * SIDE + up * width;
            self.heights.get(start..start + 3)?.try_into().ok()
        };
        let heights = [of_row(0)?, of_row(1)?, of_row(2)?];
        let mut sum = T::ZERO;
        for height in heights.as_flattened() {
            // NaN if one is.
            sum = sum + *height;
        }
        (!sum.is_nan()).then_some(heights)
    }

    /// The box around a leaf; empty if it has no triangle.
    pub(crate) fn leaf_bounds(&self, row: usize, column: usize) -> Aabb<T> {
        if let Some(heights) = self.whole_leaf(row, column) {
            let mut range = [T::INFINITY, T::NEG_INFINITY];
            for &height in heights.as_flattened() {
                range = [height.min(range[0]), height.max(range[1])];
            }
            let [x, y] = [column, row].map_each(|place| place * SIDE);
            return Aabb {
                min: [self.along(0, x), self.along(1, y), range[0]],
                max: [self.along(0, x + SIDE), self.along(1, y + SIDE), range[1]],
            };
        }
        let triangles = self.leaf_triangles(row, column);
        triangles.fold(Aabb::EMPTY, |all, id| all.merged(&Aabb::of_points(self.corners(id))))
    }

    /// Makes a block that of a leaf, if it has a triangle; `start` is the number of triangle 0.
    pub(crate) fn make_leaf<B: TriangleLeaf<T>>(
        &self,
        row: usize,
        column: usize,
        start: u32,
        into: &mut B,
    ) {
        if let Some(heights) = self.whole_leaf(row, column) {
            let along = |axis: usize, place: usize| {
                [0, 1, 2].map_each(|more| self.along(axis, place * SIDE + more))
            };
            let first = [0, 1].map_each(|up| {
                start + 2 * ((row * SIDE + up) * self.width() + column * SIDE) as u32
            });
            return into.fill_cells([along(0, column), along(1, row)], &heights, first);
        }
        let (mut triangles, mut count) = ([([[T::ZERO; 3]; 3], 0); LANES], 0);
        for id in self.leaf_triangles(row, column) {
            triangles[count] = (self.corners(id), start + id);
            count += 1;
        }
        if count > 0 {
            into.fill(&triangles[..count]);
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
        let corners = ((primitive_id as usize) < self.count()).then(|| self.corners(primitive_id));
        let Some(corners) = corners.filter(|corners| !is_hole(corners)) else { return };
        if let Some((_, [t, u, v])) = LoneRay::new(ray, Contact::Touch).meet(corners) {
            meet(SurfacePoint { t, u, v, normal: normal(&corners) });
        }
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
