//! Surfaces with few open edges for their triangles, and long thin triangles.

use super::leaky;
use crate::common::scale::scaled;
use lanecast::{Affine, Precision, Scene, SceneBuilder};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use std::sync::Arc;

/// A tube along z around a place, of so many strips of two triangles, with and without lids, which
/// are fans.
pub(crate) fn tube(
    strips: u32,
    [radius, length]: [f32; 2],
    middle: [f32; 3],
    lids: [bool; 2],
) -> Mesh {
    let mut mesh = Mesh::default();
    let around = |place: u32| f64::from(place) / f64::from(strips) * std::f64::consts::TAU;
    for z in [-0.5 * length, 0.5 * length] {
        let rim = (0..strips).map(around).map(|angle| {
            let (sine, cosine) = angle.sin_cos();
            [radius * cosine as f32, radius * sine as f32, z]
        });
        mesh.vertices.extend(rim);
    }
    mesh.vertices.extend([[0.0, 0.0, -0.5 * length], [0.0, 0.0, 0.5 * length]]);
    for place in 0..strips {
        let next = (place + 1) % strips;
        mesh.triangles
            .extend([[place, next, strips + next], [place, strips + next, strips + place]]);
        if lids[0] {
            mesh.triangles.push([2 * strips, next, place]);
        }
        if lids[1] {
            mesh.triangles.push([2 * strips + 1, strips + place, strips + next]);
        }
    }
    mesh.moved(middle)
}

/// Long thin parts beside each other, every third without a lid.
fn assembly(parts: u32, strips: u32, random: &mut Random) -> Mesh {
    let mut mesh = Mesh::default();
    for part in 0..parts {
        let size = [random.between(0.02, 0.05), random.between(2.0, 4.0)];
        mesh = mesh.with(&tube(strips, size, random.point(-1.0, 1.0), [part % 3 > 0, true]));
    }
    mesh
}

/// Every so many triangles are missing.
fn without_some(mut mesh: Mesh, every: usize) -> Mesh {
    let mut place = 0_usize;
    mesh.triangles.retain(|_| {
        place += 1;
        !place.is_multiple_of(every)
    });
    mesh
}

/// The greatest differences from the sums over all triangles at accuracies of 1, 2, 4 and 8, of
/// points that are not on the surface, where the sum is in the middle between both sides.
fn off<T: Precision>(scene: &Scene<T>, points: &[[T; 3]]) -> [f64; 4] {
    let distances = scene.points(points).distances().expect("meshes");
    let ask = |accuracy: f64| {
        let request = scene.points(points).generalised_winding(accuracy);
        request.winding_numbers().expect("meshes").winding_number().to_vec()
    };
    let summed = ask(f64::INFINITY);
    [1.0, 2.0, 4.0, 8.0].map(|accuracy| {
        let found = ask(accuracy);
        let rows = (0..points.len()).filter(|&row| distances.distance()[row].to_f64() > 1e-5);
        rows.fold(0.0, |most: f64, row| most.max(f64::from((found[row] - summed[row]).abs())))
    })
}

#[test]
fn open_edges_give_what_all_triangles_give() {
    let random = &mut Random::new(61);
    let strips = scaled(3_000) as u32;
    let closed = tube(strips, [0.5, 2.0], [0.0; 3], [true; 2]);
    let mut holes = meshes::icosphere(4, 1.0);
    holes.triangles.drain(700..720);
    let mut twice = leaky();
    twice.triangles.extend(leaky().triangles);
    let fan = meshes::fan(2_000, [0.1, 0.0, 0.0], 1.0, random);
    for (name, mesh) in [
        ("closed", closed.clone()),
        ("without a lid", tube(strips, [0.5, 2.0], [0.0; 3], [true, false])),
        ("without lids", tube(strips, [0.5, 2.0], [0.0; 3], [false; 2])),
        ("with slits", without_some(closed, 97)),
        ("an assembly", assembly(30, 100, random)),
        ("a ball with holes", holes),
        ("twice around", twice),
        ("a fan", fan),
        ("a terrain", meshes::terrain(40, random)),
    ] {
        let points: Vec<[f32; 3]> = (0..250).map(|_| random.point(-1.2, 1.2)).collect();
        let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a mesh");
        let offs = off(&scene, &points);
        eprintln!("{name}: {offs:?}");
        let most = if name == "closed" { [1e-5; 4] } else { [0.24, 0.06, 0.011, 0.003] };
        assert!(offs.iter().zip(most).all(|(&off, most)| off <= most), "{name}: {offs:?}");
        let wide = |v: &[f32; 3]| v.map(f64::from);
        let vertices: Vec<[f64; 3]> = mesh.vertices.iter().map(wide).collect();
        let scene = SceneBuilder::<f64>::default()
            .triangle_mesh(&vertices, &mesh.triangles)
            .and_then(SceneBuilder::build)
            .expect("a mesh");
        let offs = off(&scene, &points.iter().map(wide).collect::<Vec<_>>());
        assert!(offs.iter().zip(most).all(|(&off, most)| off <= most), "{name} in f64: {offs:?}");
    }
}

/// A step of a whole turn has to come with the crossing of the edge: rays along x meet many edges
/// and vertices there.
#[test]
fn points_in_line_with_open_edges_are_not_off_by_one() {
    let random = &mut Random::new(62);
    for round in 0..scaled(4) {
        let mut mesh = meshes::tessellated_box(4);
        let missing = 1 + random.below(60);
        for _ in 0..missing {
            mesh.triangles.swap_remove(random.below(mesh.triangles.len()));
        }
        let steps = || (0..13).map(|step| step as f32 * 0.25 - 1.5);
        let points: Vec<[f32; 3]> = steps()
            .flat_map(|x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])))
            .collect();
        let leaf = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a mesh");
        let offs = off(&leaf, &points);
        assert!(offs[3] < 0.003 && offs[1] < 0.06, "round {round}: {offs:?}");
        // Turned by a quarter, mirrored, twice as large: rays along x of the leaf meet other edges.
        let leaf = Arc::new(leaf);
        for map in [
            Affine::from_rows([[0.0, -1.0, 0.0, 0.25], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
            Affine::scale_axes([-1.0, 2.0, 0.5]),
            Affine::from_rows([
                [1.0, 0.5, 0.0, 0.0],
                [0.0, 1.0, 0.25, -0.5],
                [0.0, 0.0, -2.0, 0.0],
            ]),
            transform(random),
        ] {
            let placed = SceneBuilder::new().instance(&leaf, map).build().expect("a scene");
            let around =
                Arc::new(SceneBuilder::new().instance(&leaf, map).build().expect("a scene"));
            let nested =
                SceneBuilder::new().instance(&around, map).instance(&leaf, Affine::IDENTITY);
            for scene in [placed, nested.build().expect("a scene")] {
                let offs = off(&scene, &points);
                assert!(offs[3] < 0.003 && offs[1] < 0.06, "round {round}, {map:?}: {offs:?}");
            }
        }
    }
}
