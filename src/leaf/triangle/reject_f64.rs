//! Rejects lines in `f32` that miss triangles of `f64`, in a local frame amid the triangles.
//!
//! # Why no line is rejected that meets a triangle
//!
//! Coordinates are relative to the middle m of the block, scaled by a power of two such that none exceeds 1: v = (x − m)·s. A
//! line with shears a and b, |a|, |b| ≤ 1, is given by the point at which it passes the plane z = 0 there: p = (o_x − m_x) −
//! a(o_z − m_z) along x, alike along y, computed in `f64` and scaled. The sheared vertex is then v_x − p − a·v_z.
//!
//! With ε = 2⁻²⁴, the distance from the sheared vertex of the [decision](crate::kernel::watertight) is bounded as follows. As
//! long as the origin is, scaled, no farther than 2²⁵ from the middle along any axis, the differences, products and the
//! difference that make p are off by no more than 5·2⁻⁵³·2²⁵ < ε/3, and the roundings of the decision are as small. Rounding
//! to `f32` adds ε for v_x, ε for v_z, ε for a, and 2.5ε for p, where |p| ≤ 2.5. The difference v_x − p is at most 3.5 and off
//! by 3.5ε more, the product by ε, the last difference, at most 4.5, by 4.5ε: 16ε in total. A line with |p| above 2.5 passes
//! beside all triangles: sheared vertices are at most 2 away from where p would be 0.
//!
//! The distance of the origin is tested along z only, where it may be 2²⁴. A line with an origin farther than 2²⁵
//! along another axis then has a |p| of 2²⁴ and more there, and is rejected rightly: the decision has sheared
//! vertices that all lie on the same side of it, as their rounding errors are a tiny part of that.
//!
//! An edge function is the difference of two products of such numbers. Errors of 16ε change it by no more than
//! 16ε·(4·4.5) + 2·(16ε)² < 289ε, and rounding the products and their difference by (2 + 2)·4.5²ε = 81ε. So an edge
//! function beyond 384ε has the sign that it has in the decision; and if two such signs differ the triangle is not met.

use std::array::from_fn;

use crate::math::{power_of_two, sub};
use crate::simd::{LANES, Lanes, Mask, Real, Vectors, Widening};
use crate::value::Aabb;

/// 384ε, beyond which the sign of an edge function is sure.
const SURE: f32 = 384.0 / (1 << 24) as f32;

/// The greatest distance from the middle at which a line can meet a triangle; see above.
const BESIDE: f32 = 2.5;

/// The greatest distance of an origin from the middle, along the longest axis.
const MAX_ORIGIN_DISTANCE: f64 = (1_u32 << 24) as f64;

/// The middle of a block, and the scale of coordinates relative to it.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct LocalFrame {
    point: [f64; 3],
    scale: f64,
}

impl LocalFrame {
    pub(super) fn of(triangles: &[[[f64; 3]; 3]; LANES]) -> Self {
        let Aabb { min, max } = Aabb::of_points(triangles.as_flattened().iter().copied());
        let point = [0, 1, 2].map(|axis| 0.5 * min[axis] + 0.5 * max[axis]);
        let reach = sub(max, point).into_iter().chain(sub(point, min)).fold(0.0, f64::max);
        // For triangles that are nearly a point any scale will do.
        Self { point, scale: 0.5 / power_of_two(reach.max(f64::MIN_POSITIVE.sqrt())) }
    }

