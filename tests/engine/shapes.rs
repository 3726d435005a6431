//! Boxes, spheres and primitives of the caller's own, where the answer is worked out by hand.
//! `worlds` and `scene_equals_scan` hold scenes of them in every way.

use lanecast::primitive::{Primitives, Sphere, SurfacePoint};
use lanecast::{Aabb, Affine, Error, PointGrid, Ray, SceneBuilder, Status};
use lanecast_reference::vector::{dot, minus};
use std::sync::{Arc, Mutex};

#[test]
fn two_axis_parallel_rays_in_a_face_meet_the_box() {
    let aabb = Aabb { min: [0.0; 3], max: [1.0, 2.0, 3.0] };
    let scene = SceneBuilder::new().boxes(&[aabb]).and_then(SceneBuilder::build).unwrap();
    for ray in [
        Ray::new([0.0, 1.0, -1.0], [0.0, 0.0, 1.0]),
        Ray::new([1.0, 1.0, -1.0], [0.0, -0.0, 1.0]),
        Ray::new([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]),
        Ray::new([1.0, 2.0, -1.0], [-0.0, 0.0, 1.0]),
    ] {
        let hits = scene.cast(&ray).all().unwrap();
        assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.0, 4.0], "{ray:?}");
    }
    let outside = Ray::new([1.0_f32.next_up(), 1.0, -1.0], [0.0, 0.0, 1.0]);
    assert_eq!(scene.cast(&outside).closest(), Ok(None));
    // From within there is the face ahead, and its back.
    let hit = scene.cast(&Ray::new([0.5; 3], [0.0, 0.0, -1.0])).closest().unwrap().expect("a hit");
    assert_eq!(hit.t, 0.5);
}

#[test]
fn solids_have_insides() {
    let scene = SceneBuilder::new()
        .boxes(&[Aabb { min: [0.0; 3], max: [1.0; 3] }])
        .and_then(|builder| builder.spheres(&[Sphere::new([3.0, 0.0, 0.0], 1.0)]))
        .and_then(SceneBuilder::build)
        .unwrap();
    for (point, inside) in [
        ([0.5; 3], true),
        ([1.5, 0.5, 0.5], false),
        ([3.0, 0.9, 0.0], true),
        ([3.0, 0.9, 0.9], false),
    ] {
        assert_eq!(scene.point(point).contains(), Ok(inside), "{point:?}");
        assert_eq!(scene.point(point).brute_force().contains(), Ok(inside), "{point:?}");
    }
    let nowhere = Err(Error::InvalidRay { status: Status::InvalidOrigin });
    assert_eq!(scene.point([0.5, f32::NAN, 0.5]).contains(), nowhere);
    let grid = PointGrid::new([0.5, 0.5, 0.5], [0.5, 1.0, 1.0], [6, 1, 2]).unwrap();
    let (bits, bytes) =
        (scene.grid(&grid).occupancy_bits().unwrap(), scene.grid(&grid).occupancy_bytes().unwrap());
    for (point, &byte) in bytes.iter().enumerate() {
        assert_eq!(scene.point(grid.point(point)).contains(), Ok(byte == 1));
        assert_eq!(bits[point / 8] >> (point % 8) & 1, byte);
    }
    assert_eq!(bytes.iter().sum::<u8>(), 4, "{bytes:?}");
}

/// From far away a box that is empty by the last bit looks as one that a line touches at an edge.
#[test]
fn boxes_that_are_all_but_empty_are_empty() {
    let empty = Aabb { min: [1.0_f32.next_up(), -1.0, -1.0], max: [1.0; 3] };
    let scene = SceneBuilder::new().boxes(&[empty]).and_then(SceneBuilder::build).unwrap();
    let ray = Ray::new([-1e9, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!((scene.cast(&ray).count(), scene.cast(&ray).brute_force().count()), (Ok(0), Ok(0)));
}

#[test]
fn what_grazes_a_sphere_is_not_in_it() {
    // From many of these points the ray along x grazes one of the spheres.
    let spheres = [
        Sphere::new([0.0; 3], 1.0),
        Sphere::new([4.0, 1.0, 0.0], 2.0),
        Sphere::new([2.0, 0.0, 1.0], 0.0),
        Sphere::new([2.0, 2.0, 2.0], 0.5),
    ];
    let scene = SceneBuilder::new().spheres(&spheres).and_then(SceneBuilder::build).unwrap();
    let grid = PointGrid::new([-3.0, -3.0, -2.0], [0.5; 3], [12, 14, 10]).unwrap();
    let points: Vec<_> = (0..grid.len()).map(|point| grid.point(point)).collect();
    let inside = scene.points(&points).contains().unwrap();
    // Handed over as primitives of one's own they are the same.
    let own = SceneBuilder::new()
        .primitives(Arc::new(spheres.to_vec()))
        .and_then(SceneBuilder::build)
        .unwrap();
    assert_eq!(own.points(&points).contains().unwrap(), inside);
    for (row, point) in points.iter().enumerate() {
        // All numbers are quarters, and nothing is rounded.
        let gaps = spheres.map(|Sphere { center, radius }| {
            let off = minus(point.map(f64::from), center.map(f64::from));
            dot(off, off) - f64::from(radius * radius)
        });
        if gaps.iter().all(|&gap| gap != 0.0) {
            let expected = gaps.iter().filter(|&&gap| gap < 0.0).count();
            assert_eq!(inside.winding()[row], expected as i32, "{point:?}");
        }
    }
}

#[derive(Debug)]
struct Odd(Vec<Aabb>, Vec<f32>);

impl Primitives for Odd {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        self.0[primitive_id as usize]
    }

    fn intersect(&self, _: u32, _: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        for &t in &self.1 {
            meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [f32::NAN; 3] });
        }
    }
}

