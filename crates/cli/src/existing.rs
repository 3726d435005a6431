//! Hits on primitives that do not exist: only a leaf of a damaged scene file gives them, and
//! opening looks at no leaf.

use crate::failure::{Failure, Result};
use crate::mesh::Meshes;
use crate::precision::Number;
use lanecast::{INVALID_ID, Precision, Scene};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;

/// Which primitives there are, if that may be in doubt.
#[derive(Debug)]
pub(crate) struct Existing<'a, T: Precision = f32> {
    path: &'a Path,
    /// The scene, if it was opened from a file.
    scene: Option<&'a Scene<T>>,
    /// How many primitives the geometries of what an instance places have; for [`INVALID_ID`] those
    /// outside of instances.
    counts: HashMap<u32, Arc<[usize]>>,
    /// Those of the instance looked at last: hits on one tend to come one after the other.
    last: Option<(u32, Arc<[usize]>)>,
}

impl<'a, T: Number> Existing<'a, T> {
    pub(crate) fn new(path: &'a Path, meshes: &'a Meshes<T>) -> Self {
        Self { path, scene: meshes.scene(), counts: HashMap::new(), last: None }
    }

    /// Refuses rows of instance, geometry and primitive that do not exist. Rows without a hit have
    /// the geometry [`INVALID_ID`] and pass.
    pub(crate) fn check(&mut self, hits: impl Iterator<Item = [u32; 3]>) -> Result<()> {
        let Some(scene) = self.scene else { return Ok(()) };
        let mut hits = hits.filter(|[_, geometry, _]| *geometry != INVALID_ID);
        hits.try_for_each(|hit| self.check_one(scene, hit))
    }

    fn check_one(
        &mut self,
        scene: &Scene<T>,
        [instance, geometry, primitive]: [u32; 3],
    ) -> Result<()> {
        let counts = match &self.last {
            Some((last, counts)) if *last == instance => counts,
            _ => {
                let counts = match self.counts.entry(instance) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(unknown) => unknown.insert(counts(scene, instance)?),
                };
                &self.last.insert((instance, Arc::clone(counts))).1
            }
        };
        let count = counts.get(geometry as usize).copied().unwrap_or(0);
        if (primitive as usize) < count {
            return Ok(());
        }
        let problem = format!(
            "damaged: a leaf names primitive {primitive} of geometry {geometry}, which has {count}; \
             build the scene anew"
        );
        Err(Failure::about(self.path.display(), problem))
    }
}

/// How many primitives the geometries of a scene have, or of what an instance in it places.
fn counts<T: Precision>(scene: &Scene<T>, instance: u32) -> Result<Arc<[usize]>> {
    let inner = scene.scene_of(instance)?;
    let bound = inner.geometry_ids().next_back().map_or(0, |last| last + 1);
    Ok((0..bound)
        .map(|id| inner.geometry(id).map_or(0, |geometry| geometry.primitive_count()))
        .collect())
}
