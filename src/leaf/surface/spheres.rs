//! Spheres as surfaces.

use super::nearest_direction::nearest_direction;
use super::{GeometryView, NearestPoint, RoundCone, Solid, Surface, SurfacePoint, Vector};
use crate::kernel::{ExactScalar, SphereRoots, Test};
use crate::math::{add, dot, sub};
use crate::simd::MapEach;
use crate::value::{Aabb, Affine, Ray, Sphere};

impl<T: ExactScalar> Surface<T> for Sphere<T> {
    fn view(spheres: &[Self]) -> GeometryView<'_, T> {
        GeometryView::Spheres(spheres)
    }

    fn bounds(&self) -> Aabb<T> {
        let Self { center, radius } = *self;
        if radius < T::ZERO {
            return Aabb::EMPTY;
        }
        Aabb {
            min: center.map_each(|x| (x - radius).next_down()),
            max: center.map_each(|x| (x + radius).next_up()),
        }
    }

    /// Tests [`SphereRoots`] in `f64`. The normal leads from the center to the point.
    fn each_point(&self, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        let center = self.center.map(T::to_f64);
        let line = Ray::line(ray.origin.map(T::to_f64), ray.direction.map(T::to_f64));
        let Ok(Some(hit)) =
            SphereRoots.intersect(&Sphere::new(center, self.radius.to_f64()), &line)
        else {
            return;
        };
        let from_center = sub(line.origin, center);
        for t in [hit.t_enter, hit.t_exit] {
            meet(SurfacePoint::at(
                t,
                [0, 1, 2].map_each(|axis| from_center[axis] + t * line.direction[axis]),
            ));
        }
    }

    /// The closest point lies straight from the center; for the center itself, in the direction of
    /// x. Carried by a map it is an ellipsoid, to whose center one of the two ends of its shortest
    /// axis is nearest. The normal leads from the center to the point.
    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>> {
        let Self { center, radius } = *self;
        if radius.is_nan() || radius < T::ZERO {
            return None;
        }
        let (center, radius) = (center.map(T::to_f64), radius.to_f64());
        let middle = placed.point(center);
        let off = sub(point, middle);
        let direction = if *placed == Affine::IDENTITY {
            let length = dot(off, off).sqrt();
            if length > 0.0 { off.map_each(|x| x / length) } else { [1.0, 0.0, 0.0] }
        } else {
            let edges = [[radius, 0.0, 0.0], [0.0, radius, 0.0], [0.0, 0.0, radius]];
            nearest_direction(edges.map_each(|edge| placed.vector(edge)), off)
        };
        let normal = direction.map_each(|x| radius * x);
        Some(NearestPoint::at(add(middle, placed.vector(normal)), normal))
    }

    /// A round cone without length.
    fn solid(&self) -> Option<impl Solid> {
        RoundCone { ends: [self.center; 2], radii: [self.radius; 2] }.hull()
    }
}
