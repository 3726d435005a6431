//! Bad input has an answer: a status in its row or an error that names it, never a panic, a hang or
//! a silent miss.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::backends::every_backend;
use lanecast::testing::Way;
use lanecast::{
    CastOptions, Error, HitBatch, INVALID_ID, Progress, Ray, RayBatch, Scene, SceneBuilder, Status,
    Threads,
    answers::{AllHitsBatch, AnyHitBatch, CountBatch},
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::rays::defective;

const VERTICES: [[f32; 3]; 3] = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];

fn sound_hit() -> Ray {
    Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, 1.0])
}

fn sound_miss() -> Ray {
    Ray::new([0.0, 9.0, -5.0], [0.0, 0.0, 1.0])
}

fn one_triangle() -> Scene {
    Scene::from_triangles(&VERTICES, &[[0, 1, 2]]).expect("a sound mesh")
}

#[test]
fn defects_are_reported_by_row_and_other_rows_are_answered() {
    let mut rays = Vec::new();
    let mut expected = Vec::new();
    for (bad, status) in defective() {
        rays.extend([sound_hit(), bad, sound_miss()]);
        expected.extend([Status::Hit, status, Status::Miss]);
    }
    for status in Status::ALL {
        assert!(expected.contains(&status), "{status} is not among the cases");
    }
    let (batch, scene) = (RayBatch::from_rays(&rays), one_triangle());
    for backend in every_backend() {
        for way in
            [Way::Streams, Way::StreamsByOctant, Way::MixedStreams, Way::InFlight, Way::OneByOne]
        {
            let request = scene.cast(&batch).with(&CastOptions::new().geometric_normals(true));
            let request = request.backend(backend).way(way);
            let closest = request.closest().expect("closest");
            let (any, count) = (request.any().expect("any"), request.count().expect("count"));
            let all = request.all().expect("all");
            for statuses in [closest.status(), any.status(), count.status(), all.status()] {
                for ((found, expected), ray) in statuses.iter().zip(&expected).zip(&rays) {
                    assert_eq!(found, expected, "{backend}, {way:?}: {ray:?}");
                }
            }
            for (i, status) in expected.iter().enumerate() {
                let hit = usize::from(status.is_hit());
                assert_eq!(
                    (count.count()[i] as usize, all.of_ray(i).len()),
                    (hit, hit),
                    "{:?}",
                    rays[i]
                );
                if hit == 0 {
                    let row = (closest.t()[i], closest.primitive_id()[i], closest.geometry_id()[i]);
                    assert_eq!(row, (f32::INFINITY, INVALID_ID, INVALID_ID), "{:?}", rays[i]);
                    let rest = (closest.u()[i], closest.v()[i], closest.geometric_normal()[i]);
                    assert_eq!(rest, (0.0, 0.0, [0.0; 3]), "{:?}", rays[i]);
                }
            }
        }
    }
}

#[test]
fn nan_direction_is_reported_not_cast() {
    let ray = Ray::new([0.0, 0.0, -5.0], [f32::NAN, 0.0, 1.0]);
    let status = Status::InvalidDirection;
    assert_eq!(one_triangle().cast(&ray).closest(), Err(Error::InvalidRay { status }));
    assert_eq!(
        Error::InvalidRay { status }.to_string(),
        "the ray or segment cannot be tested: invalid_direction"
    );
}

#[test]
fn single_ray_with_a_defect_is_an_error_in_every_query() {
    let scene = one_triangle();
    for (ray, status) in defective() {
        let expected = Error::InvalidRay { status };
        assert_eq!(ray.defect(), Some(status), "{ray:?}");
        assert_eq!(scene.cast(&ray).closest(), Err(expected.clone()), "{ray:?}");
        assert_eq!(scene.cast(&ray).any(), Err(expected.clone()), "{ray:?}");
        assert_eq!(scene.cast(&ray).count(), Err(expected.clone()), "{ray:?}");
        assert_eq!(scene.cast(&ray).all(), Err(expected.clone()), "{ray:?}");
        assert_eq!(scene.cast(&ray).brute_force().closest(), Err(expected), "{ray:?}");
    }
}

