//! Mesh files, one format per file; what they share is here.
//!
//! Every reader takes the whole file as bytes and hands back triangles whose vertex numbers have
//! been checked.

mod budget;
mod compiled;
mod faces;
mod gltf;
mod input;
mod model;
mod obj;
mod off;
mod ply;
mod polygon;
mod precision;
mod shown;
mod split;
mod stl;
pub(crate) mod text;
mod unusable;

pub use input::MeshFormat;
pub use model::{Mesh, Model, Placement};
pub(crate) use precision::FARTHEST;
pub use precision::{Coarseness, Coordinate, Extent, is_moved_too_far, moved_by_rounding};

use super::error::{Error, Result};
pub(crate) use input::Input;
#[cfg(feature = "rasters")]
pub(crate) use input::most_of;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Reads the meshes of a file; the extension (in any case) says which format it is. The path `-` is
/// standard input, of which [`read_model_as`] is told the format.
///
/// A file compressed by gzip or, with the feature `zstd`, by Zstandard is read as what is in it: by
/// `.gz` or `.zst` behind its extension, or by its first bytes whatever its name. All of it is
/// decompressed into memory, and refused where it grows to more than 64 MiB and more than 256 times
/// the size of the file.
///
/// - **OBJ**: a mesh for each combination of object (`o`), group (`g`) and material (`usemtl`) that
///   has faces, in the order in which they first appear, named `object/group/material` without
///   those that are absent. A mesh has the vertices that its faces name, in the file's order; if
///   there is only one it has all of them, with the file's numbers. Faces are numbered through the
///   file. Normals (`vn`) are kept if each corner of the mesh has one: a vertex with several keeps
///   the first, and for each further one there is a copy of it behind the vertices of the file. A
///   `#` begins a comment, but in names it is a character as any other.
/// - **PLY**: ASCII and binary, either byte order; element `vertex` with `x y z` and maybe
///   `nx ny nz`, elements `face` and `tristrips` with a list `vertex_indices` or `vertex_index`. In
///   a strip −1 ends it, and another begins behind; strips are numbered on from the faces. Without
///   faces and strips the mesh has no triangles. In ASCII each element begins a line, and may go on
///   in the next.
/// - **STL**: ASCII, with its words on whatever lines, and binary. Corners with equal coordinates
///   become one vertex. Each solid of an ASCII file is a mesh with its name. The normals of facets
///   follow from the corners, and are not kept.
/// - **OFF**: also with normals, colours or texture coordinates (`NOFF`, `COFF`, `STOFF`), of which
///   normals are kept.
/// - **glTF, GLB**: each triangle primitive of each mesh that the default scene places is a mesh,
///   in its own frame, read once however many nodes share it, and named by its mesh, with the
///   number of the primitive behind where there are several: `mesh/0`. Its
///   [placements](Model::placements) are the nodes, and the instances of `EXT_mesh_gpu_instancing`.
///   A buffer is a file in the folder of the document or below it: `..` that leads elsewhere,
///   absolute paths, backslashes and links that lead out of the folder are refused, and so is the
///   document itself. What accessors are of several primitives and nodes is made for each, 64 MiB
///   or 256 times the size of document and buffers at most.
///   Sparse accessors, those without data, which are 0, and integers (`KHR_mesh_quantization`) are
///   read. Skins and morph targets are left in rest pose: a node with a skin stands where its mesh
///   is, as the specification ignores its transform. Extensions that say nothing of geometry refuse
///   no file. `KHR_draco_mesh_compression`, `EXT_meshopt_compression` and extensions that are not
///   known do where the file requires them; where not, what they would replace is read.
/// - **GeoTIFF, ESRI ASCII grid** (with the feature `rasters`): the heights of a raster, as
///   `read_raster` has them. Each pixel is a vertex at its centre, numbered row by row; x and y are
///   those of the file. Between four pixels are two triangles, which face up and are the same face:
///   `row · (columns − 1) + column` of its first pixel. Pixels without data are holes: no triangle
///   has a corner there. There is a remark on them, and one on x and y in degrees.
///
/// A name of more than 1,000 bytes is cut, and ends in `…`. Text may begin with a byte order mark,
/// be in UTF-16 with such a mark, and its lines may end with CR alone.
///
/// Coordinates are rounded once, to the nearest `T`: those of text formats from the decimals, those
/// of PLY from whatever type they have, those of glTF as the file has them; transforms are kept and
/// multiplied in `f64`. [`Model::needs_f64`] says whether `f32` is too coarse.
///
/// A convex polygon becomes a fan around its first vertex, others are cut in their plane: without
/// new vertices, and so that their triangles face as the polygon does. What is not planar is seen
/// along the normal that its area has. One that crosses itself is counted
/// ([`Mesh::self_crossing_faces`]). Triangles keep the number of their polygon
/// ([`Mesh::face_ids`]). A mesh without triangles is no error here.
///
/// A vertex that is not finite, or so large that no scene takes it, is no error where no face names
/// it: it is put at 0, keeps its number, and is remarked on. In a file without faces vertices are
/// points, and stay as they are.
///
/// # Errors
/// The file cannot be read or decompressed, its extension is unknown, it is truncated or malformed,
/// it holds more than it counts, or a face names a vertex that does not exist or is not finite. The
/// message names the file and the line or element.
pub fn read_model<T: Coordinate>(path: &Path) -> Result<Model<T>> {
    T::read(Input::read(path, None)?)
}

