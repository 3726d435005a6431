//! What is written is read again, to the last digit, or refused before a file is there.

use super::{COLUMNS, NORTH_UP, ROWS, bits, grid, heights, shipped, tag, write};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use lanecast_io::{Raster, RasterGrid, RasterWriter, Registration, Sample, read_raster};

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
