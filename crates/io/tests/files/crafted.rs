//! Files that somebody made to cost more than their size: each is read or refused, and soon.

use crate::folder::Folder;
use crate::footer::{element, parquet_of_elements};
use crate::pattern::assert_reads;
use crate::support::{arrow_stream, npy, points};
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, IpcWriteOptions, StreamWriter};
use lanecast_io::{Keep, PointReader, read_raster};
use std::ffi::OsStr;
use std::io::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// In a process of its own, what a test reads.
const ALONE: &str = "LANECAST_TEST_ALONE";

/// Runs a test in a process of its own.
fn alone(test: &str, path: impl AsRef<OsStr>) -> Output {
    let program = std::env::current_exe().expect("a program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env(ALONE, path);
    command.output().expect("a process")
}

#[test]
fn a_parquet_schema_of_any_depth_is_no_crash() {
    if let Some(path) = std::env::var_os(ALONE) {
        let read = move || {
            let error = points(path.as_ref()).expect_err("no points");
            writeln!(std::io::stdout(), "{error}").expect("a reader");
        };
        let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(read);
        return thread.expect("a thread").join().expect("an error");
    }
    let folder = Folder::new();
    let groups = std::iter::repeat_n(element("g", Some(1)), 100_000);
    let elements: Vec<_> = groups.chain([element("x", None)]).collect();
    let path = folder.file("deep.parquet", parquet_of_elements(&elements));
    let output = alone("crafted::a_parquet_schema_of_any_depth_is_no_crash", path);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert_reads(&said, "…deep.parquet: malformed: its schema is more than 64 groups deep\n…");
    // Those of lists in lists are not that deep.
    let groups = std::iter::repeat_n(element("g", Some(1)), 60);
    let elements: Vec<_> = groups.chain([element("x", None)]).collect();
    let error = folder
        .error_of("d.parquet", points(&folder.file("d.parquet", parquet_of_elements(&elements))));
    assert_reads(&error, "d.parquet: no column \"x\", …");
}

#[test]
fn the_groups_of_a_parquet_schema_have_the_parts_that_there_are() {
    let folder = Folder::new();
    let column = || element("x", None);
    let root = |parts| element("root", Some(parts));
    let cases = [
        (
            vec![root(2), column()],
            "malformed: a group of its schema counts 2 parts, and the schema has 1 more",
        ),
        (
            vec![root(i64::from(i32::MAX)), column()],
            "malformed: a group of its schema counts 2147483647 parts, …",
        ),
        // As 32 bits have it, that is 2³¹ − 1.
        (vec![root(i64::from(i32::MIN) - 1), column()], "malformed: …"),
        (
            vec![root(2), element("g", Some(2)), column(), column()],
            "malformed: a group of its schema counts 2 parts, and the schema has 1 more",
        ),
    ];
    let cases =
        cases.map(|(elements, problem)| ("s.parquet", parquet_of_elements(&elements), problem));
    folder.refuses(points, cases);
    // A number in another form than the format has could be another one to the next reader.
    let mut bytes = parquet_of_elements(&[root(1), column()]);
    let parts = bytes.windows(2).position(|window| window == [0x15, 2]).expect("a version");
    bytes[parts] = 0x13;
    folder.refuses(points, [("s.parquet", bytes, "malformed: its footer contradicts itself")]);
}

/// Arrays of so many zeros of one byte, packed.
fn npz_of_zeros(names: &[&str], count: usize) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for name in names {
        writer.start_file(format!("{name}.npy"), options).expect("a member");
        let array = npy("'|u1'", "False", &format!("({count},)"), &vec![0; count]);
        writer.write_all(&array).expect("written");
    }
    writer.finish().expect("a zip file").into_inner()
}

