//! The queries of points: closest points, distances, inside or outside.

use super::winding::{Winding, inside_of_chunk, winding_direction};
use super::{
    BatchCast, Cast, Error, Leave, OfInside, Options, PerRow, Precision, RayBatch, Result, Scene,
    Threads, With, WithNormals, met_or_refused, owned,
};
use crate::answers::{
    Answers, ClosestPoint, ClosestPointBatch, ClosestPointColumns, DistanceBatch, DistanceColumns,
    InsideBatch, InsideColumns,
};
use crate::chunks::{Chunk, Watched};
use crate::columns::PointBatch;
use crate::query::{Asked, PointAnswer};
use crate::traverse::TUNING;
use crate::value::PointGrid;

/// The least and the greatest number of points in a chunk: a point takes as long as many rays.
pub(super) const OF_POINTS: [usize; 2] = [64, 1 << 12];

/// The points answered by one call of a kernel; their answers share a buffer on the stack.
const TOGETHER: usize = 128;

/// Points and their scene.
#[derive(Debug, Clone)]
pub struct Points<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) points: PointBatch<'a, T>,
}

/// One point and its scene.
#[derive(Debug, Clone)]
pub struct OnePoint<'a, T: Precision = f32> {
    scene: &'a Scene<T>,
    point: [T; 3],
}

/// The points of a grid and their scene.
#[derive(Debug, Clone, Copy)]
pub struct GridPoints<'a, T: Precision = f32> {
    scene: &'a Scene<T>,
    grid: &'a PointGrid<T>,
}

impl<T: Precision> Scene<T> {
    /// A request for points: closest points, distances, inside or outside.
    ///
    /// It is faster if points that follow each other lie near each other. Six options
    /// [apply](super::Takes): threads, backend, watcher, brute force, normals (of closest points)
    /// and [generalised winding numbers](Cast::generalised_winding).
    ///
    /// ```
    /// use lanecast::Scene;
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let solid = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let points = [[1.0, 0.5, 1.0], [-3.0, -4.0, 1.0]];
    /// assert_eq!(solid.points(&points).distances()?.distance(), [0.5, 5.0]);
    /// assert_eq!(solid.points(&points).signed_distances()?.distance(), [-0.5, 5.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn points<'s, 'o, 'p: 's>(
        &'s self,
        points: impl Into<PointBatch<'p, T>>,
    ) -> Cast<'o, T, Points<'s, T>> {
        let points: PointBatch<'p, T> = points.into();
        Cast::of(Points { scene: self, points: points.slice(0..points.len()) })
    }

    /// A request for the points of a grid that are inside. Points are made a chunk at a time and
    /// need no memory.
    pub fn grid<'s, 'o>(&'s self, grid: &'s PointGrid<T>) -> Cast<'o, T, GridPoints<'s, T>> {
        Cast::of(GridPoints { scene: self, grid })
    }

    /// A request for one point, with the same queries.
    pub fn point<'o>(&self, point: [T; 3]) -> Cast<'o, T, OnePoint<'_, T>> {
        Cast::of(OnePoint { scene: self, point })
    }
}

