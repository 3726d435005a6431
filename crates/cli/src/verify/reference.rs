//! What a ray meets, by brute force in `f64`, written for reading. It shares no code with the engine.
//!
//! A ray is tested against every primitive of every scene, by each path of instances that leads there, along which it is
//! carried back. What it meets or misses for certain the engine must say. Where rounding decides, either answer will do:
//! where a hit lies at an end of the ray's interval, and where a line grazes a box or a sphere. (Triangles that a ray
//! grazes are decided exactly, but beyond an end of its interval.)

use super::boxes::{of_box, of_oriented_box};
use super::chord::Chord;
use super::exact;
use super::sphere::of_sphere;
use super::triangle::{Eye, Verdict};
use super::world::{Frame, Geometry, World};
use lanecast::{INVALID_ID, Ray, Status};
use lanecast_io::Mesh;

/// The unit roundoff of `f32`.
pub(super) const ROUNDOFF: f64 = 1.0 / (1_u64 << 24) as f64;
/// The least positive `f32`.
pub(super) const LEAST: f64 = f32::from_bits(1) as f64;

/// A point in which a ray meets a primitive, or perhaps meets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meeting {
    pub(super) instance_id: u32,
    pub(super) geometry_id: u32,
    pub(super) primitive_id: u32,
    pub(super) passage: Passage,
    /// Whether rounding cannot undo it: `t` is within the ray's interval by more than its error, and the line does not
    /// graze a box or a sphere.
    pub(super) is_certain: bool,
}

/// Where the line of a ray passes through a surface, and by how much the engine may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passage {
    pub(super) t: f64,
    pub(super) t_error: f64,
    /// Those of the second and third vertex of a triangle, on others 0.
    pub(super) weights: [f64; 2],
    pub(super) weight_errors: [f64; 2],
    /// Whether it counts as a crossing of the surface; if not, a neighbour's does.
    pub(super) crosses: bool,
}

/// All that a ray meets.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Expected {
    /// What is wrong with the ray if it is not to be cast.
    pub(super) defect: Option<Status>,
    /// Whether its numbers are perhaps more than the frames of what is placed can hold: it may then be refused.
    pub(super) may_be_refused: bool,
    /// In the order of ids.
    pub(super) meetings: Vec<Meeting>,
    /// Whether plain `f64` left any triangle open.
    pub(super) is_near_an_edge: bool,
    /// Whether it perhaps meets a box or a sphere, or passes it.
    pub(super) grazes: bool,
    /// Whether anything that it meets is within rounding of an end of its interval.
    pub(super) ends_at_a_hit: bool,
}

/// Tests a ray against every primitive, in each of the places that it has.
pub(super) fn cast(world: &World, ray: &Ray) -> Expected {
    let defect = defect(ray);
    let mut expected = Expected { defect, ..Expected::default() };
    if defect.is_none() {
        expected.may_be_refused = world.outermost().may_refuse(ray);
        let mut casting = Casting { world, next_id: 0, expected };
        casting.cast_in(world.outermost(), ray, INVALID_ID);
        expected = casting.expected;
    }
    expected
}

/// A ray on its way through scenes in scenes.
struct Casting<'w> {
    world: &'w World<'w>,
    /// The id of the instance that it comes to next: that of an instance is followed by those of the instances in it.
    next_id: u32,
    expected: Expected,
}

impl Casting<'_> {
    fn cast_in(&mut self, frame: &Frame, ray: &Ray, instance_id: u32) {
        for (geometry_id, geometry) in (0..).zip(&frame.geometries) {
            let ids = [instance_id, geometry_id];
            match geometry {
                Geometry::Mesh(mesh) => self.cast_at_mesh(mesh, ray, ids),
                Geometry::Boxes(boxes) => self.cast_at_solids(boxes, of_box, ray, ids),
                Geometry::OrientedBoxes(boxes) => self.cast_at_solids(boxes, of_oriented_box, ray, ids),
                Geometry::Spheres(spheres) => self.cast_at_solids(spheres, of_sphere, ray, ids),
                Geometry::Hidden => {}
            }
        }
        for instance in &frame.instances {
            let (inner, instance_id) = (self.world.frame(instance), self.next_id);
            self.next_id += 1;
            let placed = instance.map.carry_back(ray);
            // What cannot be cast there was refused before.
            if instance.is_hidden || inner.is_empty() || defect(&placed).is_some() {
                self.next_id += inner.ids;
            } else {
                self.cast_in(inner, &placed, instance_id);
            }
        }
    }

    fn cast_at_mesh(&mut self, mesh: &Mesh, ray: &Ray, ids: [u32; 2]) {
        let eye = Eye::new(ray);
        for (primitive_id, triangle) in (0..).zip(&mesh.triangles) {
            let corners = triangle.map(|vertex| mesh.vertices[vertex as usize]);
            let passage = match eye.look(corners) {
                Verdict::Misses => continue,
                Verdict::Meets(passage) => passage,
                Verdict::Open => {
                    self.expected.is_near_an_edge = true;
                    let Some(passage) = exact::decide(ray, corners) else { continue };
                    let as_it_is = eye.as_it_is(corners, passage);
                    // 0 is an end of both halves of a line.
                    let is_at_zero = passage.t.abs() <= as_it_is.t_error;
                    if within(ray, &passage) == Some(true) && !is_at_zero { passage } else { as_it_is }
                }
            };
            self.meet(ray, ids, primitive_id, passage, true);
        }
    }

    fn cast_at_solids<T>(
        &mut self,
        solids: &[T],
        chord_of: impl Fn(&T, &Ray) -> Option<Chord>,
        ray: &Ray,
        ids: [u32; 2],
    ) {
        for (primitive_id, solid) in (0..).zip(solids) {
            let Some(chord) = chord_of(solid, ray) else { continue };
            for passage in chord.passages() {
                self.meet(ray, ids, primitive_id, passage, chord.is_certain);
            }
        }
    }

    fn meet(&mut self, ray: &Ray, ids: [u32; 2], primitive_id: u32, passage: Passage, is_certain: bool) {
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

/// What is wrong with a ray, by the words at `Status`.
fn defect(ray: &Ray) -> Option<Status> {
    let bound = 2.0_f32.powi(100);
    let largest = ray.direction.iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
    if ray.origin.iter().any(|x| x.is_nan() || x.abs() > bound) {
        Some(Status::InvalidOrigin)
    } else if ray.direction.iter().any(|x| !x.is_finite()) {
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
fn within(ray: &Ray, passage: &Passage) -> Option<bool> {
    let [t_min, t_max] = [ray.t_min, ray.t_max].map(f64::from);
    let [least, greatest] = [passage.t - passage.t_error, passage.t + passage.t_error];
    if greatest < t_min || t_max < least {
        return None;
    }
    // A `t` that `f32` cannot hold is none.
    Some(t_min <= least && greatest <= t_max && least.abs().max(greatest.abs()) < f64::from(f32::MAX))
}
