//! The name of a primitive.

use std::cmp::Ordering;

use super::INVALID_ID;

/// The ids of a primitive, in the order of instance, with those in no instance first, then geometry, then primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PrimitiveIds {
    /// The [instance](crate::SceneBuilder::instance), as in [`Hit`](crate::Hit), or [`INVALID_ID`].
    pub instance_id: u32,
    /// The geometry within its scene.
    pub geometry_id: u32,
    /// The primitive within its geometry.
    pub primitive_id: u32,
}

impl PrimitiveIds {
    /// The instance as an option: `None` for the scene itself.
    pub fn instance(&self) -> Option<u32> {
        (self.instance_id != INVALID_ID).then_some(self.instance_id)
    }

    fn key(&self) -> (u32, u32, u32) {
        (self.instance_id.wrapping_add(1), self.geometry_id, self.primitive_id)
    }
}

impl Ord for PrimitiveIds {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for PrimitiveIds {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
