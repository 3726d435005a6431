//! The plan: in which way rays go through a tree, and every figure by which it is chosen.
//!
//! | way | rays | condition |
//! |---|---|---|
//! | [groups](super::groups) | 64 neighbours | they start and point alike, and groups before them paid |
//! | [streams](super::streams) | the rest of a chunk | they are many, and streams before them paid |
//! | streams by octant | the rest of a batch in no order | a stream shows that lists would be longer |
//! | [in flight](super::in_flight) | the rest | they are not few |
//! | [one by one](super::single) | the rest | |
//!
//! Answers do not depend on the way. `docs/notebook/streams.md`, `groups.md` and `in-flight.md`
//! have the measurements.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::by_octant::OCTANTS;
use crate::chunks::Chunk;
use crate::simd::LANES;
use crate::value::{GROUP, Rules};

/// A way through the tree for rays outside groups, for tests. The answers do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// In streams, even if the rays are few or share few nodes.
    Streams,
    /// In streams of one octant each, likewise.
    StreamsByOctant,
    /// In flight: many at once, each with its own stack.
    InFlight,
    /// One after the other.
    OneByOne,
}

/// Whether neighbouring rays go through the tree together, in groups. The answers do not depend on
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Coherence {
    /// Groups of 64 rays are tried where rays start and point alike, and continued where they pay.
    #[default]
    Detect,
    /// All rays go in groups of 64.
    Coherent,
    /// No rays go in groups.
    Incoherent,
}

/// The figures by which ways are chosen, each with what it was measured by.
pub(crate) struct Tuning {
    /// The least and the greatest number of rays in a chunk. In no order rays may be cast octant by
    /// octant, by longer lists. At a scene that holds more than triangles the rays of a chunk are
    /// kept while they are cast at each part.
    pub(crate) chunk_rays: [usize; 2],
    pub(crate) chunk_rays_in_disorder: [usize; 2],
    pub(crate) chunk_rays_at_parts: [usize; 2],

    /// The bytes of the largest tree that stays in the caches, where prefetching only costs: up to
    /// 5% at 3.5 MB; at 64 MB it gains up to 25%.
    cached_bytes: usize,

    /// The greatest spread of the directions of a group, as a part of their longest component, and
    /// of its origins, as a part of the longest side of the scene. The directions of 64 rays of a
    /// picture or a lidar spread by 0.01 to 0.3 of their length, those of reflected light by 1.5
    /// and more. Between them are shadow rays to a near lamp, whose directions spread as their
    /// origins do, and camera rays in disorder: with a bound of 1, those in the city lost 5%.
    group_spread: f32,
    group_reach: f32,
    /// A group is given up after so many vectors of rays, if fewer than 1.5 rays of a vector met
    /// the boxes. Camera rays in disorder meet 0.2 to 0.5, and to finish them takes up to four
    /// times as long as rays one by one.
    group_trial: u64,
    /// The most groups skipped after tries that did not pay. Among groups that pay some do not,
    /// such as those across the edge of an object. To skip another group for each of these cost
    /// shadow rays in a kitchen a third.
    skipped_groups: u32,
    /// At most so many rays, divided by the lanes of a vector, are tested one by one against a
    /// node's boxes, not in vectors against each box. With eight lanes and hits that narrow nothing
    /// it paid in the kitchen alone, and took 2 to 3% from shadow rays in most other scenes.
    few_of_group: u32,

