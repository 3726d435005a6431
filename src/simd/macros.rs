//! The macros that lanes are written with.

/// Methods that are always inlined, a line each.
macro_rules! inlined {
    ($($(#[$doc:meta])* $visible:vis fn $name:ident($($arguments:tt)*) -> $result:ty = $body:expr;)+) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            $visible fn $name($($arguments)*) -> $result {
                $body
            }
        )+
    };
}

/// Implements operators of a type, each as a function of the two values.
macro_rules! operators {
    (one [$($generics:tt)*] $type:ty: $operator:ident $method:ident |$a:ident, $b:ident| $result:expr) => {
        impl<$($generics)*> std::ops::$operator for $type {
            type Output = Self;
            super::macros::inlined! { fn $method(self, $b: Self) -> Self = { let $a = self; $result }; }
        }
    };
    ($generics:tt $type:ty: $($operator:ident $method:ident |$a:ident, $b:ident| $result:expr),+) => {
        $(super::macros::operators!(one $generics $type: $operator $method |$a, $b| $result);)+
    };
}

/// Implements [`Real`](super::lanes::Real) for a type, with an expression for each method.
macro_rules! real {
    (
        [$($generics:tt)*] $type:ty: $scalar:ty, $mask:ty, |$a:ident, $b:ident|
        splat $splat:expr, min $min:expr, max $max:expr, lt $lt:expr, le $le:expr, abs $abs:expr, sqrt $sqrt:expr,
        select($by:ident) $select:expr $(, mul_sub($less:ident) $mul_sub:expr)? $(, mul_add($more:ident) $mul_add:expr)? $(, le_in($in:ident) $le_in:expr)? $(, max_abs $max_abs:expr)?
        $(, loose_min $loose_min:expr, loose_max $loose_max:expr)?
    ) => {
        impl<$($generics)*> Real for $type {
            type Scalar = $scalar;
            type Mask = $mask;

            super::macros::inlined! {
                fn splat(self, $b: $scalar) -> Self = { let $a = self; let _ = $a; $splat };
                fn min(self, $b: Self) -> Self = { let $a = self; $min };
                fn max(self, $b: Self) -> Self = { let $a = self; $max };
                fn lt(self, $b: Self) -> Self::Mask = { let $a = self; $lt };
                fn le(self, $b: Self) -> Self::Mask = { let $a = self; $le };
                fn abs(self) -> Self = { let $a = self; $abs };
                fn sqrt(self) -> Self = { let $a = self; $sqrt };
                fn select(self, $by: Self::Mask, $b: Self) -> Self = { let $a = self; $select };
                $(fn mul_sub(self, $b: Self, $less: Self) -> Self = { let $a = self; $mul_sub };)?
                $(fn mul_add(self, $b: Self, $more: Self) -> Self = { let $a = self; $mul_add };)?
                $(fn le_in(self, $b: Self, $in: Self::Mask) -> Self::Mask = { let $a = self; $le_in };)?
                $(fn max_abs(self, $b: Self) -> Self = { let $a = self; $max_abs };)?
                $(
                    fn loose_min(self, $b: Self) -> Self = { let $a = self; $loose_min };
                    fn loose_max(self, $b: Self) -> Self = { let $a = self; $loose_max };
                )?
            }
        }
    };
}

/// Implements `Pod` and `Zeroable` for a `repr(C)` type of so many numbers of its parameter, maybe
/// in any number of dimensions: `bytemuck` derives them only for types without parameters. All
/// fields must be such numbers, or arrays of them.
macro_rules! plain_numbers {
    ($name:ident: $count:expr) => {
        const _: () = {
            const COUNT: usize = $count;
            assert!(size_of::<$name<f32>>() == COUNT * size_of::<f32>(), "numbers and no more");
            assert!(size_of::<$name<f64>>() == COUNT * size_of::<f64>(), "numbers and no more");
        };
        $crate::simd::plain_numbers!(@implement $name);
    };
    ($name:ident<$d:ident>: $count:expr) => {
        const _: () = {
            const fn check<const $d: usize>() {
                let count: usize = $count;
                let sizes = [size_of::<$name<f32, $d>>(), size_of::<$name<f64, $d>>()];
                assert!(sizes[0] == count * size_of::<f32>(), "numbers and no more");
                assert!(sizes[1] == count * size_of::<f64>(), "numbers and no more");
            }
            check::<2>();
            check::<3>();
        };
        $crate::simd::plain_numbers!(@implement $name, $d);
    };
    (@implement $name:ident $(, $d:ident)?) => {
        // SAFETY: the type is `repr(C)` and made of nothing but `T`s, `f32` or `f64`: any bits are
        // a value, and all fields have one alignment, so that there is no padding. It is asserted
        // above that the size is that of the numbers, for both precisions, and of types with
        // dimensions for two and three; for others arrays are shorter or longer, no more.
        #[expect(unsafe_code, reason = "written once, here, for every such type")]
        unsafe impl<T: $crate::simd::Scalar $(, const $d: usize)?> bytemuck::Zeroable for $name<T $(, $d)?> {}
        // SAFETY: as above.
        #[expect(unsafe_code, reason = "written once, here, for every such type")]
        unsafe impl<T: $crate::simd::Scalar $(, const $d: usize)?> bytemuck::Pod for $name<T $(, $d)?> {}
    };
}

pub(crate) use {inlined, plain_numbers};
pub(super) use {operators, real};
