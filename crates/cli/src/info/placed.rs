//! What the instances of a scene place, measured where it stands.

use crate::precision::Number;
use crate::vector::{Vector, cross, length, sub, wide};
use lanecast::{Affine, Scene};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// The triangles of a scene and of all that is placed in it, each as often as it is placed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Placed {
    pub(super) triangles: u64,
    /// None where they are too many to be measured one by one.
    pub(super) surface_area: Option<f64>,
    /// The least and the greatest corners; none as well, and where there is no triangle.
    pub(super) bounds: Option<[Vector; 2]>,
}

impl Placed {
    /// None where no instance stands.
    pub(super) fn of<T: Number>(scene: &Scene<T>) -> Option<Self> {
        /// Some seconds' worth.
        const MOST: u64 = 100_000_000;
        if scene.instance_count() == 0 {
            return None;
        }
        let triangles = count(scene, &mut HashMap::new());
        let mut sums = Sums { area: 0.0, bounds: [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]] };
        let is_measured = triangles <= MOST;
        if is_measured {
            sums.add(scene, &Affine::IDENTITY);
        }
        Some(Self {
            triangles,
            surface_area: is_measured.then_some(sums.area),
            bounds: (is_measured && triangles > 0).then_some(sums.bounds),
        })
    }
}

/// Each scene is looked at once, however often it is placed.
fn count<T: Number>(scene: &Scene<T>, known: &mut HashMap<*const Scene<T>, u64>) -> u64 {
    let mut all = scene.triangle_count() as u64;
    for instance in scene.instance_numbers() {
        let inner = scene.instance_scene(instance).expect("one of those counted");
        let of_inner = match known.get(&Arc::as_ptr(inner)) {
            Some(&count) => count,
            None => count(inner, known),
        };
        known.insert(Arc::as_ptr(inner), of_inner);
        all = all.saturating_add(of_inner);
    }
    all
}

struct Sums {
    area: f64,
    bounds: [Vector; 2],
}

impl Sums {
    fn add<T: Number>(&mut self, scene: &Scene<T>, to_world: &Affine) {
        for (_, _, corners) in scene.triangles() {
            let [a, b, c] = corners.map(|corner| to_world.point(wide(corner)));
            self.area += length(cross(sub(b, a), sub(c, a))) / 2.0;
            let [min, max] = &mut self.bounds;
            for corner in [a, b, c] {
                min.iter_mut().zip(corner).for_each(|(min, x)| *min = min.min(x));
                max.iter_mut().zip(corner).for_each(|(max, x)| *max = max.max(x));
            }
        }
        for instance in scene.instance_numbers() {
            let inner = scene.instance_scene(instance).expect("one of those counted");
            let transform = scene.transform(instance).expect("one of those counted");
            self.add(inner, &(*to_world * transform));
        }
    }
}
