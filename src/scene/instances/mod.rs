//! Instances: scenes placed in a scene.

mod bounds;
mod change;
mod visit;

use std::sync::{Arc, OnceLock};

use super::labels::Ids;
use super::{Precision, Scene, SceneBuilder};
use crate::answers::INVALID_ID;
use crate::error::{Error, Result};
use crate::simd::{Backend, with_default_float_mode};
use crate::threads::Threads;
use crate::traverse::BoxTree;
use crate::value::{Aabb, Affine, Ray};
use bounds::{Frames, InstanceTree, Part};

#[derive(Debug, Clone)]
pub(super) struct Instance<T: Precision> {
    pub(super) scene: Arc<Scene<T>>,
    pub(super) transform: Affine,
    pub(super) inverse: Affine,
    pub(super) is_mirrored: bool,
    pub(super) mask: u32,
    /// The least number of its ids: those of the removed instance in whose place it is.
    pub(super) reserved: u32,
}

impl<T: Precision> Instance<T> {
    pub(super) fn new(
        scene: Arc<Scene<T>>,
        transform: Affine,
        mask: u32,
        instance: u32,
    ) -> Result<Self> {
        let rows = transform.rows();
        let inverse = transform.inverse().ok_or(Error::SingularTransform { instance, rows })?;
        Ok(Self {
            scene,
            transform,
            inverse,
            is_mirrored: transform.is_mirrored(),
            mask,
            reserved: 0,
        })
    }

    /// The empty instance in the place of a removed one.
    pub(super) fn nothing(backend: Backend) -> Result<Self> {
        let empty = SceneBuilder::<T>::default().backend(backend).threads(&Threads::ONE).build()?;
        Self::new(Arc::new(empty), Affine::IDENTITY, 0, 0)
    }

