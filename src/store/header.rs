//! The bytes of header and table, and checksums.

use bytemuck::{Pod, Zeroable};
use twox_hash::XxHash3_64;

use crate::threads::Threads;

/// The magic bytes of every file. The end of line and the byte after it reveal a transfer as text.
pub(super) const MAGIC: [u8; 16] = *b"\x89lanecast\r\n\x1a\n\0\0\0";

/// The version; raised whenever the content or the meaning of any section changes.
pub(super) const VERSION: u32 = 1;

/// The byte order of the machine that writes.
pub(super) const BYTE_ORDER: u32 = 0x0102_0304;

/// Sections begin at multiples of this, in the file and in memory.
pub(super) const CACHE_LINE: usize = 64;

/// Large sections begin at multiples of this.
pub(super) const PAGE: usize = 4096;

/// The most sections; more count as damage.
pub(crate) const MOST_SECTIONS: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 16],
    pub(super) byte_order: u32,
    pub(super) version: u32,
    /// The length of the file.
    pub(super) length: u64,
    /// Of the table.
    pub(super) sections: u64,
    pub(super) unused: [u64; 2],
    /// The checksum of the header up to here, and of the table.
    pub(super) checksum: u64,
}

const _: () = assert!(size_of::<Header>() == 64 && size_of::<Entry>() == 48);

impl Header {
    /// The header of a file of so many bytes with this table.
    pub(super) fn new(length: u64, table: &[Entry]) -> Self {
        let (magic, byte_order, version, sections) = (MAGIC, BYTE_ORDER, VERSION, table.len() as u64);
        let header = Self { magic, byte_order, version, length, sections, unused: [0; 2], checksum: 0 };
        Self { checksum: header.checksum_with(table), ..header }
    }

    pub(super) fn checksum_with(&self, table: &[Entry]) -> u64 {
        let summed = &bytemuck::bytes_of(self)[..size_of::<Self>() - size_of::<u64>()];
        let sums = [summed, bytemuck::cast_slice(table)].map(XxHash3_64::oneshot);
        XxHash3_64::oneshot(bytemuck::cast_slice(&sums))
    }
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Entry {
    /// Padded with zeros.
    pub(super) name: [u8; 16],
    /// The number among sections of the same name.
    pub(super) number: u32,
    /// 1 if a reader has to know the section.
    pub(super) is_needed: u32,
    /// The first byte.
    pub(super) first: u64,
    pub(super) length: u64,
    pub(super) checksum: u64,
}

impl Entry {
    /// The bytes of a name.
    pub(super) fn name_of(name: &str) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        bytes
    }

    /// The name for messages.
    pub(super) fn shown(&self) -> String {
        let length = self.name.iter().position(|&byte| byte == 0).unwrap_or(self.name.len());
        super::shown(&self.name[..length].escape_ascii().to_string(), self.number)
    }
}

/// The bytes that a core sums at a time.
const PIECE: usize = 1 << 20;

/// The checksum of a section: the XXH3 of the XXH3s of its pieces of a megabyte, 64 bits each. It detects damage, not
/// malice: anyone can forge it.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    checksum_with(bytes, |_, _| ()).0
}

/// The checksum, and what `look` says of each piece, by its first byte: summing brings a piece into the cache.
pub(super) fn checksum_with<R: Send>(
    bytes: &[u8],
    look: impl Fn(usize, &[u8]) -> R + Sync + Send,
) -> (u64, Vec<R>) {
    let spread = Threads::ALL.spread(bytes.len() / 64);
    let pieces = bytes.chunks(PIECE).enumerate().collect();
    let looked = spread.map(pieces, |(number, piece): (usize, &[u8])| {
        (XxHash3_64::oneshot(piece), look(number * PIECE, piece))
    });
    let (sums, made): (Vec<u64>, _) = looked.into_iter().unzip();
    (XxHash3_64::oneshot(bytemuck::cast_slice(&sums)), made)
}
