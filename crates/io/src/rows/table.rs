//! Rows as an Arrow table: Parquet and Arrow IPC.

use super::columns::Columns;
use super::format::Input;
use super::ipc::Messages;
use super::pages::Pages;
use super::{Chunk, Column, Moved, Row, Rows, Source, no_number};
use crate::error::{Error, FileName, InFile, Problem, Result, counted};
use crate::excerpt;
use crate::mesh::Coordinate;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::RowGroupMetaData;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

/// Rows of a Parquet file decoded at a time.
const PARQUET_BATCH: usize = 16_384;

type Batches = Box<dyn FnMut() -> Result<Option<RecordBatch>> + Send>;
/// Begins to read the columns at these places of the file, in its order.
type Begin = Box<dyn FnOnce(Vec<usize>) -> Result<Batches> + Send>;

struct TableRows {
    file: FileName,
    schema: SchemaRef,
    source: Batched,
    columns: Columns,
    total: Option<u64>,
    /// The batch being handed out, and how many of its rows have been.
    batch: Option<(RecordBatch, usize)>,
    row: u64,
}

/// Which columns are read is known only when reading begins.
enum Batched {
    Begin(Begin),
    Begun(Batches),
    /// An error ended it.
    Ended,
}

/// An Arrow IPC file or stream.
pub(super) fn open_arrow<R: Row>(file: FileName, input: Input) -> Result<Source<R>> {
    file.clone().guarded(|| {
        let mut messages = Messages::open(file.clone(), Box::new(BufReader::new(input)))?;
        let schema = messages.schema();
        let begin = move |wanted| {
            messages.project(wanted);
            Ok(Box::new(move || messages.next_batch()) as Batches)
        };
        source(file, schema, Box::new(begin), None)
    })
}

/// A Parquet file. It is read from its end.
pub(super) fn open_parquet<R: Row>(file: FileName, input: Input) -> Result<Source<R>> {
    let mut input = input.into_file().in_file(&file)?;
    file.clone().guarded(|| {
        check_ends(&mut input).in_file(&file)?;
        let pages = Pages::open(input).in_file(&file)?;
        let metadata = ArrowReaderMetadata::load(&pages, ArrowReaderOptions::new());
        let metadata = metadata.map_err(|error| file.foreign("", error))?;
        let total = metadata.metadata().file_metadata().num_rows();
        let in_groups: i64 =
            metadata.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).sum();
        if total != in_groups {
            let what = format_args!(
                "the footer counts {}, its row groups hold {in_groups}",
                counted(total, "row")
            );
            return Err(file.content(what));
        }
        let (name, schema) = (file.clone(), Arc::clone(metadata.schema()));
        let begin = move |wanted: Vec<usize>| {
            check_counts(&metadata, &pages, &wanted).in_file(&name)?;
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(pages, metadata);
            let mask = ProjectionMask::roots(builder.parquet_schema(), wanted);
            let mut reader = builder
                .with_projection(mask)
                .with_batch_size(PARQUET_BATCH)
                .build()
                .map_err(|error| name.foreign("", error))?;
            let mut row = 0;
            Ok(Box::new(move || {
                let batch = reader.next().transpose();
                let batch =
                    batch.map_err(|error| name.foreign(&format!("from row {row} on: "), error))?;
                row += batch.as_ref().map_or(0, RecordBatch::num_rows);
                Ok(batch)
            }) as Batches)
        };
        source(file, schema, Box::new(begin), u64::try_from(total).ok())
    })
}

/// Only the columns of a row and those kept are decoded: these, in the order of the file. The places
/// of columns become those among them.
fn project(columns: &mut Columns) -> Vec<usize> {
    let of_row = columns.numbers.iter_mut().chain([&mut columns.id]).flatten();
    let mut places: Vec<_> =
        of_row.chain(columns.kept.iter_mut().map(|(column, _)| column)).collect();
    let mut wanted: Vec<usize> = places.iter().map(|column| **column).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for column in &mut places {
        **column = wanted.partition_point(|wanted| wanted < *column);
    }
    wanted
}

