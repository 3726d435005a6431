//! Triangles against groups of rays: bounds of all rays, or vectors of them.

use super::block::TriangleBlock;
use super::sheared::{ShearedRays, given_corners, sheared_vertices};
use crate::kernel::far::{self, Given, Plane, Unsheared, Wider};
use crate::kernel::watertight::sheared_from_origin;
use crate::simd::{LANES, Lanes, MapEach, Mask, Real, Rearrange, Vectors, Widening};
use crate::value::{GroupColumn, Heading, RayGroup};

/// The rays of a group prepared for the watertight test, each as a [`WatertightRay`] is.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct WatertightRays {
    pub(crate) rays: ShearedRays<f32>,
    /// Whether all rays start at the same point, so that
    /// [`reject_from_origin`](TriangleBlock::reject_from_origin) pays; and the origin of the first.
    pub(crate) start_together: bool,
    start: [f32; 3],
    /// The least and the greatest shears; set only for a common origin.
    shear_extent: [[f32; 2]; 2],
}

/// Eight triangles relative to the common origin of a group.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct TrianglesFromOrigin {
    /// Coordinates by vertex, then axis of the sheared space, then lane: the first operations of
    /// each ray, done once for all rays.
    vertices: [[[f32; LANES]; 3]; 3],
}

/// A lane of a block, for a vector of the rays of a group.
pub(crate) struct GivenRays<'a, V> {
    pub(crate) lanes: V,
    pub(crate) block: &'a TriangleBlock,
    pub(crate) lane: usize,
    pub(crate) rays: &'a WatertightRays,
    pub(crate) vector: usize,
}

impl<V: Vectors<f32, Real: Widening>> Given<Wider<V::Real>> for GivenRays<'_, V> {
    #[inline(always)]
    fn unsheared(&self) -> Unsheared<V::Real> {
        let Self { lanes, block, lane, rays: WatertightRays { rays, .. }, vector } = *self;
        let (origin, shear) = rays.lines(|column| column.load(lanes, vector));
        let of =
            |vertex: usize, axis: usize| lanes.splat(block.vertices[vertex][axis][lane % LANES]);
        Unsheared { corners: given_corners(rays.axes, of), origin, shear }
    }

    /// All rays have the same triangle, and maybe the same origin.
    #[inline(always)]
    fn plane(&self) -> Plane<<V::Real as Widening>::Wide> {
        let &WatertightRays { ref rays, start_together, start, .. } = self.rays;
        let of = |vertex: usize, axis: usize| self.block.vertices[vertex][axis][self.lane % LANES];
        let corners = given_corners(rays.axes, of);
        let one_normal = far::normal::<Wider<f32>>(&corners);
        let zero = self.lanes.splat(0.0).widen();
        let normal = one_normal.map_each(|x| zero.splat(x));
        let volume = if start_together {
            zero.splat(far::volume::<Wider<f32>>(one_normal, corners[0], start))
        } else {
            let Unsheared { corners, origin, .. } = self.unsheared();
            far::volume::<Wider<V::Real>>(normal, corners[0], origin)
        };
        Plane { normal, volume }
    }
}

impl WatertightRays {
    /// Prepares rays of one heading that have no defect.
    #[inline(always)]
    pub(crate) fn prepare<V: Rearrange>(&mut self, lanes: V, group: &RayGroup, heading: Heading) {
        self.rays.prepare(lanes, group, heading);
        let zero = lanes.splat(0.0);
        let mut apart = zero.lt(zero);
        for (start, column) in self.start.iter_mut().zip(&self.rays.origin) {
            *start = column.get(group.live.trailing_zeros() as usize);
            let first = lanes.splat(*start);
            for vector in GroupColumn::<f32>::vectors::<V>() {
                let numbers = column.load(lanes, vector);
                let is_another = numbers.lt(first) | first.lt(numbers);
                apart = apart | is_another & group.live(lanes, vector);
            }
        }
        self.start_together = apart.bits() == 0;
        if self.start_together {
            for (extent, column) in self.shear_extent.iter_mut().zip(&self.rays.shear) {
                *extent = column.extent(lanes, group.live);
            }
        }
    }

