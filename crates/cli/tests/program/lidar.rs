//! `lanecast lidar`.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{column, fields, npy, numbers};
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
    let header = "x,y,z,distance,time,beam,azimuth,pulse,return_number,return_count,incidence,intensity,\
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
    let intensities = numbers(&text, "intensity");
    let angles = numbers(&text, "incidence");
    for (row, angle) in [(3, 0.0), (4, 5.625)] {
        let expected = f64::to_radians(angle).cos();
        assert!((intensities[row] - expected).abs() < 1e-6, "{intensities:?}");
        assert!((angles[row] - angle).abs() < 1e-5, "{angles:?}");
    }
    assert!(angles[0].is_nan() && intensities[0] == 0.0);
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
        for name in
            ["scan.ply", "scan.pcd", "scan.npz", "scan.parquet", "scan.arrow", "scan.arrows"]
        {
            let report = folder.json(&format!("{scan} {name}{more}"));
            assert_eq!(fields(&report, "pulses points pulses_missed"), json!([6, 2, 4]), "{name}");
            let bytes = folder.bytes(name);
            for column in [
                "distance",
                "time",
                "azimuth",
                "intensity",
                "return_number",
                "geometry_id",
                "status",
            ] {
                let is_there = bytes.windows(column.len()).any(|some| some == column.as_bytes());
                assert!(is_there, "{name}: {column}");
            }
        }
        let points = cloud(&folder, "scan.ply");
        assert_eq!((points.len(), points[first]), (count, [0.5, 0.0, 0.5]));
    }
}

