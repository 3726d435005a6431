//! The common operations of vectors in x86 registers. They differ in the register, the names of
//! intrinsics, and the mask.

/// A vector type of `$lanes` lanes in one register, and what [`Vectors`](super::lanes::Vectors) and
/// [`Real`](super::lanes::Real) ask of it. It comes from the token `$proof` only, directly or
/// through another vector, and carries it. What differs in more than a name is given as an
/// expression of vectors, whose first field is the register.
macro_rules! vector {
    (
        $name:ident $(<$masking:ident: $bound:ident>)?: $lanes:literal $scalar:ident in $register:ident,
        proof $proof:ty, mask $mask:ty,
        $set1:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident $div:ident $min:ident
        $max:ident $sqrt:ident $mul_sub:ident,
        |$a:ident, $b:ident| lt $lt:expr, le $le:expr, abs $abs:expr, select($by:ident) $select:expr
        $(, le_in($in:ident) $le_in:expr)? $(, max_abs $max_abs:expr)? $(, bytes($bytes:ident) $store_bytes:expr)?
    ) => {
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name $(<$masking>)?(pub(super) $register, pub(super) $proof);

        impl $(<$masking: $bound>)? Vectors<$scalar> for $proof {
            type Real = $name $(<$masking>)?;
            type Row = [$scalar; $lanes];
            type Bytes = [u8; $lanes];
            const COUNT: usize = $lanes;

            super::macros::inlined! { unsafe
                fn splat(self, value: $scalar) -> Self::Real = $name($set1(value), self);
                fn load(self, values: &[$scalar; $lanes]) -> Self::Real = $name($load(values.as_ptr()), self);
                fn store(self, values: Self::Real, into: &mut [$scalar; $lanes]) -> () =
                    $store(into.as_mut_ptr(), values.0);
                $(fn store_bytes(self, values: Self::Real, into: &mut [u8; $lanes]) -> () = {
                    let $bytes = values.0;
                    *into = $store_bytes;
                };)?
            }
        }

        // The instructions for the least and the greatest are `a < b ? a : b` and `a > b ? a : b`.
        super::macros::real!({unsafe} [$($masking: $bound)?] $name $(<$masking>)?: $scalar, $mask, |$a, $b|
            splat $a.1.splat($b),
            min Self($min($a.0, $b.0), $a.1),
            max Self($max($a.0, $b.0), $a.1),
            lt $lt,
            le $le,
            abs Self($abs, $a.1),
            sqrt Self($sqrt($a.0), $a.1),
            select($by) Self($select, $a.1),
            mul_sub(less) Self($mul_sub($a.0, $b.0, less.0), $a.1)
            $(, le_in($in) $le_in)?
            $(, max_abs $max_abs)?
        );
        super::macros::operators!({unsafe} [$($masking: $bound)?] $name $(<$masking>)?:
            Add add |a, b| Self($add(a.0, b.0), a.1),
            Sub sub |a, b| Self($sub(a.0, b.0), a.1),
            Mul mul |a, b| Self($mul(a.0, b.0), a.1),
            Div div |a, b| Self($div(a.0, b.0), a.1)
        );
    };
}

