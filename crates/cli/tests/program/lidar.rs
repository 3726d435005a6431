//! `lanecast lidar`.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{column, fields, numbers};
use lanecast_io::{Mesh, read_model};
use serde_json::json;

fn cloud(folder: &Folder, name: &str) -> Vec<[f32; 3]> {
    let meshes: Vec<Mesh> = read_model(&folder.path(name)).expect("a PLY file").meshes;
    assert!(meshes.len() == 1 && meshes[0].triangles.is_empty());
    meshes[0].vertices.clone()
}

/// North, east, south, west: from the middle all walls, from the south the one in the north.
#[test]
fn a_scanner_measures_what_is_around_it() {
    let folder = Folder::with_cube();
    let scan = |more: &str| {
        folder.output(&format!("lidar cube.off -o - --beams 1 --elevations 0,0 --steps 4 {more}"))
    };
    let header = "x,y,z,distance,time,beam,azimuth,pulse,return_number,return_count,\
                  primitive_id,geometry_id,instance_id,status\n";
    assert_reads(&scan("--at 0.5,0.25,0.5"), &format!("{header}…"));
    for (options, name, expected) in [
        ("--at 0.5,0.25,0.5", "distance", "0.75 0.5 0.25 0.5"),
        ("--at 0.5,-2,0.5 --misses", "distance", "2.0 inf inf inf"),
        ("--at 0.5,-2,0.5 --range 0,1.5 --misses", "status", "miss miss miss miss"),
        // Both ends are included, and the farther may be open.
        ("--at 0.5,0.25,0.5 --misses --range 0.5,inf", "distance", "0.75 0.5 inf 0.5"),
        ("--at 0.5,0.25,0.5 --misses --range 0.6,inf", "distance", "0.75 inf inf inf"),
        ("--at 0.5,0.25,0.5 --misses --range 0,0.5", "distance", "inf 0.5 0.25 0.5"),
        ("--at 0.5,0.25,0.5 --sector 90,-90", "azimuth", "90.0 45.0 0.0 315.0"),
    ] {
        assert_eq!(column(&scan(options), name).join(" "), expected, "{options}");
    }
    assert_eq!(scan("--at 0.5,-2,0.5 --range 0,1.5"), header);
    let narrow = scan("--at 0.5,0.25,0.5 --sector 90,-90");
    assert_reads(&column(&narrow, "distance").join(" "), "0.5 … 0.75 …");
}

/// The rows of a scan say where, when and by what each point was measured, and what it is on; in
/// every format, with points alone or with all pulses.
#[test]
fn rows_of_a_scan_tell_all_of_a_pulse_in_every_format() {
    let folder = Folder::with_cube();
    // The second beam is fired a sixteenth of a turn after the first; the third misses, as it looks
    // to where it came from.
    folder.file("beams.csv", "azimuth,elevation,delay\n0,0,0\n0,0,0.0625\n180,0,0\n");
    let scan = "lidar cube.off --beam-table beams.csv --at 0.5,-2,0.5 --sector -45,45 --steps 2 --turn-seconds 1 -fo";
    let text = folder.output(&format!("{scan} - --misses"));
    for (name, expected) in [
        ("pulse", "0 1 2 3 4 5"),
        ("beam", "0 1 2 0 1 2"),
        ("time", "0.0 0.0625 0.0 0.5 0.5625 0.5"),
        ("azimuth", "315.0 320.625 135.0 0.0 5.625 180.0"),
        ("status", "miss miss miss hit hit miss"),
        ("return_number", "0 0 0 1 1 0"),
        ("return_count", "0 0 0 1 1 0"),
        ("geometry_id", "-1 -1 -1 0 0 -1"),
        ("instance_id", "-1 -1 -1 -1 -1 -1"),
    ] {
        assert_eq!(column(&text, name).join(" "), expected, "{name}");
    }
    for (name, unhit) in [("distance", "inf"), ("x", "NaN"), ("primitive_id", "-1")] {
        assert_eq!(column(&text, name)[5], unhit);
    }
    let turn = 5.625_f64.to_radians();
    for (row, expected) in
        [(3, [0.5, 0.0, 0.5, 2.0]), (4, [0.5 + 2.0 * turn.tan(), 0.0, 0.5, 2.0 / turn.cos()])]
    {
        let found = ["x", "y", "z", "distance"].map(|name| numbers(&text, name)[row]);
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{found:?}");
        // The side to the south has the triangles 4 and 5.
        assert!(["4", "5"].contains(&column(&text, "primitive_id")[row]), "{text}");
    }
    let points = folder.output(&format!("{scan} -"));
    let hits = text.lines().take(1).chain(text.lines().skip(4).take(2));
    assert!(points.lines().eq(hits), "{points}");

    for (more, count, first) in [("", 2, 0), (" --misses", 6, 3)] {
        for name in ["scan.ply", "scan.npz", "scan.parquet", "scan.arrow", "scan.arrows"] {
            let report = folder.json(&format!("{scan} {name}{more}"));
            assert_eq!(fields(&report, "pulses points pulses_missed"), json!([6, 2, 4]), "{name}");
            let bytes = folder.bytes(name);
            for column in
                ["distance", "time", "azimuth", "pulse", "return_number", "geometry_id", "status"]
            {
                let is_there = bytes.windows(column.len()).any(|some| some == column.as_bytes());
                assert!(is_there, "{name}: {column}");
            }
        }
        let points = cloud(&folder, "scan.ply");
        assert_eq!((points.len(), points[first]), (count, [0.5, 0.0, 0.5]));
    }
}

#[test]
fn points_are_where_beams_end_by_tables_of_poses_and_beams() {
    let folder = Folder::with_cube();
    folder.file("beams.csv", "azimuth,elevation\n90,0\n0,90\n0,-90\n");
    let poses = "time,x,y,z,qx,qy,qz,qw\n10,0.25,0.5,0.5,0,0,0,1\n12,0.75,0.5,0.5,0,0,0,1\n";
    folder.file("poses.csv", poses);
    let tables = "--beam-table beams.csv --poses poses.csv";
    let turns = "--steps 1 --turns 3 --turn-seconds 1";
    let report = folder.json(&format!("lidar cube.off -o points.ply {tables} {turns}"));
    assert_eq!(fields(&report, "rays points"), json!([9, 9]));
    assert!(report["million_rays_per_second"].is_number() && report["backend"].is_string());
    let round = |point: &[f32; 3]| point.map(|x| (100.0 * x).round() as i32);
    let found: Vec<[i32; 3]> = cloud(&folder, "points.ply").iter().map(round).collect();
    let expected = [25, 50, 75].map(|x| [[100, 50, 50], [x, 50, 100], [x, 50, 0]]);
    assert_eq!(found, expected.concat());
}

/// Inside of a closed cube every beam ends.
#[test]
fn a_scan_of_several_pieces_is_whole() {
    let folder = Folder::with_cube();
    let line = "lidar cube.off -o scan.ply --at 0.5,0.3,0.4 --beams 66 --steps 4000";
    assert_eq!(folder.json(line)["points"], 264_000);
    assert_eq!(cloud(&folder, "scan.ply").len(), 264_000);
}
