//! Columns that are no part of a row and go with it: every format has the same of them, chunk by
//! chunk and on all threads, and what cannot be kept is refused.

use crate::folder::Folder;
use crate::las::layout;
use crate::pattern::assert_reads;
use crate::support::{arrow_file, arrow_stream, floats, npy, parquet};
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float16Array, Float32Array, Float64Array, Int8Array,
    Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray, StringViewArray,
    TimestampMicrosecondArray, UInt32Array, UInt64Array,
};
use lanecast::Threads;
use lanecast_io::{
    Column, Error, HitKind, HitWriter, Keep, PointChunk, PointReader, RayChunk, RayIds, RayReader,
    TableWriter, Values,
};
use std::path::Path;
use std::sync::Arc;

const COUNT: usize = 40;

/// Names between blanks.
fn names(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// What a column has, as text: its kind before each value, and `-` for null.
fn cells(column: &Column) -> Vec<String> {
    fn each<V>(values: &[Option<V>], text: impl Fn(&V) -> String) -> Vec<String> {
        values.iter().map(|value| value.as_ref().map_or("-".to_owned(), &text)).collect()
    }
    match column {
        Column::I64(values) => each(values, |value| format!("i {value}")),
        Column::F32(values) => each(values, |value| format!("f {value:?}")),
        Column::F64(values) => each(values, |value| format!("d {value:?}")),
        Column::Bool(values) => each(values, |value| format!("b {value}")),
        Column::Text(values) => each(values, |value| format!("t {value}")),
    }
}

/// The columns of a file by name, its ids and the first coordinates.
#[derive(Debug, PartialEq)]
struct Found {
    kept: Vec<(String, Vec<String>)>,
    ids: Vec<i64>,
    x: Vec<f64>,
}

fn read_by(path: &Path, keep: &Keep<'_>, rows: usize, threads: &Threads) -> Result<Found, Error> {
    let mut reader = PointReader::<f64>::open(path)?.threads(threads).keep(keep)?;
    let kinds: Vec<_> = reader.kept_columns().map(|(name, none)| (name.to_owned(), none)).collect();
    let mut kept: Vec<_> = kinds.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
    let (mut ids, mut x, mut chunk) = (Vec::new(), Vec::new(), PointChunk::default());
    while reader.next_chunk(rows, &mut chunk)? {
        assert_eq!(chunk.kept.len(), kept.len());
        for (((_, to), (_, kind)), column) in kept.iter_mut().zip(&kinds).zip(&chunk.kept) {
            assert_eq!(column.len(), chunk.points.len());
            assert_eq!(column.of_rows([]).values(), *kind);
            to.extend(cells(column));
        }
        ids.extend((0..chunk.points.len()).map(|index| chunk.ids().get(index)));
        x.extend(chunk.points.iter().map(|point| point[0]));
        assert!(chunk.points.len() == rows || x.len() % rows != 0, "chunks are full");
    }
    Ok(Found { kept, ids, x })
}

/// What is read by all cuts and numbers of threads alike.
fn read(path: &Path, keep: &Keep<'_>) -> Result<Found, Error> {
    let whole = read_by(path, keep, 1 << 20, &Threads::ONE)?;
    for (rows, threads) in [(1, 1), (7, 3), (4096, 2), (65_537, 3)] {
        if rows > 1 || whole.x.len() < 1000 {
            let threads = Threads::exactly(threads).expect("threads");
            assert_eq!(read_by(path, keep, rows, &threads)?, whole, "{}", path.display());
        }
    }
    Ok(whole)
}

fn of(columns: &[String]) -> Keep<'_> {
    Keep { columns, ..Keep::default() }
}

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

fn dictionary(keys: &Int8Array, values: ArrayRef) -> ArrayRef {
    Arc::new(DictionaryArray::<Int8Type>::new(keys.clone(), values))
}