    /// A ray of the outer scene in the instance's own frame, rounded there.
    #[inline(always)]
    pub(super) fn carry_back(&self, ray: &Ray<T>) -> Ray<T> {
        Ray {
            origin: self.transform.point_back(&self.inverse, ray.origin),
            direction: self.inverse.direction(ray.direction),
            ..*ray
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Instances<T: Precision> {
    /// The instances of the scene itself, without instances in instances; hidden and empty where
    /// one was removed.
    pub(super) placed: Vec<Instance<T>>,
    /// The numbers of the instances that were not removed.
    pub(super) ids: Ids,
    /// The id of the own primitives of each instance's scene, and last the number of ids.
    pub(super) starts: Vec<u32>,
    depth: u32,
    /// The contributions of the instances to the constants.
    parts: Vec<Part<T>>,
    pub(super) frames: Frames<T>,
    /// Built when a ray or a point first needs it.
    tree: OnceLock<InstanceTree<T>>,
}

const DEEPEST: u32 = 16;

/// Files of answers hold ids as signed numbers of 32 bits.
const MOST_IDS: u64 = (1 << 31) - 1;

impl<T: Precision> Instances<T> {
    /// `own` is the box around the outer scene's own primitives, `numbers` are those of the
    /// instances that are there.
    pub(super) fn new(placed: Vec<Instance<T>>, numbers: Ids, own: &Aabb<T>) -> Result<Self> {
        let (mut starts, mut ids, mut depth) = (vec![0], 0, 0);
        for (number, instance) in (0..).zip(&placed) {
            if numbers.has(number) {
                depth = depth.max(1 + instance.scene.instances.depth);
            }
            ids += u64::from(instance.reserved).max(instance.scene.instances.span());
            if depth > DEEPEST {
                return Err(Error::NestedTooDeep { instance: number, most: DEEPEST });
            }
            if ids > MOST_IDS {
                return Err(Error::TooManyInstances { instances: ids });
            }
            starts.push(ids as u32);
        }
        let parts: Vec<Part<T>> = placed.iter().map(Part::new).collect();
        let frames = Frames::new(own, (&placed, &parts), &numbers)?;
        Ok(Self { placed, ids: numbers, starts, depth, parts, frames, tree: OnceLock::new() })
    }

    /// Moves instances, one after the other; if one of them cannot be moved, none. The tree is
    /// fitted to few, and is built anew when it is next needed after more have moved, or farther.
    fn set_transforms(&mut self, transforms: &[(u32, Affine)], own: &Aabb<T>) -> Result<()> {
        let moved = transforms.iter().map(|&(number, transform)| {
            let &Instance { ref scene, mask, reserved, .. } = self.get(number)?;
            let instance = Instance::new(Arc::clone(scene), transform, mask, number)?;
            Ok((number, Instance { reserved, ..instance }))
        });
        let mut moved: Vec<(u32, Instance<T>)> = moved.collect::<Result<_>>()?;
        for (number, instance) in &mut moved {
            self.exchange(*number, instance);
        }
        match Frames::new(own, (&self.placed, &self.parts), &self.ids) {
            Ok(frames) => self.frames = frames,
            Err(error) => {
                for (number, instance) in moved.iter_mut().rev() {
                    self.exchange(*number, instance);
                }
                return Err(error);
            }
        }
        let Self { frames, parts, tree, .. } = self;
        let numbers: Vec<u32> = moved.iter().map(|&(number, _)| number).collect();
        if !numbers.is_empty()
            && tree.get_mut().is_some_and(|tree| !frames.fit(tree, parts, &numbers))
        {
            *tree = OnceLock::new();
        }
        Ok(())
    }

    fn exchange(&mut self, number: u32, instance: &mut Instance<T>) {
        let number = number as usize;
        std::mem::swap(&mut self.placed[number], instance);
        self.parts[number] = Part::new(&self.placed[number]);
    }

    /// How many ids there are, those of instances in instances too.
    fn id_count(&self) -> u32 {
        self.starts[self.placed.len()]
    }

    /// How many ids an instance of their scene needs: one for its own primitives, then those of the
    /// instances in it.
    pub(super) fn span(&self) -> u64 {
        1 + u64::from(self.id_count())
    }

    /// The instance that has an id, its number, and which of the ids in its scene that is; the
    /// first is of the scene itself.
    fn holder(&self, id: u32) -> Option<(u32, &Instance<T>, Option<u32>)> {
        let number = self.starts.partition_point(|&start| start <= id) - 1;
        let instance = self.placed.get(number).filter(|_| self.ids.has(number as u32))?;
        Some((number as u32, instance, (id - self.starts[number]).checked_sub(1)))
    }

    pub(super) fn get(&self, number: u32) -> Result<&Instance<T>> {
        let instances = self.placed.len();
        let instance = self.placed.get(number as usize).filter(|_| self.ids.has(number));
        instance.ok_or(Error::UnknownInstance { instance: number, instances })
    }

    pub(super) fn tree(&self) -> &BoxTree<T> {
        &self.tree.get_or_init(|| self.frames.tree(&self.parts)).tree
    }

    /// Builds this tree and all nested ones ahead, as many threads would otherwise ask for a large
    /// tree at once.
    pub(super) fn make_trees(&self) {
        if self.tree.get().is_none() {
            for instance in &self.placed {
                instance.scene.instances.make_trees();
            }
            with_default_float_mode(|| self.tree());
        }
    }
}

impl<T: Precision> Scene<T> {
    /// The number of instances in this scene, without instances in instances.
    pub fn instance_count(&self) -> usize {
        self.instances.ids.count()
    }

    /// The numbers of all instances, from the lowest on: 0 to
    /// [`instance_count`](Self::instance_count), unless some were
    /// [removed](Self::remove_instances).
    pub fn instance_numbers(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.instances.ids.each()
    }

    /// The id of hits in an instance of this scene, on primitives of the placed scene itself; those
    /// in the instances of that have the ids behind. It is the number of the instance if nothing
    /// that is placed has instances. [`Error::UnknownInstance`] if there is none with that number.
    pub fn instance_id(&self, instance: u32) -> Result<u32> {
        self.instances.get(instance)?;
        Ok(self.instances.starts[instance as usize])
    }

    /// How many ids instances have, those in instances too: that of every hit in one is less.
    pub fn instance_id_count(&self) -> u32 {
        self.instances.id_count()
    }

    /// The instances around a [hit](crate::Hit::instance_id), outermost first, by their numbers;
    /// none for [`INVALID_ID`]. [`Error::UnknownInstance`] if no hit can have that id.
    pub fn instance_path(&self, instance_id: u32) -> Result<Vec<u32>> {
        let mut path = Vec::new();
        self.enter(instance_id, |number, _| path.push(number))?;
        Ok(path)
    }

    /// The scene that holds the geometry of a [hit](crate::Hit::instance_id): this one for
    /// [`INVALID_ID`], or one that is placed in it, at any depth. Errors are those of
    /// [`instance_path`](Self::instance_path).
    pub fn scene_of(&self, instance_id: u32) -> Result<&Self> {
        self.enter(instance_id, |_, _| ())
    }

    /// The scene that holds the geometry of a hit. `each` gets the instances around it, outermost
    /// first, and their numbers.
    pub(super) fn enter<'a>(
        &'a self,
        instance_id: u32,
        mut each: impl FnMut(u32, &'a Instance<T>),
    ) -> Result<&'a Self> {
        let (mut scene, mut left) = (self, (instance_id != INVALID_ID).then_some(instance_id));
        while let Some(id) = left {
            let Some((number, instance, within)) = scene.instances.holder(id) else {
                let instances = self.instances.id_count() as usize;
                return Err(Error::UnknownInstance { instance: instance_id, instances });
            };
            each(number, instance);
            (scene, left) = (&instance.scene, within);
        }
        Ok(scene)
    }

    /// The map of an instance of this scene, by its number in the order of adding;
    /// [`Error::UnknownInstance`] if there is none.
    pub fn transform(&self, instance: u32) -> Result<Affine> {
        Ok(self.instances.get(instance)?.transform)
    }

    /// The placed scene of an instance, by its number in the order of adding;
    /// [`Error::UnknownInstance`] if there is none. A scene placed more than once is one scene by
    /// `Arc::ptr_eq`, also after opening a file.
    ///
    /// ```
    /// use lanecast::{Affine, Scene, SceneBuilder};
    /// use std::sync::Arc;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    /// let at = |z| Affine::translation([0.0, 0.0, z]);
    /// let scene = SceneBuilder::new().instance(&leaf, at(1.0)).instance(&leaf, at(2.0)).build()?;
    /// assert!(Arc::ptr_eq(scene.instance_scene(1)?, &leaf));
    /// assert_eq!(scene.transform(1)?, at(2.0));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn instance_scene(&self, instance: u32) -> Result<&Arc<Self>> {
        Ok(&self.instances.get(instance)?.scene)
    }

    /// The mask of an instance; [`Error::UnknownInstance`] if there is none with that number.
    pub fn instance_mask(&self, instance: u32) -> Result<u32> {
        Ok(self.instances.get(instance)?.mask)
    }

    /// Sets the mask of an instance, of all bits at first: a ray meets a geometry in it if its
    /// [mask](crate::Cast::mask) has a bit in common with this mask and one in common with the
    /// geometry's. One with a mask of 0 is hidden. Errors are those of
    /// [`instance_mask`](Self::instance_mask).
    pub fn set_instance_mask(&mut self, instance: u32, mask: u32) -> Result<()> {
        let hidden = self.instance_mask(instance)? == 0;
        self.instances.placed[instance as usize].mask = mask;
        if hidden != (mask == 0) {
            self.forget_surfaces();
        }
        Ok(())
    }
}
