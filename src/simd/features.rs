//! Functions compiled for features of x86 CPUs, in which intrinsics are safe to call.
//!
//! A method of a safe trait cannot be compiled for features, and a function that is cannot be
//! `#[inline(always)]`. So each method on lanes is always inlined, and opens a function of registers
//! that is compiled for features. The compiler inlines it where it inlines intrinsics, which are
//! such functions themselves: once the method is part of the entry to a backend.
#![expect(unsafe_code, reason = "a proof is a promise that the compiler cannot check")]

/// A token that proves that the CPU has vectors of so many bits: of 256, AVX2 and FMA; of 512,
/// AVX-512.
///
/// # Safety
/// A value exists only where the CPU has them.
pub(crate) unsafe trait Proof<const BITS: usize>: Copy {}

pub(super) const fn proven<const BITS: usize, P: Proof<BITS>>(_: P) {}

/// A function with the features that a set of instructions stands for.
macro_rules! with_features {
    (avx2 $($function:tt)+) => {
        #[target_feature(enable = "avx2,fma")]
        #[inline]
        $($function)+
    };
    (avx512 $($function:tt)+) => {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
        #[inline]
        $($function)+
    };
}

/// The value of an expression of intrinsics, as of a function of the named arguments, compiled for
/// a set of instructions. In the expression, intrinsics that take pointers still need `unsafe`. An
/// argument without a value is the variable of its name.
///
/// The token in brackets is the [proof](Proof) that the CPU has the features.
macro_rules! compiled {
    (avx2($token:expr) $($function:tt)+) => {{
        super::features::proven::<256, _>($token);
        super::features::compiled!(@avx2 $($function)+)
    }};
    (avx512($token:expr) $($function:tt)+) => {{
        super::features::proven::<512, _>($token);
        super::features::compiled!(@avx512 $($function)+)
    }};
    (@$set:ident fn($($name:ident: $type:ty $(= $value:expr)?),+) -> $result:ty = $body:expr) => {{
        super::features::with_features! { $set fn compiled($($name: $type),+) -> $result { $body } }
        let ($($name,)+) = ($(super::features::compiled!(@value $name $($value)?),)+);
        // SAFETY: `compiled` is a safe function but for its features. The CPU has them: only
        // detection makes tokens, and the compiler checks that the entry to a backend has the
        // features.
        unsafe { compiled($($name),+) }
    }};
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
}

/// Methods that are always inlined, a line each, of intrinsics and the arguments without `self`:
/// see [`compiled`].
macro_rules! intrinsics {
    ($set:ident($token:expr) $(
        $(#[$doc:meta])* fn $name:ident($self:ident $(, $argument:ident: $type:ty)+) -> $result:ty = $body:expr;
    )+) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            fn $name($self $(, $argument: $type)+) -> $result {
                super::features::compiled!($set($token) fn($($argument: $type),+) -> $result = $body)
            }
        )+
    };
}

/// Functions that only those with the features may call without `unsafe`.
pub(super) mod enabled {
    super::with_features! { avx2 pub(in crate::simd) fn avx2() {} }
    super::with_features! { avx512 pub(in crate::simd) fn avx512() {} }
}

pub(super) use {compiled, intrinsics, with_features};