    /// The fewest rays that go in a stream, at trees in the caches and beyond: there rays have to
    /// share more of their nodes. Streams of 256 diffuse rays at the dragon are 1.3 times as slow
    /// as flight, streams of 2048 no slower; in the kitchen streams pay from 256 on.
    fewest_in_stream: [usize; 2],
    /// The fewest rays that share a visit of the whole walk, in the mean, where streams are no
    /// slower than rays in flight.
    rays_per_visit: usize,
    /// Checks of a stream, at its beginning, where they cost little. Some rays share ever fewer
    /// visits: in `jacksboro` 10, 6, and 3 in the whole walk; others more later: shadow rays at the
    /// hairball 7 and 76. Fewer visits than a few hundred are one way down the tree, and show
    /// nothing.
    checks: [Check; 3],
    /// The most streams skipped after tries that did not pay.
    skipped_streams: u32,
    /// Rays in no order that go together first, and show whether the others are better cast octant
    /// by octant.
    pub(super) pilot: usize,
    /// Tenths of a visit for a ray from which on streams of one octant pay where a stream of all
    /// octants went so: copies take as long as a third of a visit a ray, and lists eight times as
    /// long save most visits.
    visits_by_octant: usize,
    /// With so many rays of a stream at a leaf, and vectors of sixteen lanes, each primitive is
    /// tested against vectors of rays; with fewer, each ray against all primitives. The primitives
    /// have to be laid out for it. From 16 rays on the dragon's streams lose 4%, and with vectors
    /// of eight all scenes lose as much.
    pub(super) many_at_leaf: usize,

    /// The fewest rays for which rays in flight pay, at trees in the caches, for hits that do not
    /// narrow intervals and for those that do, and at larger trees; fewer are cast one by one. In a
    /// tree of 19 MB flight pays from 10 to 16 rays on; in one of 3.5 MB from 32 to 64 for closest
    /// hits, and from 128 for any hit, which takes fewer steps that wait for memory. Coherent rays
    /// wait less: 16 neighbours of a picture take 1.3 times as long in flight.
    fewest_in_flight: [usize; 3],
    /// Fewer open pairs are decided one by one: a vector takes as long whether it is full or not,
    /// and vector loads of freshly stored scalars stall.
    pub(super) few_pairs: usize,

    /// The fewest rays that go in streams through the boxes of instances and shapes.
    pub(super) fewest_at_boxes: usize,
    /// The fewest rays at the boxes of instances that are checked for defects together; fewer are
    /// checked one by one.
    pub(crate) fewest_at_instance: usize,

    /// The fewest rays of a batch whose order matters.
    pub(super) fewest_in_disorder: usize,
    /// The least spread of 64 rays that follow each other, as a part of the spread of the batch,
    /// where rays are in no order: random numbers come to 0.7 and more.
    pub(super) disorder: f32,
    /// The fewest rays of a picture, and the most in a line of it.
    pub(super) fewest_in_picture: usize,
    pub(super) most_in_line: usize,
    /// The farthest that the first rays of a line are apart, by their directions, ten degrees; and
    /// how many times as far as those the last ray of a line is from the first of the next.
    pub(super) step_in_line: f32,
    pub(super) jump_of_lines: f32,
}

pub(crate) const TUNING: Tuning = Tuning {
    chunk_rays: [512, 1 << 15],
    chunk_rays_in_disorder: [512, 1 << 18],
    chunk_rays_at_parts: [512, 1 << 14],
    cached_bytes: 8 << 20,
    group_spread: 0.8,
    group_reach: 0.7,
    group_trial: 64,
    skipped_groups: 127,
    few_of_group: 128,
    fewest_in_stream: [256, 2048],
    rays_per_visit: 6,
    checks: [
        Check { rays_per_step: 64, visits: 256, rays_per_visit: 5 },
        Check { rays_per_step: 32, visits: 512, rays_per_visit: 6 },
        Check { rays_per_step: 8, visits: 512, rays_per_visit: 6 },
    ],
    skipped_streams: 31,
    pilot: 1 << 15,
    visits_by_octant: 3,
    many_at_leaf: 32,
    fewest_in_flight: [128, 64, 16],
    few_pairs: 4,
    fewest_at_boxes: 16,
    fewest_at_instance: 8,
    fewest_in_disorder: 1 << 16,
    disorder: 0.5,
    fewest_in_picture: 512,
    most_in_line: 1 << 14,
    step_in_line: 0.17,
    jump_of_lines: 4.0,
};

