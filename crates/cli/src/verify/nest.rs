//! Maps drawn at random, and a scene placed by them in a scene that is placed in another.

use crate::machine::Machine;
use lanecast::{Aabb, Affine, Precision, Scalar, Scene, SceneBuilder};
use lanecast_reference::random::Random;
use lanecast_reference::rays::{center, diagonal};
use lanecast_reference::vector::{Numbers, Vector, minus, plus};
use lanecast_reference::world::World;
use std::sync::Arc;

/// The maps of a scene's instances, and those of the instances of that scene in another.
#[derive(Debug, Clone)]
pub(super) struct Nest {
    pub(super) inner: Vec<Affine>,
    pub(super) outer: Vec<Affine>,
}

impl Nest {
    /// So many of each.
    pub(super) fn drawn<T: Scalar>(count: u32, bounds: &Aabb<T>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut maps = || (0..count).map(|_| drawn(bounds, &mut random)).collect();
        Self { inner: maps(), outer: maps() }
    }

    /// The outer scene.
    pub(super) fn scene<'m, T: Precision>(
        &self,
        placed: Arc<Scene<T>>,
        machine: &'m Machine,
    ) -> lanecast::Result<Arc<Scene<T>>> {
        let mut scene = placed;
        for maps in [&self.inner, &self.outer] {
            let builder =
                SceneBuilder::<T>::default().backend(machine.backend).threads(&machine.threads);
            let place = |builder: SceneBuilder<'m, T>, map: &Affine| builder.instance(&scene, *map);
            scene = Arc::new(maps.iter().fold(builder, place).build()?);
        }
        Ok(scene)
    }

    /// The same for brute force.
    pub(super) fn world<'a, T: Numbers>(&self, placed: World<'a, T>) -> World<'a, T> {
        placed.placed(&self.inner).placed(&self.outer)
    }
}

/// Two shears by quarters and a scale by powers of two in between, mirrored as often as not. Moved
/// so that what is within the bounds stays near.
fn drawn<T: Scalar>(bounds: &Aabb<T>, random: &mut Random) -> Affine {
    let mut quarters = || (random.below(9) as f64 - 4.0) / 4.0;
    let [a, b, c, d, e, f] = [(); 6].map(|()| quarters());
    let scales = [(); 3].map(|()| [0.5, 1.0, 2.0, -0.5, -1.0, -2.0][random.below(6)]);
    let linear = |rows: [Vector; 3]| Affine::from_rows(rows.map(|[x, y, z]| [x, y, z, 0.0]));
    let lower = linear([[1.0, 0.0, 0.0], [a, 1.0, 0.0], [b, c, 1.0]]);
    let upper = linear([[1.0, d, e], [0.0, 1.0, f], [0.0, 0.0, 1.0]]);
    let scaled = linear([[scales[0], 0.0, 0.0], [0.0, scales[1], 0.0], [0.0, 0.0, scales[2]]]);
    let map = upper * scaled * lower;
    let middle = center(bounds);
    let apart = [(); 3].map(|()| diagonal(bounds) * (random.unit_f64() - 0.5));
    Affine::translation(plus(minus(middle, map.vector(middle)), apart)) * map
}

#[cfg(test)]
#[path = "../../tests/unit/verify/nest.rs"]
mod tests;
