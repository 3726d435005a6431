//! Builds, changes, copies and checks of scenes report progress: it rises to the total, which the
//! last report says, and a stop says how far the work had come.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use lanecast::primitive::{HeightField, Sphere};
use lanecast::{
    BuildQuality, Error, Geometry, Precision, Progress, Scene, SceneBuilder, Threads, Watch,
};
use lanecast_reference::meshes::{Mesh, terrain};
use lanecast_reference::random::Random;

/// What a watcher hears, one report after the other.
#[derive(Default)]
struct Heard(Mutex<Vec<Progress>>);

impl Heard {
    fn hear(&self, progress: Progress) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(progress);
    }

    fn all(&self) -> Vec<Progress> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Work that a watcher hears of, on some threads, or on all that there are.
type Work<'w> = &'w dyn Fn(&Threads, &Watch<'_>) -> lanecast::Result<()>;

/// Progress of work on so many primitives, or bytes, rises from near 0 to the total, and no step is
/// greater than a fraction of it. A stop in the middle says how far the work had come; one at the
/// end stops nothing.
fn holds(what: &str, total: usize, greatest_step: f64, work: Work<'_>) {
    let heard = Heard::default();
    let listen = |progress: Progress| {
        heard.hear(progress);
        ControlFlow::Continue(())
    };
    let (last, greatest) = (Progress { done: total, total }, greatest_step * total as f64);
    let two = Threads::exactly(2).expect("two threads");
    for threads in [&Threads::ONE, &two] {
        assert_eq!(work(threads, &listen), Ok(()), "{what}");
        let mut told = heard.all();
        assert_eq!(told.last(), Some(&last), "{what}: the end");
        assert_eq!(told.iter().filter(|told| **told == last).count(), 1, "{what}: twice the end");
        assert!(told.iter().all(|told| told.total == total), "{what}: another total");
        // Of two threads the later report may say less.
        if threads.count() == 1 && !ON_ALL.contains(&what) {
            assert!(told.is_sorted_by_key(|told| told.done), "{what}: less than before");
        } else {
            told.sort_unstable_by_key(|told| told.done);
        }
        let mut before = 0;
        for told in told {
            let step = told.done - before;
            assert!(step as f64 <= greatest, "{what}: from {before} to {} of {total}", told.done);
            before = told.done;
        }
    }
    // At half of it, and when all is done.
    let stop_from = |least: usize| {
        let watch = |progress: Progress| {
            heard.hear(progress);
            if progress.done < least { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        (work(&Threads::ONE, &watch), heard.all())
    };
    let (stopped, told) = stop_from(total / 2);
    let Err(Error::Stopped { done, total: of }) = stopped else { panic!("{what}: {stopped:?}") };
    assert!(total / 2 <= done && done < total, "{what}: it was stopped at {done} of {total}");
    assert!(told.contains(&Progress { done, total: of }), "{what}: nobody heard of {done} of {of}");
    assert_eq!(stop_from(total).0, Ok(()), "{what}: stopped at its end");
}

/// What takes no threads, and may be done by all of the machine.
const ON_ALL: [&str; 2] = ["validate", "check"];

/// Vertices in a precision.
fn of_precision<T: Precision>(mesh: &Mesh) -> Vec<[T; 3]> {
    mesh.vertices.iter().map(|vertex| vertex.map(T::of)).collect()
}

fn balls_at<T: Precision>(vertices: &[[T; 3]]) -> Vec<Sphere<T>> {
    vertices.iter().map(|&center| Sphere::new(center, T::ONE)).collect()
}

fn hold_builds<T: Precision>() {
    let mesh = terrain(250, &mut Random::new(1));
    let vertices = of_precision::<T>(&mesh);
    let (triangles, balls) = (mesh.triangles.len(), balls_at(&vertices));
    let builder = || SceneBuilder::<T>::default();
    let of_mesh = || builder().triangle_mesh(&vertices, &mesh.triangles);
    // Reinsertion ends before its last round where nothing is left to move.
    for (quality, greatest_step) in
        [(BuildQuality::Fast, 0.2), (BuildQuality::Balanced, 0.2), (BuildQuality::High, 0.35)]
    {
        holds(&format!("{quality:?}"), triangles, greatest_step, &|threads, watch| {
            of_mesh()?.quality(quality).threads(threads).watch(watch).build().map(drop)
        });
    }
    holds("welded", triangles, 0.2, &|threads, watch| {
        of_mesh()?.weld(T::of(1e-3))?.threads(threads).watch(watch).build().map(drop)
    });
    // A tolerance of 0 has nothing to do.
    holds("welded by nothing", triangles, 0.8, &|threads, watch| {
        of_mesh()?.weld(T::ZERO)?.threads(threads).watch(watch).build().map(drop)
    });
    holds("balls", balls.len(), 0.3, &|threads, watch| {
        builder().spheres(&balls)?.threads(threads).watch(watch).build().map(drop)
    });
    holds("a mesh, balls and a mesh", 2 * triangles + balls.len(), 0.2, &|threads, watch| {
        let builder = of_mesh()?.spheres(&balls)?.triangle_mesh(&vertices, &mesh.triangles)?;
        builder.threads(threads).watch(watch).build().map(drop)
    });
    // All triangles are alike: no split is better than another.
    let alike = vec![mesh.triangles[0]; 100_000];
    holds("equal triangles", alike.len(), 0.2, &|threads, watch| {
        let builder = builder().triangle_mesh(&vertices, &alike)?;
        builder.threads(threads).watch(watch).build().map(drop)
    });
}

#[test]
fn progress_of_builds_rises_to_the_total() {
    hold_builds::<f32>();
    hold_builds::<f64>();
}

#[test]
fn progress_of_changes_rises_to_the_total() {
    hold_changes::<f32>();
    hold_changes::<f64>();
}

fn hold_changes<T: Precision>() {
    let mesh = terrain(250, &mut Random::new(2));
    let vertices = of_precision::<T>(&mesh);
    let moved: Vec<[T; 3]> = vertices.iter().map(|&[x, y, z]| [x, y, z + T::ONE]).collect();
    let (triangles, balls) = (mesh.triangles.len(), balls_at(&vertices));
    let deformable = || Geometry::deformable_mesh(&vertices, &mesh.triangles);
    let builder = SceneBuilder::<T>::default().geometry(deformable());
    let scene = builder.and_then(|builder| builder.spheres(&balls[..9])?.build()).expect("a scene");
    let changed = |change: Change<'_, T>| change(&mut scene.deep_copy());
    holds("refit", triangles, 0.3, &|threads, watch| {
        changed(&|scene| scene.change().threads(threads).watch(watch).refit(&[(0, &moved)]))
    });
    holds("rebuild", triangles + 9, 0.2, &|threads, watch| {
        changed(&|scene| scene.change().threads(threads).watch(watch).rebuild())
    });
    holds("add a mesh", 2 * triangles + 9, 0.2, &|threads, watch| {
        changed(&|scene| {
            scene.change().threads(threads).watch(watch).add(&[deformable()]).map(drop)
        })
    });
    // Triangles stay as they are, or get other numbers.
    holds("add balls", triangles + 9 + balls.len(), 0.3, &|threads, watch| {
        changed(&|scene| {
            let added = [Geometry::spheres(&balls)];
            scene.change().threads(threads).watch(watch).add(&added).map(drop)
        })
    });
    holds("replace balls", triangles + balls.len(), 0.3, &|threads, watch| {
        changed(&|scene| {
            let by = Geometry::spheres(&balls);
            scene.change().threads(threads).watch(watch).replace(&[(1, by)])
        })
    });
    holds("remove balls", triangles, 1.0, &|threads, watch| {
        changed(&|scene| scene.change().threads(threads).watch(watch).remove(&[1]))
    });
}

type Change<'c, T> = &'c dyn Fn(&mut Scene<T>) -> lanecast::Result<()>;

#[test]
fn progress_of_copies_and_checks_rises_to_the_total() {
    let mesh = terrain(250, &mut Random::new(3));
    let vertices = of_precision::<f64>(&mesh);
    let (triangles, balls) = (mesh.triangles.len(), balls_at(&vertices));
    let builder = SceneBuilder::<f64>::default().triangle_mesh(&vertices, &mesh.triangles);
    let scene = builder.and_then(|builder| builder.spheres(&balls)?.build()).expect("a scene");
    let total = triangles + balls.len();
    holds("deep_copy", total, 0.3, &|threads, watch| {
        scene.deep_copy_watched(threads, watch).map(drop)
    });
    holds("validate", total, 0.3, &|_, watch| scene.validate_watched(watch));
    #[cfg(feature = "scene-files")]
    {
        let folder = crate::folder::Folder::new();
        let path = folder.path("checked.scene");
        scene.save(&path).expect("a file");
        let scene = Scene::<f64>::open(&path).expect("a scene");
        let bytes = std::fs::metadata(&path).expect("a file").len() as usize;
        holds("check", bytes, 0.3, &|_, watch| scene.check_watched(watch));
        // Opening reads few of the bytes.
        let heard = Heard::default();
        let opened = Scene::<f64>::open_watched(&path, &|progress| {
            heard.hear(progress);
            ControlFlow::Continue(())
        });
        opened.expect("a scene");
        let (told, last) = (heard.all(), Progress { done: bytes, total: bytes });
        assert_eq!(told.iter().position(|&told| told == last), Some(told.len() - 1), "{told:?}");
    }
}

/// A few primitives are done at once, and nothing is done when it begins.
#[test]
fn of_few_primitives_the_first_report_is_0_and_the_last_all() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0_f32]];
    for count in [0, 1, 2, 9] {
        let heard = Heard::default();
        let watch = |progress: Progress| {
            heard.hear(progress);
            ControlFlow::Continue(())
        };
        let triangles = vec![[0, 1, 2]; count];
        let builder = SceneBuilder::new().triangle_mesh(&corners, &triangles).expect("a mesh");
        let mut scene = builder.watch(&watch).build().expect("a scene");
        let heard_of = |what: &str| {
            let told = heard.all();
            let first = told.first().map(|told| (told.done, told.total));
            assert_eq!(first, Some((0, count)), "{what}: {told:?}");
            let last = told.last().map(|told| (told.done, told.total));
            assert_eq!(last, Some((count, count)), "{what}: {told:?}");
        };
        heard_of("build");
        scene.change().watch(&watch).rebuild().expect("rebuilt");
        heard_of("rebuild");
        scene.change().watch(&watch).refit::<&[[f32; 3]]>(&[]).expect("refitted");
        heard_of("refit");
        scene.deep_copy_watched(&Threads::ONE, &watch).expect("a copy");
        heard_of("deep_copy");
        scene.validate_watched(&watch).expect("sound");
        heard_of("validate");
    }
}

/// Boxes around tiles are fewer than the triangles of a field.
#[test]
fn progress_of_a_field_of_heights_counts_its_triangles() {
    let side = 400_usize;
    let mut random = Random::new(4);
    let heights: Vec<f32> = (0..side * side).map(|_| random.unit()).collect();
    let total = 2 * (side - 1) * (side - 1);
    holds("a field", total, 0.5, &|threads, watch| {
        let field = HeightField::new(&heights, [side; 2], [0.0; 2], [1.0; 2])?;
        SceneBuilder::new().height_field(field)?.threads(threads).watch(watch).build().map(drop)
    });
}
