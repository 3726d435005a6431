//! Scenes placed in scenes: held against a scan without boxes, bit for bit, and against every triangle where it is
//! placed, in `f64`.

mod changed;
#[path = "../common/mod.rs"]
mod common;
mod drawn;
mod form;
mod inside;
mod limits;
mod mirrors;
mod mixed;
mod normals;
mod own;
#[path = "../reference/mod.rs"]
mod reference;
mod scan;
mod selection;
mod sides;
mod triangles;

const RAYS: usize = if cfg!(debug_assertions) { 150 } else { 1_500 };
const NESTS: u64 = if cfg!(debug_assertions) { 12 } else { 40 };
