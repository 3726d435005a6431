//! What rays must meet in a [random world](RandomWorld), and whether that is what was found: brute
//! force, with the sides, points and normals of the things where they are placed.

use std::collections::HashMap;

use crate::brute_force::{Meeting, cast};
use crate::judge::{are_paired, is_at};
use crate::line::OF_NORMALS;
use crate::placed::frame::{Blur, carried_normal, carried_vector, stretches};
use crate::placed::shape::Shape;
use crate::random_worlds::{RandomWorld, Thing};
use crate::vector::{Vector, length, minus, plus, times, unit, vector};
use crate::world::World;
use lanecast::{Contact, Hit, INVALID_ID, Ray, Side};

/// A world and how its things are called.
pub struct Known<'a> {
    pub world: &'a RandomWorld,
    /// As brute force sees it.
    pub seen: World<'a>,
    blurs: Vec<Blur>,
    /// Instance, geometry and primitive of each thing.
    pub ids: Vec<[u32; 3]>,
    numbers: HashMap<[u32; 3], usize>,
}

impl<'a> Known<'a> {
    pub fn new(world: &'a RandomWorld) -> Self {
        let paths = (0..).map_while(|id| world.scene.instance_path(id).ok().map(|path| (path, id)));
        let instances: HashMap<Vec<u32>, u32> = paths.chain([(Vec::new(), INVALID_ID)]).collect();
        let things = &world.things;
        let ids: Vec<_> =
            things.iter().map(|t| [instances[&t.path], t.geometry_id, t.primitive_id]).collect();
        let numbers = ids.iter().enumerate().map(|(number, &ids)| (ids, number)).collect();
        let blurs = things.iter().map(|thing| Blur::of(&thing.maps)).collect();
        Self { world, seen: World::of_scene(&world.scene).expect("a world"), blurs, ids, numbers }
    }

    /// The thing that a hit names.
    pub fn number(&self, hit: &Hit) -> usize {
        self.numbered([hit.instance_id, hit.geometry_id, hit.primitive_id])
    }

    fn numbered(&self, ids: [u32; 3]) -> usize {
        *self.numbers.get(&ids).unwrap_or_else(|| panic!("no such thing: {ids:?}"))
    }

    pub fn of_ray(&self, ray: &Ray) -> Expected<'_> {
        let expected = cast(&self.seen, ray);
        assert!(expected.defect.is_none() && !expected.may_be_refused, "{ray:?}: {expected:?}");
        let numbered = |meeting: &Meeting| {
            self.numbered([meeting.instance_id, meeting.geometry_id, meeting.primitive_id])
        };
        let met =
            expected.meetings.into_iter().map(|meeting| (numbered(&meeting), meeting)).collect();
        Expected { known: self, ray: *ray, met }
    }
}

/// What a ray must meet.
pub struct Expected<'a> {
    pub known: &'a Known<'a>,
    pub ray: Ray,
    /// Each with its thing.
    met: Vec<(usize, Meeting)>,
}

/// Which things count, from which side.
pub type Counts<'a> = &'a dyn Fn(usize, Side) -> bool;

/// Everything does.
pub const ALL: Counts<'static> = &|_, _| true;

/// What was held against the reference, and what it could not tell.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    pub sure: usize,
    pub open: usize,
}

impl Tally {
    pub fn add(&mut self, other: Self) {
        self.sure += other.sure;
        self.open += other.open;
    }

    /// Most of it must be sure.
    pub fn assert_most(self, least: usize) {
        assert!(self.sure >= least && self.sure > 4 * self.open, "{self:?}, {least} expected");
    }
}

