//! One mesh in every format.

use lanecast_io::Mesh;
use std::fmt::Write as _;

pub(super) const VERTICES: [[f32; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.25], [0.0, 1.0, 0.0], [0.5, 0.5, -2.5e-3]];
/// A quad, cut into two, and a triangle.
pub(super) const TRIANGLES: [[u32; 3]; 3] = [[0, 1, 2], [0, 2, 3], [0, 1, 4]];

pub(super) fn assert_is_the_mesh(mesh: &Mesh) {
    assert_eq!(mesh.vertices, VERTICES);
    assert_eq!(mesh.triangles, TRIANGLES);
    assert_eq!(mesh.name, "m");
}

/// Corner positions, for formats that number vertices on their own.
pub(super) fn corners(mesh: &Mesh) -> Vec<[[f32; 3]; 3]> {
    mesh.triangles.iter().map(|t| t.map(|v| mesh.vertices[v as usize])).collect()
}

pub(super) fn expected_corners() -> Vec<[[f32; 3]; 3]> {
    TRIANGLES.iter().map(|t| t.map(|v| VERTICES[v as usize])).collect()
}

pub(super) const OBJ: &str = "# comment\nmtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0.25\nv 0 1 0\nv 0.5 0.5 -2.5e-3\n\
                   vn 0 0 1\ns 1\nf 1 2/7 3//1 4/1/1\nl 1 2\np 1\nvt 0 0\nf -5 -4 -1\n";
pub(super) const OFF: &str = "OFF # comment\n5 2 0\n\n0 0 0\n1 0 0\n1 1 0.25\n0 1 0\n0.5 0.5 -2.5e-3\n4 0 1 2 3 255 0 0\n3 0 1 4\n";

pub(super) fn ply_header(format: &str, scalar: &str, list: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made for a test\nelement vertex 5\nproperty {scalar} x\n\
         property {scalar} y\nproperty uchar red\nproperty {scalar} z\nelement face 2\n\
         property list {list}\nproperty short flags\nelement edge 1\nproperty int vertex1\nend_header\n"
    )
}

pub(super) fn ascii_ply(scalar: &str, list: &str) -> String {
    let mut text = ply_header("ascii", scalar, list);
    for [x, y, z] in VERTICES {
        writeln!(text, "{x} {y} 255 {z:?}").unwrap();
    }
    text + "4 0 1 2 3 -7\n3 0 1 4 0\n12\n"
}

pub(super) fn binary_ply(big: bool, double: bool) -> Vec<u8> {
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

pub(super) fn binary_stl(header: &str) -> Vec<u8> {
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

pub(super) fn ascii_stl() -> String {
    let mut text = String::new();
    // Two solids, the first without a name.
    for (head, triangles) in
        [("solid", &expected_corners()[..2]), ("SOLID b", &expected_corners()[2..])]
    {
        writeln!(text, "{head}").unwrap();
        for triangle in triangles {
            text += " facet normal 0 0 nan\r\n  outer loop\n";
            triangle
                .iter()
                .for_each(|[x, y, z]| writeln!(text, "   vertex {x} {y} {z:?}").unwrap());
            text += "  endloop\n endfacet\n";
        }
        text += "endsolid\n";
    }
    text
}

/// The text of the mesh in a format, of glTF the document.
pub(super) fn text_of(name: &str) -> String {
    match name {
        "m.obj" => OBJ.into(),
        "m.off" => OFF.into(),
        "m.ply" => ascii_ply("float", "uchar int vertex_index"),
        "m.stl" => ascii_stl(),
        _ => gltf("", ONE_NODE),
    }
}

/// The file of such a text.
pub(super) fn bytes_of(name: &str, text: String) -> Vec<u8> {
    if name == "m.glb" { glb(&text, &gltf_buffer()) } else { text.into_bytes() }
}

/// Three vertices and two index lists behind each other: a triangle in u16, its vertices as a
/// strip.
pub(super) fn gltf(buffer: &str, nodes: &str) -> String {
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

pub(super) fn gltf_buffer() -> Vec<u8> {
    let positions: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.];
    let indices: [u16; 6] = [0, 1, 2, 2, 1, 3];
    let mut bytes: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(indices.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

pub(super) fn glb(json: &str, buffer: &[u8]) -> Vec<u8> {
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

pub(super) const ONE_NODE: &str = r#"[{"mesh":0}]"#;
// gltf_buffer() in base64.
pub(super) const DATA: &str =
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAAABAAIAAgABAAMA";
