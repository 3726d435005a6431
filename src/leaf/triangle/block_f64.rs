//! Eight triangles of `f64` in a leaf, with the watertight test.

use super::block::axes;
use super::reject::{LocalFrame, RejectBlock};
use crate::answers::{Candidate, INVALID_ID};
use crate::kernel::ends;
use crate::kernel::watertight::sheared;
use crate::leaf::block::{Found, RayBlock};
use crate::leaf::plain::{Decision, decide_f64};
use crate::math::{Double, sub};
use crate::simd::{LANES, Lanes};
use crate::tree::Leaf;
use crate::value::{Ray, Rules};

/// Eight triangles of `f64`, with a [`RejectBlock`] in columns of `f32` that rejects most rays.
///
/// The triangles of `f64` are rows: the few that are decided lie in two cache lines each; in columns every
/// coordinate would be in a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlockF64 {
    /// The number of each triangle in the scene; [`INVALID_ID`] in an empty lane.
    numbers: [u32; LANES],
    /// The frame of the [`RejectBlock`].
    frame: LocalFrame,
    reject: RejectBlock,
    /// By lane, then vertex, then axis.
    corners: [[[f64; 3]; 3]; LANES],
}

/// A ray prepared for the watertight test, as those of `f32` are.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct WatertightRayF64 {
    /// x, y and z in the names of the sheared space.
    origin: [f64; 3],
    /// The shift of x and y per unit of z.
    shear: [f64; 2],
    /// The direction's component along z.
    direction_z: f64,
    /// The axes of the scene that x, y and z are; the other bytes are none.
    axes: [u8; 8],
    /// The factor of its `t` in box tests.
    scale: f64,
    /// Its interval.
    interval: [f64; 2],
}

/// A ray as a row of numbers.
pub(super) type RowF64 = [f64; size_of::<WatertightRayF64>() / size_of::<f64>()];

/// The last bytes make them a normal number, as those of `f32` do.
const fn axis_bytes([x, y, z]: [usize; 3]) -> [u8; 8] {
    [x as u8, y as u8, z as u8, 0, 0, 0, 0xf0, 0x3f]
}

/// The axes as numbers, by the sign of the direction along the longest axis, then by that axis.
pub(super) const AXES_AS_NUMBERS: [[f64; 3]; 2] = {
    let mut numbers = [[0.0; 3]; 2];
    let mut z = 0;
    while z < 3 {
        numbers[0][z] = f64::from_ne_bytes(axis_bytes(axes(z, false)));
        numbers[1][z] = f64::from_ne_bytes(axis_bytes(axes(z, true)));
        z += 1;
    }
    numbers
};

impl WatertightRayF64 {
    /// The value of an empty place.
    const NONE: Self = Self::new([0.0; 3], [0.0; 2], 0.0, [0; 3]);

    /// A ray without scale and interval.
    #[inline(always)]
    pub(super) const fn new(origin: [f64; 3], shear: [f64; 2], direction_z: f64, axes: [usize; 3]) -> Self {
        let interval = [f64::NEG_INFINITY, f64::INFINITY];
        Self { origin, shear, direction_z, axes: axis_bytes(axes), scale: 1.0, interval }
    }

    #[inline(always)]
    pub(super) const fn with_interval(self, interval: [f64; 2]) -> Self {
        Self { interval, ..self }
    }

    #[inline(always)]
    pub(super) const fn with_scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    #[inline(always)]
    pub(super) const fn interval(&self) -> [f64; 2] {
        self.interval
    }

    #[inline(always)]
    pub(super) const fn scale(&self) -> f64 {
        self.scale
    }

    #[inline(always)]
    pub(super) const fn origin(&self) -> [f64; 3] {
        self.origin
    }

    #[inline(always)]
    pub(super) const fn shear(&self) -> [f64; 2] {
        self.shear
    }

    #[inline(always)]
    pub(super) const fn direction_z(&self) -> f64 {
        self.direction_z
    }

    /// x, y and z as axes of the scene.
    #[inline(always)]
    pub(super) fn axes(&self) -> [usize; 3] {
        let [x, y, z, ..] = self.axes;
        [usize::from(x), usize::from(y), usize::from(z)]
    }
}

