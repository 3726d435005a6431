//! Masks on AVX-512: registers of their own, and an instruction that compresses.
//!
//! Blocks of eight `f32` stay at 256 bits; long columns fill registers of 512.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Not};

use super::entries::{ENTRY_T, MAX_LANES, MAX_STREAM_RAYS};
use super::halves::Halves;
use super::lanes::{BothPrecisions, Fused, Mask, Real, Rearrange, Vectors, Widening};
use super::vector::vector;
use super::ymm::{Masking, Ymm};

/// Lanes on AVX-512.
pub(crate) type Avx512 = Ymm<BitMasks>;

/// Safe to call where AVX-512 is enabled, which is inside the entry function and nowhere else.
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn token() -> Avx512 {
    // SAFETY: the caller has AVX-512, which includes AVX2 and FMA.
    unsafe { Ymm::new(BitMasks(())) }
}

/// Masks as bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BitMasks(());

/// A bit for each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes<B>(B);

impl Masking for BitMasks {
    type Mask = Yes<__mmask8>;
    type Widest = Zmm;

    #[inline(always)]
    fn widest(proof: Avx512) -> Zmm {
        Zmm(proof)
    }

    #[inline(always)]
    unsafe fn lt(a: __m256, b: __m256) -> Yes<__mmask8> {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn le(a: __m256, b: __m256) -> Yes<__mmask8> {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn select(mask: Yes<__mmask8>, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the caller proves AVX-512.
        unsafe { _mm256_mask_blend_ps(mask.0, b, a) }
    }

    #[inline(always)]
    unsafe fn compress(mask: Yes<__mmask8>, values: __m256i) -> __m256i {
        // SAFETY: the caller proves AVX-512. Compressing to memory instead is slow on Zen 4.
        unsafe { _mm256_maskz_compress_epi32(mask.0, values) }
    }

    #[inline(always)]
    unsafe fn mask(lanes: __m256i) -> Yes<__mmask8> {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_test_epi32_mask(lanes, lanes) })
    }

    #[inline(always)]
    fn compact(_: Avx512, entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS]) -> usize {
        let mut kept = 0;
        for first in (0..count).step_by(MAX_LANES) {
            // SAFETY: the token proves AVX-512; every pointer is to 64 bytes of what indexing has
            // bounded, and numbers of sixteen bits are within the limits.
            unsafe {
                let from = &entries[first..first + MAX_LANES];
                let entries_here = _mm512_loadu_si512(from.as_ptr().cast());
                let low = _mm512_set1_epi32(0xffff);
                let numbers = _mm512_and_si512(entries_here, low);
                let limits = _mm512_i32gather_ps::<4>(numbers, limits.as_ptr());
                let t = earlier(entries_here);
                let there = u16::MAX >> MAX_LANES.saturating_sub(count - first);
                let keep = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(there, t, limits);
                let into = &mut entries[kept..kept + MAX_LANES];
                let kept_here = _mm512_maskz_compress_epi32(keep, entries_here);
                _mm512_storeu_si512(into.as_mut_ptr().cast(), kept_here);
                kept += keep.count_ones() as usize;
            }
        }
        kept
    }
}

/// [Where](super::least_t) entries lie at the least.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn earlier(entries: __m512i) -> __m512 {
    // SAFETY: the caller proves AVX-512.
    unsafe {
        let low = _mm512_set1_epi32(0xffff);
        _mm512_min_ps(
            _mm512_castsi512_ps(_mm512_or_si512(entries, low)),
            _mm512_castsi512_ps(_mm512_andnot_si512(low, entries)),
        )
    }
}