fn source<R: Row>(
    file: FileName,
    schema: SchemaRef,
    begin: Begin,
    total: Option<u64>,
) -> Result<Source<R>> {
    let (mut columns, ignored) = find::<R>(&file, &schema)?;
    let id = columns.id.map(|column| schema.field(column).data_type());
    let text_ids =
        id.filter(|found| is_text(values_type(found))).map(|found| no_ids::<R>(&file, found));
    if text_ids.is_some() {
        columns.id = None;
    }
    let (has_ids, source) = (columns.id.is_some(), Batched::Begin(begin));
    let rows = TableRows { file, schema, source, columns, total, batch: None, row: 0 };
    Ok(Source { text_ids, ..Source::new(rows, total, has_ids, ignored) })
}

impl TableRows {
    /// Appends the rows `range` of a batch.
    fn append<R: Row>(
        &self,
        batch: &RecordBatch,
        range: &Range<usize>,
        chunk: &mut Chunk<R>,
    ) -> Result<()> {
        let Chunk { rows, ids, kept, moved } = chunk;
        let start = rows.len();
        rows.resize(start + range.len(), R::BLANK);
        let values = bytemuck::cast_slice_mut::<R, R::Number>(&mut rows[start..]);
        for (number, column) in self.columns.numbers.iter().enumerate() {
            if let &Some(column) = column {
                let to = values.iter_mut().skip(number).step_by(R::NAMES.len());
                let array = batch.column(column);
                match keys(array, range) {
                    Some((keys, values)) => put_chosen(values, &keys, to, number, moved),
                    None => put_numbers(array, range, to, number, moved),
                }
            }
        }
        if let Some(column) = self.columns.id {
            let array = batch.column(column);
            self.refuse_nulls(array, range, R::ID_NAME)?;
            let put = match keys(array, range) {
                Some((keys, values)) => put_chosen_ids(values, &keys, ids),
                None => put_ids(array, range, ids),
            };
            put.map_err(|(offset, value)| {
                self.file.content(format_args!(
                    "row {}: column \"{}\": {value} is beyond 64 bits with a sign",
                    self.row + offset as u64,
                    R::ID_NAME
                ))
            })?;
        }
        for ((column, _), to) in self.columns.kept.iter().zip(kept) {
            let array = batch.column(*column);
            put_kept(array, range, to).map_err(|(offset, value)| {
                self.file.content(format_args!(
                    "row {}: column \"{}\": {value} is beyond 64 bits with a sign",
                    self.row + offset as u64,
                    excerpt(batch.schema_ref().field(*column).name())
                ))
            })?;
        }
        Ok(())
    }

    /// The next batch of the columns that are read.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut batches = match std::mem::replace(&mut self.source, Batched::Ended) {
            Batched::Begin(begin) => begin(project(&mut self.columns))?,
            Batched::Begun(batches) => batches,
            Batched::Ended => return Ok(None),
        };
        let batch = batches()?;
        self.source = Batched::Begun(batches);
        Ok(batch)
    }

    /// Whether all rows that the file promises have come.
    fn check_end(&self) -> Result<()> {
        match self.total {
            Some(total) if self.row != total => Err(self.file.content(format_args!(
                "the footer counts {}, {} are there",
                counted(total, "row"),
                self.row
            ))),
            _ => Ok(()),
        }
    }

    fn refuse_nulls(&self, array: &dyn Array, range: &Range<usize>, name: &str) -> Result<()> {
        // Those of a dictionary may be among its values.
        let nulls = array.logical_nulls();
        let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) else { return Ok(()) };
        match range.clone().find(|&row| nulls.is_null(row)) {
            Some(row) => Err(self.file.content(format_args!(
                "row {}: column \"{name}\" is null",
                self.row + (row - range.start) as u64
            ))),
            None => Ok(()),
        }
    }
}

impl<R: Row> Rows<R> for TableRows {
    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>> {
        let Self { columns, schema, file, .. } = self;
        columns.keep(names, |column| kind_of(schema.field(column))).in_file(file)
    }

    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        while chunk.rows.len() < max_rows {
            let (batch, done) = match self.batch.take() {
                Some(pending) => pending,
                None => match self.file.clone().guarded(|| self.next_batch())? {
                    Some(batch) => (batch, 0),
                    None => return self.check_end(),
                },
            };
            let range = done..batch.num_rows().min(done + (max_rows - chunk.rows.len()));
            self.append(&batch, &range, chunk)?;
            self.row += range.len() as u64;
            if range.end < batch.num_rows() {
                self.batch = Some((batch, range.end));
            }
        }
        Ok(())
    }
}

