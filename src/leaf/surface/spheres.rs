//! Spheres as surfaces.

use super::ellipsoid::nearest_direction;
use super::{NearestPoint, Surface, SurfacePoint};
use crate::kernel::{SphereRoots, Test};
use crate::math::{add, dot, sub};
use crate::value::{Aabb, Affine, Ray, Sphere};

impl Surface for Sphere {
    fn bounds(&self) -> Aabb {
        let Self { center, radius } = *self;
        if radius < 0.0 {
            return Aabb::EMPTY;
        }
        Aabb { min: center.map(|x| (x - radius).next_down()), max: center.map(|x| (x + radius).next_up()) }
    }

    /// By [`SphereRoots`] in `f64`. The normal leads from the center to the point.
    fn each_point(&self, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let center = self.center.map(f64::from);
        let line = Ray::line(ray.origin.map(f64::from), ray.direction.map(f64::from));
        let Ok(Some(hit)) = SphereRoots.intersect(&Sphere::new(center, f64::from(self.radius)), &line) else {
            return;
        };
        for t in [hit.t_enter, hit.t_exit] {
            meet(SurfacePoint::at(t, sub(line.at(t), center)));
        }
    }

    /// Straight from the center; from the center itself in the direction of x. Carried by a map it is an ellipsoid, to
    /// whose center one of the two ends of its shortest axis is nearest. The normal leads from the center to the point.
    fn nearest_point(&self, point: [f64; 3], placed: &Affine) -> Option<NearestPoint> {
        let Self { center, radius } = *self;
        if radius.is_nan() || radius < 0.0 {
            return None;
        }
        let (center, radius) = (center.map(f64::from), f64::from(radius));
        let middle = placed.point(center);
        let off = sub(point, middle);
        let direction = if *placed == Affine::IDENTITY {
            let length = dot(off, off).sqrt();
            if length > 0.0 { off.map(|x| x / length) } else { [1.0, 0.0, 0.0] }
        } else {
            let edges = [[radius, 0.0, 0.0], [0.0, radius, 0.0], [0.0, 0.0, radius]];
            nearest_direction(edges.map(|edge| placed.vector(edge)), off)
        };
        let normal = direction.map(|x| radius * x);
        Some(NearestPoint::at(add(middle, placed.vector(normal)), normal))
    }
}
