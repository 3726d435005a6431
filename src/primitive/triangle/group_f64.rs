//! Triangles of `f64` against a vector of the rays of a group.

use super::tree::{axes, axis_bytes};
use super::tree_f64::{TriangleBlockF64, WatertightRayF64};
use super::watertight::{self, PlainPassage, sheared};
use crate::primitive::LeafBlockF64;
use crate::ray::{GroupColumn, Heading, RayGroup, RayParts};
use crate::simd::{LANES, Mask, Vectors};

/// The rays of a group made ready for the watertight test, each as a [`WatertightRayF64`] is.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct WatertightRaysF64 {
    origin: [GroupColumn<f64>; 3],
    shear: [GroupColumn<f64>; 2],
    direction_z: GroupColumn<f64>,
    axes: [u8; 4],
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
        let [x, y, z, _] = rays.axes;
        let mut vertices = [origin; 3];
        for (moved, vertex) in vertices.iter_mut().zip(self.vertices()) {
            let vertex = [
                lanes.splat(vertex[usize::from(x)][lane % LANES]),
                lanes.splat(vertex[usize::from(y)][lane % LANES]),
                lanes.splat(vertex[usize::from(z)][lane % LANES]),
            ];
            *moved = sheared(vertex, origin, shear);
        }
        vertices
    }
}

impl LeafBlockF64 for TriangleBlockF64 {
    type PreparedRays = WatertightRaysF64;

    #[inline(always)]
    fn prepare_group<V: Vectors<f64>>(
        lanes: V,
        group: &RayGroup<f64>,
        heading: Heading,
        into: &mut WatertightRaysF64,
    ) {
        let backwards = heading.octant >> heading.longest & 1 == 1;
        let [x, y, z] = axes(usize::from(heading.longest), backwards);
        into.axes = axis_bytes([x, y, z]);
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
        WatertightRayF64::new(origin, shear, rays.direction_z.get(lane), rays.axes)
    }

    #[inline(always)]
    fn undecided_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &WatertightRaysF64,
        vector: usize,
    ) -> u32 {
        watertight::undecided(&self.sheared_rays(lanes, lane, rays, vector)).bits()
    }

    #[inline(always)]
    fn pass_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &WatertightRaysF64,
        vector: usize,
    ) -> (PlainPassage<V::Real>, V::Real) {
        let vertices = self.sheared_rays(lanes, lane, rays, vector);
        let passage = PlainPassage::new(&vertices);
        (passage, passage.t(&vertices, rays.direction_z.load(lanes, vector)))
    }
}
