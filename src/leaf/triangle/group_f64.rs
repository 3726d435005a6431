//! Triangles of `f64` against a vector of the rays of a group.

use super::block::axes;
use super::block_f64::{AXES_AS_NUMBERS, RowF64, TriangleBlockF64, WatertightRayF64};
use super::reject::LocalLine;
use crate::kernel::watertight::sheared;
use crate::kernel::{Test, Watertight};
use crate::leaf::block::LeafBlockF64;
use crate::leaf::plain::PlainMet;
use crate::simd::{BothPrecisions, LANES, Mask, Real, Vectors, Widening};
use crate::tree::Leaf;
use crate::value::{Culling, GROUP, GroupColumn, Heading, RayGroup, RayParts};

/// The rays of a group prepared for the watertight test, each as a [`WatertightRayF64`] is.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct WatertightRaysF64 {
    origin: [GroupColumn<f64>; 3],
    shear: [GroupColumn<f64>; 2],
    direction_z: GroupColumn<f64>,
    axes: [u8; 3],
}

impl WatertightRaysF64 {
    /// x, y and z as axes of the scene.
    #[inline(always)]
    fn axes(&self) -> [usize; 3] {
        let [x, y, z] = self.axes;
        [usize::from(x), usize::from(y), usize::from(z)]
    }
}

impl TriangleBlockF64 {
    /// The sheared vertices of one lane, in a vector of rays.
    #[inline(always)]
    fn sheared_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &WatertightRaysF64,
        vector: usize,
    ) -> [[V::Real; 3]; 3] {
        let [x, y, z] = &rays.origin;
        let origin = [x.load(lanes, vector), y.load(lanes, vector), z.load(lanes, vector)];
        let shear = [rays.shear[0].load(lanes, vector), rays.shear[1].load(lanes, vector)];
        let [x, y, z] = rays.axes();
        let mut vertices = [origin; 3];
        for (moved, corner) in vertices.iter_mut().zip(self.corners(lane)) {
            let vertex = [lanes.splat(corner[x % 3]), lanes.splat(corner[y % 3]), lanes.splat(corner[z % 3])];
            *moved = sheared(vertex, origin, shear);
        }
        vertices
    }
}

impl LeafBlockF64 for TriangleBlockF64 {
    type PreparedRays = WatertightRaysF64;

    #[inline(always)]
    fn with_scale(ray: WatertightRayF64, scale: f64) -> WatertightRayF64 {
        ray.with_scale(scale)
    }

    #[inline(always)]
    fn scale(ray: &WatertightRayF64) -> f64 {
        ray.scale()
    }

    #[inline(always)]
    fn interval(ray: &WatertightRayF64) -> [f64; 2] {
        ray.interval()
    }

    #[inline(always)]
    fn prepare_each<V: BothPrecisions>(
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
            let zero = lanes.splat(0.0);
            let [first, second] = [longest.lt(lanes.splat(1.0)), longest.lt(lanes.splat(2.0))];
            let mut axes = [zero; 2];
            for (axes, &[x, y, z]) in axes.iter_mut().zip(&AXES_AS_NUMBERS) {
                *axes = lanes.splat(x).select(first, lanes.splat(y).select(second, lanes.splat(z)));
            }
            let axes = axes[1].select(direction_z.lt(zero), axes[0]);
            lanes.store_transposed_wide([x, y, z, shear_x], 0, rows);
            lanes.store_transposed_wide([shear_y, direction_z, axes, scale.load(lanes, vector)], 4, rows);
            // Ten numbers, four at a time.
            lanes.store_transposed_wide([axes, scale.load(lanes, vector), t_min, t_max], 6, rows);
        }
    }

    #[inline(always)]
    fn prepare_group<V: Vectors<f64>>(
        lanes: V,
        group: &RayGroup<f64>,
        heading: Heading,
        into: &mut WatertightRaysF64,
    ) {
        let backwards = heading.octant >> heading.longest & 1 == 1;
        let [x, y, z] = axes(usize::from(heading.longest), backwards);
        into.axes = [x as u8, y as u8, z as u8];
        let RayParts { origin, direction, .. } = &group.columns;
        into.origin = [origin[x], origin[y], origin[z]];
        into.direction_z = direction[z];
        for vector in GroupColumn::<f64>::vectors::<V>() {
            let along_z = direction[z].load(lanes, vector);
            for (shear, axis) in into.shear.iter_mut().zip([x, y]) {
                shear.store(lanes, direction[axis].load(lanes, vector) / along_z, vector);
            }
        }
    }

    #[inline(always)]
    fn prepared_ray(rays: &WatertightRaysF64, lane: usize) -> WatertightRayF64 {
        let [x, y, z] = &rays.origin;
        let origin = [x.get(lane), y.get(lane), z.get(lane)];
        let shear = [rays.shear[0].get(lane), rays.shear[1].get(lane)];
        WatertightRayF64::new(origin, shear, rays.direction_z.get(lane), rays.axes())
    }

    #[inline(always)]
    fn undecided_rays<V: BothPrecisions>(
        &self,
        lanes: V,
        rays: &WatertightRaysF64,
        vector: usize,
        into: &mut [u32; LANES],
    ) {
        let (reject, frame) = self.reject_block();
        let (low, high) = (2 * vector, 2 * vector + 1);
        let [x, y, z] = &rays.origin;
        let origin = [
            lanes.join(x.load(lanes, low), x.load(lanes, high)),
            lanes.join(y.load(lanes, low), y.load(lanes, high)),
            lanes.join(z.load(lanes, low), z.load(lanes, high)),
        ];
        let [a, b] = &rays.shear;
        let shear = [
            lanes.join(a.load(lanes, low), a.load(lanes, high)),
            lanes.join(b.load(lanes, low), b.load(lanes, high)),
        ];
        let axes = rays.axes();
        let [at_x, at_y] = frame.passes(axes, origin, shear);
        let lines: LocalLine<<V as Vectors<f32>>::Real> = LocalLine {
            passes: [Widening::narrow(at_x), Widening::narrow(at_y)],
            shear: [Widening::narrow(shear[0]), Widening::narrow(shear[1])],
        };
        let near = (!lines.beside()).bits();
        for (lane, into) in into.iter_mut().enumerate().take(self.count()) {
            *into = near & reject.undecided_lines(lanes, axes, lane, &lines);
        }
    }

    #[inline(always)]
    fn decide_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &WatertightRaysF64,
        (vector, interval): (usize, [V::Real; 2]),
        culling: Culling,
    ) -> PlainMet<V::Real> {
        let vertices = self.sheared_rays(lanes, lane, rays, vector);
        PlainMet::new(&vertices, rays.direction_z.load(lanes, vector), culling, interval)
    }
}
