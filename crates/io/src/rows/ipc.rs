//! The messages of Arrow IPC, one record batch after the other.
//!
//! The file format is the stream format between two marks and a footer for random access; both are
//! read as a stream, also from a pipe. The footer says where the batches stand, so it is held
//! against those that were read: without it a length that became zero would be the end of the
//! stream, and what follows would be lost. The framing is read here and arrow-ipc gets whole
//! messages only: its own readers allocate whatever length a message claims, and one flipped byte
//! ends the program. Only the columns of a row are decoded.

use super::format::ARROW_FILE;
use crate::error::{Error, FileName, InFile, Result};
use crate::most::Most;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Block, CompressionType, Field, KeyValue, MessageHeader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Feather of the first version, which is another format.
const FEATHER_1: &[u8] = b"FEA1";
/// Stands before the length of a message, except in files of before 2019.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// A compressed buffer that claims to be more than this many times its size is malformed: a block
/// of zstd unpacks to 128 KiB at most and takes four bytes, the run of a byte of LZ4 one for
/// each 255.
const DENSEST_ZSTD: i64 = 1 << 15;
const DENSEST_LZ4: i64 = 1 << 8;
/// Values of a dictionary are copied each time that some are added: time, not memory, is bounded.
const MOST_COPIED: Most = Most { believed: 1 << 30, for_each_byte: 1 << 10 };
/// Offsets in a schema may name one part many times. By this many times what the schema has bytes
/// it may grow.
const DENSEST_SCHEMA: usize = 4;
/// Words of zeros that may follow the mark of a file.
const MOST_PADDING: usize = 64 / 4;
/// A footer holds the schema, where each batch stands, and what programs put there: up to this many
/// bytes.
const LONGEST_FOOTER: usize = 1 << 20;
/// The bytes of a footer for a batch.
const BLOCK: usize = 24;
/// Before each compressed buffer stands its length when unpacked.
const PREFIX: usize = 8;

pub(super) struct Messages {
    file: FileName,
    reader: Box<dyn Read + Send>,
    /// How many bytes of the file are read.
    position: u64,
    schema: SchemaRef,
    /// The columns that are decoded, all of them unless [`project`](Self::project) says otherwise.
    columns: Option<Vec<usize>>,
    /// The values of encoded columns, by the number of the dictionary.
    values: HashMap<i64, ArrayRef>,
    /// How many bytes of these were copied when values were added.
    copied: u64,
    /// Whether a footer follows.
    is_file: bool,
    ended: bool,
    /// Where each batch of a file stands, those of dictionaries apart.
    batches: Vec<Place>,
    dictionaries: Vec<Place>,
    /// The bytes of the schema, which stands in the footer too.
    schema_length: usize,
}

/// Where a message begins, and how long its body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    offset: i64,
    body: i64,
}

/// A message as it stands in the file, behind its length.
struct Message {
    metadata: Vec<u8>,
    body: Vec<u8>,
}

