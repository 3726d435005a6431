//! Instances: scenes placed in a scene.
//!
//! | file | content |
//! |---|---|
//! | `bounds` | bounds of instances for rounded rays, and the rays that can be cast at them |
//! | `visit` | casts rays at instances, each in its frame |

mod bounds;
mod visit;

use std::sync::{Arc, OnceLock};

use super::Scene;
use crate::error::{Error, Result};
use crate::simd::with_default_float_mode;
use crate::traverse::BoxTree;
use crate::value::{Aabb, Affine, Ray};
use bounds::Frames;

/// A scene with its map and mask.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) scene: Arc<Scene>,
    pub(super) transform: Affine,
    pub(super) inverse: Affine,
    pub(super) is_mirrored: bool,
    pub(super) mask: u32,
}

impl Instance {
    fn new(scene: Arc<Scene>, transform: Affine, mask: u32, number: usize) -> Result<Self> {
        let rows = transform.rows();
        let inverse = transform.inverse().ok_or(Error::SingularTransform { instance: number, rows })?;
        Ok(Self { scene, transform, inverse, is_mirrored: transform.is_mirrored(), mask })
    }

    /// Whether its mask hides it from all rays.
    pub(super) fn is_hidden(&self) -> bool {
        self.mask == 0
    }

    /// A ray of the outer scene in the instance's own frame, rounded there.
    pub(super) fn carry_back(&self, ray: &Ray) -> Ray {
        Ray {
            origin: self.transform.point_back(&self.inverse, ray.origin),
            direction: self.inverse.direction(ray.direction),
            ..*ray
        }
    }

    /// The number of its ids: one for its scene's own primitives, then those of the instances in it.
    fn ids(&self) -> u64 {
        1 + self.scene.others.instances.ids()
    }
}

/// The instances of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Instances {
    placed: Vec<Instance>,
    /// The first id of each instance, and last the number of ids.
    starts: Vec<u32>,
    /// The depth of nesting; 0 without instances.
    depth: u32,
    /// The box around all instances. It is stored, as nested scenes need it again and again.
    bounds: Aabb,
    /// The constants that follow from all maps.
    frames: Frames,
    /// Built when a ray or a point first needs it.
    tree: OnceLock<BoxTree>,
    /// The first instance with primitives that have no closest points.
    without_nearest: Option<usize>,
}

/// The greatest depth of nesting.
const DEEPEST: u32 = 16;

/// The most instance ids: files of answers hold them as signed numbers of 32 bits.
const MOST_IDS: u64 = (1 << 31) - 1;

impl Instances {
    /// From scenes with maps and masks; `own_bounds` is the box around the outer scene's own primitives.
    pub(super) fn new(
        scenes: impl IntoIterator<Item = (Arc<Scene>, Affine, u32)>,
        own_bounds: &Aabb,
    ) -> Result<Self> {
        let (mut placed, mut starts, mut ids, mut depth) = (Vec::new(), vec![0], 0, 0);
        for (number, (scene, transform, mask)) in scenes.into_iter().enumerate() {
            let instance = Instance::new(scene, transform, mask, number)?;
            depth = depth.max(1 + instance.scene.others.instances.depth);
            ids += instance.ids();
            if depth > DEEPEST {
                return Err(Error::NestedTooDeep { instance: number, most: DEEPEST });
            }
            if ids > MOST_IDS {
                return Err(Error::TooManyInstances { instances: ids });
            }
            starts.push(ids as u32);
            placed.push(instance);
        }
        let frames = Frames::new(own_bounds, &placed)?;
        let without_nearest = placed.iter().position(|instance| instance.scene.has_without_nearest());
        let bounds = bounds::around(&placed);
        Ok(Self { placed, starts, depth, bounds, frames, tree: OnceLock::new(), without_nearest })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.placed.len()
    }

    /// The instances of the scene itself, without instances in instances.
    pub(super) fn placed(&self) -> &[Instance] {
        &self.placed
    }

    /// The number of ids, with those of instances in instances.
    fn ids(&self) -> u64 {
        u64::from(self.starts.last().copied().unwrap_or(0))
    }

