//! The [plan](Plan): in which way rays go through a tree, and every figure by which it is chosen.
//!
//! | way | rays | condition |
//! |---|---|---|
//! | [groups](super::groups) | 64 neighbours | they start and point alike, and groups before them paid |
//! | [one by one](super::single) | those outside groups | the call has few in all, or visits are counted |
//! | [streams](super::streams) | those outside groups | they are many, and streams before them paid |
//! | mixed streams | the same as streams, all octants together | see [`Mixing`] |
//! | streams by octant | the rest of a batch in no order | a stream shows that lists would be longer |
//! | [in flight](super::in_flight) | all that are left | |
//!
//! The ways are tried in this order. Rays in no order do not try groups, nor do those whose visits
//! are counted.
//!
//! Answers do not depend on the way. `docs/notebook/plan.md` says what each figure is worth,
//! `streams.md`, `groups.md` and `in-flight.md` there how the ways were measured.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::by_octant::OCTANTS;
use crate::chunks::Chunk;
use crate::simd::LANES;
use crate::value::{GROUP, Rules};

/// A way through the tree for rays outside groups, for tests. The answers do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// In streams, each octant apart, even if the rays are few or share few nodes.
    Streams,
    /// Copied octant by octant, and each then in streams, likewise.
    StreamsByOctant,
    /// In streams, all octants together, likewise.
    MixedStreams,
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

/// The figures by which ways are chosen, each with what it was measured by: halved, doubled and left
/// out at 64 sets of rays, with vectors of 8 and 16 lanes (`docs/notebook/plan.md`).
pub(crate) struct Tuning {
    /// The fewest and the most rays of a chunk. With half as many, any hits at the hairball take 1.3
    /// to 1.5 times as long, as lists of streams are shorter; with twice as many, diffuse rays take
    /// 1.1 times as long, as states leave the second-level cache.
    pub(crate) chunk_lengths: [usize; 2],
    /// The most in no order: rays may be cast octant by octant, by longer lists.
    most_in_disorder: usize,
    /// The most at a scene that holds more than triangles: there the rays of a chunk are kept while
    /// they are cast at each part.
    most_at_parts: usize,

    /// The greatest spread of the directions of a group, as a part of their longest component. The
    /// directions of 64 rays of a picture or a lidar spread by 0.01 to 0.3 of their length, those of
    /// reflected light by 1.5 and more.
    group_spread: f32,
    /// The most groups or streams skipped after tries that did not pay.
    skipped: u32,
    /// What a stream costs a ray before and after its walk, beyond what a group does, in boxes that
    /// the ray meets in the walk; where hits narrow nothing. By rays a vector alone, without such a
    /// term, shadow rays at a robot's part took 1.1 to 1.4 times as long.
    setup_of_stream: usize,
    /// At most so many rays, divided by the lanes of a vector, are tested one by one against a
    /// node's boxes, not in vectors against each box. Without it shadow rays in the kitchen take 1.2
    /// times as long. With eight lanes and hits that narrow nothing it pays there alone, and takes 2
    /// to 3% from shadow rays in most other scenes.
    few_of_group: u32,

    /// The fewest rays that go in a stream. Batches of 256 diffuse rays take 1.1 to 1.5 times as
    /// long in streams as in flight, batches of 2,048 are no slower.
    fewest_in_stream: usize,
    /// The fewest rays that share a visit, in the mean, where streams are no slower than rays in
    /// flight.
    rays_per_visit: usize,
    /// A stream of octants apart is checked once, after at least and at most so many visits, and
    /// given up if it does not pay by then: rays share fewer visits later. Fewer visits than a hundred are one way down
    /// the tree, and show nothing. Without a check segments and random rays take up to 1.4 times as
    /// long.
    visits_to_check: [usize; 2],
    /// Within these bounds it is checked after one visit for every so many of its rays, so that a
    /// short stream that does not pay is given up before it has cost much. With 512 visits for all,
    /// batches of 1,024 random rays take 1.15 times as long.
    rays_per_visit_to_check: usize,
    /// Tenths of a visit for a ray from which on streams of one octant pay where a stream of all
    /// octants went so: copies take as long as a third of a visit a ray, and lists eight times as
    /// long save most visits.
    visits_by_octant: usize,
    /// The most rays of one octant where streams by octant, or of all octants together, may pay, as
    /// one part of so many.
    octant_share: usize,
    /// The same for rays in no order and all octants together. The directions of a shuffled picture
    /// are of few octants: with 2 those of the scanned dragon take 1.15 times as long.
    octant_share_in_disorder: usize,
    /// Rays whose hits narrow intervals go together whatever their octants where fewer than so many
    /// of one octant share a visit: where more do, the order of children is worth more than longer
    /// lists. At the kitchen, 68 a visit, diffuse rays would take 1.04 times as long.
    mixed_below: usize,
    /// The size in bytes of a tree from which on octants always go apart. At a terrain of ten million
    /// triangles ambient occlusion would take 1.1 times as long.
    mixed_up_to: usize,
    /// With so many rays of a stream at a leaf, and vectors of sixteen lanes, each primitive is
    /// tested against vectors of rays; with fewer, each ray against all primitives. The primitives
    /// have to be laid out for it. Without it random rays and any hits in the city take 1.07 times
    /// as long; with vectors of eight all scenes lose.
    pub(super) many_at_leaf: usize,

