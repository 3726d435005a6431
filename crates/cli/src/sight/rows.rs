//! Rows of lines of sight: whether each is broken, by what and where.

use crate::ids::Ids;
use crate::precision::Number;
use lanecast::{Hit, Status};
use lanecast_io::Values;

#[derive(Debug, Default)]
pub(super) struct Rows<T> {
    observer: Vec<i64>,
    target: Vec<i64>,
    visible: Vec<bool>,
    status: Vec<Status>,
    t: Vec<T>,
    axes: [Vec<T>; 3],
    pub(super) ids: Ids,
}

impl<T: Number> Rows<T> {
    pub(super) fn columns(&self) -> [(&'static str, Values<'_>); 11] {
        let [x, y, z] = &self.axes;
        let [primitive_id, geometry_id, instance_id] = self.ids.columns();
        [
            ("observer", Values::I64(&self.observer)),
            ("target", Values::I64(&self.target)),
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
