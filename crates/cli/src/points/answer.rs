//! The answers to a chunk of points, whatever was asked.

use super::Query;
use crate::ids;
use crate::precision::Number;
use lanecast::{
    CastOptions, Scene,
    answers::{ClosestPointBatch, DistanceBatch, InsideBatch},
};
use lanecast_io::{Answers, HitKind};

/// Columns for one kind of answer; their memory is reused from chunk to chunk.
#[derive(Debug)]
pub(super) enum Answer<T: Number> {
    Closest { closest: ClosestPointBatch<T>, radius: T },
    Distance { distances: DistanceBatch<T>, signed: bool },
    Inside(InsideBatch),
}

impl<T: Number> Answer<T> {
    pub(super) fn new(query: Query, radius: T) -> Self {
        let distance = |signed| Self::Distance { distances: DistanceBatch::new(), signed };
        match query {
            Query::Closest => Self::Closest { closest: ClosestPointBatch::new(), radius },
            Query::Distance => distance(false),
            Query::Signed => distance(true),
            Query::Inside => Self::Inside(InsideBatch::new()),
        }
    }

    pub(super) fn kind(&self) -> HitKind {
        match self {
            Self::Closest { .. } => HitKind::ClosestPoint,
            Self::Distance { .. } => HitKind::Distance,
            Self::Inside(_) => HitKind::Inside,
        }
    }

    /// Replaces the answers by those to `points`.
    pub(super) fn ask(
        &mut self,
        scene: &Scene<T>,
        points: &[[T; 3]],
        options: &CastOptions<'_, T>,
    ) -> lanecast::Result<()> {
        let request = scene.points(points).with(options);
        match self {
            Self::Closest { closest, radius } => request.closest_into(*radius, closest),
            Self::Distance { distances, signed: false } => request.distances_into(distances),
            Self::Distance { distances, signed: true } => request.signed_distances_into(distances),
            Self::Inside(inside) => request.contains_into(inside),
        }
    }

    /// Instance, geometry and primitive of what is nearest to each point.
    pub(super) fn ids(&self) -> impl Iterator<Item = [u32; 3]> + Clone {
        ids::of_columns(match self {
            Self::Closest { closest, .. } => {
                [closest.instance_id(), closest.geometry_id(), closest.primitive_id()]
            }
            Self::Distance { .. } | Self::Inside(_) => [&[]; 3],
        })
    }

    /// The answers as a file takes them.
    pub(super) fn columns(&self) -> Answers<'_, T> {
        match self {
            Self::Closest { closest, .. } => closest.into(),
            Self::Distance { distances, .. } => distances.into(),
            Self::Inside(inside) => inside.into(),
        }
    }
}
