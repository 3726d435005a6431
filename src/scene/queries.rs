//! The public queries, the same over the tree and over the scan, of either precision.

use super::caster::{BruteForce, SceneCaster, Trees};
use super::filtered::{FilteredF64, FilteredF64Scan};
use super::{Filtered, FilteredScan, Scene, SceneF64, SceneF64Scan, SceneScan};
use crate::batch::{CastOptions, Filter};
use crate::error::Result;
use crate::hit::{
    AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, Hit, HitBatch, Limit, LineHitBatch, LineHits,
};
use crate::value::{Ray, RayBatch};

macro_rules! queries {
    ($type:ty, $number:ty, $self:ident => $caster:expr) => {
        impl $type {
            /// The first primitive that the ray meets; of several at the same `t` the one with the
            /// lowest ids.
            ///
            /// # Errors
            /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
            pub fn closest_hit(&$self, ray: &Ray<$number>) -> Result<Option<Hit<$number>>> {
                $caster.closest_hit_of(ray)
            }

            /// Whether the ray meets any primitive.
            ///
            /// # Errors
            /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
            pub fn any_hit(&$self, ray: &Ray<$number>) -> Result<bool> {
                $caster.any_hit_of(ray)
            }

            /// How often the ray [crosses](crate::Contact::Crossing) primitives: the surface at an edge or a vertex
            /// that triangles share is counted once, a box or a sphere where the ray enters and where it leaves. At the rim
            /// of an open surface it may be 0 where [`closest_hit`](Self::closest_hit) hits. Who wants to count touches
            /// casts a batch of one.
            ///
            /// # Errors
            /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
            pub fn count_hits(&$self, ray: &Ray<$number>) -> Result<u32> {
                $caster.count_hits_of(ray)
            }

            /// Every [crossing](crate::Contact::Crossing) of the ray with a primitive, in the order of `t`, then ids: one
            /// for each sheet of the surface at a shared edge or vertex, and perhaps none at the rim of an open surface.
            ///
            /// # Errors
            /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
            pub fn all_hits(&$self, ray: &Ray<$number>) -> Result<Vec<Hit<$number>>> {
                $caster.all_hits_of(ray)
            }

            /// The first few [crossings](crate::Contact::Crossing) of the ray with primitives, at most so many, in the
            /// order of `t`, then ids. At the rim of an open surface there may be none.
            ///
            /// # Errors
            /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
            pub fn nearest_hits(&$self, ray: &Ray<$number>, limit: u32) -> Result<Vec<Hit<$number>>> {
                $caster.nearest_hits_of(ray, limit)
            }

            /// The primitives that a line meets nearest to its origin, on either side: the one of least `t` ≥ 0 and the one
            /// of greatest `t` ≤ 0, within the interval, which for a [`Ray::line`] is everything. 0 is a closed end of both
            /// sides, and decided like those of the interval. Of several at the same `t` the one with the lowest ids;
            /// at `t` = 0 it is on both sides.
            ///
            /// # Errors
            /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
            pub fn line_hits(&$self, line: &Ray<$number>) -> Result<LineHits<$number>> {
                $caster.line_hits_of(line)
            }

            /// The first primitive that each ray meets, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are rays, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `hits` is then empty.
            pub fn closest_hit_batch(
                &$self,
                rays: &RayBatch<'_, $number>,
                options: &CastOptions<'_>,
                hits: &mut HitBatch<$number>,
            ) -> Result<()> {
                $caster.closest_hit(rays, options, hits)
            }

            /// The primitives that each line meets nearest to its origin, on either side, into `hits`, whose memory is
            /// reused: the one of least `t` ≥ 0 and the one of greatest `t` ≤ 0, within the interval of each. Rays that
            /// come without have \[0, ∞\] and nothing behind them but what they start on: give them another with
            /// [`with_interval`](RayBatch::with_interval). Of several primitives at the same `t` the one with the lowest
            /// ids; at `t` = 0 it is on both sides. Sides, as of culling, are those that the line sees along its direction.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are rays, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `hits` is then empty.
            pub fn line_hits_batch(
                &$self,
                lines: &RayBatch<'_, $number>,
                options: &CastOptions<'_>,
                hits: &mut LineHitBatch<$number>,
            ) -> Result<()> {
                $caster.line_hits(lines, options, hits)
            }

            /// Whether each ray meets any primitive, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are rays, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `hits` is then empty.
            pub fn any_hit_batch(
                &$self,
                rays: &RayBatch<'_, $number>,
                options: &CastOptions<'_>,
                hits: &mut AnyHitBatch,
            ) -> Result<()> {
                $caster.any_hit(rays, options, hits)
            }

            /// How often each ray crosses primitives, or touches as the options [say](CastOptions::contact), into
            /// `counts`, whose memory is reused. Of crossings there may be 0 at the rim of an open surface, where
            /// [`closest_hit`](Self::closest_hit) hits.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are rays, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `counts` is then empty.
            pub fn count_hits_batch(
                &$self,
                rays: &RayBatch<'_, $number>,
                options: &CastOptions<'_>,
                counts: &mut CountBatch,
            ) -> Result<()> {
                $caster.count_hits(rays, options, counts)
            }

            /// Every primitive that each ray crosses, or touches as the options [say](CastOptions::contact), as often as it
            /// does, in the order of `t`, then ids, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are rays, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `hits` is then empty.
            pub fn all_hits_batch(
                &$self,
                rays: &RayBatch<'_, $number>,
                options: &CastOptions<'_>,
                hits: &mut AllHitsBatch<$number>,
            ) -> Result<()> {
                $caster.all_hits(rays, options, hits)
            }

            /// The first few primitives that each ray crosses, or touches as the options
            /// [say](CastOptions::contact), at most so many, in the order of `t`, then ids, into `hits`, whose
            /// memory is reused. The limit is a number for all rays or a column. The status says whether there is any
            /// such primitive, also where the limit is 0.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if there are not as many limits as rays or one of the
            /// options' columns is of another length,
            /// [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `hits` is then empty.
            pub fn nearest_hits_batch<'l>(
                &$self,
                rays: &RayBatch<'_, $number>,
                limit: impl Into<Limit<'l>>,
                options: &CastOptions<'_>,
                hits: &mut AllHitsBatch<$number>,
            ) -> Result<()> {
                $self.nearest_hits_up_to(rays, limit.into(), options, hits)
            }

            /// The same, compiled here: what is generic, each crate that calls it compiles anew.
            fn nearest_hits_up_to(
                &$self,
                rays: &RayBatch<'_, $number>,
                limit: Limit<'_>,
                options: &CastOptions<'_>,
                hits: &mut AllHitsBatch<$number>,
            ) -> Result<()> {
                $caster.nearest_hits(rays, limit, options, hits)
            }

            /// What it costs to find the first primitive that each ray meets, into `costs`, whose memory is reused;
            /// [`CostBatch`] says what is counted of scenes that hold more than triangles. Unlike the answers this does
            /// depend on whether there is a tree, and which.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are rays, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `costs` is then empty.
            pub fn cost_batch(
                &$self,
                rays: &RayBatch<'_, $number>,
                options: &CastOptions<'_>,
                costs: &mut CostBatch,
            ) -> Result<()> {
                $caster.cost(rays, options, costs)
            }
        }
    };
}

queries!(Scene, f32, self => SceneCaster::<Trees>::whole(self, Filter::NONE));
queries!(SceneScan<'_>, f32, self => SceneCaster::<BruteForce>::whole(self.0, Filter::NONE));
queries!(Filtered<'_>, f32, self => SceneCaster::<Trees>::whole(self.scene, self.filter));
queries!(FilteredScan<'_>, f32, self => SceneCaster::<BruteForce>::whole(self.scene, self.filter));
queries!(SceneF64, f64, self => self.caster(&self.tree, Filter::NONE));
queries!(SceneF64Scan<'_>, f64, self => self.0.caster(self.0.brute_force(), Filter::NONE));
queries!(FilteredF64<'_>, f64, self => self.scene.caster(&self.scene.tree, self.filter));
queries!(FilteredF64Scan<'_>, f64, self => self.scene.caster(self.scene.brute_force(), self.filter));
