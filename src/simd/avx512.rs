//! AVX-512: masks in registers of their own, and a compress instruction; only long columns fill
//! registers of 512 bits.
#![expect(unsafe_code, reason = "the token proves that the CPU has AVX-512; gathers take pointers")]

use std::arch::x86_64::*;

use super::backend::Enter;
use super::entries::MAX_STREAM_RAYS;
use super::features::{Proof, compiled, intrinsics, with_features};
use super::halves::{Halves, Yes};
use super::lanes::{BothPrecisions, Mask, Real, Rearrange, Vectors, Widening};
use super::macros::inlined;
use super::map_each::MapEach;
use super::vector::{Compare, rearrange, vector, x86_backend};
use super::ymm::{Masking, Ymm};

// F16C comes with AVX-512 as far as the compiler is concerned.
x86_backend!(Avx512 = "avx512", BitMasks, avx512: "avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt" "f16c"
    "avx512f" "avx512vl" "avx512dq" "avx512bw");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BitMasks(());

macro_rules! compare {
    ($register:ident, $bits:ident: $compare:ident $compare_in:ident $blend:ident) => {
        impl Compare<$register> for BitMasks {
            type Mask = Yes<$bits>;

            intrinsics! { avx512(self)
                fn lt(self, a: $register, b: $register) -> Yes<$bits> = Yes($compare::<_CMP_LT_OQ>(a, b));
                fn le(self, a: $register, b: $register) -> Yes<$bits> = Yes($compare::<_CMP_LE_OQ>(a, b));
                fn le_in(self, a: $register, b: $register, mask: Yes<$bits>) -> Yes<$bits> =
                    Yes($compare_in::<_CMP_LE_OQ>(mask.0, a, b));
                fn select(self, mask: Yes<$bits>, a: $register, b: $register) -> $register = $blend(mask.0, b, a);
            }
        }
    };
}

compare!(__m256, __mmask8: _mm256_cmp_ps_mask _mm256_mask_cmp_ps_mask _mm256_mask_blend_ps);
compare!(__m512, __mmask16: _mm512_cmp_ps_mask _mm512_mask_cmp_ps_mask _mm512_mask_blend_ps);
compare!(__m512d, __mmask8: _mm512_cmp_pd_mask _mm512_mask_cmp_pd_mask _mm512_mask_blend_pd);

// SAFETY: only detection of the backend, which asks for AVX2 and FMA, makes the token.
unsafe impl Proof<256> for BitMasks {}
// SAFETY: only detection of the backend, which asks for AVX-512, makes the token.
unsafe impl Proof<512> for BitMasks {}

impl Masking for BitMasks {
    type Widest = Zmm;

    inlined! { fn widest(self) -> Zmm = Zmm(self); }
    intrinsics! { avx512(self)
        // Compressing to memory instead is slow on Zen 4.
        fn compress(self, bits: u32, values: __m256i) -> __m256i = _mm256_maskz_compress_epi32(bits as __mmask8, values);
        fn mask(self, lanes: __m256i) -> Yes<__mmask8> = Yes(_mm256_test_epi32_mask(lanes, lanes));
    }
}

impl Zmm {
    rearrange!(transpose __m512, avx512 _mm512_unpacklo_ps _mm512_unpackhi_ps _mm512_shuffle_ps);
}

with_features! { avx512
    fn gather(from: &[f32; MAX_STREAM_RAYS], places: __m512i) -> __m512 {
        let places = _mm512_and_si512(places, _mm512_set1_epi32((MAX_STREAM_RAYS - 1) as i32));
        // SAFETY: all places are in the array.
        unsafe { _mm512_i32gather_ps::<4>(places, from.as_ptr()) }
    }
}

impl Rearrange for Zmm {
    rearrange!(
        F32x16 16 in __m512, integers __m512i, avx512 _mm512_set1_epi32 _mm512_and_si512 _mm512_or_si512
        _mm512_srlv_epi32 _mm512_castps_si512 _mm512_castsi512_ps _mm512_permutevar_ps gather,
        broadcast(four) = _mm512_broadcast_f32x4(four),
        join(fours) = {
            let (near, far) = (_mm256_set_m128(fours[1], fours[0]), _mm256_set_m128(fours[3], fours[2]));
            _mm512_insertf32x8::<1>(_mm512_castps256_ps512(near), far)
        },
        split(all) = [
            _mm512_castps512_ps128(all),
            _mm512_extractf32x4_ps::<1>(all),
            _mm512_extractf32x4_ps::<2>(all),
            _mm512_extractf32x4_ps::<3>(all),
        ]
    );

    inlined! {
        fn mask_of_bits(self, bits: u32) -> Yes<__mmask16> = Yes(bits as __mmask16);
        fn first(self, count: u32) -> Yes<__mmask16> = Yes(__mmask16::MAX >> __mmask16::BITS.saturating_sub(count));
    }

    #[inline(always)]
    fn compress_store_bits(self, bits: u32, values: __m512i, into: &mut [u32]) -> u32 {
        let bits = bits as __mmask16;
        // Compressing to memory instead is slow on Zen 4.
        let compressed = compiled!(
            avx512(self.0) fn(bits: __mmask16, values: __m512i) -> __m512i =
                _mm512_maskz_compress_epi32(bits, values)
        );
        self.store_u32(compressed, into);
        bits.count_ones()
    }
}

/// Proof that the CPU has AVX-512, for its registers of 512 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zmm(BitMasks);

