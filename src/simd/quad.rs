//! Vectors of every CPU, for work on points and boxes that is too small to enter a [`dispatch`](fn@super::dispatch) for.

/// Four `f32`, or three and an unused lane. Every operation is the IEEE 754 one; the result for NaN is unspecified.
pub(crate) use wide::f32x4 as Quad;

/// Three, and 0 in the last lane.
#[inline(always)]
pub(crate) fn of_three([x, y, z]: [f32; 3]) -> Quad {
    Quad::new([x, y, z, 0.0])
}
