//! Random worlds, each asked by its tree and by brute force.

use super::{Pace, whole_or};
use crate::common::backends::every_backend;
use lanecast::{Culling, Ray, RayBatch};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Drawn, RandomWorld};
use lanecast_reference::vector::{Numbers, minus};
use lanecast_reference::world_rays::target;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

const RAYS: usize = 24;
const THREADS: usize = 2;

/// Every query of every world, on a backend that is drawn.
#[test]
fn worlds_agree_with_brute_force() {
    let total = whole_or(400, 1_000_000);
    let (next, pace) = (AtomicU64::new(0), Mutex::new(Pace::start()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= total {
                break;
            }
            if seed % 2 == 0 {
                at_world::<f32>(seed);
            } else {
                at_world::<f64>(seed);
            }
            pace.lock().unwrap_or_else(PoisonError::into_inner).say("worlds", seed + 1, total);
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
}

fn at_world<T: Numbers>(seed: u64) {
    let random = &mut Random::new(seed);
    let drawn = random.pick(&[Drawn::Plain, Drawn::ForRays, Drawn::Closed, Drawn::Masked]);
    let world = RandomWorld::<T>::of(drawn, random.below(3) as u32, random);
    let rays: Vec<_> = (0..RAYS).map(|_| ray_at(&world, random)).collect();
    let backend = random.pick(&every_backend());
    let culling = random.pick(&[Culling::None, Culling::None, Culling::Back, Culling::Front]);
    let batch = &RayBatch::from_rays(&rays);
    let cast = || world.scene.cast(batch).backend(backend).culling(culling).mask(random_mask(seed));
    let [by_tree, by_force] = [cast(), cast().brute_force()].map(|cast| {
        (
            (cast.closest(), cast.farthest(), cast.any(), cast.count()),
            (cast.all(), cast.nearest(3), cast.line_hits()),
        )
    });
    assert!(by_tree == by_force, "world {seed}, {backend}: {by_tree:?}\n{by_force:?}");
    if drawn == Drawn::ForRays || drawn == Drawn::Masked {
        // The caller's own primitives say nothing of points.
        return;
    }
    let points: Vec<[T; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let asked = || world.scene.points(&points).backend(backend);
    let [by_tree, by_force] = [asked(), asked().brute_force()].map(|asked| {
        (asked.closest(T::INFINITY), asked.nearest(3, T::INFINITY), asked.distances())
    });
    assert!(by_tree == by_force, "world {seed}, {backend}: {by_tree:?}\n{by_force:?}");
}

/// All in half of the worlds.
const fn random_mask(seed: u64) -> u32 {
    if seed % 4 < 2 { u32::MAX } else { 1 }
}

/// From something or from anywhere, at something.
fn ray_at<T: Numbers>(world: &RandomWorld<T>, random: &mut Random) -> Ray<T> {
    let to = target(world, random).map(T::to_f64);
    let origin: [T; 3] = match random.below(4) {
        0 => target(world, random),
        1 => random.point(-300.0, 300.0).map(T::of),
        _ => random.point(-3.0, 3.0).map(T::of),
    };
    let ray = Ray::new(origin, minus(to, origin.map(T::to_f64)).map(T::nearest));
    let ends = random.pick(&[[0.5, 1.3], [-1.0, 1.1], [0.0, f32::INFINITY], [0.0, f32::INFINITY]]);
    let ray = ray.with_interval(T::of(ends[0]), T::of(ends[1]));
    // From a target that is drawn twice nothing leads to itself.
    if ray.defect().is_some() { Ray::new(origin, [0.0, 0.0, 1.0].map(T::of)) } else { ray }
}
