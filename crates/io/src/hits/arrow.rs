//! Hits as an Arrow table: Parquet, Arrow IPC file and stream.

use super::HitFormat;
use super::values::{Named, Values, rows};
use super::writer::Sink;
use crate::error::Problem;
use crate::excerpt;
use crate::output::Output;
use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use arrow_select::coalesce::BatchCoalescer;
use lanecast::Threads;
use lanecast::support::map_on;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Rows per record batch, and the unit in which Parquet is fed, so that the bytes of the file do
/// not depend on the chunks in which the answers came.
const BATCH: usize = 1 << 16;
/// Batches of a row group of Parquet: 2^20 rows.
const GROUP: usize = 16;

pub(super) struct ArrowSink {
    schema: SchemaRef,
    writer: Writer,
    /// Rows that do not make a whole batch yet.
    pending: BatchCoalescer,
}

enum Writer {
    Parquet(Box<ParquetWriter>),
    File(FileWriter<Output>),
    Stream(StreamWriter<Output>),
}

impl ArrowSink {
    pub(super) fn new(
        output: Output,
        columns: &[Named<'_>],
        format: HitFormat,
    ) -> Result<Self, Problem> {
        let field = |&(name, values): &Named<'_>| {
            Field::new(name, to_array(values, 0..0).data_type().clone(), values.is_nullable())
        };
        let schema: SchemaRef = Schema::new(columns.iter().map(field).collect::<Vec<_>>()).into();
        let writer = match format {
            HitFormat::ArrowFile => Writer::File(FileWriter::try_new(output, &schema)?),
            HitFormat::ArrowStream => Writer::Stream(StreamWriter::try_new(output, &schema)?),
            _ => {
                let properties = Some(properties(columns));
                let writer = ArrowWriter::try_new(output, schema.clone(), properties)?;
                let (file, groups) = writer.into_serialized_writer()?;
                let (columns, batches) = (Vec::new(), 0);
                Writer::Parquet(Box::new(ParquetWriter { file, groups, columns, batches }))
            }
        };
        // A whole batch is handed on as it is where nothing is pending.
        let pending = BatchCoalescer::new(schema.clone(), BATCH)
            .with_biggest_coalesce_batch_size(Some(BATCH - 1));
        Ok(Self { schema, writer, pending })
    }

    /// Writes the batches that are whole.
    fn flush(&mut self, threads: &Threads) -> Result<(), Problem> {
        while let Some(batch) = self.pending.next_completed_batch() {
            match &mut self.writer {
                Writer::Parquet(writer) => writer.write(&batch, threads)?,
                Writer::File(writer) => writer.write(&batch)?,
                Writer::Stream(writer) => writer.write(&batch)?,
            }
        }
        Ok(())
    }
}

