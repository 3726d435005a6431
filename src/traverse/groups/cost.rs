//! Whether a group pays.

/// The cost of a group where its rays are tested as vectors. Where [few](super::few) are left, they
/// cost about as much as in flight, and do not count.
#[derive(Debug, Default)]
pub(super) struct GroupCost {
    /// The number of vectors of rays tested against a box.
    pub(super) vectors: u64,
    /// The number of rays that met the boxes of these tests.
    pub(super) met: u64,
    /// Whether the rays start at more than one point.
    pub(super) are_origins_apart: bool,
}

impl GroupCost {
    /// Whether to give the group up halfway. Camera rays in disorder meet 0.2 to 0.5 boxes a
    /// vector, and to finish them takes up to four times as long as rays one by one.
    #[inline(always)]
    pub(super) const fn is_hopeless(&self) -> bool {
        self.vectors >= 64 && 2 * self.met < 3 * self.vectors
    }

    /// Adds the next group to the mean of those before, each of which weighs an eighth less than
    /// the one after it.
    pub(super) const fn add(&mut self, next: &Self) {
        self.vectors = self.vectors - self.vectors / 8 + 8 * next.vectors;
        self.met = self.met - self.met / 8 + 8 * next.met;
        self.are_origins_apart = next.are_origins_apart;
    }

    /// Whether groups of this mean cost are faster than streams and flight, with this many lanes.
    ///
    /// A vector costs as much if one of its rays meets the box as if all do. With 16 lanes camera
    /// rays at a million strewn triangles lose a third where groups of 4 rays to a vector are given
    /// up. Rays that hits do not narrow go faster in streams, by certain answers, and faster in
    /// groups from one point than from many: shadow rays at the dragon, 3.7 to a vector, go 1.8
    /// times as fast in streams as in groups, those in the kitchen, 7 to a vector, 0.7 times.
    pub(super) const fn pays(&self, lanes: usize, narrows: bool) -> bool {
        let lanes = lanes as u64;
        if narrows || !self.are_origins_apart {
            5 * self.met >= lanes * self.vectors
        } else {
            self.met >= (lanes / 4 + 1) * self.vectors
        }
    }
}
