//! glTF and GLB: the gltf crate reads and checks the document; buffers and accessors are read here,
//! with every range checked, since the crate trusts them.

use super::text::is_blank;
use super::{Coordinate, Mesh, Model, Source, bad_vertex, checked_vertex};
use crate::error::{FileName, Result};
use crate::excerpt;
use base64::Engine;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Gltf, Node, Primitive};
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

pub(super) fn read<T: Coordinate>(source: &Source) -> Result<Model<T>> {
    let file = &source.file;
    check_glb_length(&source.bytes).map_err(|what| file.content(what))?;
    let document =
        file.guarded(|| Gltf::from_slice(&source.bytes).map_err(|error| file.foreign("", error)))?;
    let mut buffers = Buffers { source, document: &document, loaded: vec![None; document.buffers().count()] };

    let mut meshes = Vec::new();
    let mut seen = vec![false; document.nodes().count()];
    let mut waiting: Vec<(Node, Matrix)> =
        roots(&document).into_iter().map(|node| (node, IDENTITY)).collect();
    waiting.reverse();
    while let Some((node, parent)) = waiting.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            return Err(file.content(format_args!("node {} is reached twice", node.index())));
        }
        let to_world = product(&parent, &node.transform().matrix().map(|column| column.map(f64::from)));
        if let Some(mesh) = node.mesh() {
            for primitive in mesh.primitives() {
                let place = format!("mesh {}, primitive {}", mesh.index(), primitive.index());
                let read = read_primitive(&primitive, &to_world, &mut buffers);
                let Some((vertices, triangles)) = read.map_err(|trouble| trouble.at(file, &place))? else {
                    continue;
                };
                let name = mesh.name().or(node.name()).unwrap_or(&source.name).to_owned();
                meshes.push(Mesh { name, vertices, triangles, ..Mesh::default() });
            }
        }
        let children: Vec<_> = node.children().map(|child| (child, to_world)).collect();
        waiting.extend(children.into_iter().rev());
    }
    Ok(Model { meshes, remarks: Vec::new() })
}

/// The nodes of the default scene, else of the first, else every node that is no one's child.
fn roots(document: &Gltf) -> Vec<Node<'_>> {
    if let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) {
        return scene.nodes().collect();
    }
    let mut is_child = vec![false; document.nodes().count()];
    for child in document.nodes().flat_map(|node| node.children()) {
        is_child[child.index()] = true;
    }
    document.nodes().filter(|node| !is_child[node.index()]).collect()
}

/// The crate subtracts from the length in a GLB header without looking.
fn check_glb_length(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let promised = match bytes.get(8..12) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => return Err(format!("truncated: {} bytes, but the header of a GLB has 12", bytes.len())),
    };
    if promised < 20 {
        Err(format!("the header gives the file {promised} bytes, too few for a GLB"))
    } else if promised > bytes.len() {
        Err(format!("truncated: the header promises {promised} bytes, the file has {}", bytes.len()))
    } else if !is_blank(&bytes[promised..]) {
        Err(format!("the header promises {promised} bytes, the file has {}", bytes.len()))
    } else {
        check_chunks(&bytes[..promised])
    }
}

/// The crate reads two chunks, and does not look at what follows. Chunks of other kinds may follow there, and are
/// nothing for us.
fn check_chunks(bytes: &[u8]) -> Result<(), String> {
    let (mut number, mut rest) = (0, &bytes[12..]);
    while let Some((head, behind)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, kind @ ..] = *head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if number > 1 && matches!(&kind, b"JSON" | b"BIN\0") {
            return Err(format!("chunk {number} is another {}", kind.escape_ascii()));
        }
        let Some(after) = behind.get(length..) else {
            return Err(format!(
                "truncated: chunk {number} should have {length} bytes, {} are there",
                behind.len()
            ));
        };
        (number, rest) = (number + 1, after);
    }
    if is_blank(rest) { Ok(()) } else { Err(format!("{} bytes follow chunk {}", rest.len(), number - 1)) }
}

