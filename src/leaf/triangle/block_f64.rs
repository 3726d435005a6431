//! Eight triangles of `f64` in a leaf, with the watertight test against one ray or a vector of the
//! rays of a group.

use super::cells::cell_numbers;
use super::reject_f64::{LocalFrame, LocalInterval, LocalLine, RejectBlock, may_meet};
use super::sheared::{
    ShearedRays, axes_as_numbers, fill_lanes, given_corners, sheared_line, sheared_vertices,
};
use crate::kernel::far::{self, Given, Twice, Unsheared};
use crate::kernel::{Doubt, Met, Test, Watertight, ends, resolve, watertight};
use crate::leaf::block::{Found, PreparedRay, RayBlock, TriangleLeaf, cell_halves};
use crate::math::{Double, sub};
use crate::simd::{BothPrecisions, LANES, LINE, Lanes, Mask, Real, Scalar, Vectors, prefetch};
use crate::tree::Leaf;
use crate::tree::viewpoint::not_below;
use crate::value::{Aabb, Culling, GROUP, GroupColumn, Ray, RayGroup, Rules};

/// Eight triangles of `f64`, with a [`RejectBlock`] in columns of `f32` that rejects most rays.
///
/// The triangles of `f64` are rows: the few that are decided lie in two cache lines each; in
/// columns every coordinate would be in a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlockF64 {
    frame: LocalFrame,
    reject: RejectBlock,
    /// The triangles by lane.
    rows: [TriangleRow; LANES],
}

/// A triangle of `f64`.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct TriangleRow {
    /// Coordinates by vertex, then axis.
    corners: [[f64; 3]; 3],
    /// The number in the scene; [`INVALID_ID`](crate::answers::INVALID_ID) in an empty lane.
    number: u32,
    unused: u32,
}

/// A ray prepared for the watertight test, as those of `f32` are.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct WatertightRayF64 {
    /// x, y and z in the names of the sheared space.
    pub(super) origin: [f64; 3],
    /// The shift of x and y per unit of z.
    pub(super) shear: [f64; 2],
    pub(super) direction_z: f64,
    /// The axes of the scene that x, y and z are; the other bytes are none.
    pub(super) axes: [u8; 8],
    pub(super) scale: f64,
    /// Its interval; that of boxes is rounded outwards.
    pub(super) interval: [f64; 2],
}

/// A ray as a row of numbers.
pub(super) type RowF64 = [f64; size_of::<WatertightRayF64>() / size_of::<f64>()];

/// The last bytes make them a normal number, as those of `f32` do.
fn axis_bytes([x, y, z]: [usize; 3]) -> [u8; 8] {
    [x as u8, y as u8, z as u8, 0, 0, 0, 0xf0, 0x3f]
}

impl WatertightRayF64 {
    #[inline(always)]
    pub(super) fn axes(&self) -> [usize; 3] {
        let [x, y, z, ..] = self.axes;
        [usize::from(x), usize::from(y), usize::from(z)]
    }
}

impl PreparedRay<f64> for WatertightRayF64 {
    #[inline(always)]
    fn given_interval(&self, _: [f32; 2]) -> [f64; 2] {
        self.interval
    }

    /// The given interval; none for a settled ray, whose limit is NaN.
    #[inline(always)]
    fn interval(&self, [_, seen]: [f32; 2]) -> [f64; 2] {
        let [t_min, t_max] = self.interval;
        [t_min, if seen.is_nan() { f64::NAN } else { t_max }]
    }

    #[inline(always)]
    fn limit(&self, t_max: f64) -> f32 {
        not_below(t_max * self.scale)
    }
}

impl TriangleBlockF64 {
    #[inline(always)]
    pub(super) const fn corners(&self, lane: usize) -> &[[f64; 3]; 3] {
        &self.rows[lane % LANES].corners
    }

