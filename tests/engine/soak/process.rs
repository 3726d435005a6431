//! Tests that run in a process of their own, and its memory.

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs an ignored test of this program by itself.
pub(super) fn process(test: &str, variables: &[(&str, &Path)]) -> Child {
    let program = std::env::current_exe().expect("the program of the tests");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--ignored", "--nocapture"]).envs(variables.iter().copied());
    command.stdout(Stdio::piped()).spawn().expect("a process")
}

/// Waits for it, and expects that its test passed.
pub(super) fn expect_passed(child: Child) {
    let output = child.wait_with_output().expect("its output");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{output:?}");
}

/// Memory of this process in bytes, as Linux reports it: `VmRSS`, what it has now, or `VmHWM`, the
/// most that it has had.
#[cfg(target_os = "linux")]
pub(super) fn memory(which: &str) -> u64 {
    let status =
        std::fs::read_to_string("/proc/self/status").expect("what Linux says of a process");
    let line = status.lines().find_map(|line| line.strip_prefix(which)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    1024 * number.expect("a number")
}
