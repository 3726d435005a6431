//! The lane operations of the kernels.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::entries::{ENTRY_T, MAX_STREAM_RAYS, NO_ENTRY};
use super::macros::inlined;

/// The lanes of a block.
pub(crate) const LANES: usize = 8;

/// Numbers that are stored as [bytes](Vectors::store_bytes).
pub trait ToByte: Copy {
    /// A whole number from 0 to 255 as such.
    fn to_byte(self) -> u8;
}

/// The vectors of one backend with lanes of `T`, of any length.
///
/// The value is a zero-sized proof that the CPU has the instructions: only detection of the
/// [backend](super::Backend) makes one. A function on lanes that is not inlined into its
/// [entry](super::dispatch) is still correct, at several times the price. So kernels loop over
/// lanes with `for` and not with `array::map` or iterator adaptors, which are functions of their
/// own: `array::map` made the AVX2 and AVX-512 backends as slow as the portable one.
///
/// Operations are those of IEEE 754, rounded to nearest, none fused but [`Real::mul_sub`] and
/// [`Real::mul_add`]: all backends give the same bits.
pub trait Vectors<T>: Copy + Debug + Send + Sync {
    type Real: Real<Scalar = T>;
    /// A vector in memory: an array of `T`.
    type Row: bytemuck::Pod + Send + Sync + AsRef<[T]> + AsMut<[T]>;
    /// An array of as many bytes.
    type Bytes: bytemuck::Pod + AsRef<[u8]> + AsMut<[u8]>;

    const COUNT: usize;

    fn splat(self, value: T) -> Self::Real;

    fn load(self, values: &Self::Row) -> Self::Real;

    fn store(self, values: Self::Real, into: &mut Self::Row);

    /// Stores whole numbers from 0 to 255.
    #[inline(always)]
    fn store_bytes(self, values: Self::Real, into: &mut Self::Bytes)
    where
        T: ToByte,
    {
        let mut row: Self::Row = bytemuck::Zeroable::zeroed();
        self.store(values, &mut row);
        for (into, value) in into.as_mut().iter_mut().zip(row.as_ref()) {
            *into = value.to_byte();
        }
    }
}

type MaskOf<V> = <<V as Vectors<f32>>::Real as Real>::Mask;

type Wide<V> = <V as Vectors<f64>>::Real;

/// Vectors of `f32` with their bits, gathers, transposes and compress-stores.
///
/// Slices shorter than a vector panic, as do rows that a table lacks, and quarters that a row
/// lacks.
pub trait Rearrange: Vectors<f32> {
    type U32: Copy;

    fn load_u32(self, values: &[u32]) -> Self::U32;

    fn store_u32(self, values: Self::U32, into: &mut [u32]);

    fn splat_u32(self, value: u32) -> Self::U32;

    fn and(self, a: Self::U32, b: Self::U32) -> Self::U32;

    fn or(self, a: Self::U32, b: Self::U32) -> Self::U32;

    /// Each lane shifted down by `by` bits.
    fn shift_down(self, values: Self::U32, by: u32) -> Self::U32;

    fn to_bits(self, values: Self::Real) -> Self::U32;

    fn of_bits(self, bits: Self::U32) -> Self::Real;

    /// Lane `i` from `from[p]`, where p are the lowest sixteen bits of lane `i` of `places`.
    fn gather(self, from: &[f32; MAX_STREAM_RAYS], places: Self::U32) -> Self::Real;

    /// Lane `i` from `from[p]`, where p are the lowest two bits of lane `i` of `places`.
    fn pick(self, from: &[f32; 4], places: Self::Real) -> Self::Real;

    /// The mask with lane `i` set where bit `i` is; bits beyond the lanes are ignored.
    fn mask_of_bits(self, bits: u32) -> MaskOf<Self>;

    /// The mask with the first `count` lanes set; `count` is below 2³¹.
    fn first(self, count: u32) -> MaskOf<Self>;

