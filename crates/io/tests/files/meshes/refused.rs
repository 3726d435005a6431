//! Files that are damaged, cut, foreign or missing, or that hold more than they count: what is said
//! of them.

use super::files::{
    OBJ, OFF, ONE_NODE, ascii_ply, ascii_stl, binary_ply, binary_stl, bytes_of, glb, gltf,
    gltf_buffer, text_of,
};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::flip_bytes;
use lanecast_io::{Mesh, read_model};
use std::path::Path;

/// A format, what is changed in its file of the mesh (all, where nothing is named), into what, and
/// what is said of it.
type Changed = (&'static str, &'static str, &'static str, &'static str);

const OF_OBJ: [Changed; 16] = [
    (
        "m.obj",
        "",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
        "line 4: face: vertex 9 does not exist; there are 3, numbered from 1",
    ),
    (
        "m.obj",
        "",
        "v 0 0 0\nf 1 1 0\n",
        "line 2: face: vertex 0 does not exist; they are numbered from 1",
    ),
    (
        "m.obj",
        "",
        "v 0 0 0\nf -1 -2 1\n",
        "line 2: face: vertex -2 does not exist; there are 1 up to here",
    ),
    ("m.obj", "", "v 0 0 0\nf -9223372036854775808 9223372036854775807 1\n", "…"),
    ("m.obj", "", "v 0 0 0\nv 1 x 0\n", "line 2: \"x\" is not a number"),
    ("m.obj", "", "v 0 1.#IXY 0\n", "line 1: \"1.#IXY\" is not a number"),
    ("m.obj", "", "v 0 nan( 0\n", "line 1: \"nan(\" is not a number"),
    ("m.obj", "", "v 0 ind 0\n", "line 1: \"ind\" is not a number"),
    ("m.obj", "", "v 0 - 0\n", "line 1: \"-\" is not a number"),
    ("m.obj", "", "v 0 0\n", "line 1: a vertex without z"),
    ("m.obj", "", "v 0 0 0\nf 1 1\n", "line 2: a face of 2 vertices"),
    (
        "m.obj",
        "f -5 -4 -1\n",
        "f -5 -4 -1\\",
        "truncated: the last line is continued, but nothing follows",
    ),
    (
        "m.obj",
        "3//1",
        "3//2",
        "line 10: face: normal 2 does not exist; there are 1, numbered from 1",
    ),
    ("m.obj", "3//1", "3//x", "line 10: face: \"x\" is not a whole number"),
    ("m.obj", "vn 0 0 1", "vn 0 1", "line 8: a normal without z"),
    (
        "m.obj",
        "v 0 0 0",
        "v 0 nan 0",
        "line 3: vertex 1, numbered from 1, which a face names, is [0.0, NaN, 0.0]; …",
    ),
];

const OF_OFF: [Changed; 15] = [
    (
        "m.off",
        "3 0 1 4",
        "3 0 1 5",
        "line 10: face 1 of 2: vertex 5 does not exist; there are 5, numbered from 0",
    ),
    ("m.off", "1 1 0.25", "1 1 ?", "line 6: vertex 2 of 5: \"?\" is not a number"),
    (
        "m.off",
        "5 2 0",
        "5 1 0",
        "line 10: more follows the 5 vertices and 1 faces that line 2 counts",
    ),
    (
        "m.off",
        "3 0 1 4\n",
        "3 0 1 4\n\n# nothing\n3 0 1 2\n",
        "line 13: more follows the 5 vertices and 2 faces that line 2 counts",
    ),
    (
        "m.off",
        "5 2 0",
        "5 2 0 0 0 0",
        "line 2: \"0\" after the counts of vertices, faces and edges",
    ),
    ("m.off", "", "NOFF 1 0 0\n1 2 3 0 0\n", "line 2: vertex 0 of 1: a normal without z"),
    ("m.off", "OFF # comment\n5", "OFFS5", "line 1: not an OFF file: it begins with \"OFFS5\""),
    ("m.off", "", "OFF # comment", "truncated: no counts of vertices and faces"),
    ("m.off", "", "OFF\n5 2 0", "truncated: vertex 0 of 5 is missing"),
    (
        "m.off",
        "\n0.5 0.5 -2.5e-3\n4 0 1 2 3 255 0 0\n3 0 1 4\n",
        "",
        "truncated: vertex 4 of 5 is missing",
    ),
    ("m.off", "4 0 1 2 3 255 0 0\n3 0 1 4\n", "", "truncated: face 0 of 2 is missing"),
    ("m.off", "\n3 0 1 4\n", "", "truncated: face 1 of 2 is missing"),
    ("m.off", "", "OFF\n18446744073709551615 18446744073709551615 0\n", "…"),
    ("m.off", "", "OFF\n1 1 0\n0 0 0\n18446744073709551615 0 0 0\n", "…"),
    (
        "m.off",
        "1 0 0",
        "1 0 inf",
        "line 5: vertex 1, numbered from 0, which a face names, is [1.0, 0.0, inf]; …",
    ),
];

