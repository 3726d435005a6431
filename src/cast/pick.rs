//! Picking: the hits of one ray with points and normals, as scene graphs report them.

use std::collections::HashSet;

use super::{Cast, OneRay, Result};
use crate::scene::Pick;

/// The intersections that [`pick`](super::Cast::pick) reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PickLimit {
    /// All of them.
    #[default]
    All,
    /// The first of each geometry, in each instance by itself.
    OnePerGeometry,
    /// The first.
    Nearest,
    /// Any one: the first too, as answers do not depend on the tree. [`any`](super::Cast::any) only says whether there is one;
    /// it stops at the first that it finds, and counts touches.
    Any,
}

impl Cast<'_, f32, OneRay<'_>> {
    /// The crossings of the ray in the order of `t`, each with points and normals: each crossing of a surface once, also
    /// through edges and vertices. For a [segment](crate::Ray::segment) `t` is the ratio along it.
    ///
    /// ```
    /// use lanecast::{Ray, Scene, Segment, cast::PickLimit};
    /// // Two triangles, which meet on the diagonal that the segment goes through.
    /// let vertices = [[0.0, 0.0, 3.0], [1.0, 0.0, 3.0], [1.0, 1.0, 3.0], [0.0, 1.0, 3.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
    /// let segment = Segment::new([0.5, 0.5, 15.0], [0.5, 0.5, -15.0]);
    /// let picks = scene.cast(&Ray::from(segment)).pick(PickLimit::All)?;
    /// assert_eq!(picks.len(), 1);
    /// assert_eq!((picks[0].hit.t, picks[0].world_point), (0.4, [0.5, 0.5, 3.0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// Errors are those of [`all`](Self::all).
    pub fn pick(&self, limit: PickLimit) -> Result<Vec<Pick>> {
        let mut hits = match limit {
            PickLimit::Nearest | PickLimit::Any => self.nearest(1)?,
            PickLimit::All | PickLimit::OnePerGeometry => self.all()?,
        };
        if limit == PickLimit::OnePerGeometry {
            let mut met = HashSet::new();
            hits.retain(|hit| met.insert((hit.instance_id, hit.geometry_id)));
        }
        let OneRay { scene, ray } = self.asked;
        hits.iter().map(|hit| scene.locate(ray, hit)).collect()
    }
}
