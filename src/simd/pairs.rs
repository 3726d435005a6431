//! Lanes of the portable backend where the target has NEON or SIMD128: pairs of 128-bit registers.
//! Arithmetic is that of `wide`; what it takes long for is in `neon.rs` and `simd128.rs`.

use wide::{f32x4, f64x2, u32x4};

use super::compressed::compressed;
use super::entries::MAX_STREAM_RAYS;
use super::halves::{Halves, Yes};
use super::lanes::{BothPrecisions, LANES, Lanes, Mask, Real, Rearrange, Vectors, Widening};
use super::macros::{inlined, real};
use super::map_each::MapEach;
use super::portable::Portable;

#[cfg_attr(target_arch = "aarch64", path = "neon.rs")]
#[cfg_attr(target_arch = "wasm32", path = "simd128.rs")]
mod registers;

type F32 = Halves<f32x4, 4>;
type Mask32 = Halves<Yes<f32x4>, 4>;
type F64 = Halves<f64x2, 2>;
type Mask64 = Halves<Yes<f64x2>, 2>;
type Wide = Halves<F64, 4>;
/// Eight integers, or the numbers of 32 bytes in two registers.
type U32 = [u32x4; 2];

/// The first lanes of a pair, and the last.
const NUMBERS: U32 = [u32x4::new([0, 1, 2, 3]), u32x4::new([4, 5, 6, 7])];

/// Times the number of a lane, with [`BYTES_OF_FIRST`] added: the numbers of its four bytes, the lowest byte first.
const BYTES_PER_LANE: u32 = 0x0404_0404;
const BYTES_OF_FIRST: u32 = 0x0302_0100;

/// The bytes of the lanes in each mask.
static COMPRESSED: [[u32; LANES]; 1 << LANES] = compressed(BYTES_PER_LANE, BYTES_OF_FIRST);

impl Portable {
    inlined! {
        /// The bytes of the lanes in an order of three bits each.
        fn in_order(self, order: u32) -> U32 = {
            // Each is moved to the top, as a shift by another number for each lane is a product.
            let up = [[29, 26, 23, 20], [17, 14, 11, 8]];
            up.map_each(|up| self.bytes_of_lanes((u32x4::splat(order) * u32x4::new(up.map_each(|up| 1 << up))) >> 29))
        };
        fn bytes_of_lanes(self, lanes: u32x4) -> u32x4 =
            lanes * u32x4::splat(BYTES_PER_LANE) + u32x4::splat(BYTES_OF_FIRST);
        fn permute(self, values: F32, bytes: U32) -> F32 = self.of_bits(registers::permute(self.to_bits(values), bytes));
        fn compressed(self, bits: u32) -> U32 = bytemuck::cast(COMPRESSED[bits as usize & 0xff]);
        fn count(self, bits: u32) -> u32 = (bits & 0xff).count_ones();
        /// Of lanes that are all ones or all zeros.
        fn mask(self, lanes: U32) -> Mask32 = { let [low, high] = bytemuck::cast(lanes); Halves(Yes(low), Yes(high)) };
    }
}

impl Rearrange for Portable {
    type U32 = U32;

    inlined! {
        fn load_u32(self, values: &[u32]) -> U32 =
            bytemuck::cast::<[u32; LANES], _>(*values.first_chunk().expect("a vector"));
        fn store_u32(self, values: U32, into: &mut [u32]) -> () =
            *into.first_chunk_mut::<LANES>().expect("a vector") = bytemuck::cast(values);
        fn splat_u32(self, value: u32) -> U32 = [u32x4::splat(value); 2];
        fn and(self, a: U32, b: U32) -> U32 = [a[0] & b[0], a[1] & b[1]];
        fn or(self, a: U32, b: U32) -> U32 = [a[0] | b[0], a[1] | b[1]];
        fn to_bits(self, values: F32) -> U32 = bytemuck::cast([values.0, values.1]);
        fn of_bits(self, bits: U32) -> F32 = { let [low, high] = bytemuck::cast(bits); Halves(low, high) };
        fn shift_down(self, values: U32, by: u32) -> U32 = [values[0] >> by, values[1] >> by];
        fn gather(self, from: &[f32; MAX_STREAM_RAYS], places: U32) -> F32 = {
            let places: [u32; LANES] = bytemuck::cast(places);
            Vectors::<f32>::load(self, &places.map_each(|place| from[place as usize % MAX_STREAM_RAYS]))
        };
        fn pick(self, from: &[f32; 4], places: F32) -> F32 = {
            let three = u32x4::splat(3);
            let bytes = self.to_bits(places).map_each(|places| self.bytes_of_lanes(places & three));
            self.of_bits(bytes.map_each(|bytes| registers::pick(bytemuck::cast(*from), bytes)))
        };
        fn mask_of_bits(self, bits: u32) -> Mask32 = {
            let bits = u32x4::splat(bits);
            let each = [u32x4::new([1, 2, 4, 8]), u32x4::new([16, 32, 64, 128])];
            self.mask(each.map_each(|each| (bits & each).simd_eq(each)))
        };
        fn first(self, count: u32) -> Mask32 = {
            let count = u32x4::splat(count);
            self.mask(NUMBERS.map_each(|numbers| numbers.simd_lt(count)))
        };
        fn compress_store_bits(self, bits: u32, values: U32, into: &mut [u32]) -> u32 = {
            self.store_u32(registers::permute(values, self.compressed(bits)), into);
            self.count(bits)
        };
    }