    /// The fewest rays of a call for which rays in flight pay; of fewer, none go in streams either.
    fewest_in_flight: usize,
    /// Fewer open pairs are decided one by one: a vector takes as long whether it is full or not,
    /// and vector loads of freshly stored scalars stall. All in vectors, the mean of all sets loses
    /// 2%; none, 5%.
    pub(super) few_pairs: usize,

    /// The fewest rays that go in streams through the boxes of instances and shapes, and that are
    /// checked for defects together at those of instances.
    pub(crate) fewest_at_boxes: usize,

    /// The least spread of 64 rays that follow each other, as a part of the spread of the batch,
    /// where rays are in no order: random numbers come to 0.7 and more.
    pub(super) disorder: f32,
    /// How many times as far as the first rays of a line of a picture the last ray of a line is from
    /// the first of the next.
    pub(super) jump_of_lines: f32,
}

pub(crate) const TUNING: Tuning = Tuning {
    chunk_lengths: [512, 1 << 15],
    most_in_disorder: 1 << 18,
    most_at_parts: 1 << 14,
    group_spread: 0.8,
    skipped: 63,
    setup_of_stream: 3,
    few_of_group: 128,
    fewest_in_stream: 1024,
    rays_per_visit: 6,
    visits_to_check: [128, 512],
    rays_per_visit_to_check: 16,
    visits_by_octant: 3,
    octant_share: 2,
    octant_share_in_disorder: 4,
    mixed_below: 40,
    mixed_up_to: 200 << 20,
    many_at_leaf: 32,
    fewest_in_flight: 32,
    few_pairs: 4,
    fewest_at_boxes: 8,
    disorder: 0.5,
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
    /// Whether the next streams take all octants together at once.
    pub(super) mixed: AtomicBool,
}

impl BatchFacts {
    /// Nothing is known.
    pub(crate) const fn new() -> Self {
        Self {
            row_width: None,
            in_disorder: false,
            streams: Mutex::new(Pace::new(1)),
            by_octant: AtomicBool::new(false),
            mixed: AtomicBool::new(false),
        }
    }

    /// The fewest and the most rays of a chunk.
    pub(crate) fn chunk_lengths(&self, at_triangles_only: bool) -> [usize; 2] {
        let [fewest, most] = TUNING.chunk_lengths;
        let most = match (at_triangles_only, self.in_disorder) {
            (true, true) => TUNING.most_in_disorder,
            (true, false) => most,
            (false, _) => TUNING.most_at_parts,
        };
        // Eight lines make square tiles.
        let tiles = self.row_width.map_or(0, |width| TILE * width);
        [fewest, most.max(tiles)]
    }

    pub(super) fn pace<X>(&self, act: impl FnOnce(&mut Pace) -> X) -> X {
        act(&mut self.streams.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The plan by which the rays of a chunk are cast.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) rules: Rules,
    pub(crate) coherence: Coherence,
    /// The way of all rays outside groups; the fastest unless set.
    pub(crate) way: Option<Way>,
    pub(crate) facts: &'a BatchFacts,
    /// Whom to tell of parts of the chunk.
    pub(crate) chunk: &'a Chunk<'a>,
}

impl Plan<'_> {
    /// Whether so many rays try groups.
    pub(super) fn goes_in_groups(&self, rays: usize) -> bool {
        match self.coherence {
            Coherence::Detect => rays >= GROUP,
            Coherence::Coherent => true,
            Coherence::Incoherent => false,
        }
    }

    /// Whether in a call of so many rays, those in groups included, all others go one by one.
    pub(super) fn goes_one_by_one(&self, rays: usize) -> bool {
        self.way.map_or(rays < TUNING.fewest_in_flight, |way| way == Way::OneByOne)
    }

    /// The fewest rays that make a stream.
    pub(super) fn fewest_in_stream(&self) -> usize {
        if self.way.is_some() { 1 } else { TUNING.fewest_in_stream }
    }

