//! What follows the header of a PLY file: elements, of which each is a line or bytes.

use super::values::{Other, of_line};
use crate::error::Result;
use crate::excerpt;
use crate::mesh::Input;
use crate::mesh::text::{is_blank, shown};
use ply_rs_bw::parser::{ParseError, Parser};
use ply_rs_bw::ply::{ElementDef, Encoding, Header, PropertyAccess};
use std::io::ErrorKind;

/// What follows the header.
pub(super) struct Body<'a> {
    source: &'a Input,
    encoding: Encoding,
    /// The line read last of an ASCII body, its number, and its first word that no property asks for.
    line: u64,
    text: &'a [u8],
    beyond: Option<&'a [u8]>,
    rest: &'a [u8],
}

impl<'a> Body<'a> {
    /// The bytes behind a header that ends at `line`.
    pub(super) fn new(source: &'a Input, encoding: Encoding, line: u64, rest: &'a [u8]) -> Self {
        Self { source, encoding, line, text: b"", beyond: None, rest }
    }

    /// Reads all of an element; `each` takes the line too, 0 in a binary body. Nothing is reserved for the count in the
    /// header, which may be any number; every element takes at least a byte, so the end of the file ends the loop.
    pub(super) fn read<E: PropertyAccess>(
        &mut self,
        element: &ElementDef,
        mut each: impl FnMut(E, u64),
    ) -> Result<()> {
        let parser = Parser::<E>::new();
        let ascii = self.encoding == Encoding::Ascii;
        if element.properties.is_empty() && !ascii {
            return Ok(());
        }
        for number in 0..element.count {
            let parsed = self.next(&parser, element).ok_or_else(|| self.truncated(element, number))?;
            let parsed = parsed.map_err(|error| self.explain(element, number, error.as_ref()))?;
            each(parsed, if ascii { self.line } else { 0 });
            if let Some(word) = self.beyond.filter(|_| ascii) {
                let place = place(element, number);
                let what = format_args!("{place}: {} after its properties", shown(word));
                return Err(self.source.file.at_line(self.line, what));
            }
        }
        Ok(())
    }

    /// The next element, or what its parser says, or nothing of a line; `None` where an ASCII body has ended.
    fn next<E: PropertyAccess>(
        &mut self,
        parser: &Parser<E>,
        element: &ElementDef,
    ) -> Option<Result<E, Option<ParseError>>> {
        let parsed = match self.encoding {
            Encoding::Ascii => {
                let read = of_line(self.next_line(element)?, element);
                self.beyond = read.as_ref().and_then(|(_, beyond)| *beyond);
                return Some(read.map(|(values, _)| values).ok_or(None));
            }
            Encoding::BinaryLittleEndian => parser.read_little_endian_element(&mut self.rest, element),
            Encoding::BinaryBigEndian => parser.read_big_endian_element(&mut self.rest, element),
        };
        Some(parsed.map_err(Some))
    }

    /// The next line of an ASCII body, `None` at the end of the file. Blank lines are passed over,
    /// unless that is how an element without properties looks.
    fn next_line(&mut self, element: &ElementDef) -> Option<&'a [u8]> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|byte| *byte == b'\n');
            let (line, rest) = match end {
                Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
                None => (self.rest, &self.rest[self.rest.len()..]),
            };
            (self.text, self.rest) = (line.trim_ascii(), rest);
            self.line += 1;
            if !self.text.is_empty() || element.properties.is_empty() {
                return Some(self.text);
            }
        }
        None
    }

    fn explain(&self, element: &ElementDef, number: usize, error: Option<&ParseError>) -> crate::Error {
        let place = place(element, number);
        match error {
            // A last line without its end was cut.
            None if self.rest.is_empty() && !self.source.bytes.ends_with(b"\n") => {
                self.truncated(element, number)
            }
            None => {
                let what = format_args!("{place}: {} does not give its properties", shown(self.text));
                self.source.file.at_line(self.line, what)
            }
            Some(error) if error.kind() == ErrorKind::UnexpectedEof => self.truncated(element, number),
            Some(error) => self.source.file.foreign(&format!("{place}: "), error),
        }
    }

    fn truncated(&self, element: &ElementDef, number: usize) -> crate::Error {
        self.source.file.content(format_args!("truncated: {} is incomplete", place(element, number)))
    }

    /// Refuses what follows the last element.
    pub(super) fn end(mut self, header: &Header) -> Result<()> {
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
