//! The effort of a build.

/// The effort of building a tree. No answer depends on it.
///
/// docs/notebook/tree-build.md has the costs and gains, with the scenes they were measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BuildQuality {
    /// For most scenes, and for those that change: 3 to 5 million triangles a second on a core.
    #[default]
    Balanced,
    /// For scenes that mix large and small triangles, as interiors do, and many rays. Takes about twice the
    /// time; rays are 5 to 15% faster in interiors, hardly any where triangles are all alike. Every triangle
    /// still lies in one leaf: the memory is the same.
    High,
}
