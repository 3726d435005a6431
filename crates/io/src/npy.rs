//! The header of an NPY array, read and written; the data behind it is plain memory.
//!
//! npyz was tried and set aside: it trusts the header's length with a 4 GiB allocation and parses
//! the dictionary by recursion, which a header of brackets overflows, and it brings a parser
//! generator and big integers for three fields.

use super::error::{FileName, InFile, Result};
use crate::excerpt;
use std::io::{ErrorKind, Read};

/// Every NPY file begins so.
pub(super) const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// A header is about 120 bytes; beyond this the file is no array of ours.
const LONGEST_HEADER: usize = 1 << 16;

/// What the header says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NpyHeader {
    /// NumPy's name for the type of the values, such as `<f4`.
    pub(super) descr: String,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<u64>,
}

impl NpyHeader {
    /// Reads up to where the data begins.
    pub(super) fn read(file: &FileName, reader: &mut impl Read) -> Result<Self> {
        let mut fill = |bytes: &mut [u8]| {
            reader.read_exact(bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => file.content("truncated: the header is incomplete"),
                _ => file.system(error),
            })
        };
        let mut start = [0; 8];
        fill(&mut start)?;
        if !start.starts_with(MAGIC) {
            return Err(file.content("not an NPY file: it does not begin with \"\\x93NUMPY\""));
        }
        let length = match (start[6], start[7]) {
            (1, 0) => {
                let mut length = [0; 2];
                fill(&mut length)?;
                u16::from_le_bytes(length).into()
            }
            (2 | 3, 0) => {
                let mut length = [0; 4];
                fill(&mut length)?;
                u32::from_le_bytes(length) as usize
            }
            (major, minor) => {
                return Err(file.content(format_args!("unknown NPY version {major}.{minor}")));
            }
        };
        if length > LONGEST_HEADER {
            return Err(file.content(format_args!(
                "a header of {length} bytes; at most {LONGEST_HEADER} are read"
            )));
        }
        let mut text = vec![0; length];
        fill(&mut text)?;
        Self::parse(&String::from_utf8_lossy(&text)).in_file(file)
    }

    /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 6), }`: these three keys, once
    /// each, in any order, and nothing else, as NumPy demands.
    fn parse(text: &str) -> Result<Self, String> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        let mut rest = Literal(text);
        rest.expect('{')?;
        while !rest.take('}') {
            let key = rest.string()?;
            rest.expect(':')?;
            let twice = match key {
                "descr" => descr.replace(rest.descr()?).is_some(),
                "fortran_order" => fortran_order.replace(rest.truth()?).is_some(),
                "shape" => shape.replace(rest.shape()?).is_some(),
                _ => return Err(format!("the header has an unknown key {:?}", excerpt(key))),
            };
            if twice {
                return Err(format!("the header has {key:?} twice"));
            }
            if !rest.take(',') {
                rest.expect('}')?;
                break;
            }
        }
        rest.end()?;
        let missing = |key| format!("the header has no {key:?}");
        Ok(Self {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    /// The bytes that stand before the data of a plain column of `rows` values.
    pub(super) fn of_column(descr: &str, rows: u64) -> Vec<u8> {
        Self::of_shape(descr, &format!("{rows},"))
    }

    /// The same for rows of so many values each.
    pub(super) fn of_table(descr: &str, rows: u64, columns: u64) -> Vec<u8> {
        Self::of_shape(descr, &format!("{rows}, {columns}"))
    }

    fn of_shape(descr: &str, shape: &str) -> Vec<u8> {
        let mut text =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
        // The data starts at a multiple of 64 bytes, and a line break ends the header.
        let padding = 63 - (10 + text.len()) % 64;
        text.extend(std::iter::repeat_n(' ', padding));
        text.push('\n');
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.into_bytes());
        bytes
    }
}

/// What is left of the header's text, a literal of Python.
struct Literal<'a>(&'a str);

impl<'a> Literal<'a> {
    /// Steps over a mark, if it comes next.
    fn take(&mut self, mark: char) -> bool {
        self.0 = self.0.trim_start();
        let rest = self.0.strip_prefix(mark);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, mark: char) -> Result<(), String> {
        if self.take(mark) {
            Ok(())
        } else {
            Err(format!("the header has no {mark:?} before {:?}", excerpt(self.0)))
        }
    }

    /// Nothing but blanks follows.
    fn end(&self) -> Result<(), String> {
        match self.0.trim() {
            "" => Ok(()),
            more => Err(format!("the header goes on after its last brace: {:?}", excerpt(more))),
        }
    }

    /// A string without escapes, in either kind of quotes.
    fn string(&mut self) -> Result<&'a str, String> {
        self.0 = self.0.trim_start();
        let mut quotes = ['\'', '"'].into_iter();
        let quoted = quotes.find_map(|quote| self.0.strip_prefix(quote)?.split_once(quote));
        let (text, rest) =
            quoted.ok_or_else(|| format!("the header has no string at {:?}", excerpt(self.0)))?;
        self.0 = rest;
        Ok(text)
    }

    /// What stands before the next comma or closing mark.
    fn word(&mut self) -> &'a str {
        let end = self.0.find([',', ')', '}']).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word.trim()
    }

    fn descr(&mut self) -> Result<String, String> {
        if self.take('[') {
            return Err("an array of records; expected plain numbers".to_owned());
        }
        self.string().map(str::to_owned)
    }

    fn truth(&mut self) -> Result<bool, String> {
        match self.word() {
            "True" => Ok(true),
            "False" => Ok(false),
            other => Err(format!(
                "the header's \"fortran_order\" is {:?}; expected True or False",
                excerpt(other)
            )),
        }
    }

    /// A tuple: with one number it needs a comma, with more it may end in one.
    fn shape(&mut self) -> Result<Vec<u64>, String> {
        let no_tuple = || "the header's \"shape\" is no tuple".to_owned();
        if !self.take('(') {
            return Err(no_tuple());
        }
        let (mut shape, mut ends_in_comma) = (Vec::new(), false);
        while !self.take(')') {
            let word = self.word();
            // Python 2 wrote `3L`. A sign is none of a length.
            let digits = word.strip_suffix('L').unwrap_or(word);
            let size = digits
                .starts_with(|first: char| first.is_ascii_digit())
                .then(|| digits.parse().ok());
            let wrong = || format!("the header's \"shape\" holds {:?}", excerpt(word));
            shape.push(size.flatten().ok_or_else(wrong)?);
            ends_in_comma = self.take(',');
            if !ends_in_comma && !self.0.starts_with(')') {
                return Err(no_tuple());
            }
        }
        if shape.len() == 1 && !ends_in_comma { Err(no_tuple()) } else { Ok(shape) }
    }
}

#[cfg(test)]
#[path = "../tests/unit/npy.rs"]
mod tests;
