//! Leaves as the tree knows them.

/// What a leaf of a tree holds, at most eight of whatever it is.
pub(crate) trait Leaf: bytemuck::Pod + Send + Sync {
    /// How many bytes at its front every ray reads that is there.
    const FRONT: usize = size_of::<Self>();

    /// How many there are; they come first.
    fn count(&self) -> usize;

    /// Their numbers.
    fn numbers(&self) -> impl Iterator<Item = u32>;
}
