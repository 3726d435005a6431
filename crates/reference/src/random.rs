//! Random numbers that are the same on every machine and in every run.
//!
//! The one generator of the project. It names no type of lanecast, so that the unit tests of
//! lanecast can use it too.

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// From 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// From 0 to 1, 1 excluded, with all bits of `f64`.
    pub fn unit_f64(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn point(&mut self, low: f32, high: f32) -> [f32; 3] {
        std::array::from_fn(|_| self.between(low, high))
    }

    /// A point between two others, axis by axis.
    pub fn within(&mut self, [min, max]: [[f64; 3]; 2]) -> [f64; 3] {
        std::array::from_fn(|axis| min[axis] + (max[axis] - min[axis]) * self.unit_f64())
    }

    /// A point with coordinates up to `reach` away from another's.
    pub fn near(&mut self, place: [f64; 3], reach: f64) -> [f64; 3] {
        place.map(|x| x + (2.0 * self.unit_f64() - 1.0) * reach)
    }

    /// A vector of length between 0.1 and 1 with no direction preferred.
    pub fn direction(&mut self) -> [f32; 3] {
        loop {
            let candidate = self.point(-1.0, 1.0);
            let square: f32 = candidate.iter().map(|x| x * x).sum();
            if (0.01..=1.0).contains(&square) {
                return candidate;
            }
        }
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}
