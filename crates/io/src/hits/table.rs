//! Answers as the columns of a file: the one place where ids get their sign.

use super::values::{Named, Values};
use super::{Answers, HitKind, Vectors};
use crate::mesh::Coordinate;
use crate::rows::RayIds;
use lanecast::{Hit, HitBatch, INVALID_ID, Status};
#[cfg(feature = "tables")]
use std::ops::Range;
use std::sync::Arc;

/// Named columns of equal length.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(super) columns: Vec<(&'static str, Column)>,
}

/// The values of a column.
#[derive(Debug, Clone)]
pub(crate) enum Column {
    I64(Vec<i64>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    Status(Vec<Status>),
    #[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "as above"))]
    Text(Vec<Arc<str>>),
}

/// Runs the same code on the vector of whichever kind a column has.
macro_rules! each_kind {
    ($column:expr, $values:ident => $body:expr) => {
        match $column {
            Column::I64($values) => $body,
            Column::I32($values) => $body,
            Column::F32($values) => $body,
            Column::F64($values) => $body,
            Column::Bool($values) => $body,
            Column::Status($values) => $body,
            Column::Text($values) => $body,
        }
    };
}

impl Column {
    /// An empty one of the kind that goes by this name in every file.
    fn named<T: Coordinate>(name: &str) -> Self {
        match name.trim_start_matches("behind_") {
            "geometry_id" | "instance_id" => Self::I32(Vec::new()),
            "ray_id" | "point_id" | "primitive_id" | "count" => Self::I64(Vec::new()),
            "nodes" | "boxes" | "leaves" | "triangles" => Self::I64(Vec::new()),
            "hit" | "inside" => Self::Bool(Vec::new()),
            "status" => Self::Status(Vec::new()),
            "lanes_filled" => Self::F32(Vec::new()),
            _ => T::column(),
        }
    }

    #[cfg(feature = "tables")]
    pub(super) fn len(&self) -> usize {
        each_kind!(self, values => values.len())
    }

    fn values(&self) -> Values<'_> {
        match self {
            Self::I64(values) => Values::I64(values),
            Self::I32(values) => Values::I32(values),
            Self::F32(values) => Values::F32(values),
            Self::F64(values) => Values::F64(values),
            Self::Bool(values) => Values::Bool(values),
            Self::Status(values) => Values::Status(values),
            Self::Text(values) => Values::Text(values),
        }
    }

    /// An empty one for such values.
    #[cfg(feature = "tables")]
    fn like(values: Values<'_>) -> Self {
        match values {
            Values::I64(_) => Self::I64(Vec::new()),
            Values::I32(_) => Self::I32(Vec::new()),
            Values::F32(_) => Self::F32(Vec::new()),
            Values::F64(_) => Self::F64(Vec::new()),
            Values::Bool(_) => Self::Bool(Vec::new()),
            Values::Status(_) => Self::Status(Vec::new()),
            Values::Text(_) => Self::Text(Vec::new()),
        }
    }

    /// Appends the rows `rows` of values of the same kind.
    #[cfg(feature = "tables")]
    fn append(&mut self, from: Values<'_>, rows: Range<usize>) {
        match (self, from) {
            (Self::I64(to), Values::I64(from)) => to.extend_from_slice(&from[rows]),
            (Self::I32(to), Values::I32(from)) => to.extend_from_slice(&from[rows]),
            (Self::F32(to), Values::F32(from)) => to.extend_from_slice(&from[rows]),
            (Self::F64(to), Values::F64(from)) => to.extend_from_slice(&from[rows]),
            (Self::Bool(to), Values::Bool(from)) => to.extend_from_slice(&from[rows]),
            (Self::Status(to), Values::Status(from)) => to.extend_from_slice(&from[rows]),
            (Self::Text(to), Values::Text(from)) => to.extend_from_slice(&from[rows]),
            _ => unreachable!("columns of one table differ in kind"),
        }
    }
}

