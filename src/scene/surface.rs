//! Points and normals of the hits of a chunk.
//!
//! Corners are gathered for a group of hits, and the arithmetic runs over columns of the group.
//! Hits in instances and on shapes are finished one by one.

use std::marker::PhantomData;
use std::ops::Range;

use super::instances::Instance;
use super::locate::point_of_far;
use super::precision::BlockOf;
use super::{Geometry, GeometryView, Precision, Scene};
use crate::answers::{Hit, HitBatch, INVALID_ID, SurfaceRows};
use crate::chunks::{Chunk, OF_OWN};
use crate::columns::shown;
use crate::error::{Error, Result};
use crate::leaf::{RayBlock, TriangleLeaf, before_mirrors};
use crate::math::{cross, dot, largest, power_of_two, rounded_normal};
use crate::simd::{Backend, LANES, LINE, MapEach, dispatch, prefetch, with_default_float_mode};
use crate::traverse::Target;
use crate::value::{Affine, RayBatch};

/// The normals at the vertices of a mesh, for [`vertex_normals`](crate::Cast::vertex_normals).
#[derive(Clone, Copy)]
pub struct VertexNormals<'a, T: Precision = f32> {
    key: (usize, u32),
    /// The borrow keeps the scene in its place and its meshes unchanged.
    scene: PhantomData<&'a Scene<T>>,
    triangles: &'a [[u32; 3]],
    normals: &'a [[T; 3]],
}

shown!([T: Precision] VertexNormals<'_, T> as "VertexNormals", self {
    "triangles": self.triangles.len(),
    "normals": self.normals.len(),
});

impl<'a, T: Precision> VertexNormals<'a, T> {
    /// The normals of a mesh of `scene`: that of the request, or one
    /// [placed](crate::SceneBuilder::instance) in it. There is a normal for each vertex, of any
    /// length, and `triangles` are those with which the mesh was added.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if the scene has no such mesh, [`Error::TriangleCount`] if it has
    /// more or fewer triangles, [`Error::VertexOutOfRange`] for a triangle that names a normal
    /// which does not exist, [`Error::UnusableVertex`] for a normal that is not finite or beyond
    /// 2¹⁰⁰.
    pub fn new(
        scene: &'a Scene<T>,
        geometry_id: u32,
        triangles: &'a [[u32; 3]],
        normals: &'a [[T; 3]],
    ) -> Result<Self> {
        let GeometryView::Triangles { count: expected } = scene.geometry(geometry_id)? else {
            return Err(Error::UnknownGeometry { geometry_id, geometries: scene.geometry_count() });
        };
        if triangles.len() != expected {
            return Err(Error::TriangleCount { geometry_id, found: triangles.len(), expected });
        }
        Geometry::triangle_mesh(normals, triangles).check(geometry_id)?;
        Ok(Self { key: key(scene, geometry_id), scene: PhantomData, triangles, normals })
    }

    /// The normal where the second and third vertex have these weights.
    fn at(&self, primitive_id: u32, [u, v]: [T; 2]) -> Option<[f64; 3]> {
        let triangle = self.triangles.get(primitive_id as usize)?;
        let [a, b, c] = triangle.map_each(|vertex| self.normals[vertex as usize].map(T::to_f64));
        let [u, v] = [u, v].map(T::to_f64);
        Some([0, 1, 2].map_each(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]))
    }
}

/// Geometries of the scenes that are placed in others have the same ids.
fn key<T: Precision>(scene: &Scene<T>, geometry_id: u32) -> (usize, u32) {
    (std::ptr::from_ref(scene).addr(), geometry_id)
}

/// How hits are located.
pub(crate) struct Locating<'a, T: Precision> {
    scene: &'a Scene<T>,
    backend: Backend,
    hits: &'a HitBatch<T>,
    unit: bool,
    vertex_normals: Vec<VertexNormals<'a, T>>,
}

/// The hits that are located together.
const GROUP: usize = 64;

