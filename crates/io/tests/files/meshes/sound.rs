//! Sound files, however they are written.

use super::files::{
    DATA, OBJ, OFF, ONE_NODE, VERTICES, ascii_ply, ascii_stl, assert_is_the_mesh, binary_ply,
    binary_stl, corners, expected_corners, glb, gltf, gltf_buffer,
};
use crate::folder::Folder;

#[test]
fn every_format_gives_the_same_mesh() {
    let folder = Folder::new();
    assert_is_the_mesh(&folder.only_mesh("m.obj", OBJ));
    assert_is_the_mesh(&folder.only_mesh("m.off", OFF));
    assert_is_the_mesh(&folder.only_mesh("m.OFF", OFF.replace('\n', "\r\n")));
    for scalar in ["float", "double", "float64"] {
        assert_is_the_mesh(
            &folder.only_mesh("m.ply", ascii_ply(scalar, "uchar int vertex_indices")),
        );
        assert_is_the_mesh(&folder.only_mesh("m.PLY", ascii_ply(scalar, "int uint vertex_index")));
    }
    for (big, double) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_is_the_mesh(&folder.only_mesh("m.ply", binary_ply(big, double)));
    }
    for bytes in [ascii_stl().into_bytes(), binary_stl("made for a test"), binary_stl("solid trap")]
    {
        let meshes = folder.meshes("m.stl", bytes).unwrap();
        assert_eq!(meshes.iter().flat_map(corners).collect::<Vec<_>>(), expected_corners());
        assert_eq!(meshes[0].name, "m");
        // A file of several solids has the corners of the last triangle in its second.
        let counts: Vec<_> = meshes.iter().map(|mesh| mesh.vertices.len()).collect();
        assert!(
            counts == [VERTICES.len()] || counts == [4, 3],
            "equal corners are one vertex: {counts:?}"
        );
    }
}

#[test]
fn a_mesh_without_triangles_is_handed_back_empty() {
    let folder = Folder::new();
    let cloud = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                 property float z\nend_header\n1 2 3\n";
    let mesh = folder.only_mesh("m.ply", cloud);
    assert_eq!((mesh.vertices, mesh.triangles), (vec![[1.0, 2.0, 3.0]], vec![]));
    assert_eq!(folder.only_mesh("m.obj", "v 1 2 3\n").triangles.len(), 0);
    assert_eq!(folder.only_mesh("m.off", "OFF 0 0 0\n").triangles.len(), 0);
    assert_eq!(folder.only_mesh("m.stl", "solid\nendsolid\n").triangles.len(), 0);
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
fn blank_lines_in_an_ascii_ply_are_passed_over_and_counted() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    let (head, body) = text.split_once("end_header\n").unwrap();
    let spaced = format!("{head}end_header\n\n{}", body.replace('\n', "\n \r\n"));
    assert_is_the_mesh(&folder.only_mesh("m.ply", &spaced));
    assert_eq!(
        folder.mesh_error("m.ply", spaced.replace("1 1 255", "1 ? 255")),
        "m.ply: line 20: vertex 2 of 5: \"1 ? 255 0.25\" does not give its properties"
    );
}

#[test]
fn gltf_reads_the_same_from_a_chunk_a_file_and_a_data_uri() {
    let folder = Folder::new();
    folder.file("the buffer.bin", gltf_buffer());
    let from_chunk = folder.meshes("m.glb", glb(&gltf("", ONE_NODE), &gltf_buffer())).unwrap();
    let from_file =
        folder.meshes("m.gltf", gltf(r#","uri":"the%20buffer.bin""#, ONE_NODE)).unwrap();
    let data = format!(r#","uri":"data:application/octet-stream;base64,{DATA}""#);
    let from_uri = folder.meshes("m.gltf", gltf(&data, ONE_NODE)).unwrap();
    assert_eq!(from_chunk, from_file);
    assert_eq!(from_chunk, from_uri);

    // Triangles, a strip and a fan; the primitive of lines is passed over.
    let triangles: Vec<_> = from_chunk.iter().map(|mesh| mesh.triangles.clone()).collect();
    assert_eq!(
        triangles,
        [vec![[0, 1, 2], [2, 1, 3]], vec![[0, 1, 2], [1, 3, 2]], vec![[1, 2, 0], [2, 3, 0]]]
    );
    let names: Vec<_> = from_chunk.iter().map(|mesh| &mesh.name[..]).collect();
    assert_eq!(names, ["part/0", "part/1", "part/3"], "by mesh and primitive");
    assert_eq!(from_chunk[0].vertices[3], [1.0, 1.0, 0.0]);
}

#[test]
fn gltf_transforms_chain_and_mirrored_nodes_face_outward() {
    let folder = Folder::new();
    let nodes = r#"[{"children":[1,2],"translation":[10,0,0]},
        {"mesh":0,"scale":[-1,1,1]},{"mesh":0,"rotation":[0,0,1,0],"translation":[0,5,0]}]"#;
    let meshes = folder.meshes("m.glb", glb(&gltf("", nodes), &gltf_buffer())).unwrap();
    assert_eq!(meshes.len(), 6);
    let (mirrored, turned) = (&meshes[0], &meshes[3]);
    assert_eq!(mirrored.vertices, [[10., 0., 0.], [9., 0., 0.], [10., 1., 0.], [9., 1., 0.]]);
    assert_eq!(turned.vertices, [[10., 5., 0.], [9., 5., 0.], [10., 4., 0.], [9., 4., 0.]]);
    for mesh in [mirrored, turned] {
        for [a, b, c] in corners(mesh) {
            let up = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(up > 0.0, "{:?} turned over", [a, b, c]);
        }
    }
}

/// −0 and 0 are one place, also where they are corners of the same vertex.
#[test]
fn an_stl_with_both_signs_of_zero_has_each_vertex_once() {
    let folder = Folder::new();
    let signs = ascii_stl().replacen("vertex 0 0 0.0", "vertex -0 -0.0 -0", 1);
    assert_ne!(signs, ascii_stl());
    let mesh = folder.meshes("m.stl", signs).unwrap().remove(0);
    assert_eq!((mesh.vertices.len(), corners(&mesh)), (4, expected_corners()[..2].to_vec()));
    assert!(mesh.vertices.as_flattened().iter().all(|x| *x != 0.0 || x.is_sign_positive()));
}

/// Vertices as exporters often lay them out, each with more than its position, which does not come
/// first.
#[test]
fn gltf_finds_positions_among_other_attributes() {
    let folder = Folder::new();
    let plain = folder.meshes("m.glb", glb(&gltf("", ONE_NODE), &gltf_buffer())).unwrap();
    let (buffer, mut interleaved) = (gltf_buffer(), Vec::new());
    for position in buffer[..48].chunks(12) {
        interleaved.extend([0x40; 8]);
        interleaved.extend(position);
    }
    interleaved.extend(&buffer[48..]);
    let json = gltf("", ONE_NODE)
        .replace(r#""bufferView":0,"#, r#""bufferView":0,"byteOffset":8,"#)
        .replace(
            r#""byteOffset":0,"byteLength":48"#,
            r#""byteOffset":0,"byteLength":80,"byteStride":20"#,
        )
        .replace(r#""byteOffset":48"#, r#""byteOffset":80"#)
        .replace(r#""byteLength":60"#, r#""byteLength":92"#);
    assert_eq!(folder.meshes("m.glb", glb(&json, &interleaved)).unwrap(), plain);
}
