//! Every question about rays, points, segments and lines of sight, to scenes drawn at random: triangles, boxes, oriented
//! boxes, spheres and primitives of the caller's own, in instances of instances that turn, stretch, shear and mirror them,
//! on every backend. Held against every shape where it is placed, in `f64`.

mod answers;
mod brute_force;
mod hits;
mod inside;
mod left_out;
mod pick;
mod sight;

const WORLDS: u64 = if cfg!(debug_assertions) { 8 } else { 60 };
const RAYS: usize = if cfg!(debug_assertions) { 80 } else { 600 };
