//! Primitives where they are placed, in `f64`, for questions about points: how far they are from a
//! point. Questions about rays are answered by [`crate::brute_force`], in the frame that holds the
//! primitive.

pub mod frame;
pub mod nearest;
pub mod region;
pub mod shape;
