//! What trees cost: time to build, and memory.

use lanecast::BuildQuality;
use serde::Serialize;

use super::contestants::{EmbreeScenes, LanecastScene};
use super::field::Means;
use super::stage::Stage;
use crate::Result;
use crate::clock::Clock;

/// What a scene's trees cost.
#[derive(Debug, Serialize)]
pub(crate) struct Price {
    pub(crate) scene: &'static str,
    pub(crate) triangles: usize,
    pub(crate) lanecast: TreePrice,
    /// Medium quality, not robust, on the instructions that Embree chooses.
    pub(crate) embree: Option<TreePrice>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct TreePrice {
    pub(crate) mega_triangles_per_second: f64,
    pub(crate) bytes_per_triangle: f64,
}

impl Price {
    /// Builds the trees so many times in turns; the median counts.
    pub(crate) fn measure(stage: &Stage, means: &Means, builds: usize) -> Result<Self> {
        let clock = Clock::for_builds(means.threads.count());
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..builds {
            let start = clock.now();
            let scene = LanecastScene::build(&stage.mesh, BuildQuality::Balanced, &means.threads)?;
            ours.push(((clock.now() - start).as_secs_f64(), scene.bytes()));
            drop(scene);
            if let Some(api) = &means.embree {
                theirs.push(EmbreeScenes::price(api, &stage.mesh, &means.pool, clock)?);
            }
        }
        let triangles = stage.mesh.triangles.len();
        let price = |mut samples: Vec<(f64, usize)>| {
            samples.sort_by(|a, b| a.0.total_cmp(&b.0));
            samples.get(samples.len() / 2).map(|&(seconds, bytes)| TreePrice {
                mega_triangles_per_second: triangles as f64 / seconds / 1e6,
                bytes_per_triangle: bytes as f64 / triangles as f64,
            })
        };
        let lanecast = price(ours).ok_or("nothing was built")?;
        Ok(Self { scene: stage.name, triangles, lanecast, embree: price(theirs) })
    }

    pub(crate) fn words(&self) -> String {
        let one = |price: &TreePrice| {
            let TreePrice { mega_triangles_per_second: speed, bytes_per_triangle: bytes } = price;
            format!("{speed:.2} million triangles built a second, {bytes:.0} bytes each")
        };
        let embree = self.embree.as_ref().map_or_else(|| "not there".to_owned(), one);
        format!("lanecast: {}\nEmbree medium: {embree}\n", one(&self.lanecast))
    }
}
