//! Files that hold more than they count, or count a thing twice: read in part they would be another
//! mesh.

use super::files::{
    OFF, ONE_NODE, ascii_ply, ascii_stl, binary_ply, binary_stl, glb, gltf, gltf_buffer,
};
use crate::folder::Folder;
use lanecast_io::Mesh;

/// A file with bytes behind it.
fn followed(bytes: &[u8], more: &[u8]) -> Vec<u8> {
    [bytes, more].concat()
}

#[test]
fn an_stl_of_more_triangles_than_counted_is_refused() {
    let folder = Folder::new();
    let bytes = binary_stl("made for a test");
    for counted in [0_u32, 1, 2] {
        let mut bytes = bytes.clone();
        bytes[80..84].copy_from_slice(&counted.to_le_bytes());
        let expected = format!("m.stl: 3 triangles are there, the header counts {counted}");
        assert_eq!(folder.mesh_error("m.stl", bytes), expected);
    }
    assert_eq!(
        folder.mesh_error("m.stl", followed(&bytes, b"more")),
        "m.stl: 4 bytes follow the 3 triangles that the header counts"
    );
    let vertex = ascii_stl().replacen("vertex 1 0 0.0", "vertex 1 0 0.0 5", 1);
    assert_eq!(folder.mesh_error("m.stl", vertex), "m.stl: line 5: a vertex with \"5\" after z");
}

#[test]
fn a_ply_of_more_elements_than_counted_is_refused() {
    let folder = Folder::new();
    for (big, double) in [(false, false), (true, true)] {
        let bytes = binary_ply(big, double);
        assert_eq!(
            folder.mesh_error("m.ply", followed(&bytes, &[1, 2, 3, 4, 5, 6, 7, 8])),
            "m.ply: 3 of edge are there, the header counts 1"
        );
        assert_eq!(
            folder.mesh_error("m.ply", followed(&bytes, b"ab")),
            "m.ply: 2 bytes follow edge, the last element of the header"
        );
    }
    let text = ascii_ply("float", "uchar int vertex_index");
    assert_eq!(
        folder.mesh_error("m.ply", format!("{text}\n\n7\n8")),
        "m.ply: line 25: 3 of edge are there, the header counts 1"
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("element vertex 5", "element vertex 4")),
        "m.ply: line 19: face 0 of 2: \"0.5 0.5 255 -0.0025\" does not give its properties"
    );
}

#[test]
fn an_ascii_ply_row_with_more_values_is_refused() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_index");
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("1 1 255 0.25", "1 1 255 0.25 9")),
        "m.ply: line 17: vertex 2 of 5: \"9\" after its properties"
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("4 0 1 2 3 -7", "4 0 1 2 3 -7 1 2")),
        "m.ply: line 20: face 0 of 2: \"1\" after its properties"
    );
}

#[test]
fn a_ply_that_names_a_property_twice_is_refused() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_index");
    for (first, second, expected) in [
        (
            "property uchar red",
            "property uchar red\nproperty uchar red",
            "line 8: the property \"red\"",
        ),
        ("property float z", "property float z\nproperty float x", "line 9: the property \"x\""),
        (
            "property short flags",
            "property list uchar int flags\nproperty short flags",
            "line 12: the property \"flags\"",
        ),
        ("element edge 1", "element vertex 1", "line 12: the element \"vertex\""),
    ] {
        let message = folder.mesh_error("m.ply", text.replacen(first, second, 1));
        assert_eq!(message, format!("m.ply: {expected} stands there twice"));
    }
    // One name in two elements is two properties.
    assert!(folder.meshes("m.ply", text.replace("property int vertex1", "property int x")).is_ok());
    let both = "property list uchar int vertex_index\nproperty list uchar int vertex_indices";
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("property list uchar int vertex_index", both)),
        "m.ply: element \"face\": both \"vertex_indices\" and \"vertex_index\""
    );
}

#[test]
fn an_off_of_more_lines_than_counted_is_refused() {
    let folder = Folder::new();
    assert_eq!(
        folder.mesh_error("m.off", OFF.replace("5 2 0", "5 1 0")),
        "m.off: line 10: more follows the 5 vertices and 1 faces that line 2 counts"
    );
    assert_eq!(
        folder.mesh_error("m.off", format!("{OFF}\n# nothing\n3 0 1 2\n")),
        "m.off: line 13: more follows the 5 vertices and 2 faces that line 2 counts"
    );
    assert_eq!(
        folder.mesh_error("m.off", OFF.replace("5 2 0", "5 2 0 0 0 0")),
        "m.off: line 2: \"0\" after the counts of vertices, faces and edges"
    );
}

#[test]
fn a_glb_longer_than_it_says_is_refused() {
    let folder = Folder::new();
    let bytes = glb(&gltf("", ONE_NODE), &gltf_buffer());
    let length = bytes.len();
    assert_eq!(
        folder.mesh_error("m.glb", followed(&bytes, b"more")),
        format!("m.glb: the header promises {length} bytes, the file has {}", length + 4)
    );
    let with_chunk = |kind: &[u8; 4], promised: u32| {
        let mut bytes = followed(&bytes, &[&promised.to_le_bytes()[..], kind, b"data"].concat());
        bytes[8..12].copy_from_slice(&(length as u32 + 12).to_le_bytes());
        bytes
    };
    assert_eq!(
        folder.mesh_error("m.glb", with_chunk(b"BIN\0", 4)),
        "m.glb: chunk 2 is another BIN\\x00"
    );
    assert_eq!(
        folder.mesh_error("m.glb", with_chunk(b"LATR", 40)),
        "m.glb: truncated: chunk 2 should have 40 bytes, 4 are there"
    );
    // Chunks of kinds to come are passed over, as the format wants it.
    assert_eq!(folder.meshes("m.glb", with_chunk(b"LATR", 4)).unwrap().len(), 3);
}

#[test]
fn blanks_and_zeros_behind_a_mesh_are_nothing() {
    let folder = Folder::new();
    let glb = glb(&gltf("", ONE_NODE), &gltf_buffer());
    let files: [(&str, Vec<u8>); 6] = [
        ("m.stl", binary_stl("made for a test")),
        ("m.ply", binary_ply(false, false)),
        ("m.ply", ascii_ply("float", "uchar int vertex_index").into_bytes()),
        ("m.off", OFF.into()),
        ("m.glb", glb.clone()),
        ("m.gltf", gltf(r#","uri":"longer.bin""#, ONE_NODE).into_bytes()),
    ];
    // A buffer may be longer than the document says.
    folder.file("longer.bin", followed(&gltf_buffer(), b"more"));
    let count = |meshes: &[Mesh]| meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>();
    for (name, bytes) in files {
        let alone = folder.meshes(name, &bytes).unwrap();
        for more in [&b"\n"[..], b" \r\n\r\n", &[b'\n'; 600]] {
            assert_eq!(
                count(&folder.meshes(name, followed(&bytes, more)).unwrap()),
                count(&alone),
                "{name}"
            );
        }
        if name != "m.gltf" {
            assert_eq!(
                count(&folder.meshes(name, followed(&bytes, &[0; 512])).unwrap()),
                count(&alone),
                "{name}"
            );
        }
    }
}
