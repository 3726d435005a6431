//! Boxes, oriented boxes, spheres and primitives of the caller's own in one scene with triangles: held against a scan, bit
//! for bit, and against the same shapes in `f64`.

use crate::common::answers::Answers;
use crate::common::backends::every_backend;
use lanecast::primitive::{Obb, Primitives, Sphere, SurfacePoint};
use lanecast::{
    Aabb, Affine, CastOptions, Contact, Culling, Error, Hit, HitBatch, INVALID_ID, PointGrid, Ray, RayBatch,
    Scene, SceneBuilder, Status, Threads,
};
use lanecast_reference::brute_force::cast;
use lanecast_reference::judge::are_all;
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::orthonormal;
use lanecast_reference::vector::{dot, minus};
use lanecast_reference::world::World;
use std::sync::Arc;

const RAYS: usize = if cfg!(debug_assertions) { 200 } else { 4_000 };

/// Discs in planes z = constant: x, y and z of the middle, and the radius.
#[derive(Debug, Clone)]
struct Discs(Vec<[f32; 4]>);

impl Primitives for Discs {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        let [x, y, z, r] = self.0[primitive_id as usize];
        Aabb { min: [x - r, y - r, z], max: [x + r, y + r, z] }
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let [x, y, z, r] = self.0[primitive_id as usize].map(f64::from);
        let (o, d) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
        let t = (z - o[2]) / d[2];
        let [px, py] = [o[0] + t * d[0] - x, o[1] + t * d[1] - y];
        if px * px + py * py <= r * r {
            meet(SurfacePoint { t: t as f32, u: px as f32, v: py as f32, normal: [0.0, 0.0, 1.0] });
        }
    }
}

/// What a scene is made of, in the order of its geometries: a mesh, boxes, spheres, discs, another mesh, oriented boxes.
struct Mixed {
    scene: Scene,
    boxes: Vec<Aabb>,
    spheres: Vec<Sphere>,
    oriented: Vec<Obb>,
}

fn mixed(seed: u64) -> Mixed {
    let random = &mut Random::new(seed);
    let (soup, ball) = (meshes::soup(60, random), meshes::icosphere(1, 0.4));
    let count = if seed.is_multiple_of(3) { 3 } else { 60 };
    let mut boxes: Vec<Aabb> = (0..count)
        .map(|_| {
            let (a, b) = (random.point(-1.0, 1.0), random.point(0.0, 0.3));
            Aabb { min: a, max: std::array::from_fn(|axis| a[axis] + b[axis]) }
        })
        .collect();
    boxes.push(Aabb::EMPTY);
    boxes.push(boxes[0]);
    boxes.push(Aabb { max: [boxes[1].max[0], boxes[1].max[1], boxes[1].min[2]], ..boxes[1] });
    let mut spheres: Vec<Sphere> =
        (0..count).map(|_| Sphere::new(random.point(-1.0, 1.0), random.between(0.02, 0.3))).collect();
    spheres.push(Sphere::new([0.0; 3], -1.0));
    spheres.push(Sphere::new([0.0; 3], 3.0));
    let discs = Discs(
        (0..count)
            .map(|_| {
                let [x, y, z] = random.point(-1.0, 1.0);
                [x, y, z, random.between(0.05, 0.4)]
            })
            .collect(),
    );
    let oriented = (0..count)
        .map(|_| {
            let axes = orthonormal(random);
            Obb::new(random.point(-1.0, 1.0), axes, random.point(0.0, 0.3)).expect("orthonormal axes")
        })
        .collect::<Vec<Obb>>();
    let scene = SceneBuilder::new()
        .triangle_mesh(&soup.vertices, &soup.triangles)
        .and_then(|builder| builder.boxes(&boxes))
        .and_then(|builder| builder.spheres(&spheres))
        .and_then(|builder| builder.primitives(Arc::new(discs)))
        .and_then(|builder| builder.triangle_mesh(&ball.vertices, &ball.triangles))
        .and_then(|builder| builder.oriented_boxes(&oriented))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    assert_eq!(scene.validate(), Ok(()));
    Mixed { scene, boxes, spheres, oriented }
}

