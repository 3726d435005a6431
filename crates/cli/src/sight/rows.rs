//! Rows of lines of sight: whether each is broken, by what and where.

use crate::precision::Number;
use lanecast::{Hit, INVALID_ID, Status};
use lanecast_io::Values;

#[derive(Debug, Default)]
pub(super) struct Rows<T> {
    observer: Vec<i64>,
    target: Vec<i64>,
    visible: Vec<bool>,
    status: Vec<Status>,
    t: Vec<T>,
    axes: [Vec<T>; 3],
    primitive_id: Vec<i64>,
    geometry_id: Vec<i32>,
    instance_id: Vec<i32>,
}

impl<T: Number> Rows<T> {
    pub(super) fn columns(&self) -> [(&'static str, Values<'_>); 11] {
        let [x, y, z] = &self.axes;
        [
            ("observer", Values::I64(&self.observer)),
            ("target", Values::I64(&self.target)),
            ("visible", Values::Bool(&self.visible)),
            ("status", Values::Status(&self.status)),
            ("t", T::values(&self.t)),
            ("x", T::values(x)),
            ("y", T::values(y)),
            ("z", T::values(z)),
            ("primitive_id", Values::I64(&self.primitive_id)),
            ("geometry_id", Values::I32(&self.geometry_id)),
            ("instance_id", Values::I32(&self.instance_id)),
        ]
    }

    /// Instance, geometry and primitive of each row.
    pub(super) fn ids(&self) -> impl Iterator<Item = [u32; 3]> {
        let id = |id: i64| u32::try_from(id).unwrap_or(INVALID_ID);
        let rows = self.instance_id.iter().zip(&self.geometry_id).zip(&self.primitive_id);
        rows.map(move |((&instance, &geometry), &primitive)| {
            [id(instance.into()), id(geometry.into()), id(primitive)]
        })
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
        let id = |id: u32| if id == INVALID_ID { -1 } else { i32::try_from(id).unwrap_or(-1) };
        self.observer.push(observer);
        self.target.push(target);
        self.visible.push(visible);
        self.status.push(status);
        self.t.push(hit.t);
        self.axes.iter_mut().zip(point).for_each(|(axis, x)| axis.push(x));
        self.primitive_id.push(id(hit.primitive_id).into());
        self.geometry_id.push(id(hit.geometry_id));
        self.instance_id.push(id(hit.instance_id));
    }
}