/// Whether a Parquet file begins and ends as one does; the crate says the same of a damaged footer
/// and of one that is not there.
fn check_ends(input: &mut File) -> Result<(), Problem> {
    const MAGIC: [u8; 4] = *b"PAR1";
    let length = input.metadata()?.len();
    let mut ends = [[0; 4]; 2];
    if length >= 12 {
        input.read_exact(&mut ends[0])?;
        input.seek(SeekFrom::End(-4))?;
        input.read_exact(&mut ends[1])?;
        input.rewind()?;
    }
    let what = match ends {
        [MAGIC, MAGIC] => return Ok(()),
        [MAGIC, _] => {
            format!("truncated: it ends at byte {length} without the footer of a Parquet file")
        }
        _ => format!("not a Parquet file: {} that do not begin with PAR1", counted(length, "byte")),
    };
    Err(what.into())
}

/// Whether the columns of each row group hold as many values as it has rows, and lie in the file,
/// each by itself. Only those of the fields `wanted`, which ascend, are looked at: they hold numbers
/// and so one value in a row.
fn check_counts(
    metadata: &ArrowReaderMetadata,
    pages: &Pages,
    wanted: &[usize],
) -> Result<(), String> {
    let metadata = metadata.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let (mut ranges, name_of) =
        (Vec::new(), |leaf| excerpt(schema.column(leaf).name()).into_owned());
    for (number, group) in metadata.row_groups().iter().enumerate() {
        for (leaf, column) in group.columns().iter().enumerate() {
            if wanted.binary_search(&schema.get_column_root_idx(leaf)).is_err() {
                continue;
            }
            let (rows, values) = (group.num_rows(), column.num_values());
            if rows != values {
                let name = name_of(leaf);
                return Err(format!(
                    "row group {number} counts {rows} rows, its column \"{name}\" holds {values}"
                ));
            }
            let (start, length) = column.byte_range();
            if !pages.expect((start, length), column.compression()) {
                let name = name_of(leaf);
                return Err(format!(
                    "malformed: row group {number}: column \"{name}\" ends beyond the file"
                ));
            }
            if length > 0 {
                ranges.push((start, start + length, number, leaf));
            }
        }
    }
    // Each byte is read for one column: pages of two would be checked as those of one.
    ranges.sort_unstable();
    let shared = ranges.windows(2).find(|pair| pair[1].0 < pair[0].1);
    match shared {
        None => Ok(()),
        Some(pair) => {
            let (.., number, leaf) = pair[1];
            let name = name_of(leaf);
            Err(format!(
                "malformed: row group {number}: column \"{name}\" shares bytes with another"
            ))
        }
    }
}

/// Finds the columns and looks at their types.
fn find<R: Row>(file: &FileName, schema: &Schema) -> Result<(Columns, Vec<String>)> {
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let (columns, ignored) = Columns::find::<R>(&names).in_file(file)?;
    let data_type = |column: usize| values_type(schema.field(column).data_type());
    for (column, name) in columns.numbers.iter().zip(R::NAMES) {
        if let Some(found) = column.map(data_type)
            && !(found.is_integer() || found.is_floating() || *found == DataType::Null)
        {
            let found = excerpt(&found.to_string()).into_owned();
            return Err(
                file.content(format_args!("column \"{name}\": {found} is not a type of numbers"))
            );
        }
    }
    if let Some(found) = columns.id.map(data_type)
        && !(found.is_integer() || is_text(found))
    {
        return Err(no_ids::<R>(file, found));
    }
    Ok((columns, ignored))
}

/// Of a dictionary the type of its values.
fn values_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn no_ids<R: Row>(file: &FileName, found: &DataType) -> Error {
    let (found, id) = (found.to_string(), R::ID_NAME);
    let found = excerpt(&found);
    file.content(format_args!("column \"{id}\": {found} is not a type of whole numbers"))
}

/// As what a column is kept: no values.
fn kind_of(field: &Field) -> Result<Column, String> {
    Ok(match values_type(field.data_type()) {
        found if found.is_integer() => Column::I64(Vec::new()),
        DataType::Float16 | DataType::Float32 => Column::F32(Vec::new()),
        DataType::Float64 => Column::F64(Vec::new()),
        DataType::Boolean => Column::Bool(Vec::new()),
        found if is_text(found) || *found == DataType::Null => Column::Text(Vec::new()),
        found => {
            let (name, found) = (excerpt(field.name()), found.to_string());
            let found = excerpt(&found);
            return Err(format!(
                "column \"{name}\": {found} is not kept; numbers, booleans and text are"
            ));
        }
    })
}

