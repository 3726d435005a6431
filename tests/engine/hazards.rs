//! What users of ray engines complain of most, each complaint a test that bears its name.

use crate::common::backends::{every_backend, same_on_every_backend};
use lanecast::testing::Way;
use lanecast::{
    Affine, Backend, Coherence, Hit, Ray, Scene, Segment, cast::PickLimit, scene::Pick,
};
use lanecast_reference::line::separation::separation;
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{RandomWorld, transform};
use lanecast_reference::vector::{dot, minus, vector};

fn scene_of(mesh: &Mesh) -> Scene {
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh")
}

/// Rays from a sphere around a mesh, three times as large, at random points near its middle.
fn rays_at_middle(count: usize, middle: [f32; 3], reach: f32, random: &mut Random) -> Vec<Ray> {
    let ray = |_| {
        let (from, to) = (random.direction(), random.point(-0.5, 0.5));
        let length = from.iter().map(|x| x * x).sum::<f32>().sqrt();
        let origin: [f32; 3] =
            std::array::from_fn(|axis| middle[axis] + 3.0 * reach * from[axis] / length);
        Ray::new(origin, std::array::from_fn(|axis| middle[axis] + reach * to[axis] - origin[axis]))
    };
    (0..count).map(ray).collect()
}

/// A square from −1 to 1 in the plane at a height, its diagonal through the middle.
fn sheet(z: f32) -> [[[f32; 3]; 3]; 2] {
    let [a, b, c, d] = [[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]];
    [[a, b, c], [a, c, d]]
}

#[test]
fn two_axis_parallel_rays_in_a_face_meet_the_box() {
    let scene = scene_of(&meshes::tessellated_box(3));
    for face in [-1.0, 1.0] {
        for axis in 0..3 {
            // Both run in the face where the coordinate `axis` is ±1, each along one of the other
            // axes.
            let rays = [1, 2].map(|turn| {
                let (mut origin, mut direction) = ([0.25; 3], [0.0; 3]);
                origin[axis] = face;
                origin[(axis + turn) % 3] = -4.0;
                direction[(axis + turn) % 3] = 2.0;
                Ray::new(origin, direction)
            });
            same_on_every_backend((face, axis), |backend| {
                rays.map(|ray| {
                    let request = scene.cast(&ray).backend(backend);
                    let hit =
                        request.closest().expect("sound").expect("the edge where the face begins");
                    assert_eq!(hit.t, 1.5, "{backend}: {ray:?}");
                    assert_eq!(request.count().expect("sound") % 2, 0, "{backend}: {ray:?}");
                    assert_eq!(
                        request.brute_force().closest(),
                        Ok(Some(hit)),
                        "{backend}: {ray:?}"
                    );
                    hit
                })
            });
        }
    }
}

#[test]
fn twenty_sheets_a_millionth_apart_are_all_found_in_order() {
    let mut heights: Vec<f32> = (0..20).map(|number| 1.0 + 1e-6 * number as f32).collect();
    let sorted = heights.clone();
    Random::new(1).shuffle(&mut heights);
    let triangles: Vec<_> = heights.iter().flat_map(|&z| sheet(z)).collect();
    let scene = scene_of(&Mesh::of_triangles(&triangles));
    let upwards = [0.0, 0.0, 1.0];
    // Straight through an inside and through the diagonals that two triangles share, and aslant.
    let rays = [
        Ray::new([0.25, -0.5, -1.0], upwards),
        Ray::new([0.5, 0.5, -1.0], upwards),
        Ray::new([0.0, 0.0, -1.0], upwards),
        Ray::new([-0.75, 0.125, -1.0], [0.5, 0.25, 1.0]),
    ];
    for backend in every_backend() {
        let hits = scene.cast(&rays).backend(backend).all().expect("answers");
        for (row, ray) in rays.iter().enumerate() {
            let all = hits.of_ray(row);
            let met: Vec<f32> =
                all.iter().map(|hit| heights[hit.primitive_id as usize / 2]).collect();
            assert_eq!(met, sorted, "{backend}: {ray:?}");
            assert!(
                all.windows(2).all(|pair| pair[0].t < pair[1].t),
                "{backend}: {ray:?}, {all:?}"
            );
        }
    }
}

