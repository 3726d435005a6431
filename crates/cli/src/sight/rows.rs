//! Rows of lines of sight: whether each is broken, by what and where.

use crate::ids::Ids;
use crate::precision::Number;
use lanecast::{Hit, Status};
use lanecast_io::{Column, Values};

#[derive(Debug, Default)]
pub(super) struct Rows<T> {
    pub(super) observer: Vec<i64>,
    pub(super) target: Vec<i64>,
    visible: Vec<bool>,
    status: Vec<Status>,
    t: Vec<T>,
    axes: [Vec<T>; 3],
    pub(super) ids: Ids,
}

impl<T: Number> Rows<T> {
    /// All columns, with what ends are called in the place of their numbers, where that is text.
    pub(super) fn columns<'a>(
        &'a self,
        [observers, targets]: &'a [Option<Column>; 2],
    ) -> [(&'static str, Values<'a>); 11] {
        let called = |texts: &'a Option<Column>, numbers: &'a [i64]| {
            texts.as_ref().map_or(Values::I64(numbers), Column::values)
        };
        let [x, y, z] = &self.axes;
        let [primitive_id, geometry_id, instance_id] = self.ids.columns();
        [
            ("observer", called(observers, &self.observer)),
            ("target", called(targets, &self.target)),
            ("visible", Values::Bool(&self.visible)),
            ("status", Values::Status(&self.status)),
            ("t", T::values(&self.t)),
            ("x", T::values(x)),
            ("y", T::values(y)),
            ("z", T::values(z)),
            primitive_id,
            geometry_id,
            instance_id,
        ]
    }

    /// Adds a line between two ends, and the first obstacle with its point.
    pub(super) fn push(
        &mut self,
        [observer, target]: [i64; 2],
        visible: bool,
        status: Status,
        broken: Option<(Hit<T>, [T; 3])>,
    ) {
        let (hit, point) = broken.unwrap_or((Hit::NONE, [T::nearest(f64::NAN); 3]));
        self.observer.push(observer);
        self.target.push(target);
        self.visible.push(visible);
        self.status.push(status);
        self.t.push(hit.t);
        self.axes.iter_mut().zip(point).for_each(|(axis, x)| axis.push(x));
        self.ids.push([hit.instance_id, hit.geometry_id, hit.primitive_id]);
    }
}
