//! The tests under test: what the harness must know of each.

use lanecast::primitive::{
    Aabb, Clip, ClippedSegment, Disc, DiscHit, DiscPlane, EnteredFace, FaceByFace, FaceHit,
    FacePoint, IntervalHit, Obb, ObbHit, SeparatingAxes, Side, Slab, Sphere, SphereHit,
    SphereRoots, Test, Triangle, TriangleHit, TriangleWithNormal, TripleProduct, Watertight,
};
use lanecast::{
    Ray, Segment,
    columns::Columns,
    primitive::{Bulk, BulkClosest, Defects},
};

use crate::catalogue::laid::{CaseLine, CasePrimitive};
use lanecast_reference::kernel::number::Number;
use lanecast_reference::kernel::{Judgement, boxes, clip, disc, faces, oriented, sphere, triangle};

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
        closest: &mut BulkClosest<P::Scalar>,
    ) -> Option<lanecast::Result<Defects>> {
        Some(bulk.closest(lines, primitives, closest))
    }

    /// [`Bulk::pairwise_t`], for the same tests.
    fn pairwise_t(
        bulk: &Bulk<'_, Self>,
        lines: &Columns<'_, Self::Line>,
        primitives: &Columns<'_, P>,
        t: &mut Vec<P::Scalar>,
    ) -> Option<lanecast::Result<Defects>> {
        Some(bulk.pairwise_t(lines, primitives, t))
    }
}

