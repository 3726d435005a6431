//! Every operation of the lanes on every backend, held against its definition.

mod entries;

use bytemuck::Zeroable;

use super::lanes::{LANES, Lanes, Mask, Real, Vectors, Widening};
use super::{Backend, Scalar, dispatch};

const VALUES: [f32; 10] =
    [0.0, -0.0, 1.5, -2.25, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, f32::MAX, 3.0e7];

/// A precision whose results can be compared as bits.
trait Bits: Scalar {
    /// The bits; all NaNs alike, as which one an operation makes is unspecified.
    fn bits(self) -> u64;
    /// The hazards, none of which another precision would round.
    fn hazards() -> Vec<Self>;
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits().into() }
    }
    fn hazards() -> Vec<Self> {
        VALUES.to_vec()
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits() }
    }
    fn hazards() -> Vec<Self> {
        VALUES.iter().map(|&value| Self::from(value)).chain([5e-324, Self::MAX, 0.1]).collect()
    }
}

/// Results by operation and lane, and masks by comparison.
type Results = (Vec<Vec<u64>>, Vec<Vec<bool>>);

/// What each operation makes of each pair of numbers, lane by lane as bits, and the masks.
#[inline(always)]
fn in_vectors<T: Bits, V: Vectors<T>>(lanes: V, a: &[T], b: &[T]) -> Results {
    let (mut results, mut masks) = (vec![Vec::new(); 12], vec![Vec::new(); 5]);
    for (a, b) in a.chunks_exact(V::COUNT).zip(b.chunks_exact(V::COUNT)) {
        let row = |values: &[T]| {
            let mut row = V::Row::zeroed();
            row.as_mut().copy_from_slice(values);
            row
        };
        let (a, b) = (lanes.load(&row(a)), lanes.load(&row(b)));
        let made = [
            a + b,
            a - b,
            a * b,
            a / b,
            a.min(b),
            a.max(b),
            a.abs(),
            a.sqrt(),
            a.select(a.lt(b), b),
            lanes.splat(T::of(1.5)),
            a.splat(T::of(-0.25)),
            a,
        ];
        for (results, made) in results.iter_mut().zip(made) {
            let mut stored = V::Row::zeroed();
            lanes.store(made, &mut stored);
            results.extend(stored.as_ref().iter().map(|&value| value.bits()));
        }
        let compared = [a.lt(b), a.le(b), a.le(b) & b.le(a), a.lt(b) | b.lt(a), !a.le(b)];
        for (masks, mask) in masks.iter_mut().zip(compared) {
            assert_eq!(u64::from(mask.bits()) >> V::COUNT, 0, "bits above the lanes");
            masks.extend((0..V::COUNT).map(|lane| mask.bits() >> lane & 1 == 1));
        }
    }
    (results, masks)
}

/// All pairs of the hazards in all lanes, held against plain arithmetic.
fn check_arithmetic<T: Bits>() {
    let hazards = T::hazards();
    // Sixteen of each pair: every lane of the widest vectors gets to see it.
    let pairs: Vec<_> =
        hazards.iter().flat_map(|&a| hazards.iter().map(move |&b| (a, b))).collect();
    let pairs = (0..16)
        .flat_map(|shift| (0..pairs.len()).map(move |i| i + shift))
        .map(|i| pairs[i % pairs.len()]);
    let (a, b): (Vec<_>, Vec<_>) = pairs.unzip();
    let each =
        |f: fn(T, T) -> T| a.iter().zip(&b).map(|(&a, &b)| f(a, b).bits()).collect::<Vec<_>>();
    let expected: [Vec<_>; 12] = [
        each(|a, b| a + b),
        each(|a, b| a - b),
        each(|a, b| a * b),
        each(|a, b| a / b),
        each(|a, b| if a < b { a } else { b }),
        each(|a, b| if a > b { a } else { b }),
        each(|a, _| if a.is_sign_negative() { T::of(-1.0) * a } else { a }),
        each(|a, _| if a < T::ZERO { T::ZERO * T::INFINITY } else { a.sqrt() }),
        each(|a, b| if a < b { a } else { b }),
        each(|_, _| T::of(1.5)),
        each(|_, _| T::of(-0.25)),
        each(|a, _| a),
    ];
    let ask = |f: fn(T, T) -> bool| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect::<Vec<_>>();
    let masks = [
        ask(|a, b| a < b),
        ask(|a, b| a <= b),
        ask(|a, b| a == b),
        ask(|a, b| a < b || b < a),
        ask(|a, b| a.is_nan() || b.is_nan() || a > b),
    ];
    let check = |name: &str, (found, found_masks): Results| {
        for (operation, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_eq!(found, expected, "{name}, operation {operation}: {} {}", a[i], b[i]);
            }
        }
        for (comparison, (found, expected)) in found_masks.iter().zip(&masks).enumerate() {
            for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_eq!(found, expected, "{name}, comparison {comparison}: {} {}", a[i], b[i]);
            }
        }
    };
    for backend in Backend::available() {
        check(backend.name(), dispatch!(backend, lanes => in_vectors(T::widest(lanes), &a, &b)));
        check(backend.name(), dispatch!(backend, lanes => in_vectors(T::in_block(lanes), &a, &b)));
    }
}