impl<T: Precision, Q: Leave<WithNormals>> Cast<'_, T, Points<'_, T>, Q> {
    /// The closest point of the scene's primitives to each point, within `radius`, which is
    /// included: a number, infinite for no limit, or a column with one for each point.
    ///
    /// Distances are computed and compared in `f64`, and for `f32` rounded once. At equal
    /// distances, as of triangles that share the nearest vertex or edge, the lowest (instance id,
    /// geometry id, primitive id) is named, primitives in no instance first. A triangle whose
    /// corners lie on a segment or in a point counts as that. Boxes and spheres are surfaces, from
    /// within as from outside. Primitives of the caller's own give [their closest
    /// points](crate::primitive::NearestPoints).
    ///
    /// Distances, points and normals are in the scene's frame, where
    /// [instances](crate::SceneBuilder::instance) are placed. The product of the maps on the path,
    /// in `f64`, carries corners; a stretched sphere is an ellipsoid.
    ///
    /// ```
    /// # use lanecast::{Affine, Scene, SceneBuilder, primitive::Sphere};
    /// # use std::sync::Arc;
    /// let ball = Arc::new(SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 1.0)])?.build()?);
    /// let long = Affine::from_rows([[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    /// let scene = SceneBuilder::new().instance(&ball, long).build()?;
    /// let closest = scene.points(&[[3.0, 0.0, 0.0], [0.0, 3.0, 0.0]]).closest(1.5)?;
    /// assert_eq!(closest.distance(), [1.0, f32::INFINITY]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// [`geometric_normals`](Self::geometric_normals) adds the normals. Hidden geometries and
    /// instances are left out. The status is
    /// [`InvalidOrigin`](crate::Status::InvalidOrigin) for a point with a coordinate that is not
    /// finite or beyond 2¹⁰⁰, or that the frame of an instance cannot hold;
    /// [`InvalidInterval`](crate::Status::InvalidInterval) for a NaN as radius,
    /// [`EmptyInterval`](crate::Status::EmptyInterval) for a negative one.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if there are not as many radii as points, [`Error::NotForPoints`] if
    /// primitives of the caller's own have no closest points, [`Error::Stopped`] if the watcher
    /// stopped the call.
    pub fn closest<'r>(&self, radius: impl Into<PerRow<'r, T>>) -> Result<ClosestPointBatch<T>> {
        let radius = radius.into();
        owned(|closest: &mut ClosestPointBatch<T>| self.closest_into(radius, closest))
    }

    /// [`closest`](Self::closest) into a batch, whose memory is reused, or into the caller's
    /// columns, of which [`Error::ColumnLength`] names one of another length. After an error the
    /// batch is empty.
    pub fn closest_into<'r, 'o>(
        &self,
        radius: impl Into<PerRow<'r, T>>,
        closest: impl Into<ClosestPointColumns<'o, T>>,
    ) -> Result<()> {
        let radius = radius.into();
        let check = || {
            self.asked.scene.refuse_without_nearest()?;
            radius.check("radii", self.asked.points.len())
        };
        self.answer::<ClosestPointBatch<T>>(closest.into(), check, |chunk, mut closest| {
            let with_normals = !closest.geometric_normal.is_empty();
            self.ask(chunk, radius.slice(chunk.rows()), with_normals, |row, answer| {
                closest.write(row, answer.status, &answer.found);
                if let Some(normal) = closest.geometric_normal.get_mut(row) {
                    *normal = answer.geometric_normal;
                }
            });
        })
    }
}

impl<T: Precision> Cast<'_, T, Points<'_, T>> {
    /// The distance of each point to its closest point; ∞ in an empty scene. Errors are those of
    /// [`closest`](Self::closest).
    pub fn distances(&self) -> Result<DistanceBatch<T>> {
        owned(|distances| self.distances_into(distances))
    }

    /// [`distances`](Self::distances) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn distances_into<'o>(&self, distances: impl Into<DistanceColumns<'o, T>>) -> Result<()> {
        self.distance_columns(distances.into(), false)
    }
}

impl<T: Precision, Q: Leave<OfInside>> Cast<'_, T, Points<'_, T>, Q> {
    /// The distance of each point to the nearest surface, negative inside, as
    /// [`contains`](Self::contains) says by winding numbers, not by the side of the nearest
    /// triangle: no sign depends on the angle between triangles. The nearest surface may lie within
    /// another solid. A point as near to the surface as the scene's precision rounds differences
    /// may have either sign. Errors are those of [`closest`](Self::closest) and
    /// [`contains`](Self::contains).
    pub fn signed_distances(&self) -> Result<DistanceBatch<T>> {
        owned(|distances| self.signed_distances_into(distances))
    }

    /// [`signed_distances`](Self::signed_distances) into a batch or the caller's columns.
    pub fn signed_distances_into<'o>(
        &self,
        distances: impl Into<DistanceColumns<'o, T>>,
    ) -> Result<()> {
        self.distance_columns(distances.into(), true)
    }

    /// Whether each point is inside the closed surface that triangles, other primitives and
    /// instances make together: its winding number, by the crossings of the ray from the point
    /// along x, is not zero.
    ///
    /// A crossing through an edge or a vertex counts once, so it does not matter where the ray
    /// passes. Cavities are outside, and so is the overlap of two solids of which one is inside
    /// out: a mesh in an instance that [mirrors](crate::Side) is subtracted from others. A point as
    /// near to the surface as the scene's precision rounds differences of coordinates may be inside
    /// or outside. Hidden geometries are left out.
    ///
    /// # Errors
    /// [`Error::OpenSurface`] or [`Error::NotClosed`] if a surface is not closed, unless
    /// [generalised winding numbers](Self::generalised_winding) are to decide; [`Error::Stopped`]
    /// by the watcher.
    pub fn contains(&self) -> Result<InsideBatch> {
        owned(|inside| self.contains_into(inside))
    }

    /// [`contains`](Self::contains) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn contains_into<'o>(&self, inside: impl Into<InsideColumns<'o>>) -> Result<()> {
        if self.options.generalised.is_some() {
            return self.windings::<InsideBatch>(inside.into(), |inside, row, status, winding| {
                inside.status[row] = status;
                inside.winding[row] = winding.round() as i32;
            });
        }
        let (Points { scene, points }, options) = (&self.asked, self.options.crossing());
        let rays = RayBatch::from_origins(points, winding_direction());
        let cut = || {
            options.refuse_open(scene, points.len())?;
            Ok(BatchCast::new(scene, &options, &rays))
        };
        let size = (rays.len(), With::default());
        options.fill::<InsideBatch, _>(inside.into(), size, cut, |batch, chunk, rows| {
            batch.run(chunk, &mut Winding { rows });
        })
    }
}

