//! The primitives that overlap with a region of space.

use super::{Cast, Error, PerRow, Precision, Result, Scene, owned};
use crate::answers::PrimitiveIds;
use crate::chunks::Watched;
use crate::scene::Overlaps;
use crate::simd::with_default_float_mode;
use crate::value::{Extent, Region};

/// A region and the scene that may overlap with it.
#[derive(Debug, Clone, Copy)]
pub struct Overlap<'a, T: Precision = f32> {
    scene: &'a Scene<T>,
    region: Region,
}

impl<T: Precision> Scene<T> {
    /// A request for the primitives that overlap with a box, a ball or a frustum, such as those in
    /// a rectangle of a picture: `&Aabb`, [`&Sphere`](crate::primitive::Sphere) or
    /// [`&Frustum`](crate::Frustum). Four options apply: mask, backend, brute force and the
    /// watcher, which gets no progress.
    ///
    /// ```
    /// use lanecast::{Aabb, Scene, primitive::Sphere};
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
    /// let below = Aabb { min: [0.5, 0.0, -1.0], max: [1.0, 0.25, 0.0] };
    /// let ids = scene.overlap(&below).primitives()?;
    /// assert_eq!(ids.iter().map(|ids| ids.primitive_id).collect::<Vec<_>>(), [0]);
    /// assert!(scene.overlap(&Sphere::new([0.0, 2.0, 0.0], 1.0)).any()?);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn overlap<'s, 'o>(&'s self, region: impl Into<Region>) -> Cast<'o, T, Overlap<'s, T>> {
        Cast::of(Overlap { scene: self, region: region.into() })
    }
}

impl<T: Precision> Cast<'_, T, Overlap<'_, T>> {
    /// The primitives that overlap with the region, sorted.
    ///
    /// Triangles, those of fields of heights too, boxes, oriented boxes, spheres, round cones and
    /// cylinders are tested exactly, in `f64` and where
    /// [instances](crate::SceneBuilder::instance) place them. Triangles are flat, all others solid.
    /// The caller's own primitives and signed distances count by their
    /// [box](crate::primitive::Primitives::bounds), as a solid placed alike.
    ///
    /// Touching counts. A frustum or a box overlaps with the primitives that have a point on the
    /// inner side of all its planes. Planes are moved outwards by 2⁻⁴⁴ of the magnitudes that are
    /// added, the most that rounding may take away: no primitive that overlaps is left out, and one
    /// that is named without overlapping is beyond by no more than that. A ball overlaps with the
    /// triangles that are [within](Cast::within) its radius, and with solids of which a point is,
    /// to 2⁻⁴⁴ of the magnitudes.
    ///
    /// # Errors
    /// [`Error::UnusableField`] for a box or a sphere with NaN, [`Error::ColumnLength`] for a
    /// column of masks whose length is not 1, [`Error::Stopped`] by the watcher.
    pub fn primitives(&self) -> Result<Vec<PrimitiveIds>> {
        owned(|ids| self.primitives_into(ids))
    }

    /// [`primitives`](Self::primitives) into a vector, whose memory is reused; after an error it is
    /// empty.
    pub fn primitives_into(&self, ids: &mut Vec<PrimitiveIds>) -> Result<()> {
        ids.clear();
        *ids = self.find(false, std::mem::take(ids))?;
        Ok(())
    }

    /// Whether any primitive overlaps with the region. Errors are those of
    /// [`primitives`](Self::primitives).
    pub fn any(&self) -> Result<bool> {
        Ok(!self.find(true, Vec::new())?.is_empty())
    }

    fn find(&self, any: bool, found: Vec<PrimitiveIds>) -> Result<Vec<PrimitiveIds>> {
        let (Overlap { scene, region: Region(extent) }, options) = (&self.asked, &self.options);
        if let Extent::Unusable(field) = *extent {
            let problem = "holds a number that is NaN, or a center that is infinite".into();
            return Err(Error::UnusableField { maker: "overlap", field, problem });
        }
        let masks: PerRow<'_, u32> = options.selection.masks;
        masks.check("masks", 1)?;
        let (mask, backend) = (masks.of(0), options.backend_of(scene));
        let brute_force = options.brute_force;
        let watched = Watched::new(1, options.watch);
        let chunk = &watched.chunk(0..1);
        let mut overlaps = Overlaps { extent, mask, backend, brute_force, any, chunk, found };
        with_default_float_mode(|| T::find_overlaps(&mut overlaps, scene));
        let mut found = overlaps.found;
        let _ = chunk.sort(&mut found, Ord::cmp);
        watched.finish()?;
        Ok(found)
    }
}