impl TriangleBlockF64 {
    /// A block of the given triangles, each with the number under which hits report it. Lanes left over repeat an edge
    /// of the last triangle, as those of a [`TriangleBlock`](super::block::TriangleBlock) do.
    ///
    /// # Panics
    /// If there are none or more than eight.
    pub(crate) fn new(triangles: &[([[f64; 3]; 3], u32)]) -> Self {
        let (&[first, second, _], _) =
            triangles.last().map(|(corners, number)| (corners, number)).expect("a block holds a triangle");
        assert!(triangles.len() <= LANES, "{} triangles for a block of {LANES}", triangles.len());
        let (mut corners, mut numbers) = ([[first, first, second]; LANES], [INVALID_ID; LANES]);
        for (lane, &(of_lane, number)) in triangles.iter().enumerate() {
            (corners[lane], numbers[lane]) = (of_lane, number);
        }
        let frame = LocalFrame::of(triangles.iter().map(|(corners, _)| corners));
        Self { numbers, frame, reject: RejectBlock::of(&corners, &frame), corners }
    }

    /// The triangles of the block with their numbers.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = ([[f64; 3]; 3], u32)> {
        (0..self.count()).map(|lane| (self.corners[lane], self.numbers[lane]))
    }

    /// The vertices of the triangle in a lane.
    #[inline(always)]
    pub(super) const fn corners(&self, lane: usize) -> &[[f64; 3]; 3] {
        &self.corners[lane % LANES]
    }

    /// The block in `f32`, and its frame.
    #[inline(always)]
    pub(super) const fn reject_block(&self) -> (&RejectBlock, &LocalFrame) {
        (&self.reject, &self.frame)
    }
}

impl Leaf for TriangleBlockF64 {
    const PREFETCH_BYTES: usize = std::mem::offset_of!(Self, corners);

    #[inline(always)]
    fn count(&self) -> usize {
        let mut count = 0;
        for number in self.numbers {
            count += usize::from(number != INVALID_ID);
        }
        count
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.numbers.into_iter().take(self.count())
    }
}

/// The [watertight](crate::primitive::Watertight) test in two stages: lanes of `f32` reject, and `f64` decides the
/// rest.
impl RayBlock<f64> for TriangleBlockF64 {
    type PreparedRay = WatertightRayF64;

    const NO_RAY: WatertightRayF64 = WatertightRayF64::NONE;

    #[inline(always)]
    fn prepare(ray: &Ray<f64>) -> WatertightRayF64 {
        let [x, y, z] = ray.direction.map(f64::abs);
        // The first of equals, as in `f32`.
        let longest = if x >= y && x >= z { 0 } else { 2 - usize::from(y >= z) };
        let direction_z = ray.direction[longest];
        let [x, y, z] = axes(longest, direction_z < 0.0);
        let origin = [ray.origin[x], ray.origin[y], ray.origin[z]];
        let shear = [ray.direction[x] / direction_z, ray.direction[y] / direction_z];
        WatertightRayF64::new(origin, shear, direction_z, [x, y, z]).with_interval([ray.t_min, ray.t_max])
    }

    #[inline(always)]
    fn undecided<L: Lanes>(&self, lanes: L, ray: &WatertightRayF64) -> u8 {
        let seen = self.frame.line(ray.axes(), ray.origin, ray.shear);
        self.reject.undecided(lanes, ray.axes(), seen)
    }

    #[inline(always)]
    fn decide(
        &self,
        lane: usize,
        ray: &WatertightRayF64,
        rules: Rules,
        interval: [f64; 2],
    ) -> Option<Found<f64>> {
        let mut vertices = [[0.0; 3]; 3];
        for (moved, corner) in vertices.iter_mut().zip(self.corners(lane)) {
            let [x, y, z] = ray.axes();
            *moved = sheared([corner[x % 3], corner[y % 3], corner[z % 3]], ray.origin, ray.shear);
        }
        let Decision { values: [t, u, v], side, near_end } =
            decide_f64(&vertices, ray.direction_z, rules, interval)?;
        Some(Found::new(Candidate { t, u, v, number: self.numbers[lane] }, side, near_end))
    }

    #[cold]
    #[inline(never)]
    fn settle(&self, lane: usize, ray: &Ray<f64>) -> Option<[f64; 3]> {
        ends::settle(self.corners(lane), ray)
    }

    #[inline(always)]
    fn number(&self, lane: usize) -> u32 {
        self.numbers[lane % LANES]
    }

    /// (v1 − v0) × (v2 − v0), of rounded differences: between vertices far from the origin and near each other they
    /// are exact.
    fn geometric_normal(&self, lane: usize) -> [f64; 3] {
        let &[a, b, c] = self.corners(lane);
        let (e, f) = (sub(b, a), sub(c, a));
        let component =
            |i: usize, j: usize| (Double::product(e[i], f[j]) - Double::product(e[j], f[i])).rounded();
        [component(1, 2), component(2, 0), component(0, 1)]
    }
}
