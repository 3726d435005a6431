//! Answers as the columns of a file: the one place where ids get their sign.

use super::{Answers, HitKind};
use crate::rows::RayIds;
use lanecast::{Hit, HitBatch, INVALID_ID, Status};
#[cfg(feature = "tables")]
use std::ops::Range;

/// Named columns of equal length.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) columns: Vec<(&'static str, Column)>,
}

/// The values of a column.
#[derive(Debug, Clone)]
pub(super) enum Column {
    I64(Vec<i64>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    Bool(Vec<bool>),
    Status(Vec<Status>),
}

/// Runs the same code on the vector of whichever kind a column has.
macro_rules! each_kind {
    ($column:expr, $values:ident => $body:expr) => {
        match $column {
            Column::I64($values) => $body,
            Column::I32($values) => $body,
            Column::F32($values) => $body,
            Column::Bool($values) => $body,
            Column::Status($values) => $body,
        }
    };
}

impl Column {
    pub(super) fn len(&self) -> usize {
        each_kind!(self, values => values.len())
    }

    /// Appends the rows `rows` of `from`, which is of the same kind.
    #[cfg(feature = "tables")]
    fn append(&mut self, from: &Self, rows: Range<usize>) {
        match (self, from) {
            (Self::I64(to), Self::I64(from)) => to.extend_from_slice(&from[rows]),
            (Self::I32(to), Self::I32(from)) => to.extend_from_slice(&from[rows]),
            (Self::F32(to), Self::F32(from)) => to.extend_from_slice(&from[rows]),
            (Self::Bool(to), Self::Bool(from)) => to.extend_from_slice(&from[rows]),
            (Self::Status(to), Self::Status(from)) => to.extend_from_slice(&from[rows]),
            _ => unreachable!("columns of one table differ in kind"),
        }
    }
}

impl Table {
    /// The columns of a kind of answer, empty.
    pub(super) fn of(kind: HitKind) -> Self {
        let id = ("ray_id", Column::I64(Vec::new()));
        let status = ("status", Column::Status(Vec::new()));
        let f32s = |name| (name, Column::F32(Vec::new()));
        let mut hit = vec![
            f32s("t"),
            ("primitive_id", Column::I64(Vec::new())),
            ("geometry_id", Column::I32(Vec::new())),
            ("instance_id", Column::I32(Vec::new())),
            f32s("u"),
            f32s("v"),
        ];
        let of_points = matches!(kind, HitKind::ClosestPoint | HitKind::Distance | HitKind::Inside);
        let mut columns = vec![if of_points { ("point_id", id.1) } else { id }];
        match kind {
            HitKind::Closest | HitKind::ClosestWithNormals => {
                columns.push(status);
                columns.append(&mut hit);
                if kind == HitKind::ClosestWithNormals {
                    columns.extend([f32s("nx"), f32s("ny"), f32s("nz")]);
                }
            }
            HitKind::Line => {
                columns.push(status);
                columns.append(&mut hit);
                columns.extend([
                    f32s("behind_t"),
                    ("behind_primitive_id", Column::I64(Vec::new())),
                    ("behind_geometry_id", Column::I32(Vec::new())),
                    ("behind_instance_id", Column::I32(Vec::new())),
                    f32s("behind_u"),
                    f32s("behind_v"),
                ]);
            }
            HitKind::Any => columns.extend([status, ("hit", Column::Bool(Vec::new()))]),
            HitKind::Count => columns.extend([status, ("count", Column::I64(Vec::new()))]),
            HitKind::Cost => {
                columns.push(status);
                let counts = ["nodes", "boxes", "leaves", "triangles"];
                columns.extend(counts.map(|name| (name, Column::I64(Vec::new()))));
                columns.push(f32s("lanes_filled"));
            }
            HitKind::All => columns.append(&mut hit),
            HitKind::ClosestPoint => {
                columns.extend([status, f32s("distance"), f32s("x"), f32s("y"), f32s("z")]);
                columns.extend(hit.drain(1..));
            }
            HitKind::Distance => columns.extend([status, f32s("distance")]),
            HitKind::Inside => columns.extend([status, ("inside", Column::Bool(Vec::new()))]),
        }
        Self { columns }
    }

    pub(super) fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    pub(super) fn clear(&mut self) {
        for (_, column) in &mut self.columns {
            each_kind!(column, values => values.clear());
        }
    }

    /// Appends the rows `rows` of `from`, a table of the same kind.
    #[cfg(feature = "tables")]
    pub(super) fn append(&mut self, from: &Self, rows: Range<usize>) {
        for ((_, to), (_, from)) in self.columns.iter_mut().zip(&from.columns) {
            to.append(from, rows.clone());
        }
    }

