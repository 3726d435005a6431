//! Rejects lines in `f32` that miss triangles of `f64`, in a local frame amid the triangles.
//!
//! # Why no line is rejected that meets a triangle
//!
//! Coordinates are relative to the middle m of the block, scaled by a power of two such that none
//! exceeds 1: v = (x − m)·s. A line with shears a and b, |a|, |b| ≤ 1, is given by the point at
//! which it passes the plane z = 0 there: p = (o_x − m_x) − a(o_z − m_z) along x, alike along y,
//! computed in `f64` and scaled. The sheared vertex is then v_x − p − a·v_z.
//!
//! With ε = 2⁻²⁴, the distance from the sheared vertex of the [decision](crate::kernel::watertight)
//! is bounded as follows. As long as the origin is, scaled, no farther than 2²⁵ from the middle
//! along any axis, the differences, products and the difference that make p are off by no more than
//! 5·2⁻⁵³·2²⁵ < ε/3, and the roundings of the decision are as small. Rounding to `f32` adds ε/2 for
//! each of v_x, v_z and a, which are at most 1, and 2ε for p, where |p| ≤ 2.5. The difference v_x −
//! p is at most 3.5 and off by 2ε more, the product by ε/2, the last difference, at most 4.5, by
//! 4ε: less than 11ε in total. A line with |p| above 2.5 passes beside all triangles: sheared
//! vertices are at most 2 away from where p would be 0.
//!
//! The distance of the origin is tested along z only, where it may be 2²⁴. A line with an origin
//! farther than 2²⁵ along another axis then has a |p| of 2²⁴ and more there, and is rejected
//! rightly: the decision has sheared vertices that all lie on the same side of it, as their
//! rounding errors are a tiny part of that.
//!
//! An edge function is the difference of two products of such numbers. Errors of 11ε change it by
//! no more than 11ε·(4·4.5) + 2·(11ε)² < 199ε, and rounding the products, at most 20.25, and their
//! difference by 2·16ε + 32ε. So an edge function beyond 264ε has the sign that it has in the
//! decision; and if two such signs differ the triangle is not met.
//!
//! # Why a hit is certain, or a miss
//!
//! For a line that [passes inside](#why-no-line-is-rejected-that-meets-a-triangle) by all three
//! signs, the ends of its interval are depths along its direction, (±(o_z − m_z) + t·|d_z|)·s, held
//! to [−2, 2] and rounded to `f32`: off by 1.1ε, as o_z is near. Depths of vertices are off by ε/2,
//! and the decision's t by less than ε/2 in such depths: it rounds numbers up to 2²⁴ in `f64`. The
//! exact t, which decides [near an end](crate::kernel::ends), is that of a line within the same
//! 11ε. So a line ends certainly behind a triangle, or begins before it, if the depths of all
//! vertices say so by 5ε: moving an end by that rounds off 2ε.
//!
//! Where they lie on both sides of an end, the sum of their depths from there, weighted with the
//! edge functions, has the sign of the passage's depth from there. With W the greatest magnitude of
//! a sheared x or y, the last rounding of these is εW and the others are less than 7ε. So an edge
//! function is off by (28W + 8W²)ε, and three of these times depths from the end, which are at most
//! 3, by (252W + 72W²)ε. The edge functions have one sign and come to at most 4W², twice the area
//! of a triangle in a square. So depths, off by 3.6ε each, add 14.4W²ε, rounding the products 12W²ε
//! and their sums 24W²ε, and the decision's t 2W²ε: in all less than (252W + 125W²)ε, to which W
//! being off itself adds next to nothing; as W ≤ 4.5 that is less than 816Wε.

use std::array::from_fn;

use super::cells::write_cells;
use crate::math::{power_of_two, sub};
use crate::simd::{LANES, MapEach, Mask, Real, Vectors, Widening};
use crate::value::{Aabb, Culling};

/// 264ε, beyond which the sign of an edge function is sure.
const SURE: f32 = 264.0 * EPSILON;

/// The greatest distance from the middle at which a line can meet a triangle; see above.
const BESIDE: f32 = 2.5;

/// The greatest distance of an origin from the middle, along the longest axis.
const MAX_ORIGIN_DISTANCE: f64 = (1_u32 << 24) as f64;

/// 5ε: vertices that lie this far beyond an end say that the passage does.
const MARGIN: f32 = 5.0 * EPSILON;

/// ε = 2⁻²⁴.
const EPSILON: f32 = 1.0 / (1 << 24) as f32;

/// The middle of a block, and the scale of coordinates relative to it.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct LocalFrame {
    point: [f64; 3],
    /// The upper bits of the scale, a power of two from 2⁻¹⁰²⁴ to 2⁵¹⁰; the others are 0.
    scale: u32,
    /// The number of triangles in the block, here because it is read with them.
    pub(super) count: u32,
}

