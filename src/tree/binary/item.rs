//! Boxes as rows of vectors, united by one or two instructions.

use crate::simd::{Quad, of_three};
use crate::value::Aabb;

/// A box with its lower corner negated, so that the union is a maximum. The last lanes hold anything.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(in crate::tree) struct Bounds {
    pub(super) negated_min: Quad,
    pub(super) max: Quad,
}

impl Bounds {
    /// The box, with a mark in the last lane of its first half.
    #[inline(always)]
    pub(in crate::tree) fn new(aabb: &Aabb, mark: f32) -> Self {
        let [x, y, z] = aabb.min;
        Self { negated_min: Quad::new([-x, -y, -z, mark]), max: of_three(aabb.max) }
    }

    /// Half the surface area of a box that is not empty; may overflow.
    #[inline(always)]
    pub(in crate::tree) fn half_area(&self) -> f32 {
        let [x, y, z, _] = self.extent().to_array();
        x * (y + z) + y * z
    }

    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self { negated_min: Quad::splat(f32::NEG_INFINITY), max: Quad::splat(f32::NEG_INFINITY) }
    }

    #[inline(always)]
    pub(super) fn of(items: &[Item]) -> Self {
        items.iter().fold(Self::empty(), |all, item| all.union(item.bounds))
    }

    /// Around the (doubled) centres of all items.
    #[inline(always)]
    pub(super) fn of_centers(items: &[Item]) -> Self {
        let zero = Quad::splat(0.0);
        items.iter().fold(Self::empty(), |all, item| {
            let center = item.center();
            all.union(Self { negated_min: zero - center, max: center })
        })
    }

    #[inline(always)]
    pub(in crate::tree) fn union(self, other: Self) -> Self {
        Self { negated_min: self.negated_min.fast_max(other.negated_min), max: self.max.fast_max(other.max) }
    }

    /// Negative if there is nothing within.
    #[inline(always)]
    pub(super) fn extent(&self) -> Quad {
        self.max + self.negated_min
    }

    #[inline(always)]
    pub(super) fn min(&self) -> Quad {
        Quad::splat(0.0) - self.negated_min
    }

    pub(in crate::tree) fn aabb(&self) -> Aabb {
        let [min, max] = [self.min(), self.max].map(|corner| {
            let [x, y, z, _] = corner.to_array();
            [x, y, z]
        });
        Aabb { min, max }
    }
}

#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Item {
    /// With the index in the last lane of its first half.
    pub(super) bounds: Bounds,
}

/// An index, which is below 2³⁰, plus this is the bits of a number between 2⁻⁶³ and 2⁶⁵. A small index alone
/// would be a subnormal number, and every operation on the other three lanes would wait for it.
const INDEX_BIAS: u32 = 0x2000_0000;

impl Item {
    #[inline(always)]
    pub(super) fn new(aabb: &Aabb, index: u32) -> Self {
        Self { bounds: Bounds::new(aabb, f32::from_bits(index + INDEX_BIAS)) }
    }

    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.bounds.negated_min.to_array()[3].to_bits() - INDEX_BIAS
    }

    /// Twice the centre; halving may lose a bit.
    #[inline(always)]
    pub(super) fn center(&self) -> Quad {
        self.bounds.max - self.bounds.negated_min
    }

    #[inline(always)]
    pub(super) fn center_along(&self, axis: usize) -> f32 {
        let numbers: &[[f32; 4]; 2] = bytemuck::cast_ref(&self.bounds);
        numbers[1][axis] - numbers[0][axis]
    }
}
