//! The tree is invisible, and the bits are the same everywhere: whatever the backend, the threads,
//! the way through the tree and the order of the batch, a scene answers what testing every triangle
//! answers.

use crate::common::backends::every_backend;
use lanecast::testing::Way;
use lanecast::{
    BuildQuality, CastOptions, Coherence, Contact, Culling, Hit, HitBatch, Ray, Scene, SceneBuilder, Status,
    Threads,
    answers::{AllHitsBatch, AnyHitBatch, CountBatch},
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

const RAYS: usize = if cfg!(debug_assertions) { 150 } else { 1_000 };

/// The answers of all queries, one row per ray.
#[derive(Debug, Clone, PartialEq)]
struct Answer {
    status: [Status; 4],
    closest: Option<[u32; 5]>,
    normal: [u32; 3],
    count: u32,
    all: Vec<[u32; 5]>,
}

fn bits(hit: &Hit) -> [u32; 5] {
    [hit.t.to_bits(), hit.geometry_id, hit.primitive_id, hit.u.to_bits(), hit.v.to_bits()]
}

/// Buffers that every test uses again for batches of all lengths.
#[derive(Default)]
struct Buffers {
    closest: HitBatch,
    any: AnyHitBatch,
    count: CountBatch,
    all: AllHitsBatch,
}

impl Buffers {
    fn answers(&self) -> Vec<Answer> {
        let lengths = [self.closest.len(), self.any.status().len(), self.count.count().len()];
        let rows = self.all.status().len();
        assert_eq!(lengths, [rows; 3], "answers of different lengths");
        assert_eq!(self.all.offsets().len(), rows + 1, "offsets are one longer than the rays");
        let answer = |i| Answer {
            status: [
                self.closest.status()[i],
                self.any.status()[i],
                self.count.status()[i],
                self.all.status()[i],
            ],
            closest: self.closest.hit(i).as_ref().map(bits),
            normal: self.closest.geometric_normal()[i].map(f32::to_bits),
            count: self.count.count()[i],
            all: self.all.of_ray(i).iter().map(bits).collect(),
        };
        (0..rows).map(answer).collect()
    }
}

fn ask(scene: &Scene, rays: &[Ray], options: &CastOptions<'_>, buffers: &mut Buffers) -> Vec<Answer> {
    let cast = scene.cast(rays).with(options);
    cast.clone().normals(true).closest_into(&mut buffers.closest).expect("closest");
    cast.any_into(&mut buffers.any).expect("any");
    cast.count_into(&mut buffers.count).expect("count");
    cast.all_into(&mut buffers.all).expect("all");
    buffers.answers()
}

fn assert_same(found: &[Answer], expected: &[Answer], rays: &[Ray], how: &str) {
    assert_eq!(found.len(), expected.len(), "{how}: rows");
    for ((found, expected), ray) in found.iter().zip(expected).zip(rays) {
        assert!(found == expected, "{how}\n{ray:?}\n   found {found:?}\nexpected {expected:?}");
    }
}

/// What holds between the queries of one ray, whoever answered.
fn assert_consistent(answers: &[Answer], rays: &[Ray], how: &str) {
    for (answer, ray) in answers.iter().zip(rays) {
        let context = || format!("{how}\n{ray:?}\n{answer:?}");
        assert_eq!(answer.status, [answer.status[0]; 4], "queries disagree: {}", context());
        assert_eq!(answer.status[0].is_hit(), !answer.all.is_empty(), "any and all disagree: {}", context());
        assert_eq!(answer.count as usize, answer.all.len(), "count and all disagree: {}", context());
        assert_eq!(answer.closest, answer.all.first().copied(), "closest and all disagree: {}", context());
        let place = |hit: &[u32; 5]| (f32::from_bits(hit[0]), hit[1], hit[2]);
        let sorted = answer.all.windows(2).all(|pair| place(&pair[0]) < place(&pair[1]));
        assert!(sorted, "not in the order of t, then ids: {}", context());
        let within =
            answer.all.iter().map(|hit| f32::from_bits(hit[0])).all(|t| ray.t_min <= t && t <= ray.t_max);
        assert!(within, "outside the interval: {}", context());
    }
}

fn scene_of(meshes: &[Mesh], threads: &Threads, quality: BuildQuality) -> Scene {
    let mut builder = SceneBuilder::new().backend(every_backend()[0]).threads(threads).quality(quality);
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    let scene = builder.build().expect("a scene");
    scene.validate().expect("a whole tree");
    scene
}

/// As counted and collected where every triangle is a hit that a ray touches.
fn touching() -> CastOptions<'static> {
    CastOptions::new().contact(Contact::Touch)
}

