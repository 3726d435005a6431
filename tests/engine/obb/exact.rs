//! Arithmetic without rounding, and an oriented box decided by it.
//!
//! A number is a sum of `f64` that do not overlap, after Shewchuk, "Adaptive Precision Floating-Point
//! Arithmetic and Fast Robust Geometric Predicates", 1997. Exact as long as nothing overflows and no error
//! term vanishes: for numbers and products between 1e-280 and 1e300.

use std::cmp::Ordering;

/// A number, exactly: summands from the least to the greatest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exact(Vec<f64>);

fn two_sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let of_b = sum - a;
    [sum, (a - (sum - of_b)) + (b - of_b)]
}

impl From<f64> for Exact {
    fn from(x: f64) -> Self {
        Self::default().plus_number(x)
    }
}

impl Exact {
    fn plus_number(&self, x: f64) -> Self {
        let mut carried = x;
        let mut summands = Vec::with_capacity(self.0.len() + 1);
        for &summand in &self.0 {
            let [sum, error] = two_sum(carried, summand);
            carried = sum;
            if error != 0.0 {
                summands.push(error);
            }
        }
        if carried != 0.0 {
            summands.push(carried);
        }
        Self(summands)
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        other.0.iter().fold(self.clone(), |sum, &summand| sum.plus_number(summand))
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        other.0.iter().fold(self.clone(), |sum, &summand| sum.plus_number(-summand))
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for &a in &self.0 {
            for &b in &other.0 {
                let rounded = a * b;
                product = product.plus_number(a.mul_add(b, -rounded)).plus_number(rounded);
            }
        }
        product
    }

    pub(crate) fn negated(&self) -> Self {
        Self::default().minus(self)
    }

    /// The summands do not overlap, so the greatest has the sign of the sum.
    pub(crate) fn sign(&self) -> Ordering {
        self.0.last().map_or(Ordering::Equal, |greatest| greatest.total_cmp(&0.0))
    }

    pub(crate) fn at_most(&self, other: &Self) -> bool {
        self.minus(other).sign().is_le()
    }
}

/// An oriented box and a line, as numbers that `f64` holds exactly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxAndLine {
    pub(crate) center: [f64; 3],
    pub(crate) axes: [[f64; 3]; 3],
    pub(crate) half_extents: [f64; 3],
    pub(crate) origin: [f64; 3],
    pub(crate) direction: [f64; 3],
}

impl BoxAndLine {
    /// Whether |axis · (origin + t · direction − center)| ≤ half extent + `margin` on all three axes for some
    /// `t` of a closed interval.
    pub(crate) fn meet(&self, [t_min, t_max]: [f64; 2], margin: f64) -> bool {
        // Bounds on t, as a number and a positive number to divide it by.
        let one = Exact::from(1.0);
        let finite = |t: f64| if t.is_finite() { vec![(Exact::from(t), one.clone())] } else { vec![] };
        let (mut lower, mut upper) = (finite(t_min), finite(t_max));
        if !(t_min <= t_max && t_min < f64::INFINITY && t_max > f64::NEG_INFINITY) {
            return false;
        }
        for axis in 0..3 {
            let (mut origin, mut direction) = (Exact::default(), Exact::default());
            for component in 0..3 {
                let along = Exact::from(self.axes[axis][component]);
                let from_center =
                    Exact::from(self.origin[component]).minus(&Exact::from(self.center[component]));
                origin = origin.plus(&along.times(&from_center));
                direction = direction.plus(&along.times(&Exact::from(self.direction[component])));
            }
            let extent = Exact::from(self.half_extents[axis]).plus_number(margin);
            let (to_max, to_min) = (extent.minus(&origin), extent.negated().minus(&origin));
            match direction.sign() {
                Ordering::Greater => {
                    lower.push((to_min, direction.clone()));
                    upper.push((to_max, direction));
                }
                Ordering::Less => {
                    lower.push((to_max.negated(), direction.negated()));
                    upper.push((to_min.negated(), direction.negated()));
                }
                Ordering::Equal if to_min.sign().is_gt() || to_max.sign().is_lt() => return false,
                Ordering::Equal => {}
            }
        }
        let in_order =
            |low: &(Exact, Exact), high: &(Exact, Exact)| low.0.times(&high.1).at_most(&high.0.times(&low.1));
        lower.iter().all(|low| upper.iter().all(|high| in_order(low, high)))
    }
}
