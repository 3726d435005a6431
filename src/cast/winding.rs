//! Winding numbers of the points of a chunk: the sink of crossings, and generalised winding numbers.

use super::rays::in_rows;
use super::{
    Error, Hit, Options, Plan, Precision, RayBatch, Result, Scalar, Scene, Side, Sink, Status, With,
};
use crate::answers::{InsideBatch, InsideColumns, InsideRows};
use crate::chunks::Chunk;
use crate::columns::PointBatch;
use crate::query::Selection;
use crate::simd::with_default_float_mode;

/// The least and the greatest number of points in a chunk: a point takes as long as many rays.
pub(super) const OF_POINTS: [usize; 2] = [64, 1 << 12];

/// The direction of the rays that count winding numbers: an axis, so that shearing only rounds a subtraction.
pub(super) const fn winding_direction<T: Scalar>() -> [T; 3] {
    [T::ONE, T::ZERO, T::ZERO]
}

/// The accuracy of generalised winding numbers that are asked for without one.
pub(super) const ACCURACY: f64 = 2.0;

/// Counts crossings: +1 for each surface that a ray leaves, −1 for each that it enters. Any winding number but 0 is a hit.
pub(super) struct Winding<'a> {
    pub(super) rows: InsideRows<'a>,
}

impl<T: Scalar> Sink<T> for Winding<'_> {
    in_rows!();

    fn offer(&mut self, row: usize, _: &Hit<T>, side: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.winding[row] += if side == Side::Back { 1 } else { -1 };
        self.rows.status[row] = if self.rows.winding[row] == 0 { Status::Miss } else { Status::Hit };
    }
}

impl<T: Precision> Options<'_, T> {
    /// Refuses a scene that has no inside by these options, or an accuracy that cannot be used.
    pub(super) fn refuse_open(&self, scene: &Scene<T>) -> Result<()> {
        match self.generalised {
            None => scene.refuse_open(),
            Some(1.0..) => scene.refuse_without_inside(),
            Some(accuracy) => {
                let problem = format!("is {accuracy}; it must be at least 1");
                Err(Error::UnusableField { maker: "generalised_winding", field: "accuracy", problem })
            }
        }
    }
}

/// Passes the status and the generalised winding number of each point of a chunk to `write`.
pub(super) fn each_winding<T: Precision>(
    scene: &Scene<T>,
    points: &[[T; 3]],
    options: &Options<'_, T>,
    mut write: impl FnMut(usize, Status, f64),
) {
    let accuracy = options.generalised.unwrap_or(ACCURACY);
    let accuracy = (!options.brute_force && accuracy < f64::INFINITY).then_some(accuracy);
    let of_shapes = windings_of_shapes(scene, points, options);
    with_default_float_mode(|| {
        for (row, &point) in points.iter().enumerate() {
            if let Some(defect) = scene.defect_of_point(point) {
                write(row, defect, 0.0);
                continue;
            }
            let of_shapes = of_shapes.winding().get(row).copied().map_or(0.0, f64::from);
            let winding = scene.generalised_winding(point, accuracy) + of_shapes;
            write(row, if winding.abs() < 0.5 { Status::Miss } else { Status::Hit }, winding);
        }
    });
}

/// The windings of all that is no mesh, by crossings; empty if there is nothing else.
fn windings_of_shapes<T: Precision>(
    scene: &Scene<T>,
    points: &[[T; 3]],
    options: &Options<'_, T>,
) -> InsideBatch {
    let mut inside = InsideBatch::new();
    if scene.holds_shapes() {
        let is_shape = |_: usize, hit: &Hit<T>, _: Side| scene.is_on_shape(hit.instance_id, hit.geometry_id);
        let selection = Selection { filter: Some(&is_shape), ..Selection::ALL };
        let options = Options { selection, ..options.crossing() };
        let rows = inside.resize(points.len(), With::default());
        let rays = RayBatch::from_points(points, winding_direction());
        let plan = Plan::without_order(scene, &options, &rays);
        plan.run(&Chunk::unwatched(0..points.len()), &mut Winding { rows });
    }
    inside
}

/// Whether points are inside by generalised winding numbers.
pub(super) fn contains_generalised<T: Precision>(
    points: &PointBatch<'_, T>,
    scene: &Scene<T>,
    options: &Options<'_, T>,
    inside: InsideColumns<'_>,
) -> Result<()> {
    let plan = || {
        options.refuse_open(scene)?;
        Ok((options.chunks(points.len(), OF_POINTS), ()))
    };
    let size = (points.len(), With::default());
    options.fill::<InsideBatch, _>(inside, size, plan, |(), chunk, answers| {
        let mut room = Vec::new();
        each_winding(scene, points.gathered(chunk.rows(), &mut room), options, |row, status, winding| {
            answers.status[row] = status;
            answers.winding[row] = winding.round() as i32;
        });
    })
}
