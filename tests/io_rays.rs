//! Ray files: every format gives the same rays however they are cut into chunks, and what is wrong
//! with a file is said with its place.
#![cfg(feature = "cli")]

use arrow_array::{
    ArrayRef, Float32Array, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use lanecast::Ray;
use lanecast::io::{Error, RayChunk, RayIds, RayReader};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn read(&self, name: &str, bytes: impl AsRef<[u8]>, chunk: usize) -> Result<Rays, Error> {
        all(RayReader::open(&self.file(name, bytes))?, chunk)
    }

    /// The message without the folder.
    fn error(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let error = self.read(name, bytes, 7).err().map(|error| error.to_string());
        let error = error.unwrap_or_else(|| panic!("{name} was read without an error"));
        assert!(!error.contains('\n'), "{error:?}");
        error.replace(&format!("{}/", self.0.path().display()), "")
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Rays {
    rays: Vec<Ray>,
    ids: Option<Vec<i64>>,
}

/// Reads to the end in chunks of at most `max_rows`, all but the last full.
fn all(mut reader: RayReader, max_rows: usize) -> Result<Rays, Error> {
    let total = reader.total();
    let mut all = Rays { rays: Vec::new(), ids: None };
    let mut chunk = RayChunk::default();
    let mut last = max_rows;
    while reader.next_chunk(max_rows, &mut chunk)? {
        assert_eq!(last, max_rows, "a chunk before the last is not full");
        last = chunk.rays.len();
        assert_eq!(chunk.first_row, all.rays.len() as u64);
        match chunk.ids() {
            RayIds::Given(ids) => {
                assert_eq!(ids.len(), chunk.rays.len());
                all.ids.get_or_insert_default().extend(ids);
            }
            RayIds::Rows(first) => assert_eq!(first, chunk.first_row),
        }
        all.rays.append(&mut chunk.rays);
    }
    assert!(chunk.rays.is_empty());
    assert!(!reader.next_chunk(max_rows, &mut chunk)?, "the end stays the end");
    if let Some(total) = total {
        assert_eq!(total, all.rays.len() as u64);
    }
    Ok(all)
}

const COUNT: usize = 50;

fn values(row: usize) -> [f32; 8] {
    let x = row as f32;
    [
        x,
        -x,
        0.1 * x,
        1.0 / (x + 3.0),
        -0.0,
        1e-30 * x,
        -1.5,
        if row.is_multiple_of(5) { f32::INFINITY } else { x },
    ]
}

fn expected(width: usize) -> Vec<Ray> {
    (0..COUNT)
        .map(|row| {
            let v = values(row);
            let ray = Ray::new([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
            if width == 8 { ray.with_interval(v[6], v[7]) } else { ray }
        })
        .collect()
}

fn npy(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

fn npy_rays(descr: &str, width: usize, fortran: bool) -> Vec<u8> {
    let mut data = Vec::new();
    for place in 0..COUNT * width {
        let (row, column) =
            if fortran { (place % COUNT, place / COUNT) } else { (place / width, place % width) };
        let x = values(row)[column];
        match descr {
            "<f4" => data.extend(x.to_le_bytes()),
            ">f4" => data.extend(x.to_be_bytes()),
            "<f8" => data.extend(f64::from(x).to_le_bytes()),
            _ => data.extend(f64::from(x).to_be_bytes()),
        }
    }
    let order = if fortran { "True" } else { "False" };
    npy(&format!("'{descr}'"), order, &format!("({COUNT}, {width})"), &data)
}

const NAMES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

fn csv_rays(width: usize, ids: bool) -> String {
    let mut text = NAMES[..width].join(",");
    text += if ids { ",\"note\", ray_id\n" } else { ",note\n" };
    for row in 0..COUNT {
        let numbers: Vec<_> = values(row)[..width].iter().map(|x| format!("{x:?}")).collect();
        text += &format!("{},\"a, \"\"b\"\"\"", numbers.join(" , "));
        text += &if ids { format!(",{}\r\n", id(row)) } else { "\n".to_owned() };
    }
    text
}

fn id(row: usize) -> i64 {
    1000 - 7 * row as i64
}

/// The rays as a table with the columns in another order, a foreign one among them.
fn batch(width: usize, double: bool, ids: bool) -> RecordBatch {
    let column = |number: usize| -> ArrayRef {
        let numbers = (0..COUNT).map(|row| values(row)[number]);
        if double {
            Arc::new(Float64Array::from_iter_values(numbers.map(f64::from)))
        } else {
            Arc::new(Float32Array::from_iter_values(numbers))
        }
    };
    let mut columns: Vec<(&str, ArrayRef)> = (0..width).rev().map(|n| (NAMES[n], column(n))).collect();
    let words: ArrayRef = Arc::new(StringArray::from(vec![Some("x"); COUNT]));
    columns.insert(2, ("note", words));
    if ids {
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values((0..COUNT).map(id)));
        columns.insert(4, ("ray_id", ids));
    }
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Batches of 20 rows.
fn pieces(batch: &RecordBatch) -> Vec<RecordBatch> {
    (0..batch.num_rows()).step_by(20).map(|at| batch.slice(at, 20.min(batch.num_rows() - at))).collect()
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let properties =
        parquet::file::properties::WriterProperties::builder().set_max_row_group_row_count(Some(13)).build();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn arrow_file(batch: &RecordBatch, compressed: bool) -> Vec<u8> {
    let compression = compressed.then_some(arrow_ipc::CompressionType::LZ4_FRAME);
    let options = arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    pieces(batch).iter().for_each(|piece| writer.write(piece).unwrap());
    writer.into_inner().unwrap()
}

fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    pieces(batch).iter().for_each(|piece| writer.write(piece).unwrap());
    writer.into_inner().unwrap()
}

/// Every way to write the same rays: name, bytes, whether there are ids.
fn every_file(width: usize) -> Vec<(String, Vec<u8>, bool)> {
    let mut files = Vec::new();
    for descr in ["<f4", ">f4", "<f8", ">f8"] {
        for fortran in [false, true] {
            files.push(("rays.npy".to_owned(), npy_rays(descr, width, fortran), false));
        }
    }
    for ids in [false, true] {
        files.push(("rays.CSV".to_owned(), csv_rays(width, ids).into_bytes(), ids));
        let bom = format!("\u{feff}{}", csv_rays(width, ids));
        files.push(("rays.csv".to_owned(), bom.into_bytes(), ids));
        for double in [false, true] {
            let batch = batch(width, double, ids);
            files.push(("rays.parquet".to_owned(), parquet(&batch), ids));
            files.push(("rays.arrow".to_owned(), arrow_file(&batch, false), ids));
            files.push(("rays.feather".to_owned(), arrow_file(&batch, true), ids));
            files.push(("rays.ipc".to_owned(), arrow_stream(&batch), ids));
            files.push(("rays.arrows".to_owned(), arrow_stream(&batch), ids));
        }
    }
    files
}

#[test]
fn every_format_and_chunk_size_gives_the_same_rays() {
    let folder = Folder::new();
    for width in [6, 8] {
        for (name, bytes, ids) in every_file(width) {
            let expected = Rays { rays: expected(width), ids: ids.then(|| (0..COUNT).map(id).collect()) };
            for chunk in [1, 7, 20, COUNT, 1000, usize::MAX] {
                assert_eq!(folder.read(&name, &bytes, chunk).unwrap(), expected, "{name} by {chunk}");
            }
        }
    }
}

#[test]
fn a_pipe_is_told_by_its_first_bytes() {
    for (name, bytes, ids) in every_file(8) {
        let expected = Rays { rays: expected(8), ids: ids.then(|| (0..COUNT).map(id).collect()) };
        let reader = RayReader::from_reader("pipe", std::io::Cursor::new(bytes)).unwrap();
        assert_eq!(all(reader, 7).unwrap(), expected, "{name}");
    }
    let error = RayReader::from_reader("pipe", std::io::empty()).unwrap_err();
    assert_eq!(error.to_string(), "pipe: there is nothing to read");
}

#[test]
fn signs_of_zero_nan_and_infinity_come_through() {
    let folder = Folder::new();
    let text = "ox,oy,oz,dx,dy,dz,t_min,t_max\n-0,nan,inf,-inf,NaN,Infinity,-1e999,1e-60\n";
    let ray = folder.read("r.csv", text, 9).unwrap().rays[0];
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
    let ray = folder.read("r.npy", double, 9).unwrap().rays[0];
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
    let rays = Folder::new().read("r.arrow", arrow_file(&batch, false), 9).unwrap();
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
        ("r.parquet", parquet(&empty)),
        ("r.arrow", arrow_file(&empty, false)),
        ("r.arrows", arrow_stream(&empty)),
    ] {
        assert_eq!(folder.read(name, bytes, 5).unwrap().rays, []);
    }
}

#[test]
fn a_missing_column_is_named_with_those_that_are_there() {
    let folder = Folder::new();
    assert_eq!(
        folder.error("rays.csv", "ox,oy,oz,dx,dy\n1,2,3,4,5\n"),
        "rays.csv: no column \"dz\"; found ox, oy, oz, dx, dy"
    );
    assert_eq!(
        folder.error("rays.csv", "x,y,z\n1,2,3\n"),
        "rays.csv: no column \"ox\", \"oy\", \"oz\", \"dx\", \"dy\", \"dz\"; found x, y, z"
    );
    assert_eq!(
        folder.error("rays.csv", "ox,oy,oz,dx,dy,dz,oy\n"),
        "rays.csv: column \"oy\" stands there twice"
    );
    let batch = batch(6, false, false).project(&[0, 1, 2, 3, 5]).unwrap();
    for (name, bytes) in [
        ("rays.parquet", parquet(&batch)),
        ("rays.arrow", arrow_file(&batch, false)),
        ("rays.arrows", arrow_stream(&batch)),
    ] {
        assert_eq!(
            folder.error(name, bytes),
            format!("{name}: no column \"ox\", \"oz\"; found dz, dy, note, dx, oy")
        );
    }
}

#[test]
fn what_is_no_number_is_named_with_line_and_column() {
    let folder = Folder::new();
    let row = "1,2,3,4,5,6\n";
    let head = "ox,oy,oz,dx,dy,dz\n";
    assert_eq!(
        folder.error("rays.csv", format!("{head}{}1,2,3,4,5,abc\n", row.repeat(5))),
        "rays.csv: line 7: column \"dz\": \"abc\" is not a number"
    );
    assert_eq!(
        folder.error("rays.csv", format!("{head}\n{row}1,2,3,,5,6\n")),
        "rays.csv: line 4: column \"dx\": \"\" is not a number"
    );
    assert_eq!(
        folder.error("rays.csv", format!("{head}{row}1,2,3,4,5\n")),
        "rays.csv: line 3: 5 fields, but the header has 6"
    );
    assert_eq!(
        folder.error("rays.csv", "ox,oy,oz,dx,dy,dz,ray_id\n1,2,3,4,5,6,7.5\n"),
        "rays.csv: line 2: column \"ray_id\": \"7.5\" is not a whole number"
    );
    assert_eq!(folder.error("rays.csv", ""), "rays.csv: no header: the file is empty");
}

#[test]
fn a_line_of_a_csv_file_has_the_number_that_an_editor_gives_it() {
    let folder = Folder::new();
    let lines = [
        "",
        "ox,oy,oz,dx,dy,dz,note",
        "1,2,3,4,5,6,",
        "",
        "",
        "1,2,3,4,5,6,\"a quoted",
        "",
        "note\"",
        "1,2,3,4,5,6,",
        "",
        "1,2,3,4,5,x,",
    ];
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(
            folder.error("rays.csv", lines.join(end)),
            "rays.csv: line 11: column \"dz\": \"x\" is not a number",
            "{end:?}"
        );
        assert_eq!(
            folder.error("rays.csv", lines.join(end).replace(",x,", ",6")),
            "rays.csv: line 11: 6 fields, but the header has 7",
            "{end:?}"
        );
        assert_eq!(folder.read("rays.csv", lines[..10].join(end), 2).unwrap().rays.len(), 3, "{end:?}");
    }
}

#[test]
fn blank_lines_are_no_open_quote_however_many() {
    let folder = Folder::new();
    let row = "1,2,3,4,5,6\n";
    for blank in ["\n", "\r\n"] {
        let text = format!("ox,oy,oz,dx,dy,dz\n{row}{}{row}", blank.repeat(1_200_000));
        assert_eq!(folder.read("rays.csv", &text, 1000).unwrap().rays.len(), 2);
        assert_eq!(
            folder.error("rays.csv", format!("{text}1,2\n")),
            "rays.csv: line 1200004: 2 fields, but the header has 6"
        );
    }
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_the_file() {
    let folder = Folder::new();
    let rows = "1,2,3,4,5,6\n".repeat(200_000);
    let text = format!("ox,oy,oz,dx,dy,dz\n{rows}");
    assert_eq!(folder.read("rays.csv", &text, 1000).unwrap().rays.len(), 200_000);
    let text = format!("{text}1,2,3,4,5,\"6\n{rows}");
    let message = folder.error("rays.csv", text);
    assert_eq!(
        message,
        "rays.csv: line 200002: a record longer than 1048576 bytes: perhaps a quote is not closed"
    );
}

#[test]
fn a_null_is_named_with_row_and_column() {
    let folder = Folder::new();
    let full: ArrayRef = Arc::new(Float32Array::from(vec![1.0; 30]));
    let gap: ArrayRef = Arc::new(Float32Array::from_iter((0..30).map(|row| (row != 23).then_some(1.0))));
    let columns =
        NAMES[..6].iter().map(|name| (*name, if *name == "dy" { gap.clone() } else { full.clone() }));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    for (name, bytes) in [
        ("rays.parquet", parquet(&batch)),
        ("rays.arrow", arrow_file(&batch, false)),
        ("rays.arrows", arrow_stream(&batch)),
    ] {
        assert_eq!(folder.error(name, bytes), format!("{name}: row 23: column \"dy\" is null"));
    }
}

#[test]
fn a_column_that_holds_no_numbers_is_named_with_its_type() {
    let words: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let number: ArrayRef = Arc::new(Float32Array::from(vec![1.0]));
    let columns =
        NAMES[..6].iter().map(|name| (*name, if *name == "dy" { words.clone() } else { number.clone() }));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let expected = "rays.parquet: column \"dy\": Utf8 is not a type of numbers";
    assert_eq!(Folder::new().error("rays.parquet", parquet(&batch)), expected);
    let columns = NAMES[..6].iter().chain([&"ray_id"]).map(|name| (*name, number.clone()));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let expected = "rays.arrow: column \"ray_id\": Float32 is not a type of whole numbers";
    assert_eq!(Folder::new().error("rays.arrow", arrow_file(&batch, false)), expected);
}

#[test]
fn an_array_that_is_no_rays_says_why() {
    let folder = Folder::new();
    let read = |descr, order, shape| folder.error("rays.npy", npy(descr, order, shape, &[0; 96]));
    assert_eq!(read("'<f4'", "False", "(4, 3)"), "rays.npy: shape [4, 3]; expected (N, 6) or (N, 8)");
    assert_eq!(read("'<f4'", "False", "(6,)"), "rays.npy: shape [6]; expected (N, 6) or (N, 8)");
    assert_eq!(read("'<i4'", "False", "(1, 6)"), "rays.npy: values of the type \"<i4\"; expected f4 or f8");
    assert_eq!(
        read("[('a', '<f4')]", "False", "(1, 6)"),
        "rays.npy: an array of records; expected plain f4 or f8"
    );
    assert_eq!(
        read("'<f4'", "True", "(5, 6)"),
        "rays.npy: truncated: the header promises 120 bytes of values, 96 are there"
    );
    read("'<f4'", "True", "(18446744073709551615, 8)");
    assert_eq!(read("'<f4'", "False", "(-1, 6)"), "rays.npy: the header's \"shape\" holds \"-1\"");
    assert_eq!(
        folder.error("rays.npy", "hello, world"),
        "rays.npy: not an NPY file: it does not begin with \"\\x93NUMPY\""
    );
}

#[test]
fn an_npy_cut_anywhere_names_the_row() {
    let folder = Folder::new();
    let bytes = npy_rays("<f4", 6, false);
    let data = bytes.len() - COUNT * 24;
    for length in 0..bytes.len() {
        let message = folder.error("rays.npy", &bytes[..length]);
        let expected = match length.checked_sub(data) {
            Some(there) => format!("rays.npy: truncated: row {} of {COUNT} is incomplete", there / 24),
            None => "rays.npy: truncated: the header is incomplete".to_owned(),
        };
        assert_eq!(message, expected);
    }
    let huge = npy("'<f4'", "False", &format!("({}, 6)", u64::MAX), &[0; 50]);
    for chunk in [3, usize::MAX] {
        let error = folder.read("rays.npy", &huge, chunk).unwrap_err().to_string();
        assert!(error.ends_with(&format!("row 2 of {} is incomplete", u64::MAX)), "{error}");
    }
    let mut long = b"\x93NUMPY\x02\0".to_vec();
    long.extend(u32::MAX.to_le_bytes());
    assert_eq!(
        folder.error("rays.npy", long),
        "rays.npy: a header of 4294967295 bytes; at most 65536 are read"
    );
    folder.error("rays.npy", npy(&"[(".repeat(20_000), "False", "(1, 6)", &[]));
}

#[test]
fn a_table_cut_anywhere_is_an_error_and_no_panic() {
    let folder = Folder::new();
    let batch = batch(6, false, true);
    let files = [
        ("r.parquet", parquet(&batch)),
        ("r.arrow", arrow_file(&batch, true)),
        ("r.arrow", arrow_file(&batch, false)),
    ];
    for (name, bytes) in files {
        for length in (0..bytes.len()).step_by(3) {
            folder.error(name, &bytes[..length]);
        }
    }
    // A stream that ends between messages is whole; nothing else may pass for it.
    let stream = arrow_stream(&batch);
    for length in (0..stream.len()).step_by(3) {
        if let Ok(rays) = folder.read("r.arrows", &stream[..length], 7) {
            assert!([0, 20, 40, 50].contains(&rays.rays.len()), "{length}");
        }
    }
}

/// Hands out bytes and remembers the most that it was asked for at once.
struct Asked {
    bytes: std::io::Cursor<Vec<u8>>,
    most: Arc<std::sync::atomic::AtomicUsize>,
}

impl std::io::Read for Asked {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.most.fetch_max(buffer.len(), std::sync::atomic::Ordering::Relaxed);
        self.bytes.read(buffer)
    }
}

#[test]
fn a_long_footer_of_an_arrow_file_is_not_held_in_memory() {
    let batch = batch(6, false, false);
    let mut bytes = arrow_file(&batch, false);
    let end = bytes.len() - 6;
    bytes.splice(end..end, vec![0; 64 << 20]);
    let most = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let asked = Asked { bytes: std::io::Cursor::new(bytes.clone()), most: Arc::clone(&most) };
    assert_eq!(all(RayReader::from_reader("pipe", asked).unwrap(), 7).unwrap().rays, expected(6));
    let most = most.load(std::sync::atomic::Ordering::Relaxed);
    assert!(most <= 1 << 20, "{most} bytes at once");

    bytes.pop();
    let reader = RayReader::from_reader("pipe", std::io::Cursor::new(bytes)).unwrap();
    assert_eq!(all(reader, 7).unwrap_err().to_string(), "pipe: truncated: the footer is incomplete");
}

#[test]
fn flipped_bytes_never_make_a_panic() {
    let folder = Folder::new();
    let mut state = 0x1234_5678_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize
    };
    for (name, bytes, _) in every_file(8) {
        for _ in 0..60 {
            let mut bytes = bytes.clone();
            for _ in 0..=random() % 3 {
                let at = random() % bytes.len();
                bytes[at] = random() as u8;
            }
            let _ = folder.read(&name, &bytes, 7);
        }
    }
}

#[test]
fn an_unknown_or_missing_file_is_named() {
    let folder = Folder::new();
    assert_eq!(
        folder.error("rays.txt", "1 2 3"),
        "rays.txt: unknown ray format \".txt\"; known: npy, csv, parquet, arrow, feather, ipc, arrows"
    );
    let error = RayReader::open("nowhere/rays.npy".as_ref()).unwrap_err();
    assert!(error.to_string().starts_with("nowhere/rays.npy: No such file"), "{error}");
    let error = RayReader::open(folder.0.path()).unwrap_err();
    assert!(error.to_string().ends_with("is a directory"), "{error}");
}

#[test]
fn a_message_steers_no_terminal() {
    let folder = Folder::new();
    let message = folder.error("rays.csv", "ox,oy,\u{1b}[31mred\n");
    assert!(message.ends_with("found ox, oy, \\u{1b}[31mred"), "{message}");
    let error = RayReader::open("no\u{1b}[2Jwhere\n.npy".as_ref()).unwrap_err();
    assert!(error.to_string().starts_with("no\\u{1b}[2Jwhere\\n.npy: "), "{error}");
}
