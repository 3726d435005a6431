//! Wavefront OBJ: positions and faces, nothing else.
//!
//! tobj was tried and set aside: its errors name neither the line nor the index, it renumbers the
//! vertices and drops unused ones, and it wraps around on indices beyond the list.

use super::faces::Faces;
use super::text::{lines, number, position, words};
use super::unusable::Unusable;
use super::{Coordinate, Model, Source};
use crate::error::Result;

pub(super) fn read<T: Coordinate>(source: &Source) -> Result<Model<T>> {
    let (mut vertices, mut unusable) = (Vec::new(), Unusable::default());
    let (mut faces, mut face) = (Faces::default(), 0);
    let mut corners = Vec::new();
    // Where each face with an index beyond the vertices read so far stands: a file may put its
    // faces first.
    let mut ahead: Vec<(u64, i64)> = Vec::new();
    let mut understood = false;
    let mut joined = Vec::new();
    for (line, text) in lines(&source.bytes) {
        // A backslash at the end continues the line.
        if let Some(start) = text.strip_suffix(b"\\") {
            joined.extend_from_slice(start);
            joined.push(b' ');
            continue;
        }
        let mut whole = std::mem::take(&mut joined);
        let text = if whole.is_empty() {
            text
        } else {
            whole.extend_from_slice(text);
            &whole
        };
        let mut words = words(text);
        let at_line = |what: String| source.file.at_line(line, what);
        match words.next() {
            Some(b"v") => {
                let position = position(&mut words).map_err(at_line)?;
                unusable.look(vertices.len(), &position, line);
                vertices.push(position);
                understood = true;
            }
            Some(b"f") => {
                corners.clear();
                for word in words {
                    let (corner, given) = corner(word, vertices.len()).map_err(at_line)?;
                    if corner as usize >= vertices.len() {
                        ahead.push((line, given));
                    }
                    corners.push(corner);
                }
                if corners.len() < 3 {
                    return Err(at_line(format!("a face of {} vertices", corners.len())));
                }
                faces.polygon(face, &corners);
                face += 1;
                understood = true;
            }
            Some(b"vn" | b"vt" | b"vp" | b"g" | b"o" | b"s" | b"usemtl" | b"mtllib" | b"l" | b"p") => {
                understood = true;
            }
            _ => {}
        }
    }
    if !joined.is_empty() {
        return Err(source.file.content("truncated: the last line is continued, but nothing follows"));
    }
    if !understood {
        return Err(source.file.content("not an OBJ file: no line of vertices or faces"));
    }
    let count = vertices.len();
    if let Some((line, given)) = ahead.into_iter().find(|(_, given)| *given > count as i64) {
        let what = format!("face: vertex {given} does not exist; there are {count}, numbered from 1");
        return Err(source.file.at_line(line, what));
    }
    Model::of_one(source, vertices, faces, unusable)
}

/// The corner `7`, `7/1`, `7//2` or `7/1/2` as a vertex number from 0, and the number as given.
/// A negative one counts back from the last vertex read.
fn corner(word: &[u8], vertices: usize) -> Result<(u32, i64), String> {
    let first = word.split(|byte| *byte == b'/').next().unwrap_or(word);
    let given: i64 = number(first).map_err(|what| format!("face: {what}"))?;
    let index = match given {
        1.. => given - 1,
        0 => return Err("face: vertex 0 does not exist; they are numbered from 1".to_owned()),
        _ => vertices as i64 + given,
    };
    match u32::try_from(index) {
        Ok(index) => Ok((index, given)),
        Err(_) => Err(format!("face: vertex {given} does not exist; there are {vertices} up to here")),
    }
}
