//! `--weld`: what is proposed closes the mesh, what is done is reported, and whoever takes a mesh
//! takes it.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, output_of};
use std::path::{Path, PathBuf};

/// The cube of triangles with corners of their own, each a little beside where it should be, as an
/// STL file.
fn loose_cube(folder: &Folder, triangles: usize) -> PathBuf {
    let lines: Vec<Vec<f32>> = (CUBE.lines().skip(2))
        .map(|line| line.split(' ').map(|x| x.parse().expect("a number")).collect())
        .collect();
    let (vertices, faces) = lines.split_at(8);
    let mut bytes = vec![0; 80];
    bytes.extend((triangles as u32).to_le_bytes());
    for (number, face) in faces.iter().enumerate().take(triangles) {
        bytes.extend([0; 12]);
        for (corner, &vertex) in face[1..].iter().enumerate() {
            for (axis, &x) in vertices[vertex as usize].iter().enumerate() {
                let steps = (7 * number + 3 * corner + 5 * axis) % 11;
                bytes.extend((x + steps as f32 * 1.1e-7).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    folder.file("cube.stl", bytes)
}

fn inside(mesh: &Path, query: &str, arguments: &[&str]) -> assert_cmd::Command {
    let mut command = lanecast();
    command.arg("points").arg(mesh).args(["-", "-o", "-", "--query", query]).args(arguments);
    command.write_stdin("x,y,z\n0.5,0.5,0.25\n2,0,0\n");
    command
}

/// The tolerance that an error proposes.
fn proposed(line: &str) -> Option<&str> {
    let (_, proposal) = line.split_once("it has no inside; --weld ")?;
    proposal.strip_suffix(" closes it")
}

#[test]
fn the_refusal_proposes_the_least_tolerance_that_closes() {
    let folder = Folder::new();
    let mesh = loose_cube(&folder, 12);
    let line = error_line(&mut inside(&mesh, "signed", &[]));
    assert!(
        line.starts_with(&format!("{}: geometry 0: the surface is open ", mesh.display())),
        "{line}"
    );
    let tolerance = proposed(&line).unwrap_or_else(|| panic!("nothing proposed: {line}"));
    assert!(
        output_of(&mut inside(&mesh, "inside", &["--weld", tolerance]))
            .ends_with("0,hit,true\n1,miss,false\n")
    );
    assert!(
        output_of(&mut inside(&mesh, "signed", &["--weld", tolerance])).contains("\n0,hit,-0.2")
    );
    // One that is less does not, and the same is proposed again.
    let least: f32 = tolerance.parse().expect("a number");
    for less in [0.99 * least, least.next_down(), 0.0] {
        let line = error_line(&mut inside(&mesh, "inside", &["--weld", &less.to_string()]));
        assert_eq!(proposed(&line), Some(tolerance), "{line}");
    }
}

#[test]
fn a_hole_is_refused_without_a_proposal() {
    let folder = Folder::new();
    let line = error_line(&mut inside(&loose_cube(&folder, 11), "inside", &[]));
    assert!(line.ends_with(": it has no inside"), "{line}");
}

#[test]
fn info_says_what_was_joined_and_of_what_it_made() {
    let folder = Folder::new();
    let mesh = loose_cube(&folder, 12);
    let info = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("info").arg(&mesh).args(arguments);
        command
    };
    let before = json_of(&mut info(&["--json"]));
    assert_eq!((&before["closed"], &before["welded"]), (&false.into(), &serde_json::Value::Null));
    let after = json_of(&mut info(&["--json", "--weld", "1e-5"]));
    assert_eq!(
        (&after["closed"], after["boundary_edges"].as_u64()),
        (&true.into(), Some(0)),
        "{after}"
    );
    let volume = after["volume"].as_f64().expect("a volume");
    assert!((volume - 1.0).abs() < 1e-5, "{after}");
    let welded = &after["welded"];
    let joined = welded["joined_vertices"].as_u64().expect("a number");
    let farthest = welded["farthest_moved"].as_f64().expect("a number");
    assert!((20..=28).contains(&joined) && farthest > 1e-7 && farthest < 2e-6, "{welded}");
    assert_eq!(welded["collapsed_triangles"], 0);
    let words = output_of(&mut info(&["--weld", "1e-5"]));
    let row =
        words.lines().find(|line| line.starts_with("welded")).unwrap_or_else(|| panic!("{words}"));
    assert!(row.contains(&format!("{joined} vertices moved by at most ")), "{row}");
    assert!(row.ends_with(", 0 triangles collapsed"), "{row}");
    assert!(words.contains("closed        yes"), "{words}");
    let words = output_of(&mut info(&["--weld", "2"]));
    assert!(words.contains("12 triangles collapsed"), "{words}");
}

#[test]
fn brute_force_goes_over_what_was_joined() {
    let folder = Folder::new();
    let mesh = loose_cube(&folder, 12);
    lanecast()
        .arg("verify")
        .arg(&mesh)
        .args(["--rays", "500", "--weld", "1e-5"])
        .assert()
        .success();
}

#[test]
fn a_scene_file_holds_what_was_joined_and_is_not_joined_again() {
    let folder = Folder::new();
    let (mesh, scene, loose) =
        (loose_cube(&folder, 12), folder.path("cube.scene"), folder.path("loose.scene"));
    lanecast()
        .arg("build")
        .arg(&mesh)
        .arg("-o")
        .arg(&scene)
        .args(["--weld", "1e-5"])
        .assert()
        .success();
    assert!(output_of(&mut inside(&scene, "inside", &[])).ends_with("0,hit,true\n1,miss,false\n"));
    lanecast().arg("build").arg(&mesh).arg("-o").arg(&loose).assert().success();
    let line = error_line(&mut inside(&loose, "inside", &[]));
    let tolerance =
        proposed(&error_line(&mut inside(&mesh, "inside", &[]))).expect("a tolerance").to_owned();
    assert!(
        line.ends_with(&format!("; built with --weld {tolerance} it would be closed")),
        "{line}"
    );
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n");
    let mut commands = [lanecast(), lanecast(), lanecast(), inside(&scene, "closest", &[])];
    commands[0].arg("info").arg(&scene);
    commands[1].arg("build").arg(&scene).arg("-o").arg(folder.path("again.scene"));
    commands[2].arg("cast").args([&scene, &rays]).args(["-o", "-"]);
    for mut command in commands {
        let line = error_line(command.args(["--weld", "1e-5"]));
        let expected = format!("{}: vertices are joined before a tree is built", scene.display());
        assert!(line.starts_with(&expected) && line.contains("--weld"), "{line}");
    }
}

#[test]
fn whoever_takes_a_mesh_takes_a_tolerance() {
    for subcommand in
        ["cast", "points", "lidar", "sight", "render", "info", "build", "verify", "bench"]
    {
        assert!(
            output_of(lanecast().args([subcommand, "--help"])).contains("--weld <TOLERANCE>"),
            "{subcommand}"
        );
    }
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    for tolerance in ["-1", "nan", "inf", "1e39", "near"] {
        let line = error_line(lanecast().arg("info").arg(&cube).args(["--weld", tolerance]));
        assert!(
            line.contains("'--weld <TOLERANCE>': expected a number that is not negative"),
            "{line}"
        );
    }
}
