//! Solids by a function of points: what the docs call certain.

use lanecast::primitive::{Primitives, SignedDistance, SurfacePoint};
use lanecast::{Aabb, Affine, Error, Hit, Ray, Scene, SceneBuilder};
use lanecast_reference::random::Random;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const AROUND: Aabb = Aabb { min: [-4.0; 3], max: [4.0; 3] };

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn ball(p: [f64; 3]) -> f64 {
    length(p) - 2.0
}

fn cuboid(p: [f64; 3]) -> f64 {
    let q = [p[0].abs() - 1.0, p[1].abs() - 2.0, p[2].abs() - 0.5];
    length(q.map(|x| x.max(0.0))) + q[0].max(q[1]).max(q[2]).min(0.0)
}

fn torus([x, y, z]: [f64; 3]) -> f64 {
    (x.hypot(y) - 2.0).hypot(z) - 0.5
}

/// Not a distance: three times as steep as one in places, flat in others.
fn waves([x, y, z]: [f64; 3]) -> f64 {
    z + (2.0 * x).sin() * (2.0 * y).cos()
}

/// Sheets across x, a little thicker than the tolerance of the test below.
fn sheets([x, _, _]: [f64; 3]) -> f64 {
    (x - (10.0 * x).round() / 10.0).abs() - 0.011
}

fn scene(f: impl Fn([f64; 3]) -> f64 + Send + Sync + 'static, lipschitz: f64) -> Scene {
    let solid = SignedDistance::new(f, AROUND, lipschitz, 1e-7).expect("sound numbers");
    SceneBuilder::new().signed_distance(solid).and_then(SceneBuilder::build).expect("a scene")
}

fn ts(hits: &[Hit]) -> Vec<f32> {
    hits.iter().map(|hit| hit.t).collect()
}

#[test]
fn balls_and_boxes_are_met_where_they_are_met_in_closed_form() {
    let exact = SceneBuilder::new()
        .boxes(&[Aabb { min: [-1.0, -2.0, -0.5], max: [1.0, 2.0, 0.5] }])
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let of_ball = SceneBuilder::new()
        .spheres(&[lanecast::primitive::Sphere::new([0.0; 3], 2.0)])
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let mut random = Random::new(1);
    let mut met = 0;
    for (solid, exact) in [(scene(cuboid, 1.0), exact), (scene(ball, 1.0), of_ball)] {
        for number in 0..2_000 {
            let origin = random.point(-6.0, 6.0);
            let target = random.point(-2.5, 2.5);
            let scale = random.pick(&[1.0, 1e-3, 50.0]);
            let direction = std::array::from_fn(|axis| scale * (target[axis] - origin[axis]));
            let ray = Ray::new(origin, direction);
            let ray = if number % 4 == 0 {
                ray.with_interval(f32::NEG_INFINITY, f32::INFINITY)
            } else {
                ray
            };
            let hits = exact.cast(&ray).all().expect("an answer");
            let thin = hits.windows(2).any(|pair| {
                (pair[1].t - pair[0].t) * length(direction.map(f64::from)) as f32 * 1e3 < 1.0
            });
            let found = solid.cast(&ray).all().expect("an answer");
            if thin || hits.len() % 2 == 1 && number % 4 == 0 {
                continue;
            }
            let near = |a: f32, b: f32| (a - b).abs() <= 1e-5 * (a.abs() + 1.0 / scale);
            let same =
                found.len() == hits.len() && found.iter().zip(&hits).all(|(a, b)| near(a.t, b.t));
            assert!(same, "{ray:?}: {found:?}, {hits:?}");
            met += hits.len();
        }
    }
    assert!(met > 2_000, "{met}");
}

