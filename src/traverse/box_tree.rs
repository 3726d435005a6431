//! Trees over boxes, whose contents are visited with the rays that meet the boxes.

use super::rows::ChunkRows;
use super::single::{RayStack, Visitor};
use super::slab::{SlabAxes, SlabLanes};
use super::streams::BoxContents;
use crate::math::UNIT_ROUNDOFF;
use crate::simd::{Backend, Kernel, LANES, Lanes, Mask, Real, dispatch, set_bits};
use crate::threads::Spread;
use crate::tree::{AabbBlock, BuildQuality, Bvh, Leaf};
use crate::value::{Aabb, Ray, RayGroup};

/// Eight boxes in a leaf, and the numbers of their contents.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct BoxBlock {
    pub(crate) boxes: AabbBlock,
    pub(crate) numbers: [u32; LANES],
    count: u32,
    /// The lanes whose box was put around a ball, as bits; others may hold balls, too.
    pub(crate) balls: u32,
    /// Fills up the last cache line.
    unused: [u32; 6],
}

/// A line prepared for balls in boxes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BallLine {
    origin: [f32; 3],
    /// The sum of the magnitudes of its coordinates.
    distance: f32,
    unit: [f32; 3],
}

impl BallLine {
    /// The line of a ray without defect.
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Self {
        let [x, y, z] =
            [f64::from(ray.direction[0]), f64::from(ray.direction[1]), f64::from(ray.direction[2])];
        // Squares of `f32` neither overflow nor vanish in `f64`.
        let per_length = 1.0 / (x * x + y * y + z * z).sqrt();
        let unit = [(x * per_length) as f32, (y * per_length) as f32, (z * per_length) as f32];
        let [ox, oy, oz] = ray.origin;
        Self { origin: ray.origin, distance: ox.abs() + oy.abs() + oz.abs(), unit }
    }
}

impl BoxBlock {
    /// The lanes without a ball and those whose ball the line may meet, as bits. A line through a box misses the ball
    /// in it nearly every other time.
    ///
    /// # Why no line is rejected that meets a ball
    ///
    /// Write ε for 2⁻²⁴, c and r for center and radius of a ball, m for the computed middle of its box, X for the
    /// distance of m from the origin o of the line, and D and D' for the distances of c and m from the line. The test
    /// of the ball, in `f64`, reports a hit only if D ≤ r + 2⁻⁴⁸(r + X).
    ///
    /// - The box was widened by as much at both sides. Each side took four roundings, at most 6.1ε of its magnitude,
    ///   so m is off by 4.1ε of the greater one along each axis. These magnitudes are at most |m| plus half the
    ///   extent, so D' ≤ D + 4.1ε(X₁ + H₁ + O₁), where X₁, H₁ and O₁ are the sums along the axes of |m − o|, of half
    ///   the extents, and of |o|. X ≤ X₁.
    /// - Half the extents are at least r less ε of it, and so is h, the least.
    /// - The differences m − o are off by ε of themselves, the unit vector u by 1.01ε. So the foot (m − o) · u is off by
    ///   5.1εX, 3ε for its own operations. The vector p from there to m is off by 9.2εX: besides, ε for m − o, 1.01ε
    ///   for u, and ε for each of the product and the difference. With 1.6ε for the sum of its squares, the root of
    ///   that is at most D' + 10.9εX.
    /// - h and the margin, their sum, its square and the least normal number that is added lose 3.2ε of r, which is
    ///   1.1εH₁.
    ///
    /// All of this is at most 15.1εX₁ + 5.3ε(H₁ + O₁), and the margin is 16ε and 6ε of them, where its own roundings
    /// do not matter. The least normal number is more than what squares lose that are subnormal. Squares that overflow
    /// are above all finite ones, as they should be; neither ∞ < ∞ nor a comparison with NaN rejects.
    #[inline(always)]
    pub(crate) fn undecided_balls<L: Lanes>(&self, lanes: L, line: &BallLine) -> u8 {
        let zero = lanes.splat(0.0);
        let half = lanes.splat(0.5);
        let (mut off, mut unit) = ([zero; 3], [zero; 3]);
        let (mut least, mut distances) = (lanes.splat(f32::INFINITY), zero);
        let mut extents = lanes.splat(line.distance);
        for axis in 0..3 {
            let [min, max] = &self.boxes.bounds[axis];
            let (min, max) = (lanes.load(min), lanes.load(max));
            let (middle, extent) = ((min + max) * half, (max - min) * half);
            (off[axis], unit[axis]) = (middle - lanes.splat(line.origin[axis]), lanes.splat(line.unit[axis]));
            least = extent.min(least);
            extents = extents + extent;
            distances = distances + off[axis].abs();
        }
        let [[x, y, z], [ux, uy, uz]] = [off, unit];
        let margin =
            distances * lanes.splat(16.0 * UNIT_ROUNDOFF) + extents * lanes.splat(6.0 * UNIT_ROUNDOFF);
        let foot = x * ux + y * uy + z * uz;
        let (x, y, z) = (x - foot * ux, y - foot * uy, z - foot * uz);
        let reach = least + margin;
        let missed = (reach * reach + lanes.splat(f32::MIN_POSITIVE)).lt(x * x + y * y + z * z);
        !(missed.bits() & self.balls) as u8
    }
}

