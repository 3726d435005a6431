//! Trees over boxes.

use super::slab::SlabAxes;
use crate::math::UNIT_ROUNDOFF;
use crate::simd::{LANES, Lanes, MapEach, Mask, Real};
use crate::threads::Spread;
use crate::tree::{ANCHOR, AabbBlock, BoxFrame, BuildQuality, Bvh, HasBoxFrame, Leaf};
use crate::value::{Aabb, Ray};

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
    /// The line of a ray without defect, as a tree sees it.
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Self {
        let direction @ [x, y, z] = ray.direction.map_each(f64::from);
        // Squares of `f32` neither overflow nor vanish in `f64`.
        let per_length = 1.0 / (x * x + y * y + z * z).sqrt();
        let unit = direction.map_each(|component| (component * per_length) as f32);
        let [ox, oy, oz] = ray.origin;
        Self { origin: ray.origin, distance: ox.abs() + oy.abs() + oz.abs(), unit }
    }
}

impl BoxBlock {
    /// A block of at most eight boxes, none of which is put around a ball, each with its number.
    pub(crate) fn of(content: &[(Aabb, u32)], anchor: [f32; 3]) -> Self {
        let (mut inside, mut numbers) = ([Aabb::EMPTY; LANES], [0; LANES]);
        for (lane, &one) in content.iter().enumerate() {
            (inside[lane], numbers[lane]) = one;
        }
        let (boxes, count) = (AabbBlock::anchored(&inside, anchor), content.len() as u32);
        Self { boxes, numbers, count, balls: 0, unused: [0; 6] }
    }

    /// The lanes without a ball and those whose ball the line may meet, as bits. A line through a
    /// box misses the ball in it nearly every other time.
    ///
    /// # Why no line is rejected that meets a ball
    ///
    /// Write ε for 2⁻²⁴, c and r for center and radius of a ball, m for the computed middle of its
    /// box, X for the distance of m from the origin o of the line, and D and D' for the distances
    /// of c and m from the line. The test of the ball, in `f64`, reports a hit only if D ≤ r +
    /// 2⁻⁴⁸(r + X).
    ///
    /// - The box was widened by as much at both sides. Each side took four roundings, at most 6.1ε
    ///   of its magnitude, so m is off by 4.1ε of the greater one along each axis. These magnitudes
    ///   are at most |m| plus half the extent, so D' ≤ D + 4.1ε(X₁ + H₁ + O₁), where X₁, H₁ and O₁
    ///   are the sums along the axes of |m − o|, of half the extents, and of |o|. X ≤ X₁.
    /// - Half the extents are at least r less ε of it, and so is h, the least.
    /// - The differences m − o are off by ε of themselves, the unit vector u by 1.01ε. So the foot
    ///   (m − o) · u is off by 5.1εX, 3ε for its own operations. The vector p from there to m is
    ///   off by 9.2εX: besides, ε for m − o, 1.01ε for u, and ε for each of the product and the
    ///   difference. With 1.6ε for the sum of its squares, the root of that is at most D' + 10.9εX.
    /// - h and the margin, their sum, its square and the least normal number that is added lose
    ///   3.2ε of r, which is 1.1εH₁.
    ///
    /// - A ray of `f64` was rounded on its way here: its origin by ε along each axis, its direction
    ///   by 1.01ε, which moves the foot of the line by as much of X. Its balls were rounded with
    ///   their boxes, by 1.5ε more of their planes. That is 1.1εX₁ + 1.6ε(X₁ + H₁ + O₁).
    ///
    /// All of this is at most 17.8εX₁ + 7ε(H₁ + O₁), and the margin is 20ε and 8ε of them, where
    /// its own roundings do not matter. The least normal number is more than what squares lose that
    /// are subnormal. Squares that overflow are above all finite ones, as they should be; neither ∞
    /// < ∞ nor a comparison with NaN rejects.
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
            (off[axis], unit[axis]) =
                (middle - lanes.splat(line.origin[axis]), lanes.splat(line.unit[axis]));
            least = extent.min(least);
            extents = extents + extent;
            distances = distances + off[axis].abs();
        }
        let [[x, y, z], [ux, uy, uz]] = [off, unit];
        let margin = distances * lanes.splat(20.0 * UNIT_ROUNDOFF)
            + extents * lanes.splat(8.0 * UNIT_ROUNDOFF);
        let foot = x * ux + y * uy + z * uz;
        let (x, y, z) = (x - foot * ux, y - foot * uy, z - foot * uz);
        let reach = least + margin;
        let missed = (reach * reach + lanes.splat(f32::MIN_POSITIVE)).lt(x * x + y * y + z * z);
        !(missed.bits() & self.balls) as u8
    }
}

