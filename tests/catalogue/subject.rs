//! The tests under test: what the harness must know of each.

use lanecast::primitive::{
    Aabb, Clip, ClippedSegment, EnteredFace, FaceByFace, FaceHit, FacePoint, IntervalHit, Slab, Sphere,
    SphereHit, SphereRoots, Test,
};
use lanecast::{Bulk, Closest, Columns, Defects, Ray, Segment};

use crate::laid::{CaseLine, CasePrimitive};
use crate::number::Number;
use crate::reference::{Judgement, boxes, clip, faces, sphere};

/// A test of the catalogue.
pub trait Subject<P: CasePrimitive>: Test<P, Line: CaseLine<Scalar = P::Scalar>> {
    /// How many numbers come with a hit.
    const VALUES: usize;

    /// The hit's numbers, in the order of the columns.
    fn values(hit: &Self::Hit) -> Vec<P::Scalar>;

    /// What else is known of a hit, as a number.
    fn kind(_hit: &Self::Hit) -> usize {
        0
    }

    /// Holds an answer against the reference.
    fn judge(&self, primitive: &P, line: &Self::Line, hit: Option<Self::Hit>) -> Judgement;

    /// [`Bulk::closest`], for tests that have it.
    fn closest(
        bulk: &Bulk<'_, Self>,
        lines: &Columns<'_, Self::Line>,
        primitives: &Columns<'_, P>,
        closest: &mut Closest<P::Scalar>,
    ) -> Option<lanecast::Result<Defects>> {
        Some(bulk.closest(lines, primitives, closest))
    }
}

/// Gives every test of the catalogue to a macro: its name, its primitive over the precision `T`, the
/// test, and how the table calls it. A new test is a line here.
macro_rules! catalogue {
    ($callback:ident) => {
        $callback! {
            aabb_slab: Aabb<T>, Slab, "`Slab`";
            aabb_entered_face: Aabb<T>, EnteredFace, "`EnteredFace`";
            aabb_face_by_face: Aabb<T>, FaceByFace, "`FaceByFace`";
            aabb_clip: Aabb<T>, Clip::<T>::EXACT, "`Clip`";
            aabb_clip_widened: Aabb<T>, Clip { widening: T::nearest(1e-5) }, "`Clip`, widening 1e-5";
            rect_slab: Rect<T>, Slab, "`Slab`";
            rect_entered_face: Rect<T>, EnteredFace, "`EnteredFace`";
            rect_face_by_face: Rect<T>, FaceByFace, "`FaceByFace`";
            sphere_roots: Sphere<T>, SphereRoots, "`SphereRoots`";
        }
    };
}

pub(crate) use catalogue;

impl<T: Number, const D: usize> Subject<Aabb<T, D>> for Slab {
    const VALUES: usize = 2;

    fn values(hit: &IntervalHit<T>) -> Vec<T> {
        vec![hit.t_enter, hit.t_exit]
    }

    fn judge(&self, aabb: &Aabb<T, D>, ray: &Ray<T, D>, hit: Option<IntervalHit<T>>) -> Judgement {
        boxes::judge_slab(aabb, ray, hit)
    }
}

impl<T: Number, const D: usize> Subject<Aabb<T, D>> for EnteredFace {
    const VALUES: usize = 2;

    fn values(hit: &FaceHit<T>) -> Vec<T> {
        vec![hit.t_enter, hit.t_exit]
    }

    fn kind(hit: &FaceHit<T>) -> usize {
        hit.face.map_or(0, |face| 1 + 2 * face.axis + usize::from(face.at_max))
    }

    fn judge(&self, aabb: &Aabb<T, D>, ray: &Ray<T, D>, hit: Option<FaceHit<T>>) -> Judgement {
        boxes::judge_entered_face(aabb, ray, hit)
    }
}

impl<T: Number, const D: usize> Subject<Aabb<T, D>> for FaceByFace {
    const VALUES: usize = 1;

    fn values(hit: &FacePoint<T>) -> Vec<T> {
        vec![hit.t]
    }

    fn kind(hit: &FacePoint<T>) -> usize {
        1 + 2 * hit.face.axis + usize::from(hit.face.at_max)
    }

    fn judge(&self, aabb: &Aabb<T, D>, ray: &Ray<T, D>, hit: Option<FacePoint<T>>) -> Judgement {
        faces::judge(aabb, ray, hit)
    }
}

impl<T: Number> Subject<Aabb<T>> for Clip<T> {
    const VALUES: usize = 8;

    fn values(hit: &ClippedSegment<T>) -> Vec<T> {
        [&[hit.t_start, hit.t_end][..], &hit.start, &hit.end].concat()
    }

    fn judge(&self, aabb: &Aabb<T>, segment: &Segment<T>, hit: Option<ClippedSegment<T>>) -> Judgement {
        clip::judge(aabb, segment, self.widening, hit)
    }
}

impl<T: Number> Subject<Sphere<T>> for SphereRoots {
    const VALUES: usize = 2;

    fn values(hit: &SphereHit<T>) -> Vec<T> {
        vec![hit.t_enter, hit.t_exit]
    }

    fn kind(hit: &SphereHit<T>) -> usize {
        usize::from(hit.inside)
    }

    fn judge(&self, sphere: &Sphere<T>, ray: &Ray<T>, hit: Option<SphereHit<T>>) -> Judgement {
        sphere::judge(sphere, ray, hit)
    }
}