/// Tiles of a picture are eight by eight rays where a chunk holds so many lines.
pub(super) const TILE: usize = 8;

/// What is known of a batch, and what its chunks learn.
#[derive(Debug)]
pub(crate) struct BatchFacts {
    /// The rays in a line of a picture, if the batch is one; a chunk then begins with a line.
    pub(crate) row_width: Option<usize>,
    /// Whether the rays lie in no order.
    pub(super) in_disorder: bool,
    /// When to try streams again. The chunks of a batch share it.
    pub(super) streams: Mutex<Pace>,
    /// Whether streams of one octant pay.
    pub(super) by_octant: AtomicBool,
}

impl BatchFacts {
    /// Nothing is known.
    pub(crate) const fn new() -> Self {
        Self {
            row_width: None,
            in_disorder: false,
            streams: Mutex::new(Pace::new(1, TUNING.skipped_streams)),
            by_octant: AtomicBool::new(false),
        }
    }

    /// The least and the greatest number of rays in a chunk.
    pub(crate) fn chunk_rays(&self, at_triangles_only: bool) -> [usize; 2] {
        let [shortest, longest] = match (at_triangles_only, self.in_disorder) {
            (true, true) => TUNING.chunk_rays_in_disorder,
            (true, false) => TUNING.chunk_rays,
            (false, _) => TUNING.chunk_rays_at_parts,
        };
        // Eight lines make square tiles.
        let tiles = self.row_width.map_or(0, |width| TILE * width);
        [shortest, longest.max(tiles)]
    }