/// [`read_model`] of a file whose name does not say its format, or says another.
///
/// # Errors
/// Those of [`read_model`], but for the extension.
pub fn read_model_as<T: Coordinate>(path: &Path, format: MeshFormat) -> Result<Model<T>> {
    T::read(Input::read(path, Some(format))?)
}

/// [`read_model`] from anything, compressed or not; `name` stands for it in errors. What a glTF
/// file names is looked for in the working folder.
///
/// ```
/// use lanecast_io::{MeshFormat, read_model_from};
/// let file = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let model = read_model_from::<f64>("example", file.as_bytes(), MeshFormat::Obj)?;
/// assert_eq!(model.meshes[0].triangles, [[0, 1, 2]]);
/// # Ok::<(), lanecast_io::Error>(())
/// ```
///
/// # Errors
/// Those of [`read_model`], but for the extension.
pub fn read_model_from<T: Coordinate>(
    name: &str,
    reader: impl Read,
    format: MeshFormat,
) -> Result<Model<T>> {
    T::read(Input::from_reader(name, reader, format)?)
}

/// The files that [`read_model`] reads beside this one: those in which a glTF document has its
/// numbers. None for files of other formats, and for what cannot be read.
pub fn files_beside(path: &Path) -> Vec<PathBuf> {
    gltf::named_in(path).unwrap_or_default()
}

fn read<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    match source.format {
        MeshFormat::Obj => obj::read(source),
        MeshFormat::Ply => ply::read(source),
        MeshFormat::Stl => stl::read(source),
        MeshFormat::Off => off::read(source),
        MeshFormat::Gltf => gltf::read(source),
        #[cfg(feature = "rasters")]
        MeshFormat::GeoTiff | MeshFormat::AsciiGrid => crate::raster::read_model(source),
        #[cfg(not(feature = "rasters"))]
        MeshFormat::GeoTiff | MeshFormat::AsciiGrid => {
            Err(source.file.content("rasters need the feature `rasters` of lanecast-io"))
        }
    }
}

impl Input {
    /// Something wrong at a line, or, where that is 0, with the file.
    fn at(&self, (line, what): (u64, String)) -> Error {
        if line == 0 { self.file.content(what) } else { self.file.at_line(line, what) }
    }
}

/// The most bytes of a name. One that stands once in a file may be that of many meshes.
const LONGEST_NAME: usize = 1000;

/// Names one below the other, `a/b/c`, without those that are empty; cut where they are too long.
fn joined_name<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        if !joined.is_empty() {
            joined.push('/');
        }
        joined.push_str(start_of(name, LONGEST_NAME + 4));
    }
    if joined.len() > LONGEST_NAME {
        joined.truncate(start_of(&joined, LONGEST_NAME - '…'.len_utf8()).len());
        joined.push('…');
    }
    joined
}

/// What a name of a part may take of this one.
fn cut_name(name: &[u8]) -> String {
    // As many bytes of text at least, and a character that is cut in two stands behind them.
    let start = &name[..name.len().min(LONGEST_NAME + 8)];
    start_of(&String::from_utf8_lossy(start), LONGEST_NAME + 4).to_owned()
}

/// The characters of a text that its first bytes hold.
fn start_of(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// A number of things, in words.
fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// The vertex number that a file gives, if there is such a vertex.
fn checked_vertex(index: i64, vertices: usize) -> Option<u32> {
    let index = u32::try_from(index).ok()?;
    ((index as usize) < vertices).then_some(index)
}

/// The message for a face that names a vertex which does not exist.
fn bad_vertex(index: i64, vertices: usize) -> String {
    format!("vertex {index} does not exist; there are {vertices}, numbered from 0")
}
