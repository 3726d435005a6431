//! The common operations of vectors of the x86 backends. They differ in the register, the names of
//! intrinsics, and the mask.

use super::lanes::Mask;

/// Comparisons of registers and choices between them.
pub(crate) trait Compare<Register>: Copy {
    type Mask: Mask;

    fn lt(self, a: Register, b: Register) -> Self::Mask;

    fn le(self, a: Register, b: Register) -> Self::Mask;

    #[inline(always)]
    fn le_in(self, a: Register, b: Register, mask: Self::Mask) -> Self::Mask {
        mask & self.le(a, b)
    }

    fn select(self, mask: Self::Mask, a: Register, b: Register) -> Register;
}

/// A vector type of `$lanes` lanes in one register, and what [`Vectors`](super::lanes::Vectors) and
/// [`Real`](super::lanes::Real) ask of it. It comes from the token `$proof` only, directly or
/// through another vector, and carries it; the token of masks in there compares. What differs in
/// more than a name is given as an expression of registers.
macro_rules! vector {
    (
        $name:ident $(<$masking:ident: $bound:ident>)?: $lanes:literal $scalar:ident in $register:ident,
        proof $proof:ty, mask $mask:ty, $set:ident $set1:ident $add:ident $sub:ident $mul:ident $div:ident
        $min:ident $max:ident $sqrt:ident $mul_sub:ident $mul_add:ident,
        abs($signed:ident) $abs:expr $(, max_abs($one:ident, $other:ident) $max_abs:expr)?
        $(, bytes($numbers:ident) $bytes:expr)?
    ) => {
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name $(<$masking: $bound>)?(pub(super) $register, pub(super) $proof);

        impl $(<$masking: $bound>)? Vectors<$scalar> for $proof {
            type Real = $name $(<$masking>)?;
            type Row = [$scalar; $lanes];
            type Bytes = [u8; $lanes];
            const COUNT: usize = $lanes;

            super::macros::inlined! {
                fn splat(self, value: $scalar) -> Self::Real =
                    $name(super::features::compiled!($set(self.0) fn(value: $scalar) -> $register = $set1(value)), self);
                fn load(self, values: &[$scalar; $lanes]) -> Self::Real = $name(bytemuck::cast(*values), self);
                fn store(self, values: Self::Real, into: &mut [$scalar; $lanes]) -> () =
                    *into = bytemuck::cast(values.0);
                $(fn store_bytes(self, values: Self::Real, into: &mut [u8; $lanes]) -> () =
                    *into = super::features::compiled!(
                        $set(self.0) fn($numbers: $register = values.0) -> [u8; $lanes] = $bytes
                    );)?
            }
        }

        // The instructions for the least and the greatest are `a < b ? a : b` and `a > b ? a : b`.
        super::macros::real!([$($masking: $bound)?] $name $(<$masking>)?: $scalar, $mask, |a, b|
            splat a.1.splat(b),
            min super::vector::of_registers!($set $register $min(a, b)),
            max super::vector::of_registers!($set $register $max(a, b)),
            lt a.1.0.lt(a.0, b.0),
            le a.1.0.le(a.0, b.0),
            abs Self(super::features::compiled!($set(a.1.0) fn($signed: $register = a.0) -> $register = $abs), a.1),
            sqrt super::vector::of_registers!($set $register $sqrt(a)),
            select(mask) Self(a.1.0.select(mask, a.0, b.0), a.1),
            mul_sub(less) super::vector::of_registers!($set $register $mul_sub(a, b, less)),
            mul_add(more) super::vector::of_registers!($set $register $mul_add(a, b, more)),
            le_in(mask) a.1.0.le_in(a.0, b.0, mask)
            $(, max_abs Self(super::features::compiled!(
                $set(a.1.0) fn($one: $register = a.0, $other: $register = b.0) -> $register = $max_abs
            ), a.1))?
        );
        super::macros::operators!([$($masking: $bound)?] $name $(<$masking>)?:
            Add add |a, b| super::vector::of_registers!($set $register $add(a, b)),
            Sub sub |a, b| super::vector::of_registers!($set $register $sub(a, b)),
            Mul mul |a, b| super::vector::of_registers!($set $register $mul(a, b)),
            Div div |a, b| super::vector::of_registers!($set $register $div(a, b))
        );
    };
}

/// The vector that an intrinsic makes of vectors.
macro_rules! of_registers {
    ($set:ident $register:ident $intrinsic:ident($first:ident $(, $more:ident)*)) => {
        Self(
            super::features::compiled!(
                $set($first.1.0)
                fn($first: $register = $first.0 $(, $more: $register = $more.0)*) -> $register
                    = $intrinsic($first $(, $more)*)
            ),
            $first.1,
        )
    };
}

