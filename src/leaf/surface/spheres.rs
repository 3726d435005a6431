//! Spheres as surfaces.

use super::ellipsoid::nearest_direction;
use super::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
use crate::kernel::{SphereRoots, Test};
use crate::value::{Aabb, Affine, Ray, Sphere};

impl Primitives for [Sphere] {
    fn count(&self) -> usize {
        self.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        let Sphere { center, radius } = self[primitive_id as usize];
        if radius < 0.0 {
            return Aabb::EMPTY;
        }
        Aabb { min: center.map(|x| (x - radius).next_down()), max: center.map(|x| (x + radius).next_up()) }
    }

    fn tells_in_order(&self) -> bool {
        true
    }

    fn is_closed(&self) -> bool {
        true
    }

    /// By [`SphereRoots`] in `f64`. The normal leads from the center to the point.
    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let Some(&Sphere { center, radius }) = self.get(primitive_id as usize) else { return };
        let center = center.map(f64::from);
        let line = Ray::line(ray.origin.map(f64::from), ray.direction.map(f64::from));
        let Ok(Some(hit)) = SphereRoots.intersect(&Sphere::new(center, f64::from(radius)), &line) else {
            return;
        };
        for t in [hit.t_enter, hit.t_exit] {
            let point = line.at(t);
            meet(SurfacePoint::at(t, [0, 1, 2].map(|axis| point[axis] - center[axis])));
        }
    }
}

impl NearestPoints for [Sphere] {
    /// Straight from the center; from the center itself in the direction of x. Carried by a map it is an ellipsoid, to
    /// whose center one of the two ends of its shortest axis is nearest. The normal leads from the center to the point.
    fn nearest_point(&self, primitive_id: u32, point: [f64; 3], placed: &Affine) -> Option<NearestPoint> {
        let &Sphere { center, radius } = self.get(primitive_id as usize)?;
        if radius.is_nan() || radius < 0.0 {
            return None;
        }
        let (center, radius) = (center.map(f64::from), f64::from(radius));
        let middle = placed.point(center);
        let off = [0, 1, 2].map(|axis| point[axis] - middle[axis]);
        let direction = if *placed == Affine::IDENTITY {
            let length = (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]).sqrt();
            if length > 0.0 { off.map(|x| x / length) } else { [1.0, 0.0, 0.0] }
        } else {
            let column = |axis: usize| {
                let mut along = [0.0; 3];
                along[axis] = radius;
                placed.vector(along)
            };
            nearest_direction([column(0), column(1), column(2)], off)
        };
        let normal = direction.map(|x| radius * x);
        let from_middle = placed.vector(normal);
        let point = [0, 1, 2].map(|axis| middle[axis] + from_middle[axis]);
        Some(NearestPoint { point, u: 0.0, v: 0.0, normal: normal.map(|x| x as f32) })
    }
}