    pub(super) fn pace<X>(&self, act: impl FnOnce(&mut Pace) -> X) -> X {
        act(&mut self.streams.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How the rays of a chunk are cast.
#[derive(Clone, Copy)]
pub(crate) struct Casting<'a> {
    pub(crate) rules: Rules,
    pub(crate) coherence: Coherence,
    /// The way of all rays outside groups; the fastest unless set.
    pub(crate) way: Option<Way>,
    pub(crate) facts: &'a BatchFacts,
    /// Whom to tell of parts of the chunk.
    pub(crate) chunk: &'a Chunk<'a>,
}

/// Whether nodes of a tree of so many bytes are prefetched.
pub(super) const fn is_beyond_caches(bytes: usize) -> bool {
    bytes > TUNING.cached_bytes
}

impl Casting<'_> {
    /// Whether so many rays try groups.
    pub(super) fn goes_in_groups(&self, rays: usize) -> bool {
        match self.coherence {
            Coherence::Detect => rays >= GROUP,
            Coherence::Coherent => true,
            Coherence::Incoherent => false,
        }
    }

    /// Whether so many rays, less those in groups, go one by one at a tree of this size.
    pub(super) fn goes_one_by_one(&self, rays: usize, bytes: usize, narrows: bool) -> bool {
        let [any, narrowing, large] = TUNING.fewest_in_flight;
        let fewest = match (is_beyond_caches(bytes), narrows) {
            (true, _) => large,
            (false, true) => narrowing,
            (false, false) => any,
        };
        self.way.map_or(rays < fewest, |way| way == Way::OneByOne)
    }

    /// The fewest rays that make a stream at a tree of this size.
    pub(super) fn fewest_in_stream(&self, bytes: usize) -> usize {
        let [small, large] = TUNING.fewest_in_stream;
        match self.way {
            Some(_) => 1,
            None if is_beyond_caches(bytes) => large,
            None => small,
        }
    }

    /// Whether rays that are many enough go in streams now: not for a while after streams that did
    /// not pay.
    pub(super) fn tries_streams(&self) -> bool {
        match self.way {
            Some(way) => matches!(way, Way::Streams | Way::StreamsByOctant),
            None => self.facts.pace(Pace::tries),
        }
    }

    /// Whether rays are taken as they lie only until a stream shows that they are better cast
    /// octant by octant.
    pub(super) fn may_go_by_octant(&self) -> bool {
        self.facts.in_disorder || self.way == Some(Way::StreamsByOctant)
    }

    /// Whether the rays that are left go octant by octant, at a tree of this size. Fewer than eight
    /// streams make streams of one octant that are too short.
    pub(super) fn goes_by_octant(&self, left: usize, bytes: usize) -> bool {
        match self.way {
            Some(way) => way == Way::StreamsByOctant,
            None => {
                self.facts.by_octant.load(Ordering::Relaxed)
                    && left >= OCTANTS * self.fewest_in_stream(bytes)
            }
        }
    }

    /// Learns from a stream of so many rays; `None` was given up. Where most rays are of one
    /// octant, as those of a shuffled picture, lists by octant would not be longer. That lists are
    /// short says nothing about those of one octant.
    pub(super) fn record_stream(&self, rays: usize, walked: Option<&Walked>) {
        let by_octant = self.facts.in_disorder
            && walked.is_some_and(|walked| {
                10 * walked.visits >= TUNING.visits_by_octant * rays
                    && 2 * walked.most_of_an_octant <= rays
            });
        if by_octant {
            self.facts.by_octant.store(true, Ordering::Relaxed);
        }
        if self.way.is_none() {
            let pays = by_octant || walked.is_some_and(|walked| walked.paid);
            self.facts.pace(|pace| pace.record(pays));
        }
    }
}

/// What a stream shows of its rays.
pub(super) struct Walked {
    /// The number of visits of nodes and leaves.
    pub(super) visits: usize,
    /// Whether it paid. One that the checks let pass is finished even if it did not.
    pub(super) paid: bool,
    /// The number of rays of the octant with most.
    pub(super) most_of_an_octant: usize,
}

/// A check of whether a stream pays.
pub(super) struct Check {
    /// It is made after a visit for so many rays, and no earlier than after so many visits.
    rays_per_step: usize,
    visits: usize,
    /// The fewest rays that share a visit, in the mean, where the stream goes on.
    rays_per_visit: usize,
}

/// Visits of a stream so far, and the sum of the rays at them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shared {
    pub(super) visits: usize,
    pub(super) rays: usize,
}

impl Shared {
    const fn are_by(self, rays: usize) -> bool {
        self.rays >= rays * self.visits
    }

    /// Whether so many rays have shared the visits that rays in flight would not have been faster.
    pub(super) const fn pay(self) -> bool {
        self.are_by(TUNING.rays_per_visit)
    }
}

/// The checks of a stream that are to come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checks {
    next: usize,
    rays: usize,
}

impl Checks {
    pub(super) const NONE: Self = Self { next: TUNING.checks.len(), rays: 0 };

    /// Those of a stream of so many rays; none for a way that is set.
    pub(super) fn new(how: &Casting<'_>, rays: usize) -> Self {
        if how.way.is_some() { Self::NONE } else { Self { next: 0, rays } }
    }

    /// Whether the stream goes on after these visits.
    #[inline(always)]
    pub(super) fn pass(&mut self, shared: Shared) -> bool {
        let Some(check) = TUNING.checks.get(self.next) else { return true };
        if shared.visits < (self.rays / check.rays_per_step).max(check.visits) {
            return true;
        }
        self.next += 1;
        shared.are_by(check.rays_per_visit)
    }
}

/// When to try groups or streams again after they did not pay: at once after the first try, and
/// later the more tries in a row did not pay.
#[derive(Debug)]
pub(super) struct Pace {
    waiting: u32,
    /// The number of tries to skip the next time.
    longer: u32,
    /// The most tries to skip.
    most: u32,
}

