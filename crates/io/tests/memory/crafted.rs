//! Files that somebody made to take more memory than they may.

#[path = "../files/footer.rs"]
mod footer;

use super::{ALONE, MEMORY, MOST};
use arrow_array::{ArrayRef, Float32Array, NullArray, RecordBatch};
use bytes::Bytes;
use footer::{element, number, parquet_of_elements};
use lanecast_io::{Error, PointChunk, PointReader, read_model, read_raster, read_values};
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use std::io::Write as _;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, PoisonError};

/// What reading a file gives, and the memory that it took. Nothing else may run.
fn memory_of<T>(name: &str, bytes: &[u8], read: impl Fn(&Path) -> T) -> (T, usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let read = read(&path);
    (read, MEMORY.peak_usage().saturating_sub(before))
}

/// The number of points in ten chunks of ten, or why there are none.
fn ten_chunks(path: &Path) -> Result<usize, Error> {
    let (mut reader, mut chunk) = (PointReader::<f32>::open(path)?, PointChunk::default());
    let mut count = 0;
    for _ in 0..10 {
        if !reader.next_chunk(10, &mut chunk)? {
            break;
        }
        count += chunk.points.len();
    }
    Ok(count)
}

/// Refuses a file, and takes at most so much memory for it.
#[track_caller]
fn is_refused(name: &str, bytes: &[u8], most: usize, problem: &str) {
    let (read, taken) = memory_of(name, bytes, ten_chunks);
    assert!(taken <= most, "{name}: {} bytes took {taken}: {read:?}", bytes.len());
    let error = read.expect_err(name).to_string();
    assert!(error.contains(problem), "{error}");
}

#[test]
fn the_schema_of_a_parquet_is_held_against_its_elements() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let bytes = parquet_of_elements(&[element("r", Some((1 << 31) - 1)), element("x", None)]);
    is_refused("s.parquet", &bytes, 1 << 20, "counts 2147483647 parts");
}

#[test]
fn columns_deep_in_groups_do_not_have_the_names_of_all() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let chain = std::iter::repeat_n(element("group", Some(1)), 999);
    let columns = std::iter::repeat_n(element("x", None), 6000);
    let elements: Vec<_> = chain.chain([element("r", Some(6000))]).chain(columns).collect();
    let bytes = parquet_of_elements(&elements);
    is_refused("s.parquet", &bytes, 64 * bytes.len() + MOST, "deep");
}

/// A Parquet file of three columns of 20 equal numbers, in two pages each; the bytes of each column
/// and a range of these for each are changed, and the footer tells the ranges.
fn parquet_with(change: impl Fn(&mut [Vec<u8>], &mut [Range<usize>])) -> Vec<u8> {
    let ones: ArrayRef = Arc::new(Float32Array::from(vec![1.0; 20]));
    let batch = ["x", "y", "z"].map(|name| (name, ones.clone()));
    let batch = RecordBatch::try_from_iter(batch).expect("a batch");
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_write_batch_size(10)
        .set_data_page_row_count_limit(10);
    let writer =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build()));
    let mut writer = writer.expect("a schema");
    writer.write(&batch).expect("a batch");
    let sound = writer.into_inner().expect("memory");
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&Bytes::from(sound.clone()));
    let metadata = metadata.expect("a footer");
    let group = metadata.row_group(0);
    let (mut columns, mut ranges) = (Vec::new(), Vec::new());
    for column in group.columns() {
        let (start, length) = column.byte_range();
        columns.push(sound[start as usize..(start + length) as usize].to_vec());
    }
    let mut end = 4;
    for column in &columns {
        ranges.push(end..end + column.len());
        end += column.len();
    }
    change(&mut columns, &mut ranges);
    let mut bytes = [b"PAR1", &columns.concat()[..]].concat();
    let chunks = group.columns().iter().zip(ranges).map(|(column, range)| {
        let builder = column.clone().into_builder().set_data_page_offset(range.start as i64);
        let builder = builder.set_total_compressed_size(range.len() as i64);
        builder
            .set_offset_index_offset(None)
            .set_column_index_offset(None)
            .build()
            .expect("a column")
    });
    let group = group.clone().into_builder().set_column_metadata(chunks.collect());
    let group = group.build().expect("a row group");
    let metadata = metadata.into_builder().set_row_groups(vec![group]).build();
    ParquetMetaDataWriter::new(&mut bytes, &metadata).finish().expect("a footer");
    bytes
}