const OF_PLY: [Changed; 22] = [
    (
        "m.ply",
        "3 0 1 4 0",
        "3 0 -1 4 0",
        "face 1 of 2: vertex -1 does not exist; there are 5, numbered from 0",
    ),
    (
        "m.ply",
        "1 1 255",
        "1 ? 255",
        "line 17: vertex 2 of 5: \"1 ? 255 0.25\" does not give its properties",
    ),
    (
        "m.ply",
        "float z",
        "float depth",
        "element \"vertex\": no property \"z\"; found x, y, red, depth",
    ),
    (
        "m.ply",
        "vertex_index",
        "corners",
        "element \"face\": no list \"vertex_indices\" or \"vertex_index\"; found corners, flags",
    ),
    (
        "m.ply",
        "element vertex",
        "element points",
        "no element \"vertex\"; found points, face, edge",
    ),
    (
        "m.ply",
        "property float y",
        "property flout y",
        "line 6: not a line of a PLY header: \"property flout y\"",
    ),
    ("m.ply", "element vertex 5\n", "", "line 4: not a line of a PLY header: \"property float x\""),
    ("m.ply", "", "ply\nformat ascii 1.0\nend_h", "truncated: the header has no \"end_header\""),
    (
        "m.ply",
        "",
        "ply\nformat ascii 1.0\nelement vertex 1\nprope",
        "truncated: the header has no \"end_header\"",
    ),
    (
        "m.ply",
        "vertex 5",
        "vertex 4",
        "line 19: face 0 of 2: \"0.5 0.5 255 -0.0025\" does not give its properties",
    ),
    // Blank lines are passed over and counted.
    (
        "m.ply",
        "end_header\n0 0 255",
        "end_header\n\n0 ? 255",
        "line 16: vertex 0 of 5: \"0 ? 255 0.0\" does not give its properties",
    ),
    (
        "m.ply",
        "0 0 255 0.0",
        "0 0 255",
        "line 15: vertex 0 of 5: \"0 0 255\" does not give its properties",
    ),
    ("m.ply", "0 1 255 0.0", "0 1", "line 18: vertex 3 of 5: \"0 1\" does not give its properties"),
    (
        "m.ply",
        "1 1 255 0.25",
        "1 1 255 0.25 9",
        "line 17: vertex 2 of 5: \"9\" after its properties",
    ),
    ("m.ply", "2 3 -7", "2 3 -7 1 2", "line 20: face 0 of 2: \"1\" after its properties"),
    ("m.ply", "12\n", "12\n\n\n7\n8", "line 25: 3 of edge are there, the header counts 1"),
    (
        "m.ply",
        "property uchar red",
        "property uchar red\nproperty uchar red",
        "line 8: the property \"red\" stands there twice",
    ),
    (
        "m.ply",
        "float z",
        "float z\nproperty float x",
        "line 9: the property \"x\" stands there twice",
    ),
    (
        "m.ply",
        "property short flags",
        "property list uchar int flags\nproperty short flags",
        "line 12: the property \"flags\" stands there twice",
    ),
    (
        "m.ply",
        "element edge 1",
        "element vertex 1",
        "line 12: the element \"vertex\" stands there twice",
    ),
    (
        "m.ply",
        "vertex_index",
        "vertex_index\nproperty list uchar int vertex_indices",
        "element \"face\": both \"vertex_indices\" and \"vertex_index\"",
    ),
    (
        "m.ply",
        "1 0 255",
        "1 nan 255",
        "line 16: vertex 1, numbered from 0, which a face names, is [1.0, NaN, 0.0]; …",
    ),
];