impl Pace {
    /// Skips so many after the first try that does not pay. A chunk has hundreds of groups, of
    /// which some are tried, and one stream, of which one is enough to skip the next.
    const fn new(first: u32, most: u32) -> Self {
        Self { waiting: 0, longer: first, most }
    }

    pub(super) const fn of_groups() -> Self {
        Self::new(0, TUNING.skipped_groups)
    }

    pub(super) const fn tries(&mut self) -> bool {
        let tries = self.waiting == 0;
        self.waiting = self.waiting.saturating_sub(1);
        tries
    }

    pub(super) const fn record(&mut self, paid: bool) {
        self.waiting = if paid { 0 } else { self.longer };
        let longer = 2 * self.longer + 1;
        self.longer = if paid {
            0
        } else if longer < self.most {
            longer
        } else {
            self.most
        };
    }
}

/// Whether rays that spread and start so are near enough to each other to try a group: by the
/// longest component and the spread of their directions, by the size of the scene and the extent of
/// their origins.
#[inline(always)]
pub(super) fn are_coherent([length, spread]: [f32; 2], [size, reach]: [f32; 2]) -> bool {
    spread <= TUNING.group_spread * length && reach <= TUNING.group_reach * size
}

/// The most rays of a group that are tested one by one against a node's boxes.
pub(super) const fn few_of_group(lanes: usize, narrows: bool) -> u32 {
    if narrows || lanes > LANES { TUNING.few_of_group / lanes as u32 } else { 0 }
}

/// Whether rays of a group are tested one by one against the primitives of a leaf together, or
/// vectors of them against each.
#[inline(always)]
pub(super) const fn test_each(rays: u32, primitives: u32, vectors: u32) -> bool {
    5 * rays <= 4 * primitives * vectors
}

/// The same in `f64`, where a vector of rays is prepared once for all primitives.
#[inline(always)]
pub(super) const fn test_each_f64(rays: u32, primitives: usize, vectors: usize) -> bool {
    vectors * (primitives + 1) > 2 * rays as usize
}

/// The cost of a group where its rays are tested as vectors. Where [few](few_of_group) are left,
/// they cost about as much as in flight, and do not count.
#[derive(Debug, Default)]
pub(super) struct GroupCost {
    /// The number of vectors of rays tested against a box.
    pub(super) vectors: u64,
    /// The number of rays that met the boxes of these tests.
    pub(super) met: u64,
    /// Whether the rays start at more than one point.
    pub(super) are_origins_apart: bool,
}

impl GroupCost {
    /// Whether to give the group up halfway.
    #[inline(always)]
    pub(super) const fn is_hopeless(&self) -> bool {
        self.vectors >= TUNING.group_trial && 2 * self.met < 3 * self.vectors
    }

    /// Adds the next group to the mean of those before, each of which weighs an eighth less than
    /// the one after it.
    pub(super) const fn add(&mut self, next: &Self) {
        self.vectors = self.vectors - self.vectors / 8 + 8 * next.vectors;
        self.met = self.met - self.met / 8 + 8 * next.met;
        self.are_origins_apart = next.are_origins_apart;
    }

    /// Whether groups of this mean cost are faster than streams and flight, with this many lanes.
    ///
    /// A vector costs as much if one of its rays meets the box as if all do. With 16 lanes camera
    /// rays at a million strewn triangles lose a third where groups of 4 rays to a vector are given
    /// up. Rays that hits do not narrow go faster in streams, by certain answers, and faster in
    /// groups from one point than from many: shadow rays at the dragon, 3.7 to a vector, go 1.8
    /// times as fast in streams as in groups, those in the kitchen, 7 to a vector, 0.7 times.
    pub(super) const fn pays(&self, lanes: usize, narrows: bool) -> bool {
        let lanes = lanes as u64;
        if narrows || !self.are_origins_apart {
            5 * self.met >= lanes * self.vectors
        } else {
            self.met >= (lanes / 4 + 1) * self.vectors
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/plan.rs"]
mod tests;
