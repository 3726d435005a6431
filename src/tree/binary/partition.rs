//! Splits a range: finds the plane, and moves the items to the two ends of another range, in order.

use std::hint::select_unpredictable;

use super::PIECE;
use super::bins::{Binning, Bins, Split};
use super::item::{Bounds, Item};
use crate::simd::with_default_float_mode;
use crate::threads::Spread;

/// A range that is split in two: the number of items on the left, and the boxes of both sides.
pub(super) type Halves = (usize, Bounds, Bounds);

/// Two halves for items without a useful split: centres in one place, or boxes that are too large to
/// compare.
pub(super) fn halves(items: &[Item]) -> Halves {
    let (left, right) = items.split_at(items.len() / 2);
    (left.len(), Bounds::of(left), Bounds::of(right))
}

/// Splits `items`, which lie in the box `around`, at the least cost, and moves them to `into`. Returns
/// `None`, and moves nothing, if every split leaves one side empty.
#[inline(always)]
pub(super) fn split(items: &[Item], around: &Bounds, into: &mut [Item], bins: &mut Bins) -> Option<Halves> {
    let binning = Binning::new(&Bounds::of_centers(items), items.len());
    bins.fill(&binning, items);
    let split = bins.best_split(&binning, around)?;
    let sides = bins.sides(&binning, &split);
    let (left_into, right_into) = into.split_at_mut(sides.0);
    partition(items, &split, left_into, right_into);
    Some(sides)
}

/// The same on several threads, with the same result.
pub(super) fn split_in_pieces(
    items: &[Item],
    around: &Bounds,
    into: &mut [Item],
    spread: Spread,
) -> Option<Halves> {
    let pieces: Vec<&[Item]> = items.chunks(PIECE).collect();
    let centers = spread.map(pieces.clone(), |piece| with_default_float_mode(|| Bounds::of_centers(piece)));
    let centers = centers.into_iter().fold(Bounds::empty(), Bounds::union);
    let binning = Binning::new(&centers, items.len());
    let filled = spread.map(pieces, |piece| {
        with_default_float_mode(|| {
            let mut bins = Box::new(Bins::new());
            bins.fill(&binning, piece);
            (piece, bins)
        })
    });
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
    spread.map(moves, |(piece, left, right)| {
        with_default_float_mode(|| partition(piece, &split, left, right));
    });
    Some(sides)
}

/// Moves each item to its side, which has room for exactly those. Branch-free: a branch is mispredicted every
/// other time.
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
