//! Columns that are no part of a row and go with it: every format has the same of them, chunk by
//! chunk and on all threads, and what cannot be kept is refused.

mod las;
mod refused;
mod tables;
mod text;
mod written;

use crate::folder::Folder;
use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Int8Array};
use lanecast::Threads;
use lanecast_io::{Column, Error, Keep, PointChunk, PointReader, RayChunk, RayReader, Values};
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

fn dictionary(keys: &Int8Array, values: ArrayRef) -> ArrayRef {
    Arc::new(DictionaryArray::<Int8Type>::new(keys.clone(), values))
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
