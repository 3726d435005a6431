//! STL, ASCII and binary.
//!
//! stl_io was tried and set aside: it takes a binary file whose header begins with `solid` (many
//! exporters write such) for ASCII and an ASCII file without a name for binary, stops after the
//! first solid, and its errors name no place.

use super::text::{Words, is_blank, position, shown};
use super::unusable::{fault, is_usable};
use super::{Coordinate, Input, Mesh, Model, counted};
use crate::error::Result;
use std::borrow::Cow;
use std::collections::HashMap;

/// 80 bytes of anything, then the number of triangles.
const HEADER: usize = 84;
/// A normal, three corners, two bytes of attributes.
const RECORD: usize = 50;

pub(super) fn read<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    let meshes = if is_ascii(&source.bytes) {
        read_ascii(source)?
    } else {
        vec![read_binary(source)?.into_mesh()]
    };
    Ok(Model::standing(source, meshes, Vec::new()))
}

/// ASCII begins with `solid`, but so do many binary files; those have bytes of zero near their
/// start, since the count of triangles is a small number in four bytes.
fn is_ascii(bytes: &[u8]) -> bool {
    begins_as_text(bytes) && !bytes[..bytes.len().min(512)].contains(&0)
}

pub(super) fn begins_as_text(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

fn binary_count(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(HEADER - 4..HEADER)?.try_into().ok()?;
    Some(u32::from_le_bytes(count) as usize)
}

fn read_binary<T: Coordinate>(source: &Input) -> Result<Solid<T>> {
    let Some(count) = binary_count(&source.bytes) else {
        return Err(source.file.content(format_args!(
            "truncated: {} bytes, but the header of a binary STL has {HEADER}",
            source.bytes.len()
        )));
    };
    let records = &source.bytes[HEADER..];
    let there = records.len() / RECORD;
    if there < count {
        let what = format_args!("truncated: triangle {there} of {count} is incomplete");
        return Err(source.file.content(what));
    }
    if !is_blank(&records[count * RECORD..]) {
        return Err(source.file.content(if there > count {
            format!("{there} triangles are there, the header counts {count}")
        } else {
            format!(
                "{} bytes follow the {count} triangles that the header counts",
                records.len() % RECORD
            )
        }));
    }
    let mut solid = Solid::new("");
    solid.triangles.reserve(count);
    for (number, record) in records.chunks_exact(RECORD).take(count).enumerate() {
        let corner = |first: usize| -> [T; 3] {
            std::array::from_fn(|axis| {
                let at = first + 4 * axis;
                T::of(f32::from_le_bytes([
                    record[at],
                    record[at + 1],
                    record[at + 2],
                    record[at + 3],
                ]))
            })
        };
        let corners = [corner(12), corner(24), corner(36)];
        if let Some(bad) = corners.iter().find(|corner| !is_usable(corner)) {
            let what = format_args!("triangle {number} of {count}: a vertex is {}", fault(bad));
            return Err(source.file.content(what));
        }
        solid.push(corners);
    }
    Ok(solid)
}

/// Words wherever their lines end: some writers give each facet one line, or each word.
fn read_ascii<T: Coordinate>(source: &Input) -> Result<Vec<Mesh<T>>> {
    let mut solids: Vec<Solid<T>> = Vec::new();
    let mut corners = Vec::with_capacity(3);
    let mut open: Option<u64> = None;
    let mut words = Words::new(&source.bytes);
    while let Some(word) = words.next() {
        if word.starts_with(b"#") {
            words.text = b"";
            continue;
        }
        let line = words.line;
        let at_line = |what: String| source.file.at_line(line, what);
        let keyword = joined_end(word, &mut words).to_ascii_lowercase();
        match keyword.as_slice() {
            b"facet" | b"solid" | b"endsolid" if !corners.is_empty() => {
                return Err(at_line(unended(&corners)));
            }
            b"solid" => {
                open = Some(line);
                let name = words.text[..facet_at(words.text)].trim_ascii_end();
                words.text = words.text[name.len()..].trim_ascii_start();
                solids.push(Solid::new(&String::from_utf8_lossy(name)));
            }
            b"endsolid" => {
                open = None;
                // A name, unless more follows.
                let name = &words.text[..facet_at(words.text)];
                let end =
                    if name.len() < words.text.len() { last_solid_at(name) } else { name.len() };
                words.text = &words.text[end..];
            }
            b"vertex" => {
                let corner = position(&mut words).map_err(at_line)?;
                if !is_usable(&corner) {
                    return Err(at_line(format!("a vertex is {}", fault(&corner))));
                }
                corners.push(corner);
                let mut behind = words;
                let more = behind
                    .next_in_line()
                    .filter(|word| !word[0].is_ascii_alphabetic() && word[0] != b'#');
                if let Some(word) = more {
                    return Err(at_line(format!("a vertex with {} after z", shown(word))));
                }
            }
            b"facet" => {
                if skip(&mut words, |word| word.eq_ignore_ascii_case(b"normal")) {
                    while skip(&mut words, |word| !word[0].is_ascii_alphabetic() || is_nan(word)) {}
                }
            }
            b"outer" => drop(skip(&mut words, |word| word.eq_ignore_ascii_case(b"loop"))),
            b"endloop" => {}
            b"endfacet" => match corners[..] {
                [a, b, c] => {
                    // Facets behind an "endsolid" belong to the solid before.
                    if let Some(solid) = solids.last_mut() {
                        solid.push([a, b, c]);
                    }
                    corners.clear();
                }
                _ => return Err(at_line(format!("a facet of {} vertices", corners.len()))),
            },
            _ => return Err(at_line(format!("{} is no word of an STL file", shown(word)))),
        }
    }
    match open {
        Some(line) => Err(source.file.content(format_args!(
            "truncated: after {} the solid of line {line} has no \"endsolid\"",
            counted(
                solids.iter().map(|solid| solid.triangles.len()).sum(),
                "triangle",
                "triangles"
            )
        ))),
        None if !corners.is_empty() => Err(source.file.at_line(words.line, unended(&corners))),
        None => Ok(solids.into_iter().map(Solid::into_mesh).collect()),
    }
}

/// A keyword, of which some writers part the `end`: `end solid`, `end loop`, `end facet`.
fn joined_end<'a>(word: &'a [u8], words: &mut Words<'a>) -> Cow<'a, [u8]> {
    let mut behind = *words;
    match behind.next_in_line() {
        Some(what) if word.eq_ignore_ascii_case(b"end") => {
            *words = behind;
            [word, what].concat().into()
        }
        _ => word.into(),
    }
}

/// Takes the next word, if it is such a one.
fn skip(words: &mut Words, is_one: impl Fn(&[u8]) -> bool) -> bool {
    let mut behind = *words;
    let is_one = behind.next().is_some_and(is_one);
    if is_one {
        *words = behind;
    }
    is_one
}

fn is_nan(word: &[u8]) -> bool {
    word.get(..3).is_some_and(|start| {
        start.eq_ignore_ascii_case(b"nan") || start.eq_ignore_ascii_case(b"inf")
    })
}

/// Where in a line that begins with a name a facet begins; its end if none does.
fn facet_at(line: &[u8]) -> usize {
    let mut words = Words { text: line, ..Words::new(b"") };
    let mut before: Option<usize> = None;
    loop {
        let at = line.len() - words.text.len();
        match (words.next_in_line(), before) {
            (None, _) => return line.len(),
            (Some(word), Some(facet)) if word.eq_ignore_ascii_case(b"normal") => return facet,
            (Some(word), _) => before = word.eq_ignore_ascii_case(b"facet").then_some(at),
        }
    }
}

/// Where the last `solid` of a line begins; its end if there is none.
fn last_solid_at(line: &[u8]) -> usize {
    let mut words = Words { text: line, ..Words::new(b"") };
    let mut last = line.len();
    loop {
        let at = line.len() - words.text.len();
        match words.next_in_line() {
            None => return last,
            Some(word) if word.eq_ignore_ascii_case(b"solid") => last = at,
            Some(_) => {}
        }
    }
}

/// The message for corners that no facet has taken.
fn unended<T>(corners: &[[T; 3]]) -> String {
    format!("the facet before has {} vertices, but no \"endfacet\"", corners.len())
}

/// Triangles of a solid. Corners with the same bits become one vertex, numbered in the order of
/// appearance.
struct Solid<T: Coordinate> {
    name: String,
    numbers: HashMap<[T::Bits; 3], u32>,
    vertices: Vec<[T; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl<T: Coordinate> Solid<T> {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            numbers: HashMap::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
        }
    }

    fn push(&mut self, corners: [[T; 3]; 3]) {
        let triangle = corners.map(|position| {
            // −0 and 0 are the same place.
            let position = position.map(|x| x + T::ZERO);
            *self.numbers.entry(position.map(T::bits)).or_insert_with(|| {
                self.vertices.push(position);
                (self.vertices.len() - 1) as u32
            })
        });
        self.triangles.push(triangle);
    }

    fn into_mesh(self) -> Mesh<T> {
        let Self { name, vertices, triangles, .. } = self;
        Mesh { name, vertices, triangles, ..Mesh::default() }
    }
}
