//! Answers as the columns of a file: the one place where ids get their sign.

use super::values::{Named, Value, Values};
use super::{Answers, HitKind, Vectors};
use crate::mesh::Coordinate;
use crate::rows::RayIds;
use lanecast::answers::{
    AllHitsBatch, AnyHitBatch, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch,
    InsideBatch, LineHitBatch,
};
use lanecast::{HitBatch, INVALID_ID, Status};
use std::borrow::Cow;

const HIT: [&str; 6] = ["t", "primitive_id", "geometry_id", "instance_id", "u", "v"];
const BEHIND: [&str; 6] = [
    "behind_t",
    "behind_primitive_id",
    "behind_geometry_id",
    "behind_instance_id",
    "behind_u",
    "behind_v",
];

/// Named columns of equal length, of values that the answers have or that are made from them.
pub(crate) struct Table<'a> {
    columns: Vec<(&'static str, Box<dyn Column + 'a>)>,
}

/// A column of any type of values.
trait Column {
    fn values(&self) -> Values<'_>;
}

impl<V: Value> Column for Cow<'_, [V]> {
    fn values(&self) -> Values<'_> {
        V::column(self)
    }
}

impl<'a> Table<'a> {
    /// The answers to the rays or points called `ids`, which must be of the kind.
    pub(crate) fn new<T: Coordinate>(
        kind: HitKind,
        ids: RayIds<'a>,
        answers: Answers<'a, T>,
        vectors: Vectors<'a, T>,
    ) -> Result<Self, String> {
        check(kind, ids, answers, vectors)?;
        Ok(Self::of(kind, ids, answers, vectors))
    }

    fn of<T: Coordinate>(
        kind: HitKind,
        ids: RayIds<'a>,
        answers: Answers<'a, T>,
        vectors: Vectors<'a, T>,
    ) -> Self {
        let (mut table, status) = (Self { columns: Vec::new() }, answers.status());
        let id = match kind {
            HitKind::ClosestPoint | HitKind::Distance | HitKind::Inside => "point_id",
            _ => "ray_id",
        };
        if let Answers::All(all) = answers {
            let of_ray = |ray| std::iter::repeat_n(ids.get(ray), all.of_ray(ray).len());
            table.add_each(id, (0..all.len()).flat_map(of_ray));
        } else {
            match ids {
                RayIds::Given(ids) => table.add(id, ids),
                RayIds::Rows(_) => table.add_each(id, (0..status.len()).map(|row| ids.get(row))),
            }
            table.add("status", status.clone());
        }
        match answers {
            Answers::Closest(hits) => table.add_hits(HIT, hits),
            Answers::Line(hits) => {
                table.add_hits(HIT, hits.ahead());
                table.add_hits(BEHIND, hits.behind());
            }
            Answers::Any(_) => table.add_each("hit", status.iter().map(|status| status.is_hit())),
            Answers::Inside(_) => {
                table.add_each("inside", status.iter().map(|status| status.is_hit()));
            }
            Answers::Count(counts) => table.add_counts("count", counts.count()),
            Answers::Cost(costs) => {
                table.add_counts("nodes", costs.nodes());
                table.add_counts("boxes", costs.boxes());
                table.add_counts("leaves", costs.leaves());
                table.add_counts("triangles", costs.primitives());
                let lanes_filled = (0..costs.len()).map(|row| costs.lanes_filled(row));
                table.add_each("lanes_filled", lanes_filled);
            }
            Answers::All(all) => {
                let ([t, primitive, geometry, instance, u, v], hits) = (HIT, all.hits());
                table.add_each(t, hits.iter().map(|hit| hit.t));
                table.add_each(primitive, hits.iter().map(|hit| primitive_id(hit.primitive_id)));
                table.add_each(geometry, hits.iter().map(|hit| signed_id(hit.geometry_id)));
                table.add_each(instance, hits.iter().map(|hit| signed_id(hit.instance_id)));
                table.add_each(u, hits.iter().map(|hit| hit.u));
                table.add_each(v, hits.iter().map(|hit| hit.v));
            }
            Answers::ClosestPoint(closest) => {
                let [_, primitive, geometry, instance, u, v] = HIT;
                table.add("distance", closest.distance());
                table.add_vectors(["x", "y", "z"], closest.point(), &status);
                table.add_ids(
                    [primitive, geometry, instance],
                    [closest.primitive_id(), closest.geometry_id(), closest.instance_id()],
                );
                table.add(u, closest.u());
                table.add(v, closest.v());
            }
            Answers::Distance(distances) => table.add("distance", distances.distance()),
        }
        let (has_points, has_normals) = kind.vectors();
        if has_points {
            table.add_vectors(["x", "y", "z"], vectors.points, &[]);
        }
        if has_normals {
            // Those of a batch are 0 where nothing is hit.
            let status = if vectors.normals.is_empty() { &status[..] } else { &[] };
            table.add_vectors(["nx", "ny", "nz"], normals(answers, vectors), status);
        }
        table
    }

