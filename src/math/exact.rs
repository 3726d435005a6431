//! The sign of a determinant in exact arithmetic.

use std::cmp::Ordering;

use super::double::{Double, two_sum};

/// A coordinate as the exact sum of a few `f64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coordinate<const PARTS: usize> {
    parts: [f64; PARTS],
    /// The sum, off by at most 2⁻⁵¹ of `magnitude`.
    value: f64,
    /// At least (1 − 2⁻⁵²) of the sum's magnitude. It is 0 only where the sum is.
    magnitude: f64,
}

/// A difference.
pub(crate) type Difference = Coordinate<2>;

impl Difference {
    /// a − b.
    pub(crate) fn new(a: f64, b: f64) -> Self {
        let Double { high, low } = two_sum(a, -b);
        Self { parts: [high, low], value: high, magnitude: high.abs() }
    }

    /// a − b − t · d.
    pub(crate) fn less_product(a: f64, b: f64, t: f64, d: f64) -> Coordinate<4> {
        let (difference, product) = (two_sum(a, -b), Double::product(-t, d));
        Coordinate {
            parts: [difference.high, difference.low, product.high, product.low],
            value: difference.high + product.high,
            magnitude: difference.high.abs() + product.high.abs(),
        }
    }
}

impl Coordinate<1> {
    pub(crate) const fn new(value: f64) -> Self {
        Self { parts: [value], value, magnitude: value.abs() }
    }
}

impl<const PARTS: usize> Coordinate<PARTS> {
    /// The nonzero parts.
    fn parts(&self) -> impl Iterator<Item = f64> {
        self.parts.into_iter().filter(|&part| part != 0.0)
    }

    /// An upper bound on the magnitude, but for rounding.
    pub(crate) const fn magnitude(&self) -> f64 {
        self.magnitude
    }
}

/// The terms of the determinant of three vectors: which coordinate of each, and the sign.
const TERMS: [([usize; 3], f64); 6] = [
    ([0, 1, 2], 1.0),
    ([1, 2, 0], 1.0),
    ([2, 0, 1], 1.0),
    ([0, 2, 1], -1.0),
    ([1, 0, 2], -1.0),
    ([2, 1, 0], -1.0),
];

/// How the determinant (u × v) · w compares with 0.
///
/// Exact while no product of three parts overflows and no bit of one is below 2⁻¹⁰⁷⁴: for coordinates made of `f32`
/// always, for those of `f64` where each is 0 or has a magnitude between 2⁻²⁰⁰ and 2²⁰⁰.
///
/// Rounded arithmetic answers where its error cannot change the sign, and an expansion where it can: Shewchuk, "Adaptive
/// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", Discrete & Computational Geometry 18, 1997.
pub(crate) fn determinant_sign<const PARTS: usize>(
    u: &[Difference; 3],
    v: &[Difference; 3],
    w: &[Coordinate<PARTS>; 3],
) -> Ordering {
    let (mut rounded, mut permanent) = (0.0, 0.0);
    for ([i, j, k], sign) in TERMS {
        rounded += sign * (u[i].value * v[j].value * w[k].value);
        permanent += u[i].magnitude * v[j].magnitude * w[k].magnitude;
    }
    // In units of 2⁻⁵³ of the permanent, the factors are off by 1, 1 and 4, two products by 1 each, the sum by 5.
    let error = permanent * 2.0_f64.powi(-48);
    if rounded > error {
        Ordering::Greater
    } else if rounded < -error {
        Ordering::Less
    } else if permanent == 0.0 {
        Ordering::Equal
    } else {
        determinant(u, v, w).total_cmp(&0.0)
    }
}

/// The determinant (u × v) · w, off by at most 2⁻⁵⁰ of its value, and never −0; exact where
/// [`determinant_sign`] is.
#[cold]
pub(crate) fn determinant<const PARTS: usize>(
    u: &[Difference; 3],
    v: &[Difference; 3],
    w: &[Coordinate<PARTS>; 3],
) -> f64 {
    let mut sum = Expansion { components: [0.0; MOST_COMPONENTS], count: 0 };
    for ([i, j, k], sign) in TERMS {
        for a in u[i].parts() {
            for b in v[j].parts() {
                let product = Double::product(sign * a, b);
                for c in w[k].parts() {
                    for Double { high, low } in
                        [Double::product(product.low, c), Double::product(product.high, c)]
                    {
                        sum.add(low);
                        sum.add(high);
                    }
                }
            }
        }
    }
    sum.value()
}

/// One for each number that is added: six terms of at most 2 · 2 · 4 products, each exact in four numbers.
const MOST_COMPONENTS: usize = 6 * 2 * 2 * 4 * 4;

/// The exact sum of numbers: components by magnitude that do not overlap, none of them 0.
struct Expansion {
    components: [f64; MOST_COMPONENTS],
    count: usize,
}

impl Expansion {
    /// GROW-EXPANSION with zero elimination.
    fn add(&mut self, number: f64) {
        let (mut carried, mut kept) = (number, 0);
        for place in 0..self.count {
            let Double { high, low } = two_sum(carried, self.components[place]);
            carried = high;
            if low != 0.0 {
                self.components[kept] = low;
                kept += 1;
            }
        }
        if carried != 0.0 {
            self.components[kept] = carried;
            kept += 1;
        }
        self.count = kept;
    }

    /// Rounded, with the sign of the greatest component.
    fn value(&self) -> f64 {
        self.components[..self.count].iter().fold(0.0, |sum, component| sum + component)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).expect("finite")
    }

    /// Coordinates on a coarse grid, so that determinants are often 0, some moved by a part in 2⁵⁰, of all magnitudes.
    fn coordinate() -> impl Strategy<Value = f64> {
        (-4_i32..=4, -3_i32..=3, prop_oneof![Just(0), Just(-50), Just(-149), Just(100)]).prop_map(
            |(whole, tiny, exponent)| {
                f64::from(whole) * 2.0_f64.powi(if exponent == 100 { 100 } else { 0 })
                    + f64::from(tiny) * 2.0_f64.powi(exponent.min(-20))
            },
        )
    }

    fn vector() -> impl Strategy<Value = [f64; 3]> {
        [coordinate(), coordinate(), coordinate()]
    }

    proptest! {
        #[test]
        fn determinants_have_the_sign_of_exact_fractions(
            [a, b, c, o, d] in [vector(), vector(), vector(), vector(), vector()],
            t in coordinate(),
            in_plane in any::<bool>(),
        ) {
            // Half of the origins lie exactly in the plane of the others, as far as these have few bits.
            let o = if in_plane { [0, 1, 2].map(|axis| 0.5 * a[axis] + 0.25 * b[axis] + 0.25 * c[axis]) } else { o };
            let t = if in_plane { 0.0 } else { t };
            let difference = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|axis| Difference::new(p[axis], q[axis]));
            let found = determinant_sign(
                &difference(b, a),
                &difference(c, a),
                &[0, 1, 2].map(|axis| Difference::less_product(a[axis], o[axis], t, d[axis])),
            );
            let less = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|axis| exact(p[axis]) - exact(q[axis]));
            let (u, v) = (less(b, a), less(c, a));
            let w = [0, 1, 2].map(|axis| exact(a[axis]) - exact(o[axis]) - exact(t) * exact(d[axis]));
            let determinant = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
                .into_iter()
                .map(|(x, y, z)| (&u[x] * &v[y] - &u[y] * &v[x]) * &w[z])
                .fold(exact(0.0), |sum, term| sum + term);
            prop_assert_eq!(found, determinant.cmp(&exact(0.0)), "{}", determinant);
        }
    }
}