#[test]
fn members_of_an_npz_that_share_bytes_are_refused() {
    let folder = Folder::new();
    let mut bytes = npz_of_zeros(&["x", "y", "z"], 1000);
    assert_eq!(points(&folder.file("p.npz", &bytes)).expect("points").len(), 1000);
    // The second entry of the directory is to be where the first one is: at 42 from its beginning.
    let entries: Vec<_> =
        (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
    let (first, second) = (entries[0] + 42, entries[1] + 42);
    bytes.copy_within(first..first + 4, second);
    folder.refuses(points, [("p.npz", bytes, "malformed: members of the archive share bytes")]);
}

/// The bytes of files that are open and have no name any more.
#[cfg(target_os = "linux")]
fn temporary_bytes() -> u64 {
    let open = std::fs::read_dir("/proc/self/fd").expect("open files");
    let paths = open.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_gone = |path: &PathBuf| {
        let target = std::fs::read_link(path).unwrap_or_default();
        target.to_string_lossy().ends_with("(deleted)")
    };
    let lengths = paths.filter(is_gone).filter_map(|path| std::fs::metadata(path).ok());
    lengths.map(|file| file.len()).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn an_npz_unpacks_to_so_much_at_most() {
    const COUNT: usize = 8 << 20;
    if let Some(path) = std::env::var_os(ALONE) {
        let path = PathBuf::from(path);
        let packed = std::fs::metadata(&path).expect("a file").len();
        let all = Keep { all: true, ..Keep::default() };
        let reader = PointReader::<f32>::open(&path).expect("points").keep(&all).expect("kept");
        let there = temporary_bytes();
        assert_eq!(there, 5 * COUNT as u64, "each array once");
        assert!(there <= 1032 * packed, "{there} of {packed}");
        drop(reader);
        assert_eq!(temporary_bytes(), 0);
        return;
    }
    let folder = Folder::new();
    let path = folder.file("p.npz", npz_of_zeros(&["x", "y", "z", "a", "b"], COUNT));
    let output = alone("crafted::an_npz_unpacks_to_so_much_at_most", path);
    assert!(output.status.success(), "{output:?}");
}

/// The processor's time of this thread; where the system does not tell it, the time.
fn time_of<T>(of: impl FnOnce() -> T) -> (T, Duration) {
    let told = || {
        let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        line.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let (start, before) = (Instant::now(), told());
    let done = of();
    let time = told().zip(before).map(|(now, before)| now - before);
    (done, time.unwrap_or_else(|| start.elapsed()))
}

/// Far more than the time that a file of a megabyte takes, and far less than the square of it.
const SOON: Duration = Duration::from_secs(8);

#[test]
fn very_many_columns_are_kept_in_the_time_of_their_names() {
    const COUNT: usize = 130_000;
    let folder = Folder::new();
    let names: Vec<_> = (0..COUNT).map(|name| format!("{name:06}")).collect();
    let text = format!("x,y,z,{}\n1,2,3{}\n", names.join(","), ",4".repeat(COUNT));
    let path = folder.file("p.csv", text);
    let all = Keep { all: true, as_written: true, ..Keep::default() };
    let (reader, time) = time_of(|| PointReader::<f32>::open(&path)?.keep(&all));
    assert_eq!(reader.expect("points").kept_columns().count(), COUNT);
    assert!(time < SOON, "{time:?}");
}

#[test]
fn very_many_properties_of_a_cloud_are_read_in_the_time_of_their_names() {
    const COUNT: usize = 150_000;
    let folder = Folder::new();
    let mut text = "ply\nformat ascii 1.0\nelement vertex 0\n".to_owned();
    for axis in ["x", "y", "z"] {
        text += &format!("property float {axis}\n");
    }
    (0..COUNT).for_each(|name| text += &format!("property float p{name:06}\n"));
    text += "end_header\n";
    let path = folder.file("p.ply", &text);
    let (read, time) = time_of(|| points(&path));
    assert_eq!(read.expect("points"), [[0.0; 3]; 0]);
    assert!(time < SOON, "{time:?}");
    let twice = text.replace("p000007", "p000006");
    let problem = "line 14: the property \"p000006\" stands there twice";
    folder.refuses(points, [("p.ply", twice.into(), problem)]);
}

/// A TIFF file of so many directories of so many tags each, twelve bytes apart.
fn tiff_of_directories(count: u32) -> Vec<u8> {
    let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
    // The directory of a place begins with the number of its tags, and its end, so many places on,
    // has where the next one is. In between these are tags of no values.
    for place in 0..2 * count {
        let next = match place.checked_sub(count) {
            Some(number) if number + 1 < count => 8 + 12 * (number + 1),
            _ => 0,
        };
        bytes.extend((count as u16).to_le_bytes());
        bytes.extend(next.to_le_bytes());
        bytes.extend([0; 6]);
    }
    bytes
}

#[test]
fn directories_of_a_tiff_that_share_bytes_are_refused() {
    let folder = Folder::new();
    for count in [20_000, 2] {
        let path = folder.file("d.tif", tiff_of_directories(count));
        let (read, time) = time_of(|| read_raster(&path));
        let error = folder.error_of("d.tif", read);
        assert_reads(
            &error,
            "d.tif: malformed: directories up to number 1 take … bytes, the file has …",
        );
        assert!(time < SOON, "{time:?}");
    }
}

/// Where each message of an Arrow stream begins, its length included, with its metadata.
fn messages(stream: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut at, mut messages) = (0, Vec::new());
    while at + 8 <= stream.len() {
        let length = stream[at + 4..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let metadata = at + 8..at + 8 + length as usize;
        if length == 0 {
            break;
        }
        let message = arrow_ipc::root_as_message(&stream[metadata.clone()]).expect("a message");
        let end = metadata.end + message.bodyLength() as usize;
        messages.push((at..end, metadata));
        at = end;
    }
    messages
}

#[test]
fn values_that_are_added_to_a_dictionary_again_and_again_are_refused() {
    let values = |count: usize| -> ArrayRef { Arc::new(Float64Array::from(vec![1.0; count])) };
    let batches = [2 << 20, (2 << 20) + 1].map(|count| {
        let keys = Int32Array::from(vec![0]);
        let x: ArrayRef = Arc::new(DictionaryArray::new(keys, values(count)));
        let [y, z] = [values(1), values(1)];
        RecordBatch::try_from_iter([("x", x), ("y", y), ("z", z)]).expect("a batch")
    });
    let options = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    let options = options.try_with_compression(Some(CompressionType::ZSTD)).expect("options");
    let writer = StreamWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options);
    let mut writer = writer.expect("a schema");
    batches.iter().for_each(|batch| writer.write(batch).expect("a batch"));
    let sound = writer.into_inner().expect("memory");
    let folder = Folder::new();
    assert_eq!(points(&folder.file("d.arrows", &sound)).expect("points").len(), 2);
    // The schema, the values, a batch, one more value, a batch.
    let messages = messages(&sound);
    let (added, _) = &messages[3];
    let again = sound[added.clone()].repeat(70);
    let bytes = [&sound[..added.end], &again, &sound[added.end..]].concat();
    let problem = "the bytes of dictionaries that are copied when more is added to them: …, where … bytes are \
                   believed to have 1073741824 at most";
    folder.refuses(points, [("d.arrows", bytes, problem)]);
}

#[test]
fn buffers_of_an_arrow_batch_that_are_the_same_bytes_are_refused() {
    let values: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 100]));
    let batch = ["x", "y", "z", "a", "b"].map(|name| (name, values.clone()));
    let batch = RecordBatch::try_from_iter(batch).expect("a batch");
    let mut bytes = arrow_stream(&[batch]);
    let metadata = messages(&bytes)[1].1.clone();
    // A place of 8 bytes and a length of 800: all become those of the second one, and not aligned.
    let mut places = Vec::new();
    for at in metadata.start..metadata.end - 16 {
        let number = |at: usize| bytes[at..].first_chunk().map(|bytes| i64::from_le_bytes(*bytes));
        if number(at + 8) == Some(800) && number(at).is_some_and(|place| place % 8 == 0) {
            places.push(at);
        }
    }
    assert_eq!(places.len(), 5);
    places.iter().for_each(|&at| bytes[at..at + 8].copy_from_slice(&804_i64.to_le_bytes()));
    // Room for what is not aligned is there: five buffers of 832 bytes.
    places.iter().for_each(|&at| bytes[at + 8..at + 16].copy_from_slice(&900_i64.to_le_bytes()));
    let problem = "malformed: buffers of 4500 bytes in 4160 that are there";
    Folder::new().refuses(points, [("b.arrows", bytes, problem)]);
}
