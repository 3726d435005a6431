//! Splits a range: boxes in bins along all three axes, and the plane of least cost between two
//! bins.

use std::hint::select_unpredictable;

use super::{Bounds, Item, PIECE};
use crate::simd::{MapEach, Quad, of_three};
use crate::threads::Spread;
use crate::tree::map_spread;

const MOST_BINS: usize = 16;

#[derive(Debug, Clone, Copy)]
struct Binning {
    min: Quad,
    scale: Quad,
    bins: usize,
}

impl Binning {
    fn new(centers: &Bounds, count: usize) -> Self {
        // Half of all ranges hold eight items or fewer, and evaluating the bins costs more there
        // than filling them.
        let bins = (4 + count / 8).min(MOST_BINS);
        let [x, y, z, _] = centers.extent().to_array();
        let scale = [x, y, z].map_each(|extent| {
            // Zero where all centres agree: everything falls into the first bin.
            if extent > 0.0 { (bins as f32 / extent).min(f32::MAX) } else { 0.0 }
        });
        Self { min: centers.min(), scale: of_three(scale), bins }
    }

    #[inline(always)]
    fn bins(&self, item: &Item) -> [usize; 3] {
        let place = (item.center() - self.min) * self.scale;
        let [x, y, z, _] =
            place.fast_min(Quad::splat((self.bins - 1) as f32)).fast_trunc_int().to_array();
        // No centre lies below the least; the remainder only saves a bounds check.
        [x, y, z].map_each(|bin| bin as usize % MOST_BINS)
    }
}

/// Items in bins below a certain one go left.
#[derive(Debug, Clone, Copy)]
struct Split {
    axis: usize,
    /// The first bin that goes right.
    bin: usize,
    min: f32,
    scale: f32,
}

impl Split {
    /// The arithmetic is that of the bins.
    #[inline(always)]
    fn is_left(&self, item: &Item) -> bool {
        (item.center_along(self.axis) - self.min) * self.scale < self.bin as f32
    }
}

/// The content of each bin of each axis.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    boxes: [[Bounds; MOST_BINS]; 3],
    counts: [[u32; MOST_BINS]; 3],
}

impl Bins {
    pub(super) fn new() -> Self {
        Self { boxes: [[Bounds::empty(); MOST_BINS]; 3], counts: [[0; MOST_BINS]; 3] }
    }

    /// Fills the bins with these items alone.
    #[inline(always)]
    fn fill(&mut self, binning: &Binning, items: &[Item]) {
        for axis in 0..3 {
            self.boxes[axis][..binning.bins].fill(Bounds::empty());
            self.counts[axis][..binning.bins].fill(0);
        }
        for item in items {
            for (axis, bin) in binning.bins(item).into_iter().enumerate() {
                let boxes = &mut self.boxes[axis][bin];
                *boxes = boxes.union(*item);
                self.counts[axis][bin] += 1;
            }
        }
    }

