//! Files that are damaged, cut, foreign or missing, and what is said of them.

use super::files::{
    OBJ, OFF, ONE_NODE, ascii_ply, ascii_stl, binary_ply, binary_stl, glb, gltf, gltf_buffer,
};
use crate::folder::Folder;
use crate::support::flip_bytes;
use lanecast_io::read_model;
use std::path::Path;

#[test]
fn an_unknown_extension_lists_the_known_ones() {
    let folder = Folder::new();
    assert_eq!(
        folder.mesh_error("x.foo", "v 0 0 0"),
        "x.foo: unknown mesh format \".foo\"; known: obj, ply, stl, off, gltf, glb"
    );
    assert_eq!(
        folder.mesh_error("x", ""),
        "x: no extension to tell the mesh format by; known: obj, ply, stl, off, gltf, glb"
    );
}

#[test]
fn a_missing_file_names_the_file_and_what_the_system_says() {
    let error = read_model::<f32>(Path::new("nowhere/mesh.ply")).unwrap_err();
    assert!(error.to_string().starts_with("nowhere/mesh.ply: No such file"), "{error}");
    assert_eq!(error.system().unwrap().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn an_empty_or_foreign_file_is_an_error_in_every_format() {
    let folder = Folder::new();
    for extension in ["obj", "ply", "stl", "off", "gltf", "glb"] {
        let name = format!("m.{extension}");
        assert_eq!(folder.mesh_error(&name, ""), format!("{name}: the file is empty"));
        folder.mesh_error(&name, "Lorem ipsum dolor sit amet\nconsectetur\n");
        folder.mesh_error(&name, [0_u8; 70]);
        folder.mesh_error(&name, [0xff_u8; 4000]);
        folder.mesh_error(&name, "\n\n\n");
    }
}

#[test]
fn a_vertex_that_does_not_exist_is_named_with_its_face() {
    let folder = Folder::new();
    assert_eq!(
        folder.mesh_error("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
        "m.obj: line 4: face: vertex 9 does not exist; there are 3, numbered from 1"
    );
    assert_eq!(
        folder.mesh_error("m.obj", "v 0 0 0\nf 1 1 0\n"),
        "m.obj: line 2: face: vertex 0 does not exist; they are numbered from 1"
    );
    assert_eq!(
        folder.mesh_error("m.obj", "v 0 0 0\nf -1 -2 1\n"),
        "m.obj: line 2: face: vertex -2 does not exist; there are 1 up to here"
    );
    folder.mesh_error("m.obj", format!("v 0 0 0\nf {} {} 1\n", i64::MIN, i64::MAX));
    assert_eq!(
        folder.mesh_error("m.off", OFF.replace("3 0 1 4", "3 0 1 5")),
        "m.off: line 10: face 1 of 2: vertex 5 does not exist; there are 5, numbered from 0"
    );
    assert_eq!(
        folder.mesh_error(
            "m.ply",
            ascii_ply("float", "uchar int vertex_index").replace("3 0 1 4 0", "3 0 -1 4 0")
        ),
        "m.ply: face 1 of 2: vertex -1 does not exist; there are 5, numbered from 0"
    );
    assert_eq!(
        folder.mesh_error(
            "m.ply",
            ascii_ply("float", "uchar uint vertex_index").replace("3 0 1 4", "3 0 1 4294967295")
        ),
        "m.ply: face 1 of 2: vertex 4294967295 does not exist; there are 5, numbered from 0"
    );
}

#[test]
fn what_is_no_number_is_named_with_its_line() {
    let folder = Folder::new();
    assert_eq!(
        folder.mesh_error("m.obj", "v 0 0 0\nv 1 x 0\n"),
        "m.obj: line 2: \"x\" is not a number"
    );
    assert_eq!(folder.mesh_error("m.obj", "v 0 0\n"), "m.obj: line 1: a vertex without z");
    assert_eq!(
        folder.mesh_error("m.obj", "v 0 0 0\nf 1 1\n"),
        "m.obj: line 2: a face of 2 vertices"
    );
    assert_eq!(
        folder.mesh_error("m.off", OFF.replace("1 1 0.25", "1 1 ?")),
        "m.off: line 6: vertex 2 of 5: \"?\" is not a number"
    );
    let ply = folder.mesh_error(
        "m.ply",
        ascii_ply("float", "uchar int vertex_index").replace("1 1 255", "1 ? 255"),
    );
    assert_eq!(ply, "m.ply: line 17: vertex 2 of 5: \"1 ? 255 0.25\" does not give its properties");
    let stl = folder.mesh_error("m.stl", ascii_stl().replacen("vertex 1 0", "vertex 1 abc", 1));
    assert_eq!(stl, "m.stl: line 5: \"abc\" is not a number");
}

#[test]
fn a_ply_without_what_a_mesh_needs_says_what_it_has() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("float z", "float depth")),
        "m.ply: element \"vertex\": no property \"z\"; found x, y, red, depth"
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("vertex_indices", "corners")),
        "m.ply: element \"face\": no list \"vertex_indices\" or \"vertex_index\"; found corners, flags"
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("element vertex", "element points")),
        "m.ply: no element \"vertex\"; found points, face, edge"
    );
}

