//! What AVX2 and AVX-512 share: eight lanes in a 256-bit register.
//!
//! They differ in what a mask is, and in whether there is an instruction that compresses: that is
//! all that `avx2` and `avx512` have to say.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;
use std::fmt::Debug;

use super::lanes::{LANES, Lanes, Mask, Real, Vectors};
use super::vector::vector;

/// How a backend masks eight lanes, and what its widest vectors are.
pub(crate) trait Masking: Copy + Debug + Send + Sync {
    /// A yes or no for each lane.
    type Mask: Mask;
    /// The token of the widest vectors.
    type Widest: Vectors<f32> + Vectors<f64>;

    /// The token of the widest vectors.
    fn widest(proof: Ymm<Self>) -> Self::Widest;

    /// `a < b`, lane by lane.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn lt(a: __m256, b: __m256) -> Self::Mask;

    /// `a ≤ b`, lane by lane.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn le(a: __m256, b: __m256) -> Self::Mask;

    /// `mask ? a : b`, lane by lane.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn select(mask: Self::Mask, a: __m256, b: __m256) -> __m256;

    /// The lanes named by `mask`, moved to the front in their order.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn compress(mask: Self::Mask, values: __m256i) -> __m256i;
}

/// Proof that the CPU has AVX2 and what `M` needs beside it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ymm<M>(M);

impl<M> Ymm<M> {
    /// A token for the instructions of `masking`.
    ///
    /// # Safety
    /// The CPU has AVX2 and the instructions of `M`.
    pub(super) const unsafe fn new(masking: M) -> Self {
        Self(masking)
    }
}

vector!(
    /// Eight `f32`.
    F32<M: Masking>: 8 f32 in __m256, proof Ymm<M>, mask M::Mask,
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps
    _mm256_div_ps _mm256_min_ps _mm256_max_ps _mm256_sqrt_ps,
    lt(a, b) = M::lt(a, b),
    le(a, b) = M::le(a, b),
    abs(a) = _mm256_andnot_ps(_mm256_set1_ps(-0.0), a),
    select(mask, a, b) = M::select(mask, a, b)
);

/// Eight `u32`; comes from a [`Ymm`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct U32(__m256i);

impl<M: Masking> Lanes for Ymm<M> {
    type F32 = F32<M>;
    type U32 = U32;
    type Mask = M::Mask;
    type Widest = M::Widest;

    #[inline(always)]
    fn widest(self) -> M::Widest {
        M::widest(self)
    }

    #[inline(always)]
    fn load_u32(self, values: &[u32; LANES]) -> U32 {
        // SAFETY: `self` proves AVX2; the array is 32 readable bytes.
        U32(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn keep(self, mask: M::Mask, values: U32, into: &mut [u32; LANES]) -> u32 {
        // SAFETY: `self` proves AVX2 and what `M` needs; the array is 32 writable bytes.
        unsafe { _mm256_storeu_si256(into.as_mut_ptr().cast(), M::compress(mask, values.0)) };
        mask.bits().count_ones()
    }

    #[inline(always)]
    fn keep_in_order(
        self,
        order: u32,
        low: F32<M>,
        high: F32<M>,
        values: U32,
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        // SAFETY: `self` proves AVX2 and what `M` needs; the array is 32 writable bytes.
        unsafe {
            // `vpermd` reads the low three bits of each lane number.
            let shifts = _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21);
            let order = _mm256_srlv_epi32(_mm256_set1_epi32(order.cast_signed()), shifts);
            let low = _mm256_permutevar8x32_ps(low.0, order);
            let high = _mm256_permutevar8x32_ps(high.0, order);
            let values = _mm256_permutevar8x32_epi32(values.0, order);
            let mask = M::le(low, high);
            let low = M::compress(mask, _mm256_castps_si256(low));
            _mm256_storeu_si256(into.0.as_mut_ptr().cast(), low);
            self.keep(mask, U32(values), into.1)
        }
    }
}
