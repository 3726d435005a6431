//! Rasters: those that GDAL wrote (`data/rasters/make.py`), those that are written here, and those
//! that are refused.

mod refused;
mod surfaces;
mod written;

use crate::pattern::assert_reads;
use lanecast_io::{
    Raster, RasterGrid, RasterWriter, Registration, Sample, read_model, read_raster,
};
use std::path::{Path, PathBuf};

const ROWS: usize = 20;
const COLUMNS: usize = 37;
const EAST: f64 = 500_000.5;
const NORTH: f64 = 5_200_000.25;
const NORTH_UP: [f64; 6] = [2.5, 0.0, EAST, 0.0, -2.5, NORTH];

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/rasters").join(name)
}

/// The whole numbers of the script.
fn height(row: usize, column: usize) -> f64 {
    ((37 * row + 11 * column) % 101) as f64
}

fn heights(of: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..ROWS * COLUMNS).map(|at| of(height(at / COLUMNS, at % COLUMNS))).collect()
}

/// The same with the holes of the script.
fn with_holes(mut values: Vec<f64>, nodata: f64) -> Vec<f64> {
    values[2 * COLUMNS + 3..2 * COLUMNS + 9].fill(nodata);
    values
}

/// Values whose bits are compared.
fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn grid(transform: [f64; 6], registration: Registration) -> RasterGrid {
    RasterGrid { rows: 3, columns: 4, transform, registration, nodata: None, crs: None }
}

fn write(path: &Path, raster: &Raster) {
    RasterWriter::create(path, &raster.grid, raster.sample).unwrap().write(&raster.values).unwrap();
}

/// The bytes of a tag of a little-endian TIFF, with its type and count.
fn tag(bytes: &[u8], wanted: u16) -> Option<(u16, Vec<u8>)> {
    let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"II*\0");
    let directory = u32_at(4);
    let entries = (0..usize::from(u16_at(directory))).map(|entry| directory + 2 + 12 * entry);
    let entry = entries.into_iter().find(|entry| u16_at(*entry) == wanted)?;
    let kind = u16_at(entry + 2);
    let size = u32_at(entry + 4) * [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8][usize::from(kind)];
    let at = if size <= 4 { entry + 8 } else { u32_at(entry + 8) };
    Some((kind, bytes[at..at + size].to_vec()))
}

#[test]
fn rasters_that_gdal_wrote_are_read() {
    let lowest = f64::from(f32::MIN);
    let quarters = || heights(|h| h / 4.0);
    let thirds = || heights(|h| h / 3.0);
    let first_tiles: Vec<f64> = (0..ROWS * COLUMNS)
        .map(|at| if at % COLUMNS < 16 { height(at / COLUMNS, at % COLUMNS) / 4.0 } else { -1.0 })
        .collect();
    let (sin, cos) = (0.5 * 2.5, 30_f64.to_radians().cos() * 2.5);
    let rotated = [cos, -sin, EAST, -sin, -cos, NORTH];
    let of_area = |name, sample, values, nodata| (name, sample, values, nodata, NORTH_UP);
    for (name, sample, values, nodata, transform) in [
        of_area("lzw-tiles-f32.tif", Sample::F32, with_holes(quarters(), -9999.0), Some(-9999.0)),
        of_area(
            "deflate-strips-i16.tif",
            Sample::I16,
            with_holes(heights(|h| h), -32768.0),
            Some(-32768.0),
        ),
        of_area("big-endian-f64.tif", Sample::F64, thirds(), None),
        of_area("bigtiff-tiles-u32.tif", Sample::U32, heights(|h| 4e9 + h), None),
        of_area("zstd-f64.tif", Sample::F64, thirds(), None),
        of_area("i8.tif", Sample::I8, heights(|h| h - 50.0), None),
        of_area("lowest-f32.tif", Sample::F32, with_holes(quarters(), lowest), Some(lowest)),
        of_area("overview-f32.tif", Sample::F32, quarters(), None),
        of_area("sparse-f32.tif", Sample::F32, first_tiles, Some(-1.0)),
        of_area("area-i32.asc", Sample::I32, heights(|h| h), Some(-9999.0)),
        of_area("area-f32.asc", Sample::F64, with_holes(quarters(), -9999.0), Some(-9999.0)),
        ("rotated-u8.tif", Sample::U8, heights(|h| h), None, rotated),
        ("south-up-u16.tif", Sample::U16, heights(|h| h), None, [2.5, 0.0, EAST, 0.0, 2.5, NORTH]),
        // The same place, from the centre of the first pixel.
        (
            "point-i32.tif",
            Sample::I32,
            heights(|h| 2e9 + h),
            None,
            [2.5, 0.0, EAST + 1.25, 0.0, -2.5, NORTH - 1.25],
        ),
    ] {
        let raster = read_raster(&shipped(name)).unwrap();
        assert_eq!((raster.grid.rows, raster.grid.columns), (ROWS, COLUMNS), "{name}");
        assert_eq!((raster.sample, raster.grid.nodata), (sample, nodata), "{name}");
        assert_eq!(bits(&raster.values), bits(&values), "{name}");
        let off = raster.grid.transform.iter().zip(transform).map(|(a, b)| (a - b).abs());
        let most = if name.starts_with("rotated") { 1e-12 } else { 0.0 };
        assert!(off.fold(0.0, f64::max) <= most, "{name}: {:?}", raster.grid.transform);
        let is_point = raster.grid.registration == Registration::Point;
        assert_eq!(is_point, name.starts_with("point"), "{name}");
        if transform[4] < 0.0 && transform[1] == 0.0 {
            let [x, y] = raster.grid.centre(3, 5);
            assert_eq!([x, y], [EAST + 5.5 * 2.5, NORTH - 3.5 * 2.5], "{name}");
        }
        assert_eq!(raster.grid.crs.is_some(), name.ends_with("tif"), "{name}");
    }
    let degrees = read_raster(&shipped("degrees-f32.tif")).unwrap();
    assert!(degrees.grid.nodata.is_some_and(f64::is_nan));
    assert!(degrees.grid.crs.unwrap().is_geographic());
    assert!(!read_raster(&shipped("i8.tif")).unwrap().grid.crs.unwrap().is_geographic());
}

#[test]
fn what_is_refused_of_gdals_rasters_is_named_with_a_way_out() {
    for (name, problem) in [
        ("bands", "2 bands; write one of them by gdal_translate -b 1…"),
        ("scale", "the values have a scale or an offset; gdal_translate -unscale…"),
        ("palette", "colours of a palette, not values; gdal_translate -expand gray…"),
        ("complex", "complex or other values of 64 bits; gdal_translate -ot Float64…"),
        ("bits", "unsigned integers of 7 bits; gdal_translate -ot Float64…"),
        ("nowhere", "nothing says where the pixels are: …gdal_translate -a_ullr…"),
        ("jpeg", "compressed by ModernJPEG; known: LZW, …gdal_translate -co COMPRESS=DEFLATE…"),
        ("points", "placed by 4 points; gdalwarp makes a grid of it"),
        ("mask", "a mask says where data are; gdalwarp -dstnodata…"),
        (
            "digits",
            "a value of row 0, 115292150460684698…, has more digits than f64; gdal_translate…",
        ),
    ] {
        let name = format!("refused-{name}.tif");
        let error = read_raster(&shipped(&name)).unwrap_err().to_string();
        assert_reads(&error, &format!("…{name}: {problem}"));
        let error_of_mesh = read_model::<f64>(&shipped(&name)).map(drop).unwrap_err().to_string();
        assert_eq!(error_of_mesh, error);
    }
}