#[test]
fn what_primitives_say_that_is_no_hit_is_none() {
    let unit = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 7.0];
    let build = |bounds: Aabb| {
        SceneBuilder::new().primitives(Arc::new(Odd(vec![unit, bounds], odd.to_vec())))
    };
    let scene = build(unit).and_then(SceneBuilder::build).unwrap();
    let hits = scene.cast(&Ray::line([0.5; 3], [1.0, 0.0, 0.0])).all().unwrap();
    let told: Vec<_> = hits.iter().map(|hit| (hit.t.to_bits(), hit.primitive_id)).collect();
    assert_eq!(told, [(0, 0), (0, 1), (7.0_f32.to_bits(), 0), (7.0_f32.to_bits(), 1)]);
    for bounds in [
        Aabb { min: [f32::NAN; 3], max: [1.0; 3] },
        Aabb { min: [0.0; 3], max: [1.0, f32::INFINITY, 1.0] },
        Aabb { min: [-2e30; 3], max: [1.0; 3] },
    ] {
        match build(bounds) {
            Err(Error::UnusableBounds { geometry_id: 0, primitive_id: 1, .. }) => (),
            other => panic!("{bounds:?}: {other:?}"),
        }
    }
    assert!(build(Aabb::EMPTY).is_ok());
}

/// Discs square to z, which keep the ends of the intervals that they are asked for.
#[derive(Debug)]
struct Stack(Mutex<Vec<f32>>);

const DISCS: u32 = 64;

impl Primitives for Stack {
    fn count(&self) -> usize {
        DISCS as usize
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        Aabb { min: [-1.0, -1.0, primitive_id as f32], max: [1.0, 1.0, primitive_id as f32] }
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        self.0.lock().unwrap().push(ray.t_max);
        let t = (primitive_id as f32 - ray.origin[2]) / ray.direction[2];
        // As one that stops at the end.
        if t <= ray.t_max {
            meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [0.0, 0.0, 1.0] });
        }
    }
}

#[test]
fn primitives_of_the_callers_own_are_told_the_nearest_t_so_far() {
    let stack = Arc::new(Stack(Mutex::new(Vec::new())));
    let scene =
        SceneBuilder::new().primitives(stack.clone()).and_then(SceneBuilder::build).unwrap();
    let placed = Arc::new(scene.deep_copy());
    let up = Affine::translation([0.0, 0.0, 8.0]);
    let outer = SceneBuilder::new()
        .instance(&placed, Affine::IDENTITY)
        .instance(&placed, up)
        .build()
        .unwrap();
    let ray = Ray::new([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]).with_interval(0.0, 100.0);
    let ends = || std::mem::take(&mut *stack.0.lock().unwrap());
    for scene in [&scene, &outer] {
        let asked = scene.cast(&ray);
        assert_eq!(asked.closest().unwrap().expect("a hit").t, 1.0);
        let near = ends();
        assert!(near.is_sorted_by(|a, b| a >= b) && near[0] == 100.0, "{near:?}");
        assert_eq!(asked.clone().brute_force().closest(), asked.closest());
        let all = ends();
        assert!(all.len() > DISCS as usize && all.contains(&1.0), "{all:?}");
        // Where every hit counts, the interval is that of the ray.
        asked.count().unwrap();
        assert!(ends().iter().all(|&end| end == 100.0));
    }
}