impl Messages {
    /// Reads up to the first record batch.
    pub(super) fn open(file: FileName, mut reader: Box<dyn Read + Send>) -> Result<Self> {
        let mut start = read_up_to(&file, &mut reader, 4)?;
        let mut position = 0;
        if start == FEATHER_1 {
            return Err(
                file.content("Feather version 1 is not supported; version 2 is (it is Arrow IPC)")
            );
        }
        let is_file = start == ARROW_FILE[..4];
        if is_file {
            // The rest of the mark and its padding, to 8 bytes or, by some writers, to 64.
            read_up_to(&file, &mut reader, 4)?;
            position = 4;
            for _ in 0..MOST_PADDING {
                start = read_up_to(&file, &mut reader, 4)?;
                position += 4;
                if start != [0; 4] {
                    break;
                }
            }
        }
        let reader = Box::new(io::Cursor::new(start).chain(reader));
        let mut messages = Self {
            file,
            reader,
            position,
            schema: Arc::new(Schema::empty()),
            columns: None,
            values: HashMap::new(),
            copied: 0,
            is_file,
            ended: false,
            batches: Vec::new(),
            dictionaries: Vec::new(),
            schema_length: 0,
        };
        let Some(message) = messages.next_message()? else {
            return Err(messages.file.content("truncated: there is no schema"));
        };
        messages.schema_length = message.metadata.len();
        let parsed = messages.parse(&message.metadata)?;
        let Some(schema) = parsed.header_as_schema() else {
            return Err(messages.file.content("malformed: it does not begin with a schema"));
        };
        let size =
            size_of_fields(schema.fields()).saturating_add(size_of_texts(schema.custom_metadata()));
        if size > DENSEST_SCHEMA * messages.schema_length {
            return Err(messages
                .file
                .content("malformed: parts of its schema are used many times"));
        }
        messages.schema = Arc::new(arrow_ipc::convert::fb_to_schema(schema));
        Ok(messages)
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Decodes these columns alone, in this order.
    pub(super) fn project(&mut self, columns: Vec<usize>) {
        self.columns = Some(columns);
    }

    /// The next record batch.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        while let Some(message) = self.next_message()? {
            if let Some(batch) = self.decode(message)? {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    fn next_message(&mut self) -> Result<Option<Message>> {
        if self.ended {
            return Ok(None);
        }
        let offset = self.position;
        let head = self.read(4)?;
        if head.is_empty() && !self.is_file {
            // A stream may end without a mark.
            self.ended = true;
            return Ok(None);
        }
        let mut length = self.whole(head, 4)?;
        if length == CONTINUATION {
            let after = self.read(4)?;
            length = self.whole(after, 4)?;
        }
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        if length == 0 {
            self.ended = true;
            return self.check_end().map(|()| None);
        }
        let metadata = self.read(u64::from(length))?;
        let metadata = self.whole(metadata, u64::from(length))?;
        let (kind, body_length) = {
            let message = self.parse(&metadata)?;
            (message.header_type(), message.bodyLength())
        };
        let place = Place { offset: offset as i64, body: body_length };
        match kind {
            MessageHeader::RecordBatch if self.is_file => self.batches.push(place),
            MessageHeader::DictionaryBatch if self.is_file => self.dictionaries.push(place),
            _ => {}
        }
        let body_length = u64::try_from(body_length)
            .map_err(|_| self.file.content("malformed: a message of negative length"))?;
        let body = self.read(body_length)?;
        let body = self.whole(body, body_length)?;
        self.check_unpacked(&metadata, &body)?;
        Ok(Some(Message { metadata, body }))
    }

    /// The record batch of a message, or the values of a dictionary, which are kept.
    fn decode(&mut self, message: Message) -> Result<Option<RecordBatch>> {
        let Message { metadata, body } = message;
        let (message, body) = (self.parse(&metadata)?, body.into());
        let version = message.version();
        match message.header_type() {
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch().ok_or_else(|| self.no_header())?;
                let length = batch.length();
                if i32::try_from(length).map_or(true, |length| length < 0) {
                    return Err(self
                        .file
                        .content(format_args!("malformed: a record batch of {length} rows")));
                }
                let (schema, columns) = (Arc::clone(&self.schema), self.columns.as_deref());
                let batch =
                    read_record_batch(&body, batch, schema, &self.values, columns, &version);
                batch.map(Some).map_err(|error| self.explain(error))
            }
            MessageHeader::DictionaryBatch => {
                let values =
                    message.header_as_dictionary_batch().ok_or_else(|| self.no_header())?;
                self.copied += match self.values.get(&values.id()) {
                    Some(before) if values.isDelta() => before.get_buffer_memory_size() as u64,
                    _ => 0,
                };
                let what = "the bytes of dictionaries that are copied when more is added to them";
                MOST_COPIED.check(what, self.copied, self.position).in_file(&self.file)?;
                let schema = Arc::clone(&self.schema);
                let read = read_dictionary(&body, values, &schema, &mut self.values, &version);
                read.map(|()| None).map_err(|error| self.explain(error))
            }
            MessageHeader::NONE => Ok(None),
            MessageHeader::Schema => Err(self.file.content("malformed: a second schema")),
            other => {
                Err(self.file.content(format_args!("malformed: a message of the kind {other:?}")))
            }
        }
    }

    fn no_header(&self) -> Error {
        self.file.content("malformed: a message without its header")
    }

    /// Nothing follows a stream. A file has its footer and its mark; without them it was not
    /// written to the end.
    fn check_end(&mut self) -> Result<()> {
        if !self.is_file {
            let ended = self.position;
            return if self.read(1)?.is_empty() {
                Ok(())
            } else {
                Err(self
                    .file
                    .content(format_args!("more follows the end of the stream at byte {ended}")))
            };
        }
        let blocks = self.batches.len() + self.dictionaries.len();
        let longest = LONGEST_FOOTER + 2 * self.schema_length + 2 * BLOCK * blocks;
        let mut end = End { bytes: Vec::new(), longest };
        io::copy(&mut self.reader, &mut end).in_file(&self.file)?;
        let footer =
            end.bytes.strip_suffix(ARROW_FILE).and_then(|bytes| bytes.split_last_chunk::<4>());
        let Some((before, length)) = footer else {
            return Err(self.file.content("truncated: the footer is incomplete"));
        };
        let length = u32::from_le_bytes(*length) as usize;
        let Some(start) = before.len().checked_sub(length) else {
            return Err(self.file.content(format_args!("malformed: a footer of {length} bytes")));
        };
        let footer = arrow_ipc::root_as_footer(&before[start..])
            .map_err(|error| self.file.foreign("malformed: not an Arrow footer: ", error))?;
        self.compare("record batch", footer.recordBatches().into_iter().flatten(), &self.batches)?;
        self.compare(
            "dictionary batch",
            footer.dictionaries().into_iter().flatten(),
            &self.dictionaries,
        )
    }

    /// Whether the batches that the footer names are those that were read.
    fn compare<'b>(
        &self,
        what: &str,
        named: impl Iterator<Item = &'b Block>,
        read: &[Place],
    ) -> Result<()> {
        let place = |block: &Block| Place { offset: block.offset(), body: block.bodyLength() };
        let mut named: Vec<_> = named.map(place).collect();
        // A footer may name them in any order; they were read in that of the file.
        named.sort_unstable();
        let (names, there) = (named.len(), read.len());
        if let Some(number) = (0..names).find(|&number| read.get(number) != Some(&named[number])) {
            let Place { offset, .. } = named[number];
            return Err(self.file.content(format_args!(
                "damaged: {what} {number} of {names} is not at byte {offset}, where the footer has it"
            )));
        }
        if names < there {
            let what = format_args!("damaged: the footer names {names} of {there} {what}es");
            return Err(self.file.content(what));
        }
        Ok(())
    }