/// A file with a column of these fields.
fn csv(fields: &[&str]) -> String {
    let rows = fields.iter().map(|field| format!("1,{field},2,3\n"));
    "x,a,y,z\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn columns_of_text_are_what_their_first_rows_say() {
    let (folder, a) = (Folder::new(), names("a"));
    for (fields, expected) in [
        (&["1", "-2", "", "0"][..], "i 1|i -2|-|i 0"),
        (&["9223372036854775807"], "i 9223372036854775807"),
        (&["9223372036854775808"], "t 9223372036854775808"),
        (&["1", "2.5", "1e5", "", "-0"], "d 1.0|d 2.5|d 100000.0|-|d -0.0"),
        (&[".5", "nan", "inf"], "d 0.5|d NaN|d inf"),
        // Digits that a number would lose.
        (&["007", "1", ""], "t 007|t 1|t "),
        (&["1", "00.5"], "t 1|t 00.5"),
        (&["+4930", "1"], "t +4930|t 1"),
        (&["9007199254740993", "0.5"], "t 9007199254740993|t 0.5"),
        (&["9007199254740991", "0.5"], "d 9007199254740991.0|d 0.5"),
        (&["1e400"], "t 1e400"),
        (&["0.5", "-"], "t 0.5|t -"),
        (&["true", "", "false"], "b true|-|b false"),
        (&["True", "false"], "t True|t false"),
        (&["2026-01-02", "12:30"], "t 2026-01-02|t 12:30"),
        (&["", ""], "t |t "),
        (&["\" a, \"\"b\"\" \"", " c d "], "t a, \"b\"|t c d"),
    ] {
        let path = folder.file("p.csv", csv(fields));
        let found = read(&path, &of(&a)).expect("points");
        assert_eq!(found.kept[0].1.join("|"), expected, "{fields:?}");
        let as_written = Keep { as_written: true, ..of(&a) };
        let found = read(&path, &as_written).expect("points");
        let written: Vec<_> = match fields {
            ["\" a, \"\"b\"\" \"", _] => vec!["t a, \"b\"".to_owned(), "t c d".to_owned()],
            _ => fields.iter().map(|field| format!("t {field}")).collect(),
        };
        assert_eq!(found.kept[0].1, written);
    }
    // Lines of numbers alike, whose columns may have numbers for names.
    let path = folder.file("p.xyz", "1 2 3 7 0.5 -\n4 5 6 8 1 b\n");
    let found = read(&path, &of(&names("6 4 5"))).expect("points").kept;
    let expected = [("6", "t -,t b"), ("4", "i 7,i 8"), ("5", "d 0.5,d 1.0")];
    for ((name, found), expected) in found.iter().zip(expected) {
        assert_eq!((name.as_str(), &*found.join(",")), expected);
    }
}

/// Rows that tell the kinds, as the documentation has it.
const TELL: usize = 65_536;

#[test]
fn a_later_value_of_another_kind_is_refused_with_its_line() {
    let (folder, a) = (Folder::new(), names("a"));
    let file = |field: &dyn Fn(usize) -> String| {
        let rows = (0..TELL + 10_000).map(|row| format!("{row},{},2,3\n", field(row)));
        folder.file("p.csv", "x,a,y,z\n\n".to_owned() + &rows.collect::<String>())
    };
    for (usual, odd, kind) in [
        ("7", "x7", "a whole number"),
        ("7", "007", "a whole number"),
        ("7", "7.5", "a whole number"),
        ("7.5", "x", "a number"),
        ("7.5", "9007199254740993", "a number"),
        ("true", "1", "true or false"),
    ] {
        let path = file(&|row| if row == TELL + 5000 { odd } else { usual }.to_owned());
        // The header is line 1, and line 2 is blank.
        let line = TELL + 5000 + 3;
        let expected = format!("…: line {line}: column \"a\": \"{odd}\" is not {kind}");
        for (rows, threads) in [(1 << 20, 1), (4096, 3), (TELL + 5001, 2)] {
            let threads = Threads::exactly(threads).expect("threads");
            let error = read_by(&path, &of(&a), rows, &threads).expect_err(odd);
            assert_reads(&error.to_string(), &expected);
        }
        // Among the first rows it decides, and as it is written it is text.
        let path = file(&|row| if row == TELL - 1 { odd } else { usual }.to_owned());
        let first = if odd == "7.5" { "d 7.0".to_owned() } else { format!("t {usual}") };
        assert_eq!(read(&path, &of(&a)).expect(odd).kept[0].1[0], first);
        let as_written = Keep { as_written: true, ..of(&a) };
        assert_eq!(read(&path, &as_written).expect(odd).kept[0].1[TELL - 1], format!("t {odd}"));
    }
    // Each row has its own value on both sides of the border.
    let found = read(&file(&|row| (3 * row).to_string()), &of(&a)).expect("points");
    assert_eq!(found.x.len(), TELL + 10_000);
    for (row, (x, cell)) in found.x.iter().zip(&found.kept[0].1).enumerate() {
        assert_eq!((*x, cell.as_str()), (row as f64, &*format!("i {}", 3 * row)));
    }
}

