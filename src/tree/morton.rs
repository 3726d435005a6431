//! Primitives in the order of a curve through space: Morton, "A Computer Oriented Geodetic Data
//! Base", IBM, 1966.
//!
//! A key is the cell of a primitive's centre, by the bits of its three coordinates in turn, above
//! the primitive's index. So no two keys are equal, and their order depends on nothing but the
//! boxes.

use super::binary::{Bounds, Item, PIECE};
use super::{map_spread, sort_few};
use crate::simd::{Quad, spaced_bits};
use crate::threads::Spread;

/// Indices are below 2³⁰.
const INDEX_BITS: u32 = 30;

/// Cells along an axis, as a power of two. Where many primitives share a cell, it is divided again.
const AXIS_BITS: u32 = 11;

/// The highest bits, by which all threads sort together; eight at a time are left.
const TOP: u32 = INDEX_BITS + 24;
const BUCKETS: usize = 1 << (INDEX_BITS + 3 * AXIS_BITS - TOP);

/// Fewer keys than this are sorted by comparisons.
const FEW: usize = 64;

/// The index of the primitive.
#[inline(always)]
pub(super) fn index(key: u64) -> usize {
    (key & ((1 << INDEX_BITS) - 1)) as usize
}

/// Whether all of these keys, which are in order, are of one cell.
#[inline(always)]
pub(super) fn share_cell(keys: &[u64]) -> bool {
    (keys[0] ^ keys[keys.len() - 1]) >> INDEX_BITS == 0
}

/// The number of keys, of two or more in order, before the highest bit that differs among them is
/// set.
#[inline(always)]
pub(super) fn middle(keys: &[u64]) -> usize {
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    let bit = (first ^ last).ilog2();
    keys.partition_point(|&key| key >> bit & 1 == 0)
}

/// Times that a sort reports each key.
pub(super) const WORK: usize = 2;

/// Divides the box of the centres of these primitives into cells, and sorts the keys by them.
/// Leaves them as they are if the box is a point. There is as much space as keys. `None` if it is
/// to stop. Reports no more than [`WORK`] times all keys.
pub(super) fn sort(
    keys: &mut [u64],
    space: &mut [u64],
    items: &[Item],
    spread: Spread<'_>,
) -> Option<()> {
    let length = PIECE.max(keys.len().div_ceil(64));
    let centers = map_spread(spread, keys.chunks(length).collect(), |keys: &[u64]| {
        keys.iter().fold(Bounds::empty(), |all, &key| all.with_center(&items[index(key)]))
    })?;
    let Some(cells) = Cells::of(&centers.into_iter().fold(Bounds::empty(), Bounds::union)) else {
        return Some(());
    };
    let counts = map_spread(spread, keys.chunks_mut(length).collect(), |keys: &mut [u64]| {
        let mut counts = vec![0; BUCKETS];
        for key in &mut *keys {
            *key = cells.key(items, *key);
            counts[(*key >> TOP) as usize % BUCKETS] += 1;
        }
        spread.advance(keys.len());
        counts
    })?;
    if keys.len() < FEW {
        sort_few(keys, u64::lt);
        return Some(());
    }
    // Buckets by the highest bits, with room for each piece in each.
    let (mut rest, mut lengths) = (&mut *space, [0; BUCKETS]);
    let mut moves: Vec<_> =
        keys.chunks(length).map(|keys| (keys, Vec::with_capacity(BUCKETS))).collect();
    for (bucket, length) in lengths.iter_mut().enumerate() {
        for ((_, rooms), counts) in moves.iter_mut().zip(&counts) {
            rooms.push(rest.split_off_mut(..counts[bucket]).expect("room for all"));
            *length += counts[bucket];
        }
    }
    spread.map(moves, |(keys, mut rooms): (&[u64], Vec<&mut [u64]>)| {
        for &key in keys {
            let room = &mut rooms[(key >> TOP) as usize % BUCKETS];
            *room.split_off_first_mut().expect("room for all") = key;
        }
    })?;
    let (mut from, mut to, mut buckets) = (space, keys, Vec::new());
    for length in lengths.into_iter().filter(|&length| length > 0) {
        let both = from.split_off_mut(..length).zip(to.split_off_mut(..length));
        buckets.push(both.expect("room for all"));
    }
    let sort = |(from, to): (&mut [u64], &mut [u64])| {
        sort_bucket(from, to);
        spread.advance(to.len());
    };
    spread.map(buckets, sort).map(drop)
}

/// Cubes that a box of centres is divided into: of flat scenes the bits of the third coordinate are
/// zero.
#[derive(Clone, Copy)]
struct Cells {
    min: Quad,
    scale: Quad,
}

impl Cells {
    const ALONG: f32 = (1 << AXIS_BITS) as f32;

    /// `None` if all centres are equal.
    fn of(centers: &Bounds) -> Option<Self> {
        let [x, y, z, _] = centers.extent().to_array();
        let extent = x.max(y).max(z);
        let scale = Quad::splat((Self::ALONG / extent).min(f32::MAX));
        (extent > 0.0).then(|| Self { min: centers.min(), scale })
    }

    /// The key of the primitive of `key`.
    #[inline(always)]
    fn key(self, items: &[Item], key: u64) -> u64 {
        let place = (items[index(key)].center() - self.min) * self.scale;
        let [x, y, z, _] =
            spaced_bits(place.fast_min(Quad::splat(Self::ALONG - 1.0))).map(u64::from);
        (x << 2 | y << 1 | z) << INDEX_BITS | index(key) as u64
    }
}

/// Sorts the keys `from` a bucket `to` its place.
fn sort_bucket(from: &mut [u64], to: &mut [u64]) {
    if from.len() < FEW {
        to.copy_from_slice(from);
        return sort_few(to, u64::lt);
    }
    let pass = |from: &[u64], to: &mut [u64], shift: u32| {
        let digit = |key: u64| (key >> shift) as usize % 256;
        let mut places = [0; 256];
        for &key in from {
            places[digit(key)] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            (next, *place) = (next + *place, next);
        }
        for &key in from {
            let place = &mut places[digit(key)];
            to[*place] = key;
            *place += 1;
        }
    };
    pass(from, to, INDEX_BITS);
    pass(to, from, INDEX_BITS + 8);
    pass(from, to, INDEX_BITS + 16);
}
