//! The taken ids of geometries and numbers of instances, and the data that callers attach to them.

#[cfg(feature = "scene-files")]
mod stored;

#[cfg(feature = "scene-files")]
pub(super) use stored::LABEL_SECTIONS;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Precision, Scene};
use crate::columns::expect_length;
use crate::error::{Error, Result};
use crate::memory::Memory;

/// The ids below a bound, without removed ones. The greatest is never a removed one.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    bound: u32,
    removed: BTreeSet<u32>,
    /// Up to the last id that had one: most scenes have none. Shared, as ids are copied when
    /// instances move.
    labels: Arc<Vec<Label>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Label {
    name: String,
    user_data: u64,
}

impl Ids {
    pub(super) fn new(bound: u32) -> Self {
        Self { bound, removed: BTreeSet::new(), labels: Arc::default() }
    }

    pub(super) const fn bound(&self) -> u32 {
        self.bound
    }

    pub(super) fn has(&self, id: u32) -> bool {
        id < self.bound && !self.removed.contains(&id)
    }

    pub(super) fn each(&self) -> impl DoubleEndedIterator<Item = u32> {
        (0..self.bound).filter(|id| !self.removed.contains(id))
    }

    pub(super) fn count(&self) -> usize {
        self.bound as usize - self.removed.len()
    }

    /// Those below the greatest that are free, from the lowest on.
    pub(super) fn removed(&self) -> impl Iterator<Item = u32> {
        self.removed.iter().copied()
    }

    /// Takes a free id, at most the bound.
    pub(super) fn take(&mut self, id: u32) {
        if !self.removed.remove(&id) {
            self.bound += 1;
        }
    }

    /// Frees an id, unless it is free.
    pub(super) fn free(&mut self, id: u32) {
        if !self.has(id) {
            return;
        }
        if *self.label(id) != Label::default() {
            *self.label_mut(id) = Label::default();
        }
        self.removed.insert(id);
        while self.bound > 0 && self.removed.remove(&(self.bound - 1)) {
            self.bound -= 1;
        }
    }

    fn label(&self, id: u32) -> &Label {
        const NONE: &Label = &Label { name: String::new(), user_data: 0 };
        self.labels.get(id as usize).unwrap_or(NONE)
    }

    fn label_mut(&mut self, id: u32) -> &mut Label {
        at(Arc::make_mut(&mut self.labels), id)
    }
}

/// The data that a scene keeps for its callers, by the ids of geometries.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept(Vec<KeptGeometry>);

#[derive(Debug, Clone, Default)]
pub(super) struct KeptGeometry {
    /// The vertices of each triangle, by their numbers, of a mesh that may be
    /// [refitted](crate::Change::refit).
    pub(super) indices: Option<Arc<Memory<[u32; 3]>>>,
    /// The face of each primitive.
    pub(super) face_ids: Option<Arc<Memory<u32>>>,
}

impl Kept {
    pub(super) fn new(kept: impl Iterator<Item = KeptGeometry>) -> Self {
        Self(kept.collect())
    }

    pub(super) fn of(&self, geometry_id: u32) -> &KeptGeometry {
        const NONE: &KeptGeometry = &KeptGeometry { indices: None, face_ids: None };
        self.0.get(geometry_id as usize).unwrap_or(NONE)
    }

    pub(super) fn of_mut(&mut self, geometry_id: u32) -> &mut KeptGeometry {
        at(&mut self.0, geometry_id)
    }
}

/// The value at an id, which is made if there is none.
fn at<V: Clone + Default>(values: &mut Vec<V>, id: u32) -> &mut V {
    let id = id as usize;
    if id >= values.len() {
        values.resize(id + 1, V::default());
    }
    &mut values[id]
}

/// Names and data of geometries and instances.
///
/// Hits have ids and no names: [`scene_of`](Self::scene_of) gives the scene whose geometry a hit
/// names.
///
/// ```
/// use lanecast::{Affine, Ray, Scene, SceneBuilder};
/// use std::sync::Arc;
/// let vertices = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]];
/// let mut tree = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
/// tree.set_name(0, "leaf")?;
/// let mut forest = SceneBuilder::new().instance(&Arc::new(tree), Affine::IDENTITY).build()?;
/// forest.set_instance_name(0, "the old oak")?;
/// forest.set_instance_user_data(0, 1712)?;
///
/// let hit = forest.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
/// assert_eq!(forest.scene_of(hit.instance_id)?.name(hit.geometry_id)?, "leaf");
/// let outermost = forest.instance_path(hit.instance_id)?[0];
/// assert_eq!((forest.instance_name(outermost)?, forest.instance_user_data(outermost)?), ("the old oak", 1712));
///
/// // By name.
/// let oak = forest.instance_numbers().find(|&number| forest.instance_name(number) == Ok("the old oak"));
/// assert_eq!(oak, Some(0));
/// # Ok::<(), lanecast::Error>(())
/// ```
impl<T: Precision> Scene<T> {
    /// The name of a geometry; empty unless [set](Self::set_name). [`Error::UnknownGeometry`] if
    /// there is no such geometry.
    pub fn name(&self, geometry_id: u32) -> Result<&str> {
        self.expect_geometry(geometry_id)?;
        Ok(&self.ids.label(geometry_id).name)
    }

