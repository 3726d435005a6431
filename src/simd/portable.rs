//! Lanes on `wide`, for every CPU; also the readable definition of every operation.

use wide::{f32x8, f64x4, u32x8};

use super::entries::{self, ENTRY_T, MAX_STREAM_RAYS, NO_ENTRY};
use super::halves::Halves;
use super::lanes::{BothPrecisions, Fused, LANES, Lanes, Mask, Real, Rearrange, Vectors, Widening};

/// The vectors that the target is compiled for. The token needs no proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Fused for Portable {
    #[inline(always)]
    fn mul_sub(self, a: f32x8, b: f32x8, c: f32x8) -> f32x8 {
        a * b - c
    }
}

impl Rearrange for Portable {
    #[inline(always)]
    fn pick(self, from: &[f32; 4], places: f32x8) -> f32x8 {
        let mut picked = [0.0; LANES];
        for (lane, place) in picked.iter_mut().zip(places.to_array()) {
            *lane = from[place.to_bits() as usize % 4];
        }
        f32x8::new(picked)
    }

    #[inline(always)]
    fn bytes(self, numbers: f32x8) -> [f32x8; 3] {
        let (mut second, mut third) = (numbers.to_array(), numbers.to_array());
        for lane in 0..LANES {
            second[lane] = f32::from_bits(second[lane].to_bits() >> 8);
            third[lane] = f32::from_bits(third[lane].to_bits() >> 16);
        }
        [numbers, f32x8::new(second), f32x8::new(third)]
    }

    #[inline(always)]
    fn compress_indices(self, bits: u32, numbers: &[u32], mark: u32, into: &mut [u32]) -> usize {
        let (numbers, into) = (&numbers[..LANES], &mut into[..LANES]);
        let mut count = 0;
        for (lane, &number) in numbers.iter().enumerate() {
            into[count % LANES] = number | mark;
            count += (bits >> lane & 1) as usize;
        }
        count
    }

    #[inline(always)]
    fn mask_of_bits(self, bits: u32) -> Yes<f32x8> {
        let mut lanes = [0.0; LANES];
        for (lane, yes) in lanes.iter_mut().enumerate() {
            *yes = f32::from_bits((bits >> lane & 1).wrapping_neg());
        }
        Yes(f32x8::new(lanes))
    }

    #[inline(always)]
    fn unpack(self, entries: &[u32], count: usize, sentinel: u16, numbers: &mut [u32]) -> f32x8 {
        let (entries, numbers) = (&entries[..LANES], &mut numbers[..LANES]);
        let mut t = [0.0; LANES];
        for lane in 0..LANES {
            let entry = if lane < count { entries[lane] } else { sentinel.into() };
            numbers[lane] = entries::number_of(entry).into();
            t[lane] = entries::least_t(entry);
        }
        f32x8::new(t)
    }

    #[inline(always)]
    fn gather_transposed<const K: usize>(
        self,
        table: &[[[f32; 4]; K]],
        place: usize,
        rows: &[u32],
    ) -> [f32x8; 4] {
        let mut columns = [[0.0; LANES]; 4];
        for (lane, &row) in rows[..LANES].iter().enumerate() {
            let quarter = table[row as usize][place];
            for (column, number) in columns.iter_mut().zip(quarter) {
                column[lane] = number;
            }
        }
        let [a, b, c, d] = columns;
        [f32x8::new(a), f32x8::new(b), f32x8::new(c), f32x8::new(d)]
    }

    #[inline(always)]
    fn store_transposed<const K: usize>(self, columns: [f32x8; 4], place: usize, into: &mut [[[f32; 4]; K]]) {
        let [a, b, c, d] = columns;
        let (a, b, c, d) = (a.to_array(), b.to_array(), c.to_array(), d.to_array());
        for (lane, row) in into[..LANES].iter_mut().enumerate() {
            row[place] = [a[lane], b[lane], c[lane], d[lane]];
        }
    }

    // As in `compress_store`, every entry is stored and only a valid one moves the end on.
    #[inline(always)]
    fn compress_hits(self, low: f32x8, high: f32x8, numbers: &[u32], into: &mut [u32]) -> usize {
        let (numbers, into) = (&numbers[..LANES], &mut into[..LANES]);
        let mask = low.le(high).bits();
        let low = low.to_array();
        let mut count = 0;
        for lane in 0..LANES {
            into[count % LANES] = entries::entry(numbers[lane] as u16, low[lane]);
            count += (mask >> lane & 1) as usize;
        }
        count
    }
}

impl Lanes for Portable {
    type F32 = f32x8;
    type U32 = [u32; LANES];
    type Mask = Yes<f32x8>;
    type Widest = Self;

    #[inline(always)]
    fn widest(self) -> Self {
        self
    }

    #[inline(always)]
    fn load_u32(self, values: &[u32; LANES]) -> [u32; LANES] {
        *values
    }

    // Every lane is stored; only a lane of the mask moves the end on. No branch to mispredict.
    #[inline(always)]
    fn compress_store(self, mask: Yes<f32x8>, values: [u32; LANES], into: &mut [u32; LANES]) -> u32 {
        let mask = mask.bits();
        let mut count = 0;
        for (lane, value) in values.into_iter().enumerate() {
            into[count as usize % LANES] = value;
            count += mask >> lane & 1;
        }
        count
    }