/// Two walls in the distance 4, met at 0 and at some degrees: the power of each is worked out here.
#[test]
fn reflectances_count_in_intensities_and_in_what_is_received() {
    let folder = Folder::new();
    let walls = "o near wall\nv -9 4 -9\nv 9 4 -9\nv 9 4 9\nv -9 4 9\nf 1 2 3 4\n\
                 o east\nv 4 -9 -9\nv 4 9 -9\nv 4 9 9\nv 4 -9 9\nf 5 6 7 8\n";
    folder.file("walls.obj", walls);
    folder.file("of.csv", "reflectance,geometry\n0.5,near wall\n 0.25 , 1\n");
    folder.file("later.csv", "geometry,reflectance,remark\neast,0.1,a\n1,0.25,b\n0,0.5,c\n");
    let scan = "lidar walls.obj --at 0,0,0 --beams 1 --elevations 0,0 --steps 2 --sector 0,180 -fo";
    // Ahead and to the right.
    for (options, expected) in [
        ("", [1.0, 1.0]),
        ("--reflectance 0.25", [0.25, 0.25]),
        ("--reflectance of.csv", [0.5, 0.25]),
        ("--reflectance later.csv", [0.5, 0.25]),
        ("--reflectance of.csv --reference-range 1000", [0.5e6 / 16.0, 0.25e6 / 16.0]),
    ] {
        let text = folder.output(&format!("{scan} - {options}"));
        let found = numbers(&text, "intensity");
        let near = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-6 * expected;
        assert!(found.len() == 2 && found.iter().zip(expected).all(near), "{options}: {text}");
        assert!(numbers(&text, "incidence").iter().all(|angle| *angle < 1e-5), "{text}");
    }
    // By triangle, of which a quad has two, or by face: a column, or numbers alone.
    folder.file("triangles.csv", "id,dark,none\n0,0.25,x\n1,0.5,x\n2,0.125,x\n3,0.75,x\n");
    folder.file("faces.csv", "dark,id\n0.5,0\n0.125,1\n");
    folder.file("faces.npy", npy("<f8", &[[0.75], [0.25]]));
    for (at, told, expected) in [
        ("1,1,0", "triangles.csv:dark", [0.25, 0.125]),
        ("-1,-1,0", "triangles.csv:dark", [0.5, 0.75]),
        ("-1,-1,0", "faces.csv:dark", [0.5, 0.125]),
        ("1,1,0", "faces.npy", [0.75, 0.25]),
    ] {
        let scan = scan.replace("0,0,0", at);
        let text = folder.output(&format!("{scan} - --reflectance {told}"));
        assert_eq!(numbers(&text, "intensity"), expected, "{at} {told}: {text}");
    }
    let report = folder.json(&format!("{scan} scan.csv --reflectance later.csv"));
    assert_eq!(report["ignored_columns"], json!([[], [], ["remark"]]));
    // What is black does not come back.
    folder.file("black.csv", "geometry,reflectance\neast,0\n");
    let line = format!("{scan} scan.csv --reference-range 1000 --reflectance black.csv");
    assert_eq!(fields(&folder.json(&line), "points pulses_lost"), json!([1, 1]));
    // In las it is of 16 bits, in others as it is.
    folder.output(&format!("{scan} scan.las --reflectance of.csv"));
    let bytes = folder.bytes("scan.las");
    let start = usize::from(bytes[96]) + 256 * usize::from(bytes[97]);
    let length = usize::from(bytes[105]) + 256 * usize::from(bytes[106]);
    let points = bytes[start..].chunks_exact(length);
    let found: Vec<_> = points.map(|p| u16::from_le_bytes([p[12], p[13]])).collect();
    assert_eq!(found, [32_768, 16_384]);

    let scan = "lidar walls.obj --at 0,0,0 -o out.csv --reflectance";
    folder.file("unknown.csv", "geometry,reflectance\neast,1\n\nroof,0.5\n");
    folder.file("much.csv", "geometry,reflectance\neast,1.5\n");
    folder.file("word.csv", "geometry,reflectance\neast,dark\n");
    folder.file("id.csv", "geometry,reflectance\n2,0.5\n");
    folder.file("none.csv", "geometry\neast\n");
    folder.file("few.csv", "dark\n1\n1\n1\n");
    folder.file("bright.csv", "dark\n1\n1.5\n");
    let before = folder.names();
    let names = "there are \"east\", \"near wall\"";
    folder.refuses([
        ("unknown.csv", format!("unknown.csv: line 4: no geometry is called \"roof\"; {names}")),
        ("much.csv", "much.csv: line 2: is 1.5; it must be from 0 to 1".to_owned()),
        ("word.csv", "word.csv: line 2: column \"reflectance\": \"dark\" is not a number".to_owned()),
        ("id.csv", "id.csv: line 2: no geometry has the id 2".to_owned()),
        ("none.csv", "none.csv: line 1: there is no column \"reflectance\"; needed: geometry, reflectance".to_owned()),
        ("nowhere.csv", "nowhere.csv: …".to_owned()),
        ("few.csv:dark", "few.csv: 3 values; there must be one for each of 4 triangles, 2 faces".to_owned()),
        ("bright.csv:dark", "bright.csv: value 1 is 1.5; it must be from 0 to 1".to_owned()),
        ("bright.csv:gray", "bright.csv: …\"gray\"…".to_owned()),
        ("1.5", "…expected a number from 0 to 1, or a csv file…".to_owned()),
        ("out.csv", "…".to_owned()),
    ].map(|(told, problem)| (format!("{scan} {told}"), problem)));
    assert_eq!(folder.names(), before);
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
    // Upright, and with a part of a quaternion.
    let scan = format!("lidar cube.off -o - {tables} {turns}");
    let turned = folder.output(&scan);
    folder.file("poses.csv", "time,x,y,z\n10,0.25,0.5,0.5\n12,0.75,0.5,0.5\n");
    assert_eq!(folder.output(&scan), turned);
    folder.file("poses.csv", "time,x,y,z,qw,qx\n10,0.25,0.5,0.5,1,0\n");
    let error = folder.error(&scan);
    assert_eq!(error, "poses.csv: there is no column \"qy\" of the quaternion");
}

/// Inside of a closed cube every beam ends.
#[test]
fn a_scan_of_several_pieces_is_whole() {
    let folder = Folder::with_cube();
    let line = "lidar cube.off -o scan.ply --at 0.5,0.3,0.4 --beams 66 --steps 4000";
    assert_eq!(folder.json(line)["points"], 264_000);
    assert_eq!(cloud(&folder, "scan.ply").len(), 264_000);
}