/// Rays at everything, from near and far, along axes and in faces, and some that cannot be cast.
fn rays_at(mixed: &Mixed, random: &mut Random) -> Vec<Ray> {
    (0..RAYS)
        .map(|_| {
            let far = random.pick(&[1.0, 3.0, 3.0, 30.0, 3e4]);
            let origin = random.point(-far, far);
            let Aabb { min, max } = mixed.boxes[random.below(3)];
            let target = match random.below(4) {
                0 => std::array::from_fn(|axis| random.pick(&[min[axis], max[axis]])),
                1 => {
                    let Sphere { center, radius } = mixed.spheres[random.below(3)];
                    let d = random.direction();
                    std::array::from_fn(|axis| center[axis] + radius * d[axis])
                }
                2 => mixed.oriented[random.below(3)].center,
                _ => random.point(-1.0, 1.0),
            };
            let ray = Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]));
            match random.below(12) {
                0 => Ray { direction: [0.0; 3], ..ray },
                1 => Ray::new([min[0], max[1], min[2] - 1.0], [0.0, 0.0, 1.0]),
                2 => Ray::new([min[0], 0.5 * (min[1] + max[1]), -2.0], [0.0, -0.0, 0.5]),
                3 => Ray::line(origin, ray.direction),
                4 => ray.with_interval(0.9, 1.0),
                _ => ray,
            }
        })
        .collect()
}

#[test]
fn mixed_primitives_answer_as_a_scan() {
    for seed in 0..6 {
        let mixed = mixed(seed);
        let rays = rays_at(&mixed, &mut Random::new(seed + 50));
        let batch = &RayBatch::from_rays(&rays);
        for culling in [Culling::None, Culling::Back, Culling::Front] {
            let mut first = None;
            for backend in every_backend() {
                let options = CastOptions::new().normals(true).culling(culling).backend(backend);
                let found = Answers::of(&mixed.scene, batch, &options);
                for other in [options.clone().brute_force(), options.clone().threads(&Threads::ONE)] {
                    assert!(found == Answers::of(&mixed.scene, batch, &other), "scene {seed}, {other:?}");
                }
                let first = first.get_or_insert(found);
                assert!(
                    *first == Answers::of(&mixed.scene, batch, &options),
                    "scene {seed}, {backend}: other bits"
                );
            }
        }
        let answers = Answers::of(&mixed.scene, batch, &CastOptions::new());
        for (row, ray) in rays.iter().enumerate() {
            let status = answers.closest.status()[row];
            assert_eq!(answers.any.status()[row], status);
            if status.is_invalid() {
                assert_eq!(mixed.scene.cast(ray).closest(), Err(Error::InvalidRay { status }));
                continue;
            }
            let all = answers.all.of_ray(row);
            let cast = mixed.scene.cast(ray);
            assert_eq!(cast.closest().unwrap(), answers.closest.hit(row));
            assert_eq!(cast.all().unwrap(), all);
            assert_eq!(answers.nearest.of_ray(row), &all[..all.len().min(row % 4)]);
            assert_eq!(answers.counts.count()[row] as usize, all.len());
            assert!(all.iter().all(|hit| hit.instance_id == INVALID_ID));
        }
    }
}

