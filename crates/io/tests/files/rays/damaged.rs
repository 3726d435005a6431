//! Files that are damaged, cut, foreign or missing, and what is said of them.

use super::all;
use super::files::{
    COUNT, NAMES, arrow_file, arrow_stream, batch, every_file, expected, npy_rays, parquet,
};
use crate::folder::Folder;
use crate::support::{flip_bytes, npy};
use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
use lanecast::{Ray, Status};
use lanecast_io::RayReader;
use std::sync::Arc;

#[test]
fn a_missing_column_is_named_with_those_that_are_there() {
    let folder = Folder::new();
    assert_eq!(
        folder.ray_error("rays.csv", "ox,oy,oz,dx,dy\n1,2,3,4,5\n"),
        "rays.csv: no column \"dz\"; found ox, oy, oz, dx, dy"
    );
    assert_eq!(
        folder.ray_error("rays.csv", "x,y,z\n1,2,3\n"),
        "rays.csv: no column \"ox\", \"oy\", \"oz\", \"dx\", \"dy\", \"dz\"; found x, y, z"
    );
    let none = "rays.csv: no column \"ox\", \"oy\", \"oz\", \"dx\", \"dy\", \"dz\"; found";
    for separator in [" ", "|"] {
        let header = ["ox", "oy", "oz", "dx", "dy", "dz"].join(separator);
        let said = folder.ray_error("rays.csv", format!("{header}\n1{separator}2\n"));
        let hint = "; columns are separated by commas, semicolons or tabs";
        assert!(said.starts_with(none) && said.ends_with(hint), "{said}");
    }
    assert_eq!(
        folder.ray_error("rays.csv", "0,-1.5,2e3,0,nan,1\n"),
        format!("{none} 0, -1.5, 2e3, 0, nan, 1; the first line must name the columns")
    );
    assert_eq!(
        folder.ray_error("rays.csv", "ox,oy,oz,dx,dy,dz,oy\n"),
        "rays.csv: column \"oy\" stands there twice"
    );
    let batch = batch(6, false, false).project(&[0, 1, 2, 3, 5]).unwrap();
    for (name, bytes) in [
        ("rays.parquet", parquet(&batch)),
        ("rays.arrow", arrow_file(&batch, false)),
        ("rays.arrows", arrow_stream(&batch)),
    ] {
        assert_eq!(
            folder.ray_error(name, bytes),
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
        folder.ray_error("rays.csv", format!("{head}{}1,2,3,4,5,abc\n", row.repeat(5))),
        "rays.csv: line 7: column \"dz\": \"abc\" is not a number"
    );
    assert_eq!(
        folder.ray_error("rays.csv", format!("{head}\n{row}1,2,3,-,5,6\n")),
        "rays.csv: line 4: column \"dx\": \"-\" is not a number"
    );
    assert_eq!(
        folder.ray_error("rays.csv", format!("{head}{row}1,2,3,4,5\n")),
        "rays.csv: line 3: 5 fields, but the header has 6"
    );
    assert_eq!(
        folder.ray_error("rays.csv", "ox,oy,oz,dx,dy,dz,ray_id\n1,2,3,4,5,6,7.5\n"),
        "rays.csv: line 2: column \"ray_id\": \"7.5\" is not a whole number of 64 bits with a sign"
    );
    assert_eq!(
        folder
            .ray_error("rays.csv", "ox,oy,oz,dx,dy,dz,ray_id\n1,2,3,4,5,6,18446744073709551615\n"),
        "rays.csv: line 2: column \"ray_id\": \"18446744073709551615\" is not a whole number of 64 bits with a sign"
    );
    assert_eq!(folder.ray_error("rays.csv", ""), "rays.csv: no header: the file is empty");
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
            folder.ray_error("rays.csv", lines.join(end)),
            "rays.csv: line 11: column \"dz\": \"x\" is not a number",
            "{end:?}"
        );
        assert_eq!(
            folder.ray_error("rays.csv", lines.join(end).replace(",x,", ",6")),
            "rays.csv: line 11: 6 fields, but the header has 7",
            "{end:?}"
        );
        assert_eq!(
            folder.rays("rays.csv", lines[..10].join(end), 2).unwrap().rays.len(),
            3,
            "{end:?}"
        );
    }
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_the_file() {
    let folder = Folder::new();
    let rows = "1,2,3,4,5,6\n".repeat(200_000);
    let text = format!("ox,oy,oz,dx,dy,dz\n{rows}");
    assert_eq!(folder.rays("rays.csv", &text, 1000).unwrap().rays.len(), 200_000);
    let text = format!("{text}1,2,3,4,5,\"6\n{rows}");
    let message = folder.ray_error("rays.csv", text);
    assert_eq!(
        message,
        "rays.csv: line 200002: a record longer than 1048576 bytes: perhaps a quote is not closed"
    );
}

