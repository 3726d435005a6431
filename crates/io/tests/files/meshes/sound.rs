//! Sound files, however they are written.

use super::files::{
    DATA, OBJ, OFF, ONE_NODE, ascii_ply, ascii_stl, assert_is_the_mesh, binary_ply, binary_stl,
    bytes_of, corners, expected_corners, gltf, gltf_buffer, text_of,
};
use crate::folder::Folder;

#[test]
fn every_format_gives_the_same_mesh() {
    let folder = Folder::new();
    let mut files: Vec<(&str, Vec<u8>)> = vec![
        ("m.obj", OBJ.into()),
        ("m.off", OFF.into()),
        ("m.OFF", OFF.replace('\n', "\r\n").into()),
    ];
    for scalar in ["float", "double", "float64"] {
        files.push(("m.ply", ascii_ply(scalar, "uchar int vertex_indices").into()));
        files.push(("m.PLY", ascii_ply(scalar, "int uint vertex_index").into()));
    }
    for big in [false, true] {
        files.push(("m.ply", binary_ply(big, false)));
        files.push(("m.ply", binary_ply(big, true)));
    }
    // Blank lines in an ASCII PLY.
    let (head, body) = split_ply();
    files.push(("m.ply", format!("{head}\n{}", body.replace('\n', "\n \r\n")).into()));
    files.iter().for_each(|(name, bytes)| assert_is_the_mesh(&folder.only_mesh(name, bytes)));
    for bytes in [ascii_stl().into_bytes(), binary_stl("made for a test"), binary_stl("solid trap")]
    {
        let meshes = folder.meshes("m.stl", bytes).unwrap();
        assert_eq!(meshes.iter().flat_map(corners).collect::<Vec<_>>(), expected_corners());
        assert_eq!(meshes[0].name, "m");
        // Equal corners are one vertex. A file of several solids has the corners of the last
        // triangle in its second.
        let counts: Vec<_> = meshes.iter().map(|mesh| mesh.vertices.len()).collect();
        assert!(counts == [5] || counts == [4, 3], "{counts:?}");
    }
}

/// The head of the ASCII PLY and the lines of its vertices and faces.
pub(super) fn split_ply() -> (String, String) {
    let text = text_of("m.ply");
    let (head, body) = text.split_once("end_header\n").unwrap();
    (head.to_owned() + "end_header\n", body.to_owned())
}

#[test]
fn a_mesh_without_triangles_is_handed_back_empty() {
    let folder = Folder::new();
    let cloud = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                 property float z\nend_header\n1 2 3\n";
    for (name, text, vertices) in [
        ("m.ply", cloud, &[[1.0, 2.0, 3.0]][..]),
        ("m.obj", "v 1 2 3\n", &[[1.0, 2.0, 3.0]]),
        ("m.off", "OFF 0 0 0\n", &[]),
        ("m.stl", "solid\nendsolid\n", &[]),
    ] {
        let mesh = folder.only_mesh(name, text);
        assert_eq!((&mesh.vertices[..], mesh.triangles.len()), (vertices, 0), "{name}");
    }
    assert_eq!(folder.meshes("m.gltf", r#"{"asset":{"version":"2.0"}}"#).unwrap(), vec![]);
}

#[test]
fn a_file_that_names_vertices_before_it_has_them_is_read() {
    let folder = Folder::new();
    let mesh = folder.only_mesh("m.obj", "f 1 2 \\\n 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    let ply = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 3\n\
               property float x\nproperty float y\nproperty float z\nend_header\n3 2 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    assert_eq!(folder.only_mesh("m.ply", ply).triangles, [[2, 1, 0]]);
}

#[test]
fn gltf_reads_the_same_however_its_buffer_is_given() {
    let folder = Folder::new();
    folder.file("the buffer.bin", gltf_buffer());
    let from_chunk = folder.meshes("m.glb", bytes_of("m.glb", text_of("m.glb"))).unwrap();
    let data = format!(r#","uri":"data:application/octet-stream;base64,{DATA}""#);
    for buffer in [r#","uri":"the%20buffer.bin""#, &data] {
        assert_eq!(folder.meshes("m.gltf", gltf(buffer, ONE_NODE)).unwrap(), from_chunk);
    }
    // Triangles, a strip and a fan, named by mesh and primitive; the primitive of lines is passed
    // over.
    let expected = [
        ("part/0", [[0, 1, 2], [2, 1, 3]]),
        ("part/1", [[0, 1, 2], [1, 3, 2]]),
        ("part/3", [[1, 2, 0], [2, 3, 0]]),
    ];
    for (mesh, (name, triangles)) in from_chunk.iter().zip(expected) {
        assert_eq!((&mesh.name[..], &mesh.triangles[..]), (name, &triangles[..]));
    }
    assert_eq!((from_chunk.len(), from_chunk[0].vertices[3]), (3, [1.0, 1.0, 0.0]));
    // Positions need no bounds.
    for bounds in ["", r#","min":[],"max":null"#, r#","max":[9]"#] {
        let json = text_of("m.glb").replace(r#","min":[0,0,0],"max":[1,1,0]"#, bounds);
        assert_eq!(
            folder.meshes("m.glb", bytes_of("m.glb", json)).unwrap(),
            from_chunk,
            "{bounds}"
        );
    }
}

#[test]
fn gltf_transforms_chain_and_a_mirrored_node_faces_outward() {
    let folder = Folder::new();
    let nodes = r#"[{"children":[1,2],"translation":[10,0,0]},
        {"mesh":0,"scale":[-1,1,1]},{"mesh":0,"rotation":[0,0,1,0],"translation":[0,5,0]}]"#;
    let meshes = folder.meshes("m.glb", bytes_of("m.glb", gltf("", nodes))).unwrap();
    assert_eq!(meshes.len(), 6);
    for (mesh, expected) in [
        (&meshes[0], [[10., 0., 0.], [9., 0., 0.], [10., 1., 0.], [9., 1., 0.]]),
        (&meshes[3], [[10., 5., 0.], [9., 5., 0.], [10., 4., 0.], [9., 4., 0.]]),
    ] {
        assert_eq!(mesh.vertices, expected);
        for [a, b, c] in corners(mesh) {
            let up = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(up > 0.0, "{:?} turned over", [a, b, c]);
        }
    }
}

#[test]
fn nodes_that_only_other_scenes_show_are_told_of() {
    let json = gltf("", r#"[{"mesh":0},{"mesh":0,"translation":[5,0,0]}]"#)
        .replace(r#""scenes":[{"nodes":[0]}]"#, r#""scenes":[{"nodes":[0]},{"nodes":[1]}]"#);
    let model = Folder::new().model("m.glb", bytes_of("m.glb", json)).unwrap();
    let lines = "1 primitive of points or lines left out";
    assert_eq!(model.remarks, [lines, "1 node of other scenes left out"]);
}

/// −0 and 0 are one place, also where they are corners of the same vertex.
#[test]
fn an_stl_with_both_signs_of_zero_has_each_vertex_once() {
    let signs = ascii_stl().replacen("vertex 0 0 0.0", "vertex -0 -0.0 -0", 1);
    assert_ne!(signs, ascii_stl());
    let mesh = Folder::new().meshes("m.stl", signs).unwrap().remove(0);
    assert_eq!((mesh.vertices.len(), corners(&mesh)), (4, expected_corners()[..2].to_vec()));
    assert!(mesh.vertices.as_flattened().iter().all(|x| *x != 0.0 || x.is_sign_positive()));
}
