//! Hits as NPZ: a zip of one NPY array per column.
//!
//! An array's header tells its length. Where that is known from the start, each column grows in its
//! place in the file; else each is spooled to a temporary file of its own, and the file is put
//! together in [`Sink::finish`].

use super::archive::{Member, directory, lay_out};
use super::values::{Named, Values, no_text, rows};
use super::writer::Sink;
use crate::error::Problem;
use crate::excerpt;
use crate::npy::NpyHeader;
use crate::output::Output;
use crc32fast::Hasher;
use lanecast::Threads;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// More rows are not believed before they come: by the claim of a damaged file columns lie far
/// apart, which no file system should refuse before the input is found to end early.
const MOST_EXPECTED: u64 = 1 << 31;
/// The length of a name has 16 bits in a zip.
const LONGEST_NAME: usize = 1 << 15;
/// Less of a column is kept until more comes.
const BUFFER: usize = 1 << 16;

pub(super) struct NpzSink {
    output: Output,
    columns: Vec<Column>,
    rows: u64,
    /// How many rows there will be, if columns lie in their places already.
    expected: Option<u64>,
}

struct Column {
    name: String,
    type_name: &'static str,
    /// The bytes of the values so far in the file, those that are not there yet, and the checksum
    /// of all.
    length: u64,
    pending: Vec<u8>,
    checksum: Hasher,
    /// Where they lie: in a file of their own, or in the output from here on.
    spool: Option<File>,
    start: u64,
}

/// NumPy's name for the type of a column, whatever the byte order of this machine; none of text.
const fn type_of((_, values): &Named<'_>) -> Option<&'static str> {
    match values {
        Values::I64(_) | Values::OptionI64(_) => Some("<i8"),
        Values::I32(_) => Some("<i4"),
        Values::F32(_) | Values::OptionF32(_) => Some("<f4"),
        Values::F64(_) | Values::OptionF64(_) => Some("<f8"),
        Values::Bool(_) | Values::OptionBool(_) => Some("|b1"),
        Values::Status(_) => Some("|u1"),
        Values::Text(_) | Values::OptionText(_) => None,
    }
}

impl Column {
    /// What stands before the values.
    fn header(&self, rows: u64) -> Vec<u8> {
        NpyHeader::of_column(self.type_name, rows)
    }

    /// Writes bytes where they belong, in the file of the column or else in the output.
    fn put(&mut self, output: Option<&mut File>, bytes: &[u8]) -> io::Result<()> {
        let file = self.spool.as_mut().or(output).expect("a column lies in one of them");
        file.seek(SeekFrom::Start(self.start + self.length))?;
        file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Writes what is pending.
    fn flush(&mut self, output: Option<&mut File>) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.put(output, &pending)
    }
}

impl NpzSink {
    /// A file of columns of which none is text.
    pub(super) fn new(output: Output, columns: &[Named<'_>]) -> Result<Self, Problem> {
        let column = |column: &Named<'_>| {
            if column.0.len() > LONGEST_NAME {
                let name = excerpt(column.0);
                return Err(format!("column \"{name}\": the name is too long for npz").into());
            }
            let (name, spool) = (column.0.to_owned(), Some(output.spool()?));
            let type_name = type_of(column).ok_or_else(|| no_text(&name))?;
            let (length, pending, checksum, start) = (0, Vec::new(), Hasher::new(), 0);
            Ok(Column { name, type_name, length, pending, checksum, spool, start })
        };
        let columns = columns.iter().map(column).collect::<Result<_, Problem>>()?;
        Ok(Self { output, columns, rows: 0, expected: None })
    }

    /// The members of a file of so many rows, and where the last ends.
    fn members(&self, rows: u64) -> (Vec<Member>, u64) {
        lay_out(self.columns.iter().map(|column| {
            // Every type is called by the size of its values.
            let size: u64 = column.type_name[2..].parse().expect("a number of bytes");
            (format!("{}.npy", column.name), column.header(rows).len() as u64 + rows * size)
        }))
    }

    /// Puts together in `to` what is not there yet.
    fn assemble(&mut self, to: &mut File) -> io::Result<()> {
        let (members, end) = self.members(self.rows);
        let mut summed = Vec::new();
        for (member, column) in members.into_iter().zip(&mut self.columns) {
            column.flush(Some(to))?;
            let header = column.header(self.rows);
            let mut checksum = Hasher::new();
            checksum.update(&header);
            checksum.combine(&column.checksum);
            let checksum = checksum.finalize();
            to.seek(SeekFrom::Start(member.place()))?;
            to.write_all(&[member.header(checksum), header].concat())?;
            if let Some(mut spool) = column.spool.take() {
                spool.rewind()?;
                io::copy(&mut spool, to)?;
            }
            summed.push((member, checksum));
        }
        to.seek(SeekFrom::Start(end))?;
        to.write_all(&directory(&summed, end))
    }
}

impl Sink for NpzSink {
    fn expect_rows(&mut self, rows: u64) -> Result<(), Problem> {
        if self.rows > 0 {
            return Err("their number comes after the first rows".to_owned().into());
        }
        if rows > MOST_EXPECTED || self.output.as_file()?.is_none() {
            return Ok(());
        }
        let (members, _) = self.members(rows);
        for (column, member) in self.columns.iter_mut().zip(members) {
            column.start = member.start() + column.header(rows).len() as u64;
            column.spool = None;
        }
        self.expected = Some(rows);
        Ok(())
    }

    fn write(&mut self, columns: &[Named<'_>], _: &Threads) -> Result<(), Problem> {
        self.rows += rows(columns) as u64;
        let mut output = self.output.as_file()?;
        for (column, (_, values)) in self.columns.iter_mut().zip(columns) {
            let bytes = values.bytes();
            column.checksum.update(&bytes);
            if column.pending.len() + bytes.len() < BUFFER {
                column.pending.extend_from_slice(&bytes);
            } else {
                column.flush(output.as_deref_mut())?;
                column.put(output.as_deref_mut(), &bytes)?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Problem> {
        if let Some(expected) = self.expected.filter(|&expected| expected != self.rows) {
            return Err(format!("{} rows were written of {expected}", self.rows).into());
        }
        if let Some(file) = self.output.as_file()? {
            let mut file = file.try_clone()?;
            self.assemble(&mut file)?;
        } else {
            let mut whole = self.output.spool()?;
            self.assemble(&mut whole)?;
            whole.rewind()?;
            io::copy(&mut whole, &mut self.output)?;
        }
        Ok(self.output.finish()?)
    }
}
