//! Arithmetic of products that are exact: `f64` for numbers of `f32`, and numbers of twice its
//! precision for `f64`.

use std::ops::{Add, Div, Sub};

use super::far::{Precise, Twice, Wider};
use crate::math::{Double, UNIT_ROUNDOFF, power_of_two};
use crate::simd::{Mask, Real, Scalar, Widening, inlined};

/// A precision with exact products of two numbers, as the [watertight](super::Watertight) test
/// needs: `f32` and `f64`. The trait is sealed.
pub trait ExactScalar: Scalar + ExactProducts {}

impl<T: Scalar + ExactProducts> ExactScalar for T {}

/// The arithmetic behind [`ExactScalar`], not exported as it would add methods to `f32` and `f64`
/// wherever it is imported.
pub trait ExactProducts: Real<Scalar: Scalar> {
    type Wide: Copy + Add<Output = Self::Wide> + Sub<Output = Self::Wide> + Div<Output = Self::Wide>;

    type WideMask: Mask;

    /// The arithmetic for planes of [far-reaching](super::far) triangles.
    type Plane: Precise<Given = Self>;

    /// a · b − c · d of exact products, rounded as `Wide` rounds.
    fn difference_of_products(a: [Self; 2], b: [Self; 2]) -> Self::Wide;

    fn times(wide: Self::Wide, factor: Self) -> Self::Wide;

    /// The divisor for [`quotient`](Self::quotient), from `area` · `depth` and `area`.
    fn divisors(area: Self::Wide, depth: Self) -> [Self::Wide; 2];

    /// The nearest number of this precision, maybe infinite, to the quotient by a divisor, which is
    /// off by a few units in the last place of `Wide`.
    fn quotient(wide: Self::Wide, divisor: Self::Wide) -> Self;

    /// An upper bound of `times` times ε times the product of three factors over `area` · `depth`.
    fn error(by_area_and_depth: Self::Wide, times: f32, factors: [Self; 3]) -> Self;

    /// Whether it is 0 or above, and whether 0 or below.
    fn signs(wide: Self::Wide) -> [Self::WideMask; 2];

    fn narrow_mask(mask: Self::WideMask) -> Self::Mask;

    /// Three sheared vertices for exact products: x and y times a power of two, which changes
    /// neither weights nor `t`.
    #[inline(always)]
    fn scaled(vertices: &[[Self; 3]; 3]) -> [[Self; 3]; 3] {
        *vertices
    }
}

impl<R: Widening> ExactProducts for R {
    type Wide = R::Wide;
    type WideMask = <R::Wide as Real>::Mask;
    type Plane = Wider<R>;

    inlined! {
        fn difference_of_products([a, b]: [Self; 2], [c, d]: [Self; 2]) -> R::Wide =
            a.widen().mul_sub(b.widen(), c.widen() * d.widen());
        fn times(wide: R::Wide, factor: Self) -> R::Wide = wide * factor.widen();
        fn quotient(wide: R::Wide, divisor: R::Wide) -> Self = R::narrow(wide * divisor);
        fn signs(wide: R::Wide) -> [Self::WideMask; 2] = [wide.splat(0.0).le(wide), wide.le(wide.splat(0.0))];
        fn narrow_mask(mask: Self::WideMask) -> R::Mask = <R as Widening>::narrow_mask(mask);
    }

    /// One division for `t`, u and v: vectors of `f64` take as long for it as for 30 products.
    #[inline(always)]
    fn divisors(area: R::Wide, depth: Self) -> [R::Wide; 2] {
        let depth = depth.widen();
        let by_both = area.splat(1.0) / (area * depth);
        [by_both, by_both * depth]
    }

    #[inline(always)]
    fn error(by_area_and_depth: R::Wide, times: f32, [a, b, c]: [Self; 3]) -> Self {
        let unit = by_area_and_depth.splat(f64::from(times * UNIT_ROUNDOFF));
        R::narrow(by_area_and_depth.abs() * unit * (a.widen() * b.widen()) * c.widen())
    }
}

impl ExactProducts for f64 {
    type Wide = Double;
    type WideMask = bool;
    type Plane = Twice<Self>;

    inlined! {
        fn difference_of_products([a, b]: [Self; 2], [c, d]: [Self; 2]) -> Double =
            Double::product(a, b) - Double::product(c, d);
        fn times(wide: Double, factor: Self) -> Double = wide.times(factor);
        fn divisors(area: Double, depth: Self) -> [Double; 2] = [area.times(depth), area];
        fn quotient(wide: Double, divisor: Double) -> Self = (wide / divisor).high;
        fn signs(wide: Double) -> [bool; 2] = [wide >= Double::ZERO, wide <= Double::ZERO];
        fn narrow_mask(mask: bool) -> bool = mask;
        /// Not worth computing in a scene, where plain `f64` decides nearly all; tests in bulk
        /// resolve every hit outside of an interval of which an end passes through the triangle.
        fn error(_: Double, _: f32, _: [Self; 3]) -> Self = Self::INFINITY;
    }

    /// x and y are brought to magnitudes around 1, where products neither overflow nor lose bits.
    #[inline(always)]
    fn scaled(vertices: &[[Self; 3]; 3]) -> [[Self; 3]; 3] {
        let mut largest = Self::MIN_POSITIVE;
        for [x, y, _] in vertices {
            largest = Real::max(x.abs(), Real::max(y.abs(), largest));
        }
        let scale = 1.0 / power_of_two(largest);
        let mut scaled = *vertices;
        for [x, y, _] in &mut scaled {
            (*x, *y) = (*x * scale, *y * scale);
        }
        scaled
    }
}