#[test]
fn arrays_and_clouds_keep_numbers() {
    let folder = Folder::new();
    let axis: Vec<f64> = (0..COUNT).map(|row| row as f64).collect();
    let class: Vec<i64> = (0..COUNT as i64).map(|row| 9 - row).collect();
    let beam: Vec<i32> = (0..COUNT as i32).map(|row| row - 3).collect();
    let gain: Vec<f32> = axis.iter().map(|x| 0.1 * *x as f32).collect();
    let time: Vec<f64> = axis.iter().map(|x| 0.1 * x).collect();
    let lit: Vec<bool> = (0..COUNT).map(|row| row % 3 == 0).collect();
    let columns = [
        ("lit", Values::Bool(&lit)),
        ("x", Values::F64(&axis)),
        ("y", Values::F64(&axis)),
        ("class", Values::I64(&class)),
        ("z", Values::F64(&axis)),
        ("beam", Values::I32(&beam)),
        ("gain", Values::F32(&gain)),
        ("time", Values::F64(&time)),
    ];
    let keep = names("gain beam class lit time x");
    let each = |text: &dyn Fn(usize) -> String| (0..COUNT).map(text).collect::<Vec<_>>();
    for name in ["p.npz", "p.ply"] {
        let path = folder.table(name, &columns);
        let found = read(&path, &of(&keep)).expect(name);
        // PLY knows no integers of 64 bits and no booleans.
        let is_ply = name == "p.ply";
        let lit = |row: usize| {
            if is_ply { format!("i {}", u8::from(lit[row])) } else { format!("b {}", lit[row]) }
        };
        let class = |row: usize| {
            if is_ply { format!("d {:?}", class[row] as f64) } else { format!("i {}", class[row]) }
        };
        let expected = [
            each(&|row| format!("f {:?}", gain[row])),
            each(&|row| format!("i {}", beam[row])),
            each(&class),
            each(&lit),
            each(&|row| format!("d {:?}", time[row])),
            each(&|row| format!("d {:?}", axis[row])),
        ];
        let found: Vec<_> = found.kept.into_iter().map(|(_, cells)| cells).collect();
        assert_eq!(found, expected, "{name}");
    }
    // As text, whose kinds the header tells.
    let head = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n\
        property float z\nproperty uchar c\nproperty double d\nend_header\n";
    let path = folder.file("t.ply", format!("{head}1 2 3 007 5\n4 5 6 8 1e400\n"));
    let found = read(&path, &of(&names("c d"))).expect("t.ply").kept;
    assert_eq!([&*found[0].1.join(","), &*found[1].1.join(",")], ["i 7,i 8", "d 5.0,d inf"]);
    let pcd = "VERSION .7\nFIELDS x y z i n\nSIZE 4 4 4 2 4\nTYPE F F F U F\nCOUNT 1 1 1 1 2\nWIDTH 2\nHEIGHT 1\n\
        POINTS 2\nDATA ascii\n1 2 3 7 0.5 1\n4 5 6 8 2 3\n";
    let found = read(&folder.file("t.pcd", pcd), &of(&names("i n[1]"))).expect("t.pcd").kept;
    assert_eq!([&*found[0].1.join(","), &*found[1].1.join(",")], ["i 7,i 8", "f 1.0,f 3.0"]);
}

#[test]
fn points_of_las_keep_what_a_scanner_says() {
    let folder = Folder::new();
    let points: Vec<[f32; 3]> = (0..COUNT).map(|row| [row as f32, 1.0, 2.0]).collect();
    for (of_layers, number) in [(false, 1), (true, 6)] {
        let path = match of_layers {
            true => folder.cloud_of("p.las", &points, &[[1, number]; COUNT]).expect("a cloud"),
            false => folder.cloud("p.las", &points),
        };
        let mut bytes = std::fs::read(&path).expect("a file");
        let (start, length) = layout(&bytes);
        for row in 0..COUNT {
            // ASPRS LAS 1.4, tables 7 and 16.
            let point = &mut bytes[start + row * length..][..length];
            point[12..14].copy_from_slice(&(1000 + row as u16).to_le_bytes());
            if of_layers {
                point[15] = (row as u8 % 4) << 6;
                point[16] = 200 - row as u8;
                point[17] = row as u8;
                point[18..20].copy_from_slice(&(100 * row as i16 - 500).to_le_bytes());
                point[20..22].copy_from_slice(&(3 * row as u16).to_le_bytes());
                point[22..30].copy_from_slice(&(0.5 * row as f64).to_le_bytes());
            } else {
                point[14] |= (row as u8 % 4) << 6;
                point[15] = row as u8 % 32;
                point[16] = (row as i8 - 20) as u8;
                point[17] = row as u8;
                point[18..20].copy_from_slice(&(3 * row as u16).to_le_bytes());
            }
        }
        let path = folder.file("q.las", bytes);
        let all = "intensity return_number number_of_returns scan_direction edge_of_flight_line \
            classification scan_angle user_data point_source_id";
        let all = names(&if of_layers { format!("{all} gps_time") } else { all.to_owned() });
        let found = read(&path, &of(&all)).expect("points");
        assert_eq!(found.kept.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), all);
        for (name, cells) in &found.kept {
            for (row, cell) in cells.iter().enumerate() {
                let expected = match name.as_str() {
                    "intensity" => format!("i {}", 1000 + row),
                    "return_number" => "i 1".to_owned(),
                    "number_of_returns" => format!("i {number}"),
                    "scan_direction" => format!("i {}", row % 2),
                    "edge_of_flight_line" => format!("i {}", row / 2 % 2),
                    "classification" => {
                        format!("i {}", if of_layers { 200 - row } else { row % 32 })
                    }
                    "scan_angle" if of_layers => {
                        format!("f {:?}", (100 * row as i16 - 500) as f32 * 0.006)
                    }
                    "scan_angle" => format!("f {:?}", row as f32 - 20.0),
                    "user_data" => format!("i {row}"),
                    "gps_time" => format!("d {:?}", 0.5 * row as f64),
                    _ => format!("i {}", 3 * row),
                };
                assert_eq!(*cell, expected, "{name}");
            }
        }
    }
}