/// Counted and collected where they cross the surface, which is what is done unasked.
fn check_crossings(name: &str, scene: &Scene, rays: &[Ray], touched: &[Answer], buffers: &mut Buffers) {
    for culling in [Culling::None, Culling::Back, Culling::Front] {
        let options = CastOptions::new().culling(culling);
        let brute_force = options.clone().backend(every_backend()[0]).brute_force();
        let expected = ask(scene, rays, &brute_force, buffers);
        for ((crossed, touched), ray) in expected.iter().zip(touched).zip(rays) {
            let context = || format!("{name}: {culling:?}\n{ray:?}\n{crossed:?}\n{touched:?}");
            assert_eq!(crossed.count as usize, crossed.all.len(), "count and all disagree: {}", context());
            assert_eq!(crossed.status[2], crossed.status[3], "queries disagree: {}", context());
            let mut rest = touched.all.iter();
            let in_order = crossed.all.iter().all(|hit| rest.any(|other| other == hit));
            assert!(in_order, "crossed and not touched, or in another order: {}", context());
        }
        for backend in every_backend() {
            for coherence in [Coherence::Detect, Coherence::Coherent, Coherence::Incoherent] {
                let how = format!("{name}: crossings, {culling:?}, {backend}, {coherence:?}");
                let options = options.clone().backend(backend).coherence(coherence);
                assert_same(&ask(scene, rays, &options, buffers), &expected, rays, &how);
            }
            if culling != Culling::None {
                continue;
            }
            for (ray, expected) in rays.iter().zip(&expected).filter(|(ray, _)| ray.defect().is_none()) {
                let how = format!("{name}: crossings of a single ray, {backend}, {ray:?}");
                let cast = scene.cast(ray).backend(backend);
                assert_eq!(cast.count(), Ok(expected.count), "{how}");
                let all: Vec<_> = cast.all().expect("sound").iter().map(bits).collect();
                assert_eq!(all, expected.all, "{how}");
            }
        }
    }
}

/// Every way to ask must give what the scan gives on the first backend.
fn check(name: &str, meshes: &[Mesh], rays: &[Ray], buffers: &mut Buffers) -> Vec<Answer> {
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    let scene = scene_of(meshes, &Threads::ONE, BuildQuality::Balanced);
    let mut order: Vec<usize> = (0..rays.len()).collect();
    Random::new(99).shuffle(&mut order);
    let shuffled: Vec<Ray> = order.iter().map(|&i| rays[i]).collect();

    let expected = ask(&scene, rays, &touching().brute_force().threads(&Threads::ONE), buffers);
    assert_consistent(&expected, rays, name);
    for backend in every_backend() {
        let touching = || touching().backend(backend);
        for (threads, way) in [
            (&Threads::ONE, Way::OneByOne),
            (&Threads::ONE, Way::InFlight),
            (&two, Way::InFlight),
            (&two, Way::Streams),
        ] {
            let options = touching().threads(threads).way(way);
            let how = format!("{name}: tree, {backend}, {} threads, {way:?}", threads.count());
            assert_same(&ask(&scene, rays, &options, buffers), &expected, rays, &how);
        }
        for (threads, coherence) in
            [(&Threads::ONE, Coherence::Coherent), (&two, Coherence::Coherent), (&two, Coherence::Incoherent)]
        {
            let options = touching().threads(threads).coherence(coherence);
            let how = format!("{name}: tree, {backend}, {} threads, {coherence:?}", threads.count());
            assert_same(&ask(&scene, rays, &options, buffers), &expected, rays, &how);
        }
        let how = format!("{name}: scan, {backend}");
        assert_same(&ask(&scene, rays, &touching().brute_force(), buffers), &expected, rays, &how);

        let found = ask(&scene, &shuffled, &touching(), buffers);
        let mut restored = expected.clone();
        for (answer, &place) in found.into_iter().zip(&order) {
            restored[place] = answer;
        }
        assert_same(&restored, &expected, rays, &format!("{name}: shuffled, {backend}"));

        for (ray, expected) in rays.iter().zip(&expected) {
            let how = format!("{name}: single, {backend}, {ray:?}");
            let cast = scene.cast(ray).backend(backend);
            if let Some(status) = ray.defect() {
                assert_eq!(expected.status[0], status, "{how}");
                assert_eq!(cast.closest(), Err(lanecast::Error::InvalidRay { status }), "{how}");
                continue;
            }
            assert_eq!(cast.closest().expect("sound").as_ref().map(bits), expected.closest, "{how}");
            assert_eq!(cast.any(), Ok(expected.count > 0), "{how}");
            let alone = scene.cast(std::slice::from_ref(ray)).with(&touching());
            alone.coherence(Coherence::Coherent).closest_into(&mut buffers.closest).expect("closest");
            assert_eq!(buffers.closest.hit(0).as_ref().map(bits), expected.closest, "{how}");
        }
    }
    check_crossings(name, &scene, rays, &expected, buffers);
    for culling in [Culling::Back, Culling::Front] {
        let options = touching().culling(culling);
        let one_sided = ask(&scene, rays, &options.clone().brute_force(), buffers);
        let how = format!("{name}: {culling:?}");
        assert_consistent(&one_sided, rays, &how);
        for backend in every_backend() {
            for coherence in [Coherence::Detect, Coherence::Coherent] {
                let options = options.clone().backend(backend).coherence(coherence);
                assert_same(&ask(&scene, rays, &options, buffers), &one_sided, rays, &how);
            }
        }
    }
    let other_build = scene_of(meshes, &two, BuildQuality::High);
    assert_same(&ask(&other_build, rays, &touching(), buffers), &expected, rays, name);
    expected
}

