//! Files that are damaged, cut, foreign or missing, or that hold more than they count: what is said
//! of them.

use super::files::{
    COUNT, HEADER, NAMES, batch, csv_rays, every_file, expected, npy_rays, parquet_of, pieces,
    stream_of, table_of,
};
use super::{Rays, all};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{arrow_stream, flip_bytes, npy, npy_of_header, parquet};
use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
use lanecast::{Ray, Status};
use lanecast_io::{Error, RayReader};
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

fn read(path: &Path) -> Result<Rays, Error> {
    all(RayReader::<f32>::open(path)?, 7)
}

/// The message of reading from a pipe.
#[track_caller]
fn pipe_error(bytes: impl Into<Vec<u8>>) -> String {
    let reader = RayReader::<f32>::from_reader("pipe", Cursor::new(bytes.into()));
    reader.and_then(|reader| all(reader, 7)).expect_err("no rays").to_string()
}

#[test]
fn what_is_wrong_with_a_csv_is_said_with_its_line() {
    let folder = Folder::new();
    let row = "1,2,3,4,5,6\n";
    let five = row.repeat(5);
    let all = "no column \"ox\", \"oy\", \"oz\", \"dx\", \"dy\", \"dz\"; found";
    let separated = "; columns are separated by commas, semicolons or tabs";
    let whole = "is not a whole number of 64 bits with a sign";
    folder.refuses(
        read,
        [
            ("ox,oy,oz,dx,dy\n1,2,3,4,5\n", "no column \"dz\"; found ox, oy, oz, dx, dy"),
            ("x,y,z\n1,2,3\n", &format!("{all} x, y, z")),
            ("ox oy oz dx dy dz\n1 2\n", &format!("{all}…{separated}")),
            ("ox|oy|oz|dx|dy|dz\n1|2\n", &format!("{all}…{separated}")),
            (
                "0,-1.5,2e3,0,nan,1\n",
                &format!("{all} 0, -1.5, 2e3, 0, nan, 1; the first line must name the columns"),
            ),
            ("ox,oy,oz,dx,dy,dz,oy\n", "column \"oy\" stands there twice"),
            (
                &format!("{HEADER}{five}1,2,3,4,5,abc\n"),
                "line 7: column \"dz\": \"abc\" is not a number",
            ),
            (
                &format!("{HEADER}\n{row}1,2,3,-,5,6\n"),
                "line 4: column \"dx\": \"-\" is not a number",
            ),
            (&format!("{HEADER}{row}1,2,3,4,5\n"), "line 3: 5 fields, but the header has 6"),
            (
                "ox,oy,oz,dx,dy,dz,ray_id\n1,2,3,4,5,6,7.5\n",
                &format!("line 2: column \"ray_id\": \"7.5\" {whole}"),
            ),
            (
                "ox,oy,oz,dx,dy,dz,ray_id\n1,2,3,4,5,6,18446744073709551615\n",
                &format!("line 2: column \"ray_id\": \"18446744073709551615\" {whole}"),
            ),
            ("", "no header: the file is empty"),
            (
                &csv_rays(6, false).replacen(",\"a", ",7,\"a", 1),
                "line 2: 8 fields, but the header has 7",
            ),
        ]
        .map(|(text, problem)| ("rays.csv", text.as_bytes().to_vec(), problem.to_owned())),
    );
}