/// Writes the numbers of a column, rounded once; `find` has seen to it that they are numbers.
/// Nothing is known of what is null, and the status of the row will say so.
fn put_numbers<'a, T: Coordinate>(
    array: &dyn Array,
    range: &Range<usize>,
    to: impl Iterator<Item = &'a mut T>,
    place: usize,
    moved: &mut Moved,
) {
    let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0);
    macro_rules! put {
        ($kind:ty, $convert:expr) => {{
            let values = &array.as_primitive::<$kind>().values()[range.clone()];
            let rows = range.clone().zip(to).zip(values);
            match nulls {
                None => rows.for_each(|((_, to), from)| *to = $convert(*from)),
                Some(nulls) => rows.for_each(|((row, to), from)| {
                    *to = if nulls.is_null(row) { no_number() } else { $convert(*from) };
                }),
            }
        }};
    }
    match array.data_type() {
        DataType::Float32 => put!(Float32Type, T::of),
        DataType::Float64 => put!(Float64Type, |value| moved.nearest(place, value)),
        DataType::Float16 => put!(Float16Type, |value| T::of(f32::from(value))),
        DataType::Int8 => put!(Int8Type, |value| T::of(f32::from(value))),
        DataType::Int16 => put!(Int16Type, |value| T::of(f32::from(value))),
        DataType::Int32 => put!(Int32Type, |value| moved.nearest(place, f64::from(value))),
        DataType::Int64 => {
            put!(Int64Type, |value| moved.nearest_to_whole(place, i128::from(value)));
        }
        DataType::UInt8 => put!(UInt8Type, |value| T::of(f32::from(value))),
        DataType::UInt16 => put!(UInt16Type, |value| T::of(f32::from(value))),
        DataType::UInt32 => put!(UInt32Type, |value| moved.nearest(place, f64::from(value))),
        DataType::UInt64 => {
            put!(UInt64Type, |value| moved.nearest_to_whole(place, i128::from(value)));
        }
        // Nothing but nulls, without a type.
        _ => to.for_each(|to| *to = no_number()),
    }
}