/// The input and output of the arithmetic of a group: a column for each number.
struct Columns<T> {
    corners: [[[T; GROUP]; 3]; 3],
    weights: [[T; GROUP]; 2],
    origins: [[T; GROUP]; 3],
    /// How far hits are from the origin along the longest axis.
    depths: [T; GROUP],
    points: [[f64; GROUP]; 3],
    /// Whether a vertex lies more than twice as far, along an axis.
    are_far: [bool; GROUP],
    normals: [[T; GROUP]; 3],
}

/// A hit that is not on a triangle of the scene itself: the scene that holds it, the map from
/// there, and the instances around it, outermost first, as a run of all that are listed.
struct Placed<'a, T: Precision> {
    lane: usize,
    hit: Hit<T>,
    scene: &'a Scene<T>,
    to_world: Affine,
    around: Range<usize>,
    is_shape: bool,
}

impl<'a, T: Precision> Locating<'a, T> {
    /// Whether the arithmetic makes the normals. Those of `f64` are made where corners are
    /// gathered, as the cast makes them.
    const MAKES_NORMALS: bool = !T::IS_F64;

    pub(crate) fn new(
        scene: &'a Scene<T>,
        backend: Backend,
        hits: &'a HitBatch<T>,
        unit: bool,
        vertex_normals: &[VertexNormals<'a, T>],
    ) -> Self {
        let mut vertex_normals = vertex_normals.to_vec();
        vertex_normals.sort_by_key(|normals| normals.key);
        Self { scene, backend, hits, unit, vertex_normals }
    }

    /// Locates the hits of a chunk, which are those of `rays` and the rows of `into`.
    pub(super) fn run(
        &self,
        rays: &RayBatch<'_, T>,
        chunk: &Chunk<'_>,
        into: &mut SurfaceRows<'_, T>,
    ) -> Result<()> {
        let first = chunk.rows().start;
        // Hits on primitives of the caller are found again.
        let work = if self.scene.holds_shapes() { GROUP as u32 * OF_OWN } else { GROUP as u32 };
        let zeros = [[T::ZERO; GROUP]; 3];
        let mut columns = Columns {
            corners: [zeros; 3],
            weights: [[T::ZERO; GROUP]; 2],
            origins: zeros,
            depths: [T::ZERO; GROUP],
            points: [[0.0; GROUP]; 3],
            are_far: [false; GROUP],
            normals: zeros,
        };
        with_default_float_mode(|| {
            let mut locate = |rows, into: &mut SurfaceRows<'_, T>| {
                self.locate(rays, first, rows, &mut columns, into)
            };
            for start in (0..into.status.len()).step_by(GROUP) {
                let rows = start..into.status.len().min(start + GROUP);
                if chunk.work(work).is_break() {
                    return Ok(());
                }
                if let Err(error) = locate(rows.clone(), into) {
                    // Within a group the scene's own triangles come first. Row by row, the first
                    // error is that of the first row.
                    let mut rows = rows;
                    return rows.try_for_each(|row| locate(row..row + 1, into)).and(Err(error));
                }
            }
            Ok(())
        })
    }