#[test]
fn arithmetic_is_ieee_and_the_second_argument_wins_on_nan() {
    check_arithmetic::<f32>();
    check_arithmetic::<f64>();
}

#[test]
fn bounds_are_the_powers_of_two_that_they_say() {
    assert_eq!(f32::LARGEST_COORDINATE, 2_f32.powi(100));
    assert_eq!(f64::LARGEST_COORDINATE, 2_f64.powi(300));
    assert_eq!(<f32 as Scalar>::INFINITE_T, 2_f32.powi(127));
    assert_eq!(<f64 as Scalar>::INFINITE_T, 2_f64.powi(1023));
    assert_eq!(
        (1.0 + <f32 as Scalar>::UNIT_ROUNDOFF, 1.0 + <f64 as Scalar>::UNIT_ROUNDOFF),
        (1.0, 1.0)
    );
    assert_eq!(2.0 * <f64 as Scalar>::UNIT_ROUNDOFF, f64::EPSILON);
}

/// Keeps lanes by a mask, given as `low ≤ high`, and by an order.
#[inline(always)]
fn kept<L: Lanes>(
    lanes: L,
    [low, high]: [&[f32; LANES]; 2],
    values: &[u32; LANES],
    order: u32,
) -> (Vec<u32>, Vec<(f32, u32)>) {
    let (low, high, values) = (lanes.load(low), lanes.load(high), lanes.load_u32(values));
    let (mut kept, mut kept_low, mut kept_values) = ([0; LANES], [0.0; LANES], [0; LANES]);
    let count = lanes.compress_store(low.le(high), values, &mut kept);
    let into = (&mut kept_low, &mut kept_values);
    let in_order = lanes.compress_store_in_order(order, low, high, values, into);
    let pairs = kept_low.into_iter().zip(kept_values).take(in_order as usize).collect();
    (kept[..count as usize].to_vec(), pairs)
}

