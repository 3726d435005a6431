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

    /// The same of rays that are cast at triangles only, where their order matters.
    pub(crate) fn of_order<T: Scalar>(rays: &RayBatch<'_, T>) -> Self {
        Self { in_disorder: order::is_missing(rays), ..Self::of_lines(rays) }
    }
}
