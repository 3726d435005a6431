//! What rays must meet, and whether that is what was found.

use std::collections::HashMap;

use crate::reference::crossing::{Crossing, Meeting, meeting};
use crate::reference::frame::Blur;
use crate::reference::shape::Shape;
use crate::reference::{Vector, interval, length, minus, plus, times, vector};
use crate::world::World;
use lanecast::{Hit, INVALID_ID, Ray, Side};

/// A world and how its things are called.
pub(crate) struct Known<'a> {
    pub(crate) world: &'a World,
    pub(crate) blurs: Vec<Blur>,
    /// Instance, geometry and primitive of each thing.
    pub(crate) ids: Vec<[u32; 3]>,
    numbers: HashMap<[u32; 3], usize>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        let paths = (0..).map_while(|id| world.scene.instance_path(id).ok().map(|path| (path, id)));
        let instances: HashMap<Vec<u32>, u32> = paths.chain([(Vec::new(), INVALID_ID)]).collect();
        let things = &world.things;
        let ids: Vec<_> =
            things.iter().map(|t| [instances[&t.path], t.geometry_id, t.primitive_id]).collect();
        let numbers = ids.iter().enumerate().map(|(number, &ids)| (ids, number)).collect();
        let blurs = things.iter().map(|thing| Blur::of(&thing.maps)).collect();
        Self { world, blurs, ids, numbers }
    }

    /// The thing that a hit names.
    pub(crate) fn number(&self, hit: &Hit) -> usize {
        let ids = [hit.instance_id, hit.geometry_id, hit.primitive_id];
        *self.numbers.get(&ids).unwrap_or_else(|| panic!("no such thing: {hit:?}"))
    }

    pub(crate) fn of_ray(&self, ray: &Ray) -> Expected<'_> {
        let met = self.world.things.iter().zip(&self.blurs);
        let met = met.map(|(thing, blur)| meeting(ray, thing.own, thing.shape, blur)).collect();
        Expected { known: self, ray: *ray, met }
    }
}

/// What a ray must meet.
pub(crate) struct Expected<'a> {
    pub(crate) known: &'a Known<'a>,
    pub(crate) ray: Ray,
    /// What its line has to do with each thing.
    met: Vec<Meeting>,
}

/// Which things count, from which side.
pub(crate) type Counts<'a> = &'a dyn Fn(usize, Side) -> bool;

/// Everything does.
pub(crate) const ALL: Counts<'static> = &|_, _| true;

/// What was held against the reference, and what it could not tell.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) sure: usize,
    pub(crate) open: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.sure += other.sure;
        self.open += other.open;
    }

    /// Most of it must be sure.
    pub(crate) fn assert_most(self, least: usize) {
        assert!(self.sure >= least && self.sure > 4 * self.open, "{self:?}, {least} expected");
    }
}

