//! lanecast: batches and single rays, on each backend, at trees of each quality.

use lanecast::testing::Way;
use lanecast::{
    Backend, BuildQuality, Coherence, Hit, HitBatch, Ray, RayBatch, Scene, SceneBuilder, Threads,
    answers::AnyHitBatch,
};

use super::{Entrant, Family, Isa, Tracer};
use crate::Result;
use crate::rounds::Contestant;
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};

/// The ways through the tree, one of which lanecast chooses for some or all of the rays.
const WAYS: [(&str, Coherence, Option<Way>); 6] = [
    ("in groups", Coherence::Coherent, None),
    ("without groups", Coherence::Incoherent, None),
    ("in streams", Coherence::Incoherent, Some(Way::Streams)),
    ("in streams by octant", Coherence::Incoherent, Some(Way::StreamsByOctant)),
    ("in mixed streams", Coherence::Incoherent, Some(Way::MixedStreams)),
    ("in flight", Coherence::Incoherent, Some(Way::InFlight)),
];

/// A scene, and the threads that cast at it.
pub(crate) struct LanecastScene {
    /// On the fastest backend, unless a request names another.
    pub(crate) scene: Scene,
    quality: BuildQuality,
    threads: Threads,
}

impl LanecastScene {
    pub(crate) fn build(mesh: &Mesh, quality: BuildQuality, threads: &Threads) -> Result<Self> {
        let builder = SceneBuilder::new().triangle_mesh(mesh.vertices(), &mesh.triangles)?;
        let scene = builder.quality(quality).threads(threads).build()?;
        Ok(Self { scene, quality, threads: threads.clone() })
    }

    /// What it holds, all told.
    pub(crate) fn bytes(&self) -> usize {
        self.scene.statistics().bytes
    }

    pub(crate) fn enter<'a>(
        &'a self,
        set: &'a RaySet,
        isas: &[Isa],
        into: &mut Vec<Entrant<'a>>,
    ) -> Result<()> {
        let one_thread = self.threads.count() == 1;
        let quality = match self.quality {
            BuildQuality::Fast => " fast",
            BuildQuality::High => " high",
            _ => "",
        };
        for (isa, backend) in backends() {
            if !isas.contains(&isa) {
                continue;
            }
            let batch = Batch::new(self, backend, set, (Coherence::Detect, None))?;
            let name = format!("lanecast {backend}{quality}");
            into.push(Entrant::new(name.clone(), Family::Lanecast, Some(isa), set, batch));
            if one_thread {
                let single =
                    Single { scene: self, backend, set, answers: vec![0.0; set.rays.len()] };
                let name = format!("{name}, one by one");
                into.push(Entrant::new(name, Family::LanecastSingle, Some(isa), set, single));
            }
        }
        Ok(())
    }

    /// All rays on each way, on the fastest of these backends.
    pub(crate) fn enter_ways<'a>(
        &'a self,
        set: &'a RaySet,
        isas: &[Isa],
        into: &mut Vec<Entrant<'a>>,
    ) -> Result<()> {
        let wanted = backends().filter(|(isa, _)| isas.contains(isa));
        if let Some((isa, backend)) = wanted.max_by_key(|&(isa, _)| isa) {
            for (way, coherence, how) in WAYS {
                let batch = Batch::new(self, backend, set, (coherence, how))?;
                let name = format!("lanecast {backend} {way}");
                into.push(Entrant::new(name, Family::LanecastWay, Some(isa), set, batch));
            }
        }
        Ok(())
    }
}

/// The widest instructions that lanecast has a backend for here.
pub(crate) fn widest() -> Isa {
    backends().map(|(isa, _)| isa).max().unwrap_or(Isa::Sse)
}

/// The backends that run here, each with the instructions it is compared at.
pub(super) fn backends() -> impl Iterator<Item = (Isa, Backend)> {
    Backend::available().filter_map(|backend| match backend.to_string().as_str() {
        "portable" => Some((Isa::Sse, backend)),
        "avx2" => Some((Isa::Avx2, backend)),
        "avx512" => Some((Isa::Avx512, backend)),
        _ => None,
    })
}

/// As a [`Tracer`] gives them.
pub(super) fn answers_of_any(any: &AnyHitBatch) -> Vec<f32> {
    any.status().iter().map(|status| if status.is_hit() { 0.0 } else { f32::INFINITY }).collect()
}

struct Batch<'a> {
    scene: &'a LanecastScene,
    backend: Backend,
    query: Query,
    rays: RayBatch<'a>,
    way: (Coherence, Option<Way>),
    hits: HitBatch,
    any: AnyHitBatch,
}

impl<'a> Batch<'a> {
    fn new(
        scene: &'a LanecastScene,
        backend: Backend,
        set: &'a RaySet,
        way: (Coherence, Option<Way>),
    ) -> Result<Self> {
        let [x, y, z, dx, dy, dz, t_min, t_max] = set.columns().columns;
        let rays = RayBatch::from_columns([x, y, z], [dx, dy, dz])?.with_intervals(t_min, t_max)?;
        let (hits, any) = (HitBatch::new(), AnyHitBatch::new());
        Ok(Self { scene, backend, query: set.query, rays, way, hits, any })
    }
}

impl Contestant for Batch<'_> {
    fn run(&mut self) {
        let LanecastScene { scene, threads, .. } = self.scene;
        let (coherence, way) = self.way;
        let request =
            scene.cast(&self.rays).backend(self.backend).threads(threads).coherence(coherence);
        let request = match way {
            Some(way) => request.way(way),
            None => request,
        };
        let done = match self.query {
            Query::Closest => request.closest_into(&mut self.hits),
            Query::Any => request.any_into(&mut self.any),
        };
        done.expect("nobody stops it");
    }
}

impl Tracer for Batch<'_> {
    fn answers(&self) -> Vec<f32> {
        match self.query {
            Query::Closest => self.hits.t().to_vec(),
            Query::Any => answers_of_any(&self.any),
        }
    }
}

struct Single<'a> {
    scene: &'a LanecastScene,
    backend: Backend,
    set: &'a RaySet,
    answers: Vec<f32>,
}

impl Contestant for Single<'_> {
    fn run(&mut self) {
        let request = |ray| self.scene.scene.cast::<&Ray>(ray).backend(self.backend);
        match self.set.query {
            Query::Closest => {
                for (answer, ray) in self.answers.iter_mut().zip(&self.set.rays) {
                    let hit: Option<Hit> = request(ray).closest().expect("sound rays");
                    *answer = hit.map_or(f32::INFINITY, |hit| hit.t);
                }
            }
            Query::Any => {
                for (answer, ray) in self.answers.iter_mut().zip(&self.set.rays) {
                    *answer =
                        if request(ray).any().expect("sound rays") { 0.0 } else { f32::INFINITY };
                }
            }
        }
    }
}

impl Tracer for Single<'_> {
    fn answers(&self) -> Vec<f32> {
        self.answers.clone()
    }
}
