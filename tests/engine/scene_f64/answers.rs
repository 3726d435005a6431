//! What every query says.

use lanecast::{AllHitsBatch, AnyHitBatch, CountBatch, HitBatch, LineHitBatch};

/// What every query says of some rays.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answers {
    pub(crate) closest: HitBatch<f64>,
    pub(crate) any: AnyHitBatch,
    pub(crate) counts: CountBatch,
    pub(crate) all: AllHitsBatch<f64>,
    pub(crate) nearest: AllHitsBatch<f64>,
    pub(crate) line: LineHitBatch<f64>,
}

macro_rules! ask {
    ($scene:expr, $rays:expr, $options:expr) => {{
        let (scene, rays, options, mut answers) = ($scene, $rays, $options, Answers::default());
        let limits: Vec<u32> = (0..rays.len() as u32).map(|row| row % 4).collect();
        scene.closest_hit_batch(rays, &options.clone().normals(true), &mut answers.closest).unwrap();
        scene.any_hit_batch(rays, options, &mut answers.any).unwrap();
        scene.count_hits_batch(rays, options, &mut answers.counts).unwrap();
        scene.all_hits_batch(rays, options, &mut answers.all).unwrap();
        scene.nearest_hits_batch(rays, Limit::PerRay(&limits), options, &mut answers.nearest).unwrap();
        scene.line_hits_batch(rays, options, &mut answers.line).unwrap();
        answers
    }};
}

pub(crate) use ask;
