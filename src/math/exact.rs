//! The sign of a determinant in exact arithmetic.

use std::cmp::Ordering;

use super::double::{Double, two_sum};

/// A coordinate as the exact sum of a few `f64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coordinate {
    parts: [f64; 4],
    /// The sum, off by at most 2⁻⁵¹ of `magnitude`.
    value: f64,
    /// At least (1 − 2⁻⁵²) of the sum's magnitude. It is 0 only where the sum is.
    pub(crate) magnitude: f64,
}

impl Coordinate {
    pub(crate) const fn new(value: f64) -> Self {
        Self { parts: [value, 0.0, 0.0, 0.0], value, magnitude: value.abs() }
    }

    /// a − b, in two parts.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        let Double { high, low } = two_sum(a, -b);
        Self { parts: [high, low, 0.0, 0.0], value: high, magnitude: high.abs() }
    }

    /// a − b − t · d.
    pub(crate) fn less_product(a: f64, b: f64, t: f64, d: f64) -> Self {
        let (difference, product) = (two_sum(a, -b), Double::product(-t, d));
        Self {
            parts: [difference.high, difference.low, product.high, product.low],
            value: difference.high + product.high,
            magnitude: difference.high.abs() + product.high.abs(),
        }
    }

    fn parts(&self) -> impl Iterator<Item = f64> {
        self.parts.into_iter().filter(|&part| part != 0.0)
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

/// The sign of the determinant (u × v) · w; u and v are differences.
///
/// Exact while no product of three parts overflows and no bit of one is below 2⁻¹⁰⁷⁴: for
/// coordinates made of `f32` always, for those of `f64` where each is 0 or has a magnitude between
/// 2⁻²⁰⁰ and 2²⁰⁰.
///
/// Rounded arithmetic answers where its error cannot change the sign, and an expansion where it
/// can: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", Discrete & Computational Geometry 18, 1997.
pub(crate) fn determinant_sign(
    u: &[Coordinate; 3],
    v: &[Coordinate; 3],
    w: &[Coordinate; 3],
) -> Ordering {
    let (mut rounded, mut permanent) = (0.0, 0.0);
    for ([i, j, k], sign) in TERMS {
        rounded += sign * (u[i].value * v[j].value * w[k].value);
        permanent += u[i].magnitude * v[j].magnitude * w[k].magnitude;
    }
    // In units of 2⁻⁵³ of the permanent, the factors are off by 1, 1 and 4, two products by 1 each,
    // the sum by 5.
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
pub(crate) fn determinant(u: &[Coordinate; 3], v: &[Coordinate; 3], w: &[Coordinate; 3]) -> f64 {
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

/// One for each number that is added: six terms of at most 2 · 2 · 4 products, each exact in four
/// numbers.
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