/// Appends ids; an id beyond `i64` comes back with its place.
fn put_ids(
    array: &dyn Array,
    range: &Range<usize>,
    ids: &mut Vec<i64>,
) -> Result<(), (usize, u64)> {
    macro_rules! put {
        ($kind:ty) => {
            ids.extend(
                array.as_primitive::<$kind>().values()[range.clone()]
                    .iter()
                    .map(|&id| i64::from(id)),
            )
        };
    }
    match array.data_type() {
        DataType::Int8 => put!(Int8Type),
        DataType::Int16 => put!(Int16Type),
        DataType::Int32 => put!(Int32Type),
        DataType::Int64 => put!(Int64Type),
        DataType::UInt8 => put!(UInt8Type),
        DataType::UInt16 => put!(UInt16Type),
        DataType::UInt32 => put!(UInt32Type),
        DataType::UInt64 => {
            let values = &array.as_primitive::<UInt64Type>().values()[range.clone()];
            for (offset, &id) in values.iter().enumerate() {
                ids.push(i64::try_from(id).map_err(|_| (offset, id))?);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Appends values that are kept; a whole one beyond `i64` comes back with its place.
fn put_kept(array: &dyn Array, range: &Range<usize>, to: &mut Column) -> Result<(), (usize, u64)> {
    if let Some((keys, values)) = keys(array, range) {
        // Where each value stands first: text that is named often is in memory once.
        let mut places = HashMap::new();
        for (offset, key) in keys.into_iter().enumerate() {
            match key.map(|key| (key, places.get(&key))) {
                None => to.push_null(),
                Some((_, Some(&place))) => to.push_again(place),
                Some((key, None)) => {
                    places.insert(key, to.len());
                    put_kept(values, &(key..key + 1), to).map_err(|(_, it)| (offset, it))?;
                }
            }
        }
        return Ok(());
    }
    macro_rules! put {
        ($values:expr, $kind:ty, $convert:expr) => {{
            let array = array.as_primitive::<$kind>();
            let value = |row: usize| array.is_valid(row).then(|| $convert(array.value(row)));
            $values.extend(range.clone().map(value));
        }};
    }
    match (to, array.data_type()) {
        (Column::I64(to), DataType::Int8) => put!(to, Int8Type, i64::from),
        (Column::I64(to), DataType::Int16) => put!(to, Int16Type, i64::from),
        (Column::I64(to), DataType::Int32) => put!(to, Int32Type, i64::from),
        (Column::I64(to), DataType::Int64) => put!(to, Int64Type, i64::from),
        (Column::I64(to), DataType::UInt8) => put!(to, UInt8Type, i64::from),
        (Column::I64(to), DataType::UInt16) => put!(to, UInt16Type, i64::from),
        (Column::I64(to), DataType::UInt32) => put!(to, UInt32Type, i64::from),
        (Column::I64(to), DataType::UInt64) => {
            let array = array.as_primitive::<UInt64Type>();
            for (offset, row) in range.clone().enumerate() {
                let value = array.is_valid(row).then(|| array.value(row));
                let value = value.map(|value| i64::try_from(value).map_err(|_| (offset, value)));
                to.push(value.transpose()?);
            }
        }
        (Column::F32(to), DataType::Float16) => put!(to, Float16Type, f32::from),
        (Column::F32(to), DataType::Float32) => put!(to, Float32Type, f32::from),
        (Column::F64(to), DataType::Float64) => put!(to, Float64Type, f64::from),
        (Column::Bool(to), DataType::Boolean) => {
            let array = array.as_boolean();
            to.extend(range.clone().map(|row| array.is_valid(row).then(|| array.value(row))));
        }
        (to, data_type) => {
            for row in range.clone() {
                match data_type {
                    DataType::Utf8 if array.is_valid(row) => {
                        to.push_str(array.as_string::<i32>().value(row));
                    }
                    DataType::LargeUtf8 if array.is_valid(row) => {
                        to.push_str(array.as_string::<i64>().value(row));
                    }
                    DataType::Utf8View if array.is_valid(row) => {
                        to.push_str(array.as_string_view().value(row));
                    }
                    _ => to.push_null(),
                }
            }
        }
    }
    Ok(())
}

/// The place of each row among the values of a dictionary, none where it is null, and these values;
/// `None` if the array has none.
fn keys<'a>(
    array: &'a dyn Array,
    range: &Range<usize>,
) -> Option<(Vec<Option<usize>>, &'a dyn Array)> {
    let DataType::Dictionary(kind, _) = array.data_type() else { return None };
    macro_rules! of {
        ($kind:ty) => {{
            let dictionary = array.as_dictionary::<$kind>();
            let (keys, values) = (dictionary.keys(), dictionary.values().as_ref());
            let key = |row: usize| match keys.is_null(row) {
                true => None,
                false => {
                    usize::try_from(keys.values()[row]).ok().filter(|&key| values.is_valid(key))
                }
            };
            Some((range.clone().map(key).collect(), values))
        }};
    }
    match **kind {
        DataType::Int8 => of!(Int8Type),
        DataType::Int16 => of!(Int16Type),
        DataType::Int32 => of!(Int32Type),
        DataType::Int64 => of!(Int64Type),
        DataType::UInt8 => of!(UInt8Type),
        DataType::UInt16 => of!(UInt16Type),
        DataType::UInt32 => of!(UInt32Type),
        _ => of!(UInt64Type),
    }
}

/// Writes the numbers of a dictionary that rows name. Those that none names are not moved.
fn put_chosen<'a, T: Coordinate>(
    values: &dyn Array,
    keys: &[Option<usize>],
    to: impl Iterator<Item = &'a mut T>,
    place: usize,
    moved: &mut Moved,
) {
    for (to, key) in to.zip(keys) {
        *to = no_number();
        if let Some(key) = *key {
            put_numbers(values, &(key..key + 1), std::iter::once(to), place, moved);
        }
    }
}

/// The same of ids, which are not null.
fn put_chosen_ids(
    values: &dyn Array,
    keys: &[Option<usize>],
    ids: &mut Vec<i64>,
) -> Result<(), (usize, u64)> {
    for (offset, key) in keys.iter().enumerate() {
        let key = key.unwrap_or_default();
        put_ids(values, &(key..key + 1), ids).map_err(|(_, id)| (offset, id))?;
    }
    Ok(())
}
