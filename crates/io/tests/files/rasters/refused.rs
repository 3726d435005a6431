//! Files that hold no raster, or one that does not fit them.

use super::shipped;
use crate::folder::Folder;
use crate::support::flip_bytes;
use lanecast_io::{read_model, read_raster};

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
