//! The nearest primitives to points, and all within a radius.

use super::points::{OF_POINTS, OnePoint, Points};
use super::{Cast, PerRow, Precision, Result, met_or_refused, owned};
use crate::answers::{ClosestPoint, NearPointBatch};
use crate::query::{Asked, PointAnswer};
use crate::scene::PointSearch;
use crate::simd::with_default_float_mode;

impl<T: Precision> Cast<'_, T, Points<'_, T>> {
    /// The nearest primitives to each point, at most `count` of them, within `radius`, which is
    /// included. Both are numbers for all points or columns.
    ///
    /// Each primitive is there once, with its closest point, in the order of distances, then ids:
    /// the first is that of [`closest`](Self::closest), and its rules for distances, radii and
    /// instances hold here too. There are no normals. The status says whether any primitive is
    /// within the radius, also where the count is 0.
    ///
    /// ```
    /// use lanecast::{SceneBuilder, primitive::Sphere};
    /// let balls = [1.0, 4.0, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 0.5));
    /// let scene = SceneBuilder::new().spheres(&balls)?.build()?;
    /// let near = scene.points(&[[0.0; 3], [8.0, 0.0, 0.0]]).nearest(2, f32::INFINITY)?;
    /// assert_eq!(near.of_point(0).iter().map(|near| near.distance).collect::<Vec<_>>(), [0.5, 3.5]);
    /// assert_eq!(near.of_point(1).iter().map(|near| near.primitive_id).collect::<Vec<_>>(), [2, 1]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ColumnLength`](crate::Error::ColumnLength) if a column is not as long as there are
    /// points, and those of [`closest`](Self::closest).
    pub fn nearest<'r>(
        &self,
        count: impl Into<PerRow<'r, u32>>,
        radius: impl Into<PerRow<'r, T>>,
    ) -> Result<NearPointBatch<T>> {
        let (count, radius) = (count.into(), radius.into());
        owned(|near: &mut NearPointBatch<T>| self.nearest_into(count, radius, near))
    }

    /// [`nearest`](Self::nearest) into a batch, whose memory is reused; after an error it is empty.
    pub fn nearest_into<'r>(
        &self,
        count: impl Into<PerRow<'r, u32>>,
        radius: impl Into<PerRow<'r, T>>,
        near: &mut NearPointBatch<T>,
    ) -> Result<()> {
        near.clear();
        let (count, radius) = (count.into(), radius.into());
        let (Points { scene, points }, options) = (&self.asked, &self.options);
        count.check("counts", points.len())?;
        radius.check("radii", points.len())?;
        scene.refuse_without_nearest()?;
        let chunks = options.chunks(points.len(), OF_POINTS);
        options.fill_lists(near, points.len(), chunks, |chunk, status| {
            let rows = chunk.rows();
            let (count, radius) = (count.slice(rows.clone()), radius.slice(rows.clone()));
            let (mut room, mut found) = (Vec::new(), Vec::new());
            let points = points.gathered(rows, &mut room);
            let (backend, brute_force) = (options.backend_of(scene), options.brute_force);
            let visible = scene.visible();
            let asked =
                Asked { backend, brute_force, points, radius, visible, normals: false, chunk };
            let mut search = PointSearch::new(scene, &asked);
            with_default_float_mode(|| {
                for (row, status) in status.iter_mut().enumerate() {
                    let give = &mut |answer: PointAnswer<T>| found.push((row as u32, answer.found));
                    *status = T::find_near(&mut search, row, count.of(row), give);
                }
            });
            found
        })
    }

    /// All primitives within `radius` of each point, as [`nearest`](Self::nearest) of any count.
    ///
    /// ```
    /// # use lanecast::Scene;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
    /// let near = scene.points(&[[0.5, 0.25, 1.0]]).within(1.0)?;
    /// assert_eq!(near.of_point(0).iter().map(|near| near.primitive_id).collect::<Vec<_>>(), [0]);
    /// assert_eq!(scene.point([0.5, 0.25, 1.0]).within(1.1)?.len(), 2);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn within<'r>(&self, radius: impl Into<PerRow<'r, T>>) -> Result<NearPointBatch<T>> {
        self.nearest(u32::MAX, radius)
    }

    /// [`within`](Self::within) into a batch, whose memory is reused; after an error it is empty.
    pub fn within_into<'r>(
        &self,
        radius: impl Into<PerRow<'r, T>>,
        near: &mut NearPointBatch<T>,
    ) -> Result<()> {
        self.nearest_into(u32::MAX, radius, near)
    }
}

impl<T: Precision> Cast<'_, T, OnePoint<'_, T>> {
    /// The nearest primitives, at most `count`, within `radius`, as [of many
    /// points](Cast::nearest).
    pub fn nearest(&self, count: u32, radius: T) -> Result<Vec<ClosestPoint<T>>> {
        let near = self.as_batch(|point| point.nearest(count, radius))?;
        met_or_refused(near.status[0]).map(|_| near.all)
    }

    /// All primitives within `radius`, nearest first, as [of many points](Cast::within).
    pub fn within(&self, radius: T) -> Result<Vec<ClosestPoint<T>>> {
        self.nearest(u32::MAX, radius)
    }
}
