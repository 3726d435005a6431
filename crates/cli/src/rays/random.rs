//! Random numbers from a seed, and rays between random points.

use super::ray;
use crate::vector::{Vector, sub};
use lanecast::{Aabb, Ray};

/// A sequence of random numbers that depends on its seed only (SplitMix64: Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to 1, 1 excluded.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    fn within(&mut self, bounds: &Aabb) -> Vector {
        std::array::from_fn(|axis| {
            let [min, max] = [bounds.min[axis], bounds.max[axis]].map(f64::from);
            min + (max - min) * self.unit()
        })
    }
}

/// Rays from random points of a box towards other random points of it. `t` is 1 at the second point
/// and does not end there.
pub(crate) fn random_rays(bounds: &Aabb, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let [start, end] = [(); 2].map(|()| random.within(bounds));
            ray(start, sub(end, start))
        })
        .collect()
}
