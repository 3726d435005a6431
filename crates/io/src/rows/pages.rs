//! A Parquet file whose lengths are held against the file before the crate `parquet` sees them: it
//! allocates what it is told, by the lists of the footer, and by the header of each page, which
//! stands amid the data.

use super::thrift::{Compact, FOOTER, Mark, PAGE};
use crate::error::Problem;
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Mutex;

/// A page may claim to unpack to so many bytes, whatever its size: most have a mebibyte.
const BELIEVED: u64 = 1 << 24;
/// The bytes of the footer's length and the mark behind it.
const TAIL: u64 = 8;
/// A value of a dictionary has two bytes or more.
const LEAST_OF_DICTIONARY: u64 = 2;
/// How a stream of Brotli begins that asks for a window beyond 16 MiB, its highest bit aside. RFC
/// 7932 knows none, but the decoder gives it a gibibyte.
const LARGE_WINDOW: u8 = 0x11;
/// Groups of a schema within groups: lists of lists have two for each.
const DEEPEST: usize = 64;

pub(super) struct Pages {
    file: File,
    length: u64,
    /// The columns that are read, by where the header of their next page stands.
    columns: Mutex<HashMap<u64, Column>>,
}

/// The pages of a column in a row group.
#[derive(Clone, Copy)]
struct Column {
    /// By how many times a page may grow.
    densest: u64,
    is_brotli: bool,
    end: u64,
}

impl Pages {
    /// The file, if its footer is one.
    pub(super) fn open(mut file: File) -> Result<Self, Problem> {
        let length = file.metadata()?.len();
        let mut tail = [0; 4];
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        file.read_exact(&mut tail)?;
        let footer = u64::from(u32::from_le_bytes(tail));
        let Some(start) = length.checked_sub(TAIL + footer) else {
            let what = format!("malformed: a footer of {footer} bytes in a file of {length}");
            return Err(what.into());
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(footer).read_to_end(&mut bytes)?;
        let mut schema = Schema::default();
        let see = |mark, number| schema.see(mark, number);
        let whole = Compact { reader: &bytes[..], see }.structure(FOOTER);
        match (whole, schema.wrong) {
            (Ok(()), None) => Ok(Self { file, length, columns: Mutex::default() }),
            (_, Some(wrong)) => Err(format!("malformed: {wrong}").into()),
            (Err(_), None) => Err("malformed: its footer contradicts itself".to_owned().into()),
        }
    }

    /// Has the pages of a column checked when they are read; whether the file has them. No other
    /// column has bytes of it.
    pub(super) fn expect(&self, (start, length): (u64, u64), compression: Compression) -> bool {
        let densest = match compression {
            Compression::UNCOMPRESSED => 1,
            // A copy of 64 bytes takes three.
            Compression::SNAPPY => 32,
            // A run of a byte takes one for each 255.
            Compression::LZ4 | Compression::LZ4_RAW => 256,
            // A copy of 258 bytes takes two bits.
            Compression::GZIP(_) => 1032,
            // A block of 128 KiB takes four bytes.
            Compression::ZSTD(_) => 1 << 15,
            // Brotli, of which a copy of 16 MiB takes some bytes; others are not read.
            _ => 1 << 16,
        };
        let end = start.saturating_add(length);
        let is_brotli = matches!(compression, Compression::BROTLI(_));
        if let (true, Ok(mut columns)) = (length > 0, self.columns.lock()) {
            columns.insert(start, Column { densest, is_brotli, end });
        }
        end <= self.length
    }

    /// Looks at the header of a page, if one stands here.
    fn check(&self, start: u64) -> ParquetResult<()> {
        let expected = self.columns.lock().ok().and_then(|mut columns| columns.remove(&start));
        let Some(column) = expected else { return Ok(()) };
        let [mut unpacked, mut packed, mut values, mut levels] = [0_i64; 4];
        let mut header = Compact {
            reader: Counted { reader: self.file.get_read(start)?, count: 0 },
            see: |mark, number| match mark {
                Mark::Unpacked => unpacked = number,
                Mark::Packed => packed = number,
                Mark::Values => values = number,
                Mark::Levels => levels = levels.saturating_add(number),
                _ => {}
            },
        };
        header.structure(PAGE)?;
        let place = start + header.reader.count;
        let lengths = [unpacked, packed, values, levels].map(|number| u64::try_from(number).ok());
        let [Some(unpacked), Some(packed), Some(values), Some(levels)] = lengths else {
            return Err(ParquetError::General(format!(
                "the page at byte {start} has a negative length"
            )));
        };
        let end = place.saturating_add(packed);
        if end > column.end.min(self.length) {
            return Err(ParquetError::General(format!(
                "the page at byte {start} claims {packed} bytes"
            )));
        }
        if unpacked > BELIEVED.max(packed.saturating_mul(column.densest)) {
            return Err(ParquetError::General(format!(
                "the page at byte {start} claims to unpack from {packed} bytes to {unpacked}"
            )));
        }
        if values > unpacked / LEAST_OF_DICTIONARY {
            return Err(ParquetError::General(format!(
                "the page at byte {start} claims {values} values in {unpacked} bytes"
            )));
        }
        if column.is_brotli && levels < packed {
            let mut first = [0];
            self.file.get_read(place + levels)?.read_exact(&mut first)?;
            if first[0] & 0x7f == LARGE_WINDOW {
                return Err(ParquetError::General(format!(
                    "the page at byte {start} has a window that is too large"
                )));
            }
        }
        // Where this column ends the next one may begin.
        if let (true, Ok(mut columns)) = (end < column.end, self.columns.lock()) {
            columns.insert(end, column);
        }
        Ok(())
    }
}

/// The elements of a schema, of which each group is followed by its parts. The crate believes how
/// many parts there are, and goes into groups by recursion.
#[derive(Default)]
struct Schema {
    /// The elements that have not been seen yet.
    left: i64,
    /// How many parts of each open group have not been seen yet.
    open: Vec<i64>,
    /// How many parts the element at hand has.
    parts: i64,
    wrong: Option<String>,
}

impl Schema {
    fn see(&mut self, mark: Mark, number: i64) {
        match mark {
            Mark::Elements => self.left = number,
            Mark::Parts => self.parts = number,
            Mark::Element if self.wrong.is_none() => self.end_element(),
            _ => {}
        }
    }

    fn end_element(&mut self) {
        self.left -= 1;
        if let Some(parts) = self.open.last_mut() {
            *parts -= 1;
        }
        let parts = std::mem::take(&mut self.parts);
        let more = self.left - self.open.iter().sum::<i64>();
        if !(0..=more).contains(&parts) {
            self.wrong = Some(format!(
                "a group of its schema counts {parts} parts, and the schema has {more} more"
            ));
        }
        if parts > 0 {
            self.open.push(parts);
        }
        while self.open.last() == Some(&0) {
            self.open.pop();
        }
        if self.open.len() > DEEPEST {
            self.wrong = Some(format!("its schema is more than {DEEPEST} groups deep"));
        }
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Pages {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        self.check(start)?;
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        if start.saturating_add(length as u64) > self.length {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at byte {start} of {}",
                self.length
            )));
        }
        self.file.get_bytes(start, length)
    }
}

/// Counts what is read.
struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}
