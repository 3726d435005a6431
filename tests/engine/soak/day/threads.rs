//! Many threads that build, change, copy, cast at and drop scenes that they share.

use super::whole_or;
use lanecast::{Affine, HitBatch, Ray, Scene, SceneBuilder};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const THREADS: u64 = 100;
/// Scenes that are shared at a time.
const SHARED: usize = 16;

/// A scene, and what the rays of its seed hit.
#[derive(Clone)]
struct Known {
    scene: Arc<Scene>,
    seed: u64,
    expected: Arc<HitBatch>,
}

fn ask(scene: &Scene, seed: u64) -> HitBatch {
    let random = &mut Random::new(seed);
    let rays: Vec<_> =
        (0..3000).map(|_| Ray::new(random.point(-2.0, 2.0), random.direction())).collect();
    scene.cast(&rays[..]).closest().expect("not stopped")
}

impl Known {
    fn of(scene: Scene, seed: u64) -> Self {
        let expected = Arc::new(ask(&scene, seed));
        Self { scene: Arc::new(scene), seed, expected }
    }

    fn drawn(random: &mut Random) -> Self {
        let seed = random.bits();
        let mesh = meshes::soup(1 + random.below(400), random);
        Self::of(Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a mesh"), seed)
    }

    /// A copy of which something else is.
    fn changed(&self, random: &mut Random) -> Self {
        let mesh = meshes::soup(20, random);
        let geometry = lanecast::Geometry::triangle_mesh(&mesh.vertices, &mesh.triangles);
        let mut scene = self.scene.deep_copy();
        if scene.geometry_ids().next().is_some() {
            scene.change().replace(&[(0, geometry)]).expect("one that is there");
        } else {
            scene.change().add(&[geometry]).expect("room");
        }
        Self::of(scene, random.bits())
    }

    /// Placed twice in another.
    fn placed(&self, random: &mut Random) -> Self {
        // Each time there are twice as many.
        if self.scene.instance_id_count() > 100 {
            return Self::drawn(random);
        }
        let mut at = || Affine::translation(random.point(-1.0, 1.0).map(f64::from));
        let builder = SceneBuilder::new().instance(&self.scene, at()).instance(&self.scene, at());
        Self::of(builder.build().expect("a scene"), random.bits())
    }
}

#[test]
fn many_threads_cast_change_and_drop_scenes() {
    let (time, start) = (Duration::from_secs(whole_or(2, 1200)), Instant::now());
    let random = &mut Random::new(3);
    let shared: Vec<_> = (0..SHARED).map(|_| Mutex::new(Known::drawn(random))).collect();
    let asked = AtomicU64::new(0);
    let work = |number: u64| {
        let random = &mut Random::new(number);
        while start.elapsed() < time {
            let place = &shared[random.below(SHARED)];
            let known = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
            assert!(ask(&known.scene, known.seed) == *known.expected, "thread {number}");
            asked.fetch_add(1, Relaxed);
            let other = match random.below(8) {
                0 => Known::drawn(random),
                1 => known.changed(random),
                2 => known.placed(random),
                _ => continue,
            };
            *place.lock().unwrap_or_else(PoisonError::into_inner) = other;
        }
    };
    let work = &work;
    std::thread::scope(|scope| {
        (0..THREADS).for_each(|number| drop(scope.spawn(move || work(number))));
    });
    let asked = asked.into_inner();
    eprintln!("{asked} batches by {THREADS} threads in {} s", time.as_secs());
    assert!(asked > THREADS, "{asked}");
}
