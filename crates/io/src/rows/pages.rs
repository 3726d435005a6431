//! A Parquet file whose lengths are held against the file before the crate `parquet` sees them: it
//! allocates what it is told, by the lists of the footer, and by the header of each page, which
//! stands amid the data.

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
/// Structures within structures.
const DEEPEST: u32 = 64;

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
        // Each element of a list takes a byte: a list that is there has as many as it claims.
        let whole = Compact { reader: &bytes[..], see: |_: [i16; 2], _| {} }.structure(0, 0);
        match whole {
            Ok(()) => Ok(Self { file, length, columns: Mutex::default() }),
            Err(_) => Err("malformed: its footer contradicts itself".to_owned().into()),
        }
    }

    /// Has the pages of a column checked when they are read; whether the file has them.
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
        if let Ok(mut columns) = self.columns.lock() {
            columns.insert(
                start,
                Column { densest, is_brotli: matches!(compression, Compression::BROTLI(_)), end },
            );
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
            see: |path: [i16; 2], number| match path {
                [0, 2] => unpacked = number,
                [0, 3] => packed = number,
                // Of a dictionary.
                [7, 1] => values = number,
                // Of a page of the second version, whose levels are not packed.
                [8, 5 | 6] => levels = levels.saturating_add(number),
                _ => {}
            },
        };
        header.structure(0, 0)?;
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

/// A structure in the compact form of Thrift (Apache Thrift, thrift-compact-protocol.md), read over
/// from its beginning to its end.
struct Compact<R, F> {
    reader: R,
    /// Is shown the whole numbers of the structure, each with the number of the field around it, or
    /// 0, and that of its own.
    see: F,
}

impl<R: Read, F: FnMut([i16; 2], i64)> Compact<R, F> {
    fn structure(&mut self, outer: i16, depth: u32) -> io::Result<()> {
        let mut id = 0_i16;
        loop {
            let byte = self.byte()?;
            let (step, kind) = (byte >> 4, byte & 15);
            if kind == 0 {
                return Ok(());
            }
            id = if step == 0 { self.number()? as i16 } else { id.wrapping_add(step.into()) };
            // Whether a field is true stands in its kind.
            if kind > 2 {
                self.value(kind, [outer, id], depth)?;
            }
        }
    }

    fn value(&mut self, kind: u8, path: [i16; 2], depth: u32) -> io::Result<()> {
        match kind {
            1..=3 => self.skip(1),
            4..=6 => {
                let number = self.number()?;
                (self.see)(path, number);
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            _ if depth == DEEPEST => Err(io::ErrorKind::InvalidData.into()),
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                (0..count).try_for_each(|_| self.value(head & 15, [-1; 2], depth + 1))
            }
            11 => {
                let count = self.varint()?;
                let kinds = if count == 0 { 0 } else { self.byte()? };
                (0..count).try_for_each(|_| {
                    self.value(kinds >> 4, [-1; 2], depth + 1)?;
                    self.value(kinds & 15, [-1; 2], depth + 1)
                })
            }
            12 => self.structure(if depth == 0 { path[1] } else { -1 }, depth + 1),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    /// Seven bits a byte, the lowest first.
    fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for place in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << place;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// A number with a sign, which is its lowest bit.
    fn number(&mut self) -> io::Result<i64> {
        self.varint().map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let read = io::copy(&mut self.reader.by_ref().take(length), &mut io::sink())?;
        if read < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}