/// What a pick of all tells, the hits found on this backend.
fn picks_on(backend: Backend, scene: &Scene, segment: &Segment) -> Vec<Pick> {
    let ray = Ray::segment(segment.start, segment.end);
    let hits = scene.cast(&ray).backend(backend).all().expect("sound");
    let picks: Vec<Pick> = hits.iter().map(|hit| scene.locate(&ray, hit).expect("a hit")).collect();
    assert_eq!(
        scene.cast(&Ray::from(*segment)).pick(PickLimit::All).as_ref(),
        Ok(&picks),
        "{backend}"
    );
    picks
}

/// Sheets at heights of their own, in frames so unlike that what is near in one is far in another.
#[test]
fn order_is_right_under_transforms() {
    let heights: Vec<usize> = (1..=24).collect();
    let mut shuffled = heights.clone();
    Random::new(9).shuffle(&mut shuffled);
    let scaled = |x: f64, y: f64, z: f64| {
        Affine::from_rows([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]])
    };
    let sheared =
        Affine::from_rows([[1.0, 0.5, -2.0, 0.0], [0.0, 1.0, 3.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    // So large that the segment goes through all of them.
    let square = Mesh::of_triangles(&sheet(1.0 / 64.0)).scaled(64.0);
    let flat = RandomWorld::of_meshes(vec![square], &[]);
    let placed: Vec<_> = shuffled
        .iter()
        .enumerate()
        .map(|(number, &height)| {
            // In the frame between them the first is a hundred times as far away as the last, or on
            // the other side.
            let stretch = (0.3 * (number as f64 - 12.0)).exp2() * [1.0, -1.0][number % 2];
            let inner =
                RandomWorld::of_meshes(vec![], &[(&flat, scaled(1.0, -1.0, 1.0 / stretch))]);
            let outer = scaled(1.0, 1.0, height as f64 * stretch);
            (inner, if number % 3 == 0 { outer * sheared } else { outer })
        })
        .collect();
    let placed: Vec<_> = placed.iter().map(|(inner, map)| (inner, *map)).collect();
    let scene = RandomWorld::of_meshes(vec![], &placed).scene;
    let segment = Segment::new([0.3, 0.2, 0.0], [2.7, -1.0, 32.0]);
    let hits = same_on_every_backend("sheets", |backend| picks_on(backend, &scene, &segment));
    let met: Vec<usize> =
        hits.iter().map(|pick| shuffled[pick.instance_path[0] as usize]).collect();
    assert_eq!(met, heights);
    for (pick, &height) in hits.iter().zip(&heights) {
        assert!((f64::from(pick.hit.t) - height as f64 / 32.0).abs() < 1e-5, "{pick:?}");
        assert!((pick.world_point[2] - height as f64).abs() < 1e-5, "{pick:?}");
    }
    // Of everything, placed in whatever way: as far along the segment as `t` says, and in that
    // order.
    let mut held = 0;
    for seed in 0..8 {
        let random = &mut Random::new(900 + seed);
        let world = RandomWorld::drawn(1 + seed as u32 % 3, random);
        for _ in 0..80 {
            let [start, end] = [(); 2].map(|()| random.point(-3.0, 3.0));
            let along = minus(vector(end), vector(start));
            let picks = same_on_every_backend(seed, |backend| {
                picks_on(backend, &world.scene, &Segment::new(start, end))
            });
            assert!(picks.is_sorted_by_key(|pick| pick.hit.t), "{picks:?}");
            for pick in &picks {
                let from_start = minus(pick.world_point, vector(start));
                let ratio = dot(from_start, along) / dot(along, along);
                assert!((f64::from(pick.hit.t) - ratio).abs() < 1e-2, "{ratio}: {pick:?}");
                held += 1;
            }
        }
    }
    assert!(held > 300, "{held}");
}

#[test]
fn a_cavity_is_outside() {
    let mut inner = meshes::icosphere(2, 0.5);
    inner.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let hollow = RandomWorld::of_meshes(vec![meshes::icosphere(3, 1.0).with(&inner)], &[]);
    let random = &mut Random::new(10);
    let maps = [(); 4].map(|()| transform(random));
    let placed = maps.map(|map| RandomWorld::of_meshes(vec![], &[(&hollow, map)]).scene);
    let placed = placed.iter().zip(maps);
    for (scene, map) in placed.chain([(&hollow.scene, Affine::IDENTITY)]) {
        let (mut points, mut expected) = (Vec::new(), Vec::new());
        for (distance, inside) in [(0.0, false), (0.4, false), (0.75, true), (1.25, false)] {
            for direction in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, -0.8]]
            {
                points.push(map.point(direction.map(|x: f64| distance * x)).map(|x| x as f32));
                expected.push(inside);
            }
        }
        for backend in every_backend() {
            let found = scene.points(&points).backend(backend).contains().expect("closed");
            for ((&point, &inside), status) in points.iter().zip(&expected).zip(found.status()) {
                let request = scene.point(point).backend(backend);
                assert_eq!(request.contains(), Ok(inside), "{backend}, {point:?}, {map:?}");
                assert_eq!(status.is_hit(), inside, "{backend}, {point:?}, {map:?}");
                let distance = request.signed_distance().expect("closed");
                assert_eq!(distance < 0.0, inside, "{backend}, {point:?}, {map:?}");
            }
        }
    }
}

