//! Files that hold more than they count, or count what is not there: read in part they would be
//! other rays.

use super::all;
use super::files::{COUNT, arrow_file, arrow_stream, batch, csv_rays, npy_rays, parquet};
use crate::folder::Folder;
use crate::support::npy;
use lanecast_io::RayReader;
use std::ops::Range;

/// The message of reading from a pipe.
fn pipe_error(bytes: Vec<u8>) -> String {
    let reader = RayReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes));
    reader.and_then(|reader| all(reader, 7)).expect_err("more than it says").to_string()
}

#[test]
fn an_npy_of_more_values_than_its_shape_is_refused() {
    let folder = Folder::new();
    for fortran in [false, true] {
        let bytes = npy_rays("<f4", 6, fortran);
        // Another array behind the first, as two calls of `np.save` write them, is more too.
        for more in [&[0_u8; 1][..], &[0; 24], &bytes.clone()] {
            let there = COUNT * 24 + more.len();
            let bytes = [&bytes, more].concat();
            let values =
                format!("the header promises {} bytes of values, {there} are there", COUNT * 24);
            assert_eq!(folder.ray_error("rays.npy", &bytes), format!("rays.npy: {values}"));
            let rows = format!("more follows the {COUNT} rows that the header promises");
            let expected = if fortran { values } else { rows };
            assert_eq!(pipe_error(bytes), format!("pipe: {expected}"));
        }
    }
}

#[test]
fn an_npy_header_is_read_as_strictly_as_python_does() {
    let folder = Folder::new();
    let sound = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 6), }";
    let read = |header: &str| {
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend([0; 24]);
        folder.rays("rays.npy", bytes, 7)
    };
    assert_eq!(read(sound).unwrap().rays.len(), 1);
    let order = |found: &str| {
        format!("the header's \"fortran_order\" is {found:?}; expected True or False")
    };
    for (from, to, expected) in [
        ("False", "Falso", order("Falso")),
        ("False", "Truer", order("Truer")),
        ("False", "0", order("0")),
        ("(1, 6)", "(1, 6", "the header's \"shape\" holds \"\"".to_owned()),
        ("(1, 6)", "[1, 6]", "the header's \"shape\" is no tuple".to_owned()),
        ("(1, 6)", "(6)", "the header's \"shape\" is no tuple".to_owned()),
        ("(1, 6)", "(1,, 6)", "the header's \"shape\" holds \"\"".to_owned()),
        ("(1, 6)", "(+1, 6)", "the header's \"shape\" holds \"+1\"".to_owned()),
        ("(1, 6)", "(1, 6), 'more': 1", "the header has an unknown key \"more\"".to_owned()),
        ("(1, 6)", "(1, 6), 'shape': (1, 6)", "the header has \"shape\" twice".to_owned()),
        ("'fortran_order': False, ", "", "the header has no \"fortran_order\"".to_owned()),
        (", }", ", } 5", "the header goes on after its last brace: \"5\"".to_owned()),
        (", }", "", "the header has no '}' before \"\"".to_owned()),
        ("{", "", format!("the header has no '{{' before {:?}", &sound[1..])),
    ] {
        let message = folder.error_of(to, read(&sound.replacen(from, to, 1)));
        assert_eq!(message, format!("rays.npy: {expected}"));
    }
    let open = folder.error_of("an open string", read(&sound.replace("'<f4'", "'<f4")));
    assert!(open.starts_with("rays.npy: the header has no "), "{open}");
    let mut version = npy("'<f4'", "False", "(0, 6)", &[]);
    version[7] = 1;
    assert_eq!(folder.ray_error("rays.npy", version), "rays.npy: unknown NPY version 1.1");
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
        let bytes = arrow_file(&batch(6, false, true), compressed);
        let blocks = blocks(&bytes);
        assert_eq!(blocks.len(), 3);
        for (number, block) in blocks.iter().enumerate() {
            let removed = [&bytes[..block.start], &bytes[block.end..]].concat();
            // Those behind it move up; the last is shorter.
            let first = number.max(1);
            let expected = |number: usize| {
                let place =
                    format!("not at byte {}, where the footer has it", blocks[number].start);
                format!("r.arrow: damaged: record batch {number} of 3 is {place}")
            };
            assert_eq!(folder.ray_error("r.arrow", &removed), expected(first));
            let mut zeroed = bytes.clone();
            zeroed[block.start + 4..block.start + 8].fill(0);
            assert_eq!(folder.ray_error("r.arrow", &zeroed), expected(number));
            let doubled = [&bytes[..block.end], &bytes[block.start..]].concat();
            let said = folder.ray_error("r.arrow", &doubled);
            assert!(
                said.contains("where the footer has it")
                    || said.contains("names 3 of 4 record batches"),
                "{said}"
            );
        }
    }
}