/// Each number of a row that is null, or an empty field, becomes NaN, which is a status of that
/// row; ids must be there.
#[test]
fn a_null_is_a_status_in_its_row_and_no_error_of_the_file() {
    let folder = Folder::new();
    let names = [&NAMES[..], &["ray_id"]].concat();
    for (place, expected) in [
        (1, Status::InvalidOrigin),
        (4, Status::InvalidDirection),
        (6, Status::InvalidInterval),
        (7, Status::InvalidInterval),
        (8, Status::Miss),
    ] {
        let mut csv = names.join(",") + "\n";
        for row in 0..30 {
            let fields = (0..9).map(|at| if row == 23 && at == place { " " } else { "1" });
            csv += &(fields.collect::<Vec<_>>().join(",") + "\n");
        }
        let whole = |gap: bool| (0..30).map(move |row| (!gap || row != 23).then_some(1));
        let columns = names.iter().enumerate().map(|(at, name)| -> (&str, ArrayRef) {
            let values = whole(at == place);
            match at {
                8 => (
                    name,
                    Arc::new(arrow_array::Int64Array::from_iter(
                        values.map(|value| value.map(i64::from)),
                    )),
                ),
                0..3 => (name, Arc::new(arrow_array::Int32Array::from_iter(values))),
                _ => (
                    name,
                    Arc::new(Float32Array::from_iter(
                        values.map(|value| value.map(|one| one as f32)),
                    )),
                ),
            }
        });
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let files = [
            ("rays.csv", csv.into_bytes()),
            ("rays.parquet", parquet(&batch)),
            ("rays.arrow", arrow_file(&batch, false)),
            ("rays.arrows", arrow_stream(&batch)),
        ];
        for (name, bytes) in files {
            if place == 8 {
                let message = folder.ray_error(name, bytes);
                let null = format!("{name}: row 23: column \"ray_id\" is null");
                let empty =
                    "rays.csv: line 25: column \"ray_id\": \"\" is not a whole number of 64 bits with a sign"
                        .to_owned();
                assert_eq!(message, if name == "rays.csv" { empty } else { null });
                continue;
            }
            for chunk in [1, 7, 100] {
                let rays = folder.rays(name, &bytes, chunk).unwrap().rays;
                let defects: Vec<_> = rays.iter().map(Ray::defect).collect();
                let only = |row: usize| (row == 23).then_some(expected);
                assert_eq!(defects, (0..30).map(only).collect::<Vec<_>>(), "{name} {place}");
            }
        }
    }
}