    fn add(&mut self, other: &Self, binning: &Binning) {
        for axis in 0..3 {
            for bin in 0..binning.bins {
                self.boxes[axis][bin] = self.boxes[axis][bin].union(other.boxes[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
    }

    #[inline(always)]
    fn sides(&self, binning: &Binning, split: &Split) -> Halves {
        let boxes = &self.boxes[split.axis][..binning.bins];
        let around =
            |boxes: &[Bounds]| boxes.iter().fold(Bounds::empty(), |all, &one| all.union(one));
        let (left, right) = boxes.split_at(split.bin);
        (self.left_count(split), around(left), around(right))
    }

    fn left_count(&self, split: &Split) -> usize {
        self.counts[split.axis][..split.bin].iter().sum::<u32>() as usize
    }

    /// The split of least cost, or none where every split leaves one side empty. The lanes are the
    /// axes.
    #[inline(always)]
    fn best_split(&self, binning: &Binning, around: &Bounds) -> Option<Split> {
        // Boxes are scaled to lengths of at most one, so that areas neither overflow nor, where
        // they matter, underflow.
        let [x, y, z, _] = around.extent().to_array();
        let scale = Quad::splat((1.0 / x.max(y).max(z)).min(f32::MAX));
        let mut right_costs = [Quad::splat(0.0); MOST_BINS];
        let mut right = Running::new();
        for bin in (1..binning.bins).rev() {
            right.take(self, bin);
            right_costs[bin] = right.cost(scale);
        }
        let (mut least, mut best) = (Quad::splat(f32::INFINITY), Quad::splat(0.0));
        let mut left = Running::new();
        for (bin, &right_cost) in right_costs.iter().enumerate().take(binning.bins).skip(1) {
            left.take(self, bin - 1);
            let cost = left.cost(scale) + right_cost;
            best = cost.simd_lt(least).bitselect(Quad::splat(bin as f32), best);
            least = cost.fast_min(least);
        }
        let (least, best) = (least.to_array(), best.fast_trunc_int().to_array());
        let axis =
            (1..3).fold(0, |axis, other| if least[other] < least[axis] { other } else { axis });
        let (min, scale) = (binning.min.to_array()[axis], binning.scale.to_array()[axis]);
        (least[axis] < f32::INFINITY).then(|| Split { axis, bin: best[axis] as usize, min, scale })
    }
}

/// The content of all bins from one end, for each axis.
struct Running {
    boxes: [Bounds; 3],
    counts: [u32; 3],
}

impl Running {
    #[inline(always)]
    fn new() -> Self {
        Self { boxes: [Bounds::empty(); 3], counts: [0; 3] }
    }

    #[inline(always)]
    fn take(&mut self, bins: &Bins, bin: usize) {
        for axis in 0..3 {
            self.boxes[axis] = self.boxes[axis].union(bins.boxes[axis][bin]);
            self.counts[axis] += bins.counts[axis][bin];
        }
    }

    /// The expected cost of these; infinite for none.
    #[inline(always)]
    fn cost(&self, scale: Quad) -> Quad {
        let zero = Quad::splat(0.0);
        let [x, y, z] = [0, 1, 2].map_each(|axis| self.boxes[axis].extent().fast_max(zero) * scale);
        let [x, y, z, _] = Quad::transpose([x, y, z, zero]);
        let count = of_three(self.counts.map_each(|count| count as f32));
        let cost = (x * (y + z) + y * z) * count;
        zero.simd_lt(count).bitselect(cost, Quad::splat(f32::INFINITY))
    }
}

/// The number of items on the left, and the boxes of both sides.
pub(super) type Halves = (usize, Bounds, Bounds);

/// Two halves for items without a useful split: centres in one place, or boxes that are too large
/// to compare.
pub(super) fn halves(items: &[Item]) -> Halves {
    let (left, right) = items.split_at(items.len() / 2);
    (left.len(), Bounds::of(left), Bounds::of(right))
}

/// Splits `items`, which lie in the box `around`, at the least cost, and moves them to `into`.
/// `None`, with nothing moved, if every split leaves one side empty.
#[inline(always)]
pub(super) fn split(
    items: &[Item],
    around: &Bounds,
    into: &mut [Item],
    bins: &mut Bins,
) -> Option<Halves> {
    let binning = Binning::new(&Bounds::of_centers(items), items.len());
    bins.fill(&binning, items);
    let split = bins.best_split(&binning, around)?;
    let sides = bins.sides(&binning, &split);
    let (left_into, right_into) = into.split_at_mut(sides.0);
    partition(items, &split, left_into, right_into);
    Some(sides)
}

/// The same in pieces, on several threads, with the same result. If it is to stop, none or another.
pub(super) fn split_in_pieces(
    items: &[Item],
    around: &Bounds,
    into: &mut [Item],
    spread: Spread<'_>,
) -> Option<Halves> {
    let pieces: Vec<&[Item]> = items.chunks(PIECE).collect();
    let centers = map_spread(spread, pieces.clone(), Bounds::of_centers)?;
    let binning = Binning::new(&Bounds::of(&centers), items.len());
    let filled = map_spread(spread, pieces, |piece| {
        let mut bins = Box::new(Bins::new());
        bins.fill(&binning, piece);
        (piece, bins)
    })?;
    let mut bins = Bins::new();
    for (_, filled) in &filled {
        bins.add(filled, &binning);
    }
    let split = bins.best_split(&binning, around)?;
    let sides = bins.sides(&binning, &split);
    let (mut left_into, mut right_into) = into.split_at_mut(sides.0);
    let mut moves = Vec::with_capacity(filled.len());
    for (piece, filled) in filled {
        let left_count = filled.left_count(&split);
        let left = left_into.split_off_mut(..left_count).expect("room for all");
        let right = right_into.split_off_mut(..piece.len() - left_count).expect("room for all");
        moves.push((piece, left, right));
    }
    map_spread(spread, moves, |(piece, left, right)| partition(piece, &split, left, right));
    Some(sides)
}

/// Moves each item to its side, in order. Branch-free: a branch is mispredicted every other time.
#[inline(never)]
fn partition(items: &[Item], split: &Split, left: &mut [Item], right: &mut [Item]) {
    let (mut next_left, mut next_right) = (0, 0);
    for item in items {
        let is_left = split.is_left(item);
        let place = select_unpredictable(is_left, next_left, next_right);
        select_unpredictable(is_left, &mut *left, &mut *right)[place] = *item;
        next_left += usize::from(is_left);
        next_right += usize::from(!is_left);
    }
}
