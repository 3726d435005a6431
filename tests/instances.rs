//! Scenes placed in scenes: held against a scan without boxes, bit for bit, and against every triangle where it is
//! placed, in `f64`.

mod common;
mod reference;

use common::answers::Answers;
use common::backends::every_backend;
use common::meshes;
use common::nests::{self, Nest, Placed};
use common::random::Random;
use lanecast::makers::SightLines;
use lanecast::{
    Affine, AllHitsBatch, CastOptions, Contact, CostBatch, Culling, Error, Hit, HitBatch, INVALID_ID,
    LineHits, Ray, RayBatch, Scene, SceneBuilder, Side, SightMatrix, Status, Threads,
};
use reference::{cross, dot, minus};
use std::sync::Arc;

const RAYS: usize = if cfg!(debug_assertions) { 150 } else { 1_500 };
const NESTS: u64 = if cfg!(debug_assertions) { 12 } else { 40 };

/// Rays at what is there, past it, from far away, along axes, and some that cannot be cast.
fn rays_at(triangles: &[Placed], random: &mut Random) -> Vec<Ray> {
    (0..RAYS)
        .map(|_| {
            let far = random.pick(&[3.0, 3.0, 30.0, 3e4]);
            let origin = random.point(-far, far);
            let Placed { corners: [a, b, c], .. } = &triangles[random.below(triangles.len())];
            let [u, v] = random.pick(&[[0.0, 0.0], [0.5, 0.0], [0.25, 0.5], [0.3, 0.3]]);
            let target: [f64; 3] =
                std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
            let scale = random.pick(&[1.0, 0.01, 40.0]);
            let ray =
                Ray::new(origin, std::array::from_fn(|axis| scale * (target[axis] as f32 - origin[axis])));
            match random.below(12) {
                0 => Ray { direction: [0.0; 3], ..ray },
                1 => Ray::new(random.point(-2.0, 2.0), random.direction()),
                2 => Ray::new(
                    random.point(-2.0, 2.0),
                    random.pick(&[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 2.0]]),
                ),
                3 => Ray::line(origin, ray.direction),
                4 => ray.with_interval(0.5 / scale, 1.0 / scale),
                5 => ray.with_interval(f32::NAN, 1.0),
                _ => ray,
            }
        })
        .collect()
}

/// Filters of one type: all queries are compiled anew for each.
type Accepts<'a> = &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync);

fn drawn(seed: u64) -> (Nest, Vec<Ray>) {
    let mut random = Random::new(seed);
    let nest = Nest::drawn(1 + seed as u32 % 3, &mut random);
    let rays = rays_at(&nest.triangles, &mut random);
    (nest, rays)
}

#[test]
fn instances_answer_as_a_scan_of_all_they_hold() {
    let mut met = 0;
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let rays = &RayBatch::from_rays(&rays);
        let options = &CastOptions::new().normals(true);
        let mut first = None;
        for backend in every_backend() {
            let mut scene = Scene::clone(&nest.scene);
            scene.set_backend(backend);
            let expected = Answers::of_scan(&scene, rays, options);
            for threads in [Threads::ONE, Threads::ALL] {
                let found = Answers::of(&scene, rays, &options.clone().threads(threads));
                assert!(found == expected, "nest {seed}, {backend}");
            }
            met += expected.counts.count.iter().sum::<u32>();
            let first = first.get_or_insert(expected);
            assert!(*first == Answers::of(&scene, rays, options), "nest {seed}, {backend}: other bits");
        }
    }
    assert!(met > 1_000, "{met}");
}

