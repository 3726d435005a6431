//! One cell of the table: all contestants on one set of rays in one scene.

use std::time::Duration;

use serde::Serialize;

use super::answers::mismatches;
use super::contestants::{Entrant, Family, Isa};
use super::mesh::Mesh;
use super::ray_set::{Order, Query, RaySet};
use crate::clock::Clock;
use crate::rounds::{Contestant, Rounds};

/// What came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) scene: &'static str,
    pub(crate) triangles: usize,
    pub(crate) rays: &'static str,
    pub(crate) query: Query,
    pub(crate) order: Order,
    pub(crate) ray_count: usize,
    pub(crate) share_of_hits: f64,
    pub(crate) rounds: usize,
    pub(crate) ratios: Ratios,
    pub(crate) rows: Vec<Row>,
}

/// How many times as fast lanecast is, where both sides took part.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct Ratios {
    /// Its fastest backend and tree, against Embree's best mode that is not robust.
    pub(crate) best: Option<f64>,
    /// The same against Embree's best robust mode.
    pub(crate) robust: Option<f64>,
    /// One ray at a time, against Embree one ray at a time.
    pub(crate) single: Option<f64>,
    /// The AVX2 backend with the better of its trees, against Embree's best mode on AVX2.
    pub(crate) avx2: Option<f64>,
    /// The portable backend with the better of its trees, against Embree's best mode on SSE4.2.
    pub(crate) sse: Option<f64>,
    /// Its fastest backend in `f64`, against the same in `f32` with a tree of the same quality.
    pub(crate) f64: Option<f64>,
    /// The way through the tree, or the choice of lanecast, that is the best in one half of the
    /// rounds, against that choice in the other half, for the best of several would be better by
    /// chance in the rounds that it is picked by. Below 1 if it is no better there.
    pub(crate) way: Option<f64>,
    /// Which mode of Embree was the best.
    pub(crate) best_mode: Option<String>,
}

/// One contestant.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) contestant: String,
    pub(crate) family: Family,
    pub(crate) isa: Option<Isa>,
    pub(crate) rays_cast: usize,
    /// In the rounds; or, where it fell behind another mode of its kind before them, in its heat.
    pub(crate) mega_rays_per_second: Option<f64>,
    pub(crate) in_the_rounds: bool,
    pub(crate) lanecast_is_faster_by: Option<f64>,
    pub(crate) mismatches: usize,
    pub(crate) answers_checked: usize,
}

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measuring {
    /// None for a check of the answers alone.
    pub(crate) time: Option<Duration>,
    pub(crate) clock: Clock,
}

/// How far behind the best mode of its kind one may be in the heat.
const CLOSE: f64 = 1.12;
/// How many modes of a kind take part in the rounds.
const MOST_FINALISTS: usize = 3;

/// A run as long as this was warm for most of it.
const LONG: Duration = Duration::from_millis(50);

impl Cell {
    /// Million rays a second of lanecast's fastest backend and tree.
    pub(crate) fn speed_of_lanecast(&self) -> Option<f64> {
        self.fastest(|row| row.family == Family::Lanecast)
    }

    /// Of Embree's best mode.
    pub(crate) fn speed_of_embree(&self) -> Option<f64> {
        self.fastest(|row| Some(&row.contestant) == self.ratios.best_mode.as_ref())
    }

    fn fastest(&self, of: impl Fn(&Row) -> bool) -> Option<f64> {
        self.rows
            .iter()
            .filter(|row| of(row))
            .filter_map(|row| row.mega_rays_per_second)
            .reduce(f64::max)
    }

    pub(crate) fn measure(
        scene: &'static str,
        mesh: &Mesh,
        set: &RaySet,
        mut entrants: Vec<Entrant<'_>>,
        measuring: Measuring,
    ) -> Self {
        let mut heats = Vec::new();
        let mut answers = Vec::new();
        for entrant in &mut entrants {
            let mut timed = || {
                let start = measuring.clock.now();
                entrant.work.run();
                measuring.clock.now() - start
            };
            let first = timed();
            // A short run is one of cold caches; another shows what the entrant can do.
            let heat = measuring.time.map(|_| if first < LONG { timed() } else { first });
            heats.push(heat.map(|heat| heat.as_secs_f64() / entrant.rays as f64));
            answers.push(entrant.work.answers());
        }
        let mismatches = mismatches(mesh, set, &entrants, &answers);
        let finalists = finalists(&entrants, &heats);
        let mut places = Vec::new();
        let mut contestants: Vec<&mut dyn Contestant> = Vec::new();
        for (place, entrant) in entrants.iter_mut().enumerate() {
            if finalists[place] && measuring.time.is_some() {
                places.push(place);
                contestants.push(entrant.work.as_mut());
            }
        }
        let rounds = match measuring.time {
            Some(time) => Rounds::measure(&mut contestants, time, measuring.clock),
            None => Rounds::default(),
        };
        let finals = Finals { entrants: &entrants, places, rounds };
        let fastest = finals.best(|entrant| entrant.family == Family::Lanecast);
        let rows = entrants.iter().enumerate().map(|(place, entrant)| Row {
            contestant: entrant.name.clone(),
            family: entrant.family,
            isa: entrant.isa,
            rays_cast: entrant.rays,
            mega_rays_per_second: finals
                .speed(place)
                .or(heats[place].map(|seconds| 1e-6 / seconds)),
            in_the_rounds: finals.places.contains(&place),
            lanecast_is_faster_by: fastest.and_then(|fastest| finals.ratio(fastest, place)),
            mismatches: mismatches[place],
            answers_checked: entrant.rays,
        });
        let rows = rows.collect();
        let hits =
            answers.first().map_or(0, |answers| answers.iter().filter(|t| t.is_finite()).count());
        Self {
            scene,
            triangles: mesh.triangles.len(),
            rays: set.name,
            query: set.query,
            order: set.order,
            ray_count: set.rays.len(),
            share_of_hits: hits as f64 / set.rays.len() as f64,
            rounds: finals.rounds.count(),
            ratios: finals.ratios(),
            rows,
        }
    }
}

