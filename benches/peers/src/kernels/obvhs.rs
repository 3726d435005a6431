//! `obvhs`: boxes in one packed register per corner, triangles with their edges and normal ready,
//! in f32 only. It has no oriented box and no sphere. Its eight boxes of a node are quantised to 8
//! bits, another test than this.

use glam::{Vec3A, vec3a};
use obvhs::aabb::Aabb;
use obvhs::ray::Ray;
use obvhs::rt_triangle::RtTriangle;

use super::entrants::Entry;
use super::input::Primitive;
use super::loops::{Instructions, PairTest};

struct Box;

impl PairTest<f32> for Box {
    type Ray = Ray;
    type Primitive = Aabb;

    #[inline(always)]
    fn meets(ray: &Ray, aabb: &Aabb) -> bool {
        aabb.intersect_ray(ray) < f32::INFINITY
    }

    #[inline(always)]
    fn t(ray: &Ray, aabb: &Aabb) -> f32 {
        // It tells where the line enters, also behind the origin.
        let t = aabb.intersect_ray(ray);
        if t > 0.0 { t } else { 0.0 }
    }
}

struct Triangle;

impl PairTest<f32> for Triangle {
    type Ray = Ray;
    type Primitive = RtTriangle;

    #[inline(always)]
    fn meets(ray: &Ray, triangle: &RtTriangle) -> bool {
        triangle.intersect(ray) < f32::INFINITY
    }

    #[inline(always)]
    fn t(ray: &Ray, triangle: &RtTriangle) -> f32 {
        triangle.intersect(ray)
    }
}

pub(crate) fn enter(entry: &mut Entry<'_, f32>, instructions: &[Instructions]) {
    let ray = |origin: [f32; 3], direction: [f32; 3]| Ray::new_inf(origin.into(), direction.into());
    match entry.input.primitive {
        Primitive::Aabb => {
            entry.add_pair_test::<Box, 6>("obvhs", instructions, ray, |[x, y, z, ex, ey, ez]| {
                Aabb::new(vec3a(x, y, z), vec3a(ex, ey, ez))
            });
        }
        Primitive::Triangle => {
            entry.add_pair_test::<Triangle, 9>("obvhs", instructions, ray, |numbers| {
                let [a, b, c]: [Vec3A; 3] = std::array::from_fn(|i| {
                    vec3a(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2])
                });
                RtTriangle::new(a, b, c)
            });
        }
        Primitive::Obb | Primitive::Sphere => {}
    }
}