    pub(super) fn columns(&self) -> Vec<Named<'_>> {
        self.columns.iter().map(|(name, column)| (*name, column.values())).collect()
    }

    fn add<V: Value + 'a>(&mut self, name: &'static str, values: impl Into<Cow<'a, [V]>>) {
        let values: Cow<'a, [V]> = values.into();
        self.columns.push((name, Box::new(values)));
    }

    fn add_each<V: Value + 'a>(&mut self, name: &'static str, values: impl Iterator<Item = V>) {
        self.add(name, values.collect::<Vec<_>>());
    }

    fn add_counts(&mut self, name: &'static str, counts: &[u32]) {
        self.add_each(name, counts.iter().copied().map(i64::from));
    }

    fn add_hits<T: Coordinate>(&mut self, names: [&'static str; 6], hits: &'a HitBatch<T>) {
        let [t, primitive, geometry, instance, u, v] = names;
        self.add(t, hits.t());
        self.add_ids(
            [primitive, geometry, instance],
            [hits.primitive_id(), hits.geometry_id(), hits.instance_id()],
        );
        self.add(u, hits.u());
        self.add(v, hits.v());
    }

    /// The ids of primitives, geometries and instances; the last are no values where there are no
    /// instances.
    fn add_ids(&mut self, names: [&'static str; 3], ids: [&[u32]; 3]) {
        let ([primitive, geometry, instance], [primitives, geometries, instances]) = (names, ids);
        self.add_each(primitive, primitives.iter().copied().map(primitive_id));
        self.add_each(geometry, geometries.iter().copied().map(signed_id));
        let instances = instances.iter().copied().chain(std::iter::repeat(INVALID_ID));
        self.add_each(instance, instances.take(primitives.len()).map(signed_id));
    }

    /// A column for each axis, NaN in rows that are known to be no hits: 0 would be a point.
    fn add_vectors<T: Coordinate>(
        &mut self,
        names: [&'static str; 3],
        vectors: &[[T; 3]],
        status: &[Status],
    ) {
        for (axis, name) in names.into_iter().enumerate() {
            let status = status.iter().copied().chain(std::iter::repeat(Status::Hit));
            let rows = vectors.iter().zip(status);
            self.add_each(
                name,
                rows.map(
                    |(vector, status)| {
                        if status.is_hit() { vector[axis] } else { T::nearest(f64::NAN) }
                    },
                ),
            );
        }
    }
}

/// The columns of a kind of answer of a precision, without values.
pub(crate) fn columns_of<T: Coordinate>(kind: HitKind) -> Vec<Named<'static>> {
    match kind {
        HitKind::Closest { .. } => of_none::<T, HitBatch<T>>(kind),
        HitKind::Line => of_none::<T, LineHitBatch<T>>(kind),
        HitKind::Any => of_none::<T, AnyHitBatch>(kind),
        HitKind::Count => of_none::<T, CountBatch>(kind),
        HitKind::Cost => of_none::<T, CostBatch>(kind),
        HitKind::All { .. } => of_none::<T, AllHitsBatch<T>>(kind),
        HitKind::ClosestPoint => of_none::<T, ClosestPointBatch<T>>(kind),
        HitKind::Distance => of_none::<T, DistanceBatch<T>>(kind),
        HitKind::Inside => of_none::<T, InsideBatch>(kind),
    }
}

/// The columns of a batch of no rows.
fn of_none<T: Coordinate, B: Default>(kind: HitKind) -> Vec<Named<'static>>
where
    for<'b> Answers<'b, T>: From<&'b B>,
{
    let batch = B::default();
    let table = Table::of::<T>(kind, RayIds::Rows(0), (&batch).into(), Vectors::default());
    table.columns.iter().map(|(name, column)| (*name, column.values().none())).collect()
}

impl HitKind {
    /// The names of the columns.
    pub fn columns(self) -> Vec<&'static str> {
        columns_of::<f32>(self).into_iter().map(|(name, _)| name).collect()
    }

    /// Whether a file has points, and whether it has normals, which do not come with every batch.
    fn vectors(self) -> (bool, bool) {
        match self {
            Self::Closest { points, normals } => (points, normals),
            Self::All { points } => (points, false),
            _ => (false, false),
        }
    }

    /// What a file holds.
    fn words(self) -> &'static str {
        match self {
            Self::Closest { .. } => "closest hits",
            Self::Line => "hits of lines",
            Self::Any => "any hits",
            Self::Count => "counts",
            Self::Cost => "costs",
            Self::All { .. } => "all hits",
            Self::ClosestPoint => "closest points",
            Self::Distance => "distances",
            Self::Inside => "which points are inside",
        }
    }
}

