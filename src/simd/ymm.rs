//! The common part of the x86 backends, AVX2 and AVX-512: eight lanes in a 256-bit register. Masks
//! and the compress instruction differ.
#![expect(
    unsafe_code,
    reason = "tokens prove that the CPU has instructions; gathers take pointers"
)]

use std::arch::x86_64::*;

use super::entries::MAX_STREAM_RAYS;
use super::features::{Proof, compiled, intrinsics, with_features};
use super::lanes::{BothPrecisions, LANES, Lanes, Mask, Real, Rearrange, Vectors};
use super::macros::inlined;
use super::vector::{Compare, rearrange, vector};

/// The masks of a backend, and its widest vectors.
pub(crate) trait Masking:
    Proof<256> + Compare<__m256> + std::fmt::Debug + Send + Sync
{
    type Widest: Rearrange + BothPrecisions;

    fn widest(self) -> Self::Widest;

    /// The lanes named by the lowest eight bits, moved to the front in their order.
    fn compress(self, bits: u32, values: __m256i) -> __m256i;

    /// A mask from lanes that are all ones or all zeros.
    fn mask(self, lanes: __m256i) -> Self::Mask;
}

/// Proof that the CPU has AVX2 and FMA, and what the masks `M` need beside them; masks too are made
/// only by detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Ymm<M: Masking>(pub(super) M);

impl<M: Masking> Ymm<M> {
    intrinsics! { avx2(self.0)
        /// Three bits of an order as the number of a lane, for each place: `vpermd` reads the low
        /// three bits.
        fn in_order(self, order: u32) -> __m256i = {
            let shifts = _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21);
            _mm256_srlv_epi32(_mm256_set1_epi32(order.cast_signed()), shifts)
        };
        fn permute(self, values: __m256, order: __m256i) -> __m256 = _mm256_permutevar8x32_ps(values, order);
        fn permute_u32(self, values: __m256i, order: __m256i) -> __m256i = _mm256_permutevar8x32_epi32(values, order);
    }

    rearrange!(transpose __m256, avx2 _mm256_unpacklo_ps _mm256_unpackhi_ps _mm256_shuffle_ps);
}

vector!(
    F32<M: Masking>: 8 f32 in __m256, proof Ymm<M>, mask M::Mask, avx2 _mm256_set1_ps _mm256_add_ps _mm256_sub_ps
    _mm256_mul_ps _mm256_div_ps _mm256_min_ps _mm256_max_ps _mm256_sqrt_ps _mm256_fmsub_ps _mm256_fmadd_ps,
    abs(numbers) _mm256_andnot_ps(_mm256_set1_ps(-0.0), numbers),
    bytes(numbers) {
        let numbers = _mm256_cvtps_epi32(numbers);
        let halves = (_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
        let words = _mm_packus_epi32(halves.0, halves.1);
        _mm_cvtsi128_si64(_mm_packus_epi16(words, words)).to_le_bytes()
    }
);

with_features! { avx2
    fn gather(from: &[f32; MAX_STREAM_RAYS], places: __m256i) -> __m256 {
        let places = _mm256_and_si256(places, _mm256_set1_epi32((MAX_STREAM_RAYS - 1) as i32));
        // SAFETY: all places are in the array.
        unsafe { _mm256_i32gather_ps::<4>(from.as_ptr(), places) }
    }
}

impl<M: Masking> Rearrange for Ymm<M> {
    rearrange!(
        F32 8 in __m256, integers __m256i, avx2 _mm256_set1_epi32 _mm256_and_si256 _mm256_or_si256
        _mm256_srlv_epi32 _mm256_castps_si256 _mm256_castsi256_ps _mm256_permutevar_ps gather,
        broadcast(four) = _mm256_set_m128(four, four),
        join(fours) = _mm256_set_m128(fours[1], fours[0]),
        split(all) = [_mm256_castps256_ps128(all), _mm256_extractf128_ps::<1>(all)]
    );

    #[inline(always)]
    fn mask_of_bits(self, bits: u32) -> M::Mask {
        self.0.mask(compiled!(avx2(self.0) fn(bits: u32) -> __m256i = {
            let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits.cast_signed()), each), each)
        }))
    }

    #[inline(always)]
    fn first(self, count: u32) -> M::Mask {
        self.0.mask(compiled!(avx2(self.0) fn(count: u32) -> __m256i = {
            let count = _mm256_set1_epi32(count.cast_signed());
            _mm256_cmpgt_epi32(count, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
        }))
    }

    #[inline(always)]
    fn compress_store_bits(self, bits: u32, values: __m256i, into: &mut [u32]) -> u32 {
        self.store_u32(self.0.compress(bits, values), into);
        (bits & 0xff).count_ones()
    }
}

impl<M: Masking> Lanes for Ymm<M> {
    type F32 = F32<M>;
    type Mask = M::Mask;
    type Widest = M::Widest;

    inlined! { fn widest(self) -> M::Widest = self.0.widest(); }

    #[inline(always)]
    fn compress_store_in_order(
        self,
        order: u32,
        low: F32<M>,
        high: F32<M>,
        values: __m256i,
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        let order = self.in_order(order);
        let low = self.permute(low.0, order);
        let mask = self.0.le(low, self.permute(high.0, order));
        let low = self.0.compress(mask.bits(), bytemuck::cast(low));
        self.store(self.of_bits(low), into.0);
        self.compress_store(mask, self.permute_u32(values, order), into.1)
    }

    #[inline(always)]
    fn compress_columns_in_order(
        self,
        order: u32,
        columns: [__m256i; 3],
        into: [&mut [u32; LANES]; 3],
    ) -> u32 {
        let order = self.in_order(order);
        let first = self.permute_u32(columns[0], order);
        let some = self.0.mask(compiled!(avx2(self.0) fn(first: __m256i) -> __m256i = {
            let none = _mm256_cmpeq_epi32(first, _mm256_setzero_si256());
            _mm256_xor_si256(none, _mm256_set1_epi32(-1))
        }));
        let [into_first, into_second, into_third] = into;
        self.compress_store(some, self.permute_u32(columns[1], order), into_second);
        self.compress_store(some, self.permute_u32(columns[2], order), into_third);
        self.compress_store(some, first, into_first)
    }

    #[inline(always)]
    fn take_least(self, mask: M::Mask, values: F32<M>) -> (usize, F32<M>) {
        // The last bits name the lane of the least; as integers, as an integer minimum takes a
        // quarter of the time.
        let (keys, none) = compiled!(
            avx2(self.0) fn(values: __m256 = values.0) -> (__m256, __m256) = {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let values =
                    _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(values));
                let none = _mm256_or_si256(_mm256_set1_epi32(i32::MAX & !7), lanes);
                (_mm256_castsi256_ps(_mm256_or_si256(values, lanes)), _mm256_castsi256_ps(none))
            }
        );
        let keys = self.0.select(mask, keys, none);
        let (least, taken) = compiled!(avx2(self.0) fn(keys: __m256) -> (i32, __m256i) = {
            let keys = _mm256_castps_si256(keys);
            let half =
                _mm_min_epi32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
            let quarter = _mm_min_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            let least = _mm_min_epi32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
            let taken = _mm256_cmpeq_epi32(keys, _mm256_broadcastd_epi32(least));
            (_mm_cvtsi128_si32(least), taken)
        });
        let others = self.splat(f32::NAN).select(self.0.mask(taken), values);
        (least as usize % LANES, others)
    }
}
