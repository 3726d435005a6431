//! Blocks of triangles against groups and streams.

use super::block::{AXES_AS_NUMBERS, TriangleBlock, WatertightRay};
use super::by_rays::{CornerRows, WatertightVector};
use super::group::{TrianglesFromOrigin, WatertightRays};
use super::sheared::axes_as_numbers;
use crate::answers::INVALID_ID;
use crate::kernel::{Passage, Test, Watertight, watertight};
use crate::leaf::block::LeafBlock;
use crate::simd::{Lanes, Mask, Real, Rearrange, Vectors, Widening, set_bits};
use crate::value::{GROUP, Heading, RayGroup, Rules};

impl LeafBlock for TriangleBlock {
    type PreparedRays = WatertightRays;
    type FromOrigin = TrianglesFromOrigin;
    type LaidOut = CornerRows;

    #[inline(always)]
    fn prepare_group<V: Rearrange>(lanes: V, group: &RayGroup, heading: Heading, into: &mut WatertightRays) {
        into.prepare(lanes, group, heading);
    }

    #[inline(always)]
    fn prepare_each<V: Rearrange>(lanes: V, group: &RayGroup, into: &mut [WatertightRay; GROUP]) {
        for (vector, into) in into.chunks_exact_mut(V::COUNT).enumerate() {
            let [[x, y, z], [shear_x, shear_y, direction_z], [_, t_max, longest], _] =
                Watertight::TWO_SIDED.prepare(&group.vector(lanes, vector));
            let axes = axes_as_numbers(&AXES_AS_NUMBERS, longest, direction_z);
            let into: &mut [[[f32; 4]; 2]] = bytemuck::cast_slice_mut(into);
            lanes.store_transposed([x, y, z, shear_x], 0, into);
            lanes.store_transposed([shear_y, direction_z, axes, t_max], 1, into);
        }
    }

    #[inline(always)]
    fn reject_from_origin<L: Lanes>(
        &self,
        lanes: L,
        rays: &WatertightRays,
        into: &mut TrianglesFromOrigin,
    ) -> Option<u8> {
        rays.start_together.then(|| rays.reject_from_origin(lanes, self, into))
    }

    #[inline(always)]
    fn undecided_rays<V: Vectors<f32>>(
        &self,
        lanes: V,
        lane: usize,
        from_origin: Option<&TrianglesFromOrigin>,
        rays: &WatertightRays,
        vector: usize,
    ) -> u32 {
        watertight::undecided(&rays.sheared(lanes, self, lane, from_origin, vector)).bits()
    }

    #[inline(always)]
    fn decide_rays<V: Vectors<f32, Real: Widening>>(
        &self,
        lanes: V,
        lane: usize,
        from_origin: Option<&TrianglesFromOrigin>,
        rays: &WatertightRays,
        (vector, interval): (usize, [V::Real; 2]),
        rules: Rules,
    ) -> Option<Passage<V::Real>> {
        let vertices = rays.sheared(lanes, self, lane, from_origin, vector);
        watertight::decide(&vertices, rays.rays.direction_z.load(lanes, vector), rules, interval)
    }

    #[inline(always)]
    fn lay_out(&self, into: &mut CornerRows) {
        into.set(self);
    }

    #[inline(always)]
    fn undecided_laid_out<V: Rearrange>(
        lanes: V,
        block: &CornerRows,
        filled: u8,
        (rays, numbers): (&[WatertightRay], &[u32]),
        mut each: impl FnMut(usize, u32),
    ) {
        let rays = WatertightVector::take(lanes, rays, numbers);
        for lane in set_bits(filled) {
            each(lane, rays.undecided(lanes, block, lane));
        }
    }

    #[inline(always)]
    fn filled<L: Lanes>(&self, lanes: L) -> u8 {
        const { assert!(f32::from_bits(INVALID_ID).is_nan(), "no number") };
        // Numbers of a scene are below the bits of a NaN, so only empty lanes differ from themselves. Counting them
        // took 8 shifts of a mask.
        let numbers = lanes.load(bytemuck::cast_ref(self.lane_numbers()));
        numbers.le(numbers).bits() as u8
    }
}