const OF_STL: [Changed; 5] = [
    ("m.stl", "vertex 1 0", "vertex 1 abc", "line 5: \"abc\" is not a number"),
    ("m.stl", "vertex 1 0 0.0", "vertex 1 0 0.0 5", "line 5: a vertex with \"5\" after z"),
    ("m.stl", " endfacet\n", "", "line 8: the facet before has 3 vertices, but no \"endfacet\""),
    (
        "m.stl",
        " endfacet\nendsolid",
        "endsolid",
        "line 15: the facet before has 3 vertices, but no \"endfacet\"",
    ),
    ("m.stl", " endfacet\n", " endfacet\n endfacet\n", "line 9: a facet of 0 vertices"),
];

const OF_GLTF: [Changed; 10] = [
    (
        "m.glb",
        "\"count\":6",
        "\"count\":7",
        "mesh 0, primitive 0: accessor 1: 7 elements of 2 bytes reach beyond buffer 0 of 60 bytes",
    ),
    ("m.glb", "\"count\":6", "\"count\":18446744073709551615", "…"),
    ("m.glb", "\"byteLength\":12", "\"byteLength\":18446744073709551615", "…"),
    (
        "m.glb",
        "\"byteLength\":60",
        "\"byteLength\":61",
        "truncated: buffer 0 should have 61 bytes, 60 are there",
    ),
    (
        "m.glb",
        "\"count\":6",
        "\"count\":5",
        "mesh 0, primitive 0: 5 corners do not divide into triangles",
    ),
    (
        "m.glb",
        "\"count\":4",
        "\"count\":3",
        "mesh 0, primitive 0: index 5: vertex 3 does not exist; there are 3, numbered from 0",
    ),
    // The crate's own check indexes without looking.
    ("m.glb", "\"accessors\":[", "\"accessors\":[],\"extras\":[", "…"),
    (
        "m.glb",
        ONE_NODE,
        r#"[{"children":[1]},{"children":[0],"mesh":0}]"#,
        "node 0 is reached twice",
    ),
    (
        "m.gltf",
        ":60",
        r#":60,"uri":"https://example.org/a.bin""#,
        "buffer 0: \"https://example.org/a.bin\" is not a local file",
    ),
    (
        "m.gltf",
        ":60",
        r#":60,"uri":"short.bin""#,
        "truncated: buffer 0 should have 60 bytes, 59 are there",
    ),
];

#[test]
fn what_is_wrong_with_a_mesh_is_said_with_its_place() {
    let folder = Folder::new();
    folder.file("short.bin", [0; 59]);
    for (name, from, to, problem) in
        OF_OBJ.into_iter().chain(OF_OFF).chain(OF_PLY).chain(OF_STL).chain(OF_GLTF)
    {
        let sound = text_of(name);
        assert!(sound.contains(from), "{name}: {from}");
        let text = if from.is_empty() { to.to_owned() } else { sound.replacen(from, to, 1) };
        folder.refuses(read_model::<f32>, [(name, bytes_of(name, text), problem)]);
    }
    // One name in two elements is two properties.
    let text = text_of("m.ply").replace("property int vertex1", "property int x");
    assert!(folder.meshes("m.ply", text).is_ok());
}

