//! What every query says of some rays.

use lanecast::answers::{AllHitsBatch, AnyHitBatch, CountBatch, LineHitBatch};
use lanecast::{CastOptions, HitBatch, Precision, RayBatch, Scene};

/// The answers of all queries; of the nearest hits each ray is asked for its number modulo four.
#[derive(Debug, PartialEq)]
pub struct Answers<T: Precision = f32> {
    pub closest: HitBatch<T>,
    pub any: AnyHitBatch,
    pub counts: CountBatch,
    pub all: AllHitsBatch<T>,
    pub nearest: AllHitsBatch<T>,
    pub line: LineHitBatch<T>,
}

impl<T: Precision> Answers<T> {
    /// As the options say.
    pub fn of(scene: &Scene<T>, rays: &RayBatch<'_, T>, options: &CastOptions<'_, T>) -> Self {
        let limits: Vec<u32> = (0..rays.len() as u32).map(|row| row % 4).collect();
        let request = scene.cast(rays).with(options);
        Self {
            closest: request.closest().unwrap(),
            any: request.any().unwrap(),
            counts: request.count().unwrap(),
            all: request.all().unwrap(),
            nearest: request.nearest(&limits).unwrap(),
            line: request.line_hits().unwrap(),
        }
    }

    /// By brute force.
    pub fn of_scan(scene: &Scene<T>, rays: &RayBatch<'_, T>, options: &CastOptions<'_, T>) -> Self {
        Self::of(scene, rays, &options.clone().brute_force())
    }
}
