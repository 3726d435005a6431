//! The Python package lanecast: scenes and queries of the engine on NumPy arrays.

mod arrays;
mod changes;
mod content;
mod current;
mod errors;
mod geometry;
mod hits;
mod inside;
mod labels;
mod picks;
mod points;
mod rays;
mod regions;
mod run;
mod scene;
mod sight;
mod views;

#[pyo3::pymodule]
mod _lanecast {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::scene::PyScene;

    #[pymodule_export]
    use super::regions::frustum_through;

    #[pymodule_export]
    const INVALID_ID: u32 = lanecast::INVALID_ID;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The backends that this machine can run, slowest first.
    #[pyfunction]
    fn backends() -> Vec<&'static str> {
        lanecast::Backend::available().map(lanecast::Backend::name).collect()
    }
}
