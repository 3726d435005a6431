//! `lanecast points`: the same answers whatever the way, pipes, summaries, bad input.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, output_of, shipped};
use lanecast::Backend;
use std::path::Path;

/// Asks of the points in `text` and returns the answers as CSV.
fn ask(mesh: &Path, text: &str, arguments: &[&str]) -> String {
    output_of(
        lanecast().arg("points").arg(mesh).args(["-", "-o", "-"]).args(arguments).write_stdin(text),
    )
}

/// Points of a CSV file in and around the shipped solid.
fn points(count: u32) -> String {
    let mut text = "point_id,x,y,z\n".to_owned();
    for id in 0..count {
        let [x, y, z] =
            [7919, 104_729, 1_299_709].map(|step| f64::from(id * step % 1000) / 10.0 - 50.0);
        text += &format!("{},{x},{y},{z}\n", 3 * id + 1);
    }
    text
}

#[test]
fn every_query_answers_about_a_cube() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let text = "z,y,x,point_id\n3,0.5,0.25,7\n0.5,0.5,0.75,-8\nnan,0,0,9\n";
    assert_eq!(
        ask(&cube, text, &[]),
        "point_id,status,distance,x,y,z,primitive_id,geometry_id,instance_id,u,v\n\
         7,hit,2.0,0.25,0.5,1.0,3,0,-1,0.25,0.25\n\
         -8,hit,0.25,1.0,0.5,0.5,6,0,-1,0.0,0.5\n\
         9,invalid_origin,inf,NaN,NaN,NaN,-1,-1,-1,0.0,0.0\n"
    );
    let near = ask(&cube, text, &["--radius", "1"]);
    assert!(near.contains("\n7,miss,inf,NaN,NaN,NaN,-1,-1,-1,0.0,0.0\n-8,hit,0.25,"), "{near}");
    let distance = "point_id,status,distance\n7,hit,2.0\n-8,hit,0.25\n9,invalid_origin,inf\n";
    assert_eq!(ask(&cube, text, &["--query", "distance"]), distance);
    assert_eq!(ask(&cube, text, &["--query", "signed"]), distance.replace("0.25", "-0.25"));
    assert_eq!(
        ask(&cube, text, &["--query", "inside"]),
        "point_id,status,inside\n7,miss,false\n-8,hit,true\n9,invalid_origin,false\n"
    );
    // Without ids the rows are counted.
    assert_eq!(
        ask(&cube, "x,y,z\n0.5,0.5,0.5\n", &["--query", "inside"]),
        "point_id,status,inside\n0,hit,true\n"
    );
}

#[test]
fn answer_bytes_do_not_depend_on_backend_or_thread_count() {
    let folder = Folder::new();
    let file = folder.file("points.csv", points(200));
    for (query, extension) in
        [("closest", "npz"), ("distance", "csv"), ("signed", "arrow"), ("inside", "parquet")]
    {
        let answers = folder.path(&format!("answers.{extension}"));
        let mut expected = None;
        for backend in Backend::available() {
            for threads in ["1", "2"] {
                let mut command = lanecast();
                command.env("LANECAST_BACKEND", backend.name());
                command
                    .arg("points")
                    .arg(shipped("gyroid.ply"))
                    .arg(&file)
                    .arg("-fo")
                    .arg(&answers);
                command.args(["--query", query, "--threads", threads]).assert().success();
                let bytes = std::fs::read(&answers).expect("answers");
                assert!(
                    *expected.get_or_insert_with(|| bytes.clone()) == bytes,
                    "{query} {backend} {threads}"
                );
            }
        }
    }
}

#[test]
fn the_summary_tells_what_was_done() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let text = "x,y,z\n0.5,0.5,0.5\n2,2,2\ninf,0,0\n";
    let file = folder.file("points.csv", text);
    let answers = folder.path("answers.csv");
    let mut command = lanecast();
    command
        .arg("points")
        .args([&cube, &file])
        .arg("-o")
        .arg(&answers)
        .args(["--query", "inside", "--json"]);
    let summary = json_of(&mut command);
    assert_eq!((&summary["triangles"], &summary["points"]), (&12.into(), &3.into()));
    assert_eq!((&summary["hits"], &summary["misses"]), (&1.into(), &1.into()));
    assert_eq!(
        (&summary["query"], &summary["invalid"]["invalid_origin"]),
        (&"inside".into(), &1.into())
    );

    let output =
        lanecast().arg("points").args([&cube, &file]).arg("-fo").arg(&answers).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        text.starts_with(
            "3 points at 12 triangles: 2 near, 0 with nothing near, 1 invalid_origin; "
        ),
        "{text}"
    );

    // Answers to standard output leave it to themselves.
    let output = lanecast()
        .arg("points")
        .args([&cube, &file])
        .args(["-o", "-", "--json"])
        .assert()
        .success();
    let (out, err) = (&output.get_output().stdout, &output.get_output().stderr);
    assert!(out.starts_with(b"point_id,"));
    assert!(serde_json::from_slice::<serde_json::Value>(err).is_ok());

    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let output =
        lanecast().arg("points").args([&empty, &file]).args(["-o", "-"]).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        text.contains("empty.off: warning: the mesh has no triangles; nothing is near any point"),
        "{text}"
    );
}

#[test]
fn bad_files_are_one_line_with_the_file_and_leave_none() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let open = folder.file("open.off", CUBE.replace("8 12 0", "8 11 0").replace("3 3 4 7\n", ""));
    let file = folder.file("points.csv", "x,y,z\n0,0,5\n");
    let cases = [
        (folder.path("missing.ply"), file.clone(), "missing.ply", ""),
        (cube.clone(), folder.path("missing.npy"), "missing.npy", ""),
        (
            cube.clone(),
            folder.file("points.dat", "x"),
            "points.dat",
            "unknown point format \".dat\"; known: npy",
        ),
        (
            cube.clone(),
            folder.file("columns.csv", "x,z\n0,0\n"),
            "columns.csv",
            "no column \"y\"; found x, z",
        ),
        (
            cube.clone(),
            folder.file("word.csv", "x,y,z\n0,0,5\n0,up,5\n"),
            "word.csv",
            "line 3: column \"y\"",
        ),
        (
            open,
            file.clone(),
            "open.off",
            "geometry 0: the surface is open along an edge of triangle ",
        ),
    ];
    let before = folder.names();
    for (mesh, file, culprit, problem) in cases {
        let mut command = lanecast();
        command.arg("points").args([&mesh, &file]).arg("-o").arg(folder.path("answers.csv"));
        let line = error_line(command.args(["--query", "signed"]));
        assert!(
            line.starts_with(&format!("{}: {problem}", folder.path(culprit).display())),
            "{line}"
        );
        assert_eq!(folder.names(), before, "{line}");
    }
    let line = error_line(
        lanecast().arg("points").args([&cube, &file]).arg("-o").arg(folder.path("a.docx")),
    );
    assert!(line.contains("a.docx: ") && line.contains("npz"), "{line}");
    let mut command = lanecast();
    command
        .arg("points")
        .args([&cube, &file])
        .args(["-o", "-", "--radius", "1", "--query", "inside"]);
    assert_eq!(error_line(&mut command), "--radius: only --query closest has a radius");
    for radius in ["-1", "nan", "far"] {
        let mut command = lanecast();
        command.arg("points").args([&cube, &file]).args(["-o", "-", &format!("--radius={radius}")]);
        let line = error_line(&mut command);
        assert!(line.contains("expected a number that is not negative"), "{line}");
    }
}