    fn locate(
        &self,
        rays: &RayBatch<'_, T>,
        first: usize,
        rows: Range<usize>,
        columns: &mut Columns<T>,
        into: &mut SurfaceRows<'_, T>,
    ) -> Result<()> {
        let (mut around, mut placed) = (Vec::new(), Vec::new());
        let of_batch = first + rows.start..first + rows.end;
        self.gather(of_batch.clone(), columns, &mut around, &mut placed)?;
        for (column, weights) in columns.weights.iter_mut().zip([self.hits.u(), self.hits.v()]) {
            column[..rows.len()].copy_from_slice(&weights[of_batch.clone()]);
        }
        let t = &self.hits.t()[of_batch.clone()];
        // In the frame of the scene that holds the hit.
        let ray_of = |lane: usize| {
            let mut ray = rays.ray(rows.start + lane);
            if let Ok(place) = placed.binary_search_by_key(&lane, |placed| placed.lane) {
                for instance in &around[placed[place].around.clone()] {
                    ray = instance.carry_back(&ray);
                }
            }
            ray
        };
        for (lane, t) in t.iter().enumerate() {
            let ray = ray_of(lane);
            columns.depths[lane] =
                ray.direction.iter().fold(T::ZERO, |most, &x| x.max_abs(most)) * t.abs();
            for (column, x) in columns.origins.iter_mut().zip(ray.origin) {
                column[lane] = x;
            }
        }
        let unit = self.unit && placed.is_empty() && Self::MAKES_NORMALS;
        dispatch!(self.backend, _ => compute(columns, unit));
        for (lane, &t) in t.iter().enumerate().filter(|&(lane, _)| columns.are_far[lane]) {
            if self.hits.status()[of_batch.start + lane].is_hit()
                && let Some(point) = point_of_far(&columns.triangle(lane), &ray_of(lane), t)
            {
                (0..3).for_each(|axis| columns.points[axis][lane] = point[axis]);
            }
        }
        into.status[rows.clone()].copy_from_slice(&self.hits.status()[of_batch.clone()]);
        for (lane, point) in into.point[rows.clone()].iter_mut().enumerate() {
            *point =
                [0, 1, 2].map_each(|axis: usize| T::nearest_to(columns.points[axis][lane % GROUP]));
        }
        for (lane, normal) in into.geometric_normal[rows.clone()].iter_mut().enumerate() {
            *normal = [0, 1, 2].map_each(|axis: usize| columns.normals[axis][lane % GROUP]);
        }
        for Placed { lane, hit, scene, to_world, around: run, is_shape } in &placed {
            let (row, around) = (rows.start + lane, &around[run.clone()]);
            let mut point = [0, 1, 2].map_each(|axis: usize| columns.points[axis][*lane]);
            let mut normal = into.geometric_normal[row];
            if *is_shape {
                let (local, outward) = scene.point_and_normal(&ray_of(*lane), hit)?;
                let is_mirrored =
                    around.iter().filter(|instance| instance.is_mirrored).count() % 2 == 1;
                (point, normal) = (local, before_mirrors(outward.map(T::nearest_to), is_mirrored));
            }
            if !around.is_empty() {
                point = to_world.carry(point);
            }
            // Rounded in every frame, as the cast does.
            for instance in around.iter().rev() {
                normal = instance.transform.normal_of(normal);
            }
            (into.point[row], into.geometric_normal[row]) = (point.map(T::nearest_to), normal);
        }
        if !into.shading_normal.is_empty() {
            self.shade(of_batch, &rows, &placed, into);
        }
        if self.unit && !unit {
            for normal in &mut into.geometric_normal[rows] {
                *normal = scaled(normal.map(T::to_f64)).unwrap_or(*normal);
            }
        }
        Ok(())
    }

