//! AVX-512: masks in registers of their own, and a compress instruction; only long columns fill
//! registers of 512 bits.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::backend::Enter;
use super::entries::MAX_STREAM_RAYS;
use super::halves::{Halves, Yes};
use super::lanes::{BothPrecisions, Mask, Real, Rearrange, Vectors, Widening};
use super::macros::inlined;
use super::vector::{rearrange, vector, x86_backend};
use super::ymm::{Masking, Ymm};

// F16C comes with AVX-512 as far as the compiler is concerned.
x86_backend!(Avx512 = "avx512", BitMasks: "avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt" "f16c"
    "avx512f" "avx512vl" "avx512dq" "avx512bw");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BitMasks(());

impl Masking for BitMasks {
    type Mask = Yes<__mmask8>;
    type Widest = Zmm;

    inlined! { fn widest(self) -> Zmm = Zmm(Ymm(self)); }
    inlined! { unsafe
        fn lt(self, a: __m256, b: __m256) -> Yes<__mmask8> = Yes(_mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b));
        fn le(self, a: __m256, b: __m256) -> Yes<__mmask8> = Yes(_mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b));
        fn select(self, mask: Yes<__mmask8>, a: __m256, b: __m256) -> __m256 = _mm256_mask_blend_ps(mask.0, b, a);
        // Compressing to memory instead is slow on Zen 4.
        fn compress(self, bits: u32, values: __m256i) -> __m256i = _mm256_maskz_compress_epi32(bits as __mmask8, values);
        fn mask(self, lanes: __m256i) -> Yes<__mmask8> = Yes(_mm256_test_epi32_mask(lanes, lanes));
    }
}

impl Zmm {
    rearrange!(transpose __m512 _mm512_unpacklo_ps _mm512_unpackhi_ps _mm512_shuffle_ps);
}

impl Rearrange for Zmm {
    rearrange!(
        F32x16 16, integers __m512i,
        _mm512_set1_epi32 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_and_si512 _mm512_or_si512 _mm512_srlv_epi32
        _mm512_castps_si512 _mm512_castsi512_ps _mm512_permutevar_ps,
        broadcast(four) = _mm512_broadcast_f32x4(four),
        gather(from, places) = _mm512_i32gather_ps::<4>(places, from),
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
        // SAFETY: `self` proves AVX-512. Compressing to memory instead is slow on Zen 4.
        self.store_u32(unsafe { _mm512_maskz_compress_epi32(bits, values) }, into);
        bits.count_ones()
    }
}

/// Proof that the CPU has AVX-512, for its registers of 512 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zmm(Avx512);

vector!(
    F32x16: 16 f32 in __m512, proof Zmm, mask Yes<__mmask16>,
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps
    _mm512_div_ps _mm512_min_ps _mm512_max_ps _mm512_sqrt_ps _mm512_fmsub_ps,
    |a, b| lt Yes(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a.0, b.0)), le Yes(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(a.0, b.0)),
    abs _mm512_abs_ps(a.0), select(mask) _mm512_mask_blend_ps(mask.0, b.0, a.0),
    le_in(mask) Yes(_mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(mask.0, a.0, b.0)),
    // The greater magnitude, without its sign.
    max_abs F32x16(_mm512_range_ps::<0b10_11>(a.0, b.0), a.1)
);

vector!(
    F64x8: 8 f64 in __m512d, proof Zmm, mask Yes<__mmask8>,
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd
    _mm512_div_pd _mm512_min_pd _mm512_max_pd _mm512_sqrt_pd _mm512_fmsub_pd,
    |a, b| lt Yes(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a.0, b.0)), le Yes(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a.0, b.0)),
    abs _mm512_abs_pd(a.0), select(mask) _mm512_mask_blend_pd(mask.0, b.0, a.0),
    le_in(mask) Yes(_mm512_mask_cmp_pd_mask::<_CMP_LE_OQ>(mask.0, a.0, b.0)),
    max_abs F64x8(_mm512_range_pd::<0b10_11>(a.0, b.0), a.1)
);

