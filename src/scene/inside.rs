//! Which points lie inside of a closed surface.

use super::caster::{BruteForce, SceneCaster, Trees};
use super::closed::first_open_edge;
use super::{OpenEdge, Scene, SceneScan};
use crate::batch::{AcceptAll, CastOptions, PerRay};
use crate::error::{Error, Result};
use crate::hit::InsideBatch;
use crate::primitive::{Contact, Culling};
use crate::ray::RayBatch;

impl Scene {
    /// The first edge, by geometry and triangle, along which the surface of all geometries together is open; `None` if
    /// it is closed. Vertices are the same where their coordinates are equal, whatever their indices. A triangle whose
    /// neighbour is wound the other way is at an open edge, and so is one that meets its neighbours in the middle of an
    /// edge. Each instance is closed by itself or not; the ids of an edge in one are those of its own scene.
    ///
    /// Takes some ten nanoseconds a triangle once, more where there is one, and then nothing.
    pub fn open_edge(&self) -> Option<OpenEdge> {
        *self.open_edge.get_or_init(|| {
            let own = first_open_edge(self.bvh.blocks(), &self.numbering);
            own.or_else(|| self.instances.placed().iter().find_map(|instance| instance.scene.open_edge()))
        })
    }

    fn refuse_open(&self) -> Result<()> {
        match self.open_edge() {
            Some(OpenEdge { geometry_id, primitive_id, ends }) => {
                Err(Error::OpenSurface { geometry_id, primitive_id, ends })
            }
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
            /// [`Error::OpenSurface`] if the surface is not closed, [`Error::InvalidRay`] if the point has a coordinate
            /// that is not finite or beyond 2¹⁰⁰.
            pub fn contains(&$self, point: [f32; 3]) -> Result<bool> {
                let mut inside = InsideBatch::new();
                $self.contains_batch(&[point], &CastOptions::new(), &mut inside)?;
                match inside.status[0] {
                    status if status.is_invalid() => Err(Error::InvalidRay { status }),
                    status => Ok(status.is_hit()),
                }
            }

            /// Whether each point is inside of the closed surface that all triangles make together, into `inside`, whose
            /// memory is reused: whether the surface goes around it, by the crossings of the ray from there along x.
            /// Each is counted once, through edges and vertices too, so that no point is taken for another by where its
            /// ray happens to pass. Cavities are outside.
            ///
            /// A point that lies on the surface, or as near to it as `f32` rounds differences of coordinates, may be
            /// either. Masks, sides and filters have no part in it, except that hidden geometries are left out.
            ///
            /// # Errors
            /// [`Error::OpenSurface`] if the surface is not closed, [`Error::Stopped`] if the watcher stopped it.
            /// `inside` is then empty.
            pub fn contains_batch(
                &$self,
                points: &[[f32; 3]],
                options: &CastOptions<'_>,
                inside: &mut InsideBatch,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                scene.refuse_open().inspect_err(|_| inside.clear())?;
                // Along an axis: shearing then moves no vertex, and a subtraction is all that is rounded.
                let rays = RayBatch::from_points(points, [1.0, 0.0, 0.0]);
                let options = &CastOptions {
                    each: PerRay::default(),
                    contact: Contact::Crossing,
                    culling: Culling::None,
                    ..options.clone()
                };
                let caster = SceneCaster::<$way, _>::whole(scene, &AcceptAll);
                caster.winding(&rays, options, inside)
            }
        }
    };
}

inside!(Scene, self => self, Trees);
inside!(SceneScan<'_>, self => self.0, BruteForce);