impl Table {
    /// The columns of a kind of answer of a precision, empty.
    pub(super) fn of<T: Coordinate>(kind: HitKind) -> Self {
        const HIT: &str = "t primitive_id geometry_id instance_id u v";
        const BEHIND: &str =
            "behind_t behind_primitive_id behind_geometry_id behind_instance_id behind_u behind_v";
        let names = match kind {
            HitKind::Closest { .. } => ["ray_id status", HIT, ""],
            HitKind::Line => ["ray_id status", HIT, BEHIND],
            HitKind::Any => ["ray_id status", "hit", ""],
            HitKind::Count => ["ray_id status", "count", ""],
            HitKind::Cost => ["ray_id status", "nodes boxes leaves triangles", "lanes_filled"],
            HitKind::All { .. } => ["ray_id", HIT, ""],
            HitKind::ClosestPoint => {
                ["point_id status", "distance x y z", "primitive_id geometry_id instance_id u v"]
            }
            HitKind::Distance => ["point_id status", "distance", ""],
            HitKind::Inside => ["point_id status", "inside", ""],
        };
        let (points, normals) = kind.vectors();
        let vectors = [if points { "x y z" } else { "" }, if normals { "nx ny nz" } else { "" }];
        let names = names.into_iter().chain(vectors).flat_map(str::split_whitespace);
        Self { columns: names.map(|name| (name, Column::named::<T>(name))).collect() }
    }

    /// Empty columns like these.
    #[cfg(feature = "tables")]
    pub(super) fn like(columns: &[Named<'_>]) -> Self {
        Self {
            columns: columns.iter().map(|&(name, values)| (name, Column::like(values))).collect(),
        }
    }

    pub(super) fn values(&self) -> Vec<Named<'_>> {
        self.columns.iter().map(|(name, column)| (*name, column.values())).collect()
    }

    #[cfg(feature = "tables")]
    pub(super) fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    pub(super) fn clear(&mut self) {
        for (_, column) in &mut self.columns {
            each_kind!(column, values => values.clear());
        }
    }

    /// Appends the rows `rows` of columns like these.
    #[cfg(feature = "tables")]
    pub(super) fn append(&mut self, columns: &[Named<'_>], rows: Range<usize>) {
        for ((_, to), &(_, from)) in self.columns.iter_mut().zip(columns) {
            to.append(from, rows.clone());
        }
    }

    /// Appends the answers to the rays called `ids`.
    pub(crate) fn fill<T: Coordinate>(
        &mut self,
        kind: HitKind,
        ids: RayIds<'_>,
        answers: Answers<'_, T>,
        vectors: Vectors<'_, T>,
    ) -> Result<(), String> {
        let status = answers.status();
        let has_own_normals = vectors.normals.is_empty();
        let vectors = with_own_normals(vectors, answers);
        check(kind, ids, answers, vectors, status.len())?;
        let mut columns = Cursor(self.columns.iter_mut());
        if let Answers::All(all) = answers {
            let id = columns.i64s();
            for ray in 0..all.len() {
                id.extend(std::iter::repeat_n(ids.get(ray), all.of_ray(ray).len()));
            }
        } else {
            columns.i64s().extend((0..status.len()).map(|row| ids.get(row)));
            columns.statuses().extend_from_slice(&status);
        }
        match answers {
            Answers::Closest(hits) => columns.hits(hits),
            Answers::Line(hits) => {
                columns.hits(hits.ahead());
                columns.hits(hits.behind());
            }
            Answers::Any(_) | Answers::Inside(_) => {
                columns.bools().extend(status.iter().map(|status| status.is_hit()));
            }
            Answers::Count(counts) => {
                columns.i64s().extend(counts.count().iter().copied().map(i64::from));
            }
            Answers::Cost(costs) => {
                for counts in [costs.nodes(), costs.boxes(), costs.leaves(), costs.primitives()] {
                    columns.i64s().extend(counts.iter().copied().map(i64::from));
                }
                columns.lanes_filled().extend((0..costs.len()).map(|row| costs.lanes_filled(row)));
            }
            Answers::All(all) => {
                let hits = || all.hits().iter();
                columns.floats().extend(hits().map(|hit: &Hit<T>| hit.t));
                columns.i64s().extend(hits().map(|hit| primitive_id(hit.primitive_id)));
                columns.i32s().extend(hits().map(|hit| signed_id(hit.geometry_id)));
                columns.i32s().extend(hits().map(|hit| signed_id(hit.instance_id)));
                columns.floats().extend(hits().map(|hit| hit.u));
                columns.floats().extend(hits().map(|hit| hit.v));
            }
            Answers::ClosestPoint(closest) => {
                columns.floats().extend_from_slice(closest.distance());
                columns.vectors(closest.point(), &status);
                columns.ids(closest.primitive_id(), closest.geometry_id(), closest.instance_id());
                columns.floats().extend_from_slice(closest.u());
                columns.floats().extend_from_slice(closest.v());
            }
            Answers::Distance(distances) => {
                columns.floats().extend_from_slice(distances.distance());
            }
        }
        let (points, normals) = kind.vectors();
        if points {
            columns.vectors(vectors.points, &[]);
        }
        if normals {
            columns.vectors(vectors.normals, if has_own_normals { &status } else { &[] });
        }
        Ok(())
    }
}

/// The columns of a table one after the other, in the order in which [`Table::of`] lists them.
struct Cursor<'a>(std::slice::IterMut<'a, (&'static str, Column)>);

macro_rules! next_column {
    ($name:ident, $kind:ident, $value:ty) => {
        fn $name(&mut self) -> &'a mut Vec<$value> {
            match self.0.next() {
                Some((_, Column::$kind(values))) => values,
                other => {
                    unreachable!("expected a column of {}, found {other:?}", stringify!($value))
                }
            }
        }
    };
}

impl<'a> Cursor<'a> {
    next_column!(i64s, I64, i64);
    next_column!(i32s, I32, i32);
    next_column!(lanes_filled, F32, f32);
    next_column!(bools, Bool, bool);
    next_column!(statuses, Status, Status);

