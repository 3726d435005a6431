//! Tests written with `glam`, one ray and one primitive at a time, as a careful user writes them:
//! what can be prepared is prepared, and little branches.

use super::entrants::Entry;
use super::input::Primitive;
use super::loops::{Instructions, PairTest};

macro_rules! contestants {
    ($enter:ident, $float:ident, $Vector:ident, $Matrix:ident) => {
        pub(crate) fn $enter(entry: &mut Entry<'_, $float>, instructions: &[Instructions]) {
            use glam::{$Matrix, $Vector};

            const NEVER: $float = $float::INFINITY;

            struct Ray {
                origin: $Vector,
                direction: $Vector,
                inv_direction: $Vector,
            }

            fn ray(origin: [$float; 3], direction: [$float; 3]) -> Ray {
                let direction = $Vector::from(direction);
                Ray { origin: origin.into(), direction, inv_direction: direction.recip() }
            }

            /// Where a line is between two corners, from its origin on.
            #[inline(always)]
            fn slabs(
                origin: $Vector,
                inv_direction: $Vector,
                min: $Vector,
                max: $Vector,
            ) -> ($float, $float) {
                let a = (min - origin) * inv_direction;
                let b = (max - origin) * inv_direction;
                let enter = a.min(b).max_element();
                (if enter > 0.0 { enter } else { 0.0 }, a.max(b).min_element())
            }

            struct Box;
            impl PairTest<$float> for Box {
                type Ray = Ray;
                type Primitive = [$Vector; 2];

                #[inline(always)]
                fn meets(ray: &Ray, &[min, max]: &[$Vector; 2]) -> bool {
                    let (enter, exit) = slabs(ray.origin, ray.inv_direction, min, max);
                    enter <= exit
                }

                #[inline(always)]
                fn t(ray: &Ray, &[min, max]: &[$Vector; 2]) -> $float {
                    let (enter, exit) = slabs(ray.origin, ray.inv_direction, min, max);
                    if enter <= exit { enter } else { NEVER }
                }
            }

            struct Oriented {
                center: $Vector,
                /// From the world to the box.
                to_local: $Matrix,
                half_extents: $Vector,
            }

            impl Oriented {
                #[inline(always)]
                fn slabs(&self, ray: &Ray) -> ($float, $float) {
                    let origin = self.to_local * (ray.origin - self.center);
                    let direction = self.to_local * ray.direction;
                    slabs(origin, direction.recip(), -self.half_extents, self.half_extents)
                }
            }

            impl PairTest<$float> for Oriented {
                type Ray = Ray;
                type Primitive = Self;

                #[inline(always)]
                fn meets(ray: &Ray, oriented: &Self) -> bool {
                    let (enter, exit) = oriented.slabs(ray);
                    enter <= exit
                }

                #[inline(always)]
                fn t(ray: &Ray, oriented: &Self) -> $float {
                    let (enter, exit) = oriented.slabs(ray);
                    if enter <= exit { enter } else { NEVER }
                }
            }

            /// Directions are unit vectors here, which spares the quadratic's leading coefficient.
            struct Sphere {
                center: $Vector,
                radius_squared: $float,
            }

            impl PairTest<$float> for Sphere {
                type Ray = Ray;
                type Primitive = Self;

                #[inline(always)]
                fn meets(ray: &Ray, sphere: &Self) -> bool {
                    let offset = sphere.center - ray.origin;
                    let foot = offset.dot(ray.direction);
                    let off = offset - foot * ray.direction;
                    // Ahead, or around the origin.
                    off.length_squared() <= sphere.radius_squared
                        && (foot >= 0.0 || offset.length_squared() <= sphere.radius_squared)
                }

                #[inline(always)]
                fn t(ray: &Ray, sphere: &Self) -> $float {
                    let offset = sphere.center - ray.origin;
                    let foot = offset.dot(ray.direction);
                    let off = offset - foot * ray.direction;
                    let half_chord_squared = sphere.radius_squared - off.length_squared();
                    if half_chord_squared < 0.0 {
                        return NEVER;
                    }
                    let half_chord = half_chord_squared.sqrt();
                    if foot + half_chord < 0.0 {
                        return NEVER;
                    }
                    if foot > half_chord { foot - half_chord } else { 0.0 }
                }
            }

            /// After Möller and Trumbore, two-sided.
            struct Triangle {
                vertex: $Vector,
                edges: [$Vector; 2],
            }

            impl PairTest<$float> for Triangle {
                type Ray = Ray;
                type Primitive = Self;

                #[inline(always)]
                fn meets(ray: &Ray, triangle: &Self) -> bool {
                    Self::t(ray, triangle) < NEVER
                }

                #[inline(always)]
                fn t(ray: &Ray, triangle: &Self) -> $float {
                    let across = ray.direction.cross(triangle.edges[1]);
                    let inv_determinant = 1.0 / triangle.edges[0].dot(across);
                    let offset = ray.origin - triangle.vertex;
                    let u = offset.dot(across) * inv_determinant;
                    // NaN, from a determinant of zero, fails too.
                    if !(0.0..=1.0).contains(&u) {
                        return NEVER;
                    }
                    let across = offset.cross(triangle.edges[0]);
                    let v = ray.direction.dot(across) * inv_determinant;
                    if v < 0.0 || u + v > 1.0 {
                        return NEVER;
                    }
                    let t = triangle.edges[1].dot(across) * inv_determinant;
                    if t >= 0.0 { t } else { NEVER }
                }
            }

            let point = |numbers: &[$float], first: usize| {
                $Vector::new(numbers[first], numbers[first + 1], numbers[first + 2])
            };
            match entry.input.primitive {
                Primitive::Aabb => {
                    entry.add_pair_test::<Box, 6>("glam", instructions, ray, |numbers| {
                        [point(&numbers, 0), point(&numbers, 3)]
                    })
                }
                Primitive::Obb => {
                    entry.add_pair_test::<Oriented, 15>("glam", instructions, ray, |numbers| {
                        let [u, v, w] = [3, 6, 9].map(|first| point(&numbers, first));
                        Oriented {
                            center: point(&numbers, 0),
                            to_local: $Matrix::from_cols(u, v, w).transpose(),
                            half_extents: point(&numbers, 12),
                        }
                    })
                }
                Primitive::Sphere => {
                    entry.add_pair_test::<Sphere, 4>("glam", instructions, ray, |numbers| Sphere {
                        center: point(&numbers, 0),
                        radius_squared: numbers[3] * numbers[3],
                    })
                }
                Primitive::Triangle => {
                    entry.add_pair_test::<Triangle, 9>("glam", instructions, ray, |numbers| {
                        let [a, b, c] = [0, 3, 6].map(|first| point(&numbers, first));
                        Triangle { vertex: a, edges: [b - a, c - a] }
                    })
                }
            }
        }
    };
}

contestants!(enter_f32, f32, Vec3A, Mat3A);
contestants!(enter_f64, f64, DVec3, DMat3);
