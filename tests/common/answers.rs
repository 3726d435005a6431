//! What every query says of some rays.

use lanecast::{
    AllHitsBatch, AnyHitBatch, CastOptions, CountBatch, Filtered, HitBatch, Limit, LineHitBatch, RayBatch,
    Scene,
};

/// The answers of all queries; of the nearest hits each ray is asked for its number modulo four.
#[derive(Debug, Default, PartialEq)]
pub struct Answers {
    pub closest: HitBatch,
    pub any: AnyHitBatch,
    pub counts: CountBatch,
    pub all: AllHitsBatch,
    pub nearest: AllHitsBatch,
    pub line: LineHitBatch,
}

macro_rules! ask {
    ($scene:expr, $rays:expr, $options:expr) => {{
        let (scene, rays, options, mut answers) = ($scene, $rays, $options, Answers::default());
        let limits: Vec<u32> = (0..rays.len() as u32).map(|row| row % 4).collect();
        scene.line_hits_batch(rays, options, &mut answers.line).unwrap();
        scene.closest_hit_batch(rays, options, &mut answers.closest).unwrap();
        scene.any_hit_batch(rays, options, &mut answers.any).unwrap();
        scene.count_hits_batch(rays, options, &mut answers.counts).unwrap();
        scene.all_hits_batch(rays, options, &mut answers.all).unwrap();
        scene.nearest_hits_batch(rays, Limit::PerRay(&limits), options, &mut answers.nearest).unwrap();
        answers
    }};
}

impl Answers {
    /// Through trees.
    pub fn of(scene: &Scene, rays: &RayBatch<'_>, options: &CastOptions<'_>) -> Self {
        ask!(scene, rays, options)
    }

    /// Through trees, of what a filter accepts.
    pub fn of_filtered(scene: &Filtered<'_>, rays: &RayBatch<'_>, options: &CastOptions<'_>) -> Self {
        ask!(scene, rays, options)
    }

    /// By brute force.
    pub fn of_scan(scene: &Scene, rays: &RayBatch<'_>, options: &CastOptions<'_>) -> Self {
        ask!(scene.scan(), rays, options)
    }
}
