//! Where intervals end, and how long directions are.

use crate::common::meshes;
use crate::common::random::Random;
use crate::scene_f64::survey::{Survey, between, rays_at, unit};
use crate::scene_f64::{FAR, RAYS};
use crate::triangle_tests::exact::{InInterval, in_interval};
use lanecast::primitive::Triangle;
use lanecast::{Hit, Ray, SceneF64};

#[test]
fn intervals_are_closed_to_the_last_bit() {
    let mesh = Survey::new(&meshes::icosphere(3, 1.0), 1.0, [FAR, 0.0, 0.0]);
    let scene = mesh.scene();
    let mut random = Random::new(68);
    for ray in rays_at(&mesh, RAYS, &mut random).into_iter().filter(|ray| ray.defect().is_none()) {
        let Some(hit) = scene.closest_hit(&ray).unwrap() else { continue };
        let exactly = ray.with_interval(hit.t, hit.t);
        assert_eq!(scene.closest_hit(&exactly).unwrap(), Some(hit), "{exactly:?}");
        let before = ray.with_interval(ray.t_min, hit.t.next_down());
        if ray.t_min < hit.t
            && let Some(found) = scene.closest_hit(&before).unwrap()
        {
            let triangle = Triangle::new(mesh.corners(found.primitive_id as usize));
            let exactly = in_interval(&before, &triangle, hit.t);
            assert!(matches!(exactly, InInterval::Moved(_)), "{found:?}, {exactly:?} of {before:?}");
        }
        let after = ray.with_interval(hit.t.next_up(), f64::INFINITY);
        assert_eq!(
            scene.closest_hit(&after).unwrap(),
            scene.scan().closest_hit(&after).unwrap(),
            "{after:?}"
        );
    }
}

/// Segments that end on a flat triangle meet it, and two that follow each other cross it twice, as triangles of one place
/// are met at one `t`.
#[test]
fn segments_that_end_on_a_triangle_meet_it() {
    let mut random = Random::new(75);
    for (axis, height) in [(0, 0.0), (1, 0.3), (2, FAR)] {
        for _ in 0..RAYS {
            let mut corners = [0, 1, 2].map(|_| [0, 1, 2].map(|_| between(&mut random, -1.0, 1.0)));
            for corner in &mut corners {
                corner[axis] = height;
            }
            let (a, b) = (unit(&mut random), unit(&mut random));
            let (least, most) = (a.min(b), a.max(b));
            let weights = [least, most - least, 1.0 - most];
            let mut on = [0, 1, 2].map(|i| (0..3).map(|k| weights[k] * corners[k][i]).sum::<f64>());
            on[axis] = height;
            let [mut before, mut beyond] = [on, on];
            (before[axis], beyond[axis]) = (height - 3.0, height + 7.0);
            let scene = SceneF64::from_triangles(&corners, &[[2, 0, 1], [0, 1, 2], [1, 2, 0]]).unwrap();
            for segment in [Ray::segment(before, on), Ray::segment(on, beyond)] {
                let hits = scene.all_hits(&segment).unwrap();
                assert_eq!(hits.len(), 3, "{segment:?} at {corners:?}");
                let t = if segment.origin == on { 0.0 } else { 1.0 };
                assert!(hits.iter().all(|hit| hit.t == t), "{hits:?}");
                assert_eq!(scene.closest_hit(&segment).unwrap().map(|hit| hit.primitive_id), Some(0));
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
    for ray in rays_at(&mesh, RAYS, &mut random).into_iter().filter(|ray| ray.defect().is_none()) {
        let ray = ray.with_interval(0.0, f64::INFINITY);
        let hit = scene.closest_hit(&ray).unwrap();
        let longest = ray.direction.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for power in [-290, -140, 140, 290] {
            let factor = 2.0_f64.powi(power) / 2.0_f64.powi(longest.log2().floor() as i32);
            let scaled = Ray::new(ray.origin, ray.direction.map(|x| x * factor));
            // Powers of two change no digit.
            let expected = hit.map(|hit| Hit { t: hit.t / factor, ..hit });
            if ray.direction.iter().all(|&x| x == 0.0 || (x * factor).abs() > 1e-300) {
                assert_eq!(scene.closest_hit(&scaled).unwrap(), expected, "{scaled:?}");
            }
        }
    }
}
