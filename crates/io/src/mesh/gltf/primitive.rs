//! A primitive as a mesh in its own frame.

use super::buffers::Buffers;
use super::values::{indices, vectors};
use super::{Trouble, bad_vertex, checked_vertex};
use crate::mesh::unusable::Unusable;
use crate::mesh::{Coordinate, Mesh};
use gltf::mesh::Mode;
use gltf::{Primitive, Semantic};

/// The triangles of a primitive, `None` if it is made of points or lines.
pub(super) fn read_primitive<T: Coordinate>(
    primitive: &Primitive,
    buffers: &mut Buffers,
    remarks: &mut Vec<String>,
) -> Result<Option<Mesh<T>>, Trouble> {
    if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(None);
    }
    let positions = primitive.get(&Semantic::Positions).ok_or_else(|| "no positions".to_owned())?;
    let (mut numbers, mut unusable) = (0.., Unusable::default());
    let mut vertices = vectors(buffers, &positions, "positions", |position: [f64; 3]| {
        let position = position.map(T::nearest);
        unusable.look(numbers.next().unwrap_or_default(), &position, 0);
        position
    })?;
    let mut normals = None;
    if let Some(accessor) = primitive.get(&Semantic::Normals) {
        let of_vertices =
            vectors(buffers, &accessor, "normals", |normal: [f64; 3]| normal.map(|x| x as f32))?;
        if of_vertices.len() != vertices.len() {
            let what = format!("{} normals for {} vertices", of_vertices.len(), vertices.len());
            return Err(Trouble::Values(what));
        }
        normals = Some(of_vertices);
    }
    let corners = match primitive.indices() {
        Some(accessor) => indices(buffers, &accessor)?,
        None => {
            buffers.take(vertices.len(), size_of::<u32>())?;
            (0..vertices.len() as u32).collect()
        }
    };
    for (place, &corner) in corners.iter().enumerate() {
        let corner = i64::from(corner);
        if checked_vertex(corner, vertices.len()).is_none() {
            return Err(Trouble::Values(format!(
                "index {place}: {}",
                bad_vertex(corner, vertices.len())
            )));
        }
    }
    let of_each = if primitive.mode() == Mode::Triangles { 3 } else { 1 };
    buffers.take(corners.len() / of_each, size_of::<[u32; 3]>())?;
    let triangles = assemble(primitive.mode(), &corners)?;
    let settled = unusable.settle(&mut vertices, triangles.iter(), 0, remarks);
    let unusable_vertices = settled.map_err(|(_, what)| what)?;
    Ok(Some(Mesh { vertices, triangles, normals, unusable_vertices, ..Mesh::default() }))
}

/// Corners to triangles, in the order and orientation that the glTF specification gives (3.7.2.1).
fn assemble(mode: Mode, corners: &[u32]) -> Result<Vec<[u32; 3]>, String> {
    match mode {
        Mode::TriangleStrip => Ok(corners
            .windows(3)
            .enumerate()
            .map(|(i, c)| if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] })
            .collect()),
        Mode::TriangleFan => Ok(corners
            .split_first()
            .map(|(first, rest)| rest.windows(2).map(|c| [c[0], c[1], *first]).collect())
            .unwrap_or_default()),
        _ if !corners.len().is_multiple_of(3) => {
            Err(format!("{} corners do not divide into triangles", corners.len()))
        }
        _ => Ok(corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()),
    }
}
