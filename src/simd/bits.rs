//! The set bits of a mask.

/// The places of the set bits, the lowest first.
#[inline(always)]
pub(crate) fn set_bits(bits: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut bits = bits.into();
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            lane
        })
    })
}
