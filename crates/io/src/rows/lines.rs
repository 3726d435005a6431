//! A file line by line and then perhaps byte by byte.

use crate::error::{FileName, InFile, Result};
use crate::excerpt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// No line is longer, be it of a header or of numbers.
const LONGEST_LINE: usize = 1 << 20;

pub(super) struct Lines {
    file: FileName,
    reader: BufReader<Box<dyn Read + Send>>,
    /// The number of the line read last, from 1.
    pub(super) number: u64,
    /// Whether the first line ended in `\r` alone: then a `\n` after a `\r` is no part of its end.
    /// It may be the first byte of binary data.
    ends_in_return: bool,
}

impl Lines {
    pub(super) fn new(file: FileName, reader: Box<dyn Read + Send>) -> Self {
        Self {
            file,
            reader: BufReader::with_capacity(1 << 16, reader),
            number: 0,
            ends_in_return: false,
        }
    }

    /// The next line without blanks around it; `None` at the end. A line ends in `\n`, `\r\n` or
    /// `\r`.
    pub(super) fn next(&mut self) -> Result<Option<String>> {
        let (mut line, mut is_there) = (Vec::new(), false);
        loop {
            let there = next_bytes(&mut self.reader).in_file(&self.file)?;
            if there.is_empty() {
                break;
            }
            is_there = true;
            let end = there.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let ended = end.map(|end| there[end]);
            line.extend_from_slice(&there[..end.unwrap_or(there.len())]);
            let read = end.map_or(there.len(), |end| end + 1);
            self.reader.consume(read);
            if line.len() >= LONGEST_LINE {
                return Err(self
                    .file
                    .at_line(self.number + 1, format_args!("longer than {LONGEST_LINE} bytes")));
            }
            if ended == Some(b'\r') {
                self.end_of_return()?;
            }
            if ended.is_some() {
                break;
            }
        }
        if self.number == 0 {
            refuse_utf16(&self.file, &line)?;
        }
        self.number += u64::from(is_there);
        // What is no text is no number either, and is said to be none.
        Ok(is_there.then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Steps over a `\n` that belongs to the `\r` before it.
    fn end_of_return(&mut self) -> Result<()> {
        let there = next_bytes(&mut self.reader).in_file(&self.file)?;
        let is_pair = there.first() == Some(&b'\n');
        if self.number == 0 {
            self.ends_in_return = !is_pair;
        }
        if is_pair && !self.ends_in_return {
            self.reader.consume(1);
        }
        Ok(())
    }

    /// Something wrong at the line read last.
    pub(super) fn wrong(&self, what: impl std::fmt::Display) -> crate::Error {
        self.file.at_line(self.number, what)
    }

    /// A value that is not what its column holds.
    pub(super) fn wrong_value(&self, column: &str, value: &str, kind: &str) -> crate::Error {
        self.wrong(format_args!("\"{column}\": {:?} is not {kind}", excerpt(value)))
    }

    /// Fills bytes as far as there are some.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<usize> {
        fill(&mut self.reader, bytes).in_file(&self.file)
    }

    /// At most so many bytes, fewer at the end; memory grows with what is there.
    pub(super) fn take(&mut self, length: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(length).read_to_end(&mut bytes);
        read.in_file(&self.file).map(|_| bytes)
    }

    /// The same with other bytes before what is left.
    pub(super) fn after(self, bytes: impl Read + Send + 'static) -> Self {
        let reader: Box<dyn Read + Send> = Box::new(bytes.chain(self.reader));
        Self { reader: BufReader::with_capacity(1 << 16, reader), ..self }
    }
}

/// Fills bytes as far as there are some.
pub(super) fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The bytes that come next, none at the end.
pub(super) fn next_bytes<R: Read>(reader: &mut BufReader<R>) -> io::Result<&[u8]> {
    loop {
        match reader.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(reader.buffer())
}

/// Refuses text of 16 bits a character, told by its mark or by a zero beside a first letter.
pub(super) fn refuse_utf16(file: &FileName, start: &[u8]) -> Result<()> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] | [1..=0x7f, 0, ..] => {
            Err(file.content("it is text in UTF-16; save it as UTF-8"))
        }
        _ => Ok(()),
    }
}
