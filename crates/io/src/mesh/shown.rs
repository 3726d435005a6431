//! Meshes and models in a line: how much they hold, and never the content.

use super::{Mesh, Model};
use std::fmt::{Debug, Formatter, Result};

impl<T> Debug for Mesh<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut shown = f.debug_struct("Mesh");
        shown.field("name", &self.name).field("vertices", &self.vertices.len());
        shown.field("triangles", &self.triangles.len()).finish_non_exhaustive()
    }
}

impl<T> Debug for Model<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut shown = f.debug_struct("Model");
        shown.field("name", &self.name).field("meshes", &self.meshes.len());
        shown.field("placements", &self.placements.len()).field("remarks", &self.remarks.len());
        shown.finish_non_exhaustive()
    }
}
