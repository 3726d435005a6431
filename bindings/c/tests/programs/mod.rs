//! Programs in C and C++ that tests compile and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the libraries: that of the tests, where `cargo test` builds them. Those one above are
/// the last ones of `cargo build`.
pub(crate) fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    test.parent().expect("the folder of the tests").to_owned()
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

pub(crate) fn expect_success(command: &mut Command) -> Output {
    let output = run(command);
    let text = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}\n{}\n{}", text[0], text[1]);
    output
}

/// Those of two compilers that are there.
pub(crate) fn there(compilers: [&'static str; 2]) -> Vec<&'static str> {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let found: Vec<_> = compilers.into_iter().filter(is_there).collect();
    assert!(!found.is_empty(), "one of the compilers {compilers:?} is needed");
    found
}