impl<T: Precision, Q> Cast<'_, T, Points<'_, T>, Q> {
    fn distance_columns(&self, distances: DistanceColumns<'_, T>, is_signed: bool) -> Result<()> {
        let check = || {
            self.asked.scene.refuse_without_nearest()?;
            if is_signed {
                self.options.refuse_open(self.asked.scene, self.asked.points.len())
            } else {
                Ok(())
            }
        };
        self.answer::<DistanceBatch<T>>(distances, check, |chunk, distances| {
            self.ask(chunk, PerRow::Same(T::INFINITY), false, |row, answer| {
                distances.status[row] = answer.status;
                distances.distance[row] = answer.found.distance;
            });
            if is_signed {
                let mut room = Vec::new();
                let points = self.asked.points.gathered(chunk.rows(), &mut room);
                let inside = inside_of_chunk(self.asked.scene, points, &self.options, chunk);
                for (distance, status) in distances.distance.iter_mut().zip(inside.status()) {
                    // Never −0: a point on the surface has no side.
                    if status.is_hit()
                        && bytemuck::bytes_of(distance) != bytemuck::bytes_of(&T::ZERO)
                    {
                        *distance = -*distance;
                    }
                }
            }
        })
    }

    /// Answers all points, unless `check` refuses the request: `work` answers a chunk.
    pub(super) fn answer<B: Answers>(
        &self,
        columns: B::Columns<'_>,
        check: impl FnOnce() -> Result<()>,
        work: impl Fn(&Chunk<'_>, B::Rows<'_>) + Sync + Send,
    ) -> Result<()> {
        let (scene, points, options) = (self.asked.scene, self.asked.points.len(), &self.options);
        let with = With { instances: scene.instance_count() > 0, normals: options.normals };
        let cut = || check().map(|()| (options.chunks(points, OF_POINTS), ()));
        options
            .fill::<B, _>(columns, (points, with), cut, |(), chunk, answers| work(chunk, answers))
    }

    /// Passes each row of a chunk with its answer to `write`.
    fn ask(
        &self,
        chunk: &Chunk<'_>,
        radius: PerRow<'_, T>,
        normals: bool,
        mut write: impl FnMut(usize, &PointAnswer<T>),
    ) {
        let (scene, options, mut room) = (self.asked.scene, &self.options, Vec::new());
        let (points, visible) =
            (self.asked.points.gathered(chunk.rows(), &mut room), scene.visible());
        let (backend, brute_force) = (options.backend_of(scene), options.brute_force);
        let mut answers = [PointAnswer::NONE; TOGETHER];
        for (first, points) in (0..).step_by(TOGETHER).zip(points.chunks(TOGETHER)) {
            let answers = &mut answers[..points.len()];
            let radius = radius.slice(first..first + points.len());
            let asked = Asked { backend, brute_force, points, radius, visible, normals, chunk };
            T::closest_points(scene, &asked, answers);
            for (row, answer) in (first..).zip(answers) {
                write(row, answer);
            }
        }
    }
}

impl<T: Precision> Cast<'_, T, OnePoint<'_, T>> {
    /// The closest point within `radius`, which is included, as [of many points](Cast::closest).
    ///
    /// ```
    /// # use lanecast::Scene;
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
    /// let above = scene.point([1.0, 2.0, 3.0]).closest(f32::INFINITY)?.expect("there is a triangle");
    /// assert_eq!((above.distance, above.point), (3.0, [1.0, 2.0, 0.0]));
    /// assert_eq!((above.primitive_id, above.u, above.v), (0, 0.25, 0.5));
    /// assert_eq!(scene.point([1.0, 2.0, 3.0]).closest(2.9)?, None);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`], from all queries of one point, if it or the radius cannot be used,
    /// and those of many points.
    pub fn closest(&self, radius: T) -> Result<Option<ClosestPoint<T>>> {
        let (OnePoint { scene, point }, options) = (&self.asked, &self.options);
        if options.watch.is_some() {
            let closest = self.as_batch(|point| point.closest(radius))?;
            return met_or_refused(closest.status()[0]).map(|_| closest.get(0));
        }
        scene.refuse_without_nearest()?;
        let (points, visible) = (std::slice::from_ref(point), scene.visible());
        let (backend, brute_force, radius) =
            (options.backend_of(scene), options.brute_force, PerRow::Same(radius));
        let watched = Watched::new(1, options.watch);
        let chunk = &watched.chunk(0..1);
        let asked = Asked { backend, brute_force, points, radius, visible, normals: false, chunk };
        let mut answers = [PointAnswer::NONE];
        T::closest_points(scene, &asked, &mut answers);
        watched.finish()?;
        Ok(met_or_refused(answers[0].status)?.then_some(answers[0].found))
    }

