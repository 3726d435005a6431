//! Sound files, however they are written.

use super::files::{
    COUNT, NAMES, batch, every_file, expected, id, parquet_of, stream_of, table_of,
};
use super::{Rays, all};
use crate::folder::Folder;
use crate::support::npy;
use arrow_array::{ArrayRef, Int32Array, RecordBatch, UInt64Array};
use lanecast::Ray;
use lanecast_io::RayReader;
use std::sync::Arc;

#[test]
fn every_format_and_chunk_size_gives_the_same_rays() {
    let folder = Folder::new();
    for width in [6, 8] {
        for (name, bytes, ids) in every_file(width) {
            let expected =
                Rays { rays: expected(width), ids: ids.then(|| (0..COUNT).map(id).collect()) };
            for chunk in [1, 7, 20, COUNT, 1000, usize::MAX] {
                let found = folder.rays(&name, &bytes, chunk).unwrap();
                assert_eq!(found, expected, "{name} by {chunk}");
            }
        }
    }
}

#[test]
fn a_pipe_is_told_by_its_first_bytes() {
    for (name, bytes, ids) in every_file(8) {
        let expected = Rays { rays: expected(8), ids: ids.then(|| (0..COUNT).map(id).collect()) };
        let reader = RayReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes)).unwrap();
        assert_eq!(all(reader, 7).unwrap(), expected, "{name}");
    }
    let error = RayReader::<f32>::from_reader("pipe", std::io::empty()).unwrap_err();
    assert_eq!(error.to_string(), "pipe: there is nothing to read");
}

#[test]
fn signs_of_zero_nan_and_infinity_come_through() {
    let folder = Folder::new();
    let text = "ox,oy,oz,dx,dy,dz,t_min,t_max\n-0,nan,inf,-inf,NaN,Infinity,-1e999,1e-60\n";
    let ray = folder.rays("r.csv", text, 9).unwrap().rays[0];
    assert!(ray.origin[0].to_bits() == (-0.0_f32).to_bits() && ray.origin[1].is_nan());
    assert_eq!(ray.origin[2], f32::INFINITY);
    assert_eq!(ray.direction[0], f32::NEG_INFINITY);
    assert_eq!([ray.t_min, ray.t_max], [f32::NEG_INFINITY, 0.0]);
    let double = npy(
        "'<f8'",
        "False",
        "(1, 6)",
        &[0.1_f64, 1e300, -1e300, 1e-300, 16_777_217.0, f64::NAN].map(f64::to_le_bytes).concat(),
    );
    let ray = folder.rays("r.npy", double, 9).unwrap().rays[0];
    assert_eq!(ray.origin, [0.1, f32::INFINITY, f32::NEG_INFINITY]);
    assert_eq!(ray.direction[..2], [0.0, 16_777_216.0]);
    assert!(ray.direction[2].is_nan());
}

#[test]
fn whole_numbers_in_a_table_are_numbers_too() {
    let whole: ArrayRef = Arc::new(Int32Array::from(vec![3, -4]));
    let ids: ArrayRef = Arc::new(UInt64Array::from(vec![1, i64::MAX as u64]));
    let columns = NAMES[..6].iter().map(|name| (*name, whole.clone())).chain([("ray_id", ids)]);
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let rays = Folder::new().rays("r.arrow", table_of(&batch, false), 9).unwrap();
    assert_eq!(rays.rays[1], Ray::new([-4.0; 3], [-4.0; 3]));
    assert_eq!(rays.ids, Some(vec![1, i64::MAX]));
}

#[test]
fn a_file_of_no_rays_is_no_error() {
    let folder = Folder::new();
    let empty = batch(6, false, false).slice(0, 0);
    for (name, bytes) in [
        ("r.csv", b"ox,oy,oz,dx,dy,dz".to_vec()),
        ("r.npy", npy("'<f4'", "False", "(0, 6)", &[])),
        ("r.parquet", parquet_of(&empty)),
        ("r.arrow", table_of(&empty, false)),
        ("r.arrows", stream_of(&empty)),
    ] {
        assert_eq!(folder.rays(name, bytes, 5).unwrap().rays, []);
    }
}