/// The methods of [`Rearrange`](super::lanes::Rearrange) that differ between registers of `$lanes`
/// `f32` in no more than the names of the intrinsics. Four lanes are a quarter of a row; gathers
/// and stores take those one by one.
macro_rules! rearrange {
    (
        $real:ident $lanes:literal, integers $integers:ident,
        $set1:ident $load:ident $store:ident $and:ident $or:ident $shift:ident $to_bits:ident $of_bits:ident
        $permute:ident,
        broadcast($four:ident) = $broadcast:expr,
        gather($from:ident, $places:ident) = $gather:expr,
        join($joined:ident) = $join:expr,
        split($whole:ident) = $split:expr
    ) => {
        type U32 = $integers;

        super::macros::inlined! { unsafe
            fn load_u32(self, values: &[u32]) -> $integers = $load(values[..$lanes].as_ptr().cast());
            fn store_u32(self, values: $integers, into: &mut [u32]) -> () =
                $store(into[..$lanes].as_mut_ptr().cast(), values);
            fn splat_u32(self, value: u32) -> $integers = $set1(value.cast_signed());
            fn and(self, a: $integers, b: $integers) -> $integers = $and(a, b);
            fn or(self, a: $integers, b: $integers) -> $integers = $or(a, b);
            fn shift_down(self, values: $integers, by: u32) -> $integers = $shift(values, self.splat_u32(by));
            fn to_bits(self, values: Self::Real) -> $integers = $to_bits(values.0);
            fn of_bits(self, bits: $integers) -> Self::Real = $real($of_bits(bits), self);
        }

        #[inline(always)]
        fn gather(self, from: &[f32; MAX_STREAM_RAYS], places: $integers) -> Self::Real {
            let ($from, $places) = (from.as_ptr(), self.numbers(places));
            // SAFETY: `self` proves that the CPU has the instructions; sixteen bits name a place of
            // the array.
            $real(unsafe { $gather }, self)
        }

        #[inline(always)]
        fn pick(self, from: &[f32; 4], places: Self::Real) -> Self::Real {
            // SAFETY: as above; the pointer is to 16 readable bytes.
            unsafe {
                let $four = _mm_loadu_ps(from.as_ptr());
                $real($permute($broadcast, $to_bits(places.0)), self)
            }
        }

        #[inline(always)]
        fn gather_transposed<'t, const K: usize>(
            self,
            row: impl Fn(usize) -> &'t [[f32; 4]; K],
            place: usize,
        ) -> [Self::Real; 4] {
            // SAFETY: as above; each pointer is to 16 readable bytes.
            unsafe {
                let mut gathered = [$of_bits($set1(0)); 4];
                for (lane, gathered) in gathered.iter_mut().enumerate() {
                    let mut $joined = [_mm_setzero_ps(); $lanes / 4];
                    for (four, quarter) in $joined.iter_mut().enumerate() {
                        *quarter = _mm_loadu_ps(row(lane + 4 * four)[place].as_ptr());
                    }
                    *gathered = $join;
                }
                let [a, b, c, d] = self.transpose_fours(gathered);
                [$real(a, self), $real(b, self), $real(c, self), $real(d, self)]
            }
        }

        #[inline(always)]
        fn store_transposed<const K: usize>(
            self,
            columns: [Self::Real; 4],
            place: usize,
            into: &mut [[[f32; 4]; K]],
        ) {
            let into = &mut into[..$lanes];
            let [a, b, c, d] = columns;
            // SAFETY: as above; each pointer is to 16 writable bytes.
            unsafe {
                for (row, $whole) in self.transpose_fours([a.0, b.0, c.0, d.0]).into_iter().enumerate() {
                    for (four, quarter) in $split.into_iter().enumerate() {
                        _mm_storeu_ps(into[row + 4 * four][place].as_mut_ptr(), quarter);
                    }
                }
            }
        }
    };
    (transpose $register:ident $low:ident $high:ident $shuffle:ident) => {
        super::macros::inlined! { unsafe
            /// Transposes each 4 × 4 lanes of four vectors by themselves.
            fn transpose_fours(self, [a, b, c, d]: [$register; 4]) -> [$register; 4] = {
                let (ab_low, ab_high) = ($low(a, b), $high(a, b));
                let (cd_low, cd_high) = ($low(c, d), $high(c, d));
                [
                    $shuffle::<0b01_00_01_00>(ab_low, cd_low),
                    $shuffle::<0b11_10_11_10>(ab_low, cd_low),
                    $shuffle::<0b01_00_01_00>(ab_high, cd_high),
                    $shuffle::<0b11_10_11_10>(ab_high, cd_high),
                ]
            };
        }
    };
}

/// A backend by its name, its token, and the features that it is entered with: tested are all of
/// them.
macro_rules! x86_backend {
    ($token:ident = $name:literal, $masks:ident: $($feature:tt)+) => {
        pub(crate) type $token = Ymm<$masks>;

        impl Enter for $token {
            const NAME: &str = $name;

            // The only place that makes the token.
            fn detect() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&+).then_some(Ymm($masks(())))
            }

            fn enter<R>(self, work: impl FnOnce(Self) -> R) -> R {
                $(#[target_feature(enable = $feature)])+
                fn entered<R>(token: $token, work: impl FnOnce($token) -> R) -> R {
                    work(token)
                }
                // SAFETY: the token is made only where all these features were detected.
                unsafe { entered(self, work) }
            }
        }
    };
}

pub(super) use {rearrange, vector, x86_backend};