/// The function is sampled along each line. Wherever it goes from more than the tolerance to less
/// than minus that, or back, a point lies between; and at each point it changes its sign.
#[test]
fn deep_sign_changes_are_all_found_and_each_point_is_one() {
    let tolerance = 0.01;
    let mut random = Random::new(2);
    let mut met = 0;
    for (f, lipschitz) in
        [(torus as fn([f64; 3]) -> f64, 1.0), (waves, 3.0), (cuboid, 1.5), (sheets, 1.0)]
    {
        let solid = SignedDistance::new(f, AROUND, lipschitz, tolerance).expect("sound numbers");
        let scene = SceneBuilder::new()
            .signed_distance(solid)
            .and_then(SceneBuilder::build)
            .expect("a scene");
        for _ in 0..1_000 {
            let ray = Ray::line(random.point(-5.0, 5.0), random.direction());
            let hits = scene.cast(&ray).all().expect("an answer");
            assert_eq!(hits.len() % 2, 0, "{ray:?}");
            let at = |t: f64| {
                [0, 1, 2]
                    .map(|axis| f64::from(ray.origin[axis]) + t * f64::from(ray.direction[axis]))
            };
            let is_in = |p: [f64; 3]| p.iter().all(|x| x.abs() <= 4.0);
            for hit in &hits {
                let (t, by) = (f64::from(hit.t), 1e-6 * f64::from(hit.t).abs() + 1e-6);
                let [before, after] = [t - by, t + by].map(|t| is_in(at(t)) && f(at(t)) < 0.0);
                assert!(before != after || f(at(t)).abs() < 1e-4, "{ray:?}, {hit:?}");
            }
            // Outside of the box it counts as positive.
            let mut last: Option<(f64, bool)> = None;
            for step in 0..=4_000 {
                let t = -20.0 + f64::from(step) * 0.01;
                let value = if is_in(at(t)) { f(at(t)) } else { f64::INFINITY };
                if value.abs() <= tolerance {
                    continue;
                }
                if let Some((before, was_inside)) = last
                    && was_inside != (value < 0.0)
                {
                    let between = |hit: &Hit| before <= f64::from(hit.t) && f64::from(hit.t) <= t;
                    assert!(hits.iter().any(between), "{ray:?}: {before} to {t}, {hits:?}");
                }
                last = Some((t, value < 0.0));
            }
            met += hits.len();
        }
    }
    assert!(met > 1_500, "{met}");
}

#[test]
fn points_do_not_depend_on_the_interval_or_on_other_geometries() {
    let (solid, mut random) =
        (SignedDistance::new(torus, AROUND, 1.0, 1e-7).expect("sound numbers"), Random::new(3));
    let points = |ray: &Ray| {
        let mut points: Vec<SurfacePoint> = Vec::new();
        solid.intersect(0, ray, &mut |point| points.push(point));
        points
    };
    let scene = scene(torus, 1.0);
    for _ in 0..2_000 {
        let line = Ray::line(random.point(-4.0, 4.0), random.direction());
        let all = points(&line);
        let [a, b] = [random.between(-6.0, 6.0), random.between(-6.0, 6.0)];
        let ends = [a.min(b), a.max(b)];
        let part = points(&line.with_interval(ends[0], ends[1]));
        let within = |point: &&SurfacePoint| ends[0] <= point.t && point.t <= ends[1];
        assert!(part.iter().filter(within).eq(all.iter().filter(within)), "{line:?} {ends:?}");
        assert!(part.iter().all(|point| all.contains(point)));
        // To a hit and no farther, it is found again.
        for point in &all {
            let ray = line.with_interval(point.t, point.t);
            assert!(ts(&scene.cast(&ray).all().expect("an answer")).contains(&point.t), "{ray:?}");
        }
    }
}

