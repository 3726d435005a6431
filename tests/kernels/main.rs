//! Tests of lines against single primitives, most of them without a scene: each in every form, on
//! every backend and in both precisions, against the references of `lanecast-reference`.

mod bulk_columns;
mod catalogue;
#[path = "../common/mod.rs"]
mod common;
mod obb;
mod triangle_tests;