impl Leaf for BoxBlock {
    fn number(&self, lane: usize) -> u32 {
        self.numbers[lane % LANES]
    }

    fn count(&self) -> usize {
        // A damaged file may hold any number.
        (self.count as usize).min(LANES)
    }
}

/// A tree over boxes of `T`.
#[derive(Debug, Clone)]
pub(crate) struct BoxTree<T: HasBoxFrame> {
    pub(crate) bvh: Bvh<BoxBlock>,
    /// The slack of planes for the origin of a ray, relative to that for triangles.
    pub(crate) stretch: f32,
    pub(crate) viewpoint: T::Viewpoint,
    pub(crate) bounds: Aabb<T>,
}

/// Boxes that are looked at between two questions whether to stop.
const PIECE: usize = 1 << 14;

/// How many times as long as it takes to see the boxes as the tree does the whole takes.
const SEEN: usize = 6;

/// A ray as a tree of boxes sees it: prepared, with its interval; and the same as a line.
pub(crate) type BoxRay = (SlabAxes, [f32; 2], BallLine);

impl<T: HasBoxFrame> BoxTree<T> {
    /// A tree over boxes, each with a number, widened for `anchor`, or for a point amid most of
    /// them. The ray that meets the content of a box may differ from the ray of a query: see
    /// [`SlabAxes::if_sound_and_in_range`] for `stretch`; the part that does not depend on the
    /// origin is in the boxes. Empty boxes are never met. There are at most 2³⁰. `None` if it is to
    /// stop. Reports all boxes.
    pub(crate) fn new(
        boxes: &[(Aabb<T>, u32)],
        anchor: Option<[f64; 3]>,
        stretch: f32,
        spread: Spread<'_>,
    ) -> Option<Self> {
        let (mut bounds, mut filled) = (Aabb::EMPTY, Vec::with_capacity(boxes.len()));
        let of_tree = boxes.len() - boxes.len() / SEEN;
        let (viewpoint, anchor, seen) =
            spread.step(boxes.len() / SEEN, 2 * boxes.len(), |spread| {
                for piece in boxes.chunks(PIECE) {
                    for (aabb, number) in piece.iter().filter(|(aabb, _)| !aabb.is_empty()) {
                        bounds = bounds.merged(aabb);
                        filled.push((*aabb, *number));
                    }
                    if spread.advance(piece.len()) {
                        return None;
                    }
                }
                let (viewpoint, anchor) = T::Viewpoint::around(anchor, &filled);
                let mut seen: Vec<(Aabb, u32)> = Vec::with_capacity(filled.len());
                for piece in filled.chunks(PIECE) {
                    let boxes = piece.iter();
                    seen.extend(boxes.map(|(aabb, number)| (viewpoint.box_of(aabb), *number)));
                    if spread.advance(piece.len()) {
                        return None;
                    }
                }
                Some((viewpoint, anchor, seen))
            })?;
        let mut bvh = spread.step(of_tree, seen.len(), |spread| tree_of(&seen, anchor, spread))?;
        bvh.range = bvh.range.stretched(stretch);
        Some(Self { bvh, stretch, viewpoint, bounds })
    }

