//! Triangles that share few edges, of any shape and size.

use super::open_edges::tube;
use crate::common::backends::same_on_every_backend;
use crate::common::scale::scaled;
use lanecast::{Affine, Precision, Scene, SceneBuilder};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use std::sync::Arc;

/// Each triangle a little smaller, so that none shares an edge.
fn apart(mesh: &Mesh) -> Mesh {
    let smaller = |number: usize| {
        let corners = mesh.corners(number);
        let middle =
            [0, 1, 2].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f32>() / 3.0);
        corners
            .map(|corner| [0, 1, 2].map(|axis| corner[axis] + 1e-3 * (middle[axis] - corner[axis])))
    };
    Mesh::of_triangles(&(0..mesh.triangles.len()).map(smaller).collect::<Vec<_>>())
}

fn needles(count: usize, width: f32, random: &mut Random) -> Mesh {
    let triangles: Vec<[[f32; 3]; 3]> = (0..count)
        .map(|_| {
            let (from, to, off) =
                (random.point(-1.0, 1.0), random.point(-1.0, 1.0), random.direction());
            [from, to, [0, 1, 2].map(|axis| to[axis] + width * off[axis])]
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

/// A truncated cone of strips, two long thin triangles each.
fn cone(strips: u32) -> Mesh {
    let mut mesh = tube(strips, [0.5, 2.0], [0.0; 3], [false; 2]);
    for [x, y, z] in &mut mesh.vertices {
        let wider = 1.0 + 0.8 * *z;
        (*x, *y) = (*x * wider, *y * wider);
    }
    mesh
}

/// Chains of quads, of which groups of open edges have many ends.
fn ribbons(count: usize, random: &mut Random) -> Mesh {
    let mut mesh = Mesh::default();
    for _ in 0..count {
        let (mut place, along) = (random.point(-1.0, 1.0), random.direction());
        for piece in 0..=10 {
            place = [0, 1, 2].map(|axis| place[axis] + 0.05 * along[axis]);
            mesh.vertices.extend([place, [place[0] + 0.01, place[1] + 0.01, place[2]]]);
            let next = mesh.vertices.len() as u32;
            if piece > 0 {
                mesh.triangles
                    .extend([[next - 4, next - 3, next - 1], [next - 4, next - 1, next - 2]]);
            }
        }
    }
    mesh
}

fn windings<T: Precision>(scene: &Scene<T>, points: &[[T; 3]], accuracy: f64) -> Vec<f32> {
    let request = scene.points(points).generalised_winding(accuracy);
    same_on_every_backend(accuracy, |backend| {
        request
            .clone()
            .backend(backend)
            .winding_numbers()
            .expect("meshes")
            .winding_number()
            .to_vec()
    })
}

/// By no more than is documented, as a part of the winding number where that is above 1.
#[test]
fn of_any_shape_they_are_off_by_no_more_than_of_balls() {
    let random = &mut Random::new(71);
    let count = scaled(3_000);
    for (name, mesh) in [
        ("fine needles", needles(count, 1e-3, random)),
        ("needles", needles(count, 0.03, random)),
        ("a hairball", meshes::hairball(count, random)),
        ("slivers", meshes::slivers(count, random)),
        ("a soup", meshes::soup(count, random)),
        ("ribbons", ribbons(count / 20, random)),
        ("a terrain", apart(&meshes::terrain(40, random))),
        // The errors of parts that fill little of their balls add up.
        ("a cone of strips", apart(&cone(count as u32))),
        ("a ball", apart(&meshes::icosphere(4, 0.8))),
    ] {
        let points: Vec<[f32; 3]> = (0..150).map(|_| random.point(-1.2, 1.2)).collect();
        let wide = |v: &[f32; 3]| v.map(f64::from);
        let vertices: Vec<[f64; 3]> = mesh.vertices.iter().map(wide).collect();
        let own = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a mesh"));
        let in_f64 = Scene::from_triangles(&vertices, &mesh.triangles).expect("a mesh");
        let map = transform(random);
        let placed = SceneBuilder::new().instance(&own, map).build();
        let placed = Arc::new(placed.expect("a scene"));
        let mirrored = Affine::scale_axes([1.0, -1.0, 0.5]);
        let nested = SceneBuilder::new().instance(&placed, mirrored).build();
        let nested = nested.expect("a scene");
        for (accuracy, most) in [(1.0, 0.24), (2.0, 0.06), (4.0, 0.011), (8.0, 0.003)] {
            let check = |how: &str, found: &[f32], summed: &[f32]| {
                for (row, (found, summed)) in found.iter().zip(summed).enumerate() {
                    let off = (found - summed).abs() / summed.abs().max(1.0);
                    assert!(
                        off < most,
                        "{name} {how}, accuracy {accuracy}, {:?}: {off}",
                        points[row]
                    );
                }
            };
            for (how, scene) in
                [("by themselves", &*own), ("placed", &*placed), ("mirrored", &nested)]
            {
                check(
                    how,
                    &windings(scene, &points, accuracy),
                    &windings(scene, &points, f64::INFINITY),
                );
            }
            let points: Vec<[f64; 3]> = points.iter().map(wide).collect();
            let summed = windings(&in_f64, &points, f64::INFINITY);
            check("in f64", &windings(&in_f64, &points, accuracy), &summed);
        }
    }
}
