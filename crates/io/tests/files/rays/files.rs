//! The same rays in every format.

use crate::support::{arrow_file, arrow_stream, npy, parquet};
use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use lanecast::Ray;
use std::sync::Arc;

pub(super) const COUNT: usize = 50;

pub(super) fn values(row: usize) -> [f32; 8] {
    let x = row as f32;
    [
        x,
        -x,
        0.1 * x,
        1.0 / (x + 3.0),
        -0.0,
        1e-30 * x,
        -1.5,
        if row.is_multiple_of(5) { f32::INFINITY } else { x },
    ]
}

pub(super) fn expected(width: usize) -> Vec<Ray> {
    (0..COUNT)
        .map(|row| {
            let v = values(row);
            let ray = Ray::new([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
            if width == 8 { ray.with_interval(v[6], v[7]) } else { ray }
        })
        .collect()
}

pub(super) fn npy_rays(descr: &str, width: usize, fortran: bool) -> Vec<u8> {
    let mut data = Vec::new();
    for place in 0..COUNT * width {
        let (row, column) =
            if fortran { (place % COUNT, place / COUNT) } else { (place / width, place % width) };
        let x = values(row)[column];
        match descr {
            "<f4" => data.extend(x.to_le_bytes()),
            ">f4" => data.extend(x.to_be_bytes()),
            "<f8" => data.extend(f64::from(x).to_le_bytes()),
            _ => data.extend(f64::from(x).to_be_bytes()),
        }
    }
    let order = if fortran { "True" } else { "False" };
    npy(&format!("'{descr}'"), order, &format!("({COUNT}, {width})"), &data)
}

pub(super) const HEADER: &str = "ox,oy,oz,dx,dy,dz\n";
pub(super) const NAMES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

pub(super) fn csv_rays(width: usize, ids: bool) -> String {
    let mut text = NAMES[..width].join(",");
    text += if ids { ",\"note\", ray_id\n" } else { ",note\n" };
    for row in 0..COUNT {
        let numbers: Vec<_> = values(row)[..width].iter().map(|x| format!("{x:?}")).collect();
        text += &format!("{},\"a, \"\"b\"\"\"", numbers.join(" , "));
        text += &if ids { format!(",{}\r\n", id(row)) } else { "\n".to_owned() };
    }
    text
}

pub(super) fn id(row: usize) -> i64 {
    1000 - 7 * row as i64
}

/// The rays as a table with the columns in another order, a foreign one among them.
pub(super) fn batch(width: usize, double: bool, ids: bool) -> RecordBatch {
    let column = |number: usize| -> ArrayRef {
        let numbers = (0..COUNT).map(|row| values(row)[number]);
        if double {
            Arc::new(Float64Array::from_iter_values(numbers.map(f64::from)))
        } else {
            Arc::new(Float32Array::from_iter_values(numbers))
        }
    };
    let mut columns: Vec<(&str, ArrayRef)> =
        (0..width).rev().map(|n| (NAMES[n], column(n))).collect();
    let words: ArrayRef = Arc::new(StringArray::from(vec![Some("x"); COUNT]));
    columns.insert(2, ("note", words));
    if ids {
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values((0..COUNT).map(id)));
        columns.insert(4, ("ray_id", ids));
    }
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Batches of 20 rows.
pub(super) fn pieces(batch: &RecordBatch) -> Vec<RecordBatch> {
    (0..batch.num_rows().max(1))
        .step_by(20)
        .map(|at| batch.slice(at, 20.min(batch.num_rows() - at)))
        .collect()
}

/// As an Arrow file of such batches, compressed or not.
pub(super) fn table_of(batch: &RecordBatch, compressed: bool) -> Vec<u8> {
    arrow_file(&pieces(batch), compressed.then_some(arrow_ipc::CompressionType::LZ4_FRAME))
}

/// As a Parquet file in row groups of 13 rows.
pub(super) fn parquet_of(batch: &RecordBatch) -> Vec<u8> {
    parquet(std::slice::from_ref(batch), 13)
}

/// As an Arrow stream of such batches.
pub(super) fn stream_of(batch: &RecordBatch) -> Vec<u8> {
    arrow_stream(&pieces(batch))
}

/// Every way to write the same rays: name, bytes, whether there are ids.
pub(super) fn every_file(width: usize) -> Vec<(String, Vec<u8>, bool)> {
    let mut files = Vec::new();
    for descr in ["<f4", ">f4", "<f8", ">f8"] {
        for fortran in [false, true] {
            files.push(("rays.npy".to_owned(), npy_rays(descr, width, fortran), false));
        }
    }
    for ids in [false, true] {
        files.push(("rays.CSV".to_owned(), csv_rays(width, ids).into_bytes(), ids));
        let bom = format!("\u{feff}{}", csv_rays(width, ids));
        files.push(("rays.csv".to_owned(), bom.into_bytes(), ids));
        for double in [false, true] {
            let batch = batch(width, double, ids);
            files.push(("rays.parquet".to_owned(), parquet_of(&batch), ids));
            files.push(("rays.arrow".to_owned(), table_of(&batch, false), ids));
            files.push(("rays.feather".to_owned(), table_of(&batch, true), ids));
            files.push(("rays.ipc".to_owned(), stream_of(&batch), ids));
            files.push(("rays.arrows".to_owned(), stream_of(&batch), ids));
        }
    }
    files
}