    /// Gathers the corners of all triangles, and zeros for other rows. Lists the hits that are
    /// placed elsewhere.
    fn gather<'s>(
        &'s self,
        of_batch: Range<usize>,
        columns: &mut Columns<T>,
        around: &mut Vec<&'s Instance<T>>,
        placed: &mut Vec<Placed<'s, T>>,
    ) -> Result<()> {
        let (scene, hits) = (self.scene, self.hits);
        let (table, blocks, numbering) =
            (scene.place_of_each(), scene.tree.bvh().blocks(), &scene.numbering);
        let status = &hits.status()[of_batch.clone()];
        let [geometry_ids, primitive_ids] =
            [hits.geometry_id(), hits.primitive_id()].map(|ids| &ids[of_batch.clone()]);
        let is_plain = hits.instance_id().is_empty() && scene.shapes.is_empty;
        // All blocks are prefetched before any is read. A lane without a triangle has the greatest
        // place.
        let mut places = [u32::MAX; GROUP];
        for (lane, into) in places[..status.len()].iter_mut().enumerate() {
            if !status[lane].is_hit() {
                continue;
            }
            let (geometry_id, primitive_id) = (geometry_ids[lane], primitive_ids[lane]);
            let row = of_batch.start + lane;
            let is_in_scene = || hits.instance_id().get(row).is_none_or(|&id| id == INVALID_ID);
            if is_plain || is_in_scene() && scene.shapes.geometry(geometry_id).is_none() {
                let number = numbering.number(geometry_id, primitive_id);
                let place = number.and_then(|number| table.get(number as usize)).copied();
                let place =
                    place.and_then(|place| Some((place, blocks.get(place as usize / LANES)?)));
                let unknown = || Error::UnknownPrimitive { geometry_id, primitive_id };
                let (place, block) = place.ok_or_else(unknown)?;
                bytemuck::bytes_of(block).chunks(LINE).for_each(|line| prefetch(&line[0]));
                *into = place;
            } else if let Some(hit) = hits.hit(row) {
                let here = self.place(hit, lane, around, placed.last())?;
                placed.push(here);
            }
        }
        for (row, &place) in places.iter().enumerate() {
            columns.copy(blocks.get(place as usize / LANES), place as usize % LANES, row);
        }
        for &Placed { lane, hit, scene, is_shape, .. } in placed.iter() {
            if !is_shape {
                let (block, place) = scene.place_of(hit.geometry_id, hit.primitive_id)?;
                columns.copy(Some(block), place % LANES, lane);
            }
        }
        Ok(())
    }

    /// Where a hit is placed. Neighbours are often in the same instance.
    fn place<'s>(
        &'s self,
        hit: Hit<T>,
        lane: usize,
        around: &mut Vec<&'s Instance<T>>,
        before: Option<&Placed<'s, T>>,
    ) -> Result<Placed<'s, T>> {
        let same = before.filter(|before| before.hit.instance_id == hit.instance_id);
        let (scene, to_world, around) =
            if let Some(&Placed { scene, to_world, ref around, .. }) = same {
                (scene, to_world, around.clone())
            } else {
                let (first, mut to_world) = (around.len(), Affine::IDENTITY);
                let scene = self.scene.enter(hit.instance_id, |_, instance| {
                    around.push(instance);
                    to_world = to_world * instance.transform;
                })?;
                (scene, to_world, first..around.len())
            };
        let is_shape = scene.shapes.geometry(hit.geometry_id).is_some();
        Ok(Placed { lane, hit, scene, to_world, around, is_shape })
    }

    /// Interpolates the normals of vertices. Geometric normals are not scaled yet, or are all those
    /// of the scene itself.
    fn shade(
        &self,
        of_batch: Range<usize>,
        rows: &Range<usize>,
        placed: &[Placed<'_, T>],
        into: &mut SurfaceRows<'_, T>,
    ) {
        let mut placed = placed.iter().peekable();
        for ((lane, row), row_of_batch) in rows.clone().enumerate().zip(of_batch) {
            let here = placed.next_if(|placed| placed.lane == lane);
            let normal = into.geometric_normal[row];
            let mut shading = None;
            if let Some(hit) = self.hits.hit(row_of_batch)
                && here.is_none_or(|placed| !placed.is_shape)
            {
                let key = key(here.map_or(self.scene, |placed| placed.scene), hit.geometry_id);
                let found =
                    self.vertex_normals.binary_search_by_key(&key, |normals| normals.key).ok();
                shading = found
                    .and_then(|found| {
                        self.vertex_normals[found].at(hit.primitive_id, [hit.u, hit.v])
                    })
                    .map(|normal| here.map_or(normal, |placed| placed.to_world.normal(normal)))
                    .and_then(scaled);
            }
            into.shading_normal[row] =
                shading.or_else(|| scaled(normal.map(T::to_f64))).unwrap_or(normal);
        }
    }
}

impl<T: Precision> Columns<T> {
    fn triangle(&self, lane: usize) -> [[T; 3]; 3] {
        self.corners.map_each(|corner| corner.map_each(|column| column[lane]))
    }