/// Extra dimensions by their names and types, also of files that lanecast wrote.
#[test]
fn points_of_las_keep_extra_dimensions() {
    let folder = Folder::new();
    let axis: Vec<f64> = (0..COUNT).map(|row| row as f64).collect();
    let beam: Vec<i32> = (0..COUNT as i32).map(|row| 40_000 + row).collect();
    let pulse: Vec<i64> = (0..COUNT as i64).map(|row| (1 << 40) - row).collect();
    let count: Vec<i32> = (0..COUNT as i32).map(|row| 7 - row).collect();
    let gain: Vec<f32> = (0..COUNT).map(|row| 0.1 * row as f32).collect();
    let time: Vec<f64> = (0..COUNT).map(|row| 0.1 * row as f64).collect();
    let columns = [
        ("x", Values::F64(&axis)),
        ("y", Values::F64(&axis)),
        ("z", Values::F64(&axis)),
        ("beam", Values::I32(&beam)),
        ("pulse", Values::I64(&pulse)),
        ("count", Values::I32(&count)),
        ("gain", Values::F32(&gain)),
        ("seconds", Values::F64(&time)),
    ];
    let all = names("ring pulse count gain seconds");
    for name in ["p.las", "p.laz"] {
        let path = folder.path(name);
        let written = TableWriter::create(&path, None, &columns)
            .and_then(|mut writer| writer.write(&columns).and_then(|()| writer.finish()));
        written.expect("a file");
        let found = read(&path, &of(&all)).expect(name);
        assert_eq!(found.kept.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), all);
        for row in 0..COUNT {
            let cells: Vec<_> = found.kept.iter().map(|(_, cells)| cells[row].clone()).collect();
            let expected = [
                format!("i {}", beam[row]),
                format!("i {}", pulse[row]),
                format!("i {}", count[row]),
                format!("f {:?}", gain[row]),
                format!("d {:?}", time[row]),
            ];
            assert_eq!(cells, expected, "{name}, row {row}");
        }
        let everything = Keep { all: true, without: &["gain", "intensity"], ..Keep::default() };
        let kept = read(&path, &everything).expect(name).kept;
        let kept: Vec<_> = kept.into_iter().map(|(name, _)| name).collect();
        assert_eq!(kept[kept.len() - 4..], names("ring pulse count seconds"));
        assert!(!kept.contains(&"intensity".to_owned()) && kept.contains(&"user_data".to_owned()));
    }
    // The descriptions of the file, each of which is changed in turn (ASPRS LAS 1.4, table 24).
    let bytes = std::fs::read(folder.path("p.las")).expect("a file");
    let of_name = |name: &str| {
        let padded: Vec<u8> = name.bytes().chain([0; 32]).take(32).collect();
        bytes.windows(32).position(|window| window == padded).expect("a description") - 4
    };
    let changed = |name: &str, changes: &[(usize, &[u8])]| {
        let (mut bytes, start) = (bytes.clone(), of_name(name));
        for (at, to) in changes {
            bytes[start + at..][..to.len()].copy_from_slice(to);
        }
        folder.file("q.las", bytes)
    };
    let column = |path: &Path, name: &str| -> Vec<String> {
        read(path, &of(&names(name))).expect("points").kept.remove(0).1
    };
    let scaled = changed(
        "count",
        &[(3, &[8 | 16]), (112, &0.5_f64.to_le_bytes()), (136, &100.0_f64.to_le_bytes())],
    );
    let expected: Vec<_> =
        count.iter().map(|count| format!("d {:?}", f64::from(*count) * 0.5 + 100.0)).collect();
    assert_eq!(column(&scaled, "count"), expected);
    let without = changed("count", &[(3, &[1]), (40, &(-2_i64).to_le_bytes())]);
    let found = column(&without, "count");
    assert_eq!([&*found[8], &*found[9], &*found[10]], ["i -1", "-", "i -3"]);
    let without = changed("gain", &[(3, &[1]), (40, &f64::from(gain[3]).to_le_bytes())]);
    let found = column(&without, "gain");
    assert_eq!([&*found[2], &*found[3]], ["f 0.2", "-"]);
    // What is beyond the bytes that points have, or of a type that nobody knows, ends the list.
    let unknown = changed("count", &[(2, &[99])]);
    let kept = read(&unknown, &Keep { all: true, ..Keep::default() }).expect("points").kept;
    assert_eq!(kept.last().map(|(name, _)| &**name), Some("pulse"));
    let error = folder.error_of("q.las", read(&unknown, &of(&names("extra_bytes"))));
    assert_eq!(error, "q.las: \"extra_bytes\" is not kept: it is not one number");
    // Two numbers are none, and what follows lies behind them.
    let pairs = changed("ring", &[(2, &[11])]);
    assert_eq!(column(&pairs, "pulse"), column(&folder.path("p.las"), "pulse"));
    let error = folder.error_of("q.las", read(&pairs, &of(&names("ring"))));
    assert!(error.starts_with("q.las: there is no dimension \"ring\"; found "), "{error}");
    let beyond = changed("pulse", &[(2, &[7])]);
    let mut bytes = std::fs::read(beyond).expect("a file");
    let (start, length) = layout(&bytes);
    bytes[start + 4 * length + 30 + 2..][..8].copy_from_slice(&[255; 8]);
    let path = folder.file("q.las", bytes);
    let error = folder.error_of("q.las", read(&path, &of(&names("pulse"))));
    assert_eq!(error, format!("q.las: row 4: {} is beyond 64 bits with a sign", u64::MAX));
}

