//! Points and normals of hits.

use crate::rays::point_at;
use crate::vector::{from_f32, to_f32, unit};
use clap::ValueEnum;
use lanecast::{HitBatch, Ray, answers::AllHitsBatch};

/// Which normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Normals {
    /// Perpendicular to what is hit
    Geometric,
}

/// A point for each ray, NaN where it hits nothing.
pub(super) fn points_into(points: &mut Vec<[f32; 3]>, rays: &[Ray], hits: &HitBatch) {
    points.clear();
    let rows = rays.iter().enumerate();
    points.extend(rows.map(|(row, ray)| hits.hit(row).map_or([f32::NAN; 3], |hit| point_at(ray, hit.t))));
}

/// A point for each hit.
pub(super) fn points_of_all_into(points: &mut Vec<[f32; 3]>, rays: &[Ray], all: &AllHitsBatch) {
    points.clear();
    for (number, ray) in rays.iter().enumerate() {
        points.extend(all.of_ray(number).iter().map(|hit| point_at(ray, hit.t)));
    }
}

/// A normal of length 1 for each ray, zero where it hits nothing; of a batch with normals.
pub(super) fn normals_into(normals: &mut Vec<[f32; 3]>, kind: Normals, hits: &HitBatch) {
    normals.clear();
    match kind {
        Normals::Geometric => {
            normals.extend(hits.geometric_normal().iter().map(|normal| to_f32(unit(from_f32(*normal)))));
        }
    }
}
