//! Rasters: those that GDAL wrote (`data/rasters/make.py`), those that are written here, and those
//! that are refused.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::flip_bytes;
use lanecast::primitive::HeightField;
use lanecast::{Ray, SceneBuilder};
use lanecast_io::{
    Mesh, Model, Raster, RasterGrid, RasterWriter, Registration, Sample, read_model, read_raster,
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

fn grid(transform: [f64; 6], registration: Registration) -> RasterGrid {
    RasterGrid { rows: 3, columns: 4, transform, registration, nodata: None, crs: None }
}

fn write(path: &Path, raster: &Raster) {
    RasterWriter::create(path, &raster.grid, raster.sample).unwrap().write(&raster.values).unwrap();
}

#[test]
fn what_is_read_is_what_was_written() {
    let folder = Folder::new();
    let rotated = [2.0, 0.5, 1.0 / 3.0, -0.5, -2.0, 5e6 + 0.1];
    let flipped = [-1.0 / 3.0, 0.0, 7.0, 0.0, 0.1, -3.0];
    let (two53, two31) = (9_007_199_254_740_992.0, 2_147_483_648.0);
    for transform in [NORTH_UP, rotated, flipped] {
        for registration in [Registration::Area, Registration::Point] {
            for (sample, some, nodata) in [
                (Sample::U8, [0.0, 255.0, 7.0], Some(255.0)),
                (Sample::I8, [-128.0, 127.0, 7.0], None),
                (Sample::U16, [0.0, 65535.0, 7.0], Some(0.0)),
                (Sample::I16, [-32768.0, 32767.0, 7.0], None),
                (Sample::U32, [0.0, 2.0 * two31 - 1.0, 7.0], None),
                (Sample::I32, [-two31, two31 - 1.0, 7.0], Some(-two31)),
                (Sample::U64, [0.0, two53, 7.0], None),
                (Sample::I64, [-two53, two53, 7.0], None),
                (
                    Sample::F32,
                    [-0.0, f64::from(f32::MIN), f64::from(0.1_f32)],
                    Some(f64::from(f32::MIN)),
                ),
                (Sample::F64, [-0.0, 0.1, f64::MAX], Some(0.1)),
                (Sample::F64, [f64::NAN, f64::INFINITY, 1e-310], None),
            ] {
                let values: Vec<f64> = (0..12).map(|at| some[at % 3]).collect();
                let grid = RasterGrid { nodata, ..grid(transform, registration) };
                let path = folder.path("r.tif");
                write(&path, &Raster { grid: grid.clone(), sample, values: values.clone() });
                let read = read_raster(&path).unwrap();
                assert_eq!((&read.grid, read.sample), (&grid, sample));
                assert_eq!(bits(&read.values), bits(&values), "{sample:?}");
            }
        }
    }
    // Several strips.
    let large = RasterGrid { rows: 700, columns: 301, ..grid(NORTH_UP, Registration::Area) };
    let values: Vec<f64> = (0..700 * 301).map(|at| f64::from(at).sin()).collect();
    let raster = Raster { grid: large, sample: Sample::F64, values };
    write(&folder.path("r.tif"), &raster);
    assert_eq!(read_raster(&folder.path("r.tif")).unwrap(), raster);
}

#[test]
fn text_grids_hold_every_digit() {
    let folder = Folder::new();
    for (registration, head) in [
        (Registration::Area, "ncols 4\nnrows 3\nxllcorner 10.5\nyllcorner -3.25\ncellsize 0.5\n"),
        (Registration::Point, "ncols 4\nnrows 3\nxllcenter 10.5\nyllcenter -2.75\ncellsize 0.5\n"),
    ] {
        let transform = [0.5, 0.0, 10.5, 0.0, -0.5, -1.75];
        for (sample, read_as, some, text, nodata) in [
            (Sample::I16, Sample::I32, [-7.0, 0.0, 12.0], "-7 0 12", Some(-7.0)),
            (Sample::F32, Sample::F64, [f64::from(0.1_f32), 0.5, 1.5], "0.1 0.5 1.5", None),
            (Sample::F64, Sample::F64, [0.1, 1e-300, -0.0], "0.1 0.000…", Some(-0.0)),
        ] {
            let values: Vec<f64> = (0..12).map(|at| some[at % 3]).collect();
            let grid = RasterGrid { nodata, ..grid(transform, registration) };
            let path = folder.path("r.asc");
            write(&path, &Raster { grid: grid.clone(), sample, values: values.clone() });
            let written = std::fs::read_to_string(&path).unwrap();
            let nodata = nodata.map_or("NaN".to_owned(), |nodata| nodata.to_string());
            assert_reads(&written, &format!("{head}NODATA_value {nodata}\n{text}…"));
            let read = read_raster(&path).unwrap();
            assert_eq!((&read.grid, read.sample), (&grid, read_as));
            // The text of an f32 has the digits that it needs and no others.
            let values = match sample {
                Sample::F32 => {
                    values.iter().map(|x| (*x as f32).to_string().parse().unwrap()).collect()
                }
                _ => values,
            };
            assert_eq!(bits(&read.values), bits(&values));
        }
    }
    // Lines break anywhere, names are in any case, cells need not be square, and −9999 is no data.
    let path = folder.file(
        "r.asc",
        "NCOLS 2 NROWS 2\r\nXLLCORNER 1 yllcorner 2\ndx 3\ndy 4 1 2\n3\n\n-9999 \n\0",
    );
    let read = read_raster(&path).unwrap();
    assert_eq!(read.values, [1.0, 2.0, 3.0, -9999.0]);
    assert_eq!(read.grid.transform, [3.0, 0.0, 1.0, 0.0, -4.0, 10.0]);
    assert!(read.grid.is_nodata(read.values[3]));
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
fn the_reference_system_is_written_byte_for_byte() {
    let folder = Folder::new();
    for name in ["i8.tif", "point-i32.tif", "degrees-f32.tif", "rotated-u8.tif"] {
        let raster = read_raster(&shipped(name)).unwrap();
        let path = folder.path("r.tif");
        write(&path, &raster);
        let [before, after] = [shipped(name), path].map(|path| std::fs::read(path).unwrap());
        for number in [34735, 34736, 34737] {
            assert!(tag(&before, number).is_some() || number == 34736, "{name}");
            assert_eq!(tag(&after, number), tag(&before, number), "{name}: {number}");
        }
        let place = [33550, 33922, 34264].map(|number| tag(&before, number));
        assert_eq!([33550, 33922, 34264].map(|number| tag(&after, number)), place, "{name}");
    }
    // Characters of any encoding.
    let mut bytes = std::fs::read(shipped("i8.tif")).unwrap();
    let (_, text) = tag(&bytes, 34737).unwrap();
    let at = bytes.windows(text.len()).position(|bytes| bytes == text).unwrap();
    bytes[at..at + 2].copy_from_slice(b"\xd6\xff");
    let raster = read_raster(&folder.file("odd.tif", &bytes)).unwrap();
    write(&folder.path("r.tif"), &raster);
    let written = std::fs::read(folder.path("r.tif")).unwrap();
    assert_eq!(tag(&written, 34737), tag(&bytes, 34737));
    // Pixels that are registered otherwise than the keys say change one key.
    let moved = RasterGrid { registration: Registration::Point, ..raster.grid.clone() };
    write(&folder.path("r.tif"), &Raster { grid: moved.clone(), ..raster });
    let read = read_raster(&folder.path("r.tif")).unwrap();
    assert_eq!(read.grid.registration, Registration::Point);
    assert_eq!(read.grid.transform, moved.transform);
}

#[test]
fn a_value_that_the_file_cannot_hold_is_named() {
    let folder = Folder::new();
    let grid = grid(NORTH_UP, Registration::Area);
    for (sample, value, what) in [
        (Sample::U8, 256.0, "256 is not an unsigned integer of 8 bits"),
        (Sample::I8, -129.0, "-129 is not a signed integer of 8 bits"),
        (Sample::U16, -1.0, "-1 is not an unsigned integer of 16 bits"),
        (Sample::I16, 0.5, "0.5 is not a signed integer of 16 bits"),
        (Sample::U32, f64::NAN, "NaN is not an unsigned integer of 32 bits"),
        (Sample::I32, -0.0, "-0 is not a signed integer of 32 bits"),
        (Sample::U64, 2_f64.powi(64), "18446744073709552000 is not an unsigned integer of 64 bits"),
        (Sample::F32, 0.1, "0.1 is not a float of 32 bits"),
    ] {
        let mut values = vec![1.0; 12];
        values[6] = value;
        let writer = RasterWriter::create(&folder.path("r.tif"), &grid, sample).unwrap();
        let error = folder.error_of("r.tif", writer.write(&values));
        assert_eq!(error, format!("r.tif: row 1, column 2: {what}"));
    }
    let create = |name: &str, grid: &RasterGrid| {
        folder.error_of(name, RasterWriter::create(&folder.path(name), grid, Sample::F32))
    };
    let found = create("r.png", &grid);
    assert_eq!(found, "r.png: unknown raster format \".png\"; known: tif, tiff, asc");
    let turned = RasterGrid { transform: [0.0, 1.0, 0.0, 1.0, 0.0, 0.0], ..grid.clone() };
    assert_reads(
        &create("r.asc", &turned),
        "r.asc: an ESRI ASCII grid cannot hold the transform …",
    );
    let crs = read_raster(&shipped("i8.tif")).unwrap().grid.crs;
    let placed = RasterGrid { crs, ..grid.clone() };
    let found = create("r.asc", &placed);
    assert_reads(&found, "r.asc: an ESRI ASCII grid cannot hold the reference system; GeoTIFF…");
    let flat = RasterGrid { transform: [1.0, 2.0, 0.0, 2.0, 4.0, 0.0], ..grid.clone() };
    assert_reads(&create("r.tif", &flat), "r.tif: the transform […] gives pixels no area");
    let empty = RasterGrid { rows: 0, ..grid.clone() };
    assert_eq!(create("r.tif", &empty), "r.tif: 0 rows of 4 pixels");
    let writer = RasterWriter::create(&folder.path("r.tif"), &grid, Sample::F32).unwrap();
    let error = folder.error_of("r.tif", writer.write(&[0.0; 11]));
    assert_eq!(error, "r.tif: 11 values for 3 rows of 4 pixels");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn text_that_is_no_grid_is_refused_with_its_line() {
    let folder = Folder::new();
    let head = "ncols 2\nnrows 2\nxllcorner 1\nyllcorner 2\ncellsize 3\n";
    folder.refuses(
        read_raster,
        [
            ("r.asc", String::new(), "the file is empty"),
            ("r.asc", "1 2 3\n".into(), "no ESRI ASCII grid: the head has no ncols"),
            (
                "r.asc",
                format!("{head}1 2 3"),
                "truncated: the value of row 1 of 2, column 1 of 2, is missing",
            ),
            (
                "r.asc",
                format!("{head}1 2\n3 x4"),
                "line 7: row 1, column 1: \"x4\" is not a number",
            ),
            ("r.asc", format!("{head}1 2\n3 4\n5"), "line 8: more follows the 2 rows of 2 values"),
            ("r.asc", format!("{head}1 2\n3 4 5\n"), "line 7: more follows the 2 rows of 2 values"),
            ("r.asc", format!("{head}ncols 3\n1 2 3 4"), "line 6: \"ncols\" is given twice"),
            (
                "r.asc",
                format!("{head}north 3\n1 2 3 4"),
                "line 6: unknown \"north\"; known: ncols, …",
            ),
            ("r.asc", "ncols\n".into(), "line 1: \"ncols\" has no value"),
            ("r.asc", "ncols 2.5\n".into(), "line 1: \"2.5\" is not a whole number"),
            (
                "r.asc",
                head.replace("yllcorner", "yllcenter"),
                "x is given at a corner and y at a centre, or the reverse",
            ),
            (
                "r.asc",
                head.replace("e 3", "e 0"),
                "the size of cells is 0 by 0; it must be above 0",
            ),
            ("r.asc", head.replace("e 3", "e 1e999"), "the transform […] gives pixels no area"),
            ("r.asc", head.replace("nrows 2", "nrows 0"), "0 rows of 2 values hold nothing"),
            (
                "r.asc",
                head.replace("cellsize 3\n", "dx 3\n"),
                "no ESRI ASCII grid: the head has no cellsize",
            ),
            (
                "r.asc",
                head.replace("nrows 2", "nrows 18446744073709551615"),
                "truncated: 18446744073709551615 rows of 2 values do not fit into … bytes",
            ),
        ]
        .map(|(name, text, problem)| (name, text.into_bytes(), problem)),
    );
    let error = folder.error_of("m.obj", read_raster(&folder.file("m.obj", "v 0 0 0\n")));
    assert_eq!(error, "m.obj: no raster; known: tif, tiff, asc");
}

/// Sets a number of a tag of a little-endian TIFF.
fn with_number(name: &str, wanted: u16, number: u32) -> Vec<u8> {
    let mut bytes = std::fs::read(shipped(name)).unwrap();
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([bytes[directory], bytes[directory + 1]]));
    let entry = (0..count)
        .map(|entry| directory + 2 + 12 * entry)
        .find(|entry| bytes[*entry..][..2] == wanted.to_le_bytes())
        .unwrap();
    bytes[entry + 2..entry + 4].copy_from_slice(&4_u16.to_le_bytes());
    bytes[entry + 8..entry + 12].copy_from_slice(&number.to_le_bytes());
    bytes
}

#[test]
fn sizes_that_do_not_fit_a_file_are_refused() {
    let folder = Folder::new();
    let cut = |by: usize| {
        let mut bytes = std::fs::read(shipped("deflate-strips-i16.tif")).unwrap();
        bytes.truncate(bytes.len() - by);
        bytes
    };
    let whole = cut(0).len();
    let many =
        "… rows of … values are more than a file of … bytes is believed to hold; cut out a part…";
    // Width 256, length 257, rows per strip 278, offsets 273, byte counts 279, tile width 322.
    let of = |tag: u16, number: u32| with_number("deflate-strips-i16.tif", tag, number);
    folder.refuses(
        read_raster,
        [
            (
                "r.tif",
                b"GIF89a".to_vec(),
                "not a TIFF file: it begins with neither \"II\" nor \"MM\"",
            ),
            ("256-max.tif", of(256, u32::MAX), many),
            (
                "256-1-20.tif",
                of(256, 1 << 20),
                "strip 0: 1048576 × 20 pixels do not fit into … bytes",
            ),
            ("257-0.tif", of(257, 0), "…"),
            ("257-30.tif", of(257, 30), "…"),
            ("278-1.tif", of(278, 1), "…"),
            (
                "273-1-31.tif",
                of(273, 1 << 31),
                "strip 0: truncated: bytes 2147483648 to … of a file of …",
            ),
            (
                "279-max.tif",
                of(279, u32::MAX),
                "the pixels take 4294967295 bytes, more than the … of the file",
            ),
            ("279-1.tif", of(279, 1), "strip 0: 37 × 20 pixels do not fit into 1 byte"),
            ("r.tif", with_number("lzw-tiles-f32.tif", 322, u32::MAX), "…"),
            ("r.tif", with_number("lzw-tiles-f32.tif", 322, 1 << 16 | 1), "…"),
        ],
    );
    for by in 1..whole {
        let read = read_raster(&folder.file("r.tif", cut(by)));
        // GDAL writes pixels last.
        assert!(read.is_err(), "without the last {by} bytes");
    }
}

#[test]
fn damaged_rasters_are_read_or_refused() {
    let folder = Folder::new();
    let names = [
        "lzw-tiles-f32.tif",
        "deflate-strips-i16.tif",
        "bigtiff-tiles-u32.tif",
        "zstd-f64.tif",
        "area-f32.asc",
    ];
    let files = names.map(|name| (name, std::fs::read(shipped(name)).unwrap()));
    flip_bytes(files, 300, |name, bytes| {
        let path = folder.file(&format!("r.{}", name.rsplit('.').next().unwrap()), bytes);
        if let Err(error) = read_raster(&path) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
        let _ = read_model::<f32>(&path);
    });
}

fn only_mesh(model: Model<f64>) -> Mesh<f64> {
    let [mesh] = <[Mesh<f64>; 1]>::try_from(model.into_meshes().unwrap()).unwrap();
    mesh
}

#[test]
fn the_vertices_of_a_mesh_are_the_centres_of_pixels() {
    for name in
        ["lzw-tiles-f32.tif", "point-i32.tif", "rotated-u8.tif", "south-up-u16.tif", "area-i32.asc"]
    {
        let raster = read_raster(&shipped(name)).unwrap();
        let [a, b, c, d, e, f] = raster.grid.transform;
        let half = if name.starts_with("point") { 0.0 } else { 0.5 };
        let model = read_model::<f64>(&shipped(name)).unwrap();
        assert!(model.needs_f64(), "{name}");
        let is_whole = model.remarks.is_empty();
        let mesh = only_mesh(model);
        assert_eq!(mesh.unusable_vertices.is_empty(), is_whole, "{name}");
        let is_hole = |at: usize| mesh.unusable_vertices.contains(&(at as u32));
        for (at, vertex) in mesh.vertices.iter().enumerate() {
            let (i, j) = ((at % COLUMNS) as f64 + half, (at / COLUMNS) as f64 + half);
            let expected = [a * i + b * j + c, d * i + e * j + f, raster.values[at]];
            assert_eq!(*vertex, if is_hole(at) { [0.0; 3] } else { expected }, "{name}: {at}");
        }
        // Two triangles a cell, upward, that fill the cells without a hole at a corner.
        let mut area = vec![0.0; (ROWS - 1) * (COLUMNS - 1)];
        for (triangle, face) in mesh.triangles.iter().zip(mesh.face_ids.as_ref().unwrap()) {
            let [p, q, r] = triangle.map(|vertex| mesh.vertices[vertex as usize]);
            let twice = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
            assert!(twice > 0.0, "{name}: {triangle:?}");
            area[*face as usize] += twice / 2.0;
            for vertex in *triangle {
                let (row, column) = (vertex as usize / COLUMNS, vertex as usize % COLUMNS);
                let cell = *face as usize;
                let (top, left) = (cell / (COLUMNS - 1), cell % (COLUMNS - 1));
                assert!(row - top < 2 && column - left < 2, "{name}: {vertex} of cell {cell}");
            }
        }
        for (cell, area) in area.into_iter().enumerate() {
            let (top, left) = (cell / (COLUMNS - 1), cell % (COLUMNS - 1));
            let first = top * COLUMNS + left;
            let corners = [first, first + 1, first + COLUMNS, first + COLUMNS + 1];
            let holes = corners.into_iter().filter(|at| is_hole(*at)).count();
            let whole = (area - 6.25).abs() < 1e-6;
            assert!(holes > 0 || whole, "{name}: cell {cell}: {area}");
            assert!(
                holes < 2 || area == 0.0 || holes == 2 && !whole,
                "{name}: cell {cell}: {area}"
            );
        }
    }
}

/// As a triangle of a field and as one of a mesh a ray meets the same.
#[test]
fn a_raster_is_the_same_as_a_field_and_as_a_mesh() {
    for name in ["lzw-tiles-f32.tif", "point-i32.tif", "south-up-u16.tif"] {
        let raster = read_raster(&shipped(name)).unwrap();
        let mesh = only_mesh(read_model(&shipped(name)).unwrap());
        let field: HeightField<f64> = raster.height_field([0.0; 2]).unwrap();
        let mut holes = 0;
        for row in 0..ROWS {
            let of_field = if name.starts_with("south") { row } else { ROWS - 1 - row };
            for column in 0..COLUMNS {
                let ([x, y], value) =
                    (raster.grid.centre(row, column), raster.values[row * COLUMNS + column]);
                let vertex = field.vertex(of_field, column);
                assert_eq!([vertex[0], vertex[1]], [x, y], "{name}");
                let is_hole = raster.grid.is_nodata(value);
                holes += usize::from(is_hole);
                assert!(if is_hole { vertex[2].is_nan() } else { vertex[2] == value }, "{name}");
            }
        }
        assert_eq!(holes, if name.starts_with("lzw") { 6 } else { 0 });
        let field = SceneBuilder::<f64>::default().height_field(field).unwrap().build().unwrap();
        let mesh = SceneBuilder::<f64>::default()
            .triangle_mesh(&mesh.vertices, &mesh.triangles)
            .unwrap()
            .build()
            .unwrap();
        let [x, y] = raster.grid.centre(if name.starts_with("south") { 0 } else { ROWS - 1 }, 0);
        let base = if name.starts_with("point") { 2e9 } else { 0.0 };
        let (mut hits, mut misses) = (0, 0);
        for at in 0..2000_u32 {
            let (u, v) = (f64::from(at) * 0.618_034 % 1.0, f64::from(at) / 2000.0);
            let target = [x + 92.0 * u - 1.0, y + 49.0 * v - 1.0, base + 20.0];
            let eye = [x + 40.0, y + 20.0, base + 1000.0];
            let ray = Ray::new(eye, std::array::from_fn(|axis| target[axis] - eye[axis]));
            let found = [&field, &mesh]
                .map(|scene| scene.cast(&ray).closest().unwrap().map(|hit| (hit.t, hit.u, hit.v)));
            assert_eq!(found[0], found[1], "{name}: {target:?}");
            if found[0].is_some() { hits += 1 } else { misses += 1 }
        }
        assert!(hits > 1000 && misses > 10, "{name}: {hits} and {misses}");
    }
    // In f32 an origin keeps the digits; without one they are lost.
    let mut raster = read_raster(&shipped("lzw-tiles-f32.tif")).unwrap();
    raster.grid.transform[5] += 0.1;
    let origin = raster.grid.centre(ROWS - 1, 0);
    let near: HeightField = raster.height_field(origin).unwrap();
    assert_eq!((near.origin(), near.spacing()), ([0.0; 2], [2.5; 2]));
    assert_eq!(near.vertex(1, 2), [5.0, 2.5, raster.values[(ROWS - 2) * COLUMNS + 2] as f32]);
    let far: HeightField = raster.height_field([0.0; 2]).unwrap();
    assert_ne!(f64::from(far.vertex(1, 2)[1]), raster.grid.centre(ROWS - 2, 2)[1]);
    let error = read_raster(&shipped("rotated-u8.tif")).unwrap().height_field::<f64>([0.0; 2]);
    assert_reads(&error.unwrap_err().to_string(), "…transform…is rotated; a mesh can be…");
}

#[test]
fn a_mesh_of_a_raster_says_what_is_odd() {
    let folder = Folder::new();
    let degrees = read_model::<f64>(&shipped("degrees-f32.tif")).unwrap();
    assert_reads(
        &degrees.remarks.join("; "),
        "x and y are longitude and latitude in degrees, …gdalwarp…",
    );
    let holes = read_model::<f64>(&shipped("lowest-f32.tif")).unwrap();
    assert_eq!(holes.remarks, ["6 pixels without data: no triangle has a corner there"]);
    // A height that no scene takes, and that no tag calls no data.
    let lowest = f64::from(f32::MIN);
    let grid = grid(NORTH_UP, Registration::Area);
    let mut values = vec![1.0; 12];
    values[5] = lowest;
    let path = folder.path("r.tif");
    write(&path, &Raster { grid, sample: Sample::F32, values });
    let error = folder.error_of("r.tif", read_model::<f64>(&path));
    assert_reads(
        &error,
        "r.tif: row 1, column 1: […] is no position; …gdal_edit.py -a_nodata -3.4028234663852886e38 says so",
    );
}

/// Read by the decoder alone, as `read_raster` reads one band.
#[test]
fn bands_are_written_pixel_by_pixel_with_their_names() {
    let folder = Folder::new();
    let mut grid =
        RasterGrid { rows: ROWS, columns: COLUMNS, ..grid(NORTH_UP, Registration::Area) };
    grid.crs = read_raster(&shipped("i8.tif")).expect("a raster").grid.crs;
    for count in [1, 2, 36] {
        let band = |number: usize| heights(move |h| h / 4.0 - number as f64);
        let bands: Vec<Vec<f64>> = (0..count).map(band).collect();
        let names: Vec<String> = (0..count).map(|number| format!("<{number}°> & more")).collect();
        for (sample, name) in [(Sample::F32, "f32.tif"), (Sample::F64, "f64.tif")] {
            let path = folder.path(name);
            let writer = RasterWriter::create(&path, &grid, sample).expect("a file");
            writer.write_bands(&bands, &names).expect("bands");
            let bytes = std::fs::read(&path).expect("a file");
            let mut decoder =
                tiff::decoder::Decoder::new(std::io::Cursor::new(&bytes)).expect("a TIFF");
            let (_, bits) = tag(&bytes, 258).expect("BitsPerSample");
            assert_eq!(bits.len(), 2 * count);
            let mut found = vec![Vec::new(); count];
            let mut take = |value: (usize, f64)| found[value.0 % count].push(value.1);
            for strip in 0..decoder.strip_count().expect("strips") {
                match decoder.read_chunk(strip).expect("a strip") {
                    tiff::decoder::DecodingResult::F32(values) => {
                        values.into_iter().map(f64::from).enumerate().for_each(&mut take);
                    }
                    tiff::decoder::DecodingResult::F64(values) => {
                        values.into_iter().enumerate().for_each(&mut take);
                    }
                    _ => panic!("other values"),
                }
            }
            assert_eq!(found, bands);
            let (_, metadata) = tag(&bytes, 42112).expect("names");
            let last = count - 1;
            assert_reads(
                &String::from_utf8_lossy(&metadata),
                &format!(
                    "<GDALMetadata>…sample=\"{last}\" role=\"description\">&lt;{last}°&gt; &amp; more</Item>…"
                ),
            );
            let read = read_raster(&path);
            if count == 1 {
                assert_eq!(read.expect("one band").values, bands[0]);
            } else {
                let error = read.expect_err("bands").to_string();
                assert_reads(&error, &format!("…{name}: {count} bands; …"));
            }
        }
    }
}

#[test]
fn bands_that_a_file_cannot_hold_are_refused() {
    let folder = Folder::new();
    let grid = RasterGrid { rows: ROWS, columns: COLUMNS, ..grid(NORTH_UP, Registration::Area) };
    let write = |name: &str, bands: &[Vec<f64>], names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let writer = RasterWriter::create(&folder.path(name), &grid, Sample::I16).expect("a file");
        writer.write_bands(bands, &names).expect_err(name).to_string()
    };
    let good = heights(|h| h);
    let bad = heights(|h| if h == 37.0 { 0.5 } else { h });
    let few = vec![1.0; 5];
    for (found, expected) in [
        (write("a.tif", &[], &[]), "…a.tif: 0 bands with 0 names; a GeoTIFF has from 1 to 65535…"),
        (
            write("b.tif", std::slice::from_ref(&good), &["a", "b"]),
            "…b.tif: 1 band with 2 names; …",
        ),
        (
            write("c.asc", &[good.clone(), good.clone()], &["a", "b"]),
            "…c.asc: 2 bands with 2 names; an ESRI ASCII grid has from 1 to 1…",
        ),
        (
            write("d.tif", &[good.clone(), few], &["a", "b"]),
            "…d.tif: band 1: 5 values for 20 rows…",
        ),
        (
            write("e.tif", &[good, bad], &["a", "b"]),
            "…e.tif: band 1: row 1, column 0: 0.5 is not a signed integer of 16 bits",
        ),
    ] {
        assert_reads(&found, expected);
    }
    assert_eq!(folder.names(), [""; 0]);
}