impl BothPrecisions for Zmm {
    inlined! { fn join(self, low: F64x8, high: F64x8) -> Halves<F64x8, 8> = Halves(low, high); }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [F64x8; 4] {
        let rows = &rows[..8];
        // SAFETY: `self` proves AVX-512; each pointer is to 32 readable bytes.
        unsafe {
            let mut pairs = [_mm512_setzero_pd(); 4];
            for (lane, pair) in pairs.iter_mut().enumerate() {
                // Rows 0 and 2, 1 and 3, 4 and 6, 5 and 7.
                let near = 4 * (lane / 2) + lane % 2;
                let (near, far) =
                    (&rows[near][first..first + 4], &rows[near + 2][first..first + 4]);
                let near = _mm512_castpd256_pd512(_mm256_loadu_pd(near.as_ptr()));
                *pair = _mm512_insertf64x4::<1>(near, _mm256_loadu_pd(far.as_ptr()));
            }
            let [even_near, odd_near, even_far, odd_far] = pairs;
            // The first two numbers of each row, and the last two.
            let ab_even = _mm512_shuffle_f64x2::<0b10_00_10_00>(even_near, even_far);
            let ab_odd = _mm512_shuffle_f64x2::<0b10_00_10_00>(odd_near, odd_far);
            let cd_even = _mm512_shuffle_f64x2::<0b11_01_11_01>(even_near, even_far);
            let cd_odd = _mm512_shuffle_f64x2::<0b11_01_11_01>(odd_near, odd_far);
            [
                F64x8(_mm512_unpacklo_pd(ab_even, ab_odd), self),
                F64x8(_mm512_unpackhi_pd(ab_even, ab_odd), self),
                F64x8(_mm512_unpacklo_pd(cd_even, cd_odd), self),
                F64x8(_mm512_unpackhi_pd(cd_even, cd_odd), self),
            ]
        }
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(
        self,
        columns: [F64x8; 4],
        first: usize,
        into: &mut [[f64; W]],
    ) {
        let into = &mut into[..8];
        // SAFETY: `self` proves AVX-512; each pointer is to 32 writable bytes.
        unsafe {
            let [a, b, c, d] = columns;
            let even = (_mm512_unpacklo_pd(a.0, b.0), _mm512_unpacklo_pd(c.0, d.0));
            let odd = (_mm512_unpackhi_pd(a.0, b.0), _mm512_unpackhi_pd(c.0, d.0));
            let near = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let far = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            for (parity, (ab, cd)) in [even, odd].into_iter().enumerate() {
                for (half, places) in [near, far].into_iter().enumerate() {
                    let rows = _mm512_permutex2var_pd(ab, places, cd);
                    let row = 4 * half + parity;
                    let (near, far) =
                        (_mm512_castpd512_pd256(rows), _mm512_extractf64x4_pd::<1>(rows));
                    _mm256_storeu_pd(into[row][first..first + 4].as_mut_ptr(), near);
                    _mm256_storeu_pd(into[row + 2][first..first + 4].as_mut_ptr(), far);
                }
            }
        }
    }
}

impl Widening for F32x16 {
    type Wide = Halves<F64x8, 8>;

    #[inline(always)]
    fn widen(self) -> Self::Wide {
        // SAFETY: vectors carry a proof; the backend asks for AVX512DQ.
        let (low, high) = unsafe {
            let high = _mm512_extractf32x8_ps::<1>(self.0);
            (_mm512_cvtps_pd(_mm512_castps512_ps256(self.0)), _mm512_cvtps_pd(high))
        };
        Halves(F64x8(low, self.1), F64x8(high, self.1))
    }

    inlined! { unsafe
        fn narrow(Halves(low, high): Self::Wide) -> Self = {
            let both = _mm512_castps256_ps512(_mm512_cvtpd_ps(low.0));
            Self(_mm512_insertf32x8::<1>(both, _mm512_cvtpd_ps(high.0)), low.1)
        };
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