    /// Appends the answers to the rays called `ids`.
    pub(super) fn fill(
        &mut self,
        kind: HitKind,
        ids: RayIds<'_>,
        answers: Answers<'_>,
    ) -> Result<(), String> {
        check(kind, ids, answers)?;
        let mut columns = Cursor(self.columns.iter_mut());
        match answers {
            Answers::Closest(hits) => {
                columns.i64s().extend((0..hits.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(hits.status());
                columns.hits(hits);
                if kind == HitKind::ClosestWithNormals {
                    for axis in 0..3 {
                        columns.f32s().extend(hits.geometric_normal().iter().map(|normal| normal[axis]));
                    }
                }
            }
            Answers::Line(hits) => {
                columns.i64s().extend((0..hits.len()).map(|row| ids.get(row)));
                columns.statuses().extend((0..hits.len()).map(|row| hits.status(row)));
                columns.hits(hits.ahead());
                columns.hits(hits.behind());
            }
            Answers::Any(hits) => {
                columns.i64s().extend((0..hits.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(hits.status());
                columns.bools().extend(hits.status().iter().map(|status| status.is_hit()));
            }
            Answers::Count(counts) => {
                columns.i64s().extend((0..counts.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(counts.status());
                columns.i64s().extend(counts.count().iter().copied().map(i64::from));
            }
            Answers::Cost(costs) => {
                columns.i64s().extend((0..costs.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(costs.status());
                for counts in [costs.nodes(), costs.boxes(), costs.leaves(), costs.primitives()] {
                    columns.i64s().extend(counts.iter().copied().map(i64::from));
                }
                columns.f32s().extend((0..costs.len()).map(|row| costs.lanes_filled(row)));
            }
            Answers::All(all) => {
                let id = columns.i64s();
                for ray in 0..all.len() {
                    id.extend(std::iter::repeat_n(ids.get(ray), all.of_ray(ray).len()));
                }
                let hits = || all.hits().iter();
                columns.f32s().extend(hits().map(|hit: &Hit| hit.t));
                columns.i64s().extend(hits().map(|hit| primitive_id(hit.primitive_id)));
                columns.i32s().extend(hits().map(|hit| signed_id(hit.geometry_id)));
                columns.i32s().extend(hits().map(|hit| signed_id(hit.instance_id)));
                columns.f32s().extend(hits().map(|hit| hit.u));
                columns.f32s().extend(hits().map(|hit| hit.v));
            }
            Answers::ClosestPoint(closest) => {
                columns.i64s().extend((0..closest.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(closest.status());
                columns.f32s().extend_from_slice(closest.distance());
                for axis in 0..3 {
                    columns.f32s().extend(closest.point().iter().map(|point| point[axis]));
                }
                columns.i64s().extend(closest.primitive_id().iter().copied().map(primitive_id));
                columns.i32s().extend(closest.geometry_id().iter().copied().map(signed_id));
                let instances = closest.instance_id().iter().copied().chain(std::iter::repeat(INVALID_ID));
                columns.i32s().extend(instances.take(closest.len()).map(signed_id));
                columns.f32s().extend_from_slice(closest.u());
                columns.f32s().extend_from_slice(closest.v());
            }
            Answers::Distance(distances) => {
                columns.i64s().extend((0..distances.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(distances.status());
                columns.f32s().extend_from_slice(distances.distance());
            }
            Answers::Inside(inside) => {
                columns.i64s().extend((0..inside.len()).map(|row| ids.get(row)));
                columns.statuses().extend_from_slice(inside.status());
                columns.bools().extend(inside.status().iter().map(|status| status.is_hit()));
            }
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
                other => unreachable!("expected a column of {}, found {other:?}", stringify!($value)),
            }
        }
    };
}

impl<'a> Cursor<'a> {
    next_column!(i64s, I64, i64);
    next_column!(i32s, I32, i32);
    next_column!(f32s, F32, f32);
    next_column!(bools, Bool, bool);
    next_column!(statuses, Status, Status);

    /// Fills the columns from `t` to `v`.
    fn hits(&mut self, hits: &HitBatch) {
        self.f32s().extend_from_slice(hits.t());
        self.i64s().extend(hits.primitive_id().iter().copied().map(primitive_id));
        self.i32s().extend(hits.geometry_id().iter().copied().map(signed_id));
        let instances = hits.instance_id().iter().copied().chain(std::iter::repeat(INVALID_ID));
        self.i32s().extend(instances.take(hits.len()).map(signed_id));
        self.f32s().extend_from_slice(hits.u());
        self.f32s().extend_from_slice(hits.v());
    }
}

/// Whether the answers are of the kind, and as many as the ids.
fn check(kind: HitKind, ids: RayIds<'_>, answers: Answers<'_>) -> Result<(), String> {
    let (of, found, rays) = match answers {
        Answers::Closest(hits) => (HitKind::Closest, "closest hits", hits.len()),
        Answers::Line(hits) => (HitKind::Line, "hits of lines", hits.len()),
        Answers::Any(hits) => (HitKind::Any, "any hits", hits.len()),
        Answers::Count(counts) => (HitKind::Count, "counts", counts.len()),
        Answers::Cost(costs) => (HitKind::Cost, "costs", costs.len()),
        Answers::All(hits) => (HitKind::All, "all hits", hits.len()),
        Answers::ClosestPoint(closest) => (HitKind::ClosestPoint, "closest points", closest.len()),
        Answers::Distance(distances) => (HitKind::Distance, "distances", distances.len()),
        Answers::Inside(inside) => (HitKind::Inside, "which points are inside", inside.len()),
    };
    if let (HitKind::ClosestWithNormals, Answers::Closest(hits)) = (kind, answers) {
        same_length("geometric_normal", hits.geometric_normal().len(), rays)?;
    } else if kind != of {
        return Err(format!("a file of the kind {kind:?} cannot take {found}"));
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
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_value_and_none_is_minus_one() {
        assert_eq!([u32::MAX - 1, INVALID_ID].map(primitive_id), [4_294_967_294, -1]);
        assert_eq!([i32::MAX as u32, INVALID_ID].map(signed_id), [i32::MAX, -1]);
    }
}
