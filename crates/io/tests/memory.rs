//! No file of rays or points makes a reader take more memory than a small multiple of its size, whatever its lengths say.

#[expect(unreachable_pub, reason = "the tests at the root share it")]
#[path = "../../../tests/common/scale.rs"]
mod scale;

use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch};
use arrow_ipc::CompressionType;
use lanecast_io::{
    CloudWriter, PointChunk, PointReader, RayChunk, RayReader, TableWriter, Values, read_values,
};
use lanecast_reference::random::Random;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use peak_alloc::PeakAlloc;
use scale::scaled;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Damaged files for each sound one.
const ROUNDS: usize = 200;
/// Points of a sound file.
const COUNT: usize = 100;

/// What reading may take beyond a number of times the bytes of a file: buffers, the models of LAZ (40 MB), and a Parquet page,
/// which is believed up to 16 MiB, with as much for what it is unpacked from and for the window of Brotli.
const MOST: usize = 64 << 20;

/// That number: the format's, or a small one.
fn densest(name: &str) -> usize {
    if name.contains("zstd") { 3 << 15 } else { 64 }
}

/// Reads a file as all that its name may be, and what memory that took.
fn memory_of(path: &Path) -> usize {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    if let Ok(mut reader) = PointReader::<f32>::open(path) {
        let mut chunk = PointChunk::default();
        // A format may pack many rows into few bytes.
        for _ in 0..100 {
            if !matches!(reader.next_chunk(50, &mut chunk), Ok(true)) {
                break;
            }
        }
    }
    if let Ok(mut reader) = RayReader::<f32>::open(path) {
        let mut chunk = RayChunk::default();
        for _ in 0..100 {
            if !matches!(reader.next_chunk(50, &mut chunk), Ok(true)) {
                break;
            }
        }
    }
    let _ = read_values(path, Some("x"));
    MEMORY.peak_usage().saturating_sub(before)
}

/// Writes one word of a file anew, as a large length or as anything.
fn damage(bytes: &mut [u8], random: &mut Random) {
    // 2³¹ - 1 and 2⁶² - 1 as Parquet has numbers, seven bits a byte and the sign last.
    const LONG: [&[u8]; 2] =
        [&[0xfe, 0xff, 0xff, 0xff, 0x0f], &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]];
    if random.below(4) == 0 {
        let long = LONG[random.below(2)];
        let at = random.below(bytes.len());
        let length = long.len().min(bytes.len() - at);
        bytes[at..at + length].copy_from_slice(&long[..length]);
        return;
    }
    let width = random.pick(&[1, 2, 4, 8, 8]).min(bytes.len());
    let at = random.below(bytes.len() + 1 - width);
    let value = match random.below(6) {
        0 => u64::MAX,
        1 => u64::MAX >> 1,
        2 => 1 << random.below(64),
        3 => (1 << random.below(64)) - 1,
        4 => 0x7fff_ffff,
        _ => random.bits(),
    };
    bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
}

fn check(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file");
    let (most, taken) = (densest(name) * bytes.len() + MOST, memory_of(&path));
    if taken > most {
        let kept = std::env::temp_dir().join(name);
        std::fs::write(&kept, bytes).expect("a file");
        panic!("{name}: {} bytes took {taken}; kept as {}", bytes.len(), kept.display());
    }
}

fn point(row: usize) -> [f64; 3] {
    let row = row as f64;
    [100.0 + row, 0.5 * row, (0.1 * row).sin()]
}

