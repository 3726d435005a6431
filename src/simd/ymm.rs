//! The common part of AVX2 and AVX-512: eight lanes in a 256-bit register.
//!
//! They differ in the mask and in the compress instruction, which `avx2` and `avx512` define.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;
use std::fmt::Debug;

use super::entries::{ENTRY_T, MAX_STREAM_RAYS};
use super::lanes::{BothPrecisions, Fused, LANES, Lanes, Mask, Real, Rearrange, Vectors};
use super::vector::vector;

/// The masks of a backend, and its widest vectors.
pub(crate) trait Masking: Copy + Debug + Send + Sync {
    /// A yes or no for each lane.
    type Mask: Mask;
    /// The token of the widest vectors.
    type Widest: Rearrange + Fused + BothPrecisions;

    /// The token of the widest vectors.
    fn widest(proof: Ymm<Self>) -> Self::Widest;

    /// `a < b`, lane by lane.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn lt(a: __m256, b: __m256) -> Self::Mask;

    /// `a ≤ b`, lane by lane.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn le(a: __m256, b: __m256) -> Self::Mask;

    /// `mask ? a : b`, lane by lane.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn select(mask: Self::Mask, a: __m256, b: __m256) -> __m256;

    /// The lanes named by `mask`, moved to the front in their order.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn compress(mask: Self::Mask, values: __m256i) -> __m256i;

    /// A mask from lanes that are all ones or all zeros.
    ///
    /// # Safety
    /// The CPU has the backend's instructions.
    unsafe fn mask(lanes: __m256i) -> Self::Mask;

    /// See [`Lanes::compact`].
    fn compact(proof: Ymm<Self>, entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS])
    -> usize;
}

/// Proof that the CPU has AVX2, FMA and what `M` needs beside them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ymm<M>(M);

impl<M> Ymm<M> {
    /// A token for the instructions of `masking`.
    ///
    /// # Safety
    /// The CPU has AVX2, FMA and the instructions of `M`.
    pub(super) const unsafe fn new(masking: M) -> Self {
        Self(masking)
    }
}

vector!(
    /// Eight `f32`.
    F32<M: Masking>: 8 f32 in __m256, proof Ymm<M>, mask M::Mask,
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps
    _mm256_div_ps _mm256_min_ps _mm256_max_ps _mm256_sqrt_ps,
    lt(a, b) = M::lt(a, b),
    le(a, b) = M::le(a, b),
    abs(a) = _mm256_andnot_ps(_mm256_set1_ps(-0.0), a),
    select(mask, a, b) = M::select(mask, a, b)
);

/// Eight `u32`; comes from a [`Ymm`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct U32(__m256i);

impl<M: Masking> Fused for Ymm<M> {
    #[inline(always)]
    fn mul_sub(self, a: F32<M>, b: F32<M>, c: F32<M>) -> F32<M> {
        // SAFETY: `self` proves FMA, which the backends ask for with AVX2.
        F32(unsafe { _mm256_fmsub_ps(a.0, b.0, c.0) }, self)
    }
}

/// [Where](super::least_t) entries lie at the least.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn earlier(entries: __m256i) -> __m256 {
    // SAFETY: the caller proves AVX2.
    unsafe {
        let low = _mm256_set1_epi32(0xffff);
        _mm256_min_ps(
            _mm256_castsi256_ps(_mm256_or_si256(entries, low)),
            _mm256_castsi256_ps(_mm256_andnot_si256(low, entries)),
        )
    }
}

impl<M: Masking> Rearrange for Ymm<M> {
    #[inline(always)]
    fn pick(self, from: &[f32; 4], places: F32<M>) -> F32<M> {
        // SAFETY: `self` proves AVX2; the pointer is to 16 readable bytes.
        unsafe {
            let from = _mm256_broadcast_ps(&_mm_loadu_ps(from.as_ptr()));
            F32(_mm256_permutevar_ps(from, _mm256_castps_si256(places.0)), self)
        }
    }

