//! Wavefront OBJ: positions, normals, faces, and the names that these stand under.
//!
//! tobj was tried and set aside: its errors name neither the line nor the index, it renumbers the
//! vertices and drops unused ones, and it wraps around on indices beyond the list.

use super::split::{NONE, Part};
use super::text::{lines, number, position, triple, without_comment, words};
use super::unusable::Unusable;
use super::{Coordinate, Input, Mesh, Model, counted, cut_name, joined_name};
use crate::error::{Result, list};
use std::collections::HashMap;

pub(super) fn read<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    let mut file = File::<T>::default();
    let mut joined = Vec::new();
    for (line, text) in lines(&source.bytes) {
        // Names may hold and end with anything: in them are neither comments nor lines that
        // continue.
        let is_name =
            joined.is_empty() && words(text).next().is_some_and(|word| NAMES.contains(&word));
        let text = if is_name { text } else { without_comment(text) };
        // A backslash at the end continues the line.
        if let Some(start) = text.strip_suffix(b"\\").filter(|_| !is_name) {
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
        file.take(line, text).map_err(|what| source.file.at_line(line, what))?;
    }
    if !joined.is_empty() {
        return Err(source
            .file
            .content("truncated: the last line is continued, but nothing follows"));
    }
    if !file.understood {
        return Err(source.file.content("not an OBJ file: no line of vertices or faces"));
    }
    file.into_model(source)
}

/// With what lines begin that end in a name, of a geometry, a material or a file.
const NAMES: [&[u8]; 6] = [b"o", b"g", b"usemtl", b"mtllib", b"usemap", b"maplib"];

/// What was read so far.
struct File<T> {
    understood: bool,
    vertices: Vec<[T; 3]>,
    unusable: Unusable,
    normals: Vec<[f32; 3]>,
    /// All names, each once and cut, as it may be long and that of many parts; and by number
    /// object, group and material as they stand now. The first is that of none.
    all_names: Vec<String>,
    name_numbers: HashMap<Vec<u8>, usize>,
    names: [usize; 3],
    /// The part with these names, if a face has asked for it.
    part: Option<usize>,
    parts: Vec<Part>,
    part_of: HashMap<[usize; 3], usize>,
    faces: usize,
    lines_and_points: usize,
    curves_and_surfaces: usize,
    /// Lines that are not known, and with what some of them begin.
    unknown: usize,
    unknown_words: Vec<Vec<u8>>,
    /// Where each face with an index beyond what was read so far stands, of vertices and of
    /// normals: a file may put its faces first.
    ahead: [Vec<(u64, i64)>; 2],
    corners: Vec<u32>,
    corner_normals: Vec<u32>,
}

impl<T> Default for File<T> {
    fn default() -> Self {
        Self {
            understood: false,
            vertices: Vec::new(),
            unusable: Unusable::default(),
            normals: Vec::new(),
            all_names: vec![String::new()],
            name_numbers: HashMap::from([(Vec::new(), 0)]),
            names: [0; 3],
            part: None,
            parts: Vec::new(),
            part_of: HashMap::new(),
            faces: 0,
            lines_and_points: 0,
            curves_and_surfaces: 0,
            unknown: 0,
            unknown_words: Vec::new(),
            ahead: Default::default(),
            corners: Vec::new(),
            corner_normals: Vec::new(),
        }
    }
}

/// What belongs to curves and surfaces, or to how something is shown. `call` and `csh` bring in
/// what another file or a program holds, and are not known here.
const OF_CURVES_AND_LOOKS: [&[u8]; 23] = [
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"curv2",
    b"mg",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"maplib",
    b"usemap",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
];

/// What the two kinds of indices are of.
const KINDS: [&str; 2] = ["vertex", "normal"];