impl Expected<'_> {
    /// What counts of all that the ray touches, or of what it crosses.
    pub fn meetings(&self, contact: Contact, counts: Counts<'_>) -> Vec<Meeting> {
        let met = self
            .met
            .iter()
            .filter(|(_, meeting)| contact == Contact::Touch || meeting.passage.crosses);
        met.filter(|(thing, meeting)| counts(*thing, meeting.passage.side))
            .map(|(_, meeting)| *meeting)
            .collect()
    }

    /// The least and the greatest number of hits.
    pub fn count(&self, contact: Contact, counts: Counts<'_>) -> [usize; 2] {
        let meetings = self.meetings(contact, counts);
        [meetings.iter().filter(|meeting| meeting.is_certain).count(), meetings.len()]
    }

    /// Hits must be all that there is between two `t`, in order, and each what the reference says.
    /// Says of each hit which meeting it is, if it can be only one.
    pub fn hold(
        &self,
        hits: &[Hit],
        between: [f64; 2],
        contact: Contact,
        counts: Counts<'_>,
        context: &str,
    ) -> (Tally, Vec<Option<Meeting>>) {
        let context = || format!("{context}, {:?}: {hits:?}", self.ray);
        let ids = |hit: &Hit| (hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
        for pair in hits.windows(2) {
            assert!(
                pair[0].t < pair[1].t || (pair[0].t == pair[1].t && ids(&pair[0]) <= ids(&pair[1])),
                "{}: not in order: {pair:?}",
                context()
            );
        }
        for hit in hits {
            assert!(self.ray.t_min <= hit.t && hit.t <= self.ray.t_max, "{}: {hit:?}", context());
        }
        let mut meetings = self.meetings(contact, counts);
        for meeting in &mut meetings {
            let [t, t_error] = [meeting.passage.t, meeting.passage.t_error];
            meeting.is_certain &= between[0] < t - t_error && t + t_error < between[1];
        }
        let meetings: Vec<&Meeting> = meetings.iter().collect();
        assert!(are_paired(hits, &meetings), "{}, not {meetings:?}", context());
        let told: Vec<_> = hits
            .iter()
            .map(|hit| {
                let mut there = meetings.iter().filter(|meeting| is_at(hit, meeting));
                there.next().filter(|_| there.next().is_none()).map(|meeting| **meeting)
            })
            .collect();
        let sure = told.iter().flatten().count();
        (Tally { sure, open: told.len() - sure }, told)
    }

    pub fn at(&self, t: f64) -> Vector {
        plus(vector(self.ray.origin), times(t, vector(self.ray.direction)))
    }

    /// How far a point told of may be off: the ray was rounded in each frame on its way.
    pub fn room(&self, thing: usize, meeting: &Meeting) -> f64 {
        let (origin, direction) = (vector(self.ray.origin), vector(self.ray.direction));
        let reach = 2.0 * length(origin) + 2.0 * self.known.world.things[thing].shape.size();
        2.0 * meeting.passage.t_error * length(direction)
            + 4.0 * self.known.blurs[thing].outside(reach)
            + 1e-5 * self.at(meeting.passage.t).map(f64::abs).into_iter().fold(1.0, f64::max)
    }
}

/// A normal points where the reference says, of whatever length, if it says so.
pub fn hold_normal(normal: Vector, meeting: &Meeting, thing: &Thing, context: &dyn Fn() -> String) {
    let Some((own, error)) = meeting.passage.normal else { return };
    let turned = |normal: Vector, map: &lanecast::Affine| {
        // What has an inside keeps it in a mirror.
        let is_turned = map.is_mirrored() && !matches!(thing.own, Shape::Triangle(_));
        times(if is_turned { -1.0 } else { 1.0 }, carried_normal(map, normal))
    };
    let expected = unit(thing.maps.iter().rev().fold(own, turned));
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let axes =
        axes.map(|axis| thing.maps.iter().rev().fold(axis, |axis, map| carried_vector(map, axis)));
    let [least, most] = stretches(axes);
    let error = OF_NORMALS + (error - OF_NORMALS) * most / least;
    if error < 0.1 {
        let off = length(minus(unit(normal), expected));
        assert!(
            off <= error,
            "{normal:?}, not {expected:?}: {off:e} off, {error:e} may be; {}",
            context()
        );
    }
}