    #[inline(always)]
    fn bytes(self, numbers: F32<M>) -> [F32<M>; 3] {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let bits = _mm256_castps_si256(numbers.0);
            let second = _mm256_castsi256_ps(_mm256_srli_epi32::<8>(bits));
            let third = _mm256_castsi256_ps(_mm256_srli_epi32::<16>(bits));
            [numbers, F32(second, self), F32(third, self)]
        }
    }

    #[inline(always)]
    fn compress_indices(self, bits: u32, numbers: &[u32], mark: u32, into: &mut [u32]) -> usize {
        let (numbers, into) = (&numbers[..LANES], &mut into[..LANES]);
        // SAFETY: `self` proves AVX2 and what `M` needs; both pointers are to 32 bytes.
        unsafe {
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            let marked = _mm256_or_si256(numbers, _mm256_set1_epi32(mark as i32));
            _mm256_storeu_si256(into.as_mut_ptr().cast(), M::compress(self.mask_of_bits(bits), marked));
        }
        (bits & 0xff).count_ones() as usize
    }

    #[inline(always)]
    fn mask_of_bits(self, bits: u32) -> M::Mask {
        // SAFETY: `self` proves AVX2 and what `M` needs.
        unsafe {
            let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let here = _mm256_and_si256(_mm256_set1_epi32(bits as i32), each);
            M::mask(_mm256_cmpeq_epi32(here, each))
        }
    }

    #[inline(always)]
    fn unpack(self, entries: &[u32], count: usize, sentinel: u16, numbers: &mut [u32]) -> F32<M> {
        let (entries, numbers) = (&entries[..LANES], &mut numbers[..LANES]);
        // SAFETY: `self` proves AVX2; both pointers are to 32 bytes.
        unsafe {
            let count = _mm256_set1_epi32(count.min(LANES) as i32);
            let there = _mm256_cmpgt_epi32(count, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            let entries = _mm256_loadu_si256(entries.as_ptr().cast());
            let entries = _mm256_blendv_epi8(_mm256_set1_epi32(sentinel.into()), entries, there);
            let low = _mm256_set1_epi32(0xffff);
            _mm256_storeu_si256(numbers.as_mut_ptr().cast(), _mm256_and_si256(entries, low));
            F32(earlier(entries), self)
        }
    }

    #[inline(always)]
    fn gather_transposed<const K: usize>(
        self,
        table: &[[[f32; 4]; K]],
        place: usize,
        rows: &[u32],
    ) -> [F32<M>; 4] {
        let rows = &rows[..LANES];
        // SAFETY: `self` proves AVX2; each pointer is to 16 readable bytes.
        unsafe {
            let mut pairs = [_mm256_setzero_ps(); 4];
            for (lane, pair) in pairs.iter_mut().enumerate() {
                let near = _mm_loadu_ps(table[rows[lane] as usize][place].as_ptr());
                let far = _mm_loadu_ps(table[rows[lane + 4] as usize][place].as_ptr());
                *pair = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(near), far);
            }
            let [a, b, c, d] = transpose_halves(pairs);
            [F32(a, self), F32(b, self), F32(c, self), F32(d, self)]
        }
    }

    #[inline(always)]
    fn store_transposed<const K: usize>(
        self,
        columns: [F32<M>; 4],
        place: usize,
        into: &mut [[[f32; 4]; K]],
    ) {
        let into = &mut into[..LANES];
        // SAFETY: `self` proves AVX2; each pointer is to 16 writable bytes.
        unsafe {
            let [a, b, c, d] = columns;
            let rows = transpose_halves([a.0, b.0, c.0, d.0]);
            for (row, values) in rows.into_iter().enumerate() {
                _mm_storeu_ps(into[row][place].as_mut_ptr(), _mm256_castps256_ps128(values));
                _mm_storeu_ps(into[row + 4][place].as_mut_ptr(), _mm256_extractf128_ps::<1>(values));
            }
        }
    }

    #[inline(always)]
    fn compress_hits(self, low: F32<M>, high: F32<M>, numbers: &[u32], into: &mut [u32]) -> usize {
        let (numbers, into) = (&numbers[..LANES], &mut into[..LANES]);
        // SAFETY: `self` proves AVX2 and what `M` needs; each pointer is to 32 bytes.
        unsafe {
            let mask = M::le(low.0, high.0);
            let halves = _mm256_set1_epi32(ENTRY_T.cast_signed());
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            let entries = _mm256_or_si256(_mm256_and_si256(_mm256_castps_si256(low.0), halves), numbers);
            _mm256_storeu_si256(into.as_mut_ptr().cast(), M::compress(mask, entries));
            mask.bits().count_ones() as usize
        }
    }
}

/// Transposes the lower and the upper 4 × 4 lanes of four vectors, each by itself.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose_halves([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the caller proves AVX2.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

impl<M: Masking> Lanes for Ymm<M> {
    type F32 = F32<M>;
    type U32 = U32;
    type Mask = M::Mask;
    type Widest = M::Widest;

    #[inline(always)]
    fn widest(self) -> M::Widest {
        M::widest(self)
    }

