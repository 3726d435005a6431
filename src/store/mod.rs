//! Files of named sections, opened by mapping them: how they are laid out, not their content.
//!
//! ```text
//! header     64 bytes: magic, byte order, version, length of the file, checksum of header and table
//! table      48 bytes a section: name, which of several, whether it is needed, where it lies, checksum
//! sections   each on a cache line or a page, in the order of the table; zeros between them
//! ```
//!
//! All numbers are in the byte order of the machine that wrote them, as sections are copies of its memory; the header
//! names it. A reader skips sections that it does not know, unless they are marked as needed.

mod read;
mod write;

pub(crate) use read::SectionFile;
pub use write::Replacement;
pub(crate) use write::SectionWriter;

use bytemuck::{Pod, Zeroable};
use twox_hash::XxHash3_64;

use crate::error::FileProblem;
use crate::threads::Threads;

type Result<T, E = FileProblem> = std::result::Result<T, E>;

pub(crate) fn damaged(name: &str, number: u32, what: impl Into<String>) -> FileProblem {
    FileProblem::Damaged { place: shown(name, number), what: what.into() }
}

fn shown(name: &str, number: u32) -> String {
    if number == 0 { name.to_owned() } else { format!("{name} {number}") }
}

/// The magic bytes of every file. The end of line and the byte after it reveal a transfer as text.
const MAGIC: [u8; 16] = *b"\x89lanecast\r\n\x1a\n\0\0\0";
/// The version; raised whenever the content or the meaning of any section changes.
const VERSION: u32 = 1;
/// The byte order of the machine that writes.
const BYTE_ORDER: u32 = 0x0102_0304;
/// Sections begin at multiples of this, in the file and in memory.
pub(crate) const CACHE_LINE: usize = 64;
/// Large sections begin at multiples of this.
pub(crate) const PAGE: usize = 4096;
/// The most sections; more count as damage.
pub(crate) const MOST_SECTIONS: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 16],
    byte_order: u32,
    version: u32,
    /// The length of the file.
    length: u64,
    sections: u64,
    unused: [u64; 2],
    /// The checksum of the header up to here, and of the table.
    checksum: u64,
}

const _: () = assert!(size_of::<Header>() == 64 && size_of::<Entry>() == 48);

impl Header {
    fn new(length: u64, table: &[Entry]) -> Self {
        let (magic, byte_order, version, sections) = (MAGIC, BYTE_ORDER, VERSION, table.len() as u64);
        let header = Self { magic, byte_order, version, length, sections, unused: [0; 2], checksum: 0 };
        Self { checksum: header.checksum_with(table), ..header }
    }

    fn checksum_with(&self, table: &[Entry]) -> u64 {
        let summed = &bytemuck::bytes_of(self)[..size_of::<Self>() - size_of::<u64>()];
        let sums = [summed, bytemuck::cast_slice(table)].map(XxHash3_64::oneshot);
        XxHash3_64::oneshot(bytemuck::cast_slice(&sums))
    }
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    /// Padded with zeros.
    name: [u8; 16],
    /// The number among sections of the same name.
    number: u32,
    /// 1 if a reader has to know the section.
    is_needed: u32,
    first: u64,
    length: u64,
    checksum: u64,
}

impl Entry {
    fn name_of(name: &str) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        bytes
    }

    fn shown(&self) -> String {
        let length = self.name.iter().position(|&byte| byte == 0).unwrap_or(self.name.len());
        shown(&self.name[..length].escape_ascii().to_string(), self.number)
    }
}

/// The bytes that a core sums at a time.
const PIECE: usize = 1 << 20;

/// The checksum of a section: the XXH3 of the XXH3s of its pieces of a megabyte, 64 bits each; and what `look` says of each
/// piece, by its first byte, as summing brings it into the cache.
fn checksum<R: Send>(bytes: &[u8], look: impl Fn(usize, &[u8]) -> R + Sync + Send) -> (u64, Vec<R>) {
    let spread = Threads::ALL.spread(bytes.len() / 64);
    let pieces = bytes.chunks(PIECE).enumerate().collect();
    let looked = spread.map(pieces, |(number, piece): (usize, &[u8])| {
        (XxHash3_64::oneshot(piece), look(number * PIECE, piece))
    });
    let (sums, made): (Vec<u64>, _) = looked.into_iter().unzip();
    (XxHash3_64::oneshot(bytemuck::cast_slice(&sums)), made)
}
