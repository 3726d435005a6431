//! Rays that are made to be verified: where answers are likeliest to be wrong.

use crate::double::Wide;
use crate::map::Map;
use crate::random::Random;
use crate::rays::{center, diagonal};
use crate::vector::{Numbers, Vector, cross, length, minus, plus, rounded, times, unit, vector};
use crate::world::{Frame, Geometry, World};
use lanecast::primitive::Obb;
use lanecast::{Aabb, Ray};

/// Rays at the insides of faces, at edges and at corners, a third each, or anywhere at spheres:
/// from anywhere around, from other corners, from near by, and along the axes; with and without
/// ends. Each is so as the scene that holds its target sees it, in one of the places of that scene.
pub fn aimed<T: Numbers>(world: &World<T>, count: usize, seed: u64) -> Vec<Ray<T>> {
    let mut random = Random::new(seed);
    (0..count).map(|number| aim_in(world, number, &mut random)).collect()
}

/// A ray at something in one of the places, each of which is chosen on the way from the outermost
/// scene inwards.
fn aim_in<T: Numbers>(world: &World<T>, number: usize, random: &mut Random) -> Ray<T> {
    let (mut frame, mut maps) = (world.outermost(), Vec::new());
    loop {
        let filled: Vec<_> = frame
            .instances
            .iter()
            .filter(|instance| !instance.is_hidden && !world.frame(instance).is_empty())
            .collect();
        let holds_some = frame.geometries.iter().any(|geometry| geometry.count() > 0);
        if filled.is_empty() || holds_some && random.below(2) == 0 {
            break;
        }
        let instance = filled[random.below(filled.len())];
        maps.push(&instance.map);
        frame = world.frame(instance);
    }
    shown(&aim(frame, number, random), &maps)
}

/// A ray that is seen about so by those who see it through these maps, outermost first.
fn shown<T: Numbers>(ray: &Ray<T>, maps: &[&Map]) -> Ray<T> {
    let (mut origin, mut direction) = (vector(ray.origin), vector(ray.direction));
    for map in maps.iter().rev() {
        origin = map.point(origin);
        direction = map.vector(direction);
    }
    Ray { origin: rounded(origin), direction: rounded(direction), ..*ray }
}

/// Where on a primitive a ray goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Corner,
    Edge,
    Face,
}

fn aim<T: Numbers>(frame: &Frame<T>, number: usize, random: &mut Random) -> Ray<T> {
    let filled: Vec<_> = frame.geometries.iter().filter(|geometry| geometry.count() > 0).collect();
    // Where there is nothing, at nothing.
    if filled.is_empty() {
        return ray([0.0; 3], [0.0, 0.0, 1.0]);
    }
    let bounds = frame.bounds;
    let geometry = filled[random.below(filled.len())];
    let part = [Part::Corner, Part::Edge, Part::Face][number % 3];
    let primitive_id = random.below(geometry.count());
    // Rounded as the ray will be: along an axis it goes through just this point.
    let target = vector(rounded::<T>(geometry.point(primitive_id, part, random)));
    // Things may be so small that what leads from point to point is too short to be a direction.
    let lengthened = if diagonal(&bounds) < 1e-20 { (1_u128 << 100) as f64 } else { 1.0 };
    // A line of `f32` passes what it is aimed at by more than `f64` rounds, which decides most. So
    // do most of `f64`.
    let strays = T::Finer::IS_DEAR && random.below(4) > 0;
    let ray = match random.below(5) {
        0 => {
            let axis = random.below(3);
            let mut direction = [0.0; 3];
            direction[axis] = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let away = diagonal(&bounds) * random.unit_f64();
            ray(minus(target, times(away, direction)), direction)
        }
        1 => {
            let origin = geometry.point(random.below(geometry.count()), Part::Corner, random);
            ray(origin, times(lengthened, minus(target, origin)))
        }
        2 => {
            // As those of sensors do at a wide ground: less is rounded of the way than of the
            // vertices.
            let nearness = 10_f64.powf(-6.0 * random.unit_f64());
            let away = times(nearness * diagonal(&bounds), of_unit_sphere(Part::Face, random));
            ray(minus(target, away), times(lengthened, away))
        }
        _ => {
            let origin = around(&bounds, random);
            ray(origin, times(lengthened, minus(target, origin)))
        }
    };
    let mut stray = |x: f64| x * (1.0 + f64::from(f32::EPSILON) * (random.unit_f64() - 0.5));
    let ray: Ray<T> = if strays {
        Ray { direction: rounded(vector(ray.direction).map(&mut stray)), ..ray }
    } else {
        ray
    };
    match random.below(6) {
        0 => ray.with_interval(T::NEG_INFINITY, T::INFINITY),
        // `t` is that at the target where the ray was aimed from afar: it ends about there.
        1 => ray.with_interval(T::ZERO, T::nearest(1.0 / lengthened)),
        2 => ray.with_interval(T::nearest(random.unit_f64()), T::INFINITY),
        _ => ray,
    }
}

