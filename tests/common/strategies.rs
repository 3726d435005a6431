//! Strategies of proptest: numbers and parts of rays that have led engines astray. Without types of
//! the engine, as the unit tests have these from another crate than all other tests.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// So many cases, the same in every run.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        cases: count,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A coordinate of a kind that has led some engine astray: on a lattice, so that rays and boxes
/// touch exactly, of either zero, ordinary, far from the origin, subnormal, or huge.
pub fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (-8..=8_i32).prop_map(|i| i as f32 * 0.25),
        1 => Just(-0.0_f32),
        6 => -2.0_f32..2.0,
        2 => (-8..=8_i32).prop_map(|i| 1e7 + i as f32),
        1 => (-8..=8_i32).prop_map(|i| i as f32 * f32::from_bits(3)),
        1 => -1e30_f32..1e30,
        1 => -1e-30_f32..1e-30,
    ]
}

/// A direction's component, from zero through the least to the greatest sizes.
pub fn component() -> impl Strategy<Value = f32> {
    prop_oneof![
        3 => prop_oneof![Just(0.0_f32), Just(-0.0_f32)],
        4 => prop_oneof![Just(1.0_f32), Just(-1.0_f32), Just(0.5_f32), Just(-3.0_f32)],
        6 => -1.0_f32..1.0,
        1 => prop_oneof![Just(1e-38_f32), Just(-1e-38_f32), Just(1e-45_f32), Just(-1e-42_f32)],
        1 => prop_oneof![Just(1e30_f32), Just(-1e30_f32), Just(1e20_f32), Just(-1e-20_f32)],
        1 => prop_oneof![Just(1e-7_f32), Just(-6e-8_f32), Just(1e-8_f32)],
    ]
}

pub fn triple(of: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = [f32; 3]> {
    [of.clone(), of.clone(), of]
}

/// \[0, ∞\] most of the time, else a line, a segment, or an interval somewhere.
pub fn interval() -> impl Strategy<Value = [f32; 2]> {
    prop_oneof![
        5 => Just([0.0, f32::INFINITY]),
        2 => Just([f32::NEG_INFINITY, f32::INFINITY]),
        2 => Just([0.0, 1.0]),
        1 => Just([1.0, 1.0]),
        2 => (-4..=4_i32, 0..=4_i32).prop_map(|(a, b)| [a as f32 * 0.5, (a + b) as f32 * 0.5]),
    ]
}

/// Origin, direction and interval of rays whose parts are drawn from the strategies above, some of
/// them defective.
pub fn ray_parts() -> impl Strategy<Value = ([f32; 3], [f32; 3], [f32; 2])> {
    (triple(coordinate().boxed()), triple(component().boxed()), interval())
}
