//! The common operations of vectors in x86 registers.
//!
//! They differ in the register, in the names of the intrinsics, and in the mask.

/// A vector type of `$lanes` lanes in one register, and what [`Vectors`](super::lanes::Vectors) and
/// [`Real`](super::lanes::Real) ask of it.
///
/// `$proof` is the token: a vector comes from a token only, directly or through another vector, and
/// carries it. What differs in more than a name is given as an expression of the registers.
macro_rules! vector {
    (
        $(#[$doc:meta])*
        $name:ident $(<$masking:ident: $bound:ident>)?: $lanes:literal $scalar:ident in $register:ident,
        proof $proof:ty, mask $mask:ty,
        $set1:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident $div:ident $min:ident
        $max:ident $sqrt:ident,
        lt($lt_a:ident, $lt_b:ident) = $lt:expr,
        le($le_a:ident, $le_b:ident) = $le:expr,
        abs($abs_a:ident) = $abs:expr,
        select($select_mask:ident, $select_a:ident, $select_b:ident) = $select:expr
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name $(<$masking>)?(pub(super) $register, pub(super) $proof);

        impl $(<$masking: $bound>)? Vectors<$scalar> for $proof {
            type Real = $name $(<$masking>)?;
            type Row = [$scalar; $lanes];
            const COUNT: usize = $lanes;

            #[inline(always)]
            fn splat(self, value: $scalar) -> Self::Real {
                // SAFETY: `self` proves that the CPU has the instructions.
                $name(unsafe { $set1(value) }, self)
            }

            #[inline(always)]
            fn load(self, values: &[$scalar; $lanes]) -> Self::Real {
                // SAFETY: as above; the array is a register's length of readable bytes.
                $name(unsafe { $load(values.as_ptr()) }, self)
            }

            #[inline(always)]
            fn store(self, values: Self::Real, into: &mut [$scalar; $lanes]) {
                // SAFETY: as above; the array is a register's length of writable bytes.
                unsafe { $store(into.as_mut_ptr(), values.0) }
            }
        }

        impl $(<$masking: $bound>)? Real for $name $(<$masking>)? {
            type Scalar = $scalar;
            type Mask = $mask;

            #[inline(always)]
            fn splat(self, value: $scalar) -> Self {
                self.1.splat(value)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: vectors carry a proof. The instruction is `a < b ? a : b`.
                Self(unsafe { $min(self.0, other.0) }, self.1)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: vectors carry a proof. The instruction is `a > b ? a : b`.
                Self(unsafe { $max(self.0, other.0) }, self.1)
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Self::Mask {
                let ($lt_a, $lt_b) = (self.0, other.0);
                // SAFETY: vectors carry a proof.
                unsafe { $lt }
            }

            #[inline(always)]
            fn le(self, other: Self) -> Self::Mask {
                let ($le_a, $le_b) = (self.0, other.0);
                // SAFETY: vectors carry a proof.
                unsafe { $le }
            }

            #[inline(always)]
            fn abs(self) -> Self {
                let $abs_a = self.0;
                // SAFETY: vectors carry a proof.
                Self(unsafe { $abs }, self.1)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: vectors carry a proof.
                Self(unsafe { $sqrt(self.0) }, self.1)
            }

            #[inline(always)]
            fn select(self, mask: Self::Mask, other: Self) -> Self {
                let ($select_mask, $select_a, $select_b) = (mask, self.0, other.0);
                // SAFETY: vectors carry a proof.
                Self(unsafe { $select }, self.1)
            }
        }

        vector!(operator Add add $name $(<$masking: $bound>)? $add);
        vector!(operator Sub sub $name $(<$masking: $bound>)? $sub);
        vector!(operator Mul mul $name $(<$masking: $bound>)? $mul);
        vector!(operator Div div $name $(<$masking: $bound>)? $div);
    };
    (
        operator $operator:ident $method:ident $name:ident $(<$masking:ident: $bound:ident>)?
        $instruction:ident
    ) => {
        impl $(<$masking: $bound>)? std::ops::$operator for $name $(<$masking>)? {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: vectors carry a proof.
                Self(unsafe { $instruction(self.0, other.0) }, self.1)
            }
        }
    };
}

pub(super) use vector;
