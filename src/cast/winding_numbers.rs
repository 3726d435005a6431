//! Requests by generalised winding numbers.

use super::points::{GridPoints, OnePoint, Points};
use super::winding::{ACCURACY, OF_POINTS, each_winding};
use super::{Cast, Precision, Result, With, met_or_refused, owned};
use crate::answers::{WindingBatch, WindingColumns};

/// Requests of points.
trait OfPoints {}

impl<T: Precision> OfPoints for Points<'_, T> {}
impl<T: Precision> OfPoints for OnePoint<'_, T> {}
impl<T: Precision> OfPoints for GridPoints<'_, T> {}

#[expect(private_bounds, reason = "there are no others")]
impl<T: Precision, A: OfPoints> Cast<'_, T, A> {
    /// Decides what is inside by the generalised winding number: for surfaces that are not closed, which are refused without
    /// this option. Default: the exact winding number of closed surfaces, by crossings.
    ///
    /// The winding number is the solid angle of all triangles as seen from the point, as part of the whole sphere. It is a
    /// whole number for a closed surface and goes over gaps smoothly. Here a point is inside if it rounds to another than 0:
    /// [`contains`](Cast::contains), [`signed_distances`](Cast::signed_distances) and grids then answer for any mesh. It makes
    /// sense where the triangles are wound alike and gaps are small beside the distance of the point to them; the sign of a
    /// distance near a gap is that of a surface across the gap.
    ///
    /// Triangles that are farther than `accuracy` times the radius of the ball around them are seen as a dipole with the next
    /// term of its expansion (Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for Soups and Clouds",
    /// SIGGRAPH 2018), by the nodes of the tree, so that numbers depend on the tree. The greatest error
    /// that was measured, around and near balls, boxes, tori and others, is 0.24 at an accuracy of 1, 0.06 at 2, 0.011 at 4 and
    /// 0.003 at 8; ∞ or [`brute_force`](Self::brute_force) sum all triangles in `f64`. They have the same bits on every
    /// machine. Boxes, spheres and other closed primitives count by crossings, exactly. An accuracy of 2 takes 30 to 100
    /// times as long as crossings do, one of 4 four to five times as long as that.
    ///
    /// ```
    /// use lanecast::Scene;
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// // The largest face is missing.
    /// let open = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2]])?;
    /// let points = [[0.25, 0.25, 0.25], [-1.0, 0.25, 0.25]];
    /// assert!(open.points(&points).contains().is_err());
    /// let distances = open.points(&points).generalised_winding(2.0).signed_distances()?;
    /// assert_eq!(distances.distance(), [-0.25, 1.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// Queries refuse an accuracy that is NaN or below 1 by [`Error::UnusableField`](crate::Error::UnusableField). They take
    /// longer the first time, some hundred nanoseconds a triangle, and keep a kilobyte for each node of the tree.
    pub fn generalised_winding(mut self, accuracy: f64) -> Self {
        self.options.generalised = Some(accuracy);
        self
    }
}

impl<T: Precision> Cast<'_, T, Points<'_, T>> {
    /// The generalised winding number of each point: that of [`generalised_winding`](Self::generalised_winding), with the
    /// accuracy set there, or 2. Errors are those of [`contains`](Self::contains), but surfaces need not be closed.
    ///
    /// ```
    /// # use lanecast::Scene;
    /// // One of the eight faces of an octahedron around the origin.
    /// let face = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let scene = Scene::from_triangles(&face, &[[0, 1, 2]])?;
    /// assert!((scene.points(&[[0.0; 3]]).winding_numbers()?.winding_number()[0] - 0.125).abs() < 1e-6);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn winding_numbers(&self) -> Result<WindingBatch> {
        owned(|windings| self.winding_numbers_into(windings))
    }

    /// [`winding_numbers`](Self::winding_numbers) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn winding_numbers_into<'o>(&self, windings: impl Into<WindingColumns<'o>>) -> Result<()> {
        let accuracy = self.options.generalised.unwrap_or(ACCURACY);
        let request = self.clone().generalised_winding(accuracy);
        let (Points { scene, points }, options) = (&request.asked, &request.options);
        let plan = || {
            options.refuse_open(scene)?;
            Ok((options.chunks(points.len(), OF_POINTS), ()))
        };
        let size = (points.len(), With::default());
        options.fill::<WindingBatch, _>(windings.into(), size, plan, |(), chunk, answers| {
            let mut room = Vec::new();
            each_winding(scene, points.gathered(chunk.rows(), &mut room), options, |row, status, winding| {
                answers.status[row] = status;
                answers.winding_number[row] = winding as f32;
            });
        })
    }
}

impl<T: Precision> Cast<'_, T, OnePoint<'_, T>> {
    /// The generalised winding number of the point, as [of many points](Cast::winding_numbers).
    pub fn winding_number(&self) -> Result<f32> {
        let windings = self.as_batch(|point| point.winding_numbers())?;
        met_or_refused(windings.status()[0]).map(|_| windings.winding_number()[0])
    }
}
