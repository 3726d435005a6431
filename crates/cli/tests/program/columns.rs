//! Columns that nothing is done with are named, and what is wrong with small tables is said.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::points;
use serde_json::{Value, json};

const SCAN: &str = "lidar cube.off --steps 4 -fo scan.csv";

#[test]
fn unknown_columns_are_named_on_standard_error_and_in_json() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", "ox,oy,oz,a,dx,dy,dz,b b\n0.25,0.5,2,9,0,0,-2,9\n");
    folder.file("points.csv", "a,x,y,z,b b\n1,0.25,0.5,2,9\n");
    folder.file("plain.csv", points("0.25,0.5,3"));
    folder.file("beams.csv", "azimuth,gain,elevation\n90,1,0\n");
    folder.file("poses.csv", "time,x,y,z,qx,qy,qz,qw,v,\n0,0.5,0.5,0.5,0,0,0,1,3,\n");
    let both = format!("{SCAN} --poses poses.csv --beam-table beams.csv");
    let (names, of_both) = (json!(["a", "b b"]), json!([["gain"], ["v", ""], []]));
    for (line, said, ignored) in [
        ("cast cube.off rays.csv -fo hits.csv", "rays.csv: ignored columns: a, b b", &names),
        ("verify cube.off rays.csv", "rays.csv: ignored columns: a, b b", &names),
        ("points cube.off points.csv -fo a.csv", "points.csv: ignored columns: a, b b", &names),
        (
            "sight cube.off points.csv plain.csv -fo sight.npy",
            "points.csv: ignored columns: a, b b",
            &json!([names, []]),
        ),
        (
            "sight cube.off plain.csv points.csv -fo sight.csv",
            "points.csv: ignored columns: a, b b",
            &json!([[], names]),
        ),
        (&both, "beams.csv: ignored columns: gain", &of_both),
        (&both, "poses.csv: ignored columns: v, \"\"", &of_both),
        (&format!("{SCAN} --at 0.5,0.25,0.5"), "", &json!([[], [], []])),
    ] {
        if !said.is_empty() {
            assert_reads(&folder.said(line), &format!("…lanecast: {said}\n…"));
        }
        assert_eq!(&folder.json(line)["ignored_columns"], ignored, "{line}");
    }
    // Standard error is JSON alone where it has the summary.
    for (line, ignored) in
        [("cast cube.off rays.csv -o -", names), (&both.replace("scan.csv", "-"), of_both)]
    {
        let json: Value =
            serde_json::from_str(&folder.said(&format!("{line} --json"))).expect("JSON");
        assert_eq!(json["ignored_columns"], ignored);
    }
}

/// Each is said with the file, the line as editors count it, and a whole sentence.
#[test]
fn what_is_wrong_with_beams_and_poses_is_said_with_its_line() {
    let folder = Folder::with_cube();
    let at = "--at 0.5,0.25,0.5 --beam-table";
    let beams = [
        (
            "elevation,azimuth,Delay\n0,0,3\n",
            "line 1: column \"Delay\" is not known; did you mean \"delay\"? rename it or remove it",
        ),
        (
            "elevation,azimuth,dealy\n0,0,3\n",
            "line 1: column \"dealy\" is not known; did you mean \"delay\"?…",
        ),
        (
            "Elevation,azimuth\n0,0\n",
            "line 1: column \"Elevation\" is not known; did you mean \"elevation\"?…",
        ),
        ("elevation\n0\n", "line 1: there is no column \"azimuth\"; needed: elevation, azimuth"),
        ("\nelevation,azimuth,azimuth\n0,0,0\n", "line 2: column \"azimuth\" stands there twice"),
        ("elevation,azimuth\n0,0\n\n0,x\n", "line 4: column \"azimuth\": \"x\" is not a number"),
        ("elevation,azimuth\r\n0,0\r\n\r\n0\r\n", "line 4: 1 field, but the header has 2"),
        ("elevation,azimuth\n\"0,0\n", "line 2: 1 field, but the header has 2"),
        (
            "elevation,azimuth\n0,0\n\n95,0\n",
            "line 4: the elevation is 95 and the azimuth 0; elevations are at most 90 degrees, azimuths finite",
        ),
        (
            "elevation,azimuth,delay\n0,0,-1\n",
            "line 2: the delay is -1; delays are finite and not negative",
        ),
        ("elevation,azimuth\n", "beams are none; there must be one at least"),
        ("", "the file is empty; needed are the columns elevation, azimuth"),
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
    let beams = beams.map(|(text, problem)| (at, text.to_owned(), problem));
    let header = "time,x,y,z,qx,qy,qz,qw\n";
    let poses = poses.map(|(rows, problem)| ("--poses", format!("{header}{rows}"), problem));
    for (option, text, problem) in beams.into_iter().chain(poses) {
        folder.file("table.csv", &text);
        folder.refuses([(format!("{SCAN} {option} table.csv"), format!("table.csv: {problem}"))]);
    }
    assert!(!folder.path("scan.csv").exists());
}
