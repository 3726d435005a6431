//! Lanes on AVX2: 256-bit registers, masks as vectors.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::lanes::{LANES, Lanes, Mask, Real};

/// Proof that the CPU has AVX2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Safe to call where AVX2 is enabled, which is inside the entry function and nowhere else.
    #[target_feature(enable = "avx2")]
    pub(super) fn token() -> Self {
        Self(())
    }
}

/// Eight `f32`; comes from an [`Avx2`] only, directly or through another vector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct F32(__m256);

/// Eight `u32`; comes from an [`Avx2`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct U32(__m256i);

/// All bits of a lane say yes, none says no; comes from a comparison of [`F32`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(__m256);

/// Lane numbers for `vpermd`, which reads the low three bits of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order(__m256i);

/// For each mask, the lanes it names from the lowest to the highest; AVX2 has no compress.
static COMPRESSED: [[u32; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < table.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                table[mask][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

impl Avx2 {
    #[inline(always)]
    fn compressing(self, mask: Yes) -> Order {
        Order(self.load_u32(&COMPRESSED[usize::from(mask.bits())]).0)
    }
}

impl Lanes for Avx2 {
    type F32 = F32;
    type U32 = U32;
    type Mask = Yes;
    type Order = Order;

    #[inline(always)]
    fn splat(self, value: f32) -> F32 {
        // SAFETY: `self` proves AVX2.
        F32(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32 {
        // SAFETY: `self` proves AVX2; the array is 32 readable bytes.
        F32(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: F32, into: &mut [f32; LANES]) {
        // SAFETY: `self` proves AVX2; the array is 32 writable bytes.
        unsafe { _mm256_storeu_ps(into.as_mut_ptr(), values.0) }
    }

    #[inline(always)]
    fn load_u32(self, values: &[u32; LANES]) -> U32 {
        // SAFETY: `self` proves AVX2; the array is 32 readable bytes.
        U32(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store_u32(self, values: U32, into: &mut [u32; LANES]) {
        // SAFETY: `self` proves AVX2; the array is 32 writable bytes.
        unsafe { _mm256_storeu_si256(into.as_mut_ptr().cast(), values.0) }
    }

    #[inline(always)]
    fn order(self, packed: u32) -> Order {
        // SAFETY: `self` proves AVX2.
        Order(unsafe {
            let shifts = _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21);
            _mm256_srlv_epi32(_mm256_set1_epi32(packed.cast_signed()), shifts)
        })
    }

    #[inline(always)]
    fn permute(self, values: F32, order: Order) -> F32 {
        // SAFETY: `self` proves AVX2.
        F32(unsafe { _mm256_permutevar8x32_ps(values.0, order.0) })
    }

    #[inline(always)]
    fn permute_u32(self, values: U32, order: Order) -> U32 {
        // SAFETY: `self` proves AVX2.
        U32(unsafe { _mm256_permutevar8x32_epi32(values.0, order.0) })
    }

    #[inline(always)]
    fn compress(self, mask: Yes, values: F32) -> F32 {
        self.permute(values, self.compressing(mask))
    }

    #[inline(always)]
    fn compress_u32(self, mask: Yes, values: U32) -> U32 {
        self.permute_u32(values, self.compressing(mask))
    }
}

impl Real for F32 {
    type Scalar = f32;
    type Mask = Yes;

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: vectors come from a token, which proves AVX2. `vminps` is `a < b ? a : b`.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: vectors come from a token, which proves AVX2. `vmaxps` is `a > b ? a : b`.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Yes {
        // SAFETY: vectors come from a token, which proves AVX2.
        Yes(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn le(self, other: Self) -> Yes {
        // SAFETY: vectors come from a token, which proves AVX2.
        Yes(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) })
    }
}

impl Mask for Yes {
    #[inline(always)]
    fn bits(self) -> u8 {
        // SAFETY: masks come from vectors, which come from a token, which proves AVX2.
        unsafe { _mm256_movemask_ps(self.0) as u8 }
    }
}

impl std::ops::BitAnd for Yes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: masks come from vectors, which come from a token, which proves AVX2.
        Self(unsafe { _mm256_and_ps(self.0, other.0) })
    }
}

impl std::ops::Add for F32 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: vectors come from a token, which proves AVX2.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl std::ops::Sub for F32 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: vectors come from a token, which proves AVX2.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl std::ops::Mul for F32 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: vectors come from a token, which proves AVX2.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}
