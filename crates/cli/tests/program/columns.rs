//! Columns that nothing is done with are named, and those that are nearly known are refused.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast};
use assert_cmd::Command;
use serde_json::{Value, json};

/// What each subcommand that reads rows says of columns: the command without its output, and the file with the columns.
fn commands(folder: &Folder) -> Vec<(Command, &'static str, &'static str)> {
    let cube = folder.file("cube.off", CUBE);
    folder.file("rays.csv", "ox,oy,oz,a,dx,dy,dz,b b\n0.25,0.5,2,9,0,0,-2,9\n");
    folder.file("points.csv", "a,x,y,z,b b\n1,0.25,0.5,2,9\n");
    folder.file("plain.csv", "x,y,z\n0.25,0.5,3\n");
    let command = |name: &str, inputs: &[&str]| {
        let mut command = lanecast();
        command.arg(name).arg(&cube).args(inputs.iter().map(|name| folder.path(name)));
        command
    };
    vec![
        (command("cast", &["rays.csv"]), "rays.csv", "hits.csv"),
        (command("points", &["points.csv"]), "points.csv", "answers.csv"),
        (command("sight", &["points.csv", "plain.csv"]), "points.csv", "sight.npy"),
        (command("sight", &["plain.csv", "points.csv"]), "points.csv", "sight.csv"),
        (command("verify", &["rays.csv"]), "rays.csv", ""),
    ]
}

#[test]
fn unknown_columns_are_named_on_standard_error_and_in_json() {
    let folder = Folder::new();
    for (mut command, file, output) in commands(&folder) {
        if !output.is_empty() {
            command.arg("-fo").arg(folder.path(output));
        }
        let said = command.assert().success().get_output().stderr.clone();
        let said = String::from_utf8(said).expect("UTF-8");
        let line = format!("lanecast: {}: ignored columns: a, b b\n", folder.path(file).display());
        assert!(said.starts_with(&line), "{said}");
        let named = |ignored: &Value| match ignored {
            Value::Array(of_two) if of_two.iter().all(Value::is_array) => {
                of_two.iter().any(|ignored| *ignored == json!(["a", "b b"]))
                    && of_two.iter().any(|ignored| *ignored == json!([]))
            }
            ignored => *ignored == json!(["a", "b b"]),
        };
        let json = json_of(command.arg("--json"));
        assert!(named(&json["ignored_columns"]), "{json}");
    }
    // Standard error is JSON alone where it has the summary.
    let mut cast = commands(&folder).remove(0).0;
    let output = cast.args(["--json", "-o", "-"]).assert().success().get_output().clone();
    let json: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!(json["ignored_columns"], json!(["a", "b b"]));
}

#[test]
fn a_near_miss_of_a_known_column_is_an_error_that_proposes_it() {
    let folder = Folder::new();
    let commands = commands(&folder);
    folder.file("rays.csv", "ox,oy,oz,dx,dy,dz,tmax\n0.25,0.5,2,0,0,-2,0.1\n");
    folder.file("points.csv", "x,y,z,pointid\n0.25,0.5,2,7\n");
    for (mut command, file, output) in commands {
        if !output.is_empty() {
            command.arg("-o").arg(folder.path(output));
        }
        let (name, meant) = if file == "rays.csv" { ("tmax", "t_max") } else { ("pointid", "point_id") };
        let problem = "is not known; did you mean";
        let expected = format!(
            "{}: column \"{name}\" {problem} \"{meant}\"? rename it or remove it",
            folder.path(file).display()
        );
        assert_eq!(error_line(&mut command), expected);
    }
}

/// The columns of beams and poses must all be there, so that no name is nearly one without an error.
#[test]
fn unknown_columns_of_small_tables_are_named() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let beams = folder.file("beams.csv", "azimuth,gain,elevation\n90,1,0\n");
    let poses = folder.file("poses.csv", "time,x,y,z,qx,qy,qz,qw,v\n0,0.5,0.5,0.5,0,0,0,1,3\n");
    let mut lidar = lanecast();
    lidar.arg("lidar").arg(&cube).arg("--beam-table").arg(&beams).arg("--poses").arg(&poses);
    let said = lidar.arg("-o").arg(folder.path("scan.csv")).assert().success().get_output().stderr.clone();
    let said = String::from_utf8(said).expect("UTF-8");
    for (path, name) in [(beams, "gain"), (poses, "v")] {
        assert!(said.contains(&format!("lanecast: {}: ignored columns: {name}\n", path.display())), "{said}");
    }
}
