//! The hits on a surface that count: by the side, and by how a line touches it.

/// The sides of a triangle, or of another primitive of a scene, that do not count.
///
/// A ray sees the front if the vertices run counter-clockwise as seen from its origin; for all else
/// see [`Side`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Culling {
    /// Both sides count.
    #[default]
    None,
    /// Only the front counts.
    Back,
    /// Only the back counts.
    Front,
}

impl Culling {
    #[inline(always)]
    pub(crate) fn lets_pass(self, side: Side) -> bool {
        !matches!((self, side), (Self::Back, Side::Back) | (Self::Front, Side::Front))
    }

    /// The same in a mirrored frame, or for the reversed line.
    pub(crate) const fn mirrored(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Back => Self::Front,
            Self::Front => Self::Back,
        }
    }
}

/// The side from which a line meets a triangle, or another primitive of a scene.
///
/// The front of a box or a sphere is outside: a line meets it where it enters, and the back where
/// it leaves; where it grazes a sphere it does both in one point. The front of a [field of
/// heights](crate::primitive::HeightField) is above, that of a caller's own primitive where its
/// [normal](crate::primitive::SurfacePoint::normal) points to. An
/// [instance](crate::SceneBuilder::instance) that mirrors, or an odd number of nested ones, swaps
/// the sides of triangles. All else keeps its front: a mirrored sphere is a sphere, seen from
/// outside. The geometric normal of a hit always points to the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Side {
    /// The vertices run counter-clockwise as seen from the line's origin; a line from outside, for
    /// other primitives.
    Front,
    /// The vertices run clockwise; a line from inside.
    Back,
}

impl Side {
    #[inline(always)]
    pub(crate) const fn front_if(front: bool) -> Self {
        if front { Self::Front } else { Self::Back }
    }

    #[inline(always)]
    pub(crate) const fn other(self) -> Self {
        Self::front_if(matches!(self, Self::Back))
    }

    pub(crate) const fn code(self) -> u8 {
        1 + self as u8
    }

    pub(crate) const fn of_code(code: u8) -> Self {
        Self::front_if(code != Self::Back.code())
    }
}

/// The triangles touched by a ray that are hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Contact {
    /// The triangles through which it crosses from one side of the surface to the other.
    ///
    /// Through an edge or a vertex that triangles share it crosses as many of them as it crosses
    /// sheets of the surface, as if it were moved aside by less than any number. Where it only
    /// grazes an edge or a vertex it meets both sheets that come together there or neither; so a
    /// line meets every closed surface an even number of times, as often from the front as from the
    /// back. At the rim of an open surface it may miss triangles that it touches, and so a first
    /// crossing may be another triangle than the closest hit. The side to which it is moved depends
    /// on its direction: where it grazes, the reversed ray may count the others. Intervals are
    /// closed: of two rays that share an end on a surface, to the last bit, both cross it.
    #[default]
    Crossing,
    /// All triangles: edges and vertices belong to every triangle that has them.
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
