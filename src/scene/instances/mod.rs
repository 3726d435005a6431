//! Instances: scenes placed in a scene.

mod bounds;
mod visit;

use std::sync::{Arc, OnceLock};

use super::{Precision, Scene};
use crate::answers::INVALID_ID;
use crate::error::{Error, Result};
use crate::simd::with_default_float_mode;
use crate::traverse::BoxTree;
use crate::value::{Aabb, Affine, Ray};
use bounds::Frames;

#[derive(Debug, Clone)]
pub(super) struct Instance<T: Precision> {
    pub(super) scene: Arc<Scene<T>>,
    pub(super) transform: Affine,
    pub(super) inverse: Affine,
    pub(super) is_mirrored: bool,
    pub(super) mask: u32,
}

impl<T: Precision> Instance<T> {
    pub(super) fn new(scene: Arc<Scene<T>>, transform: Affine, mask: u32, instance: usize) -> Result<Self> {
        let rows = transform.rows();
        let inverse = transform.inverse().ok_or(Error::SingularTransform { instance, rows })?;
        Ok(Self { scene, transform, inverse, is_mirrored: transform.is_mirrored(), mask })
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
    /// Those of the scene itself, without instances in instances.
    pub(super) placed: Vec<Instance<T>>,
    /// The id of the own primitives of each instance's scene, and last the number of ids.
    pub(super) starts: Vec<u32>,
    depth: u32,
    pub(super) frames: Frames<T>,
    /// Built when a ray or a point first needs it.
    tree: OnceLock<BoxTree<T>>,
}

const DEEPEST: u32 = 16;

/// Files of answers hold ids as signed numbers of 32 bits.
const MOST_IDS: u64 = (1 << 31) - 1;

impl<T: Precision> Instances<T> {
    /// `own` is the box around the outer scene's own primitives.
    pub(super) fn new(placed: Vec<Instance<T>>, own: &Aabb<T>) -> Result<Self> {
        let (mut starts, mut ids, mut depth) = (vec![0], 0, 0);
        for (number, instance) in placed.iter().enumerate() {
            let inner = &instance.scene.instances;
            depth = depth.max(1 + inner.depth);
            // One id for its scene's own primitives, then those of the instances in it.
            ids += 1 + inner.ids();
            if depth > DEEPEST {
                return Err(Error::NestedTooDeep { instance: number, most: DEEPEST });
            }
            if ids > MOST_IDS {
                return Err(Error::TooManyInstances { instances: ids });
            }
            starts.push(ids as u32);
        }
        let frames = Frames::new(own, &placed)?;
        Ok(Self { placed, starts, depth, frames, tree: OnceLock::new() })
    }

    /// Those of instances in instances too.
    fn ids(&self) -> u64 {
        self.starts[self.placed.len()].into()
    }

    pub(super) fn get(&self, number: usize) -> Result<&Instance<T>> {
        let instances = self.placed.len();
        self.placed.get(number).ok_or(Error::UnknownInstance { instance: number, instances })
    }

    pub(super) fn tree(&self) -> &BoxTree<T> {
        self.tree.get_or_init(|| self.frames.tree(&self.placed))
    }

    /// Builds this tree and all nested ones ahead, as many threads would otherwise ask for a large tree at once.
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
        self.instances.placed.len()
    }

    /// The instances around a [hit](crate::Hit::instance_id), outermost first, by their numbers; none for [`INVALID_ID`].
    /// [`Error::UnknownInstance`] if no hit can have that id.
    pub fn instance_path(&self, mut instance_id: u32) -> Result<Vec<u32>> {
        let (mut path, mut instances) = (Vec::new(), &self.instances);
        if instance_id == INVALID_ID {
            return Ok(path);
        }
        if u64::from(instance_id) >= instances.ids() {
            let (instance, instances) = (instance_id as usize, instances.ids() as usize);
            return Err(Error::UnknownInstance { instance, instances });
        }
        loop {
            let number = instances.starts.partition_point(|&start| start <= instance_id) - 1;
            path.push(number as u32);
            match instance_id - instances.starts[number] {
                0 => return Ok(path),
                // The first id is for the scene's own primitives.
                within => instance_id = within - 1,
            }
            instances = &instances.placed[number].scene.instances;
        }
    }

