//! The messages of Arrow IPC, one record batch after the other.
//!
//! The file format is the stream format between two marks and a footer for random access, which
//! is of no use here; so both are read as a stream, also from a pipe. The framing is read here and
//! arrow-ipc gets whole messages only: its own readers allocate whatever length a message claims,
//! and one flipped byte ends the program.

use super::sniff::ARROW_FILE;
use crate::io::error::{Error, FileName, Result};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamDecoder;
use arrow_schema::{ArrowError, Schema};
use std::io::{self, Read, Write};

/// Feather of the first version, which is another format.
const FEATHER_1: &[u8] = b"FEA1";
/// Stands before the length of a message, except in files of before 2019.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// A compressed buffer that claims to be more than this many times its size is malformed; the
/// densest codec, zstd, reaches half of it.
const DENSEST: i64 = 1 << 16;
/// Words of zeros that may follow the mark of a file.
const MOST_PADDING: usize = 64 / 4;
/// Before each compressed buffer stands its length when unpacked.
const PREFIX: usize = 8;

pub(super) struct Messages {
    file: FileName,
    reader: Box<dyn Read + Send>,
    decoder: StreamDecoder,
    /// Whether a footer follows.
    is_file: bool,
    ended: bool,
}

/// A message as it stands in the file.
struct Message {
    /// Continuation and length.
    head: Vec<u8>,
    metadata: Vec<u8>,
    body: Vec<u8>,
}

impl Messages {
    /// Reads up to the first record batch.
    pub(super) fn open(file: FileName, mut reader: Box<dyn Read + Send>) -> Result<(Self, Schema)> {
        let mut start = read_up_to(&file, &mut reader, 4)?;
        if start == FEATHER_1 {
            return Err(file.content("Feather version 1 is not supported; version 2 is (it is Arrow IPC)"));
        }
        let is_file = start == ARROW_FILE[..4];
        if is_file {
            // The rest of the mark and its padding, to 8 bytes or, by some writers, to 64.
            read_up_to(&file, &mut reader, 4)?;
            for _ in 0..MOST_PADDING {
                start = read_up_to(&file, &mut reader, 4)?;
                if start != [0; 4] {
                    break;
                }
            }
        }
        let reader = Box::new(io::Cursor::new(start).chain(reader));
        let mut messages = Self { file, reader, decoder: StreamDecoder::new(), is_file, ended: false };
        let Some(message) = messages.next_message()? else {
            return Err(messages.file.content("truncated: there is no schema"));
        };
        let parsed = messages.parse(&message.metadata)?;
        let schema = parsed.header_as_schema().map(arrow_ipc::convert::fb_to_schema);
        let schema =
            schema.ok_or_else(|| messages.file.content("malformed: it does not begin with a schema"))?;
        messages.feed(message)?;
        Ok((messages, schema))
    }

    /// The next record batch.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        while let Some(message) = self.next_message()? {
            if let Some(batch) = self.feed(message)? {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    fn next_message(&mut self) -> Result<Option<Message>> {
        if self.ended {
            return Ok(None);
        }
        let mut head = self.read(4)?;
        if head.is_empty() && !self.is_file {
            // A stream may end without a mark.
            self.ended = true;
            return Ok(None);
        }
        let mut length = self.whole(head.clone(), 4)?;
        if length == CONTINUATION {
            let after = self.read(4)?;
            length = self.whole(after, 4)?;
            head.extend_from_slice(&length);
        }
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        if length == 0 {
            self.ended = true;
            return self.check_end().map(|()| None);
        }
        let metadata = self.read(u64::from(length))?;
        let metadata = self.whole(metadata, u64::from(length))?;
        let body_length = self.parse(&metadata)?.bodyLength();
        let body_length = u64::try_from(body_length)
            .map_err(|_| self.file.content("malformed: a message of negative length"))?;
        let body = self.read(body_length)?;
        let body = self.whole(body, body_length)?;
        self.check_unpacked(&metadata, &body)?;
        Ok(Some(Message { head, metadata, body }))
    }

    /// Hands a whole message to the decoder.
    fn feed(&mut self, message: Message) -> Result<Option<RecordBatch>> {
        for part in [message.head, message.metadata, message.body] {
            let batch = self.decoder.decode(&mut part.into());
            if let Some(batch) = batch.map_err(|error| self.explain(error))? {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// A file has its footer and its mark; without them it was not written to the end.
    fn check_end(&mut self) -> Result<()> {
        if self.is_file {
            let mut mark = End::default();
            io::copy(&mut self.reader, &mut mark).map_err(|error| self.file.system(error))?;
            if mark.bytes != ARROW_FILE {
                return Err(self.file.content("truncated: the footer is incomplete"));
            }
        }
        Ok(())
    }

    fn parse<'m>(&self, metadata: &'m [u8]) -> Result<arrow_ipc::Message<'m>> {
        arrow_ipc::root_as_message(metadata)
            .map_err(|error| self.file.content(format_args!("malformed: not an Arrow message: {error}")))
    }

    /// Whether what the compressed buffers of a message claim to unpack to can be true.
    fn check_unpacked(&self, metadata: &[u8], body: &[u8]) -> Result<()> {
        let message = self.parse(metadata)?;
        let batch = message
            .header_as_record_batch()
            .or_else(|| message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()));
        let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else { return Ok(()) };
        // A buffer of no bytes, such as that of no nulls, has no length before it.
        let buffers = batch.buffers().into_iter().flatten();
        for buffer in buffers.filter(|buffer| buffer.length() > 0) {
            let prefix =
                usize::try_from(buffer.offset()).ok().and_then(|at| body.get(at..at.checked_add(PREFIX)?));
            let claimed = prefix.and_then(|prefix| prefix.try_into().ok()).map_or(0, i64::from_le_bytes);
            if claimed > buffer.length().saturating_mul(DENSEST) {
                return Err(self.file.content(format_args!(
                    "malformed: a buffer of {} bytes that claims to unpack to {claimed}",
                    buffer.length()
                )));
            }
        }
        Ok(())
    }

    fn read(&mut self, length: u64) -> Result<Vec<u8>> {
        read_up_to(&self.file, &mut self.reader, length)
    }

    fn whole(&self, bytes: Vec<u8>, length: u64) -> Result<Vec<u8>> {
        if bytes.len() as u64 == length {
            Ok(bytes)
        } else {
            Err(self.file.content("truncated: the file ends within a message"))
        }
    }

    fn explain(&self, error: ArrowError) -> Error {
        match error {
            ArrowError::IoError(_, error) => self.file.system(error),
            other => self.file.content(format_args!("malformed: {other}")),
        }
    }
}

/// Keeps the last bytes of what is written to it, as many as the mark has.
#[derive(Default)]
struct End {
    bytes: Vec<u8>,
}

impl Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let last = &bytes[bytes.len().saturating_sub(ARROW_FILE.len())..];
        self.bytes.extend_from_slice(last);
        self.bytes.drain(..self.bytes.len().saturating_sub(ARROW_FILE.len()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// At most `length` bytes, fewer at the end; memory grows with what is there, not with `length`.
fn read_up_to(file: &FileName, reader: &mut Box<dyn Read + Send>, length: u64) -> Result<Vec<u8>> {
    // A length is only a claim: up to here it is believed, which spares the growing.
    let mut bytes = Vec::with_capacity(length.min(1 << 20) as usize);
    reader.take(length).read_to_end(&mut bytes).map_err(|error| file.system(error))?;
    Ok(bytes)
}
