//! Tests of lines against single primitives, without a scene: each in every form, on every backend and in both precisions.
//! A binary beside `engine`, as these two take longest to compile, and are compiled at the same time.

mod bulk_columns;
mod catalogue;
#[path = "../common/mod.rs"]
mod common;
mod obb;
mod triangle_tests;
