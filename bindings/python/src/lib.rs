//! The Python package lanecast: scenes and queries of the engine on NumPy arrays.

// Before all that use its macros.
#[macro_use]
mod options;

mod arrays;
mod building;
mod changes;
mod content;
mod current;
mod errors;
mod fields;
mod gathered;
mod geometry;
mod hits;
mod ids;
mod inside;
mod labels;
mod makers;
mod number;
mod out;
mod picks;
mod points;
mod precision;
mod rays;
mod regions;
mod request;
mod returns;
mod run;
mod scans;
mod scene;
mod sight;
mod terrain;
mod views;

#[pyo3::pymodule]
mod _lanecast {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::makers::{PyMaker, sun_positions};
    #[pymodule_export]
    use super::returns::PyReceiver;
    #[pymodule_export]
    use super::scans::write_returns;
    #[pymodule_export]
    use super::scene::PyScene;

    #[pymodule_export]
    use super::regions::frustum_through;
    #[pymodule_export]
    use super::terrain::{horizon, sky_view, sun_hours, viewshed};

    #[pymodule_export]
    const INVALID_ID: u32 = lanecast::INVALID_ID;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The names of the backends that this machine can run, slowest first.
    ///
    /// >>> lanecast.backends()[0]
    /// 'portable'
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
