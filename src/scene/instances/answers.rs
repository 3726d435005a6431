//! What is put together of each kind of query.

use std::cmp::Ordering;

use super::gather::{Gather, Place};
use crate::batch::CastOptions;
use crate::error::Result;
use crate::hit::{
    AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, Hit, HitBatch, INVALID_ID, InsideBatch, Limit,
    LineHitBatch,
};
use crate::scene::caster::Casts;
use crate::status::Status;
use crate::value::RayBatch;

/// What most kinds have in common: they are asked by the query of that name.
macro_rules! asked_by {
    ($answers:ty, $query:ident) => {
        type Answers = $answers;

        fn ask(
            caster: &impl Casts,
            rays: &RayBatch<'_>,
            options: &CastOptions<'_>,
            _: Option<Limit<'_>>,
            answers: &mut $answers,
        ) -> Result<()> {
            caster.$query(rays, options, answers)
        }
    };
}

/// Makes room for the instances of hits, of which there is none so far.
fn with_instances(mut hits: HitBatch) -> HitBatch {
    hits.instance_id.resize(hits.len(), INVALID_ID);
    hits
}

fn put(hits: &mut HitBatch, row: usize, status: Status, hit: &Hit, normal: impl FnOnce() -> [f32; 3]) {
    hits.status[row] = status;
    hits.t[row] = hit.t;
    hits.primitive_id[row] = hit.primitive_id;
    hits.geometry_id[row] = hit.geometry_id;
    hits.instance_id[row] = hit.instance_id;
    hits.u[row] = hit.u;
    hits.v[row] = hit.v;
    if let Some(of_row) = hits.geometric_normal.get_mut(row) {
        *of_row = normal();
    }
}

/// Puts what an instance answers in the place of what is known, if it comes before that.
fn put_first(
    known: &mut HitBatch,
    row: usize,
    answers: &HitBatch,
    from: usize,
    place: Place<'_>,
    order: fn(&Hit, &Hit) -> Ordering,
) {
    let Some(hit) = answers.hit(from).map(|hit| place.hit(&hit)) else { return };
    if known.hit(row).is_none_or(|known| order(&hit, &known).is_lt()) {
        put(known, row, Status::Hit, &hit, || place.normal(answers.geometric_normal[from]));
    }
}

/// The first hits.
pub(in crate::scene) struct GatherClosest(pub(in crate::scene) HitBatch);

impl Gather for GatherClosest {
    const NARROWS: bool = true;

    asked_by!(HitBatch, closest_hit);

    fn begin(hits: HitBatch) -> Self {
        Self(with_instances(hits))
    }

    fn status(&self) -> &[Status] {
        &self.0.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        put(&mut self.0, row, defect, &Hit::NONE, || [0.0; 3]);
    }

    fn t_max(&self, row: usize, t_max: f32) -> Option<f32> {
        Some(t_max.min(self.0.t[row]))
    }

    fn add(&mut self, row: usize, answers: &HitBatch, from: usize, place: Place<'_>) {
        put_first(&mut self.0, row, answers, from, place, Hit::order);
    }
}

/// The first hits on either side.
pub(in crate::scene) struct GatherLine(pub(in crate::scene) LineHitBatch);

impl Gather for GatherLine {
    // What lies behind narrows from the other end.
    const NARROWS: bool = false;

    asked_by!(LineHitBatch, line_hits);

    fn begin(LineHitBatch { ahead, behind }: LineHitBatch) -> Self {
        Self(LineHitBatch { ahead: with_instances(ahead), behind: with_instances(behind) })
    }

    /// A defect is told on either side.
    fn status(&self) -> &[Status] {
        &self.0.ahead.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        put(&mut self.0.ahead, row, defect, &Hit::NONE, || [0.0; 3]);
        put(&mut self.0.behind, row, defect, &Hit::NONE, || [0.0; 3]);
    }

    fn t_max(&self, _: usize, t_max: f32) -> Option<f32> {
        Some(t_max)
    }

    fn add(&mut self, row: usize, answers: &LineHitBatch, from: usize, place: Place<'_>) {
        let LineHitBatch { ahead, behind } = &mut self.0;
        put_first(ahead, row, &answers.ahead, from, place, Hit::order);
        put_first(behind, row, &answers.behind, from, place, Hit::order_behind);
    }
}

/// Whether there is a hit.
pub(in crate::scene) struct GatherAny(pub(in crate::scene) AnyHitBatch);

impl Gather for GatherAny {
    const NARROWS: bool = true;

    asked_by!(AnyHitBatch, any_hit);

    fn begin(hits: AnyHitBatch) -> Self {
        Self(hits)
    }

    fn status(&self) -> &[Status] {
        &self.0.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.0.status[row] = defect;
    }

    fn t_max(&self, row: usize, t_max: f32) -> Option<f32> {
        (!self.0.status[row].is_hit()).then_some(t_max)
    }

    fn add(&mut self, row: usize, answers: &AnyHitBatch, from: usize, _: Place<'_>) {
        if answers.status[from].is_hit() {
            self.0.status[row] = Status::Hit;
        }
    }
}

/// How many hits there are.
pub(in crate::scene) struct GatherCounts(pub(in crate::scene) CountBatch);

impl Gather for GatherCounts {
    const NARROWS: bool = false;