    #[inline(always)]
    fn compress_store_in_order(
        self,
        order: u32,
        low: f32x8,
        high: f32x8,
        values: [u32; LANES],
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        let mask = low.le(high).bits();
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

    #[inline(always)]
    fn store_entries(self, low: f32x8, high: f32x8, number: u16, into: &mut [u32; LANES]) {
        let mask: u32x8 = bytemuck::cast(low.le(high).0);
        let t: u32x8 = bytemuck::cast(low);
        let entries = t & u32x8::splat(ENTRY_T) | u32x8::splat(number.into());
        *into = mask.bitselect(entries, u32x8::splat(NO_ENTRY)).to_array();
    }

    #[inline(always)]
    fn compact(self, entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS]) -> usize {
        entries::compact(entries, count, limits)
    }

    #[inline(always)]
    fn compress_columns_in_order(
        self,
        order: u32,
        columns: [[u32; LANES]; 3],
        into: [&mut [u32; LANES]; 3],
    ) -> u32 {
        let mut count = 0;
        for place in 0..LANES {
            let lane = (order >> (3 * place)) as usize % LANES;
            for column in 0..3 {
                into[column][count as usize % LANES] = columns[column][lane];
            }
            count += u32::from(columns[0][lane] != 0);
        }
        count
    }
}

/// All bits of a lane say yes, none says no.
#[derive(Debug, Clone, Copy)]
pub struct Yes<V>(V);

macro_rules! portable {
    ($vector:ident of $lanes:literal $scalar:ident) => {
        impl Vectors<$scalar> for Portable {
            type Real = $vector;
            type Row = [$scalar; $lanes];
            const COUNT: usize = $lanes;

            #[inline(always)]
            fn splat(self, value: $scalar) -> $vector {
                $vector::splat(value)
            }

            #[inline(always)]
            fn load(self, values: &[$scalar; $lanes]) -> $vector {
                $vector::new(*values)
            }

            #[inline(always)]
            fn store(self, values: $vector, into: &mut [$scalar; $lanes]) {
                *into = values.to_array();
            }
        }

        impl Real for $vector {
            type Scalar = $scalar;
            type Mask = Yes<$vector>;

            #[inline(always)]
            fn splat(self, value: $scalar) -> Self {
                $vector::splat(value)
            }

            // `wide` may pick either side on NaN, except where it is one instruction with the rule
            // that is wanted: comparing and choosing takes four in SSE2 and made the slab test half
            // as fast.
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if cfg!(target_feature = "sse2") {
                    self.fast_min(other)
                } else {
                    self.simd_lt(other).select(self, other)
                }
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if cfg!(target_feature = "sse2") {
                    self.fast_max(other)
                } else {
                    other.simd_lt(self).select(self, other)
                }
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Yes<Self> {
                Yes(self.simd_lt(other))
            }

            #[inline(always)]
            fn le(self, other: Self) -> Yes<Self> {
                Yes(self.simd_le(other))
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $vector::abs(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $vector::sqrt(self)
            }

            #[inline(always)]
            fn select(self, mask: Yes<Self>, other: Self) -> Self {
                mask.0.select(self, other)
            }
        }

        impl Mask for Yes<$vector> {
            #[inline(always)]
            fn bits(self) -> u32 {
                self.0.to_bitmask() as u32
            }
        }

        impl std::ops::BitAnd for Yes<$vector> {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl std::ops::BitOr for Yes<$vector> {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::Not for Yes<$vector> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }
    };
}

portable!(f32x8 of 8 f32);
portable!(f64x4 of 4 f64);

impl BothPrecisions for Portable {
    #[inline(always)]
    fn join(self, low: f64x4, high: f64x4) -> Halves<f64x4, 4> {
        Halves(low, high)
    }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [f64x4; 4] {
        let mut columns = [[0.0; 4]; 4];
        for (lane, row) in rows[..4].iter().enumerate() {
            for (column, &number) in columns.iter_mut().zip(&row[first..first + 4]) {
                column[lane] = number;
            }
        }
        let [a, b, c, d] = columns;
        [f64x4::new(a), f64x4::new(b), f64x4::new(c), f64x4::new(d)]
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(self, columns: [f64x4; 4], first: usize, into: &mut [[f64; W]]) {
        let [a, b, c, d] = columns;
        let (a, b, c, d) = (a.to_array(), b.to_array(), c.to_array(), d.to_array());
        for (lane, row) in into[..4].iter_mut().enumerate() {
            row[first..first + 4].copy_from_slice(&[a[lane], b[lane], c[lane], d[lane]]);
        }
    }
}

impl Widening for f32x8 {
    type Wide = Halves<f64x4, 4>;

    #[inline(always)]
    fn widen(self) -> Self::Wide {
        let [a, b, c, d, e, f, g, h] = self.to_array();
        let wide = |a, b, c, d| f64x4::new([f64::from(a), f64::from(b), f64::from(c), f64::from(d)]);
        Halves(wide(a, b, c, d), wide(e, f, g, h))
    }

    #[inline(always)]
    fn mul_sub(a: Self::Wide, b: Self::Wide, c: Self::Wide) -> Self::Wide {
        a * b - c
    }

    #[inline(always)]
    fn narrow(Halves(low, high): Self::Wide) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
        Self::new([a as f32, b as f32, c as f32, d as f32, e as f32, f as f32, g as f32, h as f32])
    }

    #[inline(always)]
    fn narrow_mask(Halves(low, high): Halves<Yes<f64x4>, 4>) -> Yes<Self> {
        let ([a, b, c, d], [e, f, g, h]) = (low.0.to_array(), high.0.to_array());
        // All bits of a lane are alike.
        let half = |lane: f64| f32::from_bits(lane.to_bits() as u32);
        Yes(Self::new([half(a), half(b), half(c), half(d), half(e), half(f), half(g), half(h)]))
    }
}