/// Who takes part in the rounds: all but those modes of Embree that others of their kind leave
/// behind.
fn finalists(entrants: &[Entrant<'_>], heats: &[Option<f64>]) -> Vec<bool> {
    // Of the robust modes one figure is wanted; of the others one per set of instructions.
    let kind = |entrant: &Entrant<'_>| match entrant.family {
        Family::EmbreeRobust => Some((entrant.family, None)),
        Family::EmbreePackets | Family::EmbreeSingle => Some((entrant.family, entrant.isa)),
        _ => None,
    };
    let in_time = |place: usize| {
        let (Some(kind_of_this), Some(seconds)) = (kind(&entrants[place]), heats[place]) else {
            return true;
        };
        let rivals =
            (0..entrants.len()).filter(|&other| kind(&entrants[other]) == Some(kind_of_this));
        let rivals: Vec<f64> = rivals.filter_map(|other| heats[other]).collect();
        let faster = rivals.iter().filter(|&&other| other < seconds).count();
        faster < MOST_FINALISTS && rivals.iter().all(|other| seconds <= CLOSE * other)
    };
    (0..entrants.len()).map(in_time).collect()
}

/// Those who were left, and what they did.
struct Finals<'e, 'w> {
    entrants: &'e [Entrant<'w>],
    /// Of whom each column of the rounds is.
    places: Vec<usize>,
    rounds: Rounds,
}

impl Finals<'_, '_> {
    fn column(&self, place: usize) -> Option<usize> {
        self.places.iter().position(|&other| other == place)
    }

    /// Million rays a second.
    fn speed(&self, place: usize) -> Option<f64> {
        let column = self.column(place)?;
        Some(self.entrants[place].rays as f64 / self.rounds.median(column) / 1e6)
    }

    /// How many times as fast `place` is as `other`.
    fn ratio(&self, place: usize, other: usize) -> Option<f64> {
        let rays = self.entrants[place].rays as f64 / self.entrants[other].rays as f64;
        Some(rays * self.rounds.ratio(self.column(place)?, self.column(other)?))
    }

    fn best(&self, of: impl Fn(&Entrant<'_>) -> bool) -> Option<usize> {
        let candidates = self.places.iter().copied().filter(|&place| of(&self.entrants[place]));
        let speed = |place: usize| self.speed(place).unwrap_or(0.0);
        candidates.max_by(|&a, &b| speed(a).total_cmp(&speed(b)))
    }

    /// The fastest of a family, against lanecast on the same backend, of which the tree that is
    /// named first is of the same quality.
    fn like(&self, family: Family) -> Option<f64> {
        let fastest = self.best(|e| e.family == family)?;
        let is_like = |place: &usize| {
            let entrant = &self.entrants[*place];
            entrant.family == Family::Lanecast && entrant.isa == self.entrants[fastest].isa
        };
        self.ratio(fastest, self.places.iter().copied().find(is_like)?)
    }

    /// See [`Ratios::way`]; the mean of both halves.
    fn way(&self) -> Option<f64> {
        let ways: Vec<usize> = self.columns(|e| e.family == Family::LanecastWay);
        let isa = self.entrants[self.places[*ways.first()?]].isa;
        let chosen = *self.columns(|e| e.family == Family::Lanecast && e.isa == isa).first()?;
        let halves = self.rounds.halves();
        let ratio = |[picked_by, rated_by]: [&Rounds; 2]| {
            let ways = ways.iter().copied().chain([chosen]);
            let best = ways.min_by(|&a, &b| picked_by.median(a).total_cmp(&picked_by.median(b)));
            best.map(|best| rated_by.ratio(best, chosen))
        };
        let [first, second] = &halves;
        Some((ratio([first, second])? * ratio([second, first])?).sqrt())
    }

    fn columns(&self, of: impl Fn(&Entrant<'_>) -> bool) -> Vec<usize> {
        (0..self.places.len()).filter(|&column| of(&self.entrants[self.places[column]])).collect()
    }

    fn ratios(&self) -> Ratios {
        let against = |ours: Option<usize>, theirs: Option<usize>| self.ratio(ours?, theirs?);
        let lanecast = |isa: Isa| self.best(|e| e.family == Family::Lanecast && e.isa == Some(isa));
        let embree_on = |isa: Isa| self.best(|e| e.family.is_embree() && e.isa == Some(isa));
        let fastest = self.best(|e| e.family == Family::Lanecast);
        let embree = self.best(|e| e.family.is_embree());
        Ratios {
            best: against(fastest, embree),
            robust: against(fastest, self.best(|e| e.family == Family::EmbreeRobust)),
            single: against(
                self.best(|e| e.family == Family::LanecastSingle),
                self.best(|e| e.family == Family::EmbreeSingle),
            ),
            avx2: against(lanecast(Isa::Avx2), embree_on(Isa::Avx2)),
            sse: against(lanecast(Isa::Sse), embree_on(Isa::Sse)),
            f64: self.like(Family::LanecastF64),
            way: self.way(),
            best_mode: embree.map(|place| self.entrants[place].name.clone()),
        }
    }
}
