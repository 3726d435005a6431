//! Numbers that are the same on every machine.

use crate::vector::length;

/// Steele, Lea and Flood's SplitMix64.
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Any 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Between −1 and 1.
    pub(crate) fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * (self.number() + 1.0) / 2.0
    }

    /// One of `0..count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Anywhere in the cube that reaches so far from zero.
    pub(crate) fn point(&mut self, reach: f64) -> [f64; 3] {
        std::array::from_fn(|_| reach * self.number())
    }

    /// A unit vector, evenly over the sphere.
    pub(crate) fn direction(&mut self) -> [f64; 3] {
        loop {
            let point = self.point(1.0);
            let length = length(point);
            if (0.1..=1.0).contains(&length) {
                return point.map(|x| x / length);
            }
        }
    }

    /// A unit vector on the side of `normal`, a unit vector, the more often the nearer to it: by
    /// the cosine of the angle.
    pub(crate) fn around(&mut self, normal: [f64; 3]) -> [f64; 3] {
        loop {
            let direction = self.direction();
            let sum: [f64; 3] = std::array::from_fn(|axis| normal[axis] + direction[axis]);
            let length = length(sum);
            if length > 1e-3 {
                return sum.map(|x| x / length);
            }
        }
    }

    /// Any order of `0..count`.
    pub(crate) fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for place in (1..count).rev() {
            order.swap(place, self.below(place + 1));
        }
        order
    }
}
