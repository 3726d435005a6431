//! `bvh`: boxes in one packed register per corner, triangles after Möller and Trumbore, whose backs
//! it does not meet. It has no oriented box, and of a ball it can only say what it contains.

use bvh::aabb::Aabb;
use bvh::bounding_hierarchy::BHValue;
use bvh::ray::Ray;
use nalgebra::{ComplexField, Point3, Vector3};
use num_traits::Float;

use super::entrants::Entry;
use super::input::Primitive;
use super::loops::{Instructions, PairTest};
use super::number::Number;

/// What `bvh` asks of a number, beyond what everyone does.
pub(crate) trait BvhNumber: Number + BHValue + ComplexField + Float {}

impl<F: Number + BHValue + ComplexField + Float> BvhNumber for F {}

struct Box;

impl<F: BvhNumber> PairTest<F> for Box {
    type Ray = Ray<F, 3>;
    type Primitive = Aabb<F, 3>;

    #[inline(always)]
    fn meets(ray: &Ray<F, 3>, aabb: &Aabb<F, 3>) -> bool {
        ray.intersects_aabb(aabb)
    }

    #[inline(always)]
    fn t(ray: &Ray<F, 3>, aabb: &Aabb<F, 3>) -> F {
        ray.intersection_slice_for_aabb(aabb)
            .map_or(<F as lanecast::Scalar>::INFINITY, |(enter, _)| enter)
    }
}

struct Triangle;

impl<F: BvhNumber> PairTest<F> for Triangle {
    type Ray = Ray<F, 3>;
    type Primitive = [Point3<F>; 3];

    #[inline(always)]
    fn meets(ray: &Ray<F, 3>, triangle: &[Point3<F>; 3]) -> bool {
        <Self as PairTest<F>>::t(ray, triangle) < <F as lanecast::Scalar>::INFINITY
    }

    #[inline(always)]
    fn t(ray: &Ray<F, 3>, [a, b, c]: &[Point3<F>; 3]) -> F {
        ray.intersects_triangle(a, b, c).distance
    }
}

pub(crate) fn enter<F: BvhNumber>(entry: &mut Entry<'_, F>, instructions: &[Instructions]) {
    let ray = |[x, y, z]: [F; 3], [dx, dy, dz]: [F; 3]| {
        Ray::new(Point3::new(x, y, z), Vector3::new(dx, dy, dz))
    };
    match entry.input.primitive {
        Primitive::Aabb => {
            entry.add_pair_test::<Box, 6>("bvh", instructions, ray, |[x, y, z, ex, ey, ez]| {
                Aabb::with_bounds(Point3::new(x, y, z), Point3::new(ex, ey, ez))
            });
        }
        Primitive::Triangle => {
            let first = entry.entrants.len();
            entry.add_pair_test::<Triangle, 9>("bvh", instructions, ray, |numbers| {
                std::array::from_fn(|i| {
                    Point3::new(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2])
                })
            });
            for entrant in &mut entry.entrants[first..] {
                entrant.one_sided = true;
            }
        }
        Primitive::Obb | Primitive::Sphere => {}
    }
}
