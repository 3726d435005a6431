//! Columns as vectors.

use crate::columns::{Columns, PartsOf, Record, Shape};
use crate::simd::{Scalar, Vectors};

/// The records from `start` on, one in each lane; zeros where there are no more.
#[inline(always)]
pub(super) fn load<W: Record, V: Vectors<W::Scalar>>(
    lanes: V,
    columns: &Columns<'_, W>,
    start: usize,
) -> PartsOf<W, V::Real> {
    let mut parts = W::Shape::filled(lanes.splat(W::Scalar::ZERO));
    for place in 0..W::Shape::COUNT {
        let column = W::Shape::at(columns.parts(), place);
        *W::Shape::at_mut(&mut parts, place) = column.load(lanes, start, columns.len());
    }
    parts
}

/// The same with the columns in another order.
#[inline(always)]
pub(super) fn load_in_order<W: Record, V: Vectors<W::Scalar>>(
    lanes: V,
    columns: &Columns<'_, W>,
    order: &PartsOf<W, usize>,
    start: usize,
) -> PartsOf<W, V::Real> {
    let mut parts = W::Shape::filled(lanes.splat(W::Scalar::ZERO));
    for place in 0..W::Shape::COUNT {
        let column = W::Shape::at(columns.parts(), *W::Shape::at(order, place));
        *W::Shape::at_mut(&mut parts, place) = column.load(lanes, start, columns.len());
    }
    parts
}