    #[inline(always)]
    fn load_u32(self, values: &[u32; LANES]) -> U32 {
        // SAFETY: `self` proves AVX2; the array is 32 readable bytes.
        U32(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn compress_store(self, mask: M::Mask, values: U32, into: &mut [u32; LANES]) -> u32 {
        // SAFETY: `self` proves AVX2 and what `M` needs; the array is 32 writable bytes.
        unsafe { _mm256_storeu_si256(into.as_mut_ptr().cast(), M::compress(mask, values.0)) };
        mask.bits().count_ones()
    }

    #[inline(always)]
    fn compress_store_in_order(
        self,
        order: u32,
        low: F32<M>,
        high: F32<M>,
        values: U32,
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        // SAFETY: `self` proves AVX2 and what `M` needs; the array is 32 writable bytes.
        unsafe {
            let order = in_order(order);
            let low = _mm256_permutevar8x32_ps(low.0, order);
            let high = _mm256_permutevar8x32_ps(high.0, order);
            let values = _mm256_permutevar8x32_epi32(values.0, order);
            let mask = M::le(low, high);
            let low = M::compress(mask, _mm256_castps_si256(low));
            _mm256_storeu_si256(into.0.as_mut_ptr().cast(), low);
            self.compress_store(mask, U32(values), into.1)
        }
    }

    #[inline(always)]
    fn take_least(self, mask: M::Mask, values: F32<M>) -> (usize, F32<M>) {
        // SAFETY: `self` proves AVX2 and what `M` needs.
        unsafe {
            // The lane number in the last bits names the lane of the least; as integers, as an integer minimum
            // takes a quarter of the time.
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let keys = _mm256_or_si256(
                _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(values.0)),
                lanes,
            );
            let none = _mm256_or_si256(_mm256_set1_epi32(i32::MAX & !7), lanes);
            let keys = M::select(mask, _mm256_castsi256_ps(keys), _mm256_castsi256_ps(none));
            let keys = _mm256_castps_si256(keys);
            let half = _mm_min_epi32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
            let quarter = _mm_min_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            let least = _mm_min_epi32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
            let taken = _mm256_cmpeq_epi32(keys, _mm256_broadcastd_epi32(least));
            let others = M::select(M::mask(taken), _mm256_set1_ps(f32::NAN), values.0);
            (_mm_cvtsi128_si32(least) as usize % LANES, F32(others, self))
        }
    }

    #[inline(always)]
    fn store_entries(self, low: F32<M>, high: F32<M>, number: u16, into: &mut [u32; LANES]) {
        // SAFETY: `self` proves AVX2 and what `M` needs; the array is 32 writable bytes.
        unsafe {
            let numbers = _mm256_set1_epi32(i32::from(number));
            let halves = _mm256_set1_epi32(ENTRY_T.cast_signed());
            let entries = _mm256_or_si256(_mm256_and_si256(_mm256_castps_si256(low.0), halves), numbers);
            let none = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
            let entries = M::select(M::le(low.0, high.0), _mm256_castsi256_ps(entries), none);
            _mm256_storeu_ps(into.as_mut_ptr().cast(), entries);
        }
    }

    #[inline(always)]
    fn compact(self, entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS]) -> usize {
        M::compact(self, entries, count, limits)
    }

    #[inline(always)]
    fn compress_columns_in_order(self, order: u32, columns: [U32; 3], into: [&mut [u32; LANES]; 3]) -> u32 {
        // SAFETY: `self` proves AVX2 and what `M` needs; each array is 32 writable bytes.
        unsafe {
            let order = in_order(order);
            let first = _mm256_permutevar8x32_epi32(columns[0].0, order);
            let some = M::mask(_mm256_xor_si256(
                _mm256_cmpeq_epi32(first, _mm256_setzero_si256()),
                _mm256_set1_epi32(-1),
            ));
            let [into_first, into_second, into_third] = into;
            self.compress_store(some, U32(_mm256_permutevar8x32_epi32(columns[1].0, order)), into_second);
            self.compress_store(some, U32(_mm256_permutevar8x32_epi32(columns[2].0, order)), into_third);
            self.compress_store(some, U32(first), into_first)
        }
    }
}

/// Three bits of an order as the number of a lane, for each place: `vpermd` reads the low three bits.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn in_order(order: u32) -> __m256i {
    // SAFETY: the caller proves AVX2.
    unsafe {
        let shifts = _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21);
        _mm256_srlv_epi32(_mm256_set1_epi32(order.cast_signed()), shifts)
    }
}