#[test]
fn what_is_wrong_with_a_binary_mesh_is_said_with_its_place() {
    let folder = Folder::new();
    let [stl, ply, text] =
        [binary_stl("made for a test"), binary_ply(false, false), text_of("m.stl").into()];
    let changed = |bytes: &[u8], at: usize, to: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let cut = |bytes: &[u8], length: usize| bytes[..bytes.len() - length].to_vec();
    let followed = |bytes: &[u8], more: &[u8]| [bytes, more].concat();
    let first = |mark: &str| {
        let text = ascii_stl();
        text.as_bytes()[..text.find(mark).expect("it") + mark.len()].to_vec()
    };
    let unsigned =
        ascii_ply("float", "uchar uint vertex_index").replace("3 0 1 4", "3 0 1 4294967295");
    let of_faces = b"ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uint int vertex_index\nend_header\n";
    let ascii = text_of("m.ply");
    let glb = glb(&gltf("", ONE_NODE), &gltf_buffer());
    let length = glb.len();
    let with_chunk = |kind: &[u8; 4], promised: u32| {
        let bytes = followed(&glb, &[&promised.to_le_bytes()[..], kind, b"data"].concat());
        changed(&bytes, 8, &(length as u32 + 12).to_le_bytes())
    };
    let rows: Vec<(&str, Vec<u8>, String)> = vec![
        ("m.stl", cut(&stl, 1), "truncated: triangle 2 of 3 is incomplete".into()),
        (
            "m.stl",
            changed(&stl, 80, &[0xff; 4]),
            "truncated: triangle 3 of 4294967295 is incomplete".into(),
        ),
        ("m.stl", changed(&stl, 80, &[0]), "3 triangles are there, the header counts 0".into()),
        ("m.stl", changed(&stl, 80, &[1]), "3 triangles are there, the header counts 1".into()),
        ("m.stl", changed(&stl, 80, &[2]), "3 triangles are there, the header counts 2".into()),
        (
            "m.stl",
            followed(&stl, b"more"),
            "4 bytes follow the 3 triangles that the header counts".into(),
        ),
        (
            "m.stl",
            first("endfacet"),
            "truncated: after 1 triangle the solid of line 1 has no \"endsolid\"".into(),
        ),
        (
            "m.stl",
            followed(&text, b"vertex 1 2 3\n vertex 1 2 3\nvertex 1 2 3"),
            "line 28: the facet before has 3 vertices, but no \"endfacet\"".into(),
        ),
        (
            "m.ply",
            unsigned.into(),
            "face 1 of 2: vertex 4294967295 does not exist; there are 5, numbered from 0".into(),
        ),
        ("m.ply", cut(&ply, 50), "truncated: vertex 4 of 5 is incomplete".into()),
        (
            "m.ply",
            ascii.as_bytes()[..ascii.find("0 1 255").expect("a vertex") + 3].to_vec(),
            "truncated: vertex 3 of 5 is incomplete".into(),
        ),
        (
            "m.ply",
            ascii.as_bytes()[..ascii.find("\n0 1 255").expect("a vertex")].to_vec(),
            "truncated: vertex 3 of 5 is incomplete".into(),
        ),
        (
            "m.ply",
            followed(&ply, &[1, 2, 3, 4, 5, 6, 7, 8]),
            "3 of edge are there, the header counts 1".into(),
        ),
        (
            "m.ply",
            followed(&binary_ply(true, true), b"ab"),
            "2 bytes follow edge, the last element of the header".into(),
        ),
        // A list of 2³² − 1 vertices in a file of a few bytes.
        ("m.ply", followed(of_faces, &[0xff; 8]), "truncated: face 0 of 1 is incomplete".into()),
        (
            "m.glb",
            cut(&glb, 1),
            format!("truncated: the header promises {length} bytes, the file has {}", length - 1),
        ),
        (
            "m.glb",
            followed(&glb, b"more"),
            format!("the header promises {length} bytes, the file has {}", length + 4),
        ),
        ("m.glb", with_chunk(b"BIN\0", 4), "chunk 2 is another BIN\\x00".into()),
        (
            "m.glb",
            with_chunk(b"LATR", 40),
            "truncated: chunk 2 should have 40 bytes, 4 are there".into(),
        ),
        ("m.glb", changed(&glb, 8, &0_u32.to_le_bytes()), "…".into()),
        ("m.glb", changed(&glb, 8, &11_u32.to_le_bytes()), "…".into()),
        ("m.glb", changed(&glb, 8, &12_u32.to_le_bytes()), "…".into()),
        ("m.glb", changed(&glb, 8, &19_u32.to_le_bytes()), "…".into()),
        ("m.glb", changed(&glb, 8, &u32::MAX.to_le_bytes()), "…".into()),
    ];
    folder.refuses(read_model::<f32>, rows);
    // Chunks of kinds to come are passed over, as the format wants it.
    assert_eq!(folder.meshes("m.glb", with_chunk(b"LATR", 4)).unwrap().len(), 3);
}