impl LocalFrame {
    /// The frame of the first `count` triangles; the others repeat corners of these.
    pub(super) fn of(triangles: &[[[f64; 3]; 3]; LANES], count: usize) -> Self {
        Self::around(&Aabb::of_points(triangles.as_flattened().iter().copied()), count)
    }

    /// The frame of `count` triangles in this box.
    #[inline(always)]
    pub(super) fn around(&Aabb { min, max }: &Aabb<f64>, count: usize) -> Self {
        let point = [0, 1, 2].map_each(|axis| 0.5 * min[axis] + 0.5 * max[axis]);
        let reach = sub(max, point).into_iter().chain(sub(point, min)).fold(0.0, f64::max);
        // For triangles that are nearly a point any scale will do.
        let scale = 0.5 / power_of_two(reach.max(f64::MIN_POSITIVE.sqrt()));
        Self { point, scale: (scale.to_bits() >> 32) as u32, count: count as u32 }
    }

    #[inline(always)]
    fn scale(&self) -> f64 {
        f64::from_bits(u64::from(self.scale) << 32)
    }

    /// Lines with the same axes, by their origins and shears; passes are NaN where the origin is
    /// too far away.
    #[inline(always)]
    pub(super) fn lines<R: Widening>(
        &self,
        [x, y, z]: [usize; 3],
        origin: [R::Wide; 3],
        shear: [R::Wide; 2],
    ) -> LocalLine<R> {
        let scale = shear[0].splat(self.scale());
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

    /// The intervals of lines, none of which is NaN, by the axis z, and origins and directions
    /// along it.
    #[inline(always)]
    pub(super) fn intervals<R: Widening>(
        &self,
        z: usize,
        [origin_z, direction_z]: [R::Wide; 2],
        [t_min, t_max]: [R::Wide; 2],
    ) -> LocalInterval<R> {
        let (zero, scale, most) =
            (origin_z.splat(0.0), origin_z.splat(self.scale()), origin_z.splat(2.0));
        let is_backwards = direction_z.lt(zero);
        let from = (origin_z - zero.splat(self.point[z])) * scale;
        let from = (zero - from).select(is_backwards, from);
        let mut ends = [t_min, t_max];
        for end in &mut ends {
            // In this order: the scale may be so small that the direction underflows.
            *end = (from + *end * direction_z.abs() * scale).max(zero - most).min(most);
        }
        let forwards = (zero - zero.splat(1.0)).select(is_backwards, zero.splat(1.0));
        LocalInterval {
            ends: [R::narrow(ends[0]), R::narrow(ends[1])],
            forwards: R::narrow(forwards),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(super) struct RejectBlock {
    /// Coordinates by vertex, then axis, then lane.
    vertices: [[[f32; LANES]; 3]; 3],
}

/// Lines in the local frame: the points at which they pass the plane through the middle, and their
/// shears.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalLine<R> {
    pub(super) passes: [R; 2],
    pub(super) shear: [R; 2],
}

/// The interval of lines in the local frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalInterval<R> {
    /// The depths of its ends along the line.
    ends: [R; 2],
    /// 1 or −1, as the sign of the direction along z.
    forwards: R,
}

impl RejectBlock {
    pub(super) fn of(triangles: &[[[f64; 3]; 3]; LANES], frame: &LocalFrame) -> Self {
        let seen = |vertex: usize, axis: usize| {
            triangles.map_each(|corners| {
                ((corners[vertex][axis] - frame.point[axis]) * frame.scale()) as f32
            })
        };
        Self { vertices: from_fn(|vertex| from_fn(|axis| seen(vertex, axis))) }
    }

    /// The block of the triangles of two by two cells of a grid, by x and y, and z row by row.
    #[inline(always)]
    pub(super) fn of_cells([x, y]: [[f64; 3]; 2], z: &[[f64; 3]; 3], frame: &LocalFrame) -> Self {
        let scale = frame.scale();
        let seen = |along: &[f64; 3], axis: usize| {
            along.map_each(|x| ((x - frame.point[axis]) * scale) as f32)
        };
        let mut block: Self = bytemuck::Zeroable::zeroed();
        let z = z.each_ref().map_each(|row| seen(row, 2));
        write_cells(seen(&x, 0), seen(&y, 1), &z, &mut block.vertices);
        block
    }

    /// The sheared vertices for lines with these axes, each coordinate as `of` takes it from the
    /// lanes.
    #[inline(always)]
    pub(super) fn sheared<R: Real<Scalar = f32>>(
        &self,
        [x, y, z]: [usize; 3],
        lines: &LocalLine<R>,
        of: impl Fn(&[f32; LANES]) -> R,
    ) -> [[R; 2]; 3] {
        let mut vertices = [lines.passes; 3];
        for (moved, vertex) in vertices.iter_mut().zip(&self.vertices) {
            *moved = lines.sheared([of(&vertex[x % 3]), of(&vertex[y % 3]), of(&vertex[z % 3])]);
        }
        vertices
    }

    /// The depths of the vertices, taken alike.
    #[inline(always)]
    pub(super) fn depths<R: Copy>(&self, z: usize, of: impl Fn(&[f32; LANES]) -> R) -> [R; 3] {
        self.vertices.each_ref().map_each(|vertex| of(&vertex[z % 3]))
    }
}

impl LocalLine<f32> {
    /// The same in every lane.
    #[inline(always)]
    pub(super) fn splat<V: Vectors<f32>>(self, lanes: V) -> LocalLine<V::Real> {
        let ([x, y], [a, b]) = (self.passes, self.shear);
        LocalLine {
            passes: [lanes.splat(x), lanes.splat(y)],
            shear: [lanes.splat(a), lanes.splat(b)],
        }
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

impl LocalInterval<f32> {
    /// The same in every lane.
    #[inline(always)]
    pub(super) fn splat<V: Vectors<f32>>(self, lanes: V) -> LocalInterval<V::Real> {
        let [first, last] = self.ends;
        LocalInterval {
            ends: [lanes.splat(first), lanes.splat(last)],
            forwards: lanes.splat(self.forwards),
        }
    }
}

impl<R: Real<Scalar = f32>> LocalInterval<R> {
    /// The `undecided` lines that certainly hit their triangles within the interval, and those that
    /// may; the others certainly do not. The rule is that of
    /// [`RoundedInterval`](crate::kernel::RoundedInterval) for `f32`, but with signs that are not
    /// exact and depths that are rounded.
    #[inline(always)]
    pub(super) fn classify(
        &self,
        vertices: &[[R; 2]; 3],
        depths: [R; 3],
        culling: Culling,
        undecided: R::Mask,
    ) -> [R::Mask; 2] {
        let [u, v, w] = edge_functions(vertices);
        let zero = u.splat(0.0);
        let front = u.splat(SURE).lt(u.min(v).min(w));
        let passes = undecided & (front | u.max(v).max(w).lt(u.splat(-SURE)));
        if passes.bits() == 0 {
            return [passes, undecided];
        }
        let counts = match culling {
            Culling::None => passes,
            Culling::Back => passes & front,
            Culling::Front => passes & !front,
        };
        let depths = depths.map_each(|depth| depth * self.forwards);
        let nearest = depths[0].min(depths[1]).min(depths[2]);
        let farthest = depths[0].max(depths[1]).max(depths[2]);
        let ([first, last], margin) = (self.ends, zero.splat(MARGIN));
        let (is_ahead, is_before_end) = ((first + margin).lt(nearest), farthest.lt(last - margin));
        let beyond = weighted([u, v, w], depths, last.select(is_ahead, first));
        let (inside, error) =
            ((zero - beyond).select(is_ahead, beyond), error_of_weighted(vertices));
        let hit =
            counts & (is_ahead & is_before_end | (is_ahead | is_before_end) & error.lt(inside));
        let misses = passes & (error.lt(zero - inside) | !counts);
        [hit, undecided & !hit & !misses]
    }
}

#[inline(always)]
fn edge_functions<R: Real>(&[[ax, ay], [bx, by], [cx, cy]]: &[[R; 2]; 3]) -> [R; 3] {
    [cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax]
}

/// The sum of the depths from an end, weighted with the edge functions.
#[inline(always)]
fn weighted<R: Real>([u, v, w]: [R; 3], depths: [R; 3], end: R) -> R {
    let [a, b, c] = depths.map_each(|depth| depth - end);
    u.abs() * a + v.abs() * b + w.abs() * c
}

/// By how much that sum may be off.
#[inline(always)]
fn error_of_weighted<R: Real<Scalar = f32>>(vertices: &[[R; 2]; 3]) -> R {
    let mut width = vertices[0][0].abs();
    for [x, y] in vertices {
        width = width.max(x.abs()).max(y.abs());
    }
    width * width.splat(816.0 * EPSILON)
}

/// Whether no two edge functions surely differ in sign; also true for NaN.
#[inline(always)]
pub(super) fn may_meet<R: Real<Scalar = f32>>(vertices: &[[R; 2]; 3]) -> R::Mask {
    let [u, v, w] = edge_functions(vertices);
    let (below, above) = (u.splat(-SURE), u.splat(SURE));
    !(u.min(v).min(w).lt(below) & above.lt(u.max(v).max(w)))
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/reject_f64.rs"]
mod tests;