    /// Prepares each ray of a group as by [`prepare`](RayBlock::prepare); unspecified for one with
    /// a defect.
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
            let axes =
                axes_as_numbers(longest, direction_z, |axes| f64::from_ne_bytes(axis_bytes(axes)));
            lanes.store_transposed_wide([x, y, z, shear_x], 0, rows);
            lanes.store_transposed_wide(
                [shear_y, direction_z, axes, scale.load(lanes, vector)],
                4,
                rows,
            );
            // Ten numbers, four at a time.
            lanes.store_transposed_wide([axes, scale.load(lanes, vector), t_min, t_max], 6, rows);
        }
    }

    /// The ray in a lane, as by [`prepare`](RayBlock::prepare), without scale and interval.
    #[inline(always)]
    pub(crate) fn prepared_ray(rays: &ShearedRays<f64>, lane: usize) -> WatertightRayF64 {
        let (origin, shear) = rays.lines(|column| column.get(lane));
        let (direction_z, axes) = (rays.direction_z.get(lane), axis_bytes(rays.axes));
        let interval = [f64::NEG_INFINITY, f64::INFINITY];
        WatertightRayF64 { origin, shear, direction_z, axes, scale: 1.0, interval }
    }

    /// The rays of a vector that may meet each triangle, each as by
    /// [`undecided`](RayBlock::undecided), as bits; by [`any_hit`](RayBlock::any_hit) if their
    /// intervals are given. Returns the rays that certainly hit, among them maybe lanes without a
    /// ray.
    #[inline(always)]
    pub(crate) fn undecided_rays<V: BothPrecisions>(
        &self,
        lanes: V,
        rays: &ShearedRays<f64>,
        vector: usize,
        any_hit: Option<([&GroupColumn<f64>; 2], Culling)>,
        into: &mut [u32; LANES],
    ) -> u32 {
        let axes = rays.axes;
        let (origin, shear) = rays.lines(|column| column.load_wide(lanes, vector));
        let lines: LocalLine<<V as Vectors<f32>>::Real> = self.frame.lines(axes, origin, shear);
        let (near, mut certain) = (!lines.beside(), 0);
        for (lane, into) in into.iter_mut().enumerate().take(self.count()) {
            let of_lane = |column: &[f32; LANES]| lanes.splat(column[lane % LANES]);
            let vertices = self.reject.sheared(axes, &lines, of_lane);
            let mut open = near & may_meet(&vertices);
            if let Some(([t_min, t_max], culling)) = any_hit
                && open.bits() != 0
            {
                let along_z = [origin[2], rays.direction_z.load_wide(lanes, vector)];
                let interval = [t_min.load_wide(lanes, vector), t_max.load_wide(lanes, vector)];
                let intervals: LocalInterval<<V as Vectors<f32>>::Real> =
                    self.frame.intervals(axes[2], along_z, interval);
                let depths = self.reject.depths(axes[2], of_lane);
                let [hit, unknown] = intervals.classify(&vertices, depths, culling, open);
                certain |= hit.bits();
                open = unknown;
            }
            *into = open.bits();
        }
        certain
    }

    /// The hits of a vector of rays of `f64`, given with their intervals, with the triangle in a
    /// lane, each as by [`decide`](RayBlock::decide), where plain `f64` decides.
    #[inline(always)]
    pub(crate) fn decide_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &ShearedRays<f64>,
        (vector, interval): (usize, [V::Real; 2]),
        culling: Culling,
    ) -> PlainMet<V::Real> {
        let corners = self.corners(lane);
        let of = |vertex: usize, axis: usize| lanes.splat(corners[vertex][axis % 3]);
        let lines = rays.lines(|column| column.load(lanes, vector));
        let vertices = sheared_vertices(rays.axes, lines, of);
        let (origin, shear) = lines;
        let given = Unsheared { corners: given_corners(rays.axes, of), origin, shear };
        PlainMet::new(&vertices, &given, rays.direction_z.load(lanes, vector), culling, interval)
    }
}

impl Leaf for TriangleBlockF64 {
    const PREFETCH_BYTES: usize = std::mem::offset_of!(Self, rows);

    #[inline(always)]
    fn number(&self, lane: usize) -> u32 {
        self.rows[lane % LANES].number
    }