#[test]
fn blanks_and_zeros_behind_a_mesh_are_nothing() {
    let folder = Folder::new();
    let longer = text_of("m.gltf").replace(":60", r#":60,"uri":"longer.bin""#);
    let files: [(&str, Vec<u8>); 6] = [
        ("m.stl", binary_stl("made for a test")),
        ("m.ply", binary_ply(false, false)),
        ("m.ply", text_of("m.ply").into()),
        ("m.off", OFF.into()),
        ("m.glb", bytes_of("m.glb", gltf("", ONE_NODE))),
        ("m.gltf", longer.into()),
    ];
    // A buffer may be longer than the document says.
    folder.file("longer.bin", [gltf_buffer(), b"more".to_vec()].concat());
    let count = |name: &str, bytes: &[&[u8]]| {
        let meshes: Vec<Mesh> = folder.meshes(name, bytes.concat()).unwrap();
        meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>()
    };
    for (name, bytes) in files {
        for more in [&b"\n"[..], b" \r\n\r\n", &[b'\n'; 600], &[0; 512]] {
            if name != "m.gltf" || more[0] != 0 {
                assert_eq!(count(name, &[&bytes, more]), count(name, &[&bytes]), "{name}");
            }
        }
    }
}

#[test]
fn a_missing_unknown_empty_or_foreign_file_is_refused() {
    let folder = Folder::new();
    let known = "known: obj, ply, stl, off, gltf, glb, tif, tiff, asc";
    folder.refuses(
        read_model::<f32>,
        [
            ("x.foo", b"v 0 0 0".to_vec(), format!("unknown mesh format \".foo\"; {known}")),
            ("x", vec![], format!("no extension to tell the mesh format by; {known}")),
        ],
    );
    let error = read_model::<f32>(Path::new("nowhere/mesh.ply")).unwrap_err();
    assert_reads(&error.to_string(), "nowhere/mesh.ply: No such file…");
    assert_eq!(error.system().unwrap().kind(), std::io::ErrorKind::NotFound);
    let error = read_model::<f32>("-".as_ref()).unwrap_err().to_string();
    assert_eq!(error, format!("standard input: no name to tell the mesh format by; {known}"));
    for name in ["m.obj", "m.ply", "m.stl", "m.off", "m.gltf", "m.glb"] {
        folder.refuses(read_model::<f32>, [(name, vec![], "the file is empty")]);
        for bytes in
            [&b"Lorem ipsum dolor sit amet\nconsectetur\n"[..], &[0; 70], &[0xff; 4000], b"\n\n\n"]
        {
            folder.mesh_error(name, bytes);
        }
    }
}

#[test]
fn a_mesh_cut_anywhere_is_an_error() {
    let folder = Folder::new();
    for bytes in [binary_ply(false, false), binary_ply(true, true)] {
        let body = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        for length in 1..bytes.len() {
            let message = folder.mesh_error("m.ply", &bytes[..length]);
            assert!(length < body || message.starts_with("m.ply: truncated: "), "{message}");
        }
    }
    let ply = text_of("m.ply");
    let glb = bytes_of("m.glb", gltf("", ONE_NODE));
    for (name, bytes) in [
        // A digit of the last number less is another number.
        ("m.ply", &ply.as_bytes()[..ply.len() - 3]),
        ("m.stl", &binary_stl("made for a test")),
        ("m.stl", &binary_stl("solid trap")),
        ("m.glb", &glb),
    ] {
        (1..bytes.len()).for_each(|length| drop(folder.mesh_error(name, &bytes[..length])));
    }
    let text = ascii_stl();
    let first_solid = text.find("endsolid").unwrap() + "endsolid".len();
    for length in 1..text.len() - 1 {
        // Cut between the solids, or within a keyword that is one already, the file is whole.
        let is_whole = length >= first_solid && text[first_solid..length].trim().is_empty();
        if !is_whole {
            folder.mesh_error("m.stl", &text[..length]);
        }
    }
    // A line of an OBJ that is continued goes on behind the end of the line.
    assert_eq!(folder.only_mesh("m.obj", format!("{}\\\n", OBJ.trim_end())).triangles.len(), 3);
}

#[test]
fn a_ply_that_promises_the_moon_costs_no_memory_and_no_time() {
    let folder = Folder::new();
    let huge = u64::MAX;
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        let head = format!("ply\nformat {format} 1.0\nelement");
        let rest = "property float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n";
        let message = folder.mesh_error("m.ply", format!("{head} vertex {huge}\n{rest}"));
        assert_reads(&message, &format!("m.ply: truncated: …of {huge} is incomplete"));
        let _ = folder.meshes("m.ply", format!("{head} void {huge}\nelement vertex 0\n{rest}"));
    }
}

