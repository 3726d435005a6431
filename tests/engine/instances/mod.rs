//! Scenes placed in scenes: held against a scan without boxes, bit for bit, and against every triangle where it is
//! placed, in `f64`.

mod changed;
mod drawn;
mod form;
mod inside;
mod limits;
mod mirrors;
mod mixed;
mod normals;
mod own;
mod scan;
mod selection;
mod sides;
mod triangles;

const RAYS: usize = if cfg!(debug_assertions) { 150 } else { 1_500 };
const NESTS: u64 = if cfg!(debug_assertions) { 12 } else { 40 };
