//! Rows of a scan: the columns that are written of each point.

use crate::ids::Ids;
use crate::precision::Number;
use crate::rays::point_at;
use lanecast::{HitBatch, INVALID_ID, Ray, Status};
use lanecast_io::Values;
use lanecast_makers::{Pulse, Return};

#[derive(Debug, Default)]
pub(super) struct Rows<T> {
    axes: [Vec<T>; 3],
    distance: Vec<T>,
    time: Vec<f64>,
    beam: Vec<i32>,
    azimuth: Vec<f32>,
    pulse: Vec<i64>,
    return_number: Vec<i32>,
    return_count: Vec<i32>,
    incidence: Vec<f32>,
    intensity: Vec<f32>,
    pub(super) ids: Ids,
    status: Vec<Status>,
}

impl<T: Number> Rows<T> {
    pub(super) fn columns(&self) -> [(&'static str, Values<'_>); 16] {
        let [x, y, z] = &self.axes;
        let [primitive_id, geometry_id, instance_id] = self.ids.columns();
        [
            ("x", T::values(x)),
            ("y", T::values(y)),
            ("z", T::values(z)),
            ("distance", T::values(&self.distance)),
            ("time", Values::F64(&self.time)),
            ("beam", Values::I32(&self.beam)),
            ("azimuth", Values::F32(&self.azimuth)),
            ("pulse", Values::I64(&self.pulse)),
            ("return_number", Values::I32(&self.return_number)),
            ("return_count", Values::I32(&self.return_count)),
            ("incidence", Values::F32(&self.incidence)),
            ("intensity", Values::F32(&self.intensity)),
            primitive_id,
            geometry_id,
            instance_id,
            ("status", Values::Status(&self.status)),
        ]
    }

    /// Adds a return: the point on the pulse's axis at the distance that is measured, and what is
    /// hit there.
    pub(super) fn push(
        &mut self,
        number: usize,
        pulse: Pulse,
        axis: &Ray<T>,
        measured: Return<T>,
        hits: &HitBatch<T>,
    ) {
        let id = |ids: &[u32]| ids.get(measured.row).copied().unwrap_or(INVALID_ID);
        let point = point_at(axis, measured.distance);
        let Return { distance, number: which, count, incidence, intensity, .. } = measured;
        self.push_pulse(number, pulse, point, distance, [which, count], Status::Hit);
        self.incidence.push(incidence);
        self.intensity.push(intensity);
        self.ids.push([hits.instance_id(), hits.geometry_id(), hits.primitive_id()].map(id));
    }

    /// Adds a pulse that measures nothing.
    pub(super) fn push_miss(&mut self, number: usize, pulse: Pulse, status: Status) {
        self.push_pulse(number, pulse, [T::nearest(f64::NAN); 3], T::INFINITY, [0; 2], status);
        self.incidence.push(f32::NAN);
        self.intensity.push(0.0);
        self.ids.push([INVALID_ID; 3]);
    }

    fn push_pulse(
        &mut self,
        number: usize,
        Pulse { time, beam, azimuth }: Pulse,
        point: [T; 3],
        distance: T,
        [return_number, return_count]: [u32; 2],
        status: Status,
    ) {
        self.axes.iter_mut().zip(point).for_each(|(axis, x)| axis.push(x));
        self.distance.push(distance);
        self.time.push(time);
        self.beam.push(beam as i32);
        self.azimuth.push(azimuth as f32);
        self.pulse.push(number as i64);
        self.return_number.push(return_number as i32);
        self.return_count.push(return_count as i32);
        self.status.push(status);
    }
}
