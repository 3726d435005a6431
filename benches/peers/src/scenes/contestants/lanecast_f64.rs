//! lanecast in survey coordinates: the same triangles and rays in `f64`, far from the origin.

use lanecast::{
    Backend, BuildQuality, HitBatch, Ray, RayBatch, Scene, SceneBuilder, Threads,
    answers::AnyHitBatch,
};

use super::lanecast::{answers_of_any, backends};
use super::{Entrant, Family, Isa, Tracer};
use crate::Result;
use crate::rounds::Contestant;
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};

/// How far along each axis, in metres as it were: 2²², about as far as coordinates of a country's
/// survey.
const FAR: f64 = 4_194_304.0;

fn far(point: [f32; 3]) -> [f64; 3] {
    point.map(|x| f64::from(x) + FAR)
}

/// A scene, and the threads that cast at it.
pub(crate) struct LanecastF64Scene {
    scene: Scene<f64>,
    threads: Threads,
}

impl LanecastF64Scene {
    pub(crate) fn build(mesh: &Mesh, threads: &Threads) -> Result<Self> {
        let vertices: Vec<[f64; 3]> = mesh.vertices().iter().copied().map(far).collect();
        let builder = SceneBuilder::<f64>::default().triangle_mesh(&vertices, &mesh.triangles)?;
        let scene = builder.quality(BuildQuality::Balanced).threads(threads).build()?;
        Ok(Self { scene, threads: threads.clone() })
    }

    pub(crate) fn enter<'a>(&'a self, set: &'a RaySet, isas: &[Isa], into: &mut Vec<Entrant<'a>>) {
        for (isa, backend) in backends() {
            if isas.contains(&isa) {
                let name = format!("lanecast f64 {backend}");
                let batch = Batch::new(self, backend, set);
                into.push(Entrant::new(name, Family::LanecastF64, Some(isa), set, batch));
            }
        }
    }
}

struct Batch<'a> {
    scene: &'a LanecastF64Scene,
    backend: Backend,
    query: Query,
    /// Origin, direction, `t_min`, `t_max`.
    columns: [Vec<f64>; 8],
    hits: HitBatch<f64>,
    any: AnyHitBatch,
}

impl<'a> Batch<'a> {
    fn new(scene: &'a LanecastF64Scene, backend: Backend, set: &RaySet) -> Self {
        let column = |place: usize| {
            let number = |ray: &Ray| match place {
                0..3 => far(ray.origin)[place],
                3..6 => f64::from(ray.direction[place - 3]),
                6 => f64::from(ray.t_min),
                _ => f64::from(ray.t_max),
            };
            set.rays.iter().map(number).collect()
        };
        let (hits, any) = (HitBatch::new(), AnyHitBatch::new());
        Self { scene, backend, query: set.query, columns: std::array::from_fn(column), hits, any }
    }
}

impl Contestant for Batch<'_> {
    fn run(&mut self) {
        let [x, y, z, dx, dy, dz, t_min, t_max] = self.columns.each_ref().map(Vec::as_slice);
        let rays = RayBatch::from_columns([x, y, z], [dx, dy, dz]).expect("as long as each other");
        let rays = rays.with_intervals(t_min, t_max).expect("as long as each other");
        let LanecastF64Scene { scene, threads } = self.scene;
        let request = scene.cast(&rays).backend(self.backend).threads(threads);
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
            Query::Closest => self.hits.t().iter().map(|&t| t as f32).collect(),
            Query::Any => answers_of_any(&self.any),
        }
    }
}