/// Rays of all kinds at a mesh: through its vertices, edges and insides, along its coordinates, and
/// past it; with intervals that end exactly where something is hit.
fn rays_at(mesh: &Mesh, count: usize, random: &mut Random) -> Vec<Ray> {
    let bounds = lanecast::Aabb::around(mesh.vertices.iter().copied());
    let (middle, size) = if mesh.vertices.is_empty() {
        ([0.0; 3], 1.0)
    } else {
        let sides: [f32; 3] = std::array::from_fn(|axis| bounds.max[axis] - bounds.min[axis]);
        (
            std::array::from_fn(|axis| bounds.min[axis] + sides[axis] * 0.5),
            sides.into_iter().fold(1e-43, f32::max),
        )
    };
    let somewhere = |random: &mut Random, reach: f32| -> [f32; 3] {
        let offset = random.point(-reach, reach);
        std::array::from_fn(|axis| middle[axis] + size * offset[axis])
    };
    let on_mesh = |random: &mut Random| -> [f32; 3] {
        if mesh.triangles.is_empty() {
            return [0.0; 3];
        }
        let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
        let (u, v) = match random.below(4) {
            0 => (0.0, 0.0),
            1 => (random.pick(&[0.5, 0.25, 0.3, 0.7]), 0.0),
            _ => (0.5 * random.unit(), 0.5 * random.unit()),
        };
        std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis])
    };
    let mut rays = Vec::with_capacity(count);
    while rays.len() < count {
        let target = on_mesh(random);
        let mut ray = match random.below(8) {
            0 => Ray::new(somewhere(random, 1.5), random.direction()),
            1 => Ray::line(target, random.direction()),
            2 => Ray::segment(somewhere(random, 0.7), somewhere(random, 0.7)),
            3 => {
                // Along an axis through a point of the mesh: in faces of boxes and of flat parts.
                let axis = random.below(3);
                let mut direction = [random.pick(&[0.0, -0.0]), random.pick(&[0.0, -0.0]), 0.0];
                direction[axis] = random.pick(&[1.0, -1.0]);
                Ray::line(target, direction)
            }
            4 => {
                // In a plane parallel to two axes.
                let mut direction = random.direction();
                direction[random.below(3)] = random.pick(&[0.0, -0.0, 1e-9]);
                Ray::line(target, direction)
            }
            _ => {
                let origin = somewhere(random, 1.5);
                Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]))
            }
        };
        if size < 1e-20 {
            // So that the direction is not too short to be cast; a power of two keeps the aim.
            ray.direction = ray.direction.map(|d| d * 2.0_f32.powi(100));
        }
        match random.below(8) {
            0 => {
                let factor = random.pick(&[1e20, 1e-20]);
                ray.direction = ray.direction.map(|d| d * factor);
            }
            1 => ray = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY),
            2 => ray = ray.with_interval(0.0, random.unit()),
            _ => {}
        }
        rays.push(ray);
    }
    rays
}

