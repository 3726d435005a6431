//! Embree in all its modes.

use std::sync::Arc;

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::{Entrant, Family, Isa, Tracer};
use crate::Result;
use crate::clock::BuildTimer;
use crate::rounds::Contestant;
use crate::scenes::embree::{Api, Built, Device, Hint, Quality, Width};
use crate::scenes::hits::Hits;
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};

/// One mesh, built in all the ways in which Embree traces it.
pub(crate) struct EmbreeScenes<'p> {
    scenes: Vec<Way>,
    pool: &'p ThreadPool,
}

struct Way {
    isa: Isa,
    quality: Quality,
    robust: bool,
    built: Built,
}

/// How many rays a thread takes at a time.
const PIECE: usize = 4096;

impl<'p> EmbreeScenes<'p> {
    pub(crate) fn build(
        api: &Arc<Api>,
        mesh: &Arc<Mesh>,
        isas: &[Isa],
        qualities: &[Quality],
        robust: &[bool],
        pool: &'p ThreadPool,
    ) -> Result<Self> {
        let mut scenes = Vec::new();
        for &isa in isas {
            let device = Device::new(api, &configuration(isa, pool))?;
            for &robust in robust {
                for &quality in qualities {
                    let built = Built::new(&device, mesh, quality, robust)?;
                    scenes.push(Way { isa, quality, robust, built });
                }
            }
        }
        Ok(Self { scenes, pool })
    }

    /// Seconds to build a tree on the instructions that Embree chooses, and bytes held.
    pub(crate) fn price(
        api: &Arc<Api>,
        mesh: &Arc<Mesh>,
        quality: Quality,
        pool: &ThreadPool,
    ) -> Result<(f64, usize)> {
        let device = Device::new(api, &configuration(Isa::Avx512, pool))?;
        let timer = BuildTimer::start(pool.current_num_threads());
        let built = Built::new(&device, mesh, quality, false)?;
        Ok((timer.seconds(), built.bytes))
    }

    pub(crate) fn enter<'a>(&'a self, set: &'a RaySet, into: &mut Vec<Entrant<'a>>) {
        for way in &self.scenes {
            let isa = match way.isa {
                Isa::Sse => " sse4.2",
                Isa::Avx2 => " avx2",
                Isa::Avx512 => "",
            };
            let quality = if way.quality == Quality::High { " high" } else { "" };
            let robust = if way.robust { " robust" } else { "" };
            // Packets as wide as the registers, and twice that; with SSE the wider ones become
            // single rays.
            let packets = match way.isa {
                Isa::Sse => [(Width::Four, "4"), (Width::Eight, "8")],
                _ => [(Width::Eight, "8"), (Width::Sixteen, "16")],
            };
            let hints = [(Hint::Incoherent, " incoherent"), (Hint::Coherent, " coherent")];
            let packets = packets.into_iter().flat_map(|packet| hints.map(|hint| (packet, hint)));
            let single = ((Width::One, "1"), (Hint::Incoherent, ""));
            for ((width, rays), (hint, told)) in std::iter::once(single).chain(packets) {
                let family = match (way.robust, width) {
                    (true, _) => Family::EmbreeRobust,
                    (false, Width::One) => Family::EmbreeSingle,
                    (false, _) => Family::EmbreePackets,
                };
                let hits = Hits::new(set.query, set.rays.len());
                let work = Mode {
                    built: &way.built,
                    pool: self.pool,
                    width,
                    hint,
                    query: set.query,
                    set,
                    hits,
                };
                let name = format!("embree{isa}{quality}{robust}, {rays}{told}");
                into.push(Entrant::new(name, family, Some(way.isa), set, work));
            }
        }
    }
}

/// As many threads as the pool has, which build; casting is up to the caller.
fn configuration(isa: Isa, pool: &ThreadPool) -> String {
    let isa = match isa {
        Isa::Sse => ",isa=sse4.2",
        Isa::Avx2 => ",isa=avx2",
        Isa::Avx512 => "",
    };
    format!("threads={}{isa}", pool.current_num_threads())
}

struct Mode<'a> {
    built: &'a Built,
    pool: &'a ThreadPool,
    width: Width,
    hint: Hint,
    query: Query,
    set: &'a RaySet,
    hits: Hits,
}

impl Contestant for Mode<'_> {
    fn run(&mut self) {
        let Self { built, pool, width, hint, query, set, hits } = self;
        let work = set.pieces(PIECE).zip(hits.pieces(PIECE));
        if pool.current_num_threads() == 1 {
            work.for_each(|(rays, hits)| built.trace(*width, *hint, *query, rays, hits));
        } else {
            let work: Vec<_> = work.collect();
            pool.install(|| {
                work.into_par_iter()
                    .for_each(|(rays, hits)| built.trace(*width, *hint, *query, rays, hits));
            });
        }
    }
}

impl Tracer for Mode<'_> {
    fn answers(&self) -> Vec<f32> {
        self.hits.answers()
    }
}
