//! Rays prepared for the slab test of nodes, one form per way through the tree.
//!
//! | file | rays |
//! |---|---|
//! | `single` | one ray, eight boxes in lanes |
//! | `record` | rays of a stream and in flight: 32 bytes, gathered from anywhere; eight boxes and one, or a box and many |
//! | `hull` | a group of 64: its hull, and the rays in vectors |
//!
//! [`AabbBlock`](crate::tree::AabbBlock) holds the proof that all of them are conservative.

#[cfg(test)]
#[path = "../../../tests/unit/traverse/slab/conservative.rs"]
mod conservative;
#[cfg(test)]
#[path = "../../../tests/unit/traverse/slab/derivation.rs"]
mod derivation;
#[cfg(test)]
#[path = "../../../tests/unit/traverse/slab/drawn_rays.rs"]
mod drawn_rays;
mod hull;
mod record;
mod single;

pub(crate) use hull::{SlabHull, SlabRays};
pub(crate) use record::{PER_REACH, SlabRecord, SlabVector};
pub(crate) use single::{STRETCHED, SlabAxes, SlabLanes};
