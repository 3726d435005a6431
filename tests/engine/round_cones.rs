//! Round cones: against the signed distance along each line, and where the answer is worked out by
//! hand.

use lanecast::primitive::{RoundCone, Sphere};
use lanecast::{Affine, Error, Ray, SceneBuilder};
use lanecast_reference::brute_force::cast;
use lanecast_reference::judge;
use lanecast_reference::line::round_cone::{distance, of_round_cone};
use lanecast_reference::random::Random;
use lanecast_reference::world::World;
use std::sync::Arc;

fn scene(cones: &[RoundCone]) -> lanecast::Scene {
    SceneBuilder::new().round_cones(cones).and_then(SceneBuilder::build).expect("a scene")
}

/// Slim, blunt, pointed, in one another, nearly so, and without length.
fn drawn(random: &mut Random) -> RoundCone {
    let start = random.point(-1.0, 1.0);
    let step = match random.below(5) {
        0 => [0.0; 3],
        1 => [random.between(-2.0, 2.0), 0.0, 0.0],
        2 => random.point(-50.0, 50.0),
        _ => random.point(-1.0, 1.0),
    };
    let radius = |random: &mut Random| random.pick(&[0.0, 0.001, 0.3, 1.0, 1.0, 0.7]);
    let end: [f32; 3] = std::array::from_fn(|axis| start[axis] + step[axis]);
    let radii = [radius(random), radius(random)];
    RoundCone { ends: [start, end], radii }
}

#[test]
fn lines_meet_round_cones_where_their_distance_is_0() {
    let mut random = Random::new(1);
    let (mut met, mut missed, mut grazed) = (0, 0, 0);
    for _ in 0..300 {
        let cones: Vec<RoundCone> = (0..3).map(|_| drawn(&mut random)).collect();
        let scene = scene(&cones);
        let world = World::of_scene(&scene).expect("a world");
        for number in 0..40 {
            let cone = cones[random.below(3)];
            let s = random.pick(&[0.0, 1.0, 0.5, random.clone().unit()]);
            let radius = cone.radii[0] * (1.0 - s) + cone.radii[1] * s;
            let off = random.direction();
            let target: [f32; 3] = std::array::from_fn(|axis| {
                cone.ends[0][axis]
                    + s * (cone.ends[1][axis] - cone.ends[0][axis])
                    + radius * off[axis]
            });
            let direction = match number % 4 {
                // Along the axis, and square to it.
                0 => std::array::from_fn(|axis| cone.ends[1][axis] - cone.ends[0][axis]),
                1 => [0.0, 0.0, 1.0],
                _ => random.direction(),
            };
            let direction = if direction == [0.0; 3] { [0.0, 1.0, 0.0] } else { direction };
            let scale = random.pick(&[1.0, 1e-3, 200.0_f32]);
            let far = random.pick(&[0.0, 3.0, 1000.0_f32]);
            let origin = std::array::from_fn(|axis| target[axis] - far * direction[axis]);
            let ray = Ray::new(origin, direction.map(|x| scale * x));
            let ray = if number % 3 == 0 {
                ray.with_interval(f32::NEG_INFINITY, f32::INFINITY)
            } else {
                ray
            };
            let expected = cast(&world, &ray);
            let meetings: Vec<_> = expected.meetings.iter().collect();
            let hits = scene.cast(&ray).all().expect("an answer");
            let status =
                if hits.is_empty() { lanecast::Status::Miss } else { lanecast::Status::Hit };
            assert!(
                judge::are_all(&hits, status, &meetings),
                "{cones:?}, {ray:?}: {hits:?}, {meetings:?}"
            );
            assert_eq!(scene.cast(&ray).brute_force().all().as_ref(), Ok(&hits));
            met += hits.len();
            missed += usize::from(hits.is_empty());
            grazed += usize::from(expected.grazes);
        }
    }
    assert!(
        met > 20_000 && missed > 100 && grazed < 1_000,
        "{met} met, {missed} missed, {grazed} grazed"
    );
}

#[test]
fn normals_lead_away_from_the_ball_and_u_says_which() {
    let mut random = Random::new(2);
    for _ in 0..2_000 {
        let cone = drawn(&mut random);
        let scene = scene(&[cone]);
        let origin = random.point(-6.0, 6.0);
        let target: [f32; 3] =
            std::array::from_fn(|axis| 0.5 * (cone.ends[0][axis] + cone.ends[1][axis]));
        let ray = Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]));
        let Ok(Some(hit)) = scene.cast(&ray).closest() else { continue };
        let pick = scene.locate(&ray, &hit).expect("a place");
        let (at, s) = distance(&cone, pick.local_point);
        let s = s as f32;
        let size = 60.0;
        assert!(at.abs() < 1e-5 * size, "{cone:?}, {ray:?}: {at}");
        let radius = cone.radii[0] * (1.0 - s) + cone.radii[1] * s;
        let is_blunt = (cone.radii[0] - cone.radii[1]).abs() < 0.9 * length(&cone);
        if radius > 0.1 && is_blunt {
            assert!((hit.u - s).abs() < 1e-3 && hit.v == 0.0, "{cone:?}, {ray:?}: {hit:?}, {s}");
            let beyond: [f64; 3] =
                std::array::from_fn(|axis| pick.local_point[axis] + 0.01 * pick.local_normal[axis]);
            assert!((distance(&cone, beyond).0 - at - 0.01).abs() < 1e-5, "{cone:?}, {ray:?}");
        }
    }
}

