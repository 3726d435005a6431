//! Slab tests of a vector of rays against one box.

use crate::simd::{Real, Vectors};

/// Rays prepared for the slab test, one in each lane. All are in the [finite
/// range](crate::tree::FiniteRange).
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlabVector<R> {
    /// Origins times reciprocals.
    pub(super) near_offset: [R; 3],
    pub(super) far_offset: [R; 3],
    pub(super) inv_direction: [R; 3],
    pub(super) t_min: R,
    pub(super) t_max: R,
}

impl<R: Real<Scalar = f32>> SlabVector<R> {
    /// The overlap of each ray's interval with a box, by its near and far planes, as (t_enter, t_exit);
    /// empty, which is a miss, where t_enter > t_exit.
    #[inline(always)]
    pub(crate) fn slabs<V: Vectors<f32, Real = R>>(&self, lanes: V, planes: &[[f32; 2]; 3]) -> (R, R) {
        let (mut t_enter, mut t_exit) = (self.t_min, self.t_max);
        for (axis, &[near, far]) in planes.iter().enumerate() {
            let inverse = self.inv_direction[axis];
            let t_near = lanes.splat(near).mul_sub(inverse, self.near_offset[axis]);
            let t_far = lanes.splat(far).mul_sub(inverse, self.far_offset[axis]);
            t_enter = t_near.max(t_enter);
            t_exit = t_far.min(t_exit);
        }
        (t_enter, t_exit)
    }
}