    fn floats<T: Coordinate>(&mut self) -> &'a mut Vec<T> {
        let column = self.0.next().and_then(|(_, column)| T::values_in(column));
        column.unwrap_or_else(|| {
            unreachable!("expected a column of floats of {} bytes", size_of::<T>())
        })
    }

    /// Fills the columns from `t` to `v`.
    fn hits<T: Coordinate>(&mut self, hits: &HitBatch<T>) {
        self.floats().extend_from_slice(hits.t());
        self.ids(hits.primitive_id(), hits.geometry_id(), hits.instance_id());
        self.floats().extend_from_slice(hits.u());
        self.floats().extend_from_slice(hits.v());
    }

    /// The ids of primitives, geometries and instances; the last have no column where there are
    /// none.
    fn ids(&mut self, primitives: &[u32], geometries: &[u32], instances: &[u32]) {
        self.i64s().extend(primitives.iter().copied().map(primitive_id));
        self.i32s().extend(geometries.iter().copied().map(signed_id));
        let instances = instances.iter().copied().chain(std::iter::repeat(INVALID_ID));
        self.i32s().extend(instances.take(primitives.len()).map(signed_id));
    }

    /// A column for each axis, NaN in rows that are known to be no hits: 0 would be a point.
    fn vectors<T: Coordinate>(&mut self, vectors: &[[T; 3]], status: &[Status]) {
        for axis in 0..3 {
            let status = status.iter().copied().chain(std::iter::repeat(Status::Hit));
            let rows = vectors.iter().zip(status);
            self.floats().extend(rows.map(|(vector, status)| {
                if status.is_hit() { vector[axis] } else { T::nearest(f64::NAN) }
            }));
        }
    }
}

impl HitKind {
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

/// The normals of the batch where there are no others.
fn with_own_normals<'a, T: Coordinate>(
    vectors: Vectors<'a, T>,
    answers: Answers<'a, T>,
) -> Vectors<'a, T> {
    match answers {
        Answers::Closest(hits) if vectors.normals.is_empty() => {
            Vectors { normals: hits.geometric_normal(), ..vectors }
        }
        _ => vectors,
    }
}

/// Whether the answers to so many rays are of the kind, and as many as the ids.
fn check<T: Coordinate>(
    kind: HitKind,
    ids: RayIds<'_>,
    answers: Answers<'_, T>,
    vectors: Vectors<'_, T>,
    rays: usize,
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
    let hits = if let Answers::All(all) = answers { all.hits().len() } else { rays };
    let (points, normals) = kind.vectors();
    if points {
        same_length("point", vectors.points.len(), hits)?;
    }
    if normals {
        same_length("normal", vectors.normals.len(), hits)?;
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
