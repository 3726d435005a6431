//! The public queries, the same over the tree and over the scan.

use super::{Scene, SceneScan};
use crate::batch::{CastOptions, Caster};
use crate::error::{Error, Result};
use crate::hit::{AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, Hit, HitBatch, Status};
use crate::ray::{Ray, RayBatch};
use crate::scan::Scan;
use crate::threads::Threads;

macro_rules! queries {
    ($type:ty, $self:ident => $caster:expr) => {
        impl $type {
            /// The first triangle that the ray meets; of several at the same `t` the one with the
            /// lowest ids.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn closest_hit(&$self, ray: &Ray) -> Result<Option<Hit>> {
                let mut hits = HitBatch::new();
                $caster.closest_hit(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut hits)?;
                refuse_defect(hits.status[0])?;
                Ok(hits.hit(0))
            }

            /// Whether the ray meets any triangle.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn any_hit(&$self, ray: &Ray) -> Result<bool> {
                let mut hits = AnyHitBatch::default();
                $caster.any_hit(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut hits)?;
                refuse_defect(hits.status[0])?;
                Ok(hits.status[0].is_hit())
            }

            /// How many triangles the ray meets.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn count_hits(&$self, ray: &Ray) -> Result<u32> {
                let mut counts = CountBatch::default();
                $caster.count_hits(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut counts)?;
                refuse_defect(counts.status[0])?;
                Ok(counts.count[0])
            }

            /// Every triangle that the ray meets, in the order of `t`, then ids.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn all_hits(&$self, ray: &Ray) -> Result<Vec<Hit>> {
                let mut hits = AllHitsBatch::default();
                $caster.all_hits(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut hits)?;
                refuse_defect(hits.status[0])?;
                Ok(hits.hits)
            }

            /// The first triangle that each ray meets, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `hits` then holds no answer.
            pub fn closest_hit_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                hits: &mut HitBatch,
            ) -> Result<()> {
                $caster.closest_hit(rays, options, hits)
            }

            /// Whether each ray meets any triangle, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `hits` then holds no answer.
            pub fn any_hit_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                hits: &mut AnyHitBatch,
            ) -> Result<()> {
                $caster.any_hit(rays, options, hits)
            }

            /// How many triangles each ray meets, into `counts`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `counts` then holds no answer.
            pub fn count_hits_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                counts: &mut CountBatch,
            ) -> Result<()> {
                $caster.count_hits(rays, options, counts)
            }

            /// Every triangle that each ray meets, in the order of `t`, then ids, into `hits`, whose
            /// memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `hits` then holds no answer.
            pub fn all_hits_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                hits: &mut AllHitsBatch,
            ) -> Result<()> {
                $caster.all_hits(rays, options, hits)
            }

            /// What it costs to find the first triangle that each ray meets, into `costs`, whose
            /// memory is reused. Unlike the answers this does depend on the tree.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `costs` then holds no answer.
            pub fn cost_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                costs: &mut CostBatch,
            ) -> Result<()> {
                $caster.cost(rays, options, costs)
            }
        }
    };
}

queries!(Scene, self => Caster { target: &self.bvh, numbering: &self.numbering, backend: self.backend });
queries!(SceneScan<'_>, self => Caster {
    target: &Scan { blocks: self.0.bvh.blocks() },
    numbering: &self.0.numbering,
    backend: self.0.backend,
});

/// One ray is cast where the caller is.
fn single() -> CastOptions<'static> {
    CastOptions::new().threads(Threads::ONE)
}

fn refuse_defect(status: Status) -> Result<()> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(()) }
}
