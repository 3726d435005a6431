//! Tests one triangle against a vector of independent rays.

use super::block::{TriangleBlock, WatertightRay};
use crate::kernel::watertight;
use crate::kernel::watertight::sheared;
use crate::simd::{LANES, Mask, Quad, Real, Rearrange};

/// The triangles of a block by lane, then vertex: x, y, z and nothing.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct CornerRows([[[f32; 4]; 3]; LANES]);

impl CornerRows {
    /// Writes the triangles of a block.
    #[inline(always)]
    pub(super) fn set(&mut self, block: &TriangleBlock) {
        for (vertex, axes) in block.vertices().iter().enumerate() {
            for (half, rows) in self.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let mut columns = [Quad::splat(0.0); 4];
                for (column, lanes) in columns.iter_mut().zip(axes) {
                    *column = Quad::new(lanes.as_chunks().0[half]);
                }
                for (row, corner) in rows.iter_mut().zip(Quad::transpose(columns)) {
                    row[vertex] = corner.to_array();
                }
            }
        }
    }
}

/// Rays prepared for the watertight test, one in each lane, for the first stage only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WatertightVector<R> {
    origin: [R; 3],
    shear: [R; 2],
    /// The axes of the scene that x, y and z are, as integers in the lowest two bits.
    axes: [R; 3],
}

impl<R: Real<Scalar = f32>> WatertightVector<R> {
    /// Gathers the rays in `numbers`, one per lane.
    #[inline(always)]
    pub(super) fn take<V: Rearrange<Real = R>>(lanes: V, rays: &[WatertightRay], numbers: &[u32]) -> Self {
        let rays: &[[[f32; 4]; 2]] = bytemuck::cast_slice(rays);
        let [x, y, z, shear_x] = lanes.gather_transposed(rays, 0, numbers);
        let [shear_y, _, axes, _] = lanes.gather_transposed(rays, 1, numbers);
        Self { origin: [x, y, z], shear: [shear_x, shear_y], axes: lanes.bytes(axes) }
    }

    /// The rays that may meet the triangle in a lane, as bits, each as by
    /// [`undecided`](crate::leaf::block::RayBlock::undecided).
    #[inline(always)]
    pub(super) fn undecided<V: Rearrange<Real = R>>(
        &self,
        lanes: V,
        corners: &CornerRows,
        lane: usize,
    ) -> u32 {
        let mut vertices = [self.origin; 3];
        for (moved, corner) in vertices.iter_mut().zip(&corners.0[lane % LANES]) {
            let [x, y, z] = self.axes;
            let vertex = [lanes.pick(corner, x), lanes.pick(corner, y), lanes.pick(corner, z)];
            *moved = sheared(vertex, self.origin, self.shear);
        }
        watertight::undecided(&vertices).bits()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/by_rays.rs"]
mod tests;
