//! No file makes a reader take more memory than a small multiple of its size, whatever its lengths
//! say.

#[path = "memory/crafted.rs"]
mod crafted;
#[expect(unreachable_pub, reason = "the tests at the root share it")]
#[path = "../../../tests/common/scale.rs"]
mod scale;
#[path = "memory/shared.rs"]
mod shared;

use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch};
use arrow_ipc::CompressionType;
use lanecast_io::{
    CloudWriter, Keep, PointChunk, PointReader, RayChunk, RayReader, TableWriter, Values,
    read_model, read_raster, read_values,
};
use lanecast_reference::random::Random;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use peak_alloc::PeakAlloc;
use scale::scaled;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Held while memory is measured: it is that of the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// Damaged files for each sound one.
const ROUNDS: usize = 200;
/// Points of a sound file.
const COUNT: usize = 100;

/// What reading may take beyond a number of times the bytes of a file: buffers, the models of LAZ
/// (40 MB), and a Parquet page, which is believed up to 16 MiB, with as much for what it is
/// unpacked from and for the window of Brotli.
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
    let all = Keep { all: true, text_ids: true, ..Keep::default() };
    if let Ok(mut reader) = PointReader::<f32>::open(path).and_then(|reader| reader.keep(&all)) {
        let mut chunk = PointChunk::default();
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
    for name in ["c.ply", "c.pcd", "c.xyz", "c.las", "c.laz"] {
        let path = folder.join(name);
        let mut writer = CloudWriter::<f64>::create(&path).expect("a file");
        writer.write(&points).expect("written");
        writer.finish().expect("finished");
        files.push(path);
    }
    let axis = |axis: usize| -> Vec<f64> { points.iter().map(|point| point[axis]).collect() };
    let columns = [axis(0), axis(1), axis(2)];
    let names = ["x", "y", "z", "ox", "oy", "oz", "dx", "dy", "dz"];
    let of_tables = ["t.npz", "t.csv", "t.parquet", "t.arrow", "t.arrows", "t.ply"];
    for name in of_tables.into_iter().chain(["t.pcd", "layers.las", "layers.laz"]) {
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
        let options =
            arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(compression);
        let options = options.expect("options");
        let mut writer = arrow_ipc::writer::FileWriter::try_new_with_options(
            Vec::new(),
            &batch.schema(),
            options,
        )
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
            let writer = parquet::arrow::ArrowWriter::try_new(
                Vec::new(),
                batch.schema(),
                Some(properties.build()),
            );
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
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress/parquet-brotli.parquet");
    let mut bytes = std::fs::read(path).expect("a file");
    // Where the stream of the first page begins: the window of 30 bits, and the head of a part of
    // four bytes as they are.
    let page = bytes.windows(3).position(|bytes| bytes == [0x8b, 0x03, 0x80]).expect("a page");
    bytes[page..page + 5].copy_from_slice(&[0x11, 30, 3 << 1, 0, 1 << 1]);
    bytes
}

#[test]
fn no_length_of_a_file_is_believed_beyond_its_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
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

/// What reading a mesh may take beyond 64 times the bytes of its file: buffers, and the 65,536
/// values that a list of PLY and an accessor of glTF without data may have.
const MOST_OF_MESH: usize = 4 << 20;

/// Numbers of elements that no file has.
const HUGE: [u64; 8] = [
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 40,
    (1 << 60) + 1,
    (1 << 63) - 1,
    1 << 63,
    u64::MAX,
];

/// Whether a mesh file is read. It may take little memory, alone and compressed.
fn is_read(folder: &Path, name: &str, bytes: &[u8]) -> bool {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let zstd = zstd::stream::encode_all(bytes, 1).expect("memory");
    let is_read = [("", bytes), (".gz", &gzip), (".zst", &zstd)].map(|(ending, packed)| {
        let path = folder.join(format!("{name}{ending}"));
        std::fs::write(&path, packed).expect("a file");
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let is_read = read_model::<f32>(&path).is_ok() | read_model::<f64>(&path).is_ok();
        let taken = MEMORY.peak_usage().saturating_sub(before);
        let text = || String::from_utf8_lossy(bytes).into_owned();
        assert!(
            taken <= 64 * bytes.len() + MOST_OF_MESH,
            "{name}{ending}: {taken} taken by {}",
            text()
        );
        is_read
    });
    assert!(is_read.iter().all(|other| *other == is_read[0]), "{name}: {is_read:?}");
    is_read[0]
}

/// What stands in a sound file for a count, and the same with N for the number.
type Count = (&'static str, &'static str);

/// Text formats, and their counts.
fn texts() -> Vec<(&'static str, String, Vec<Count>)> {
    let vertices = "0 0 0\n1 0 0\n0 1 0\n";
    let ply = format!(
        "ply\nformat ascii 1.0\nelement other 1\nproperty list int double more\nelement vertex 3\nproperty float x\n\
         property float y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nelement tristrips 1\n\
         property list uint int vertex_indices\nend_header\n4 7 7 7 7\n{vertices}3 0 1 2\n5 0 1 2 -1 0\n"
    );
    let of_ply = vec![
        ("other 1", "other N"),
        ("vertex 3", "vertex N"),
        ("face 1", "face N"),
        ("tristrips 1", "tristrips N"),
        ("4 7 7", "N 7 7"),
        ("3 0 1 2", "N 0 1 2"),
        ("5 0 1 2", "N 0 1 2"),
    ];
    let of_off = vec![
        ("3 1 0\n", "N 1 0\n"),
        ("3 1 0\n", "3 N 0\n"),
        ("3 1 0\n", "3 1 N\n"),
        ("3 0 1 2", "N 0 1 2"),
    ];
    let normals = vertices.replace('\n', " 0 0 1\n");
    let obj = format!("v {}f 1 2 3\n", vertices.trim_end().replace('\n', "\nv ") + "\n");
    let stl = format!(
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex {}endloop\nendfacet\nendsolid\n",
        vertices.trim_end().replace('\n', "\nvertex ") + "\n"
    );
    vec![
        ("m.ply", ply, of_ply),
        ("m.off", format!("OFF\n3 1 0\n{vertices}3 0 1 2\n"), of_off.clone()),
        ("m.off", format!("NOFF\n3 1 0\n{normals}3 0 1 2\n"), of_off),
        ("m.obj", obj, vec![("1 2 3", "N 2 3"), ("1 2 3", "-N 2 3"), ("1 2 3", "1 2 3/N/N")]),
        ("m.stl", stl, vec![("solid a", "solid N"), ("vertex 1", "vertex N")]),
        ("m.gltf", document(), counts_of_document()),
    ]
}

/// A triangle, its indices, a sparse accessor, normals without data, and instances, of which the
/// data is in base64.
fn document() -> String {
    let buffer = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAA=";
    format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["EXT_mesh_gpu_instancing"],"nodes":[{{"mesh":0}},{{"mesh":0,
        "extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":4}}}}}}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":3}},"indices":1}},{{"attributes":{{"POSITION":2}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5123,"count":03,"type":"SCALAR"}},
        {{"componentType":5126,"count": 3,"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":1,"byteOffset":0,
        "componentType":5123}},"values":{{"bufferView":0,"byteOffset":00}}}}}},
        {{"componentType":5126,"count":  3,"type":"VEC3"}},{{"componentType":5126,"count":4,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteOffset": 0,"byteLength":36,"byteStride":12}},
        {{"buffer":0,"byteOffset":36,"byteLength":6}}],
        "buffers":[{{"byteLength":44,"uri":"data:application/octet-stream;base64,{buffer}"}}]}}"#
    )
    .replace(":03", ":   3")
    .replace(":00", ":  0")
}

