//! Capped cylinders: against the signed distance along each line, and where the answer is worked
//! out by hand.

use lanecast::primitive::{Cylinder, Primitives};
use lanecast::{Aabb, Affine, Culling, Error, Ray, Region, SceneBuilder, Status};
use lanecast_reference::brute_force::cast;
use lanecast_reference::judge;
use lanecast_reference::line::cylinder::{distance, of_cylinder};
use lanecast_reference::random::Random;
use lanecast_reference::vector::{cross, dot, length, minus, plus, times, unit, vector};
use lanecast_reference::world::World;
use std::sync::Arc;

fn scene(cylinders: &[Cylinder]) -> lanecast::Scene {
    SceneBuilder::new().cylinders(cylinders).and_then(SceneBuilder::build).expect("a scene")
}

/// Slim, flat, without radius, without length, and never met.
fn drawn(random: &mut Random) -> Cylinder {
    let start = random.point(-1.0, 1.0);
    let step = match random.below(7) {
        0 => [0.0; 3],
        1 => [random.between(-2.0, 2.0), 0.0, 0.0],
        2 => random.point(-50.0, 50.0),
        3 => random.point(-1e-3, 1e-3),
        _ => random.point(-1.0, 1.0),
    };
    let end: [f32; 3] = std::array::from_fn(|axis| start[axis] + step[axis]);
    Cylinder { ends: [start, end], radius: random.pick(&[0.0, 0.001, 0.3, 1.0, 1.0, 0.7, -1.0]) }
}

/// A point of a rim, a cap or the side.
fn on_surface(cylinder: &Cylinder, random: &mut Random) -> [f32; 3] {
    let [a, b] = cylinder.ends.map(vector);
    let across = cross(minus(b, a), random.direction().map(f64::from));
    let across = if length(across) > 0.0 { unit(across) } else { [0.0, 0.0, 1.0] };
    let part = f64::from(random.clone().unit());
    let [along, away] =
        random.pick(&[[0.0, 1.0], [1.0, 1.0], [part, 1.0], [0.0, part], [1.0, part]]);
    let radius = away * f64::from(cylinder.radius);
    plus(plus(a, times(along, minus(b, a))), times(radius, across)).map(|x| x as f32)
}

#[test]
fn lines_meet_cylinders_where_their_distance_is_0() {
    let mut random = Random::new(1);
    let (mut met, mut missed, mut grazed) = (0, 0, 0);
    for _ in 0..300 {
        let cylinders: Vec<Cylinder> = (0..3).map(|_| drawn(&mut random)).collect();
        let scene = scene(&cylinders);
        let world = World::of_scene(&scene).expect("a world");
        for number in 0..40 {
            let cylinder = cylinders[random.below(3)];
            let target = on_surface(&cylinder, &mut random);
            let axis: [f32; 3] =
                std::array::from_fn(|axis| cylinder.ends[1][axis] - cylinder.ends[0][axis]);
            let direction = match number % 5 {
                // Along the axis, nearly so, and about square to it.
                0 => axis,
                1 => axis.map(|x| x * random.between(0.999, 1.001)),
                2 => {
                    cross(axis.map(f64::from), random.direction().map(f64::from)).map(|x| x as f32)
                }
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
            let status = if hits.is_empty() { Status::Miss } else { Status::Hit };
            assert!(
                judge::are_all(&hits, status, &meetings),
                "{cylinders:?}, {ray:?}: {hits:?}, {meetings:?}"
            );
            assert_eq!(scene.cast(&ray).brute_force().all().as_ref(), Ok(&hits));
            met += hits.len();
            missed += usize::from(hits.is_empty());
            grazed += usize::from(expected.grazes);
        }
    }
    assert!(
        met > 10_000 && missed > 1_000 && grazed < 2_000,
        "{met} met, {missed} missed, {grazed} grazed"
    );
}

#[test]
fn normals_are_those_of_the_face_and_u_runs_along_the_axis() {
    let mut random = Random::new(2);
    let (mut caps, mut sides) = (0, 0);
    for _ in 0..2_000 {
        let cylinder = drawn(&mut random);
        let scene = scene(&[cylinder]);
        let origin = random.point(-6.0, 6.0);
        let target = on_surface(&cylinder, &mut random);
        let ray = Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]));
        let Ok(Some(hit)) = scene.cast(&ray).closest() else { continue };
        let pick = scene.locate(&ray, &hit).expect("a place");
        let (at, s) = distance(&cylinder, pick.local_point);
        assert!(at.abs() < 1e-5 * 60.0, "{cylinder:?}, {ray:?}: {at}");
        let [a, b] = cylinder.ends.map(vector);
        let axis = minus(b, a);
        let off = minus(pick.local_point, plus(a, times(s, axis)));
        // Of a point near a rim it may be that of either face.
        let to_cap = s.min(1.0 - s) * length(axis);
        let to_side = f64::from(cylinder.radius) - length(off);
        if to_cap.max(to_side) < 1e-3 {
            continue;
        }
        let off_by = (f64::from(hit.u) - s).abs() * length(axis);
        assert!(off_by < 1e-4 && hit.v == 0.0, "{cylinder:?}, {ray:?}: {hit:?}, {s}");
        let normal = unit(pick.local_normal);
        let along = dot(normal, unit(axis));
        if hit.u == 0.0 || hit.u == 1.0 {
            let outwards = 2.0 * f64::from(hit.u) - 1.0;
            assert!((along - outwards).abs() < 1e-6, "{cylinder:?}, {ray:?}: {normal:?}");
            caps += 1;
        } else {
            assert!(along.abs() < 1e-4, "{cylinder:?}, {ray:?}: {normal:?}");
            if cylinder.radius > 0.1 {
                assert!(dot(normal, unit(off)) > 1.0 - 1e-5, "{cylinder:?}, {ray:?}: {normal:?}");
                sides += 1;
            }
        }
    }
    assert!(caps > 200 && sides > 200, "{caps} {sides}");
}

