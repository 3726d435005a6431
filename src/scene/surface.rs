//! Points and normals of the hits of a chunk.
//!
//! Corners are gathered for a group of hits, and the arithmetic runs over columns of the group. Hits in instances and on
//! shapes are finished one by one.

use std::marker::PhantomData;
use std::ops::Range;

use super::instances::Instance;
use super::precision::BlockOf;
use super::{Geometry, GeometryView, Precision, Scene};
use crate::answers::{Hit, HitBatch, INVALID_ID, SurfaceRows};
use crate::error::{Error, Result};
use crate::leaf::{RayBlock, TriangleLeaf, before_mirrors};
use crate::math::{cross, dot, largest, power_of_two, rounded_normal};
use crate::simd::{
    Backend, Kernel, LANES, LINE, Lanes, MapEach, dispatch, prefetch, with_default_float_mode,
};
use crate::status::Status;
use crate::traverse::Target;
use crate::value::{Affine, RayBatch};

/// The normals at the vertices of a mesh, for [`vertex_normals`](crate::Cast::vertex_normals).
#[derive(Debug, Clone, Copy)]
pub struct VertexNormals<'a, T: Precision = f32> {
    key: (usize, u32),
    /// The scene stays where it is, and its meshes as they are.
    scene: PhantomData<&'a Scene<T>>,
    triangles: &'a [[u32; 3]],
    normals: &'a [[T; 3]],
}

impl<'a, T: Precision> VertexNormals<'a, T> {
    /// The normals of a mesh of `scene`: that of the request, or one [placed](crate::SceneBuilder::instance) in it. There is a
    /// normal for each vertex, of any length, and `triangles` are those with which the mesh was added.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if the scene has no such mesh, [`Error::TriangleCount`] if it has more or fewer triangles,
    /// [`Error::VertexOutOfRange`] for a triangle that names a normal which does not exist, [`Error::UnusableVertex`] for a
    /// normal that is not finite or beyond 2¹⁰⁰.
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
    unit: bool,
    vertex_normals: Vec<VertexNormals<'a, T>>,
}

/// The hits that are located together.
const GROUP: usize = 64;

/// What the arithmetic of a group reads and writes: a column for each number.
struct Columns<T> {
    corners: [[[T; GROUP]; 3]; 3],
    weights: [[T; GROUP]; 2],
    points: [[f64; GROUP]; 3],
    normals: [[T; GROUP]; 3],
}

/// The hits of a group, as slices of a batch.
struct Hits<'a, T> {
    status: &'a [Status],
    geometry_ids: &'a [u32],
    primitive_ids: &'a [u32],
    /// Empty if all are in the scene itself.
    instance_ids: &'a [u32],
    weights: [&'a [T]; 2],
    t: &'a [T],
}

/// A hit that is not on a triangle of the scene itself: the scene that holds it, the map from there, and the instances
/// around it, outermost first, as a run of all that are listed.
struct Placed<'a, T: Precision> {
    lane: usize,
    scene: &'a Scene<T>,
    to_world: Affine,
    around: Range<usize>,
    is_shape: bool,
}

impl<'a, T: Precision> Locating<'a, T> {
    /// Whether the arithmetic makes the normals. Those of `f64` are made where corners are gathered, as the cast makes them.
    const MAKES_NORMALS: bool = size_of::<T>() == size_of::<f32>();

