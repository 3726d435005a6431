//! Rays at edges and vertices of closed meshes, wherever these are and however large.

use super::{Pace, whole_or};
use crate::common::backends::every_backend;
use crate::common::ply;
use lanecast::answers::CountBatch;
use lanecast::{Culling, Ray, Scene};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use lanecast_reference::vector::{Numbers, Vector, minus};

const BATCH: u64 = 1 << 16;

/// The line of a ray leaves a closed surface as often as it enters it, and a ray from the middle of
/// a ball or a box meets it.
#[test]
fn no_ray_at_an_edge_or_a_vertex_is_lost() {
    let total = whole_or(300_000, 1_000_000_000);
    let of_mesh = whole_or(20_000, 2_000_000);
    let (mut done, mut seed, mut pace) = (0, 0, Pace::start());
    while done < total {
        let count = of_mesh.min(total - done);
        if seed % 2 == 0 {
            at_mesh::<f32>(seed, count);
        } else {
            at_mesh::<f64>(seed, count);
        }
        (done, seed) = (done + count, seed + 1);
        pace.say("rays at edges and vertices", done, total);
    }
}

/// A closed mesh, and whether it lies around the origin so that the origin sees all of it.
fn drawn(random: &mut Random) -> (Mesh, bool) {
    match random.below(4) {
        0 => (meshes::icosphere(random.below(6) as u32, 1.0), true),
        1 => (meshes::tessellated_box(1 + random.below(24) as u32), true),
        2 => (ply::shipped("gyroid.ply"), false),
        _ => {
            let mut ball = meshes::icosphere(4, 1.0);
            for vertex in &mut ball.vertices {
                *vertex = vertex.map(|x| x * random.between(0.3, 1.0));
            }
            (ball, false)
        }
    }
}

fn at_mesh<T: Numbers>(seed: u64, count: u64) {
    let random = &mut Random::new(seed);
    let (mesh, is_around) = drawn(random);
    assert!(mesh.is_closed(), "seed {seed}");
    let map = transform(random);
    let scale = random.pick(&[1.0, 1.0, 1.000_000_123, 1e-3, 3e4, 1e-12, 1e12, 1e-30]);
    let offset = random.pick(&[0.0, 0.0, 1.0, 1e3, 1e6]);
    let offset = random.point(-1.0, 1.0).map(|x| f64::from(x) * offset);
    let placed = |point: [f32; 3]| {
        let at = map.point(point.map(f64::from));
        [0, 1, 2].map(|axis| T::nearest((at[axis] + offset[axis]) * scale))
    };
    let vertices: Vec<[T; 3]> = mesh.vertices.iter().copied().map(placed).collect();
    let scene = Scene::from_triangles(&vertices, &mesh.triangles).expect("a sound mesh");
    let (edges, middle) = (mesh.edges(), placed([0.0; 3]));
    let wide = |point: [T; 3]| point.map(T::to_f64);
    let mut target = || {
        let (ends, _) = &edges[random.below(edges.len())];
        let [p, q]: [Vector; 2] = ends.map(|vertex| wide(vertices[vertex as usize]));
        let along = match random.below(3) {
            0 => 0.0,
            1 => 0.5,
            _ => f64::from(random.unit()),
        };
        [0, 1, 2].map(|axis| p[axis] + along * (q[axis] - p[axis]))
    };
    let (mut left, mut rays) = (count, Vec::new());
    for (round, backend) in every_backend().into_iter().cycle().enumerate() {
        if left == 0 {
            break;
        }
        let batch = left.min(BATCH);
        left -= batch;
        rays.clear();
        // From the middle, and from anywhere: half of the way to another edge or beyond the mesh.
        let is_inside = is_around && round % 2 == 0;
        while rays.len() < batch as usize {
            let (origin, to) = if is_inside {
                (middle, target())
            } else {
                let (from, to) = (target(), target());
                let past = [0, 1, 2].map(|axis| from[axis] + (from[axis] - to[axis]) * 0.7);
                (past.map(T::nearest), to)
            };
            let ray = Ray::line(origin, minus(to, wide(origin)).map(T::nearest));
            if ray.defect().is_none() {
                rays.push(ray);
            }
        }
        let counts = [Culling::Back, Culling::Front].map(|culling| {
            scene.cast(&rays[..]).backend(backend).culling(culling).count().expect("not stopped")
        });
        let [enters, leaves] = counts.each_ref().map(CountBatch::count);
        if let Some(wrong) = (0..rays.len()).find(|&row| enters[row] != leaves[row]) {
            let ray = rays[wrong];
            panic!("seed {seed}, {backend}: {} in, {} out: {ray:?}", enters[wrong], leaves[wrong]);
        }
        if is_inside {
            let ahead: Vec<_> =
                rays.iter().map(|ray| Ray::new(ray.origin, ray.direction)).collect();
            let hits = scene.cast(&ahead[..]).backend(backend).closest().expect("not stopped");
            if let Some(lost) = hits.status().iter().position(|status| !status.is_hit()) {
                panic!("seed {seed}, {backend}: lost {:?}", ahead[lost]);
            }
        }
    }
}
