//! Triangles of `f64` and rays in pairs, side by side: what the first stage of the test left open, decided together.

use super::Rules;
use super::tree_f64::{TriangleBlockF64, WatertightRayF64};
use super::watertight::{self, Met, PlainMet, sheared};
use crate::primitive::{Decided, PairBlock, Side, set_bits};
use crate::ray::{GROUP, GroupColumn};
use crate::simd::{LANES, Lanes, Mask, Single, Vectors};

/// Pairs of a ray and a triangle.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct WatertightPairsF64 {
    /// By vertex, then axis in the names of the ray's sheared space.
    vertices: [[GroupColumn<f64>; 3]; 3],
    /// In these names too.
    origin: [GroupColumn<f64>; 3],
    shear: [GroupColumn<f64>; 2],
    direction_z: GroupColumn<f64>,
}

impl PairBlock<f64> for TriangleBlockF64 {
    type Pairs = WatertightPairsF64;

    #[inline(always)]
    fn put_pair(&self, lane: usize, ray: &WatertightRayF64, into: &mut WatertightPairsF64, place: usize) {
        let axes = ray.axes();
        for (columns, vertex) in into.vertices.iter_mut().zip(self.vertices()) {
            for (column, axis) in columns.iter_mut().zip(axes) {
                column.set(place, vertex[axis % 3][lane % LANES]);
            }
        }
        for (column, number) in into.origin.iter_mut().zip(ray.origin()) {
            column.set(place, number);
        }
        for (column, number) in into.shear.iter_mut().zip(ray.shear()) {
            column.set(place, number);
        }
        into.direction_z.set(place, ray.direction_z());
    }

    #[inline(always)]
    fn decide_pairs<L: Lanes>(
        lanes: L,
        pairs: &WatertightPairsF64,
        count: usize,
        rules: Rules,
        into: &mut Decided<f64>,
    ) -> u64 {
        pairs.decide(lanes.widest(), count, rules, into)
    }
}

impl WatertightPairsF64 {
    /// See [`decide_pairs`](PairBlock::decide_pairs): in lanes where it is plain, and one by one where a ray passes too
    /// near an edge.
    #[inline(always)]
    fn decide<V: Vectors<f64>>(&self, lanes: V, count: usize, rules: Rules, into: &mut Decided<f64>) -> u64 {
        // What stands behind the last pair is left over from others.
        let there = u64::MAX >> (GROUP - count);
        let (mut met, mut plain) = (0, 0);
        into.front = 0;
        for vector in 0..count.div_ceil(V::COUNT) {
            let vertices = self.sheared(lanes, vector);
            let met_here = PlainMet::new(&vertices, self.direction_z.load(lanes, vector), rules.culling);
            let [u, v] = met_here.weights();
            into.t.store(lanes, met_here.t, vector);
            into.u.store(lanes, u, vector);
            into.v.store(lanes, v, vector);
            let shift = vector * V::COUNT;
            met |= u64::from(met_here.met.bits()) << shift;
            plain |= u64::from(met_here.is_plain().bits()) << shift;
            into.front |= u64::from(met_here.front().bits()) << shift;
        }
        met &= there;
        for place in set_bits(there & !plain) {
            let decided =
                watertight::decide_f64(&self.sheared(Single, place), self.direction_z.get(place), rules);
            if let Some(([t, u, v], side)) = decided {
                into.t.set(place, t);
                into.u.set(place, u);
                into.v.set(place, v);
                met |= 1 << place;
                into.front |= u64::from(side == Side::Front) << place;
            }
        }
        met
    }

    /// The sheared vertices of a vector of pairs.
    #[inline(always)]
    fn sheared<V: Vectors<f64>>(&self, lanes: V, vector: usize) -> [[V::Real; 3]; 3] {
        let [x, y, z] = &self.origin;
        let origin = [x.load(lanes, vector), y.load(lanes, vector), z.load(lanes, vector)];
        let shear = [self.shear[0].load(lanes, vector), self.shear[1].load(lanes, vector)];
        let mut vertices = [origin; 3];
        for (moved, [x, y, z]) in vertices.iter_mut().zip(&self.vertices) {
            let vertex = [x.load(lanes, vector), y.load(lanes, vector), z.load(lanes, vector)];
            *moved = sheared(vertex, origin, shear);
        }
        vertices
    }
}