    /// Moves boxes, given with their numbers, with the anchor that the tree has; empty ones were so
    /// before. `seen` are all boxes by their numbers, as the tree sees them. Says no if they have
    /// spread too far for it, which is then of no use.
    pub(crate) fn refit(
        &mut self,
        seen: &mut [Aabb],
        moved: impl IntoIterator<Item = (usize, Aabb<T>)>,
        stretch: f32,
    ) -> bool {
        let (viewpoint, mut has_moved) = (self.viewpoint, vec![false; seen.len()]);
        for (number, aabb) in moved {
            let (needed, _) = T::Viewpoint::around(Some(viewpoint.place(ANCHOR)), &[(aabb, 0)]);
            if needed.scale() < viewpoint.scale() {
                return false;
            }
            seen[number] = viewpoint.box_of(&aabb);
            has_moved[number] = true;
            self.bounds = self.bounds.merged(&aabb);
        }
        refit(&mut self.bvh, seen, &has_moved);
        self.bvh.range = self.bvh.range.stretched(stretch);
        self.stretch = stretch;
        true
    }

    /// How boxes see a ray without defect, and the factor of its `t` there.
    pub(crate) fn seen(&self, ray: &Ray<T>) -> (BoxRay, f64) {
        let (bvh, (seen, scale)) = (&self.bvh, self.viewpoint.ray(ray));
        let axes =
            SlabAxes::if_sound_and_in_range(&seen, bvh.arena.anchor, bvh.range, self.stretch);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(&seen));
        ((axes, [seen.t_min, seen.t_max], BallLine::new(&seen)), scale)
    }

    /// A limit of the `t` of a ray without defect as boxes see it.
    #[inline(always)]
    pub(crate) fn limit(&self, ray: impl FnOnce() -> Ray<T>, t: T) -> f32 {
        T::Viewpoint::limit(
            t,
            if T::Viewpoint::AS_GIVEN { 1.0 } else { self.viewpoint.ray(&ray()).1 },
        )
    }
}

impl BoxBlock {
    /// Sets its boxes.
    fn fill(&mut self, boxes: impl Iterator<Item = Aabb>, anchor: [f32; 3]) {
        let mut inside = [Aabb::EMPTY; LANES];
        inside.iter_mut().zip(boxes).for_each(|(lane, aabb)| *lane = aabb);
        self.boxes = AabbBlock::anchored(&inside, anchor);
    }
}

/// Not compiled for each precision.
fn refit(bvh: &mut Bvh<BoxBlock>, boxes: &[Aabb], has_moved: &[bool]) {
    let anchor = bvh.arena.anchor;
    let numbers = |block: &BoxBlock| {
        let (numbers, count) = (block.numbers, block.count());
        (0..count).map(move |lane| numbers[lane] as usize)
    };
    let rewrite = |block: &mut BoxBlock| {
        if numbers(block).any(|number| has_moved[number]) {
            block.fill(numbers(block).map(|number| boxes[number]), anchor);
        }
    };
    let bounds = |block: &BoxBlock| {
        numbers(block).fold(Aabb::EMPTY, |all, number| all.merged(&boxes[number]))
    };
    bvh.refit(Some(anchor), rewrite, bounds, Spread::ALONE);
}

/// Not compiled for each precision. `None` if it is to stop.
fn tree_of(
    boxes: &[(Aabb, u32)],
    anchor: Option<[f32; 3]>,
    spread: Spread<'_>,
) -> Option<Bvh<BoxBlock>> {
    let content = |index: u32| boxes[index as usize];
    let fill = |block: &mut BoxBlock, content: &[_], anchor| *block = BoxBlock::of(content, anchor);
    // 2³⁰ boxes fill less than 64 GiB.
    Bvh::build(
        anchor,
        boxes.len(),
        &content,
        |&(aabb, _)| aabb,
        fill,
        BuildQuality::Balanced,
        spread,
    )
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/box_tree.rs"]
mod tests;
