//! `LANECAST_BACKEND` forces a backend, and says so in words when it cannot.
//!
//! The variable is read once in a process, so every case runs this binary again, as a child
//! that prints what it detected.

use std::process::Command;

use lanecast::{BACKEND_VARIABLE, Backend, Error, SceneBuilder};

/// Set for the child alone.
const CHILD_VARIABLE: &str = "LANECAST_TEST_CHILD";

/// What a process detects when the variable holds `value`, or is not set.
fn detected_with(value: Option<&str>) -> String {
    let this_binary = std::env::current_exe().expect("a path");
    let mut child = Command::new(this_binary);
    child
        .args(["--exact", "backend_choice::report_what_was_detected", "--nocapture"])
        .env(CHILD_VARIABLE, "1");
    match value {
        Some(value) => child.env(BACKEND_VARIABLE, value),
        None => child.env_remove(BACKEND_VARIABLE),
    };
    let output = child.output().expect("the child runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = text.split_once("<<").and_then(|(_, rest)| rest.split_once(">>"));
    let (report, _) = report.unwrap_or_else(|| panic!("no report from the child: {text}"));
    report.to_owned()
}

#[test]
fn report_what_was_detected() {
    if std::env::var_os(CHILD_VARIABLE).is_none() {
        return;
    }
    let detected = Backend::detect();
    let built = SceneBuilder::new().build().map(|scene| scene.backend());
    assert_eq!(detected, built, "a scene runs on what was detected");
    let forced =
        SceneBuilder::new().backend(Backend::PORTABLE).build().map(|scene| scene.backend());
    assert_eq!(forced, Ok(Backend::PORTABLE), "a backend set in code needs no variable");
    let text = detected.map_or_else(|error| error.to_string(), |backend| backend.name().to_owned());
    let mut out = std::io::stdout().lock();
    std::io::Write::write_all(&mut out, format!("<<{text}>>\n").as_bytes())
        .expect("standard output");
}

fn names() -> Vec<&'static str> {
    crate::common::backends::every_backend().into_iter().map(Backend::name).collect()
}

#[test]
fn variable_forces_each_backend_by_name() {
    for name in names() {
        assert_eq!(detected_with(Some(name)), name);
    }
}

#[test]
fn without_the_variable_the_fastest_is_taken() {
    let fastest = *names().last().expect("one at least");
    assert_eq!(detected_with(None), fastest);
    assert_eq!(detected_with(Some("")), fastest, "an empty variable is no variable");
}

#[test]
fn unknown_name_is_an_error_that_lists_the_available_ones() {
    for name in ["sse9", "AVX2", " avx2", "portable,avx2", "auto"] {
        let message = detected_with(Some(name));
        assert!(message.contains(&format!("{name:?}")), "{message}");
        for available in names() {
            assert!(message.contains(available), "{message}");
        }
        assert_eq!(name.parse::<Backend>(), Err(Error::UnknownBackend { name: name.into() }));
    }
}

#[test]
fn every_backend_is_found_by_its_name_and_set_on_a_scene() {
    for backend in crate::common::backends::every_backend() {
        assert_eq!(backend.name().parse(), Ok(backend));
        assert_eq!(backend.to_string(), backend.name());
        let scene = SceneBuilder::new().backend(backend).build();
        assert_eq!(scene.map(|scene| scene.backend()), Ok(backend));
    }
    assert_eq!(Backend::available().next(), Some(Backend::PORTABLE), "slowest first");
}
