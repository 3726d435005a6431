//! Moves what goes left and what goes right to either end of another range, in the order in which
//! they were.

use super::bins::{Binning, Bins, Split};
use super::item::{Bounds, Extents, Item, Sides};
use crate::simd::with_default_float_mode;
use crate::threads::Spread;

/// A range that is split in two.
pub(super) struct Halves {
    /// How many items are on the left.
    pub(super) left_count: usize,
    pub(super) left: Extents,
    pub(super) right: Extents,
}

/// Ranges are dealt with in pieces of so many items where threads may share them.
const PIECE: usize = 1 << 14;

/// Splits `items` where it costs least, and moves them to `into`. None, and nothing moved, where no
/// split leaves something on both sides.
#[inline(always)]
pub(super) fn split(items: &[Item], extents: &Extents, into: &mut [Item], bins: &mut Bins) -> Option<Halves> {
    let binning = Binning::new(&extents.centers, items.len());
    bins.fill(&binning, items);
    let split = bins.best_split(&binning, extents)?;
    let (left_count, left, right) = bins.sides(&binning, &split);
    let (left_into, right_into) = into.split_at_mut(left_count);
    let centers = partition(items, &split, left_into, right_into);
    Some(Halves::new(left_count, left, right, &centers))
}

/// The same, shared by threads. The items come to lie in the same order.
pub(super) fn split_in_pieces(
    items: &[Item],
    extents: &Extents,
    into: &mut [Item],
    spread: Spread,
) -> Option<Halves> {
    let binning = Binning::new(&extents.centers, items.len());
    let pieces: Vec<&[Item]> = items.chunks(PIECE).collect();
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
    let split = bins.best_split(&binning, extents)?;
    let (left_count, left, right) = bins.sides(&binning, &split);
    let (mut left_into, mut right_into) = into.split_at_mut(left_count);
    let mut moves = Vec::with_capacity(filled.len());
    for (piece, filled) in filled {
        let left_count = filled.left_count(&split);
        let (left, left_rest) = left_into.split_at_mut(left_count);
        let (right, right_rest) = right_into.split_at_mut(piece.len() - left_count);
        moves.push((piece, left, right));
        (left_into, right_into) = (left_rest, right_rest);
    }
    let moved = spread
        .map(moves, |(piece, left, right)| with_default_float_mode(|| partition(piece, &split, left, right)));
    let centers = moved.into_iter().fold(Sides::empty(), Sides::union);
    Some(Halves::new(left_count, left, right, &centers))
}

impl Halves {
    fn new(left_count: usize, left: Bounds, right: Bounds, centers: &Sides) -> Self {
        Self {
            left_count,
            left: Extents { boxes: left, centers: centers.left },
            right: Extents { boxes: right, centers: centers.right },
        }
    }
}

/// Moves each item to the side where it goes, which has room for exactly those. No branch asks where:
/// it would be guessed wrong every other time.
#[inline(always)]
fn partition(items: &[Item], split: &Split, left: &mut [Item], right: &mut [Item]) -> Sides {
    let (mut next_left, mut next_right) = (0, 0);
    let mut centers = Sides::empty();
    for item in items {
        let is_left = split.is_left(item);
        centers = centers.with(item, is_left);
        let place = if is_left == 1 { left.get_mut(next_left) } else { right.get_mut(next_right) };
        *place.expect("as many as the bins counted") = *item;
        next_left += is_left;
        next_right += 1 - is_left;
    }
    centers
}
