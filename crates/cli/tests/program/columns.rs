//! Columns that nothing is done with are named, and those that are nearly known are refused.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast};
use assert_cmd::Command;
use serde_json::{Value, json};

/// What each subcommand that reads rows says of columns: the command without its output, and the
/// file with the columns.
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
        let (name, meant) =
            if file == "rays.csv" { ("tmax", "t_max") } else { ("pointid", "point_id") };
        let problem = "is not known; did you mean";
        let expected = format!(
            "{}: column \"{name}\" {problem} \"{meant}\"? rename it or remove it",
            folder.path(file).display()
        );
        assert_eq!(error_line(&mut command), expected);
    }
}

fn lidar(folder: &Folder, tables: &[&str]) -> Command {
    let mut command = lanecast();
    command.arg("lidar").arg(folder.file("cube.off", CUBE)).args(["--steps", "4", "-fo"]);
    command.arg(folder.path("scan.csv")).args(tables);
    if !tables.contains(&"--poses") {
        command.args(["--at", "0.5,0.25,0.5"]);
    }
    command
}

#[test]
fn unknown_beam_or_pose_columns_are_named_on_stderr_and_in_json() {
    let folder = Folder::new();
    let beams = folder.file("beams.csv", "azimuth,gain,elevation\n90,1,0\n");
    let poses = folder.file("poses.csv", "time,x,y,z,qx,qy,qz,qw,v,\n0,0.5,0.5,0.5,0,0,0,1,3,\n");
    let tables = ["--beam-table", &beams.to_string_lossy(), "--poses", &poses.to_string_lossy()];
    let mut command = lidar(&folder, &tables);
    let said = command.assert().success().get_output().stderr.clone();
    let said = String::from_utf8(said).expect("UTF-8");
    for (path, names) in [(&beams, "gain"), (&poses, "v, \"\"")] {
        assert!(
            said.contains(&format!("lanecast: {}: ignored columns: {names}\n", path.display())),
            "{said}"
        );
    }
    let report = json_of(command.arg("--json"));
    assert_eq!(report["ignored_columns"], json!([["gain"], ["v", ""]]));
    let standing = json_of(lidar(&folder, &[]).arg("--json"));
    assert_eq!(standing["ignored_columns"], json!([[], []]));
    // Standard error is JSON alone where it has the summary.
    let mut piped = lidar(&folder, &tables);
    let arguments: Vec<_> = piped.get_args().map(ToOwned::to_owned).collect();
    piped = lanecast();
    let scan = folder.path("scan.csv");
    piped.args(
        arguments
            .iter()
            .map(|argument| if **argument == *scan { "-".as_ref() } else { &**argument }),
    );
    let said = piped.arg("--json").assert().success().get_output().stderr.clone();
    let report: Value = serde_json::from_slice(&said).expect("JSON");
    assert_eq!(report["ignored_columns"], json!([["gain"], ["v", ""]]));
}

/// Each is said with the file, the line as editors count it, and a whole sentence.
#[test]
fn what_is_wrong_with_beams_and_poses_is_said_with_its_line() {
    let folder = Folder::new();
    let header = "time,x,y,z,qx,qy,qz,qw\n";
    let unknown = |name: &str, meant: &str| {
        format!(
            "line 1: column \"{name}\" is not known; did you mean \"{meant}\"? rename it or remove it"
        )
    };
    let beams = [
        ("elevation,azimuth,Delay\n0,0,3\n", unknown("Delay", "delay")),
        ("elevation,azimuth,dealy\n0,0,3\n", unknown("dealy", "delay")),
        ("Elevation,azimuth\n0,0\n", unknown("Elevation", "elevation")),
        ("elevation\n0\n", "line 1: there is no column \"azimuth\"; needed: elevation, azimuth".to_owned()),
        ("\nelevation,azimuth,azimuth\n0,0,0\n", "line 2: column \"azimuth\" stands there twice".to_owned()),
        ("elevation,azimuth\n0,0\n\n0,x\n", "line 4: column \"azimuth\": \"x\" is not a number".to_owned()),
        ("elevation,azimuth\r\n0,0\r\n\r\n0\r\n", "line 4: 1 field, but the header has 2".to_owned()),
        ("elevation,azimuth\n\"0,0\n", "line 2: 1 field, but the header has 2".to_owned()),
        (
            "elevation,azimuth\n0,0\n\n95,0\n",
            "line 4: the elevation is 95 and the azimuth 0; elevations are at most 90 degrees, azimuths finite"
                .to_owned(),
        ),
        (
            "elevation,azimuth,delay\n0,0,-1\n",
            "line 2: the delay is -1; delays are finite and not negative".to_owned(),
        ),
        ("elevation,azimuth\n", "beams are none; there must be one at least".to_owned()),
        ("", "the file is empty; needed are the columns elevation, azimuth".to_owned()),
    ];
    let poses = [
        ("0,0,0,0,0,0,0,1\n0,0,0,0,0,0,0,1\n", "line 3: the time 0 follows 0; times must ascend"),
        ("nan,0,0,0,0,0,0,1\n", "line 2: the time is NaN; times must be finite"),
        ("0,0,0,0,0,0,0,0\n", "line 2: the quaternion [0.0, 0.0, 0.0, 0.0] is no rotation"),
        (
            "0,0,0,0,0,0,0,1\n1,0,inf,0,0,0,0,1\n",
            "line 3: the position is [0.0, inf, 0.0]; it must be finite and at most 2^100 in magnitude",
        ),
        (
            "0,0,0,0,0,0,0,1\n0.01,0,0,0,0,0,0,1\n",
            "poses are for 0 to 0.01 s, but it fires from 0 to 0.07500000000000001 s",
        ),
        ("", "poses are none; there must be one at least"),
    ];
    let poses = poses.map(|(rows, problem)| ([header, rows].concat(), problem.to_owned()));
    let beams = beams.map(|(text, problem)| (text.to_owned(), problem));
    let tables = beams.into_iter().map(|table| ("--beam-table", table));
    for (option, (text, problem)) in tables.chain(poses.into_iter().map(|table| ("--poses", table)))
    {
        let path = folder.file("table.csv", &text);
        let line = error_line(&mut lidar(&folder, &[option, &path.to_string_lossy()]));
        assert_eq!(line, format!("{}: {problem}", path.display()), "{text}");
    }
    assert!(!folder.path("scan.csv").exists());
}