#[test]
fn caps_are_flat_and_what_touches_is_met() {
    let ts = |cylinder: Cylinder, ray: &Ray| {
        let scene = scene(&[cylinder]);
        let hits = scene.cast(ray).all().expect("an answer");
        for culling in [Culling::Front, Culling::Back] {
            let of_side = scene.cast(ray).culling(culling).count();
            assert_eq!(of_side, Ok(hits.len() as u32 / 2), "as often in as out: {ray:?}");
        }
        hits.iter().map(|hit| (hit.t, hit.u)).collect::<Vec<_>>()
    };
    let of = |end: f32, radius| Cylinder { ends: [[0.0; 3], [end, 0.0, 0.0]], radius };
    let along = |y: f32| Ray::new([-9.0, y, 0.0], [1.0, 0.0, 0.0]);
    let across = |x: f32, y: f32| Ray::new([x, y, 5.0], [0.0, 0.0, -1.0]);
    let one = of(4.0, 1.0);
    assert_eq!(ts(one, &along(0.0)), [(9.0, 0.0), (13.0, 1.0)]);
    assert_eq!(ts(one, &along(0.75)), [(9.0, 0.0), (13.0, 1.0)], "flat");
    assert_eq!(ts(one, &across(1.0, 0.0)), [(4.0, 0.25), (6.0, 0.25)]);
    // A line in the side and one in a cap touch all of it, and others by.
    assert_eq!(ts(one, &along(1.0)), [(9.0, 0.0), (13.0, 1.0)]);
    assert_eq!(ts(one, &along(1.0_f32.next_up())), []);
    assert_eq!(ts(one, &across(0.0, 0.0)), [(4.0, 0.0), (6.0, 0.0)]);
    assert_eq!(ts(one, &across(4.0, 0.0)), [(4.0, 1.0), (6.0, 1.0)]);
    assert_eq!(ts(one, &across(4.0_f32.next_up(), 0.0)), []);
    assert_eq!(ts(one, &across(-f32::MIN_POSITIVE, 0.0)), []);
    // The side, and a rim where it ends, are grazed.
    assert_eq!(ts(one, &across(2.0, 1.0)), [(5.0, 0.5), (5.0, 0.5)]);
    assert_eq!(ts(one, &across(2.0, 1.0_f32.next_up())), []);
    assert_eq!(ts(one, &across(4.0, 1.0)), [(5.0, 1.0), (5.0, 1.0)]);
    // A rim is touched from without.
    let past_the_rim = ts(one, &Ray::new([-1.0, 0.0, 0.0], [1.0, 1.0, 0.0]));
    assert!(past_the_rim.len() == 2, "{past_the_rim:?}");
    assert!(past_the_rim.iter().all(|&(t, u)| t == 1.0 && u < 1e-6), "{past_the_rim:?}");
    assert_eq!(ts(one, &Ray::new([-1.0, 1e-6, 0.0], [1.0, 1.0, 0.0])), []);
    // In by a cap, out by the side.
    let slanted = Ray::new([-1.0, -0.25, 0.0], [1.0, 0.25, 0.0]);
    assert_eq!(ts(one, &slanted), [(1.0, 0.0), (5.0, 1.0)], "through both rims' planes");
    assert_eq!(ts(one, &Ray::new([-1.0, 0.0, 0.0], [1.0, 0.5, 0.0])), [(1.0, 0.0), (2.0, 0.25)]);
    // A segment is met by what goes through it; what has no direction or a negative radius is not.
    assert_eq!(ts(of(4.0, 0.0), &across(1.0, 0.0)).len(), 2);
    assert_eq!(ts(of(4.0, 0.0), &across(1.0, 1e-3)), []);
    assert_eq!(ts(of(4.0, 0.0), &along(0.0)), [(9.0, 0.0), (13.0, 1.0)]);
    for never in [of(0.0, 1.0), of(4.0, -1.0), of(0.0, 0.0)] {
        assert_eq!(ts(never, &across(0.0, 0.0)), []);
        let scene = scene(&[never]);
        assert_eq!(scene.bounds(), Aabb::EMPTY);
        assert_eq!(scene.point([0.0; 3]).distance(), Ok(f32::INFINITY));
        assert_eq!(scene.point([0.0; 3]).contains(), Ok(false));
    }
    // A disc, nearly: as thin as a number allows.
    let thin = Cylinder { ends: [[0.0; 3], [f32::from_bits(1), 0.0, 0.0]], radius: 1.0 };
    let hits = ts(thin, &along(0.5));
    assert_eq!(hits, [(9.0, 0.0), (9.0, 1.0)]);
}

