//! Columns of inputs that go with their rows to the answers, and ids of text.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{column, points, rays};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use serde_json::json;
use std::fmt::Write as _;

const FORMATS: [&str; 5] = ["csv", "npz", "parquet", "arrow", "arrows"];

/// Points with columns of each kind, of which some are empty if they may be.
fn scan(has_nulls: bool) -> String {
    let mut text = "x,class,gain,y,lit,label,z,point_id\n".to_owned();
    for row in 0..20 {
        let mut fields = [
            format!("{}", row - 7),
            format!("{:?}", 0.25 * f64::from(row)),
            format!("{}", row % 2 == 0),
            format!("\"a, {}\"", row / 3),
        ];
        if has_nulls && row % 4 == 1 {
            fields.iter_mut().for_each(String::clear);
        }
        let [class, gain, lit, label] = fields;
        writeln!(text, "0.25,{class},{gain},{row},{lit},{label},0.5,{}", 100 - row).expect("text");
    }
    text
}

/// Answers to points have points and what was kept, and so can be asked again.
#[test]
fn every_format_hands_on_what_every_other_has() {
    for (has_nulls, names) in [(false, "class,gain,lit"), (true, "label,class,gain,lit")] {
        let folder = Folder::with_cube();
        folder.file("scan.csv", scan(has_nulls));
        let formats = FORMATS.iter().filter(|format| !has_nulls || **format != "npz");
        let formats: Vec<_> = formats.collect();
        let last = |line: &str| {
            let table = folder.output(&format!("points cube.off {line} -o - --query distance"));
            let rows = table.lines().map(|line| line.splitn(4, ',').last().expect("kept"));
            rows.map(str::to_owned).collect::<Vec<_>>()
        };
        let expected = last(&format!("scan.csv --keep {names}"));
        assert_eq!((expected.len(), expected[0].as_str()), (21, names));
        for from in &formats {
            folder.output(&format!("points cube.off scan.csv -fo in.{from} --keep {names}"));
            for to in &formats {
                folder.output(&format!("points cube.off in.{from} -fo out.{to} --keep {names}"));
                assert_eq!(last(&format!("out.{to} --keep {names}")), expected, "{from} to {to}");
            }
        }
        if has_nulls {
            let rows: Vec<_> = expected[1..3].iter().map(String::as_str).collect();
            assert_eq!(rows, ["\"a, 0\",-7,0.0,true", ",,,"]);
        }
    }
}

#[test]
fn csv_is_copied_as_it_is_written_and_else_it_has_kinds() {
    let folder = Folder::with_cube();
    let text = "x,y,z,code,number,some,note\n0,0,2,007,1e2,5,\n0,0,3,010,2,,\n";
    folder.file("p.csv", text);
    let answers = folder.output("points cube.off p.csv -o - --query distance --keep all");
    let expected =
        "point_id,status,distance,code,number,some,note\n0,hit,1.0,007,1e2,5,\n1,hit,2.0,010,2,,\n";
    assert_eq!(answers, expected);
    folder.output("points cube.off p.csv -o p.arrow --query distance --keep all");
    let file = std::fs::File::open(folder.path("p.arrow")).expect("a file");
    let batch = arrow_ipc::reader::FileReader::try_new(file, None).expect("a table").next();
    let batch = batch.expect("a batch").expect("a batch");
    let column = |name: &str| batch.column_by_name(name).expect("a column");
    let codes: Vec<_> = column("code").as_string::<i32>().iter().collect();
    assert_eq!(codes, [Some("007"), Some("010")]);
    let numbers: Vec<_> = column("number").as_primitive::<Float64Type>().iter().collect();
    assert_eq!(numbers, [Some(100.0), Some(2.0)]);
    let some: Vec<_> = column("some").as_primitive::<Int64Type>().iter().collect();
    assert_eq!(some, [Some(5), None]);
    let notes: Vec<_> = column("note").as_string::<i32>().iter().collect();
    assert_eq!(notes, [Some(""), Some("")]);
}

