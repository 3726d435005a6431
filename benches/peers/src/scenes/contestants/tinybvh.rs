//! tinybvh. Its rays have unit directions.

use std::sync::Arc;

use rayon::ThreadPool;

use super::{Entrant, one_by_one};
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};
use crate::scenes::tinybvh::{Api, Tree};

pub(crate) struct TinyScene(Tree);

/// Its rays are made when they are cast; what is ready is the unit direction.
struct Ready {
    origin: [f32; 3],
    direction: [f32; 3],
    reach: f32,
    /// From distances to `t`.
    inverse_length: f32,
}

/// What tinybvh takes for infinity.
const FAR: f32 = 1e30;

impl TinyScene {
    pub(crate) fn build(api: &Arc<Api>, mesh: &Mesh) -> Self {
        Self(Tree::build(api, mesh))
    }

    pub(crate) fn enter<'a>(
        &'a self,
        pool: &'a ThreadPool,
        set: &RaySet,
        into: &mut Vec<Entrant<'a>>,
    ) {
        let ready = |ray: &lanecast::Ray| {
            let length = ray.direction.iter().map(|x| x * x).sum::<f32>().sqrt();
            let direction = ray.direction.map(|x| x / length);
            let reach = (ray.t_max * length).min(FAR);
            Ready { origin: ray.origin, direction, reach, inverse_length: 1.0 / length }
        };
        match set.query {
            Query::Closest => one_by_one::enter("tinybvh", pool, set, 1, into, ready, |ray| {
                self.0.closest(&ray.origin, &ray.direction, ray.reach) * ray.inverse_length
            }),
            Query::Any => one_by_one::enter("tinybvh", pool, set, 1, into, ready, |ray| {
                let met = self.0.occluded(&ray.origin, &ray.direction, ray.reach);
                if met { 0.0 } else { f32::INFINITY }
            }),
        }
    }
}
