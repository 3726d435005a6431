//! Columns of Parquet and Arrow, of all their types.

use super::{COUNT, dictionary, names, of, read};
use crate::folder::Folder;
use crate::support::{arrow_file, arrow_stream, parquet};
use arrow_array::{
    ArrayRef, BooleanArray, Float16Array, Float32Array, Float64Array, Int8Array, Int64Array,
    LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray,
    TimestampMicrosecondArray, UInt32Array,
};
use lanecast_io::{Keep, PointReader};
use std::sync::Arc;

/// The columns of a file with values of every kind, some of them null.
fn batch() -> RecordBatch {
    let x: ArrayRef = Arc::new(Float64Array::from_iter_values((0..COUNT).map(|row| row as f64)));
    let some = |row: usize| !row.is_multiple_of(5);
    let class = (0..COUNT).map(|row| some(row).then_some(row as i64 - 7));
    let gain = (0..COUNT).map(|row| some(row).then_some(0.1 * row as f32));
    let time = (0..COUNT).map(|row| some(row).then_some(0.1 * row as f64));
    let lit = (0..COUNT).map(|row| some(row).then_some(row.is_multiple_of(2)));
    let label = (0..COUNT).map(|row| some(row).then(|| format!("a \"{}\",\n{}", row / 4, row % 3)));
    let columns: [(&str, ArrayRef); 9] = [
        ("x", x.clone()),
        ("lit", Arc::new(lit.collect::<BooleanArray>())),
        ("class", Arc::new(class.collect::<Int64Array>())),
        ("y", x.clone()),
        ("gain", Arc::new(gain.collect::<Float32Array>())),
        ("when", Arc::new(TimestampMicrosecondArray::from(vec![5; COUNT]))),
        ("time", Arc::new(time.collect::<Float64Array>())),
        ("label", Arc::new(label.collect::<StringArray>())),
        ("z", x),
    ];
    let columns = columns.map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
}

fn expected(name: &str) -> Vec<String> {
    let value = |row: usize| match name {
        "class" => format!("i {}", row as i64 - 7),
        "gain" => format!("f {:?}", 0.1 * row as f32),
        "time" => format!("d {:?}", 0.1 * row as f64),
        "lit" => format!("b {}", row.is_multiple_of(2)),
        _ => format!("t a \"{}\",\n{}", row / 4, row % 3),
    };
    let null = |row: usize| row.is_multiple_of(5);
    (0..COUNT).map(|row| if null(row) { "-".to_owned() } else { value(row) }).collect()
}

#[test]
fn tables_keep_numbers_booleans_text_and_nulls() {
    let (folder, batch) = (Folder::new(), batch());
    let parts = [batch.slice(0, 23), batch.slice(23, COUNT - 23)];
    for (name, bytes) in [
        ("p.parquet", parquet(&parts, 9)),
        ("p.arrow", arrow_file(&parts, None)),
        ("p.arrows", arrow_stream(&parts)),
    ] {
        let path = folder.file(name, bytes);
        // In the order in which they are named, and of a row's too.
        let columns = names("label class x lit time gain");
        let found = read(&path, &of(&columns)).expect(name);
        for ((found, cells), column) in found.kept.iter().zip(&columns) {
            assert_eq!(found, column, "{name}");
            let x = || (0..COUNT).map(|row| format!("d {:?}", row as f64)).collect();
            let expected = if column == "x" { x() } else { expected(column) };
            assert_eq!(*cells, expected, "{name} {column}");
        }
        assert_eq!(found.x, (0..COUNT).map(|row| row as f64).collect::<Vec<_>>());
        assert_eq!(found.ids, (0..COUNT as i64).collect::<Vec<_>>());
        // All are those that can be kept; the others are named as before.
        let all = Keep { all: true, ..Keep::default() };
        let reader = PointReader::<f32>::open(&path).and_then(|reader| reader.keep(&all));
        let reader = reader.expect(name);
        let kept: Vec<_> = reader.kept_columns().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(kept, names("lit class gain time label"));
        assert_eq!(reader.ignored_columns(), ["when"]);
        assert_eq!(read(&path, &all).expect(name).kept[1].1, expected("class"));
    }
}

#[test]
fn columns_of_all_types_of_tables_are_kept() {
    let folder = Folder::new();
    let zero: ArrayRef = Arc::new(Float32Array::from(vec![0.0; 3]));
    let half = Float32Array::from(vec![Some(0.5), None, Some(-2.0)]);
    let half: Float16Array = half.iter().map(|x| x.map(half_of)).collect();
    let keys = Int8Array::from(vec![Some(1), None, Some(0)]);
    let words = StringArray::from(vec![Some("no"), Some("yes")]);
    let lacking = Int64Array::from(vec![Some(5), None]);
    let again = Int8Array::from(vec![Some(0), Some(1), Some(0)]);
    let columns: [(&str, ArrayRef, &str); 9] = [
        ("small", Arc::new(Int8Array::from(vec![-1, 0, 1])), "i -1,i 0,i 1"),
        ("wide", Arc::new(UInt32Array::from(vec![1, 2, u32::MAX])), "i 1,i 2,i 4294967295"),
        ("half", Arc::new(half), "f 0.5,-,f -2.0"),
        ("large", Arc::new(LargeStringArray::from(vec![Some("a"), None, Some("")])), "t a,-,t "),
        ("view", Arc::new(StringViewArray::from(vec![Some("a"), None, Some("")])), "t a,-,t "),
        ("word", dictionary(&keys, Arc::new(words.clone())), "t yes,-,t no"),
        ("again", dictionary(&again, Arc::new(words)), "t no,t yes,t no"),
        ("number", dictionary(&keys, Arc::new(lacking)), "-,-,i 5"),
        ("none", Arc::new(NullArray::new(3)), "-,-,-"),
    ];
    let named = columns.iter().map(|(name, array, _)| (*name, array.clone()));
    let named = ["x", "y", "z"].map(|name| (name, zero.clone())).into_iter().chain(named);
    let named = named.map(|(name, array)| (name, array, true));
    let batches = [RecordBatch::try_from_iter_with_nullable(named).expect("a batch")];
    let keep: Vec<_> = columns.iter().map(|(name, ..)| (*name).to_owned()).collect();
    for (file, bytes) in [("p.parquet", parquet(&batches, 9)), ("p.arrows", arrow_stream(&batches))]
    {
        let found = read(&folder.file(file, bytes), &of(&keep)).expect(file);
        for ((name, found), (column, _, expected)) in found.kept.iter().zip(&columns) {
            assert_eq!((name.as_str(), &*found.join(",")), (*column, *expected), "{file}");
        }
    }
}

fn half_of(x: f32) -> <arrow_array::types::Float16Type as arrow_array::ArrowPrimitiveType>::Native {
    <arrow_array::types::Float16Type as arrow_array::ArrowPrimitiveType>::Native::from_f32(x)
}
