//! Nothing slips through: rays aimed at the shared edges and vertices of closed meshes miss none,
//! on any backend.

use crate::common::backends::every_backend;
use crate::common::ply;
use crate::common::scale::scaled;
use lanecast::primitive::{Block, Test, Triangle, Watertight};
use lanecast::{Backend, Culling, Ray, Scene, answers::CountBatch};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::vector::{Vector, cross, dot, length, minus, times, vector};

const BATCH: usize = 250_000;

/// In how many rays each test looks for a gap.
fn rays_of_each() -> usize {
    scaled(60_000)
}

fn scene_of(mesh: &Mesh) -> Scene {
    assert!(mesh.is_closed(), "this test is about closed meshes");
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh")
}

/// Points on edges, two in three at a random place along an edge and one in three at a vertex.
struct Targets<'a> {
    mesh: &'a Mesh,
    edges: Vec<([u32; 2], Vec<usize>)>,
    fans: Vec<Vec<usize>>,
}

impl<'a> Targets<'a> {
    fn on(mesh: &'a Mesh) -> Self {
        Self { mesh, edges: mesh.edges(), fans: mesh.fans() }
    }

    /// A point and the triangles that share it.
    fn pick(&self, random: &mut Random) -> ([f32; 3], &[usize]) {
        if random.below(3) == 0 {
            let vertex = random.below(self.fans.len());
            return (self.mesh.vertices[vertex], &self.fans[vertex]);
        }
        let (ends, beside) = &self.edges[random.below(self.edges.len())];
        let [p, q] = ends.map(|vertex| self.mesh.vertices[vertex as usize]);
        let along = random.unit();
        (std::array::from_fn(|axis| p[axis] + along * (q[axis] - p[axis])), beside)
    }
}

/// Casts `count` rays in batches on every backend and hands each batch to `holds`, which names the
/// first ray that was answered wrongly.
fn none_is_lost(
    name: &str,
    scene: &Scene,
    count: usize,
    mut next: impl FnMut() -> Ray,
    wrong: impl Fn(&Scene, Backend, &[Ray]) -> Option<usize>,
) {
    let mut rays = Vec::with_capacity(BATCH);
    let mut left = count;
    while left > 0 {
        rays.clear();
        rays.extend((0..left.min(BATCH)).map(|_| next()));
        left -= rays.len();
        for backend in every_backend() {
            if let Some(lost) = wrong(scene, backend, &rays) {
                panic!("{name}, {backend}: lost {:?}, {left} rays before the end", rays[lost]);
            }
        }
    }
}

/// Whether any ray meets nothing at all.
fn first_miss(scene: &Scene, backend: Backend, rays: &[Ray]) -> Option<usize> {
    let hits = scene.cast(rays).backend(backend).any().expect("not stopped");
    hits.status().iter().position(|status| !status.is_hit())
}

/// How often each ray crosses the surface from the sides that count.
fn crossings(scene: &Scene, backend: Backend, rays: &[Ray], culling: Culling) -> CountBatch {
    scene.cast(rays).backend(backend).culling(culling).count().expect("not stopped")
}

/// Whether the line of any ray does not leave a closed surface as often as it enters.
fn first_unbalanced(scene: &Scene, backend: Backend, rays: &[Ray]) -> Option<usize> {
    let lines: Vec<Ray> = rays.iter().map(|ray| Ray::line(ray.origin, ray.direction)).collect();
    let [enters, leaves] =
        [Culling::Back, Culling::Front].map(|culling| crossings(scene, backend, &lines, culling));
    (0..rays.len()).find(|&i| enters.count()[i] != leaves.count()[i])
}

#[test]
fn shared_edge_or_vertex_seen_from_inside_is_never_missed() {
    let mesh = meshes::icosphere(5, 1.0);
    let (targets, mut random) = (Targets::on(&mesh), Random::new(1));
    let scene = scene_of(&mesh);
    let next = || {
        let origin = random.point(-0.5, 0.5);
        let (target, _) = targets.pick(&mut random);
        Ray::new(origin, minus_f32(target, origin))
    };
    // From inside a convex solid nothing is seen edge-on: there is a hit, it is where we aimed, and
    // it is one.
    none_is_lost(
        "icosphere 5, seed 1",
        &scene,
        4 * rays_of_each(),
        next,
        |scene, backend, rays| {
            let hits = scene.cast(rays).backend(backend).closest().expect("not stopped");
            let counts = crossings(scene, backend, rays, Culling::None);
            let is_there =
                |i: usize| hits.status()[i].is_hit() && (hits.t()[i] - 1.0).abs() <= 1e-3;
            (0..rays.len()).find(|&i| !is_there(i) || counts.count()[i] != 1)
        },
    );
}

