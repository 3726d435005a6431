//! A stop ends the worst query of each kind in time: where a row meets a hundred thousand
//! primitives, where all are equally far, where each test takes a millisecond, and where a tree is
//! built. Each call would take seconds, and most a minute.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lanecast::cast::PickLimit;
use lanecast::primitive::{Primitives, Sphere, SurfacePoint};
use lanecast::testing::Way;
use lanecast::{
    Aabb, Affine, BuildQuality, Coherence, Error, Geometry, Hit, PointGrid, Precision, Progress,
    Ray, RayBatch, Scene, SceneBuilder, Side, SightLines, Threads, Watch,
};

use crate::common::scale::scaled;
use lanecast_reference::meshes::{Mesh, icosphere, terrain};
use lanecast_reference::random::Random;

/// When the stop is asked for.
const AFTER: Duration = Duration::from_millis(60);
/// The promise is 0.2 s; a busy machine may take longer.
const WITHIN: Duration = Duration::from_secs(3);

/// So many, or fewer where tests are smaller than the gate takes: enough to keep a call busy, where
/// more would only take memory.
fn no_larger(count: usize) -> usize {
    scaled(count).min(count)
}

/// Asks with a watcher that breaks after a while, and checks how long the call went on.
fn ends_in_time<R>(what: &str, ask: impl FnOnce(&Watch<'_>) -> lanecast::Result<R>) {
    // Threads are shared: a call waits for those that are busy with other calls.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    let longest = AtomicU64::new(0);
    let watch = |_: Progress| {
        let elapsed = start.elapsed();
        longest.fetch_max(elapsed.as_millis() as u64, Ordering::Relaxed);
        if elapsed < AFTER { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let answer = ask(&watch);
    let elapsed = start.elapsed();
    match answer {
        Err(Error::Stopped { .. }) => {}
        Err(other) => panic!("{what}: {other}"),
        Ok(_) => panic!("{what}: answered within {elapsed:?}, and not stopped"),
    }
    eprintln!("{what}: {elapsed:?}");
    assert!(elapsed < AFTER + WITHIN, "{what}: stopped after {elapsed:?}");
}

/// So many triangles one above the other. A ray in `corner` meets all boxes and no triangle,
/// elsewhere all.
fn stack(count: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for number in 0..count as u32 {
        let z = number as f32 / count as f32;
        mesh.vertices.extend([[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]]);
        mesh.triangles.push([0, 1, 2].map(|corner| 3 * number + corner));
    }
    mesh
}

fn scene_of(mesh: &Mesh) -> Scene {
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene")
}

/// Rays along z, at about the same place, which are coherent.
fn along_z(count: usize, [x, y]: [f32; 2]) -> Vec<Ray> {
    let mut random = Random::new(1);
    let off = |random: &mut Random| 0.01 * random.unit();
    (0..count)
        .map(|_| Ray::new([x + off(&mut random), y + off(&mut random), -1.0], [0.0, 0.0, 1.0]))
        .collect()
}

/// Of a triangle, and beside all triangles.
const ON: [f32; 2] = [1.0, 1.0];
const BESIDE: [f32; 2] = [3.5, 3.5];

#[test]
fn rays_with_many_hits_end_in_time() {
    let scene = scene_of(&stack(no_larger(50_000)));
    let rays = along_z(20_000, ON);
    let none = |_: usize, _: &Hit, _: Side| false;
    for coherence in [Coherence::Coherent, Coherence::Incoherent] {
        let cast = || scene.cast(&rays).coherence(coherence);
        ends_in_time("count", |watch| cast().watch(watch).count());
        ends_in_time("farthest", |watch| cast().watch(watch).farthest());
        ends_in_time("filter", |watch| cast().filter(&none).watch(watch).any());
        ends_in_time("normals", |watch| {
            cast().filter(&none).geometric_normals(true).watch(watch).closest()
        });
        ends_in_time("masks", |watch| cast().mask(0).watch(watch).closest());
    }
    let few = &rays[..1_000];
    ends_in_time("all", |watch| scene.cast(few).watch(watch).all());
    ends_in_time("nearest", |watch| scene.cast(few).watch(watch).nearest(20_000));
    ends_in_time("nearest few", |watch| scene.cast(&rays).filter(&none).watch(watch).nearest(2));
    ends_in_time("lines", |watch| scene.cast(&rays).filter(&none).watch(watch).line_hits());
    ends_in_time("brute force", |watch| scene.cast(&rays).brute_force().watch(watch).count());
    // A row that takes long by itself.
    let slow = |_: usize, _: &Hit, _: Side| {
        std::thread::sleep(Duration::from_millis(1));
        true
    };
    ends_in_time("a slow filter", |watch| {
        scene.cast(&rays[0]).filter(&slow).watch(watch).pick(PickLimit::All)
    });
    let ends: Vec<[f32; 3]> = along_z(200, ON).iter().map(|ray| ray.origin).collect();
    let above: Vec<[f32; 3]> = ends.iter().map(|&[x, y, _]| [x, y, 2.0]).collect();
    let lines = SightLines::new(&ends, &above).expect("sound ends");
    ends_in_time("sight", |watch| scene.sight(&lines).filter(&none).watch(watch).matrix());
}

/// Rays that meet the boxes of all leaves, in every way through the tree.
#[test]
fn rays_at_many_leaves_end_in_time() {
    let scene = scene_of(&stack(no_larger(200_000)));
    let rays = along_z(200_000, BESIDE);
    for way in [Way::Streams, Way::StreamsByOctant, Way::MixedStreams, Way::InFlight, Way::OneByOne]
    {
        let cast = || scene.cast(&rays).coherence(Coherence::Incoherent).way(way);
        ends_in_time(&format!("closest, {way:?}"), |watch| cast().watch(watch).closest());
        ends_in_time(&format!("any, {way:?}"), |watch| cast().watch(watch).any());
    }
    for coherence in [Coherence::Coherent, Coherence::Detect] {
        let cast = || scene.cast(&rays).coherence(coherence);
        ends_in_time(&format!("closest, {coherence:?}"), |watch| cast().watch(watch).closest());
        ends_in_time(&format!("any, {coherence:?}"), |watch| cast().watch(watch).any());
    }
    ends_in_time("cost", |watch| scene.cast(&rays).watch(watch).cost());
    let backwards: Vec<Ray> = rays.iter().map(|ray| Ray { t_min: -2.0, ..*ray }).collect();
    ends_in_time("lines", |watch| scene.cast(&backwards).watch(watch).line_hits());
    let (vertices, triangles) =
        (stack(no_larger(100_000)).vertices, stack(no_larger(100_000)).triangles);
    let vertices: Vec<[f64; 3]> = vertices.iter().map(|vertex| vertex.map(f64::from)).collect();
    let builder =
        SceneBuilder::<f64>::default().triangle_mesh(&vertices, &triangles).expect("a mesh");
    let scene = builder.build().expect("a scene");
    let rays: Vec<Ray<f64>> = rays
        .iter()
        .map(|ray| Ray::new(ray.origin.map(f64::from), ray.direction.map(f64::from)))
        .collect();
    for coherence in [Coherence::Coherent, Coherence::Incoherent] {
        let cast = || scene.cast(&rays).coherence(coherence);
        ends_in_time(&format!("f64, {coherence:?}"), |watch| cast().watch(watch).closest());
    }
}

/// In no order a chunk has more rays than a watcher is to wait for.
#[test]
fn of_rays_in_no_order_the_watcher_hears_every_few_ten_thousand() {
    let (scene, mut random) = (scene_of(&icosphere(4, 1.0)), Random::new(7));
    let rays: Vec<Ray> =
        (0..1 << 18).map(|_| Ray::new(random.point(-1.0, 1.0), random.direction())).collect();
    let (last, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let watch = |progress: Progress| {
        let before = last.swap(progress.done, Ordering::Relaxed);
        most.fetch_max(progress.done - before, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let cast = || scene.cast(&rays).threads(&Threads::ONE).watch(&watch);
    let asks: [(&str, &dyn Fn() -> lanecast::Result<()>); 4] = [
        ("closest", &|| cast().closest().map(drop)),
        ("any", &|| cast().any().map(drop)),
        ("count", &|| cast().count().map(drop)),
        ("cost", &|| cast().cost().map(drop)),
    ];
    for (what, ask) in asks {
        last.store(0, Ordering::Relaxed);
        most.store(0, Ordering::Relaxed);
        assert_eq!(ask(), Ok(()), "{what}");
        let (all, most) = (last.load(Ordering::Relaxed), most.load(Ordering::Relaxed));
        assert_eq!(all, rays.len(), "{what}");
        assert!(most <= 1 << 16, "{what}: {most} rays without a word");
    }
}

/// Amid a ball all triangles are equally far.
#[test]
fn points_amid_a_ball_end_in_time() {
    let scene = scene_of(&icosphere(6, 1.0));
    let mut random = Random::new(2);
    let points: Vec<[f32; 3]> = (0..50_000).map(|_| random.point(-1e-6, 1e-6)).collect();
    let asked = || scene.points(&points);
    ends_in_time("closest", |watch| asked().watch(watch).closest(f32::INFINITY));
    ends_in_time("distances", |watch| asked().watch(watch).distances());
    ends_in_time("signed", |watch| asked().watch(watch).signed_distances());
    ends_in_time("nearest", |watch| asked().watch(watch).nearest(5, f32::INFINITY));
    ends_in_time("within", |watch| asked().watch(watch).within(2.0));
    ends_in_time("brute force", |watch| asked().brute_force().watch(watch).closest(f32::INFINITY));
    ends_in_time("windings", |watch| {
        asked().generalised_winding(f64::INFINITY).watch(watch).winding_numbers()
    });
    ends_in_time("windings by brute force", |watch| {
        asked().brute_force().watch(watch).winding_numbers()
    });
    let grid = PointGrid::new([0.0; 3], [1e-6; 3], [40; 3]).expect("a grid");
    ends_in_time("a grid", |watch| {
        scene.grid(&grid).generalised_winding(f64::INFINITY).watch(watch).occupancy_bits()
    });
    let placed = Arc::new(scene);
    let mut builder = SceneBuilder::new();
    for number in 0..40 {
        builder =
            builder.instance(&placed, Affine::translation([1e-7 * f64::from(number), 0.0, 0.0]));
    }
    let scene = builder.build().expect("a scene");
    let asked = || scene.points(&points);
    ends_in_time("closest in instances", |watch| asked().watch(watch).closest(f32::INFINITY));
    ends_in_time("nearest in instances", |watch| asked().watch(watch).nearest(5, f32::INFINITY));
    let one = || scene.point(points[0]).brute_force();
    ends_in_time::<()>("one point", |watch| {
        loop {
            one().watch(watch).closest(f32::INFINITY)?;
        }
    });
}

/// Squares of a size, whose test takes a millisecond.
#[derive(Debug)]
struct Slow(usize);

impl Primitives for Slow {
    fn count(&self) -> usize {
        self.0
    }

    fn bounds(&self, _: u32) -> Aabb {
        Aabb { min: [-1.0; 3], max: [1.0; 3] }
    }

    fn intersect(&self, _: u32, _: &Ray, _: &mut dyn FnMut(SurfacePoint)) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn rays_at_other_primitives_and_instances_end_in_time() {
    let slow = SceneBuilder::new().primitives(Arc::new(Slow(2_000))).and_then(SceneBuilder::build);
    let slow = slow.expect("a scene");
    let rays = along_z(1_000, [0.0; 2]);
    ends_in_time("a slow test", |watch| slow.cast(&rays).watch(watch).closest());
    ends_in_time("a slow test of one ray", |watch| slow.cast(&rays[0]).watch(watch).any());
    ends_in_time("slow tests by brute force", |watch| {
        slow.cast(&rays).brute_force().watch(watch).count()
    });
    let balls: Vec<Sphere> =
        (1..=no_larger(30_000)).map(|number| Sphere::new([0.0; 3], number as f32)).collect();
    let balls = SceneBuilder::new().spheres(&balls).and_then(SceneBuilder::build).expect("a scene");
    ends_in_time("balls", |watch| balls.cast(&along_z(20_000, [0.0; 2])).watch(watch).count());
    let leaf = Arc::new(scene_of(&stack(8)));
    let mut builder = SceneBuilder::new();
    for number in 0..no_larger(20_000) {
        builder = builder.instance(&leaf, Affine::translation([0.0, 0.0, 2.0 * number as f64]));
    }
    let placed = builder.build().expect("a scene");
    let rays = along_z(20_000, ON);
    ends_in_time("instances", |watch| placed.cast(&rays).watch(watch).count());
    ends_in_time("any in instances", |watch| {
        placed.cast(&along_z(20_000, BESIDE)).watch(watch).any()
    });
    ends_in_time("instances by brute force", |watch| {
        placed.cast(&rays).brute_force().watch(watch).count()
    });
}

#[test]
fn overlaps_end_in_time() {
    let ball = Arc::new(scene_of(&icosphere(4, 1.0)));
    let mut builder = SceneBuilder::new();
    for _ in 0..no_larger(40_000) {
        builder = builder.instance(&ball, Affine::IDENTITY);
    }
    let scene = builder.build().expect("a scene");
    // Beside all triangles, and within most boxes.
    let within = Sphere::new([0.0; 3], 0.997);
    ends_in_time("overlap", |watch| scene.overlap(&within).watch(watch).any());
    let around = Aabb { min: [-2.0; 3], max: [2.0; 3] };
    ends_in_time("overlap with all", |watch| scene.overlap(&around).watch(watch).primitives());
}

#[test]
fn builds_end_in_time() {
    let mesh = terrain(no_larger(1_400).max(700) as u32, &mut Random::new(3));
    let vertices: Vec<[f64; 3]> =
        mesh.vertices.iter().map(|vertex| vertex.map(f64::from)).collect();
    for threads in [&Threads::ONE, &Threads::ALL] {
        for quality in [BuildQuality::Fast, BuildQuality::Balanced, BuildQuality::High] {
            // Stopped early, and in later steps of the build.
            for after in [1, 4, 16] {
                let (start, after) = (Instant::now(), after * AFTER / 4);
                let watch = |_: Progress| {
                    if start.elapsed() < after {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                };
                let builder = SceneBuilder::new()
                    .triangle_mesh(&mesh.vertices, &mesh.triangles)
                    .expect("a mesh");
                let built = builder.quality(quality).threads(threads).watch(&watch).build();
                let elapsed = start.elapsed();
                eprintln!("{quality:?}, stopped at {after:?}: {elapsed:?}");
                assert!(
                    elapsed < after + WITHIN,
                    "{quality:?}: stopped at {after:?}, and ended at {elapsed:?}"
                );
                assert!(matches!(built, Err(Error::Stopped { .. })), "{quality:?}");
            }
        }
        ends_in_time("f64", |watch| {
            let builder =
                SceneBuilder::<f64>::default().triangle_mesh(&vertices, &mesh.triangles)?;
            builder.threads(threads).watch(watch).build()
        });
        ends_in_time("weld", |watch| {
            let builder =
                SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles)?.weld(1e-3)?;
            builder.threads(threads).watch(watch).build()
        });
    }
    let balls: Vec<Sphere> = (0..no_larger(2_000_000))
        .map(|number| Sphere::new([number as f32, 0.0, 0.0], 1.0))
        .collect();
    ends_in_time("balls", |watch| SceneBuilder::new().spheres(&balls)?.watch(watch).build());
}

/// Asks with a watcher that breaks when it is asked for the first, second, fourth, ... time, until
/// the call is done. Each stop must be an error. Returns how often the whole call asked.
fn stopped_anywhere(what: &str, mut ask: impl FnMut(&Watch<'_>) -> lanecast::Result<()>) -> usize {
    let mut last = 1;
    loop {
        let asked = AtomicUsize::new(0);
        let watch = |progress: Progress| {
            // When all is done nothing is left to stop.
            let asks = usize::from(progress.done < progress.total);
            let is_last = asked.fetch_add(asks, Ordering::Relaxed) + asks >= last;
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match ask(&watch) {
            Ok(()) => {
                assert!(
                    asked.load(Ordering::Relaxed) < last,
                    "{what}: it went on when asked {last} times"
                );
                return asked.into_inner();
            }
            Err(Error::Stopped { done, total }) => {
                assert!(done < total, "{what}: stopped at {done} of {total}");
                last *= 2;
            }
            Err(other) => panic!("{what}: {other}"),
        }
    }
}

type Change<'c, T> = (&'c str, &'c dyn Fn(&mut Scene<T>, &Watch<'_>) -> lanecast::Result<()>);

/// A terrain that deforms and some balls, and changes of the scene that take as long as they can.
fn with_changes<T: Precision>(side: u32, check: impl FnOnce(Scene<T>, &[Change<'_, T>])) {
    let mesh = terrain(side, &mut Random::new(7));
    let vertices: Vec<[T; 3]> = mesh.vertices.iter().map(|vertex| vertex.map(T::of)).collect();
    let moved: Vec<[T; 3]> = vertices.iter().map(|&[x, y, z]| [x, y, z + T::ONE]).collect();
    let balls: Vec<Sphere<T>> =
        vertices.iter().map(|&center| Sphere::new(center, T::ONE)).collect();
    let builder =
        SceneBuilder::default().geometry(Geometry::deformable_mesh(&vertices, &mesh.triangles));
    let scene = builder.and_then(|builder| builder.spheres(&balls[..3])?.build()).expect("a scene");
    let (quality, one) = (BuildQuality::Balanced, Threads::ONE);
    let again = Geometry::triangle_mesh(&vertices, &mesh.triangles);
    let changes: [Change<'_, T>; 6] = [
        ("refit", &|scene, watch| scene.change().threads(&one).watch(watch).refit(&[(0, &moved)])),
        ("rebuild", &|scene, watch| {
            scene.change().threads(&one).watch(watch).quality(quality).rebuild()
        }),
        ("add", &|scene, watch| {
            let added = [again.clone(), Geometry::spheres(&balls[..3])];
            scene.change().threads(&one).watch(watch).quality(quality).add(&added).map(drop)
        }),
        // Triangles stay, and are numbered anew.
        ("add spheres", &|scene, watch| {
            scene
                .change()
                .threads(&one)
                .watch(watch)
                .quality(quality)
                .add(&[Geometry::spheres(&balls)])
                .map(drop)
        }),
        ("replace", &|scene, watch| {
            scene
                .change()
                .threads(&one)
                .watch(watch)
                .quality(quality)
                .replace(&[(0, again.clone())])
        }),
        ("remove", &|scene, watch| {
            scene.change().threads(&one).watch(watch).quality(quality).remove(&[1])
        }),
    ];
    check(scene, &changes);
}

#[test]
fn changes_of_scenes_end_in_time() {
    with_changes(no_larger(700).max(500) as u32, |scene: Scene, changes| {
        for &(what, change) in &changes[..5] {
            let mut scene = scene.deep_copy();
            ends_in_time::<()>(what, |watch| {
                loop {
                    change(&mut scene, watch)?;
                }
            });
        }
        ends_in_time::<()>("validate", |watch| {
            loop {
                scene.validate_watched(watch)?;
            }
        });
    });
}

#[test]
fn a_scene_is_as_it_was_wherever_a_change_is_stopped() {
    with_changes::<f32>(200, |scene, changes| hold_stops(&scene, changes));
    with_changes::<f64>(200, |scene, changes| hold_stops(&scene, changes));
}

fn hold_stops<T: Precision>(scene: &Scene<T>, changes: &[Change<'_, T>]) {
    let ray = |(_, _, [[x, y, _], ..]): (u32, u32, [[T; 3]; 3])| {
        Ray::new([x, y, T::of(-9.0)], [T::ZERO, T::ZERO, T::ONE])
    };
    let rays: Vec<Ray<T>> = scene.triangles().step_by(999).map(ray).collect();
    let (before, statistics) = (scene.cast(&rays).all(), scene.statistics());
    for &(what, change) in changes {
        let mut changed = scene.deep_copy();
        let asked = stopped_anywhere(what, |watch| {
            let done = change(&mut changed, watch);
            if done.is_err() {
                assert_eq!(
                    (changed.statistics(), changed.geometry_count()),
                    (statistics, 2),
                    "{what}"
                );
                assert!(changed.cast(&rays).all() == before, "{what}");
            }
            done
        });
        eprintln!("{what}: asked {asked} times");
        assert!(asked > 3, "{what}: it asked {asked} times");
        assert_eq!(changed.validate(), Ok(()), "{what}");
    }
    let asked = stopped_anywhere("validate", |watch| scene.validate_watched(watch));
    assert!(asked > 3, "asked {asked} times");
}

#[cfg(feature = "scene-files")]
#[test]
fn checks_and_openings_of_files_ask_whether_to_stop() {
    let folder = crate::folder::Folder::new();
    let mesh = terrain(500, &mut Random::new(8));
    let balls: Vec<Sphere> =
        (0..no_larger(300_000)).map(|number| Sphere::new([number as f32, 0.0, 0.0], 1.0)).collect();
    let placed = SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles);
    let placed =
        Arc::new(placed.and_then(|builder| builder.spheres(&balls)?.build()).expect("a scene"));
    let mut builder = SceneBuilder::new();
    for number in 0..10_000 {
        builder = builder.instance(&placed, Affine::translation([f64::from(number), 0.0, 0.0]));
    }
    let path = folder.path("placed.scene");
    builder.build().and_then(|scene| scene.save(&path)).expect("a file");
    let megabytes = std::fs::metadata(&path).expect("a file").len() as usize >> 20;
    // Of leaves of triangles, most of the file, nothing is read.
    let asked =
        stopped_anywhere("open", |watch| Scene::<f32>::open_watched(&path, watch).map(drop));
    assert!(asked > megabytes / 8, "asked {asked} times in {megabytes} megabytes");
    let scene = Scene::<f32>::open(&path).expect("a scene");
    let copy = folder.path("copy.scene");
    let asked = stopped_anywhere("save", |watch| scene.save_watched(&copy, watch));
    assert!(asked > megabytes / 8, "asked {asked} times in {megabytes} megabytes");
    let asked = stopped_anywhere("to_bytes", |watch| scene.to_bytes_watched(watch).map(drop));
    assert!(asked > megabytes / 8, "asked {asked} times in {megabytes} megabytes");
    let asked = stopped_anywhere("check", |watch| scene.check_watched(watch));
    assert!(asked > megabytes, "asked {asked} times in {megabytes} megabytes");
    ends_in_time("check", |watch| -> lanecast::Result<()> {
        loop {
            scene.check_watched(watch)?;
        }
    });
    // What is damaged is said, and not that a call was stopped.
    let mut bytes = std::fs::read(&path).expect("a file");
    let last = bytes.len() - 1;
    bytes[last / 2] ^= 1;
    let damaged = folder.file("damaged.scene", bytes);
    let found = Scene::<f32>::open(damaged)
        .and_then(|scene| scene.check_watched(&|_| ControlFlow::Continue(())));
    assert!(matches!(found, Err(Error::SceneFile { .. })), "{found:?}");
}

/// A surface that has to be found closed before a point is inside.
#[test]
fn the_search_for_open_edges_ends_in_time() {
    let mesh = terrain(no_larger(1_400).max(700) as u32, &mut Random::new(4));
    let scene = scene_of(&mesh);
    ends_in_time("contains", |watch| scene.points(&[[0.0; 3]]).watch(watch).contains());
    let windings = || scene.points(&[[0.0; 3]]).generalised_winding(2.0);
    ends_in_time("the first windings", |watch| windings().watch(watch).winding_numbers());
    // What was stopped is found later.
    assert!(matches!(scene.points(&[[0.0; 3]]).contains(), Err(Error::OpenSurface { .. })));
}

/// Crossings and open edges, and triangles without neighbours.
#[test]
fn generalised_windings_end_in_time() {
    let mut random = Random::new(5);
    let points: Vec<[f32; 3]> = (0..no_larger(1_000_000)).map(|_| random.point(0.0, 1.0)).collect();
    let mut ball = icosphere(5, 1.0);
    ball.triangles.retain(|triangle| triangle[0] % 8 != 0);
    for (what, scene) in
        [("open edges", scene_of(&ball)), ("triangles", scene_of(&stack(no_larger(100_000))))]
    {
        let first = || scene.points(&points).generalised_winding(4.0);
        ends_in_time(what, |watch| first().watch(watch).winding_numbers());
        // Once more, with all that the first needs.
        assert!(scene.points(&points[..1]).generalised_winding(4.0).winding_numbers().is_ok());
        ends_in_time(what, |watch| first().watch(watch).winding_numbers());
        ends_in_time(what, |watch| first().watch(watch).signed_distances());
        let placed = Arc::new(scene);
        let mut builder = SceneBuilder::new();
        for number in 0..40 {
            builder = builder
                .instance(&placed, Affine::translation([1e-3 * f64::from(number), 0.0, 0.0]));
        }
        let scene = builder.build().expect("a scene");
        ends_in_time(&format!("{what} in instances"), |watch| {
            scene.points(&points).generalised_winding(4.0).watch(watch).winding_numbers()
        });
    }
}

/// Answers are those without a watcher, also where rows are looked at from time to time.
#[test]
fn a_watcher_that_stops_nothing_changes_nothing() {
    let scene = scene_of(&stack(3_000));
    let rays = along_z(300, ON);
    let rays = RayBatch::from_rays(&rays);
    let watch = |_: Progress| ControlFlow::Continue(());
    let cast = scene.cast(&rays);
    assert!(cast.clone().watch(&watch).all() == cast.all());
    assert!(cast.clone().watch(&watch).nearest(700) == cast.nearest(700));
    assert!(cast.clone().watch(&watch).count() == cast.count());
    assert!(cast.clone().watch(&watch).closest() == cast.closest());
}
