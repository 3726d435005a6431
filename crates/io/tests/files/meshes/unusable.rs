//! Vertices that are not finite: no trouble unless a face names them.

use super::files::{ascii_stl, binary_stl};
use crate::folder::Folder;
use crate::support::floats;
use lanecast_io::read_model;

fn ply(third: &str, faces: &str) -> String {
    format!(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_index\nend_header\n\
         0 0 0\n1 0 0\n0 {third} 0\n0 1 0\n{faces}\n"
    )
}

fn binary_ply(third: f32, face: [u8; 3]) -> Vec<u8> {
    let text =
        ply("0", "").replace("ascii", "binary_little_endian").replace("uchar int", "uchar uchar");
    let (head, _) = text.split_once("0 0 0\n").unwrap();
    let vertices = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, third, 0.0, 0.0, 1.0, 0.0]);
    [head.as_bytes(), &vertices, &[3], &face].concat()
}

#[test]
fn a_vertex_that_is_not_finite_must_be_named_by_no_face() {
    let folder = Folder::new();
    for (wild, shown) in [("nan", "NaN"), ("inf", "inf"), ("-1e39", "-inf")] {
        let number: f32 = wild.parse().unwrap();
        let obj = format!("v 0 0 0\nv 1 0 0\n# x\nv 0 {wild} 0\nv 0 1 0\nf 1 2");
        let off = format!("OFF 4 1 0\n0 0 0\n1 0 0\n\n0 {wild} 0\n0 1 0\n3 0 1");
        // Such a vertex is put at 0.
        for (name, bytes) in [
            ("m.obj", format!("{obj} 4\n").into_bytes()),
            ("m.off", format!("{off} 3\n").into()),
            ("m.ply", ply(wild, "3 0 1 3").into()),
            ("m.ply", binary_ply(number, [0, 1, 3])),
        ] {
            let model = folder.model(name, bytes).unwrap();
            let mesh = &model.meshes[0];
            let expected = [[0., 0., 0.], [1., 0., 0.], [0.; 3], [0., 1., 0.]];
            assert_eq!(mesh.vertices, expected, "{name} {wild}");
            assert_eq!(
                (&mesh.triangles[..], &mesh.unusable_vertices[..]),
                (&[[0, 1, 3]][..], &[2][..])
            );
            let said = "1 vertex that no face names put at 0: not finite, or too large";
            assert_eq!(model.remarks, [said]);
        }
        let fault = "coordinates must be finite and at most 2^100 in magnitude";
        let named = format!("which a face names, is [0.0, {shown}, 0.0]; {fault}");
        // OBJ numbers its vertices from 1, and so do all messages of it.
        let (from_0, from_1) = (
            format!("vertex 2, numbered from 0, {named}"),
            format!("vertex 3, numbered from 1, {named}"),
        );
        let of_stl = format!("a vertex is [1.0, {shown}, 0.0]; {fault}");
        let stl = ascii_stl().replacen("vertex 1 0", &format!("vertex 1 {wild}"), 1);
        let mut binary = binary_stl("");
        binary[84 + 28..84 + 32].copy_from_slice(&number.to_le_bytes());
        folder.refuses(
            read_model::<f32>,
            [
                ("m.obj", format!("{obj} 3\n").into_bytes(), format!("line 4: {from_1}")),
                ("m.off", format!("{off} 2\n").into(), format!("line 5: {from_0}")),
                ("m.ply", ply(wild, "3 0 1 2").into(), format!("line 12: {from_0}")),
                ("m.ply", binary_ply(number, [2, 1, 0]), from_0),
                ("m.stl", stl.into(), format!("line 5: {of_stl}")),
                ("m.stl", binary, format!("triangle 0 of 3: {of_stl}")),
            ],
        );
    }
}

/// What is beyond the range of `f32` is not beyond that of `f64`.
#[test]
fn the_bound_is_that_of_the_precision() {
    let folder = Folder::new();
    let text = |y: &str| format!("v 0 0 0\nv 1 0 0\nv 0 {y} 0\nf 1 2 3\n");
    let meshes = read_model::<f64>(&folder.file("m.obj", text("1e39"))).unwrap().meshes;
    assert_eq!(meshes[0].vertices[2][1], 1e39);
    let far = text("1e99").into_bytes();
    folder.refuses(read_model::<f64>, [("m.obj", far, "…at most 2^300 in magnitude")]);
}

/// Points are what their file says: nobody may take one that is not finite for one at 0.
#[test]
fn vertices_of_a_file_without_faces_stay_as_they_are() {
    let cloud =
        ply("nan", "").replace("element face 1\nproperty list uchar int vertex_index\n", "");
    let model = Folder::new().model("m.ply", cloud).unwrap();
    assert!(model.meshes[0].vertices[2][1].is_nan() && model.remarks.is_empty());
}