/// Transposes each quarter of 4 × 4 lanes of four vectors by itself.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn transpose_quarters([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: the caller proves AVX-512.
    unsafe {
        let (ab_low, ab_high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
        [
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

impl Fused for Zmm {
    #[inline(always)]
    fn mul_sub(self, a: F32x16, b: F32x16, c: F32x16) -> F32x16 {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_fmsub_ps(a.0, b.0, c.0) }, self)
    }
}

impl Rearrange for Zmm {
    #[inline(always)]
    fn pick(self, from: &[f32; 4], places: F32x16) -> F32x16 {
        // SAFETY: `self` proves AVX-512; the pointer is to 16 readable bytes.
        unsafe {
            let from = _mm512_broadcast_f32x4(_mm_loadu_ps(from.as_ptr()));
            F32x16(_mm512_permutevar_ps(from, _mm512_castps_si512(places.0)), self)
        }
    }

    #[inline(always)]
    fn bytes(self, numbers: F32x16) -> [F32x16; 3] {
        // SAFETY: `self` proves AVX-512.
        let (second, third) = unsafe {
            let bits = _mm512_castps_si512(numbers.0);
            (_mm512_srli_epi32::<8>(bits), _mm512_srli_epi32::<16>(bits))
        };
        // SAFETY: as above.
        let (second, third) = unsafe { (_mm512_castsi512_ps(second), _mm512_castsi512_ps(third)) };
        [numbers, F32x16(second, self), F32x16(third, self)]
    }

    #[inline(always)]
    fn compress_indices(self, bits: u32, numbers: &[u32], mark: u32, into: &mut [u32]) -> usize {
        let (numbers, into) = (&numbers[..MAX_LANES], &mut into[..MAX_LANES]);
        let bits = bits as __mmask16;
        // SAFETY: `self` proves AVX-512; both pointers are to 64 bytes. Compressing to memory instead is slow on
        // Zen 4.
        unsafe {
            let numbers = _mm512_loadu_si512(numbers.as_ptr().cast());
            let marked = _mm512_or_si512(numbers, _mm512_set1_epi32(mark as i32));
            _mm512_storeu_si512(into.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(bits, marked));
        }
        bits.count_ones() as usize
    }

    #[inline(always)]
    fn mask_of_bits(self, bits: u32) -> Yes<__mmask16> {
        Yes(bits as __mmask16)
    }

    #[inline(always)]
    fn unpack(self, entries: &[u32], count: usize, sentinel: u16, numbers: &mut [u32]) -> F32x16 {
        let (entries, numbers) = (&entries[..MAX_LANES], &mut numbers[..MAX_LANES]);
        // SAFETY: `self` proves AVX-512; both pointers are to 64 bytes.
        unsafe {
            let there = u16::MAX >> MAX_LANES.saturating_sub(count);
            let sentinel = _mm512_set1_epi32(sentinel.into());
            let entries = _mm512_mask_loadu_epi32(sentinel, there, entries.as_ptr().cast());
            let low = _mm512_set1_epi32(0xffff);
            _mm512_storeu_si512(numbers.as_mut_ptr().cast(), _mm512_and_si512(entries, low));
            F32x16(earlier(entries), self)
        }
    }

    #[inline(always)]
    fn gather_transposed<const K: usize>(
        self,
        table: &[[[f32; 4]; K]],
        place: usize,
        rows: &[u32],
    ) -> [F32x16; 4] {
        let rows = &rows[..MAX_LANES];
        // SAFETY: `self` proves AVX-512; each pointer is to 16 readable bytes.
        unsafe {
            let mut fours = [_mm512_setzero_ps(); 4];
            for (lane, four) in fours.iter_mut().enumerate() {
                let first = _mm_loadu_ps(table[rows[lane] as usize][place].as_ptr());
                let second = _mm_loadu_ps(table[rows[lane + 4] as usize][place].as_ptr());
                let third = _mm_loadu_ps(table[rows[lane + 8] as usize][place].as_ptr());
                let fourth = _mm_loadu_ps(table[rows[lane + 12] as usize][place].as_ptr());
                let near = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(first), second);
                let far = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(third), fourth);
                *four = _mm512_insertf32x8::<1>(_mm512_castps256_ps512(near), far);
            }
            let [a, b, c, d] = transpose_quarters(fours);
            [F32x16(a, self), F32x16(b, self), F32x16(c, self), F32x16(d, self)]
        }
    }

    #[inline(always)]
    fn store_transposed<const K: usize>(
        self,
        columns: [F32x16; 4],
        place: usize,
        into: &mut [[[f32; 4]; K]],
    ) {
        let into = &mut into[..MAX_LANES];
        // SAFETY: `self` proves AVX-512; each pointer is to 16 writable bytes.
        unsafe {
            let [a, b, c, d] = columns;
            let rows = transpose_quarters([a.0, b.0, c.0, d.0]);
            for (row, values) in rows.into_iter().enumerate() {
                _mm_storeu_ps(into[row][place].as_mut_ptr(), _mm512_castps512_ps128(values));
                _mm_storeu_ps(into[row + 4][place].as_mut_ptr(), _mm512_extractf32x4_ps::<1>(values));
                _mm_storeu_ps(into[row + 8][place].as_mut_ptr(), _mm512_extractf32x4_ps::<2>(values));
                _mm_storeu_ps(into[row + 12][place].as_mut_ptr(), _mm512_extractf32x4_ps::<3>(values));
            }
        }
    }

    #[inline(always)]
    fn compress_hits(self, low: F32x16, high: F32x16, numbers: &[u32], into: &mut [u32]) -> usize {
        let (numbers, into) = (&numbers[..MAX_LANES], &mut into[..MAX_LANES]);
        // SAFETY: `self` proves AVX-512; each pointer is to 64 bytes.
        unsafe {
            let mask = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(low.0, high.0);
            let halves = _mm512_set1_epi32(ENTRY_T.cast_signed());
            let numbers = _mm512_loadu_si512(numbers.as_ptr().cast());
            let entries = _mm512_or_si512(_mm512_and_si512(_mm512_castps_si512(low.0), halves), numbers);
            _mm512_storeu_si512(into.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(mask, entries));
            mask.count_ones() as usize
        }
    }
}

