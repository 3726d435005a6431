//! Whether a group pays.

/// The cost of a group where its rays are tested as vectors. Where [few](super::few) are left, they cost about as much as in
/// flight, and do not count.
#[derive(Debug, Default)]
pub(super) struct GroupCost {
    /// The number of vectors of rays tested against a box.
    pub(super) vectors: u64,
    /// The number of rays that met the boxes of these tests.
    pub(super) met: u64,
}

impl GroupCost {
    /// Whether to give the group up halfway. Camera rays in disorder meet 0.2 to 0.5 boxes a vector, and to
    /// finish them takes up to four times as long as rays one by one.
    #[inline(always)]
    pub(super) const fn is_hopeless(&self) -> bool {
        self.vectors >= 64 && 2 * self.met < 3 * self.vectors
    }

    /// Whether the group is faster than streams and flight, with this many lanes.
    ///
    /// A vector costs as much if one of its rays meets the box as if all do. With 16 lanes shadow rays at the
    /// dragon, 2.6 to a vector, go 1.4 times as fast in streams as in groups, and camera rays at a million
    /// strewn triangles lose a third where groups of 4 are given up.
    pub(super) const fn pays(&self, lanes: usize) -> bool {
        5 * self.met >= lanes as u64 * self.vectors
    }
}