/// A dictionary takes most of the time of writing and pays for text alone: integers are row numbers
/// and ids, whose differences are small, and floats hardly repeat.
fn properties(columns: &[Named<'_>]) -> WriterProperties {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("lanecast".to_owned())
        .set_dictionary_enabled(false);
    let of_column = |properties: WriterPropertiesBuilder, &(name, values): &Named<'_>| match values
    {
        Values::Status(_) | Values::Text(_) | Values::OptionText(_) => {
            properties.set_column_dictionary_enabled(name.into(), true)
        }
        Values::I64(_) | Values::I32(_) | Values::OptionI64(_) => {
            properties.set_column_encoding(name.into(), Encoding::DELTA_BINARY_PACKED)
        }
        _ => properties,
    };
    columns.iter().fold(properties, of_column).build()
}

/// Writes row groups of [`GROUP`] batches, whose columns are encoded at once.
struct ParquetWriter {
    file: SerializedFileWriter<Output>,
    groups: ArrowRowGroupWriterFactory,
    /// Those of the row group that is being written, if it has begun.
    columns: Vec<ArrowColumnWriter>,
    /// How many batches it has.
    batches: usize,
}

impl ParquetWriter {
    fn write(&mut self, batch: &RecordBatch, threads: &Threads) -> Result<(), ParquetError> {
        if self.columns.is_empty() {
            let group = self.file.flushed_row_groups().len();
            self.columns = self.groups.create_column_writers(group)?;
        }
        let fields = batch.schema_ref().fields().iter().zip(batch.columns());
        let columns = self.columns.iter_mut().zip(fields).collect();
        let written = map_on(threads, columns, &|(writer, (field, array)): (
            &mut ArrowColumnWriter,
            (&Arc<Field>, &ArrayRef),
        )| {
            compute_leaves(field, array)?.iter().try_for_each(|leaf| writer.write(leaf))
        });
        written.into_iter().collect::<Result<(), _>>()?;
        self.batches += 1;
        if self.batches == GROUP { self.end_group(threads) } else { Ok(()) }
    }

    fn end_group(&mut self, threads: &Threads) -> Result<(), ParquetError> {
        if self.batches == 0 {
            return Ok(());
        }
        self.batches = 0;
        let columns = std::mem::take(&mut self.columns);
        let mut group = self.file.next_row_group()?;
        for column in map_on(threads, columns, &ArrowColumnWriter::close) {
            column?.append_to_row_group(&mut group)?;
        }
        group.close().map(drop)
    }

    fn finish(mut self) -> Result<Output, ParquetError> {
        self.end_group(&Threads::ONE)?;
        self.file.into_inner()
    }
}

impl Sink for ArrowSink {
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem> {
        let rows = rows(columns);
        for start in (0..rows).step_by(BATCH) {
            let range = start..rows.min(start + BATCH);
            let arrays = columns.iter().map(|(_, values)| to_array(*values, range.clone()));
            let batch = RecordBatch::try_new(self.schema.clone(), arrays.collect())?;
            self.pending.push_batch(batch)?;
            self.flush(threads)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Problem> {
        self.pending.finish_buffered_batch()?;
        self.flush(&Threads::ONE)?;
        let output = match self.writer {
            Writer::Parquet(writer) => writer.finish()?,
            Writer::File(writer) => writer.into_inner()?,
            Writer::Stream(writer) => writer.into_inner()?,
        };
        Ok(output.finish()?)
    }
}

fn to_array(values: Values<'_>, rows: Range<usize>) -> ArrayRef {
    match values {
        Values::I64(values) => Arc::new(Int64Array::from(values[rows].to_vec())),
        Values::I32(values) => Arc::new(Int32Array::from(values[rows].to_vec())),
        Values::F32(values) => Arc::new(Float32Array::from(values[rows].to_vec())),
        Values::F64(values) => Arc::new(Float64Array::from(values[rows].to_vec())),
        Values::Bool(values) => Arc::new(BooleanArray::from(values[rows].to_vec())),
        Values::Status(values) => {
            let words = values[rows].iter().map(|status| status.name());
            Arc::new(StringArray::from_iter_values(words))
        }
        Values::Text(values) => Arc::new(StringArray::from_iter_values(&values[rows])),
        Values::OptionI64(values) => Arc::new(Int64Array::from(values[rows].to_vec())),
        Values::OptionF32(values) => Arc::new(Float32Array::from(values[rows].to_vec())),
        Values::OptionF64(values) => Arc::new(Float64Array::from(values[rows].to_vec())),
        Values::OptionBool(values) => Arc::new(BooleanArray::from(values[rows].to_vec())),
        Values::OptionText(values) => {
            Arc::new(values[rows].iter().map(Option::as_deref).collect::<StringArray>())
        }
    }
}

impl From<ArrowError> for Problem {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => Self::System(error),
            other => foreign(&other),
        }
    }
}

impl From<ParquetError> for Problem {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => Self::System(*error),
                Err(other) => foreign(&other),
            },
            other => foreign(&other),
        }
    }
}

fn foreign(error: &impl ToString) -> Problem {
    Problem::Content(excerpt(&error.to_string()).into_owned())
}