/// A data page of four bytes, and the field of its header that says to how many they unpack.
fn page(unpacked: &[u8]) -> Vec<u8> {
    let data = [&[0x2c, 0x15][..], &number(10), &[0x15, 0, 0x15, 6, 0x15, 6, 0, 0]].concat();
    [&[0x15, 0], unpacked, &[0x15], &number(4), &data, &[1; 4]].concat()
}

/// Has the second page of the first column claim too much.
fn claim(unpacked: &[u8], columns: &mut [Vec<u8>], ranges: &mut [Range<usize>]) {
    let (first, before) = (columns[0].len() / 2, columns[0].len());
    columns[0].truncate(first);
    columns[0].extend(page(unpacked));
    let now = columns[0].len();
    ranges[0].end = ranges[0].start + now;
    for range in &mut ranges[1..] {
        *range = range.start + now - before..range.end + now - before;
    }
}

/// What a page claims to unpack to: 2³¹ − 1 bytes.
fn large() -> Vec<u8> {
    [&[0x15][..], &number(i64::from(i32::MAX))].concat()
}

#[test]
fn parquet_columns_that_share_bytes_are_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let sound = parquet_with(|_, _| {});
    assert_eq!(memory_of("s.parquet", &sound, ten_chunks).0.expect("points"), 20);
    let bytes = parquet_with(|columns, ranges| claim(&large(), columns, ranges));
    is_refused("s.parquet", &bytes, MOST, "claims to unpack from 4 bytes to 2147483647");
    // Another column that has the first page alone must not hide it.
    let bytes = parquet_with(|columns, ranges| {
        let first = columns[0].len() / 2;
        claim(&large(), columns, ranges);
        ranges[1] = ranges[0].start..ranges[0].start + first;
    });
    is_refused("s.parquet", &bytes, MOST, "shares bytes with another");
}

/// The crate reads a field that it knows as what it is to be, whatever kind it is said to have.
#[test]
fn a_field_of_another_kind_does_not_hide_what_a_page_claims() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // A byte, and then fields that nobody knows; or else a number of five bytes.
    let claimed = [0x13, 0xfe, 0x81, 0x81, 0x81, 5];
    let bytes = parquet_with(|columns, ranges| claim(&claimed, columns, ranges));
    is_refused("s.parquet", &bytes, MOST, "");
}

#[test]
fn a_long_name_of_a_pcd_is_not_copied_for_each_number() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let name = "a".repeat(10_000);
    let head = format!(
        "VERSION 0.7\nFIELDS x y z {name}\nSIZE 4 4 4 1\nTYPE F F F U\nCOUNT 1 1 1 16000\nWIDTH 1\nHEIGHT 1\n\
         POINTS 1\nDATA binary\n"
    );
    let bytes = [head.as_bytes(), &[0; 12 + 16_000]].concat();
    is_refused("p.pcd", &bytes, 1 << 20, "take 160000000 bytes");
}

#[test]
fn packed_points_are_unpacked_once() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const COPIES: usize = 100_000;
    let head = |count: usize| {
        format!(
            "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH {count}\nHEIGHT 1\n\
             DATA binary_compressed\n"
        )
    };
    // Twelve zeros, then copies of 264 zeros each.
    let packed = [&[11][..], &[0; 12], &[0xe0, 0xff, 0].repeat(COPIES)].concat();
    let unpacked = 12 + 264 * COPIES;
    let lengths = [packed.len(), unpacked].map(|length| (length as u32).to_le_bytes()).concat();
    let bytes = [head(unpacked / 12).as_bytes(), &lengths, &packed].concat();
    let (read, taken) = memory_of("p.pcd", &bytes, ten_chunks);
    assert_eq!(read.expect("points"), 100);
    assert!(taken <= 90 * bytes.len() + (4 << 20), "{} bytes took {taken}", bytes.len());
}

#[test]
fn values_of_an_npz_take_four_bytes_each() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const COUNT: usize = 10_000_000;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("x.npy", zip::write::SimpleFileOptions::default()).expect("a member");
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({COUNT},), }}\n");
    let start = [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..]].concat();
    let array = [&start, header.as_bytes(), &vec![0; COUNT]].concat();
    writer.write_all(&array).expect("written");
    let bytes = writer.finish().expect("a zip file").into_inner();
    let (read, taken) = memory_of("v.npz", &bytes, |path| read_values(path, None));
    assert_eq!(read.expect("values").len(), COUNT);
    assert!(taken <= 4 * COUNT + (2 << 20), "{} bytes took {taken}", bytes.len());
}

