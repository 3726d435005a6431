//! Decides open pairs of a triangle of `f64` and a ray together.

use super::block_f64::{PlainMet, RowF64, TriangleBlockF64, WatertightRayF64, decide_exactly};
use super::sheared::PairVertices;
use crate::answers::{Candidate, INVALID_ID};
use crate::kernel::far::Unsheared;
use crate::kernel::{Doubt, Met};
use crate::leaf::block::{Decided, Found, PairBlock};
use crate::simd::{BothPrecisions, Lanes, Mask, Real, Single, Vectors, Widening, set_bits};
use crate::tree::Leaf;
use crate::value::{GROUP, GroupColumn, Rules, Side};

#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct WatertightPairsF64 {
    vertices: PairVertices<f64>,
    /// Rows; they are transposed a vector at a time.
    rays: [WatertightRayF64; GROUP],
    /// The factors of `t` in box tests.
    scale: GroupColumn<f64>,
}

impl PairBlock<f64> for TriangleBlockF64 {
    type Pairs = WatertightPairsF64;
    type LaidOut = ();

    const IS_CERTAIN_FIRST: bool = true;

    #[inline(always)]
    fn filled<L: Lanes>(&self, _: L) -> u8 {
        ((1_u32 << self.count()) - 1) as u8
    }

    #[inline(always)]
    fn put_pair(
        &self,
        lane: usize,
        ray: &WatertightRayF64,
        into: &mut WatertightPairsF64,
        place: usize,
    ) {
        let axes = ray.axes();
        for (columns, corner) in into.vertices.0.iter_mut().zip(self.corners(lane)) {
            for (column, axis) in columns.iter_mut().zip(axes) {
                column.set(place, corner[axis % 3]);
            }
        }
        into.rays[place % GROUP] = *ray;
        into.scale.set(place, ray.scale);
    }

    #[inline(always)]
    fn decide_pairs<L: Lanes>(
        lanes: L,
        pairs: &WatertightPairsF64,
        count: usize,
        rules: Rules,
        _any: bool,
        [least_seen, most_seen]: &[GroupColumn; 2],
        into: &mut Decided<f64>,
    ) -> [u64; 2] {
        // In lanes of plain `f64`, and one by one for rays too near an edge.
        let lanes = lanes.widest();
        let lane_count = const { <L::Widest as Vectors<f64>>::COUNT };
        // The places behind the last pair hold old content.
        let there = u64::MAX >> (GROUP - count);
        let (mut met, mut plain) = (0, 0);
        (into.front, into.doubtful, into.is_far) = (0, 0, 0);
        for (vector, rays) in
            pairs.rays.chunks_exact(lane_count).enumerate().take(count.div_ceil(lane_count))
        {
            let rays: &[RowF64] = bytemuck::cast_slice(rays);
            let [x, y, z, shear_x] = lanes.load_transposed_wide(rays, 0);
            let [shear_y, direction_z, ..] = lanes.load_transposed_wide(rays, 4);
            let [_, _, t_min, t_max] = lanes.load_transposed_wide(rays, 6);
            let vertices = pairs.vertices.sheared(lanes, vector, ([x, y, z], [shear_x, shear_y]));
            let (origin, shear) = ([x, y, z], [shear_x, shear_y]);
            let given = Unsheared { corners: pairs.vertices.given(lanes, vector), origin, shear };
            let met_here =
                PlainMet::new(&vertices, &given, direction_z, rules.culling, [t_min, t_max]);
            let [u, v] = met_here.weights();
            into.t.store(lanes, met_here.t, vector);
            into.u.store(lanes, u, vector);
            into.v.store(lanes, v, vector);
            let shift = vector * lane_count;
            met |= u64::from(met_here.met.bits()) << shift;
            plain |= u64::from(met_here.is_plain.bits()) << shift;
            into.front |= u64::from(met_here.front.bits()) << shift;
            into.doubtful |= u64::from(met_here.doubtful.bits()) << shift;
            into.is_far |= u64::from(met_here.is_far.bits()) << shift;
        }
        met &= there;
        for place in set_bits(there & !plain) {
            let ray = &pairs.rays[place % GROUP];
            let vertices = pairs.vertices.sheared(Single, place, (ray.origin, ray.shear));
            let corners = pairs.vertices.given(Single, place);
            let given = Unsheared { corners, origin: ray.origin, shear: ray.shear };
            let decided =
                decide_exactly(&vertices, &given, ray.direction_z, rules, ray.interval, INVALID_ID);
            if let Some(Found { candidate: Candidate { t, u, v, .. }, side, doubt }) = decided {
                into.t.set(place, t);
                into.u.set(place, u);
                into.v.set(place, v);
                met |= 1 << place;
                into.front |= u64::from(side == Side::Front) << place;
                into.doubtful |= u64::from(doubt.is_some()) << place;
                into.is_far |= u64::from(doubt == Some(Doubt::Far)) << place;
            }
        }
        // Those within the intervals that boxes see: `t` is multiplied by the factor of its ray and
        // rounded to nearest, where the ends are rounded outwards.
        let lane_count = const { <L::Widest as Vectors<f32>>::COUNT };
        let mut within = 0;
        for vector in GroupColumn::<f32>::vectors::<L::Widest>() {
            if met >> (vector * lane_count) == 0 {
                break;
            }
            let t = into.t.load_wide(lanes, vector) * pairs.scale.load_wide(lanes, vector);
            let seen: <L::Widest as Vectors<f32>>::Real = Widening::narrow(t);
            let here =
                least_seen.load(lanes, vector).le(seen) & seen.le(most_seen.load(lanes, vector));
            within |= u64::from(here.bits()) << (vector * lane_count);
        }
        [0, met & (into.doubtful | within)]
    }
}
