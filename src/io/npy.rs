//! The header of an NPY array, read and written; the data behind it is plain memory.
//!
//! npyz was tried and set aside: it trusts the header's length with a 4 GiB allocation and parses
//! the dictionary by recursion, which a header of brackets overflows, and it brings a parser
//! generator and big integers for three fields.

use super::error::{FileName, Result};
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
        let length = match start[6] {
            1 => {
                let mut length = [0; 2];
                fill(&mut length)?;
                u16::from_le_bytes(length).into()
            }
            2 | 3 => {
                let mut length = [0; 4];
                fill(&mut length)?;
                u32::from_le_bytes(length) as usize
            }
            version => return Err(file.content(format_args!("unknown NPY version {version}"))),
        };
        if length > LONGEST_HEADER {
            return Err(
                file.content(format_args!("a header of {length} bytes; at most {LONGEST_HEADER} are read"))
            );
        }
        let mut text = vec![0; length];
        fill(&mut text)?;
        Self::parse(&String::from_utf8_lossy(&text)).map_err(|what| file.content(what))
    }

    /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 6), }`.
    fn parse(text: &str) -> Result<Self, String> {
        let value = |key: &str| {
            [format!("'{key}'"), format!("\"{key}\"")]
                .iter()
                .find_map(|quoted| text.split_once(quoted.as_str()))
                .and_then(|(_, rest)| rest.trim_start().strip_prefix(':'))
                .map(str::trim_start)
                .ok_or_else(|| format!("the header has no \"{key}\""))
        };
        let descr = value("descr")?;
        let descr = match descr.chars().next() {
            Some(quote @ ('\'' | '"')) => descr[1..].split(quote).next().unwrap_or_default(),
            _ => return Err("an array of records; expected plain f4 or f8".to_owned()),
        };
        let fortran_order = value("fortran_order")?.starts_with("True");
        let shape = value("shape")?;
        let inner = shape.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (inner, _) = inner.ok_or("the header's \"shape\" is no tuple")?;
        let shape = inner
            .split(',')
            .map(|size| size.trim().trim_end_matches('L'))
            .filter(|size| !size.is_empty())
            .map(|size| size.parse().map_err(|_| format!("the header's \"shape\" holds {size:?}")))
            .collect::<Result<_, _>>()?;
        Ok(Self { descr: descr.to_owned(), fortran_order, shape })
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
        let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_header_reads_back_and_ends_on_a_multiple_of_64() {
        for rows in [0, 9, 10, 12_345_678, u64::MAX] {
            let bytes = NpyHeader::of_column("<f4", rows);
            assert_eq!(bytes.len() % 64, 0);
            let header = NpyHeader::read(&FileName::named("x"), &mut &bytes[..]).unwrap();
            let expected = NpyHeader { descr: "<f4".to_owned(), fortran_order: false, shape: vec![rows] };
            assert_eq!(header, expected);
        }
    }
}