#[test]
fn the_box_cuts_with_flat_faces_and_points_are_inside() {
    let slab = scene(|[_, _, z]| z, 1.0);
    let down = Ray::new([1.0, 1.0, 9.0], [0.0, 0.0, -1.0]);
    let hits = slab.cast(&down).all().expect("an answer");
    assert_eq!(ts(&hits), [9.0, 13.0]);
    let along = Ray::new([-9.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
    assert_eq!(ts(&slab.cast(&along).all().expect("an answer")), [5.0, 13.0]);
    let hit = slab.cast(&along).closest().expect("an answer").expect("a hit");
    assert_eq!(slab.locate(&along, &hit).expect("a place").world_normal, [-1.0, 0.0, 0.0]);
    let torus = scene(torus, 1.0);
    for (point, inside) in [
        ([2.0, 0.0, 0.0], true),
        ([0.0; 3], false),
        ([0.0, 2.4, 0.0], true),
        ([0.0, 2.6, 0.0], false),
    ] {
        assert_eq!(torus.point(point).contains(), Ok(inside), "{point:?}");
    }
    assert!(matches!(
        torus.point([0.0; 3]).distance(),
        Err(Error::NotForPoints { geometry_id: 0, .. })
    ));
}

#[test]
fn in_an_instance_it_is_where_it_is_placed() {
    let own = Arc::new(scene(torus, 1.0));
    let map =
        Affine::from_rows([[0.0, -30.0, 0.0, 5.0], [20.0, 0.0, 0.0, 0.0], [0.0, 4.0, -10.0, 1.0]]);
    let placed = SceneBuilder::new().instance(&own, map).build().expect("a scene");
    let mut random = Random::new(4);
    let mut met = 0;
    for _ in 0..1_000 {
        let (origin, target) = (random.point(-4.0, 4.0), random.point(-2.0, 2.0));
        let direction: [f32; 3] = std::array::from_fn(|axis| target[axis] - origin[axis]);
        let carried = Ray::new(
            map.point(origin.map(f64::from)).map(|x| x as f32),
            map.vector(direction.map(f64::from)).map(|x| x as f32),
        );
        let [there, here] = [placed.cast(&carried), own.cast(&Ray::new(origin, direction))]
            .map(|cast| cast.all().expect("an answer"));
        let thin = here.windows(2).any(|pair| pair[1].t - pair[0].t < 1e-2);
        let same = there.len() == here.len()
            && there.iter().zip(&here).all(|(a, b)| (a.t - b.t).abs() < 1e-4);
        assert!(thin || same, "{carried:?}: {there:?}, {here:?}");
        met += here.len();
    }
    assert!(met > 500, "{met}");
}

#[test]
fn steps_are_bounded_and_nan_ends_a_line() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    // A plane that the line never comes to, along which every step is small.
    let near = move |[_, _, z]: [f64; 3]| {
        counted.fetch_add(1, Ordering::Relaxed);
        z - 1e-6
    };
    let solid = SignedDistance::new(near, AROUND, 1.0, 1e-9).expect("sound numbers").max_steps(100);
    let grazing = Ray::new([-9.0, 0.0, 2e-6], [1.0, 0.0, 0.0]);
    let mut met = 0;
    solid.intersect(0, &grazing, &mut |_| met += 1);
    assert_eq!((met, asked.load(Ordering::Relaxed)), (0, 100));
    // In the solid when it ends, a line leaves it there.
    let mut ts = Vec::new();
    let deep = Ray::new([-9.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    solid.intersect(0, &deep, &mut |point| ts.push(point.t));
    assert!(ts.len() == 2 && ts[0] == 5.0 && ts[1] < 5.1, "{ts:?}");
    let gone = scene(|[x, _, z]| if x > 0.0 { f64::NAN } else { z }, 1.0);
    assert_eq!(gone.cast(&Ray::new([1.0, 0.0, 9.0], [0.0, 0.0, -1.0])).count(), Ok(0));
    let hits = gone.cast(&Ray::new([-9.0, 0.0, -1.0], [1.0, 0.0, 0.0])).all().expect("an answer");
    assert!(hits.len() == 2 && hits[0].t == 5.0 && hits[1].t > 9.0 && hits[1].t < 10.1, "{hits:?}");
}

#[test]
fn numbers_that_cannot_be_used_are_named() {
    let refused = |lipschitz, tolerance| {
        SignedDistance::new(ball, AROUND, lipschitz, tolerance)
            .map(drop)
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(
        refused(0.0, 1e-6),
        "signed distance: Lipschitz bound is 0; it must be finite and above 0"
    );
    assert_eq!(
        refused(f64::NAN, 1e-6),
        "signed distance: Lipschitz bound is NaN; it must be finite and above 0"
    );
    assert_eq!(
        refused(1.0, -1.0),
        "signed distance: tolerance is -1; it must be finite and above 0"
    );
    let endless = Aabb { max: [f32::INFINITY; 3], ..AROUND };
    let endless = SignedDistance::new(ball, endless, 1.0, 1e-6)
        .and_then(|solid| SceneBuilder::new().signed_distance(solid));
    assert!(matches!(endless, Err(Error::UnusableBounds { geometry_id: 0, primitive_id: 0, .. })));
    let nowhere = SignedDistance::new(ball, Aabb::EMPTY, 1.0, 1e-6)
        .and_then(|solid| SceneBuilder::new().signed_distance(solid));
    let nowhere = nowhere.and_then(SceneBuilder::build).expect("a scene");
    assert_eq!(nowhere.cast(&Ray::new([0.0; 3], [1.0; 3])).brute_force().count(), Ok(0));
}

#[cfg(feature = "scene-files")]
#[test]
fn files_refuse_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = scene(ball, 1.0).save(folder.path().join("ball.scene"));
    assert!(
        matches!(
            saved,
            Err(Error::SceneFile { problem: lanecast::FileProblem::NotSaved { .. }, .. })
        ),
        "{saved:?}"
    );
}
