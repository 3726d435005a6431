//! `lanecast lidar`.

use crate::folder::Folder;
use crate::support::{CUBE, column, json_of, lanecast, output_of};
use lanecast::Backend;
use lanecast_io::{Mesh, read_model};
use std::path::Path;

fn cloud(path: &Path) -> Vec<[f32; 3]> {
    let meshes: Vec<Mesh> = read_model(path).expect("a PLY file").meshes;
    assert!(meshes.len() == 1 && meshes[0].triangles.is_empty());
    meshes[0].vertices.clone()
}

#[test]
fn a_scanner_measures_what_is_around_it() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let scan = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("lidar").arg(&cube).args(["-o", "-", "--beams", "1", "--elevations", "0,0"]);
        output_of(command.args(["--steps", "4"]).args(arguments))
    };
    // North, east, south, west: from the middle all walls, from the south the one in the north.
    let text = scan(&["--at", "0.5,0.25,0.5"]);
    let header = "x,y,z,distance,time,beam,azimuth,pulse,return_number,return_count,\
                  primitive_id,geometry_id,instance_id,status\n";
    assert!(text.starts_with(header), "{text}");
    assert_eq!(column(&text, "distance"), ["0.75", "0.5", "0.25", "0.5"]);
    let south = scan(&["--at", "0.5,-2,0.5", "--misses"]);
    assert_eq!(column(&south, "distance"), ["2.0", "inf", "inf", "inf"]);
    let short = scan(&["--at", "0.5,-2,0.5", "--range", "0,1.5", "--misses"]);
    assert_eq!(column(&short, "status"), ["miss"; 4]);
    assert_eq!(scan(&["--at", "0.5,-2,0.5", "--range", "0,1.5"]), header);
    // Both ends are included, and the farther may be open.
    let beyond = |range: &str| {
        let text = scan(&["--at", "0.5,0.25,0.5", "--range", range, "--misses"]);
        column(&text, "distance").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(beyond("0.5,inf"), ["0.75", "0.5", "inf", "0.5"]);
    assert_eq!(beyond("0.6,inf"), ["0.75", "inf", "inf", "inf"]);
    assert_eq!(beyond("0,0.5"), ["inf", "0.5", "0.25", "0.5"]);
    let narrow = scan(&["--at", "0.5,0.25,0.5", "--sector", "90,-90"]);
    // 90, 45, 0, -45 degrees.
    let distances = column(&narrow, "distance");
    assert_eq!([distances[0], distances[2]], ["0.5", "0.75"]);
    assert_eq!(column(&narrow, "azimuth"), ["90.0", "45.0", "0.0", "315.0"]);
}