    pub(crate) fn new(
        scene: &'a Scene<T>,
        backend: Backend,
        unit: bool,
        vertex_normals: &[VertexNormals<'a, T>],
    ) -> Self {
        let mut vertex_normals = vertex_normals.to_vec();
        vertex_normals.sort_by_key(|normals| normals.key);
        Self { scene, backend, unit, vertex_normals }
    }

    /// Locates the hits from row `first` on, which are those of `rays` and the rows of `into`.
    pub(super) fn run(
        &self,
        rays: &RayBatch<'_, T>,
        hits: &HitBatch<T>,
        first: usize,
        into: &mut SurfaceRows<'_, T>,
    ) -> Result<()> {
        let zeros = [[T::ZERO; GROUP]; 3];
        let (corners, weights, points) = ([zeros; 3], [[T::ZERO; GROUP]; 2], [[0.0; GROUP]; 3]);
        let mut columns = Columns { corners, weights, points, normals: zeros };
        with_default_float_mode(|| {
            let mut locate = |rows: Range<usize>, into: &mut SurfaceRows<'_, T>| {
                let of_batch = first + rows.start..first + rows.end;
                let group = Hits {
                    status: &hits.status()[of_batch.clone()],
                    geometry_ids: &hits.geometry_id()[of_batch.clone()],
                    primitive_ids: &hits.primitive_id()[of_batch.clone()],
                    instance_ids: hits.instance_id().get(of_batch.clone()).unwrap_or_default(),
                    weights: [&hits.u()[of_batch.clone()], &hits.v()[of_batch.clone()]],
                    t: &hits.t()[of_batch],
                };
                self.locate(rays, &group, rows, &mut columns, into)
            };
            for start in (0..into.status.len()).step_by(GROUP) {
                let rows = start..into.status.len().min(start + GROUP);
                if let Err(error) = locate(rows.clone(), into) {
                    // Within a group the scene's own triangles come first: one by one, the first is the first.
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
        hits: &Hits<'_, T>,
        rows: Range<usize>,
        columns: &mut Columns<T>,
        into: &mut SurfaceRows<'_, T>,
    ) -> Result<()> {
        let (mut around, mut placed) = (Vec::new(), Vec::new());
        self.gather(hits, columns, &mut around, &mut placed)?;
        let count = rows.len();
        for (column, weights) in columns.weights.iter_mut().zip(hits.weights) {
            column[..count].copy_from_slice(weights);
        }
        let unit = self.unit && placed.is_empty() && Self::MAKES_NORMALS;
        dispatch(self.backend, Compute { columns, unit });
        into.status[rows.clone()].copy_from_slice(hits.status);
        for (lane, point) in into.point[rows.clone()].iter_mut().enumerate() {
            *point = [0, 1, 2].map_each(|axis: usize| T::nearest_to(columns.points[axis][lane % GROUP]));
        }
        for (lane, normal) in into.geometric_normal[rows.clone()].iter_mut().enumerate() {
            *normal = [0, 1, 2].map_each(|axis: usize| columns.normals[axis][lane % GROUP]);
        }
        for Placed { lane, scene, to_world, around: run, is_shape } in &placed {
            let (row, around) = (rows.start + lane, &around[run.clone()]);
            let mut point = [0, 1, 2].map_each(|axis: usize| columns.points[axis][*lane]);
            let mut normal = into.geometric_normal[row];
            if *is_shape {
                let mut ray = rays.ray(row);
                for instance in around {
                    ray = instance.carry_back(&ray);
                }
                let (local, outward) = scene.point_and_normal(&ray, &hits.hit(*lane))?;
                let is_mirrored = around.iter().filter(|instance| instance.is_mirrored).count() % 2 == 1;
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
            self.shade(hits, &rows, &placed, into);
        }
        if self.unit && !unit {
            for normal in &mut into.geometric_normal[rows] {
                *normal = scaled(normal.map(T::to_f64)).unwrap_or(*normal);
            }
        }
        Ok(())
    }

    /// Gathers the corners of all triangles, and zeros for what is none. Lists the hits that are placed elsewhere.
    fn gather<'s>(
        &'s self,
        hits: &Hits<'_, T>,
        columns: &mut Columns<T>,
        around: &mut Vec<&'s Instance<T>>,
        placed: &mut Vec<Placed<'s, T>>,
    ) -> Result<()> {
        let scene = self.scene;
        let (table, blocks, numbering) = (scene.place_of_each(), scene.tree.bvh().blocks(), &scene.numbering);
        let is_plain = hits.instance_ids.is_empty() && scene.shapes.is_empty;
        // All blocks are on their way before any is read. The last place of all is that of none.
        let mut places = [u32::MAX; GROUP];
        for (lane, into) in places[..hits.status.len()].iter_mut().enumerate() {
            if !hits.status[lane].is_hit() {
                continue;
            }
            let geometry_id = hits.geometry_ids[lane];
            if is_plain || hits.is_in_scene(lane) && scene.shapes.geometry(geometry_id).is_none() {
                let number = numbering.number(geometry_id, hits.primitive_ids[lane]);
                let place = number.and_then(|number| table.get(number as usize)).copied();
                let place = place.and_then(|place| Some((place, blocks.get(place as usize / LANES)?)));
                let (place, block) = place.ok_or_else(|| hits.unknown(lane))?;
                bytemuck::bytes_of(block).chunks(LINE).for_each(|line| prefetch(&line[0]));
                *into = place;
            } else {
                let here = self.place(hits, lane, around, placed.last())?;
                placed.push(here);
            }
        }
        for (row, &place) in places.iter().enumerate() {
            columns.copy(blocks.get(place as usize / LANES), place as usize % LANES, row);
        }
        for &Placed { lane, scene, is_shape, .. } in placed.iter() {
            if !is_shape {
                let number = scene.numbering.number(hits.geometry_ids[lane], hits.primitive_ids[lane]);
                let place = number.and_then(|number| scene.place_of_each().get(number as usize)).copied();
                let block = place.and_then(|place| scene.tree.bvh().blocks().get(place as usize / LANES));
                let (place, block) = place.zip(block).ok_or_else(|| hits.unknown(lane))?;
                columns.copy(Some(block), place as usize % LANES, lane);
            }
        }
        Ok(())
    }

    /// Where a hit is placed. Neighbours are often in the same instance.
    fn place<'s>(
        &'s self,
        hits: &Hits<'_, T>,
        lane: usize,
        around: &mut Vec<&'s Instance<T>>,
        before: Option<&Placed<'s, T>>,
    ) -> Result<Placed<'s, T>> {
        let is_shape = |scene: &Scene<T>| scene.shapes.geometry(hits.geometry_ids[lane]).is_some();
        if hits.is_in_scene(lane) {
            let (scene, to_world) = (self.scene, Affine::IDENTITY);
            return Ok(Placed { lane, scene, to_world, around: 0..0, is_shape: is_shape(scene) });
        }
        let same = before.filter(|before| hits.instance_ids[before.lane] == hits.instance_ids[lane]);
        if let Some(&Placed { scene, to_world, ref around, .. }) = same {
            return Ok(Placed { lane, scene, to_world, around: around.clone(), is_shape: is_shape(scene) });
        }
        let (first, mut to_world) = (around.len(), Affine::IDENTITY);
        let scene = self.scene.enter(hits.instance_ids[lane], |_, instance| {
            around.push(instance);
            to_world = to_world.after(&instance.transform);
        })?;
        Ok(Placed { lane, scene, to_world, around: first..around.len(), is_shape: is_shape(scene) })
    }

    /// Interpolates the normals of vertices. Geometric normals are not scaled yet, or are all those of the scene itself.
    fn shade(
        &self,
        hits: &Hits<'_, T>,
        rows: &Range<usize>,
        placed: &[Placed<'_, T>],
        into: &mut SurfaceRows<'_, T>,
    ) {
        let mut placed = placed.iter().peekable();
        for (lane, row) in rows.clone().enumerate() {
            let here = placed.next_if(|placed| placed.lane == lane);
            let normal = into.geometric_normal[row];
            let mut shading = None;
            if hits.status[lane].is_hit() && here.is_none_or(|placed| !placed.is_shape) {
                let key = key(here.map_or(self.scene, |placed| placed.scene), hits.geometry_ids[lane]);
                let weights = hits.weights.map_each(|weights| weights[lane]);
                let found = self.vertex_normals.binary_search_by_key(&key, |normals| normals.key).ok();
                shading = found
                    .and_then(|found| self.vertex_normals[found].at(hits.primitive_ids[lane], weights))
                    .map(|normal| here.map_or(normal, |placed| placed.to_world.normal(normal)))
                    .and_then(scaled);
            }
            into.shading_normal[row] = shading.or_else(|| scaled(normal.map(T::to_f64))).unwrap_or(normal);
        }
    }
}

impl<T: Precision> Columns<T> {
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

impl<T: Precision> Hits<'_, T> {
    fn is_in_scene(&self, lane: usize) -> bool {
        self.instance_ids.get(lane).is_none_or(|&id| id == INVALID_ID)
    }

    fn unknown(&self, lane: usize) -> Error {
        let (geometry_id, primitive_id) = (self.geometry_ids[lane], self.primitive_ids[lane]);
        Error::UnknownPrimitive { geometry_id, primitive_id }
    }

    fn hit(&self, lane: usize) -> Hit<T> {
        let (geometry_id, primitive_id) = (self.geometry_ids[lane], self.primitive_ids[lane]);
        let [u, v] = self.weights.map_each(|weights| weights[lane]);
        Hit { t: self.t[lane], primitive_id, geometry_id, instance_id: INVALID_ID, u, v }
    }
}

/// The points by the weights of the hits, and the normals as [`triangle_normal`](crate::math::triangle_normal) rounds them.
struct Compute<'a, T> {
    columns: &'a mut Columns<T>,
    unit: bool,
}

impl<T: Precision> Kernel for Compute<'_, T> {
    type Output = ();

    /// Plain loops over columns, which the compiler turns into vectors of the backend.
    #[expect(clippy::needless_range_loop, reason = "a row of several columns has no iterator")]
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { columns: Columns { corners, weights, points, normals }, unit } = self;
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
                // Nothing stays nothing.
                let length = if length > 0.0 { length } else { 1.0 };
                for axis in 0..3 {
                    normals[axis][lane] = T::nearest_to(normal[axis] / length);
                }
            }
        }
    }
}

/// Scaled to length 1 and rounded; `None` without a direction.
fn scaled<T: Precision>(v: [f64; 3]) -> Option<[T; 3]> {
    // By a power of two first, so that no square overflows or vanishes.
    let size = power_of_two(largest(&v).max(f64::MIN_POSITIVE));
    let v = v.map_each(|x| x / size);
    let length = dot(v, v).sqrt();
    // False for NaN.
    (length > 0.0 && length.is_finite()).then(|| v.map_each(|x| T::nearest_to(x / length)))
}