/// The rays again, their intervals ending exactly at one of their hits, or just before it.
fn rays_ending_at_hits(rays: &[Ray], answers: &[Answer], random: &mut Random) -> Vec<Ray> {
    let hitting = rays.iter().zip(answers).filter(|(_, answer)| !answer.all.is_empty());
    hitting
        .map(|(ray, answer)| {
            let t = f32::from_bits(answer.all[random.below(answer.all.len())][0]);
            match random.below(4) {
                0 => Ray { t_max: t, ..*ray },
                1 => Ray { t_min: t, ..*ray },
                2 => ray.with_interval(t, t),
                _ => Ray { t_max: t.next_down().max(ray.t_min), ..*ray },
            }
        })
        .collect()
}

fn check_mesh(name: &str, mesh: &Mesh, seed: u64) -> Vec<Answer> {
    let mut random = Random::new(seed);
    let mut buffers = Buffers::default();
    let name = format!("{name}, seed {seed}");
    let rays = rays_at(mesh, RAYS, &mut random);
    let answers = check(&name, std::slice::from_ref(mesh), &rays, &mut buffers);
    let ending = rays_ending_at_hits(&rays, &answers, &mut random);
    check(&format!("{name}, ending at hits"), std::slice::from_ref(mesh), &ending, &mut buffers);
    answers
}

fn hits(answers: &[Answer]) -> usize {
    answers.iter().filter(|answer| answer.count > 0).count()
}

/// The lines of a picture, taken from `eye`; every so often a ray that cannot be cast, one with an interval
/// of its own, and one that goes elsewhere.
fn picture(eye: [f32; 3], at: [f32; 3], [width, height]: [usize; 2], random: &mut Random) -> Vec<Ray> {
    let forward: [f32; 3] = std::array::from_fn(|axis| at[axis] - eye[axis]);
    let unit = |v: [f32; 3]| v.map(|x| x / v.iter().map(|x| x * x).sum::<f32>().sqrt());
    let forward = unit(forward);
    let right = unit([forward[1], -forward[0], 0.0]);
    let up =
        unit([-forward[0] * forward[2], -forward[1] * forward[2], forward[0].powi(2) + forward[1].powi(2)]);
    let ray = |x: usize, y: usize| {
        let [a, b] =
            [(x, width), (y, height)].map(|(place, count)| 0.6 * (place as f32 / count as f32 - 0.5));
        Ray::new(eye, std::array::from_fn(|axis| forward[axis] + a * right[axis] - b * up[axis]))
    };
    let mut rays: Vec<Ray> = (0..height).flat_map(|y| (0..width).map(move |x| ray(x, y))).collect();
    for _ in 0..rays.len() / 40 {
        let row = random.below(rays.len());
        rays[row] = match random.below(4) {
            0 => Ray { t_max: f32::NAN, ..rays[row] },
            1 => Ray { direction: [0.0; 3], ..rays[row] },
            2 => rays[row].with_interval(0.2 * random.unit(), 1.0),
            _ => Ray::new(eye, random.direction()),
        };
    }
    rays
}

/// Rays that go in groups unasked, in tiles that do not fill the picture or the chunk.
#[test]
fn pictures() {
    let terrain = meshes::terrain(24, &mut Random::new(26));
    let bounds = lanecast::Aabb::around(terrain.vertices.iter().copied());
    let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * (bounds.min[axis] + bounds.max[axis]));
    let mut random = Random::new(27);
    for (eye, size) in [
        ([0.9, 1.4, 2.0], [64, 64]),
        ([0.9, 1.4, 2.0], [37, 41]),
        ([-1.3, 0.4, 0.7], [16, 100]),
        ([0.05, 0.02, 0.3], [100, 13]),
        ([0.3, 0.1, 0.0], [9, 600]),
    ] {
        let eye = std::array::from_fn(|axis| {
            middle[axis] + eye[axis] * (bounds.max[axis] - bounds.min[axis]).max(0.5)
        });
        let rays = picture(eye, middle, size, &mut random);
        let answers = check(
            &format!("picture of {size:?} from {eye:?}"),
            std::slice::from_ref(&terrain),
            &rays,
            &mut Buffers::default(),
        );
        assert!(hits(&answers) > rays.len() / 20, "{size:?}: {} hits", hits(&answers));
    }
}

