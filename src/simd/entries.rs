//! Entries of ray lists: the number of a ray as the low half of a word, the upper half of its `t`
//! of entry as the high half, so that lists are compacted and moved as whole vectors.

use super::map_each::MapEach;

/// The lanes of the widest vectors.
pub(crate) const MAX_LANES: usize = 16;

/// The number of ray numbers. The last is never used: [`NO_ENTRY`] has it.
pub(crate) const MAX_STREAM_RAYS: usize = 1 << 16;

/// No ray: as an entry, the last number at NaN.
pub(crate) const NO_ENTRY: u32 = u32::MAX;

/// The bits of `t` in an entry: it is rounded to sixteen bits towards zero.
pub(super) const ENTRY_T: u32 = 0xffff_0000;

#[inline(always)]
pub(crate) const fn number_of(entry: u32) -> u16 {
    entry as u16
}

/// A lower bound of the `t` of the entry, by less than a part in 2⁷.
#[inline(always)]
pub(crate) fn least_t(entry: u32) -> f32 {
    // The sign decides which of the two is less. An infinity with ones below it is NaN, and never the
    // lesser; it is a signalling NaN, which `min` drops on some CPUs only.
    let [most, least] = [entry | !ENTRY_T, entry & ENTRY_T].map_each(f32::from_bits);
    if most < least { most } else { least }
}
