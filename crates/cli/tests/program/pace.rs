//! What summaries say of time.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{points, rays};

/// All that is said adds up to no more than what has elapsed, in JSON and in words.
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
        assert!(parts.iter().sum::<f64>() <= seconds("elapsed").expect("the time"), "{json}");
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
