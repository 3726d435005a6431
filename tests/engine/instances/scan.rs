//! What instances answer is what a scan of all they hold answers, and queries agree with each other.

use crate::common::answers::Answers;
use crate::common::backends::every_backend;
use crate::instances::NESTS;
use crate::instances::drawn::{drawn, rays_at};
use lanecast::makers::SightLines;
use lanecast::{Affine, CastOptions, Contact, Error, Hit, Ray, RayBatch, Scene, Threads, answers::LineHits};
use lanecast_reference::nests::{self, Nest};
use lanecast_reference::random::Random;

#[test]
fn instances_answer_as_a_scan_of_all_they_hold() {
    let mut met = 0;
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let rays = &RayBatch::from_rays(&rays);
        let options = &CastOptions::new().normals(true);
        let mut first = None;
        for backend in every_backend() {
            let (scene, options) = (&nest.scene, &options.clone().backend(backend));
            let expected = Answers::of_scan(scene, rays, options);
            for threads in [Threads::ONE, Threads::ALL] {
                let found = Answers::of(scene, rays, &options.clone().threads(&threads));
                assert!(found == expected, "nest {seed}, {backend}");
            }
            met += expected.counts.count().iter().sum::<u32>();
            let first = first.get_or_insert(expected);
            assert!(*first == Answers::of(scene, rays, options), "nest {seed}, {backend}: other bits");
        }
    }
    assert!(met > 1_000, "{met}");
}

/// What all that the halves of a line touch says: its origin is an end of both.
fn nearest_on_either_side(scene: &Scene, line: &Ray) -> LineHits {
    let all = |half: Ray| {
        let all = scene.cast(&[half]).contact(Contact::Touch).all().unwrap();
        all.hits().to_vec()
    };
    let ahead = all(line.with_interval(line.t_min.max(0.0), line.t_max));
    let behind = all(line.with_interval(line.t_min, line.t_max.min(0.0)));
    // Of several at that `t` the first.
    let last = behind.last().and_then(|last| behind.iter().find(|hit| hit.t == last.t));
    LineHits { ahead: ahead.first().copied(), behind: last.copied() }
}

#[test]
fn instances_as_flat_as_may_be_hide_nothing() {
    let mut met = 0;
    for seed in 0..NESTS {
        let mut random = Random::new(seed + 500);
        let drawn = Nest::drawn(seed as u32 % 2, &mut random);
        // Up to 1,500 times longer one way than another, before they are turned and sheared.
        let placed: Vec<_> = (0..6)
            .map(|_| {
                let [x, y, z] = [(); 3].map(|()| f64::from(random.pick(&[1.0_f32, 1.0, 0.02, 30.0, -1.0])));
                let flat = Affine::from_rows([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]]);
                (&drawn, nests::transform(&mut random).after(&flat).after(&nests::transform(&mut random)))
            })
            .collect();
        let nest = Nest::new(&[], &placed);
        let rays = rays_at(&nest.triangles, &mut random);
        let (rays, options) = (&RayBatch::from_rays(&rays), &CastOptions::new().normals(true));
        let expected = Answers::of_scan(&nest.scene, rays, options);
        assert!(Answers::of(&nest.scene, rays, options) == expected, "nest {seed}");
        met += expected.counts.count().iter().sum::<u32>();
    }
    assert!(met > 300, "{met}");
}

#[test]
fn queries_agree_with_each_other_and_with_single_rays() {
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let scene = &nest.scene;
        let answers = Answers::of(scene, &RayBatch::from_rays(&rays), &CastOptions::new());
        for (row, ray) in rays.iter().enumerate() {
            let status = answers.closest.status()[row];
            if status.is_invalid() {
                for status in
                    [answers.any.status()[row], answers.counts.status()[row], answers.all.status()[row]]
                {
                    assert_eq!(status, answers.closest.status()[row]);
                }
                assert_eq!(scene.cast(ray).closest(), Err(Error::InvalidRay { status }));
                continue;
            }
            assert_eq!(answers.any.status()[row], status, "{ray:?}");
            assert_eq!(scene.cast(ray).closest().unwrap(), answers.closest.hit(row));
            assert_eq!(scene.cast(ray).any().unwrap(), status.is_hit());
            let all = answers.all.of_ray(row);
            assert_eq!(scene.cast(ray).all().unwrap(), all);
            assert_eq!(scene.cast(ray).count().unwrap() as usize, all.len());
            assert_eq!(answers.counts.count()[row] as usize, all.len());
            assert_eq!(answers.line.of_line(row), scene.cast(ray).line_hits().unwrap());
            assert_eq!(answers.line.of_line(row), nearest_on_either_side(scene, ray));
            let most = row % 4;
            assert_eq!(answers.nearest.of_ray(row), &all[..all.len().min(most)]);
            assert_eq!(scene.cast(ray).nearest(most as u32).unwrap(), answers.nearest.of_ray(row));
            for pair in all.windows(2) {
                let ids = |hit: &Hit| (hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
                assert!(
                    pair[0].t < pair[1].t || (pair[0].t == pair[1].t && ids(&pair[0]) < ids(&pair[1])),
                    "order_is_right_under_transforms: {pair:?}"
                );
            }
        }
    }
}

#[test]
fn sight_is_broken_by_what_is_placed() {
    let (nest, _) = drawn(4);
    let mut random = Random::new(11);
    let [observers, targets] = [(); 2].map(|()| (0..70).map(|_| random.point(-3.0, 3.0)).collect::<Vec<_>>());
    let lines = SightLines::new(&observers, &targets).unwrap();
    let request = nest.scene.sight(&lines);
    let matrix = request.matrix().unwrap();
    assert_eq!(matrix, request.clone().brute_force().matrix().unwrap());
    let mut broken = 0;
    for observer in 0..observers.len() {
        for target in 0..targets.len() {
            let obstacle = request.first_obstacle(observer, target).unwrap();
            assert_eq!(matrix.sees(observer, target), obstacle.is_none());
            broken += usize::from(obstacle.is_some());
        }
    }
    assert!(broken > 100 && broken < 4_800, "{broken}");
}

#[test]
fn costs_of_instances_are_added() {
    let (nest, rays) = drawn(2);
    let request = nest.scene.cast(&rays);
    let (tree, scan) = (request.cost().unwrap(), request.clone().brute_force().cost().unwrap());
    for row in 0..rays.len() {
        assert_eq!(tree.status()[row], scan.status()[row]);
        if !tree.status()[row].is_invalid() {
            assert_eq!(scan.primitives()[row] as usize, nest.triangles.len());
            assert!(tree.primitives()[row] <= scan.primitives()[row]);
        }
    }
}
