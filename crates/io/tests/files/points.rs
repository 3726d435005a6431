//! Point files: every format of rays has points too, and what is wrong with one is said with its
//! place.

use crate::folder::Folder;
use crate::support::{arrow_stream, npy, parquet, points};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use lanecast_io::{Error, PointChunk, PointReader, RayIds};
use std::sync::Arc;

const COUNT: usize = 50;

fn point(row: usize) -> [f32; 3] {
    let x = row as f32;
    [x, -0.1 * x, if row == 7 { f32::NAN } else { 1e-30 * x }]
}

fn read(
    reader: Result<PointReader, Error>,
    max_rows: usize,
) -> Result<(Vec<[u32; 3]>, Vec<i64>), Error> {
    let (mut reader, mut chunk) = (reader?, PointChunk::<f32>::default());
    let (total, mut points, mut ids) = (reader.total(), Vec::new(), Vec::new());
    while reader.next_chunk(max_rows, &mut chunk)? {
        assert_eq!(chunk.first_row, points.len() as u64);
        ids.extend((0..chunk.points.len()).map(|index| chunk.ids().get(index)));
        assert_eq!(matches!(chunk.ids(), RayIds::Given(_)), chunk.point_id.is_some());
        points.extend(chunk.points.iter().map(|point| point.map(f32::to_bits)));
    }
    assert!(total.is_none_or(|total| total == points.len() as u64));
    Ok((points, ids))
}

fn batch() -> RecordBatch {
    let column = |axis: usize| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values((0..COUNT).map(|row| f64::from(point(row)[axis]))))
    };
    let ids: ArrayRef =
        Arc::new(Int64Array::from_iter_values((0..COUNT as i64).map(|row| 100 - row)));
    let columns = [
        ("y", column(1)),
        ("point_id", ids),
        ("other", column(0)),
        ("x", column(0)),
        ("z", column(2)),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

#[test]
fn every_format_holds_the_same_points() {
    let folder = Folder::new();
    let expected: Vec<_> = (0..COUNT).map(|row| point(row).map(f32::to_bits)).collect();
    let given: Vec<_> = (0..COUNT as i64).map(|row| 100 - row).collect();
    let counted: Vec<_> = (0..COUNT as i64).collect();

    let rows: Vec<u8> = (0..COUNT).flat_map(point).flat_map(f32::to_le_bytes).collect();
    let columns: Vec<u8> = (0..3)
        .flat_map(|axis| (0..COUNT).flat_map(move |row| f64::from(point(row)[axis]).to_be_bytes()))
        .collect();
    let mut csv = "point_id,z,y,x\n".to_owned();
    for row in 0..COUNT {
        let [x, y, z] = point(row);
        csv += &format!("{},{z:?},{y:?},{x:?}\n", 100 - row as i64);
    }
    for (name, bytes, ids) in [
        ("rows.npy", npy("'<f4'", "False", "(50, 3)", &rows), &counted),
        ("columns.npy", npy("'>f8'", "True", "(50, 3)", &columns), &counted),
        ("points.csv", csv.into_bytes(), &given),
        ("points.arrows", arrow_stream(&[batch()]), &given),
        ("points.parquet", parquet(&[batch()], 1000), &given),
    ] {
        for max_rows in [1, 7, 1000] {
            let opened =
                read(PointReader::<f32>::open(&folder.file(name, &bytes)), max_rows).expect(name);
            assert!(opened == (expected.clone(), ids.clone()), "{name}, {max_rows} at a time");
            let piped = read(
                PointReader::<f32>::from_reader(name, std::io::Cursor::new(bytes.clone())),
                max_rows,
            );
            assert!(piped.expect(name) == opened, "{name} from a pipe");
        }
    }
}

#[test]
fn what_is_wrong_with_a_file_of_points_is_said() {
    let folder = Folder::new();
    folder.refuses(
        points,
        [
            (
                "rays.npy",
                npy("'<f4'", "False", "(2, 6)", &[0; 48]),
                "shape [2, 6]; expected (N, 3) or (3,)",
            ),
            (
                "flat.npy",
                npy("'<f4'", "False", "(4,)", &[0; 16]),
                "shape [4]; expected (N, 3) or (3,)",
            ),
            (
                "short.npy",
                npy("'<f4'", "False", "(2, 3)", &[0; 20]),
                "truncated: row 1 of 2 is incomplete",
            ),
            (
                "rays.csv",
                b"ox,oy,oz\n1,2,3\n".to_vec(),
                "no column \"x\", \"y\", \"z\"; found ox, oy, oz",
            ),
            (
                "ids.csv",
                b"x,y,z,point_id\n1,2,3,a\n".to_vec(),
                "line 2: column \"point_id\": \"a\" is not a whole number of 64 bits with a sign",
            ),
        ],
    );
}
