//! The meshes in `data`: binary PLY with vertices of three floats and triangles, nothing else.

use std::path::Path;
use std::sync::Arc;

use crate::Result;
use crate::scenes::mesh::Mesh;

/// # Errors
/// The file is not there, or is not laid out as said above.
pub(crate) fn read_ply(path: &Path) -> Result<Arc<Mesh>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&bytes)
        .ok_or_else(|| format!("{}: not laid out as the meshes in data are", path.display()).into())
}

fn parse(bytes: &[u8]) -> Option<Arc<Mesh>> {
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|window| window == END)? + END.len();
    let header = std::str::from_utf8(&bytes[..end]).ok()?;
    let count = |element: &str| {
        header
            .lines()
            .find_map(|line| line.strip_prefix(element))
            .and_then(|text| text.trim().parse().ok())
    };
    let vertex_count: usize = count("element vertex")?;
    let triangle_count: usize = count("element face")?;
    let (vertex_bytes, rest) = bytes[end..].split_at_checked(vertex_count * 12)?;
    // A count of three, and three numbers.
    let (faces, _) = rest.as_chunks::<13>();
    let vertices =
        vertex_bytes.as_chunks::<12>().0.iter().map(|row| four_bytes(row).map(f32::from_le_bytes));
    let triangles = faces.iter().map(|row| {
        let [count, numbers @ ..] = row;
        (*count == 3).then(|| four_bytes(numbers).map(u32::from_le_bytes))
    });
    let triangles: Vec<_> = triangles.collect::<Option<_>>()?;
    (triangles.len() == triangle_count).then(|| Mesh::new(vertices.collect(), triangles))
}

fn four_bytes(row: &[u8; 12]) -> [[u8; 4]; 3] {
    let (numbers, _) = row.as_chunks::<4>();
    [numbers[0], numbers[1], numbers[2]]
}
