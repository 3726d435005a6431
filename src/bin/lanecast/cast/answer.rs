//! The answers to a chunk of rays, whatever was asked, and what they add up to.

use super::Query;
use lanecast::io::{Answers, HitKind};
use lanecast::{
    AllHitsBatch, AnyHitBatch, CastOptions, CostBatch, CountBatch, HitBatch, RayBatch, Scene, Status,
};

/// Columns for one kind of answer; their memory is reused from chunk to chunk.
#[derive(Debug)]
pub(super) enum Answer {
    Closest { hits: HitBatch, normals: bool },
    Any(AnyHitBatch),
    All { hits: AllHitsBatch, limit: Option<u32> },
    Count(CountBatch),
    Cost(CostBatch),
}

impl Answer {
    pub(super) fn new(query: Query, normals: bool, limit: Option<u32>) -> Self {
        match query {
            Query::Closest => Self::Closest { hits: HitBatch::new(), normals },
            Query::Any => Self::Any(AnyHitBatch::default()),
            Query::All => Self::All { hits: AllHitsBatch::default(), limit },
            Query::Count => Self::Count(CountBatch::default()),
            Query::Cost => Self::Cost(CostBatch::default()),
        }
    }

    pub(super) fn kind(&self) -> HitKind {
        match self {
            Self::Closest { normals: false, .. } => HitKind::Closest,
            Self::Closest { normals: true, .. } => HitKind::ClosestWithNormals,
            Self::Any(_) => HitKind::Any,
            Self::All { .. } => HitKind::All,
            Self::Count(_) => HitKind::Count,
            Self::Cost(_) => HitKind::Cost,
        }
    }

    /// Replaces the answers by those to `rays`.
    pub(super) fn cast(
        &mut self,
        scene: &Scene,
        rays: &RayBatch<'_>,
        options: CastOptions<'_>,
    ) -> lanecast::Result<()> {
        match self {
            Self::Closest { hits, normals } => {
                scene.closest_hit_batch(rays, &options.normals(*normals), hits)
            }
            Self::Any(hits) => scene.any_hit_batch(rays, &options, hits),
            Self::All { hits, limit: None } => scene.all_hits_batch(rays, &options, hits),
            Self::All { hits, limit: Some(limit) } => scene.nearest_hits_batch(rays, *limit, &options, hits),
            Self::Count(counts) => scene.count_hits_batch(rays, &options, counts),
            Self::Cost(costs) => scene.cost_batch(rays, &options, costs),
        }
    }

    /// The answers as a file takes them.
    pub(super) fn columns(&self) -> Answers<'_> {
        match self {
            Self::Closest { hits, .. } => hits.into(),
            Self::Any(hits) => hits.into(),
            Self::All { hits, .. } => hits.into(),
            Self::Count(counts) => counts.into(),
            Self::Cost(costs) => costs.into(),
        }
    }

    fn status(&self) -> &[Status] {
        match self {
            Self::Closest { hits, .. } => &hits.status,
            Self::Any(hits) => &hits.status,
            Self::All { hits, .. } => &hits.status,
            Self::Count(counts) => &counts.status,
            Self::Cost(costs) => &costs.status,
        }
    }

    /// How many hits were found on all rays, where more than one is looked for.
    fn found(&self) -> Option<u64> {
        match self {
            Self::Closest { .. } | Self::Any(_) | Self::Cost(_) => None,
            Self::All { hits, .. } => Some(hits.hits.len() as u64),
            Self::Count(counts) => Some(counts.count.iter().map(|&count| u64::from(count)).sum()),
        }
    }
}

/// What became of all rays so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    by_status: [u64; Status::ALL.len()],
    found: Option<u64>,
}

impl Tally {
    pub(super) fn add(&mut self, answer: &Answer) {
        for status in answer.status() {
            self.by_status[usize::from(status.code())] += 1;
        }
        if let Some(found) = answer.found() {
            *self.found.get_or_insert(0) += found;
        }
    }

    pub(super) fn rays(&self) -> u64 {
        self.by_status.iter().sum()
    }

    pub(super) fn of(&self, status: Status) -> u64 {
        self.by_status[usize::from(status.code())]
    }

    pub(super) fn found(&self) -> Option<u64> {
        self.found
    }

    /// The reasons for which rays were not cast, each with the number of rays.
    pub(super) fn invalid(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Status::ALL
            .into_iter()
            .filter(|status| status.is_invalid())
            .map(|status| (status.name(), self.of(status)))
            .filter(|&(_, rays)| rays > 0)
    }
}