#[test]
fn ids_of_text_are_the_first_column_if_asked_for() {
    let folder = Folder::new();
    let ids = Keep { text_ids: true, ..Keep::default() };
    let tag = names("tag");
    let with_tag = Keep { text_ids: true, ..of(&tag) };
    let one: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    let table = |ids: ArrayRef| {
        let tags: ArrayRef = Arc::new(Int64Array::from(vec![5, 6]));
        let columns = [("x", &one), ("tag", &tags), ("point_id", &ids), ("y", &one), ("z", &one)];
        RecordBatch::try_from_iter(columns.map(|(name, array)| (name, array.clone())))
            .expect("a batch")
    };
    let words = || -> ArrayRef { Arc::new(StringArray::from(vec!["a7", "8"])) };
    let encoded =
        || dictionary(&Int8Array::from(vec![1, 0]), Arc::new(StringArray::from(vec!["8", "a7"])));
    let text =
        |ids: [&str; 2]| format!("x,tag,point_id,y,z\n1,5,{},1,1\n2,6,{},2,2\n", ids[0], ids[1]);
    let whole = "is not a whole number of 64 bits with a sign";
    let no_type = "is not a type of whole numbers";
    for (name, bytes, refused) in [
        (
            "p.csv",
            text(["a7", "8"]).into_bytes(),
            format!("line 2: column \"point_id\": \"a7\" {whole}"),
        ),
        ("p.xyz", text(["a7", "8"]).into_bytes(), format!("line 2: \"point_id\": \"a7\" {whole}")),
        (
            "p.parquet",
            parquet(&[table(words())], 9),
            format!("column \"point_id\": Utf8 {no_type}"),
        ),
        (
            "p.arrow",
            arrow_file(&[table(words())], None),
            format!("column \"point_id\": Utf8 {no_type}"),
        ),
        (
            "p.arrows",
            arrow_stream(&[table(encoded())]),
            format!("column \"point_id\": … {no_type}"),
        ),
    ] {
        let path = folder.file(name, bytes);
        let found = read(&path, &with_tag).expect(name);
        let id = ("point_id".to_owned(), vec!["t a7".to_owned(), "t 8".to_owned()]);
        let tags = ("tag".to_owned(), vec!["i 5".to_owned(), "i 6".to_owned()]);
        assert_eq!(found.kept, [id.clone(), tags], "{name}");
        assert_eq!(found.ids, [0, 1], "{name}: row numbers");
        assert_eq!(read(&path, &ids).expect(name).kept, [id], "{name}");
        let error = read(&path, &Keep::default()).expect_err(name).to_string();
        assert_reads(&error, &format!("…{name}: {refused}"));
    }
    // Whole numbers stay ids, and a later one that is none is refused as before.
    for (ids_of, found) in [
        (["7", "8"], Ok(vec![7, 8])),
        (["7", "a"], Err("…line 3: column \"point_id\": \"a\" is not a whole number…")),
    ] {
        let path = folder.file("p.csv", text(ids_of));
        match (read(&path, &with_tag), found) {
            (Ok(read), Ok(ids)) => {
                assert_eq!((read.ids, read.kept.len()), (ids, 1));
            }
            (Err(error), Err(expected)) => assert_reads(&error.to_string(), expected),
            (read, found) => panic!("{read:?} {found:?}"),
        }
    }
    // They may be asked for by their name, then of any kind.
    let named = names("point_id");
    for (ids, cells) in [(["7", "8"], ["i 7", "i 8"]), (["7", "a"], ["t 7", "t a"])] {
        let found = read(&folder.file("p.csv", text(ids)), &of(&named)).expect("points");
        assert_eq!(found.kept, [("point_id".to_owned(), cells.map(str::to_owned).to_vec())]);
    }
    let found = read(&folder.path("p.arrow"), &of(&named)).expect("points").kept;
    assert_eq!(found[0].1, ["t a7", "t 8"]);
    // Of no rows.
    for text in ["x,point_id,a,y,z\n", "x,y,z,point_id,a\n"] {
        let a = names("a");
        let found =
            read(&folder.file("p.csv", text), &Keep { text_ids: true, ..of(&a) }).expect("none");
        assert_eq!((found.x.len(), found.kept), (0, vec![("a".to_owned(), vec![])]));
    }
}