/// Sound files of every format.
fn files(folder: &Path) -> Vec<PathBuf> {
    let points: Vec<_> = (0..COUNT).map(point).collect();
    let mut files = Vec::new();
    for name in ["c.ply", "c.pcd", "c.xyz", "c.las", "c.laz", "layers.las", "layers.laz"] {
        let path = folder.join(name);
        let mut writer = CloudWriter::<f64>::create(&path).expect("a file");
        let returns = vec![[1, if name.starts_with("layers") { 6 } else { 1 }]; COUNT];
        writer.write_returns(&points, &returns).expect("written");
        writer.finish().expect("finished");
        files.push(path);
    }
    let axis = |axis: usize| -> Vec<f64> { points.iter().map(|point| point[axis]).collect() };
    let columns = [axis(0), axis(1), axis(2)];
    let names = ["x", "y", "z", "ox", "oy", "oz", "dx", "dy", "dz"];
    for name in ["t.npz", "t.csv", "t.parquet", "t.arrow", "t.arrows", "t.ply"] {
        let path = folder.join(name);
        let named: Vec<_> = names
            .iter()
            .zip(columns.iter().cycle())
            .map(|(&name, values)| (name, Values::F64(values)))
            .collect();
        let mut writer = TableWriter::create(&path, None, &named).expect("a file");
        writer.write(&named).expect("written");
        writer.finish().expect("finished");
        files.push(path);
    }
    let keys = || Int32Array::from_iter_values((0..COUNT as i32).map(|row| row % 7));
    let chosen = |axis: usize| -> ArrayRef {
        let values = Float64Array::from(columns[axis][..7].to_vec());
        Arc::new(DictionaryArray::new(keys(), Arc::new(values)))
    };
    let plain = |axis: usize| -> ArrayRef { Arc::new(Float64Array::from(columns[axis].clone())) };
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..COUNT as i64));
    let batch = [("x", chosen(0)), ("y", plain(1)), ("z", chosen(2)), ("point_id", ids)];
    let batch = RecordBatch::try_from_iter(batch).expect("a batch");
    for (name, compression) in [
        ("plain.arrow", None),
        ("lz4.arrow", Some(CompressionType::LZ4_FRAME)),
        ("zstd.arrow", Some(CompressionType::ZSTD)),
    ] {
        let options = arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(compression);
        let options = options.expect("options");
        let mut writer =
            arrow_ipc::writer::FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options)
                .expect("a schema");
        writer.write(&batch).expect("a batch");
        files.push(folder.join(name));
        std::fs::write(folder.join(name), writer.into_inner().expect("memory")).expect("a file");
    }
    for (name, compression) in [
        ("plain.parquet", Compression::UNCOMPRESSED),
        ("snappy.parquet", Compression::SNAPPY),
        ("lz4.parquet", Compression::LZ4_RAW),
        ("hadoop.parquet", Compression::LZ4),
        ("gzip.parquet", Compression::GZIP(GzipLevel::default())),
        ("zstd.parquet", Compression::ZSTD(ZstdLevel::default())),
        ("brotli.parquet", Compression::BROTLI(BrotliLevel::default())),
    ] {
        for dictionary in [false, true] {
            let properties = WriterProperties::builder()
                .set_compression(compression)
                .set_dictionary_enabled(dictionary)
                .set_max_row_group_row_count(Some(60));
            let writer =
                parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build()));
            let mut writer = writer.expect("a schema");
            writer.write(&batch).expect("a batch");
            let path = folder.join(format!("{dictionary}-{name}"));
            std::fs::write(&path, writer.into_inner().expect("memory")).expect("a file");
            files.push(path);
        }
    }
    let regress = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress");
    let entries = std::fs::read_dir(regress).expect("a folder");
    files.extend(entries.map(|entry| entry.expect("an entry").path()));
    files
}

/// A page of Brotli that asks for a window of a gibibyte, and is not the last of its stream.
fn large_window() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress/parquet-brotli.parquet");
    let mut bytes = std::fs::read(path).expect("a file");
    // Where the stream of the first page begins: the window of 30 bits, and the head of a part of four bytes as they are.
    let page = bytes.windows(3).position(|bytes| bytes == [0x8b, 0x03, 0x80]).expect("a page");
    bytes[page..page + 5].copy_from_slice(&[0x11, 30, 3 << 1, 0, 1 << 1]);
    bytes
}

#[test]
fn no_length_of_a_file_is_believed_beyond_its_size() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    for folder in [&from, &to] {
        std::fs::create_dir(folder).expect("a folder");
    }
    check(&to, "window.parquet", &large_window());
    let mut random = Random::new(1);
    for path in files(&from) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let sound = std::fs::read(&path).expect("a file");
        if sound.is_empty() {
            continue;
        }
        check(&to, &name, &sound);
        for _ in 0..scaled(ROUNDS) {
            let mut bytes = sound.clone();
            for _ in 0..=random.below(2) {
                damage(&mut bytes, &mut random);
            }
            check(&to, &name, &bytes);
        }
    }
}
