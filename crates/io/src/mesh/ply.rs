//! PLY, element by element through ply-rs-bw, so that an error names the element.

use super::text::{is_blank, number, shown, words};
use super::{Coordinate, Mesh, Source, bad_vertex, checked_vertex, push_fan};
use crate::error::{Result, list};
use crate::excerpt;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType,
};
use std::io::ErrorKind;

/// The two names in use for the list of a face's vertices.
const FACE_LISTS: [&str; 2] = ["vertex_indices", "vertex_index"];

pub(super) fn read<T: Coordinate>(source: &Source) -> Result<Mesh<T>> {
    if !source.bytes.starts_with(b"ply") {
        return Err(source.file.content("not a PLY file: it does not begin with \"ply\""));
    }
    if !lines(source).any(|line| line == b"end_header") {
        return Err(source.file.content("truncated: the header has no \"end_header\""));
    }
    let mut reader = Reader::new(&source.bytes[..]);
    let header =
        Parser::<Other>::new().read_header(&mut reader).map_err(|error| explain_header(source, &error))?;
    refuse_repeated(source)?;
    check_header(&header).map_err(|what| source.file.content(what))?;

    let line = reader.line() as u64 - 1;
    let mut body = Body { source, encoding: header.encoding, line, text: b"", rest: reader.into_inner() };
    let mut mesh = Mesh { name: source.name.clone(), ..Mesh::default() };
    // Faces may come before the vertices, so they are checked at the end.
    let mut indices: Vec<i64> = Vec::new();
    let mut face_ends = Vec::new();
    for (name, element) in &header.elements {
        match name.as_str() {
            "vertex" => body.read(element, |vertex: Vertex<T>| mesh.vertices.push(vertex.0))?,
            "face" => body.read(element, |face: Face| {
                indices.extend_from_slice(&face.0);
                face_ends.push(indices.len());
            })?,
            _ => body.read(element, |_: Other| {})?,
        }
    }
    body.end(&header)?;

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

/// The parser keeps one of several properties or elements of a name, and takes the values of the others for those of
/// what comes next.
fn refuse_repeated(source: &Source) -> Result<()> {
    let mut elements: Vec<&[u8]> = Vec::new();
    let mut properties: Vec<&[u8]> = Vec::new();
    for (line, text) in (1..).zip(lines(source)) {
        let mut words = words(text);
        let (what, name, names) = match words.next() {
            Some(b"element") => {
                properties.clear();
                ("element", words.next(), &mut elements)
            }
            Some(b"property") => ("property", words.last(), &mut properties),
            Some(b"end_header") => break,
            _ => continue,
        };
        let name = name.unwrap_or_default();
        if names.contains(&name) {
            return Err(source
                .file
                .at_line(line, format_args!("the {what} {} stands there twice", shown(name))));
        }
        names.push(name);
    }
    Ok(())
}

fn lines<'a>(source: &'a Source) -> impl Iterator<Item = &'a [u8]> {
    source.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii)
}

