//! `lanecast lidar` with what real scanners have: noise, lost pulses, beams that widen, motion.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, output_of, shipped};
use std::path::Path;

/// A column of a CSV file as numbers.
fn numbers(text: &str, name: &str) -> Vec<f64> {
    let header = text.lines().next().expect("a header");
    let place = header
        .split(',')
        .position(|column| column == name)
        .unwrap_or_else(|| panic!("{header}: {name}"));
    let value =
        |line: &str| line.split(',').nth(place).expect("a value").parse().expect("a number");
    text.lines().skip(1).map(value).collect()
}

fn scan(mesh: &Path, output: &Path, arguments: &[&str]) -> assert_cmd::Command {
    let mut command = lanecast();
    command.arg("lidar").arg(mesh).arg("-fo").arg(output).args(arguments);
    command
}

const INSIDE: [&str; 6] = ["--at", "0.5,0.25,0.5", "--beams", "16", "--steps", "500"];

#[test]
fn noise_is_seeded_and_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let solid = shipped("gyroid.ply");
    let noisy = [
        "--at",
        "0,0,0",
        "--beams",
        "64",
        "--steps",
        "700",
        "--range-noise",
        "0.1,0.01",
        "--misses",
    ];
    let noisy: Vec<&str> = noisy
        .into_iter()
        .chain([
            "--reference-range",
            "3",
            "--divergence",
            "8",
            "--resolution",
            "0.3",
            "--returns",
            "all",
        ])
        .collect();
    let bytes = |name: &str, more: &[&str]| {
        let path = folder.path(name);
        let report = json_of(scan(&solid, &path, &noisy).args(more).arg("--json"));
        (std::fs::read(&path).expect("a file"), report)
    };
    for name in ["scan.ply", "scan.npz"] {
        let (one, report) = bytes(name, &["--threads", "1", "--seed", "5"]);
        // More rays than are made and cast at a time.
        assert_eq!(report["rays"].as_u64(), Some(64 * 700 * 19));
        let [hits, misses] =
            ["points", "pulses_lost"].map(|field| report[field].as_u64().expect("a number"));
        assert!(hits > 10_000 && misses > 20_000, "{report}");
        assert!(
            bytes(name, &["--threads", "2", "--seed", "5"]).0 == one,
            "{name} depends on threads"
        );
        assert!(
            bytes(name, &["--threads", "2", "--seed", "6"]).0 != one,
            "{name} does not depend on the seed"
        );
    }
}

#[test]
fn a_scan_without_noise_is_the_exact_scan() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let bytes = |arguments: &[&str]| {
        let path = folder.path("scan.npz");
        scan(&cube, &path, &INSIDE).args(arguments).assert().success();
        std::fs::read(&path).expect("a file")
    };
    let exact = bytes(&[]);
    assert!(bytes(&["--range-noise", "0", "--reference-range", "1e9", "--seed", "9"]) == exact);
    assert!(bytes(&["--velocity", "0,0,0", "--yaw-rate", "0"]) == exact);
    assert!(bytes(&["--range-noise", "1e-3"]) != exact);
}

/// Distances of noise are those of the exact scan and an error with the deviation that was asked
/// for, and points are on the beam at that distance.
#[test]
fn range_noise_moves_points_along_their_beams() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let exact = output_of(&mut scan(&cube, Path::new("-"), &INSIDE));
    let noisy =
        output_of(scan(&cube, Path::new("-"), &INSIDE).args(["--range-noise", "0.001,0.01"]));
    let [distance, measured] = [&exact, &noisy].map(|text| numbers(text, "distance"));
    assert_eq!(measured.len(), 8000);
    let errors = measured.iter().zip(&distance).map(|(found, d)| (found - d) / (0.001 + 0.01 * d));
    let square = errors.map(|x| x * x).sum::<f64>() / 8000.0;
    assert!((square - 1.0).abs() < 5.0 * (2.0_f64 / 8000.0).sqrt(), "{square}");
    let [before, after] =
        [&exact, &noisy].map(|text| ["x", "y", "z"].map(|axis| numbers(text, axis)));
    for (axis, origin) in [0.5, 0.25, 0.5].into_iter().enumerate() {
        for row in 0..8000 {
            let expected = origin + (before[axis][row] - origin) * measured[row] / distance[row];
            assert!((after[axis][row] - expected).abs() < 1e-6);
        }
    }
    assert_eq!(numbers(&exact, "pulse"), numbers(&noisy, "pulse"));
}