#[test]
fn bounds_are_tight() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let ends = [random.point(-2.0, 2.0), random.point(-2.0, 2.0)];
        let radius = random.pick(&[0.0, 0.25, 3.0]);
        let bounds = vec![Cylinder { ends, radius }].bounds(0);
        let direction = unit(minus(vector(ends[1]), vector(ends[0])));
        for axis in 0..3 {
            let reach = f64::from(radius) * (1.0 - direction[axis] * direction[axis]).sqrt();
            let [a, b] = ends.map(|end| f64::from(end[axis]));
            let (least, most) = (a.min(b) - reach, a.max(b) + reach);
            let [min, max] = [bounds.min[axis], bounds.max[axis]].map(f64::from);
            assert!(min <= least + 1e-9 && max >= most - 1e-9, "{ends:?}, {radius}: {bounds:?}");
            assert!(least - min < 2e-6 && max - most < 2e-6, "{ends:?}, {radius}: {bounds:?}");
        }
    }
    // Along an axis nothing is added.
    let bounds =
        vec![Cylinder { ends: [[1.0_f64, 2.0, 3.0], [1.0, 2.0, 7.0]], radius: 0.5 }].bounds(0);
    assert_eq!((bounds.min[2], bounds.max[2]), (3.0_f64.next_down(), 7.0_f64.next_up()));
    assert!(bounds.min[0] <= 0.5 && 0.5 - bounds.min[0] < 1e-14, "{bounds:?}");
}

#[test]
fn points_are_inside_where_the_distance_is_negative() {
    let mut random = Random::new(4);
    let mut inside = 0;
    for _ in 0..300 {
        let cylinders: Vec<Cylinder> = (0..3).map(|_| drawn(&mut random)).collect();
        let scene = scene(&cylinders);
        for _ in 0..10 {
            let point = random.point(-1.5, 1.5);
            let there =
                cylinders.iter().filter(|one| lanecast_reference::line::cylinder::is_there(one));
            let gaps: Vec<f64> = there.map(|one| distance(one, point.map(f64::from)).0).collect();
            if gaps.iter().all(|gap| gap.abs() > 1e-6) {
                let is_inside = gaps.iter().any(|&gap| gap < 0.0);
                assert_eq!(
                    scene.point(point).contains(),
                    Ok(is_inside),
                    "{cylinders:?}, {point:?}"
                );
                inside += usize::from(is_inside);
            }
        }
    }
    assert!(inside > 200, "{inside}");
}

