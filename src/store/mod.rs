//! Files of named sections, mapped or in memory: how they are laid out, read and checked, not their
//! content.
//!
//! ```text
//! header     64 bytes: magic, byte order, version, length of the file, checksum of header and table
//! table      48 bytes a section: name, which of several, whether it is needed, where it lies, checksum
//! sections   each on a cache line or a page, in the order of the table; zeros between them
//! ```
//!
//! All numbers are in the byte order of the machine that wrote them, as sections are copies of its
//! memory; the header names it. A reader skips sections that it does not know, unless they are
//! marked as needed.

mod write;

pub(crate) use write::SectionWriter;
pub use write::{Replacement, behind_links};

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use twox_hash::XxHash3_64;

use crate::error::FileProblem;
use crate::memory::{FileBytes, Memory};
use crate::threads::{Stop, Threads, is_stopped};

type Result<T, E = FileProblem> = std::result::Result<T, E>;

pub(crate) fn damaged(name: &str, number: u32, what: impl Into<String>) -> FileProblem {
    FileProblem::Damaged { place: shown(name, number), what: what.into() }
}

/// What reading says that is to stop.
fn unread() -> FileProblem {
    damaged("header", 0, "not all was read")
}

fn shown(name: &str, number: u32) -> String {
    if number == 0 { name.to_owned() } else { format!("{name} {number}") }
}

/// The magic bytes of every file. The end of line and the byte after it reveal a transfer as text.
const MAGIC: [u8; 16] = *b"\x89lanecast\r\n\x1a\n\0\0\0";
/// The version; raised whenever the content or the meaning of any section changes.
const VERSION: u32 = 3;
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
        let (magic, byte_order, version, sections) =
            (MAGIC, BYTE_ORDER, VERSION, table.len() as u64);
        let header =
            Self { magic, byte_order, version, length, sections, unused: [0; 2], checksum: 0 };
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

/// The checksum of a section: the XXH3 of the XXH3s of its pieces of a megabyte, 64 bits each; and
/// what `look` says of each piece, by its first byte, as summing brings it into the cache. `None`
/// if `stop` says so. Reports all bytes.
fn checksum<R: Send>(
    bytes: &[u8],
    stop: Stop<'_>,
    look: impl Fn(usize, &[u8]) -> R + Sync + Send,
) -> Option<(u64, Vec<R>)> {
    let spread = Threads::ALL.spread(bytes.len() / 64).until(stop);
    let pieces = bytes.chunks(PIECE).enumerate().collect();
    let looked = spread.map(pieces, |(number, piece): (usize, &[u8])| {
        let looked = (XxHash3_64::oneshot(piece), look(number * PIECE, piece));
        spread.advance(piece.len());
        looked
    });
    let (sums, made): (Vec<u64>, _) = looked?.into_iter().unzip();
    Some((XxHash3_64::oneshot(bytemuck::cast_slice(&sums)), made))
}

/// A file whose sections are read, and whom to ask whether to stop. After a stop reading gives any
/// error.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'f> {
    pub(crate) file: &'f Arc<SectionFile>,
    pub(crate) stop: Stop<'f>,
}

impl Deref for Reading<'_> {
    type Target = SectionFile;

    fn deref(&self) -> &SectionFile {
        self.file
    }
}

const WRONG_CHECKSUM: &str = "the checksum is wrong";
const WRONG_LENGTH: &str = "not as long as it should be";

/// An open file, with a sound header and table; each section is within the file.
#[derive(Debug, Clone)]
pub(crate) struct SectionFile {
    pub(crate) path: PathBuf,
    bytes: FileBytes,
    table: Vec<Entry>,
    /// The place in the table of a section by name and number; there may be a million.
    places: HashMap<([u8; 16], u32), usize>,
}