/// A table of shots: to the north, the east and the south, in its order, turn after turn; at its own
/// times, or evenly within a turn.
#[test]
fn a_pattern_is_fired_in_the_order_of_its_table() {
    let folder = Folder::with_cube();
    folder.file("timed.csv", "time,beam,elevation,azimuth\n0.5,7,0,0\n0.25,3,0,90\n0,7,0,-180\n");
    folder.file("even.csv", "azimuth,elevation,note\n0,0,1\n90,0,2\n180,0,3\n0,90,4\n");
    let scan = "lidar cube.off --at 0.5,0.25,0.5 -o - --turn-seconds 1 --turns 2 --pattern";
    let timed = folder.output(&format!("{scan} timed.csv"));
    for (name, expected) in [
        ("distance", "0.75 0.5 0.25 0.75 0.5 0.25"),
        ("time", "0.5 0.25 0.0 1.5 1.25 1.0"),
        ("beam", "7 3 7 7 3 7"),
        ("azimuth", "0.0 90.0 180.0 0.0 90.0 180.0"),
        ("pulse", "0 1 2 3 4 5"),
    ] {
        assert_eq!(column(&timed, name).join(" "), expected, "{name}");
    }
    let even = folder.output(&format!("{scan} even.csv"));
    for (name, expected) in [
        ("time", "0.0 0.25 0.5 0.75 1.0 1.25 1.5 1.75"),
        ("distance", "0.75 0.5 0.25 0.5 0.75 0.5 0.25 0.5"),
        ("beam", "0 0 0 0 0 0 0 0"),
    ] {
        assert_eq!(column(&even, name).join(" "), expected, "{name}");
    }
    let report = folder.json(&format!("{} even.csv", scan.replace("-o -", "-fo scan.csv")));
    assert_eq!(report["ignored_columns"], json!([["note"], [], []]));
    // It moves on between shots.
    let moving = folder.output(&format!("{scan} even.csv --velocity 0,-0.1,0"));
    let distances = numbers(&moving, "distance");
    let expected = [0.75, 0.5, 0.25 - 0.05, 0.5, 0.75 + 0.1, 0.5, 0.25 - 0.15, 0.5];
    let near = distances.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near && distances.len() == 8, "{distances:?}");
}

/// A line is fired in half of its time while the scanner flies on; its ends miss the cube below.
#[test]
fn a_swath_is_scanned_line_by_line_across_the_way() {
    let folder = Folder::with_cube();
    let scan = "lidar cube.off --at 0.5,0.2,2 -o - --misses --steps 4 --turns 2 --turn-seconds 1";
    let text = folder.output(&format!("{scan} --swath=-30,30,0.5 --velocity 0,0.4,0"));
    for (name, expected) in [
        ("status", "miss hit hit hit miss hit hit hit"),
        ("azimuth", "330.0 345.0 0.0 15.0 330.0 345.0 0.0 15.0"),
        ("time", "0.0 0.125 0.25 0.375 1.0 1.125 1.25 1.375"),
        ("beam", "0 0 0 0 0 0 0 0"),
    ] {
        assert_eq!(column(&text, name).join(" "), expected, "{name}");
    }
    let off = 15_f64.to_radians().tan();
    let [x, y, z] = ["x", "y", "z"].map(|name| numbers(&text, name));
    for (row, angle, time) in [(1, -off, 0.125), (2, 0.0, 0.25), (3, off, 0.375), (7, off, 1.375)] {
        let (found, expected) = ([x[row], y[row], z[row]], [0.5 + angle, 0.2 + 0.4 * time, 1.0]);
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{row}: {found:?} instead of {expected:?}");
    }
    // Two beams: straight down, and ahead.
    let two = folder.output(&format!("{scan} --swath 0,40 --beams 2 --elevations 0,20"));
    let ahead = numbers(&two, "y")[1];
    assert!((ahead - 0.2 - 20_f64.to_radians().tan()).abs() < 1e-6, "{ahead}");
}