#[test]
fn each_row_of_a_ray_has_what_the_ray_has() {
    let folder = Folder::with_cube();
    let text = "tag,ox,oy,oz,dx,dy,dz,ray_id\na,0.25,0.5,2,0,0,-2,r 1\nb,3,3,2,0,0,-1,r 0\nc,0.75,0.5,2,0,0,-2,7\n";
    folder.file("rays.csv", text);
    folder.output("cast cube.off rays.csv -fo rays.arrows --keep tag,ox,oy,oz,dx,dy,dz");
    for input in ["rays.csv", "rays.arrows"] {
        let cast = |more: &str| folder.output(&format!("cast cube.off {input} -o - {more}"));
        // In the order of rows, not of ids.
        let all = cast("--query all --keep tag --faces");
        assert_reads(
            &all,
            "ray_id,t,primitive_id,geometry_id,instance_id,u,v,face_id,tag\nr 1,0.5,…",
        );
        assert_eq!(column(&all, "ray_id"), ["r 1", "r 1", "7", "7"], "{input}");
        assert_eq!(column(&all, "t"), ["0.5", "1.0", "0.5", "1.0"]);
        assert_eq!(column(&all, "tag"), ["a", "a", "c", "c"]);
        assert_eq!(column(&cast("--query all --limit 1 --keep tag"), "tag"), ["a", "c"]);
        for query in ["closest", "line", "any", "count", "cost"] {
            let answers = cast(&format!("--query {query} --keep tag"));
            assert_eq!(column(&answers, "ray_id"), ["r 1", "r 0", "7"], "{query}");
            assert_eq!(column(&answers, "tag"), ["a", "b", "c"], "{query}");
        }
        // Ids of text are there without being asked for, and name no column that is ignored.
        assert_eq!(column(&cast("--query any"), "ray_id"), ["r 1", "r 0", "7"]);
    }
    assert_eq!(
        folder.json("cast cube.off rays.csv -fo h.csv --keep tag")["ignored_columns"],
        json!([])
    );
    assert_eq!(folder.json("cast cube.off rays.csv -fo h.csv")["ignored_columns"], json!(["tag"]));
}

/// More than are read at a time, and more than tell the kinds of columns.
#[test]
fn columns_stay_beside_their_rows_from_chunk_to_chunk() {
    const ROWS: i64 = 300_000;
    let folder = Folder::with_cube();
    let mut text = "ox,oy,oz,tag,dx,dy,dz,label\n".to_owned();
    for row in 0..ROWS {
        let x = if row % 3 == 0 { 5.0 } else { 0.25 };
        writeln!(text, "{x},0.5,2,{},0,0,-1,r{row}", 3 * row + 1).expect("text");
    }
    folder.file("rays.csv", text);
    folder.output("cast cube.off rays.csv -o rays.arrow --query any --keep all");
    for (query, threads) in [("any", 1), ("any", 3), ("all", 2)] {
        let options = format!("--query {query} --threads {threads} --keep label,tag");
        let answers = folder.output(&format!("cast cube.off rays.csv -o - {options}"));
        let (ids, tags) = (column(&answers, "ray_id"), column(&answers, "tag"));
        let expected = if query == "any" { ROWS } else { ROWS / 3 * 4 };
        assert_eq!(ids.len() as i64, expected, "{options}");
        for ((id, tag), label) in ids.iter().zip(tags).zip(column(&answers, "label")) {
            let id: i64 = id.parse().expect("an id");
            assert_eq!((tag, label), (&*(3 * id + 1).to_string(), &*format!("r{id}")), "{options}");
        }
    }
    let file = std::fs::File::open(folder.path("rays.arrow")).expect("a file");
    let mut row = 0;
    for batch in arrow_ipc::reader::FileReader::try_new(file, None).expect("a table") {
        let batch = batch.expect("a batch");
        let tags = batch.column_by_name("tag").expect("tags").as_primitive::<Int64Type>();
        for tag in tags {
            assert_eq!(tag, Some(3 * row + 1));
            row += 1;
        }
    }
    assert_eq!(row, ROWS);
}

/// What a scanner measured is asked again, with all that it said of each point.
#[test]
fn all_of_a_scan_is_kept_but_what_the_answers_have_themselves() {
    let folder = Folder::with_cube();
    let scan = "lidar cube.off --at 0.5,-2,0.5 --beams 3 --elevations -5,5 --steps 90 -fo";
    let measured = folder.output(&format!("{scan} - --format csv"));
    for (format, beam, intensity) in
        [("parquet", "beam", "intensity"), ("laz", "ring", "exact_intensity")]
    {
        folder.output(&format!("{scan} scan.{format}"));
        let asked = format!("points cube.off scan.{format} --query distance --keep all -fo");
        let report = folder.json(&format!("{asked} near.csv"));
        assert_eq!(report["ignored_columns"], json!(["distance", "status"]), "{format}");
        let near = folder.output(&format!("{asked} -"));
        assert!(column(&near, beam).len() > 10, "{format}");
        assert_eq!(column(&near, beam), column(&measured, "beam"), "{format}");
        assert_eq!(column(&near, intensity), column(&measured, "intensity"), "{format}");
    }
}