#[test]
fn hits_lie_on_the_surfaces_and_none_is_missing() {
    let (mut compared, mut open) = (0, 0);
    for seed in 0..6 {
        let mixed = mixed(seed);
        let world = World::of_scene(&mixed.scene).unwrap();
        for ray in rays_at(&mixed, &mut Random::new(seed + 50)) {
            if ray.defect().is_some() {
                continue;
            }
            let line = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
            let (all, expected) = (mixed.scene.cast(&line).all().unwrap(), cast(&world, &line));
            let crossings: Vec<_> =
                expected.meetings.iter().filter(|meeting| meeting.passage.crosses).collect();
            let status = if all.is_empty() { Status::Miss } else { Status::Hit };
            assert!(are_all(&all, status, &crossings), "{seed}: {ray:?} met {all:?}, not {crossings:?}");
            let solid = all.iter().filter(|hit| [1, 2, 5].contains(&hit.geometry_id)).count();
            assert_eq!(solid % 2, 0, "{ray:?} leaves what it enters");
            compared += all.iter().filter(|hit| [1, 2, 3, 5].contains(&hit.geometry_id)).count();
            open += crossings.iter().filter(|meeting| !meeting.is_certain).count();
        }
    }
    assert!(compared > 1_000 && open < compared / 20, "{compared} and {open}");
}

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
    for (point, inside) in
        [([0.5; 3], true), ([1.5, 0.5, 0.5], false), ([3.0, 0.9, 0.0], true), ([3.0, 0.9, 0.9], false)]
    {
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
    let own =
        SceneBuilder::new().primitives(Arc::new(spheres.to_vec())).and_then(SceneBuilder::build).unwrap();
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

/// The status, the hit and the normal of each row, but for the instance.
fn without_instances(hits: &HitBatch) -> Vec<(Status, Option<Hit>, [f32; 3])> {
    let row = |row: usize| {
        let hit = hits.hit(row).map(|hit| Hit { instance_id: INVALID_ID, ..hit });
        (hits.status()[row], hit, hits.geometric_normal()[row])
    };
    (0..hits.len()).map(row).collect()
}

#[test]
fn shapes_are_placed_masked_and_skipped_as_triangles_are() {
    let mixed = mixed(1);
    let rays = rays_at(&mixed, &mut Random::new(7));
    let rays: Vec<Ray> = rays.into_iter().filter(|ray| ray.defect().is_none()).collect();
    let batch = &RayBatch::from_rays(&rays);
    let mut masked = mixed.scene.deep_copy();
    masked.set_mask(2, 0).unwrap();
    let scene = Arc::new(mixed.scene);
    let placed = SceneBuilder::new().instance(&scene, Affine::IDENTITY).build().unwrap();
    let options = &CastOptions::new().normals(true).contact(Contact::Touch);
    let (plain, found) = (Answers::of(&scene, batch, options), Answers::of(&placed, batch, options));
    for (id, status) in found.closest.instance_id().iter().zip(found.closest.status()) {
        assert_eq!(*id == INVALID_ID, *status == Status::Miss);
    }
    let halves = |answers: &Answers| {
        [&answers.closest, answers.line.ahead(), answers.line.behind()].map(without_instances)
    };
    assert!(halves(&plain) == halves(&found), "in its place nothing changes");
    assert!((&plain.any, &plain.counts) == (&found.any, &found.counts), "in its place nothing changes");
    for (plain, found) in [(&plain.all, &found.all), (&plain.nearest, &found.nearest)] {
        assert_eq!((plain.status(), plain.offsets()), (found.status(), found.offsets()));
        let hits = found.hits().iter().map(|hit| Hit { instance_id: INVALID_ID, ..*hit });
        assert!(hits.eq(plain.hits().iter().copied()), "in its place nothing changes");
    }
    let (geometry_ids, primitive_ids) = (plain.closest.geometry_id(), plain.closest.primitive_id());
    let others = scene.cast(batch).with(options).skip(geometry_ids, primitive_ids).closest().unwrap();
    let hidden = Answers::of(&masked, batch, options);
    for row in 0..rays.len() {
        let all = plain.all.of_ray(row);
        let first = all.first().map(|hit| (hit.geometry_id, hit.primitive_id));
        let next = all.iter().find(|hit| Some((hit.geometry_id, hit.primitive_id)) != first);
        assert_eq!(others.hit(row), next.copied());
        let seen: Vec<Hit> = all.iter().filter(|hit| hit.geometry_id != 2).copied().collect();
        assert_eq!(hidden.all.of_ray(row), seen);
    }
}

#[test]
fn normals_point_outwards() {
    let mixed = mixed(2);
    let rays = rays_at(&mixed, &mut Random::new(8));
    let hits = mixed.scene.cast(&rays).normals(true).closest().unwrap();
    let mut compared = 0;
    for (row, ray) in rays.iter().enumerate() {
        let Some(hit) = hits.hit(row) else { continue };
        let normal = hits.geometric_normal()[row].map(f64::from);
        let at: [f64; 3] = std::array::from_fn(|axis| {
            f64::from(ray.origin[axis]) + f64::from(hit.t) * f64::from(ray.direction[axis])
        });
        let center = match hit.geometry_id {
            2 => mixed.spheres[hit.primitive_id as usize].center,
            5 => mixed.oriented[hit.primitive_id as usize].center,
            _ => continue,
        };
        let out = minus(at, center.map(f64::from));
        assert!(dot(normal, out) > 0.0 || dot(out, out) < 1e-6, "{hit:?}: {normal:?} and {out:?}");
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
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
    let build =
        |bounds: Aabb| SceneBuilder::new().primitives(Arc::new(Odd(vec![unit, bounds], odd.to_vec())));
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