#[test]
fn a_ray_through_an_edge_or_a_vertex_hits_exactly_once() {
    let mesh = meshes::icosphere(3, 1.0);
    let scene = scene_of(&mesh);
    for triangle in 0..mesh.triangles.len() {
        let [a, b, _] = mesh.corners(triangle);
        let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
        for target in [a, middle] {
            let ray = Ray::new([0.0; 3], target);
            assert!(scene.cast(&ray).any().expect("sound"), "{ray:?}");
            assert_eq!(scene.cast(&ray).count(), Ok(1), "{ray:?}");
        }
    }
}

/// That they take no longer than sound ones `bad_input` measures.
#[test]
fn nan_and_zero_rays_do_not_hang() {
    let scene = scene_of(&meshes::soup(2_000, &mut Random::new(5)));
    let numbers = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45];
    let mut rays = Vec::new();
    for a in numbers {
        for b in numbers {
            rays.push(Ray::new([a, b, 0.0], [b, a, a]));
            rays.push(Ray::new([0.5, a, b], [a, 1.0, b]).with_interval(b, a));
        }
    }
    for backend in every_backend() {
        let hits = scene.cast(&rays).backend(backend).closest().expect("answers");
        for (row, ray) in rays.iter().enumerate() {
            assert_eq!(
                hits.status()[row].is_invalid(),
                ray.defect().is_some(),
                "{backend}: {ray:?}"
            );
        }
    }
}