/// Proof that the CPU has AVX-512, for its registers of 512 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zmm(Avx512);

vector!(
    /// Sixteen `f32`.
    F32x16: 16 f32 in __m512, proof Zmm, mask Yes<__mmask16>,
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps
    _mm512_div_ps _mm512_min_ps _mm512_max_ps _mm512_sqrt_ps,
    lt(a, b) = Yes(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)),
    le(a, b) = Yes(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b)),
    abs(a) = _mm512_abs_ps(a),
    select(mask, a, b) = _mm512_mask_blend_ps(mask.0, b, a)
);

vector!(
    /// Eight `f64`.
    F64x8: 8 f64 in __m512d, proof Zmm, mask Yes<__mmask8>,
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd
    _mm512_div_pd _mm512_min_pd _mm512_max_pd _mm512_sqrt_pd,
    lt(a, b) = Yes(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b)),
    le(a, b) = Yes(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b)),
    abs(a) = _mm512_abs_pd(a),
    select(mask, a, b) = _mm512_mask_blend_pd(mask.0, b, a)
);

impl BothPrecisions for Zmm {
    #[inline(always)]
    fn join(self, low: F64x8, high: F64x8) -> Halves<F64x8, 8> {
        Halves(low, high)
    }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [F64x8; 4] {
        let rows = &rows[..8];
        // SAFETY: `self` proves AVX-512; each pointer is to 32 readable bytes.
        unsafe {
            let mut pairs = [_mm512_setzero_pd(); 4];
            for (lane, pair) in pairs.iter_mut().enumerate() {
                // Rows 0 and 2, 1 and 3, 4 and 6, 5 and 7.
                let near = 4 * (lane / 2) + lane % 2;
                let (near, far) = (&rows[near][first..first + 4], &rows[near + 2][first..first + 4]);
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
    fn store_transposed_wide<const W: usize>(self, columns: [F64x8; 4], first: usize, into: &mut [[f64; W]]) {
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
                    let (near, far) = (_mm512_castpd512_pd256(rows), _mm512_extractf64x4_pd::<1>(rows));
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

    #[inline(always)]
    fn mul_sub(a: Self::Wide, b: Self::Wide, c: Self::Wide) -> Self::Wide {
        // SAFETY: as above.
        let (low, high) =
            unsafe { (_mm512_fmsub_pd(a.0.0, b.0.0, c.0.0), _mm512_fmsub_pd(a.1.0, b.1.0, c.1.0)) };
        Halves(F64x8(low, a.0.1), F64x8(high, a.0.1))
    }

    #[inline(always)]
    fn narrow(Halves(low, high): Self::Wide) -> Self {
        // SAFETY: as above.
        let both = unsafe {
            let both = _mm512_castps256_ps512(_mm512_cvtpd_ps(low.0));
            _mm512_insertf32x8::<1>(both, _mm512_cvtpd_ps(high.0))
        };
        Self(both, low.1)
    }

    #[inline(always)]
    fn narrow_mask(Halves(low, high): Halves<Yes<__mmask8>, 8>) -> Yes<__mmask16> {
        Yes(u16::from(low.0) | u16::from(high.0) << 8)
    }
}

impl<B: Copy + BitAnd<Output = B> + BitOr<Output = B> + Not<Output = B> + Into<u32>> Mask for Yes<B> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.into()
    }
}

impl<B: BitAnd<Output = B>> BitAnd for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl<B: BitOr<Output = B>> BitOr for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<B: Not<Output = B>> Not for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