#[test]
fn a_line_leaves_the_shipped_solid_as_often_as_it_enters() {
    let mesh = ply::shipped("gyroid.ply");
    let (targets, mut random) = (Targets::on(&mesh), Random::new(7));
    let scene = scene_of(&mesh);
    let next = || {
        let (origin, target) = (random.point(-2.0, 2.0), targets.pick(&mut random).0);
        Ray::new(origin, minus_f32(target, origin))
    };
    none_is_lost("gyroid, seed 7", &scene, rays_of_each(), next, first_unbalanced);
}

#[test]
fn a_line_in_the_faces_of_a_box_leaves_it_as_often_as_it_enters() {
    let mesh = meshes::tessellated_box(6);
    let (targets, mut random) = (Targets::on(&mesh), Random::new(8));
    let scene = scene_of(&mesh);
    // From one shared point to another: in a face, along edges, along diagonals, through corners.
    let next = || loop {
        let [from, to] = [targets.pick(&mut random).0, targets.pick(&mut random).0];
        let ray = Ray::new(from, minus_f32(to, from));
        if ray.defect().is_none() {
            return ray;
        }
    };
    none_is_lost("tessellated box, seed 8", &scene, rays_of_each(), next, first_unbalanced);
}

#[test]
fn shared_edge_or_vertex_of_a_distant_sphere_is_never_missed() {
    let mesh = meshes::icosphere(4, 100.0).moved([5e5, -4e6, 2e5]);
    let (targets, mut random) = (Targets::on(&mesh), Random::new(2));
    let scene = scene_of(&mesh);
    let next = || {
        let offset = random.point(-30.0, 30.0);
        let origin = [5e5 + offset[0], -4e6 + offset[1], 2e5 + offset[2]];
        let (target, _) = targets.pick(&mut random);
        Ray::new(origin, minus_f32(target, origin))
    };
    none_is_lost(
        "icosphere 4 at survey coordinates, seed 2",
        &scene,
        rays_of_each(),
        next,
        first_miss,
    );
}

#[test]
fn edges_of_a_box_met_by_rays_along_the_axes_are_never_missed() {
    let mesh = meshes::tessellated_box(16);
    let (targets, mut random) = (Targets::on(&mesh), Random::new(3));
    let scene = scene_of(&mesh);
    // Starts inside, runs parallel to an axis or a plane of two axes, through edges and along them.
    let next = || {
        let (target, _) = targets.pick(&mut random);
        let shrink = random.pick(&[0.0, 0.5, 0.99]);
        let mut origin = target.map(|x| x * shrink);
        let axis = random.below(3);
        origin[axis] = target[axis];
        Ray::new(origin, minus_f32(target, origin))
    };
    let next = {
        let mut next = next;
        move || loop {
            let ray = next();
            if ray.defect().is_none() && ray.origin.iter().all(|x| x.abs() < 1.0) {
                return ray;
            }
        }
    };
    none_is_lost("tessellated box, seed 3", &scene, rays_of_each(), next, first_miss);
}

#[test]
fn shared_edge_or_vertex_of_the_shipped_solid_is_never_missed() {
    let mesh = ply::shipped("gyroid.ply");
    let (targets, mut random) = (Targets::on(&mesh), Random::new(4));
    let scene = scene_of(&mesh);
    let size = {
        let bounds = scene.bounds();
        (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).fold(0.0, f32::max)
    };
    let normals: Vec<_> = (0..mesh.triangles.len()).map(|i| unit_normal(mesh.corners(i))).collect();
    // Wherever all triangles around the target are seen from the same side, clearly not edge-on,
    // the surface there is a sheet that the ray must cross, within a short way of t = 1.
    let next = || loop {
        let (target, around) = targets.pick(&mut random);
        let offset = random.direction().map(|x| x * size * 0.2);
        let origin = std::array::from_fn(|axis| target[axis] + offset[axis]);
        let ray = Ray::new(origin, minus_f32(target, origin)).with_interval(0.99, 1.01);
        let d = vector(ray.direction);
        let mut cosines = around.iter().map(|&i| dot(d, normals[i]) / length(d));
        let first = cosines.next().unwrap_or(0.0);
        if first.abs() > 0.1 && cosines.all(|cosine| cosine * first.signum() > 0.1) {
            return ray;
        }
    };
    none_is_lost("gyroid, seed 4", &scene, 3 * rays_of_each(), next, first_miss);
}