fn counts_of_document() -> Vec<Count> {
    vec![
        ("\"count\":3", "\"count\":N"),
        ("\"count\": 3", "\"count\":N"),
        ("\"count\":  3", "\"count\":N"),
        ("\"count\":   3", "\"count\":N"),
        ("\"count\":4", "\"count\":N"),
        ("\"count\":2", "\"count\":N"),
        ("\"byteOffset\":0", "\"byteOffset\":N"),
        ("\"byteOffset\": 0", "\"byteOffset\":N"),
        ("\"byteOffset\":  0", "\"byteOffset\":N"),
        ("\"byteOffset\":36", "\"byteOffset\":N"),
        ("\"byteStride\":12", "\"byteStride\":N"),
        ("\"byteLength\":36", "\"byteLength\":N"),
        ("\"byteLength\":6", "\"byteLength\":N"),
        ("\"byteLength\":44", "\"byteLength\":N"),
        ("\"bufferView\":1", "\"bufferView\":N"),
        ("\"POSITION\":0", "\"POSITION\":N"),
        ("\"TRANSLATION\":4", "\"TRANSLATION\":N"),
    ]
}

/// A binary format, and where its counts of four bytes are.
fn binaries() -> Vec<(&'static str, Vec<u8>, Vec<usize>)> {
    let mut all = Vec::new();
    for (format, is_big) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        for (kind, size) in [("double", 8), ("int", 4), ("char", 1)] {
            let word = |x: u32| if is_big { x.to_be_bytes() } else { x.to_le_bytes() };
            let mut bytes = format!(
                "ply\nformat {format} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                 property list uint {kind} more\nelement face 1\nproperty list uint uint vertex_index\nend_header\n"
            )
            .into_bytes();
            let mut counts = Vec::new();
            for vertex in [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
                vertex.iter().for_each(|x| bytes.extend(word(x.to_bits())));
                counts.push(bytes.len());
                bytes.extend(word(2));
                bytes.extend(vec![0; 2 * size]);
            }
            counts.push(bytes.len());
            [3, 0, 1, 2].iter().for_each(|x| bytes.extend(word(*x)));
            all.push(("m.ply", bytes, counts));
        }
    }
    for head in ["made by a test", "solid made by a test"] {
        let mut bytes = head.as_bytes().to_vec();
        bytes.resize(80, 0);
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend([0; 50]);
        all.push(("m.stl", bytes, vec![80]));
    }
    let json = document().replace("  ", "");
    let json = format!("{json}{}", " ".repeat(json.len().next_multiple_of(4) - json.len()));
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((12 + 8 + json.len() as u32 + 8 + 4).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json.as_bytes());
    let of_data = bytes.len();
    bytes.extend(b"\x04\0\0\0BIN\0\0\0\0\0");
    all.push(("m.glb", bytes, vec![8, 12, of_data]));
    all
}