    /// Names a geometry. Names may be any, also equal ones. They stay when it is
    /// [replaced](crate::Change::replace), go when it is [removed](crate::Change::remove),
    /// and are in copies and scene files. Errors are those of [`name`](Self::name).
    pub fn set_name(&mut self, geometry_id: u32, name: impl Into<String>) -> Result<()> {
        self.expect_geometry(geometry_id)?;
        self.ids.label_mut(geometry_id).name = name.into();
        Ok(())
    }

    /// A number of the caller's own for a geometry, 0 unless [set](Self::set_user_data). Errors are
    /// those of [`name`](Self::name).
    pub fn user_data(&self, geometry_id: u32) -> Result<u64> {
        self.expect_geometry(geometry_id)?;
        Ok(self.ids.label(geometry_id).user_data)
    }

    /// Sets the [data](Self::user_data) of a geometry, which stays and goes as its
    /// [name](Self::set_name). Errors are those of [`name`](Self::name).
    pub fn set_user_data(&mut self, geometry_id: u32, user_data: u64) -> Result<()> {
        self.expect_geometry(geometry_id)?;
        self.ids.label_mut(geometry_id).user_data = user_data;
        Ok(())
    }

    /// The name of an instance; empty unless [set](Self::set_instance_name).
    /// [`Error::UnknownInstance`] if there is no such instance.
    pub fn instance_name(&self, instance: u32) -> Result<&str> {
        self.instances.get(instance)?;
        Ok(&self.instances.ids.label(instance).name)
    }

    /// Names an instance, until it is [removed](Self::remove_instances). Errors are those of
    /// [`instance_name`](Self::instance_name).
    pub fn set_instance_name(&mut self, instance: u32, name: impl Into<String>) -> Result<()> {
        self.instances.get(instance)?;
        self.instances.ids.label_mut(instance).name = name.into();
        Ok(())
    }

    /// A number of the caller's own for an instance, 0 unless [set](Self::set_instance_user_data).
    /// Errors are those of [`instance_name`](Self::instance_name).
    pub fn instance_user_data(&self, instance: u32) -> Result<u64> {
        self.instances.get(instance)?;
        Ok(self.instances.ids.label(instance).user_data)
    }

    /// Sets the [data](Self::instance_user_data) of an instance. Errors are those of
    /// [`instance_name`](Self::instance_name).
    pub fn set_instance_user_data(&mut self, instance: u32, user_data: u64) -> Result<()> {
        self.instances.get(instance)?;
        self.instances.ids.label_mut(instance).user_data = user_data;
        Ok(())
    }

    /// The face of each primitive of a geometry; empty unless [set](Self::set_face_ids). Errors are
    /// those of [`name`](Self::name).
    pub fn face_ids(&self, geometry_id: u32) -> Result<&[u32]> {
        self.expect_geometry(geometry_id)?;
        Ok(self.kept.of(geometry_id).face_ids.as_ref().map_or(&[], |face_ids| face_ids))
    }

    /// Keeps the face of each primitive of a geometry beside it, as of a mesh whose polygons were
    /// cut into triangles; an empty slice keeps none. They are in copies and scene files, and go
    /// when the geometry is replaced or removed.
    ///
    /// [`Error::ColumnLength`] unless there is one for each primitive, and the errors of
    /// [`name`](Self::name).
    pub fn set_face_ids(&mut self, geometry_id: u32, face_ids: &[u32]) -> Result<()> {
        let primitives = self.geometry(geometry_id)?.primitive_count();
        if !face_ids.is_empty() {
            expect_length("face ids", face_ids.len(), primitives)?;
        }
        let face_ids = (!face_ids.is_empty()).then(|| Arc::new(Memory::copied(face_ids)));
        self.kept.of_mut(geometry_id).face_ids = face_ids;
        Ok(())
    }

    pub(super) fn expect_geometry(&self, geometry_id: u32) -> Result<()> {
        let geometries = self.ids.bound() as usize;
        self.ids
            .has(geometry_id)
            .then_some(())
            .ok_or(Error::UnknownGeometry { geometry_id, geometries })
    }
}
