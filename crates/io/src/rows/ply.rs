//! Points as the vertices of a PLY file. Its other elements are no points: they are read over,
//! those behind the vertices too, so that a wrong number of vertices is seen.

use super::lines::Lines;
use super::records::{self, Field, Layout};
use super::scalar::{Kind, Scalar};
use super::{Moved, Row, Source};
use crate::error::{FileName, Result, list};
use crate::excerpt;
use std::collections::HashSet;
use std::io::Read;

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

struct Property {
    name: String,
    /// The type of the length, if it is a list.
    length: Option<Kind>,
    kind: Kind,
}

pub(super) fn open<R: Row>(file: FileName, reader: Box<dyn Read + Send>) -> Result<Source<R>> {
    let mut lines = Lines::new(file.clone(), reader);
    if lines.next()?.as_deref() != Some("ply") {
        return Err(file.content("not a PLY file: it does not begin with \"ply\""));
    }
    let (mut format, mut elements): (Option<String>, Vec<Element>) = (None, Vec::new());
    // The names of elements, and those of properties of the last one.
    let [mut of_elements, mut of_properties] = [HashSet::new(), HashSet::new()];
    loop {
        let Some(line) = lines.next()? else {
            return Err(file.content("truncated: the header has no \"end_header\""));
        };
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["end_header"] => break,
            [] | ["comment" | "obj_info", ..] => {}
            ["format", named, "1.0"] if format.is_none() => format = Some(named.to_owned()),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| unknown_line(&lines, &line))?;
                if !of_elements.insert(name.to_owned()) {
                    return Err(twice(&lines, "element", name));
                }
                of_properties.clear();
                elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", .., name] => {
                let property = property(&words[1..words.len() - 1], name);
                let (Some(property), Some(element)) = (property, elements.last_mut()) else {
                    return Err(unknown_line(&lines, &line));
                };
                if !of_properties.insert(name.to_owned()) {
                    return Err(twice(&lines, "property", name));
                }
                element.properties.push(property);
            }
            _ => return Err(unknown_line(&lines, &line)),
        }
    }
    let (is_text, big_endian) = match format.as_deref() {
        Some("ascii") => (true, false),
        Some("binary_little_endian") => (false, false),
        Some("binary_big_endian") => (false, true),
        other => {
            let other = excerpt(other.unwrap_or_default()).into_owned();
            return Err(file.content(format_args!("unknown PLY format {other:?}")));
        }
    };
    let Some(place) = elements.iter().position(|element| element.name == "vertex") else {
        let found = list(elements.iter().map(|element| &element.name));
        return Err(file.content(format_args!("no element \"vertex\"; found {found}")));
    };
    for element in &elements[..place] {
        skip(&file, &mut lines, element, is_text, big_endian)?;
    }
    let behind = elements.split_off(place + 1);
    let vertex = &elements[place];
    let field = |property: &Property| match property.length {
        None => Ok(Field {
            name: property.name.clone(),
            scalar: Scalar { kind: property.kind, big_endian },
        }),
        Some(_) => {
            let name = excerpt(&property.name).into_owned();
            Err(file.content(format_args!(
                "element \"vertex\": property \"{name}\" is a list, which is not read"
            )))
        }
    };
    let fields = vertex.properties.iter().map(field).collect::<Result<_>>()?;
    let name = file.clone();
    let rest = move |lines: &mut Lines| {
        behind.iter().try_for_each(|element| skip(&name, lines, element, is_text, big_endian))
    };
    let layout = Layout {
        fields,
        count: vertex.count,
        is_text,
        what: "vertex",
        whats: "vertices",
        spans_lines: true,
        rest: Some(Box::new(rest)),
    };
    records::open(file, lines, layout)
}

fn unknown_line(lines: &Lines, line: &str) -> crate::Error {
    lines.wrong(format_args!("not a line of a PLY header: {:?}", excerpt(line)))
}

fn twice(lines: &Lines, what: &str, name: &str) -> crate::Error {
    lines.wrong(format_args!("the {what} \"{}\" stands there twice", excerpt(name)))
}

