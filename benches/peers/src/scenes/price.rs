//! What trees cost: time to build, and memory.

use std::fmt::Write as _;

use lanecast::BuildQuality;
use serde::Serialize;

use super::contestants::{EmbreeScenes, LanecastScene};
use super::embree::Quality;
use super::field::Means;
use super::stage::Stage;
use crate::Result;
use crate::clock::BuildTimer;

/// Who builds a tree: Embree not robust, on the instructions that it chooses.
#[derive(Clone, Copy)]
pub(crate) enum Builder {
    Lanecast(BuildQuality),
    Embree(Quality),
}

pub(crate) const BALANCED: &str = "lanecast";
pub(crate) const FAST: &str = "lanecast fast";
pub(crate) const EMBREE: &str = "embree";

/// All builders by name.
pub(crate) const BUILDERS: [(&str, Builder); 6] = [
    (BALANCED, Builder::Lanecast(BuildQuality::Balanced)),
    (FAST, Builder::Lanecast(BuildQuality::Fast)),
    (EMBREE, Builder::Embree(Quality::Medium)),
    ("lanecast high", Builder::Lanecast(BuildQuality::High)),
    ("embree low", Builder::Embree(Quality::Low)),
    ("embree high", Builder::Embree(Quality::High)),
];

/// What a scene's trees cost.
#[derive(Debug, Serialize)]
pub(crate) struct Price {
    pub(crate) scene: &'static str,
    pub(crate) triangles: usize,
    pub(crate) trees: Vec<TreePrice>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct TreePrice {
    pub(crate) builder: &'static str,
    pub(crate) mega_triangles_per_second: f64,
    pub(crate) bytes_per_triangle: f64,
}

impl Price {
    /// Builds the trees so many times in turns; the median counts.
    pub(crate) fn measure(
        stage: &Stage,
        means: &Means,
        builds: usize,
        builders: &[(&'static str, Builder)],
    ) -> Result<Self> {
        let threads = means.threads.count();
        let mut built = vec![Vec::new(); builders.len()];
        for _ in 0..builds {
            for (&(_, builder), built) in builders.iter().zip(&mut built) {
                match (builder, &means.embree) {
                    (Builder::Lanecast(quality), _) => {
                        let timer = BuildTimer::start(threads);
                        let scene = LanecastScene::build(&stage.mesh, quality, &means.threads)?;
                        built.push((timer.seconds(), scene.bytes()));
                    }
                    (Builder::Embree(quality), Some(api)) => {
                        built.push(EmbreeScenes::price(api, &stage.mesh, quality, &means.pool)?);
                    }
                    (Builder::Embree(_), None) => {}
                }
            }
        }
        let triangles = stage.mesh.triangles.len();
        let price = |(&(builder, _), mut built): (&(&'static str, Builder), Vec<(f64, usize)>)| {
            built.sort_by(|a, b| a.0.total_cmp(&b.0));
            built.get(built.len() / 2).map(|&(seconds, bytes)| TreePrice {
                builder,
                mega_triangles_per_second: triangles as f64 / seconds / 1e6,
                bytes_per_triangle: bytes as f64 / triangles as f64,
            })
        };
        Ok(Self {
            scene: stage.name,
            triangles,
            trees: builders.iter().zip(built).filter_map(price).collect(),
        })
    }

    pub(crate) fn of(&self, builder: &str) -> Option<&TreePrice> {
        self.trees.iter().find(|tree| tree.builder == builder)
    }

    pub(crate) fn words(&self) -> String {
        let mut text = String::new();
        for TreePrice { builder, mega_triangles_per_second: speed, bytes_per_triangle: bytes } in
            &self.trees
        {
            let _ = writeln!(
                text,
                "{builder}: {speed:.2} million triangles built a second, {bytes:.0} bytes each"
            );
        }
        text
    }
}