/// What all that a line touches says.
fn nearest_on_either_side(scene: &Scene, line: &Ray) -> LineHits {
    let (lines, touching) = (std::slice::from_ref(line), CastOptions::new().contact(Contact::Touch));
    let mut all = AllHitsBatch::new();
    scene.all_hits_batch(&RayBatch::from_rays(lines), &touching, &mut all).unwrap();
    let last = all.hits.iter().rev().find(|hit| hit.t <= 0.0);
    // Of several at that `t` the first.
    let behind = last.and_then(|last| all.hits.iter().find(|hit| hit.t == last.t));
    LineHits { ahead: all.hits.iter().find(|hit| hit.t >= 0.0).copied(), behind: behind.copied() }
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
        met += expected.counts.count.iter().sum::<u32>();
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
            let status = answers.closest.status[row];
            if status.is_invalid() {
                for status in [answers.any.status[row], answers.counts.status[row], answers.all.status[row]] {
                    assert_eq!(status, answers.closest.status[row]);
                }
                assert_eq!(scene.closest_hit(ray), Err(Error::InvalidRay { status }));
                continue;
            }
            assert_eq!(answers.any.status[row], status, "{ray:?}");
            assert_eq!(scene.closest_hit(ray).unwrap(), answers.closest.hit(row));
            assert_eq!(scene.any_hit(ray).unwrap(), status.is_hit());
            let all = answers.all.of_ray(row);
            assert_eq!(scene.all_hits(ray).unwrap(), all);
            assert_eq!(scene.count_hits(ray).unwrap() as usize, all.len());
            assert_eq!(answers.counts.count[row] as usize, all.len());
            assert_eq!(answers.line.of_line(row), scene.line_hits(ray).unwrap());
            assert_eq!(answers.line.of_line(row), nearest_on_either_side(scene, ray));
            let most = row % 4;
            assert_eq!(answers.nearest.of_ray(row), &all[..all.len().min(most)]);
            assert_eq!(scene.nearest_hits(ray, most as u32).unwrap(), answers.nearest.of_ray(row));
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

fn reach(ray: &Ray) -> f32 {
    ray.origin.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// Where a line meets the plane of a triangle, and how far inside of the triangle: the least of its three weights.
fn meeting(ray: &Ray, corners: &[[f64; 3]; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = *corners;
    let (o, d) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    let (e, f, s) = (minus(b, a), minus(c, a), minus(o, a));
    let p = cross(d, f);
    let determinant = dot(e, p);
    let (u, q) = (dot(s, p) / determinant, cross(s, e));
    let v = dot(d, q) / determinant;
    let t = dot(f, q) / determinant;
    // Nearly edge-on it takes little to turn it.
    let lengths = |v: [f64; 3]| dot(v, v).sqrt();
    let sine = determinant.abs() / (lengths(cross(e, f)) * lengths(d));
    (sine > 1e-2).then_some((t, u.min(v).min(1.0 - u - v)))
}

#[test]
fn the_first_hit_is_that_on_the_triangles_where_they_are_placed() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        for ray in &rays {
            let reach = reach(ray);
            if ray.defect().is_some() || reach > 100.0 {
                continue;
            }
            let speed = dot(ray.direction.map(f64::from), ray.direction.map(f64::from)).sqrt();
            // Ten thousand roundings of the greatest coordinate; triangles have edges of a tenth and more.
            let (room, margin) = (6e-4 * f64::from(reach.max(3.0)) / speed, 1e-2 * f64::from(reach.max(3.0)));
            let found = nest.scene.closest_hit(ray).unwrap();
            let [t_min, t_max] = [ray.t_min, ray.t_max].map(f64::from);
            let nearest = nest
                .triangles
                .iter()
                .filter_map(|triangle| meeting(ray, &triangle.corners))
                .filter(|&(t, inside)| inside > margin && t_min + room < t && t < t_max - room)
                .map(|(t, _)| t)
                .fold(f64::INFINITY, f64::min);
            let Some(hit) = found else {
                assert_eq!(nearest, f64::INFINITY, "nest {seed}: {ray:?} meets something");
                misses += 1;
                continue;
            };
            hits += 1;
            assert!(
                f64::from(hit.t) <= nearest + room,
                "nest {seed}: {ray:?} met {hit:?}, not what is at {nearest}"
            );
            if let Some((t, inside)) = meeting(ray, &nest.of(&hit).corners) {
                assert!((t - f64::from(hit.t)).abs() <= room, "nest {seed}: {ray:?}: {t} and {hit:?}");
                assert!(inside > -margin, "nest {seed}: {ray:?} met {hit:?} from {inside} outside");
            }
        }
    }
    assert!(hits > 500 && misses > 50, "{hits} and {misses}");
}

#[test]
fn normals_are_those_of_the_triangles_where_they_are_placed() {
    let mut compared = 0;
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let mut hits = HitBatch::new();
        nest.scene
            .closest_hit_batch(&RayBatch::from_rays(&rays), &CastOptions::new().normals(true), &mut hits)
            .unwrap();
        for row in 0..rays.len() {
            let Some(hit) = hits.hit(row) else {
                assert_eq!(hits.geometric_normal[row], [0.0; 3]);
                continue;
            };
            let [a, b, c] = nest.of(&hit).corners;
            let expected = cross(minus(b, a), minus(c, a));
            let off = minus(expected, hits.geometric_normal[row].map(f64::from));
            let [off, length] = [off, expected].map(|v| dot(v, v).sqrt());
            assert!(off <= 1e-5 * length, "{:?} is not {expected:?}", hits.geometric_normal[row]);
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn t_is_unchanged_by_the_transform() {
    let mesh = meshes::icosphere(2, 1.0);
    let plain = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    // Maps by which nothing is rounded.
    let (scale, moved) = (4.0, [64.0, -32.0, 16.0]);
    let placed = SceneBuilder::new()
        .instance(
            &plain,
            Affine::from_rows([
                [0.0, -scale, 0.0, moved[0]],
                [scale, 0.0, 0.0, moved[1]],
                [0.0, 0.0, scale, moved[2]],
            ]),
        )
        .build()
        .unwrap();
    let mut random = Random::new(5);
    for _ in 0..RAYS {
        // Twelve bits, so that there is room for the translation.
        let coarse = |v: [f32; 3]| v.map(|x| (x * 512.0).round() / 512.0);
        let (origin, direction) = (coarse(random.point(-2.0, 2.0)), coarse(random.direction()));
        let map = |[x, y, z]: [f32; 3], by: [f64; 3]| {
            [
                -scale as f32 * y + by[0] as f32,
                scale as f32 * x + by[1] as f32,
                scale as f32 * z + by[2] as f32,
            ]
        };
        let ray = Ray::new(map(origin, moved), map(direction, [0.0; 3]));
        let expected = plain.closest_hit(&Ray::new(origin, direction)).unwrap();
        let found = placed.closest_hit(&ray).unwrap();
        assert_eq!(found, expected.map(|hit| Hit { instance_id: 0, ..hit }), "{ray:?}");
    }
}

/// The cosine of the angle between a ray and a triangle's normal.
fn slope(&[a, b, c]: &[[f64; 3]; 3], ray: &Ray) -> f64 {
    let (normal, direction) = (cross(minus(b, a), minus(c, a)), ray.direction.map(f64::from));
    dot(normal, direction) / (dot(normal, normal) * dot(direction, direction)).sqrt()
}

/// Whether it takes more than a rounding to see any triangle from its other side.
fn sees_no_edge(nest: &Nest, ray: &Ray) -> bool {
    let (rays, touching) = (std::slice::from_ref(ray), CastOptions::new().contact(Contact::Touch));
    let mut hits = AllHitsBatch::new();
    nest.scene.all_hits_batch(&RayBatch::from_rays(rays), &touching, &mut hits).unwrap();
    hits.hits.iter().all(|hit| slope(&nest.of(hit).corners, ray).abs() > 1e-3)
}

#[test]
fn what_a_ray_leaves_out_is_left_out_in_instances_too() {
    let mut kept = 0;
    for seed in 0..NESTS {
        let (nest, mut rays) = drawn(seed);
        // From far away a rounding of the triangles turns them.
        rays.retain(|ray| reach(ray) < 100.0 && sees_no_edge(&nest, ray));
        let mut scene = Scene::clone(&nest.scene);
        let mut random = Random::new(seed + 100);
        let mut instance_masks = Vec::new();
        for instance in 0..scene.instance_count() {
            let mask = random.pick(&[0b01, 0b11, 0b10, 0]);
            scene.set_instance_mask(instance, mask).unwrap();
            assert_eq!(scene.instance_mask(instance), Ok(mask));
            instance_masks.push(mask);
        }
        let batch = &RayBatch::from_rays(&rays);
        let mut all = AllHitsBatch::new();
        let touching = CastOptions::new().contact(Contact::Touch);
        nest.scene.all_hits_batch(batch, &touching, &mut all).unwrap();
        let masks: Vec<u32> = rays.iter().map(|_| random.pick(&[0b01, 0b10, u32::MAX])).collect();
        let culling: Vec<Culling> =
            rays.iter().map(|_| random.pick(&[Culling::None, Culling::Back, Culling::Front])).collect();
        // The triangle that comes first, or that of another ray.
        let skipped: Vec<Hit> = (0..rays.len())
            .map(|row| {
                let of = if random.below(3) == 0 { random.below(rays.len()) } else { row };
                all.of_ray(of).first().copied().unwrap_or(Hit::NONE)
            })
            .collect();
        let [geometry_ids, primitive_ids, instance_ids] = [
            skipped.iter().map(|hit| hit.geometry_id).collect::<Vec<u32>>(),
            skipped.iter().map(|hit| hit.primitive_id).collect(),
            skipped.iter().map(|hit| hit.instance_id).collect(),
        ];
        let options = &touching
            .clone()
            .masks(&masks)
            .culling_of_each(&culling)
            .skip(&geometry_ids, &primitive_ids)
            .skip_in(&instance_ids);
        let side = |row: usize, hit: &Hit| {
            if slope(&nest.of(hit).corners, &rays[row]) < 0.0 { Side::Front } else { Side::Back }
        };
        let accepts: Accepts<'_> =
            &|row, hit, _| !(row as u32 + hit.primitive_id + hit.instance_id / 2).is_multiple_of(5);
        let accepts_from: Accepts<'_> = &|row, hit, from| accepts(row, hit, from) && from == side(row, hit);
        let mut expected = AllHitsBatch::new();
        expected.status = all.status.clone();
        for row in 0..rays.len() {
            expected.offsets.push(expected.hits.len());
            for hit in all.of_ray(row) {
                let path = nest.scene.instance_path(hit.instance_id).unwrap();
                let seen = path.first().map_or(u32::MAX, |&instance| instance_masks[instance as usize]);
                let lets_pass = match culling[row] {
                    Culling::None => true,
                    Culling::Back => side(row, hit) == Side::Front,
                    Culling::Front => side(row, hit) == Side::Back,
                };
                let ids = |hit: &Hit| (hit.instance_id, hit.geometry_id, hit.primitive_id);
                if seen & masks[row] != 0
                    && lets_pass
                    && ids(hit) != ids(&skipped[row])
                    && accepts(row, hit, side(row, hit))
                {
                    expected.hits.push(*hit);
                    kept += 1;
                }
            }
            if expected.status[row].is_hit() && expected.hits.len() == expected.offsets[row] {
                expected.status[row] = Status::Miss;
            }
        }
        expected.offsets.push(expected.hits.len());
        for backend in every_backend() {
            scene.set_backend(backend);
            let mut found = AllHitsBatch::new();
            scene.filter(accepts_from).all_hits_batch(batch, options, &mut found).unwrap();
            assert!(found == expected, "nest {seed}, {backend}");
            scene.scan().filter(accepts_from).all_hits_batch(batch, options, &mut found).unwrap();
            assert!(found == expected, "nest {seed}, {backend}: scan");
            let mut closest = HitBatch::new();
            scene.filter(accepts).closest_hit_batch(batch, options, &mut closest).unwrap();
            for row in 0..rays.len() {
                assert_eq!(closest.hit(row), expected.of_ray(row).first().copied(), "nest {seed}, {backend}");
            }
        }
    }
    assert!(kept > 200, "{kept}");
}

#[test]
fn the_answers_of_a_scene_without_instances_say_what_to_skip_there() {
    let mesh = meshes::icosphere(1, 1.0);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap();
    let rays = [Ray::new([0.1, 0.2, 3.0], [0.0, 0.0, -1.0])];
    let (rays, mut hits, mut others) = (RayBatch::from_rays(&rays), HitBatch::new(), HitBatch::new());
    scene.closest_hit_batch(&rays, &CastOptions::new(), &mut hits).unwrap();
    let options = CastOptions::new().skip(&hits.geometry_id, &hits.primitive_id).skip_in(&hits.instance_id);
    scene.closest_hit_batch(&rays, &options, &mut others).unwrap();
    assert!(hits.t[0] < 2.5 && others.t[0] > 3.5, "{} and {}", hits.t[0], others.t[0]);
    // An answer that is not empty must be as long as there are rays.
    let wrong = [0; 2];
    let refused = scene.closest_hit_batch(&rays, &CastOptions::new().skip_in(&wrong), &mut others);
    assert!(
        matches!(refused, Err(Error::ColumnLength { column: "instance ids to skip", .. })),
        "{refused:?}"
    );
}

#[test]
fn a_point_is_inside_of_what_is_placed_around_it() {
    let shell = meshes::icosphere(2, 1.0);
    let hollow = shell.clone().with(&{
        let mut cavity = meshes::icosphere(2, 0.5);
        cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        cavity
    });
    let ball = Nest::new(&[hollow], &[]);
    let mut random = Random::new(9);
    let (first, second) = (nests::transform(&mut random), nests::transform(&mut random));
    let mirrored = Affine::from_rows([[-1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let pair = Nest::new(&[], &[(&ball, first), (&ball, mirrored)]);
    let scene = Nest::new(&[], &[(&pair, second)]).scene;
    assert_eq!(scene.open_edge(), None);
    let mut inside = 0;
    for _ in 0..4 * RAYS {
        let local = random.point(-1.2, 1.2);
        let distance = local.iter().map(|x| x * x).sum::<f32>().sqrt();
        // The facets lie a little inside of the spheres.
        if [0.5_f32, 1.0].iter().any(|radius| (distance - radius).abs() < 0.05) {
            continue;
        }
        let placed = second.after(&random.pick(&[first, mirrored])).point(local.map(f64::from));
        let expected = scene.scan().contains(placed.map(|x| x as f32)).unwrap();
        assert_eq!(scene.contains(placed.map(|x| x as f32)).unwrap(), expected);
        if 0.5 < distance && distance < 1.0 {
            assert!(expected, "{local:?} is in the wall of one of them");
            inside += 1;
        }
    }
    assert!(inside > 100, "{inside}");
    // Alone, so that the other does not fill it.
    let alone = Nest::new(&[], &[(&ball, mirrored)]).scene;
    assert_eq!(alone.contains([5.0, 0.0, 0.0]), Ok(false), "a_cavity_is_outside");
    assert_eq!(alone.contains([5.75, 0.0, 0.0]), Ok(true));
}

#[test]
fn sight_is_broken_by_what_is_placed() {
    let (nest, _) = drawn(4);
    let mut random = Random::new(11);
    let [observers, targets] = [(); 2].map(|()| (0..70).map(|_| random.point(-3.0, 3.0)).collect::<Vec<_>>());
    let lines = SightLines::new(&observers, &targets).unwrap();
    let (mut matrix, mut scan) = (SightMatrix::default(), SightMatrix::default());
    nest.scene.sight(&lines, &CastOptions::new(), &mut matrix).unwrap();
    nest.scene.scan().sight(&lines, &CastOptions::new(), &mut scan).unwrap();
    assert_eq!(matrix, scan);
    let mut broken = 0;
    for observer in 0..observers.len() {
        for target in 0..targets.len() {
            let obstacle = nest.scene.first_obstacle(&lines, observer, target).unwrap();
            assert_eq!(matrix.sees(observer, target), obstacle.is_none());
            broken += usize::from(obstacle.is_some());
        }
    }
    assert!(broken > 100 && broken < 4_800, "{broken}");
}

#[test]
fn scenes_of_nothing_can_be_placed_and_are_never_met() {
    let nothing =
        Arc::new(SceneBuilder::new().boxes(&[lanecast::Aabb::EMPTY]).and_then(SceneBuilder::build).unwrap());
    let soup = meshes::soup(30, &mut Random::new(3));
    let builder = SceneBuilder::new().triangle_mesh(&soup.vertices, &soup.triangles).unwrap();
    let scene = builder.instance(&nothing, Affine::translation([1.0, 2.0, 3.0])).build().unwrap();
    assert_eq!(scene.bounds(), Scene::from_triangles(&soup.vertices, &soup.triangles).unwrap().bounds());
    assert!(
        Arc::new(SceneBuilder::new().instance(&nothing, Affine::IDENTITY).build().unwrap())
            .bounds()
            .is_empty()
    );
    let ray = Ray::segment([2.0; 3], [-2.0; 3]);
    assert_eq!(scene.count_hits(&ray), scene.scan().count_hits(&ray));
}

#[test]
fn moved_instances_are_where_they_were_moved_to() {
    for seed in 0..NESTS {
        let mut random = Random::new(seed);
        let ball = Nest::new(&[meshes::soup(30, &mut random)], &[]);
        let maps: Vec<Affine> = (0..40).map(|_| nests::transform(&mut random)).collect();
        let mut moved = SceneBuilder::new();
        for map in &maps {
            moved = moved.instance(&ball.scene, *map);
        }
        let mut moved = moved.build().unwrap();
        // The tree over the old places is made before anything moves.
        moved.closest_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).unwrap();
        let mut placed: Vec<_> = maps.iter().map(|map| (&ball, *map)).collect();
        let others: Vec<(usize, Affine)> =
            (0..10).map(|_| (random.below(40), nests::transform(&mut random))).collect();
        for &(instance, map) in &others {
            placed[instance].1 = map;
        }
        moved.set_transforms(others).unwrap();
        let built = Nest::new(&[], &placed);
        let rays = rays_at(&built.triangles, &mut random);
        let rays = &RayBatch::from_rays(&rays);
        assert_eq!(moved.bounds(), built.scene.bounds());
        assert!(
            Answers::of(&moved, rays, &CastOptions::new())
                == Answers::of(&built.scene, rays, &CastOptions::new()),
            "{seed}"
        );
        assert_eq!(moved.transform(3).unwrap(), placed[3].1);
    }
}

#[test]
fn scenes_that_were_exchanged_are_those_of_a_scene_built_so() {
    let mut random = Random::new(47);
    let leaves = [
        Nest::new(&[meshes::icosphere(1, 0.7)], &[]),
        Nest::new(&[meshes::soup(30, &mut random), meshes::icosphere(0, 0.3)], &[]),
    ];
    let pair: Vec<_> = leaves.iter().map(|leaf| (leaf, nests::transform(&mut random))).collect();
    let all = [&leaves[0], &leaves[1], &Nest::new(&[meshes::tessellated_box(2)], &pair)];
    let mut placed: Vec<_> = (0..12).map(|_| (all[0], nests::transform(&mut random))).collect();
    let own = [meshes::icosphere(1, 0.5)];
    let mut changed = Nest::new(&own, &placed).scene.as_ref().clone();
    for step in 0..6 {
        changed.any_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).unwrap();
        let others: Vec<_> = (0..4).map(|_| (random.below(12), random.below(3))).collect();
        changed.set_scenes(others.iter().map(|&(at, which)| (at, Arc::clone(&all[which].scene)))).unwrap();
        for (at, which) in others {
            placed[at].0 = all[which];
        }
        let built = Nest::new(&own, &placed);
        let rays = rays_at(&built.triangles, &mut random);
        let rays = &RayBatch::from_rays(&rays);
        assert_eq!(changed.bounds(), built.scene.bounds());
        assert_eq!(changed.instance_path(40).ok(), built.scene.instance_path(40).ok());
        assert!(
            Answers::of(&changed, rays, &CastOptions::new())
                == Answers::of(&built.scene, rays, &CastOptions::new()),
            "after {step} exchanges"
        );
    }
    // Masks stay, and nothing changes if not all can be placed.
    changed.set_instance_mask(3, 0).unwrap();
    let before = changed.instance_path(11);
    let unknown = Error::UnknownInstance { instance: 12, instances: 12 };
    let scenes = [(0, Arc::clone(&all[2].scene)), (12, Arc::clone(&all[0].scene))];
    assert_eq!(changed.set_scenes(scenes), Err(unknown));
    assert_eq!(changed.instance_path(11), before);
    changed.set_scenes([(3, Arc::clone(&all[1].scene))]).unwrap();
    assert_eq!(changed.instance_mask(3), Ok(0));
    let mut deep = Nest::new(&[], &[(all[0], Affine::IDENTITY)]);
    for _ in 0..15 {
        deep = Nest::new(&[], &[(&deep, Affine::IDENTITY)]);
    }
    let too_deep = changed.set_scenes([(5, Arc::clone(&deep.scene))]);
    assert_eq!(too_deep, Err(Error::NestedTooDeep { instance: 5, most: 16 }));
}

#[test]
fn scenes_lie_sixteen_deep_and_no_deeper() {
    let mut random = Random::new(3);
    let mut nest = Nest::new(&[meshes::icosphere(1, 1.0)], &[]);
    let tilted = Affine::from_rows([[0.8, -0.6, 0.0, 0.1], [0.6, 0.8, 0.0, 0.0], [0.0, 0.0, 1.0, -0.1]]);
    for _ in 0..16 {
        nest = Nest::new(&[], &[(&nest, tilted)]);
    }
    let rays = rays_at(&nest.triangles, &mut random);
    let rays = &RayBatch::from_rays(&rays);
    let found = Answers::of(&nest.scene, rays, &CastOptions::new());
    assert!(found == Answers::of_scan(&nest.scene, rays, &CastOptions::new()));
    let hit = (0..rays.len()).find_map(|row| found.closest.hit(row)).expect("a hit");
    assert_eq!(nest.scene.instance_path(hit.instance_id), Ok(vec![0; 16]));
    let deeper = SceneBuilder::new().instance(&nest.scene, tilted).build();
    assert_eq!(deeper.map(drop), Err(Error::NestedTooDeep { instance: 0, most: 16 }));
}

#[test]
fn paths_are_told_by_one_number() {
    let leaf = Nest::new(&[meshes::icosphere(0, 1.0)], &[]);
    let at = |x: f64| Affine::translation([x, 0.0, 0.0]);
    let pair = Nest::new(&[meshes::icosphere(0, 0.1)], &[(&leaf, at(0.0)), (&leaf, at(10.0))]);
    let scene = Nest::new(&[], &[(&leaf, at(-100.0)), (&pair, at(0.0)), (&pair, at(100.0))]).scene;
    let paths: Vec<Vec<u32>> = (0..7).map(|id| scene.instance_path(id).unwrap()).collect();
    let expected: [&[u32]; 7] = [&[0], &[1], &[1, 0], &[1, 1], &[2], &[2, 0], &[2, 1]];
    assert_eq!(paths, expected);
    assert_eq!(scene.instance_path(7), Err(Error::UnknownInstance { instance: 7, instances: 7 }));
    assert_eq!(scene.instance_path(INVALID_ID), Ok(Vec::new()));
    let hit = scene.closest_hit(&Ray::new([110.1, 0.05, 20.0], [0.0, 0.0, -1.0])).unwrap().expect("a hit");
    assert_eq!((hit.instance_id, hit.geometry_id), (6, 0));
}

#[test]
fn transforms_that_cannot_be_used_are_errors() {
    let mesh = meshes::icosphere(0, 1.0);
    let scene = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    let scaled = |x: f64, y: f64, z: f64| {
        Affine::from_rows([[x, 0.0, 0.0, 1.0], [0.0, y, 0.0, 2.0], [0.0, 0.0, z, 3.0]])
    };
    let build = |map: Affine| {
        SceneBuilder::new().instance(&scene, Affine::IDENTITY).instance(&scene, map).build().map(drop)
    };
    for map in [scaled(1.0, 0.0, 1.0), scaled(1.0, 1.0, f64::NAN), scaled(1e-9, 1.0, 1.0)] {
        let rows = map.rows();
        match build(map) {
            Err(Error::SingularTransform { instance: 1, rows: told }) => {
                assert_eq!(format!("{told:?}"), format!("{rows:?}"));
            }
            other => panic!("{map:?}: {other:?}"),
        }
    }
    for map in [scaled(1e25, 1e25, 1e25), scaled(1e-25, 1e-25, 1e-25), Affine::translation([1e31, 0.0, 0.0])]
    {
        assert_eq!(build(map), Err(Error::InstanceOutOfRange { instance: 1, rows: map.rows() }));
    }
    assert_eq!(build(scaled(1e-5, 1.0, -1.0)), Ok(()));
    let mut built = SceneBuilder::new().instance(&scene, scaled(1.0, 2.0, 3.0)).build().unwrap();
    let before = built.transform(0).unwrap();
    assert!(built.set_transforms([(0, Affine::IDENTITY), (0, scaled(0.0, 1.0, 1.0))]).is_err());
    assert_eq!(built.transform(0), Ok(before), "nothing is moved if not all can be");
    let unknown = Error::UnknownInstance { instance: 1, instances: 1 };
    assert_eq!(built.set_transforms([(1, Affine::IDENTITY)]), Err(unknown.clone()));
    assert_eq!(built.set_instance_mask(1, 0), Err(unknown.clone()));
    assert_eq!(built.transform(1), Err(unknown));
}

#[test]
fn rays_beyond_what_a_frame_can_hold_are_told_of() {
    let mesh = meshes::icosphere(0, 1.0);
    let scene = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    let tiny = Affine::from_rows([[1e-6, 0.0, 0.0, 0.0], [0.0, 1e-6, 0.0, 0.0], [0.0, 0.0, 1e-6, 0.0]]);
    let placed = SceneBuilder::new().instance(&scene, tiny).build().unwrap();
    for (ray, status) in [
        (Ray::new([1e28, 0.0, 0.0], [-1.0, 0.0, 0.0]), Status::InvalidOrigin),
        (Ray::new([1.0, 0.0, 0.0], [-1e28, 0.0, 0.0]), Status::DirectionOutOfRange),
        (Ray::new([1.0, 0.0, 0.0], [0.0; 3]), Status::ZeroDirection),
    ] {
        assert_eq!(placed.closest_hit(&ray), Err(Error::InvalidRay { status }), "{ray:?}");
        assert_eq!(placed.scan().closest_hit(&ray), Err(Error::InvalidRay { status }), "{ray:?}");
        assert_eq!(placed.all_hits(&ray), Err(Error::InvalidRay { status }), "{ray:?}");
    }
    assert!(placed.any_hit(&Ray::new([1e3, 0.0, 0.0], [-1.0, 0.0, 0.0])).unwrap());
}

#[test]
fn a_watcher_hears_of_rays_at_instances_and_stops_them() {
    let (nest, rays) = drawn(1);
    let many: Vec<Ray> = rays.iter().copied().cycle().take(100_000).collect();
    let stop = |_| std::ops::ControlFlow::Break(());
    let mut hits = HitBatch::new();
    let stopped = nest.scene.closest_hit_batch(
        &RayBatch::from_rays(&many),
        &CastOptions::new().watch(&stop),
        &mut hits,
    );
    assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
    assert!(hits.is_empty());
}

#[test]
fn costs_of_instances_are_added() {
    let (nest, rays) = drawn(2);
    let (mut tree, mut scan) = (CostBatch::new(), CostBatch::new());
    let rays = &RayBatch::from_rays(&rays);
    nest.scene.cost_batch(rays, &CastOptions::new(), &mut tree).unwrap();
    nest.scene.scan().cost_batch(rays, &CastOptions::new(), &mut scan).unwrap();
    for row in 0..rays.len() {
        assert_eq!(tree.status[row], scan.status[row]);
        if !tree.status[row].is_invalid() {
            assert_eq!(scan.primitives[row] as usize, nest.triangles.len());
            assert!(tree.primitives[row] <= scan.primitives[row]);
        }
    }
}
