//! The common part of AVX2 and AVX-512: eight lanes in a 256-bit register. Masks and the compress
//! instruction differ.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::entries::MAX_STREAM_RAYS;
use super::lanes::{BothPrecisions, LANES, Lanes, Mask, Real, Rearrange, Vectors};
use super::macros::inlined;
use super::vector::{rearrange, vector};

/// The masks of a backend, and its widest vectors; the value proves that the CPU has its
/// instructions.
pub(crate) trait Masking: Copy + std::fmt::Debug + Send + Sync {
    type Mask: Mask;
    type Widest: Rearrange + BothPrecisions;

    fn widest(self) -> Self::Widest;

    fn lt(self, a: __m256, b: __m256) -> Self::Mask;

    fn le(self, a: __m256, b: __m256) -> Self::Mask;

    fn select(self, mask: Self::Mask, a: __m256, b: __m256) -> __m256;

    /// The lanes named by the lowest eight bits, moved to the front in their order.
    fn compress(self, bits: u32, values: __m256i) -> __m256i;

    /// A mask from lanes that are all ones or all zeros.
    fn mask(self, lanes: __m256i) -> Self::Mask;
}

/// Proof that the CPU has AVX2 and FMA, and what the masks `M` need beside them; masks too are made
/// only by detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Ymm<M>(pub(super) M);

impl<M: Masking> Ymm<M> {
    inlined! { unsafe
        /// Three bits of an order as the number of a lane, for each place: `vpermd` reads the low
        /// three bits.
        fn in_order(self, order: u32) -> __m256i = {
            let shifts = _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21);
            _mm256_srlv_epi32(_mm256_set1_epi32(order.cast_signed()), shifts)
        };
    }

    rearrange!(transpose __m256 _mm256_unpacklo_ps _mm256_unpackhi_ps _mm256_shuffle_ps);
}

vector!(
    F32<M: Masking>: 8 f32 in __m256, proof Ymm<M>, mask M::Mask,
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps
    _mm256_div_ps _mm256_min_ps _mm256_max_ps _mm256_sqrt_ps _mm256_fmsub_ps,
    |a, b| lt a.1.0.lt(a.0, b.0), le a.1.0.le(a.0, b.0), abs _mm256_andnot_ps(_mm256_set1_ps(-0.0), a.0),
    select(mask) a.1.0.select(mask, a.0, b.0),
    bytes(numbers) {
        let numbers = _mm256_cvtps_epi32(numbers);
        let halves = (_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
        let words = _mm_packus_epi32(halves.0, halves.1);
        _mm_cvtsi128_si64(_mm_packus_epi16(words, words)).to_le_bytes()
    }
);

impl<M: Masking> Rearrange for Ymm<M> {
    rearrange!(
        F32 8, integers __m256i,
        _mm256_set1_epi32 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_and_si256 _mm256_or_si256 _mm256_srlv_epi32
        _mm256_castps_si256 _mm256_castsi256_ps _mm256_permutevar_ps,
        broadcast(four) = _mm256_broadcast_ps(&four),
        gather(from, places) = _mm256_i32gather_ps::<4>(from, places),
        join(fours) = _mm256_set_m128(fours[1], fours[0]),
        split(all) = [_mm256_castps256_ps128(all), _mm256_extractf128_ps::<1>(all)]
    );

    inlined! { unsafe
        fn mask_of_bits(self, bits: u32) -> M::Mask = {
            let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            self.0.mask(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits.cast_signed()), each), each))
        };
        fn first(self, count: u32) -> M::Mask = {
            let count = _mm256_set1_epi32(count.cast_signed());
            self.0.mask(_mm256_cmpgt_epi32(count, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
        };
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
        // SAFETY: `self` proves AVX2 and what `M` needs.
        unsafe {
            let order = self.in_order(order);
            let low = _mm256_permutevar8x32_ps(low.0, order);
            let high = _mm256_permutevar8x32_ps(high.0, order);
            let mask = self.0.le(low, high);
            let low = _mm256_castsi256_ps(self.0.compress(mask.bits(), _mm256_castps_si256(low)));
            self.store(F32(low, self), into.0);
            self.compress_store(mask, _mm256_permutevar8x32_epi32(values, order), into.1)
        }
    }

    #[inline(always)]
    fn compress_columns_in_order(
        self,
        order: u32,
        columns: [__m256i; 3],
        into: [&mut [u32; LANES]; 3],
    ) -> u32 {
        // SAFETY: `self` proves AVX2 and what `M` needs.
        unsafe {
            let order = self.in_order(order);
            let first = _mm256_permutevar8x32_epi32(columns[0], order);
            let none = _mm256_cmpeq_epi32(first, _mm256_setzero_si256());
            let some = self.0.mask(_mm256_xor_si256(none, _mm256_set1_epi32(-1)));
            let [into_first, into_second, into_third] = into;
            self.compress_store(some, _mm256_permutevar8x32_epi32(columns[1], order), into_second);
            self.compress_store(some, _mm256_permutevar8x32_epi32(columns[2], order), into_third);
            self.compress_store(some, first, into_first)
        }
    }

    #[inline(always)]
    fn take_least(self, mask: M::Mask, values: F32<M>) -> (usize, F32<M>) {
        // SAFETY: `self` proves AVX2 and what `M` needs.
        unsafe {
            // The last bits name the lane of the least; as integers, as an integer minimum takes a
            // quarter of the time.
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let keys = _mm256_or_si256(
                _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(values.0)),
                lanes,
            );
            let none = _mm256_or_si256(_mm256_set1_epi32(i32::MAX & !7), lanes);
            let keys = self.0.select(mask, _mm256_castsi256_ps(keys), _mm256_castsi256_ps(none));
            let keys = _mm256_castps_si256(keys);
            let half =
                _mm_min_epi32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
            let quarter = _mm_min_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            let least = _mm_min_epi32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
            let taken = _mm256_cmpeq_epi32(keys, _mm256_broadcastd_epi32(least));
            let others = self.0.select(self.0.mask(taken), _mm256_set1_ps(f32::NAN), values.0);
            (_mm_cvtsi128_si32(least) as usize % LANES, F32(others, self))
        }
    }
}