#[test]
fn a_malformed_ply_header_names_its_line_and_not_the_parser() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("property float y", "property flout y")),
        "m.ply: line 6: not a line of a PLY header: \"property flout y\""
    );
    assert_eq!(
        folder.mesh_error("m.ply", text.replace("element vertex 5\n", "")),
        "m.ply: line 4: not a line of a PLY header: \"property float x\""
    );
    for cut in ["end_header", "property short flags"] {
        assert_eq!(
            folder.mesh_error("m.ply", &text[..text.find(cut).unwrap() + 5]),
            "m.ply: truncated: the header has no \"end_header\""
        );
    }
}

#[test]
fn an_ascii_ply_says_which_line_is_cut_and_which_is_wrong() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    let at = text.find("0 1 255 0.0").unwrap();
    assert_eq!(
        folder.mesh_error("m.ply", &text[..at + 3]),
        "m.ply: truncated: vertex 3 of 5 is incomplete"
    );
    assert_eq!(
        folder.mesh_error("m.ply", format!("{}\n{}", &text[..at + 3], &text[at + 12..])),
        "m.ply: line 18: vertex 3 of 5: \"0 1\" does not give its properties"
    );
}

#[test]
fn a_ply_cut_anywhere_names_the_element_that_is_incomplete() {
    let folder = Folder::new();
    for bytes in [binary_ply(false, false), binary_ply(true, true)] {
        let body = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        for length in 1..bytes.len() {
            let message = folder.mesh_error("m.ply", &bytes[..length]);
            if length >= body {
                assert!(message.starts_with("m.ply: truncated: "), "{length}: {message}");
            }
        }
    }
    let bytes = binary_ply(false, false);
    assert_eq!(
        folder.mesh_error("m.ply", &bytes[..bytes.len() - 50]),
        "m.ply: truncated: vertex 4 of 5 is incomplete"
    );
    let text = ascii_ply("float", "uchar int vertex_index");
    for length in 1..text.len() - 3 {
        folder.mesh_error("m.ply", &text[..length]);
    }
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        folder.mesh_error("m.ply", lines[..17].join("\n")),
        "m.ply: truncated: vertex 3 of 5 is incomplete"
    );
}

#[test]
fn a_ply_that_promises_the_moon_costs_no_memory_and_no_time() {
    let folder = Folder::new();
    let huge = u64::MAX.to_string();
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        let head = format!("ply\nformat {format} 1.0\nelement vertex {huge}\n");
        let rest = "property float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n";
        let message = folder.mesh_error("m.ply", format!("{head}{rest}"));
        assert!(message.contains(&format!("of {huge} is incomplete")), "{message}");
        let nothing =
            format!("ply\nformat {format} 1.0\nelement void {huge}\nelement vertex 0\n{rest}");
        let _ = folder.meshes("m.ply", nothing);
    }
    // A list of 2³² − 1 vertices in a file of a few bytes.
    let mut bytes =
        b"ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uint int vertex_index\nend_header\n"
            .to_vec();
    bytes.extend([0xff; 8]);
    assert_eq!(folder.mesh_error("m.ply", bytes), "m.ply: truncated: face 0 of 1 is incomplete");
}

#[test]
fn an_stl_cut_anywhere_is_an_error() {
    let folder = Folder::new();
    for header in ["made for a test", "solid trap"] {
        let bytes = binary_stl(header);
        for length in 1..bytes.len() {
            folder.mesh_error("m.stl", &bytes[..length]);
        }
    }
    let bytes = binary_stl("made for a test");
    assert_eq!(
        folder.mesh_error("m.stl", &bytes[..bytes.len() - 1]),
        "m.stl: truncated: triangle 2 of 3 is incomplete"
    );
    let mut promising = bytes.clone();
    promising[80..84].fill(0xff);
    assert_eq!(
        folder.mesh_error("m.stl", promising),
        "m.stl: truncated: triangle 3 of 4294967295 is incomplete"
    );
    let text = ascii_stl();
    let first_facet = text.find("endfacet").unwrap() + "endfacet".len();
    assert_eq!(
        folder.mesh_error("m.stl", &text[..first_facet]),
        "m.stl: truncated: after 1 triangle the solid of line 1 has no \"endsolid\""
    );
    let first_solid = text.find("endsolid").unwrap() + "endsolid".len();
    for length in 1..text.len() - 1 {
        // Cut between the solids, or within a keyword that is one already, the file is whole.
        let after_first = text[first_solid..length.max(first_solid)].trim().is_empty();
        if !(after_first && length >= first_solid) {
            folder.mesh_error("m.stl", &text[..length]);
        }
    }
}

