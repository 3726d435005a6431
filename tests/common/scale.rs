//! How large the tests are.

use std::sync::LazyLock;

/// By how much rounds, rays and worlds are multiplied; 1 unless set. `.ci/full` sets it.
const VARIABLE: &str = "LANECAST_TEST_SCALE";

/// So many times what the gate takes, or a quarter of that where nothing is optimised.
pub fn scaled(count: usize) -> usize {
    static SCALE: LazyLock<f64> = LazyLock::new(|| {
        let told = std::env::var(VARIABLE).map_or(1.0, |text| text.parse().expect(VARIABLE));
        if cfg!(debug_assertions) { 0.25 * told } else { told }
    });
    (count as f64 * *SCALE).ceil() as usize
}
