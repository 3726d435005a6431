//! Rays of every kind at a scene.

use crate::common::rays::{ENDS, KINDS, Rounded, ends, spoil};
use crate::soak::scenes::{Held, Subject};
use lanecast::Ray;
use lanecast_reference::random::Random;
use lanecast_reference::vector::vector;

/// So many rays, of up to three kinds, some of them not to be cast, and what they are called.
pub(crate) fn drawn(
    count: usize,
    subject: &Subject,
    random: &mut Random,
) -> (&'static str, Vec<Ray<f64>>) {
    let kind = random.below(KINDS.len());
    let mut rays = subject.aims.of_kind(kind, count, random);
    if random.below(4) == 0 {
        for _ in 0..2 {
            let (first, kind) = (random.below(count), random.below(KINDS.len()));
            let others = subject.aims.of_kind(kind, count - first, random);
            rays.splice(first.., others);
        }
    }
    let (how, spoilt) = (random.below(ENDS), random.pick(&[0.0, 0.0, 0.0, 0.01, 0.5, 1.0]));
    for ray in &mut rays {
        *ray = ends(*ray, how, random);
        if spoilt > 0.0 && random.unit() < spoilt {
            spoil(ray, random);
        }
        if let Held::Single(_) = subject.held {
            // As a scene of `f32` takes it.
            *ray = widened(&f32::ray(ray));
        }
    }
    (KINDS[kind], rays)
}

fn widened(ray: &Ray) -> Ray<f64> {
    let [origin, direction] = [ray.origin, ray.direction].map(vector);
    Ray { origin, direction, t_min: ray.t_min.into(), t_max: ray.t_max.into() }
}
