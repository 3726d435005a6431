//! What a day of use may bring, each by itself: short in the gate, and whole where
//! `LANECAST_SOAK_WHOLE` is set, as `.ci/soak` does.

mod changes;
mod closed;
#[cfg(feature = "scene-files")]
mod files;
mod threads;
mod worlds;

use std::time::{Duration, Instant};

/// How much of something: the first in the gate, the second whole.
fn whole_or(short: u64, whole: u64) -> u64 {
    if std::env::var_os("LANECAST_SOAK_WHOLE").is_some() { whole } else { short }
}

/// Says how far something is, each minute.
struct Pace {
    start: Instant,
    said: Duration,
}

impl Pace {
    fn start() -> Self {
        Self { start: Instant::now(), said: Duration::ZERO }
    }

    fn say(&mut self, what: &str, done: u64, total: u64) {
        let time = self.start.elapsed();
        if time - self.said > Duration::from_secs(60) || done == total {
            eprintln!("{done} of {total} {what}, {:.0} s", time.as_secs_f64());
            self.said = time;
        }
    }
}

/// The memory of this process that is in use, in bytes.
#[cfg(target_os = "linux")]
fn memory() -> u64 {
    let status =
        std::fs::read_to_string("/proc/self/status").expect("what Linux says of a process");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("memory in use");
    let number = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    1024 * number.expect("a number")
}

/// Runs an ignored test of this program in a process of its own.
fn process(test: &str, variables: &[(&str, &std::path::Path)]) -> std::process::Child {
    let program = std::env::current_exe().expect("the program of the tests");
    let mut command = std::process::Command::new(program);
    command.args(["--exact", test, "--ignored", "--nocapture"]).envs(variables.iter().copied());
    command.stdout(std::process::Stdio::piped()).spawn().expect("a process")
}

/// Waits for it, and expects that its test passed.
fn expect_passed(child: std::process::Child) {
    let output = child.wait_with_output().expect("its output");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{output:?}");
}