#[test]
fn a_line_of_a_csv_has_the_number_that_an_editor_gives_it() {
    let folder = Folder::new();
    let text = "\nox,oy,oz,dx,dy,dz,note\n1,2,3,4,5,6,\n\n\n1,2,3,4,5,6,\"a quoted\n\nnote\"\n1,2,3,4,5,6,\n\n1,2,3,4,5,x,";
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        let short = text.replace(",x,", ",6");
        folder.refuses(
            read,
            [
                ("rays.csv", text.clone().into(), "line 11: column \"dz\": \"x\" is not a number"),
                ("rays.csv", short.into(), "line 11: 6 fields, but the header has 7"),
            ],
        );
        let sound = text.strip_suffix("1,2,3,4,5,x,").unwrap();
        assert_eq!(folder.rays("rays.csv", sound, 2).unwrap().rays.len(), 3, "{end:?}");
    }
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_the_file() {
    let folder = Folder::new();
    let rows = "1,2,3,4,5,6\n".repeat(200_000);
    let text = format!("{HEADER}{rows}");
    assert_eq!(folder.rays("rays.csv", &text, 1000).unwrap().rays.len(), 200_000);
    let text = format!("{text}1,2,3,4,5,\"6\n{rows}").into_bytes();
    let long = "a record longer than 1048576 bytes: perhaps a quote is not closed";
    folder.refuses(read, [("rays.csv", text, format!("line 200002: {long}"))]);

    let (head, row) = ("ox,oy,oz,dx,dy,dz,note\n", "1,2,3,4,5,6,x\n");
    for end in ["", "1,2,3,4,5,6,x"] {
        let lost = format!("{head}{row}1,2,3,4,5,6,\"x\n{row}{row}{end}");
        folder.refuses(read, [("r.csv", lost.clone().into(), "line 3: a quote is not closed")]);
        assert_eq!(pipe_error(lost), "pipe: line 3: a quote is not closed");
    }
    // Quotes within a field that does not begin with one are text.
    for note in ["5\"", "\"a\"\"b\"", "\"two\nlines\"", ""] {
        for end in ["", "\n"] {
            let text = format!("{head}{row}1,2,3,4,5,6,{note}{end}");
            assert_eq!(folder.rays("r.csv", text, 7).unwrap().rays.len(), 2, "{note:?}");
        }
    }
    // Blank lines are no open quote, however many.
    let row = "1,2,3,4,5,6\n";
    for blank in ["\n", "\r\n"] {
        let text = format!("{HEADER}{row}{}{row}", blank.repeat(1_200_000));
        assert_eq!(folder.rays("rays.csv", &text, 1000).unwrap().rays.len(), 2);
        let short = format!("{text}1,2\n").into_bytes();
        folder.refuses(read, [("r.csv", short, "line 1200004: 2 fields, but the header has 6")]);
    }
}

/// A table of rows of 1, with ids, in which one number of one row is null; in every format.
fn with_gap(place: usize) -> Vec<(&'static str, Vec<u8>)> {
    let names = [&NAMES[..], &["ray_id"]].concat();
    let mut csv = names.join(",") + "\n";
    for row in 0..30 {
        let fields = (0..9).map(|at| if row == 23 && at == place { " " } else { "1" });
        csv += &(fields.collect::<Vec<_>>().join(",") + "\n");
    }
    let columns = names.iter().enumerate().map(|(at, name)| -> (&str, ArrayRef) {
        let values = (0..30).map(move |row| (at != place || row != 23).then_some(1_i32));
        match at {
            8 => (
                name,
                Arc::new(values.map(|x| x.map(i64::from)).collect::<arrow_array::Int64Array>()),
            ),
            0..3 => (name, Arc::new(arrow_array::Int32Array::from_iter(values))),
            _ => (name, Arc::new(values.map(|x| x.map(|x| x as f32)).collect::<Float32Array>())),
        }
    });
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    vec![
        ("rays.csv", csv.into_bytes()),
        ("rays.parquet", parquet_of(&batch)),
        ("rays.arrow", table_of(&batch, false)),
        ("rays.arrows", stream_of(&batch)),
    ]
}

/// Each number of a row that is null, or an empty field, becomes NaN, which is a status of that
/// row; ids must be there.
#[test]
fn a_null_is_a_status_in_its_row_and_no_error_of_the_file() {
    let folder = Folder::new();
    for (place, expected) in [
        (1, Status::InvalidOrigin),
        (4, Status::InvalidDirection),
        (6, Status::InvalidInterval),
        (7, Status::InvalidInterval),
    ] {
        for (name, bytes) in with_gap(place) {
            for chunk in [1, 7, 100] {
                let rays = folder.rays(name, &bytes, chunk).unwrap().rays;
                let defects = rays.iter().map(Ray::defect);
                let only = (0..30).map(|row| (row == 23).then_some(expected));
                assert!(defects.eq(only), "{name} {place}");
            }
        }
    }
    folder.refuses(
        read,
        with_gap(8).into_iter().map(|(name, bytes)| {
            let of_csv =
                "line 25: column \"ray_id\": \"\" is not a whole number of 64 bits with a sign";
            let problem =
                if name == "rays.csv" { of_csv } else { "row 23: column \"ray_id\" is null" };
            (name, bytes, problem)
        }),
    );
    // A table of nothing but gaps, which knows no type.
    let nulls: ArrayRef = Arc::new(arrow_array::NullArray::new(3));
    let batch = with_column("dz", nulls, 3);
    for (name, bytes) in [("rays.parquet", parquet_of(&batch)), ("rays.arrows", stream_of(&batch))]
    {
        let rays = folder.rays(name, bytes, 2).unwrap().rays;
        let defects: Vec<_> = rays.iter().map(Ray::defect).collect();
        assert_eq!(defects, [Some(Status::InvalidDirection); 3]);
    }
}

