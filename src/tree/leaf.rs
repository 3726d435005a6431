//! Leaves as the tree knows them.

/// What a leaf of a tree holds, at most eight of whatever it is.
pub(crate) trait Leaf: bytemuck::Pod + Send + Sync {
    /// Leading bytes of a leaf that every visiting ray reads.
    const PREFETCH_BYTES: usize = size_of::<Self>();

    /// How many there are; they come first.
    fn count(&self) -> usize;

    /// Their numbers.
    fn numbers(&self) -> impl Iterator<Item = u32>;
}
