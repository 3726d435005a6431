//! One column of numbers.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{flip_bytes, floats, npy};
use lanecast_io::{Values, read_values};

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
    let columns = [("depth", Values::F32(&[0.25, 8.0])), ("id", Values::I64(&[3, 4]))];
    let path = folder.table("t.npz", &columns);
    assert_eq!(read(&path, Some("depth")), [0.25, 8.0]);
    assert_eq!(read(&path, Some("id")), [3.0, 4.0]);
}

#[test]
fn what_is_wrong_with_a_column_is_said() {
    let folder = Folder::new();
    let table = "a,b,a\n1,2,3\n4,x,5\n";
    let array = |shape, length: usize| npy("'<f4'", "False", shape, &vec![0; length]);
    let cases: [(&str, Vec<u8>, Option<&str>, &str); 8] = [
        ("t.csv", table.into(), Some("c"), "there is no column \"c\"; found …"),
        ("t.csv", table.into(), Some("a"), "column \"a\" stands there twice"),
        ("t.csv", table.into(), None, "name one column of …"),
        ("t.csv", table.into(), Some("b"), "line 3: column \"b\": \"x\" is not a number"),
        ("v.npy", array("(3, 2)", 24), None, "shape [3, 2]; expected (N,) or (N, 1)"),
        ("v.npy", array("(3,)", 8), None, "truncated: row 2 of 3 is incomplete"),
        ("v.npy", array("(1,)", 4), Some("x"), "an NPY array has no columns…"),
        ("v.dat", Vec::new(), None, "unknown value format \".dat\"; known: npy, npz, csv…"),
    ];
    for (name, bytes, column, problem) in cases {
        let message = folder.error_of(name, read_values(&folder.file(name, bytes), column));
        assert_reads(&message, &format!("{name}: {problem}"));
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