/// Gives every test of the catalogue to a macro: its name, its primitive over the precision `T`,
/// the test, and how the table calls it. A new test is a line here.
macro_rules! catalogue {
    ($callback:ident) => {
        $callback! {
            aabb_slab: Aabb<T>, Slab, "`Slab`";
            aabb_entered_face: Aabb<T>, EnteredFace, "`EnteredFace`";
            aabb_face_by_face: Aabb<T>, FaceByFace, "`FaceByFace`";
            aabb_clip: Aabb<T>, Clip::<T>::EXACT, "`Clip`";
            aabb_clip_widened: Aabb<T>, Clip { widening: T::of_f64(1e-5) }, "`Clip`, widening 1e-5";
            rect_slab: Rect<T>, Slab, "`Slab`";
            rect_entered_face: Rect<T>, EnteredFace, "`EnteredFace`";
            rect_face_by_face: Rect<T>, FaceByFace, "`FaceByFace`";
            rect_clip: Rect<T>, Clip::<T>::EXACT, "`Clip`";
            rect_clip_widened: Rect<T>, Clip { widening: T::of_f64(1e-5) }, "`Clip`, widening 1e-5";
            obb_slab: Obb<T>, Slab, "`Slab`";
            obb_entered_face: Obb<T>, EnteredFace, "`EnteredFace`";
            obb_separating_axes: Obb<T>, SeparatingAxes, "`SeparatingAxes`";
            triangle_watertight: Triangle<T>, Watertight::TWO_SIDED, "`Watertight`";
            triangle_watertight_one_sided: Triangle<T>, Watertight::ONE_SIDED, "`Watertight`, one-sided";
            triangle_product: Triangle<T>, TripleProduct::TWO_SIDED, "`TripleProduct`";
            triangle_product_one_sided: Triangle<T>, TripleProduct::ONE_SIDED, "`TripleProduct`, one-sided";
            normal_product: TriangleWithNormal<T>, TripleProduct::TWO_SIDED, "`TripleProduct`";
            normal_product_one_sided:
                TriangleWithNormal<T>, TripleProduct::ONE_SIDED, "`TripleProduct`, one-sided";
            sphere_roots: Sphere<T>, SphereRoots, "`SphereRoots`";
            disc_plane: Disc<T>, DiscPlane, "`DiscPlane`";
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

impl<T: Number, const D: usize> Subject<Aabb<T, D>> for Clip<T> {
    const VALUES: usize = 2 + 2 * D;

    fn values(hit: &ClippedSegment<T, D>) -> Vec<T> {
        [&[hit.t_start, hit.t_end][..], &hit.start, &hit.end].concat()
    }

    fn judge(
        &self,
        aabb: &Aabb<T, D>,
        segment: &Segment<T, D>,
        hit: Option<ClippedSegment<T, D>>,
    ) -> Judgement {
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

impl<T: Number> Subject<Disc<T>> for DiscPlane {
    const VALUES: usize = 1;

    fn values(hit: &DiscHit<T>) -> Vec<T> {
        vec![hit.t]
    }

    fn kind(hit: &DiscHit<T>) -> usize {
        usize::from(hit.side == Side::Back)
    }

    fn judge(&self, disc: &Disc<T>, ray: &Ray<T>, hit: Option<DiscHit<T>>) -> Judgement {
        disc::judge(disc, ray, hit)
    }
}

impl<T: Number> Subject<Obb<T>> for Slab {
    const VALUES: usize = 2;

    fn values(hit: &IntervalHit<T>) -> Vec<T> {
        vec![hit.t_enter, hit.t_exit]
    }

    fn judge(&self, obb: &Obb<T>, ray: &Ray<T>, hit: Option<IntervalHit<T>>) -> Judgement {
        oriented::judge_slab(obb, ray, hit)
    }
}

impl<T: Number> Subject<Obb<T>> for EnteredFace {
    const VALUES: usize = 5;

    fn values(hit: &ObbHit<T>) -> Vec<T> {
        [&[hit.t_enter, hit.t_exit][..], &hit.normal].concat()
    }

    fn kind(hit: &ObbHit<T>) -> usize {
        hit.face.map_or(0, |face| 1 + 2 * face.axis + usize::from(face.at_max))
    }

    fn judge(&self, obb: &Obb<T>, ray: &Ray<T>, hit: Option<ObbHit<T>>) -> Judgement {
        oriented::judge_entered_face(obb, ray, hit)
    }
}

impl<T: Number> Subject<Obb<T>> for SeparatingAxes {
    const VALUES: usize = 0;

    fn values((): &()) -> Vec<T> {
        Vec::new()
    }

    fn judge(&self, obb: &Obb<T>, ray: &Ray<T>, hit: Option<()>) -> Judgement {
        oriented::judge_separating_axes(obb, ray, hit)
    }

    /// It gives no t to be closest by.
    fn closest(
        _: &Bulk<'_, Self>,
        _: &Columns<'_, Ray<T>>,
        _: &Columns<'_, Obb<T>>,
        _: &mut BulkClosest<T>,
    ) -> Option<lanecast::Result<Defects>> {
        None
    }

    fn pairwise_t(
        _: &Bulk<'_, Self>,
        _: &Columns<'_, Ray<T>>,
        _: &Columns<'_, Obb<T>>,
        _: &mut Vec<T>,
    ) -> Option<lanecast::Result<Defects>> {
        None
    }
}

/// What every test of triangles gives.
macro_rules! triangle_values {
    () => {
        const VALUES: usize = 3;

        fn values(hit: &TriangleHit<T>) -> Vec<T> {
            vec![hit.t, hit.u, hit.v]
        }

        fn kind(hit: &TriangleHit<T>) -> usize {
            usize::from(hit.side == Side::Back)
        }
    };
}

impl<T: Number> Subject<Triangle<T>> for Watertight {
    triangle_values!();

    fn judge(
        &self,
        triangle: &Triangle<T>,
        ray: &Ray<T>,
        hit: Option<TriangleHit<T>>,
    ) -> Judgement {
        triangle::judge_watertight(triangle, ray, self.culling, hit)
    }
}

impl<T: Number> Subject<Triangle<T>> for TripleProduct {
    triangle_values!();

    fn judge(
        &self,
        triangle: &Triangle<T>,
        ray: &Ray<T>,
        hit: Option<TriangleHit<T>>,
    ) -> Judgement {
        triangle::judge_triple_product(triangle, ray, self.culling, hit)
    }
}

impl<T: Number> Subject<TriangleWithNormal<T>> for TripleProduct {
    triangle_values!();

    fn judge(
        &self,
        triangle: &TriangleWithNormal<T>,
        ray: &Ray<T>,
        hit: Option<TriangleHit<T>>,
    ) -> Judgement {
        triangle::judge_triple_product(&Triangle::new(triangle.vertices), ray, self.culling, hit)
    }
}