vector!(
    F32x16: 16 f32 in __m512, proof Zmm, mask Yes<__mmask16>, avx512 _mm512_set1_ps _mm512_add_ps _mm512_sub_ps
    _mm512_mul_ps _mm512_div_ps _mm512_min_ps _mm512_max_ps _mm512_sqrt_ps _mm512_fmsub_ps _mm512_fmadd_ps,
    abs(numbers) _mm512_abs_ps(numbers),
    // The greater magnitude, without its sign.
    max_abs(a, b) _mm512_range_ps::<0b10_11>(a, b)
);

vector!(
    F64x8: 8 f64 in __m512d, proof Zmm, mask Yes<__mmask8>, avx512 _mm512_set1_pd _mm512_add_pd _mm512_sub_pd
    _mm512_mul_pd _mm512_div_pd _mm512_min_pd _mm512_max_pd _mm512_sqrt_pd _mm512_fmsub_pd _mm512_fmadd_pd,
    abs(numbers) _mm512_abs_pd(numbers),
    max_abs(a, b) _mm512_range_pd::<0b10_11>(a, b)
);

impl BothPrecisions for Zmm {
    inlined! { fn join(self, low: F64x8, high: F64x8) -> Halves<F64x8, 8> = Halves(low, high); }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [F64x8; 4] {
        let rows = &rows[..8];
        let four =
            |row: usize| -> [f64; 4] { *rows[row][first..].first_chunk().expect("four numbers") };
        let mut pairs: [__m512d; 4] = bytemuck::Zeroable::zeroed();
        for (lane, pair) in pairs.iter_mut().enumerate() {
            // Rows 0 and 2, 1 and 3, 4 and 6, 5 and 7.
            let near = 4 * (lane / 2) + lane % 2;
            *pair = self.pair(bytemuck::cast(four(near)), bytemuck::cast(four(near + 2)));
        }
        self.columns(pairs).map_each(|column| F64x8(column, self))
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(
        self,
        columns: [F64x8; 4],
        first: usize,
        into: &mut [[f64; W]],
    ) {
        let into = &mut into[..8];
        let rows = self.rows(columns.map_each(|column| column.0));
        for (row, (near, far)) in [0, 4, 1, 5].into_iter().zip(rows) {
            for (row, four) in [(row, near), (row + 2, far)] {
                let into: &mut [f64; 4] =
                    into[row][first..].first_chunk_mut().expect("four numbers");
                *into = bytemuck::cast(four);
            }
        }
    }
}

impl Zmm {
    intrinsics! { avx512(self.0)
        fn pair(self, near: __m256d, far: __m256d) -> __m512d =
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(near), far);

        /// The columns of eight rows of four, of which rows 0 and 2, 1 and 3, 4 and 6, 5 and 7 come in pairs.
        fn columns(self, pairs: [__m512d; 4]) -> [__m512d; 4] = {
            let [even_near, odd_near, even_far, odd_far] = pairs;
            // The first two numbers of each row, and the last two.
            let ab_even = _mm512_shuffle_f64x2::<0b10_00_10_00>(even_near, even_far);
            let ab_odd = _mm512_shuffle_f64x2::<0b10_00_10_00>(odd_near, odd_far);
            let cd_even = _mm512_shuffle_f64x2::<0b11_01_11_01>(even_near, even_far);
            let cd_odd = _mm512_shuffle_f64x2::<0b11_01_11_01>(odd_near, odd_far);
            [
                _mm512_unpacklo_pd(ab_even, ab_odd),
                _mm512_unpackhi_pd(ab_even, ab_odd),
                _mm512_unpacklo_pd(cd_even, cd_odd),
                _mm512_unpackhi_pd(cd_even, cd_odd),
            ]
        };

        /// The rows 0 and 2, 4 and 6, 1 and 3, 5 and 7 of four columns.
        fn rows(self, columns: [__m512d; 4]) -> [(__m256d, __m256d); 4] = {
            let [a, b, c, d] = columns;
            let even = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
            let odd = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
            let near = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let far = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            [(even, near), (even, far), (odd, near), (odd, far)].map_each(|((ab, cd), places)| {
                let rows = _mm512_permutex2var_pd(ab, places, cd);
                (_mm512_castpd512_pd256(rows), _mm512_extractf64x4_pd::<1>(rows))
            })
        };
    }
}

impl Widening for F32x16 {
    type Wide = Halves<F64x8, 8>;

    #[inline(always)]
    fn widen(self) -> Self::Wide {
        let (low, high) = compiled!(
            avx512(self.1.0) fn(all: __m512 = self.0) -> (__m512d, __m512d) = {
                let high = _mm512_extractf32x8_ps::<1>(all);
                (_mm512_cvtps_pd(_mm512_castps512_ps256(all)), _mm512_cvtps_pd(high))
            }
        );
        Halves(F64x8(low, self.1), F64x8(high, self.1))
    }

    #[inline(always)]
    fn narrow(Halves(low, high): Self::Wide) -> Self {
        let all = compiled!(
            avx512(low.1.0) fn(low: __m512d = low.0, high: __m512d = high.0) -> __m512 = {
                let both = _mm512_castps256_ps512(_mm512_cvtpd_ps(low));
                _mm512_insertf32x8::<1>(both, _mm512_cvtpd_ps(high))
            }
        );
        Self(all, low.1)
    }

    inlined! {
        fn narrow_mask(Halves(low, high): Halves<Yes<__mmask8>, 8>) -> Yes<__mmask16> =
            Yes(u16::from(low.0) | u16::from(high.0) << 8);
    }
}

impl Mask for Yes<__mmask8> {
    inlined! { fn bits(self) -> u32 = self.0.into(); }
}

impl Mask for Yes<__mmask16> {
    inlined! { fn bits(self) -> u32 = self.0.into(); }
}
