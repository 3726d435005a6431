//! The kernels that are measured: a line each.

use super::case::{Row, Session};
use crate::failure::Result;
use lanecast::primitive::{
    Aabb, Clip, Disc, DiscPlane, EnteredFace, FaceByFace, Obb, Rect, SeparatingAxes, Slab, Sphere,
    SphereRoots, Triangle, TriangleWithNormal, TripleProduct, Watertight,
};

/// A test of a primitive in one precision.
pub(super) struct Kernel {
    pub(super) primitive: &'static str,
    pub(super) test: &'static str,
    pub(super) precision: &'static str,
    pub(super) measure: fn(&mut Session<'_>) -> Result<Row>,
}

/// Each line makes two kernels, one in `f32` and one in `f64`.
macro_rules! kernels {
    ($($primitive:ident, $name:literal: $test:expr;)*) => {
        &[$(
            kernels!(@ $primitive f32, $name: $test),
            kernels!(@ $primitive f64, $name: $test),
        )*]
    };
    (@ $primitive:ident $scalar:ident, $name:literal: $test:expr) => {
        Kernel {
            primitive: stringify!($primitive),
            test: $name,
            precision: stringify!($scalar),
            measure: |session| session.measure::<$primitive<$scalar>, _>($test),
        }
    };
}

/// A kernel whose primitive is new also needs a [`Sample`](super::samples::Sample) of it.
pub(super) const KERNELS: &[Kernel] = kernels! {
    Aabb, "Slab": Slab;
    Aabb, "EnteredFace": EnteredFace;
    Aabb, "FaceByFace": FaceByFace;
    Aabb, "Clip": Clip::EXACT;
    Rect, "Slab": Slab;
    Obb, "Slab": Slab;
    Obb, "EnteredFace": EnteredFace;
    Obb, "SeparatingAxes": SeparatingAxes;
    Triangle, "Watertight": Watertight::TWO_SIDED;
    Triangle, "TripleProduct": TripleProduct::TWO_SIDED;
    TriangleWithNormal, "TripleProduct": TripleProduct::TWO_SIDED;
    Sphere, "SphereRoots": SphereRoots;
    Disc, "DiscPlane": DiscPlane;
};