    /// Compress-stores the lanes of `values` in `bits`, and returns their count, as all
    /// compress-stores do; bits beyond the lanes are ignored. The rest of `into`, up to the number
    /// of lanes, is unspecified, here and below.
    fn compress_store_bits(self, bits: u32, values: Self::U32, into: &mut [u32]) -> u32;

    /// Gathers the quarter `place` of the row of each lane, transposed to four columns.
    #[inline(always)]
    fn gather_transposed<'t, const K: usize>(
        self,
        row: impl Fn(usize) -> &'t [[f32; 4]; K],
        place: usize,
    ) -> [Self::Real; 4] {
        let mut columns: [Self::Row; 4] = bytemuck::Zeroable::zeroed();
        for lane in 0..Self::COUNT {
            for (column, number) in columns.iter_mut().zip(row(lane)[place]) {
                column.as_mut()[lane] = number;
            }
        }
        let [a, b, c, d] = &columns;
        [self.load(a), self.load(b), self.load(c), self.load(d)]
    }

    /// Stores the four columns, transposed, to the quarter `place` of rows of `K` quarters: lane
    /// `i` to row `i`.
    fn store_transposed<const K: usize>(
        self,
        columns: [Self::Real; 4],
        place: usize,
        into: &mut [[[f32; 4]; K]],
    );

    inlined! {
        fn compress_store(self, mask: MaskOf<Self>, values: Self::U32, into: &mut [u32]) -> u32 =
            self.compress_store_bits(mask.bits(), values, into);

        /// The bits of each lane such that the lowest byte comes first, the second, the third.
        fn bytes(self, numbers: Self::Real) -> [Self::Real; 3] = {
            let bits = self.to_bits(numbers);
            [numbers, self.of_bits(self.shift_down(bits, 8)), self.of_bits(self.shift_down(bits, 16))]
        };

        /// Compress-stores the `numbers` of the lanes in `bits`, each with the bits of `mark` set.
        fn compress_indices(self, bits: u32, numbers: &[u32], mark: u32, into: &mut [u32]) -> usize =
            self.compress_store_bits(bits, self.or(self.load_u32(numbers), self.splat_u32(mark)), into) as usize;

        /// Compress-stores an [entry](super::entries) of the number, below 2¹⁶, at `low` for each
        /// lane with `low ≤ high`.
        fn compress_hits(self, low: Self::Real, high: Self::Real, numbers: Self::U32, into: &mut [u32]) -> usize =
            self.compress_store(low.le(high), self.entries(low, numbers), into) as usize;

        /// An [entry](super::entries) of each number at its `t`.
        fn entries(self, t: Self::Real, numbers: Self::U32) -> Self::U32 =
            self.or(self.and(self.to_bits(t), self.splat_u32(ENTRY_T)), numbers);

        fn numbers(self, entries: Self::U32) -> Self::U32 = self.and(entries, self.splat_u32(!ENTRY_T));

        fn least_t(self, entries: Self::U32) -> Self::Real = {
            let most = self.of_bits(self.or(entries, self.splat_u32(!ENTRY_T)));
            most.min(self.of_bits(self.and(entries, self.splat_u32(ENTRY_T))))
        };
    }

    /// Unpacks the first entries to numbers and [lower bounds](super::least_t) of `t`, NaN from
    /// `count` on.
    #[inline(always)]
    fn unpack(self, entries: &[u32], count: usize) -> (Self::U32, Self::Real) {
        let entries = self.load_u32(entries);
        let there = self.first(count.min(Self::COUNT) as u32);
        (self.numbers(entries), self.least_t(entries).select(there, self.splat(f32::NAN)))
    }
}

/// Eight lanes of `f32`, with the compress-stores of tree traversal, and the way to the widest
/// vectors of the backend.
pub trait Lanes: Rearrange + Vectors<f32, Row = [f32; LANES], Real = Self::F32> {
    type F32: Real<Scalar = f32, Mask = Self::Mask>;
    type Mask: Mask;
    /// The vectors for long columns: as wide as the backend has them.
    type Widest: Rearrange + BothPrecisions;

