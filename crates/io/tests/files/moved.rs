//! A chunk says by how much rounding moved its coordinates at most, in every format.

use crate::folder::Folder;
use crate::support::npy;
use arrow_array::{Array, Float64Array, RecordBatch};
use lanecast_io::{
    CloudWriter, Coordinate, PointChunk, PointReader, RayChunk, RayReader, TableWriter, Values,
};
use std::path::Path;
use std::sync::Arc;

const COUNT: usize = 100;
/// Rows of a chunk.
const ROWS: usize = 33;
const NAMES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

/// How points, or the origins of rays, were moved in each chunk.
fn moved<T: Coordinate>(path: &Path, of_rays: bool) -> Vec<f64> {
    let mut all = Vec::new();
    if of_rays {
        let (mut reader, mut chunk) = (RayReader::<T>::open(path).unwrap(), RayChunk::default());
        while reader.next_chunk(ROWS, &mut chunk).unwrap() {
            all.push(chunk.moved);
        }
    } else {
        let (mut reader, mut chunk) =
            (PointReader::<T>::open(path).unwrap(), PointChunk::default());
        while reader.next_chunk(ROWS, &mut chunk).unwrap() {
            all.push(chunk.moved);
        }
    }
    all
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

fn check(path: &Path, of_rays: bool, expected: &[f64]) {
    assert_eq!(moved::<f32>(path, of_rays), expected, "{}", path.display());
    assert_eq!(moved::<f64>(path, of_rays), [0.0; 4], "{}", path.display());
}

#[test]
fn tables_and_arrays_of_f64_say_it_and_directions_do_not_count() {
    let folder = Folder::new();
    let places: Vec<_> = (0..COUNT).map(place).collect();
    let expected = moved_by_f32(&places);
    assert!(expected[..3].iter().all(|by| *by > 0.01) && expected[3] == 0.0, "{expected:?}");
    let column = |number: usize| -> Vec<f64> {
        let of_row = |place: &[f64; 3]| place.get(number).copied().unwrap_or(1e20 / 3.0);
        places.iter().map(of_row).collect()
    };
    let columns: Vec<Vec<f64>> = (0..8).map(column).collect();
    for (of_rays, names) in [(false, &["x", "y", "z"][..]), (true, &NAMES)] {
        // In another order than that of a row.
        let named: Vec<_> = names
            .iter()
            .zip(&columns)
            .rev()
            .map(|(&name, values)| (name, Values::F64(values)))
            .collect();
        for extension in ["npz", "csv", "parquet", "arrow", "arrows", "ply"] {
            if of_rays && extension == "ply" {
                continue;
            }
            let path = folder.path(&format!("{}.{extension}", names.len()));
            let mut writer = TableWriter::create(&path, None, &named).unwrap();
            writer.write(&named).unwrap();
            writer.finish().unwrap();
            check(&path, of_rays, &expected);
        }
    }
    for width in [3, 6, 8] {
        let shape = format!("({COUNT}, {width})");
        let rows =
            || (0..COUNT).flat_map(|row| columns[..width].iter().map(move |column| column[row]));
        let by_column = || columns[..width].iter().flatten().copied();
        for (descr, order, bytes) in [
            ("'<f8'", "False", rows().flat_map(f64::to_le_bytes).collect::<Vec<_>>()),
            ("'>f8'", "False", rows().flat_map(f64::to_be_bytes).collect()),
            ("'<f8'", "True", by_column().flat_map(f64::to_le_bytes).collect()),
        ] {
            check(&folder.file("a.npy", npy(descr, order, &shape, &bytes)), width > 3, &expected);
        }
        let narrow: Vec<u8> = rows().flat_map(|x| (x as f32).to_le_bytes()).collect();
        check(&folder.file("n.npy", npy("'<f4'", "False", &shape, &narrow)), width > 3, &[0.0; 4]);
    }
}

#[test]
fn clouds_say_it() {
    let folder = Folder::new();
    let places: Vec<_> = (0..COUNT).map(finite_place).collect();
    for name in ["c.ply", "c.pcd", "c.xyz", "c.las", "c.laz"] {
        let path = folder.path(name);
        let mut writer = CloudWriter::create(&path).unwrap();
        writer.write(&places).unwrap();
        writer.finish().unwrap();
        // LAS has rounded them itself, here to metres.
        let (mut reader, mut chunk) =
            (PointReader::<f64>::open(&path).unwrap(), PointChunk::default());
        reader.next_chunk(COUNT, &mut chunk).unwrap();
        let expected = moved_by_f32(&chunk.points);
        assert!(expected[1] > 0.01, "{name}: {expected:?}");
        check(&path, false, &expected);
    }
    let lines: String = places.iter().map(|[x, y, z]| format!("{x:?} {y:?} {z:?}\n")).collect();
    let ply = "ply\nformat ascii 1.0\nelement vertex 100\nproperty double x\nproperty double y\nproperty double z\n\
               end_header\n";
    let pcd = "# .PCD v0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nPOINTS 100\nDATA ascii\n";
    for (name, header) in [("t.ply", ply), ("t.pcd", pcd)] {
        check(&folder.file(name, header.to_owned() + &lines), false, &moved_by_f32(&places));
    }
}

/// 2²⁴ + 1, 2⁵³ + 1, and one that is midway between two f32 but for 1.
#[test]
fn whole_numbers_say_it_exactly_in_f64_too() {
    let folder = Folder::new();
    let whole = [(1_i64 << 24) + 1, (1 << 53) + 1, (1 << 61) + (1 << 37) + 1];
    let bytes: Vec<u8> = whole.iter().flat_map(|x| x.to_le_bytes()).collect();
    let array = folder.file("p.npy", npy("'<i8'", "False", "(1, 3)", &bytes));
    let table = folder.path("p.parquet");
    let [x, y, z] = whole.each_ref().map(std::slice::from_ref).map(Values::I64);
    let columns = [("x", x), ("y", y), ("z", z)];
    let mut writer = TableWriter::create(&table, None, &columns).unwrap();
    writer.write(&columns).unwrap();
    writer.finish().unwrap();
    for path in [array, table] {
        assert_eq!(moved::<f32>(&path, false), [((1_u64 << 37) - 1) as f64]);
        assert_eq!(moved::<f64>(&path, false), [1.0]);
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
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let path = folder.file("p.arrows", writer.into_inner().unwrap());
    assert_eq!(moved::<f32>(&path, false), [1.0]);
    let (mut reader, mut chunk) = (PointReader::<f32>::open(&path).unwrap(), PointChunk::default());
    reader.next_chunk(3, &mut chunk).unwrap();
    assert!(chunk.points[1].iter().all(|x| x.is_nan()) && chunk.points[2] == [16_777_216.0; 3]);
}

/// A little beyond 1 + 2⁻²⁴ and 2⁻¹⁵⁰, which are midway between two f32 and what f64 makes of these
/// texts.
#[test]
fn decimal_numbers_are_rounded_once() {
    let folder = Folder::new();
    let one = "1.000000059604644775390626";
    let least = "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791\
                 0156251e-46";
    let expected = [f32::from_bits(0x3f80_0001), f32::from_bits(1), -0.0];
    assert_ne!(
        [one, least].map(|text| text.parse::<f64>().unwrap() as f32),
        expected[..2],
        "the case is one"
    );
    let line = format!("{one} {least} -0\n");
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\n\
               end_header\n";
    for (name, text) in [
        ("p.csv", format!("x,y,z\n{}", line.replace(' ', ","))),
        ("p.xyz", line.clone()),
        ("p.ply", ply.to_owned() + &line),
    ] {
        let path = folder.file(name, text);
        let (mut reader, mut chunk) =
            (PointReader::<f32>::open(&path).unwrap(), PointChunk::default());
        reader.next_chunk(1, &mut chunk).unwrap();
        assert_eq!(chunk.points[0].map(f32::to_bits), expected.map(f32::to_bits), "{name}");
        assert_eq!(chunk.moved, (-24_f64).exp2(), "{name}");
    }
}
