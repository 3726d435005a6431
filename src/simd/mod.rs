//! Lanes: the few operations the kernels use, and the CPUs they run on.
//!
//! A new backend is a file that implements [`Lanes`] and its lines in [`dispatch`] and
//! [`Backend`]. This module is the only home of intrinsics.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod backend;
mod bits;
mod dispatch;
mod entries;
mod float_mode;
mod halves;
mod lanes;
mod plain;
mod portable;
mod prefetch;
mod quad;
mod scalar;
#[cfg(test)]
#[path = "../../tests/unit/simd/tests.rs"]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
mod ymm;

pub use backend::{BACKEND_VARIABLE, Backend};
pub(crate) use bits::set_bits;
pub(crate) use dispatch::{Kernel, VectorKernel, call, dispatch, dispatch_in_block, dispatch_widest};
#[cfg(test)]
pub(crate) use entries::entry;
pub(crate) use entries::{MAX_LANES, MAX_STREAM_RAYS, NO_ENTRY, least_t, number_of};
pub(crate) use float_mode::with_default_float_mode;
pub(crate) use lanes::{
    BothPrecisions, Fused, LANES, LANES_OF, Lanes, Mask, Real, Rearrange, Vectors, Widening,
};
pub(crate) use plain::plain_numbers;
pub(crate) use prefetch::{LINE, PER_LINE, prefetch};
pub(crate) use quad::Quad;
pub use scalar::Scalar;
pub(crate) use scalar::Single;