/// Rays that are parallel, to each other and to axes, through vertices and edges: as to the sun.
#[test]
fn parallel_rays_from_near_each_other() {
    let mesh = meshes::tessellated_box(6);
    for direction in [[0.0, 0.0, -1.0], [-0.0, 1.0, 0.0], [1.0, 0.0, 1e-12], [1.0, 2.0, -4.0]] {
        let ray = |place: usize| {
            let [x, y] = [place % 25, place / 25].map(|steps| steps as f32 / 12.0 - 1.0);
            Ray::line([x, y, x - y], direction)
        };
        let rays: Vec<Ray> = (0..625).map(ray).collect();
        let name = format!("parallel along {direction:?}");
        let answers = check(&name, std::slice::from_ref(&mesh), &rays, &mut Buffers::default());
        assert!(hits(&answers) > 100, "{name}: {} hits", hits(&answers));
    }
}

/// Such rays where products of coordinates and reciprocals of directions overflow, or are subnormal.
#[test]
fn parallel_rays_of_extreme_lengths() {
    for (scale, length) in [(90, -20), (98, 0), (0, -98), (0, 98), (-100, 60), (-120, 20), (-30, 97)] {
        let [scale, length] = [scale, length].map(|exponent| 2.0_f32.powi(exponent));
        let mesh = meshes::tessellated_box(5).scaled(scale);
        for direction in [[0.0, 0.0, -1.0], [1e-9, 1.0, 0.0], [1.0, 2.0, -4.0]] {
            let ray = |place: usize| {
                let [x, y] = [place % 20, place / 20].map(|steps| steps as f32 / 9.0 - 1.0);
                Ray::line([x, y, x - y].map(|x| x * scale), direction.map(|d: f32| d * length))
            };
            let rays: Vec<Ray> = (0..400).map(ray).collect();
            let name = format!("{direction:?} times {length:e} at {scale:e}");
            let answers = check(&name, std::slice::from_ref(&mesh), &rays, &mut Buffers::default());
            assert!(hits(&answers) > 100, "{name}: {} hits", hits(&answers));
        }
    }
}

#[test]
fn triangles_strewn_about() {
    for (seed, count) in [(1, 9), (2, 60), (3, 700), (4, 3_000)] {
        let mesh = meshes::soup(count, &mut Random::new(seed));
        assert!(hits(&check_mesh("soup", &mesh, seed)) > RAYS / 2);
    }
}

#[test]
fn terrain_with_flat_parts() {
    for (seed, cells) in [(5, 3), (6, 24)] {
        let mesh = meshes::terrain(cells, &mut Random::new(seed));
        assert!(hits(&check_mesh("terrain", &mesh, seed)) > RAYS / 2);
    }
}

#[test]
fn closed_sphere_and_box() {
    assert!(hits(&check_mesh("icosphere", &meshes::icosphere(3, 1.0), 7)) > RAYS / 2);
    assert!(hits(&check_mesh("tessellated box", &meshes::tessellated_box(6), 8)) > RAYS / 2);
}

/// Large enough that the tree is built by several threads and the next nodes are prefetched.
#[test]
fn shipped_solid() {
    let mesh = crate::common::ply::shipped("gyroid.ply");
    let rays = rays_at(&mesh, RAYS / 4, &mut Random::new(25));
    let answers = check("gyroid, seed 25", &[mesh], &rays, &mut Buffers::default());
    assert!(hits(&answers) > RAYS / 8);
}

#[test]
fn slivers_and_long_thin_triangles() {
    check_mesh("slivers", &meshes::slivers(400, &mut Random::new(9)), 9);
    check_mesh("hairball", &meshes::hairball(400, &mut Random::new(10)), 10);
}

#[test]
fn far_from_the_origin() {
    let mesh = meshes::icosphere(3, 100.0).moved([5e5, -4e6, 1e7]);
    check_mesh("sphere at survey coordinates", &mesh, 11);
    let mesh = meshes::soup(500, &mut Random::new(12)).moved([1e7, 1e7, -1e7]);
    check_mesh("soup at 1e7", &mesh, 12);
}

#[test]
fn huge_and_tiny_triangles_mixed() {
    let mut random = Random::new(13);
    let mixed = meshes::soup(200, &mut random)
        .with(&meshes::soup(100, &mut random).scaled(1e-6))
        .with(&meshes::soup(100, &mut random).scaled(1e6))
        .with(&meshes::soup(20, &mut random).scaled(1e25));
    check_mesh("sizes mixed", &mixed, 13);
}

