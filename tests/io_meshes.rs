//! Mesh files: every format gives the same mesh, and nothing a file holds makes a panic.
#![cfg(feature = "cli")]

use lanecast::io::{Error, Mesh, read_meshes};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const VERTICES: [[f32; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.25], [0.0, 1.0, 0.0], [0.5, 0.5, -2.5e-3]];
/// A quad, cut into two, and a triangle.
const TRIANGLES: [[u32; 3]; 3] = [[0, 1, 2], [0, 2, 3], [0, 1, 4]];

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn read(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<Vec<Mesh>, Error> {
        read_meshes(&self.file(name, bytes))
    }

    fn only(&self, name: &str, bytes: impl AsRef<[u8]>) -> Mesh {
        let mut meshes = self.read(name, bytes).unwrap();
        assert_eq!(meshes.len(), 1);
        meshes.remove(0)
    }

    /// The message without the folder.
    fn error(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.shown(&self.read(name, bytes).unwrap_err())
    }

    fn shown(&self, error: &Error) -> String {
        let message = error.to_string();
        assert!(!message.contains('\n'), "{message:?}");
        message.replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn assert_is_the_mesh(mesh: &Mesh) {
    assert_eq!(mesh.vertices, VERTICES);
    assert_eq!(mesh.triangles, TRIANGLES);
    assert_eq!(mesh.name, "m");
}

/// Corner positions, for formats that number vertices on their own.
fn corners(mesh: &Mesh) -> Vec<[[f32; 3]; 3]> {
    mesh.triangles.iter().map(|t| t.map(|v| mesh.vertices[v as usize])).collect()
}

fn expected_corners() -> Vec<[[f32; 3]; 3]> {
    TRIANGLES.iter().map(|t| t.map(|v| VERTICES[v as usize])).collect()
}

const OBJ: &str = "# comment\no thing\nmtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0.25\nv 0 1 0\nv 0.5 0.5 -2.5e-3\n\
                   vn 0 0 1\nusemtl red\nf 1 2/7 3//1 4/1/1\nl 1 2\np 1\nusemtl blue\nf -5 -4 -1\n";
const OFF: &str =
    "OFF # comment\n5 2 0\n\n0 0 0\n1 0 0\n1 1 0.25\n0 1 0\n0.5 0.5 -2.5e-3\n4 0 1 2 3 255 0 0\n3 0 1 4\n";

fn ply_header(format: &str, scalar: &str, list: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made for a test\nelement vertex 5\nproperty {scalar} x\n\
         property {scalar} y\nproperty uchar red\nproperty {scalar} z\nelement face 2\n\
         property list {list}\nproperty short flags\nelement edge 1\nproperty int vertex1\nend_header\n"
    )
}

fn ascii_ply(scalar: &str, list: &str) -> String {
    let mut text = ply_header("ascii", scalar, list);
    for [x, y, z] in VERTICES {
        writeln!(text, "{x} {y} 255 {z:?}").unwrap();
    }
    text + "4 0 1 2 3 -7\n3 0 1 4 0\n12\n"
}

fn binary_ply(big: bool, double: bool) -> Vec<u8> {
    let format = if big { "binary_big_endian" } else { "binary_little_endian" };
    let scalar = if double { "double" } else { "float32" };
    let mut bytes = ply_header(format, scalar, "uchar int vertex_indices").into_bytes();
    let mut put = |mut little: Vec<u8>| {
        if big {
            little.reverse();
        }
        bytes.extend(little);
    };
    let real = |x: f32| {
        if double { f64::from(x).to_le_bytes().to_vec() } else { x.to_le_bytes().to_vec() }
    };
    for [x, y, z] in VERTICES {
        put(real(x));
        put(real(y));
        put(vec![255]);
        put(real(z));
    }
    for face in [&[0_i32, 1, 2, 3][..], &[0, 1, 4]] {
        put(vec![face.len() as u8]);
        face.iter().for_each(|index| put(index.to_le_bytes().to_vec()));
        put((-7_i16).to_le_bytes().to_vec());
    }
    put(12_i32.to_le_bytes().to_vec());
    bytes
}

fn binary_stl(header: &str) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend((TRIANGLES.len() as u32).to_le_bytes());
    for triangle in expected_corners() {
        bytes.extend([0; 12]);
        triangle.iter().flatten().for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ascii_stl() -> String {
    let mut text = String::new();
    // Two solids, the first without a name.
    for (head, triangles) in [("solid", &expected_corners()[..2]), ("SOLID b", &expected_corners()[2..])] {
        writeln!(text, "{head}").unwrap();
        for triangle in triangles {
            text += " facet normal 0 0 nan\r\n  outer loop\n";
            triangle.iter().for_each(|[x, y, z]| writeln!(text, "   vertex {x} {y} {z:?}").unwrap());
            text += "  endloop\n endfacet\n";
        }
        text += "endsolid\n";
    }
    text
}

#[test]
fn every_format_gives_the_same_mesh() {
    let folder = Folder::new();
    assert_is_the_mesh(&folder.only("m.obj", OBJ));
    assert_is_the_mesh(&folder.only("m.off", OFF));
    assert_is_the_mesh(&folder.only("m.OFF", OFF.replace('\n', "\r\n")));
    for scalar in ["float", "double", "float64"] {
        assert_is_the_mesh(&folder.only("m.ply", ascii_ply(scalar, "uchar int vertex_indices")));
        assert_is_the_mesh(&folder.only("m.PLY", ascii_ply(scalar, "int uint vertex_index")));
    }
    for (big, double) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_is_the_mesh(&folder.only("m.ply", binary_ply(big, double)));
    }
    for bytes in [ascii_stl().into_bytes(), binary_stl("made for a test"), binary_stl("solid trap")] {
        let mesh = folder.only("m.stl", bytes);
        assert_eq!(corners(&mesh), expected_corners());
        assert_eq!(mesh.vertices.len(), VERTICES.len(), "equal corners are one vertex");
    }
}

#[test]
fn an_unknown_extension_lists_the_known_ones() {
    let folder = Folder::new();
    assert_eq!(
        folder.error("x.foo", "v 0 0 0"),
        "x.foo: unknown mesh format \".foo\"; known: obj, ply, stl, off, gltf, glb"
    );
    assert_eq!(
        folder.error("x", ""),
        "x: no extension to tell the mesh format by; known: obj, ply, stl, off, gltf, glb"
    );
}

#[test]
fn a_missing_file_names_the_file_and_what_the_system_says() {
    let error = read_meshes(Path::new("nowhere/mesh.ply")).unwrap_err();
    assert!(error.to_string().starts_with("nowhere/mesh.ply: No such file"), "{error}");
    assert_eq!(error.system().unwrap().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn an_empty_or_foreign_file_is_an_error_in_every_format() {
    let folder = Folder::new();
    for extension in ["obj", "ply", "stl", "off", "gltf", "glb"] {
        let name = format!("m.{extension}");
        assert_eq!(folder.error(&name, ""), format!("{name}: the file is empty"));
        folder.error(&name, "Lorem ipsum dolor sit amet\nconsectetur\n");
        folder.error(&name, [0_u8; 70]);
        folder.error(&name, [0xff_u8; 4000]);
        folder.error(&name, "\n\n\n");
    }
}

#[test]
fn a_mesh_without_triangles_is_handed_back_empty() {
    let folder = Folder::new();
    let cloud = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                 property float z\nend_header\n1 2 3\n";
    let mesh = folder.only("m.ply", cloud);
    assert_eq!((mesh.vertices, mesh.triangles), (vec![[1.0, 2.0, 3.0]], vec![]));
    assert_eq!(folder.only("m.obj", "v 1 2 3\n").triangles.len(), 0);
    assert_eq!(folder.only("m.off", "OFF 0 0 0\n").triangles.len(), 0);
    assert_eq!(folder.only("m.stl", "solid\nendsolid\n").triangles.len(), 0);
    assert_eq!(folder.read("m.gltf", r#"{"asset":{"version":"2.0"}}"#).unwrap(), vec![]);
}

#[test]
fn a_vertex_that_does_not_exist_is_named_with_its_face() {
    let folder = Folder::new();
    assert_eq!(
        folder.error("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
        "m.obj: line 4: face: vertex 9 does not exist; there are 3, numbered from 1"
    );
    assert_eq!(
        folder.error("m.obj", "v 0 0 0\nf 1 1 0\n"),
        "m.obj: line 2: face: vertex 0 does not exist; they are numbered from 1"
    );
    assert_eq!(
        folder.error("m.obj", "v 0 0 0\nf -1 -2 1\n"),
        "m.obj: line 2: face: vertex -2 does not exist; there are 1 up to here"
    );
    folder.error("m.obj", format!("v 0 0 0\nf {} {} 1\n", i64::MIN, i64::MAX));
    assert_eq!(
        folder.error("m.off", OFF.replace("3 0 1 4", "3 0 1 5")),
        "m.off: line 10: face 1 of 2: vertex 5 does not exist; there are 5, numbered from 0"
    );
    assert_eq!(
        folder
            .error("m.ply", ascii_ply("float", "uchar int vertex_index").replace("3 0 1 4 0", "3 0 -1 4 0")),
        "m.ply: face 1 of 2: vertex -1 does not exist; there are 5, numbered from 0"
    );
    assert_eq!(
        folder.error(
            "m.ply",
            ascii_ply("float", "uchar uint vertex_index").replace("3 0 1 4", "3 0 1 4294967295")
        ),
        "m.ply: face 1 of 2: vertex 4294967295 does not exist; there are 5, numbered from 0"
    );
}

#[test]
fn a_file_that_names_vertices_before_it_has_them_is_read() {
    let folder = Folder::new();
    let mesh = folder.only("m.obj", "f 1 2 \\\n 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    let ply = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 3\n\
               property float x\nproperty float y\nproperty float z\nend_header\n3 2 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    assert_eq!(folder.only("m.ply", ply).triangles, [[2, 1, 0]]);
}

#[test]
fn what_is_no_number_is_named_with_its_line() {
    let folder = Folder::new();
    assert_eq!(folder.error("m.obj", "v 0 0 0\nv 1 x 0\n"), "m.obj: line 2: \"x\" is not a number");
    assert_eq!(folder.error("m.obj", "v 0 0\n"), "m.obj: line 1: a vertex without z");
    assert_eq!(folder.error("m.obj", "v 0 0 0\nf 1 1\n"), "m.obj: line 2: a face of 2 vertices");
    assert_eq!(
        folder.error("m.off", OFF.replace("1 1 0.25", "1 1 ?")),
        "m.off: line 6: vertex 2 of 5: \"?\" is not a number"
    );
    let ply =
        folder.error("m.ply", ascii_ply("float", "uchar int vertex_index").replace("1 1 255", "1 ? 255"));
    assert_eq!(ply, "m.ply: line 17: vertex 2 of 5: \"1 ? 255 0.25\" does not give its properties");
    let stl = folder.error("m.stl", ascii_stl().replacen("vertex 1 0", "vertex 1 abc", 1));
    assert_eq!(stl, "m.stl: line 5: \"abc\" is not a number");
}

#[test]
fn a_ply_without_what_a_mesh_needs_says_what_it_has() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    assert_eq!(
        folder.error("m.ply", text.replace("float z", "float depth")),
        "m.ply: element \"vertex\": no property \"z\"; found x, y, red, depth"
    );
    assert_eq!(
        folder.error("m.ply", text.replace("vertex_indices", "corners")),
        "m.ply: element \"face\": no list \"vertex_indices\" or \"vertex_index\"; found corners, flags"
    );
    assert_eq!(
        folder.error("m.ply", text.replace("element vertex", "element points")),
        "m.ply: no element \"vertex\"; found points, face, edge"
    );
}

#[test]
fn a_malformed_ply_header_names_its_line_and_not_the_parser() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    assert_eq!(
        folder.error("m.ply", text.replace("property float y", "property flout y")),
        "m.ply: line 6: not a line of a PLY header: \"property flout y\""
    );
    assert_eq!(
        folder.error("m.ply", text.replace("element vertex 5\n", "")),
        "m.ply: line 4: not a line of a PLY header: \"property float x\""
    );
    for cut in ["end_header", "property short flags"] {
        assert_eq!(
            folder.error("m.ply", &text[..text.find(cut).unwrap() + 5]),
            "m.ply: truncated: the header has no \"end_header\""
        );
    }
}

#[test]
fn an_ascii_ply_says_which_line_is_cut_and_which_is_wrong() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    let at = text.find("0 1 255 0.0").unwrap();
    assert_eq!(folder.error("m.ply", &text[..at + 3]), "m.ply: truncated: vertex 3 of 5 is incomplete");
    assert_eq!(
        folder.error("m.ply", format!("{}\n{}", &text[..at + 3], &text[at + 12..])),
        "m.ply: line 18: vertex 3 of 5: \"0 1\" does not give its properties"
    );
}

#[test]
fn blank_lines_in_an_ascii_ply_are_passed_over_and_counted() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    let (head, body) = text.split_once("end_header\n").unwrap();
    let spaced = format!("{head}end_header\n\n{}", body.replace('\n', "\n \r\n"));
    assert_is_the_mesh(&folder.only("m.ply", &spaced));
    assert_eq!(
        folder.error("m.ply", spaced.replace("1 1 255", "1 ? 255")),
        "m.ply: line 20: vertex 2 of 5: \"1 ? 255 0.25\" does not give its properties"
    );
}

#[test]
fn a_ply_cut_anywhere_names_the_element_that_is_incomplete() {
    let folder = Folder::new();
    for bytes in [binary_ply(false, false), binary_ply(true, true)] {
        let body = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        for length in 1..bytes.len() {
            let message = folder.error("m.ply", &bytes[..length]);
            if length >= body {
                assert!(message.starts_with("m.ply: truncated: "), "{length}: {message}");
            }
        }
    }
    let bytes = binary_ply(false, false);
    assert_eq!(
        folder.error("m.ply", &bytes[..bytes.len() - 50]),
        "m.ply: truncated: vertex 4 of 5 is incomplete"
    );
    let text = ascii_ply("float", "uchar int vertex_index");
    for length in 1..text.len() - 3 {
        folder.error("m.ply", &text[..length]);
    }
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        folder.error("m.ply", lines[..17].join("\n")),
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
        let message = folder.error("m.ply", format!("{head}{rest}"));
        assert!(message.contains(&format!("of {huge} is incomplete")), "{message}");
        let nothing = format!("ply\nformat {format} 1.0\nelement void {huge}\nelement vertex 0\n{rest}");
        let _ = folder.read("m.ply", nothing);
    }
    // A list of 2³² − 1 vertices in a file of a few bytes.
    let mut bytes =
        b"ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uint int vertex_index\nend_header\n"
            .to_vec();
    bytes.extend([0xff; 8]);
    assert_eq!(folder.error("m.ply", bytes), "m.ply: truncated: face 0 of 1 is incomplete");
}

#[test]
fn an_stl_cut_anywhere_is_an_error() {
    let folder = Folder::new();
    for header in ["made for a test", "solid trap"] {
        let bytes = binary_stl(header);
        for length in 1..bytes.len() {
            folder.error("m.stl", &bytes[..length]);
        }
    }
    let bytes = binary_stl("made for a test");
    assert_eq!(
        folder.error("m.stl", &bytes[..bytes.len() - 1]),
        "m.stl: truncated: triangle 2 of 3 is incomplete"
    );
    let mut promising = bytes.clone();
    promising[80..84].fill(0xff);
    assert_eq!(folder.error("m.stl", promising), "m.stl: truncated: triangle 3 of 4294967295 is incomplete");
    let text = ascii_stl();
    let first_solid = text.find("endsolid").unwrap() + "endsolid".len();
    for length in 1..text.len() - 1 {
        // Cut between the solids, or within a keyword that is one already, the file is whole.
        let after_first = text[first_solid..length.max(first_solid)].trim().is_empty();
        if !(after_first && length >= first_solid) {
            folder.error("m.stl", &text[..length]);
        }
    }
}

#[test]
fn an_ascii_stl_neither_loses_nor_doubles_a_facet() {
    let folder = Folder::new();
    let text = ascii_stl().replace('\r', "");
    let unended = "the facet before has 3 vertices, but no \"endfacet\"";
    let at_facet = text.replacen(" endfacet\n", "", 1);
    assert_eq!(folder.error("m.stl", at_facet), format!("m.stl: line 8: {unended}"));
    let at_endsolid = text.replacen(" endfacet\nendsolid", "endsolid", 1);
    assert_eq!(folder.error("m.stl", at_endsolid), format!("m.stl: line 15: {unended}"));
    let doubled = text.replacen(" endfacet\n", " endfacet\n endfacet\n", 1);
    assert_eq!(folder.error("m.stl", doubled), "m.stl: line 9: a facet of 0 vertices");
    let after = format!("{text}vertex 1 2 3\n vertex 1 2 3\nvertex 1 2 3");
    assert_eq!(folder.error("m.stl", after), format!("m.stl: line 28: {unended}"));
}

#[test]
fn an_obj_that_ends_in_a_continued_line_is_truncated() {
    let folder = Folder::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1 \\";
    assert_eq!(
        folder.error("m.obj", text),
        "m.obj: truncated: the last line is continued, but nothing follows"
    );
    assert_eq!(folder.only("m.obj", format!("{text}\n")).triangles.len(), 2);
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
        assert_eq!(folder.error("m.off", lines[..count].join("\n")), message);
    }
    folder.error("m.off", format!("OFF\n{} {} 0\n", usize::MAX, usize::MAX));
    folder.error("m.off", format!("OFF\n1 1 0\n0 0 0\n{} 0 0 0\n", usize::MAX));
}

/// Three vertices and two index lists behind each other: a triangle in u16, its vertices as a
/// strip.
fn gltf(buffer: &str, nodes: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{nodes},
        "meshes":[{{"name":"part","primitives":[
            {{"attributes":{{"POSITION":0}},"indices":1}},
            {{"attributes":{{"POSITION":0}},"mode":5}},
            {{"attributes":{{"POSITION":0}},"mode":1}},
            {{"attributes":{{"POSITION":0}},"mode":6}}]}}],
        "accessors":[
            {{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
            {{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
        "buffers":[{{"byteLength":60{buffer}}}]}}"#
    )
}

fn gltf_buffer() -> Vec<u8> {
    let positions: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.];
    let indices: [u16; 6] = [0, 1, 2, 2, 1, 3];
    let mut bytes: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(indices.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

fn glb(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((12 + 8 + json.len() as u32 + 8 + buffer.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((buffer.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(buffer);
    bytes
}

const ONE_NODE: &str = r#"[{"mesh":0}]"#;
// gltf_buffer() in base64.
const DATA: &str = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAAABAAIAAgABAAMA";

#[test]
fn gltf_reads_the_same_from_a_chunk_a_file_and_a_data_uri() {
    let folder = Folder::new();
    folder.file("the buffer.bin", gltf_buffer());
    let from_chunk = folder.read("m.glb", glb(&gltf("", ONE_NODE), &gltf_buffer())).unwrap();
    let from_file = folder.read("m.gltf", gltf(r#","uri":"the%20buffer.bin""#, ONE_NODE)).unwrap();
    let data = format!(r#","uri":"data:application/octet-stream;base64,{DATA}""#);
    let from_uri = folder.read("m.gltf", gltf(&data, ONE_NODE)).unwrap();
    assert_eq!(from_chunk, from_file);
    assert_eq!(from_chunk, from_uri);

    // Triangles, a strip and a fan; the primitive of lines is passed over.
    let triangles: Vec<_> = from_chunk.iter().map(|mesh| mesh.triangles.clone()).collect();
    assert_eq!(
        triangles,
        [vec![[0, 1, 2], [2, 1, 3]], vec![[0, 1, 2], [1, 3, 2]], vec![[1, 2, 0], [2, 3, 0]]]
    );
    assert!(from_chunk.iter().all(|mesh| mesh.name == "part"));
    assert_eq!(from_chunk[0].vertices[3], [1.0, 1.0, 0.0]);
}

#[test]
fn gltf_transforms_chain_and_a_mirrored_node_still_faces_outward() {
    let folder = Folder::new();
    let nodes = r#"[{"children":[1,2],"translation":[10,0,0]},
        {"mesh":0,"scale":[-1,1,1]},{"mesh":0,"rotation":[0,0,1,0],"translation":[0,5,0]}]"#;
    let meshes = folder.read("m.glb", glb(&gltf("", nodes), &gltf_buffer())).unwrap();
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

#[test]
fn a_glb_cut_anywhere_is_an_error() {
    let folder = Folder::new();
    let bytes = glb(&gltf("", ONE_NODE), &gltf_buffer());
    for length in 1..bytes.len() {
        folder.error("m.glb", &bytes[..length]);
    }
    assert_eq!(
        folder.error("m.glb", &bytes[..bytes.len() - 1]),
        format!(
            "m.glb: truncated: the header promises {} bytes, the file has {}",
            bytes.len(),
            bytes.len() - 1
        )
    );
    for promised in [0_u32, 11, 12, 19, u32::MAX] {
        let mut bytes = bytes.clone();
        bytes[8..12].copy_from_slice(&promised.to_le_bytes());
        folder.error("m.glb", bytes);
    }
}

#[test]
fn a_gltf_that_reaches_beyond_its_buffers_names_the_accessor() {
    let folder = Folder::new();
    let read = |json: String| folder.error("m.glb", glb(&json, &gltf_buffer()));
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
    let missing = folder.error("m.gltf", gltf(r#","uri":"gone.bin""#, ONE_NODE));
    assert!(missing.starts_with("gone.bin: No such file"), "{missing}");
    assert_eq!(
        folder.error("m.gltf", gltf(r#","uri":"https://example.org/a.bin""#, ONE_NODE)),
        "m.gltf: buffer 0: \"https://example.org/a.bin\" is not a local file"
    );
}

#[test]
fn a_gltf_buffer_must_be_a_file_of_its_length() {
    let folder = Folder::new();
    folder.file("short.bin", [0; 59]);
    assert_eq!(
        folder.error("m.gltf", gltf(r#","uri":"short.bin""#, ONE_NODE)),
        "m.gltf: truncated: buffer 0 should have 60 bytes, 59 are there"
    );
    std::fs::create_dir(folder.0.path().join("folder.bin")).unwrap();
    assert_eq!(
        folder.error("m.gltf", gltf(r#","uri":"folder.bin""#, ONE_NODE)),
        "folder.bin: buffer 0: not a regular file"
    );
    #[cfg(unix)]
    assert_eq!(
        folder.error("m.gltf", gltf(r#","uri":"/dev/zero""#, ONE_NODE)),
        "/dev/zero: buffer 0: not a regular file"
    );
}

#[test]
fn a_message_repeats_little_of_a_file() {
    let folder = Folder::new();
    let uri = format!(r#","uri":"https://{}""#, "é".repeat(1 << 20));
    let message = folder.error("m.gltf", gltf(&uri, ONE_NODE));
    assert!(message.starts_with("m.gltf: buffer 0: \"https://ééé") && message.ends_with("é…"), "{message}");
    assert!(message.chars().count() < 320, "{message}");
}

#[test]
fn a_gltf_whose_nodes_go_in_a_circle_is_refused() {
    let folder = Folder::new();
    let circle = r#"[{"children":[1]},{"children":[0],"mesh":0}]"#;
    let message = folder.error("m.glb", glb(&gltf("", circle), &gltf_buffer()));
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
    let mut state = 0x1234_5678_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize
    };
    for (name, bytes) in files {
        for _ in 0..400 {
            let mut bytes = bytes.clone();
            for _ in 0..=random() % 3 {
                let at = random() % bytes.len();
                bytes[at] = random() as u8;
            }
            if let Ok(meshes) = folder.read(name, &bytes) {
                for mesh in meshes {
                    assert!(mesh.triangles.iter().flatten().all(|v| (*v as usize) < mesh.vertices.len()));
                }
            }
        }
    }
}