fn length(cone: &RoundCone) -> f32 {
    let [a, b] = cone.ends;
    (0..3).map(|axis| (b[axis] - a[axis]).powi(2)).sum::<f32>().sqrt()
}

#[test]
fn balls_cylinders_and_what_is_in_one_another() {
    let ts = |cones: &[RoundCone], ray: &Ray| {
        scene(cones)
            .cast(ray)
            .all()
            .expect("an answer")
            .iter()
            .map(|hit| (hit.t, hit.u))
            .collect::<Vec<_>>()
    };
    let cone = |end: f32, radii| RoundCone { ends: [[0.0; 3], [end, 0.0, 0.0]], radii };
    let across = |x: f32| Ray::new([x, 0.0, 5.0], [0.0, 0.0, -1.0]);
    let along = Ray::new([-9.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    // A cylinder with round ends.
    assert_eq!(ts(&[cone(4.0, [1.0, 1.0])], &across(1.0)), [(4.0, 0.25), (6.0, 0.25)]);
    assert_eq!(ts(&[cone(4.0, [1.0, 1.0])], &along), [(8.0, 0.0), (14.0, 1.0)]);
    assert_eq!(ts(&[cone(4.0, [1.0, 1.0])], &across(5.0)), [(5.0, 1.0), (5.0, 1.0)], "grazed");
    assert_eq!(ts(&[cone(4.0, [1.0, 1.0])], &across(5.0_f32.next_up())), []);
    // A line in the side of the cylinder touches all of it, from cap to cap.
    let in_the_side = Ray::new([-9.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(ts(&[cone(4.0, [1.0, 1.0])], &in_the_side), [(9.0, 0.0), (13.0, 1.0)]);
    // One ball: without length, of two that touch from within, of one in the other.
    for (cone, u) in [
        (cone(0.0, [1.0, 1.0]), 0.0),
        (cone(0.5, [1.0, 0.5]), 0.0),
        (cone(0.25, [1.0, 0.5]), 0.0),
        (RoundCone { ends: [[0.25, 0.0, 0.0], [0.0; 3]], radii: [0.0, 1.0] }, 1.0),
    ] {
        assert_eq!(ts(&[cone], &across(0.0)), [(4.0, u), (6.0, u)], "{cone:?}");
        assert_eq!(ts(&[cone], &along), [(8.0, u), (10.0, u)], "{cone:?}");
    }
    // A tip, from the front and across: 3, 4 and 5.
    let pointed = cone(5.0, [3.0, 0.0]);
    assert_eq!(ts(&[pointed], &along), [(6.0, 0.0), (14.0, 1.0)]);
    let [(near, u), (far, _)] = ts(&[pointed], &across(3.0))[..] else { panic!("met twice") };
    assert_eq!((near, far, u), (3.5, 6.5, 0.375));
    // A segment without a thickness is met by what goes through it.
    assert_eq!(ts(&[cone(4.0, [0.0, 0.0])], &across(1.0)).len(), 2);
    assert_eq!(ts(&[cone(4.0, [0.0, 0.0])], &Ray::new([1.0, 1e-3, 5.0], [0.0, 0.0, -1.0])), []);
    assert_eq!(ts(&[cone(4.0, [-1.0, 1.0]), cone(4.0, [1.0, -1.0])], &across(1.0)), []);
}

#[test]
fn a_curve_is_the_union_of_its_segments_without_gaps_at_joints() {
    let mut random = Random::new(3);
    let points: Vec<([f32; 3], f32)> =
        (0..30).map(|_| (random.point(-2.0, 2.0), random.between(0.05, 0.4))).collect();
    let cones: Vec<RoundCone> = points
        .windows(2)
        .map(|pair| RoundCone { ends: [pair[0].0, pair[1].0], radii: [pair[0].1, pair[1].1] })
        .collect();
    let scene = scene(&cones);
    for _ in 0..3_000 {
        let point = random.point(-2.5, 2.5);
        let gaps: Vec<f64> =
            cones.iter().map(|cone| distance(cone, point.map(f64::from)).0).collect();
        let inside = gaps.iter().any(|&gap| gap < 0.0);
        if gaps.iter().all(|gap| gap.abs() > 1e-6) {
            assert_eq!(scene.point(point).contains(), Ok(inside), "{point:?}");
        }
        // From within a joint every way leads out of it.
        let (center, radius) = points[1 + random.below(28)];
        let hits = scene.cast(&Ray::new(center, random.direction())).all().expect("an answer");
        let last = hits.last().expect("a way out");
        assert!(last.t >= 0.99 * radius, "{center:?}");
    }
}

#[test]
fn closest_points_fit_the_distance_and_stretching_is_refused() {
    let mut random = Random::new(4);
    let turned =
        Affine::from_rows([[0.0, 0.0, -2.0, 3.0], [2.0, 0.0, 0.0, -1.0], [0.0, 2.0, 0.0, 0.5]]);
    for _ in 0..300 {
        let cone = drawn(&mut random);
        let own = Arc::new(scene(&[cone]));
        let placed = SceneBuilder::new().instance(&own, turned).build().expect("a scene");
        let center = cone.ends[random.below(2)];
        let [a, b] = cone.ends;
        let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
        let beside = a.map(|x| x + random.clone().unit());
        for point in [random.point(-3.0, 3.0), center, middle, beside] {
            let gap = distance(&cone, point.map(f64::from)).0.abs();
            let near =
                own.point(point).closest(f32::INFINITY).expect("an answer").expect("a point");
            let room = 1e-5 * (1.0 + f64::from(length(&cone)));
            assert!(
                (f64::from(near.distance) - gap).abs() < room,
                "{cone:?}, {point:?}: {near:?}, {gap}"
            );
            assert!(
                distance(&cone, near.point.map(f64::from)).0.abs() < room,
                "{cone:?}, {point:?}: {near:?}"
            );
            let there = turned.point(point.map(f64::from)).map(|x| x as f32);
            let near =
                placed.point(there).closest(f32::INFINITY).expect("an answer").expect("a point");
            assert!(
                (f64::from(near.distance) - 2.0 * gap).abs() < 4.0 * room,
                "{cone:?}, {point:?}: {near:?}"
            );
        }
    }
    // What stretches is refused, at any depth, and rays are not.
    let own = Arc::new(scene(&[drawn(&mut random)]));
    let stretched =
        Affine::from_rows([[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let inner = Arc::new(SceneBuilder::new().instance(&own, turned).build().expect("a scene"));
    let placed = SceneBuilder::new().instance(&inner, turned).instance(&inner, stretched);
    let mut placed = placed.build().expect("a scene");
    for transform in [stretched, turned, stretched] {
        placed.set_transforms([(1, transform)]).expect("a sound map");
        match placed.point([0.0; 3]).distance() {
            Ok(_) => assert_eq!(transform, turned),
            Err(Error::NotForPoints { geometry_id: 0, instance_path }) => {
                assert_eq!((transform, instance_path), (stretched, vec![1, 0]));
            }
            Err(error) => panic!("{error}"),
        }
        assert!(placed.cast(&Ray::new([0.0; 3], [1.0; 3])).count().is_ok());
    }
}

#[test]
fn a_cone_of_one_ball_is_a_sphere_and_long_cables_keep_radius() {
    let mut random = Random::new(5);
    for _ in 0..500 {
        let (center, radius) = (random.point(-1.0, 1.0), random.between(0.0, 1.0));
        let ball = SceneBuilder::new()
            .spheres(&[Sphere::new(center, radius)])
            .and_then(SceneBuilder::build);
        let cone = scene(&[RoundCone { ends: [center; 2], radii: [radius; 2] }]);
        let ray = Ray::new(random.point(-3.0, 3.0), random.direction());
        let [of_ball, of_cone] =
            [ball.expect("a scene"), cone].map(|scene| scene.cast(&ray).all().expect("an answer"));
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
        assert!(
            of_ball.len() == of_cone.len()
                && of_ball.iter().zip(&of_cone).all(|(a, b)| near(a.t, b.t))
        );
    }
    // 1000 long and 2 mm wide: what passes 1.0001 times its radius off misses it.
    let cable = RoundCone { ends: [[-500.0, 0.0, 0.0], [500.0, 0.0, 0.0]], radii: [1e-3; 2] };
    let scene = scene(&[cable]);
    for _ in 0..500 {
        let x = random.between(-490.0, 490.0);
        for (off, met) in [(1.0001e-3, false), (0.9999e-3, true)] {
            let ray = Ray::new([x, off, 300.0], [0.0, 0.0, -1.0]);
            assert_eq!(scene.cast(&ray).any(), Ok(met), "{x}, {off}");
            assert_eq!(of_round_cone(&cable, &ray).is_some(), met);
        }
    }
}

#[test]
fn cones_that_cannot_be_used_are_named() {
    let cone = |x, radius| RoundCone { ends: [[0.0; 3], [x, 0.0, 0.0]], radii: [1.0, radius] };
    for bad in [cone(f32::NAN, 1.0), cone(1.0, f32::NAN), cone(1.0, f32::INFINITY), cone(2e30, 1.0)]
    {
        for bad in [
            bad,
            RoundCone { ends: [bad.ends[1], bad.ends[0]], radii: [bad.radii[1], bad.radii[0]] },
        ] {
            let refused = SceneBuilder::new().round_cones(&[cone(1.0, 1.0), bad]).map(drop);
            let is_named = matches!(
                refused,
                Err(Error::UnusableBounds { geometry_id: 0, primitive_id: 1, .. })
            );
            assert!(is_named, "{bad:?}: {refused:?}");
        }
    }
}