#[test]
fn an_ascii_stl_neither_loses_nor_doubles_a_facet() {
    let folder = Folder::new();
    let text = ascii_stl().replace('\r', "");
    let unended = "the facet before has 3 vertices, but no \"endfacet\"";
    let at_facet = text.replacen(" endfacet\n", "", 1);
    assert_eq!(folder.mesh_error("m.stl", at_facet), format!("m.stl: line 8: {unended}"));
    let at_endsolid = text.replacen(" endfacet\nendsolid", "endsolid", 1);
    assert_eq!(folder.mesh_error("m.stl", at_endsolid), format!("m.stl: line 15: {unended}"));
    let doubled = text.replacen(" endfacet\n", " endfacet\n endfacet\n", 1);
    assert_eq!(folder.mesh_error("m.stl", doubled), "m.stl: line 9: a facet of 0 vertices");
    let after = format!("{text}vertex 1 2 3\n vertex 1 2 3\nvertex 1 2 3");
    assert_eq!(folder.mesh_error("m.stl", after), format!("m.stl: line 28: {unended}"));
}

#[test]
fn an_obj_that_ends_in_a_continued_line_is_truncated() {
    let folder = Folder::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1 \\";
    assert_eq!(
        folder.mesh_error("m.obj", text),
        "m.obj: truncated: the last line is continued, but nothing follows"
    );
    assert_eq!(folder.only_mesh("m.obj", format!("{text}\n")).triangles.len(), 2);
}

#[test]
fn an_off_cut_at_any_line_names_what_is_missing() {
    let folder = Folder::new();
    let lines: Vec<_> = OFF.lines().collect();
    let messages = [
        (1, "m.off: truncated: no counts of vertices and faces"),
        (2, "m.off: truncated: vertex 0 of 5 is missing"),
        (7, "m.off: truncated: vertex 4 of 5 is missing"),
        (8, "m.off: truncated: face 0 of 2 is missing"),
        (9, "m.off: truncated: face 1 of 2 is missing"),
    ];
    for (count, message) in messages {
        assert_eq!(folder.mesh_error("m.off", lines[..count].join("\n")), message);
    }
    folder.mesh_error("m.off", format!("OFF\n{} {} 0\n", usize::MAX, usize::MAX));
    folder.mesh_error("m.off", format!("OFF\n1 1 0\n0 0 0\n{} 0 0 0\n", usize::MAX));
}

#[test]
fn a_glb_cut_anywhere_is_an_error() {
    let folder = Folder::new();
    let bytes = glb(&gltf("", ONE_NODE), &gltf_buffer());
    for length in 1..bytes.len() {
        folder.mesh_error("m.glb", &bytes[..length]);
    }
    assert_eq!(
        folder.mesh_error("m.glb", &bytes[..bytes.len() - 1]),
        format!(
            "m.glb: truncated: the header promises {} bytes, the file has {}",
            bytes.len(),
            bytes.len() - 1
        )
    );
    for promised in [0_u32, 11, 12, 19, u32::MAX] {
        let mut bytes = bytes.clone();
        bytes[8..12].copy_from_slice(&promised.to_le_bytes());
        folder.mesh_error("m.glb", bytes);
    }
}