    fn widest(self) -> Self::Widest;

    /// Compress-stores `low` and `values` of the lanes with `low ≤ high`: first the lane named by
    /// bits 0..3 of `order`, if it is among them, then that of bits 3..6, and so on.
    #[inline(always)]
    fn compress_store_in_order(
        self,
        order: u32,
        low: Self::F32,
        high: Self::F32,
        values: Self::U32,
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32 {
        let (mut lows, mut numbers, mut count) = ([0.0; LANES], [0; LANES], 0);
        self.store(low, &mut lows);
        self.store_u32(values, &mut numbers);
        let mask = low.le(high).bits();
        for place in 0..LANES {
            let lane = (order >> (3 * place)) as usize % LANES;
            into.0[count as usize % LANES] = lows[lane];
            into.1[count as usize % LANES] = numbers[lane];
            count += mask >> lane & 1;
        }
        count
    }

    /// Compress-stores the lanes of three columns where the first is not 0, in the order of
    /// `compress_store_in_order`.
    #[inline(always)]
    fn compress_columns_in_order(
        self,
        order: u32,
        columns: [Self::U32; 3],
        into: [&mut [u32; LANES]; 3],
    ) -> u32 {
        let (mut rows, mut count) = ([[0; LANES]; 3], 0);
        for (column, row) in columns.into_iter().zip(&mut rows) {
            self.store_u32(column, row);
        }
        for place in 0..LANES {
            let lane = (order >> (3 * place)) as usize % LANES;
            for column in 0..3 {
                into[column][count as usize % LANES] = rows[column][lane];
            }
            count += u32::from(rows[0][lane] != 0);
        }
        count
    }

    /// The lane of the least number in `mask`, and the values with NaN in that lane; any lane for
    /// an empty mask. Values that differ in their last three bits only may count as equal, and the
    /// choice among several below zero is unspecified, so that only speed may depend on it.
    fn take_least(self, mask: Self::Mask, values: Self::F32) -> (usize, Self::F32);

    /// Stores for each lane with `low ≤ high` an [entry](super::entries) of `number` at `low`, and
    /// for each other [`NO_ENTRY`](super::NO_ENTRY).
    #[inline(always)]
    fn store_entries(self, low: Self::F32, high: Self::F32, number: u16, into: &mut [u32; LANES]) {
        let entries = self.of_bits(self.entries(low, self.splat_u32(number.into())));
        let none = self.of_bits(self.splat_u32(NO_ENTRY));
        self.store_u32(self.to_bits(entries.select(low.le(high), none)), into);
    }

    /// Compacts the first `count` entries: keeps those whose [bound](super::least_t) is at most the
    /// limit of their number, in order, and returns their count. The places behind them are
    /// unspecified. Panics if there are fewer entries than `count`, rounded up to a multiple of
    /// [`MAX_LANES`](super::MAX_LANES).
    #[inline(always)]
    fn compact(self, entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS]) -> usize {
        let (lanes, at_once) = (self.widest(), <Self::Widest as Vectors<f32>>::COUNT);
        let mut kept = 0;
        for first in (0..count).step_by(at_once) {
            let here = lanes.load_u32(&entries[first..first + at_once]);
            let limits = lanes.gather(limits, here);
            let keep = lanes.least_t(here).le(limits) & lanes.first((count - first) as u32);
            kept += lanes.compress_store(keep, here, &mut entries[kept..kept + at_once]) as usize;
        }
        kept
    }
}

