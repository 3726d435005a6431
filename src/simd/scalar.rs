//! The two precisions, and a single number as a vector of one lane.

use std::cmp::Ordering;
use std::fmt::Display;
use std::ops::Neg;

use bytemuck::Pod;

use super::lanes::{Lanes, Mask, Real, ToByte, Vectors, Widening};
use super::macros::{inlined, real};

/// The precision of coordinates: `f32` or `f64`. The trait is sealed.
pub trait Scalar:
    Real<Scalar = Self, Mask = bool>
    + Arithmetic
    + ToByte
    + Default
    + Display
    + PartialOrd
    + Neg<Output = Self>
    + Pod
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// ∞.
    const INFINITY: Self;
    /// −∞.
    const NEG_INFINITY: Self;
    /// The greatest finite number.
    const GREATEST: Self;
    /// The least positive normal number.
    const MIN_POSITIVE: Self;
    /// Half the distance between 1 and the next number: the relative error of one rounded
    /// operation.
    const UNIT_ROUNDOFF: Self;
    /// The bound on the magnitude of a coordinate: 2¹⁰⁰ for `f32`, 2³⁰⁰ for `f64`. The largest
    /// component of a direction lies between its reciprocal and itself.
    const LARGEST_COORDINATE: Self;
    /// `t` from here on counts as infinite: 2¹²⁷ for `f32`, 2¹⁰²³ for `f64`.
    const INFINITE_T: Self;

    /// A whole number, or another that every precision holds exactly.
    fn of(value: f32) -> Self;

    /// As `f64`, exactly.
    fn to_f64(self) -> f64;

    /// A whole number from 0 to 255 as such.
    #[inline(always)]
    fn to_u8(self) -> u8 {
        self.to_byte()
    }

    /// Whether it is neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// Whether it is NaN.
    fn is_nan(self) -> bool;

    /// Whether the sign bit is set, as it is for −0.
    fn is_sign_negative(self) -> bool;
}

/// Dispatch, and arithmetic that only the engine needs: not exported, which seals [`Scalar`].
pub trait Arithmetic: Sized {
    /// The mark of no number: NaN.
    const NO_NUMBER: Self;

    /// The number of a primitive, below 2³⁰, or the mark of none, as bits: finite, not negative and
    /// in the same order.
    fn of_number(number: u32) -> Self;

    fn number(self) -> u32;

    fn nearest_to(value: f64) -> Self;

    /// The next number below, in the order of the numbers; above the greatest is ∞.
    fn next_down(self) -> Self;

    fn next_up(self) -> Self;

    /// The order by magnitude and sign, in which −0 comes before 0 and NaN has a place.
    fn total_order(self, other: Self) -> Ordering;

    /// The vectors of a backend whose number of lanes divides a block's eight; the widest are
    /// [`Lanes::Widest`].
    type InBlock<L: Lanes>: Vectors<Self>;

    fn in_block<L: Lanes>(lanes: L) -> Self::InBlock<L>;

    /// The widest vectors of a backend.
    type Widest<L: Lanes>: Vectors<Self>;

    fn widest<L: Lanes>(lanes: L) -> Self::Widest<L>;
}

/// One number at a time, on every CPU: the scalar form of every kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Single;

impl<T: Scalar> Vectors<T> for Single {
    type Real = T;
    type Row = [T; 1];
    type Bytes = [u8; 1];
    const COUNT: usize = 1;

    inlined! {
        fn splat(self, value: T) -> T = value;
        fn load(self, values: &[T; 1]) -> T = values[0];
        fn store(self, values: T, into: &mut [T; 1]) -> () = into[0] = values;
    }
}

macro_rules! scalar {
    ($t:ident as $bits:ident: 2 to the $largest:literal, $infinite_t:literal, block $in_block:ty: $lanes:ident $block:expr) => {
        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const INFINITY: Self = $t::INFINITY;
            const NEG_INFINITY: Self = $t::NEG_INFINITY;
            const GREATEST: Self = $t::MAX;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;
            const UNIT_ROUNDOFF: Self = 0.5 * $t::EPSILON;
            const LARGEST_COORDINATE: Self =
                $t::from_bits((($t::MAX_EXP - 1 + $largest) as $bits) << ($t::MANTISSA_DIGITS - 1));
            const INFINITE_T: Self =
                $t::from_bits((($t::MAX_EXP - 1 + $infinite_t) as $bits) << ($t::MANTISSA_DIGITS - 1));

            inlined! {
                fn of(value: f32) -> Self = Self::from(value);
                fn to_f64(self) -> f64 = f64::from(self);
                fn is_finite(self) -> bool = $t::is_finite(self);
                fn is_nan(self) -> bool = $t::is_nan(self);
                fn is_sign_negative(self) -> bool = $t::is_sign_negative(self);
            }
        }

        impl ToByte for $t {
            inlined! {
                fn to_byte(self) -> u8 = {
                    // Behind 2^(digits of the mantissa), whole numbers stand in the lowest bits.
                    // That is an addition and a truncation, which come as vectors; a checked
                    // conversion does not.
                    let behind = (1_u64 << ($t::MANTISSA_DIGITS - 1)) as $t;
                    (self + behind).to_bits() as u8
                };
            }
        }

        impl Arithmetic for $t {
            const NO_NUMBER: Self = Self::from_bits($bits::MAX);

            inlined! {
                fn of_number(number: u32) -> Self = {
                    // In the upper half of 64 bits too, so that the mark of none is NaN there.
                    let bits = $bits::from(number);
                    Self::from_bits(bits << ($bits::BITS - u32::BITS) | bits)
                };
                fn nearest_to(value: f64) -> Self = value as Self;
                fn next_down(self) -> Self = $t::next_down(self);
                fn next_up(self) -> Self = $t::next_up(self);
                fn number(self) -> u32 = self.to_bits() as u32;
                fn total_order(self, other: Self) -> Ordering = self.total_cmp(&other);
            }

            type InBlock<L: Lanes> = $in_block;
            type Widest<L: Lanes> = L::Widest;

            #[inline(always)]
            fn in_block<L: Lanes>($lanes: L) -> $in_block {
                $block
            }

            #[inline(always)]
            fn widest<L: Lanes>(lanes: L) -> L::Widest {
                lanes.widest()
            }
        }

        real!([] $t: Self, bool, |a, b|
            splat b,
            min if a < b { a } else { b },
            max if a > b { a } else { b },
            lt a < b,
            le a <= b,
            abs $t::abs(a),
            sqrt $t::sqrt(a),
            select(mask) if mask { a } else { b }
        );
    };
}

scalar!(f32 as u32: 2 to the 100, 127, block L: lanes lanes);
scalar!(f64 as u64: 2 to the 300, 1023, block L::Widest: lanes lanes.widest());

impl Widening for f32 {
    type Wide = f64;

    inlined! {
        fn widen(self) -> f64 = self.into();
        fn narrow(wide: f64) -> Self = wide as Self;
        fn narrow_mask(mask: bool) -> bool = mask;
    }
}

impl Mask for bool {
    inlined! { fn bits(self) -> u32 = u32::from(self); }
}
