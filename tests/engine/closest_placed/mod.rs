//! What is nearest to points in scenes of scenes and of boxes, oriented boxes and spheres: held
//! against `f64`, against brute force, on every backend.

pub(crate) mod ask;
mod by_hand;
mod callers;
mod drawn;
mod surfaces;

const POINTS: usize = 120;
