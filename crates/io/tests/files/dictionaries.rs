//! Columns of numbers as places in a dictionary, as tables of few values are written.

use crate::folder::Folder;
use crate::support::{arrow_file, arrow_stream, parquet};
use arrow_array::types::{ArrowDictionaryKeyType, Int8Type, Int64Type, UInt16Type, UInt32Type};
use arrow_array::{
    ArrayRef, DictionaryArray, Float32Array, Float64Array, Int32Array, NullArray, PrimitiveArray,
    RecordBatch, UInt64Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, IpcWriteOptions, StreamWriter};
use lanecast_io::{PointChunk, PointReader};
use std::path::Path;
use std::sync::Arc;

/// Points as bits, their ids, and by how much they were moved.
type Read = (Vec<[Option<f32>; 3]>, Vec<i64>, f64);

fn read(path: &Path, max_rows: usize) -> Result<Read, lanecast_io::Error> {
    let (mut reader, mut chunk) = (PointReader::<f32>::open(path)?, PointChunk::default());
    let (mut points, mut ids, mut moved) = (Vec::new(), Vec::new(), 0.0_f64);
    while reader.next_chunk(max_rows, &mut chunk)? {
        points.extend(chunk.points.iter().map(|point| point.map(|x| (!x.is_nan()).then_some(x))));
        ids.extend(chunk.point_id.iter().flatten());
        moved = moved.max(chunk.moved);
    }
    Ok((points, ids, moved))
}

fn column<K: ArrowDictionaryKeyType>(keys: &[Option<usize>], values: ArrayRef) -> ArrayRef
where
    K::Native: TryFrom<usize, Error: std::fmt::Debug>,
{
    let key = |key: &Option<usize>| key.map(|key| K::Native::try_from(key).expect("a key"));
    let keys: PrimitiveArray<K> = keys.iter().map(key).collect();
    Arc::new(DictionaryArray::<K>::new(keys, values))
}

/// x of `f64` with a null key, y of `f32` with a null among the values, z of whole numbers, ids of
/// `u64`; the second batch has more values. What no row names is far away.
fn batches() -> Vec<RecordBatch> {
    let keys = [Some(0), Some(1), None, Some(1)];
    let all = keys.map(|key| key.or(Some(0)));
    [0.5, 2.5]
        .map(|x| {
            let x_values = Float64Array::from(vec![x, 16_777_217.0, 1e9 + 21.0]);
            let y_values = Float32Array::from(vec![Some(7.0), None]);
            let columns: [(&str, ArrayRef); 4] = [
                ("x", column::<Int8Type>(&keys, Arc::new(x_values))),
                ("y", column::<UInt32Type>(&all, Arc::new(y_values))),
                ("z", column::<UInt16Type>(&all, Arc::new(Int32Array::from(vec![-3, 4])))),
                (
                    "point_id",
                    column::<Int64Type>(
                        &all,
                        Arc::new(UInt64Array::from(vec![9, i64::MAX as u64])),
                    ),
                ),
            ];
            RecordBatch::try_from_iter_with_nullable(
                columns.map(|(name, array)| (name, array, true)),
            )
            .expect("a batch")
        })
        .to_vec()
}

#[test]
fn numbers_and_ids_of_dictionaries_are_read() {
    let folder = Folder::new();
    let both = batches();
    let row = |x: f32| {
        let (far, id) = (Some(16_777_216.0), i64::MAX);
        let points = [
            [Some(x), Some(7.0), Some(-3.0)],
            [far, None, Some(4.0)],
            [None, Some(7.0), Some(-3.0)],
            [far, None, Some(4.0)],
        ];
        (points, [9, id, 9, id])
    };
    let (first, second) = (row(0.5), row(2.5));
    let expected: Read = ([first.0, second.0].concat(), [first.1, second.1].concat(), 1.0);
    for (name, bytes) in [
        ("one.arrow", arrow_file(&both[..1], None)),
        ("lz4.arrow", arrow_file(&both[..1], Some(CompressionType::LZ4_FRAME))),
        ("zstd.arrow", arrow_file(&both[..1], Some(CompressionType::ZSTD))),
        ("p.arrows", arrow_stream(&both)),
        ("p.parquet", parquet(&both, 1000)),
    ] {
        let path = folder.file(name, bytes);
        for max_rows in [1, 3, 100] {
            let found = read(&path, max_rows).expect(name);
            let rows = if name.starts_with("p.") { 8 } else { 4 };
            let expected = (expected.0[..rows].to_vec(), expected.1[..rows].to_vec(), 1.0);
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn values_that_a_later_batch_adds_are_read() {
    let of = |keys: &[Option<usize>], values: Vec<f64>| {
        let column = column::<Int8Type>(keys, Arc::new(Float64Array::from(values)));
        RecordBatch::try_from_iter(["x", "y", "z"].map(|name| (name, Arc::clone(&column))))
            .expect("a batch")
    };
    let batches = [of(&[Some(0)], vec![1.0]), of(&[Some(1), Some(0)], vec![1.0, 2.0])];
    let options = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    let schema = batches[0].schema();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let folder = Folder::new();
    let path = folder.file("p.arrows", writer.into_inner().unwrap());
    assert_eq!(read(&path, 9).expect("points").0, [1.0, 2.0, 1.0].map(|x| [Some(x); 3]));
}

#[test]
fn what_a_dictionary_cannot_hold_is_said() {
    let folder = Folder::new();
    let words: ArrayRef = Arc::new(arrow_array::StringArray::from(vec!["a", "b"]));
    let one: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));
    let keys = [Some(0)];
    let with = |name: &'static str, array: ArrayRef| {
        let columns = ["x", "y", "z", "point_id"].map(|column| {
            (column, if column == name { Arc::clone(&array) } else { Arc::clone(&one) })
        });
        let columns =
            columns.into_iter().filter(|(column, _)| *column != "point_id" || name == "point_id");
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
            .expect("a batch")
    };
    let id =
        |values: UInt64Array, keys: &[Option<usize>]| column::<Int8Type>(keys, Arc::new(values));
    let null = "row 0: column \"point_id\" is null";
    let rows = [
        ("y", column::<Int8Type>(&keys, words), "column \"y\": Utf8 is not a type of numbers"),
        (
            "point_id",
            id(UInt64Array::from(vec![u64::MAX]), &keys),
            "row 0: column \"point_id\": 18446744073709551615 is beyond 64 bits with a sign",
        ),
        ("point_id", id(UInt64Array::from(vec![1]), &[None]), null),
        ("point_id", id(UInt64Array::from(vec![None]), &keys), null),
    ];
    folder.refuses(
        |path| read(path, 9),
        rows.map(|(name, array, problem)| {
            ("p.arrow", arrow_file(&[with(name, array)], None), problem)
        }),
    );
}

/// A batch whose message has no bytes behind it.
#[test]
fn a_batch_of_nothing_but_nulls_is_not_lost() {
    let nulls: ArrayRef = Arc::new(NullArray::new(3));
    let batch = RecordBatch::try_from_iter_with_nullable(
        ["x", "y", "z"].map(|name| (name, Arc::clone(&nulls), true)),
    )
    .expect("a batch");
    let batches = [batch.clone(), batch];
    let folder = Folder::new();
    for (name, bytes) in
        [("p.arrow", arrow_file(&batches, None)), ("p.arrows", arrow_stream(&batches))]
    {
        let found = read(&folder.file(name, bytes), 2).expect(name);
        assert_eq!(found.0, [[None; 3]; 6], "{name}");
    }
}
