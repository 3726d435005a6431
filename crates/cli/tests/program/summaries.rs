//! What a subcommand says beside its answers: summaries, and warnings of meshes without triangles.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{EMPTY, RAY_HEADER, fields, file, points, ray_lines, rays, text};
use serde_json::{Value, json};

/// In JSON, in one line for people on standard error, where no progress is drawn without a
/// terminal, and in JSON on standard error where the answers go to standard output.
#[test]
fn the_summary_tells_what_was_done() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", file(&ray_lines(100)));
    folder.file("points.csv", points("0.5,0.5,0.5 2,2,2 inf,0,0"));
    let cast = "cast cube.off rays.csv --query count --threads 2";
    let inside = "points cube.off points.csv --query inside";
    for (line, names, expected) in [
        (cast, "triangles rays query threads", json!([12, 100, "count", 2])),
        (
            inside,
            "triangles points hits misses query invalid.invalid_origin",
            json!([12, 3, 1, 1, "inside", 1]),
        ),
    ] {
        let report = folder.json(&format!("{line} -fo out.csv"));
        assert_eq!(fields(&report, names), expected, "{report}");
        assert!(report["backend"].is_string());
    }
    let report = folder.json(&format!("{cast} -fo out.csv"));
    assert!(report["found"].is_u64() && report["cast_seconds"].is_f64());
    for (line, pattern, header) in [
        ("cast cube.off rays.csv", "100 rays at 12 triangles: …\n", "ray_id,"),
        (
            "points cube.off points.csv",
            "3 points at 12 triangles: 2 near, 0 with nothing near, 1 invalid_origin; …\n",
            "point_id,",
        ),
    ] {
        let said = folder.said(&format!("{line} -fo out.csv"));
        assert_reads(&said, pattern);
        assert_eq!(said.lines().count(), 1, "{said}");
        let output = folder.run(&format!("{line} -o - --json")).output().expect("a run");
        assert!(output.stdout.starts_with(header.as_bytes()));
        assert!(serde_json::from_slice::<Value>(&output.stderr).is_ok());
    }
}

#[test]
fn one_is_singular() {
    let folder = Folder::new();
    folder.file("triangle.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    folder.file("rays.csv", rays("0.25,0.25,5,0,0,-1"));
    let said = folder.said("cast triangle.off rays.csv --query all -o hits.csv");
    assert_reads(&said, "1 ray at 1 triangle: 1 hit, 0 miss; 1 hit in all; …");
}

/// What is asked of a mesh without triangles has an answer, with a warning, from every subcommand;
/// what aims at it has none.
#[test]
fn a_mesh_without_triangles_has_answers_and_a_warning() {
    let folder = Folder::new();
    folder.file("empty.off", EMPTY);
    folder.file("rays.csv", format!("{RAY_HEADER}7,0.25,0.5,2,0,0,-2\n"));
    folder.file("points.csv", points("0,0,5"));
    for (line, follows, pattern) in [
        ("cast empty.off rays.csv", "every ray misses", "ray_id,status,t,…\n7,miss,inf,-1,…\n"),
        ("points empty.off points.csv", "nothing is near any point", "…\n0,miss,inf,…\n"),
        (
            "sight empty.off points.csv points.csv",
            "nothing breaks a line of sight",
            "…\n0,0,true,…\n",
        ),
        ("lidar empty.off --at 0,0,2 --steps 4 --beams 1", "every beam misses", "x,y,z,…\n"),
    ] {
        let output = folder.run(line).args(["-o", "-"]).assert().success().get_output().clone();
        let warning = "lanecast: empty.off: warning: the mesh has no triangles";
        assert_reads(&text(output.stderr), &format!("{warning}; {follows}\n…"));
        let answers = text(output.stdout);
        assert_reads(&answers, pattern);
        assert_eq!(answers.lines().count(), if line.starts_with("lidar") { 1 } else { 2 });
    }
}