#[test]
fn ray_at_the_bounds_of_what_is_allowed_is_cast() {
    let (most, least) = (2.0_f32.powi(100), 2.0_f32.powi(-100));
    let scene = one_triangle();
    for length in [least, most, 1e-20, 1e20] {
        let ray = Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, length]);
        let hit = scene.cast(&ray).closest().expect("sound").expect("a hit");
        assert_eq!(hit.t, 5.0 / length, "{ray:?}");
    }
    assert!(scene.cast(&Ray::new([0.0, 0.0, -most], [0.0, 0.0, 1.0])).any().expect("sound"));
    assert!(scene.cast(&sound_hit().with_interval(5.0, 5.0)).any().expect("sound"));
}

#[test]
fn vertex_index_out_of_range_names_geometry_triangle_and_index() {
    let sound: &[[u32; 3]] = &[[0, 1, 2]];
    let error = SceneBuilder::new()
        .triangle_mesh(&VERTICES, sound)
        .and_then(|builder| {
            builder.triangle_mesh(&VERTICES, &[[0, 1, 2], [2, 1, 0], [0, 3, 1], [9, 9, 9]])
        })
        .expect_err("vertex 3 of 3");
    let expected =
        Error::VertexOutOfRange { geometry_id: 1, primitive_id: 2, vertex: 3, vertices: 3 };
    assert_eq!(error, expected);
    let message = "geometry 1: triangle 2 names vertex 3, but the mesh has 3 vertices";
    assert_eq!(error.to_string(), message);
    let error = Scene::<f32>::from_triangles(&[], &[[0, 0, u32::MAX]]).expect_err("no vertices");
    assert!(
        matches!(error, Error::VertexOutOfRange { geometry_id: 0, vertices: 0, .. }),
        "{error}"
    );
}

#[test]
fn nan_infinite_or_too_large_vertices_are_named_with_geometry() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.2676508e30, f32::MAX] {
        for axis in 0..3 {
            let mut vertices = VERTICES;
            vertices[1][axis] = bad;
            let error = SceneBuilder::new()
                .triangle_mesh(&[], &[])
                .and_then(|builder| builder.triangle_mesh(&vertices, &[[0, 1, 2]]))
                .expect_err("an unusable vertex");
            assert!(
                matches!(error, Error::UnusableVertex { geometry_id: 1, vertex: 1, .. }),
                "{bad} on axis {axis}: {error}"
            );
            assert!(error.to_string().starts_with("geometry 1: vertex 1 is "), "{error}");
        }
    }
    let most = 2.0_f32.powi(100);
    let scene = Scene::from_triangles(&[[most; 3], [-most; 3], [0.0, most, 0.0]], &[[0, 1, 2]]);
    assert!(scene.is_ok_and(|scene| scene.validate().is_ok()), "the bound itself is allowed");
}

#[test]
fn columns_of_different_lengths_are_refused_by_name() {
    let [two, three] = [&[0.0_f32; 2][..], &[0.0; 3]];
    let error = RayBatch::from_columns([two; 3], [two, three, two]).expect_err("dy");
    assert_eq!(error, Error::ColumnLength { column: "dy", found: 3, expected: 2 });
    assert_eq!(error.to_string(), "column dy holds 3 values, but 2 were expected");
    let error = RayBatch::from_columns([two, two, three], [two; 3]).expect_err("oz");
    assert!(matches!(error, Error::ColumnLength { column: "oz", .. }), "{error}");
    let error = RayBatch::from_pairs(&[[0.0; 3]; 2], &[[0.0; 3]; 1]).expect_err("directions");
    assert!(matches!(error, Error::ColumnLength { found: 1, expected: 2, .. }), "{error}");
    let batch = RayBatch::from_columns([two; 3], [two; 3]).expect("sound");
    let error = batch.with_intervals(two, three).expect_err("t_max");
    assert_eq!(error, Error::ColumnLength { column: "t_max", found: 3, expected: 2 });
}

