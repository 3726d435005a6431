//! What AVX2 and AVX-512 share: eight lanes in a 256-bit register.
//!
//! They differ in what a mask is, and in whether there is an instruction that compresses: that is
//! all that `avx2` and `avx512` have to say.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;
use std::fmt::Debug;

use super::lanes::{LANES, Lanes, Mask, Real};

/// How a backend masks lanes.
pub(crate) trait Masking: Copy + Debug {
    /// A yes or no for each lane.
    type Mask: Mask;

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

/// Eight `f32`; comes from a [`Ymm`] only, directly or through another vector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct F32<M>(__m256, Ymm<M>);

/// Eight `u32`; comes from a [`Ymm`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct U32(__m256i);

impl<M: Masking> Lanes for Ymm<M> {
    type F32 = F32<M>;
    type U32 = U32;
    type Mask = M::Mask;

    #[inline(always)]
    fn splat(self, value: f32) -> F32<M> {
        // SAFETY: `self` proves AVX2.
        F32(unsafe { _mm256_set1_ps(value) }, self)
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32<M> {
        // SAFETY: `self` proves AVX2; the array is 32 readable bytes.
        F32(unsafe { _mm256_loadu_ps(values.as_ptr()) }, self)
    }

    #[inline(always)]
    fn store(self, values: F32<M>, into: &mut [f32; LANES]) {
        // SAFETY: `self` proves AVX2; the array is 32 writable bytes.
        unsafe { _mm256_storeu_ps(into.as_mut_ptr(), values.0) }
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

impl<M: Masking> Real for F32<M> {
    type Scalar = f32;
    type Mask = M::Mask;

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: vectors carry a token, which proves AVX2. `vminps` is `a < b ? a : b`.
        Self(unsafe { _mm256_min_ps(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: vectors carry a token, which proves AVX2. `vmaxps` is `a > b ? a : b`.
        Self(unsafe { _mm256_max_ps(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> M::Mask {
        // SAFETY: vectors carry a token, which proves AVX2 and what `M` needs.
        unsafe { M::lt(self.0, other.0) }
    }

    #[inline(always)]
    fn le(self, other: Self) -> M::Mask {
        // SAFETY: vectors carry a token, which proves AVX2 and what `M` needs.
        unsafe { M::le(self.0, other.0) }
    }
}

impl<M: Masking> std::ops::Add for F32<M> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: vectors carry a token, which proves AVX2.
        Self(unsafe { _mm256_add_ps(self.0, other.0) }, self.1)
    }
}

impl<M: Masking> std::ops::Sub for F32<M> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: vectors carry a token, which proves AVX2.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) }, self.1)
    }
}

impl<M: Masking> std::ops::Mul for F32<M> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: vectors carry a token, which proves AVX2.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) }, self.1)
    }
}