#[test]
fn what_cannot_be_kept_is_said() {
    let folder = Folder::with_cube();
    // What is ignored would be a line of its own.
    for (name, rows) in [("t", ["5", "6"]), ("tag", ["a", "b"]), ("n", ["1", ""])] {
        let rows = rows.map(|field| format!("0,0,2,0,0,-1,{field}\n")).concat();
        folder.file(&format!("{name}.csv"), format!("ox,oy,oz,dx,dy,dz,{name}\n{rows}"));
    }
    folder.file("ids.csv", "ox,oy,oz,dx,dy,dz,ray_id\n0,0,2,0,0,-1,a\n");
    folder.file("p.csv", "x,y,z,point_id\n0,0,2,a\n");
    let text =
        |name| format!("column \"{name}\" is text, which npz and files of points do not hold");
    folder.refuses([
        (
            "cast cube.off tag.csv -o h.csv --keep Tag",
            "tag.csv: there is no column \"Tag\"; found ox, …; did you mean \"tag\"?".to_owned(),
        ),
        (
            "cast cube.off tag.csv -o h.csv --keep color",
            "tag.csv: there is no column \"color\"; found ox, …".to_owned(),
        ),
        (
            "cast cube.off t.csv -o h.csv --keep t",
            "h.csv: the answers have a column \"t\" of their own; a further one needs another name"
                .to_owned(),
        ),
        (
            "cast cube.off tag.csv -o h.csv --keep tag,tag",
            "h.csv: two columns are called \"tag\"".to_owned(),
        ),
        ("cast cube.off tag.csv -o h.npz --keep tag", format!("h.npz: {}", text("tag"))),
        (
            "cast cube.off n.csv -o h.npz --keep n",
            "h.npz: row 1: column \"n\" is null, which npz and files of points hold of floats alone".to_owned(),
        ),
        ("cast cube.off ids.csv -o h.npz", format!("h.npz: {}", text("ray_id"))),
        ("points cube.off p.csv -o h.npz", format!("h.npz: {}", text("point_id"))),
        ("sight cube.off p.csv p.csv -o h.npz", format!("h.npz: {}", text("observer"))),
        (
            "points cube.off p.csv -o h.csv --keep x",
            "h.csv: the answers have a column \"x\" of their own; …".to_owned(),
        ),
    ]);
    assert_eq!(folder.names(), ["cube.off", "ids.csv", "n.csv", "p.csv", "t.csv", "tag.csv"]);
    // Where the answers have no points those that are asked can go with them.
    let answers = folder.output("points cube.off p.csv -o - --query distance --keep x,z");
    assert_eq!(answers, "point_id,status,distance,x,z\na,hit,1.0,0,2\n");
    // Of no rows there are the names alone.
    folder.file("none.csv", "x,y,z,tag,point_id\n");
    let answers = folder.output("points cube.off none.csv -o - --query inside --keep all");
    assert_eq!(answers, "point_id,status,inside,tag\n");
}

#[test]
fn ends_of_lines_of_sight_are_called_by_text() {
    let folder = Folder::with_cube();
    folder.file("masts.csv", "point_id,x,y,z\nnorth,0.5,0.5,2\nsouth,5,0.5,0.5\n");
    folder.file("farms.csv", points("0.5,0.5,-2 0.5,0.5,3"));
    let lines = |line: &str| {
        let rows = folder.output(&format!("sight cube.off {line} -o -"));
        [column(&rows, "observer").join(" "), column(&rows, "target").join(" ")]
    };
    assert_eq!(lines("masts.csv farms.csv"), ["north north south south", "0 1 0 1"]);
    assert_eq!(lines("farms.csv masts.csv"), ["0 0 1 1", "north south north south"]);
    // Others do not name them, or do it by their numbers.
    folder.file(
        "rays.csv",
        rays("0.5,0.5,2,0,0,-1").replace("ox", "ray_id,ox").replace("\n0.5", "\nr,0.5"),
    );
    folder.output("verify cube.off rays.csv");
}
