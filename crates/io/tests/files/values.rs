//! One column of numbers.

use crate::folder::Folder;
use crate::support::{flip_bytes, npy};
use lanecast_io::{TableWriter, Values, read_values};

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn a_column_is_read_from_every_format() {
    let folder = Folder::new();
    let read = |path: &std::path::Path, name| read_values(path, name).unwrap();
    let array = npy("'<f4'", "False", "(3,)", &floats(&[1.0, -2.0, 0.5]));
    assert_eq!(read(&folder.file("v.npy", array), None), [1.0, -2.0, 0.5]);
    let column = npy("'|u1'", "True", "(2, 1)", &[7, 200]);
    assert_eq!(read(&folder.file("c.npy", column), None), [7.0, 200.0]);
    let table = folder.file("t.csv", "a, b\r\n1,2\n\n3,\n-inf,1e-3\n");
    assert_eq!(read(&table, Some("a")), [1.0, 3.0, f32::NEG_INFINITY]);
    let b = read(&table, Some("b"));
    assert!(b[1].is_nan() && (b[0], b[2]) == (2.0, 1e-3));
    assert_eq!(read(&folder.file("one.csv", "x\n4\n"), None), [4.0]);
    let path = folder.path("t.npz");
    let mut writer =
        TableWriter::create(&path, None, &[("depth", Values::F32(&[])), ("id", Values::I64(&[]))])
            .unwrap();
    writer.write(&[("depth", Values::F32(&[0.25, 8.0])), ("id", Values::I64(&[3, 4]))]).unwrap();
    writer.finish().unwrap();
    assert_eq!(
        (read(&path, Some("depth")), read(&path, Some("id"))),
        (vec![0.25, 8.0], vec![3.0, 4.0])
    );
}

#[test]
fn what_is_wrong_with_a_column_is_said() {
    let folder = Folder::new();
    let table = "a,b,a\n1,2,3\n4,x,5\n";
    let cases: [(&str, Vec<u8>, Option<&str>, &str); 8] = [
        ("t.csv", table.into(), Some("c"), "t.csv: there is no column \"c\"; found "),
        ("t.csv", table.into(), Some("a"), "t.csv: column \"a\" stands there twice"),
        ("t.csv", table.into(), None, "t.csv: name one column of "),
        ("t.csv", table.into(), Some("b"), "t.csv: line 3: column \"b\": \"x\" is not a number"),
        (
            "v.npy",
            npy("'<f4'", "False", "(3, 2)", &[0; 24]),
            None,
            "v.npy: shape [3, 2]; expected (N,) or (N, 1)",
        ),
        (
            "v.npy",
            npy("'<f4'", "False", "(3,)", &[0; 8]),
            None,
            "v.npy: truncated: row 2 of 3 is incomplete",
        ),
        (
            "v.npy",
            npy("'<f4'", "False", "(1,)", &[0; 4]),
            Some("x"),
            "v.npy: an NPY array has no columns",
        ),
        ("v.dat", Vec::new(), None, "v.dat: unknown value format \".dat\"; known: npy, npz, csv"),
    ];
    for (name, bytes, column, problem) in cases {
        let message = folder.error_of(name, read_values(&folder.file(name, bytes), column));
        assert!(message.trim_start_matches('/').starts_with(problem), "{message}");
    }
    let files = [
        ("v.npy", npy("'<f8'", "False", "(3,)", &[0; 24])),
        ("t.csv", b"a,\"b\"\n1,2\n3,\"4\"\n".to_vec()),
    ];
    flip_bytes(files, 300, |name, bytes| {
        let column = name.ends_with("csv").then_some("b");
        if let Err(error) = read_values(&folder.file(name, bytes), column) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    });
}