    /// The distance to the closest point; ∞ in an empty scene.
    pub fn distance(&self) -> Result<T> {
        Ok(self.closest(T::INFINITY)?.unwrap_or(ClosestPoint::NONE).distance)
    }
}

impl<T: Precision, Q: Leave<OfInside>> Cast<'_, T, OnePoint<'_, T>, Q> {
    /// The distance to the nearest surface, negative [inside](Self::contains), as [of many
    /// points](Cast::signed_distances).
    pub fn signed_distance(&self) -> Result<T> {
        let distance = self.as_batch(|point| point.signed_distances())?;
        met_or_refused(distance.status()[0]).map(|_| distance.distance()[0])
    }

    /// Whether the point is inside, as [of many points](Cast::contains).
    pub fn contains(&self) -> Result<bool> {
        met_or_refused(self.as_batch(|point| point.contains())?.status()[0])
    }
}

impl<T: Precision, Q> Cast<'_, T, OnePoint<'_, T>, Q> {
    /// The point as a batch of one, answered on the calling thread.
    pub(super) fn as_batch<B>(&self, ask: impl FnOnce(Cast<'_, T, Points<'_, T>>) -> B) -> B {
        let OnePoint { scene, point } = self.asked;
        let options = Options { threads: &Threads::ONE, ..self.options.clone() };
        ask(Cast::with_options(Points { scene, points: (&[point]).into() }, options))
    }
}

impl<T: Precision> Cast<'_, T, GridPoints<'_, T>> {
    /// A bit for each point, set inside, as by [`contains`](Cast::contains): point i is bit i % 8
    /// of byte i / 8, counted from the lowest. Bits beyond the last point are 0.
    ///
    /// ```
    /// # use lanecast::{PointGrid, Scene};
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let grid = PointGrid::new([-0.5, 0.5, 0.5], [1.0, 1.0, 1.0], [4, 2, 1])?;
    /// assert_eq!(scene.grid(&grid).occupancy_bits()?, [0b0110_1110]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// [`Error::AnswersTooLarge`] if memory does not hold the bits; others are those of
    /// [`contains`](Cast::contains).
    pub fn occupancy_bits(&self) -> Result<Vec<u8>> {
        owned(|bits| self.occupancy_bits_into(bits))
    }

    /// [`occupancy_bits`](Self::occupancy_bits) into `bits`, whose memory is reused; after an error
    /// it is empty.
    pub fn occupancy_bits_into(&self, bits: &mut Vec<u8>) -> Result<()> {
        self.occupancy(8, bits).inspect_err(|_| bits.clear())
    }

    /// A byte for each point: 1 inside, 0 outside. Errors are those of
    /// [`occupancy_bits`](Self::occupancy_bits).
    pub fn occupancy_bytes(&self) -> Result<Vec<u8>> {
        owned(|bytes| self.occupancy_bytes_into(bytes))
    }

    /// [`occupancy_bytes`](Self::occupancy_bytes) into `bytes`, whose memory is reused; after an
    /// error it is empty.
    pub fn occupancy_bytes_into(&self, bytes: &mut Vec<u8>) -> Result<()> {
        self.occupancy(1, bytes).inspect_err(|_| bytes.clear())
    }

    /// Writes for each point whether it is inside, `per_byte` (1 or 8) to a byte, from the lowest
    /// bit on.
    fn occupancy(&self, per_byte: usize, into: &mut Vec<u8>) -> Result<()> {
        let GridPoints { scene, grid } = self.asked;
        into.clear();
        self.options.refuse_open(scene, grid.len())?;
        let (points, bytes) = (grid.len(), grid.len().div_ceil(per_byte));
        into.try_reserve_exact(bytes).map_err(|_| Error::AnswersTooLarge { rows: points })?;
        into.resize(bytes, 0);
        // Whole bytes of bits.
        let chunks = self.options.chunks(points, TUNING.chunk_lengths).of_lines(8);
        let parts = chunks.clone().parts_of(into, per_byte);
        self.options.for_each_chunk(chunks, parts, |chunk, bytes| {
            let inside = inside_of_chunk(scene, &grid.points(chunk.rows()), &self.options, chunk);
            for (place, status) in inside.status().iter().enumerate() {
                bytes[place / per_byte] |= u8::from(status.is_hit()) << (place % per_byte);
            }
        })
    }
}
