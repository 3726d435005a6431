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

#[test]
fn the_area_of_a_concave_polygon_is_its_own() {
    for name in ["concave-l.obj", "concave-l.ply"] {
        let mesh = only_mesh(name);
        assert_eq!((area(&mesh), mesh.self_crossing_faces), (5.0, 0), "{name}");
    }
}

#[test]
fn facets_of_an_stl_may_stand_on_one_line() {
    let expected = [0.0, 1.0, 2.0].map(at_height);
    for name in ["stl-facet-per-line.stl", "stl-one-facet-on-a-line.stl"] {
        let mesh = only_mesh(name);
        assert_eq!((&mesh.name[..], corners(&mesh)), ("a", expected.to_vec()), "{name}");
    }
}

#[test]
fn the_end_of_an_stl_may_be_two_words() {
    for name in ["stl-end-solid.stl", "stl-end-loop.stl"] {
        let mesh = only_mesh(name);
        assert_eq!((&mesh.name[..], corners(&mesh)), ("a", vec![at_height(0.0)]), "{name}");
    }
}

#[test]
fn names_of_an_obj_keep_what_follows_a_hash() {
    let names = |name| {
        model(name)
            .meshes
            .into_iter()
            .map(|mesh| (mesh.name, mesh.triangles.len()))
            .collect::<Vec<_>>()
    };
    let expected = [("Part#1", 1), ("Part#2", 1)];
    assert_eq!(
        names("obj-names-with-hash.obj"),
        expected.map(|(name, count)| (name.to_owned(), count))
    );
    let expected = [("G#1/#fff", 1), ("G#1/#000", 1), ("G#2/#000", 1)];
    assert_eq!(
        names("obj-groups-with-hash.obj"),
        expected.map(|(name, count)| (name.to_owned(), count))
    );
}

const SQUARE: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];

#[test]
fn lines_of_an_obj_may_end_with_cr_alone_and_be_in_utf_16() {
    for name in ["obj-cr-only.obj", "obj-cr-only-comment.obj", "obj-utf16.obj"] {
        let mesh = only_mesh(name);
        assert_eq!(
            (&mesh.vertices[..], &mesh.triangles[..]),
            (&SQUARE[..], &[[0, 1, 2], [0, 2, 3]][..]),
            "{name}"
        );
    }
}

#[test]
fn lines_of_the_header_of_a_ply_may_end_with_cr_alone() {
    assert_eq!(corners(&only_mesh("ply-binary-cr-header.ply")), [at_height(0.0)]);
}

#[test]
fn a_vertex_of_a_ply_may_take_two_lines() {
    let mesh = only_mesh("ply-vertex-over-two-lines.ply");
    assert_eq!(mesh.vertices, [[0., 0., 1.], [1., 0., 2.], [0., 1., 3.]]);
}

#[test]
fn normals_that_are_no_numbers_or_none_refuse_no_file() {
    let mesh = only_mesh("obj-normal-nan-ind.obj");
    assert_eq!((&mesh.vertices[..], &mesh.triangles[..]), (&SQUARE[..3], &[[0, 1, 2]][..]));
    let normals = mesh.normals.expect("normals");
    assert_eq!(normals[..2], [[0.0, 0.0, 1.0]; 2]);
    assert!(normals[2].iter().all(|x| x.is_nan()));
    let mesh = only_mesh("ply-normal-ind.ply");
    assert_eq!(corners(&mesh), [at_height(0.0)]);
    assert!(mesh.normals.expect("normals")[1].iter().all(|x| x.is_nan()));
    let zero = model("obj-normal-zero.obj");
    assert_eq!((&zero.meshes[0].vertices[..], &zero.meshes[0].normals), (&SQUARE[..3], &None));
    assert_eq!(zero.remarks, ["normals left out: 1 corner without one"]);
}

#[test]
fn the_counts_of_an_off_may_follow_its_keyword_at_once() {
    assert_eq!(corners(&only_mesh("off-head-in-one-word.off")), [at_height(0.0)]);
}

#[test]
fn a_gltf_may_begin_with_a_mark_have_an_empty_scene_and_zeros() {
    for name in ["gltf-bom.gltf", "gltf-scene-without-nodes.gltf"] {
        assert_eq!(corners(&only_mesh(name)), [at_height(0.0)], "{name}");
    }
    assert_eq!(corners(&only_mesh("gltf-accessor-without-view.gltf")), [[[0.0; 3]; 3]]);
}
