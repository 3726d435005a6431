//! What users of ray engines complain of most, each complaint a test that bears its name.

mod common;
mod reference;

use common::backends::{every_backend, same_on_every_backend};
use common::meshes::{self, Mesh};
use common::random::Random;
use lanecast::{
    AllHitsBatch, AnyHitBatch, CastOptions, Contact, CountBatch, Hit, HitBatch, Ray, RayBatch, Scene, Status,
};

fn scene_of(mesh: &Mesh) -> Scene {
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh")
}

/// Rays from a sphere around a mesh, three times as large, at random points near its middle.
fn rays_at_middle(count: usize, middle: [f32; 3], reach: f32, random: &mut Random) -> Vec<Ray> {
    let ray = |_| {
        let (from, to) = (random.direction(), random.point(-0.5, 0.5));
        let length = from.iter().map(|x| x * x).sum::<f32>().sqrt();
        let origin: [f32; 3] = std::array::from_fn(|axis| middle[axis] + 3.0 * reach * from[axis] / length);
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
    let mesh = meshes::tessellated_box(3);
    for face in [-1.0, 1.0] {
        for axis in 0..3 {
            // Both run in the face where the coordinate `axis` is ±1, each along one of the other axes.
            let rays = [1, 2].map(|turn| {
                let (mut origin, mut direction) = ([0.25; 3], [0.0; 3]);
                origin[axis] = face;
                origin[(axis + turn) % 3] = -4.0;
                direction[(axis + turn) % 3] = 2.0;
                Ray::new(origin, direction)
            });
            same_on_every_backend((face, axis), |backend| {
                let mut scene = scene_of(&mesh);
                scene.set_backend(backend);
                rays.map(|ray| {
                    let hit =
                        scene.closest_hit(&ray).expect("sound").expect("the edge where the face begins");
                    assert_eq!(hit.t, 1.5, "{backend}: {ray:?}");
                    assert_eq!(scene.scan().closest_hit(&ray), Ok(Some(hit)), "{backend}: {ray:?}");
                    assert_eq!(scene.count_hits(&ray).expect("sound") % 2, 0, "{backend}: {ray:?}");
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
    let mut hits = AllHitsBatch::new();
    for backend in every_backend() {
        let mut scene = scene.clone();
        scene.set_backend(backend);
        scene.all_hits_batch(&RayBatch::from_rays(&rays), &CastOptions::new(), &mut hits).expect("answers");
        for (row, ray) in rays.iter().enumerate() {
            let all = hits.of_ray(row);
            let met: Vec<f32> = all.iter().map(|hit| heights[hit.primitive_id as usize / 2]).collect();
            assert_eq!(met, sorted, "{backend}: {ray:?}");
            assert!(all.windows(2).all(|pair| pair[0].t < pair[1].t), "{backend}: {ray:?}, {all:?}");
        }
    }
}

#[test]
fn a_cavity_is_outside() {
    let mut inner = meshes::icosphere(2, 0.5);
    inner.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let scene = scene_of(&meshes::icosphere(3, 1.0).with(&inner));
    for (distance, inside) in [(0.0, false), (0.4, false), (0.75, true), (1.25, false)] {
        for direction in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, -0.8]] {
            let point = direction.map(|x: f32| distance * x);
            assert_eq!(scene.contains(point), Ok(inside), "{point:?}");
        }
    }
}

#[test]
fn a_ray_through_an_edge_or_a_vertex_is_not_lost_and_counted_once() {
    let mesh = meshes::icosphere(3, 1.0);
    let scene = scene_of(&mesh);
    for triangle in 0..mesh.triangles.len() {
        let [a, b, _] = mesh.corners(triangle);
        let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
        for target in [a, middle] {
            let ray = Ray::new([0.0; 3], target);
            assert!(scene.any_hit(&ray).expect("sound"), "{ray:?}");
            assert_eq!(scene.count_hits(&ray), Ok(1), "{ray:?}");
        }
    }
}

/// The rays of the next two: some that cannot be cast among many that can.
fn mixed_rays() -> Vec<Ray> {
    let mut rays = rays_at_middle(700, [0.0; 3], 1.0, &mut Random::new(2));
    rays[13].direction = [0.0; 3];
    rays[400].origin[1] = f32::NAN;
    rays[699].t_max = f32::NEG_INFINITY;
    rays
}

#[test]
fn a_batch_equals_its_single_rays() {
    let scene = scene_of(&meshes::soup(400, &mut Random::new(3)));
    let (rays, options) = (mixed_rays(), CastOptions::new());
    let batch = RayBatch::from_rays(&rays);
    let (mut hits, mut any, mut counts) = (HitBatch::new(), AnyHitBatch::new(), CountBatch::new());
    let mut all = AllHitsBatch::new();
    scene.closest_hit_batch(&batch, &options, &mut hits).expect("answers");
    scene.any_hit_batch(&batch, &options, &mut any).expect("answers");
    scene.count_hits_batch(&batch, &options, &mut counts).expect("answers");
    scene.all_hits_batch(&batch, &options, &mut all).expect("answers");
    for (row, ray) in rays.iter().enumerate() {
        if let Some(defect) = ray.defect() {
            assert_eq!([hits.status[row], any.status[row], counts.status[row]], [defect; 3], "{ray:?}");
            assert_eq!(
                scene.closest_hit(ray),
                Err(lanecast::Error::InvalidRay { status: defect }),
                "{ray:?}"
            );
            continue;
        }
        assert_eq!(scene.closest_hit(ray), Ok(hits.hit(row)), "{ray:?}");
        assert_eq!(scene.any_hit(ray), Ok(any.status[row].is_hit()), "{ray:?}");
        assert_eq!(scene.count_hits(ray), Ok(counts.count[row]), "{ray:?}");
        assert_eq!(scene.all_hits(ray).as_deref(), Ok(all.of_ray(row)), "{ray:?}");
    }
}

#[test]
fn any_and_closest_and_all_agree() {
    let scene = scene_of(&meshes::soup(400, &mut Random::new(4)));
    let (rays, options) = (mixed_rays(), CastOptions::new().contact(Contact::Touch));
    let batch = RayBatch::from_rays(&rays);
    let (mut hits, mut any, mut all) = (HitBatch::new(), AnyHitBatch::new(), AllHitsBatch::new());
    scene.closest_hit_batch(&batch, &options, &mut hits).expect("answers");
    scene.any_hit_batch(&batch, &options, &mut any).expect("answers");
    scene.all_hits_batch(&batch, &options, &mut all).expect("answers");
    assert_eq!(hits.status, any.status);
    assert_eq!(hits.status, all.status);
    for (row, ray) in rays.iter().enumerate() {
        assert_eq!(hits.hit(row), all.of_ray(row).first().copied(), "{ray:?}");
    }
    assert!(hits.status.contains(&Status::Hit) && hits.status.contains(&Status::Miss));
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
    let mut hits = HitBatch::new();
    for backend in every_backend() {
        let mut scene = scene.clone();
        scene.set_backend(backend);
        scene
            .closest_hit_batch(&RayBatch::from_rays(&rays), &CastOptions::new(), &mut hits)
            .expect("answers");
        for (row, ray) in rays.iter().enumerate() {
            assert_eq!(hits.status[row].is_invalid(), ray.defect().is_some(), "{backend}: {ray:?}");
        }
    }
}

/// At survey coordinates vertices are coarse in `f32`; but the triangle that such vertices make is named rightly.
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
                .map(|triangle| reference::triangle::meeting(&ray, mesh.corners(triangle)))
                .collect();
            if meetings.iter().any(|meeting| meeting.clearance <= 2.0 * meeting.shift) {
                continue;
            }
            checked += 1;
            let met = (0..meetings.len()).filter(|&i| meetings[i].inside && meetings[i].t >= 0.0);
            let first = met.min_by(|&i, &j| meetings[i].t.total_cmp(&meetings[j].t));
            let found = scene.closest_hit(&ray).expect("sound").map(|hit: Hit| hit.primitive_id as usize);
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
        let mut hits = HitBatch::new();
        scene
            .closest_hit_batch(&RayBatch::from_rays(&inwards), &CastOptions::new(), &mut hits)
            .expect("answers");
        let back: Vec<Ray> = (0..inwards.len())
            .map(|row| {
                let direction = inwards[row].direction.map(|x| -x);
                Ray::new(
                    inwards[row].at(if hits.status[row].is_hit() { hits.t[row] } else { 0.0 }),
                    direction,
                )
            })
            .collect();
        let options = CastOptions::new().skip(&hits.geometry_id, &hits.primitive_id);
        let mut any = AnyHitBatch::new();
        scene.any_hit_batch(&RayBatch::from_rays(&back), &options, &mut any).expect("answers");
        let stopped = any.status.iter().filter(|status| status.is_hit()).count();
        assert!(stopped <= 2, "{stopped} of {} at the scale {scale:e} meet where they start", back.len());
    }
}

#[test]
fn different_backends_give_the_same_bits() {
    let mesh = meshes::soup(400, &mut Random::new(8));
    let rays = mixed_rays();
    same_on_every_backend("a soup", |backend| {
        let mut scene = scene_of(&mesh);
        scene.set_backend(backend);
        let mut hits = HitBatch::new();
        let options = CastOptions::new().normals(true);
        scene.closest_hit_batch(&RayBatch::from_rays(&rays), &options, &mut hits).expect("answers");
        let bits = |column: &[f32]| column.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let normals = bits(hits.geometric_normal.as_flattened());
        (hits.primitive_id.clone(), bits(&hits.t), bits(&hits.u), bits(&hits.v), normals)
    });
}

/// What a batch takes beside its rays and its answers does not grow with it.
#[cfg(target_os = "linux")]
#[test]
fn many_rays_need_bounded_memory() {
    const RAYS: usize = if cfg!(debug_assertions) { 1 << 20 } else { 1 << 24 };
    /// The most that this process has had in memory, in bytes.
    fn peak() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").expect("what Linux says of a process");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak");
        let number = line.split_whitespace().nth(1).and_then(|number| number.parse::<usize>().ok());
        1024 * number.expect("a number")
    }
    let scene = scene_of(&meshes::icosphere(2, 1.0));
    // One ray many times takes no memory, and an answer is a byte.
    let ray = Ray::new([0.0, 0.0, 3.0], [0.1, 0.2, -1.0]);
    let rays = RayBatch::repeated(ray, RAYS).expect("a sound ray");
    let mut hits = AnyHitBatch::new();
    let before = peak();
    scene.any_hit_batch(&rays, &CastOptions::new(), &mut hits).expect("answers");
    let grown = peak().saturating_sub(before);
    assert!(hits.status.iter().all(|status| status.is_hit()));
    // Rays by themselves would be 32 bytes each, and states of rays on their way more.
    let bound = RAYS + if cfg!(debug_assertions) { 16 << 20 } else { 64 << 20 };
    assert!(grown < bound, "{grown} bytes for {RAYS} rays");
}
