//! Every question about rays, points, segments and lines of sight, to scenes drawn at random:
//! triangles, boxes, oriented boxes, spheres and primitives of the caller's own, in instances of
//! instances that turn, stretch, shear and mirror them, on every backend. Held against every shape
//! where it is placed, in `f64`.

mod answers;
mod hits;
mod inside;
mod left_out;
mod pick;
mod sight;

use crate::common::scale::scaled;

const RAYS: usize = 240;

/// As many of each depth, and of each way to leave out.
fn worlds() -> u64 {
    scaled(16).next_multiple_of(8) as u64
}
