//! What follows the header of a PLY file: elements, of which each is one or more lines or bytes.

use super::values::{Other, of_words};
use crate::error::Result;
use crate::excerpt;
use crate::mesh::Input;
use crate::mesh::text::{Words, is_blank, shown};
use ply_rs_bw::parser::{ParseError, Parser};
use ply_rs_bw::ply::{ElementDef, Encoding, Header, PropertyAccess};
use std::io::ErrorKind;

/// What follows the header.
pub(super) struct Body<'a> {
    source: &'a Input,
    encoding: Encoding,
    /// What was not read yet; of an ASCII body word by word.
    words: Words<'a>,
    /// Where the last element of an ASCII body begins: the number of its first line, and that line.
    line: u64,
    text: &'a [u8],
}

impl<'a> Body<'a> {
    /// The bytes behind a header of so many lines.
    pub(super) fn new(source: &'a Input, encoding: Encoding, line: u64, rest: &'a [u8]) -> Self {
        Self { source, encoding, words: Words { line, ..Words::new(rest) }, line, text: b"" }
    }

    /// Reads all of an element; `each` takes the line too, 0 in a binary body. Nothing is reserved
    /// for the count in the header, which may be any number; every element takes at least a byte,
    /// so the end of the file ends the loop.
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
            let parsed =
                self.next(&parser, element).ok_or_else(|| self.truncated(element, number))?;
            let parsed = parsed.map_err(|error| self.explain(element, number, error.as_ref()))?;
            each(parsed, if ascii { self.line } else { 0 });
            match self.words.next_in_line().filter(|_| ascii) {
                // It took words of the next line, but not all: so its own line has too few.
                Some(_) if self.words.line > self.line => {
                    return Err(self.explain(element, number, None));
                }
                Some(word) => {
                    let place = place(element, number);
                    let what = format_args!("{place}: {} after its properties", shown(word));
                    return Err(self.source.file.at_line(self.line, what));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The next element, or what its parser says, or nothing of words; `None` where an ASCII body
    /// has ended.
    fn next<E: PropertyAccess>(
        &mut self,
        parser: &Parser<E>,
        element: &ElementDef,
    ) -> Option<Result<E, Option<ParseError>>> {
        let rest = &mut self.words.rest;
        let parsed = match self.encoding {
            Encoding::Ascii => {
                self.next_line(element)?;
                return Some(of_words(&mut self.words, element).ok_or(None));
            }
            Encoding::BinaryLittleEndian => parser.read_little_endian_element(rest, element),
            Encoding::BinaryBigEndian => parser.read_big_endian_element(rest, element),
        };
        Some(parsed.map_err(Some))
    }

    /// Goes to the line on which an element of an ASCII body begins, `None` at the end of the file.
    /// Blank lines are passed over, unless that is how an element without properties looks.
    fn next_line(&mut self, element: &ElementDef) -> Option<()> {
        while self.words.next_line() {
            if !self.words.text.is_empty() || element.properties.is_empty() {
                (self.line, self.text) = (self.words.line, self.words.text);
                return Some(());
            }
        }
        None
    }

    fn explain(
        &self,
        element: &ElementDef,
        number: usize,
        error: Option<&ParseError>,
    ) -> crate::Error {
        let place = place(element, number);
        match error {
            // A last line without its end was cut.
            None if self.words.rest.is_empty()
                && !matches!(self.source.bytes.last(), Some(b'\n' | b'\r')) =>
            {
                self.truncated(element, number)
            }
            None => {
                let what =
                    format_args!("{place}: {} does not give its properties", shown(self.text));
                self.source.file.at_line(self.line, what)
            }
            Some(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.truncated(element, number)
            }
            Some(error) => self.source.file.foreign(&format!("{place}: "), error),
        }
    }

    fn truncated(&self, element: &ElementDef, number: usize) -> crate::Error {
        self.source
            .file
            .content(format_args!("truncated: {} is incomplete", place(element, number)))
    }

    /// Refuses what follows the last element.
    pub(super) fn end(mut self, header: &Header) -> Result<()> {
        let (mut ahead, bytes) = (self.words, self.words.rest.len());
        if is_blank(ahead.rest) {
            return Ok(());
        }
        while ahead.next_line() && is_blank(ahead.text) {}
        let first_line = ahead.line;
        let last = header.elements.values().last().expect("a header without vertices was refused");
        let (name, counted) = (excerpt(&last.name), last.count);
        let what = match self.more(last) {
            Some(more) => {
                format!("{} of {name} are there, the header counts {counted}", counted + more)
            }
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
        // Looked for once: there may be many blanks, and many elements.
        let rest = self.words.rest;
        let content = rest.iter().rposition(|byte| !is_blank(&[*byte]));
        let blanks = rest.len() - content.map_or(0, |last| last + 1);
        while self.words.rest.len() > blanks {
            let before = self.words.rest.len();
            self.next(&parser, element)?.ok()?;
            if self.words.rest.len() == before {
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