/// Rays of numbers with a column of another kind.
fn with_column(name: &'static str, column: ArrayRef, rows: usize) -> RecordBatch {
    let number: ArrayRef = Arc::new(Float32Array::from(vec![1.0; rows]));
    let names = NAMES[..6].iter().copied().filter(|other| *other != name);
    let columns = names.map(|name| (name, number.clone())).chain([(name, column)]);
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn columns_that_are_not_there_or_no_numbers_are_named() {
    let batch = batch(6, false, false).project(&[0, 1, 2, 3, 5]).unwrap();
    let missing = "no column \"ox\", \"oz\"; found dz, dy, note, dx, oy";
    let words = with_column("dy", Arc::new(StringArray::from(vec!["x"])), 1);
    let ids = with_column("ray_id", Arc::new(Float32Array::from(vec![1.0])), 1);
    Folder::new().refuses(
        read,
        [
            ("rays.parquet", parquet_of(&batch), missing),
            ("rays.arrow", table_of(&batch, false), missing),
            ("rays.arrows", stream_of(&batch), missing),
            ("rays.parquet", parquet(&[words], 13), "column \"dy\": Utf8 is not a type of numbers"),
            (
                "rays.arrow",
                table_of(&ids, false),
                "column \"ray_id\": Float32 is not a type of whole numbers",
            ),
        ],
    );
}

#[test]
fn an_array_that_is_no_rays_says_why() {
    let folder = Folder::new();
    let expected = "expected (N, 6), (N, 8), (N, 2, 3), (6,) or (8,)";
    let (of_f4, c, fortran) = ("'<f4'", "False", "True");
    for shape in ["(4, 3)", "(7,)", "()", "(2, 3)", "(2, 3, 2)", "(1, 6, 1)", "(1, 1, 2, 3)"] {
        let lengths = shape.trim_matches(['(', ')', ',']);
        let bytes = npy(of_f4, c, shape, &[0; 96]);
        folder.refuses(read, [("rays.npy", bytes, format!("shape [{lengths}]; {expected}"))]);
    }
    let rows = [
        ("[('a', '<f4')]", c, "(1, 6)", "an array of records; expected plain numbers"),
        (of_f4, c, "(-1, 6)", "the header's \"shape\" holds \"-1\""),
        (
            of_f4,
            fortran,
            "(5, 6)",
            "truncated: the header promises 120 bytes of values, 96 are there",
        ),
        (of_f4, fortran, "(18446744073709551615, 8)", "…"),
    ];
    folder.refuses(
        read,
        rows.map(|(descr, order, shape, problem)| {
            ("rays.npy", npy(descr, order, shape, &[0; 96]), problem)
        }),
    );
    for descr in ["|b1", "<c8", "<f16", "<U4", "|f4", "?f4", "f4", "<", ""] {
        let known = "expected f2, f4, f8, i1 to i8 or u1 to u8";
        let bytes = npy(&format!("'{descr}'"), "False", "(1, 6)", &[0; 96]);
        let problem = format!("values of the type {descr:?}; {known}");
        folder.refuses(read, [("rays.npy", bytes, problem)]);
    }
    let mut version = npy("'<f4'", "False", "(0, 6)", &[]);
    version[7] = 1;
    let long = [b"\x93NUMPY\x02\0", &u32::MAX.to_le_bytes()[..]].concat();
    folder.refuses(
        read,
        [
            (
                "r.npy",
                b"hello, world".to_vec(),
                "not an NPY file: it does not begin with \"\\x93NUMPY\"",
            ),
            ("r.npy", version, "unknown NPY version 1.1"),
            ("r.npy", long, "a header of 4294967295 bytes; at most 65536 are read"),
            ("r.npy", npy(&"[(".repeat(20_000), "False", "(1, 6)", &[]), "…"),
        ],
    );
}

#[test]
fn an_npy_header_is_read_as_strictly_as_python_does() {
    let folder = Folder::new();
    let sound = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 6), }";
    let with = |from: &str, to: &str| npy_of_header(&sound.replacen(from, to, 1), &[0; 24]);
    assert_eq!(folder.rays("rays.npy", with("", ""), 7).unwrap().rays.len(), 1);
    let order = |found: &str| format!("\"fortran_order\" is {found:?}; expected True or False");
    for (from, to, expected) in [
        ("False", "Falso", &*format!("'s {}", order("Falso"))),
        ("False", "Truer", &format!("'s {}", order("Truer"))),
        ("False", "0", &format!("'s {}", order("0"))),
        ("(1, 6)", "(1, 6", "'s \"shape\" holds \"\""),
        ("(1, 6)", "[1, 6]", "'s \"shape\" is no tuple"),
        ("(1, 6)", "(6)", "'s \"shape\" is no tuple"),
        ("(1, 6)", "(1,, 6)", "'s \"shape\" holds \"\""),
        ("(1, 6)", "(+1, 6)", "'s \"shape\" holds \"+1\""),
        ("(1, 6)", "(1, 6), 'more': 1", " has an unknown key \"more\""),
        ("(1, 6)", "(1, 6), 'shape': (1, 6)", " has \"shape\" twice"),
        ("'fortran_order': False, ", "", " has no \"fortran_order\""),
        (", }", ", } 5", " goes on after its last brace: \"5\""),
        (", }", "", " has no '}' before \"\""),
        ("{", "", &format!(" has no '{{' before {:?}", &sound[1..])),
        ("'<f4'", "'<f4", " has no …"),
    ] {
        folder.refuses(read, [("rays.npy", with(from, to), format!("the header{expected}"))]);
    }
}

