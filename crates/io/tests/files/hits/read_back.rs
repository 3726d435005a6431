//! Files of hits as other programs read them.

use super::*;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{ArrowError, DataType};

pub(super) fn bits(x: f32) -> String {
    format!("{:08x}", x.to_bits())
}

pub(super) fn read_back(path: &Path) -> Columns {
    let file = || std::fs::File::open(path).unwrap();
    match path.extension().unwrap().to_str().unwrap() {
        "npz" => read_npz(path),
        "csv" => read_csv(path),
        "parquet" => {
            let reader =
                parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file());
            read_batches(reader.unwrap().build().unwrap())
        }
        "arrow" => read_batches(arrow_ipc::reader::FileReader::try_new(file(), None).unwrap()),
        _ => read_batches(arrow_ipc::reader::StreamReader::try_new(file(), None).unwrap()),
    }
}

fn read_npz(path: &Path) -> Columns {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut columns = Columns::new();
    for entry in 0..zip.len() {
        let mut bytes = Vec::new();
        let mut file = zip.by_index(entry).unwrap();
        let name = file.name().unwrap().strip_suffix(".npy").unwrap().to_owned();
        file.read_to_end(&mut bytes).unwrap();
        let (descr, rows, data) = npy_column(&bytes);
        let text: Vec<String> = match descr {
            "<i8" => each(data, |bytes| i64::from_le_bytes(bytes).to_string()),
            "<i4" => each(data, |bytes| i32::from_le_bytes(bytes).to_string()),
            "<f4" => each(data, |bytes| bits(f32::from_le_bytes(bytes))),
            "<f8" => each(data, |bytes| f64::from_le_bytes(bytes).to_string()),
            "|u1" => each(data, |[byte]| byte.to_string()),
            "|b1" => each(data, |[byte]| [false, true][usize::from(byte)].to_string()),
            other => panic!("{name} has the type {other}"),
        };
        assert_eq!(text.len(), rows, "{name}");
        columns.insert(name, text);
    }
    columns
}

/// Type, rows and data of a column of version 1.0, whose header is spelt as NumPy spells it.
fn npy_column(bytes: &[u8]) -> (&str, usize, &[u8]) {
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, data) = bytes.split_at(10 + length);
    assert!(header.starts_with(b"\x93NUMPY\x01\x00") && header.ends_with(b"\n"), "{header:?}");
    assert!(header.len().is_multiple_of(64), "the data begins at byte {}", header.len());
    let text = std::str::from_utf8(&header[10..]).unwrap().trim_end();
    let fields =
        text.strip_prefix("{'descr': '").and_then(|rest| rest.strip_suffix(",), }")).unwrap();
    let (descr, rows) = fields.split_once("', 'fortran_order': False, 'shape': (").unwrap();
    (descr, rows.parse().unwrap(), data)
}

/// The values of so many bytes each.
fn each<const SIZE: usize>(data: &[u8], shown: fn([u8; SIZE]) -> String) -> Vec<String> {
    let (values, rest) = data.as_chunks();
    assert!(rest.is_empty(), "{rest:?}");
    values.iter().copied().map(shown).collect()
}

fn read_csv(path: &Path) -> Columns {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns = Columns::new();
    for record in reader.records() {
        for (name, value) in names.iter().zip(&record.unwrap()) {
            let name_of_hit = name.strip_prefix("behind_").unwrap_or(name);
            let floats =
                ["t", "u", "v", "nx", "ny", "nz", "lanes_filled", "distance", "x", "y", "z"];
            let is_float = floats.contains(&name_of_hit);
            let value = if is_float { bits(value.parse().unwrap()) } else { value.to_owned() };
            columns.entry(name.clone()).or_default().push(value);
        }
    }
    columns
}

fn texts<T: ArrowPrimitiveType>(array: &dyn Array, text: fn(T::Native) -> String) -> Vec<String> {
    array.as_primitive::<T>().values().iter().copied().map(text).collect()
}

fn read_batches(batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> Columns {
    let mut columns = Columns::new();
    for batch in batches.map(Result::unwrap) {
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            assert_eq!(array.null_count(), 0);
            let text: Vec<String> = match field.data_type() {
                DataType::Int64 => texts::<Int64Type>(array, |x| x.to_string()),
                DataType::Int32 => texts::<Int32Type>(array, |x| x.to_string()),
                DataType::Float32 => texts::<Float32Type>(array, bits),
                DataType::Float64 => texts::<Float64Type>(array, |x| x.to_string()),
                DataType::Boolean => {
                    array.as_boolean().values().iter().map(|value| value.to_string()).collect()
                }
                DataType::Utf8 => {
                    array.as_string::<i32>().iter().map(|word| word.unwrap().to_owned()).collect()
                }
                other => panic!("{} has the type {other}", field.name()),
            };
            columns.entry(field.name().clone()).or_default().extend(text);
        }
    }
    columns
}