#[test]
fn no_count_of_a_mesh_file_is_believed_beyond_its_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    for (name, sound, counts) in texts() {
        assert!(is_read(folder, name, sound.as_bytes()), "{name}: {sound}");
        for (count, marked) in counts {
            assert!(sound.contains(count), "{name}: no {count} in {sound}");
            for huge in HUGE {
                let bytes = sound.replacen(count, &marked.replace('N', &huge.to_string()), 1);
                is_read(folder, name, bytes.as_bytes());
            }
        }
    }
    for (name, sound, counts) in binaries() {
        assert!(is_read(folder, name, &sound), "{name}");
        for at in counts {
            for huge in [1 << 31, (1 << 31) - 1, u32::MAX] {
                for word in [huge.to_le_bytes(), huge.to_be_bytes()] {
                    let mut bytes = sound.clone();
                    bytes[at..at + 4].copy_from_slice(&word);
                    is_read(folder, name, &bytes);
                }
            }
        }
    }
}

#[test]
fn a_damaged_mesh_takes_at_most_a_multiple_of_its_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut random = Random::new(2);
    let texts = texts().into_iter().map(|(name, text, _)| (name, text.into_bytes()));
    for (name, sound) in texts.chain(binaries().into_iter().map(|(name, bytes, _)| (name, bytes))) {
        for _ in 0..scaled(ROUNDS) {
            let mut bytes = sound.clone();
            for _ in 0..=random.below(2) {
                damage(&mut bytes, &mut random);
            }
            is_read(folder.path(), name, &bytes);
        }
    }
}

/// Reading a raster may take what its bytes can be unpacked to (of LZW 4096 times, eight bytes for
/// one), and some tiles that a file leaves out; as a mesh eight times that, and the raster.
#[test]
fn no_size_of_a_raster_is_believed_beyond_its_size() {
    const MOST_OF_RASTER: usize = 128 << 20;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/rasters");
    let mut random = Random::new(3);
    let check = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let is_read = read_raster(&path).is_ok();
        let taken = MEMORY.peak_usage().saturating_sub(before);
        MEMORY.reset_peak_usage();
        let is_model = read_model::<f64>(&path).is_ok();
        assert!(is_read || !is_model, "{name} is a mesh and no raster");
        let of_model = MEMORY.peak_usage().saturating_sub(before);
        let taken = taken.max(of_model / 9);
        if taken > MOST_OF_RASTER {
            let kept = std::env::temp_dir().join(name);
            std::fs::write(&kept, bytes).expect("a file");
            panic!("{name}: {} bytes took {taken}; kept as {}", bytes.len(), kept.display());
        }
        is_read
    };
    for name in [
        "lzw-tiles-f32.tif",
        "deflate-strips-i16.tif",
        "bigtiff-tiles-u32.tif",
        "zstd-f64.tif",
        "sparse-f32.tif",
        "overview-f32.tif",
        "area-f32.asc",
    ] {
        let sound = std::fs::read(shipped.join(name)).expect("a file");
        assert!(check(name, &sound), "{name}");
        // Every word of the directory, which follows the head of eight or 16 bytes.
        for at in (8..sound.len().min(400) - 8).step_by(2) {
            for huge in [HUGE[0], HUGE[2], HUGE[7]] {
                let mut bytes = sound.clone();
                let width = if name.starts_with("big") { 8 } else { 4 };
                bytes[at..at + width].copy_from_slice(&huge.to_le_bytes()[..width]);
                check(name, &bytes);
            }
        }
        for _ in 0..scaled(ROUNDS) {
            let mut bytes = sound.clone();
            for _ in 0..=random.below(2) {
                damage(&mut bytes, &mut random);
            }
            check(name, &bytes);
        }
    }
}
