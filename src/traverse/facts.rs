//! What the rays of a batch show before they are cast.

use super::plan::BatchFacts;
use super::{order, picture};
use crate::simd::Scalar;
use crate::value::RayBatch;

impl BatchFacts {
    /// Of the rays of a picture, or of others.
    pub(crate) fn of_lines<T: Scalar>(rays: &RayBatch<'_, T>) -> Self {
        Self { row_width: picture::row_width(rays), ..Self::new() }
    }

    /// The same of a batch that is cast at triangles only, and whether its rays are in no order,
    /// which matters there.
    pub(crate) fn of_batch<T: Scalar>(rays: &RayBatch<'_, T>) -> Self {
        Self { in_disorder: order::is_missing(rays), ..Self::of_lines(rays) }
    }
}