    fn parse<'m>(&self, metadata: &'m [u8]) -> Result<arrow_ipc::Message<'m>> {
        arrow_ipc::root_as_message(metadata)
            .map_err(|error| self.file.foreign("malformed: not an Arrow message: ", error))
    }

    /// Whether the buffers of a message are bytes of their own, and what compressed ones claim to
    /// unpack to can be true.
    fn check_unpacked(&self, metadata: &[u8], body: &[u8]) -> Result<()> {
        let message = self.parse(metadata)?;
        let batch = message.header_as_record_batch().or_else(|| {
            message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data())
        });
        let Some(batch) = batch else { return Ok(()) };
        let densest = batch.compression().map(|compression| match compression.codec() {
            CompressionType::LZ4_FRAME => DENSEST_LZ4,
            _ => DENSEST_ZSTD,
        });
        // A buffer of no bytes, such as that of no nulls, has no length before it.
        let buffers = batch.buffers().into_iter().flatten();
        let mut together = 0_i64;
        for buffer in buffers.filter(|buffer| buffer.length() > 0) {
            let prefix = usize::try_from(buffer.offset())
                .ok()
                .and_then(|at| body.get(at..at.checked_add(PREFIX)?));
            let claimed =
                prefix.and_then(|prefix| prefix.try_into().ok()).map_or(0, i64::from_le_bytes);
            if densest.is_some_and(|densest| claimed > buffer.length().saturating_mul(densest)) {
                return Err(self.file.content(format_args!(
                    "malformed: a buffer of {} bytes that claims to unpack to {claimed}",
                    buffer.length()
                )));
            }
            together = together.saturating_add(buffer.length());
        }
        // Each would be unpacked, or copied, by itself.
        if u64::try_from(together).is_ok_and(|together| together > body.len() as u64) {
            let there = body.len();
            let what =
                format_args!("malformed: buffers of {together} bytes in {there} that are there");
            return Err(self.file.content(what));
        }
        Ok(())
    }

    fn read(&mut self, length: u64) -> Result<Vec<u8>> {
        let bytes = read_up_to(&self.file, &mut self.reader, length)?;
        self.position += bytes.len() as u64;
        Ok(bytes)
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
            other => self.file.foreign("malformed: ", other),
        }
    }
}

/// Keeps the last bytes of what is written to it, up to twice `longest`.
struct End {
    bytes: Vec<u8>,
    longest: usize,
}

impl Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > 2 * self.longest {
            self.bytes.drain(..self.bytes.len().saturating_sub(self.longest));
        }
        self.bytes.extend_from_slice(bytes);
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
    reader.take(length).read_to_end(&mut bytes).in_file(file)?;
    Ok(bytes)
}

/// The bytes of texts that fields have, and some for each, however often a part of the schema is
/// used.
fn size_of_fields<'s>(fields: Option<impl IntoIterator<Item = Field<'s>>>) -> usize {
    let size = |field: Field<'s>| {
        let name = field.name().map_or(0, str::len);
        let more = size_of_texts(field.custom_metadata());
        16_usize.saturating_add(name).saturating_add(more).saturating_add(size_of_children(&field))
    };
    fields.into_iter().flatten().map(size).fold(0, usize::saturating_add)
}

fn size_of_children(field: &Field<'_>) -> usize {
    // One deep after another: how deep, the verifier of messages has seen to.
    size_of_fields(field.children())
}

fn size_of_texts<'s>(texts: Option<impl IntoIterator<Item = KeyValue<'s>>>) -> usize {
    let size = |text: KeyValue<'s>| {
        let [key, value] = [text.key(), text.value()].map(|text| text.map_or(0, str::len));
        16_usize.saturating_add(key).saturating_add(value)
    };
    texts.into_iter().flatten().map(size).fold(0, usize::saturating_add)
}