    /// The map of an instance of this scene, by its number in the order of adding; [`Error::UnknownInstance`] if there is none.
    pub fn transform(&self, instance: usize) -> Result<Affine> {
        Ok(self.instances.get(instance)?.transform)
    }

    /// The placed scene of an instance, by its number in the order of adding; [`Error::UnknownInstance`] if there is none. A
    /// scene placed more than once is one scene by `Arc::ptr_eq`, also after opening a file.
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
    pub fn instance_scene(&self, instance: usize) -> Result<&Arc<Self>> {
        Ok(&self.instances.get(instance)?.scene)
    }

    /// Moves instances, all at once: that copies all instances of this scene. The next ray or point builds the tree over the
    /// boxes of all n instances anew, in O(n log n) on one thread, for which others wait: about a microsecond an instance.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`], [`Error::SingularTransform`] or [`Error::InstanceOutOfRange`] names the first instance that
    /// cannot be moved. No instance has moved then.
    pub fn set_transforms(&mut self, transforms: impl IntoIterator<Item = (usize, Affine)>) -> Result<()> {
        let mut placed = self.instances.placed.clone();
        for (number, transform) in transforms {
            let Instance { scene, mask, .. } = self.instances.get(number)?;
            placed[number] = Instance::new(Arc::clone(scene), transform, *mask, number)?;
        }
        self.place(placed)
    }

    /// Replaces the scenes of instances, at the cost of [`set_transforms`](Self::set_transforms). Maps and masks stay.
    ///
    /// A placed scene is shared and cannot change. For an object that deforms in its place use two scenes in turn: while one is
    /// placed, nothing else shares the other, and its vertices can be moved.
    ///
    /// ```
    /// use lanecast::{Affine, Ray, Scene, SceneBuilder, Threads};
    /// use std::sync::Arc;
    /// let triangle = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
    /// let [mut shown, mut hidden] =
    ///     [0, 1].map(|_| Arc::new(Scene::from_triangles(&triangle(0.0), &[[0, 1, 2]]).expect("a triangle")));
    /// let mut scene = SceneBuilder::new().instance(&shown, Affine::translation([0.0, 0.0, 5.0])).build()?;
    /// for step in 1..4 {
    ///     let free = Arc::get_mut(&mut hidden).expect("placed nowhere");
    ///     free.refit(&[(0, &triangle(step as f32), &[[0, 1, 2]])], &Threads::ONE)?;
    ///     scene.set_scenes([(0, Arc::clone(&hidden))])?;
    ///     std::mem::swap(&mut shown, &mut hidden);
    ///     let hit = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    ///     assert_eq!(hit.t, 5.0 + step as f32);
    /// }
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// [`Error::UnknownInstance`], and those of [`build`](crate::SceneBuilder::build). No instance has changed then.
    pub fn set_scenes(&mut self, scenes: impl IntoIterator<Item = (usize, Arc<Self>)>) -> Result<()> {
        let mut placed = self.instances.placed.clone();
        for (number, scene) in scenes {
            self.instances.get(number)?;
            placed[number].scene = scene;
        }
        self.place(placed)?;
        self.forget_surfaces();
        Ok(())
    }

    /// Sets all instances. If one of them cannot be placed, nothing changes.
    pub(super) fn place(&mut self, placed: Vec<Instance<T>>) -> Result<()> {
        let own = T::bounds(&self.tree).union(&self.shapes.bounds());
        self.instances = Instances::new(placed, &own)?;
        Ok(())
    }

    /// The mask of an instance; [`Error::UnknownInstance`] if there is none with that number.
    pub fn instance_mask(&self, instance: usize) -> Result<u32> {
        Ok(self.instances.get(instance)?.mask)
    }

    /// Sets the mask of an instance, of all bits at first: a ray meets a geometry in it if its [mask](crate::Cast::mask) has
    /// a bit in common with this mask and one in common with the geometry's. One with a mask of 0 is hidden. Errors are those
    /// of [`instance_mask`](Self::instance_mask).
    pub fn set_instance_mask(&mut self, instance: usize, mask: u32) -> Result<()> {
        let hidden = self.instance_mask(instance)? == 0;
        self.instances.placed[instance].mask = mask;
        if hidden != (mask == 0) {
            self.forget_surfaces();
        }
        Ok(())
    }
}
