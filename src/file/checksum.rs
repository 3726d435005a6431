//! Sums up sections, on all cores.

use twox_hash::XxHash3_64;

use crate::threads::Threads;

/// What one core sums up at a time.
const PIECE: usize = 1 << 20;

/// The checksum of a section: the XXH3 of the XXH3s of its pieces of a megabyte, 64 bits each.
///
/// It finds damage, not malice: who means to can make any bytes come to any sum.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let spread = Threads::ALL.spread(bytes.len() / 64);
    let sums = spread.map(bytes.chunks(PIECE).collect(), XxHash3_64::oneshot);
    XxHash3_64::oneshot(bytemuck::cast_slice(&sums))
}