#[test]
fn an_arrow_stream_that_goes_on_after_its_end_is_refused() {
    let folder = Folder::new();
    let stream = arrow_stream(&batch(6, false, true));
    let end = stream.len() - 8;
    let expected = format!("more follows the end of the stream at byte {}", stream.len());
    assert_eq!(
        folder.ray_error("r.arrows", [&stream[..], &stream].concat()),
        format!("r.arrows: {expected}")
    );
    assert_eq!(pipe_error([&stream[..], b"\n"].concat()), format!("pipe: {expected}"));
    // The mark of the end may be missing.
    assert_eq!(folder.rays("r.arrows", &stream[..end], 7).unwrap().rays.len(), COUNT);
}

#[test]
fn a_parquet_whose_counts_differ_is_refused() {
    let folder = Folder::new();
    let bytes = parquet(&batch(6, false, false));
    // Numbers in the footer are fields of 64 bits, zigzag: that of all rows stands before the list
    // of four row groups.
    let find = |mark: &[u8]| {
        bytes.windows(mark.len()).rposition(|window| window == mark).expect("in the footer")
    };
    let all = find(&[0x16, 2 * COUNT as u8, 0x19, 0x4c]);
    for rows in [0_u8, 20, 60] {
        let mut bytes = bytes.clone();
        bytes[all + 1] = 2 * rows;
        let expected =
            format!("r.parquet: the footer counts {rows} rows, its row groups hold {COUNT}");
        assert_eq!(folder.ray_error("r.parquet", bytes), expected);
    }
    // The first number of 13 is that of the values of the first column.
    let values =
        bytes[all..].windows(2).position(|window| window == [0x16, 26]).expect("a count of 13");
    let mut fewer = bytes.clone();
    fewer[all + values + 1] = 20;
    let expected = "r.parquet: row group 0 counts 13 rows, its column \"dz\" holds 10";
    assert_eq!(folder.ray_error("r.parquet", fewer), expected);
}

#[test]
fn a_csv_whose_last_quote_is_open_is_refused() {
    let folder = Folder::new();
    let head = "ox,oy,oz,dx,dy,dz,note\n";
    let row = "1,2,3,4,5,6,x\n";
    let lost = format!("{head}{row}1,2,3,4,5,6,\"x\n{row}{row}");
    for end in ["", "1,2,3,4,5,6,x"] {
        let message = "line 3: a quote is not closed";
        assert_eq!(folder.ray_error("r.csv", format!("{lost}{end}")), format!("r.csv: {message}"));
        assert_eq!(pipe_error(format!("{lost}{end}").into_bytes()), format!("pipe: {message}"));
    }
    // Quotes within a field that does not begin with one are text.
    for note in ["5\"", "\"a\"\"b\"", "\"two\nlines\"", ""] {
        for end in ["", "\n"] {
            let text = format!("{head}{row}1,2,3,4,5,6,{note}{end}");
            assert_eq!(folder.rays("r.csv", text, 7).unwrap().rays.len(), 2, "{note:?}");
        }
    }
    let ragged = csv_rays(6, false).replacen(",\"a", ",7,\"a", 1);
    assert_eq!(folder.ray_error("r.csv", ragged), "r.csv: line 2: 8 fields, but the header has 7");
}

#[test]
fn a_message_repeats_200_characters_at_most() {
    let folder = Folder::new();
    let long = "é".repeat(30_000);
    let files: [(&str, Vec<u8>); 8] = [
        ("r.csv", format!("ox,oy,oz,dx,dy,{long}\n1,2,3,4,5,6\n").into_bytes()),
        ("r.csv", format!("ox,oy,oz,dx,dy,{}dd\n", "é,".repeat(3000)).into_bytes()),
        ("r.csv", format!("ox,oy,oz,dx,dy,dz\n1,2,3,4,5,{long}\n").into_bytes()),
        ("r.npy", npy("'<f4'", &"é".repeat(3000), "(0, 6)", &[])),
        ("r.npy", npy(&format!("'{}'", "é".repeat(3000)), "False", "(0, 6)", &[])),
        ("r.npy", npy("'<f4'", "False", &format!("({})", "é".repeat(3000)), &[])),
        ("r.npy", npy("'<f4'", "False", &format!("({})", "7, ".repeat(3000)), &[])),
        ("r.npy", npy("'<f4'", "False", &format!("(0, 6), '{}': 1", "é".repeat(3000)), &[])),
    ];
    for (file, content) in files {
        let message = folder.ray_error(file, content);
        assert!(message.chars().filter(|x| *x == 'é').count() <= 200, "{file}: {message}");
        assert!(message.chars().count() < 300, "{file}: {message}");
    }
    let error = RayReader::<f32>::open(format!("{long}.npy").as_ref()).unwrap_err().to_string();
    assert!(
        error.starts_with("…") && error.contains("é.npy: ") && error.chars().count() < 300,
        "{error}"
    );
}
