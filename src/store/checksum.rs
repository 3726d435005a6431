//! Checksums of sections, on all cores.

use twox_hash::XxHash3_64;

use crate::threads::Threads;

/// The bytes that a core sums at a time.
const PIECE: usize = 1 << 20;

/// The checksum of a section: the XXH3 of the XXH3s of its pieces of a megabyte, 64 bits each.
///
/// It detects damage, not malice: anyone can forge it.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    checksum_with(bytes, |_, _| ()).0
}

/// The same, with the results of `look` for each piece, which also gets the number of its first byte: summing
/// brings a piece into the cache.
pub(super) fn checksum_with<R: Send>(
    bytes: &[u8],
    look: impl Fn(usize, &[u8]) -> R + Sync + Send,
) -> (u64, Vec<R>) {
    let spread = Threads::ALL.spread(bytes.len() / 64);
    let pieces = bytes.chunks(PIECE).enumerate().collect();
    let looked = spread.map(pieces, |(number, piece): (usize, &[u8])| {
        (XxHash3_64::oneshot(piece), look(number * PIECE, piece))
    });
    let (sums, made): (Vec<u64>, _) = looked.into_iter().unzip();
    (XxHash3_64::oneshot(bytemuck::cast_slice(&sums)), made)
}