    /// Lines with the same axes, by their origins and shears; passes are NaN where the origin is too far away.
    #[inline(always)]
    pub(super) fn lines<R: Widening>(
        &self,
        [x, y, z]: [usize; 3],
        origin: [R::Wide; 3],
        shear: [R::Wide; 2],
    ) -> LocalLine<R> {
        let scale = shear[0].splat(self.scale);
        let mut from = origin;
        for (from, axis) in from.iter_mut().zip([x, y, z]) {
            *from = (*from - scale.splat(self.point[axis])) * scale;
        }
        let is_near = from[2].abs().le(scale.splat(MAX_ORIGIN_DISTANCE));
        let unknown = scale.splat(f64::NAN);
        let at_x = (from[0] - shear[0] * from[2]).select(is_near, unknown);
        let at_y = (from[1] - shear[1] * from[2]).select(is_near, unknown);
        LocalLine {
            passes: [R::narrow(at_x), R::narrow(at_y)],
            shear: [R::narrow(shear[0]), R::narrow(shear[1])],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(super) struct RejectBlock {
    /// By vertex, then axis, then lane.
    vertices: [[[f32; LANES]; 3]; 3],
    /// Fills up the last cache line.
    unused: [f32; LANES],
}

/// Lines in the local frame: the points at which they pass the plane through the middle, and their shears.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalLine<R> {
    pub(super) passes: [R; 2],
    pub(super) shear: [R; 2],
}

impl RejectBlock {
    pub(super) fn of(triangles: &[[[f64; 3]; 3]; LANES], frame: &LocalFrame) -> Self {
        let seen = |vertex: usize, axis: usize| {
            triangles.map(|corners| ((corners[vertex][axis] - frame.point[axis]) * frame.scale) as f32)
        };
        Self { vertices: from_fn(|vertex| from_fn(|axis| seen(vertex, axis))), unused: [0.0; LANES] }
    }

    /// The lanes whose triangle the line may meet, as bits.
    #[inline(always)]
    pub(super) fn undecided<L: Lanes>(&self, lanes: L, [x, y, z]: [usize; 3], line: LocalLine<f32>) -> u8 {
        let [at_x, at_y] = line.passes;
        if at_x.abs() > BESIDE || at_y.abs() > BESIDE {
            return 0;
        }
        let line = LocalLine {
            passes: [lanes.splat(at_x), lanes.splat(at_y)],
            shear: [lanes.splat(line.shear[0]), lanes.splat(line.shear[1])],
        };
        let mut vertices = [line.passes; 3];
        for (moved, vertex) in vertices.iter_mut().zip(&self.vertices) {
            let vertex = [lanes.load(&vertex[x % 3]), lanes.load(&vertex[y % 3]), lanes.load(&vertex[z % 3])];
            *moved = line.sheared(vertex);
        }
        may_meet(&vertices).bits() as u8
    }

    /// The lines of a vector, with the same axes, that may meet the triangle in a lane.
    #[inline(always)]
    pub(super) fn undecided_lines<V: Vectors<f32>>(
        &self,
        lanes: V,
        [x, y, z]: [usize; 3],
        lane: usize,
        lines: &LocalLine<V::Real>,
    ) -> u32 {
        let mut vertices = [lines.passes; 3];
        for (moved, vertex) in vertices.iter_mut().zip(&self.vertices) {
            let vertex = [
                lanes.splat(vertex[x % 3][lane % LANES]),
                lanes.splat(vertex[y % 3][lane % LANES]),
                lanes.splat(vertex[z % 3][lane % LANES]),
            ];
            *moved = lines.sheared(vertex);
        }
        may_meet(&vertices).bits()
    }
}

impl<R: Real<Scalar = f32>> LocalLine<R> {
    /// A vertex projected along the lines, relative to the points at which they pass.
    #[inline(always)]
    fn sheared(&self, [x, y, z]: [R; 3]) -> [R; 2] {
        [(x - self.passes[0]) - self.shear[0] * z, (y - self.passes[1]) - self.shear[1] * z]
    }

    /// The lines that pass too far from the middle to meet a triangle.
    #[inline(always)]
    pub(super) fn beside(&self) -> R::Mask {
        let beside = self.passes[0].splat(BESIDE);
        beside.lt(self.passes[0].abs()) | beside.lt(self.passes[1].abs())
    }
}

/// Whether no two edge functions surely differ in sign; also true for NaN.
#[inline(always)]
fn may_meet<R: Real<Scalar = f32>>(&[[ax, ay], [bx, by], [cx, cy]]: &[[R; 2]; 3]) -> R::Mask {
    let [u, v, w] = [cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax];
    let (below, above) = (u.splat(-SURE), u.splat(SURE));
    !(u.min(v).min(w).lt(below) & above.lt(u.max(v).max(w)))
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/reject_f64.rs"]
mod tests;