#[test]
fn range_loses_pulses_and_beams_at_an_edge_have_two_returns() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let fired = |range: &str| {
        let report = json_of(
            scan(&cube, &folder.path("scan.csv"), &INSIDE)
                .args(["--reference-range", range])
                .arg("--json"),
        );
        ["points", "pulses_lost"].map(|field| report[field].as_u64().expect("a number")).into()
    };
    let shares = ["100", "0.5", "0.1"].map(|range| {
        let (hits, misses) = fired(range);
        assert_eq!(hits + misses, 8000);
        hits
    });
    assert!(shares[0] == 8000 && shares[0] > shares[1] && shares[1] > 4 * shares[2], "{shares:?}");
    // Past the upper edge of the cube, to a wall behind it.
    let edge = folder.file(
        "edge.off",
        "OFF\n7 3 0\n-9 3 -9\n9 3 -9\n9 3 0\n-9 3 0\n-9 7 -9\n9 7 -9\n0 7 40\n3 0 1 2\n3 0 2 3\n3 4 5 6\n",
    );
    let ahead = ["--at", "0,0,0", "--beams", "1", "--elevations", "0,0", "--steps", "1"];
    let text = output_of(scan(&edge, Path::new("-"), &ahead).args([
        "--divergence",
        "5",
        "--resolution",
        "0.5",
        "--returns",
        "all",
    ]));
    let columns = ["distance", "return_number", "return_count", "primitive_id", "pulse"];
    let found = columns
        .map(|name| numbers(&text, name).iter().map(|x| x.round() as i64).collect::<Vec<_>>());
    assert!([[0, 2], [1, 2]].contains(&[found[3][0], found[3][1]]), "{text}");
    assert_eq!(&found[..3], [[3, 7], [1, 2], [2, 2]]);
    assert_eq!(found[4], [0, 0]);
    for (keep, distance, number) in [("first", 3.0, 1.0), ("last", 7.0, 2.0)] {
        let text = output_of(scan(&edge, Path::new("-"), &ahead).args([
            "--divergence",
            "5",
            "--resolution",
            "0.5",
            "--returns",
            keep,
        ]));
        assert_eq!(
            numbers(&text, "distance").iter().map(|x| x.round()).collect::<Vec<_>>(),
            [distance]
        );
        let of = ["return_number", "return_count"].map(|name| numbers(&text, name));
        assert_eq!(of, [[number], [2.0]], "the number is that among all returns of the pulse");
    }
    // In LAS 1.2 a point has both numbers in the lowest six bits of its fifteenth byte.
    let returns = |name: &str, keep: &str| {
        let path = folder.path(name);
        let noise = ["--divergence", "5", "--resolution", "0.5", "--returns", keep];
        scan(&edge, &path, &ahead).args(noise).assert().success();
        let bytes = std::fs::read(&path).expect("a file");
        let start = usize::from(bytes[96]) + 256 * usize::from(bytes[97]);
        bytes[start..]
            .chunks_exact(20)
            .map(|point| [point[14] & 7, point[14] >> 3 & 7])
            .collect::<Vec<_>>()
    };
    assert_eq!(returns("all.las", "all"), [[1, 2], [2, 2]]);
    assert_eq!(returns("last.las", "last"), [[2, 2]]);
    assert_eq!(returns("first.las", "first"), [[1, 2]]);
    let packed = ["--divergence", "5", "--resolution", "0.5", "--returns", "all"];
    scan(&edge, &folder.path("all.laz"), &ahead).args(packed).assert().success();
}

/// Rays as in the summary of `cast`, and pulses by what came back of them, whatever of them is
/// lost, missed or written.
#[test]
fn the_parts_of_a_scan_add_up_to_its_rays_and_pulses() {
    let folder = Folder::new();
    let solid = shipped("gyroid.ply");
    let plain = ["--at", "60,0,0", "--beams", "16", "--steps", "100"];
    let cones = ["--divergence", "8", "--resolution", "0.3", "--returns", "all"];
    for (more, is_lossy) in [
        (&[][..], false),
        (&["--reference-range", "15"][..], true),
        (&cones[..], false),
        (&[&cones[..], &["--reference-range", "15", "--misses"]].concat()[..], true),
    ] {
        let report =
            json_of(scan(&solid, &folder.path("scan.csv"), &plain).args(more).arg("--json"));
        let number = |name: &str| report[name].as_u64().expect("a number");
        let invalid: u64 = report["invalid"]
            .as_object()
            .expect("reasons")
            .values()
            .filter_map(serde_json::Value::as_u64)
            .sum();
        assert_eq!(number("hits") + number("misses") + invalid, number("rays"), "{report}");
        let parts = ["pulses_measured", "pulses_lost", "pulses_missed"].map(number);
        assert_eq!((parts.iter().sum::<u64>(), number("pulses")), (1600, 1600), "{report}");
        assert!(parts[0] > 20 && parts[2] > 20 && (parts[1] > 20) == is_lossy, "{report}");
        assert!(number("points") >= parts[0], "{report}");
        let rows = std::fs::read_to_string(folder.path("scan.csv")).expect("a file").lines().count()
            as u64
            - 1;
        let unmeasured = if more.contains(&"--misses") { parts[1] + parts[2] } else { 0 };
        assert_eq!(rows, number("points") + unmeasured, "{report}");
    }
}

