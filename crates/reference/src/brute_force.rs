//! What a ray meets, by brute force in `f64` and, where that is the precision, in twice its digits,
//! written for reading. It shares no code with the engine.
//!
//! A ray is tested against every primitive of every scene, by each path of instances that leads
//! there, along which it is carried back. What it meets or misses for certain the engine must say.
//! Where rounding decides, either answer will do: where a hit lies at an end of the ray's interval,
//! and where a line grazes a box or a sphere. (Triangles that a ray grazes are decided exactly, but
//! beyond an end of its interval.)

use crate::line::boxes::{of_box, of_oriented_box};
use crate::line::chord::Chord;
use crate::line::sphere::of_sphere;
use crate::line::triangle::{Eye, Verdict};
use crate::line::{OF_NORMALS, Passage, cylinder, round_cone, triangle_exactly};
use crate::vector::{Numbers, dot, unit, vector};
use crate::world::{Frame, Geometry, Mesh, World};
use lanecast::primitive::{Primitives, SurfacePoint};
use lanecast::{INVALID_ID, Ray, Side, Status};

/// A point in which a ray meets a primitive, or perhaps meets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    pub instance_id: u32,
    pub geometry_id: u32,
    pub primitive_id: u32,
    /// As it is in the frame of the scene that holds the primitive, but the side, which instances
    /// that mirror turn round.
    pub passage: Passage,
    /// Whether rounding cannot undo it: `t` is within the ray's interval by more than its error,
    /// and the line does not graze a box or a sphere.
    pub is_certain: bool,
}

/// All that a ray meets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expected {
    /// What is wrong with the ray if it is not to be cast.
    pub defect: Option<Status>,
    /// Whether its numbers are perhaps more than the frames of what is placed can hold: it may then
    /// be refused.
    pub may_be_refused: bool,
    /// In the order of ids.
    pub meetings: Vec<Meeting>,
    /// Whether plain `f64` left any triangle open.
    pub is_near_an_edge: bool,
    /// Whether it perhaps meets a box or a sphere, or passes it.
    pub grazes: bool,
    /// Whether anything that it meets is within rounding of an end of its interval.
    pub ends_at_a_hit: bool,
}

/// Tests a ray against every primitive, in each of the places that it has.
pub fn cast<T: Compiled>(world: &World<T>, ray: &Ray<T>) -> Expected {
    T::cast(world, ray)
}

/// What is compiled here, and not by callers, who may do it with less optimisation.
pub trait Compiled: Numbers {
    fn cast(world: &World<Self>, ray: &Ray<Self>) -> Expected;
}

impl Compiled for f32 {
    fn cast(world: &World, ray: &Ray) -> Expected {
        cast_ray(world, ray)
    }
}

impl Compiled for f64 {
    fn cast(world: &World<Self>, ray: &Ray<Self>) -> Expected {
        cast_ray(world, ray)
    }
}

fn cast_ray<T: Numbers>(world: &World<T>, ray: &Ray<T>) -> Expected {
    let defect = defect(ray);
    let mut expected = Expected { defect, ..Expected::default() };
    if defect.is_none() {
        expected.may_be_refused = world.outermost().may_refuse(ray);
        let mut casting = Casting { world, is_mirrored: false, expected };
        casting.cast_in(world.outermost(), ray, INVALID_ID);
        expected = casting.expected;
    }
    expected
}

/// A ray on its way through scenes in scenes.
struct Casting<'w, T: Numbers> {
    world: &'w World<'w, T>,
    /// Whether an odd number of the maps on its way mirror.
    is_mirrored: bool,
    expected: Expected,
}

