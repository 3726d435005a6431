//! Sound mesh files of `data/regress` that were misread or refused, each with what it holds.

use super::files::corners;
use super::polygons::area;
use lanecast_io::{Mesh, Model, read_model};
use std::path::Path;

fn model(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress").join(name);
    read_model(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn only_mesh(name: &str) -> Mesh {
    let mut model = model(name);
    assert_eq!((model.meshes.len(), &model.remarks[..]), (1, &[][..]), "{name}");
    model.meshes.remove(0)
}

/// The triangle of 0 0 z, 1 0 z and 0 1 z.
fn at_height(z: f32) -> [[f32; 3]; 3] {
    [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]
}

/// Files of one mesh, each with its name where the file has one, and the corners of its triangles.
#[test]
fn files_that_were_misread_are_read() {
    let level = vec![at_height(0.0)];
    let [a, b, c, d] = SQUARE;
    let square = vec![[a, b, c], [a, c, d]];
    let three = [0.0, 1.0, 2.0].map(at_height).to_vec();
    for (file, name, expected) in [
        ("stl-facet-per-line.stl", "a", &three),
        ("stl-one-facet-on-a-line.stl", "a", &three),
        ("stl-end-solid.stl", "a", &level),
        ("stl-end-loop.stl", "a", &level),
        // Lines may end with CR alone.
        ("obj-cr-only.obj", "", &square),
        ("obj-cr-only-comment.obj", "", &square),
        ("obj-utf16.obj", "", &square),
        ("ply-binary-cr-header.ply", "", &level),
        // Normals that are no numbers.
        ("obj-normal-nan-ind.obj", "", &vec![[a, b, c]]),
        ("ply-normal-ind.ply", "", &level),
        // The counts follow the keyword at once.
        ("off-head-in-one-word.off", "", &level),
        ("gltf-bom.gltf", "", &level),
        ("gltf-scene-without-nodes.gltf", "", &level),
        ("gltf-accessor-without-view.gltf", "", &vec![[[0.0; 3]; 3]]),
    ] {
        let mesh = only_mesh(file);
        assert!(name.is_empty() || mesh.name == name, "{file}: {}", mesh.name);
        assert_eq!(&corners(&mesh), expected, "{file}");
    }
    let vertices = only_mesh("ply-vertex-over-two-lines.ply").vertices;
    assert_eq!(vertices, [[0., 0., 1.], [1., 0., 2.], [0., 1., 3.]]);
    for name in ["concave-l.obj", "concave-l.ply"] {
        let mesh = only_mesh(name);
        assert_eq!((area(&mesh), mesh.self_crossing_faces), (5.0, 0), "{name}");
    }
}

#[test]
fn names_of_an_obj_keep_what_follows_a_hash() {
    for (file, names) in [
        ("obj-names-with-hash.obj", &["Part#1", "Part#2"][..]),
        ("obj-groups-with-hash.obj", &["G#1/#fff", "G#1/#000", "G#2/#000"]),
    ] {
        let meshes = model(file).meshes;
        assert!(meshes.iter().map(|mesh| &mesh.name[..]).eq(names.iter().copied()), "{meshes:?}");
        assert!(meshes.iter().all(|mesh| mesh.triangles.len() == 1), "{file}");
    }
}

const SQUARE: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];

#[test]
fn normals_that_are_no_numbers_or_none_refuse_no_file() {
    let normals = only_mesh("obj-normal-nan-ind.obj").normals.expect("normals");
    assert_eq!(normals[..2], [[0.0, 0.0, 1.0]; 2]);
    assert!(normals[2].iter().all(|x| x.is_nan()));
    let normals = only_mesh("ply-normal-ind.ply").normals.expect("normals");
    assert!(normals[1].iter().all(|x| x.is_nan()));
    let zero = model("obj-normal-zero.obj");
    assert_eq!((&zero.meshes[0].vertices[..], &zero.meshes[0].normals), (&SQUARE[..3], &None));
    assert_eq!(zero.remarks, ["normals left out: 1 corner without one"]);
}
