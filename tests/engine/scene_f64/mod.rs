//! Scenes of `f64`: what is met at survey coordinates is what is met at the origin, and what
//! testing every triangle finds.

mod asked;
mod ends;
mod exact;
mod groups;
mod placed;
mod points;
pub(crate) mod survey;
mod tree;

use crate::common::answers::Answers;
use crate::common::scale::scaled;
use lanecast::{CastOptions, Ray, RayBatch, Result, Scene};

fn rays() -> usize {
    scaled(300)
}

/// The radius of the earth in metres.
pub(crate) const FAR: f64 = 6.4e6;

/// A scene of one mesh.
pub(crate) fn scene_f64(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Scene<f64>> {
    Scene::<f64>::from_triangles(vertices, triangles)
}

/// What every query says of some rays, with normals.
fn ask(scene: &Scene<f64>, rays: &[Ray<f64>], options: &CastOptions<'_, f64>) -> Answers<f64> {
    Answers::of(scene, &RayBatch::from_rays(rays), &options.clone().geometric_normals(true))
}
