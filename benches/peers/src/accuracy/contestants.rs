//! Who takes part.

use std::sync::Arc;

use lanecast::BuildQuality;

use super::meetings::Meeting;
use crate::Result;
use crate::scenes::contestants::LanecastScene;
use crate::scenes::embree::{Built, Device, Hint, Quality, Width};
use crate::scenes::field::Means;
use crate::scenes::hits::Hits;
use crate::scenes::ray_set::{Order, Query, RaySet};
use crate::scenes::tinybvh::Tree;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Lanecast,
    Embree,
    /// Whose `t` is that of a unit direction, which is rounded: not compared.
    Tinybvh,
}

/// The modes of Embree, and whether they are robust. Its packets give the same `t` as its single
/// rays.
const MODES: [(&str, bool); 2] = [("embree", false), ("embree robust", true)];

pub(super) struct Contestants<'m> {
    means: &'m Means,
    embree: Option<Arc<Device>>,
}

impl<'m> Contestants<'m> {
    pub(super) fn new(means: &'m Means) -> Result<Self> {
        let embree = means.embree.as_ref().map(|api| Device::new(api, "threads=1"));
        Ok(Self { means, embree: embree.transpose()? })
    }

    fn all(&self) -> impl Iterator<Item = (&'static str, Family)> {
        let embree = self.embree.iter().flat_map(|_| MODES.map(|(name, _)| (name, Family::Embree)));
        let tinybvh = self.means.tinybvh.iter().map(|_| ("tinybvh", Family::Tinybvh));
        std::iter::once(("lanecast", Family::Lanecast)).chain(embree).chain(tinybvh)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.all().map(|(name, _)| name)
    }

    pub(super) fn families(&self) -> impl Iterator<Item = Family> {
        self.all().map(|(_, family)| family)
    }

    /// The `t` of each.
    pub(super) fn cast(&self, Meeting { ray, mesh, .. }: &Meeting) -> Result<Vec<Option<f32>>> {
        let scene = LanecastScene::build(mesh, BuildQuality::Balanced, &self.means.threads)?.scene;
        let mut ts = vec![scene.cast(ray).closest()?.map(|hit| hit.t)];
        if let Some(device) = &self.embree {
            // As many as the widest packet has.
            let set = RaySet::new("", Query::Closest, Order::Coherent, vec![*ray; 16]);
            for (_, robust) in MODES {
                let built = Built::new(device, mesh, Quality::Medium, robust)?;
                let mut hits = Hits::new(Query::Closest, 16);
                for hits in hits.pieces(16) {
                    built.trace(Width::One, Hint::Incoherent, Query::Closest, set.columns(), hits);
                }
                ts.push(hits.met[0].then(|| hits.t[0]));
            }
        }
        if let Some(api) = &self.means.tinybvh {
            let length = ray.direction.iter().map(|x| x * x).sum::<f32>().sqrt();
            let distance = Tree::build(api, mesh).closest(
                &ray.origin,
                &ray.direction.map(|x| x / length),
                1e30,
            );
            ts.push(Some(distance / length).filter(|t| t.is_finite()));
        }
        Ok(ts)
    }
}
