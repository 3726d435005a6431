//! The Python package lanecast: scenes and queries of the engine on NumPy arrays.

mod arrays;
mod errors;
mod geometry;
mod hits;
mod rays;
mod run;
mod scene;

#[pyo3::pymodule]
mod _lanecast {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::scene::PyScene;

    #[pymodule_export]
    const INVALID_ID: u32 = lanecast::INVALID_ID;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The backends that this machine can run, slowest first.
    #[pyfunction]
    fn backends() -> Vec<&'static str> {
        lanecast::Backend::available().map(lanecast::Backend::name).collect()
    }

    /// The column of rays, or of the others, that was meant by a name that is none of them.
    #[pyfunction]
    #[pyo3(name = "_meant_ray_column")]
    fn meant_ray_column(name: &str) -> Option<&'static str> {
        lanecast_io::meant_ray_column(name, &["origin", "direction"])
    }
}
