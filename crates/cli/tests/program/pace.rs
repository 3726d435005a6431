//! What summaries say of time.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{json_of, points, rays};

/// All that is said adds up to what has elapsed.
#[test]
fn summaries_tell_the_time_and_what_it_was_spent_on() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0.25,0.5,2,0,0,-2"));
    folder.file("points.csv", points("0.25,0.5,2"));
    for (line, work) in [
        ("cast cube.off rays.csv -fo hits.csv", "cast"),
        ("points cube.off points.csv -fo near.csv", "answers"),
        ("sight cube.off points.csv points.csv -fo sight.npy", "cast"),
        ("sight cube.off points.csv points.csv -fo sight.csv", "cast"),
        ("lidar cube.off -fo scan.ply --at 0.5,0.5,0.5 --steps 9", "cast"),
        ("lidar cube.off -fo scan.csv --at 0.5,0.5,0.5 --steps 9", "cast"),
        ("build cube.off -fo cube.scene", "check"),
        ("cast cube.scene rays.csv -fo hits.csv", "cast"),
        ("points cube.scene points.csv -fo near.csv", "answers"),
        ("render cube.off -fo cube.png", ""),
    ] {
        let said = folder.said(line);
        if !work.is_empty() {
            for word in ["s: read ", "s, tree ", "s, write ", &format!("s, {work} ")] {
                assert!(said.contains(word), "{word}: {said}");
            }
        }
        let json = folder.json(line);
        let seconds = |name: &str| json[format!("{name}_seconds")].as_f64();
        let parts = ["read", "build", "cast", "query", "write", "check"];
        let parts: Vec<f64> = parts.into_iter().filter_map(seconds).collect();
        assert!(parts.len() >= 4 && parts.iter().all(|part| *part >= 0.0), "{json}");
        assert!(seconds("write") > Some(0.0) && seconds("read") > Some(0.0), "{json}");
        let (sum, elapsed) = (parts.iter().sum::<f64>(), seconds("elapsed").expect("the time"));
        match seconds("other") {
            Some(other) => assert!(other >= 0.0 && (sum + other - elapsed).abs() < 1e-9, "{json}"),
            None => assert!(sum <= elapsed, "{json}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn bench_tells_the_time_of_the_processor_and_if_it_is_busy() {
    let folder = Folder::with_cube();
    let line = "bench cube.off --seconds 0 --rays 20000";
    // Threads that go to sleep after a call take time of the processor: beside medians of many
    // calls that is little, beside one call of a fifth of a millisecond it may be half.
    let report = folder.json("bench cube.off --seconds 0.1 --rays 100000");
    let share = report["processor_share"].as_f64().expect("a share");
    assert!(share > 0.0 && share <= 1.0, "{report}");
    for case in report["cases"].as_array().expect("cases") {
        let [by_clock, by_processor] =
            ["million_rays_per_second", "million_rays_per_processor_second"]
                .map(|name| case[name].as_f64().expect("a rate"));
        // One thread is no longer at work than the clock goes, but for what the clocks round.
        assert!(by_clock > 0.0 && by_processor > 0.0, "{case}");
        assert!(case["threads"] != 1 || by_processor >= 0.8 * by_clock, "{case}");
    }
    assert_reads(&folder.output(line), "…  per processor second\n…");
}

/// A cast at a cube is shorter than the time for which another program has the processor.
#[cfg(target_os = "linux")]
#[test]
fn bench_says_that_the_machine_is_busy_at_a_small_mesh() {
    let folder = Folder::with_cube();
    let program = assert_cmd::cargo::cargo_bin!("lanecast").display().to_string();
    let bench = format!("'{program}' bench cube.off --seconds 1 --rays 20000 --json");
    // Both on one processor, whichever this thread may run on.
    let script = format!("while :; do :; done & busy=$!; {bench}; kill $busy");
    let allowed = std::fs::read_to_string("/proc/self/status").expect("a status");
    let allowed = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let first = allowed.and_then(|list| list.trim().split(['-', ',']).next()).expect("a number");
    let mut command = assert_cmd::Command::new("taskset");
    command.current_dir(folder.path("")).args(["-c", first, "sh", "-c", &script]);
    let report = json_of(&mut command);
    let share = report["processor_share"].as_f64().expect("a share");
    assert!(share < 0.9, "{report}");
}