#[test]
fn closest_points_fit_the_distance_and_stretching_is_refused() {
    let mut random = Random::new(5);
    let turned =
        Affine::from_rows([[0.0, 0.0, -2.0, 3.0], [2.0, 0.0, 0.0, -1.0], [0.0, 2.0, 0.0, 0.5]]);
    for _ in 0..300 {
        let cylinder = drawn(&mut random);
        let own = Arc::new(scene(&[cylinder]));
        let placed = SceneBuilder::new().instance(&own, turned).build().expect("a scene");
        if !lanecast_reference::line::cylinder::is_there(&cylinder) {
            assert_eq!(own.point([0.0; 3]).closest(f32::INFINITY), Ok(None));
            continue;
        }
        let [a, b] = cylinder.ends;
        let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
        let on_surface = on_surface(&cylinder, &mut random);
        for point in [random.point(-3.0, 3.0), a, b, middle, on_surface] {
            let gap = distance(&cylinder, point.map(f64::from)).0.abs();
            let near =
                own.point(point).closest(f32::INFINITY).expect("an answer").expect("a point");
            let size = length(minus(vector(b), vector(a)));
            let room = 1e-5 * (1.0 + size);
            assert!(
                (f64::from(near.distance) - gap).abs() < room,
                "{cylinder:?}, {point:?}: {near:?}, {gap}"
            );
            let (at, s) = distance(&cylinder, near.point.map(f64::from));
            assert!(at.abs() < room, "{cylinder:?}, {point:?}: {near:?}");
            assert!(
                (f64::from(near.u) - s).abs() * size < room && near.v == 0.0,
                "{cylinder:?}, {point:?}: {near:?}"
            );
            let there = turned.point(point.map(f64::from)).map(|x| x as f32);
            let near =
                placed.point(there).closest(f32::INFINITY).expect("an answer").expect("a point");
            assert!(
                (f64::from(near.distance) - 2.0 * gap).abs() < 4.0 * room,
                "{cylinder:?}, {point:?}: {near:?}"
            );
        }
    }
    // As near to a cap as to the side, the side is nearest.
    let long = scene(&[Cylinder { ends: [[0.0; 3], [8.0, 0.0, 0.0]], radius: 1.0 }]);
    let near = long.point([0.5, 0.5, 0.0]).closest(f32::INFINITY).expect("an answer");
    let near = near.expect("a point");
    assert_eq!((near.distance, near.point, near.u), (0.5, [0.5, 1.0, 0.0], 0.0625));
    // What stretches is refused, at any depth, and rays and regions are not.
    let own = Arc::new(scene(&[Cylinder { ends: [[0.0; 3], [1.0; 3]], radius: 0.5 }]));
    let stretched =
        Affine::from_rows([[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let inner = Arc::new(SceneBuilder::new().instance(&own, turned).build().expect("a scene"));
    let placed = SceneBuilder::new().instance(&inner, turned).instance(&inner, stretched);
    let placed = placed.build().expect("a scene");
    let refused = Error::NotForPoints { geometry_id: 0, instance_path: vec![1, 0] };
    assert_eq!(placed.point([0.0; 3]).distance(), Err(refused));
    assert!(placed.cast(&Ray::new([0.0; 3], [1.0; 3])).count().is_ok());
    let all = Region::from(&Aabb { min: [-90.0_f64; 3], max: [90.0; 3] });
    assert_eq!(placed.overlap(all).primitives().map(|ids| ids.len()), Ok(2));
}

#[test]
fn long_cables_keep_their_radius_and_far_rays_their_digits() {
    // 1000 long and 2 mm wide: what passes 1.0001 times its radius off misses it.
    let cable = Cylinder { ends: [[-500.0, 0.0, 0.0], [500.0, 0.0, 0.0]], radius: 1e-3 };
    let scene = scene(&[cable]);
    let mut random = Random::new(6);
    for _ in 0..500 {
        let x = random.between(-490.0, 490.0);
        for (off, met) in [(1.0001e-3, false), (0.9999e-3, true)] {
            let ray = Ray::new([x, off, 300.0], [0.0, 0.0, -1.0]);
            assert_eq!(scene.cast(&ray).any(), Ok(met), "{x}, {off}");
            assert_eq!(of_cylinder(&cable, &ray).is_some(), met);
        }
    }
    // In `f64` from a million radii away: as exact as the coordinates.
    let pole = Cylinder { ends: [[0.0; 3], [0.0, 0.0, 3.0]], radius: 0.5 };
    let scene = SceneBuilder::<f64>::default().cylinders(&[pole]).and_then(SceneBuilder::build);
    let scene = scene.expect("a scene");
    for (from, expected) in [([-5e5, 0.3, 1.0], 5e5 - 0.4), ([0.1, 0.2, 5e5], 5e5 - 3.0)] {
        let direction = if expected == 5e5 - 3.0 { [0.0, 0.0, -1.0] } else { [1.0, 0.0, 0.0] };
        let hit = scene.cast(&Ray::new(from, direction)).closest().expect("an answer");
        let t = hit.expect("a hit").t;
        assert!((t - expected).abs() < 1e-9, "{t}, {expected}");
    }
}

#[test]
fn cylinders_that_cannot_be_used_are_named() {
    let of = |x, radius| Cylinder { ends: [[0.0; 3], [x, 0.0, 0.0]], radius };
    for bad in [
        of(f32::NAN, 1.0),
        of(f32::INFINITY, 1.0),
        of(1.0, f32::NAN),
        of(0.0, f32::NAN),
        of(1.0, f32::INFINITY),
        of(2e30, 1.0),
        of(1.0, 2e30),
    ] {
        for bad in [bad, Cylinder { ends: [bad.ends[1], bad.ends[0]], ..bad }] {
            let refused = SceneBuilder::new().cylinders(&[of(1.0, 1.0), bad]).map(drop);
            let is_named = matches!(
                refused,
                Err(Error::UnusableBounds { geometry_id: 0, primitive_id: 1, .. })
            );
            assert!(is_named, "{bad:?}: {refused:?}");
        }
    }
}