/// Floating-point numbers in lanes; a plain `f32` or `f64` is a single lane.
pub trait Real:
    Copy
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    type Scalar: Copy;
    type Mask: Mask;

    fn splat(self, value: Self::Scalar) -> Self;

    /// `self < other ? self : other`: where either is NaN, the answer is `other`.
    fn min(self, other: Self) -> Self;

    /// `self > other ? self : other`: where either is NaN, the answer is `other`.
    fn max(self, other: Self) -> Self;

    /// [`min`](Self::min), but where `self` is NaN it may be that, and of two zeros either: for
    /// numbers that are not reported.
    #[inline(always)]
    fn loose_min(self, other: Self) -> Self {
        self.min(other)
    }

    /// [`max`](Self::max) with the exceptions of [`loose_min`](Self::loose_min).
    #[inline(always)]
    fn loose_max(self, other: Self) -> Self {
        self.max(other)
    }

    /// `self < other`; false where either is NaN.
    fn lt(self, other: Self) -> Self::Mask;

    /// `self ≤ other`; false where either is NaN.
    fn le(self, other: Self) -> Self::Mask;

    /// `mask` where `self ≤ other`, else no. AVX-512 compares under the mask;
    /// `mask & self.le(other)` takes two operations there.
    #[inline(always)]
    fn le_in(self, other: Self, mask: Self::Mask) -> Self::Mask {
        mask & self.le(other)
    }

    /// The magnitude: the sign bit is cleared.
    fn abs(self) -> Self;

    /// The greater of two magnitudes, none of which is NaN.
    #[inline(always)]
    fn max_abs(self, other: Self) -> Self {
        self.abs().loose_max(other.abs())
    }

    /// The correctly rounded square root; NaN below zero.
    fn sqrt(self) -> Self;

    /// `self · factor − less`, with the product rounded or not: for conservative tests whose
    /// numbers are not reported, or products that are exact. This, [`mul_add`](Self::mul_add), the loose
    /// minimum and maximum, and [`Lanes::take_least`] may differ between backends, and no others.
    #[inline(always)]
    fn mul_sub(self, factor: Self, less: Self) -> Self {
        self * factor - less
    }

    /// `self · factor + more`, with the product rounded or not, as [`mul_sub`](Self::mul_sub).
    #[inline(always)]
    fn mul_add(self, factor: Self, more: Self) -> Self {
        self * factor + more
    }

    /// `self` where `mask` says yes, `other` where it says no.
    fn select(self, mask: Self::Mask, other: Self) -> Self;
}

/// `f32` in lanes that widen to `f64`.
pub trait Widening: Real<Scalar = f32> {
    /// The same number of lanes of `f64`.
    type Wide: Real<Scalar = f64>;

    fn widen(self) -> Self::Wide;

    /// The nearest `f32`, of two the even one; infinite beyond the greatest.
    fn narrow(wide: Self::Wide) -> Self;

    /// A mask of `f64` as one of `f32`.
    fn narrow_mask(mask: <Self::Wide as Real>::Mask) -> Self::Mask;
}

/// Vectors of `f32`, and of `f64` with half as many lanes. Fewer rows than lanes panic, and places
/// that a row lacks.
pub trait BothPrecisions: Vectors<f32, Real: Widening> + Vectors<f64> {
    /// The lanes of two vectors, one after the other.
    fn join(
        self,
        low: Wide<Self>,
        high: Wide<Self>,
    ) -> <<Self as Vectors<f32>>::Real as Widening>::Wide;

    /// Loads the places `first` to `first + 3` of the first rows, one for each lane of `f64`,
    /// transposed to columns.
    fn load_transposed_wide<const W: usize>(
        self,
        rows: &[[f64; W]],
        first: usize,
    ) -> [Wide<Self>; 4];

    /// Stores the four columns, transposed, to the places `first` to `first + 3`: lane `i` to row
    /// `i`.
    fn store_transposed_wide<const W: usize>(
        self,
        columns: [Wide<Self>; 4],
        first: usize,
        into: &mut [[f64; W]],
    );
}

/// A yes or no for each lane.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Bit `i` is set where lane `i` says yes; the bits above are zero.
    fn bits(self) -> u32;

    /// The bits of two masks of so many lanes, those of `high` above.
    #[inline(always)]
    fn bits_of_both(low: Self, high: Self, lanes: usize) -> u32 {
        low.bits() | high.bits() << lanes
    }
}

/// The places of the set bits, the lowest first.
#[inline(always)]
pub(crate) fn set_bits(bits: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut bits = bits.into();
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            lane
        })
    })
}