    /// Whether rays that are many enough go in streams now: not for a while after streams that did
    /// not pay.
    pub(super) fn tries_streams(&self) -> bool {
        match self.way {
            Some(way) => {
                matches!(way, Way::Streams | Way::StreamsByOctant | Way::MixedStreams)
            }
            None => self.facts.pace(Pace::tries),
        }
    }

    /// After how many visits a stream of so many rays is given up if it does not pay by then; `None`
    /// for a way that is set.
    pub(super) fn check_after(&self, rays: usize) -> Option<usize> {
        let [least, most] = TUNING.visits_to_check;
        let visits = (rays / TUNING.rays_per_visit_to_check).clamp(least, most);
        self.way.is_none().then_some(visits)
    }

    /// Whether rays of all octants go together in streams, at a tree of so many bytes.
    pub(super) fn mixing(&self, bytes: usize) -> Mixing {
        match self.way {
            Some(Way::MixedStreams) => Mixing::Always,
            Some(_) => Mixing::Never,
            None if bytes >= TUNING.mixed_up_to => Mixing::Never,
            None if self.facts.mixed.load(Ordering::Relaxed) => Mixing::Always,
            None if self.facts.in_disorder => Mixing::Never,
            None => Mixing::IfBetter,
        }
    }

    /// Whether rays are taken as they lie only until a stream shows that they are better cast
    /// octant by octant.
    pub(super) fn may_go_by_octant(&self) -> bool {
        self.facts.in_disorder || self.way == Some(Way::StreamsByOctant)
    }

    /// Whether the rays that are left go octant by octant. Fewer than eight streams make streams of
    /// one octant that are too short.
    pub(super) fn goes_by_octant(&self, left: usize) -> bool {
        match self.way {
            Some(way) => way == Way::StreamsByOctant,
            None => {
                self.facts.by_octant.load(Ordering::Relaxed)
                    && left >= OCTANTS * TUNING.fewest_in_stream
            }
        }
    }

    /// Learns from a stream of so many rays at a tree of so many bytes; `None` was given up. Where
    /// most rays are of one octant, as those of a shuffled picture, lists by octant would not be
    /// longer. That lists are short says nothing about those of one octant. Where they are not,
    /// octants go together, if they may: lists are then as long without copies.
    pub(super) fn record_stream(&self, rays: usize, bytes: usize, walked: Option<&Walked>) {
        let pays = walked.is_some_and(|walked| walked.shared.make_streams_pay());
        let mut by_octant = false;
        match walked {
            Some(walked) if walked.mixed => self.facts.mixed.store(pays, Ordering::Relaxed),
            Some(walked) if self.facts.in_disorder => {
                let are_at_most = |share: usize| share * walked.most_of_an_octant <= rays;
                let mixes = pays
                    && bytes < TUNING.mixed_up_to
                    && are_at_most(TUNING.octant_share_in_disorder);
                by_octant = !mixes
                    && 10 * walked.shared.tests >= TUNING.visits_by_octant * rays
                    && are_at_most(TUNING.octant_share);
                if mixes {
                    self.facts.mixed.store(true, Ordering::Relaxed);
                }
                if by_octant {
                    self.facts.by_octant.store(true, Ordering::Relaxed);
                }
            }
            _ => {}
        }
        if self.way.is_none() {
            self.facts.pace(|pace| pace.record(pays || by_octant));
        }
    }
}

/// What a stream shows of its rays.
pub(super) struct Walked {
    /// The visits of nodes and leaves; where octants were mixed, only of these. A stream that its
    /// check lets pass is finished even if it did not pay.
    pub(super) shared: Shared,
    /// The number of rays of the octant with most, if they did not all go together.
    pub(super) most_of_an_octant: usize,
    /// Whether rays of all octants went together.
    pub(super) mixed: bool,
}

/// Whether the rays of a stream go through the tree together whatever their octants.
///
/// Rays in no order do from the second stream on, if the first pays and few of its rays are of one
/// octant. Others do where no octant has most of them, once those of the largest octant have been
/// walked and have shown that streams pay; where hits narrow intervals, only if they shared few
/// visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mixing {
    /// Those of each octant apart.
    Never,
    /// If that is better.
    IfBetter,
    Always,
}

impl Mixing {
    /// Whether it may be better for so many rays, of which so many are of one octant.
    pub(super) const fn may_pay(self, rays: usize, most_of_an_octant: usize) -> bool {
        matches!(self, Self::IfBetter) && TUNING.octant_share * most_of_an_octant <= rays
    }
}

/// What the rays of a stream share: visits of a node or a leaf with a list of rays, and the rays of
/// these lists, added up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shared {
    pub(super) tests: usize,
    pub(super) rays: usize,
}

impl Shared {
    /// Whether so many rays have shared the visits that rays in flight would not have been faster.
    pub(super) const fn make_streams_pay(self) -> bool {
        self.rays >= TUNING.rays_per_visit * self.tests
    }

