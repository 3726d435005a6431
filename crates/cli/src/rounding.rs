//! The warning that `f32` is too coarse for rays or points.

use crate::mesh::{Meshes, shown};
use crate::precision::Number;
use crate::report;
use lanecast_io::is_moved_too_far;
use std::path::Path;

/// Says once that rounding to f32 moved what is asked by more than the mesh bears.
pub(crate) struct Rounding<'a> {
    /// Where it was given.
    place: &'a Path,
    /// The size of the mesh; 0 where nothing is to be said, or nothing more.
    size: f64,
    is_scene_file: bool,
}

impl<'a> Rounding<'a> {
    pub(crate) fn new<T: Number>(place: &'a Path, meshes: &Meshes<T>) -> Self {
        let size = if T::NAME == "f32" { meshes.size() } else { 0.0 };
        Self { place, size, is_scene_file: meshes.are_of_scene_file() }
    }

    /// Some of it was moved by so much.
    pub(crate) fn look(&mut self, moved: f64) {
        if is_moved_too_far(moved, self.size) {
            self.size = 0.0;
            let (place, moved) = (shown(self.place), moved as f32);
            let [mesh, remedy] =
                if self.is_scene_file { ["scene file", "build it with"] } else { ["mesh", "give"] };
            report::complain(&format!(
                "{place}: coordinates are rounded to f32 and moved by {moved}, more than 1/2,000,000 of the {mesh}'s size; \
                 {remedy} --precision f64"
            ));
        }
    }
}
