//! Columns that no row has: they are named, and one that is nearly called as a known one is
//! refused.

use crate::folder::Folder;
use crate::support::{arrow_file, arrow_stream, parquet};
use arrow_array::{ArrayRef, Float32Array, RecordBatch};
use lanecast_io::{Error, PointReader, RayReader};
use std::path::Path;
use std::sync::Arc;

const RAY: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];
const POINT: [&str; 3] = ["x", "y", "z"];

/// A file of one row with these columns in each format that has columns.
fn files(folder: &Folder, names: &[&str]) -> Vec<std::path::PathBuf> {
    let number: ArrayRef = Arc::new(Float32Array::from(vec![1.0]));
    let batch = RecordBatch::try_from_iter(names.iter().map(|name| (*name, number.clone())))
        .expect("a batch");
    let csv = format!("{}\n{}\n", names.join(","), vec!["1"; names.len()].join(","));
    let batches = [batch];
    vec![
        folder.file("rows.csv", csv),
        folder.file("rows.parquet", parquet(&batches, 1)),
        folder.file("rows.arrow", arrow_file(&batches, None)),
        folder.file("rows.arrows", arrow_stream(&batches)),
    ]
}

fn rays(path: &Path) -> Result<Vec<String>, Error> {
    Ok(RayReader::<f32>::open(path)?.ignored_columns().to_vec())
}

fn points(path: &Path) -> Result<Vec<String>, Error> {
    Ok(PointReader::<f32>::open(path)?.ignored_columns().to_vec())
}

#[test]
fn unknown_columns_are_named_in_their_order() {
    let folder = Folder::new();
    let unknown = "intensity time gps_time red nx normal_x x1 odx id rad ray raster grid x_min \
        z_max ymax umin max min mask t tm t_mean t_maxima tile größe _";
    let unknown: Vec<&str> = unknown.split_whitespace().collect();
    let with = |known: &[&'static str]| [&unknown[..3], known, &unknown[3..]].concat();
    for path in files(&folder, &with(&RAY)) {
        assert_eq!(rays(&path).expect("rays"), unknown, "{}", path.display());
    }
    for path in files(&folder, &with(&POINT)) {
        assert_eq!(points(&path).expect("points"), unknown, "{}", path.display());
    }
    for path in files(&folder, &[&RAY[..], &["t_min", "t_max"]].concat()) {
        assert!(rays(&path).expect("rays").is_empty());
    }
}

#[test]
fn a_near_miss_of_a_known_column_is_refused_with_what_was_meant() {
    let folder = Folder::new();
    for (name, meant) in [
        ("tmax", "t_max"),
        ("t max", "t_max"),
        ("t_maxx", "t_max"),
        ("t_mxax", "t_max"),
        ("t_mx", "t_max"),
        ("t_ma", "t_max"),
        ("t_nax", "t_max"),
        ("tamx", "t_max"),
        ("RayID", "ray_id"),
        ("rey_id", "ray_id"),
        ("o_x", "ox"),
        ("Dir.X", "dx"),
        ("TMIN", "t_min"),
        ("tnear", "t_min"),
        ("tfar", "t_max"),
        ("t_mxa", "t_max"),
        ("ray id", "ray_id"),
        ("dirx", "dx"),
        ("x0", "ox"),
        ("origin_z", "oz"),
        ("OY", "oy"),
    ] {
        let mut instead = RAY.map(|known| if known == meant { name } else { known }).to_vec();
        if !instead.contains(&name) {
            instead.push(name);
        }
        // In the place of what was meant, or beside all that must be there.
        for names in [instead, [&RAY[..], &[name]].concat()] {
            for path in files(&folder, &names) {
                let expected = format!(
                    "{}: column \"{name}\" is not known; did you mean \"{meant}\"? rename it or remove it",
                    path.display()
                );
                assert_eq!(rays(&path).expect_err(name).to_string(), expected);
            }
        }
    }
    for (name, meant) in [("X", "x"), ("pos_y", "y"), ("pointid", "point_id")] {
        for path in files(&folder, &[&POINT[..], &[name]].concat()) {
            let message = points(&path).expect_err(name).to_string();
            assert!(
                message.ends_with(&format!("did you mean \"{meant}\"? rename it or remove it")),
                "{message}"
            );
        }
    }
}
