//! The bytes of header and table.

use bytemuck::{Pod, Zeroable};
use twox_hash::XxHash3_64;

/// Begins every file. The end of line and the byte after it show what went through a transfer of text.
pub(super) const MAGIC: [u8; 16] = *b"\x89lanecast\r\n\x1a\n\0\0\0";

/// Goes up whenever what any section holds, or what it means, is no longer what it was.
pub(super) const VERSION: u32 = 1;

/// As the machine that writes it puts its bytes.
pub(super) const BYTE_ORDER: u32 = 0x0102_0304;

/// Sections begin at multiples of this, and so does the memory that they are mapped to.
pub(super) const CACHE_LINE: usize = 64;

/// Large sections begin at multiples of this.
pub(super) const PAGE: usize = 4096;

/// More sections are taken for damage.
pub(crate) const MOST_SECTIONS: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 16],
    pub(super) byte_order: u32,
    pub(super) version: u32,
    /// Of the file.
    pub(super) length: u64,
    /// Of the table.
    pub(super) sections: u64,
    pub(super) unused: [u64; 2],
    /// Of the header up to here, and the table.
    pub(super) checksum: u64,
}

const _: () = assert!(size_of::<Header>() == 64 && size_of::<Entry>() == 48);

impl Header {
    pub(super) fn new(length: u64, table: &[Entry]) -> Self {
        let mut header = Self {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            version: VERSION,
            length,
            sections: table.len() as u64,
            unused: [0; 2],
            checksum: 0,
        };
        header.checksum = header.checksum_with(table);
        header
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
    /// Filled up with zeros.
    pub(super) name: [u8; 16],
    /// Which of several of that name.
    pub(super) number: u32,
    /// 1 if the others mean nothing without it.
    pub(super) is_needed: u32,
    /// The first byte.
    pub(super) first: u64,
    pub(super) length: u64,
    pub(super) checksum: u64,
}

impl Entry {
    /// The name's bytes for a section that is called so.
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
