//! Columns of text, whose first rows say what they are, and ids of text.

use super::{dictionary, names, of, read, read_by};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{arrow_file, arrow_stream, parquet};
use arrow_array::{ArrayRef, Float64Array, Int8Array, Int64Array, RecordBatch, StringArray};
use lanecast::Threads;
use lanecast_io::Keep;
use std::sync::Arc;

/// A file with a column of these fields.
fn csv(fields: &[&str]) -> String {
    let rows = fields.iter().map(|field| format!("1,{field},2,3\n"));
    "x,a,y,z\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn columns_of_text_are_what_their_first_rows_say() {
    let (folder, a) = (Folder::new(), names("a"));
    for (fields, expected) in [
        (&["1", "-2", "", "0"][..], "i 1|i -2|-|i 0"),
        (&["9223372036854775807"], "i 9223372036854775807"),
        (&["9223372036854775808"], "t 9223372036854775808"),
        (&["1", "2.5", "1e5", "", "-0"], "d 1.0|d 2.5|d 100000.0|-|d -0.0"),
        (&[".5", "nan", "inf"], "d 0.5|d NaN|d inf"),
        // Digits that a number would lose.
        (&["007", "1", ""], "t 007|t 1|t "),
        (&["1", "00.5"], "t 1|t 00.5"),
        (&["+4930", "1"], "t +4930|t 1"),
        (&["9007199254740993", "0.5"], "t 9007199254740993|t 0.5"),
        (&["9007199254740991", "0.5"], "d 9007199254740991.0|d 0.5"),
        (&["1e400"], "t 1e400"),
        (&["0.5", "-"], "t 0.5|t -"),
        (&["true", "", "false"], "b true|-|b false"),
        (&["True", "false"], "t True|t false"),
        (&["2026-01-02", "12:30"], "t 2026-01-02|t 12:30"),
        (&["", ""], "t |t "),
        (&["\" a, \"\"b\"\" \"", " c d "], "t a, \"b\"|t c d"),
    ] {
        let path = folder.file("p.csv", csv(fields));
        let found = read(&path, &of(&a)).expect("points");
        assert_eq!(found.kept[0].1.join("|"), expected, "{fields:?}");
        let as_written = Keep { as_written: true, ..of(&a) };
        let found = read(&path, &as_written).expect("points");
        let written: Vec<_> = match fields {
            ["\" a, \"\"b\"\" \"", _] => vec!["t a, \"b\"".to_owned(), "t c d".to_owned()],
            _ => fields.iter().map(|field| format!("t {field}")).collect(),
        };
        assert_eq!(found.kept[0].1, written);
    }
    // Lines of numbers alike, whose columns may have numbers for names.
    let path = folder.file("p.xyz", "1 2 3 7 0.5 -\n4 5 6 8 1 b\n");
    let found = read(&path, &of(&names("6 4 5"))).expect("points").kept;
    let expected = [("6", "t -,t b"), ("4", "i 7,i 8"), ("5", "d 0.5,d 1.0")];
    for ((name, found), expected) in found.iter().zip(expected) {
        assert_eq!((name.as_str(), &*found.join(",")), expected);
    }
}

/// Rows that tell the kinds, as the documentation has it.
const TELL: usize = 65_536;

#[test]
fn a_later_value_of_another_kind_is_refused_with_its_line() {
    let (folder, a) = (Folder::new(), names("a"));
    let file = |field: &dyn Fn(usize) -> String| {
        let rows = (0..TELL + 10_000).map(|row| format!("{row},{},2,3\n", field(row)));
        folder.file("p.csv", "x,a,y,z\n\n".to_owned() + &rows.collect::<String>())
    };
    for (usual, odd, kind) in [
        ("7", "x7", "a whole number"),
        ("7", "007", "a whole number"),
        ("7", "7.5", "a whole number"),
        ("7.5", "x", "a number"),
        ("7.5", "9007199254740993", "a number"),
        ("true", "1", "true or false"),
    ] {
        let path = file(&|row| if row == TELL + 5000 { odd } else { usual }.to_owned());
        // The header is line 1, and line 2 is blank.
        let line = TELL + 5000 + 3;
        let expected = format!("…: line {line}: column \"a\": \"{odd}\" is not {kind}");
        for (rows, threads) in [(1 << 20, 1), (4096, 3), (TELL + 5001, 2)] {
            let threads = Threads::exactly(threads).expect("threads");
            let error = read_by(&path, &of(&a), rows, &threads).expect_err(odd);
            assert_reads(&error.to_string(), &expected);
        }
        // Among the first rows it decides, and as it is written it is text.
        let path = file(&|row| if row == TELL - 1 { odd } else { usual }.to_owned());
        let first = if odd == "7.5" { "d 7.0".to_owned() } else { format!("t {usual}") };
        assert_eq!(read(&path, &of(&a)).expect(odd).kept[0].1[0], first);
        let as_written = Keep { as_written: true, ..of(&a) };
        assert_eq!(read(&path, &as_written).expect(odd).kept[0].1[TELL - 1], format!("t {odd}"));
    }
    // Each row has its own value on both sides of the border.
    let found = read(&file(&|row| (3 * row).to_string()), &of(&a)).expect("points");
    assert_eq!(found.x.len(), TELL + 10_000);
    for (row, (x, cell)) in found.x.iter().zip(&found.kept[0].1).enumerate() {
        assert_eq!((*x, cell.as_str()), (row as f64, &*format!("i {}", 3 * row)));
    }
}