impl<T: Numbers> Casting<'_, T> {
    fn cast_in(&mut self, frame: &Frame<T>, ray: &Ray<T>, instance_id: u32) {
        for (geometry_id, geometry) in (0..).zip(&frame.geometries) {
            let ids = [instance_id, geometry_id];
            match geometry {
                Geometry::Mesh(mesh) => self.cast_at_mesh(mesh, ray, ids),
                Geometry::Boxes(boxes) => self.cast_at_solids(boxes, of_box, alike, ray, ids),
                Geometry::OrientedBoxes(boxes) => {
                    self.cast_at_solids(boxes, of_oriented_box, alike, ray, ids);
                }
                Geometry::Spheres(spheres) => {
                    self.cast_at_solids(spheres, of_sphere, alike, ray, ids);
                }
                Geometry::RoundCones(cones) => {
                    let chord_of = round_cone::of_round_cone;
                    self.cast_at_solids(cones, chord_of, round_cone::passages, ray, ids);
                }
                Geometry::Cylinders(cylinders) => {
                    let chord_of = cylinder::of_cylinder;
                    self.cast_at_solids(cylinders, chord_of, cylinder::passages, ray, ids);
                }
                Geometry::Own(primitives) => self.ask_own(*primitives, ray, ids),
                Geometry::Hidden => {}
            }
        }
        for instance in &frame.instances {
            let inner = self.world.frame(instance);
            // The id of an instance is followed by those of the instances in it.
            let instance_id = instance_id.wrapping_add(1) + instance.id;
            let placed = instance.map.carry_back(ray);
            // What cannot be cast there was refused before.
            if !(instance.is_hidden || inner.is_empty() || defect(&placed).is_some()) {
                self.is_mirrored ^= instance.map.is_mirrored();
                self.cast_in(inner, &placed, instance_id);
                self.is_mirrored ^= instance.map.is_mirrored();
            }
        }
    }

    fn cast_at_mesh(&mut self, mesh: &Mesh<'_, T>, ray: &Ray<T>, ids: [u32; 2]) {
        let eye = Eye::new(ray);
        for (primitive_id, triangle) in (0..).zip(&*mesh.triangles) {
            let corners = triangle.map(|vertex| mesh.vertices[vertex as usize]);
            let passage = match eye.look(corners) {
                Verdict::Misses => continue,
                Verdict::Meets(passage) => passage,
                Verdict::Open if !triangle_exactly::is_exact(ray, corners) => {
                    // So small that nothing is promised: perhaps it is met.
                    self.meet(ray, ids, primitive_id, eye.anywhere(corners), false);
                    continue;
                }
                Verdict::Open => {
                    self.expected.is_near_an_edge = true;
                    let Some(passage) = triangle_exactly::decide(ray, corners) else { continue };
                    let as_it_is = eye.as_it_is(corners, passage);
                    // 0 is an end of both halves of a line.
                    let is_at_zero = passage.t.abs() <= as_it_is.t_error;
                    let is_as_decided = within(ray, &passage) == Some(true) && !is_at_zero;
                    if is_as_decided && !eye.may_reach_far(corners, &passage) {
                        passage
                    } else {
                        as_it_is
                    }
                }
            };
            // What was counter-clockwise is clockwise in a mirror, but for shapes.
            let side = if self.is_mirrored && !mesh.keeps_front {
                opposite(passage.side)
            } else {
                passage.side
            };
            self.meet(ray, ids, primitive_id, Passage { side, ..passage }, true);
        }
    }

    fn cast_at_solids<S>(
        &mut self,
        solids: &[S],
        chord_of: impl Fn(&S, &Ray<T>) -> Option<Chord>,
        passages: impl Fn(&S, &Ray<T>, &Chord) -> [Passage; 2],
        ray: &Ray<T>,
        ids: [u32; 2],
    ) {
        for (primitive_id, solid) in (0..).zip(solids) {
            let Some(chord) = chord_of(solid, ray) else { continue };
            for passage in passages(solid, ray, &chord) {
                self.meet(ray, ids, primitive_id, passage, chord.is_certain);
            }
        }
    }

    /// Primitives of the caller's own are what they say: nothing of it is rounded.
    fn ask_own(&mut self, primitives: &dyn Primitives<T>, ray: &Ray<T>, ids: [u32; 2]) {
        for primitive_id in (0..).take(primitives.count()) {
            if primitives.bounds(primitive_id).is_empty() {
                continue;
            }
            let mut count = 0;
            primitives.intersect(primitive_id, ray, &mut |SurfacePoint { t, u, v, normal }| {
                let (outwards, is_first) = (vector(normal), count % 2 == 0);
                let comes_from_outside = if primitives.tells_in_order() {
                    is_first
                } else {
                    dot(vector(ray.direction), outwards) < 0.0
                };
                let passage = Passage {
                    t: t.to_f64(),
                    t_error: 0.0,
                    weights: [u, v].map(T::to_f64),
                    weight_errors: [0.0; 2],
                    crosses: true,
                    side: if comes_from_outside { Side::Front } else { Side::Back },
                    normal: Some((unit(outwards), OF_NORMALS)),
                };
                count += 1;
                if t.is_finite() {
                    self.meet(ray, ids, primitive_id, passage, true);
                }
            });
        }
    }

    fn meet(
        &mut self,
        ray: &Ray<T>,
        ids: [u32; 2],
        primitive_id: u32,
        passage: Passage,
        is_certain: bool,
    ) {
        let [instance_id, geometry_id] = ids;
        if let Some(is_within) = within(ray, &passage) {
            self.expected.grazes |= !is_certain;
            self.expected.ends_at_a_hit |= !is_within;
            let is_certain = is_certain && is_within;
            self.expected.meetings.push(Meeting {
                instance_id,
                geometry_id,
                primitive_id,
                passage,
                is_certain,
            });
        }
    }
}

/// The passages of a solid whose surface has no coordinates.
fn alike<S, T: Numbers>(_: &S, _: &Ray<T>, chord: &Chord) -> [Passage; 2] {
    chord.passages::<T>()
}

fn opposite(side: Side) -> Side {
    match side {
        Side::Front => Side::Back,
        Side::Back => Side::Front,
    }
}

/// What is wrong with a ray, by the words at `Status`.
fn defect<T: Numbers>(ray: &Ray<T>) -> Option<Status> {
    let bound = T::LARGEST_COORDINATE.to_f64();
    let [origin, direction] = [ray.origin, ray.direction].map(vector);
    let largest = direction.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if origin.iter().any(|x| x.is_nan() || x.abs() > bound) {
        Some(Status::InvalidOrigin)
    } else if direction.iter().any(|x| !x.is_finite()) {
        Some(Status::InvalidDirection)
    } else if largest == 0.0 {
        Some(Status::ZeroDirection)
    } else if largest > bound || largest < 1.0 / bound {
        Some(Status::DirectionOutOfRange)
    } else if ray.t_min.is_nan() || ray.t_max.is_nan() {
        Some(Status::InvalidInterval)
    } else if ray.t_min > ray.t_max {
        Some(Status::EmptyInterval)
    } else {
        None
    }
}

/// Whether the passage is within the interval: surely (`true`), perhaps (`false`), or surely not.
fn within<T: Numbers>(ray: &Ray<T>, passage: &Passage) -> Option<bool> {
    let [t_min, t_max] = [ray.t_min, ray.t_max].map(T::to_f64);
    let [least, greatest] = [passage.t - passage.t_error, passage.t + passage.t_error];
    if greatest < t_min || t_max < least {
        return None;
    }
    // A `t` that the precision cannot hold is none.
    Some(
        t_min <= least
            && greatest <= t_max
            && least.abs().max(greatest.abs()) < T::GREATEST.to_f64(),
    )
}
