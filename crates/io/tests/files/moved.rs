//! Numbers of f64 are kept, or rounded once to f32, and a chunk says by how much that moved its
//! coordinates at most, in every format.

use crate::folder::Folder;
use crate::support::{arrow_stream, npy, points_in};
use arrow_array::{Array, Float64Array, RecordBatch};
use lanecast::Ray;
use lanecast_io::{Coordinate, PointChunk, PointReader, RayChunk, RayReader, Values};
use std::path::Path;
use std::sync::Arc;

const COUNT: usize = 100;
/// Rows of a chunk.
const ROWS: usize = 33;
const NAMES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 100\nproperty double x\nproperty double y\nproperty double z\n\
    end_header\n";

/// The numbers of points, or of rays where there are more than three, and how points or origins
/// were moved in each chunk.
fn read<T: Coordinate>(path: &Path, width: usize) -> (Vec<T>, Vec<f64>) {
    let (mut all, mut moved) = (Vec::new(), Vec::new());
    if width == 3 {
        let (mut reader, mut chunk) =
            (PointReader::<T>::open(path).unwrap(), PointChunk::default());
        while reader.next_chunk(ROWS, &mut chunk).unwrap() {
            moved.push(chunk.moved);
            all.extend(chunk.points.as_flattened());
        }
    } else {
        let (mut reader, mut chunk) = (RayReader::<T>::open(path).unwrap(), RayChunk::default());
        while reader.next_chunk(ROWS, &mut chunk).unwrap() {
            moved.push(chunk.moved);
            for Ray { origin: [a, b, c], direction: [d, e, f], t_min, t_max } in &chunk.rays {
                all.extend([*a, *b, *c, *d, *e, *f, *t_min, *t_max].iter().take(width));
            }
        }
    }
    (all, moved)
}

/// By how much `f32` moves what is finite and not beyond 1e30, chunk by chunk.
fn moved_by_f32(places: &[[f64; 3]]) -> Vec<f64> {
    let by = |x: &f64| (x - f64::from(*x as f32)).abs();
    let most = |some: &[[f64; 3]]| {
        some.as_flattened().iter().filter(|x| x.abs() <= 1e30).map(by).fold(0.0, f64::max)
    };
    places.chunks(ROWS).map(most).collect()
}

/// In each chunk another coordinate is moved farthest; in the last, which f32 holds, none.
fn finite_place(row: usize) -> [f64; 3] {
    let x = row as f64;
    match row {
        5 => [1e6 + 0.03, 0.1, 0.2],
        50 => [0.1, -1e8 - 3.3, 0.2],
        // The last of its chunk.
        98 => [0.1, 0.2, 1e7 + 0.3],
        99.. => [1e9, -0.5, 16_777_216.0],
        _ => [1e3 + x / 3.0, -x / 7.0, 0.001 * x],
    }
}

/// The same, with what does not count: it would be moved by far more.
fn place(row: usize) -> [f64; 3] {
    match row {
        7 => [f64::NAN, f64::INFINITY, 0.1],
        8 => [1.1e30, 1e300, -1e31],
        40 => [f64::NEG_INFINITY, 0.0, 0.1],
        _ => finite_place(row),
    }
}

/// Checks the numbers of all rows in both precisions, and how f32 moves them.
#[track_caller]
fn check(path: &Path, rows: &[Vec<f64>], moved: &[f64]) {
    let (width, numbers) = (rows[0].len(), rows.concat());
    let (exact, by_f64) = read::<f64>(path, width);
    let (rounded, by_f32) = read::<f32>(path, width);
    let same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
    assert_eq!((exact.len(), rounded.len()), (numbers.len(), numbers.len()));
    for ((x, exact), rounded) in numbers.iter().zip(exact).zip(rounded) {
        let is_once = same(f64::from(rounded), f64::from(*x as f32));
        assert!(same(exact, *x) && is_once, "{}: {x}: {exact}, {rounded}", path.display());
    }
    assert_eq!((&by_f32[..], by_f64), (moved, vec![0.0; 4]), "{}", path.display());
}

#[test]
fn tables_and_arrays_of_f64_say_it_and_directions_do_not_count() {
    let folder = Folder::new();
    let places: Vec<_> = (0..COUNT).map(place).collect();
    let expected = moved_by_f32(&places);
    assert!(expected[..3].iter().all(|by| *by > 0.01) && expected[3] == 0.0, "{expected:?}");
    let column = |number: usize| -> Vec<f64> {
        let of_row = |place: &[f64; 3]| place.get(number).copied().unwrap_or(1e20 / number as f64);
        places.iter().map(of_row).collect()
    };
    let columns: Vec<Vec<f64>> = (0..8).map(column).collect();
    let rows = |width: usize| -> Vec<Vec<f64>> {
        (0..COUNT).map(|row| columns[..width].iter().map(|column| column[row]).collect()).collect()
    };
    for names in [&["x", "y", "z"][..], &NAMES] {
        // In another order than that of a row.
        let named = names.iter().zip(&columns).rev();
        let named: Vec<_> = named.map(|(&name, values)| (name, Values::F64(values))).collect();
        for name in ["t.npz", "t.csv", "t.parquet", "t.arrow", "t.arrows", "t.ply"] {
            if names.len() == 3 || name != "t.ply" {
                check(&folder.table(name, &named), &rows(names.len()), &expected);
            }
        }
    }
    for width in [3, 6, 8] {
        let (shape, numbers) = (format!("({COUNT}, {width})"), rows(width).concat());
        let by_column = columns[..width].concat();
        for (descr, order, bytes) in [
            ("'<f8'", "False", numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()),
            ("'>f8'", "False", numbers.iter().flat_map(|x| x.to_be_bytes()).collect()),
            ("'<f8'", "True", by_column.iter().flat_map(|x| x.to_le_bytes()).collect()),
        ] {
            let path = folder.file("a.npy", npy(descr, order, &shape, &bytes));
            check(&path, &rows(width), &expected);
        }
        let narrow: Vec<u8> = numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
        let path = folder.file("n.npy", npy("'<f4'", "False", &shape, &narrow));
        assert_eq!(read::<f32>(&path, width).1, [0.0; 4]);
    }
}

