//! PLY, element by element through ply-rs-bw, so that an error names the element.

use super::text::shown;
use super::{Mesh, Source, bad_vertex, checked_vertex, push_fan};
use crate::io::error::{Result, list};
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType,
};
use std::io::ErrorKind;

/// The two names in use for the list of a face's vertices.
const FACE_LISTS: [&str; 2] = ["vertex_indices", "vertex_index"];

pub(super) fn read(source: &Source) -> Result<Mesh> {
    if !source.bytes.starts_with(b"ply") {
        return Err(source.file.content("not a PLY file: it does not begin with \"ply\""));
    }
    if !lines(source).any(|line| line == b"end_header") {
        return Err(source.file.content("truncated: the header has no \"end_header\""));
    }
    let mut reader = Reader::new(&source.bytes[..]);
    let header =
        Parser::<Vertex>::new().read_header(&mut reader).map_err(|error| explain_header(source, &error))?;
    check_header(&header).map_err(|what| source.file.content(what))?;

    let line = reader.line() as u64 - 1;
    let mut body = Body { source, encoding: header.encoding, line, text: b"", rest: reader.into_inner() };
    let mut mesh = Mesh { name: source.name.clone(), ..Mesh::default() };
    // Faces may come before the vertices, so they are checked at the end.
    let mut indices: Vec<i64> = Vec::new();
    let mut face_ends = Vec::new();
    for (name, element) in &header.elements {
        match name.as_str() {
            "vertex" => body.read(element, |vertex: Vertex| mesh.vertices.push(vertex.0))?,
            "face" => body.read(element, |face: Face| {
                indices.extend_from_slice(&face.0);
                face_ends.push(indices.len());
            })?,
            _ => body.read(element, |_: Other| {})?,
        }
    }

    mesh.triangles.reserve(face_ends.len());
    let mut corners = Vec::new();
    let mut start = 0;
    for (face, &end) in face_ends.iter().enumerate() {
        corners.clear();
        for &index in &indices[start..end] {
            corners.push(checked_vertex(index, mesh.vertices.len()).ok_or_else(|| {
                let what = bad_vertex(index, mesh.vertices.len());
                source.file.content(format_args!("face {face} of {}: {what}", face_ends.len()))
            })?);
        }
        push_fan(&mut mesh.triangles, &corners);
        start = end;
    }
    Ok(mesh)
}

fn lines<'a>(source: &'a Source) -> impl Iterator<Item = &'a [u8]> {
    source.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii)
}

/// The parser's own message prints its grammar.
fn explain_header(source: &Source, error: &ParseError) -> crate::io::Error {
    let Some(line) = error.line() else { return source.file.content(format_args!("header: {error}")) };
    let text = lines(source).nth(line.saturating_sub(1)).unwrap_or_default();
    source.file.at_line(line as u64, format_args!("not a line of a PLY header: {}", shown(text)))
}

/// Looks for what a mesh needs, before any element is read.
fn check_header(header: &Header) -> Result<(), String> {
    let Some(vertex) = header.elements.get("vertex") else {
        return Err(format!("no element \"vertex\"; found {}", list(header.elements.keys())));
    };
    for axis in ["x", "y", "z"] {
        match vertex.properties.get(axis).map(|property| &property.data_type) {
            Some(PropertyType::Scalar(_)) => {}
            Some(PropertyType::List(..)) => {
                return Err(format!("element \"vertex\": property \"{axis}\" is a list"));
            }
            None => {
                let found = list(vertex.properties.keys());
                return Err(format!("element \"vertex\": no property \"{axis}\"; found {found}"));
            }
        }
    }
    match header.elements.get("face") {
        Some(face)
            if face.count > 0 && !FACE_LISTS.iter().any(|name| face.properties.contains_key(*name)) =>
        {
            let found = list(face.properties.keys());
            Err(format!("element \"face\": no list \"vertex_indices\" or \"vertex_index\"; found {found}"))
        }
        _ => Ok(()),
    }
}