#[test]
fn everything_subnormal() {
    let soup = meshes::soup(300, &mut Random::new(14)).scaled(1e-38);
    assert!(hits(&check_mesh("subnormal soup", &soup, 14)) > RAYS / 3);
    assert!(hits(&check_mesh("subnormal sphere", &meshes::icosphere(2, 1e-41), 15)) > RAYS / 3);
}

#[test]
fn everything_huge() {
    let soup = meshes::soup(300, &mut Random::new(16));
    assert!(hits(&check_mesh("huge soup", &soup.clone().scaled(6e28), 16)) > RAYS / 3);
    // Up to the greatest coordinate: many rays start beyond it and are refused.
    check_mesh("hugest soup", &soup.scaled(6e29), 16);
}

#[test]
fn all_triangles_in_one_place() {
    let corners = [[0.5, 0.25, -1.0], [1.5, 0.25, 0.0], [0.5, 1.25, 0.5]];
    for count in [2, 8, 9, 64, 65, 500] {
        let mesh = Mesh::of_triangles(&vec![corners; count]);
        let answers = check_mesh("one place", &mesh, 17 + count as u64);
        for answer in answers.iter().filter(|answer| answer.count > 0) {
            assert_eq!(answer.count as usize, count, "coincident triangles are all met or none");
            assert_eq!(answer.closest.expect("a hit")[2], 0, "the lowest primitive wins the tie");
        }
    }
}

#[test]
fn triangles_twice() {
    let sphere = meshes::icosphere(2, 1.0);
    let count = sphere.triangles.len() as u32;
    let answers = check_mesh("doubled sphere", &sphere.doubled(), 18);
    for answer in answers.iter().filter(|answer| answer.count > 0) {
        assert!(
            answer.closest.expect("a hit")[2] < count,
            "the lower of two coincident triangles: {answer:?}"
        );
        assert_eq!(answer.count % 2, 0, "{answer:?}");
    }
}

#[test]
fn sheets_stacked_closer_than_the_margin_of_the_boxes() {
    // 64 sheets, one unit in the last place apart, in shuffled order.
    let mut heights: Vec<u32> = (0..64).collect();
    Random::new(19).shuffle(&mut heights);
    let sheet = |i: u32| {
        let z = f32::from_bits(1.0_f32.to_bits() + i);
        [[-1.0, -1.0, z], [1.0, -1.0, z], [0.0, 1.0, z]]
    };
    let mesh = Mesh::of_triangles(&heights.into_iter().map(sheet).collect::<Vec<_>>());
    let answers = check_mesh("sheets", &mesh, 19);
    assert!(answers.iter().any(|answer| answer.count == 64));
}

#[test]
fn triangles_without_area() {
    let (p, q) = ([0.0, 0.0, 0.0], [1.0, 1.0, 0.5]);
    let without_area = [[p, p, p], [p, q, p], [p, q, q], [p, [0.5, 0.5, 0.25], q]];
    check_mesh("without area", &Mesh::of_triangles(&without_area), 20);
    let mixed = Mesh::of_triangles(&without_area).with(&meshes::soup(100, &mut Random::new(21)));
    check_mesh("some without area", &mixed, 21);
}

#[test]
fn one_triangle_and_none() {
    check_mesh("one", &meshes::soup(1, &mut Random::new(22)), 22);
    let answers = check_mesh("none", &Mesh::default(), 23);
    assert_eq!(hits(&answers), 0);
}

#[test]
fn tied_hits_go_to_the_lowest_geometry_then_primitive() {
    let mut random = Random::new(24);
    let soup = meshes::soup(120, &mut random);
    let reversed =
        Mesh { triangles: soup.triangles.iter().rev().copied().collect(), vertices: soup.vertices.clone() };
    let several =
        [Mesh::default(), soup.clone(), meshes::icosphere(2, 0.8), Mesh::default(), reversed, soup.clone()];
    let rays = rays_at(&soup, RAYS, &mut random);
    let answers = check("several geometries, seed 24", &several, &rays, &mut Buffers::default());
    let mut tied = 0;
    for answer in answers.iter().filter(|answer| answer.count > 0) {
        let closest = answer.closest.expect("a hit");
        assert!(closest[1] == 1 || closest[1] == 2, "geometry 1 comes before its copies: {answer:?}");
        tied += usize::from(answer.all.iter().filter(|hit| hit[0] == closest[0]).count() > 1);
    }
    assert!(tied > RAYS / 10, "only {tied} ties");
}