    #[inline(always)]
    fn gather_transposed<'t, const K: usize>(
        self,
        row: impl Fn(usize) -> &'t [[f32; 4]; K],
        place: usize,
    ) -> [F32; 4] {
        let rows = |first: usize| {
            let of_lane = |lane: usize| f32x4::new(row(first + lane)[place]);
            f32x4::transpose([of_lane(0), of_lane(1), of_lane(2), of_lane(3)])
        };
        let ([a, b, c, d], [e, f, g, h]) = (rows(0), rows(4));
        [Halves(a, e), Halves(b, f), Halves(c, g), Halves(d, h)]
    }

    #[inline(always)]
    fn store_transposed<const K: usize>(
        self,
        [a, b, c, d]: [F32; 4],
        place: usize,
        into: &mut [[[f32; 4]; K]],
    ) {
        let halves = [[a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]];
        for (into, half) in into[..LANES].chunks_exact_mut(4).zip(halves) {
            for (into, row) in into.iter_mut().zip(f32x4::transpose(half)) {
                into[place] = row.to_array();
            }
        }
    }
}

impl Lanes for Portable {
    type F32 = F32;
    type Mask = Mask32;
    type Widest = Self;

    inlined! { fn widest(self) -> Self = self; }

    #[inline(always)]
    fn compress_store_in_order(
        self,
        order: u32,
        low: F32,
        high: F32,
        values: U32,
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        let order = self.in_order(order);
        let (low, high) = (self.permute(low, order), self.permute(high, order));
        let bits = low.le(high).bits();
        let compressed = self.compressed(bits);
        Vectors::<f32>::store(self, self.permute(low, compressed), into.0);
        self.store_u32(registers::permute(registers::permute(values, order), compressed), into.1);
        self.count(bits)
    }

    #[inline(always)]
    fn compress_columns_in_order(
        self,
        order: u32,
        [first, second, third]: [U32; 3],
        into: [&mut [u32; LANES]; 3],
    ) -> u32 {
        let order = self.in_order(order);
        let first = registers::permute(first, order);
        let none = self.mask(first.map_each(|first| first.simd_eq(u32x4::splat(0))));
        let bits = !none.bits();
        let compressed = self.compressed(bits);
        let [into_first, into_second, into_third] = into;
        self.store_u32(registers::permute(first, compressed), into_first);
        for (column, into) in [(second, into_second), (third, into_third)] {
            self.store_u32(registers::permute(registers::permute(column, order), compressed), into);
        }
        self.count(bits)
    }

    #[inline(always)]
    fn take_least(self, mask: Mask32, values: F32) -> (usize, F32) {
        // The last bits name the lane of the least; as integers, whose minimum is one instruction.
        let none = self.of_bits(self.or(self.splat_u32(i32::MAX.cast_unsigned() & !7), NUMBERS));
        let bits = self.and(self.to_bits(values), self.splat_u32(!7));
        let keys = self.to_bits(self.of_bits(self.or(bits, NUMBERS)).select(mask, none));
        let least = registers::least(bytemuck::cast(keys));
        let taken = keys.map_each(|keys| keys.simd_eq(u32x4::splat(least.cast_unsigned())));
        let nan = Vectors::<f32>::splat(self, f32::NAN);
        (least as usize % LANES, nan.select(self.mask(taken), values))
    }
}