    #[inline(always)]
    fn count(&self) -> usize {
        LANES.min(self.frame.count as usize)
    }
}

impl TriangleLeaf<f64> for TriangleBlockF64 {
    fn fill(&mut self, triangles: &[([[f64; 3]; 3], u32)]) {
        let mut corners = [[[0.0; 3]; 3]; LANES];
        let numbers = fill_lanes(triangles, |lane, of_lane| corners[lane] = *of_lane);
        for (row, (&corners, number)) in self.rows.iter_mut().zip(corners.iter().zip(numbers)) {
            *row = TriangleRow { corners, number, unused: 0 };
        }
        self.frame = LocalFrame::of(&corners, triangles.len());
        self.reject = RejectBlock::of(&corners, &self.frame);
    }

    fn fill_cells(&mut self, [x, y]: [[f64; 3]; 2], z: &[[f64; 3]; 3], first: [u32; 2]) {
        let (mut low, mut high) = (z[0][0], z[0][0]);
        for &z in z.as_flattened() {
            (low, high) = (z.min(low), z.max(high));
        }
        let around = Aabb { min: [x[0], y[0], low], max: [x[2], y[2], high] };
        self.frame = LocalFrame::around(&around, LANES);
        self.reject = RejectBlock::of_cells([x, y], z, &self.frame);
        let at = |row: usize, column: usize| [x[column], y[row], z[row][column]];
        let numbers = cell_numbers(first);
        let (of_first, of_second) = self.rows.split_at_mut(LANES / 2);
        for (cell, (a, b)) in of_first.iter_mut().zip(of_second).enumerate() {
            let (row, column) = (cell / 2, cell % 2);
            [a.corners, b.corners] = cell_halves(|up, right| at(row + up, column + right));
            (a.number, b.number) = (numbers[cell], numbers[cell + LANES / 2]);
        }
    }

    fn triangle(&self, lane: usize) -> [[f64; 3]; 3] {
        *self.corners(lane)
    }

    #[inline(always)]
    fn write_coordinates(&self, corner: usize, axis: usize, first: usize, into: &mut [f64]) {
        for (into, row) in into.iter_mut().zip(&self.rows[first % LANES..]) {
            *into = row.corners[corner][axis];
        }
    }
}

/// The watertight test in two stages: lanes of `f32` reject, and `f64` decides the rest.
impl RayBlock<f64> for TriangleBlockF64 {
    type PreparedRay = WatertightRayF64;

    #[inline(always)]
    fn prepare(ray: &Ray<f64>, scale: f64) -> WatertightRayF64 {
        let (axes, origin, shear, direction_z) = sheared_line(ray);
        let (axes, interval) = (axis_bytes(axes), [ray.t_min, ray.t_max]);
        WatertightRayF64 { origin, shear, direction_z, axes, scale, interval }
    }

    #[inline(always)]
    fn undecided<L: Lanes>(&self, lanes: L, ray: &WatertightRayF64) -> u8 {
        let line: LocalLine<f32> = self.frame.lines(ray.axes(), ray.origin, ray.shear);
        if line.beside() {
            return 0;
        }
        let all = |column: &[f32; LANES]| lanes.load(column);
        may_meet(&self.reject.sheared(ray.axes(), &line.splat(lanes), all)).bits() as u8
    }

    #[inline(always)]
    fn any_hit<L: Lanes>(
        &self,
        lanes: L,
        ray: &WatertightRayF64,
        culling: Culling,
        interval: [f64; 2],
    ) -> [u8; 2] {
        let (axes, [.., origin_z]) = (ray.axes(), ray.origin);
        let line: LocalLine<f32> = self.frame.lines(axes, ray.origin, ray.shear);
        if line.beside() {
            return [0; 2];
        }
        let all = |column: &[f32; LANES]| lanes.load(column);
        let vertices = self.reject.sheared(axes, &line.splat(lanes), all);
        let open = may_meet(&vertices);
        if open.bits() == 0 {
            return [0; 2];
        }
        let interval = self
            .frame
            .intervals::<f32>(axes[2], [origin_z, ray.direction_z], interval)
            .splat(lanes);
        let [hit, unknown] =
            interval.classify(&vertices, self.reject.depths(axes[2], all), culling, open);
        [hit.bits() as u8, unknown.bits() as u8]
    }

