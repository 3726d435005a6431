//! The triangle.

mod tree;

pub use tree::{Culling, TriangleBlock, TriangleHits};