/// What can go wrong below a primitive: with a buffer, which has its own place, or with the values.
enum Trouble {
    Buffer(crate::Error),
    Values(String),
}

impl Trouble {
    fn at(self, file: &FileName, place: &str) -> crate::Error {
        match self {
            Self::Buffer(error) => error,
            Self::Values(what) => file.content(format_args!("{place}: {what}")),
        }
    }
}

impl From<String> for Trouble {
    fn from(what: String) -> Self {
        Self::Values(what)
    }
}

type Geometry<T> = (Vec<[T; 3]>, Vec<[u32; 3]>);

/// The triangles of a primitive in the scene, `None` if it is made of points or lines.
fn read_primitive<T: Coordinate>(
    primitive: &Primitive,
    to_world: &Matrix,
    buffers: &mut Buffers,
) -> Result<Option<Geometry<T>>, Trouble> {
    if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(None);
    }
    let positions = primitive.get(&gltf::Semantic::Positions).ok_or_else(|| "no positions".to_owned())?;
    if (positions.data_type(), positions.dimensions()) != (DataType::F32, Dimensions::Vec3) {
        return Err(Trouble::Values("positions are not three f32".to_owned()));
    }
    let mut vertices = Vec::new();
    buffers.each(&positions, |bytes| {
        let position = std::array::from_fn(|axis| f64::from(f32_at(bytes, 4 * axis)));
        vertices.push(transformed(to_world, position).map(T::nearest));
    })?;

    let mut corners: Vec<u32> = Vec::new();
    if let Some(indices) = primitive.indices() {
        if indices.dimensions() != Dimensions::Scalar {
            return Err(Trouble::Values("indices are not scalars".to_owned()));
        }
        match indices.data_type() {
            DataType::U8 => buffers.each(&indices, |bytes| corners.push(u32::from(bytes[0])))?,
            DataType::U16 => buffers
                .each(&indices, |bytes| corners.push(u32::from(u16::from_le_bytes([bytes[0], bytes[1]]))))?,
            DataType::U32 => buffers.each(&indices, |bytes| {
                corners.push(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            })?,
            other => return Err(Trouble::Values(format!("indices are {other:?}, not unsigned"))),
        }
    } else {
        corners.extend(0..vertices.len() as u32);
    }
    for (place, &corner) in corners.iter().enumerate() {
        let corner = i64::from(corner);
        if checked_vertex(corner, vertices.len()).is_none() {
            return Err(Trouble::Values(format!("index {place}: {}", bad_vertex(corner, vertices.len()))));
        }
    }
    let mut triangles = assemble(primitive.mode(), &corners)?;
    if determinant(to_world) < 0.0 {
        for triangle in &mut triangles {
            triangle.swap(1, 2);
        }
    }
    Ok(Some((vertices, triangles)))
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

/// The buffers of a document, each loaded when first asked for.
struct Buffers<'a> {
    source: &'a Source<'a>,
    document: &'a Gltf,
    loaded: Vec<Option<Cow<'a, [u8]>>>,
}

impl<'a> Buffers<'a> {
    /// Calls `each` with the bytes of every element of an accessor.
    fn each(&mut self, accessor: &Accessor, mut each: impl FnMut(&[u8])) -> Result<(), Trouble> {
        let place = accessor.index();
        if accessor.sparse().is_some() {
            return Err(Trouble::Values(format!("accessor {place} is sparse, which is not supported")));
        }
        let view = accessor.view().ok_or_else(|| format!("accessor {place} has no data"))?;
        let (count, size) = (accessor.count(), accessor.size());
        if count == 0 {
            return Ok(());
        }
        let stride = view.stride().unwrap_or(size).max(1);
        let buffer = view.buffer();
        let (offset, length) = (view.offset(), view.length());
        let bytes = self.load(&buffer).map_err(Trouble::Buffer)?;
        // Checked sums: the numbers come from the file.
        let view = offset.checked_add(length).and_then(|end| bytes.get(offset..end));
        let needed = (count - 1).checked_mul(stride).and_then(|n| n.checked_add(size));
        let elements = needed
            .and_then(|needed| accessor.offset().checked_add(needed))
            .and_then(|end| view?.get(accessor.offset()..end))
            .ok_or_else(|| {
                format!(
                    "accessor {place}: {count} elements of {size} bytes reach beyond buffer {} of {} bytes",
                    buffer.index(),
                    bytes.len()
                )
            })?;
        for element in 0..count {
            each(&elements[element * stride..][..size]);
        }
        Ok(())
    }

