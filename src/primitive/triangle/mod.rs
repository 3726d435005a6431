//! The triangle.

mod by_rays;
mod closest_point;
mod ends;
mod group;
mod group_f64;
mod likeness;
mod pairs;
mod pairs_f64;
mod plain;
mod tree;
mod tree_f64;
mod triple_product;
mod watertight;

pub(in crate::primitive) use closest_point::nearest_of_one;
pub(crate) use plain::PlainMet;
pub(crate) use tree::TriangleBlock;
pub(crate) use tree_f64::TriangleBlockF64;
pub use triple_product::TripleProduct;
pub use watertight::{Exactly, Watertight};
pub(crate) use watertight::{Met, Passage};

use crate::columns::{Columns, Record, Rows, plain_numbers};
use crate::error::Result;
use crate::math::{cross, sub};
use crate::primitive::Test;
use crate::ray::Ray;
use crate::simd::{Scalar, with_default_float_mode};

/// A triangle by its three vertices; edges and vertices belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Triangle<T = f32> {
    /// The front is where they are seen to run counter-clockwise.
    pub vertices: [[T; 3]; 3],
}

/// A triangle that carries the normal of its plane, for tests that else would compute it for each line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct TriangleWithNormal<T = f32> {
    /// As of the [triangle](Triangle::vertices).
    pub vertices: [[T; 3]; 3],
    /// (v1 − v0) × (v2 − v0), not normalised: its length is twice the area, and weights are measured
    /// by it. Any other vector gives wrong answers.
    pub normal: [T; 3],
}

/// Any number of triangles as columns: x, y and z of the first vertex, of the second, of the third.
pub type TriangleBatch<'a, T = f32> = Columns<'a, Triangle<T>>;

/// Any number of triangles with normals as columns: the vertices as of a [`TriangleBatch`], then x, y
/// and z of the normal.
pub type TriangleWithNormalBatch<'a, T = f32> = Columns<'a, TriangleWithNormal<T>>;

plain_numbers!(Triangle);
plain_numbers!(TriangleWithNormal);

const COLUMNS: [&str; 12] = [
    "first vertex x",
    "first vertex y",
    "first vertex z",
    "second vertex x",
    "second vertex y",
    "second vertex z",
    "third vertex x",
    "third vertex y",
    "third vertex z",
    "normal x",
    "normal y",
    "normal z",
];

impl<T: Scalar> Record for Triangle<T> {
    type Scalar = T;
    type Shape = Rows<3, 3>;

    fn column_name(place: usize) -> &'static str {
        COLUMNS[place]
    }
}

impl<T: Scalar> Record for TriangleWithNormal<T> {
    type Scalar = T;
    type Shape = Rows<4, 3>;

    fn column_name(place: usize) -> &'static str {
        COLUMNS[place]
    }
}

impl<T: Scalar> Triangle<T> {
    /// The triangle of three vertices.
    pub const fn new(vertices: [[T; 3]; 3]) -> Self {
        Self { vertices }
    }

    /// The same triangle with the normal of its plane: tests answer for both with the same bits.
    #[must_use]
    pub fn with_normal(&self) -> TriangleWithNormal<T> {
        with_default_float_mode(|| {
            let [a, b, c] = self.vertices;
            let normal = cross(sub(b, a), sub(c, a));
            TriangleWithNormal { vertices: self.vertices, normal }
        })
    }
}

impl<T: Exactly> Triangle<T> {
    /// Where a line, ray or segment passes through the triangle, from either side, by the
    /// [watertight](Watertight) test; `None` if they do not meet.
    ///
    /// ```
    /// use lanecast::primitive::{Side, Triangle};
    /// use lanecast::Ray;
    /// let triangle = Triangle::new([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    /// let hit = triangle.intersect(&Ray::segment([1.0, 2.0, 3.0], [1.0, 2.0, -1.0]))?.expect("they meet");
    /// assert_eq!((hit.t, hit.u, hit.v, hit.side), (0.75, 0.25, 0.5, Side::Front));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
    pub fn intersect(&self, ray: &Ray<T>) -> Result<Option<TriangleHit<T>>> {
        Watertight::TWO_SIDED.intersect(self, ray)
    }
}

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

/// Which of the triangles that a ray touches are hits.
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

/// Which of the lines that touch a triangle meet it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) culling: Culling,
    pub(crate) contact: Contact,
}

impl Rules {
    /// All that come from a side which counts.
    pub(crate) const fn touch(culling: Culling) -> Self {
        Self { culling, contact: Contact::Touch }
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
    const fn code(self) -> u8 {
        match self {
            Self::Front => 1,
            Self::Back => 2,
        }
    }

    const fn of_code(code: u8) -> Self {
        if code == Self::Back.code() { Self::Back } else { Self::Front }
    }
}

/// Where a line, ray or segment passes through a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleHit<T = f32> {
    /// The ray parameter of the point.
    pub t: T,
    /// The weight of the second vertex.
    pub u: T,
    /// The weight of the third vertex; the first has 1 − u − v.
    pub v: T,
    /// From which side the line comes.
    pub side: Side,
}

impl<T: Scalar> TriangleHit<T> {
    fn new(code: u8, &[t, u, v]: &[T; 3]) -> Self {
        Self { t, u, v, side: Side::of_code(code) }
    }
}
