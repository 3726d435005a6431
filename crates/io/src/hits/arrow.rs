//! Hits as an Arrow table: Parquet, Arrow IPC file and stream.

use super::HitFormat;
use super::table::{Column, Table};
use super::values::{Named, Values};
use super::writer::Sink;
use crate::error::{FileName, Result};
use crate::output::{Output, explain};
use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::sync::Arc;

/// Rows per record batch, and the unit in which Parquet is fed, so that the bytes of the file do
/// not depend on the chunks in which the answers came.
const BATCH: usize = 1 << 16;

pub(super) struct ArrowSink {
    name: FileName,
    schema: SchemaRef,
    writer: Writer,
    /// Rows that do not make a whole batch yet.
    pending: Table,
}

enum Writer {
    Parquet(Box<ArrowWriter<Output>>),
    File(FileWriter<Output>),
    Stream(StreamWriter<Output>),
}

impl Writer {
    fn open(output: Output, schema: &SchemaRef, format: HitFormat) -> Result<Self, Failure> {
        Ok(match format {
            HitFormat::ArrowFile => Self::File(FileWriter::try_new(output, schema)?),
            HitFormat::ArrowStream => Self::Stream(StreamWriter::try_new(output, schema)?),
            _ => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_created_by("lanecast".to_owned())
                    .build();
                let writer = ArrowWriter::try_new(output, schema.clone(), Some(properties))?;
                Self::Parquet(Box::new(writer))
            }
        })
    }
}

impl ArrowSink {
    pub(super) fn new(
        name: FileName,
        output: Output,
        columns: &[Named<'_>],
        format: HitFormat,
    ) -> Result<Self> {
        let pending = Table::like(columns);
        let schema = Arc::new(schema(columns));
        let writer = Writer::open(output, &schema, format).map_err(|failure| failure.of(&name))?;
        Ok(Self { name, schema, writer, pending })
    }

    /// Writes what is pending as one batch.
    fn flush(&mut self) -> Result<(), Failure> {
        let arrays = self.pending.columns.iter_mut().map(|(_, column)| to_array(column)).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays)?;
        match &mut self.writer {
            Writer::Parquet(writer) => writer.write(&batch)?,
            Writer::File(writer) => writer.write(&batch)?,
            Writer::Stream(writer) => writer.write(&batch)?,
        }
        Ok(())
    }

    fn close(mut self) -> Result<(), Failure> {
        if self.pending.rows() > 0 {
            self.flush()?;
        }
        let output = match self.writer {
            Writer::Parquet(writer) => writer.into_inner()?,
            Writer::File(writer) => writer.into_inner()?,
            Writer::Stream(writer) => writer.into_inner()?,
        };
        Ok(output.finish()?)
    }
}

impl Sink for ArrowSink {
    fn write(&mut self, columns: &[Named<'_>]) -> Result<()> {
        let (mut start, rows) = (0, columns.first().map_or(0, |(_, values)| values.len()));
        while start < rows {
            let count = (BATCH - self.pending.rows()).min(rows - start);
            self.pending.append(columns, start..start + count);
            start += count;
            if self.pending.rows() == BATCH {
                self.flush().map_err(|failure| failure.of(&self.name))?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let name = self.name.clone();
        self.close().map_err(|failure| failure.of(&name))
    }
}

fn schema(columns: &[Named<'_>]) -> Schema {
    let field = |&(name, values): &Named<'_>| {
        let data_type = match values {
            Values::I64(_) => DataType::Int64,
            Values::I32(_) => DataType::Int32,
            Values::F32(_) => DataType::Float32,
            Values::F64(_) => DataType::Float64,
            Values::Bool(_) => DataType::Boolean,
            Values::Status(_) | Values::Text(_) => DataType::Utf8,
        };
        Field::new(name, data_type, false)
    };
    Schema::new(columns.iter().map(field).collect::<Vec<_>>())
}

/// Moves the values out of a column.
fn to_array(column: &mut Column) -> ArrayRef {
    match column {
        Column::I64(values) => Arc::new(Int64Array::from(std::mem::take(values))),
        Column::I32(values) => Arc::new(Int32Array::from(std::mem::take(values))),
        Column::F32(values) => Arc::new(Float32Array::from(std::mem::take(values))),
        Column::F64(values) => Arc::new(Float64Array::from(std::mem::take(values))),
        Column::Bool(values) => Arc::new(BooleanArray::from(std::mem::take(values))),
        Column::Status(values) => {
            let words = StringArray::from_iter_values(values.iter().map(|status| status.name()));
            values.clear();
            Arc::new(words)
        }
        Column::Text(values) => Arc::new(StringArray::from_iter_values(std::mem::take(values))),
    }
}

/// What the writers below complain of, with the system's own error kept apart.
struct Failure(Box<dyn std::error::Error + Send + Sync>);

impl Failure {
    fn of(self, name: &FileName) -> crate::Error {
        explain(name, self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.into())
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => error.into(),
            other => Self(other.into()),
        }
    }
}

impl From<ParquetError> for Failure {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => Self(error),
            other => Self(other.into()),
        }
    }
}
