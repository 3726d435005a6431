//! The rays of a group as bits, a vector at a time.

use crate::simd::Vectors;
use crate::value::GROUP;

/// The rays of one vector, as its bits.
#[inline(always)]
pub(crate) const fn in_vector<V: Vectors<f32>>(rays: u64, vector: usize) -> u32 {
    (rays >> (vector * V::COUNT) & (u64::MAX >> (64 - V::COUNT))) as u32
}

/// Removes the rays in the vector of the first ray, which has this many lanes; returns the vector
/// and their bits.
#[inline(always)]
pub(crate) const fn take_vector(rays: &mut u64, lanes: usize) -> (usize, u32) {
    let vector = rays.trailing_zeros() as usize / lanes;
    let of_vector = u64::MAX >> (64 - lanes);
    let some = *rays >> (vector * lanes) & of_vector;
    *rays &= !(of_vector << (vector * lanes));
    (vector, some as u32)
}

/// The number of vectors of this many lanes that the rays are in.
#[inline(always)]
pub(crate) const fn vectors_of(rays: u64, lanes: usize) -> usize {
    let (mut count, mut first) = (0, 0);
    // Without a branch for each.
    while first < GROUP {
        count += (rays >> first & (u64::MAX >> (64 - lanes)) != 0) as usize;
        first += lanes;
    }
    count
}