/// At survey coordinates vertices are coarse in `f32`; but the triangle that such vertices make is
/// named rightly.
#[test]
fn far_from_the_origin_the_right_triangle_is_named() {
    for far in [5e5_f32, 6.4e6] {
        let middle = [far, -0.5 * far, 0.25 * far];
        // So large that its triangles are some hundred steps of `f32` wide.
        let reach = far / 1e4;
        let mesh = meshes::icosphere(3, reach).moved(middle);
        let scene = scene_of(&mesh);
        let mut checked = 0;
        for ray in rays_at_middle(300, middle, reach, &mut Random::new(6)) {
            let meetings: Vec<_> = (0..mesh.triangles.len())
                .map(|triangle| separation(&ray, mesh.corners(triangle)))
                .collect();
            if meetings.iter().any(|meeting| meeting.clearance <= 2.0 * meeting.shift) {
                continue;
            }
            checked += 1;
            let met = (0..meetings.len()).filter(|&i| meetings[i].inside && meetings[i].t >= 0.0);
            let first = met.min_by(|&i, &j| meetings[i].t.total_cmp(&meetings[j].t));
            let found = scene
                .cast(&ray)
                .closest()
                .expect("sound")
                .map(|hit: Hit| hit.primitive_id as usize);
            assert_eq!(found, first, "{ray:?}");
        }
        assert!(checked > 200, "{checked} rays at {far:e} are not near an edge");
    }
}

#[test]
fn a_ray_from_a_surface_leaves_it_without_an_epsilon() {
    for scale in [1e-6, 1.0, 1e6] {
        let mesh = meshes::icosphere(3, scale);
        let scene = scene_of(&mesh);
        let inwards = rays_at_middle(200, [0.0; 3], scale, &mut Random::new(7));
        let hits = scene.cast(&inwards).closest().expect("answers");
        let back: Vec<Ray> = (0..inwards.len())
            .map(|row| {
                let direction = inwards[row].direction.map(|x| -x);
                Ray::new(
                    inwards[row].at(if hits.status()[row].is_hit() { hits.t()[row] } else { 0.0 }),
                    direction,
                )
            })
            .collect();
        let any =
            scene.cast(&back).skip(hits.geometry_id(), hits.primitive_id()).any().expect("answers");
        let stopped = any.status().iter().filter(|status| status.is_hit()).count();
        assert!(
            stopped <= 2,
            "{stopped} of {} at the scale {scale:e} meet where they start",
            back.len()
        );
    }
}

/// Where sums of three products overflow `f32`, and where t rounds up to 0 from below the least
/// subnormal.
#[test]
fn any_hit_agrees_with_closest_at_huge_triangles() {
    let (w, k) = (2.0_f32.powi(42), 2.0_f32.powi(43));
    let triangle = |[a, b, c]: [f32; 3], w: f32| [[0.0, w, a], [-w, -w, b], [w, -w, c]];
    let cases = [
        (triangle([1.1 * k, -1.8 * k, -1.8 * k], w), 1.0, f32::INFINITY),
        (triangle([-1.1 * k, 1.8 * k, 1.8 * k], w), 1.0, f32::INFINITY),
        (triangle([5.1 * k, 2.2 * k, 2.2 * k], w), 1.0, 4.0 * k),
        (triangle([-2.0_f32.powi(-51); 3], 2.0_f32.powi(-34)), 2.0_f32.powi(100), f32::INFINITY),
    ];
    for (triangle, along, t_max) in cases {
        let scene = Scene::from_triangles(&triangle, &[[0, 1, 2]]).expect("finite");
        let ray = Ray { t_max, ..Ray::new([0.0; 3], [0.0, 0.0, along]) };
        let rays = vec![ray; 500];
        for backend in every_backend() {
            let meets = scene.cast(&ray).backend(backend).closest().expect("sound").is_some();
            assert_eq!(
                scene.cast(&ray).backend(backend).any(),
                Ok(meets),
                "{backend}: {triangle:?}"
            );
            let casts = [
                scene.cast(&rays).coherence(Coherence::Coherent),
                scene.cast(&rays).coherence(Coherence::Incoherent).way(Way::Streams),
                scene.cast(&rays).coherence(Coherence::Incoherent).way(Way::InFlight),
                scene.cast(&rays).brute_force(),
            ];
            for cast in casts {
                let any = cast.backend(backend).any().expect("sound");
                let agrees = any.status().iter().all(|status| status.is_hit() == meets);
                assert!(agrees, "{backend}: {triangle:?} {meets}");
            }
        }
    }
}
