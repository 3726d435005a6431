//! Files of hits as other programs read them.

use super::*;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, Int64Type};

pub(super) fn bits(x: f32) -> String {
    format!("{:08x}", x.to_bits())
}

pub(super) fn read_back(path: &Path) -> Columns {
    match path.extension().unwrap().to_str().unwrap() {
        "npz" => read_npz(path),
        "csv" => read_csv(path),
        "parquet" => {
            let file = std::fs::File::open(path).unwrap();
            let builder =
                parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            read_batches(builder.build().unwrap().map(Result::unwrap))
        }
        "arrow" => {
            let file = std::fs::File::open(path).unwrap();
            read_batches(arrow_ipc::reader::FileReader::try_new(file, None).unwrap().map(Result::unwrap))
        }
        _ => {
            let file = std::fs::File::open(path).unwrap();
            read_batches(arrow_ipc::reader::StreamReader::try_new(file, None).unwrap().map(Result::unwrap))
        }
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
        let array = npyz::NpyFile::new(&bytes[..]).unwrap();
        let text = match array.dtype().descr().as_str() {
            "'<i8'" => array.into_vec::<i64>().unwrap().iter().map(ToString::to_string).collect(),
            "'<i4'" => array.into_vec::<i32>().unwrap().iter().map(ToString::to_string).collect(),
            "'<f4'" => array.into_vec::<f32>().unwrap().into_iter().map(bits).collect(),
            "'|u1'" => array.into_vec::<u8>().unwrap().iter().map(ToString::to_string).collect(),
            "'|b1'" => array.into_vec::<bool>().unwrap().iter().map(ToString::to_string).collect(),
            other => panic!("{name} has the type {other}"),
        };
        columns.insert(name, text);
    }
    columns
}

fn read_csv(path: &Path) -> Columns {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns = Columns::new();
    for record in reader.records() {
        for (name, value) in names.iter().zip(&record.unwrap()) {
            let name_of_hit = name.strip_prefix("behind_").unwrap_or(name);
            let floats = ["t", "u", "v", "nx", "ny", "nz", "lanes_filled", "distance", "x", "y", "z"];
            let is_float = floats.contains(&name_of_hit);
            let value = if is_float { bits(value.parse().unwrap()) } else { value.to_owned() };
            columns.entry(name.clone()).or_default().push(value);
        }
    }
    columns
}

fn read_batches(batches: impl Iterator<Item = RecordBatch>) -> Columns {
    use arrow_schema::DataType;
    let mut columns = Columns::new();
    for batch in batches {
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            assert_eq!(array.null_count(), 0);
            let text: Vec<String> = match field.data_type() {
                DataType::Int64 => {
                    array.as_primitive::<Int64Type>().values().iter().map(ToString::to_string).collect()
                }
                DataType::Int32 => {
                    array.as_primitive::<Int32Type>().values().iter().map(ToString::to_string).collect()
                }
                DataType::Float32 => {
                    array.as_primitive::<Float32Type>().values().iter().copied().map(bits).collect()
                }
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
