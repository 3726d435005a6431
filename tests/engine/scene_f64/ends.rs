//! Where intervals end, and how long directions are.

use crate::scene_f64::survey::{Survey, between, rays_at};
use crate::scene_f64::{FAR, rays, scene_f64};
use lanecast::primitive::Triangle;
use lanecast::{Hit, Ray};
use lanecast_reference::kernel::watertight::{InInterval, in_interval};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

#[test]
fn intervals_are_closed_to_the_last_bit() {
    let mesh = Survey::new(&meshes::icosphere(3, 1.0), 1.0, [FAR, 0.0, 0.0]);
    let scene = mesh.scene();
    let mut random = Random::new(68);
    for ray in rays_at(std::slice::from_ref(&mesh), rays(), &mut random)
        .into_iter()
        .filter(|ray| ray.defect().is_none())
    {
        let Some(hit) = scene.cast(&ray).closest().unwrap() else { continue };
        let exactly = ray.with_interval(hit.t, hit.t);
        assert_eq!(scene.cast(&exactly).closest().unwrap(), Some(hit), "{exactly:?}");
        let before = ray.with_interval(ray.t_min, hit.t.next_down());
        if ray.t_min < hit.t
            && let Some(found) = scene.cast(&before).closest().unwrap()
        {
            let triangle = Triangle::new(mesh.corners(found.primitive_id as usize));
            let exactly = in_interval(&before, &triangle, hit.t);
            assert!(
                matches!(exactly, InInterval::Moved(_)),
                "{found:?}, {exactly:?} of {before:?}"
            );
        }
        let after = ray.with_interval(hit.t.next_up(), f64::INFINITY);
        let cast = scene.cast(&after);
        assert_eq!(
            cast.closest().unwrap(),
            cast.clone().brute_force().closest().unwrap(),
            "{after:?}"
        );
    }
}

/// Segments that end on a flat triangle meet it, and two that follow each other cross it twice, as
/// triangles of one place are met at one `t`.
#[test]
fn segments_that_end_on_a_triangle_meet_it() {
    let mut random = Random::new(75);
    for (axis, height) in [(0, 0.0), (1, 0.3), (2, FAR)] {
        for _ in 0..rays() {
            let mut corners = [0, 1, 2].map(|_| [0, 1, 2].map(|_| between(&mut random, -1.0, 1.0)));
            for corner in &mut corners {
                corner[axis] = height;
            }
            let (a, b) = (random.unit_f64(), random.unit_f64());
            let (least, most) = (a.min(b), a.max(b));
            let weights = [least, most - least, 1.0 - most];
            let mut on = [0, 1, 2].map(|i| (0..3).map(|k| weights[k] * corners[k][i]).sum::<f64>());
            on[axis] = height;
            let [mut before, mut beyond] = [on, on];
            (before[axis], beyond[axis]) = (height - 3.0, height + 7.0);
            let scene = scene_f64(&corners, &[[2, 0, 1], [0, 1, 2], [1, 2, 0]]).unwrap();
            for segment in [Ray::segment(before, on), Ray::segment(on, beyond)] {
                let hits = scene.cast(&segment).all().unwrap();
                assert_eq!(hits.len(), 3, "{segment:?} at {corners:?}");
                let t = if segment.origin == on { 0.0 } else { 1.0 };
                assert!(hits.iter().all(|hit| hit.t == t), "{hits:?}");
                assert_eq!(
                    scene.cast(&segment).closest().unwrap().map(|hit| hit.primitive_id),
                    Some(0)
                );
            }
        }
    }
}

/// `t` counts lengths of the direction, whatever these are.
#[test]
fn directions_of_any_length_are_answered() {
    let mesh = Survey::new(&meshes::icosphere(2, 1.0), 1.0, [FAR, -FAR, 0.0]);
    let scene = mesh.scene();
    let mut random = Random::new(69);
    for ray in rays_at(std::slice::from_ref(&mesh), rays(), &mut random)
        .into_iter()
        .filter(|ray| ray.defect().is_none())
    {
        let ray = ray.with_interval(0.0, f64::INFINITY);
        let hit = scene.cast(&ray).closest().unwrap();
        let longest = ray.direction.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for power in [-290, -140, 140, 290] {
            let factor = 2.0_f64.powi(power) / 2.0_f64.powi(longest.log2().floor() as i32);
            let scaled = Ray::new(ray.origin, ray.direction.map(|x| x * factor));
            // Powers of two change no digit.
            let expected = hit.map(|hit| Hit { t: hit.t / factor, ..hit });
            if ray.direction.iter().all(|&x| x == 0.0 || (x * factor).abs() > 1e-300) {
                assert_eq!(scene.cast(&scaled).closest().unwrap(), expected, "{scaled:?}");
            }
        }
    }
}