/// Two prisms against each other sweep a line: to the right, ahead, to the left and ahead.
#[test]
fn prisms_bend_beams_by_the_sum_of_their_deflections() {
    let folder = Folder::with_cube();
    let scan = "lidar cube.off --at 0.5,0.25,0.5 -o - --steps 4 --turn-seconds 1";
    let text = folder.output(&format!("{scan} --prism 10,1 --prism 10,-1,0"));
    let side = 20_f64.to_radians();
    let (azimuths, distances) = (numbers(&text, "azimuth"), numbers(&text, "distance"));
    assert_eq!(azimuths.len(), 4);
    for (row, azimuth) in [20.0, 0.0, 340.0, 0.0].into_iter().enumerate() {
        let off = (azimuths[row] - azimuth).rem_euclid(360.0);
        assert!(off.min(360.0 - off) < 1e-4, "{azimuths:?}");
        let distance = if row % 2 == 0 { 0.75 / side.cos() } else { 0.75 };
        assert!((distances[row] - distance).abs() < 1e-6, "{distances:?}");
    }
    // A phase of 90 degrees bends upwards.
    let up = folder.output(&format!("{scan} --prism 20,0,90"));
    let rise = 0.5 + 0.75 * side.tan();
    assert!(numbers(&up, "z").iter().all(|z| (z - rise).abs() < 1e-6), "{up}");
}

#[test]
fn what_cannot_be_fired_is_refused_by_its_place() {
    let folder = Folder::with_cube();
    for (name, text) in [
        ("high.csv", "azimuth,elevation\n0,0\n\n0,95\n"),
        ("early.csv", "azimuth,elevation,time\n0,0,0\n0,0,-1\n"),
        ("late.csv", "azimuth,elevation,time\n0,0,0\n0,0,0.5\n"),
        ("half.csv", "azimuth,elevation,beam\n0,0,1.5\n"),
        ("none.csv", "azimuth,elevation\n"),
        ("flat.csv", "azimuth\n0\n"),
        ("word.csv", "azimuth,elevation\n0,up\n"),
        ("typo.csv", "azimuth,elevation,tme\n0,0,1\n"),
    ] {
        folder.file(name, text);
    }
    let before = folder.names();
    let scan = "lidar cube.off --at 0.5,0.5,2 -o scan.ply";
    let rows = [
        ("--pattern high.csv", "high.csv: line 4: the elevation is 95 and the azimuth 0; …"),
        ("--pattern early.csv", "early.csv: line 3: the time is -1; times are finite and not…"),
        ("--pattern late.csv --turns 2", "--turn-seconds: are 0.1, but the last shot of the…"),
        (
            "--pattern half.csv",
            "half.csv: line 2: column \"beam\": 1.5 is no whole number from 0 to 2147483647",
        ),
        ("--pattern none.csv", "none.csv: pattern has no shot; there must be one at least"),
        (
            "--pattern flat.csv",
            "flat.csv: line 1: there is no column \"elevation\"; needed: azimuth, elevation",
        ),
        ("--pattern word.csv", "word.csv: line 2: column \"elevation\": \"up\" is not a number"),
        ("--pattern typo.csv", "typo.csv: line 1: column \"tme\" is not known; did you mean …"),
        ("--pattern gone.csv", "gone.csv: …"),
        ("--pattern high.csv --steps 9", "…'--pattern <FILE>' cannot be used with '--steps <N>'…"),
        ("--swath 0,30 --sector 0,90", "…cannot be used with '--sector <FROM,TO>'…"),
        ("--prism 10,1 --swath 0,30", "…cannot be used with '--swath <FROM,TO[,DUTY]>'…"),
        ("--swath 30", "invalid value '30' for '--swath <FROM,TO[,DUTY]>': expected two angles…"),
        ("--swath=-30,30,1.5", "invalid value '-30,30,1.5' for '--swath <FROM,TO[,DUTY]>': …"),
        ("--swath=-30,30,0", "invalid value '-30,30,0' for '--swath <FROM,TO[,DUTY]>': …"),
        ("--prism 10", "invalid value '10' for '--prism <DEGREES,RATE[,PHASE]>': expected…"),
        ("--prism 95,1", "--prism: the deflection is 95; it must be from 0 to 90 degrees"),
        ("--prism 50,1 --prism 50,2", "--prism: have deflections of together 100; at most 90…"),
        ("--prism 10,1 --turn-seconds 0", "--turn-seconds: are 0; prisms turn while turns…"),
    ];
    folder.refuses(rows.map(|(more, expected)| (format!("{scan} {more}"), expected)));
    assert_eq!(folder.names(), before);
}
