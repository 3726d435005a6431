//! The choice between crossings and touches.

use super::side::Culling;

/// The triangles touched by a ray that are hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Contact {
    /// Those through which it crosses from one side of the surface to the other.
    ///
    /// Through an edge or a vertex that triangles share it crosses exactly one of them, or as many as it crosses
    /// sheets of the surface: as if it were moved aside by less than any number. Where it only grazes an edge or a
    /// vertex it meets both sheets that come together there or neither; so a line meets every closed surface an even
    /// number of times, as often from the front as from the back. At the rim of an open surface it may miss what it
    /// touches, and so a first crossing may be another triangle than the closest hit. Which way it is moved depends
    /// on its direction: of grazes its reverse may count the others. Intervals are closed: of two rays that share an end
    /// on a surface, to the last bit, both cross it.
    #[default]
    Crossing,
    /// All of them: edges and vertices belong to every triangle that has them.
    Touch,
}

/// The rules by which a line that touches a triangle meets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) culling: Culling,
    pub(crate) contact: Contact,
}

impl Rules {
    /// All touches from a side that counts.
    pub(crate) const fn touch(culling: Culling) -> Self {
        Self { culling, contact: Contact::Touch }
    }
}
