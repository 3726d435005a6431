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
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Rows per record batch, and the unit in which Parquet is fed, so that the bytes of the file do
/// not depend on the chunks in which the answers came.
const BATCH: usize = 1 << 16;

pub(super) struct ArrowSink {
    schema: SchemaRef,
    writer: Writer,
    /// Rows that do not make a whole batch yet.
    pending: BatchCoalescer,
}

enum Writer {
    Parquet(Box<ArrowWriter<Output>>),
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
            Field::new(name, to_array(values, 0..0).data_type().clone(), false)
        };
        let schema: SchemaRef = Schema::new(columns.iter().map(field).collect::<Vec<_>>()).into();
        let writer = match format {
            HitFormat::ArrowFile => Writer::File(FileWriter::try_new(output, &schema)?),
            HitFormat::ArrowStream => Writer::Stream(StreamWriter::try_new(output, &schema)?),
            _ => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_created_by("lanecast".to_owned())
                    .build();
                let writer = ArrowWriter::try_new(output, schema.clone(), Some(properties))?;
                Writer::Parquet(Box::new(writer))
            }
        };
        // A whole batch is handed on as it is where nothing is pending.
        let pending = BatchCoalescer::new(schema.clone(), BATCH)
            .with_biggest_coalesce_batch_size(Some(BATCH - 1));
        Ok(Self { schema, writer, pending })
    }

    /// Writes the batches that are whole.
    fn flush(&mut self) -> Result<(), Problem> {
        while let Some(batch) = self.pending.next_completed_batch() {
            match &mut self.writer {
                Writer::Parquet(writer) => writer.write(&batch)?,
                Writer::File(writer) => writer.write(&batch)?,
                Writer::Stream(writer) => writer.write(&batch)?,
            }
        }
        Ok(())
    }
}

impl Sink for ArrowSink {
    fn write(&mut self, columns: &[Named<'_>]) -> Result<(), Problem> {
        let rows = rows(columns);
        for start in (0..rows).step_by(BATCH) {
            let range = start..rows.min(start + BATCH);
            let arrays = columns.iter().map(|(_, values)| to_array(*values, range.clone()));
            let batch = RecordBatch::try_new(self.schema.clone(), arrays.collect())?;
            self.pending.push_batch(batch)?;
            self.flush()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Problem> {
        self.pending.finish_buffered_batch()?;
        self.flush()?;
        let output = match self.writer {
            Writer::Parquet(writer) => writer.into_inner()?,
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
