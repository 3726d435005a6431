//! Columns with nulls and names of any kind, written and read back.

use super::{COUNT, cells, names, of, read};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use lanecast_io::{Column, Error, HitKind, HitWriter, RayIds, TableWriter, Values};
use std::path::Path;
use std::sync::Arc;

/// A column of each kind, with nulls from a row on.
fn optional(first_null: usize) -> Vec<(&'static str, Column)> {
    fn of<V>(first_null: usize, value: impl Fn(usize) -> V) -> Vec<Option<V>> {
        (0..COUNT).map(|row| (row < first_null || row % 2 == 0).then(|| value(row))).collect()
    }
    vec![
        ("x", Column::F32(of(COUNT, |row| row as f32))),
        ("y", Column::F32(of(COUNT, |row| row as f32))),
        ("z", Column::F32(of(COUNT, |row| row as f32))),
        ("gain", Column::F32(of(first_null, |row| 0.1 * row as f32))),
        ("time", Column::F64(of(first_null, |row| 0.1 * row as f64))),
        ("class", Column::I64(of(first_null, |row| row as i64))),
        ("lit", Column::Bool(of(first_null, |row| row % 4 == 0))),
        ("a, \"b\"", Column::Text(of(first_null, |row| Arc::from(format!("t,{row}\""))))),
    ]
}

fn write(path: &Path, columns: &[(&'static str, Column)]) -> Result<(), Error> {
    let rows = |rows: std::ops::Range<usize>| -> Vec<_> {
        columns.iter().map(|(name, column)| (*name, column.of_rows(rows.clone()))).collect()
    };
    fn values<'a>(columns: &'a [(&'static str, Column)]) -> Vec<(&'static str, Values<'a>)> {
        columns.iter().map(|(name, column)| (*name, column.values())).collect()
    }
    let mut writer = TableWriter::create(path, None, &values(&rows(0..0)))?;
    for start in (0..COUNT).step_by(9) {
        writer.write(&values(&rows(start..COUNT.min(start + 9))))?;
    }
    writer.finish()
}

#[test]
fn nulls_are_written_where_the_format_has_them() {
    let (folder, columns) = (Folder::new(), optional(30));
    let keep: Vec<_> = columns[3..].iter().map(|(name, _)| (*name).to_owned()).collect();
    for name in ["p.csv", "p.parquet", "p.arrow", "p.arrows"] {
        let path = folder.path(name);
        write(&path, &columns).expect(name);
        let found = read(&path, &of(&keep)).expect(name);
        for ((name_found, cells_found), (column, written)) in found.kept.iter().zip(&columns[3..]) {
            assert_eq!(name_found, column);
            let expected = cells(written).into_iter().map(|cell| match (name, cell) {
                // Floats of CSV are of 64 bits, and its text is never null.
                ("p.csv", cell) if *column == "gain" && cell != "-" => {
                    format!("d {:?}", cell[2..].parse::<f64>().expect("a number"))
                }
                ("p.csv", cell) if column.starts_with('a') && cell == "-" => "t ".to_owned(),
                (_, cell) => cell,
            });
            assert_eq!(*cells_found, expected.collect::<Vec<_>>(), "{name} {column}");
        }
    }
    for name in ["p.npz", "p.ply"] {
        let error = folder.error_of(name, write(&folder.path(name), &columns));
        let text = "column \"a, \\\"b\\\"\" is text, which npz and files of points do not hold"
            .replace('\\', "");
        assert_eq!(error, format!("{name}: {text}"));
        // The first null of a chunk that is not the first.
        for (left_out, null) in [("", "class"), ("class", "lit")] {
            let some: Vec<_> =
                columns[..7].iter().filter(|(name, _)| *name != left_out).cloned().collect();
            let error = folder.error_of(name, write(&folder.path(name), &some));
            assert_eq!(
                error,
                format!(
                    "{name}: row 31: column \"{null}\" is null, which npz and files of points hold of floats alone"
                )
            );
        }
        assert_eq!(folder.names().len(), 4, "nothing is left of it");
    }
    for name in ["p.npz", "p.ply"] {
        let path = folder.path(name);
        write(&path, &columns[..5]).expect(name);
        let found = read(&path, &of(&names("gain time"))).expect(name);
        for ((_, found), (_, written)) in found.kept.iter().zip(&columns[3..5]) {
            let kind = &cells(written)[0][..2];
            let expected = cells(written)
                .into_iter()
                .map(|cell| if cell == "-" { format!("{kind}NaN") } else { cell });
            assert_eq!(*found, expected.collect::<Vec<_>>(), "{name}");
        }
        let sound: Vec<_> = optional(COUNT)[..7].to_vec();
        write(&path, &sound).expect(name);
        let class = read(&path, &of(&names("class"))).expect(name).kept.remove(0).1;
        let kind = if name == "p.npz" { "i 39" } else { "d 39.0" };
        assert_eq!(class[39], kind);
    }
}

#[test]
fn names_that_a_file_cannot_have_are_refused() {
    let folder = Folder::new();
    let one = Values::F32(&[1.0]);
    let columns = |name| vec![("x", one), ("y", one), ("z", one), (name, one)];
    let create = |file: &str, name| TableWriter::create(&folder.path(file), None, &columns(name));
    let long = "n".repeat(40_000);
    for (file, name, problem) in [
        ("p.csv", "x", "two columns are called \"x\""),
        ("p.ply", "a b", "column \"a b\": a property of PLY is called by one word"),
        ("p.ply", "", "column \"\": a property of PLY is called by one word"),
        ("p.npz", &long, "column \"nnn…\": the name is too long for npz"),
    ] {
        assert_reads(&folder.error_of(file, create(file, name)), &format!("{file}: {problem}"));
    }
    let more = |name| {
        HitWriter::<f32>::create_with(
            &folder.path("p.csv"),
            None,
            HitKind::Distance,
            &[(name, one)],
        )
    };
    let own =
        "the answers have a column \"distance\" of their own; a further one needs another name";
    assert_eq!(folder.error_of("p.csv", more("distance")), format!("p.csv: {own}"));
    assert!(folder.names().is_empty());
    // But for that which names the rows.
    let ids = [Some(Arc::from("a")), None];
    let column = [("point_id", Values::OptionText(&ids))];
    let path = folder.path("p.csv");
    let mut writer =
        HitWriter::<f32>::create_with(&path, None, HitKind::Distance, &column).expect("a file");
    let mut distances = lanecast::answers::DistanceBatch::new();
    lanecast::Scene::<f32>::from_triangles(
        &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        &[[0, 1, 2]],
    )
    .and_then(|scene| scene.points(&[[0.0, 0.0, 2.0]; 2]).distances_into(&mut distances))
    .expect("distances");
    let vectors = lanecast_io::Vectors::default();
    writer.write_with(RayIds::Rows(0), &distances, vectors, &column).expect("written");
    writer.finish().expect("finished");
    let text = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(text, "point_id,status,distance\na,hit,2.0\n,hit,2.0\n");
}