#[test]
fn ids_of_text_are_the_first_column_if_asked_for() {
    let folder = Folder::new();
    let ids = Keep { text_ids: true, ..Keep::default() };
    let tag = names("tag");
    let with_tag = Keep { text_ids: true, ..of(&tag) };
    let one: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    let table = |ids: ArrayRef| {
        let tags: ArrayRef = Arc::new(Int64Array::from(vec![5, 6]));
        let columns = [("x", &one), ("tag", &tags), ("point_id", &ids), ("y", &one), ("z", &one)];
        RecordBatch::try_from_iter(columns.map(|(name, array)| (name, array.clone())))
            .expect("a batch")
    };
    let words = || -> ArrayRef { Arc::new(StringArray::from(vec!["a7", "8"])) };
    let encoded =
        || dictionary(&Int8Array::from(vec![1, 0]), Arc::new(StringArray::from(vec!["8", "a7"])));
    let text =
        |ids: [&str; 2]| format!("x,tag,point_id,y,z\n1,5,{},1,1\n2,6,{},2,2\n", ids[0], ids[1]);
    let whole = "is not a whole number of 64 bits with a sign";
    let no_type = "is not a type of whole numbers";
    for (name, bytes, refused) in [
        (
            "p.csv",
            text(["a7", "8"]).into_bytes(),
            format!("line 2: column \"point_id\": \"a7\" {whole}"),
        ),
        ("p.xyz", text(["a7", "8"]).into_bytes(), format!("line 2: \"point_id\": \"a7\" {whole}")),
        (
            "p.parquet",
            parquet(&[table(words())], 9),
            format!("column \"point_id\": Utf8 {no_type}"),
        ),
        (
            "p.arrow",
            arrow_file(&[table(words())], None),
            format!("column \"point_id\": Utf8 {no_type}"),
        ),
        (
            "p.arrows",
            arrow_stream(&[table(encoded())]),
            format!("column \"point_id\": … {no_type}"),
        ),
    ] {
        let path = folder.file(name, bytes);
        let found = read(&path, &with_tag).expect(name);
        let id = ("point_id".to_owned(), vec!["t a7".to_owned(), "t 8".to_owned()]);
        let tags = ("tag".to_owned(), vec!["i 5".to_owned(), "i 6".to_owned()]);
        assert_eq!(found.kept, [id.clone(), tags], "{name}");
        assert_eq!(found.ids, [0, 1], "{name}: row numbers");
        assert_eq!(read(&path, &ids).expect(name).kept, [id], "{name}");
        let error = read(&path, &Keep::default()).expect_err(name).to_string();
        assert_reads(&error, &format!("…{name}: {refused}"));
    }
    // Whole numbers stay ids, and a later one that is none is refused as before.
    for (ids_of, found) in [
        (["7", "8"], Ok(vec![7, 8])),
        (["7", "a"], Err("…line 3: column \"point_id\": \"a\" is not a whole number…")),
    ] {
        let path = folder.file("p.csv", text(ids_of));
        match (read(&path, &with_tag), found) {
            (Ok(read), Ok(ids)) => {
                assert_eq!((read.ids, read.kept.len()), (ids, 1));
            }
            (Err(error), Err(expected)) => assert_reads(&error.to_string(), expected),
            (read, found) => panic!("{read:?} {found:?}"),
        }
    }
    // They may be asked for by their name, then of any kind.
    let named = names("point_id");
    for (ids, cells) in [(["7", "8"], ["i 7", "i 8"]), (["7", "a"], ["t 7", "t a"])] {
        let found = read(&folder.file("p.csv", text(ids)), &of(&named)).expect("points");
        assert_eq!(found.kept, [("point_id".to_owned(), cells.map(str::to_owned).to_vec())]);
    }
    let found = read(&folder.path("p.arrow"), &of(&named)).expect("points").kept;
    assert_eq!(found[0].1, ["t a7", "t 8"]);
    // Of no rows.
    for text in ["x,point_id,a,y,z\n", "x,y,z,point_id,a\n"] {
        let a = names("a");
        let found =
            read(&folder.file("p.csv", text), &Keep { text_ids: true, ..of(&a) }).expect("none");
        assert_eq!((found.x.len(), found.kept), (0, vec![("a".to_owned(), vec![])]));
    }
}
