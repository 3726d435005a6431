//! Lanes of the portable backend on `wide`, for every CPU; with the default methods of the traits the
//! readable definition of every operation.

use std::array::from_fn;

use wide::{f32x8, f64x4, u32x8};

use super::entries::{self, MAX_STREAM_RAYS};
use super::halves::{Halves, Yes};
use super::lanes::{BothPrecisions, LANES, Lanes, Mask, Real, Rearrange, Vectors, Widening};
use super::macros::{inlined, real};
use super::map_each::MapEach;
use super::portable::Portable;

impl Rearrange for Portable {
    type U32 = [u32; LANES];

    inlined! {
        fn load_u32(self, values: &[u32]) -> [u32; LANES] = *values.first_chunk().expect("a vector");
        fn store_u32(self, values: [u32; LANES], into: &mut [u32]) -> () = into[..LANES].copy_from_slice(&values);
        fn splat_u32(self, value: u32) -> [u32; LANES] = [value; LANES];
        fn and(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] = (u32x8::new(a) & u32x8::new(b)).to_array();
        fn or(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] = (u32x8::new(a) | u32x8::new(b)).to_array();
        fn to_bits(self, values: f32x8) -> [u32; LANES] = bytemuck::cast(values);
        fn of_bits(self, bits: [u32; LANES]) -> f32x8 = bytemuck::cast(bits);
        fn shift_down(self, values: [u32; LANES], by: u32) -> [u32; LANES] = values.map_each(|value| value >> by);
        fn gather(self, from: &[f32; MAX_STREAM_RAYS], places: [u32; LANES]) -> f32x8 =
            f32x8::new(places.map_each(|place| from[place as usize % MAX_STREAM_RAYS]));
        fn pick(self, from: &[f32; 4], places: f32x8) -> f32x8 =
            f32x8::new(places.to_array().map_each(|place| from[place.to_bits() as usize % 4]));
        fn mask_of_bits(self, bits: u32) -> Yes<f32x8> =
            Yes(f32x8::new(from_fn(|lane| f32::from_bits((bits >> lane & 1).wrapping_neg()))));
        fn first(self, count: u32) -> Yes<f32x8> = self.mask_of_bits(!u32::MAX.checked_shl(count).unwrap_or(0));
    }

    // Every lane is stored; only a set bit moves the end on. No branch to mispredict.
    #[inline(always)]
    fn compress_store_bits(self, bits: u32, values: [u32; LANES], into: &mut [u32]) -> u32 {
        let into = &mut into[..LANES];
        let mut count = 0;
        for (lane, value) in values.into_iter().enumerate() {
            into[count as usize % LANES] = value;
            count += bits >> lane & 1;
        }
        count
    }

    #[inline(always)]
    fn store_transposed<const K: usize>(
        self,
        columns: [f32x8; 4],
        place: usize,
        into: &mut [[[f32; 4]; K]],
    ) {
        let [a, b, c, d] = columns.map_each(f32x8::to_array);
        for (lane, row) in into[..LANES].iter_mut().enumerate() {
            row[place] = [a[lane], b[lane], c[lane], d[lane]];
        }
    }
}

impl Lanes for Portable {
    type F32 = f32x8;
    type Mask = Yes<f32x8>;
    type Widest = Self;

    inlined! { fn widest(self) -> Self = self; }

    #[inline(always)]
    fn take_least(self, mask: Yes<f32x8>, values: f32x8) -> (usize, f32x8) {
        let mask = mask.bits();
        let mut values = values.to_array();
        let mut at = mask.trailing_zeros() as usize % LANES;
        for lane in 0..LANES {
            if mask >> lane & 1 == 1 && values[lane] < values[at] {
                at = lane;
            }
        }
        values[at] = f32::NAN;
        (at, f32x8::new(values))
    }

    // One at a time, which also defines it.
    #[inline(always)]
    fn compact(self, entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS]) -> usize {
        let mut kept = 0;
        for place in 0..count {
            let entry = entries[place];
            entries[kept] = entry;
            kept += usize::from(
                entries::least_t(entry) <= limits[usize::from(entries::number_of(entry))],
            );
        }
        kept
    }
}

macro_rules! portable {
    ($vector:ident of $lanes:literal $scalar:ident) => {
        impl Vectors<$scalar> for Portable {
            type Real = $vector;
            type Row = [$scalar; $lanes];
            type Bytes = [u8; $lanes];
            const COUNT: usize = $lanes;

            inlined! {
                fn splat(self, value: $scalar) -> $vector = $vector::splat(value);
                fn load(self, values: &[$scalar; $lanes]) -> $vector = $vector::new(*values);
                fn store(self, values: $vector, into: &mut [$scalar; $lanes]) -> () = *into = values.to_array();
            }
        }

        // `wide` may pick either side on NaN, except where it is one instruction with the rule that
        // is wanted: comparing and choosing takes four in SSE2 and made the slab test half as fast.
        real!([] $vector: $scalar, Yes<$vector>, |a, b|
            splat $vector::splat(b),
            min if cfg!(target_feature = "sse2") { a.fast_min(b) } else { a.simd_lt(b).select(a, b) },
            max if cfg!(target_feature = "sse2") { a.fast_max(b) } else { b.simd_lt(a).select(a, b) },
            lt Yes(a.simd_lt(b)),
            le Yes(a.simd_le(b)),
            abs $vector::abs(a),
            sqrt $vector::sqrt(a),
            select(mask) mask.0.select(a, b)
        );

        impl Mask for Yes<$vector> {
            inlined! { fn bits(self) -> u32 = self.0.to_bitmask() as u32; }
        }
    };
}

portable!(f32x8 of 8 f32);
portable!(f64x4 of 4 f64);

impl BothPrecisions for Portable {
    inlined! { fn join(self, low: f64x4, high: f64x4) -> Halves<f64x4, 4> = Halves(low, high); }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [f64x4; 4] {
        let row = |lane: usize| *rows[lane][first..].first_chunk().expect("four numbers");
        f64x4::transpose([0, 1, 2, 3].map_each(|lane| f64x4::new(row(lane))))
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(
        self,
        columns: [f64x4; 4],
        first: usize,
        into: &mut [[f64; W]],
    ) {
        for (row, numbers) in into[..4].iter_mut().zip(f64x4::transpose(columns)) {
            row[first..first + 4].copy_from_slice(&numbers.to_array());
        }
    }
}

impl Widening for f32x8 {
    type Wide = Halves<f64x4, 4>;

    #[inline(always)]
    fn widen(self) -> Self::Wide {
        let [low, high]: [[f64; 4]; 2] = bytemuck::cast(self.to_array().map_each(f64::from));
        Halves(f64x4::new(low), f64x4::new(high))
    }

    #[inline(always)]
    fn narrow(Halves(low, high): Self::Wide) -> Self {
        let wide: [f64; LANES] = bytemuck::cast([low, high]);
        Self::new(wide.map_each(|lane| lane as f32))
    }

    #[inline(always)]
    fn narrow_mask(Halves(low, high): Halves<Yes<f64x4>, 4>) -> Yes<Self> {
        let wide: [u64; LANES] = bytemuck::cast([low.0, high.0]);
        // All bits of a lane are alike.
        Yes(Self::new(wide.map_each(|lane| f32::from_bits(lane as u32))))
    }
}
