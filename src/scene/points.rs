//! What is nearest to points, and how far it is.

use super::caster::{BruteForce, SceneCaster, Trees, Way};
use super::near::Everything;
use super::{Scene, SceneScan};
use crate::batch::{AWAY, CastOptions, Caster, Filter, crossing};
use crate::error::{Error, Result};
use crate::hit::{ClosestPoint, ClosestPointBatch, DistanceBatch, InsideBatch, Radius};
use crate::threads::Threads;
use crate::value::RayBatch;

macro_rules! points {
    ($type:ty, $self:ident => $scene:expr, $way:ty) => {
        impl $type {
            /// The point on what the scene holds that is nearest to `point`, if there is one no farther than `radius`,
            /// which is included; [`f32::INFINITY`] for wherever it is. See
            /// [`closest_point_batch`](Self::closest_point_batch).
            ///
            /// ```
            /// # use lanecast::Scene;
            /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
            /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
            /// let above = scene.closest_point([1.0, 2.0, 3.0], f32::INFINITY)?.expect("there is a triangle");
            /// assert_eq!((above.distance, above.point), (3.0, [1.0, 2.0, 0.0]));
            /// assert_eq!((above.primitive_id, above.u, above.v), (0, 0.25, 0.5));
            /// assert_eq!(scene.closest_point([1.0, 2.0, 3.0], 2.9)?, None);
            /// # Ok::<(), lanecast::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the point or the radius is of no use, with the status
            /// that a batch has in its row; [`Error::NotForPoints`] names primitives of the caller's own that do not say
            /// where they are nearest.
            pub fn closest_point(&$self, point: [f32; 3], radius: f32) -> Result<Option<ClosestPoint>> {
                let scene: &Scene = $scene;
                SceneCaster::<$way>::whole(scene, Filter::NONE).closest_point_of(point, radius)
            }

            /// How far what the scene holds is from `point`; ∞ if it holds nothing.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the point has a coordinate that is not finite or beyond
            /// 2¹⁰⁰, and [`Error::NotForPoints`].
            pub fn distance(&$self, point: [f32; 3]) -> Result<f32> {
                Ok($self.closest_point(point, f32::INFINITY)?.unwrap_or(ClosestPoint::NONE).distance)
            }

            /// The same, negative [inside](Self::contains) of the closed surface that everything makes together.
            ///
            /// # Errors
            /// Those of [`distance`](Self::distance), and [`Error::OpenSurface`] if the
            /// surface is not closed.
            pub fn signed_distance(&$self, point: [f32; 3]) -> Result<f32> {
                let mut distances = DistanceBatch::new();
                $self.signed_distance_batch(&[point], &CastOptions::new(), &mut distances)?;
                match distances.status[0] {
                    status if status.is_invalid() => Err(Error::InvalidRay { status }),
                    _ => Ok(distances.distance[0]),
                }
            }

            /// The point on what the scene holds that is nearest to each of `points`, into `closest`, whose memory is
            /// reused.
            ///
            /// Distances are compared as `f64` finds them: of the triangles that share the vertex or the edge that is
            /// nearest, and of others that are as near to the last bit, the one with the lowest ids is named. The answer
            /// is rounded to `f32` once. A triangle that is a segment or a point counts as what it is. Boxes, oriented
            /// boxes and spheres are their surfaces, from within as from outside; primitives of the caller's own what
            /// [they](crate::primitive::NearestPoints) say.
            ///
            /// What is placed by [instances](crate::SceneBuilder::instance) is where it is placed, and distances are
            /// measured there, in the scene's frame: corners are carried in `f64` by one map, the product of those on the
            /// path from the outermost inwards, and a sphere that is stretched is the ellipsoid. Points and normals are in
            /// the scene's frame too, and of what is as near the lowest (instance id, geometry id, primitive id) is named,
            /// what is in no instance first.
            ///
            /// ```
            /// # use lanecast::{Affine, Scene, SceneBuilder, primitive::Sphere};
            /// # use std::sync::Arc;
            /// let ball = Arc::new(SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 1.0)])?.build()?);
            /// let long = Affine::from_rows([[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
            /// let scene = SceneBuilder::new().instance(&ball, long).build()?;
            /// assert_eq!((scene.distance([3.0, 0.0, 0.0])?, scene.distance([0.0, 3.0, 0.0])?), (1.0, 2.0));
            /// # Ok::<(), lanecast::Error>(())
            /// ```
            ///
            /// Nothing farther than the radius is found, what lies at the radius is; a `f32`, or a column with one for
            /// each point. [`CastOptions::normals`] adds the normals. Hidden geometries and instances are left out;
            /// the masks of rays, sides and what rays skip have no part in it. Points that follow each other should lie
            /// near each other: that is faster, and changes no answer.
            ///
            /// A point with a coordinate that is not finite or beyond 2¹⁰⁰ has the status
            /// [`InvalidOrigin`](crate::Status::InvalidOrigin), one with a radius that is NaN
            /// [`InvalidInterval`](crate::Status::InvalidInterval), and with a negative one
            /// [`EmptyInterval`](crate::Status::EmptyInterval). From where no ray can be cast, because the frame of an
            /// instance does not hold it, nothing is measured either: that is an `InvalidOrigin` too.
            ///
            /// # Errors
            /// [`Error::ColumnLength`] if there are not as many radii as points,
            /// [`Error::NotForPoints`] if primitives of the caller's own do not say where they are nearest,
            /// [`Error::Stopped`] if the watcher stopped it. `closest` is then empty.
            pub fn closest_point_batch<'r>(
                &$self,
                points: &[[f32; 3]],
                radius: impl Into<Radius<'r>>,
                options: &CastOptions<'_>,
                closest: &mut ClosestPointBatch,
            ) -> Result<()> {
                $self.closest_points_within(points, radius.into(), options, closest)
            }

            /// The same, compiled here: what is generic, each crate that calls it compiles anew.
            fn closest_points_within(
                &$self,
                points: &[[f32; 3]],
                radius: Radius<'_>,
                options: &CastOptions<'_>,
                closest: &mut ClosestPointBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                SceneCaster::<$way>::whole(scene, Filter::NONE).closest_points(points, radius, options, closest)
            }

            /// How far what the scene holds is from each of `points`, into `distances`, whose memory is reused; as
            /// [`closest_point_batch`](Self::closest_point_batch) finds it.
            ///
            /// # Errors
            /// [`Error::NotForPoints`] as there, [`Error::Stopped`] if the watcher stopped it. `distances` is then empty.
            pub fn distance_batch(
                &$self,
                points: &[[f32; 3]],
                options: &CastOptions<'_>,
                distances: &mut DistanceBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                SceneCaster::<$way>::whole(scene, Filter::NONE).distances(points, options, distances)
            }

            /// How far the surface is from each of `points`, negative inside, into `distances`, whose memory is reused.
            ///
            /// What is inside [`contains_batch`](Self::contains_batch) says, by what a surface goes around and not by
            /// the side that the nearest triangle shows: cavities are outside, and no sign depends on the angle at
            /// which triangles meet. The distance is that to the nearest surface, also to one that lies within another
            /// solid. A point as near to the surface as `f32` rounds differences of coordinates may have either sign.
            ///
            /// # Errors
            /// [`Error::OpenSurface`] or [`Error::NotClosed`] if a surface is not closed, [`Error::NotForPoints`],
            /// [`Error::Stopped`] if the watcher stopped it. `distances` is then empty.
            pub fn signed_distance_batch(
                &$self,
                points: &[[f32; 3]],
                options: &CastOptions<'_>,
                distances: &mut DistanceBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene
                    .refuse_without_nearest()
                    .and_then(|()| scene.refuse_open())
                    .inspect_err(|_| distances.clear())?;
                SceneCaster::<$way>::whole(scene, Filter::NONE).signed_distances(points, options, distances)
            }
        }
    };
}