#[test]
fn rays_keep_columns_too() {
    let folder = Folder::new();
    let text = "ray_id,ox,oy,oz,tag,dx,dy,dz\nr1,1,0,0,x,0,0,1\nr2,2,0,0,,0,0,1\n";
    let tag = names("tag");
    let keep = Keep { text_ids: true, ..of(&tag) };
    let mut reader = RayReader::<f32>::open(&folder.file("r.csv", text))
        .and_then(|reader| reader.keep(&keep))
        .expect("rays");
    assert!(reader.ignored_columns().is_empty());
    let mut chunk = RayChunk::default();
    assert!(reader.next_chunk(9, &mut chunk).expect("rays"));
    assert_eq!(chunk.kept.iter().map(cells).collect::<Vec<_>>(), [["t r1", "t r2"], ["t x", "t "]]);
    assert_eq!((chunk.rays.len(), chunk.ray_id), (2, None));
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let folder = Folder::new();
    let one: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let table = |name: &str, array: ArrayRef| {
        let columns = [("x", one.clone()), (name, array), ("y", one.clone()), ("z", one.clone())];
        let columns = columns.map(|(name, array)| (name, array, true));
        RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
    };
    let big = || -> ArrayRef { Arc::new(UInt64Array::from(vec![1, 2, u64::MAX])) };
    let list: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>(
            (0..3).map(|row| Some(vec![Some(row)])),
        ));
    let when: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1; 3]));
    let beyond = "row 2: column \"a\": 18446744073709551615 is beyond 64 bits with a sign";
    let not_kept = "is not kept; numbers, booleans and text are";
    let numbers: Vec<u8> = [1.0_f64; 3].iter().flat_map(|x| x.to_le_bytes()).collect();
    let npz = |descr: &str, shape: &str, data: &[u8]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        let axis = npy("'<f8'", "False", "(3,)", &numbers);
        let a = npy(descr, "False", shape, data);
        for (name, bytes) in [("x.npy", &axis), ("y.npy", &axis), ("z.npy", &axis), ("a.npy", &a)] {
            zip.start_file(name, options).expect("a member");
            std::io::Write::write_all(&mut zip, bytes).expect("written");
        }
        zip.finish().expect("a file").into_inner()
    };
    let a = names("a");
    folder.refuses(
        |path| read(path, &of(&a)),
        [
            ("p.csv", b"x,y,z,b\n1,2,3,4\n".to_vec(), "there is no column \"a\"; found x, y, z, b"),
            (
                "p.csv",
                b"x,y,z,A\n1,2,3,4\n".to_vec(),
                "there is no column \"a\"; found x, y, z, A; did you mean \"A\"?",
            ),
            ("p.csv", b"x,a,y,z,a\n1,2,3,4,5\n".to_vec(), "column \"a\" stands there twice"),
            (
                "p.csv",
                b"x,a,y,z\n1,b,2,3\n1,\xff,2,3\n".to_vec(),
                "line 3: column \"a\": … is not text in UTF-8",
            ),
            ("p.xyz", b"1 2 3 4\n".to_vec(), "there is no column \"a\"; found x, y, z, 4"),
            (
                "p.parquet",
                parquet(&[table("a", list.clone())], 9),
                &*format!("column \"a\": List… {not_kept}"),
            ),
            (
                "p.arrow",
                arrow_file(&[table("a", when.clone())], None),
                &*format!("column \"a\": Timestamp… {not_kept}"),
            ),
            ("p.arrows", arrow_stream(&[table("a", big())]), beyond),
            ("p.parquet", parquet(&[table("a", big())], 2), beyond),
            (
                "p.parquet",
                parquet(&[table("aa", big())], 9),
                "there is no column \"a\"; found x, aa, y, z",
            ),
            (
                "p.npy",
                npy("'<f4'", "False", "(1, 3)", &floats(&[1.0; 3])),
                "there is no column \"a\": it is one array",
            ),
            (
                "p.npz",
                npz("'<f8'", "(3, 1)", &numbers)[..100].to_vec(),
                "truncated or no zip archive…",
            ),
            (
                "p.npz",
                npz("'<U1'", "(3,)", &numbers[..12]),
                "a.npy: values of the type \"<U1\"; expected …",
            ),
            (
                "p.npz",
                npz("'<f8'", "(1, 3)", &numbers),
                "a.npy: shape [1, 3]; expected (N,) or (N, 1)",
            ),
            ("p.npz", npz("'<f8'", "(2,)", &numbers[..16]), "a.npy: 2 rows, where 3 are read"),
            (
                "p.npz",
                npz("'<u8'", "(3,)", &[0xff; 24]),
                "a.npy: row 0: 18446744073709551615 is beyond 64 bits with a sign",
            ),
        ],
    );
    let found =
        read(&folder.file("p.npz", npz("'|b1'", "(3, 1)", &[1, 0, 1])), &of(&a)).expect("booleans");
    assert_eq!(found.kept[0].1, ["b true", "b false", "b true"]);
    let path = folder.cloud("p.las", &[[1.0_f32; 3]]);
    let error = read(&path, &of(&a)).expect_err("no such dimension").to_string();
    assert_reads(&error, "…p.las: there is no dimension \"a\"; found intensity, …");
}