/// Reads `float` or `list uchar int`.
fn property(words: &[&str], name: &str) -> Option<Property> {
    let (length, kind) = match *words {
        [scalar] => (None, kind(scalar)?),
        ["list", length, scalar] => (Some(kind(length)?), kind(scalar)?),
        _ => return None,
    };
    Some(Property { name: name.to_owned(), length, kind })
}

fn kind(name: &str) -> Option<Kind> {
    match name {
        "char" | "int8" => Some(Kind::signed(1)),
        "uchar" | "uint8" => Some(Kind::unsigned(1)),
        "short" | "int16" => Some(Kind::signed(2)),
        "ushort" | "uint16" => Some(Kind::unsigned(2)),
        "int" | "int32" => Some(Kind::signed(4)),
        "uint" | "uint32" => Some(Kind::unsigned(4)),
        "float" | "float32" => Some(Kind::F32),
        "double" | "float64" => Some(Kind::F64),
        _ => None,
    }
}

/// Reads over an element that holds no vertices.
fn skip(
    file: &FileName,
    lines: &mut Lines,
    element: &Element,
    is_text: bool,
    big_endian: bool,
) -> Result<()> {
    if element.properties.is_empty() {
        return Ok(());
    }
    let mut words = Words { lines, line: String::new(), at: 0 };
    for number in 0..element.count {
        let truncated = || {
            let (name, count) = (excerpt(&element.name), element.count);
            file.content(format_args!("truncated: {name} {number} of {count} is incomplete"))
        };
        let is_whole = match is_text {
            true => words.skip(element)?,
            false => skip_binary(words.lines, element, big_endian)?,
        };
        if !is_whole {
            return Err(truncated());
        }
    }
    Ok(())
}

/// Reads over one element; `false` at the end of the file.
fn skip_binary(lines: &mut Lines, element: &Element, big_endian: bool) -> Result<bool> {
    for property in &element.properties {
        let mut values = 1;
        if let Some(kind) = property.length {
            let mut bytes = [0; 8];
            let bytes = &mut bytes[..kind.size()];
            if lines.fill(bytes)? < bytes.len() {
                return Ok(false);
            }
            // A length is a small whole number, and of a negative one nothing follows.
            values = Scalar { kind, big_endian }
                .number::<f64>(bytes, 0, &mut Moved::default())
                .max(0.0) as u64;
        }
        let mut left = values.saturating_mul(property.kind.size() as u64);
        let mut bytes = [0; 4096];
        while left > 0 {
            let wanted = left.min(bytes.len() as u64) as usize;
            if lines.fill(&mut bytes[..wanted])? < wanted {
                return Ok(false);
            }
            left -= wanted as u64;
        }
    }
    Ok(true)
}

/// The words of a text, from one line to the next.
struct Words<'l> {
    lines: &'l mut Lines,
    line: String,
    /// Where in the line the next word is looked for.
    at: usize,
}

impl Words<'_> {
    fn next(&mut self) -> Result<Option<&str>> {
        loop {
            let rest = &self.line[self.at..];
            let begins = rest.find(|character: char| !character.is_ascii_whitespace());
            if let Some(begins) = begins {
                let word = &rest[begins..];
                let length = word.find(|character: char| character.is_ascii_whitespace());
                let from = self.at + begins;
                self.at = from + length.unwrap_or(word.len());
                return Ok(Some(&self.line[from..self.at]));
            }
            match self.lines.next()? {
                None => return Ok(None),
                Some(line) => (self.line, self.at) = (line, 0),
            }
        }
    }

    /// Reads over one element, which ends where a line does; `false` at the end of the file.
    fn skip(&mut self, element: &Element) -> Result<bool> {
        for property in &element.properties {
            let mut values = 1;
            if property.length.is_some() {
                let Some(word) = self.next()? else { return Ok(false) };
                let word = word.to_owned();
                values = word.parse::<u64>().map_err(|_| {
                    let (name, word) = (excerpt(&element.name), excerpt(&word));
                    self.lines.wrong(format_args!("{name}: {word:?} is not the length of a list"))
                })?;
            }
            for _ in 0..values {
                if self.next()?.is_none() {
                    return Ok(false);
                }
            }
        }
        if self.line[self.at..].trim().is_empty() {
            return Ok(true);
        }
        let name = excerpt(&element.name).into_owned();
        Err(self.lines.wrong(format_args!("more values than a {name} has")))
    }
}
