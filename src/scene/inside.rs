//! Which points lie inside of a closed surface.

use super::caster::{BruteForce, SceneCaster, Trees};
use super::closed::Openings;
use super::{OpenEdge, Scene, SceneScan};
use crate::batch::{AWAY, CastOptions, Filter, crossing};
use crate::error::{Error, Result};
use crate::hit::InsideBatch;
use crate::value::{PointGrid, RayBatch};

impl Scene {
    /// The first edge, by geometry and triangle, along which the surface of all meshes together is open; `None` if it
    /// is closed. Hidden geometries and instances, which are those with a mask of 0, are left out. Boxes and spheres
    /// are closed by themselves, and primitives of the caller's own [say it](crate::primitive::Primitives::is_closed)
    /// of themselves. Vertices are the same where their coordinates are equal, whatever their indices. A triangle whose
    /// neighbour is wound the other way is at an open edge, and so is one that meets its neighbours in the middle of an
    /// edge. Each instance is closed by itself or not; the ids of an edge in one are those of its own scene.
    ///
    /// Decided exactly, from the edges themselves: each must be run along as often one way as the other. That takes some
    /// hundred nanoseconds a triangle once, twice as long where there is one, and then nothing.
    pub fn open_edge(&self) -> Option<OpenEdge> {
        self.openings().edge
    }

    pub(super) fn openings(&self) -> &Openings {
        self.found_out.openings.get_or_init(|| Openings::of(self))
    }

    pub(super) fn refuse_open(&self) -> Result<()> {
        let Openings { edge, geometry } = self.openings();
        if let &Some(OpenEdge { geometry_id, primitive_id, ends }) = edge {
            return Err(Error::OpenSurface { geometry_id, primitive_id, ends });
        }
        match geometry.clone() {
            Some((geometry_id, instance_path)) => Err(Error::NotClosed { geometry_id, instance_path }),
            None => Ok(()),
        }
    }
}

macro_rules! inside {
    ($type:ty, $self:ident => $scene:expr, $way:ty) => {
        impl $type {
            /// Whether a point is inside, as [`contains_batch`](Self::contains_batch) says of many.
            ///
            /// # Errors
            /// [`Error::OpenSurface`] or [`Error::NotClosed`] if a surface is not closed, [`Error::InvalidRay`] if the
            /// point has a coordinate that is not finite or beyond 2¹⁰⁰.
            pub fn contains(&$self, point: [f32; 3]) -> Result<bool> {
                let mut inside = InsideBatch::new();
                $self.contains_batch(&[point], &CastOptions::new(), &mut inside)?;
                match inside.status[0] {
                    status if status.is_invalid() => Err(Error::InvalidRay { status }),
                    status => Ok(status.is_hit()),
                }
            }

            /// Whether each point is inside of the closed surface that everything makes together (triangles, other
            /// primitives, and what is placed by instances, where it is placed), into `inside`, whose memory is reused:
            /// whether the surface goes around it, by the crossings of the ray from there along x. Each is counted
            /// once, through edges and vertices too, so that no point is taken for another by where its ray happens to
            /// pass. Cavities are outside. So is what is in both of two solids of which one is inside out: a mesh in an
            /// instance that [mirrors](crate::Side) takes away where it overlaps with others.
            ///
            /// A point that lies on the surface, or as near to it as `f32` rounds differences of coordinates, may be
            /// either. Masks, sides and filters have no part in it, except that hidden geometries are left out.
            ///
            /// # Errors
            /// [`Error::OpenSurface`] or [`Error::NotClosed`] if a surface is not closed, [`Error::Stopped`] if the watcher
            /// stopped it. `inside` is then empty.
            pub fn contains_batch(
                &$self,
                points: &[[f32; 3]],
                options: &CastOptions<'_>,
                inside: &mut InsideBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.refuse_open().inspect_err(|_| inside.clear())?;
                let rays = RayBatch::from_points(points, AWAY);
                SceneCaster::<$way>::whole(scene, Filter::NONE).winding(&rays, &crossing(options), inside)
            }

            /// Which points of a grid are inside, as [`contains_batch`](Self::contains_batch) says of them, into `bits`,
            /// whose memory is reused: point i is bit i % 8 of byte i / 8, counted from the lowest, and bits beyond the
            /// last point are 0. The points are made a chunk at a time and need no memory.
            ///
            /// ```
            /// # use lanecast::{CastOptions, PointGrid, Scene};
            /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
            /// let scene = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
            /// let grid = PointGrid::new([-0.5, 0.5, 0.5], [1.0, 1.0, 1.0], [4, 2, 1])?;
            /// let mut bits = Vec::new();
            /// scene.occupancy_bits(&grid, &CastOptions::new(), &mut bits)?;
            /// assert_eq!(bits, [0b0110_1110]);
            /// # Ok::<(), lanecast::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::OpenSurface`] or [`Error::NotClosed`] if a surface is not closed, [`Error::AnswersTooLarge`] if
            /// memory does not hold the bits, [`Error::Stopped`] if the watcher stopped it. `bits` is then empty.
            pub fn occupancy_bits(
                &$self,
                grid: &PointGrid,
                options: &CastOptions<'_>,
                bits: &mut Vec<u8>,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.refuse_open().inspect_err(|_| bits.clear())?;
                SceneCaster::<$way>::whole(scene, Filter::NONE).occupancy(grid, options, 8, bits)
            }

            /// The same with a byte for each point: 1 inside, 0 outside.
            ///
            /// # Errors
            /// Those of [`occupancy_bits`](Self::occupancy_bits).
            pub fn occupancy_bytes(
                &$self,
                grid: &PointGrid,
                options: &CastOptions<'_>,
                bytes: &mut Vec<u8>,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.refuse_open().inspect_err(|_| bytes.clear())?;
                SceneCaster::<$way>::whole(scene, Filter::NONE).occupancy(grid, options, 1, bytes)
            }
        }
    };
}

inside!(Scene, self => self, Trees);
inside!(SceneScan<'_>, self => self.0, BruteForce);