/// The parser's own message prints its grammar.
fn explain_header(source: &Source, error: &ParseError) -> crate::Error {
    let Some(line) = error.line() else { return source.file.foreign("header: ", error) };
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
        Some(face) if FACE_LISTS.iter().all(|name| face.properties.contains_key(*name)) => {
            Err("element \"face\": both \"vertex_indices\" and \"vertex_index\"".to_owned())
        }
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
            let parsed = self.next(&parser, element).ok_or_else(|| self.truncated(element, number))?;
            each(parsed.map_err(|error| self.explain(element, number, &error))?);
            if ascii && let Some(word) = first_beyond(self.text, element) {
                let place = place(element, number);
                let what = format_args!("{place}: {} after its properties", shown(word));
                return Err(self.source.file.at_line(self.line, what));
            }
        }
        Ok(())
    }

    /// The next element; `None` where an ASCII body has ended.
    fn next<E: PropertyAccess>(
        &mut self,
        parser: &Parser<E>,
        element: &ElementDef,
    ) -> Option<Result<E, ParseError>> {
        Some(match self.encoding {
            Encoding::Ascii => parser.read_ascii_element(self.next_line(element)?, element),
            Encoding::BinaryLittleEndian => parser.read_little_endian_element(&mut self.rest, element),
            Encoding::BinaryBigEndian => parser.read_big_endian_element(&mut self.rest, element),
        })
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

    fn explain(&self, element: &ElementDef, number: usize, error: &ParseError) -> crate::Error {
        let ascii = self.encoding == Encoding::Ascii;
        // A last line without its end was cut.
        let cut = ascii && self.rest.is_empty() && !self.source.bytes.ends_with(b"\n");
        if cut || error.kind() == ErrorKind::UnexpectedEof {
            return self.truncated(element, number);
        }
        let place = place(element, number);
        if ascii {
            let text = shown(self.text);
            self.source.file.at_line(self.line, format_args!("{place}: {text} does not give its properties"))
        } else {
            self.source.file.foreign(&format!("{place}: "), error)
        }
    }

    fn truncated(&self, element: &ElementDef, number: usize) -> crate::Error {
        self.source.file.content(format_args!("truncated: {} is incomplete", place(element, number)))
    }

    /// Refuses what follows the last element.
    fn end(mut self, header: &Header) -> Result<()> {
        if is_blank(self.rest) {
            return Ok(());
        }
        let blank = self.rest.split(|byte| *byte == b'\n').take_while(|line| is_blank(line)).count();
        let (first_line, bytes) = (self.line + 1 + blank as u64, self.rest.len());
        let last = header.elements.values().last().expect("a header without vertices was refused");
        let (name, counted) = (excerpt(&last.name), last.count);
        let what = match self.more(last) {
            Some(more) => format!("{} of {name} are there, the header counts {counted}", counted + more),
            None => format!("{bytes} bytes follow {name}, the last element of the header"),
        };
        match self.encoding {
            Encoding::Ascii => Err(self.source.file.at_line(first_line, what)),
            _ => Err(self.source.file.content(what)),
        }
    }

    /// How many more elements of this kind there are, if nothing else is there.
    fn more(&mut self, element: &ElementDef) -> Option<usize> {
        let (parser, mut more) = (Parser::<Other>::new(), 0);
        while !is_blank(self.rest) {
            let before = self.rest.len();
            self.next(&parser, element)?.ok()?;
            if self.rest.len() == before {
                return None;
            }
            more += 1;
        }
        Some(more)
    }
}

/// An element as a message names it.
fn place(element: &ElementDef, number: usize) -> String {
    format!("{} {number} of {}", excerpt(&element.name), element.count)
}

/// The first word of a line that no property of its element asks for.
fn first_beyond<'a>(line: &'a [u8], element: &ElementDef) -> Option<&'a [u8]> {
    let mut words = words(line);
    for property in element.properties.values() {
        let count = words.next();
        if let PropertyType::List(..) = property.data_type {
            let count = count.and_then(|count| number::<usize>(count).ok()).unwrap_or(0);
            count.checked_sub(1).and_then(|last| words.nth(last));
        }
    }
    words.next()
}

/// `x y z` in any scalar type, rounded once.
struct Vertex<T>([T; 3]);

impl<T: Coordinate> PropertyAccess for Vertex<T> {
    fn new() -> Self {
        Self([T::ZERO; 3])
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let axis = match name {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return PropertyAccessResult::Ignored,
        };
        let Some(value) = scalar(&property) else { return PropertyAccessResult::UnsupportedType };
        self.0[axis] = T::nearest(value);
        PropertyAccessResult::Set
    }
}

/// A number of any scalar type, exactly; none for a list.
fn scalar(property: &Property) -> Option<f64> {
    Some(match *property {
        Property::Float(value) => value.into(),
        Property::Double(value) => value,
        Property::Char(value) => value.into(),
        Property::UChar(value) => value.into(),
        Property::Short(value) => value.into(),
        Property::UShort(value) => value.into(),
        Property::Int(value) => value.into(),
        Property::UInt(value) => value.into(),
        _ => return None,
    })
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