    fn get(&self, number: usize) -> Result<&Instance> {
        self.placed.get(number).ok_or(Error::UnknownInstance { instance: number, instances: self.len() })
    }

    pub(super) fn transform(&self, number: usize) -> Result<Affine> {
        self.get(number).map(|instance| instance.transform)
    }

    pub(super) fn scene(&self, number: usize) -> Result<&Arc<Scene>> {
        self.get(number).map(|instance| &instance.scene)
    }

    pub(super) fn mask(&self, number: usize) -> Result<u32> {
        self.get(number).map(|instance| instance.mask)
    }

    pub(super) fn set_mask(&mut self, number: usize, mask: u32) -> Result<()> {
        self.get(number)?;
        self.placed[number].mask = mask;
        Ok(())
    }

    /// Moves instances. If one of the transforms cannot be used, nothing changes.
    pub(super) fn set_transforms(
        &mut self,
        transforms: impl IntoIterator<Item = (usize, Affine)>,
        own_bounds: &Aabb,
    ) -> Result<()> {
        let mut placed = self.placed.clone();
        for (number, transform) in transforms {
            let Instance { scene, mask, .. } = self.get(number)?;
            placed[number] = Instance::new(Arc::clone(scene), transform, *mask, number)?;
        }
        self.frames = Frames::new(own_bounds, &placed)?;
        self.bounds = bounds::around(&placed);
        self.placed = placed;
        self.tree = OnceLock::new();
        Ok(())
    }

    /// Replaces the scenes of instances. If one of them cannot be placed, nothing changes.
    pub(super) fn set_scenes(
        &mut self,
        scenes: impl IntoIterator<Item = (usize, Arc<Scene>)>,
        own_bounds: &Aabb,
    ) -> Result<()> {
        let all = self.placed.iter().map(|instance| {
            let Instance { scene, transform, mask, .. } = instance;
            (Arc::clone(scene), *transform, *mask)
        });
        let mut all: Vec<_> = all.collect();
        for (number, scene) in scenes {
            self.get(number)?;
            all[number].0 = scene;
        }
        *self = Self::new(all, own_bounds)?;
        Ok(())
    }

    /// The numbers of the instances around a hit, outermost first.
    pub(super) fn path(&self, mut instance_id: u32) -> Result<Vec<u32>> {
        let (mut path, mut instances) = (Vec::new(), self);
        let unknown =
            Error::UnknownInstance { instance: instance_id as usize, instances: self.ids() as usize };
        if u64::from(instance_id) >= self.ids() {
            return Err(unknown);
        }
        loop {
            let number = instances.starts.partition_point(|&start| start <= instance_id) - 1;
            path.push(number as u32);
            match instance_id - instances.starts[number] {
                0 => return Ok(path),
                // The first id is for the scene's own primitives.
                within => instance_id = within - 1,
            }
            instances = &instances.placed[number].scene.others.instances;
        }
    }

    /// The least box that certainly holds all instances.
    pub(super) fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The bounds of rays that can be cast.
    pub(super) fn frames(&self) -> &Frames {
        &self.frames
    }

    /// A tree over the boxes of the instances.
    pub(super) fn tree(&self) -> &BoxTree {
        self.tree.get_or_init(|| self.frames.tree(&self.placed))
    }

    /// Builds the trees of these instances and of all nested ones ahead. Otherwise many threads would ask for a large tree at
    /// once, and the thread that has to continue its build could wait for it.
    pub(super) fn make_trees(&self) {
        if self.tree.get().is_none() {
            for instance in &self.placed {
                instance.scene.others.instances.make_trees();
            }
            with_default_float_mode(|| self.tree());
        }
    }

    /// The first instance with primitives that have no closest points.
    pub(super) fn without_nearest(&self) -> Option<usize> {
        self.without_nearest
    }

    /// The id of the own primitives of an instance's scene.
    pub(super) fn first_id(&self, number: usize) -> u32 {
        self.starts[number]
    }
}