#[test]
fn an_npy_of_more_values_than_its_shape_is_refused() {
    let folder = Folder::new();
    for fortran in [false, true] {
        let bytes = npy_rays("<f4", 6, fortran);
        // Another array behind the first, as two calls of `np.save` write them, is more too.
        for more in [&[0_u8; 1][..], &[0; 24], &bytes.clone()] {
            let (promised, there) = (COUNT * 24, COUNT * 24 + more.len());
            let bytes = [&bytes, more].concat();
            let values =
                format!("the header promises {promised} bytes of values, {there} are there");
            folder.refuses(read, [("rays.npy", bytes.clone(), &values)]);
            let rows = format!("more follows the {COUNT} rows that the header promises");
            assert_eq!(pipe_error(bytes), format!("pipe: {}", if fortran { values } else { rows }));
        }
    }
}

#[test]
fn an_npy_cut_anywhere_names_the_row() {
    let folder = Folder::new();
    let bytes = npy_rays("<f4", 6, false);
    let data = bytes.len() - COUNT * 24;
    folder.refuses(
        read,
        (0..bytes.len()).map(|length| {
            let what = match length.checked_sub(data) {
                Some(there) => format!("row {} of {COUNT}", there / 24),
                None => "the header".to_owned(),
            };
            ("rays.npy", bytes[..length].to_vec(), format!("truncated: {what} is incomplete"))
        }),
    );
    let huge = npy("'<f4'", "False", &format!("({}, 6)", u64::MAX), &[0; 50]);
    for chunk in [3, usize::MAX] {
        let error = folder.rays("rays.npy", &huge, chunk).unwrap_err().to_string();
        assert_reads(&error, &format!("…row 2 of {} is incomplete", u64::MAX));
    }
}