#[test]
fn rows_that_do_not_divide_are_refused() {
    let error = RayBatch::from_rows6(&[0.0; 13]).expect_err("13 of 6");
    assert_eq!(error, Error::RowWidth { found: 13, width: 6 });
    assert_eq!(error.to_string(), "13 values do not divide into rows of 6");
    assert_eq!(
        RayBatch::from_rows8(&[0.0; 7]).expect_err("7 of 8"),
        Error::RowWidth { found: 7, width: 8 }
    );
}

#[test]
fn no_threads_at_all_is_an_error() {
    let error = Threads::exactly(0).expect_err("no threads");
    assert!(error.to_string().starts_with("cannot start 0 threads"), "{error}");
    assert_eq!(Threads::exactly(1).expect("one").count(), 1);
    if cfg!(feature = "parallel") {
        assert_eq!(Threads::exactly(3).expect("three").count(), 3);
    }
}

#[test]
fn empty_batch_and_empty_scene_answer() {
    let empty = Scene::from_triangles(&[], &[]).expect("an empty scene");
    assert!(empty.bounds().is_empty() && empty.validate().is_ok());
    let (some, none) = ([sound_hit()], []);
    for scene in [&empty, &one_triangle()] {
        for rays in [&some[..], &none] {
            let request = scene.cast(rays);
            let (closest, all) = (request.closest().expect("closest"), request.all().expect("all"));
            assert_eq!((closest.len(), all.offsets().len()), (rays.len(), rays.len() + 1));
        }
    }
}

fn many_rays(count: usize) -> Vec<Ray> {
    let mut random = Random::new(1);
    (0..count).map(|_| Ray::new(random.point(-3.0, 3.0), random.direction())).collect()
}

#[test]
fn progress_never_falls_and_ends_at_the_total() {
    let (rays, scene) = (many_rays(200_000), one_triangle());
    for threads in [Threads::ONE, Threads::ALL] {
        let reports: Mutex<Vec<Progress>> = Mutex::default();
        let watch = |progress| {
            reports.lock().expect("no panic").push(progress);
            ControlFlow::Continue(())
        };
        scene.cast(&rays).threads(&threads).watch(&watch).closest().expect("answers");
        let mut reports = reports.into_inner().expect("no panic");
        assert!(reports.len() > 4, "only {} reports", reports.len());
        assert!(reports.iter().all(|progress| progress.total == rays.len()), "{reports:?}");
        if threads.count() > 1 {
            // Threads may overtake each other between counting and reporting.
            reports.sort_by_key(|progress| progress.done);
        }
        // A thread also asks when a while has passed.
        assert!(reports.windows(2).all(|pair| pair[0].done <= pair[1].done), "{reports:?}");
        assert_eq!(reports.last().map(|progress| progress.done), Some(rays.len()));
    }
}

