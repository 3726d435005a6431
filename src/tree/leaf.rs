//! The trait of leaves.

/// A leaf of the tree: at most eight primitives of any kind.
pub(crate) trait Leaf: bytemuck::Pod + Send + Sync {
    /// Leading bytes of a leaf that every visiting ray reads.
    const PREFETCH_BYTES: usize = size_of::<Self>();

    /// The number of primitives; they come first.
    fn count(&self) -> usize;

    /// The numbers of the primitives.
    fn numbers(&self) -> impl Iterator<Item = u32>;
}
