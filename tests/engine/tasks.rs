//! Systems of tasks of the caller's: whatever they do, builds and queries are done once and give the
//! same bits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lanecast::{Geometry, Hit, Ray, Scene, SceneBuilder, Side, Tasks, Threads};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

/// What a system does with tasks.
#[derive(Debug, Clone, Copy)]
enum Way {
    AThreadEach,
    Backwards,
    /// Some are not done, and some twice.
    Wrongly,
    Never,
}

#[derive(Debug)]
struct System {
    way: Way,
    count: usize,
    runs: Arc<AtomicUsize>,
}

impl Tasks for System {
    fn count(&self) -> usize {
        self.count
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        assert!(tasks >= 1 && tasks <= self.count.max(1), "{tasks} tasks of {}", self.count);
        self.runs.fetch_add(1, Ordering::Relaxed);
        match self.way {
            Way::AThreadEach => std::thread::scope(|scope| {
                (0..tasks).for_each(|number| drop(scope.spawn(move || task(number))));
            }),
            Way::Backwards => (0..tasks).rev().for_each(task),
            Way::Wrongly => [0, 0].into_iter().for_each(task),
            Way::Never => {}
        }
    }
}

fn systems() -> impl Iterator<Item = (String, Threads, Arc<AtomicUsize>)> {
    let ways = [Way::AThreadEach, Way::Backwards, Way::Wrongly, Way::Never];
    let all = ways.into_iter().flat_map(|way| [2, 5].map(|count| (way, count)));
    all.map(|(way, count)| {
        let runs = Arc::new(AtomicUsize::new(0));
        let threads = Threads::of_tasks(System { way, count, runs: Arc::clone(&runs) });
        assert_eq!(threads.count(), count);
        (format!("{way:?} of {count}"), threads, runs)
    })
}

/// Enough triangles that a build spreads out.
fn ball() -> Mesh {
    meshes::icosphere(5, 1.0)
}

fn rays() -> Vec<Ray> {
    let mut random = Random::new(3);
    (0..20_000).map(|_| Ray::new(random.point(-1.5, 1.5), random.direction())).collect()
}

#[test]
fn scenes_and_answers_are_those_of_one_thread() {
    let (mesh, rays) = (ball(), rays());
    let points: Vec<[f32; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let build = |threads: &Threads| {
        let mesh = Geometry::deformable_mesh(&mesh.vertices, &mesh.triangles);
        let builder = SceneBuilder::new().geometry(mesh);
        builder.expect("a sound mesh").threads(threads).build().expect("a scene")
    };
    let moved: Vec<[f32; 3]> = mesh.vertices.iter().map(|&[x, y, z]| [y, z, 2.0 * x]).collect();
    let ask = |scene: &mut Scene, threads: &Threads| {
        let before = scene.cast(&*rays).threads(threads).all().expect("answers");
        scene.change().threads(threads).refit(&[(0, &moved)]).expect("as many vertices");
        let after = scene.cast(&*rays).threads(threads).closest().expect("answers");
        scene.change().threads(threads).rebuild().expect("a tree");
        let rebuilt = scene.cast(&*rays).threads(threads).cost().expect("answers");
        let inside = scene.points(&points).threads(threads).contains().expect("a closed surface");
        (before, after, rebuilt, inside, scene.statistics())
    };
    let expected = ask(&mut build(&Threads::ONE), &Threads::ONE);
    for (name, threads, runs) in systems() {
        let mut scene = build(&threads);
        assert!(runs.swap(0, Ordering::Relaxed) > 1, "{name}: a build of many steps");
        assert!(ask(&mut scene, &threads) == expected, "{name}");
        assert!(runs.load(Ordering::Relaxed) > 5, "{name}: it was asked for each query");
    }
}

/// A panic in a task does not unwind through the system, and arrives.
#[test]
fn panics_arrive_at_the_caller() {
    let mesh = ball();
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");
    let rays = rays();
    for (name, threads, _) in systems() {
        let filter = |row: usize, _: &Hit, _: Side| {
            assert!(row != 7_000, "row 7000");
            true
        };
        let cast = || scene.cast(&*rays).threads(&threads).filter(&filter).closest();
        let panic = catch_unwind(AssertUnwindSafe(cast)).expect_err(&name);
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"row 7000"), "{name}");
        let asked = scene.cast(&*rays).threads(&threads).any().expect("answers");
        assert!(asked == scene.cast(&*rays).any().expect("answers"), "{name}");
    }
}

/// Nothing to do in parallel is done where it is asked for.
#[test]
fn few_rays_ask_for_no_tasks() {
    let mesh = ball();
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");
    for (name, threads, runs) in systems() {
        scene.cast(&rays()[..8]).threads(&threads).closest().expect("answers");
        assert_eq!(runs.load(Ordering::Relaxed), 0, "{name}");
    }
    let none = System { way: Way::Never, count: 0, runs: Arc::default() };
    assert_eq!(Threads::of_tasks(none).count(), 1);
}