    /// The corners of a lane always lie in two lines.
    #[inline(always)]
    fn prefetch_undecided(&self, undecided: u8) {
        let lines: &[[f64; 8]; size_of::<Self>() / LINE] = bytemuck::cast_ref(self);
        const FIRST: usize = std::mem::offset_of!(TriangleBlockF64, rows) / LINE;
        let lane = undecided.trailing_zeros() as usize % LANES;
        // There is no branch, as it is not predictable which rays leave something undecided.
        let first = if undecided == 0 { 0 } else { FIRST + size_of::<TriangleRow>() * lane / LINE };
        prefetch(&lines[first]);
        prefetch(&lines[first + 1]);
    }

    #[inline(always)]
    fn decide(
        &self,
        lane: usize,
        ray: &WatertightRayF64,
        rules: Rules,
        interval: [f64; 2],
    ) -> Option<Found<f64>> {
        let corners = self.corners(lane);
        let of = |vertex: usize, axis: usize| corners[vertex][axis % 3];
        let vertices = sheared_vertices(ray.axes(), (ray.origin, ray.shear), of);
        let corners = given_corners(ray.axes(), of);
        let given = Unsheared { corners, origin: ray.origin, shear: ray.shear };
        let plain = PlainMet::new(&vertices, &given, ray.direction_z, rules.culling, interval);
        if !plain.is_plain {
            return decide_exactly(
                &vertices,
                &given,
                ray.direction_z,
                rules,
                interval,
                self.number(lane),
            );
        }
        Found::of(&plain, Doubt::of(plain.doubtful, plain.is_far), self.number(lane))
    }

    #[cold]
    #[inline(never)]
    fn resolve(&self, lane: usize, ray: &Ray<f64>, found: (Doubt, [f64; 3])) -> Option<[f64; 3]> {
        resolve(self.corners(lane), ray, found)
    }

    /// (v1 − v0) × (v2 − v0), of rounded differences, which are exact between vertices near each
    /// other.
    fn geometric_normal(&self, lane: usize) -> [f64; 3] {
        let &[a, b, c] = self.corners(lane);
        let (e, f) = (sub(b, a), sub(c, a));
        let component =
            |i: usize, j: usize| (Double::product(e[i], f[j]) - Double::product(e[j], f[i])).high;
        [component(1, 2), component(2, 0), component(0, 1)]
    }
}

/// The hits of lines along z with sheared triangles, in plain `f64` at a tenth of the price of
/// [`watertight::decide`].
///
/// The sign of an edge function that is not 0 is right: see
/// [`undecided`](crate::kernel::watertight::undecided). The edge function is off by at most ε(|p| +
/// |q|) and ε of itself, where p and q are its products; all three by 17ε of the area if all
/// products add up to at most 16 times that, as in triangles that are not too thin. A weight is off
/// by as much, by 2ε for the sum that makes the area, and by 2ε for multiplying by the reciprocal,
/// which saves two divisions out of four: less than 2⁻⁴⁸ in all. In thinner triangles the weights
/// might be anything, and `t` such that the ray has left the box of the triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainMet<R: Real> {
    /// The lines that plain `f64` decides; all of them cross the inside of their triangle.
    pub(crate) is_plain: R::Mask,
    pub(super) front: R::Mask,
    /// The plain lines with a hit within the interval, or a doubtful one.
    pub(crate) met: R::Mask,
    /// The hits that [`resolve`](crate::kernel::resolve()) decides, and of these those with
    /// far-reaching triangles.
    pub(crate) doubtful: R::Mask,
    pub(crate) is_far: R::Mask,
    pub(crate) t: R,
    /// Twice the areas of the second and the third vertex, and the reciprocal of that of the
    /// triangle.
    areas: [R; 2],
    per_area: R,
}

