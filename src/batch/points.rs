//! What is nearest to points: makes room for the answers and asks chunk by chunk.

use std::ops::Range;

use super::{CastOptions, Caster, OF_POINTS, Plan, for_each_chunk};
use crate::error::{Error, Result};
use crate::hit::{ClosestPoint, ClosestPointBatch, DistanceBatch, Radius};
use crate::query::{Asked, PointAnswer, PointTarget, Target, Visible};
use crate::status::Status;

/// Points that are answered together: a kernel is entered once for them, and their answers lie near.
const TOGETHER: usize = 128;

impl<T: PointTarget> Caster<'_, T> {
    fn visible(&self) -> Visible<'_> {
        Visible { numbering: self.numbering, masks: self.masks.that_hide() }
    }

    /// Hands `write` each row of a chunk with its answer.
    fn ask(
        &self,
        points: &[[f32; 3]],
        radius: Radius<'_>,
        normals: bool,
        mut write: impl FnMut(usize, &PointAnswer),
    ) {
        let mut answers = [PointAnswer::NONE; TOGETHER];
        for (first, points) in (0..).step_by(TOGETHER).zip(points.chunks(TOGETHER)) {
            let answers = &mut answers[..points.len()];
            let asked = Asked { points, radius: radius.skip(first), visible: self.visible(), normals };
            self.target.closest_points(self.backend, &asked, answers);
            for (row, answer) in (first..).zip(answers) {
                write(row, answer);
            }
        }
    }

    pub(crate) fn closest_point_of(&self, point: [f32; 3], radius: f32) -> Result<Option<ClosestPoint>> {
        let mut answer = PointAnswer::NONE;
        let asked =
            Asked { points: &[point], radius: Radius::Same(radius), visible: self.visible(), normals: false };
        self.target.closest_points(self.backend, &asked, std::slice::from_mut(&mut answer));
        match answer.status {
            status if status.is_invalid() => Err(Error::InvalidRay { status }),
            status => Ok(status.is_hit().then_some(answer.found)),
        }
    }

    pub(crate) fn closest_points(
        &self,
        points: &[[f32; 3]],
        radius: Radius<'_>,
        options: &CastOptions<'_>,
        into: &mut ClosestPointBatch,
    ) -> Result<()> {
        radius.check(points.len()).inspect_err(|_| into.clear())?;
        let chunk = Plan::length(points.len(), OF_POINTS, options);
        let instances = self.target.has_instances();
        let parts = Columns::chunks(into, points.len(), instances, options.normals, chunk);
        for_each_chunk(points.len(), chunk, parts, options, |rows, mut columns| {
            self.ask(&points[rows.clone()], radius.skip(rows.start), options.normals, |row, answer| {
                columns.write(row, answer);
            });
        })
        .inspect_err(|_| into.clear())
    }

    pub(crate) fn distances(
        &self,
        points: &[[f32; 3]],
        options: &CastOptions<'_>,
        into: &mut DistanceBatch,
    ) -> Result<()> {
        self.distances_with(points, options, into, |_, _| {})
    }

    /// Makes room, and has `change` go over the distances of each chunk.
    fn distances_with(
        &self,
        points: &[[f32; 3]],
        options: &CastOptions<'_>,
        into: &mut DistanceBatch,
        change: impl Fn(Range<usize>, &mut [f32]) + Sync + Send,
    ) -> Result<()> {
        let chunk = Plan::length(points.len(), OF_POINTS, options);
        into.status.resize(points.len(), Status::Miss);
        into.distance.resize(points.len(), 0.0);
        let parts = into.status.chunks_mut(chunk).zip(into.distance.chunks_mut(chunk));
        for_each_chunk(points.len(), chunk, parts, options, |rows, (status, distance)| {
            self.ask(&points[rows.clone()], Radius::Same(f32::INFINITY), false, |row, answer| {
                (status[row], distance[row]) = (answer.status, answer.found.distance);
            });
            change(rows, distance);
        })
        .inspect_err(|_| into.clear())
    }
}

