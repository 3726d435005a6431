//! What is asked: rays with what each leaves out, and the query.

use crate::common::rays::log_uniform;
use crate::soak::ask::ask;
use crate::soak::rays;
use crate::soak::scenes::{Held, MASKS, Subject};
use crate::soak::setting::Setting;
use lanecast::{Contact, Culling, Hit, INVALID_ID, Ray, Side};
use lanecast_reference::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Query {
    Closest,
    Farthest,
    Any,
    Count,
    All,
    Nearest,
    Line,
    Cost,
    Pick,
    Sight,
    ClosestPoint,
    Distance,
    Contains,
    SignedDistance,
    Occupancy,
}

impl Query {
    pub(crate) const ALL: [Self; 15] = [
        Self::Closest,
        Self::Farthest,
        Self::Any,
        Self::Count,
        Self::All,
        Self::Nearest,
        Self::Line,
        Self::Cost,
        Self::Pick,
        Self::Sight,
        Self::ClosestPoint,
        Self::Distance,
        Self::Contains,
        Self::SignedDistance,
        Self::Occupancy,
    ];

    const OF_POINTS: &[Self] = Self::ALL.split_at(Self::ClosestPoint as usize).1;

    /// Whether it is asked with rays.
    pub(crate) fn is_of_rays(self) -> bool {
        (self as usize) < Self::Pick as usize
    }

    fn suits(self, subject: &Subject) -> bool {
        let (nearest, closed) = (subject.has_nearest, subject.is_closed);
        match self {
            _ if self.is_of_rays() => true,
            Self::Pick | Self::Sight => true,
            Self::ClosestPoint | Self::Distance => nearest,
            Self::Contains | Self::Occupancy => closed,
            _ => nearest && closed,
        }
    }
}

/// A ray and what it leaves out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Its place in the batch as it was drawn.
    pub(crate) id: u32,
    pub(crate) ray: Ray<f64>,
    pub(crate) mask: u32,
    pub(crate) culling: Culling,
    /// Instance, geometry and primitive.
    pub(crate) skip: [u32; 3],
    pub(crate) limit: u32,
    pub(crate) radius: f32,
}

/// Which columns there are, and what all rays leave out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Uses {
    pub(crate) masks: bool,
    pub(crate) culling_of_each: bool,
    pub(crate) skips: bool,
    pub(crate) limits: bool,
    pub(crate) normals: bool,
    pub(crate) culling: Culling,
    pub(crate) contact: Contact,
    pub(crate) filter: Option<u32>,
}

impl Uses {
    pub(crate) const NOTHING: Self = Self {
        masks: false,
        culling_of_each: false,
        skips: false,
        limits: false,
        normals: false,
        culling: Culling::None,
        contact: Contact::Crossing,
        filter: None,
    };

    fn drawn(random: &mut Random) -> Self {
        if random.below(2) == 0 {
            return Self::NOTHING;
        }
        let mut may = || random.below(3) == 0;
        let [masks, culling_of_each, skips, limits, normals, filter] = [(); 6].map(|()| may());
        Self {
            masks,
            culling_of_each,
            skips,
            limits,
            normals,
            culling: random.pick(&SIDES),
            contact: random.pick(&[Contact::Crossing, Contact::Touch]),
            filter: filter.then(|| random.bits() as u32),
        }
    }

    /// What a filter says of a hit of the ray that was drawn as number `id`.
    pub(crate) fn accepts<T>(&self, id: u32, hit: &Hit<T>, side: Side) -> bool {
        let told =
            [id, hit.instance_id, hit.geometry_id, hit.primitive_id, u32::from(side == Side::Back)];
        let mix = |mixed: u32, x: &u32| (mixed ^ x).wrapping_mul(0x9e37_79b1).rotate_left(13);
        !told.iter().fold(self.filter.unwrap_or(0), mix).is_multiple_of(3)
    }
}

const SIDES: [Culling; 4] = [Culling::None, Culling::None, Culling::Back, Culling::Front];

/// The most rays in a batch.
const MOST: usize = 100_000;

