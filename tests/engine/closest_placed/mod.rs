//! What is nearest to points in scenes of scenes and of boxes, oriented boxes and spheres: held against `f64`, against brute
//! force, on every backend.

mod ask;
mod by_hand;
mod callers;
mod drawn;
mod surfaces;

const POINTS: usize = if cfg!(debug_assertions) { 40 } else { 600 };