    /// The sheared vertices of all lanes for one ray.
    #[inline(always)]
    pub(crate) fn sheared_of_one<L: Lanes>(
        &self,
        lanes: L,
        block: &TriangleBlock,
        from_origin: Option<&TrianglesFromOrigin>,
        ray: usize,
    ) -> [[L::F32; 3]; 3] {
        let line = self.rays.lines(|column| lanes.splat(column.get(ray)));
        self.sheared_by((block, from_origin), line, |column| lanes.load(column))
    }

    /// The sheared vertices of one lane, in a vector of rays.
    #[inline(always)]
    pub(crate) fn sheared<V: Vectors<f32>>(
        &self,
        lanes: V,
        block: &TriangleBlock,
        lane: usize,
        from_origin: Option<&TrianglesFromOrigin>,
        vector: usize,
    ) -> [[V::Real; 3]; 3] {
        let lines = self.rays.lines(|column| column.load(lanes, vector));
        self.sheared_by((block, from_origin), lines, |column| lanes.splat(column[lane % LANES]))
    }

    /// The sheared vertices for lines of the group, each coordinate as `of` takes it from the
    /// lanes.
    #[inline(always)]
    fn sheared_by<R: Real>(
        &self,
        (block, from_origin): (&TriangleBlock, Option<&TrianglesFromOrigin>),
        lines: ([R; 3], [R; 2]),
        of: impl Fn(&[f32; LANES]) -> R,
    ) -> [[R; 3]; 3] {
        let Some(from_origin) = from_origin else {
            let of = |vertex: usize, axis: usize| of(&block.vertices[vertex][axis]);
            return sheared_vertices(self.rays.axes, lines, of);
        };
        let (origin, shear) = lines;
        let mut vertices = [origin; 3];
        for (moved, [x, y, z]) in vertices.iter_mut().zip(&from_origin.vertices) {
            *moved = sheared_from_origin([of(x), of(y), of(z)], shear);
        }
        vertices
    }
}

impl TriangleBlock {
    /// Prepares the block for a group with a common origin. Returns the lanes whose triangle some
    /// ray may meet, as bits; all rays certainly miss the others, at any `t`.
    ///
    /// Rejects triangles by bounds of the sheared vertices for all rays: the least and the greatest
    /// shears go through the same rounded operations as those of each ray, which are monotonic in
    /// their operands. If all three vertices lie on the same side of every ray along x or y, no ray
    /// passes through the sheared triangle, and [`decide`](crate::kernel::watertight::decide)
    /// agrees.
    ///
    /// Rays without a common origin are not tried: their bounds reject next to nothing, and trying
    /// cost the city's shadow rays 5%.
    #[inline(always)]
    pub(crate) fn reject_from_origin<L: Lanes>(
        &self,
        lanes: L,
        rays: &WatertightRays,
        into: &mut TrianglesFromOrigin,
    ) -> u8 {
        let zero = lanes.splat(0.0);
        let axes = rays.rays.axes;
        let mut vertices = [[zero; 3]; 3];
        for ((moved, vertex), into) in
            vertices.iter_mut().zip(&self.vertices).zip(&mut into.vertices)
        {
            for axis in 0..3 {
                moved[axis] = lanes.load(&vertex[axes[axis]]) - lanes.splat(rays.start[axis]);
                lanes.store(moved[axis], &mut into[axis]);
            }
        }
        let mut undecided = !zero.lt(zero);
        for axis in 0..2 {
            let [least_shear, greatest_shear] = rays.shear_extent[axis];
            let (least_shear, greatest_shear) =
                (lanes.splat(least_shear), lanes.splat(greatest_shear));
            let (mut least, mut greatest) =
                (lanes.splat(f32::INFINITY), lanes.splat(f32::NEG_INFINITY));
            for vertex in vertices {
                let (a, b) = (vertex[2] * least_shear, vertex[2] * greatest_shear);
                least = (vertex[axis] - a.max(b)).min(least);
                greatest = (vertex[axis] - a.min(b)).max(greatest);
            }
            undecided = undecided & least.le(zero) & zero.le(greatest);
        }
        undecided.bits() as u8
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/group.rs"]
mod tests;
