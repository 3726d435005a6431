//! Object File Format.
//!
//! off-rs was tried and set aside: one colour notation must be promised for the whole file, faces
//! are a vector each, and a bad vertex number passes unseen.

use super::faces::Faces;
use super::text::{is_blank, lines, number, position, shown, triple, without_comment, words};
use super::unusable::Unusable;
use super::{Coordinate, Input, Model, bad_vertex, checked_vertex};
use crate::error::Result;

pub(super) fn read<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    let without_comments = lines(&source.bytes).map(|(line, text)| (line, without_comment(text)));
    let mut rest = without_comments.filter(|(_, text)| !text.is_empty());
    let Some((first_line, first)) = rest.next() else {
        return Err(source.file.content("not an OFF file: no line that is not blank"));
    };

    // The counts follow the keyword on the same line, maybe without a blank, or on the next.
    let (keyword, behind) = split_keyword(first);
    let head = words(behind);
    let has_normals = has_normals(keyword).map_err(|what| source.file.at_line(first_line, what))?;
    let mut counts: Vec<&[u8]> = head.collect();
    let mut counts_line = first_line;
    if counts.is_empty() {
        let (line, text) = rest
            .next()
            .ok_or_else(|| source.file.content("truncated: no counts of vertices and faces"))?;
        counts_line = line;
        counts = words(text).collect();
    }
    if counts[0].eq_ignore_ascii_case(b"binary") {
        return Err(source.file.at_line(counts_line, "binary OFF is not supported"));
    }
    if counts.len() < 2 {
        return Err(source.file.at_line(counts_line, "expected the counts of vertices and faces"));
    }
    if let Some(word) = counts.get(3) {
        let what = format!("{} after the counts of vertices, faces and edges", shown(word));
        return Err(source.file.at_line(counts_line, what));
    }
    let count = |word| number::<usize>(word).map_err(|what| source.file.at_line(counts_line, what));
    let (vertex_count, face_count) = (count(counts[0])?, count(counts[1])?);

    // Counts may promise more than there is, so nothing is reserved beyond what the file can hold:
    // a vertex takes six bytes at least.
    let size = source.bytes.len();
    let mut vertices = Vec::with_capacity(vertex_count.min(size / 6));
    let (mut normals, mut unusable) = (Vec::new(), Unusable::default());
    for vertex in 0..vertex_count {
        let (line, text) = rest.next().ok_or_else(|| {
            source
                .file
                .content(format_args!("truncated: vertex {vertex} of {vertex_count} is missing"))
        })?;
        let mut words = words(text);
        let at_vertex = |what: String| {
            source.file.at_line(line, format_args!("vertex {vertex} of {vertex_count}: {what}"))
        };
        let position = position(&mut words).map_err(at_vertex)?;
        if has_normals {
            normals.push(triple("normal", &mut words).map_err(at_vertex)?);
        }
        unusable.look(vertex, &position, line);
        vertices.push(position);
    }
    let (mut faces, mut corners) = (Faces::default(), Vec::new());
    for face in 0..face_count {
        let (line, text) = rest.next().ok_or_else(|| {
            source.file.content(format_args!("truncated: face {face} of {face_count} is missing"))
        })?;
        read_face(text, vertex_count, &mut corners).map_err(|what| {
            source.file.at_line(line, format_args!("face {face} of {face_count}: {what}"))
        })?;
        faces.polygon(face, &corners);
    }
    match rest.find(|(_, text)| !is_blank(text)) {
        Some((line, _)) => Err(source.file.at_line(
            line,
            format_args!("more follows the {vertex_count} vertices and {face_count} faces that line {counts_line} counts"),
        )),
        None => {
            faces.cut_polygons(&vertices, &mut Vec::new());
            let normals = has_normals.then_some(normals);
            Model::of_one(source, vertices, normals, faces, unusable)
        },
    }
}

/// The keyword of a first line, and what follows it: the first count may do so at once, as in
/// `OFF8 6 12`.
fn split_keyword(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let behind_off = line[..end]
        .windows(4)
        .position(|four| four.starts_with(b"OFF") && four[3].is_ascii_digit());
    line.split_at(behind_off.map_or(end, |at| at + 3))
}

/// Whether normals follow the positions: `OFF` comes with what else each vertex carries before it,
/// and normals come before colours and texture coordinates. Positions of four or n values are not
/// for us.
fn has_normals(keyword: &[u8]) -> Result<bool, String> {
    let prefix = keyword.strip_suffix(b"OFF");
    match prefix {
        Some(b"" | b"C" | b"ST" | b"STC") => Ok(false),
        Some(b"N" | b"CN" | b"STN" | b"STCN") => Ok(true),
        Some(_) => Err(format!("vertices of the kind {} are not supported", shown(keyword))),
        None => Err(format!("not an OFF file: it begins with {}", shown(keyword))),
    }
}

/// `n i1 … in`, then perhaps a colour.
fn read_face(text: &[u8], vertices: usize, corners: &mut Vec<u32>) -> Result<(), String> {
    corners.clear();
    let mut words = words(text);
    let count: usize = number(words.next().unwrap_or_default())?;
    for corner in 0..count {
        let word = words.next().ok_or_else(|| format!("{corner} of {count} vertices"))?;
        let given: i64 = number(word)?;
        corners.push(checked_vertex(given, vertices).ok_or_else(|| bad_vertex(given, vertices))?);
    }
    Ok(())
}