impl Expected<'_> {
    /// The crossings of a thing that may count, each with whether it surely does; `None` where roundings decide.
    pub(crate) fn crossings(&self, thing: usize, counts: Counts<'_>) -> Option<Vec<(Crossing, bool)>> {
        let Meeting::Sure(crossings) = &self.met[thing] else { return None };
        let [t_min, t_max] = interval(&self.ray);
        let within = crossings.iter().filter(|crossing| counts(thing, crossing.side));
        let within = within.filter_map(|&crossing| {
            let Crossing { t, t_error, .. } = crossing;
            let may = t_min - t_error <= t && t <= t_max + t_error;
            may.then_some((crossing, t_min + t_error < t && t < t_max - t_error))
        });
        Some(within.collect())
    }

    /// The least and the greatest number of hits.
    pub(crate) fn count(&self, counts: Counts<'_>) -> [usize; 2] {
        let (mut least, mut most) = (0, 0_usize);
        for thing in 0..self.met.len() {
            match self.crossings(thing, counts) {
                Some(crossings) => {
                    least += crossings.iter().filter(|(_, sure)| *sure).count();
                    most = most.saturating_add(crossings.len());
                }
                // A thing that does not count from either side is not met.
                None if counts(thing, Side::Front) || counts(thing, Side::Back) => most = usize::MAX,
                None => {}
            }
        }
        [least, most]
    }

    /// Hits must be all that there is between two `t`, in order, and each what the reference says. Says of each hit
    /// which crossing it is, if that is sure.
    pub(crate) fn hold(
        &self,
        hits: &[Hit],
        between: [f64; 2],
        counts: Counts<'_>,
        context: &str,
    ) -> (Tally, Vec<Option<Crossing>>) {
        let context = || format!("{context}, {:?}", self.ray);
        let ids = |hit: &Hit| (hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
        for pair in hits.windows(2) {
            assert!(
                pair[0].t < pair[1].t || (pair[0].t == pair[1].t && ids(&pair[0]) <= ids(&pair[1])),
                "{}: not in order: {pair:?}",
                context()
            );
        }
        let mut of_things: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, hit) in hits.iter().enumerate() {
            assert!(self.ray.t_min <= hit.t && hit.t <= self.ray.t_max, "{}: {hit:?}", context());
            of_things.entry(self.known.number(hit)).or_default().push(place);
        }
        let (mut tally, mut told) = (Tally::default(), vec![None; hits.len()]);
        for thing in 0..self.met.len() {
            let places = of_things.remove(&thing).unwrap_or_default();
            let Some(mut expected) = self.crossings(thing, counts) else {
                tally.open += places.len();
                let met = places.is_empty() || counts(thing, Side::Front) || counts(thing, Side::Back);
                assert!(met, "{}: {thing} does not count", context());
                continue;
            };
            let describe = || format!("{}: {:?}", context(), self.known.world.things[thing]);
            for place in places {
                let hit = hits[place];
                let near = |(crossing, _): &(Crossing, bool)| {
                    (f64::from(hit.t) - crossing.t).abs() <= crossing.t_error
                };
                let Some(found) = expected.iter().position(near) else {
                    panic!("{hit:?} is not there, but {expected:?}; {}", describe());
                };
                let (crossing, _) = expected.remove(found);
                self.hold_weights(&hit, thing, &crossing, &describe);
                told[place] = Some(crossing);
                tally.sure += 1;
            }
            for (Crossing { t, t_error, side, .. }, sure) in expected {
                let due = sure && between[0] < t - t_error && t + t_error < between[1];
                assert!(!due, "{side:?} at {t} is missing from {hits:?}; {}", describe());
            }
        }
        (tally, told)
    }

    /// The weights of a triangle's corners are those of the point on the line.
    fn hold_weights(&self, hit: &Hit, thing: usize, crossing: &Crossing, describe: &dyn Fn() -> String) {
        let Shape::Triangle([a, b, c]) = self.known.world.things[thing].shape else {
            assert_eq!((hit.u, hit.v), (0.0, 0.0), "{}", describe());
            return;
        };
        let [u, v] = [hit.u, hit.v].map(f64::from);
        let weighted = plus(times(1.0 - u - v, a), plus(times(u, b), times(v, c)));
        let off = length(minus(weighted, self.at(crossing.t)));
        assert!(off <= self.room(crossing), "{hit:?} is {off:e} off; {}", describe());
    }

    pub(crate) fn at(&self, t: f64) -> Vector {
        plus(vector(self.ray.origin), times(t, vector(self.ray.direction)))
    }

    /// How far a point told of may be off.
    pub(crate) fn room(&self, crossing: &Crossing) -> f64 {
        2.0 * crossing.t_error * length(vector(self.ray.direction))
            + 1e-5 * self.at(crossing.t).map(f64::abs).into_iter().fold(1.0, f64::max)
    }
}

/// A normal points where the reference says, of whatever length, if it says so.
pub(crate) fn hold_normal(normal: Vector, crossing: &Crossing, context: &dyn Fn() -> String) {
    let Some((expected, error)) = crossing.normal else { return };
    if error < 0.1 {
        let found = times(1.0 / length(normal), normal);
        let off = length(minus(found, expected));
        assert!(off <= error, "{found:?}, not {expected:?}: {off:e} off, {error:e} may be; {}", context());
    }
}