#[test]
fn a_gltf_buffer_must_be_a_file() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.bin")).unwrap();
    let error =
        |uri: &str| folder.mesh_error("m.gltf", gltf(&format!(r#","uri":"{uri}""#), ONE_NODE));
    assert_reads(&error("gone.bin"), "m.gltf: buffer 0: gone.bin: No such file…");
    assert_eq!(error("folder.bin"), "m.gltf: buffer 0: \"folder.bin\" is not a regular file");
    let repeated = "é".repeat(199 - "https://".len());
    let expected = format!("m.gltf: buffer 0: \"https://{repeated}…\" is not a local file");
    assert_eq!(error(&format!("https://{}", "é".repeat(1 << 20))), expected);
}

#[test]
fn a_message_repeats_200_characters_at_most() {
    let folder = Folder::new();
    let (long, name) = ("é".repeat(100_000), "q".repeat(100_000));
    let version = r#""asset":{"version":"2.0"}"#;
    for (file, from, to) in [
        ("m.obj", "", "v 0 0 LONG\n"),
        ("m.obj", "", "v 0 0 0\nf 1 1 LONG\n"),
        ("m.off", "", "LONG"),
        ("m.off", "", "OFF 1 1 LONG LONG"),
        ("m.stl", "", "solid\nLONG\n"),
        ("m.stl", "", "solid\nvertex 0 0 LONG\n"),
        ("m.ply", "float y", "float LONG"),
        ("m.ply", "float z", "float NAME"),
        ("m.ply", "element vertex", "element NAME"),
        ("m.ply", "1 1 255", "1 LONG 255"),
        ("m.gltf", ":60", r#":60,"uri":"NAME""#),
        ("m.gltf", "", &format!("{{\"LONG\":1,{version},\"scene\":\"LONG\"}}")),
    ] {
        let text = if from.is_empty() { to.to_owned() } else { text_of(file).replace(from, to) };
        let message = folder.mesh_error(file, text.replace("LONG", &long).replace("NAME", &name));
        let repeated = message.chars().filter(|x| matches!(x, 'é' | 'q')).count();
        assert!(repeated <= 200 && message.chars().count() < 500, "{file}: {message}");
    }
}

#[test]
fn flipped_bytes_never_make_a_panic() {
    let folder = Folder::new();
    let files: [(&str, Vec<u8>); 8] = [
        ("m.obj", OBJ.into()),
        ("m.off", OFF.into()),
        ("m.ply", text_of("m.ply").into()),
        ("m.ply", binary_ply(false, false)),
        ("m.ply", binary_ply(true, true)),
        ("m.stl", ascii_stl().into()),
        ("m.stl", binary_stl("solid trap")),
        ("m.glb", bytes_of("m.glb", gltf("", ONE_NODE))),
    ];
    flip_bytes(files, 400, |name, bytes| {
        for mesh in folder.meshes(name, bytes).unwrap_or_default() {
            assert!(mesh.triangles.iter().flatten().all(|v| (*v as usize) < mesh.vertices.len()));
        }
    });
}
