//! Polygons and strips as triangles that keep the number of their face.

use super::files::{OBJ, OFF, ascii_ply, binary_ply};
use crate::folder::Folder;

/// Six vertices and two strips: one of four corners, then, behind its end, one of three, and one of
/// five.
fn strips(format: &str, kind: &str) -> Vec<u8> {
    let mut file = format!(
        "ply\nformat {format} 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n\
         element tristrips 2\nproperty list int {kind} vertex_indices\nend_header\n"
    )
    .into_bytes();
    let lists: [&[i32]; 2] = [&[0, 1, 2, 3, -1, 3, 4, 5, -1], &[1, 0, 2, 4, 5]];
    for vertex in 0..6 {
        let position = [vertex as f32, (vertex * vertex) as f32, 0.5];
        match format {
            "ascii" => {
                file.extend(format!("{} {} {}\n", position[0], position[1], position[2]).bytes());
            }
            _ => position.iter().for_each(|x| file.extend(x.to_be_bytes())),
        }
    }
    for list in lists {
        let numbers = std::iter::once(list.len() as i32).chain(list.iter().copied());
        match format {
            "ascii" => {
                file.extend(
                    numbers.map(|x| format!("{x} ")).collect::<String>().bytes().chain(*b"\n"),
                );
            }
            _ => numbers.for_each(|x| file.extend(x.to_be_bytes())),
        }
    }
    file
}

#[test]
fn ply_tristrips_are_read_and_end_at_minus_one() {
    let folder = Folder::new();
    for (format, kind) in [("ascii", "int"), ("binary_big_endian", "int32")] {
        let mesh = folder.only_mesh("m.ply", strips(format, kind));
        assert_eq!(
            mesh.triangles,
            [[0, 1, 2], [1, 3, 2], [3, 4, 5], [1, 0, 2], [0, 4, 2], [2, 4, 5]],
            "every second triangle is turned, from the begin of each strip on"
        );
        assert_eq!(mesh.face_ids.unwrap(), [0, 0, 0, 1, 1, 1]);
    }
    let text = String::from_utf8(strips("ascii", "int")).unwrap();
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("2 4 5 \n", "2 4 6 \n")),
        "m.ply: strip 1 of 2: vertex 6 does not exist; there are 6, numbered from 0"
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("3 -1 3", "3 -2 3")),
        "m.ply: strip 0 of 2: vertex -2 does not exist; there are 6, numbered from 0"
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("vertex_indices", "corners")),
        "m.ply: element \"tristrips\": no list \"vertex_indices\" or \"vertex_index\"; found corners"
    );
}

#[test]
fn strips_are_numbered_on_from_the_faces() {
    let folder = Folder::new();
    let head = "element face 2\nproperty list uchar int vertex_indices\nelement vertex";
    let text = String::from_utf8(strips("ascii", "int")).unwrap();
    let text = text
        .replace("element vertex", head)
        .replace("end_header\n", "end_header\n4 0 1 2 3\n3 3 4 5\n");
    let mesh = folder.only_mesh("m.ply", text);
    assert_eq!(mesh.triangles[..4], [[0, 1, 2], [0, 2, 3], [3, 4, 5], [0, 1, 2]]);
    assert_eq!(mesh.face_ids.unwrap(), [0, 0, 1, 2, 2, 2, 3, 3, 3]);
}

#[test]
fn triangles_of_a_polygon_keep_the_number_of_its_face() {
    let folder = Folder::new();
    let ply = ascii_ply("float", "uchar int vertex_indices");
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
    assert_eq!(
        model.remarks,
        ["1 face of fewer than three vertices left out", "1 element \"edge\" left out"]
    );
}
