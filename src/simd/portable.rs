//! Lanes on `wide`, for every CPU; also the readable definition of every operation.

use wide::f32x8;

use super::lanes::{LANES, Lanes, Mask, Real};

/// Whatever vectors the target is compiled for. Anyone may have this token: it needs no proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

/// Where each lane comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order(u32);

impl Order {
    fn source(self, lane: usize) -> usize {
        (self.0 >> (3 * lane)) as usize % LANES
    }

    fn permute<T: Copy>(self, values: [T; LANES]) -> [T; LANES] {
        std::array::from_fn(|lane| values[self.source(lane)])
    }
}

fn compress<T: Copy>(mask: u8, values: [T; LANES]) -> [T; LANES] {
    let mut packed = values;
    let mut count = 0;
    // Every lane is stored; only a wanted one moves the end on. No branch to mispredict.
    for (lane, value) in values.into_iter().enumerate() {
        packed[count] = value;
        count += usize::from(mask >> lane & 1);
    }
    packed
}

impl Lanes for Portable {
    type F32 = f32x8;
    type U32 = [u32; LANES];
    type Mask = Yes;
    type Order = Order;

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

    #[inline(always)]
    fn store_u32(self, values: [u32; LANES], into: &mut [u32; LANES]) {
        *into = values;
    }

    #[inline(always)]
    fn order(self, packed: u32) -> Order {
        Order(packed)
    }

    #[inline(always)]
    fn permute(self, values: f32x8, order: Order) -> f32x8 {
        f32x8::new(order.permute(values.to_array()))
    }

    #[inline(always)]
    fn permute_u32(self, values: [u32; LANES], order: Order) -> [u32; LANES] {
        order.permute(values)
    }

    #[inline(always)]
    fn compress(self, mask: Yes, values: f32x8) -> f32x8 {
        f32x8::new(compress(mask.bits(), values.to_array()))
    }

    #[inline(always)]
    fn compress_u32(self, mask: Yes, values: [u32; LANES]) -> [u32; LANES] {
        compress(mask.bits(), values)
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