#[test]
fn rows_beyond_memory_stream() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let nulls: ArrayRef = Arc::new(NullArray::new(i32::MAX as usize));
    let batch = ["x", "y", "z"].map(|name| (name, nulls.clone()));
    let batch = RecordBatch::try_from_iter(batch).expect("a batch");
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a schema");
    writer.write(&batch).expect("a batch");
    let stream = writer.into_inner().expect("memory");
    // A row group of equal numbers, which are of some bytes.
    let ones: ArrayRef = Arc::new(Float32Array::from(vec![1.0; 1 << 20]));
    let batch = ["x", "y", "z"].map(|name| (name, ones.clone()));
    let batch = RecordBatch::try_from_iter(batch).expect("a batch");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(1 << 30))
        .set_data_page_row_count_limit(1 << 30);
    let writer =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build()));
    let mut writer = writer.expect("a schema");
    (0..8).for_each(|_| writer.write(&batch).expect("a batch"));
    let parquet = writer.into_inner().expect("memory");
    for (name, bytes) in [("s.arrows", stream), ("s.parquet", parquet)] {
        let (read, taken) = memory_of(name, &bytes, ten_chunks);
        assert_eq!(read.expect("points"), 100);
        assert!(bytes.len() < 20_000 && taken <= 4 << 20, "{} bytes took {taken}", bytes.len());
    }
}

/// A GeoTIFF of so many tiles of 1024 × 1024 pixels in each direction, all of them left out.
fn tiff_without_tiles(across: u32) -> Vec<u8> {
    let (size, tiles) = (1024 * across, across * across);
    let short = |number: u16| (3, 1, number.to_le_bytes().to_vec());
    let long = |number: u32| (4, 1, number.to_le_bytes().to_vec());
    let none = || (4, tiles, vec![0; 4 * tiles as usize]);
    let doubles = |numbers: &[f64]| {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        (12, numbers.len() as u32, bytes)
    };
    let tags = [
        (256_u16, long(size)),
        (257, long(size)),
        (258, short(32)),
        (259, short(1)),
        (262, short(1)),
        (277, short(1)),
        (322, long(1024)),
        (323, long(1024)),
        (324, none()),
        (325, none()),
        (339, short(3)),
        (33550, doubles(&[1.0, 1.0, 0.0])),
        (33922, doubles(&[0.0; 6])),
    ];
    let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
    let (mut end, mut values) = (8 + 2 + 12 * tags.len() + 4, Vec::new());
    bytes.extend((tags.len() as u16).to_le_bytes());
    for (tag, (kind, count, mut value)) in tags {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(u16::to_le_bytes(kind));
        bytes.extend(count.to_le_bytes());
        if value.len() > 4 {
            bytes.extend((end as u32).to_le_bytes());
            end += value.len();
            values.append(&mut value);
        } else {
            value.resize(4, 0);
            bytes.append(&mut value);
        }
    }
    [bytes, vec![0; 4], values].concat()
}

#[test]
fn tiles_that_a_raster_leaves_out_are_counted_together() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let bytes = tiff_without_tiles(2);
    let (read, _) = memory_of("r.tif", &bytes, read_raster);
    assert_eq!(read.expect("a raster").values, vec![0.0; 1 << 22]);
    for across in [3, 11] {
        let bytes = tiff_without_tiles(across);
        let count = (1 << 20) * across * across;
        let problem =
            format!("pixels that the file leaves out: {count}, where {} bytes are", bytes.len());
        let (read, taken) = memory_of("r.tif", &bytes, |path| read_raster(path).map(|_| ()));
        assert!(taken <= MOST, "{} bytes took {taken}", bytes.len());
        let error = read.expect_err("a raster").to_string();
        assert!(error.contains(&problem), "{error}");
        let (read, taken) = memory_of("r.tif", &bytes, |path| read_model::<f64>(path).map(|_| ()));
        assert!(taken <= MOST && read.is_err(), "{} bytes took {taken}", bytes.len());
    }
}
