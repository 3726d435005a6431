//! What is nearest to points, and how far it is.

use std::marker::PhantomData;

use super::{Scene, SceneScan};
use crate::batch::{AcceptAll, CastOptions, Caster};
use crate::error::{Error, Result};
use crate::hit::{ClosestPoint, ClosestPointBatch, DistanceBatch, Radius};
use crate::scan::Scan;

macro_rules! points {
    ($type:ty, $self:ident => $scene:expr, $target:expr) => {
        impl $type {
            /// The point on the triangles that is nearest to `point`, if there is one no farther than `radius`, which is
            /// included; [`f32::INFINITY`] for wherever it is. See [`closest_point_batch`](Self::closest_point_batch).
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
            /// that a batch has in its row.
            pub fn closest_point(&$self, point: [f32; 3], radius: f32) -> Result<Option<ClosestPoint>> {
                let scene: &Scene = $scene;
                scene.points_of($target)?.closest_point_of(point, radius)
            }

            /// How far the triangles are from `point`; ∞ if there are none.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the point has a coordinate that is not finite or beyond
            /// 2¹⁰⁰.
            pub fn distance(&$self, point: [f32; 3]) -> Result<f32> {
                Ok($self.closest_point(point, f32::INFINITY)?.unwrap_or(ClosestPoint::NONE).distance)
            }

            /// The same, negative [inside](Self::contains) of the closed surface that all triangles make together.
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

            /// The point on the triangles that is nearest to each of `points`, into `closest`, whose memory is reused.
            ///
            /// Distances are compared as `f64` finds them: of the triangles that share the vertex or the edge that is
            /// nearest, and of others that are as near to the last bit, the one with the lowest ids is named. The answer
            /// is rounded to `f32` once. A triangle that is a segment or a point counts as what it is.
            ///
            /// Nothing farther than the radius is found, what lies at the radius is; a `f32`, or a column with one for
            /// each point. [`CastOptions::normals`] adds the normals of the triangles. Hidden geometries are left out;
            /// the masks of rays, sides and what rays skip have no part in it. Points that follow each other should lie
            /// near each other: that is faster, and changes no answer.
            ///
            /// A point with a coordinate that is not finite or beyond 2¹⁰⁰ has the status
            /// [`InvalidOrigin`](crate::Status::InvalidOrigin), one with a radius that is NaN
            /// [`InvalidInterval`](crate::Status::InvalidInterval), and with a negative one
            /// [`EmptyInterval`](crate::Status::EmptyInterval).
            ///
            /// # Errors
            /// [`Error::ColumnLength`] if there are not as many radii as points,
            /// [`Error::Stopped`] if the watcher stopped it. `closest` is then empty.
            pub fn closest_point_batch<'r>(
                &$self,
                points: &[[f32; 3]],
                radius: impl Into<Radius<'r>>,
                options: &CastOptions<'_>,
                closest: &mut ClosestPointBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.points_of($target).inspect_err(|_| closest.clear())?.closest_points(points, radius.into(), options, closest)
            }

            /// How far the triangles are from each of `points`, into `distances`, whose memory is reused; as
            /// [`closest_point_batch`](Self::closest_point_batch) finds it.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it. `distances` is then empty.
            pub fn distance_batch(
                &$self,
                points: &[[f32; 3]],
                options: &CastOptions<'_>,
                distances: &mut DistanceBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.points_of($target).inspect_err(|_| distances.clear())?.distances(points, options, distances)
            }

            /// How far the surface is from each of `points`, negative inside, into `distances`, whose memory is reused.
            ///
            /// What is inside [`contains_batch`](Self::contains_batch) says, by what a surface goes around and not by the
            /// side that the nearest triangle shows: cavities are outside, and no sign depends on the angle at which
            /// triangles meet. A point as near to the surface as `f32` rounds differences of coordinates may have either
            /// sign.
            ///
            /// # Errors
            /// [`Error::OpenSurface`] if the surface is not closed,
            /// [`Error::Stopped`] if the watcher stopped it. `distances` is then empty.
            pub fn signed_distance_batch(
                &$self,
                points: &[[f32; 3]],
                options: &CastOptions<'_>,
                distances: &mut DistanceBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.refuse_open().inspect_err(|_| distances.clear())?;
                scene.points_of($target).inspect_err(|_| distances.clear())?.signed_distances(points, options, distances)
            }
        }
    };
}

impl Scene {
    /// What points are asked of.
    fn points_of<T>(&self, target: T) -> Result<Caster<'_, T, AcceptAll>> {
        let Self { numbering, masks, backend, .. } = self;
        for (is_there, what) in [
            (!self.shapes.is_empty(), "primitives other than triangles"),
            (!self.instances.is_empty(), "instances"),
        ] {
            if is_there {
                return Err(Error::NotForPoints { what });
            }
        }
        Ok(Caster { target, numbering, masks, filter: &AcceptAll, backend: *backend, of: PhantomData })
    }
}

points!(Scene, self => self, &self.bvh);
points!(SceneScan<'_>, self => self.0, Scan { blocks: self.0.bvh.blocks() });
