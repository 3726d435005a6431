//! Every operation of the lanes on every backend, held against its definition.

use super::{Backend, Kernel, LANES, Lanes, Mask, Real, dispatch};

const VALUES: [f32; 10] =
    [0.0, -0.0, 1.5, -2.25, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, f32::MAX, 3.0e7];

/// Eight of the values above, in which all pairs come to stand in the same lane as `shift` varies.
fn column(shift: usize) -> [f32; LANES] {
    std::array::from_fn(|lane| VALUES[(lane + shift) % VALUES.len()])
}

/// What all operations but those that keep lanes make of two columns, as bits.
struct Arithmetic([f32; LANES], [f32; LANES]);

impl Kernel for Arithmetic {
    type Output = ([[u32; LANES]; 6], [u8; 3]);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let (a, b) = (lanes.load(&self.0), lanes.load(&self.1));
        let mut stored = [[0.0; LANES]; 6];
        let results = [a + b, a - b, a * b, a.min(b), a.max(b), lanes.splat(self.0[3])];
        for (stored, result) in stored.iter_mut().zip(results) {
            lanes.store(result, stored);
        }
        let masks = [a.lt(b).bits(), a.le(b).bits(), (a.le(b) & b.le(a)).bits()];
        (stored.map(|column| column.map(f32::to_bits)), masks)
    }
}

#[test]
fn arithmetic_is_that_of_ieee_and_the_second_argument_wins_on_nan() {
    for (shift_a, shift_b) in (0..10).flat_map(|a| (0..10).map(move |b| (a, b))) {
        let (a, b) = (column(shift_a), column(shift_b));
        let each = |f: fn(f32, f32) -> f32| std::array::from_fn::<_, LANES, _>(|i| f(a[i], b[i]));
        let expected = [
            each(|a, b| a + b),
            each(|a, b| a - b),
            each(|a, b| a * b),
            each(|a, b| if a < b { a } else { b }),
            each(|a, b| if a > b { a } else { b }),
            [a[3]; LANES],
        ];
        let bits = |f: fn(f32, f32) -> bool| (0..LANES).fold(0, |m, i| m | u8::from(f(a[i], b[i])) << i);
        let masks = [bits(|a, b| a < b), bits(|a, b| a <= b), bits(|a, b| a <= b && b <= a)];
        for backend in Backend::available() {
            let (found, found_masks) = dispatch(backend, Arithmetic(a, b));
            assert_eq!(found_masks, masks, "{backend}: {a:?} {b:?}");
            for (operation, (found, expected)) in found.iter().zip(expected).enumerate() {
                for lane in 0..LANES {
                    let found = f32::from_bits(found[lane]);
                    // Which NaN an operation makes is nobody's business.
                    let same = found.to_bits() == expected[lane].to_bits()
                        || (found.is_nan() && expected[lane].is_nan());
                    assert!(same, "{backend}, operation {operation}: {found} for {} {}", a[lane], b[lane]);
                }
            }
        }
    }
}

/// Keeps lanes by a mask, given as `low ≤ high`, and by an order.
struct Keeping {
    low: [f32; LANES],
    high: [f32; LANES],
    values: [u32; LANES],
    order: u32,
}

impl Kernel for Keeping {
    type Output = (Vec<u32>, Vec<(f32, u32)>);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let (low, high) = (lanes.load(&self.low), lanes.load(&self.high));
        let values = lanes.load_u32(&self.values);
        let (mut kept, mut kept_low, mut kept_values) = ([0; LANES], [0.0; LANES], [0; LANES]);
        let count = lanes.keep(low.le(high), values, &mut kept);
        let in_order = lanes.keep_in_order(self.order, low, high, values, (&mut kept_low, &mut kept_values));
        let pairs = kept_low.into_iter().zip(kept_values).take(in_order as usize).collect();
        (kept[..count as usize].to_vec(), pairs)
    }
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
        let by_mask: Vec<_> = (0..LANES).filter(|&lane| met(lane)).map(|lane| values[lane]).collect();
        let by_order: Vec<_> =
            order.into_iter().filter(|&lane| met(lane)).map(|lane| (low[lane], values[lane])).collect();
        for backend in Backend::available() {
            let found = dispatch(backend, Keeping { low, high, values, order: packed });
            assert_eq!(found, (by_mask.clone(), by_order.clone()), "{backend}, mask {mask:08b}, {order:?}");
        }
    }
}
