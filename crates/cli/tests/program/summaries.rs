//! What a subcommand says beside its answers: summaries, and warnings of meshes without triangles.

use crate::folder::Folder;
use crate::support::{CUBE, RAY_HEADER, file, json_of, lanecast, ray_lines};
use std::path::PathBuf;

#[test]
fn the_summary_tells_what_was_done() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", file(&ray_lines(100)));
    let hits = folder.path("hits.csv");
    let mut command = lanecast();
    command.arg("cast").arg(&cube).arg(&rays).arg("-o").arg(&hits).args([
        "--query",
        "count",
        "--threads",
        "2",
    ]);
    let summary = json_of(command.arg("--json"));
    assert_eq!((&summary["triangles"], &summary["rays"]), (&12.into(), &100.into()));
    assert_eq!((&summary["query"], &summary["threads"]), (&"count".into(), &2.into()));
    assert!(
        summary["found"].is_u64()
            && summary["cast_seconds"].is_f64()
            && summary["backend"].is_string()
    );

    // For people it is one line on standard error, where no progress is drawn without a terminal.
    let output =
        lanecast().arg("cast").args([&cube, &rays]).arg("-fo").arg(&hits).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.starts_with("100 rays at 12 triangles: ") && text.lines().count() == 1, "{text}");

    // Hits to standard output leave it to themselves.
    let output =
        lanecast().arg("cast").args([&cube, &rays]).args(["-o", "-", "--json"]).assert().success();
    let (out, err) = (&output.get_output().stdout, &output.get_output().stderr);
    assert!(out.starts_with(b"ray_id,"));
    assert!(serde_json::from_slice::<serde_json::Value>(err).is_ok());
}

#[test]
fn one_is_singular() {
    let folder = Folder::new();
    let triangle = folder.file("triangle.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    let mut command = lanecast();
    command
        .arg("cast")
        .arg(&triangle)
        .args(["-", "--query", "all", "-o"])
        .arg(folder.path("hits.csv"));
    let rays = "ox,oy,oz,dx,dy,dz\n0.25,0.25,5,0,0,-1\n";
    let output = command.write_stdin(rays).assert().success().get_output().clone();
    let line = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(line.starts_with("1 ray at 1 triangle: 1 hit, 0 miss; 1 hit in all; "), "{line}");
}

#[test]
fn an_empty_mesh_gives_a_warning_and_misses() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let rays = "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n";
    let output = lanecast()
        .arg("cast")
        .arg(&empty)
        .args(["-", "-o", "-"])
        .write_stdin(rays)
        .assert()
        .success();
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.starts_with(&format!("lanecast: {}: warning: ", empty.display())), "{text}");
    assert!(output.get_output().stdout.starts_with(b"ray_id,status,t,"));
    assert!(String::from_utf8_lossy(&output.get_output().stdout).contains("\n0,miss,inf,-1,"));
}

/// What is asked of a mesh without triangles has an answer, with a warning, from every subcommand;
/// what aims at it has none.
#[test]
fn a_mesh_without_triangles_gives_a_warning_and_an_answer() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let rays = folder.file("rays.csv", format!("{RAY_HEADER}7,0.25,0.5,2,0,0,-2\n"));
    let points = folder.file("points.csv", "x,y,z\n0,0,5\n");
    let named = |name: &str, files: &[&PathBuf]| {
        let mut command = lanecast();
        command.arg(name).arg(&empty).args(files);
        command
    };
    let mut scan = named("lidar", &[]);
    scan.args(["--at", "0,0,2", "--steps", "4", "--beams", "1"]);
    for (mut command, follows, expected) in [
        (named("cast", &[&rays]), "every ray misses", "7,miss,inf,"),
        (named("points", &[&points]), "nothing is near any point", "0,miss,inf,"),
        (named("sight", &[&points, &points]), "nothing breaks a line of sight", "0,0,true,"),
        (scan, "every beam misses", ""),
    ] {
        let output = command.args(["-o", "-"]).assert().success().get_output().clone();
        let [text, said] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        let warning = format!(
            "lanecast: {}: warning: the mesh has no triangles; {follows}\n",
            empty.display()
        );
        assert!(said.starts_with(&warning), "{said}");
        assert_eq!(text.lines().count(), 1 + usize::from(!expected.is_empty()), "{text}");
        assert!(text.lines().nth(1).unwrap_or_default().starts_with(expected), "{text}");
    }
}