/// A scanner that drives past a wall and turns: the same by a velocity and a yaw rate as by a table
/// of poses.
#[test]
fn a_sweep_is_made_from_where_the_scanner_is_at_each_pulse() {
    let folder = Folder::new();
    let wall = folder
        .file("wall.off", "OFF\n4 2 0\n-99 5 -99\n99 5 -99\n99 5 99\n-99 5 99\n3 0 1 2\n3 0 2 3\n");
    let ahead = [
        "--beams",
        "1",
        "--elevations",
        "0,0",
        "--steps",
        "10",
        "--sector",
        "-45,45",
        "--turn-seconds",
        "1",
    ];
    let moved = output_of(scan(&wall, Path::new("-"), &ahead).args([
        "--at",
        "1,2,0",
        "--velocity",
        "0,1,0",
        "--yaw-rate",
        "90",
    ]));
    // The yaw undoes the turn of the head: it looks to the north-west all the time, from nearer and
    // nearer.
    let expected: Vec<f64> =
        (0..10).map(|step| (3.0 - f64::from(step) / 10.0) * 2.0_f64.sqrt()).collect();
    let close = |a: &[f64], b: &[f64]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    assert!(close(&numbers(&moved, "distance"), &expected), "{moved}");
    let x: Vec<f64> = expected.iter().map(|distance| 1.0 - distance / 2.0_f64.sqrt()).collect();
    assert!(close(&numbers(&moved, "x"), &x), "{moved}");
    let half = 45.0_f64.to_radians();
    let poses = format!(
        "time,x,y,z,qx,qy,qz,qw\n0,1,2,0,0,0,0,1\n1,1,3,0,0,0,{},{}\n",
        half.sin(),
        half.cos()
    );
    let poses = folder.file("poses.csv", poses);
    let carried = output_of(scan(&wall, Path::new("-"), &ahead).arg("--poses").arg(&poses));
    for name in ["distance", "x", "y", "time", "azimuth"] {
        assert!(close(&numbers(&carried, name), &numbers(&moved, name)), "{name}: {carried}");
    }
    let stands = ["--velocity", "1,0,0"];
    let line = error_line(
        scan(&wall, &folder.path("out.csv"), &ahead).arg("--poses").arg(&poses).args(stands),
    );
    assert!(line.contains("--velocity") && line.contains("--poses"), "{line}");
}

#[test]
fn noise_that_cannot_be_is_refused_in_one_line() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let refused = |arguments: &[&str]| {
        error_line(scan(&cube, &folder.path("out.csv"), &["--at", "0,0,2"]).args(arguments))
    };
    let noise = "--range-noise: has a part of -1; it must be finite and not negative";
    assert_eq!(refused(&["--range-noise=-1"]), noise);
    assert!(
        refused(&["--range-noise", "much"])
            .contains("expected a number or two, as in 0.02 or 0.02,0.001")
    );
    assert_eq!(refused(&["--reference-range", "0"]), "--reference-range: is 0; it must be above 0");
    let wide = ["--divergence", "9999", "--resolution", "1"];
    assert_eq!(refused(&wide), "--divergence: is 9999; it must be from 0 to 2000");
    let negative = ["--divergence", "3", "--resolution=-1"];
    assert_eq!(refused(&negative), "--resolution: is -1; it must not be negative");
    assert!(
        refused(&["--divergence", "3"]).contains("--resolution"),
        "the resolution has no default"
    );
    assert!(refused(&["--returns", "all"]).contains("--divergence"));
    let seeded = ["--seed", "0", "--divergence", "3", "--resolution", "1"];
    for arguments in [&seeded[..2], &seeded] {
        assert_eq!(refused(arguments), "--seed: goes with --range-noise and --reference-range");
    }
    let alone =
        error_line(&mut scan(&cube, &folder.path("out.las"), &["--at", "0,0,2", "--misses"]));
    assert_eq!(alone, "--misses: a file of points alone has none for what is not measured");
    let all = ["--at", "0,0,2", "--divergence", "3", "--resolution", "1", "--returns", "all"];
    let alone = error_line(&mut scan(&cube, &folder.path("out.pcd"), &all));
    assert_eq!(alone, "--returns all: a file of points alone does not say which return each is");
    let far = refused(&["--velocity", "1e30,0,0", "--turn-seconds", "10"]);
    assert!(far.starts_with("--velocity: is "), "{far}");
    assert!(!folder.path("out.csv").exists());
}
