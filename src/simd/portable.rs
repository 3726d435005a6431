//! Lanes on `wide`, for every CPU; also the readable definition of every operation.

use wide::f32x8;

use super::lanes::{LANES, Lanes, Mask, Real};

/// Whatever vectors the target is compiled for. Anyone may have this token: it needs no proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Lanes for Portable {
    type F32 = f32x8;
    type U32 = [u32; LANES];
    type Mask = Yes;

    #[inline(always)]
    fn splat(self, value: f32) -> f32x8 {
        f32x8::splat(value)
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> f32x8 {
        f32x8::new(*values)
    }

    #[inline(always)]
    fn store(self, values: f32x8, into: &mut [f32; LANES]) {
        *into = values.to_array();
    }

    #[inline(always)]
    fn load_u32(self, values: &[u32; LANES]) -> [u32; LANES] {
        *values
    }

    // Every lane is written; only a wanted one moves the end on. No branch to mispredict.
    #[inline(always)]
    fn keep(self, mask: Yes, values: [u32; LANES], into: &mut [u32; LANES]) -> u32 {
        let mask = u32::from(mask.bits());
        let mut count = 0;
        for (lane, value) in values.into_iter().enumerate() {
            into[count as usize % LANES] = value;
            count += mask >> lane & 1;
        }
        count
    }

    #[inline(always)]
    fn keep_in_order(
        self,
        order: u32,
        low: f32x8,
        high: f32x8,
        values: [u32; LANES],
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        let mask = u32::from(low.le(high).bits());
        let low = low.to_array();
        let mut count = 0;
        for place in 0..LANES {
            let lane = (order >> (3 * place)) as usize % LANES;
            into.0[count as usize % LANES] = low[lane];
            into.1[count as usize % LANES] = values[lane];
            count += mask >> lane & 1;
        }
        count
    }
}

impl Real for f32x8 {
    type Scalar = f32;
    type Mask = Yes;

    // `wide` may pick either side on NaN, except where it is one instruction with the rule that is
    // wanted: comparing and choosing takes four in SSE2 and made the slab test half as fast.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if cfg!(target_feature = "sse") {
            self.fast_min(other)
        } else {
            self.simd_lt(other).select(self, other)
        }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if cfg!(target_feature = "sse") {
            self.fast_max(other)
        } else {
            other.simd_lt(self).select(self, other)
        }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Yes {
        Yes(self.simd_lt(other))
    }

    #[inline(always)]
    fn le(self, other: Self) -> Yes {
        Yes(self.simd_le(other))
    }
}

/// All bits of a lane say yes, none says no.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(f32x8);

impl Mask for Yes {
    #[inline(always)]
    fn bits(self) -> u8 {
        self.0.to_bitmask() as u8
    }
}

impl std::ops::BitAnd for Yes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
