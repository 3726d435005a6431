//! The rays of a stream: many against a triangle, and open pairs of a triangle and a ray, decided
//! together.

use super::block::{TriangleBlock, WatertightRay};
use super::sheared::{PairVertices, sheared_vertices};
use crate::answers::INVALID_ID;
use crate::kernel::far::{Given, Unsheared, Wider};
use crate::kernel::{Met, RoundedInterval, watertight};
use crate::leaf::block::{Decided, PairBlock};
use crate::simd::{
    LANES, Lanes, Mask, Quad, Real, Rearrange, Vectors, Widening, number_of, set_bits,
};
use crate::value::{GROUP, GroupColumn, Rules};

/// Pairs of a ray and a triangle.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct WatertightPairs {
    vertices: PairVertices<f32>,
    /// Rows; they are transposed a vector at a time.
    rays: [WatertightRay; GROUP],
}

/// The triangles of a block by lane, then vertex: x, y, z and nothing.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct CornerRows([[[f32; 4]; 3]; LANES]);

/// A vector of pairs.
struct GivenPairs<'a, V: Vectors<f32>> {
    lanes: V,
    vertices: &'a PairVertices<f32>,
    vector: usize,
    lines: ([V::Real; 3], [V::Real; 2]),
}

impl<V: Vectors<f32, Real: Widening>> Given<Wider<V::Real>> for GivenPairs<'_, V> {
    #[inline(always)]
    fn unsheared(&self) -> Unsheared<V::Real> {
        let (origin, shear) = self.lines;
        Unsheared { corners: self.vertices.given(self.lanes, self.vector), origin, shear }
    }
}

impl PairBlock for TriangleBlock {
    type Pairs = WatertightPairs;
    type LaidOut = CornerRows;

    const CAN_LAY_OUT: bool = true;

    #[inline(always)]
    fn filled<L: Lanes>(&self, lanes: L) -> u8 {
        const { assert!(f32::from_bits(INVALID_ID).is_nan(), "no number") };
        // Numbers of a scene are below the bits of a NaN, so only empty lanes differ from
        // themselves. Counting them took 8 shifts of a mask.
        let numbers = lanes.load(bytemuck::cast_ref(&self.numbers));
        numbers.le(numbers).bits() as u8
    }

    #[inline(always)]
    fn put_pair(&self, lane: usize, ray: &WatertightRay, into: &mut WatertightPairs, place: usize) {
        const VERTEX: usize = 3 * LANES;
        let coordinates: &[f32; 3 * VERTEX] = bytemuck::cast_ref(&self.vertices);
        let [a, b, c] = &mut into.vertices.0;
        for (new_axis, &axis) in ray.axes[..3].iter().enumerate() {
            let first = usize::from(axis) * LANES + lane % LANES;
            // The last comes first: if it is in range, so are the others.
            c[new_axis].set(place, coordinates[first + 2 * VERTEX]);
            b[new_axis].set(place, coordinates[first + VERTEX]);
            a[new_axis].set(place, coordinates[first]);
        }
        into.rays[place % GROUP] = *ray;
    }

    #[inline(always)]
    fn decide_pairs<L: Lanes>(
        lanes: L,
        pairs: &WatertightPairs,
        count: usize,
        rules: Rules,
        any: bool,
        [t_min, limit]: &[GroupColumn; 2],
        into: &mut Decided<f32>,
    ) -> [u64; 2] {
        let rays: &[[[f32; 4]; 2]] = bytemuck::cast_slice(&pairs.rays);
        let (lanes, lane_count) = (lanes.widest(), const { <L::Widest as Vectors<f32>>::COUNT });
        // The places behind the last pair hold old content.
        let there = u64::MAX >> (GROUP - count);
        let (mut certain, mut all_met) = (0, 0);
        (into.front, into.doubtful, into.is_far) = (0, 0, 0);
        for vector in 0..count.div_ceil(lane_count) {
            let rays = &rays[vector * lane_count..];
            let [x, y, z, shear_x] = lanes.gather_transposed(|lane| &rays[lane], 0);
            let [shear_y, direction_z, _, t_max] = lanes.gather_transposed(|lane| &rays[lane], 1);
            let lines = ([x, y, z], [shear_x, shear_y]);
            let vertices = pairs.vertices.sheared(lanes, vector, lines);
            let given = GivenPairs { lanes, vertices: &pairs.vertices, vector, lines };
            let interval = [t_min.load(lanes, vector), t_max];
            let mut open = (there >> (vector * lane_count)) as u32;
            if any {
                let open_lanes = watertight::undecided(&vertices);
                let interval = RoundedInterval::new(direction_z, interval);
                let [hit, unknown] = interval.classify(&vertices, rules.culling, open_lanes);
                certain |= u64::from(hit.bits()) << (vector * lane_count);
                open &= unknown.bits();
                if open == 0 {
                    continue;
                }
            }
            let passage = watertight::decide(&vertices, &given, direction_z, rules, interval);
            let Some(passage) = passage else { continue };
            let met = passage.met & (passage.doubtful | passage.t.le(limit.load(lanes, vector)));
            let [u, v] = passage.weights();
            into.t.store(lanes, passage.t, vector);
            into.u.store(lanes, u, vector);
            into.v.store(lanes, v, vector);
            all_met |= u64::from(met.bits() & open) << (vector * lane_count);
            into.front |= u64::from(passage.front.bits()) << (vector * lane_count);
            into.doubtful |= u64::from(passage.doubtful.bits()) << (vector * lane_count);
            into.is_far |= u64::from(passage.is_far.bits()) << (vector * lane_count);
        }
        [certain & there, all_met]
    }

    #[inline(always)]
    fn lay_out(&self, into: &mut CornerRows) {
        for (vertex, axes) in self.vertices.iter().enumerate() {
            for (half, rows) in into.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
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

    #[inline(always)]
    fn undecided_laid_out<V: Rearrange>(
        lanes: V,
        block: &CornerRows,
        filled: u8,
        (rays, entries): (&[WatertightRay], &[u32]),
        mut each: impl FnMut(usize, u32),
    ) {
        let rays: &[[[f32; 4]; 2]] = bytemuck::cast_slice(rays);
        let ray = |lane: usize| &rays[usize::from(number_of(entries[lane]))];
        let [x, y, z, shear_x] = lanes.gather_transposed(ray, 0);
        let [shear_y, _, axes, _] = lanes.gather_transposed(ray, 1);
        let (lines, axes) = (([x, y, z], [shear_x, shear_y]), lanes.bytes(axes));
        for lane in set_bits(filled) {
            let corners = &block.0[lane % LANES];
            let vertices =
                sheared_vertices(axes, lines, |vertex, axis| lanes.pick(&corners[vertex], axis));
            each(lane, watertight::undecided(&vertices).bits());
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/pairs.rs"]
mod tests;
