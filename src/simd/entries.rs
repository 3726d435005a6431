//! Lists of rays, each with where it enters what the list is for.
//!
//! A ray's number in the low half of a word, the upper half of an `f32` above it: 32 bits a ray, so that
//! lists are compacted and moved as whole vectors.

/// How many entries are taken together: as many as the widest vectors have lanes.
pub(crate) const MAX_LANES: usize = 16;

/// How many rays can be told apart. The last number is not given to any: with it goes [`NO_ENTRY`].
pub(crate) const MAX_STREAM_RAYS: usize = 1 << 16;

/// No ray. As a ray it would be the last number, at NaN.
pub(crate) const NO_ENTRY: u32 = u32::MAX;

/// Which bits of an entry hold its `t`.
pub(super) const ENTRY_T: u32 = 0xffff_0000;

/// The ray with this number, at `t`, which is rounded to sixteen bits towards zero.
#[inline(always)]
pub(crate) fn entry(number: u16, t: f32) -> u32 {
    t.to_bits() & ENTRY_T | u32::from(number)
}

/// Its number.
#[inline(always)]
pub(crate) const fn number_of(entry: u32) -> u16 {
    entry as u16
}

/// At most the `t` that the entry was made of, by less than a part in 2⁷.
#[inline(always)]
pub(crate) fn least_t(entry: u32) -> f32 {
    // Which of the two is less depends on the sign. An infinity with ones below it is NaN, and `min` passes
    // over it.
    f32::from_bits(entry | !ENTRY_T).min(f32::from_bits(entry & ENTRY_T))
}

/// The definition of [`Lanes::compact`](super::Lanes::compact).
#[inline(always)]
pub(super) fn compact(entries: &mut [u32], count: usize, limits: &[f32; MAX_STREAM_RAYS]) -> usize {
    let mut kept = 0;
    for place in 0..count {
        let entry = entries[place];
        entries[kept] = entry;
        kept += usize::from(least_t(entry) <= limits[usize::from(number_of(entry))]);
    }
    kept
}

#[cfg(test)]
#[path = "../../tests/unit/simd/entries.rs"]
mod tests;