/// What follows the header.
struct Body<'a> {
    source: &'a Source<'a>,
    encoding: Encoding,
    /// The line read last of an ASCII body, and its number.
    line: u64,
    text: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Body<'a> {
    /// Reads all of an element. Nothing is reserved for the count in the header, which may be any
    /// number; every element takes at least a byte, so the end of the file ends the loop.
    fn read<E: PropertyAccess>(&mut self, element: &ElementDef, mut each: impl FnMut(E)) -> Result<()> {
        let parser = Parser::<E>::new();
        let ascii = self.encoding == Encoding::Ascii;
        if element.properties.is_empty() && !ascii {
            return Ok(());
        }
        for number in 0..element.count {
            let parsed = match self.encoding {
                Encoding::Ascii => match self.next_line(element) {
                    Some(line) => parser.read_ascii_element(line, element),
                    None => return Err(self.truncated(element, number)),
                },
                Encoding::BinaryLittleEndian => parser.read_little_endian_element(&mut self.rest, element),
                Encoding::BinaryBigEndian => parser.read_big_endian_element(&mut self.rest, element),
            };
            each(parsed.map_err(|error| self.explain(element, number, &error))?);
        }
        Ok(())
    }

    /// The next line of an ASCII body, `None` at the end of the file. Blank lines are passed over,
    /// unless that is how an element without properties looks.
    fn next_line(&mut self, element: &ElementDef) -> Option<&'a str> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|byte| *byte == b'\n');
            let (line, rest) = match end {
                Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
                None => (self.rest, &self.rest[self.rest.len()..]),
            };
            (self.text, self.rest) = (line.trim_ascii(), rest);
            self.line += 1;
            if !self.text.is_empty() || element.properties.is_empty() {
                // What is no text is no number either, and is reported as such by the parser.
                return Some(std::str::from_utf8(self.text).unwrap_or("?"));
            }
        }
        None
    }

    fn explain(&self, element: &ElementDef, number: usize, error: &ParseError) -> crate::io::Error {
        let ascii = self.encoding == Encoding::Ascii;
        // A last line without its end was cut.
        let cut = ascii && self.rest.is_empty() && !self.source.bytes.ends_with(b"\n");
        if cut || error.kind() == ErrorKind::UnexpectedEof {
            return self.truncated(element, number);
        }
        let place = format!("{} {number} of {}", element.name, element.count);
        if ascii {
            let text = shown(self.text);
            self.source.file.at_line(self.line, format_args!("{place}: {text} does not give its properties"))
        } else {
            self.source.file.content(format_args!("{place}: {error}"))
        }
    }

    fn truncated(&self, element: &ElementDef, number: usize) -> crate::io::Error {
        let (name, count) = (&element.name, element.count);
        self.source.file.content(format_args!("truncated: {name} {number} of {count} is incomplete"))
    }
}

/// `x y z` in any scalar type, rounded to f32.
struct Vertex([f32; 3]);

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self([0.0; 3])
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let axis = match name {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return PropertyAccessResult::Ignored,
        };
        self.0[axis] = match property {
            Property::Float(value) => value,
            Property::Double(value) => value as f32,
            Property::Char(value) => f32::from(value),
            Property::UChar(value) => f32::from(value),
            Property::Short(value) => f32::from(value),
            Property::UShort(value) => f32::from(value),
            Property::Int(value) => value as f32,
            Property::UInt(value) => value as f32,
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

/// The vertices of a polygon, not checked yet.
struct Face(Vec<i64>);

impl PropertyAccess for Face {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !FACE_LISTS.contains(&name) {
            return PropertyAccessResult::Ignored;
        }
        self.0 = match property {
            Property::ListInt(indices) => widened(indices),
            Property::ListUInt(indices) => widened(indices),
            Property::ListUChar(indices) => widened(indices),
            Property::ListChar(indices) => widened(indices),
            Property::ListUShort(indices) => widened(indices),
            Property::ListShort(indices) => widened(indices),
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

fn widened<T: Into<i64>>(indices: Vec<T>) -> Vec<i64> {
    indices.into_iter().map(Into::into).collect()
}

/// An element that is only stepped over.
struct Other;

impl PropertyAccess for Other {
    fn new() -> Self {
        Self
    }
}