macro_rules! registers {
    ($vector:ident of $lanes:literal $scalar:ident, twice $twice:literal, $bits:ident) => {
        impl Vectors<$scalar> for Portable {
            type Real = Halves<$vector, $lanes>;
            type Row = [$scalar; $twice];
            type Bytes = [u8; $twice];
            const COUNT: usize = $twice;

            inlined! {
                fn splat(self, value: $scalar) -> Self::Real = { let all = $vector::splat(value); Halves(all, all) };
                fn load(self, values: &[$scalar; $twice]) -> Self::Real = {
                    let [low, high] = bytemuck::cast(*values);
                    Halves(low, high)
                };
                fn store(self, values: Self::Real, into: &mut [$scalar; $twice]) -> () =
                    *into = bytemuck::cast([values.0, values.1]);
            }
        }

        // The least of SIMD128 that is `a < b ? a : b` has its arguments the other way round. NEON's
        // is NaN where either is.
        real!([] $vector: $scalar, Yes<$vector>, |a, b|
            splat $vector::splat(b),
            min if cfg!(target_arch = "wasm32") { b.fast_min(a) } else { a.simd_lt(b).select(a, b) },
            max if cfg!(target_arch = "wasm32") { b.fast_max(a) } else { b.simd_lt(a).select(a, b) },
            lt Yes(a.simd_lt(b)),
            le Yes(a.simd_le(b)),
            abs $vector::abs(a),
            sqrt $vector::sqrt(a),
            select(mask) mask.0.select(a, b),
            // Fused by NEON.
            mul_add(more) $vector::mul_add(a, b, more),
            loose_min if cfg!(target_arch = "wasm32") { b.fast_min(a) } else { a.fast_min(b) },
            loose_max if cfg!(target_arch = "wasm32") { b.fast_max(a) } else { a.fast_max(b) }
        );

        impl Mask for Yes<$vector> {
            inlined! {
                fn bits(self) -> u32 = self.0.to_bitmask();
                fn bits_of_both(low: Self, high: Self, _: usize) -> u32 = registers::$bits(low.0, high.0);
            }
        }
    };
}

registers!(f32x4 of 4 f32, twice 8, bits_of_eight);
registers!(f64x2 of 2 f64, twice 4, bits_of_four);

impl BothPrecisions for Portable {
    inlined! { fn join(self, low: F64, high: F64) -> Wide = Halves(low, high); }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [F64; 4] {
        let two = |lane: usize, place: usize| {
            f64x2::new(*rows[lane][first + place..].first_chunk().expect("two numbers"))
        };
        // Two columns of two lanes.
        let block =
            |lane: usize, place: usize| f64x2::transpose([two(lane, place), two(lane + 1, place)]);
        let ([a, b], [c, d]) = (block(0, 0), block(0, 2));
        let ([e, f], [g, h]) = (block(2, 0), block(2, 2));
        [Halves(a, e), Halves(b, f), Halves(c, g), Halves(d, h)]
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(
        self,
        [a, b, c, d]: [F64; 4],
        first: usize,
        into: &mut [[f64; W]],
    ) {
        let halves = [[a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]];
        for (into, [a, b, c, d]) in into[..4].chunks_exact_mut(2).zip(halves) {
            let rows = f64x2::transpose([a, b]).into_iter().zip(f64x2::transpose([c, d]));
            for (into, (low, high)) in into.iter_mut().zip(rows) {
                into[first..first + 4].copy_from_slice(&bytemuck::cast::<_, [f64; 4]>([low, high]));
            }
        }
    }
}

impl Widening for F32 {
    type Wide = Wide;

    #[inline(always)]
    fn widen(self) -> Wide {
        let [[a, b], [c, d]] = [self.0, self.1].map_each(registers::widen);
        Halves(Halves(a, b), Halves(c, d))
    }

    #[inline(always)]
    fn narrow(Halves(low, high): Wide) -> Self {
        Self(registers::narrow(low.0, low.1), registers::narrow(high.0, high.1))
    }

    #[inline(always)]
    fn narrow_mask(Halves(low, high): Halves<Mask64, 4>) -> Mask32 {
        let narrow = |mask: Mask64| Yes(registers::narrow_lanes(mask.0.0, mask.1.0));
        Halves(narrow(low), narrow(high))
    }
}
