//! Columns that are not there, or are nothing that can be kept.

use super::{names, of, read};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{arrow_file, arrow_stream, floats, npy, parquet};
use arrow_array::{
    ArrayRef, Float64Array, ListArray, RecordBatch, TimestampMicrosecondArray, UInt64Array,
};
use std::sync::Arc;

#[test]
fn what_cannot_be_kept_is_refused() {
    let folder = Folder::new();
    let one: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let table = |name: &str, array: ArrayRef| {
        let columns = [("x", one.clone()), (name, array), ("y", one.clone()), ("z", one.clone())];
        let columns = columns.map(|(name, array)| (name, array, true));
        RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
    };
    let big = || -> ArrayRef { Arc::new(UInt64Array::from(vec![1, 2, u64::MAX])) };
    let list: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>(
            (0..3).map(|row| Some(vec![Some(row)])),
        ));
    let when: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1; 3]));
    let beyond = "row 2: column \"a\": 18446744073709551615 is beyond 64 bits with a sign";
    let not_kept = "is not kept; numbers, booleans and text are";
    let numbers: Vec<u8> = [1.0_f64; 3].iter().flat_map(|x| x.to_le_bytes()).collect();
    let npz = |descr: &str, shape: &str, data: &[u8]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        let axis = npy("'<f8'", "False", "(3,)", &numbers);
        let a = npy(descr, "False", shape, data);
        for (name, bytes) in [("x.npy", &axis), ("y.npy", &axis), ("z.npy", &axis), ("a.npy", &a)] {
            zip.start_file(name, options).expect("a member");
            std::io::Write::write_all(&mut zip, bytes).expect("written");
        }
        zip.finish().expect("a file").into_inner()
    };
    let a = names("a");
    folder.refuses(
        |path| read(path, &of(&a)),
        [
            ("p.csv", b"x,y,z,b\n1,2,3,4\n".to_vec(), "there is no column \"a\"; found x, y, z, b"),
            (
                "p.csv",
                b"x,y,z,A\n1,2,3,4\n".to_vec(),
                "there is no column \"a\"; found x, y, z, A; did you mean \"A\"?",
            ),
            ("p.csv", b"x,a,y,z,a\n1,2,3,4,5\n".to_vec(), "column \"a\" stands there twice"),
            (
                "p.csv",
                b"x,a,y,z\n1,b,2,3\n1,\xff,2,3\n".to_vec(),
                "line 3: column \"a\": … is not text in UTF-8",
            ),
            ("p.xyz", b"1 2 3 4\n".to_vec(), "there is no column \"a\"; found x, y, z, 4"),
            (
                "p.parquet",
                parquet(&[table("a", list.clone())], 9),
                &*format!("column \"a\": List… {not_kept}"),
            ),
            (
                "p.arrow",
                arrow_file(&[table("a", when.clone())], None),
                &*format!("column \"a\": Timestamp… {not_kept}"),
            ),
            ("p.arrows", arrow_stream(&[table("a", big())]), beyond),
            ("p.parquet", parquet(&[table("a", big())], 2), beyond),
            (
                "p.parquet",
                parquet(&[table("aa", big())], 9),
                "there is no column \"a\"; found x, aa, y, z",
            ),
            (
                "p.npy",
                npy("'<f4'", "False", "(1, 3)", &floats(&[1.0; 3])),
                "there is no column \"a\": it is one array",
            ),
            (
                "p.npz",
                npz("'<f8'", "(3, 1)", &numbers)[..100].to_vec(),
                "truncated or no zip archive…",
            ),
            (
                "p.npz",
                npz("'<U1'", "(3,)", &numbers[..12]),
                "a.npy: values of the type \"<U1\"; expected …",
            ),
            (
                "p.npz",
                npz("'<f8'", "(1, 3)", &numbers),
                "a.npy: shape [1, 3]; expected (N,) or (N, 1)",
            ),
            ("p.npz", npz("'<f8'", "(2,)", &numbers[..16]), "a.npy: 2 rows, where 3 are read"),
            (
                "p.npz",
                npz("'<u8'", "(3,)", &[0xff; 24]),
                "a.npy: row 0: 18446744073709551615 is beyond 64 bits with a sign",
            ),
        ],
    );
    let found =
        read(&folder.file("p.npz", npz("'|b1'", "(3, 1)", &[1, 0, 1])), &of(&a)).expect("booleans");
    assert_eq!(found.kept[0].1, ["b true", "b false", "b true"]);
    let path = folder.cloud("p.las", &[[1.0_f32; 3]]);
    let error = read(&path, &of(&a)).expect_err("no such dimension").to_string();
    assert_reads(&error, "…p.las: there is no dimension \"a\"; found intensity, …");
}
