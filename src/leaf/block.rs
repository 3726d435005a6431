//! The traits of leaves: tests of one ray, of pairs, of groups and streams, and of points.

use crate::answers::{Candidate, INVALID_ID};
use crate::kernel::{Doubt, Met};
use crate::simd::{LANES, Lanes, MapEach, Rearrange, Scalar};
use crate::tree::Leaf;
use crate::value::{Culling, GroupColumn, Ray, Rules, Side};

/// A ray of `T` prepared for the blocks of leaves, once.
pub(crate) trait PreparedRay<T>: bytemuck::Pod {
    /// The interval as given; `seen` is the same in the numbers of boxes.
    fn given_interval(&self, seen: [f32; 2]) -> [T; 2];

    /// The interval as narrowed; `seen` is the same in the numbers of boxes.
    fn interval(&self, seen: [f32; 2]) -> [T; 2];

    /// The limit for boxes if the ray ends at `t_max`.
    fn limit(&self, t_max: T) -> f32;
}

/// Eight primitives of one kind in a leaf, tested against rays of `T`.
///
/// The test has two stages, so that a caller runs the first for many rays and then the second for
/// the few that need it, without a branch in between.
pub(crate) trait RayBlock<T: Scalar = f32>: Leaf {
    type PreparedRay: PreparedRay<T>;

    /// Prepares a ray that has no defect, with the factor of its `t` in box tests, which is 1 for
    /// rays of `f32`.
    fn prepare(ray: &Ray<T>, scale: f64) -> Self::PreparedRay;

    /// The lanes whose primitive the ray may meet, as bits; the others are certainly missed, at any
    /// `t`.
    fn undecided<L: Lanes>(&self, lanes: L, ray: &Self::PreparedRay) -> u8;

    /// Prefetches the numbers that decide the first of these undecided lanes, if the first stage
    /// did not read them.
    #[inline(always)]
    fn prefetch_undecided(&self, _undecided: u8) {}

    /// For queries that any hit settles, the lanes in which the ray certainly hits within the
    /// interval, and may hit.
    #[inline(always)]
    fn any_hit<L: Lanes>(
        &self,
        lanes: L,
        ray: &Self::PreparedRay,
        _: Culling,
        _interval: [T; 2],
    ) -> [u8; 2] {
        [0, self.undecided(lanes, ray)]
    }

    /// The hit of the ray's line with the primitive in an undecided lane: within the closed
    /// interval, or doubtful.
    fn decide(
        &self,
        lane: usize,
        ray: &Self::PreparedRay,
        rules: Rules,
        interval: [T; 2],
    ) -> Option<Found<T>>;

    /// t, u and v of a doubtful hit of the ray as given, from those that were found; `None` if it
    /// does not count.
    fn resolve(&self, lane: usize, ray: &Ray<T>, found: (Doubt, [T; 3])) -> Option<[T; 3]>;

    /// The right-handed normal of the primitive in a lane, not normalised.
    fn geometric_normal(&self, lane: usize) -> [T; 3];
}

/// A hit of the line of a ray: within the interval of the ray, or doubtful.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<T = f32> {
    pub(super) candidate: Candidate<T>,
    pub(crate) side: Side,
    pub(super) doubt: Option<Doubt>,
}

impl<T: Scalar> Found<T> {
    /// The hit of a line with the primitive of this number.
    #[inline(always)]
    pub(super) fn of(hits: &impl Met<T>, doubt: Option<Doubt>, number: u32) -> Option<Self> {
        let ((met, front, t), [u, v]) = (hits.hits(), hits.weights());
        let candidate = Candidate { t, u, v, number };
        met.then_some(Self { candidate, side: Side::front_if(front), doubt })
    }

    /// The candidate, if it counts; `resolve` decides that of a doubtful one, and gives t, u and v.
    #[inline(always)]
    pub(crate) fn resolved(
        &self,
        resolve: impl FnOnce((Doubt, [T; 3])) -> Option<[T; 3]>,
    ) -> Option<Candidate<T>> {
        let Some(doubt) = self.doubt else { return Some(self.candidate) };
        let Candidate { t, u, v, .. } = self.candidate;
        let [t, u, v] = resolve((doubt, [t, u, v]))?;
        Some(Candidate { t, u, v, ..self.candidate })
    }
}

/// Blocks that decide many pairs of a ray and a primitive at a time.
pub(crate) trait PairBlock<T: Scalar = f32>: RayBlock<T> {
    /// Pairs of a ray and a primitive, side by side: [`GROUP`] of them.
    type Pairs: bytemuck::Zeroable;

    /// Whether [`any_hit`](RayBlock::any_hit) finds certain hits at the price of
    /// [`undecided`](RayBlock::undecided), before there are pairs.
    const IS_CERTAIN_FIRST: bool = false;

    /// Writes a ray and the primitive in a lane to a place.
    fn put_pair(&self, lane: usize, ray: &Self::PreparedRay, into: &mut Self::Pairs, place: usize);

    /// Decides the first `count` pairs, each as by [`decide`](RayBlock::decide). The first bits
    /// name pairs that certainly hit within the interval, of which all else is unspecified, and
    /// none unless `any` hit settles the rays; the others those with a hit within the interval that
    /// boxes see, or a doubtful one.
    fn decide_pairs<L: Lanes>(
        lanes: L,
        pairs: &Self::Pairs,
        count: usize,
        rules: Rules,
        any: bool,
        intervals: &[GroupColumn; 2],
        into: &mut Decided<T>,
    ) -> [u64; 2];