#[test]
fn a_gltf_that_reaches_beyond_its_buffers_names_the_accessor() {
    let folder = Folder::new();
    let read = |json: String| folder.mesh_error("m.glb", glb(&json, &gltf_buffer()));
    let json = gltf("", ONE_NODE);
    assert_eq!(
        read(json.replace("\"count\":6", "\"count\":7")),
        "m.glb: mesh 0, primitive 0: accessor 1: 7 elements of 2 bytes reach beyond buffer 0 of 60 bytes"
    );
    read(json.replace("\"count\":6", "\"count\":18446744073709551615"));
    read(json.replace("\"byteLength\":12", "\"byteLength\":18446744073709551615"));
    assert_eq!(
        read(json.replace("\"byteLength\":60", "\"byteLength\":61")),
        "m.glb: truncated: buffer 0 should have 61 bytes, 60 are there"
    );
    assert_eq!(
        read(json.replace("\"count\":6", "\"count\":5")),
        "m.glb: mesh 0, primitive 0: 5 corners do not divide into triangles"
    );
    assert_eq!(
        read(json.replace("\"count\":4", "\"count\":3")),
        "m.glb: mesh 0, primitive 0: index 5: vertex 3 does not exist; there are 3, numbered from 0"
    );
    // The crate's own check indexes without looking.
    read(json.replace("\"accessors\":[", "\"accessors\":[],\"extras\":["));
    let missing = folder.mesh_error("m.gltf", gltf(r#","uri":"gone.bin""#, ONE_NODE));
    assert!(missing.starts_with("gone.bin: No such file"), "{missing}");
    assert_eq!(
        folder.mesh_error("m.gltf", gltf(r#","uri":"https://example.org/a.bin""#, ONE_NODE)),
        "m.gltf: buffer 0: \"https://example.org/a.bin\" is not a local file"
    );
}

#[test]
fn a_gltf_buffer_must_be_a_file_of_its_length() {
    let folder = Folder::new();
    folder.file("short.bin", [0; 59]);
    assert_eq!(
        folder.mesh_error("m.gltf", gltf(r#","uri":"short.bin""#, ONE_NODE)),
        "m.gltf: truncated: buffer 0 should have 60 bytes, 59 are there"
    );
    std::fs::create_dir(folder.path("folder.bin")).unwrap();
    assert_eq!(
        folder.mesh_error("m.gltf", gltf(r#","uri":"folder.bin""#, ONE_NODE)),
        "folder.bin: buffer 0: not a regular file"
    );
    #[cfg(unix)]
    assert_eq!(
        folder.mesh_error("m.gltf", gltf(r#","uri":"/dev/zero""#, ONE_NODE)),
        "/dev/zero: buffer 0: not a regular file"
    );
}

#[test]
fn a_message_repeats_little_of_a_file() {
    let folder = Folder::new();
    let uri = format!(r#","uri":"https://{}""#, "é".repeat(1 << 20));
    let message = folder.mesh_error("m.gltf", gltf(&uri, ONE_NODE));
    let repeated = "é".repeat(199 - "https://".len());
    assert_eq!(message, format!("m.gltf: buffer 0: \"https://{repeated}…\" is not a local file"));
}

#[test]
fn a_message_repeats_200_characters_at_most() {
    let folder = Folder::new();
    let long = "é".repeat(100_000);
    let name = "q".repeat(100_000);
    let text = ascii_ply("float", "uchar int vertex_index");
    let uri = format!(r#","uri":"{name}""#);
    let files: [(&str, String); 12] = [
        ("m.obj", format!("v 0 0 {long}\n")),
        ("m.obj", format!("v 0 0 0\nf 1 1 {long}\n")),
        ("m.off", long.clone()),
        ("m.off", format!("OFF 1 1 {long} {long}")),
        ("m.stl", format!("solid\n{long}\n")),
        ("m.stl", format!("solid\nvertex 0 0 {long}\n")),
        ("m.ply", text.replace("float y", &format!("float {long}"))),
        ("m.ply", text.replace("float z", &format!("float {name}"))),
        ("m.ply", text.replace("element vertex", &format!("element {name}"))),
        ("m.ply", text.replace("1 1 255", &format!("1 {long} 255"))),
        ("m.gltf", gltf(&uri, ONE_NODE)),
        (
            "m.gltf",
            format!("{{\"{long}\":1,\"asset\":{{\"version\":\"2.0\"}},\"scene\":\"{long}\"}}"),
        ),
    ];
    for (file, content) in files {
        let message = folder.mesh_error(file, content);
        let repeated = message.chars().filter(|x| matches!(x, 'é' | 'q')).count();
        assert!(repeated <= 200 && message.chars().count() < 500, "{file}: {message}");
    }
}

#[test]
fn a_gltf_whose_nodes_go_in_a_circle_is_refused() {
    let folder = Folder::new();
    let circle = r#"[{"children":[1]},{"children":[0],"mesh":0}]"#;
    let message = folder.mesh_error("m.glb", glb(&gltf("", circle), &gltf_buffer()));
    assert_eq!(message, "m.glb: node 0 is reached twice");
}

#[test]
fn flipped_bytes_never_make_a_panic() {
    let folder = Folder::new();
    let files: [(&str, Vec<u8>); 8] = [
        ("m.obj", OBJ.into()),
        ("m.off", OFF.into()),
        ("m.ply", ascii_ply("float", "uchar int vertex_index").into_bytes()),
        ("m.ply", binary_ply(false, false)),
        ("m.ply", binary_ply(true, true)),
        ("m.stl", ascii_stl().into_bytes()),
        ("m.stl", binary_stl("solid trap")),
        ("m.glb", glb(&gltf("", ONE_NODE), &gltf_buffer())),
    ];
    flip_bytes(files, 400, |name, bytes| {
        for mesh in folder.meshes(name, bytes).unwrap_or_default() {
            assert!(mesh.triangles.iter().flatten().all(|v| (*v as usize) < mesh.vertices.len()));
        }
    });
}
