use super::order_of;
use crate::simd::LANES;

/// The slots of an order, the first pushed first.
fn slots(order: u32) -> [usize; LANES] {
    std::array::from_fn(|place| (order >> (3 * place)) as usize % LANES)
}

#[test]
fn the_nearest_by_the_mean_is_pushed_last() {
    let sums = [30.0, 4.0, 100.0, 6.0, 0.5, 8.0, 90.0, 0.0];
    let lengths = [3, 1, 2, 3, 1, 1, 1, 0];
    // Means of 10, 4, 50, 2, 0.5, 8, 90, and no ray.
    assert_eq!(slots(order_of(sums, &lengths)), [6, 2, 0, 5, 1, 3, 4, 7]);
}

/// A child that is left out of the order is lost with all its rays.
#[test]
fn every_child_is_in_the_order_once_whatever_the_sums() {
    let hazards = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, -0.0, f32::MAX, 1.0];
    let mut random = 1_u32;
    for _ in 0..10_000 {
        let mut draw = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as usize
        };
        let sums = std::array::from_fn(|_| hazards[draw() % hazards.len()]);
        let lengths = std::array::from_fn(|_| draw() as u32 % 4);
        let mut found = slots(order_of(sums, &lengths));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3, 4, 5, 6, 7], "{sums:?} {lengths:?}");
    }
}
