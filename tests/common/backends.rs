//! Runs a test body on every backend.

use lanecast::Backend;

/// Names, separated by commas, the backends that a test run must cover.
///
/// Without it a run must cover all that lanecast has for the target, so that no backend goes
/// untested by accident. On a machine that cannot run them all, say which ones it should:
/// `LANECAST_TEST_BACKENDS=portable,avx2 cargo test --release`.
pub const EXPECTED_VARIABLE: &str = "LANECAST_TEST_BACKENDS";

const ALL_OF_TARGET: &str =
    if cfg!(target_arch = "x86_64") { "portable,avx2,avx512" } else { "portable" };

/// Every backend of this machine, slowest first.
///
/// # Panics
/// If an expected one is not among them.
pub fn every_backend() -> Vec<Backend> {
    let available: Vec<Backend> = Backend::available().collect();
    let expected = std::env::var(EXPECTED_VARIABLE).unwrap_or_else(|_| ALL_OF_TARGET.to_owned());
    for name in expected.split(',').map(str::trim) {
        assert!(
            available.iter().any(|backend| backend.name() == name),
            "backend {name} would go untested: this machine runs only {}. If that is meant to be so, \
             name the backends that the tests must cover in {EXPECTED_VARIABLE}",
            available.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(",")
        );
    }
    available
}

/// The answers of every backend, having checked that they are the same.
pub fn same_on_every_backend<T: PartialEq + std::fmt::Debug>(
    context: impl std::fmt::Debug,
    body: impl Fn(Backend) -> T,
) -> T {
    let backends = every_backend();
    let expected = body(backends[0]);
    for &backend in &backends[1..] {
        let found = body(backend);
        assert!(
            found == expected,
            "{backend} differs from {}\n{backend}: {found:?}\n{}: {expected:?}\nfor {context:?}",
            backends[0],
            backends[0]
        );
    }
    expected
}
