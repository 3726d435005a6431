//! PLY, element by element through ply-rs-bw, so that an error names the element.

mod body;
mod values;

use super::faces::Faces;
use super::text::{shown, words};
use super::unusable::Unusable;
use super::{Coordinate, Input, Model, bad_vertex, checked_vertex, counted};
use crate::error::{InFile, Result, list};
use body::Body;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{Header, PropertyType};
use std::collections::HashSet;
use values::{List, Other, Vertex};

/// The two names in use for the list of the vertices of a face or a strip.
const LISTS: [&str; 2] = ["vertex_indices", "vertex_index"];

pub(super) fn read<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    if !source.bytes.starts_with(b"ply") {
        return Err(source.file.content("not a PLY file: it does not begin with \"ply\""));
    }
    let Some((lines, rest)) = split_header(&source.bytes) else {
        return Err(source.file.content("truncated: the header has no \"end_header\""));
    };
    let text: String =
        lines.iter().map(|line| format!("{}\n", String::from_utf8_lossy(line))).collect();
    let header = Parser::<Other>::new().read_header(&mut Reader::new(text.as_bytes()));
    let header = header.map_err(|error| explain_header(source, &lines, &error))?;
    refuse_repeated(source, &lines)?;
    check_header(&header).in_file(&source.file)?;

    let mut body = Body::new(source, header.encoding, lines.len() as u64, rest);
    let (mut vertices, mut normals, mut unusable) = (Vec::new(), Vec::new(), Unusable::default());
    let has_normals = has_normals(&header);
    // They may come before the vertices, so they are checked at the end.
    let (mut polygons, mut strips) = (Lists::default(), Lists::default());
    let mut remarks = Vec::new();
    for (name, element) in &header.elements {
        match name.as_str() {
            "vertex" => body.read(element, |vertex: Vertex<T>, line| {
                unusable.look(vertices.len(), &vertex.position, line);
                vertices.push(vertex.position);
                if has_normals {
                    normals.push(vertex.normal);
                }
            })?,
            "face" => body.read(element, |list: List, _| polygons.push(&list))?,
            "tristrips" => body.read(element, |list: List, _| strips.push(&list))?,
            _ => {
                body.read(element, |_: Other, _| {})?;
                if element.count > 0 {
                    let count = counted(element.count, "element", "elements");
                    remarks.push(format!("{count} {} left out", shown(name.as_bytes())));
                }
            }
        }
    }
    body.end(&header)?;

    let (mut faces, mut corners) = (Faces::default(), Vec::new());
    let check = |kind: &str, number: usize, count: usize, index: i64| {
        checked_vertex(index, vertices.len()).ok_or_else(|| {
            let what = bad_vertex(index, vertices.len());
            source.file.content(format_args!("{kind} {number} of {count}: {what}"))
        })
    };
    for (face, list) in polygons.iter().enumerate() {
        corners.clear();
        for &index in list {
            corners.push(check("face", face, polygons.len(), index)?);
        }
        faces.polygon(face, &corners);
    }
    faces.cut_polygons(&vertices, &mut Vec::new());
    for (strip, list) in strips.iter().enumerate() {
        // −1 ends a strip, and another begins behind it.
        for part in list.split(|&index| index == -1) {
            corners.clear();
            for &index in part {
                corners.push(check("strip", strip, strips.len(), index)?);
            }
            faces.strip(polygons.len() + strip, &corners);
        }
    }
    let mut model =
        Model::of_one(source, vertices, has_normals.then_some(normals), faces, unusable)?;
    model.remarks.append(&mut remarks);
    Ok(model)
}

/// The parser keeps one of several properties or elements of a name, and takes the values of the
/// others for those of what comes next.
fn refuse_repeated(source: &Input, lines: &[&[u8]]) -> Result<()> {
    let mut elements: HashSet<&[u8]> = HashSet::new();
    let mut properties: HashSet<&[u8]> = HashSet::new();
    for (line, text) in (1..).zip(lines) {
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
        if !names.insert(name) {
            return Err(source
                .file
                .at_line(line, format_args!("the {what} {} stands there twice", shown(name))));
        }
    }
    Ok(())
}

/// The lines of the header, without blanks around them, and the bytes behind it. Its lines end as
/// the first one does, and behind a CR alone a binary body may begin with an LF.
fn split_header(bytes: &[u8]) -> Option<(Vec<&[u8]>, &[u8])> {
    let first = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let end = if bytes[first..].starts_with(b"\r\n") { b'\n' } else { bytes[first] };
    let (mut lines, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let length = rest.iter().position(|byte| *byte == end).unwrap_or(rest.len());
        let line = rest[..length].trim_ascii();
        rest = rest.get(length + 1..).unwrap_or_default();
        lines.push(line);
        if line == b"end_header" {
            return Some((lines, rest));
        }
    }
    None
}

/// The parser's own message prints its grammar.
fn explain_header(source: &Input, lines: &[&[u8]], error: &ParseError) -> crate::Error {
    let Some(line) = error.line() else { return source.file.foreign("header: ", error) };
    let text = lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
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
    for kind in ["face", "tristrips"] {
        let Some(element) = header.elements.get(kind) else { continue };
        let has = |name: &&str| element.properties.contains_key(*name);
        if LISTS.iter().all(has) {
            return Err(format!(
                "element \"{kind}\": both \"vertex_indices\" and \"vertex_index\""
            ));
        }
        if element.count > 0 && !LISTS.iter().any(has) {
            let found = list(element.properties.keys());
            return Err(format!(
                "element \"{kind}\": no list \"vertex_indices\" or \"vertex_index\"; found {found}"
            ));
        }
    }
    Ok(())
}

fn has_normals(header: &Header) -> bool {
    let vertex = header.elements.get("vertex");
    vertex.is_some_and(|vertex| {
        let scalar = |name| vertex.properties.get(name).map(|property| &property.data_type);
        ["nx", "ny", "nz"]
            .map(scalar)
            .iter()
            .all(|kind| matches!(kind, Some(PropertyType::Scalar(_))))
    })
}

/// The lists of vertices of faces or strips, one behind the other.
#[derive(Default)]
struct Lists {
    indices: Vec<i64>,
    ends: Vec<usize>,
}

impl Lists {
    fn push(&mut self, list: &List) {
        self.indices.extend_from_slice(&list.0);
        self.ends.push(self.indices.len());
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn iter(&self) -> impl Iterator<Item = &[i64]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.indices[start..end])
    }
}