    asked_by!(CountBatch, count_hits);

    fn begin(counts: CountBatch) -> Self {
        Self(counts)
    }

    fn status(&self) -> &[Status] {
        &self.0.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        (self.0.status[row], self.0.count[row]) = (defect, 0);
    }

    fn t_max(&self, _: usize, t_max: f32) -> Option<f32> {
        Some(t_max)
    }

    fn add(&mut self, row: usize, answers: &CountBatch, from: usize, _: Place<'_>) {
        if answers.status[from].is_hit() {
            self.0.status[row] = Status::Hit;
            self.0.count[row] = self.0.count[row].saturating_add(answers.count[from]);
        }
    }
}

/// How often surfaces go around points.
pub(in crate::scene) struct GatherWinding(pub(in crate::scene) InsideBatch);

impl Gather for GatherWinding {
    const NARROWS: bool = false;

    asked_by!(InsideBatch, winding);

    fn begin(inside: InsideBatch) -> Self {
        Self(inside)
    }

    fn status(&self) -> &[Status] {
        &self.0.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        (self.0.status[row], self.0.winding[row]) = (defect, 0);
    }

    fn t_max(&self, _: usize, t_max: f32) -> Option<f32> {
        Some(t_max)
    }

    fn add(&mut self, row: usize, answers: &InsideBatch, from: usize, place: Place<'_>) {
        self.0.winding[row] += place.winding(answers.winding[from]);
        self.0.status[row] = if self.0.winding[row] == 0 { Status::Miss } else { Status::Hit };
    }
}

/// What closest hits cost.
pub(in crate::scene) struct GatherCosts(pub(in crate::scene) CostBatch);

impl GatherCosts {
    fn columns(&mut self) -> [&mut Vec<u32>; 4] {
        let CostBatch { nodes, boxes, leaves, primitives, .. } = &mut self.0;
        [nodes, boxes, leaves, primitives]
    }
}

impl Gather for GatherCosts {
    const NARROWS: bool = false;

    asked_by!(CostBatch, cost);

    fn begin(costs: CostBatch) -> Self {
        Self(costs)
    }

    fn status(&self) -> &[Status] {
        &self.0.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.0.status[row] = defect;
        for column in self.columns() {
            column[row] = 0;
        }
    }

    fn t_max(&self, _: usize, t_max: f32) -> Option<f32> {
        Some(t_max)
    }

    fn add(&mut self, row: usize, answers: &CostBatch, from: usize, _: Place<'_>) {
        let CostBatch { nodes, boxes, leaves, primitives, .. } = answers;
        for (column, more) in self.columns().into_iter().zip([nodes, boxes, leaves, primitives]) {
            column[row] = column[row].saturating_add(more[from]);
        }
        if answers.status[from].is_hit() {
            self.0.status[row] = Status::Hit;
        }
    }
}

/// Every hit, or the nearest of each ray.
pub(in crate::scene) struct GatherAll {
    pub(in crate::scene) status: Vec<Status>,
    /// Each with its row.
    found: Vec<(u32, Hit)>,
}

impl GatherAll {
    fn refused(&self, row: u32) -> bool {
        self.status[row as usize].is_invalid()
    }

    /// The hits by row, then in order: of each ray as many as it asks for.
    pub(in crate::scene) fn append_to(
        mut self,
        limit: Option<Limit<'_>>,
        first: usize,
        hits: &mut AllHitsBatch,
    ) {
        self.found.sort_unstable_by(|(row_a, a), (row_b, b)| row_a.cmp(row_b).then_with(|| a.order(b)));
        let mut rest = &self.found[..];
        for (row, &status) in self.status.iter().enumerate() {
            hits.offsets.push(hits.hits.len());
            hits.status.push(status);
            let count = rest.partition_point(|&(of_row, _)| of_row as usize <= row);
            let (mine, others) = rest.split_at(count);
            rest = others;
            if self.refused(row as u32) {
                continue;
            }
            let most = limit.map_or(usize::MAX, |limit| limit.of(first + row) as usize);
            hits.hits.extend(mine.iter().take(most).map(|(_, hit)| hit));
        }
    }
}

impl Gather for GatherAll {
    type Answers = AllHitsBatch;

    const NARROWS: bool = false;

    fn ask(
        caster: &impl Casts,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        limit: Option<Limit<'_>>,
        answers: &mut AllHitsBatch,
    ) -> Result<()> {
        match limit {
            Some(limit) => caster.nearest_hits(rays, limit, options, answers),
            None => caster.all_hits(rays, options, answers),
        }
    }

    fn begin(answers: AllHitsBatch) -> Self {
        let of_row = |row: usize| answers.of_ray(row).iter().map(move |hit| (row as u32, *hit));
        let found = (0..answers.len()).flat_map(of_row).collect();
        Self { status: answers.status, found }
    }

    fn status(&self) -> &[Status] {
        &self.status
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
    }

    fn t_max(&self, _: usize, t_max: f32) -> Option<f32> {
        Some(t_max)
    }

    fn add(&mut self, row: usize, answers: &AllHitsBatch, from: usize, place: Place<'_>) {
        if answers.status[from].is_hit() {
            self.status[row] = Status::Hit;
        }
        self.found.extend(answers.of_ray(from).iter().map(|hit| (row as u32, place.hit(hit))));
    }
}