/// As a table of nothing but gaps has them, which knows no type.
#[test]
fn a_column_of_nulls_without_a_type_is_a_status_of_every_row() {
    let number: ArrayRef = Arc::new(Float32Array::from(vec![1.0; 3]));
    let nulls: ArrayRef = Arc::new(arrow_array::NullArray::new(3));
    let columns =
        NAMES[..6].iter().map(|name| (*name, if *name == "dz" { &nulls } else { &number }.clone()));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    for (name, bytes) in [("rays.parquet", parquet(&batch)), ("rays.arrows", arrow_stream(&batch))]
    {
        let rays = Folder::new().rays(name, bytes, 2).unwrap().rays;
        assert!(
            rays.len() == 3
                && rays.iter().all(|ray| ray.defect() == Some(Status::InvalidDirection))
        );
    }
}

#[test]
fn a_column_that_holds_no_numbers_is_named_with_its_type() {
    let words: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let number: ArrayRef = Arc::new(Float32Array::from(vec![1.0]));
    let columns = NAMES[..6]
        .iter()
        .map(|name| (*name, if *name == "dy" { words.clone() } else { number.clone() }));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let expected = "rays.parquet: column \"dy\": Utf8 is not a type of numbers";
    assert_eq!(Folder::new().ray_error("rays.parquet", parquet(&batch)), expected);
    let columns = NAMES[..6].iter().chain([&"ray_id"]).map(|name| (*name, number.clone()));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let expected = "rays.arrow: column \"ray_id\": Float32 is not a type of whole numbers";
    assert_eq!(Folder::new().ray_error("rays.arrow", arrow_file(&batch, false)), expected);
}

#[test]
fn an_array_that_is_no_rays_says_why() {
    let folder = Folder::new();
    let read =
        |descr, order, shape| folder.ray_error("rays.npy", npy(descr, order, shape, &[0; 96]));
    let expected = "expected (N, 6), (N, 8), (N, 2, 3), (6,) or (8,)";
    for (shape, found) in [
        ("(4, 3)", "[4, 3]"),
        ("(7,)", "[7]"),
        ("()", "[]"),
        ("(2, 3)", "[2, 3]"),
        ("(2, 3, 2)", "[2, 3, 2]"),
        ("(1, 6, 1)", "[1, 6, 1]"),
        ("(1, 1, 2, 3)", "[1, 1, 2, 3]"),
    ] {
        assert_eq!(read("'<f4'", "False", shape), format!("rays.npy: shape {found}; {expected}"));
    }
    assert_eq!(
        read("[('a', '<f4')]", "False", "(1, 6)"),
        "rays.npy: an array of records; expected plain numbers"
    );
    assert_eq!(
        read("'<f4'", "True", "(5, 6)"),
        "rays.npy: truncated: the header promises 120 bytes of values, 96 are there"
    );
    read("'<f4'", "True", "(18446744073709551615, 8)");
    assert_eq!(read("'<f4'", "False", "(-1, 6)"), "rays.npy: the header's \"shape\" holds \"-1\"");
    assert_eq!(
        folder.ray_error("rays.npy", "hello, world"),
        "rays.npy: not an NPY file: it does not begin with \"\\x93NUMPY\""
    );
}