    fn load(&mut self, buffer: &gltf::Buffer) -> Result<&[u8]> {
        let slot = buffer.index();
        if self.loaded[slot].is_none() {
            self.loaded[slot] = Some(self.fetch(buffer)?);
        }
        Ok(self.loaded[slot].as_deref().unwrap_or_default())
    }

    fn fetch(&self, buffer: &gltf::Buffer) -> Result<Cow<'a, [u8]>> {
        let file = &self.source.file;
        let place = format!("buffer {}", buffer.index());
        let too_short = |found: u64| {
            let promised = buffer.length();
            file.content(format_args!("truncated: {place} should have {promised} bytes, {found} are there"))
        };
        let bytes: Cow<[u8]> = match buffer.source() {
            gltf::buffer::Source::Bin => match self.document.blob.as_deref() {
                Some(blob) => blob.into(),
                None => return Err(file.content(format_args!("{place}: no binary chunk"))),
            },
            gltf::buffer::Source::Uri(uri) if uri.starts_with("data:") => {
                decode(uri).map_err(|what| file.content(format_args!("{place}: {what}")))?.into()
            }
            gltf::buffer::Source::Uri(uri) if uri.contains("://") => {
                let uri = excerpt(uri);
                return Err(file.content(format_args!("{place}: {uri:?} is not a local file")));
            }
            gltf::buffer::Source::Uri(uri) => {
                let folder = self.source.path.parent().unwrap_or(Path::new(""));
                let path = folder.join(percent_decoded(uri));
                let name = FileName::of(&path);
                let found = std::fs::metadata(&path).map_err(|error| name.system(error))?;
                // A document may name anything: a pipe would be waited for, a device never ends.
                if !found.is_file() {
                    return Err(name.content(format_args!("{place}: not a regular file")));
                }
                if found.len() < buffer.length() as u64 {
                    return Err(too_short(found.len()));
                }
                let mut bytes = Vec::new();
                std::fs::File::open(&path)
                    .and_then(|file| file.take(buffer.length() as u64).read_to_end(&mut bytes))
                    .map_err(|error| name.system(error))?;
                bytes.into()
            }
        };
        if bytes.len() < buffer.length() {
            return Err(too_short(bytes.len() as u64));
        }
        Ok(bytes)
    }
}

/// The bytes of a `data:` URI.
fn decode(uri: &str) -> Result<Vec<u8>, String> {
    let Some((_, text)) = uri.split_once(";base64,") else {
        return Err("a data URI that is not base64".to_owned());
    };
    base64::engine::general_purpose::STANDARD.decode(text).map_err(|error| format!("data URI: {error}"))
}

/// `my%20mesh.bin` as `my mesh.bin`; what is no escape stays as it is.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let value = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Four columns; in f64, so that a chain of transforms rounds once.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

fn transformed(matrix: &Matrix, point: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = point;
    std::array::from_fn(|row| matrix[0][row] * x + matrix[1][row] * y + matrix[2][row] * z + matrix[3][row])
}

/// Of the linear part; negative where the transform mirrors.
fn determinant(m: &Matrix) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[2][1] * m[1][2]) - m[1][0] * (m[0][1] * m[2][2] - m[2][1] * m[0][2])
        + m[2][0] * (m[0][1] * m[1][2] - m[1][1] * m[0][2])
}