#[test]
fn a_table_cut_anywhere_is_an_error_and_no_panic() {
    let folder = Folder::new();
    let batch = batch(6, false, true);
    let whole = parquet_of(&batch);
    for (name, bytes) in [
        ("r.parquet", &whole),
        ("r.arrow", &table_of(&batch, true)),
        ("r.arrow", &table_of(&batch, false)),
    ] {
        for length in (0..bytes.len()).step_by(3) {
            folder.ray_error(name, &bytes[..length]);
        }
    }
    // A stream that ends between messages is whole; nothing else may pass for it.
    let stream = stream_of(&batch);
    for length in (0..stream.len()).step_by(3) {
        if let Ok(rays) = folder.rays("r.arrows", &stream[..length], 7) {
            assert!([0, 20, 40, 50].contains(&rays.rays.len()), "{length}");
        }
    }
    // A Parquet file names the byte.
    for length in [12, 13, whole.len() / 2, whole.len() - 1] {
        let problem =
            format!("truncated: it ends at byte {length} without the footer of a Parquet file");
        folder.refuses(read, [("r.parquet", whole[..length].to_vec(), problem)]);
    }
    for (bytes, count) in
        [(&b""[..], "0 bytes"), (&whole[..1], "1 byte"), (b"ox,oy,oz,dx,dy,dz", "17 bytes")]
    {
        let problem = format!("not a Parquet file: {count} that do not begin with PAR1");
        folder.refuses(read, [("r.parquet", bytes.to_vec(), problem)]);
    }
}

/// Where each record batch of a file stands, as its footer has it.
fn blocks(bytes: &[u8]) -> Vec<Range<usize>> {
    let end = bytes.len() - 10;
    let length = i32::from_le_bytes(bytes[end..end + 4].try_into().unwrap()) as usize;
    let footer = arrow_ipc::root_as_footer(&bytes[end - length..end]).unwrap();
    let block = |block: &arrow_ipc::Block| {
        let start = block.offset() as usize;
        start..start + block.metaDataLength() as usize + block.bodyLength() as usize
    };
    footer.recordBatches().unwrap().iter().map(block).collect()
}

#[test]
fn an_arrow_file_without_a_batch_of_its_footer_is_refused() {
    let folder = Folder::new();
    for compressed in [false, true] {
        let bytes = table_of(&batch(6, false, true), compressed);
        let blocks = blocks(&bytes);
        assert_eq!(blocks.len(), 3);
        for (number, block) in blocks.iter().enumerate() {
            let expected = |number: usize| {
                let at = blocks[number].start;
                format!(
                    "damaged: record batch {number} of 3 is not at byte {at}, where the footer has it"
                )
            };
            let removed = [&bytes[..block.start], &bytes[block.end..]].concat();
            let mut zeroed = bytes.clone();
            zeroed[block.start + 4..block.start + 8].fill(0);
            folder.refuses(
                read,
                [
                    // Those behind it move up; the last is shorter.
                    ("r.arrow", removed, expected(number.max(1))),
                    ("r.arrow", zeroed, expected(number)),
                ],
            );
            let doubled = [&bytes[..block.end], &bytes[block.start..]].concat();
            let said = folder.ray_error("r.arrow", &doubled);
            let known = ["where the footer has it", "names 3 of 4 record batches"];
            assert!(known.iter().any(|known| said.contains(known)), "{said}");
        }
    }
}

#[test]
fn an_arrow_stream_that_goes_on_after_its_end_is_refused() {
    let folder = Folder::new();
    let stream = arrow_stream(&pieces(&batch(6, false, true)));
    let end = stream.len();
    let expected = format!("more follows the end of the stream at byte {end}");
    folder.refuses(read, [("r.arrows", [&stream[..], &stream].concat(), &expected)]);
    assert_eq!(pipe_error([&stream[..], b"\n"].concat()), format!("pipe: {expected}"));
    // The mark of the end may be missing.
    assert_eq!(folder.rays("r.arrows", &stream[..end - 8], 7).unwrap().rays.len(), COUNT);
}