/// The methods of [`Rearrange`](super::lanes::Rearrange) that differ between registers of `$lanes`
/// `f32` in no more than the names of the intrinsics. Four lanes are a quarter of a row; gathers
/// and stores take those one by one.
macro_rules! rearrange {
    (
        $real:ident $lanes:literal in $register:ident, integers $integers:ident, $set:ident $set1:ident $and:ident
        $or:ident $shift:ident $to_bits:ident $of_bits:ident $permute:ident $gather:ident,
        broadcast($four:ident) = $broadcast:expr,
        join($joined:ident) = $join:expr,
        split($whole:ident) = $split:expr
    ) => {
        type U32 = $integers;

        super::features::intrinsics! { $set(self.0)
            fn splat_u32(self, value: u32) -> $integers = $set1(value.cast_signed());
            fn and(self, a: $integers, b: $integers) -> $integers = $and(a, b);
            fn or(self, a: $integers, b: $integers) -> $integers = $or(a, b);
            fn shift_down(self, values: $integers, by: u32) -> $integers = $shift(values, $set1(by.cast_signed()));
        }
        super::macros::inlined! {
            fn load_u32(self, values: &[u32]) -> $integers =
                bytemuck::cast::<[u32; $lanes], _>(*values.first_chunk().expect("a vector"));
            fn store_u32(self, values: $integers, into: &mut [u32]) -> () =
                *into.first_chunk_mut::<$lanes>().expect("a vector") = bytemuck::cast(values);
            fn to_bits(self, values: Self::Real) -> $integers = bytemuck::cast(values.0);
            fn of_bits(self, bits: $integers) -> Self::Real = $real(bytemuck::cast(bits), self);
            fn gather(self, from: &[f32; MAX_STREAM_RAYS], places: $integers) -> Self::Real =
                $real(super::features::compiled!(
                    $set(self.0) fn(from: &[f32; MAX_STREAM_RAYS], places: $integers) -> $register = $gather(from, places)
                ), self);
            fn pick(self, from: &[f32; 4], places: Self::Real) -> Self::Real =
                $real(super::features::compiled!(
                    $set(self.0) fn($four: __m128 = bytemuck::cast(*from), places: $register = places.0) -> $register
                        = $permute($broadcast, $to_bits(places))
                ), self);
        }

        #[inline(always)]
        fn gather_transposed<'t, const K: usize>(
            self,
            row: impl Fn(usize) -> &'t [[f32; 4]; K],
            place: usize,
        ) -> [Self::Real; 4] {
            let mut gathered: [$register; 4] = bytemuck::Zeroable::zeroed();
            for (lane, gathered) in gathered.iter_mut().enumerate() {
                let mut fours: [__m128; $lanes / 4] = bytemuck::Zeroable::zeroed();
                for (four, quarter) in fours.iter_mut().enumerate() {
                    *quarter = bytemuck::cast(row(lane + 4 * four)[place]);
                }
                *gathered = super::features::compiled!(
                    $set(self.0) fn($joined: [__m128; $lanes / 4] = fours) -> $register = $join
                );
            }
            let [a, b, c, d] = self.transpose_fours(gathered);
            [$real(a, self), $real(b, self), $real(c, self), $real(d, self)]
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
            for (row, whole) in self.transpose_fours([a.0, b.0, c.0, d.0]).into_iter().enumerate() {
                let fours = super::features::compiled!(
                    $set(self.0) fn($whole: $register = whole) -> [__m128; $lanes / 4] = $split
                );
                for (four, quarter) in fours.into_iter().enumerate() {
                    into[row + 4 * four][place] = bytemuck::cast(quarter);
                }
            }
        }
    };
    (transpose $register:ident, $set:ident $low:ident $high:ident $shuffle:ident) => {
        super::features::intrinsics! { $set(self.0)
            /// Transposes each 4 × 4 lanes of four vectors by themselves.
            fn transpose_fours(self, columns: [$register; 4]) -> [$register; 4] = {
                let [a, b, c, d] = columns;
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

/// A backend by its name, its token, the set of instructions of its lanes, and the features that it
/// is entered with: tested are all of them.
macro_rules! x86_backend {
    ($token:ident = $name:literal, $masks:ident, $set:ident: $($feature:tt)+) => {
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
                    // That the compiler lets this function call `enabled` means that the features of
                    // the set are among those above.
                    super::features::enabled::$set();
                    work(token)
                }
                // SAFETY: the token is made only where all these features were detected.
                unsafe { entered(self, work) }
            }
        }
    };
}

pub(super) use {of_registers, rearrange, vector, x86_backend};
