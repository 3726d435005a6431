//! `parry3d` and `parry3d-f64`: shapes that answer `cast_local_ray`, one at a time.
//!
//! Its bounds of four boxes in lanes (`SimdAabb`) are not compiled into 0.31, and the packed test
//! of its tree's nodes is private.

use super::entrants::Entry;
use super::input::Primitive;
use super::loops::{Instructions, PairTest};

macro_rules! contestants {
    ($enter:ident, $parry:ident, $float:ident) => {
        pub(crate) fn $enter(entry: &mut Entry<'_, $float>, instructions: &[Instructions]) {
            use $parry::bounding_volume::Aabb;
            use $parry::math::{Matrix, Pose, Rotation, Vector};
            use $parry::query::details::ray_toi_with_ball;
            use $parry::query::{Ray, RayCast};
            use $parry::shape::{Cuboid, Triangle};

            const NEVER: $float = $float::INFINITY;

            fn ray([x, y, z]: [$float; 3], [dx, dy, dz]: [$float; 3]) -> Ray {
                Ray::new(Vector::new(x, y, z), Vector::new(dx, dy, dz))
            }

            struct Box;
            impl PairTest<$float> for Box {
                type Ray = Ray;
                type Primitive = Aabb;

                #[inline(always)]
                fn meets(ray: &Ray, aabb: &Aabb) -> bool {
                    aabb.intersects_local_ray(ray, NEVER)
                }

                #[inline(always)]
                fn t(ray: &Ray, aabb: &Aabb) -> $float {
                    aabb.cast_local_ray(ray, NEVER, true).unwrap_or(NEVER)
                }
            }

            struct Oriented;
            impl PairTest<$float> for Oriented {
                type Ray = Ray;
                type Primitive = (Pose, Cuboid);

                #[inline(always)]
                fn meets(ray: &Ray, (pose, cuboid): &(Pose, Cuboid)) -> bool {
                    cuboid.intersects_ray(pose, ray, NEVER)
                }

                #[inline(always)]
                fn t(ray: &Ray, (pose, cuboid): &(Pose, Cuboid)) -> $float {
                    cuboid.cast_ray(pose, ray, NEVER, true).unwrap_or(NEVER)
                }
            }

            // What `Ball` itself calls, without a pose around it that would only move the ray.
            struct Sphere;
            impl PairTest<$float> for Sphere {
                type Ray = Ray;
                type Primitive = (Vector, $float);

                #[inline(always)]
                fn meets(ray: &Ray, &(center, radius): &(Vector, $float)) -> bool {
                    ray_toi_with_ball(center, radius, ray, true).1.is_some()
                }

                #[inline(always)]
                fn t(ray: &Ray, &(center, radius): &(Vector, $float)) -> $float {
                    ray_toi_with_ball(center, radius, ray, true).1.unwrap_or(NEVER)
                }
            }

            struct Face;
            impl PairTest<$float> for Face {
                type Ray = Ray;
                type Primitive = Triangle;

                #[inline(always)]
                fn meets(ray: &Ray, triangle: &Triangle) -> bool {
                    triangle.intersects_local_ray(ray, NEVER)
                }

                #[inline(always)]
                fn t(ray: &Ray, triangle: &Triangle) -> $float {
                    triangle.cast_local_ray(ray, NEVER, true).unwrap_or(NEVER)
                }
            }

            let point = |x, y, z| Vector::new(x, y, z);
            match entry.input.primitive {
                Primitive::Aabb => {
                    entry.add_pair_test::<Box, 6>(
                        "parry3d",
                        instructions,
                        ray,
                        |[x, y, z, ex, ey, ez]| Aabb::new(point(x, y, z), point(ex, ey, ez)),
                    );
                }
                Primitive::Obb => {
                    entry.add_pair_test::<Oriented, 15>("parry3d", instructions, ray, |numbers| {
                        let [center, u, v, w, half] = std::array::from_fn(|i| {
                            point(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2])
                        });
                        let rotation = Rotation::from_mat3(&Matrix::from_cols(u, v, w));
                        (Pose::from_parts(center, rotation), Cuboid::new(half))
                    });
                }
                Primitive::Sphere => {
                    entry.add_pair_test::<Sphere, 4>(
                        "parry3d",
                        instructions,
                        ray,
                        |[x, y, z, radius]| (point(x, y, z), radius),
                    );
                }
                Primitive::Triangle => {
                    entry.add_pair_test::<Face, 9>("parry3d", instructions, ray, |numbers| {
                        let [a, b, c] = std::array::from_fn(|i| {
                            point(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2])
                        });
                        Triangle::new(a, b, c)
                    });
                }
            }
        }
    };
}

contestants!(enter_f32, parry3d, f32);
contestants!(enter_f64, parry3d_f64, f64);