impl SectionFile {
    /// Opens a file. Sections marked as needed must have known names. Reads header and table only.
    pub(crate) fn open(path: &Path, known: &[&str]) -> Result<Self> {
        // Tested first: opening a pipe may block forever.
        let found = path.metadata()?;
        if !found.is_file() {
            let found = if found.is_dir() { "a directory" } else { "a pipe or a device" };
            return Err(FileProblem::Foreign { found });
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        // What is empty cannot be mapped.
        let length = usize::try_from(length).map_err(|_| longer_than_memory())?;
        let bytes =
            if length == 0 { FileBytes::copied(&[]) } else { FileBytes::map(&file, length)? };
        Self::of(path, bytes, known)
    }

    /// A file by its bytes; `path` stands for it in errors.
    pub(crate) fn of(path: &Path, bytes: FileBytes, known: &[&str]) -> Result<Self> {
        let header = read_header(&bytes)?;
        let (found, expected) = (bytes.len() as u64, header.length);
        if found != expected {
            return Err(FileProblem::Length { found, expected });
        }
        let bad = |what: &str| Err(damaged("header", 0, what));
        let sections = header.sections.min(MOST_SECTIONS as u64) as usize;
        let table_end = size_of::<Header>() + sections * size_of::<Entry>();
        if table_end > bytes.len() {
            return bad("the table does not fit into the file");
        }
        let table: Vec<Entry> =
            bytemuck::cast_slice(&bytes[size_of::<Header>()..table_end]).to_vec();
        if header.sections != table.len() as u64 || header.checksum != header.checksum_with(&table)
        {
            return bad(WRONG_CHECKSUM);
        }
        let mut places = HashMap::with_capacity(table.len());
        // Sections do not overlap, so reading is bounded by the length of the file.
        let mut end_before = table_end as u64;
        for (place, entry) in table.iter().enumerate() {
            let end = entry.first.checked_add(entry.length).filter(|&end| end <= expected);
            let Some(end) = end.filter(|_| entry.first % CACHE_LINE as u64 == 0) else {
                return bad(&format!("section {:?} does not lie in the file", entry.shown()));
            };
            if entry.first < std::mem::replace(&mut end_before, end) {
                return bad(&format!(
                    "section {:?} does not lie behind those before it",
                    entry.shown()
                ));
            }
            if places.insert((entry.name, entry.number), place).is_some() {
                return bad(&format!("section {:?} is there twice", entry.shown()));
            }
            let is_known = known.iter().any(|name| Entry::name_of(name) == entry.name);
            if entry.is_needed != 0 && !is_known {
                return Err(FileProblem::UnknownSection { section: entry.shown() });
            }
        }
        Ok(Self { path: path.to_owned(), bytes, table, places })
    }

    /// In bytes.
    pub(crate) fn length(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn begins_as_one(path: &Path) -> bool {
        let mut begin = [0; MAGIC.len()];
        path.is_file()
            && File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
            && begin == MAGIC
    }

    fn entry(&self, name: &str, number: u32) -> Result<&Entry> {
        let place = self.places.get(&(Entry::name_of(name), number)).copied();
        let missing = || FileProblem::MissingSection { section: shown(name, number) };
        place.map(|place| &self.table[place]).ok_or_else(missing)
    }

    pub(crate) fn has(&self, name: &str, number: u32) -> bool {
        self.entry(name, number).is_ok()
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        let name = Entry::name_of(name);
        self.table.iter().filter(|entry| entry.name == name).count()
    }

    /// The number of the values of a section.
    pub(crate) fn len<T: Pod>(&self, name: &str, number: u32) -> Result<usize> {
        let (length, size) = (self.entry(name, number)?.length as usize, size_of::<T>());
        let wrong = || damaged(name, number, WRONG_LENGTH);
        length.is_multiple_of(size).then_some(length / size).ok_or_else(wrong)
    }

    /// Two adjacent sections as one piece of memory.
    pub(crate) fn joined<T: Pod>(&self, names: [&str; 2], number: u32) -> Result<Memory<T>> {
        let [first, second] = [self.entry(names[0], number)?, self.entry(names[1], number)?];
        if first.first + first.length != second.first {
            return Err(damaged(names[1], number, format!("it does not follow {:?}", names[0])));
        }
        let length = (first.length + second.length) as usize / size_of::<T>();
        Memory::of_file(&self.bytes, first.first as usize, length)
            .ok_or_else(|| damaged(names[0], number, "not where it should be"))
    }

    /// A range of the values of a section, where they lie.
    pub(crate) fn memory<T: Pod>(
        &self,
        name: &str,
        number: u32,
        range: Range<usize>,
    ) -> Result<Memory<T>> {
        let entry = self.entry(name, number)?;
        let size = size_of::<T>();
        let is_within = range.start <= range.end && range.end <= entry.length as usize / size;
        let memory =
            || Memory::of_file(&self.bytes, entry.first as usize + range.start * size, range.len());
        is_within.then(memory).flatten().ok_or_else(|| damaged(name, number, WRONG_LENGTH))
    }
}

impl<'f> Reading<'f> {
    /// After a stop any error.
    pub(crate) fn go_on(&self) -> Result<()> {
        if is_stopped(self.stop) { Err(unread()) } else { Ok(()) }
    }

    /// The bytes of a section after its checksum, and what `look` says of its pieces.
    fn checked<R: Send>(
        &self,
        entry: &Entry,
        look: impl Fn(usize, &[u8]) -> R + Sync + Send,
    ) -> Result<(&'f [u8], Vec<R>)> {
        let bytes = &self.file.bytes[entry.first as usize..][..entry.length as usize];
        let (found, looked) = checksum(bytes, self.stop, look).ok_or_else(unread)?;
        if found != entry.checksum {
            return Err(FileProblem::Damaged {
                place: entry.shown(),
                what: WRONG_CHECKSUM.to_owned(),
            });
        }
        Ok((bytes, looked))
    }

    /// The values of a section, after its checksum.
    pub(crate) fn values<T: Pod>(&self, name: &str, number: u32) -> Result<&'f [T]> {
        let (bytes, _) = self.checked(self.entry(name, number)?, |_, _| ())?;
        bytemuck::try_cast_slice(bytes).map_err(|_| damaged(name, number, WRONG_LENGTH))
    }

    /// Passes all values of a section to `look`, piece by piece, each with the number of its first
    /// value, on any core, and checks the checksum, which is reported first.
    pub(crate) fn look_at<T: Pod>(
        &self,
        name: &str,
        number: u32,
        look: impl Fn(usize, &[T]) -> Result<(), String> + Sync + Send,
    ) -> Result<()> {
        let (_, found) = self.checked(self.entry(name, number)?, |first, piece| {
            let values = bytemuck::try_cast_slice(piece).map_err(|_| WRONG_LENGTH)?;
            look(first / size_of::<T>(), values)
        })?;
        found.into_iter().collect::<Result<(), _>>().map_err(|what| damaged(name, number, what))
    }

    pub(crate) fn value<T: Pod>(&self, name: &str, number: u32) -> Result<T> {
        let &[value] = self.values(name, number)? else {
            return Err(damaged(name, number, WRONG_LENGTH));
        };
        Ok(value)
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.table.iter().try_for_each(|entry| self.checked(entry, |_, _| ()).map(drop))
    }
}

fn longer_than_memory() -> FileProblem {
    damaged("header", 0, "longer than memory can be")
}

/// The header, if this machine and version can read the file.
fn read_header(file: &[u8]) -> Result<Header> {
    let bytes = &file[..file.len().min(size_of::<Header>())];
    if bytes.is_empty() {
        return Err(FileProblem::Foreign { found: "an empty file" });
    }
    let same = bytes.len().min(MAGIC.len());
    if bytes[..same] != MAGIC[..same] {
        return Err(FileProblem::Foreign { found: "it does not begin as one" });
    }
    let found = bytes.len() as u64;
    let Ok(header) = bytemuck::try_pod_read_unaligned::<Header>(bytes) else {
        return Err(FileProblem::Length { found, expected: size_of::<Header>() as u64 });
    };
    if header.byte_order == BYTE_ORDER.swap_bytes() {
        let found = if cfg!(target_endian = "little") { "big-endian" } else { "little-endian" };
        return Err(FileProblem::ByteOrder { found });
    }
    if header.byte_order != BYTE_ORDER {
        return Err(damaged("header", 0, "no byte order"));
    }
    if header.version != VERSION {
        return Err(FileProblem::Version { found: header.version, known: VERSION });
    }
    Ok(header)
}