#[test]
fn clouds_say_it() {
    let folder = Folder::new();
    let places: Vec<_> = (0..COUNT).map(finite_place).collect();
    let rows = |places: &[[f64; 3]]| places.iter().map(|place| place.to_vec()).collect::<Vec<_>>();
    for name in ["c.ply", "c.pcd", "c.xyz", "c.las", "c.laz"] {
        let path = folder.cloud(name, &places);
        // LAS has rounded them itself, here to metres.
        let written = points_in::<f64>(&path).unwrap();
        let expected = moved_by_f32(&written);
        assert!(expected[1] > 0.01, "{name}: {expected:?}");
        check(&path, &rows(&written), &expected);
    }
    let lines: String = places.iter().map(|[x, y, z]| format!("{x:?} {y:?} {z:?}\n")).collect();
    let pcd = "# .PCD v0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nPOINTS 100\nDATA ascii\n";
    for (name, header) in [("t.ply", PLY), ("t.pcd", pcd)] {
        let path = folder.file(name, header.to_owned() + &lines);
        check(&path, &rows(&places), &moved_by_f32(&places));
    }
}

/// 2²⁴ + 1, 2⁵³ + 1, and one that is midway between two f32 but for 1: nearer to another f32 when
/// rounded to f64 first.
#[test]
fn whole_numbers_are_rounded_once_and_say_it_in_f64_too() {
    let folder = Folder::new();
    let whole = [(1_i64 << 24) + 1, (1 << 53) + 1, (1 << 61) + (1 << 37) + 1];
    assert_ne!(whole[2] as f32, whole[2] as f64 as f32, "the case is one");
    let bytes: Vec<u8> = whole.iter().flat_map(|x| x.to_le_bytes()).collect();
    let array = folder.file("p.npy", npy("'<i8'", "False", "(1, 3)", &bytes));
    let [x, y, z] = whole.each_ref().map(std::slice::from_ref).map(Values::I64);
    let table = folder.table("p.parquet", &[("x", x), ("y", y), ("z", z)]);
    for path in [array, table] {
        let moved = vec![((1_u64 << 37) - 1) as f64];
        assert_eq!(read::<f32>(&path, 3), (whole.map(|x| x as f32).to_vec(), moved));
        assert_eq!(read::<f64>(&path, 3), (whole.map(|x| x as f64).to_vec(), vec![1.0]));
    }
}

#[test]
fn what_lies_under_a_null_does_not_count() {
    let folder = Folder::new();
    let values = Float64Array::from(vec![0.5, 1e9 + 21.0, 16_777_217.0]);
    let nulls = Float64Array::from(vec![Some(0.0), None, Some(0.0)]);
    let gaps = Arc::new(Float64Array::new(values.values().clone(), nulls.nulls().cloned()));
    let batch =
        RecordBatch::try_from_iter(["x", "y", "z"].map(|name| (name, gaps.clone() as _))).unwrap();
    let (numbers, moved) = read::<f32>(&folder.file("p.arrows", arrow_stream(&[batch])), 3);
    assert_eq!(moved, [1.0]);
    assert!(numbers[3..6].iter().all(|x| x.is_nan()) && numbers[6..] == [16_777_216.0; 3]);
}

/// A little beyond 1 + 2⁻²⁴ and 2⁻¹⁵⁰, which are midway between two f32 and what f64 makes of these
/// texts.
#[test]
fn decimal_numbers_are_rounded_once() {
    let folder = Folder::new();
    let one = "1.000000059604644775390626";
    let least = "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791\
                 0156251e-46";
    let expected = [0x3f80_0001, 1, 0x8000_0000];
    let twice = [one, least].map(|text| (text.parse::<f64>().unwrap() as f32).to_bits());
    assert_ne!(twice, expected[..2], "the case is one");
    let line = format!("{one} {least} -0\n");
    for (name, text) in [
        ("p.csv", format!("x,y,z\n{}", line.replace(' ', ","))),
        ("p.xyz", line.clone()),
        ("p.ply", PLY.replace("vertex 100", "vertex 1") + &line),
    ] {
        let (numbers, moved) = read::<f32>(&folder.file(name, text), 3);
        assert!(numbers.iter().map(|x| x.to_bits()).eq(expected), "{name}");
        assert_eq!(moved, [(-24_f64).exp2()], "{name}");
    }
}