impl<R: Real<Scalar = f64>> PlainMet<R> {
    /// Intersects lines along z with sheared triangles, within their intervals.
    #[inline(always)]
    pub(super) fn new(
        vertices: &[[R; 3]; 3],
        given: &impl Given<Twice<R>>,
        direction_z: R,
        culling: Culling,
        interval: [R; 2],
    ) -> Self {
        const THIN: f64 = 1.0 / 16.0;
        // Well above the numbers where products are subnormal.
        const SMALL: f64 = 1e-150;
        let &[[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = vertices;
        let [[up, uq], [vp, vq], [wp, wq]] =
            [[cx * by, cy * bx], [ax * cy, ay * cx], [bx * ay, by * ax]];
        let [u, v, w] = [up - uq, vp - vq, wp - wq];
        let zero = u.splat(0.0);
        let front = zero.lt(u) & zero.lt(v) & zero.lt(w);
        let back = u.lt(zero) & v.lt(zero) & w.lt(zero);
        let area = u + v + w;
        let products = up.abs() + uq.abs() + vp.abs() + vq.abs() + wp.abs() + wq.abs();
        let is_thick = (u.splat(THIN) * products).le(area.abs()) & u.splat(SMALL).le(area.abs());
        let is_plain = (front | back) & is_thick;
        let per_area = u.splat(1.0) / area;
        // `t` is that of the first vertex plus the weighted differences: if all vertices are at one
        // `t`, the result is exactly that, for any weights and any first vertex. Adding 0 maps −0
        // to 0.
        let t = (az + (v * (bz - az) + w * (cz - az)) * per_area) / direction_z + zero;
        let counts = match culling {
            Culling::None => is_plain,
            Culling::Back => is_plain & front,
            Culling::Front => is_plain & !front,
        };
        let met = counts & t.abs().lt(t.splat(f64::INFINITY));
        let [t_min, t_max] = interval;
        let is_within = t_min.le(t) & t.le(t_max);
        let mut near_end = met & !is_within;
        if near_end.bits() != 0 {
            let outside = ends::outside(t, interval);
            near_end = near_end & ends::may_be_near(vertices, outside, direction_z);
            if near_end.bits() != 0 {
                // The error of the weights moves `t` by at most 2 · 2⁻⁴⁸ of the extent of the
                // triangle, and the operations by a few ε of the greatest `t` at a vertex.
                let [height, far, reach, distance] = ends::factors(vertices);
                let of_shearing = height * far * per_area.abs() * t.splat(f64::from(ends::ERROR));
                let of_weights = (reach + distance) * t.splat(80.0);
                let roundoff = t.splat(f64::UNIT_ROUNDOFF);
                let error = (of_shearing * reach + of_weights) * roundoff / direction_z.abs();
                near_end = near_end & ends::may_belong_inside(outside, error, t);
            }
        }
        let met = met & is_within | near_end;
        let far::Hits { t, near_end, is_far } =
            far::Hits::new(given, vertices, direction_z, interval, (met, near_end, t));
        let doubtful = near_end | is_far;
        Self { is_plain, front, met, doubtful, is_far, t, areas: [v, w], per_area }
    }
}

impl<R: Real<Scalar = f64>> Met<R> for PlainMet<R> {
    #[inline(always)]
    fn hits(&self) -> (R::Mask, R::Mask, R) {
        (self.met, self.front, self.t)
    }

    #[inline(always)]
    fn weights(&self) -> [R; 2] {
        [self.areas[0] * self.per_area, self.areas[1] * self.per_area]
    }
}

/// The hit of a line along z with the sheared triangle of this number, by exact products. It is a
/// call: inlined, it was a third of the code of each kernel.
#[cold]
#[inline(never)]
pub(super) fn decide_exactly(
    vertices: &[[f64; 3]; 3],
    given: &Unsheared<f64>,
    direction_z: f64,
    rules: Rules,
    interval: [f64; 2],
    number: u32,
) -> Option<Found<f64>> {
    let passage = watertight::decide(vertices, given, direction_z, rules, interval)?;
    Found::of(&passage, passage.doubt(), number)
}