#[test]
fn an_npy_cut_anywhere_names_the_row() {
    let folder = Folder::new();
    let bytes = npy_rays("<f4", 6, false);
    let data = bytes.len() - COUNT * 24;
    for length in 0..bytes.len() {
        let message = folder.ray_error("rays.npy", &bytes[..length]);
        let expected = match length.checked_sub(data) {
            Some(there) => {
                format!("rays.npy: truncated: row {} of {COUNT} is incomplete", there / 24)
            }
            None => "rays.npy: truncated: the header is incomplete".to_owned(),
        };
        assert_eq!(message, expected);
    }
    let huge = npy("'<f4'", "False", &format!("({}, 6)", u64::MAX), &[0; 50]);
    for chunk in [3, usize::MAX] {
        let error = folder.rays("rays.npy", &huge, chunk).unwrap_err().to_string();
        assert!(error.ends_with(&format!("row 2 of {} is incomplete", u64::MAX)), "{error}");
    }
    let mut long = b"\x93NUMPY\x02\0".to_vec();
    long.extend(u32::MAX.to_le_bytes());
    assert_eq!(
        folder.ray_error("rays.npy", long),
        "rays.npy: a header of 4294967295 bytes; at most 65536 are read"
    );
    folder.ray_error("rays.npy", npy(&"[(".repeat(20_000), "False", "(1, 6)", &[]));
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
            folder.ray_error(name, &bytes[..length]);
        }
    }
    // A stream that ends between messages is whole; nothing else may pass for it.
    let stream = arrow_stream(&batch);
    for length in (0..stream.len()).step_by(3) {
        if let Ok(rays) = folder.rays("r.arrows", &stream[..length], 7) {
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
    // Between the end of the stream and the footer, whose length stands before the last six bytes.
    let length =
        bytes[bytes.len() - 10..].first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    let end = bytes.len() - 10 - length as usize;
    bytes.splice(end..end, vec![0; 64 << 20]);
    let most = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let asked = Asked { bytes: std::io::Cursor::new(bytes.clone()), most: Arc::clone(&most) };
    assert_eq!(
        all(RayReader::<f32>::from_reader("pipe", asked).unwrap(), 7).unwrap().rays,
        expected(6)
    );
    let most = most.load(std::sync::atomic::Ordering::Relaxed);
    assert!(most <= 1 << 20, "{most} bytes at once");

    bytes.pop();
    let reader = RayReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes)).unwrap();
    assert_eq!(
        all(reader, 7).unwrap_err().to_string(),
        "pipe: truncated: the footer is incomplete"
    );
}

#[test]
fn flipped_bytes_never_make_a_panic() {
    let folder = Folder::new();
    let files = every_file(8).into_iter().map(|(name, bytes, _)| (name, bytes));
    flip_bytes(files, 60, |name, bytes| {
        let _ = folder.rays(name, bytes, 7);
    });
}

#[test]
fn an_unknown_or_missing_file_is_named() {
    let folder = Folder::new();
    assert_eq!(
        folder.ray_error("rays.txt", "1 2 3"),
        "rays.txt: unknown ray format \".txt\"; known: npy, npz, csv, parquet, arrow, feather, ipc, arrows"
    );
    let error = RayReader::<f32>::open("nowhere/rays.npy".as_ref()).unwrap_err();
    assert!(error.to_string().starts_with("nowhere/rays.npy: No such file"), "{error}");
    let error = RayReader::<f32>::open(&folder.path("")).unwrap_err();
    assert!(error.to_string().ends_with("is a directory"), "{error}");
}

#[test]
fn a_message_steers_no_terminal() {
    let folder = Folder::new();
    let message = folder.ray_error("rays.csv", "ox,oy,\u{1b}[31mred\n");
    assert!(message.ends_with("found ox, oy, \\u{1b}[31mred"), "{message}");
    let error = RayReader::<f32>::open("no\u{1b}[2Jwhere\n.npy".as_ref()).unwrap_err();
    assert!(error.to_string().starts_with("no\\u{1b}[2Jwhere\\n.npy: "), "{error}");
}

#[test]
fn a_parquet_file_that_ends_early_is_said_to_with_the_byte() {
    let folder = Folder::new();
    let bytes = parquet(&batch(6, false, false));
    for length in [12, 13, bytes.len() / 2, bytes.len() - 1] {
        let problem =
            format!("truncated: it ends at byte {length} without the footer of a Parquet file");
        assert_eq!(
            folder.ray_error("rays.parquet", &bytes[..length]),
            format!("rays.parquet: {problem}")
        );
    }
    for (bytes, count) in
        [(&b""[..], "0 bytes"), (&bytes[..1], "1 byte"), (b"ox,oy,oz,dx,dy,dz", "17 bytes")]
    {
        let problem = format!("not a Parquet file: {count} that do not begin with PAR1");
        assert_eq!(folder.ray_error("rays.parquet", bytes), format!("rays.parquet: {problem}"));
    }
}