impl Leaf for BoxBlock {
    fn numbers(&self) -> &[u32; LANES] {
        &self.numbers
    }

    fn count(&self) -> usize {
        // A damaged file may hold any number.
        (self.count as usize).min(LANES)
    }
}

/// A tree over boxes.
#[derive(Debug, Clone)]
pub(crate) struct BoxTree {
    pub(crate) bvh: Bvh<BoxBlock>,
    /// The slack of planes for the origin of a ray, relative to that for triangles.
    pub(crate) stretch: f32,
}

impl BoxTree {
    /// A tree over boxes, each with a number, widened for `anchor`, or for a point amid most of them. The ray
    /// that meets the content of a box may differ from the ray of a query: see
    /// [`SlabAxes::if_sound_and_in_range`] for `stretch`; the part that does not depend on the origin is in
    /// the boxes. Empty boxes are never met. There are at most 2³⁰.
    pub(crate) fn new(boxes: &[(Aabb, u32)], anchor: Option<[f32; 3]>, stretch: f32, spread: Spread) -> Self {
        let filled: Vec<(Aabb, u32)> = boxes.iter().filter(|(aabb, _)| !aabb.is_empty()).copied().collect();
        let box_of = |index: u32| filled[index as usize].0;
        let block = |indices: &[u32], anchor| {
            let mut held =
                BoxBlock { boxes: AabbBlock::EMPTY, numbers: [0; LANES], count: 0, balls: 0, unused: [0; 6] };
            let mut inside = [Aabb::EMPTY; LANES];
            for (lane, &index) in indices.iter().enumerate() {
                (inside[lane], held.numbers[lane]) = filled[index as usize];
            }
            held.boxes = AabbBlock::anchored(&inside, anchor);
            held.count = indices.len() as u32;
            held
        };
        let bvh = Bvh::build(anchor, filled.len(), box_of, block, BuildQuality::Balanced, spread);
        Self { bvh: bvh.expect("2^30 boxes fill less than 64 GiB"), stretch }
    }
}

/// The fewest rays that go in streams.
const FEWEST_TOGETHER: usize = 16;

impl BoxTree {
    /// Hands `contents` the rays that meet each box, of `count` rays; `width` is that of a line if they are a picture. If hits
    /// narrow intervals, each ray comes to near boxes first, and not to boxes beyond its end.
    pub(crate) fn visit_contents(
        &self,
        backend: Backend,
        (count, width): (usize, Option<usize>),
        narrows: bool,
        contents: &mut dyn BoxContents,
    ) {
        if count >= FEWEST_TOGETHER {
            return self.visit_in_streams(backend, ChunkRows::new(count, width), narrows, contents);
        }
        let (mut group, mut overlaps, mut ends) = (RayGroup::EMPTY, Vec::new(), Vec::new());
        let rows: [u32; FEWEST_TOGETHER] = std::array::from_fn(|row| row as u32);
        contents.gather(&rows[..count], &mut group);
        for (lane, row) in rows[..count].chunks(1).enumerate() {
            overlaps.clear();
            dispatch(backend, Collecting { tree: self, ray: &group.ray(lane), overlaps: &mut overlaps });
            overlaps.sort_unstable_by(|a, b| a.t_enter.total_cmp(&b.t_enter));
            for overlap in &overlaps {
                if narrows {
                    contents.ends(row, &mut ends);
                }
                // What lies at the same `t` as a hit may have lower ids.
                if narrows && overlap.t_enter > ends[0] {
                    break;
                }
                contents.visit(overlap.number, row);
            }
        }
    }
}

/// A box that a ray meets, and where the ray enters it.
struct Overlap {
    number: u32,
    /// At most the `t` of any hit in the box.
    t_enter: f32,
}

/// Collects the boxes that a ray meets within its interval, in no order. Their contents are visited afterwards: no kernel lies
/// on the stack below another.
struct Collecting<'a> {
    tree: &'a BoxTree,
    ray: &'a Ray,
    overlaps: &'a mut Vec<Overlap>,
}

impl Kernel for Collecting<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree: &BoxTree { ref bvh, stretch }, ray, overlaps } = self;
        if ray.t_min > ray.t_max {
            return;
        }
        let mut stack = RayStack::new(bvh.stack);
        let axes = SlabAxes::if_sound_and_in_range(ray, bvh.arena.anchor, bvh.range, stretch);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(ray));
        bvh.walk(lanes, &mut stack, axes, [ray.t_min, ray.t_max], &mut Collector(overlaps));
        stack.put_back();
    }
}

struct Collector<'a>(&'a mut Vec<Overlap>);

impl Visitor<BoxBlock> for Collector<'_> {
    const NARROWS: bool = false;

    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &BoxBlock,
        slabs: &SlabLanes<L>,
        t_max: &mut f32,
    ) -> bool {
        let (t_enter, t_exit) = slabs.slabs(lanes, &block.boxes, *t_max);
        let mut t_enters = [0.0; LANES];
        lanes.store(t_enter, &mut t_enters);
        for lane in set_bits(Real::le(t_enter, t_exit).bits() as u8) {
            self.0.push(Overlap { number: block.numbers[lane], t_enter: t_enters[lane] });
        }
        false
    }
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/box_tree.rs"]
mod tests;
