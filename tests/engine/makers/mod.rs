//! Rays that are made: each maker against a naive reference in `f64`, any range of rays by itself
//! against the whole, and batches of them against the same rays in memory.

mod cameras;
mod hemisphere;
mod lidar;
mod made;
mod patterns;
mod receiver;
mod refusals;
mod sun;
mod support;
mod wide;