    /// Whether rays of one octant, whose hits narrow intervals, have shared so few visits that it is
    /// better to mix octants.
    pub(super) const fn makes_mixing_pay(self) -> bool {
        self.rays < TUNING.mixed_below * self.tests
    }
}

/// What a group has cost, or the mean of some: rays that were cast, tests of a vector of them against
/// a box, and the rays that have met these boxes, added up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GroupCost {
    pub(super) cast: usize,
    pub(super) tests: usize,
    pub(super) rays: usize,
}

impl GroupCost {
    /// Whether streams and flight would not have been faster, with this many lanes.
    ///
    /// A vector costs as much if one of its rays meets the box as if all do. With 16 lanes camera
    /// rays at a million strewn triangles lose a third where groups of 4 rays to a vector are given
    /// up, and shuffled pictures take up to three times as long where groups of half a ray are not.
    ///
    /// Rays that hits do not narrow go faster in streams, by certain answers, and faster in groups
    /// from one point than from many. For those the costs of both are compared: in the walk streams
    /// take as long for 7 rays that meet a box as groups for a vector of 16 lanes, or two of 8, and
    /// before and after it they take longer.
    #[inline(always)]
    pub(super) const fn pays(self, lanes: usize, narrow_or_start_at_one_point: bool) -> bool {
        if narrow_or_start_at_one_point {
            5 * self.rays >= lanes * self.tests
        } else {
            16 * (self.rays + TUNING.setup_of_stream * self.cast) >= 7 * lanes * self.tests
        }
    }

    /// Whether to give a group up halfway: rays of a group share the first tests if they ever do.
    /// Where costs are compared, one that takes at most half as long again is finished, as what it
    /// has done is lost otherwise: shadow rays at jacksboro and, with eight lanes, at the assembly
    /// take 1.07 and 1.08 times as long then.
    #[inline(always)]
    pub(super) const fn is_hopeless(
        self,
        lanes: usize,
        narrow_or_start_at_one_point: bool,
    ) -> bool {
        let tests = if narrow_or_start_at_one_point { self.tests } else { 2 * self.tests / 3 };
        self.tests >= GROUP && !Self { tests, ..self }.pays(lanes, narrow_or_start_at_one_point)
    }

    /// Adds the next group to the mean of those before, each of which weighs an eighth less than
    /// the one after it.
    pub(super) const fn add(&mut self, next: Self) {
        self.cast = self.cast - self.cast / 8 + 8 * next.cast;
        self.tests = self.tests - self.tests / 8 + 8 * next.tests;
        self.rays = self.rays - self.rays / 8 + 8 * next.rays;
    }
}

/// When to try groups or streams again after they did not pay: at once after the first try, and
/// later the more tries in a row did not pay.
#[derive(Debug)]
pub(super) struct Pace {
    waiting: u32,
    /// The number of tries to skip the next time.
    longer: u32,
}

impl Pace {
    /// Skips so many after the first try that does not pay. A chunk has hundreds of groups, of
    /// which some are tried, and one stream, of which one is enough to skip the next.
    const fn new(first: u32) -> Self {
        Self { waiting: 0, longer: first }
    }

    pub(super) const fn of_groups() -> Self {
        Self::new(0)
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
        } else if longer < TUNING.skipped {
            longer
        } else {
            TUNING.skipped
        };
    }
}

/// Whether directions of these extents are near enough to each other to try a group.
#[inline(always)]
pub(super) fn are_coherent(directions: &[[f32; 2]; 3]) -> bool {
    let (mut length, mut spread) = (0.0_f32, 0.0_f32);
    for [least, greatest] in directions {
        length = length.max(least.abs()).max(greatest.abs());
        spread = spread.max(greatest - least);
    }
    spread <= TUNING.group_spread * length
}

/// The most rays of a group that are tested one by one against a node's boxes.
pub(super) const fn few_of_group(lanes: usize, narrows: bool) -> u32 {
    if narrows || lanes > LANES { TUNING.few_of_group / lanes as u32 } else { 0 }
}

/// Whether rays of a group are tested one by one against the primitives of a leaf together, or
/// vectors of them against each. As many as products of primitives and vectors: shadow rays in the
/// city take 1.3 times as long with eight lanes.
#[inline(always)]
pub(super) const fn test_each(rays: u32, primitives: u32, vectors: u32) -> bool {
    5 * rays <= 4 * primitives * vectors
}

/// The same in `f64`, where a vector of rays is prepared once for all primitives.
#[inline(always)]
pub(super) const fn test_each_f64(rays: u32, primitives: usize, vectors: usize) -> bool {
    vectors * (primitives + 1) > 2 * rays as usize
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/plan.rs"]
mod tests;