/// One batch.
#[derive(Clone)]
pub(crate) struct Case<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) query: Query,
    pub(crate) rays: &'static str,
    pub(crate) rows: Vec<Row>,
    pub(crate) uses: Uses,
    /// Of a grid or of lines of sight: how long the first side is, as a power of all.
    pub(crate) shape: f32,
}

impl<'a> Case<'a> {
    pub(crate) fn drawn(subject: &'a Subject, random: &mut Random) -> Self {
        let query = loop {
            // Few scenes are closed: those are asked all the more what only they answer.
            let queries = if subject.is_closed && random.below(2) == 0 {
                Query::OF_POINTS
            } else {
                &Query::ALL
            };
            let query = random.pick(queries);
            if query.suits(subject) {
                break query;
            }
        };
        let mut uses = Uses::drawn(random);
        if !query.is_of_rays() || query == Query::Cost {
            uses.filter = None;
        }
        // What takes long or fills memory is asked of fewer, but now and then.
        let affordable = match query {
            Query::All | Query::Nearest => (500_000 / subject.steps).min(200_000 / subject.hits),
            _ if query.is_of_rays() || query == Query::Sight => 1_000_000 / subject.steps,
            _ => 200_000 / subject.steps,
        };
        let most = if random.below(24) == 0 && subject.hits < 10 {
            MOST
        } else {
            affordable.clamp(1, MOST)
        };
        let count = log_uniform(if query == Query::Pick { 100 } else { most }, random);
        let (rays, drawn) = rays::drawn(count, subject, random);
        let few_limits = random.pick(&[1, 2, 3, 8, u32::MAX]);
        let radius = random.pick(&[f32::INFINITY, 1.0, 0.1]);
        let row = |(id, ray): (usize, Ray<f64>)| Row {
            id: id as u32,
            ray,
            mask: if uses.masks { random.pick(&MASKS) } else { u32::MAX },
            culling: if uses.culling_of_each { random.pick(&SIDES) } else { Culling::None },
            skip: [INVALID_ID; 3],
            limit: if uses.limits { random.pick(&[0, 1, 2, 5, u32::MAX]) } else { few_limits },
            radius: if uses.limits {
                random.between(-0.01, 1.0) * subject.aims.size as f32
            } else {
                radius
            },
        };
        let rows = drawn.into_iter().enumerate().map(row).collect();
        let mut case = Self { subject, query, rays, rows, uses, shape: random.unit() };
        case.use_hits(random);
        case
    }

    /// Lets few rays skip what they meet first, and end or begin there.
    fn use_hits(&mut self, random: &mut Random) {
        let ends_there = random.below(6) == 0;
        if !self.query.is_of_rays() || self.rows.len() > 3000 || !(ends_there || self.uses.skips) {
            return;
        }
        let asked = Self { query: Query::Closest, uses: Uses::NOTHING, ..self.clone() };
        let Ok(hits) = ask(&asked, &Setting::PLAIN) else { return };
        let is_single = matches!(self.subject.held, Held::Single(_));
        for (number, row) in self.rows.iter_mut().enumerate() {
            let told: Vec<f64> =
                hits.row(number).iter().map(|&word| f64::from_bits(word)).collect();
            let &[1.0, t, primitive_id, geometry_id, instance_id, ..] = &told[..] else { continue };
            if random.below(2) == 0 {
                row.skip = [instance_id, geometry_id, primitive_id].map(|id| id as u32);
            }
            if !ends_there {
                continue;
            }
            let (below, above) = if is_single {
                let t = t as f32;
                (t.next_down().into(), t.next_up().into())
            } else {
                (t.next_down(), t.next_up())
            };
            row.ray = match random.below(5) {
                0 => row.ray.with_interval(row.ray.t_min, t),
                1 => row.ray.with_interval(t, t),
                2 => row.ray.with_interval(row.ray.t_min, below),
                3 => row.ray.with_interval(above, row.ray.t_max),
                _ => row.ray,
            };
        }
    }

    /// Whether there are queries of single rays that answer the same.
    pub(crate) fn suits_single_rays(&self) -> bool {
        !self.uses.normals && self.query != Query::Cost
    }

    /// The same for some of the rays.
    pub(crate) fn of_rows(&self, rows: Vec<Row>) -> Self {
        Self { rows, ..*self }
    }
}
