//! The two sides of a surface, and which of them count.

/// Which sides of a triangle do not count, or of another primitive of a scene.
///
/// A ray sees the front if the vertices run counter-clockwise as seen from where it comes from. [`Side`] says what that is
/// of primitives that are no triangles, and of what is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    /// Whether hits from that side count.
    #[inline(always)]
    pub(crate) fn lets_pass(self, side: Side) -> bool {
        match self {
            Self::None => true,
            Self::Back => side == Side::Front,
            Self::Front => side == Side::Back,
        }
    }

    /// The same as seen in a mirror that turns the vertices round, or the other way along a line.
    pub(crate) const fn mirrored(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Back => Self::Front,
            Self::Front => Self::Back,
        }
    }
}

/// From which side a line comes to a triangle, or to another primitive of a scene.
///
/// The front of a box or a sphere is outside: a line sees it where it enters, and the back where it leaves, also where
/// it grazes a sphere and does both in one point. That of a primitive of the caller's own is where its
/// [normal](crate::primitive::SurfacePoint::normal) points to. In an [instance](crate::SceneBuilder::instance) that
/// mirrors, or in an odd number of them one in another, the vertices of a triangle come to run the other way, and what
/// was its front is its back. Everything else keeps its front: a mirrored sphere is a sphere, seen from outside. Of
/// triangles and the rest alike, the geometric normal of a hit points to where lines come from that see the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The vertices run counter-clockwise as seen from where the line comes from; of what is no triangle, it comes from
    /// outside.
    Front,
    /// They run clockwise; it comes from inside.
    Back,
}

impl Side {
    /// The front or the back.
    #[inline(always)]
    pub(crate) const fn front_if(front: bool) -> Self {
        if front { Self::Front } else { Self::Back }
    }

    /// The side that one sees who comes the other way.
    #[inline(always)]
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
        }
    }

    /// The code of a hit from this side.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Front => 1,
            Self::Back => 2,
        }
    }

    pub(crate) const fn of_code(code: u8) -> Self {
        if code == Self::Back.code() { Self::Back } else { Self::Front }
    }
}
