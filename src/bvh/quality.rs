//! How much a build may cost.

/// How much work goes into a tree. No answer depends on it.
///
/// Building costs and what it gains stand in ARCHITECTURE.md, with the scenes they were measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BuildQuality {
    /// For most scenes, and for those that change: 3 to 5 million triangles a second on a core.
    #[default]
    Balanced,
    /// For scenes of large and small things amid each other, as in interiors, that many rays are cast
    /// at. Takes about twice the time; rays are 5 to 20% faster in interiors, hardly any where
    /// triangles are all alike.
    High,
}

impl BuildQuality {
    /// Ranges of no more primitives than this are not split.
    ///
    /// A leaf of the tree holds eight, and the collapse joins what is better joined. Starting from
    /// four instead of six makes rays no faster and takes 6 to 15% more memory and 10 to 15% more
    /// time; from eight rays are 2 to 5% slower in interiors. Reinsertion has more to move with four.
    pub(super) fn leaf_size(self) -> usize {
        match self {
            Self::Balanced => 6,
            Self::High => 4,
        }
    }
}
