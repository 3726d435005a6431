//! What summaries say of time.

use crate::folder::Folder;
use crate::support::{CUBE, json_of, lanecast, output_of};
use assert_cmd::Command;
use std::path::Path;

/// All that is said adds up to no more than what has elapsed, in JSON and in words.
#[test]
fn summaries_tell_the_time_and_what_it_was_spent_on() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-2\n");
    let points = folder.file("points.csv", "x,y,z\n0.25,0.5,2\n");
    let command = |name: &str, inputs: &[&Path], output: &str| {
        let mut command = lanecast();
        command.arg(name).arg(&cube).args(inputs).arg("-fo").arg(folder.path(output));
        command
    };
    let at = |mut command: Command| {
        command.args(["--at", "0.5,0.5,0.5", "--steps", "9"]);
        command
    };
    let commands = [
        (command("cast", &[&rays], "hits.csv"), "cast"),
        (command("points", &[&points], "near.csv"), "answers"),
        (command("sight", &[&points, &points], "sight.npy"), "cast"),
        (command("sight", &[&points, &points], "sight.csv"), "cast"),
        (at(command("lidar", &[], "scan.ply")), "cast"),
        (at(command("lidar", &[], "scan.csv")), "cast"),
        (command("build", &[], "cube.scene"), "check"),
        (command("render", &[], "cube.png"), ""),
    ];
    for (mut command, work) in commands {
        let said = String::from_utf8(command.assert().success().get_output().stderr.clone())
            .expect("UTF-8");
        if !work.is_empty() {
            let words = ["s: read ", "s, tree ", "s, write ", &format!("s, {work} ")];
            assert!(words.iter().all(|word| said.contains(word)), "{said}");
        }
        let json = json_of(command.arg("--json"));
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
fn bench_reports_processor_time_and_how_busy_the_machine_is() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let bench = || {
        let mut command = lanecast();
        command.arg("bench").arg(&cube).args(["--seconds", "0", "--rays", "20000"]);
        command
    };
    let report = json_of(bench().arg("--json"));
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
    assert!(output_of(&mut bench()).contains("  per processor second\n"));
}
