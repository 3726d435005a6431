//! `lanecast lidar` with what real scanners have: noise, lost pulses, beams that widen, motion.

use crate::folder::Folder;
use crate::support::{column, numbers};

const INSIDE: &str = "lidar cube.off --at 0.5,0.25,0.5 --beams 16 --steps 500 -fo";

#[test]
fn noise_is_seeded_and_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let cone = "--divergence 8 --resolution 0.3 --returns all";
    let noise = "--range-noise 0.1,0.01 --misses --reference-range 3";
    let scan = format!("lidar data/gyroid.ply --at 0,0,0 --beams 64 --steps 700 {noise} {cone}");
    for name in ["scan.ply", "scan.npz"] {
        let bytes = |threads: &str, seed: &str| {
            let more = format!("--threads {threads} --seed {seed} -fo {name}");
            let report = folder.json(&format!("{scan} {more}"));
            (folder.bytes(name), report)
        };
        let (one, report) = bytes("1", "5");
        // More rays than are made and cast at a time.
        assert_eq!(report["rays"], 64 * 700 * 19);
        let [hits, lost] = ["points", "pulses_lost"].map(|field| report[field].as_u64());
        assert!(hits > Some(10_000) && lost > Some(20_000), "{report}");
        assert!(bytes("2", "5").0 == one, "{name} depends on threads");
        assert!(bytes("2", "6").0 != one, "{name} does not depend on the seed");
    }
}

#[test]
fn a_scan_without_noise_is_the_exact_scan() {
    let folder = Folder::with_cube();
    let bytes = |more: &str| {
        folder.output(&format!("{INSIDE} scan.npz {more}"));
        folder.bytes("scan.npz")
    };
    let exact = bytes("");
    assert!(bytes("--range-noise 0 --seed 9") == exact);
    // All come back, with other intensities.
    let [near, far] =
        ["", "--reference-range 1e9"].map(|more| folder.output(&format!("{INSIDE} - {more}")));
    for name in ["x", "y", "z", "distance", "incidence", "pulse", "primitive_id"] {
        assert_eq!(column(&near, name), column(&far, name), "{name}");
    }
    assert_ne!(column(&near, "intensity"), column(&far, "intensity"));
    assert!(bytes("--velocity 0,0,0 --yaw-rate 0") == exact);
    assert!(bytes("--range-noise 1e-3") != exact);
}

/// Distances of noise are those of the exact scan and an error with the deviation that was asked
/// for, and points are on the beam at that distance.
#[test]
fn range_noise_moves_points_along_their_beams() {
    let folder = Folder::with_cube();
    let [exact, noisy] =
        ["", "--range-noise 0.001,0.01"].map(|more| folder.output(&format!("{INSIDE} - {more}")));
    let [distance, measured] = [&exact, &noisy].map(|text| numbers(text, "distance"));
    assert_eq!(measured.len(), 8000);
    let errors = measured.iter().zip(&distance).map(|(found, d)| (found - d) / (0.001 + 0.01 * d));
    let square = errors.map(|x| x * x).sum::<f64>() / 8000.0;
    assert!((square - 1.0).abs() < 5.0 * (2.0_f64 / 8000.0).sqrt(), "{square}");
    for (axis, origin) in [("x", 0.5), ("y", 0.25), ("z", 0.5)] {
        let [before, after] = [&exact, &noisy].map(|text| numbers(text, axis));
        for row in 0..8000 {
            let expected = origin + (before[row] - origin) * measured[row] / distance[row];
            assert!((after[row] - expected).abs() < 1e-6);
        }
    }
    assert_eq!(column(&exact, "pulse"), column(&noisy, "pulse"));
}

