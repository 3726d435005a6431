//! Triangles of `f64` as a leaf of the tree holds them: eight at a time, tested watertight.

use super::likeness::{Likeness, Middle};
use super::tree::{axes, axis_bytes};
use super::watertight::{self, sheared};
use super::{Rules, Side};
use crate::hit::{Candidate, INVALID_ID};
use crate::math::Double;
use crate::primitive::{Leaf, RayBlock};
use crate::ray::Ray;
use crate::simd::{LANES, Lanes};

/// Eight triangles in columns, of `f64`, with a likeness of them in `f32` that tells most rays from them.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlockF64 {
    /// Each triangle's number within the scene; [`INVALID_ID`] in an empty lane.
    numbers: [u32; LANES],
    /// What the likeness is seen from.
    middle: Middle,
    likeness: Likeness,
    /// By vertex, then axis, then lane.
    vertices: [[[f64; LANES]; 3]; 3],
}

/// A ray made ready for the watertight test, as those of `f32` are.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct WatertightRayF64 {
    /// x, y and z in the names of the sheared space.
    origin: [f64; 3],
    /// How far x and y are moved per unit of z.
    shear: [f64; 2],
    /// The direction's component along z.
    direction_z: f64,
    /// Its interval.
    interval: [f64; 2],
    /// What its `t` are multiplied with where boxes are tested.
    scale: f64,
    /// Which axes of the scene are x, y and z; the fourth is none.
    axes: [u8; 4],
    unused: u32,
}

impl WatertightRayF64 {
    /// Stands where there is no ray.
    const NONE: Self = Self::new([0.0; 3], [0.0; 2], 0.0, [0; 4]);

    /// A ray for which boxes are not tested.
    #[inline(always)]
    pub(super) const fn new(origin: [f64; 3], shear: [f64; 2], direction_z: f64, axes: [u8; 4]) -> Self {
        let interval = [f64::NEG_INFINITY, f64::INFINITY];
        Self { origin, shear, direction_z, interval, scale: 1.0, axes, unused: 0 }
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
        let [x, y, z, _] = self.axes;
        [usize::from(x), usize::from(y), usize::from(z)]
    }
}

impl TriangleBlockF64 {
    /// A block of the given triangles, each with the number under which hits report it. Lanes left over repeat an edge
    /// of the last triangle, as those of a [`TriangleBlock`](super::TriangleBlock) do.
    ///
    /// # Panics
    /// If there are none or more than eight.
    pub(crate) fn new(triangles: &[([[f64; 3]; 3], u32)]) -> Self {
        let (&[first, second, _], _) =
            triangles.last().map(|(corners, number)| (corners, number)).expect("a block holds a triangle");
        assert!(triangles.len() <= LANES, "{} triangles for a block of {LANES}", triangles.len());
        let (vertices, numbers) = ([[[0.0; LANES]; 3]; 3], [INVALID_ID; LANES]);
        let middle = Middle::of(triangles.iter().map(|(corners, _)| corners));
        let mut block = Self { numbers, middle, likeness: bytemuck::Zeroable::zeroed(), vertices };
        for lane in 0..LANES {
            let empty = ([first, first, second], INVALID_ID);
            let (corners, number) = triangles.get(lane).copied().unwrap_or(empty);
            for (column, corner) in block.vertices.iter_mut().zip(corners) {
                for (column, coordinate) in column.iter_mut().zip(corner) {
                    column[lane] = coordinate;
                }
            }
            block.numbers[lane] = number;
        }
        block.likeness = Likeness::of(&block.vertices, &middle);
        block
    }

    /// The triangles of the block with their numbers.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = ([[f64; 3]; 3], u32)> {
        (0..self.count()).map(|lane| (self.corners(lane), self.numbers[lane]))
    }

    /// By vertex, then axis, then lane.
    #[inline(always)]
    pub(super) const fn vertices(&self) -> &[[[f64; LANES]; 3]; 3] {
        &self.vertices
    }

    fn corners(&self, lane: usize) -> [[f64; 3]; 3] {
        self.vertices.map(|axes| axes.map(|lanes| lanes[lane]))
    }

    /// The likeness, and what it is seen from.
    #[inline(always)]
    pub(super) const fn likeness(&self) -> (&Likeness, &Middle) {
        (&self.likeness, &self.middle)
    }
}

impl Leaf for TriangleBlockF64 {
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

/// The [watertight](super::Watertight) test in two stages: lanes of `f32` reject, and what is left is decided in `f64`.
impl RayBlock<f64> for TriangleBlockF64 {
    type PreparedRay = WatertightRayF64;

    const NO_RAY: WatertightRayF64 = WatertightRayF64::NONE;

    #[inline(always)]
    fn prepare(ray: &Ray<f64>) -> WatertightRayF64 {
        let [x, y, z] = ray.direction.map(f64::abs);
        // The first of equals, as everywhere.
        let longest = if x >= y && x >= z { 0 } else { 2 - usize::from(y >= z) };
        let direction_z = ray.direction[longest];
        let [x, y, z] = axes(longest, direction_z < 0.0);
        let origin = [ray.origin[x], ray.origin[y], ray.origin[z]];
        let shear = [ray.direction[x] / direction_z, ray.direction[y] / direction_z];
        WatertightRayF64::new(origin, shear, direction_z, axis_bytes([x, y, z]))
            .with_interval([ray.t_min, ray.t_max])
    }

    #[inline(always)]
    fn undecided<L: Lanes>(&self, lanes: L, ray: &WatertightRayF64) -> u8 {
        let seen = self.middle.seen(ray.axes(), ray.origin, ray.shear);
        self.likeness.undecided(lanes, ray.axes(), seen)
    }

    #[inline(always)]
    fn decide(&self, lane: usize, ray: &WatertightRayF64, rules: Rules) -> Option<(Candidate<f64>, Side)> {
        let mut vertices = [[0.0; 3]; 3];
        for (moved, columns) in vertices.iter_mut().zip(&self.vertices) {
            let [x, y, z] = ray.axes();
            *moved = sheared([columns[x][lane], columns[y][lane], columns[z][lane]], ray.origin, ray.shear);
        }
        let ([t, u, v], side) = watertight::decide_f64(&vertices, ray.direction_z, rules)?;
        Some((Candidate { t, u, v, number: self.numbers[lane] }, side))
    }

    #[inline(always)]
    fn number(&self, lane: usize) -> u32 {
        self.numbers[lane % LANES]
    }

    /// (v1 − v0) × (v2 − v0), of differences that are rounded: between vertices far from the origin and near each other
    /// they are exact.
    fn geometric_normal(&self, lane: usize) -> [f64; 3] {
        let [a, b, c] = self.corners(lane);
        let difference = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
        let (e, f) = (difference(b), difference(c));
        let component =
            |i: usize, j: usize| (Double::product(e[i], f[j]) - Double::product(e[j], f[i])).rounded();
        [component(1, 2), component(2, 0), component(0, 1)]
    }
}