#[test]
fn kept_lanes_come_in_the_order_asked_for_by_every_mask() {
    let orders: [[usize; LANES]; 3] =
        [[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [3, 0, 6, 1, 7, 4, 2, 5]];
    for (mask, order) in (0..=u8::MAX).flat_map(|mask| orders.map(|order| (mask, order))) {
        let low: [f32; LANES] = std::array::from_fn(|lane| lane as f32 + 0.5);
        let met = |lane: usize| mask >> lane & 1 == 1;
        let high = std::array::from_fn(|lane| if met(lane) { low[lane] } else { f32::NAN });
        let values = std::array::from_fn(|lane| 100 + lane as u32);
        let packed = order.iter().rev().fold(0, |packed, &lane| packed << 3 | lane as u32);
        let by_mask: Vec<_> =
            (0..LANES).filter(|&lane| met(lane)).map(|lane| values[lane]).collect();
        let by_order: Vec<_> = order
            .into_iter()
            .filter(|&lane| met(lane))
            .map(|lane| (low[lane], values[lane]))
            .collect();
        for backend in Backend::available() {
            let found = dispatch!(backend, lanes => kept(lanes, [&low, &high], &values, packed));
            assert_eq!(
                found,
                (by_mask.clone(), by_order.clone()),
                "{backend}, mask {mask:08b}, {order:?}"
            );
        }
    }
}

/// Takes the least of values between which a mask, given as `low ≤ high`, chooses.
#[inline(always)]
fn least_taken<L: Lanes>(
    lanes: L,
    [low, high]: [&[f32; LANES]; 2],
    values: &[f32; LANES],
) -> (usize, [f32; LANES]) {
    let mask = lanes.load(low).le(lanes.load(high));
    let (least, others) = lanes.take_least(mask, lanes.load(values));
    let mut stored = [0.0; LANES];
    lanes.store(others, &mut stored);
    (least, stored)
}

/// By backend: which is taken, after checks of what holds whatever it is.
fn taken(mask: u8, values: [f32; LANES]) -> Vec<(Backend, usize)> {
    let named = |lane: usize| mask >> lane & 1 == 1;
    let high = std::array::from_fn(|lane| if named(lane) { 1.0 } else { f32::NAN });
    let take = |backend: Backend| {
        let (found, left) =
            dispatch!(backend, lanes => least_taken(lanes, [&[0.0; LANES], &high], &values));
        assert!(named(found), "{backend}, mask {mask:08b}, {values:?}: {found} was not named");
        let mut others = values;
        others[found] = f32::NAN;
        for (left, other) in left.into_iter().zip(others) {
            assert!(
                left.to_bits() == other.to_bits() || left.is_nan() && other.is_nan(),
                "{backend}: {values:?}"
            );
        }
        (backend, found)
    };
    Backend::available().map(take).collect()
}

#[test]
fn the_least_is_taken_from_among_those_that_a_mask_names() {
    let values = [3.0, 0.25, 7.5, 0.0, f32::INFINITY, 1.0, 2.0, f32::MIN_POSITIVE];
    for mask in 1..=u8::MAX {
        let named = (0..LANES).filter(|&lane| mask >> lane & 1 == 1);
        let least = named.min_by(|&a, &b| f32::total_cmp(&values[a], &values[b]));
        for (backend, found) in taken(mask, values) {
            assert_eq!(Some(found), least, "{backend}, mask {mask:08b}");
        }
    }
}

#[test]
fn one_that_is_named_is_taken_whatever_the_values() {
    let next = 1.0_f32.next_up();
    for values in [
        [1.0, next, 1.0, next, 1.0, next, 1.0, next],
        [-1.0, -2.0, -0.0, 0.0, -f32::MAX, -f32::MIN_POSITIVE, -3.0, -1.0],
        [f32::INFINITY; LANES],
        [f32::NEG_INFINITY; LANES],
        [f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::MIN, 0.0, -0.0, 5e-324_f64 as f32, 1.0],
    ] {
        for mask in 1..=u8::MAX {
            taken(mask, values);
            let unnamed_are_nan =
                std::array::from_fn(
                    |lane| if mask >> lane & 1 == 1 { values[lane] } else { f32::NAN },
                );
            taken(mask, unnamed_are_nan);
        }
    }
}

/// What each operation of wide vectors makes of each pair of numbers, rounded to `f32`, as bits,
/// and the masks.
#[inline(always)]
fn in_wide_vectors<V: Vectors<f32, Real: Widening>>(lanes: V, a: &[f32], b: &[f32]) -> Results {
    let (mut results, mut masks) = (vec![Vec::new(); 11], vec![Vec::new(); 5]);
    for (a, b) in a.chunks_exact(V::COUNT).zip(b.chunks_exact(V::COUNT)) {
        let row = |values: &[f32]| {
            let mut row = V::Row::zeroed();
            row.as_mut().copy_from_slice(values);
            row
        };
        let (a, b) = (lanes.load(&row(a)).widen(), lanes.load(&row(b)).widen());
        let made = [
            a,
            a.splat(0.1),
            a + b,
            a - b,
            a * b,
            a / b,
            a.min(b),
            a.max(b),
            a.abs(),
            a.sqrt(),
            a.select(a.lt(b), b),
        ];
        for (results, made) in results.iter_mut().zip(made) {
            let mut stored = V::Row::zeroed();
            lanes.store(V::Real::narrow(made), &mut stored);
            results.extend(stored.as_ref().iter().map(|&value| value.bits()));
        }
        let compared = [a.lt(b), a.le(b), a.le(b) & b.le(a), a.lt(b) | b.lt(a), !a.le(b)];
        for (masks, mask) in masks.iter_mut().zip(compared) {
            assert_eq!(u64::from(mask.bits()) >> V::COUNT, 0, "bits above the lanes");
            let narrow = <V::Real as Widening>::narrow_mask(mask);
            assert_eq!(narrow.bits(), mask.bits(), "a mask of f32 is another");
            // Bits of a mask that is a vector are but its signs: all of a lane must say the same.
            let mut chosen = V::Row::zeroed();
            lanes.store(lanes.splat(-1.0).select(narrow, lanes.splat(1.5)), &mut chosen);
            masks.extend(chosen.as_ref().iter().map(|&value| value == -1.0));
        }
    }
    (results, masks)
}

#[test]
fn wide_vectors_compute_in_f64_and_round_once_on_the_way_back() {
    // Beside the hazards, numbers whose sums, products and quotients need rounding.
    let values: Vec<f32> =
        VALUES.into_iter().chain([0.1, -0.3, 7.7e12, 1.1e-38, f32::MIN_POSITIVE]).collect();
    let pairs: Vec<_> = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
    let pairs = (0..16)
        .flat_map(|shift| (0..pairs.len()).map(move |i| i + shift))
        .map(|i| pairs[i % pairs.len()]);
    let (a, b): (Vec<f32>, Vec<f32>) = pairs.unzip();
    let each = |f: fn(f64, f64) -> f64| -> Vec<u64> {
        a.iter().zip(&b).map(|(&a, &b)| (f(a.into(), b.into()) as f32).bits()).collect()
    };
    let expected = vec![
        each(|a, _| a),
        each(|_, _| 0.1),
        each(|a, b| a + b),
        each(|a, b| a - b),
        each(|a, b| a * b),
        each(|a, b| a / b),
        each(|a, b| if a < b { a } else { b }),
        each(|a, b| if a > b { a } else { b }),
        each(|a, _| a.abs()),
        each(|a, _| a.sqrt()),
        each(|a, b| if a < b { a } else { b }),
    ];
    let ask =
        |f: fn(f32, f32) -> bool| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect::<Vec<_>>();
    let masks = vec![
        ask(|a, b| a < b),
        ask(|a, b| a <= b),
        ask(|a, b| a == b),
        ask(|a, b| a < b || b < a),
        ask(|a, b| a.is_nan() || b.is_nan() || a > b),
    ];
    for backend in Backend::available() {
        let (found, found_masks) =
            dispatch!(backend, lanes => in_wide_vectors(lanes.widest(), &a, &b));
        assert_eq!(found, expected, "{backend}");
        assert_eq!(found_masks, masks, "{backend}");
    }
}

/// What is made of triples of numbers: products less a third number and with it, the least and the
/// greatest of the first two.
#[inline(always)]
fn of_triples<V: Vectors<f32>>(lanes: V, triples: &[[f32; 3]]) -> Vec<[f32; 4]> {
    let mut results = Vec::new();
    for triples in triples.chunks_exact(V::COUNT) {
        let (mut a, mut b, mut c) = (V::Row::zeroed(), V::Row::zeroed(), V::Row::zeroed());
        for (lane, triple) in triples.iter().enumerate() {
            [a.as_mut()[lane], b.as_mut()[lane], c.as_mut()[lane]] = *triple;
        }
        let (a, b, c) = (lanes.load(&a), lanes.load(&b), lanes.load(&c));
        let mut stored = [V::Row::zeroed(); 4];
        lanes.store(a.mul_sub(b, c), &mut stored[0]);
        lanes.store(a.mul_add(b, c), &mut stored[1]);
        lanes.store(a.loose_min(b), &mut stored[2]);
        lanes.store(a.loose_max(b), &mut stored[3]);
        for lane in 0..V::COUNT {
            results.push([0, 1, 2, 3].map(|result: usize| stored[result].as_ref()[lane]));
        }
    }
    results
}

#[test]
fn operations_that_may_differ_between_backends_keep_to_their_bounds() {
    let values: Vec<f32> =
        VALUES.into_iter().chain([0.1, -0.3, 7.7e12, 1.1e-38, 1.0 / 3.0]).collect();
    let mut triples = Vec::new();
    for &a in &values {
        for &b in &values {
            for &c in &values {
                triples.push([a, b, c]);
            }
        }
    }
    triples.truncate(triples.len() / 16 * 16);
    for backend in Backend::available() {
        for found in dispatch!(backend, lanes => [of_triples(lanes, &triples), of_triples(lanes.widest(), &triples)])
        {
            assert_eq!(found.len(), triples.len());
            for ([less, more, least, greatest], &[a, b, c]) in found.into_iter().zip(&triples) {
                for (found, expected) in
                    [(less, [a.mul_add(b, -c), a * b - c]), (more, [a.mul_add(b, c), a * b + c])]
                {
                    assert!(
                        expected.map(f32::bits).contains(&found.bits()),
                        "{backend}: of {a} · {b} and {c}: {found}"
                    );
                }
                let is_either = |found: f32, of: f32| {
                    found == of || found.bits() == of.bits() || a.is_nan() && found.is_nan()
                };
                assert!(
                    is_either(least, if a < b { a } else { b })
                        && is_either(greatest, if a > b { a } else { b }),
                    "{backend}: of {a} and {b} {least} and {greatest}"
                );
            }
        }
    }
}
