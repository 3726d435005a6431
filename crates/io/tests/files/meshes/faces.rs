//! Polygons and strips as triangles that keep the number of their face.

use super::files::{OBJ, OFF, binary_ply, text_of};
use crate::folder::Folder;
use lanecast_io::read_model;

const HEAD: &str = "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n\
    element tristrips 2\nproperty list int int vertex_indices\nend_header\n";

/// Six vertices and two strips: one of four corners, then, behind its end, one of three, and one of
/// five.
fn strips() -> String {
    let vertices: String = (0..6).map(|x| format!("{x} {} 0.5\n", x * x)).collect();
    format!("ply\nformat ascii 1.0\n{HEAD}{vertices}9 0 1 2 3 -1 3 4 5 -1\n5 1 0 2 4 5\n")
}

/// The same with numbers of four bytes.
fn binary_strips() -> Vec<u8> {
    let head = HEAD.replace("int int", "int int32");
    let mut file = format!("ply\nformat binary_big_endian 1.0\n{head}").into_bytes();
    for line in strips().lines().skip(2 + HEAD.lines().count()) {
        for word in line.split(' ') {
            let is_float = line.ends_with("0.5");
            let float = || word.parse::<f32>().unwrap().to_be_bytes();
            file.extend(if is_float {
                float()
            } else {
                word.parse::<i32>().unwrap().to_be_bytes()
            });
        }
    }
    file
}

#[test]
fn ply_tristrips_are_read_and_end_at_minus_one() {
    let folder = Folder::new();
    let text = strips();
    for bytes in [text.clone().into_bytes(), binary_strips()] {
        let mesh = folder.only_mesh("m.ply", bytes);
        // Every second triangle is turned, from the begin of each strip on.
        let expected = [[0, 1, 2], [1, 3, 2], [3, 4, 5], [1, 0, 2], [0, 4, 2], [2, 4, 5]];
        assert_eq!(mesh.triangles, expected);
        assert_eq!(mesh.face_ids.unwrap(), [0, 0, 0, 1, 1, 1]);
    }
    let list =
        "element \"tristrips\": no list \"vertex_indices\" or \"vertex_index\"; found corners";
    folder.refuses(
        read_model::<f32>,
        [
            (
                "2 4 5\n",
                "2 4 6\n",
                "strip 1 of 2: vertex 6 does not exist; there are 6, numbered from 0",
            ),
            (
                "3 -1 3",
                "3 -2 3",
                "strip 0 of 2: vertex -2 does not exist; there are 6, numbered from 0",
            ),
            ("vertex_indices", "corners", list),
        ]
        .map(|(from, to, problem)| ("m.ply", text.replace(from, to).into_bytes(), problem)),
    );
    // Strips are numbered on from the faces.
    let faces = "element face 2\nproperty list uchar int vertex_indices\nelement vertex";
    let text = text
        .replace("element vertex", faces)
        .replace("end_header\n", "end_header\n4 0 1 2 3\n3 3 4 5\n");
    let mesh = folder.only_mesh("m.ply", text);
    assert_eq!(mesh.triangles[..4], [[0, 1, 2], [0, 2, 3], [3, 4, 5], [0, 1, 2]]);
    assert_eq!(mesh.face_ids.unwrap(), [0, 0, 1, 2, 2, 2, 3, 3, 3]);
}

#[test]
fn triangles_of_a_polygon_keep_the_number_of_its_face() {
    let folder = Folder::new();
    let ply = text_of("m.ply");
    for (name, bytes) in [
        ("m.obj", OBJ.into()),
        ("m.off", OFF.into()),
        ("m.ply", ply.clone().into_bytes()),
        ("m.ply", binary_ply(true, false)),
    ] {
        assert_eq!(folder.only_mesh(name, bytes).face_ids, Some(vec![0, 0, 1]), "{name}");
    }
    // Faces that are triangles already need no numbers; one that gives no triangle counts.
    let triangles = ply.replace("4 0 1 2 3", "3 0 1 2");
    assert_eq!(folder.only_mesh("m.ply", &triangles).face_ids, None);
    let model = folder.model("m.ply", ply.replace("4 0 1 2 3", "2 0 1")).unwrap();
    assert_eq!(model.meshes[0].face_ids, Some(vec![1]));
    let fewer = "1 face of fewer than three vertices left out";
    assert_eq!(model.remarks, [fewer, "1 element \"edge\" left out"]);
}
