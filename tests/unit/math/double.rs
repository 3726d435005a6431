use crate::math::double::*;
use crate::random::Random;
use lanecast_reference::exact::Exact;

fn exact(x: f64) -> Exact {
    Exact::from_f64(x)
}

fn value(x: Double) -> Exact {
    assert_eq!(x.high + x.low, x.high, "{x:?} is not normalised");
    exact(x.high) + exact(x.low)
}

/// Numbers with exponents near enough to each other that they interact.
struct Numbers(Random);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    fn single(&mut self) -> f64 {
        let exponent = 1023 - 30 + self.bits() % 60;
        // Few bits, so that sums cancel and products tie, as often as many.
        let fraction = self.bits() & (u64::MAX << [0, 20, 40, 50][self.bits() as usize % 4]);
        f64::from_bits((self.bits() & 1 << 63) | exponent << 52 | fraction >> 12)
    }

    fn double(&mut self) -> Double {
        let high = self.single();
        let low = high * (self.single() * 2_f64.powi(-30 - 54));
        fast_two_sum(high, low)
    }
}

fn within(found: Double, expected: &Exact, units: f64) {
    let unit_squared = exact(units * 2_f64.powi(-106));
    let off = (value(found) - expected).abs();
    assert!(off <= unit_squared * expected.abs(), "{found:?} is not {:e}", expected.to_f64());
}

#[test]
fn operations_are_as_precise_as_the_paper_proves() {
    let mut numbers = Numbers(Random::new(1));
    for _ in 0..20_000 {
        let (a, mut b) = (numbers.double(), numbers.double());
        if numbers.bits().is_multiple_of(3) {
            // Almost all of it cancels.
            b = Double { high: -a.high, low: numbers.double().high * a.low };
            b = fast_two_sum(b.high, b.low);
        }
        within(a + b, &(value(a) + value(b)), 3.01);
        within(a - b, &(value(a) - value(b)), 3.01);
        within(a.times(b.high), &(value(a) * exact(b.high)), 1.51);
        within(a * b, &(value(a) * value(b)), 7.01);
        within(a / b, &(value(a) / value(b)), 15.01);
    }
}

#[test]
fn difference_of_two_products_is_never_of_the_wrong_sign() {
    let mut numbers = Numbers(Random::new(2));
    for _ in 0..20_000 {
        let (a, b, c) = (numbers.single(), numbers.single(), numbers.single());
        // The neighbours of the quotient: the products agree to a few bits.
        let d =
            f64::from_bits((a * b / c).to_bits().wrapping_add(numbers.bits() % 3).wrapping_sub(1));
        let truth = exact(a) * exact(b) - exact(c) * exact(d);
        let found = Double::product(a, b) - Double::product(c, d);
        assert_eq!(found > Double::ZERO, truth > exact(0.0), "{a:e} {b:e} {c:e} {d:e}");
        assert_eq!(found < Double::ZERO, truth < exact(0.0), "{a:e} {b:e} {c:e} {d:e}");
    }
}

#[test]
fn products_are_exact_down_to_factors_of_two_to_the_minus_480() {
    let mut numbers = Numbers(Random::new(3));
    for _ in 0..1_000 {
        let [a, b] = [numbers.single(), numbers.single()].map(|x| x * 2_f64.powi(-450));
        assert_eq!(value(Double::product(a, b)), exact(a) * exact(b), "{a:e} {b:e}");
    }
}