/// The normals that are given, or else those of the batch.
fn normals<'a, T: Coordinate>(answers: Answers<'a, T>, vectors: Vectors<'a, T>) -> &'a [[T; 3]] {
    match answers {
        Answers::Closest(hits) if vectors.normals.is_empty() => hits.geometric_normal(),
        _ => vectors.normals,
    }
}

/// Whether the answers are of the kind, and as many as the ids.
fn check<T: Coordinate>(
    kind: HitKind,
    ids: RayIds<'_>,
    answers: Answers<'_, T>,
    vectors: Vectors<'_, T>,
) -> Result<(), String> {
    let of = match answers {
        Answers::Closest(_) => HitKind::CLOSEST,
        Answers::Line(_) => HitKind::Line,
        Answers::Any(_) => HitKind::Any,
        Answers::Count(_) => HitKind::Count,
        Answers::Cost(_) => HitKind::Cost,
        Answers::All(_) => HitKind::ALL,
        Answers::ClosestPoint(_) => HitKind::ClosestPoint,
        Answers::Distance(_) => HitKind::Distance,
        Answers::Inside(_) => HitKind::Inside,
    };
    if std::mem::discriminant(&kind) != std::mem::discriminant(&of) {
        return Err(format!("a file of {} cannot take {}", kind.words(), of.words()));
    }
    let rays = answers.status().len();
    let hits = if let Answers::All(all) = answers { all.hits().len() } else { rays };
    let (has_points, has_normals) = kind.vectors();
    if has_points {
        same_length("point", vectors.points.len(), hits)?;
    }
    if has_normals {
        same_length("normal", normals(answers, vectors).len(), hits)?;
    }
    match ids {
        RayIds::Given(ids) => same_length("ray_id", ids.len(), rays),
        RayIds::Rows(_) => Ok(()),
    }
}

fn same_length(name: &str, found: usize, expected: usize) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("column \"{name}\" holds {found} values for {expected} rays"))
    }
}

/// −1 where there is no primitive.
fn primitive_id(id: u32) -> i64 {
    if id == INVALID_ID { -1 } else { i64::from(id) }
}

/// −1 where there is no geometry or instance; no scene has 2³¹ of them.
fn signed_id(id: u32) -> i32 {
    i32::try_from(id).unwrap_or(-1)
}

#[cfg(test)]
#[path = "../../tests/unit/hits/table.rs"]
mod tests;
