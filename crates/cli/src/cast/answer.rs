//! The answers to a chunk of rays, whatever was asked.

use super::Query;
use super::vectors::{VertexNormals, normals_into, points_into, points_of_all_into};
use crate::ids;
use crate::precision::Number;
use lanecast::{
    CastOptions, Hit, HitBatch, Ray, Scene,
    answers::{AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, LineHitBatch},
};
use lanecast_io::{Answers, HitKind, Vectors};

/// A point or a normal for each hit.
type Points<T> = Vec<[T; 3]>;

/// Columns for one kind of answer; their memory is reused from chunk to chunk.
#[derive(Debug)]
pub(super) enum Answer<T: Number> {
    Closest { hits: HitBatch<T>, points: Option<Points<T>>, normals: Option<Points<T>> },
    Line(LineHitBatch<T>),
    Any(AnyHitBatch),
    All { hits: AllHitsBatch<T>, points: Option<Points<T>>, limit: Option<u32> },
    Count(CountBatch),
    Cost(CostBatch),
}

impl<T: Number> Answer<T> {
    pub(super) fn new(query: Query, points: bool, normals: bool, limit: Option<u32>) -> Self {
        let points = points.then(Vec::new);
        match query {
            Query::Closest => {
                Self::Closest { hits: HitBatch::new(), points, normals: normals.then(Vec::new) }
            }
            Query::Line => Self::Line(LineHitBatch::new()),
            Query::Any => Self::Any(AnyHitBatch::default()),
            Query::All => Self::All { hits: AllHitsBatch::default(), points, limit },
            Query::Count => Self::Count(CountBatch::default()),
            Query::Cost => Self::Cost(CostBatch::default()),
        }
    }

    pub(super) fn kind(&self) -> HitKind {
        match self {
            Self::Closest { points, normals, .. } => {
                HitKind::Closest { points: points.is_some(), normals: normals.is_some() }
            }
            Self::Line(_) => HitKind::Line,
            Self::Any(_) => HitKind::Any,
            Self::All { points, .. } => HitKind::All { points: points.is_some() },
            Self::Count(_) => HitKind::Count,
            Self::Cost(_) => HitKind::Cost,
        }
    }

    /// Instance, geometry and primitive of each hit, `INVALID_ID` of a miss.
    pub(super) fn ids(&self) -> impl Iterator<Item = [u32; 3]> + Clone {
        let (columns, all): ([Option<&HitBatch<T>>; 2], &[Hit<T>]) = match self {
            Self::Closest { hits, .. } => ([Some(hits), None], &[]),
            Self::Line(hits) => ([Some(hits.ahead()), Some(hits.behind())], &[]),
            Self::All { hits, .. } => ([None, None], hits.hits()),
            Self::Any(_) | Self::Count(_) | Self::Cost(_) => ([None, None], &[]),
        };
        let all = all.iter().map(|hit| [hit.instance_id, hit.geometry_id, hit.primitive_id]);
        columns.into_iter().flatten().flat_map(ids::of_hits).chain(all)
    }

    /// Replaces the answers by those to `rays`; normals are those of vertices if they are given.
    pub(super) fn cast(
        &mut self,
        scene: &Scene<T>,
        rays: &[Ray<T>],
        vertices: Option<&VertexNormals<'_, T>>,
        options: &CastOptions<'_, T>,
    ) -> lanecast::Result<()> {
        let request = scene.cast(rays).with(options);
        match self {
            Self::Closest { hits, points, normals } => {
                request.geometric_normals(normals.is_some()).closest_into(&mut *hits)?;
                if let Some(points) = points {
                    points_into(points, rays, hits);
                }
                if let Some(normals) = normals {
                    normals_into(normals, vertices, hits);
                }
                Ok(())
            }
            Self::All { hits, points, limit } => {
                match limit {
                    None => request.all_into(hits)?,
                    Some(limit) => request.nearest_into(*limit, hits)?,
                }
                if let Some(points) = points {
                    points_of_all_into(points, rays, hits);
                }
                Ok(())
            }
            Self::Line(hits) => request.line_hits_into(hits),
            Self::Any(hits) => request.any_into(hits),
            Self::Count(counts) => request.count_into(counts),
            Self::Cost(costs) => request.cost_into(costs),
        }
    }

    /// The vectors that a file of the kind takes beside the answers.
    pub(super) fn vectors(&self) -> Vectors<'_, T> {
        match self {
            Self::Closest { points, normals, .. } => Vectors {
                points: points.as_deref().unwrap_or_default(),
                normals: normals.as_deref().unwrap_or_default(),
            },
            Self::All { points, .. } => {
                Vectors { points: points.as_deref().unwrap_or_default(), normals: &[] }
            }
            _ => Vectors::default(),
        }
    }

    /// The answers as a file takes them.
    pub(super) fn columns(&self) -> Answers<'_, T> {
        match self {
            Self::Closest { hits, .. } => hits.into(),
            Self::Line(hits) => hits.into(),
            Self::Any(hits) => hits.into(),
            Self::All { hits, .. } => hits.into(),
            Self::Count(counts) => counts.into(),
            Self::Cost(costs) => costs.into(),
        }
    }

    /// The ray of each row, where a ray may have several.
    pub(super) fn rays(&self) -> Option<impl Iterator<Item = usize> + Clone> {
        let Self::All { hits, .. } = self else { return None };
        let of_ray = |ray| std::iter::repeat_n(ray, hits.of_ray(ray).len());
        Some((0..hits.status().len()).flat_map(of_ray))
    }

    /// How many hits were found on all rays, where more than one is looked for.
    pub(super) fn found(&self) -> Option<u64> {
        match self {
            Self::Closest { .. } | Self::Any(_) | Self::Cost(_) => None,
            Self::Line(hits) => {
                let status = hits.ahead().status().iter().chain(hits.behind().status());
                Some(status.filter(|status| status.is_hit()).count() as u64)
            }
            Self::All { hits, .. } => Some(hits.hits().len() as u64),
            Self::Count(counts) => Some(counts.count().iter().map(|&count| u64::from(count)).sum()),
        }
    }
}