/// Past the upper edge of a wall, to a wall behind it.
#[test]
fn a_beam_at_an_edge_has_two_returns() {
    let folder = Folder::new();
    let edge = "OFF\n7 3 0\n-9 3 -9\n9 3 -9\n9 3 0\n-9 3 0\n-9 7 -9\n9 7 -9\n0 7 40\n3 0 1 2\n3 0 2 3\n3 4 5 6\n";
    folder.file("edge.off", edge);
    let ahead = "lidar edge.off --at 0,0,0 --beams 1 --elevations 0,0 --steps 1 --divergence 5 --resolution 0.5 -fo";
    // The number is that among all returns of the pulse.
    for (keep, distances, returns) in [
        ("all", vec![3.0, 7.0], vec![[1, 2], [2, 2]]),
        ("first", vec![3.0], vec![[1, 2]]),
        ("last", vec![7.0], vec![[2, 2]]),
    ] {
        let text = folder.output(&format!("{ahead} - --returns {keep}"));
        let rounded = |name: &str| numbers(&text, name).iter().map(|x| x.round()).collect();
        let found: [Vec<f64>; 2] = ["distance", "pulse"].map(rounded);
        assert_eq!(found, [distances.clone(), vec![0.0; returns.len()]]);
        let ids = column(&text, "primitive_id");
        let is_told = |(id, distance): (&&str, &f64)| (*id == "2") == (*distance == 7.0);
        assert!(ids.iter().zip(&distances).all(is_told), "{text}");
        let [number, count] = ["return_number", "return_count"].map(|name| column(&text, name));
        let expected = returns.iter().map(|pair| pair.map(|x| x.to_string()));
        assert!(
            expected.eq(number.iter().zip(count).map(|(a, b)| [(*a).to_owned(), b.to_owned()]))
        );
        // In LAS 1.4 a point has both numbers in its fifteenth byte.
        folder.output(&format!("{ahead} scan.las --returns {keep}"));
        let bytes = folder.bytes("scan.las");
        let start = usize::from(bytes[96]) + 256 * usize::from(bytes[97]);
        let length = usize::from(bytes[105]) + 256 * usize::from(bytes[106]);
        let in_las =
            bytes[start..].chunks_exact(length).map(|point| [point[14] & 15, point[14] >> 4]);
        assert_eq!(in_las.collect::<Vec<_>>(), returns);
    }
    folder.output(&format!("{ahead} all.laz --returns all"));
}

/// Rays as in the summary of `cast`, and pulses by what came back of them, whatever of them is
/// lost, missed or written.
#[test]
fn the_parts_of_a_scan_add_up_to_its_rays_and_pulses() {
    let folder = Folder::new();
    let cones = "--divergence 8 --resolution 0.3 --returns all";
    for (more, is_lossy) in [
        ("", false),
        ("--reference-range 15", true),
        (cones, false),
        (&format!("{cones} --reference-range 15 --misses"), true),
    ] {
        let plain = "lidar data/gyroid.ply --at 60,0,0 --beams 16 --steps 100 -fo scan.csv";
        let report = folder.json(&format!("{plain} {more}"));
        let number = |name: &str| report[name].as_u64().expect("a number");
        let reasons = report["invalid"].as_object().expect("reasons").values();
        let invalid: u64 = reasons.filter_map(serde_json::Value::as_u64).sum();
        assert_eq!(number("hits") + number("misses") + invalid, number("rays"), "{report}");
        let parts = ["pulses_measured", "pulses_lost", "pulses_missed"].map(number);
        assert_eq!((parts.iter().sum::<u64>(), number("pulses")), (1600, 1600), "{report}");
        assert!(parts[0] > 20 && parts[2] > 20 && (parts[1] > 20) == is_lossy, "{report}");
        assert!(number("points") >= parts[0], "{report}");
        let rows = folder.bytes("scan.csv").iter().filter(|byte| **byte == b'\n').count() - 1;
        let unmeasured = if more.contains("--misses") { parts[1] + parts[2] } else { 0 };
        assert_eq!(rows as u64, number("points") + unmeasured, "{report}");
    }
}

/// A scanner that drives past a wall and turns: the same by a velocity and a yaw rate as by a table
/// of poses.
#[test]
fn a_sweep_is_made_from_where_the_scanner_is_at_each_pulse() {
    let folder = Folder::new();
    let wall = "OFF\n4 2 0\n-99 5 -99\n99 5 -99\n99 5 99\n-99 5 99\n3 0 1 2\n3 0 2 3\n";
    folder.file("wall.off", wall);
    let half = 45.0_f64.to_radians();
    let last = format!("1,1,3,0,0,0,{},{}", half.sin(), half.cos());
    folder.file("poses.csv", format!("time,x,y,z,qx,qy,qz,qw\n0,1,2,0,0,0,0,1\n{last}\n"));
    let ahead = "lidar wall.off --beams 1 --elevations 0,0 --steps 10 --sector -45,45 --turn-seconds 1 -o -";
    let moved = folder.output(&format!("{ahead} --at 1,2,0 --velocity 0,1,0 --yaw-rate 90"));
    let carried = folder.output(&format!("{ahead} --poses poses.csv"));
    // The yaw undoes the turn of the head: it looks to the north-west all the time, from nearer and
    // nearer.
    let ahead = (0..10).map(|step| 3.0 - f64::from(step) / 10.0);
    let close = |a: &[f64], b: &[f64]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    let distances: Vec<f64> = ahead.clone().map(|y| y * 2.0_f64.sqrt()).collect();
    assert!(close(&numbers(&moved, "distance"), &distances), "{moved}");
    let x: Vec<f64> = ahead.map(|y| 1.0 - y).collect();
    assert!(close(&numbers(&moved, "x"), &x), "{moved}");
    for name in ["distance", "x", "y", "time", "azimuth"] {
        assert!(close(&numbers(&carried, name), &numbers(&moved, name)), "{name}: {carried}");
    }
}
