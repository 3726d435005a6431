//! Primitives of a caller: solids, and sheets that have no inside.

use lanecast::primitive::{Primitives, SurfacePoint};
use lanecast::{Aabb, Ray};
use lanecast_reference::vector::{dot, minus, vector};

/// Octahedra: the middle, and how far the corners are from there. Primitives of a caller.
#[derive(Debug)]
pub(crate) struct Octahedra(pub(crate) Vec<[f32; 4]>);

impl Primitives for Octahedra {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        let [x, y, z, r] = self.0[primitive_id as usize];
        Aabb { min: [x - r, y - r, z - r], max: [x + r, y + r, z + r] }
    }

    /// Through the planes of the eight faces.
    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let [x, y, z, r] = self.0[primitive_id as usize];
        let (o, d) = (minus(vector(ray.origin), vector([x, y, z])), vector(ray.direction));
        let (mut enter, mut exit) = ((f64::NEG_INFINITY, [0.0; 3]), (f64::INFINITY, [0.0; 3]));
        for face in 0..8 {
            let normal = [0, 1, 2].map(|axis| if face >> axis & 1 == 0 { 1.0 } else { -1.0 });
            let (along, beyond) = (dot(normal, d), f64::from(r) - dot(normal, o));
            let t = beyond / along;
            if along < 0.0 && t > enter.0 {
                enter = (t, normal);
            } else if along > 0.0 && t < exit.0 {
                exit = (t, normal);
            } else if along == 0.0 && beyond < 0.0 {
                return;
            }
        }
        if enter.0 <= exit.0 {
            for (t, normal) in [enter, exit] {
                meet(SurfacePoint { t: t as f32, u: 0.0, v: 0.0, normal: normal.map(|x| x as f32) });
            }
        }
    }
}

/// Discs in planes z = constant, with their front above: the middle and the radius. They have no inside.
#[derive(Debug)]
pub(crate) struct Discs(pub(crate) Vec<[f32; 4]>);

impl Primitives for Discs {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        let [x, y, z, r] = self.0[primitive_id as usize];
        Aabb { min: [x - r, y - r, z], max: [x + r, y + r, z] }
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let [x, y, z, r] = self.0[primitive_id as usize].map(f64::from);
        let (o, d) = (vector(ray.origin), vector(ray.direction));
        let t = (z - o[2]) / d[2];
        let [px, py] = [o[0] + t * d[0] - x, o[1] + t * d[1] - y];
        if px * px + py * py <= r * r {
            meet(SurfacePoint { t: t as f32, u: 0.0, v: 0.0, normal: [0.0, 0.0, 0.5] });
        }
    }
}