/// The rows of a scan say where, when and by what each point was measured, and what it is on; in
/// every format, with points alone or with all pulses.
#[test]
fn scan_rows_have_every_column_in_every_format() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    // The second beam is fired a sixteenth of a turn after the first; the third misses, as it looks
    // to where it came from.
    let beams = folder.file("beams.csv", "azimuth,elevation,delay\n0,0,0\n0,0,0.0625\n180,0,0\n");
    let scan = |output: &Path, arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("lidar").arg(&cube).arg("-fo").arg(output).arg("--beam-table").arg(&beams);
        command.args([
            "--at",
            "0.5,-2,0.5",
            "--sector",
            "-45,45",
            "--steps",
            "2",
            "--turn-seconds",
            "1",
        ]);
        command.args(arguments);
        command
    };
    let text = output_of(&mut scan(Path::new("-"), &["--misses"]));
    let numbers = |name: &str| {
        column(&text, name).iter().map(|x| x.parse().expect("a number")).collect::<Vec<f64>>()
    };
    assert_eq!(column(&text, "pulse"), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(column(&text, "beam"), ["0", "1", "2"].repeat(2));
    assert_eq!(numbers("time"), [0.0, 0.0625, 0.0, 0.5, 0.5625, 0.5]);
    assert_eq!(numbers("azimuth"), [315.0, 320.625, 135.0, 0.0, 5.625, 180.0]);
    assert_eq!(column(&text, "status"), ["miss", "miss", "miss", "hit", "hit", "miss"]);
    assert_eq!(
        [column(&text, "return_number"), column(&text, "return_count")],
        [["0", "0", "0", "1", "1", "0"]; 2]
    );
    let slanted = 2.0 / 5.625_f64.to_radians().cos();
    let expected = [
        (3, [0.5, 0.0, 0.5], 2.0),
        (4, [0.5 + 2.0 * 5.625_f64.to_radians().tan(), 0.0, 0.5], slanted),
    ];
    for (row, point, distance) in expected {
        let found = ["x", "y", "z", "distance"].map(|name| numbers(name)[row]);
        let [x, y, z] = point;
        assert!(
            found.iter().zip([x, y, z, distance]).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?}"
        );
        // The side to the south has the triangles 4 and 5.
        assert!(["4", "5"].contains(&column(&text, "primitive_id")[row]), "{text}");
        assert_eq!(
            [column(&text, "geometry_id")[row], column(&text, "instance_id")[row]],
            ["0", "-1"]
        );
    }
    for (name, unhit) in
        [("distance", "inf"), ("x", "NaN"), ("primitive_id", "-1"), ("geometry_id", "-1")]
    {
        assert_eq!(column(&text, name)[5], unhit);
    }
    let points = output_of(&mut scan(Path::new("-"), &[]));
    let header = text.lines().take(1).chain(text.lines().skip(4).take(2));
    assert!(points.lines().eq(header), "{points}");

    for arguments in [&[][..], &["--misses"]] {
        let count = if arguments.is_empty() { 2 } else { 6 };
        for name in ["scan.ply", "scan.npz", "scan.parquet", "scan.arrow", "scan.arrows"] {
            let path = folder.path(name);
            let report = json_of(scan(&path, arguments).arg("--json"));
            assert_eq!(
                [&report["pulses"], &report["points"], &report["pulses_missed"]],
                [6, 2, 4],
                "{name}"
            );
            let bytes = std::fs::read(&path).expect("a file");
            for column in
                ["distance", "time", "azimuth", "pulse", "return_number", "geometry_id", "status"]
            {
                assert!(
                    bytes.windows(column.len()).any(|some| some == column.as_bytes()),
                    "{name}: {column}"
                );
            }
        }
        let points = cloud(&folder.path("scan.ply"));
        assert_eq!(points.len(), count);
        assert_eq!(points[if count == 2 { 0 } else { 3 }], [0.5, 0.0, 0.5]);
    }
}

#[test]
fn points_lie_at_the_ends_of_beams_from_beam_and_pose_files() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let beams = folder.file("beams.csv", "azimuth,elevation\n90,0\n0,90\n0,-90\n");
    let poses = folder.file(
        "poses.csv",
        "time,x,y,z,qx,qy,qz,qw\n10,0.25,0.5,0.5,0,0,0,1\n12,0.75,0.5,0.5,0,0,0,1\n",
    );
    let points = folder.path("points.ply");
    let mut command = lanecast();
    command.arg("lidar").arg(&cube).arg("-o").arg(&points).arg("--beam-table").arg(&beams);
    command.arg("--poses").arg(&poses).args([
        "--steps",
        "1",
        "--turns",
        "3",
        "--turn-seconds",
        "1",
    ]);
    let report = json_of(command.arg("--json"));
    assert_eq!((report["rays"].as_u64(), report["points"].as_u64()), (Some(9), Some(9)));
    assert!(report["million_rays_per_second"].is_number() && report["backend"].is_string());
    let found: Vec<[i32; 3]> =
        cloud(&points).iter().map(|point| point.map(|x| (100.0 * x).round() as i32)).collect();
    let expected = [25, 50, 75].map(|x| [[100, 50, 50], [x, 50, 100], [x, 50, 0]]);
    assert_eq!(found, expected.concat());
}

#[test]
fn a_scan_in_pieces_does_not_depend_on_backend_or_thread_count() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let mut expected = None;
    for backend in Backend::available() {
        for threads in ["1", "2"] {
            for name in ["scan.ply", "scan.npz"] {
                let path = folder.path(name);
                let mut command = lanecast();
                command.arg("lidar").arg(&cube).arg("-fo").arg(&path).args(["--at", "0.5,0.3,0.4"]);
                command.args(["--beams", "66", "--steps", "4000", "--threads", threads, "--json"]);
                let report = json_of(command.args(["--backend", backend.name()]));
                assert_eq!(
                    report["points"].as_u64(),
                    Some(264_000),
                    "inside of a closed cube every beam ends"
                );
            }
            let bytes = ["scan.ply", "scan.npz"]
                .map(|name| std::fs::read(folder.path(name)).expect("a file"));
            assert!(*expected.get_or_insert_with(|| bytes.clone()) == bytes, "{backend} {threads}");
            if threads == "2" {
                break;
            }
        }
    }
    assert_eq!(cloud(&folder.path("scan.ply")).len(), 264_000);
}