#[test]
fn a_parquet_whose_counts_differ_is_refused() {
    let bytes = parquet(&[batch(6, false, false)], 13);
    // Numbers in the footer are fields of 64 bits, zigzag: that of all rows stands before the list
    // of four row groups.
    let mark = [0x16, 2 * COUNT as u8, 0x19, 0x4c];
    let all = bytes.windows(4).rposition(|window| window == mark).expect("in the footer");
    // The first number of 13 is that of the values of the first column.
    let values = bytes[all..].windows(2).position(|window| window == [0x16, 26]).expect("a count");
    let with = |at: usize, count: u8| {
        let mut bytes = bytes.clone();
        bytes[at + 1] = 2 * count;
        bytes
    };
    let rows = [0, 20, 60].map(|rows| {
        let problem = format!("the footer counts {rows} rows, its row groups hold {COUNT}");
        ("r.parquet", with(all, rows), problem)
    });
    let fewer = "row group 0 counts 13 rows, its column \"dz\" holds 10".to_owned();
    let folder = Folder::new();
    folder.refuses(read, rows.into_iter().chain([("r.parquet", with(all + values, 10), fewer)]));
}

/// Hands out bytes and remembers the most that it was asked for at once.
struct Asked {
    bytes: Cursor<Vec<u8>>,
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
    let mut bytes = table_of(&batch(6, false, false), false);
    // Between the end of the stream and the footer, whose length stands before the last six bytes.
    let tail = bytes.len() - 10;
    let length = bytes[tail..].first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    let end = tail - length as usize;
    bytes.splice(end..end, vec![0; 64 << 20]);
    let most = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let asked = Asked { bytes: Cursor::new(bytes.clone()), most: Arc::clone(&most) };
    let reader = RayReader::<f32>::from_reader("pipe", asked).unwrap();
    assert_eq!(all(reader, 7).unwrap().rays, expected(6));
    let most = most.load(std::sync::atomic::Ordering::Relaxed);
    assert!(most <= 1 << 20, "{most} bytes at once");
    bytes.pop();
    assert_eq!(pipe_error(bytes), "pipe: truncated: the footer is incomplete");
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
    let known = "known: npy, npz, csv, parquet, arrow, feather, ipc, arrows";
    let unknown = format!("unknown ray format \".txt\"; {known}");
    folder.refuses(read, [("rays.txt", b"1 2 3".to_vec(), unknown)]);
    let long = "é".repeat(30_000);
    for (path, pattern) in [
        ("nowhere/rays.npy", "nowhere/rays.npy: No such file…"),
        // A message steers no terminal, and repeats little.
        ("no\u{1b}[2Jwhere\n.npy", "no\\u{1b}[2Jwhere\\n.npy: …"),
        (&format!("{long}.npy"), "…é.npy: …"),
    ] {
        let error = RayReader::<f32>::open(path.as_ref()).unwrap_err().to_string();
        assert_reads(&error, pattern);
        assert!(error.chars().count() < 300, "{error}");
        assert_eq!(error.starts_with('…'), path.starts_with('é'), "{error}");
    }
    let error = RayReader::<f32>::open(&folder.path("")).unwrap_err();
    assert_reads(&error.to_string(), "…is a directory");
    let escaped = folder.ray_error("rays.csv", "ox,oy,\u{1b}[31mred\n");
    assert_reads(&escaped, "…found ox, oy, \\u{1b}[31mred");
}

#[test]
fn a_message_repeats_200_characters_at_most() {
    let folder = Folder::new();
    let (long, word) = ("é".repeat(30_000), "é".repeat(3000));
    let many = |word: &str| format!("({})", word.repeat(3000));
    let of_f4 = |shape: &str| npy("'<f4'", "False", shape, &[]);
    let files: [(&str, Vec<u8>); 8] = [
        ("r.csv", format!("ox,oy,oz,dx,dy,{long}\n1,2,3,4,5,6\n").into()),
        ("r.csv", format!("ox,oy,oz,dx,dy,{}dd\n", "é,".repeat(3000)).into()),
        ("r.csv", format!("{HEADER}1,2,3,4,5,{long}\n").into()),
        ("r.npy", npy("'<f4'", &word, "(0, 6)", &[])),
        ("r.npy", npy(&format!("'{word}'"), "False", "(0, 6)", &[])),
        ("r.npy", of_f4(&many("é"))),
        ("r.npy", of_f4(&many("7, "))),
        ("r.npy", of_f4(&format!("(0, 6), '{word}': 1"))),
    ];
    for (file, content) in files {
        let message = folder.ray_error(file, content);
        assert!(message.chars().filter(|x| *x == 'é').count() <= 200, "{file}: {message}");
        assert!(message.chars().count() < 300, "{file}: {message}");
    }
}
