//! Just enough of PLY for the shipped models, so that these tests need no file formats.

use lanecast_reference::meshes::Mesh;

/// Reads a shipped mesh: binary little-endian, `float x y z`, `list uchar int`, triangles only.
pub fn shipped(name: &str) -> Mesh {
    let path = format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let end = b"end_header\n";
    let body = end.len() + bytes.windows(end.len()).position(|w| w == end).expect("a PLY header");
    let header = std::str::from_utf8(&bytes[..body]).expect("a PLY header in ASCII");
    let count = |element: &str| -> usize {
        let line = header.lines().find_map(|line| line.strip_prefix(element));
        line.and_then(|rest| rest.trim().parse().ok())
            .unwrap_or_else(|| panic!("{path}: no {element}"))
    };
    let (vertices, faces) = (count("element vertex"), count("element face"));
    let word = |at: usize| -> [u8; 4] { bytes[at..at + 4].try_into().expect("four bytes") };
    let vertex =
        |i: usize| std::array::from_fn(|axis| f32::from_le_bytes(word(body + 12 * i + 4 * axis)));
    let face = |i: usize| {
        let at = body + 12 * vertices + 13 * i;
        assert_eq!(bytes[at], 3, "{path}: face {i} is not a triangle");
        std::array::from_fn(|corner| u32::from_le_bytes(word(at + 1 + 4 * corner)))
    };
    Mesh {
        vertices: (0..vertices).map(vertex).collect(),
        triangles: (0..faces).map(face).collect(),
    }
}