#[test]
fn rays_from_within_the_shipped_solid_never_leave_it_unseen() {
    let mesh = ply::shipped("gyroid.ply");
    let (targets, mut random) = (Targets::on(&mesh), Random::new(5));
    let scene = scene_of(&mesh);
    // Under the middle of a triangle, by a little of its size: in the wall, which is thicker.
    let starts: Vec<[f32; 3]> = (0..200)
        .map(|_| {
            let corners = mesh.corners(random.below(mesh.triangles.len()));
            let normal = unit_normal(corners);
            let [a, b, c] = corners;
            let depth = 0.1 * length(minus(vector(b), vector(a)));
            let start: [f32; 3] = std::array::from_fn(|axis| {
                (a[axis] + b[axis] + c[axis]) / 3.0 - (depth * normal[axis]) as f32
            });
            let odd = [[0.9, 0.3, 0.1], [-0.2, 0.8, 0.3], [0.1, -0.4, -0.7]].map(|direction| {
                scene.cast(&Ray::new(start, direction)).count().expect("a sound ray") % 2
            });
            assert_eq!(odd, [1; 3], "{start:?} should lie within the solid");
            start
        })
        .collect();
    let next = || {
        let (origin, (target, _)) = (random.pick(&starts), targets.pick(&mut random));
        Ray::new(origin, minus_f32(target, origin))
    };
    none_is_lost("gyroid from within, seed 5", &scene, rays_of_each(), next, first_miss);
}

#[test]
fn a_ray_at_a_shared_point_of_a_fan_meets_one_of_its_triangles() {
    let mut random = Random::new(6);
    let backends = every_backend();
    let mut aimed_at_vertex = 0;
    for case in 0..2 * rays_of_each() / 25 {
        let scale = random.pick(&[1.0, 1.0, 1e-3, 1e-20, 1e-36, 1e15]);
        let center = random.point(-1.0, 1.0).map(|x| x * scale * random.pick(&[0.0, 1.0, 100.0]));
        let count = 5 + random.below(4) as u32;
        let mesh = meshes::fan(count, center, scale, &mut random);
        let triangles: Vec<_> =
            (0..count as usize).map(|i| Triangle::new(mesh.corners(i))).collect();
        let block = Block::new(&triangles).expect("no rules");
        let target = if random.below(2) == 0 {
            aimed_at_vertex += 1;
            center
        } else {
            // Not at the rim, where the fan ends.
            let (to, along) =
                (mesh.vertices[1 + random.below(count as usize)], 0.9 * random.unit());
            std::array::from_fn(|axis| center[axis] + along * (to[axis] - center[axis]))
        };
        // From above, so that the fan is a sheet as the ray sees it.
        let tilt = random.point(-0.3, 0.3);
        let height = random.pick(&[0.5, 4.0, 1000.0]) * scale;
        let origin =
            [target[0] + tilt[0] * height, target[1] + tilt[1] * height, target[2] + height];
        let ray = Ray::new(origin, minus_f32(target, origin));
        if ray.defect().is_some() {
            continue;
        }
        for &backend in &backends {
            for culling in [Culling::None, Culling::Back] {
                let hits = Watertight { culling }
                    .intersect_block(backend, &block, &ray)
                    .expect("a sound ray");
                assert!(
                    hits.mask != 0,
                    "seed 6, case {case}, {backend}, {culling:?}: {ray:?} slips through {mesh:?}"
                );
            }
        }
    }
    assert!(
        aimed_at_vertex > rays_of_each() / 50,
        "only {aimed_at_vertex} rays at the middle of a fan"
    );
}

fn minus_f32(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// Outward, as the shipped solid is wound.
fn unit_normal(corners: [[f32; 3]; 3]) -> Vector {
    let [a, b, c] = corners.map(vector);
    let normal = cross(minus(b, a), minus(c, a));
    times(1.0 / length(normal), normal)
}
