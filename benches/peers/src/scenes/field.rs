//! All contestants in one scene, with their trees.

use std::path::Path;
use std::sync::Arc;

use lanecast::{BuildQuality, Threads};
use rayon::ThreadPool;

use super::arguments::ScenesArguments;
use super::contestants::{
    BvhScene, EmbreeScenes, Entrant, LanecastF64Scene, LanecastScene, ObvhsScene, ParryScene,
    TinyScene,
};
use super::embree::Quality;
use super::mesh::Mesh;
use super::ray_set::RaySet;
use super::{embree, tinybvh};
use crate::Result;

/// What does not depend on the scene: the libraries that were fetched, and the threads.
pub(crate) struct Means {
    pub(crate) embree: Option<Arc<embree::Api>>,
    pub(crate) tinybvh: Option<Arc<tinybvh::Api>>,
    pub(crate) threads: Threads,
    pub(crate) pool: ThreadPool,
}

impl Means {
    /// So many threads, and of the libraries those that are wanted. Says on standard error what is
    /// missing; the others do without.
    pub(crate) fn new(threads: usize, wanted: impl Fn(&str) -> bool) -> Result<Self> {
        let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("fetched");
        let embree =
            embree::Api::load(&fetched).inspect_err(|error| eprintln!("without Embree: {error}"));
        let tinybvh =
            tinybvh::Api::load(&fetched).inspect_err(|error| eprintln!("without tinybvh: {error}"));
        Ok(Self {
            embree: embree.ok().filter(|_| wanted("embree")),
            tinybvh: tinybvh.ok().filter(|_| wanted("tinybvh")),
            threads: Threads::exactly(threads)?,
            pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build()?,
        })
    }
}

/// Everybody's tree.
pub(crate) struct Field<'m> {
    means: &'m Means,
    pub(crate) lanecast: LanecastScene,
    lanecast_high: LanecastScene,
    lanecast_fast: Option<LanecastScene>,
    lanecast_f64: Option<LanecastF64Scene>,
    pub(crate) embree: Option<EmbreeScenes<'m>>,
    tinybvh: Option<TinyScene>,
    obvhs: Option<ObvhsScene>,
    parry: Option<ParryScene>,
    bvh: Option<BvhScene>,
}

/// Beyond so many triangles the slow builders are left out.
const MOST_FOR_SLOW_BUILDERS: usize = 3_000_000;

impl<'m> Field<'m> {
    pub(crate) fn build(
        means: &'m Means,
        mesh: &Arc<Mesh>,
        arguments: &ScenesArguments,
    ) -> Result<Self> {
        let asks_for = |name: &str| arguments.asks_for_any(name);
        let small = mesh.triangles.len() <= MOST_FOR_SLOW_BUILDERS;
        let qualities = &[Quality::Medium, Quality::High];
        let robust: &[bool] = if arguments.no_robust { &[false] } else { &[false, true] };
        let embree = means.embree.as_ref();
        let embree = embree.map(|api| {
            EmbreeScenes::build(api, mesh, &arguments.isa, qualities, robust, &means.pool)
        });
        let lanecast_f64 = asks_for("lanecast f64")
            .then(|| LanecastF64Scene::build(mesh, &means.threads))
            .transpose()?;
        let fast = arguments.contestants.iter().any(|text| text.contains("fast"));
        let fast = fast.then(|| LanecastScene::build(mesh, BuildQuality::Fast, &means.threads));
        let parry = (small && asks_for("parry3d")).then(|| ParryScene::build(mesh));
        Ok(Self {
            means,
            lanecast: LanecastScene::build(mesh, BuildQuality::Balanced, &means.threads)?,
            lanecast_high: LanecastScene::build(mesh, BuildQuality::High, &means.threads)?,
            lanecast_fast: fast.transpose()?,
            lanecast_f64,
            embree: embree.transpose()?,
            tinybvh: means.tinybvh.as_ref().map(|api| TinyScene::build(api, mesh)),
            obvhs: (small && asks_for("obvhs")).then(|| ObvhsScene::build(mesh)),
            parry: parry.transpose()?,
            bvh: (small && asks_for("bvh")).then(|| BvhScene::build(mesh)),
        })
    }

    /// Everybody who was asked for, ready to cast the rays. lanecast comes first.
    pub(crate) fn entrants<'a>(
        &'a self,
        set: &'a RaySet,
        arguments: &ScenesArguments,
    ) -> Result<Vec<Entrant<'a>>> {
        let mut entrants = Vec::new();
        let pool = &self.means.pool;
        self.lanecast.enter(set, &arguments.isa, &mut entrants)?;
        if arguments.ways {
            self.lanecast.enter_ways(set, &arguments.isa, &mut entrants)?;
        }
        self.lanecast_high.enter(set, &arguments.isa, &mut entrants)?;
        if let Some(fast) = &self.lanecast_fast {
            fast.enter(set, &arguments.isa, &mut entrants)?;
        }
        if let Some(lanecast) = &self.lanecast_f64 {
            lanecast.enter(set, &arguments.isa, &mut entrants);
        }
        if let Some(embree) = &self.embree {
            embree.enter(set, &mut entrants);
        }
        if let Some(tinybvh) = &self.tinybvh {
            tinybvh.enter(pool, set, &mut entrants);
        }
        if let Some(obvhs) = &self.obvhs {
            obvhs.enter(pool, set, &mut entrants);
        }
        if let Some(parry) = &self.parry {
            parry.enter(pool, set, &mut entrants);
        }
        if let Some(bvh) = &self.bvh {
            bvh.enter(pool, set, &mut entrants);
        }
        entrants.retain(|entrant| arguments.asks_for(&entrant.name));
        Ok(entrants)
    }
}