impl<T: Coordinate> File<T> {
    fn take(&mut self, line: u64, text: &[u8]) -> Result<(), String> {
        let mut words = words(text);
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => {
                let position = position(&mut words)?;
                self.unusable.look(self.vertices.len(), &position, line);
                self.vertices.push(position);
            }
            b"vn" => self.normals.push(triple("normal", &mut words)?),
            b"f" => self.face(line, words)?,
            b"o" => self.name(0, text),
            b"g" => self.name(1, text),
            b"usemtl" => self.name(2, text),
            b"l" | b"p" => self.lines_and_points += 1,
            b"curv" | b"surf" => self.curves_and_surfaces += 1,
            b"vt" | b"vp" | b"s" | b"mtllib" => {}
            other => {
                if !OF_CURVES_AND_LOOKS.contains(&other) {
                    self.unknown += 1;
                    if self.unknown_words.len() < 4
                        && !self.unknown_words.iter().any(|word| word == other)
                    {
                        self.unknown_words.push(other.to_owned());
                    }
                }
                return Ok(());
            }
        }
        self.understood = true;
        Ok(())
    }

    /// What follows the keyword is the name of all faces from here on.
    fn name(&mut self, which: usize, text: &[u8]) {
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let name = text[end..].trim_ascii();
        let number = self.name_numbers.get(name).copied().unwrap_or_else(|| {
            self.name_numbers.insert(name.to_owned(), self.all_names.len());
            self.all_names.push(cut_name(name));
            self.all_names.len() - 1
        });
        if self.names[which] != number {
            self.names[which] = number;
            self.part = None;
        }
    }

    fn face<'a>(&mut self, line: u64, words: impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
        self.corners.clear();
        self.corner_normals.clear();
        let counts = [self.vertices.len(), self.normals.len()];
        for word in words {
            // `7`, `7/1`, `7//2` or `7/1/2`: a vertex, texture coordinates, a normal.
            let mut parts = word.split(|byte| *byte == b'/');
            let mut index = |kind: usize, word: &[u8]| {
                let (index, given) = index(word, KINDS[kind], counts[kind])?;
                if index as usize >= counts[kind] {
                    self.ahead[kind].push((line, given));
                }
                Ok::<_, String>(index)
            };
            self.corners.push(index(0, parts.next().unwrap_or(word))?);
            // Some writers give the normal 0 to a corner that has none.
            self.corner_normals.push(match parts.nth(1) {
                Some(word) if word.iter().any(|digit| *digit != b'0') => index(1, word)?,
                _ => NONE,
            });
        }
        if self.corners.len() < 3 {
            return Err(format!("a face of {} vertices", self.corners.len()));
        }
        let part = *self.part.get_or_insert_with(|| {
            *self.part_of.entry(self.names).or_insert_with(|| {
                let names = self.names.map(|name| &*self.all_names[name]);
                self.parts.push(Part::new(joined_name(names)));
                self.parts.len() - 1
            })
        });
        self.parts[part].polygon(self.faces, &self.corners, &self.corner_normals);
        self.faces += 1;
        Ok(())
    }

    fn into_model(mut self, source: &Input) -> Result<Model<T>> {
        for ((ahead, kind), count) in
            self.ahead.into_iter().zip(KINDS).zip([self.vertices.len(), self.normals.len()])
        {
            if let Some((line, given)) = ahead.into_iter().find(|(_, given)| *given > count as i64)
            {
                let what = format!(
                    "face: {kind} {given} does not exist; there are {count}, numbered from 1"
                );
                return Err(source.file.at_line(line, what));
            }
        }
        let mut remarks = Vec::new();
        self.parts.iter_mut().for_each(|part| part.cut_polygons(&self.vertices));
        let triangles = self.parts.iter().flat_map(Part::triangles);
        let settled = self.unusable.settle(&mut self.vertices, triangles, 1, &mut remarks);
        let unusable_vertices = settled.map_err(|fault| source.at(fault))?;
        let left_out = [
            (self.lines_and_points, "line or point", "lines and points"),
            (self.curves_and_surfaces, "curve or surface", "curves and surfaces"),
        ];
        for (count, one, more) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
            remarks.push(format!("{} left out", counted(count, one, more)));
        }
        if self.unknown > 0 {
            let words = self
                .unknown_words
                .iter()
                .map(|word| String::from_utf8_lossy(word).escape_debug().to_string());
            let count = counted(self.unknown, "unknown line", "unknown lines");
            remarks.push(format!("{count} left out: {}", list(words)));
        }
        if let [] | [_] = self.parts[..] {
            let part = self.parts.pop().unwrap_or_else(|| Part::new(String::new()));
            let mesh = part.into_mesh(self.vertices, &self.normals, &mut remarks);
            return Ok(Model::standing(source, vec![Mesh { unusable_vertices, ..mesh }], remarks));
        }
        let mut is_used = vec![false; self.vertices.len()];
        let mut numbers = vec![NONE; self.vertices.len()];
        let meshes = self.parts.into_iter().map(|mut part| {
            let vertices = part.take_its_own(&self.vertices, &mut is_used, &mut numbers);
            part.into_mesh(vertices, &self.normals, &mut remarks)
        });
        let meshes: Vec<Mesh<T>> = meshes.collect();
        let unused = is_used.iter().filter(|used| !**used).count();
        if unused > 0 {
            remarks.push(format!(
                "{} that no face names left out",
                counted(unused, "vertex", "vertices")
            ));
        }
        Ok(Model::standing(source, meshes, remarks))
    }
}

/// A number as given, and from 0. A negative one counts back from the last of so many that were
/// read.
fn index(word: &[u8], kind: &str, count: usize) -> Result<(u32, i64), String> {
    let given: i64 = number(word).map_err(|what| format!("face: {what}"))?;
    let index = match given {
        1.. => given - 1,
        0 => return Err(format!("face: {kind} 0 does not exist; they are numbered from 1")),
        _ => count as i64 + given,
    };
    // The last number of 32 bits is that of none.
    match u32::try_from(index) {
        Ok(index) if index != NONE => Ok((index, given)),
        _ => Err(format!("face: {kind} {given} does not exist; there are {count} up to here")),
    }
}