    /// The lanes that hold a primitive, as bits.
    fn filled<L: Lanes>(&self, lanes: L) -> u8;

    /// The primitives of a block, one after the other, for many rays at a time.
    type LaidOut: bytemuck::Zeroable;

    /// Whether blocks can be laid out. The two methods below are called only if they can.
    const CAN_LAY_OUT: bool = false;

    fn lay_out(&self, _into: &mut Self::LaidOut) {}

    /// Calls `each` with the lanes of `filled`, and the rays of a vector, in their entries, that
    /// may meet the primitive there, as bits: each as by [`undecided`](RayBlock::undecided).
    #[inline(always)]
    fn undecided_laid_out<V: Rearrange>(
        _lanes: V,
        _block: &Self::LaidOut,
        _filled: u8,
        _rays: (&[Self::PreparedRay], &[u32]),
        _each: impl FnMut(usize, u32),
    ) {
    }
}

/// The results of [`GROUP`] pairs.
#[derive(bytemuck::Zeroable)]
pub(crate) struct Decided<T> {
    pub(crate) t: GroupColumn<T>,
    pub(crate) u: GroupColumn<T>,
    pub(crate) v: GroupColumn<T>,
    /// The hits from the front, as bits.
    pub(crate) front: u64,
    /// The doubtful hits, as bits, and of these the [far](Doubt::Far) ones.
    pub(crate) doubtful: u64,
    pub(crate) is_far: u64,
}

impl<T: Scalar> Decided<T> {
    /// The hit at a place, with the number of its primitive.
    #[inline(always)]
    pub(crate) fn found(&self, place: usize, number: u32) -> Found<T> {
        let [t, u, v] = [self.t.get(place), self.u.get(place), self.v.get(place)];
        Found {
            candidate: Candidate { t, u, v, number },
            side: Side::front_if(self.front >> place & 1 == 1),
            doubt: Doubt::of(self.doubtful >> place & 1 == 1, self.is_far >> place & 1 == 1),
        }
    }
}

/// Storage of eight triangles of `T` in a leaf: how they are written, read and changed.
pub(crate) trait TriangleLeaf<T: Scalar>: Leaf {
    /// Makes it the block of these triangles, one to eight, each with the number under which hits
    /// report it. It is filled in place: a copy took a tenth of the time of a build.
    fn fill(&mut self, triangles: &[([[T; 3]; 3], u32)]);

    /// Makes it the block of the eight triangles of two by two cells of a grid, of three rows of
    /// three vertices: by their x and y, and z row by row. `first` is the number of the first
    /// triangle of each row of cells.
    fn fill_cells(&mut self, xy: [[T; 3]; 2], z: &[[T; 3]; 3], first: [u32; 2]);

    fn triangle(&self, lane: usize) -> [[T; 3]; 3];

    /// The lanes whose triangle may have a point within the limit of [`reach`](crate::tree::reach)
    /// around the point, both as the tree sees them, as bits; the others certainly have none.
    #[inline(always)]
    fn near<L: Lanes>(&self, _: L, _point: &[L::F32; 3], _limit: f32) -> u8 {
        u8::MAX
    }

    /// Writes a coordinate of a corner of each triangle, from the lane `first` on.
    fn write_coordinates(&self, corner: usize, axis: usize, first: usize, into: &mut [f64]);

    /// The corners of a triangle, in `f64`.
    #[inline(always)]
    fn corners_f64(&self, lane: usize) -> [[f64; 3]; 3] {
        self.triangle(lane).map_each(|corner| corner.map_each(T::to_f64))
    }

    /// The triangles of the block with their numbers.
    fn triangles(&self) -> impl Iterator<Item = ([[T; 3]; 3], u32)> {
        let filled = (0..LANES).take_while(|&lane| self.number(lane) != INVALID_ID);
        filled.map(|lane| (self.triangle(lane), self.number(lane)))
    }

    /// Whether it holds a triangle, and every bit is as [`fill`](Self::fill) makes it of its
    /// triangles.
    fn is_as_filled(&self) -> bool {
        let triangles: Vec<_> = self.triangles().collect();
        if triangles.is_empty() || triangles.len() != self.count() {
            return false;
        }
        let mut filled = Self::zeroed();
        filled.fill(&triangles);
        bytemuck::bytes_of(&filled) == bytemuck::bytes_of(self)
    }

    /// Replaces the triangles and numbers of all lanes. An empty block, as in a damaged file, stays
    /// as it is.
    fn rewrite(&mut self, new: impl Fn([[T; 3]; 3], u32) -> ([[T; 3]; 3], u32)) {
        let mut triangles = [([[T::ZERO; 3]; 3], 0); LANES];
        let mut count = 0;
        for (into, (corners, number)) in triangles.iter_mut().zip(self.triangles()) {
            *into = new(corners, number);
            count += 1;
        }
        if count > 0 {
            self.fill(&triangles[..count]);
        }
    }
}

/// The two triangles of a cell of a grid, by its vertices.
#[inline(always)]
pub(crate) fn cell_halves<V>(at: impl Fn(usize, usize) -> V) -> [[V; 3]; 2] {
    [[at(0, 0), at(0, 1), at(1, 0)], [at(1, 1), at(1, 0), at(0, 1)]]
}

/// The closest point of a primitive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot<T> {
    pub(crate) squared_distance: f64,
    pub(crate) point: [T; 3],
    pub(crate) u: T,
    pub(crate) v: T,
}