    /// Copies the triangle in a lane to a row; zeros of none.
    #[inline(always)]
    fn copy(&mut self, block: Option<&BlockOf<T>>, lane: usize, row: usize) {
        let corners = block.map_or([[T::ZERO; 3]; 3], |block| block.triangle(lane));
        for (columns, corner) in self.corners.iter_mut().zip(corners) {
            for (column, x) in columns.iter_mut().zip(corner) {
                column[row % GROUP] = x;
            }
        }
        if !Locating::<T>::MAKES_NORMALS {
            let normal = block.map_or([T::ZERO; 3], |block| block.geometric_normal(lane));
            for (column, x) in self.normals.iter_mut().zip(normal) {
                column[row % GROUP] = x;
            }
        }
    }
}

/// The points by the weights of the hits, and the normals as
/// [`triangle_normal`](crate::math::triangle_normal) rounds them.
///
/// Plain loops over columns, which the compiler turns into vectors of the backend.
#[expect(clippy::needless_range_loop, reason = "a row of several columns has no iterator")]
#[inline(always)]
fn compute<T: Precision>(columns: &mut Columns<T>, unit: bool) {
    let Columns { corners, weights, origins, depths, points, are_far, normals } = columns;
    let mut exact = [[0.0_f64; GROUP]; 3];
    for lane in 0..GROUP {
        let (mut a, mut e, mut f) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            a[axis] = corners[0][axis][lane].to_f64();
            e[axis] = corners[1][axis][lane].to_f64() - a[axis];
            f[axis] = corners[2][axis][lane].to_f64() - a[axis];
        }
        let [u, v] = [weights[0][lane].to_f64(), weights[1][lane].to_f64()];
        let normal = cross(e, f);
        for axis in 0..3 {
            points[axis][lane] = a[axis] + u * e[axis] + v * f[axis];
            exact[axis][lane] = normal[axis];
        }
    }
    for lane in 0..GROUP {
        let mut is_far = false;
        for axis in 0..3 {
            let (origin, most) = (origins[axis][lane], depths[lane] + depths[lane]);
            for corner in 0..3 {
                is_far |= (corners[corner][axis][lane] - origin).abs() > most;
            }
        }
        are_far[lane] = is_far;
    }
    if !Locating::<T>::MAKES_NORMALS {
        return;
    }
    let mut all_fit = true;
    for lane in 0..GROUP {
        let [x, y, z] = [exact[0][lane].abs(), exact[1][lane].abs(), exact[2][lane].abs()];
        let largest = x.max(y).max(z);
        let fits = (largest >= f64::from(f32::MIN_POSITIVE)) & (largest <= f64::from(f32::MAX));
        all_fit &= fits | (largest == 0.0);
    }
    for axis in 0..3 {
        for lane in 0..GROUP {
            normals[axis][lane] = T::nearest_to(exact[axis][lane]);
        }
    }
    if !all_fit {
        for lane in 0..GROUP {
            let normal = rounded_normal([exact[0][lane], exact[1][lane], exact[2][lane]]);
            for axis in 0..3 {
                normals[axis][lane] = T::of(normal[axis]);
            }
        }
    }
    if unit {
        for lane in 0..GROUP {
            let mut normal = [0.0; 3];
            for axis in 0..3 {
                normal[axis] = normals[axis][lane].to_f64();
            }
            let length = dot(normal, normal).sqrt();
            // A zero vector stays zero.
            let length = if length > 0.0 { length } else { 1.0 };
            for axis in 0..3 {
                normals[axis][lane] = T::nearest_to(normal[axis] / length);
            }
        }
    }
}

/// Scaled to length 1 and rounded; `None` without a direction.
fn scaled<T: Precision>(v: [f64; 3]) -> Option<[T; 3]> {
    // The vector is scaled by a power of two first, so that no square overflows or vanishes.
    let size = power_of_two(largest(&v).max(f64::MIN_POSITIVE));
    let v = v.map_each(|x| x / size);
    let length = dot(v, v).sqrt();
    // False for NaN.
    (length > 0.0 && length.is_finite()).then(|| v.map_each(|x| T::nearest_to(x / length)))
}
