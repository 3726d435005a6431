//! Tests of lines against single primitives, most of them without a scene: each in every form, on
//! every backend and in both precisions, against the references of this package. They take longest
//! to compile.

mod bulk_columns;
mod catalogue;
#[path = "../../../../tests/common/mod.rs"]
mod common;
mod obb;
mod triangle_tests;