impl Scene {
    /// Whether there are primitives that do not say where they are nearest to points.
    pub(super) fn has_without_nearest(&self) -> bool {
        self.shapes.without_nearest().is_some() || self.instances.without_nearest().is_some()
    }

    fn refuse_without_nearest(&self) -> Result<()> {
        let (mut scene, mut instance_path) = (self, Vec::new());
        loop {
            if let Some(geometry_id) = scene.shapes.without_nearest() {
                return Err(Error::NotForPoints { geometry_id, instance_path });
            }
            let Some(number) = scene.instances.without_nearest() else { return Ok(()) };
            instance_path.push(number as u32);
            scene = &scene.instances.placed()[number].scene;
        }
    }
}

impl<'a, W: Way> SceneCaster<'a, W> {
    /// Asks of all that the scene holds.
    fn everything(&self) -> Caster<'a, Everything<'a, W>> {
        self.at(Everything::new(self.scene), Filter::NONE)
    }

    fn closest_point_of(&self, point: [f32; 3], radius: f32) -> Result<Option<ClosestPoint>> {
        self.scene.refuse_without_nearest()?;
        if self.is_alone() {
            self.own().closest_point_of(point, radius)
        } else {
            self.everything().closest_point_of(point, radius)
        }
    }

    fn closest_points(
        &self,
        points: &[[f32; 3]],
        radius: Radius<'_>,
        options: &CastOptions<'_>,
        into: &mut ClosestPointBatch,
    ) -> Result<()> {
        self.scene.refuse_without_nearest().inspect_err(|_| into.clear())?;
        if self.is_alone() {
            self.own().closest_points(points, radius, options, into)
        } else {
            self.everything().closest_points(points, radius, options, into)
        }
    }

    fn distances(
        &self,
        points: &[[f32; 3]],
        options: &CastOptions<'_>,
        into: &mut DistanceBatch,
    ) -> Result<()> {
        self.scene.refuse_without_nearest().inspect_err(|_| into.clear())?;
        if self.is_alone() {
            self.own().distances(points, options, into)
        } else {
            self.everything().distances(points, options, into)
        }
    }

    fn signed_distances(
        &self,
        points: &[[f32; 3]],
        options: &CastOptions<'_>,
        into: &mut DistanceBatch,
    ) -> Result<()> {
        self.scene.refuse_without_nearest().inspect_err(|_| into.clear())?;
        if self.is_alone() {
            return self.own().signed_distances(points, options, into);
        }
        // Of a chunk, beside other work on it: on the thread that has it.
        let options_of_chunk = CastOptions { threads: Threads::ONE, watch: None, ..crossing(options) };
        self.everything().distances_signed_by(points, options, into, |points| {
            let mut inside = InsideBatch::new();
            let rays = RayBatch::from_points(points, AWAY);
            self.winding(&rays, &options_of_chunk, &mut inside).expect("nobody is there to stop it");
            inside.status
        })
    }
}

points!(Scene, self => self, Trees);
points!(SceneScan<'_>, self => self.0, BruteForce);