impl<T: Target + PointTarget> Caster<'_, T> {
    /// Distances that are negative inside of the closed surface that all primitives make together.
    pub(crate) fn signed_distances(
        &self,
        points: &[[f32; 3]],
        options: &CastOptions<'_>,
        into: &mut DistanceBatch,
    ) -> Result<()> {
        self.distances_signed_by(points, options, into, |points| {
            let (mut status, mut winding) = (vec![Status::Miss; points.len()], vec![0; points.len()]);
            self.wind(points, options, &mut status, &mut winding);
            status
        })
    }
}

impl<T: PointTarget> Caster<'_, T> {
    /// Distances that are negative where `inside` says of points that they are a hit.
    pub(crate) fn distances_signed_by(
        &self,
        points: &[[f32; 3]],
        options: &CastOptions<'_>,
        into: &mut DistanceBatch,
        inside: impl Fn(&[[f32; 3]]) -> Vec<Status> + Sync + Send,
    ) -> Result<()> {
        self.distances_with(points, options, into, |rows, distances| {
            for (distance, status) in distances.iter_mut().zip(inside(&points[rows])) {
                // Not −0: on the surface there is no side.
                if status.is_hit() && distance.to_bits() != 0 {
                    *distance = -*distance;
                }
            }
        })
    }
}

/// The rows of one chunk in a [`ClosestPointBatch`].
struct Columns<'a> {
    status: &'a mut [Status],
    distance: &'a mut [f32],
    point: &'a mut [[f32; 3]],
    primitive_id: &'a mut [u32],
    geometry_id: &'a mut [u32],
    /// Empty where there are no instances.
    instance_id: &'a mut [u32],
    u: &'a mut [f32],
    v: &'a mut [f32],
    /// Empty where normals are not asked for.
    geometric_normal: &'a mut [[f32; 3]],
}

impl<'a> Columns<'a> {
    /// Makes room for so many rows in `batch` and cuts them into chunks.
    fn chunks(
        batch: &'a mut ClosestPointBatch,
        rows: usize,
        instances: bool,
        normals: bool,
        chunk: usize,
    ) -> impl Iterator<Item = Self> {
        batch.status.resize(rows, Status::Miss);
        batch.distance.resize(rows, 0.0);
        batch.point.resize(rows, [0.0; 3]);
        batch.primitive_id.resize(rows, 0);
        batch.geometry_id.resize(rows, 0);
        batch.instance_id.resize(if instances { rows } else { 0 }, 0);
        batch.u.resize(rows, 0.0);
        batch.v.resize(rows, 0.0);
        batch.geometric_normal.resize(if normals { rows } else { 0 }, [0.0; 3]);
        let mut instances = batch.instance_id.chunks_mut(chunk);
        let mut normals = batch.geometric_normal.chunks_mut(chunk);
        let places = batch.status.chunks_mut(chunk).zip(batch.distance.chunks_mut(chunk));
        let ids = batch.primitive_id.chunks_mut(chunk).zip(batch.geometry_id.chunks_mut(chunk));
        let weights = batch.u.chunks_mut(chunk).zip(batch.v.chunks_mut(chunk));
        let points = batch.point.chunks_mut(chunk);
        places.zip(points).zip(ids).zip(weights).map(
            move |((((status, distance), point), (primitive_id, geometry_id)), (u, v))| Self {
                status,
                distance,
                point,
                primitive_id,
                geometry_id,
                instance_id: instances.next().unwrap_or_default(),
                u,
                v,
                geometric_normal: normals.next().unwrap_or_default(),
            },
        )
    }

    fn write(&mut self, row: usize, answer: &PointAnswer) {
        let found = &answer.found;
        self.status[row] = answer.status;
        self.distance[row] = found.distance;
        self.point[row] = found.point;
        self.primitive_id[row] = found.primitive_id;
        self.geometry_id[row] = found.geometry_id;
        if let Some(instance_id) = self.instance_id.get_mut(row) {
            *instance_id = found.instance_id;
        }
        self.u[row] = found.u;
        self.v[row] = found.v;
        if let Some(normal) = self.geometric_normal.get_mut(row) {
            *normal = answer.geometric_normal;
        }
    }
}
