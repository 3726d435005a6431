//! What rays leave out.

use crate::common::backends::every_backend;
use crate::common::meshes;
use crate::common::nests::Nest;
use crate::common::random::Random;
use crate::instances::NESTS;
use crate::instances::drawn::{drawn, reach};
use crate::reference::{cross, dot, minus};
use lanecast::{
    AllHitsBatch, CastOptions, Contact, Culling, Error, Hit, HitBatch, Ray, RayBatch, Scene, Side, Status,
};

/// Filters of one type: all queries are compiled anew for each.
type Accepts<'a> = &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync);

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
            scene.filter(&accepts_from).all_hits_batch(batch, options, &mut found).unwrap();
            assert!(found == expected, "nest {seed}, {backend}");
            scene.scan().filter(&accepts_from).all_hits_batch(batch, options, &mut found).unwrap();
            assert!(found == expected, "nest {seed}, {backend}: scan");
            let mut closest = HitBatch::new();
            scene.filter(&accepts).closest_hit_batch(batch, options, &mut closest).unwrap();
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
