//! Polygons that are not convex, in every format that has polygons.

use super::files::VERTICES;
use crate::folder::Folder;
use lanecast_io::{Coordinate, Mesh, read_model};
use std::collections::BTreeSet;

pub(super) fn area<T: Coordinate>(mesh: &Mesh<T>) -> f64 {
    let area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| mesh.vertices[vertex as usize].map(T::to_f64));
        let [u, v] = [b, c].map(|corner| [0, 1, 2].map(|axis| corner[axis] - a[axis]));
        let normal =
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        normal.iter().map(|x| x * x).sum::<f64>().sqrt() / 2.0
    };
    mesh.triangles.iter().map(area).sum()
}

/// The triangles of a face.
fn of_face<T: Coordinate>(mesh: &Mesh<T>, face: u32) -> Mesh<T> {
    let ids = mesh.face_ids.as_ref().expect("ids of faces");
    let pairs = mesh.triangles.iter().zip(ids).filter(|(_, id)| **id == face);
    Mesh { triangles: pairs.map(|(triangle, _)| *triangle).collect(), ..mesh.clone() }
}

/// How many vertices its triangles name.
fn named<T: Coordinate>(mesh: &Mesh<T>) -> usize {
    mesh.triangles.as_flattened().iter().collect::<BTreeSet<_>>().len()
}

/// A floor in the form of a U and a square beside it, in a plane that stands aslant; both given
/// from a corner from which a fan is wrong and from one from which it is right.
const U: [[f64; 2]; 8] =
    [[4., 0.], [4., 3.], [3., 3.], [3., 1.], [1., 1.], [1., 3.], [0., 3.], [0., 0.]];

fn files(offset: f64) -> [(&'static str, String); 3] {
    let position =
        |[x, y]: [f64; 2]| format!("{} {} {}\n", offset + x, 0.6 * y - offset, 0.8 * y + 3.0);
    let vertices: String = U.into_iter().map(position).collect();
    let obj: String = vertices.lines().map(|line| format!("v {line}\n")).collect();
    let faces = "8 0 1 2 3 4 5 6 7\n8 7 6 5 4 3 2 1 0\n4 0 1 2 3\n3 0 1 2\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n\
               element face 4\nproperty list uchar int vertex_indices\nend_header\n";
    [
        ("m.obj", format!("{obj}f 1 2 3 4 5 6 7 8\nf 8 7 6 5 4 3 2 1\nf 1 2 3 4\nf 1 2 3\n")),
        ("m.off", format!("OFF 8 4 0\n{vertices}{faces}")),
        ("m.ply", format!("{ply}{vertices}{faces}")),
    ]
}

#[test]
fn a_concave_polygon_has_its_area_its_way_and_its_number() {
    let folder = Folder::new();
    for offset in [0.0, 5e5] {
        for (name, text) in files(offset) {
            let meshes = read_model::<f64>(&folder.file(name, text)).unwrap().meshes;
            let [mesh] = &meshes[..] else { panic!("{name}: {} meshes", meshes.len()) };
            let expected = [vec![0; 6], vec![1; 6], vec![2, 2, 3]].concat();
            assert_eq!(mesh.face_ids.as_ref(), Some(&expected), "{name}");
            assert_eq!((mesh.vertices.len(), mesh.self_crossing_faces), (8, 0));
            // A quadrilateral with a corner on one of its edges is a fan.
            assert_eq!(mesh.triangles[12..], [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
            for (face, up) in [(0, 1.0), (1, -1.0)] {
                let part = of_face(mesh, face);
                assert!((area(&part) - 8.0).abs() < 1e-9, "{name}: {}", area(&part));
                for triangle in &part.triangles {
                    let [a, b, c] = triangle.map(|vertex| mesh.vertices[vertex as usize]);
                    let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                    assert!(turn * up > 0.0, "{name}: it faces as the polygon does");
                }
                assert_eq!(named(&part), 8, "every corner is a corner of a triangle");
            }
        }
    }
}

#[test]
fn normals_and_names_go_with_the_corners_of_a_concave_polygon() {
    let [(_, text), ..] = files(0.0);
    let (vertices, _) = text.split_once("f ").unwrap();
    let normals: String = (0..8).map(|x| format!("vn {x} 1 0\n")).collect();
    // Its faces come first, as a file may have them.
    let corners: String = (1..9).map(|corner| format!(" {corner}//{corner}")).collect();
    let faces = format!("o quad\nf 1//1 2//2 3//3 8//8\no u\nf{corners}\nf 1//1 7//7 8//8\n");
    let meshes = Folder::new().meshes("m.obj", format!("{faces}{vertices}{normals}")).unwrap();
    assert_eq!(meshes[0].triangles, [[0, 1, 2], [0, 2, 3]]);
    let mesh = &meshes[1];
    assert_eq!(mesh.face_ids.as_ref().unwrap()[..], [1, 1, 1, 1, 1, 1, 2]);
    assert!((area(&of_face(mesh, 1)) - 8.0).abs() < 1e-6);
    let expected: Vec<[f32; 3]> = (0..8).map(|x| [x as f32, 1.0, 0.0]).collect();
    assert_eq!((mesh.vertices.len(), mesh.normals.as_ref()), (8, Some(&expected)));
}

#[test]
fn a_concave_polygon_with_a_corner_that_is_not_finite_names_it() {
    let places = [
        "line 5: vertex 5, numbered from 1",
        "line 6: vertex 4, numbered from 0",
        "line 14: vertex 4, numbered from 0",
    ];
    let rows = files(0.0).into_iter().zip(places).map(|((name, text), place)| {
        let text = text.replacen("1 0.6 3.8", "1 nan 3", 1);
        (name, text.into_bytes(), format!("{place}, which a face names, is [1.0, NaN, 3.0]…"))
    });
    Folder::new().refuses(read_model::<f32>, rows);
}

/// One that crosses itself is read, and none of its corners is lost.
#[test]
fn polygons_that_cross_themselves_are_counted() {
    let [(_, text), ..] = files(0.0);
    let faces = "f 1 3 2 4 5\nf 1 5 2 6 3 7\nf 1 2 3 4 5 6 7 8\n";
    let mesh = Folder::new().only_mesh("m.obj", text + faces);
    assert_eq!(mesh.self_crossing_faces, 2);
    assert_eq!([4, 5, 6].map(|face| named(&of_face(&mesh, face))), [5, 6, 8]);
}

/// What is convex is as it always was.
#[test]
fn convex_polygons_are_fans_around_their_first_corner() {
    let vertices: String = VERTICES.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let text = format!("{vertices}v 0.5 0 0\nf 1 6 2 3 4\nf 3 4 1 6 2\n");
    let mesh = Folder::new().only_mesh("m.obj", text);
    assert_eq!(mesh.triangles, [[0, 5, 1], [0, 1, 2], [0, 2, 3], [2, 3, 0], [2, 0, 5], [2, 5, 1]]);
}
