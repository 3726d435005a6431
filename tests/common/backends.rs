//! Runs a test body on every backend.

use lanecast::Backend;
use std::iter;
use std::sync::OnceLock;

/// Names, separated by commas, the backends that a test run must cover, as in
/// `LANECAST_TEST_BACKENDS=portable,avx2 cargo test --release`.
///
/// Without it a run must cover those that the system says the processor has. lanecast itself is not
/// asked, so that a fault of its own detection is found.
pub const EXPECTED_VARIABLE: &str = "LANECAST_TEST_BACKENDS";

/// The features that each backend needs, by their names in `/proc/cpuinfo`.
#[cfg(target_arch = "x86_64")]
const NEEDED: [(&str, &[&str]); 2] =
    [("avx2", &["avx2"]), ("avx512", &["avx512f", "avx512vl", "avx512bw", "avx512dq"])];
#[cfg(not(target_arch = "x86_64"))]
const NEEDED: [(&str, &[&str]); 0] = [];

/// The backends that this run must cover, slowest first.
fn expected() -> &'static [String] {
    static EXPECTED: OnceLock<Vec<String>> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        if let Ok(named) = std::env::var(EXPECTED_VARIABLE) {
            return named.split(',').map(|name| name.trim().to_owned()).collect();
        }
        // Where the system has no such list, only what every processor runs is sure.
        let system = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = system.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        let has = |feature: &&str| flags.split_whitespace().any(|flag| flag == *feature);
        let fast = NEEDED.iter().filter(|(_, features)| features.iter().all(has));
        iter::once("portable").chain(fast.map(|&(name, _)| name)).map(str::to_owned).collect()
    })
}

/// Every backend of this machine, slowest first.
///
/// # Panics
/// If an expected one is not among them.
pub fn every_backend() -> Vec<Backend> {
    let available: Vec<Backend> = Backend::available().collect();
    for name in expected() {
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