/// Somewhere in a box of twice the size.
fn around<T: Numbers>(bounds: &Aabb<T>, random: &mut Random) -> Vector {
    let middle = center(bounds);
    std::array::from_fn(|axis| {
        let side = bounds.max[axis].to_f64() - bounds.min[axis].to_f64();
        middle[axis] + side.max(0.1 * diagonal(bounds)) * (2.0 * random.unit_f64() - 1.0)
    })
}

impl<T: Numbers> Geometry<'_, T> {
    /// A point of a primitive.
    fn point(&self, primitive_id: usize, part: Part, random: &mut Random) -> Vector {
        match self {
            Self::Mesh(mesh) => {
                let corners =
                    mesh.triangles[primitive_id].map(|vertex| mesh.vertices[vertex as usize]);
                of_triangle(corners.map(vector), part, random)
            }
            Self::Boxes(boxes) => of_aabb(&boxes[primitive_id], part, random),
            Self::Own(primitives) => of_aabb(&primitives.bounds(primitive_id as u32), part, random),
            Self::OrientedBoxes(boxes) => {
                let Obb { center, axes, half_extents } = boxes[primitive_id];
                let at = of_unit_box(part, random);
                (0..3).fold(vector(center), |point, axis| {
                    plus(point, times(at[axis] * half_extents[axis].to_f64(), vector(axes[axis])))
                })
            }
            Self::Spheres(spheres) => {
                let sphere = &spheres[primitive_id];
                let normal = of_unit_sphere(part, random);
                plus(vector(sphere.center), times(sphere.radius.to_f64(), normal))
            }
            Self::RoundCones(cones) => {
                let cone = &cones[primitive_id];
                let end = random.below(2);
                let normal = of_unit_sphere(part, random);
                let on_ball = plus(vector(cone.ends[end]), times(cone.radii[end].to_f64(), normal));
                // On a ball at an end, or amid the cone.
                let middle = times(0.5, plus(vector(cone.ends[0]), vector(cone.ends[1])));
                if random.below(2) == 0 {
                    on_ball
                } else {
                    plus(times(0.5, on_ball), times(0.5, middle))
                }
            }
            Self::Cylinders(cylinders) => {
                let [a, b] = cylinders[primitive_id].ends.map(vector);
                let radius = cylinders[primitive_id].radius.to_f64();
                let axis = minus(b, a);
                // A direction square to the axis, if there is one.
                let any = of_unit_sphere(Part::Face, random);
                let across = cross(axis, any);
                let across = if length(across) > 0.0 { unit(across) } else { any };
                let cap = random.below(2) as f64;
                // On a rim, on the side, on a cap.
                let [along, away] = match part {
                    Part::Corner => [cap, 1.0],
                    Part::Edge => [random.unit_f64(), 1.0],
                    Part::Face => [cap, random.unit_f64()],
                };
                plus(plus(a, times(along, axis)), times(away * radius, across))
            }
            Self::Hidden => [0.0; 3],
        }
    }
}

fn of_triangle([a, b, c]: [Vector; 3], part: Part, random: &mut Random) -> Vector {
    let [u, v] = match part {
        Part::Corner => [0.0, 0.0],
        Part::Edge => [if random.below(2) == 0 { 0.5 } else { random.unit_f64() }, 0.0],
        Part::Face => {
            let u = random.unit_f64();
            [u, random.unit_f64() * (1.0 - u)]
        }
    };
    plus(a, plus(times(u, minus(b, a)), times(v, minus(c, a))))
}

fn of_aabb<T: Numbers>(aabb: &Aabb<T>, part: Part, random: &mut Random) -> Vector {
    // An empty box may be infinite.
    let finite = |x: T| if x.is_finite() { x.to_f64() } else { 0.0 };
    let [min, max] = [aabb.min, aabb.max].map(|v| v.map(finite));
    let at = of_unit_box(part, random);
    std::array::from_fn(|axis| 0.5 * ((1.0 - at[axis]) * min[axis] + (1.0 + at[axis]) * max[axis]))
}

/// Of the box from −1 to 1.
fn of_unit_box(part: Part, random: &mut Random) -> Vector {
    let free = match part {
        Part::Corner => 0,
        Part::Edge => 1,
        Part::Face => 2,
    };
    let first = random.below(3);
    std::array::from_fn(|axis| {
        let is_free = (axis + 3 - first) % 3 < free;
        if is_free { 2.0 * random.unit_f64() - 1.0 } else { random.below(2) as f64 * 2.0 - 1.0 }
    })
}

/// Seldom a pole, which rays along the axes graze.
fn of_unit_sphere(part: Part, random: &mut Random) -> Vector {
    let mut pole = [0.0; 3];
    pole[random.below(3)] = if random.below(2) == 0 { 1.0 } else { -1.0 };
    let any = [(); 3].map(|()| 2.0 * random.unit_f64() - 1.0);
    if part == Part::Corner && random.below(8) == 0 || length(any) == 0.0 {
        pole
    } else {
        unit(any)
    }
}

fn ray<T: Numbers>(origin: Vector, direction: Vector) -> Ray<T> {
    Ray::new(rounded(origin), rounded(direction))
}
