//! What rays leave out.

use crate::common::backends::every_backend;
use crate::instances::NESTS;
use crate::instances::drawn::{drawn, reach};
use lanecast::{Contact, Culling, Error, Hit, Ray, Scene, Side, Status, answers::AllHitsBatch};
use lanecast_reference::meshes;
use lanecast_reference::nests::Nest;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{cross, dot, minus};

/// A filter of a request.
type Accepts<'a> = &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync);

/// The cosine of the angle between a ray and a triangle's normal.
fn slope(&[a, b, c]: &[[f64; 3]; 3], ray: &Ray) -> f64 {
    let (normal, direction) = (cross(minus(b, a), minus(c, a)), ray.direction.map(f64::from));
    dot(normal, direction) / (dot(normal, normal) * dot(direction, direction)).sqrt()
}

/// Whether it takes more than a rounding to see any triangle from its other side.
fn sees_no_edge(nest: &Nest, ray: &Ray) -> bool {
    let hits = nest.scene.cast(ray).contact(Contact::Touch).all().unwrap_or_default();
    hits.iter().all(|hit| slope(&nest.of(hit).corners, ray).abs() > 1e-3)
}

#[test]
fn what_a_ray_leaves_out_is_left_out_in_instances_too() {
    let mut kept = 0;
    for seed in 0..NESTS {
        let (nest, mut rays) = drawn(seed);
        // From far away a rounding of the triangles turns them.
        rays.retain(|ray| reach(ray) < 100.0 && sees_no_edge(&nest, ray));
        let mut scene = nest.scene.deep_copy();
        let mut random = Random::new(seed + 100);
        let mut instance_masks = Vec::new();
        for instance in 0..scene.instance_count() {
            let mask = random.pick(&[0b01, 0b11, 0b10, 0]);
            scene.set_instance_mask(instance, mask).unwrap();
            assert_eq!(scene.instance_mask(instance), Ok(mask));
            instance_masks.push(mask);
        }
        let all = nest.scene.cast(&rays).contact(Contact::Touch).all().unwrap();
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
        let side = |row: usize, hit: &Hit| {
            if slope(&nest.of(hit).corners, &rays[row]) < 0.0 { Side::Front } else { Side::Back }
        };
        let accepts: Accepts<'_> =
            &|row, hit, _| !(row as u32 + hit.primitive_id + hit.instance_id / 2).is_multiple_of(5);
        let accepts_from: Accepts<'_> = &|row, hit, from| accepts(row, hit, from) && from == side(row, hit);
        let is_left = |row: usize, hit: &Hit| {
            let path = nest.scene.instance_path(hit.instance_id).unwrap();
            let seen = path.first().map_or(u32::MAX, |&instance| instance_masks[instance as usize]);
            let lets_pass = match culling[row] {
                Culling::None => true,
                Culling::Back => side(row, hit) == Side::Front,
                Culling::Front => side(row, hit) == Side::Back,
            };
            let ids = |hit: &Hit| (hit.instance_id, hit.geometry_id, hit.primitive_id);
            seen & masks[row] != 0
                && lets_pass
                && ids(hit) != ids(&skipped[row])
                && accepts(row, hit, side(row, hit))
        };
        let of_row = |row| all.of_ray(row).iter().filter(|hit| is_left(row, hit)).copied().collect();
        let expected: Vec<Vec<Hit>> = (0..rays.len()).map(of_row).collect();
        kept += expected.iter().map(Vec::len).sum::<usize>();
        let hold = |found: &AllHitsBatch, context: &str| {
            for (row, expected) in expected.iter().enumerate() {
                let status = all.status()[row];
                let status = if status.is_hit() && expected.is_empty() { Status::Miss } else { status };
                assert_eq!((found.of_ray(row), found.status()[row]), (&expected[..], status), "{context}");
            }
        };
        let request = scene
            .cast(&rays)
            .contact(Contact::Touch)
            .mask(&masks)
            .culling(&culling)
            .skip(&geometry_ids, &primitive_ids)
            .skip_in(&instance_ids);
        for backend in every_backend() {
            let context = format!("nest {seed}, {backend}");
            let request = request.clone().backend(backend);
            let filtered = request.clone().filter(&accepts_from);
            hold(&filtered.all().unwrap(), &context);
            hold(&filtered.brute_force().all().unwrap(), &format!("{context}: scan"));
            let closest = request.filter(&accepts).closest().unwrap();
            for (row, expected) in expected.iter().enumerate() {
                assert_eq!(closest.hit(row), expected.first().copied(), "{context}");
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
    let request = scene.cast(&rays);
    let hits = request.closest().unwrap();
    let others =
        request.clone().skip(hits.geometry_id(), hits.primitive_id()).skip_in(hits.instance_id()).closest();
    let others = others.unwrap();
    assert!(hits.t()[0] < 2.5 && others.t()[0] > 3.5, "{} and {}", hits.t()[0], others.t()[0]);
    // An answer that is not empty must be as long as there are rays.
    let refused = request.skip_in(&[0; 2]).closest();
    assert!(
        matches!(refused, Err(Error::ColumnLength { column: "instance ids to skip", .. })),
        "{refused:?}"
    );
}
