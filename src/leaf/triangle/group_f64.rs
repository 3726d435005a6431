//! Triangles of `f64` against a vector of the rays of a group.

use super::block_f64::{RowF64, TriangleBlockF64, WatertightRayF64, axis_bytes};
use super::reject_f64::LocalLine;
use super::sheared::{ShearedRays, axes_as_numbers};
use crate::kernel::watertight::sheared;
use crate::kernel::{Test, Watertight};
use crate::leaf::plain::PlainMet;
use crate::simd::{BothPrecisions, LANES, Mask, Vectors};
use crate::tree::Leaf;
use crate::value::{Culling, GROUP, GroupColumn, RayGroup};

impl TriangleBlockF64 {
    /// Prepares each ray of a group as by [`prepare`](crate::leaf::RayBlock::prepare); unspecified for one with a defect.
    #[inline(always)]
    pub(crate) fn prepare_each<V: BothPrecisions>(
        lanes: V,
        group: &RayGroup<f64>,
        scale: &GroupColumn<f64>,
        into: &mut [WatertightRayF64; GROUP],
    ) {
        let count = const { <V as Vectors<f64>>::COUNT };
        let rows: &mut [RowF64] = bytemuck::cast_slice_mut(into);
        for (vector, rows) in rows.chunks_exact_mut(count).enumerate() {
            let [[x, y, z], [shear_x, shear_y, direction_z], [t_min, t_max, longest], _] =
                Watertight::TWO_SIDED.prepare(&group.vector(lanes, vector));
            let axes = axes_as_numbers(longest, direction_z, |axes| f64::from_ne_bytes(axis_bytes(axes)));
            lanes.store_transposed_wide([x, y, z, shear_x], 0, rows);
            lanes.store_transposed_wide([shear_y, direction_z, axes, scale.load(lanes, vector)], 4, rows);
            // Ten numbers, four at a time.
            lanes.store_transposed_wide([axes, scale.load(lanes, vector), t_min, t_max], 6, rows);
        }
    }

    /// The ray in a lane, as by [`prepare`](crate::leaf::RayBlock::prepare), without scale and interval.
    #[inline(always)]
    pub(crate) fn prepared_ray(rays: &ShearedRays<f64>, lane: usize) -> WatertightRayF64 {
        let [x, y, z] = &rays.origin;
        let origin = [x.get(lane), y.get(lane), z.get(lane)];
        let shear = [rays.shear[0].get(lane), rays.shear[1].get(lane)];
        let (direction_z, axes) = (rays.direction_z.get(lane), axis_bytes(rays.axes));
        let interval = [f64::NEG_INFINITY, f64::INFINITY];
        WatertightRayF64 { origin, shear, direction_z, axes, scale: 1.0, interval }
    }

    /// The rays of a vector of `f32` of the group that may meet each triangle, as bits, each as by
    /// [`undecided`](crate::leaf::RayBlock::undecided); none in lanes without a triangle.
    #[inline(always)]
    pub(crate) fn undecided_rays<V: BothPrecisions>(
        &self,
        lanes: V,
        rays: &ShearedRays<f64>,
        vector: usize,
        into: &mut [u32; LANES],
    ) {
        let (low, high) = (rays.lines(lanes, 2 * vector), rays.lines(lanes, 2 * vector + 1));
        let origin = [
            lanes.join(low.0[0], high.0[0]),
            lanes.join(low.0[1], high.0[1]),
            lanes.join(low.0[2], high.0[2]),
        ];
        let shear = [lanes.join(low.1[0], high.1[0]), lanes.join(low.1[1], high.1[1])];
        let axes = rays.axes;
        let lines: LocalLine<<V as Vectors<f32>>::Real> = self.frame.lines(axes, origin, shear);
        let near = (!lines.beside()).bits();
        for (lane, into) in into.iter_mut().enumerate().take(self.count()) {
            *into = near & self.reject.undecided_lines(lanes, axes, lane, &lines);
        }
    }

    /// The hits of a vector of rays of `f64`, given with their intervals, with the triangle in a lane, each as by
    /// [`decide`](crate::leaf::RayBlock::decide), where plain `f64` decides.
    #[inline(always)]
    pub(crate) fn decide_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &ShearedRays<f64>,
        (vector, interval): (usize, [V::Real; 2]),
        culling: Culling,
    ) -> PlainMet<V::Real> {
        let ((origin, shear), [x, y, z]) = (rays.lines(lanes, vector), rays.axes);
        let mut vertices = [origin; 3];
        for (moved, corner) in vertices.iter_mut().zip(self.corners(lane)) {
            let vertex = [lanes.splat(corner[x % 3]), lanes.splat(corner[y % 3]), lanes.splat(corner[z % 3])];
            *moved = sheared(vertex, origin, shear);
        }
        PlainMet::new(&vertices, rays.direction_z.load(lanes, vector), culling, interval)
    }
}
