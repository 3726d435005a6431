//! Boxes as the build moves them about: in rows that one or two instructions unite.

use crate::primitive::Aabb;
use crate::simd::Quad;

/// A box whose lower corner is negated, so that uniting is a maximum alone. The last lanes hold
/// anything.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Bounds {
    pub(super) negated_min: Quad,
    pub(super) max: Quad,
}

impl Bounds {
    /// Around nothing.
    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self { negated_min: Quad::splat(f32::NEG_INFINITY), max: Quad::splat(f32::NEG_INFINITY) }
    }

    /// Around a point and nothing else.
    #[inline(always)]
    fn at(point: Quad) -> Self {
        Self { negated_min: Quad::splat(0.0) - point, max: point }
    }

    #[inline(always)]
    pub(super) fn union(self, other: Self) -> Self {
        Self { negated_min: self.negated_min.max(other.negated_min), max: self.max.max(other.max) }
    }

    /// Length, width and height; negative if there is nothing within.
    #[inline(always)]
    pub(super) fn extent(&self) -> Quad {
        self.max + self.negated_min
    }

    /// The least coordinates.
    #[inline(always)]
    pub(super) fn min(&self) -> Quad {
        Quad::splat(0.0) - self.negated_min
    }

    pub(super) fn aabb(&self) -> Aabb {
        let ([min_x, min_y, min_z, _], [max_x, max_y, max_z, _]) =
            (self.min().to_array(), self.max.to_array());
        Aabb { min: [min_x, min_y, min_z], max: [max_x, max_y, max_z] }
    }

    /// `self` where `wanted` is 1, nothing where it is 0, without a branch.
    #[inline(always)]
    fn only_if(self, wanted: usize) -> Self {
        let change = Quad::splat([f32::NEG_INFINITY, 0.0][wanted]);
        Self { negated_min: self.negated_min + change, max: self.max + change }
    }
}

/// The box of the primitive with an index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// With the index in the last lane of its first half. Below 2³⁰ it is the bits of a number from
    /// 0 to 2, which no operation trips over.
    bounds: Bounds,
}

impl Item {
    #[inline(always)]
    pub(super) fn new(aabb: &Aabb, index: u32) -> Self {
        let ([min_x, min_y, min_z], [max_x, max_y, max_z]) = (aabb.min, aabb.max);
        let negated_min = Quad::new([-min_x, -min_y, -min_z, f32::from_bits(index)]);
        Self { bounds: Bounds { negated_min, max: Quad::new([max_x, max_y, max_z, 0.0]) } }
    }

    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.bounds.negated_min.to_array()[3].to_bits()
    }

    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Twice the centre; halving would only lose a bit.
    #[inline(always)]
    pub(super) fn center(&self) -> Quad {
        self.bounds.max - self.bounds.negated_min
    }

    /// [`center`](Self::center) along one axis.
    #[inline(always)]
    pub(super) fn center_along(&self, axis: usize) -> f32 {
        self.bounds.max.to_array()[axis] - self.bounds.negated_min.to_array()[axis]
    }
}

/// Where some items are: the box around them, and the box around their (doubled) centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extents {
    pub(super) boxes: Bounds,
    pub(super) centers: Bounds,
}

impl Extents {
    pub(super) fn empty() -> Self {
        Self { boxes: Bounds::empty(), centers: Bounds::empty() }
    }

    pub(super) fn of(items: &[Item]) -> Self {
        items.iter().fold(Self::empty(), |all, item| all.with(item))
    }

    #[inline(always)]
    pub(super) fn with(self, item: &Item) -> Self {
        self.union(Self { boxes: item.bounds, centers: Bounds::at(item.center()) })
    }

    #[inline(always)]
    pub(super) fn union(self, other: Self) -> Self {
        Self { boxes: self.boxes.union(other.boxes), centers: self.centers.union(other.centers) }
    }
}

/// The boxes around the centres of what goes left and of what goes right.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides {
    pub(super) left: Bounds,
    pub(super) right: Bounds,
}

impl Sides {
    pub(super) fn empty() -> Self {
        Self { left: Bounds::empty(), right: Bounds::empty() }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { left: self.left.union(other.left), right: self.right.union(other.right) }
    }

    /// With an item more, on the left if `left` is 1 and on the right if it is 0.
    #[inline(always)]
    pub(super) fn with(self, item: &Item, left: usize) -> Self {
        let center = Bounds::at(item.center());
        Self {
            left: self.left.union(center.only_if(left)),
            right: self.right.union(center.only_if(1 - left)),
        }
    }
}