/// Where each ray meets every primitive, the watcher hears of every few rays, also of those of a
/// picture.
#[test]
fn progress_of_brute_force_comes_often() {
    let picture: Vec<Ray> = (0..64 * 200)
        .map(|row| {
            Ray::new(
                [0.0, 0.0, -3.0],
                [(row % 200) as f32 - 100.0, (row / 200) as f32 - 32.0, 300.0],
            )
        })
        .collect();
    for threads in [Threads::ONE, Threads::ALL] {
        let reports = AtomicUsize::new(0);
        let watch = |_| {
            reports.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        one_triangle()
            .cast(&picture)
            .brute_force()
            .threads(&threads)
            .watch(&watch)
            .closest()
            .expect("answers");
        assert_eq!(reports.into_inner(), picture.len() / 64);
    }
}

#[test]
fn a_watcher_stops_the_batch_and_learns_how_far_it_got() {
    let (rays, scene) = (many_rays(500_000), one_triangle());
    let batch = RayBatch::from_rays(&rays);
    for threads in [Threads::ONE, Threads::ALL] {
        let calls = AtomicUsize::new(0);
        let watch = |_| {
            calls.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Break(())
        };
        let request = scene.cast(&batch).threads(&threads).watch(&watch);
        let stopped = |result| {
            let Err(Error::Stopped { done, total }) = result else {
                panic!("not stopped: {result:?}")
            };
            assert!(0 < done && done < total && total == rays.len(), "{done} of {total}");
        };
        stopped(request.closest().map(drop));
        stopped(request.any().map(drop));
        stopped(request.count().map(drop));
        stopped(request.all().map(drop));
        let most = 4 * (1 + threads.count());
        assert!(calls.into_inner() <= most, "the watcher was called on and on");
    }
}

/// In a chunk that is cast octant by octant too: a call that ends well has all answers, whenever
/// the watcher breaks.
#[test]
fn a_call_that_is_stopped_anywhere_answers_all_or_says_so() {
    let mesh = meshes::soup(1_000, &mut Random::new(4));
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    let rays = many_rays(300_000);
    let expected = scene.cast(&rays).closest().expect("answers");
    for threads in [Threads::ONE, Threads::ALL] {
        for last in 1..30 {
            let calls = AtomicUsize::new(0);
            let watch = |_| match calls.fetch_add(1, Ordering::Relaxed) + 1 {
                call if call >= last => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            match scene.cast(&rays).threads(&threads).watch(&watch).closest() {
                Ok(found) => assert!(found == expected, "stopped at report {last}"),
                Err(Error::Stopped { done, total }) => {
                    assert!(done < total && total == rays.len(), "{done}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn buffers_of_a_stopped_batch_can_be_used_again() {
    let (rays, scene) = (many_rays(200_000), one_triangle());
    let batch = RayBatch::from_rays(&rays);
    let (fresh, mut again) = (scene.cast(&batch).closest().expect("answers"), HitBatch::new());
    let stop = |_| ControlFlow::Break(());
    scene.cast(&batch).watch(&stop).closest_into(&mut again).expect_err("stopped");
    scene.cast(&batch).closest_into(&mut again).expect("answers");
    assert!(fresh == again, "an earlier, stopped batch shows through");
}

#[test]
fn buffers_of_a_stopped_batch_hold_no_answer() {
    let (rays, scene) = (many_rays(200_000), one_triangle());
    let batch = RayBatch::from_rays(&rays);
    let (mut closest, mut any) = (HitBatch::new(), AnyHitBatch::new());
    let (mut count, mut all) = (CountBatch::new(), AllHitsBatch::new());
    // First whole answers, then a stop: nothing of the first may stay.
    for stop in [false, true] {
        let watch = |_| if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let request =
            scene.cast(&batch).with(&CastOptions::new().geometric_normals(true).watch(&watch));
        let ends = [
            request.closest_into(&mut closest),
            request.any_into(&mut any),
            request.count_into(&mut count),
            request.all_into(&mut all),
        ];
        assert!(ends.iter().all(|end| end.is_err() == stop), "{ends:?}");
        let rows = [closest.len(), any.len(), count.len(), all.len()];
        assert_eq!(rows, [if stop { 0 } else { rays.len() }; 4], "stopped: {stop}");
    }
    assert!(closest == HitBatch::new() && any == AnyHitBatch::new(), "rows of an earlier batch");
    assert!(count == CountBatch::new() && all == AllHitsBatch::new(), "rows of an earlier batch");
}

#[test]
fn rays_with_defects_are_not_slower_than_sound_ones() {
    let mesh = meshes::soup(2_000, &mut Random::new(2));
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    let sound = many_rays(100_000);
    let bad: Vec<Ray> = sound.iter().map(|ray| Ray { direction: [f32::NAN; 3], ..*ray }).collect();
    let zero: Vec<Ray> = sound.iter().map(|ray| Ray { direction: [0.0; 3], ..*ray }).collect();
    // The least of five, so that a busy machine does not decide.
    let time = |rays: &[Ray]| -> Duration {
        let mut hits = HitBatch::new();
        let run = |_| {
            let start = Instant::now();
            scene.cast(rays).threads(&Threads::ONE).closest_into(&mut hits).expect("answers");
            start.elapsed()
        };
        (0..5).map(run).min().unwrap_or_default()
    };
    let usual = time(&sound);
    for (what, rays) in [("NaN", &bad), ("zero", &zero)] {
        let took = time(rays);
        assert!(took <= usual, "{what} directions took {took:?}, sound ones {usual:?}");
    }
}
