//! Spheres as surfaces.

use super::{Primitives, SurfacePoint};
use crate::primitive::{Aabb, Sphere, SphereRoots, Test};
use crate::ray::Ray;

impl Primitives for Vec<Sphere> {
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

    /// Where [`SphereRoots`] says in `f64`. The normal leads from the center to the point.
    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let Sphere { center, radius } = self[primitive_id as usize];
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