/// A column of each kind, with nulls from a row on.
fn optional(first_null: usize) -> Vec<(&'static str, Column)> {
    fn of<V>(first_null: usize, value: impl Fn(usize) -> V) -> Vec<Option<V>> {
        (0..COUNT).map(|row| (row < first_null || row % 2 == 0).then(|| value(row))).collect()
    }
    vec![
        ("x", Column::F32(of(COUNT, |row| row as f32))),
        ("y", Column::F32(of(COUNT, |row| row as f32))),
        ("z", Column::F32(of(COUNT, |row| row as f32))),
        ("gain", Column::F32(of(first_null, |row| 0.1 * row as f32))),
        ("time", Column::F64(of(first_null, |row| 0.1 * row as f64))),
        ("class", Column::I64(of(first_null, |row| row as i64))),
        ("lit", Column::Bool(of(first_null, |row| row % 4 == 0))),
        ("a, \"b\"", Column::Text(of(first_null, |row| Arc::from(format!("t,{row}\""))))),
    ]
}

fn write(path: &Path, columns: &[(&'static str, Column)]) -> Result<(), Error> {
    let rows = |rows: std::ops::Range<usize>| -> Vec<_> {
        columns.iter().map(|(name, column)| (*name, column.of_rows(rows.clone()))).collect()
    };
    fn values<'a>(columns: &'a [(&'static str, Column)]) -> Vec<(&'static str, Values<'a>)> {
        columns.iter().map(|(name, column)| (*name, column.values())).collect()
    }
    let mut writer = TableWriter::create(path, None, &values(&rows(0..0)))?;
    for start in (0..COUNT).step_by(9) {
        writer.write(&values(&rows(start..COUNT.min(start + 9))))?;
    }
    writer.finish()
}

#[test]
fn nulls_are_written_where_the_format_has_them() {
    let (folder, columns) = (Folder::new(), optional(30));
    let keep: Vec<_> = columns[3..].iter().map(|(name, _)| (*name).to_owned()).collect();
    for name in ["p.csv", "p.parquet", "p.arrow", "p.arrows"] {
        let path = folder.path(name);
        write(&path, &columns).expect(name);
        let found = read(&path, &of(&keep)).expect(name);
        for ((name_found, cells_found), (column, written)) in found.kept.iter().zip(&columns[3..]) {
            assert_eq!(name_found, column);
            let expected = cells(written).into_iter().map(|cell| match (name, cell) {
                // Floats of CSV are of 64 bits, and its text is never null.
                ("p.csv", cell) if *column == "gain" && cell != "-" => {
                    format!("d {:?}", cell[2..].parse::<f64>().expect("a number"))
                }
                ("p.csv", cell) if column.starts_with('a') && cell == "-" => "t ".to_owned(),
                (_, cell) => cell,
            });
            assert_eq!(*cells_found, expected.collect::<Vec<_>>(), "{name} {column}");
        }
    }
    for name in ["p.npz", "p.ply"] {
        let error = folder.error_of(name, write(&folder.path(name), &columns));
        let text = "column \"a, \\\"b\\\"\" is text, which npz and files of points do not hold"
            .replace('\\', "");
        assert_eq!(error, format!("{name}: {text}"));
        // The first null of a chunk that is not the first.
        for (left_out, null) in [("", "class"), ("class", "lit")] {
            let some: Vec<_> =
                columns[..7].iter().filter(|(name, _)| *name != left_out).cloned().collect();
            let error = folder.error_of(name, write(&folder.path(name), &some));
            assert_eq!(
                error,
                format!(
                    "{name}: row 31: column \"{null}\" is null, which npz and files of points hold of floats alone"
                )
            );
        }
        assert_eq!(folder.names().len(), 4, "nothing is left of it");
    }
    for name in ["p.npz", "p.ply"] {
        let path = folder.path(name);
        write(&path, &columns[..5]).expect(name);
        let found = read(&path, &of(&names("gain time"))).expect(name);
        for ((_, found), (_, written)) in found.kept.iter().zip(&columns[3..5]) {
            let kind = &cells(written)[0][..2];
            let expected = cells(written)
                .into_iter()
                .map(|cell| if cell == "-" { format!("{kind}NaN") } else { cell });
            assert_eq!(*found, expected.collect::<Vec<_>>(), "{name}");
        }
        let sound: Vec<_> = optional(COUNT)[..7].to_vec();
        write(&path, &sound).expect(name);
        let class = read(&path, &of(&names("class"))).expect(name).kept.remove(0).1;
        let kind = if name == "p.npz" { "i 39" } else { "d 39.0" };
        assert_eq!(class[39], kind);
    }
}

#[test]
fn names_that_a_file_cannot_have_are_refused() {
    let folder = Folder::new();
    let one = Values::F32(&[1.0]);
    let columns = |name| vec![("x", one), ("y", one), ("z", one), (name, one)];
    let create = |file: &str, name| TableWriter::create(&folder.path(file), None, &columns(name));
    let long = "n".repeat(40_000);
    for (file, name, problem) in [
        ("p.csv", "x", "two columns are called \"x\""),
        ("p.ply", "a b", "column \"a b\": a property of PLY is called by one word"),
        ("p.ply", "", "column \"\": a property of PLY is called by one word"),
        ("p.npz", &long, "column \"nnn…\": the name is too long for npz"),
    ] {
        assert_reads(&folder.error_of(file, create(file, name)), &format!("{file}: {problem}"));
    }
    let more = |name| {
        HitWriter::<f32>::create_with(
            &folder.path("p.csv"),
            None,
            HitKind::Distance,
            &[(name, one)],
        )
    };
    let own =
        "the answers have a column \"distance\" of their own; a further one needs another name";
    assert_eq!(folder.error_of("p.csv", more("distance")), format!("p.csv: {own}"));
    assert!(folder.names().is_empty());
    // But for that which names the rows.
    let ids = [Some(Arc::from("a")), None];
    let column = [("point_id", Values::OptionText(&ids))];
    let path = folder.path("p.csv");
    let mut writer =
        HitWriter::<f32>::create_with(&path, None, HitKind::Distance, &column).expect("a file");
    let mut distances = lanecast::answers::DistanceBatch::new();
    lanecast::Scene::<f32>::from_triangles(
        &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        &[[0, 1, 2]],
    )
    .and_then(|scene| scene.points(&[[0.0, 0.0, 2.0]; 2]).distances_into(&mut distances))
    .expect("distances");
    let vectors = lanecast_io::Vectors::default();
    writer.write_with(RayIds::Rows(0), &distances, vectors, &column).expect("written");
    writer.finish().expect("finished");
    let text = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(text, "point_id,status,distance\na,hit,2.0\n,hit,2.0\n");
}
