//! Instances: scenes placed in a scene.
//!
//! | file | content |
//! |---|---|
//! | `bounds` | bounds of instances for rounded rays, and the rays that can be cast at them |
//! | `visit` | casts rays at instances, each in its frame |

mod bounds;
mod visit;

use std::sync::{Arc, OnceLock};

use super::{Scene, ToPlace};
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
    pub(super) fn new((scene, transform, mask): ToPlace, number: usize) -> Result<Self> {
        let rows = transform.rows();
        let inverse = transform.inverse().ok_or(Error::SingularTransform { instance: number, rows })?;
        Ok(Self { scene, transform, inverse, is_mirrored: transform.is_mirrored(), mask })
    }

    /// A ray of the outer scene in the instance's own frame, rounded there.
    pub(super) fn carry_back(&self, ray: &Ray) -> Ray {
        Ray {
            origin: self.transform.point_back(&self.inverse, ray.origin),
            direction: self.inverse.direction(ray.direction),
            ..*ray
        }
    }
}

/// The instances of a scene.
#[derive(Debug, Clone)]
pub(super) struct Instances {
    /// Those of the scene itself, without instances in instances.
    pub(super) placed: Vec<Instance>,
    /// The id of the own primitives of each instance's scene, and last the number of ids.
    pub(super) starts: Vec<u32>,
    /// The depth of nesting; 0 without instances.
    depth: u32,
    pub(super) frames: Frames,
    /// Built when a ray or a point first needs it.
    tree: OnceLock<BoxTree>,
}

/// The greatest depth of nesting.
const DEEPEST: u32 = 16;

/// The most instance ids: files of answers hold them as signed numbers of 32 bits.
const MOST_IDS: u64 = (1 << 31) - 1;

impl Instances {
    /// `own_bounds` is the box around the outer scene's own primitives.
    pub(super) fn new(
        instances: impl IntoIterator<Item = Result<Instance>>,
        own_bounds: &Aabb,
    ) -> Result<Self> {
        let (mut placed, mut starts, mut ids, mut depth) = (Vec::new(), vec![0], 0, 0);
        for (number, instance) in instances.into_iter().enumerate() {
            let instance = instance?;
            let inner = &instance.scene.others.instances;
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
            placed.push(instance);
        }
        let frames = Frames::new(own_bounds, &placed)?;
        Ok(Self { placed, starts, depth, frames, tree: OnceLock::new() })
    }

    /// The number of ids, with those of instances in instances.
    fn ids(&self) -> u64 {
        u64::from(self.starts.last().copied().unwrap_or(0))
    }

    pub(super) fn get(&self, number: usize) -> Result<&Instance> {
        let instances = self.placed.len();
        self.placed.get(number).ok_or(Error::UnknownInstance { instance: number, instances })
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
            placed[number] = Instance::new((Arc::clone(scene), transform, *mask), number)?;
        }
        *self = Self::new(placed.into_iter().map(Ok), own_bounds)?;
        Ok(())
    }

    /// Replaces the scenes of instances. If one of them cannot be placed, nothing changes.
    pub(super) fn set_scenes(
        &mut self,
        scenes: impl IntoIterator<Item = (usize, Arc<Scene>)>,
        own_bounds: &Aabb,
    ) -> Result<()> {
        let mut placed = self.placed.clone();
        for (number, scene) in scenes {
            self.get(number)?;
            placed[number].scene = scene;
        }
        *self = Self::new(placed.into_iter().map(Ok), own_bounds)?;
        Ok(())
    }

    /// The numbers of the instances around a hit, outermost first.
    pub(super) fn path(&self, mut instance_id: u32) -> Result<Vec<u32>> {
        if u64::from(instance_id) >= self.ids() {
            let (instance, instances) = (instance_id as usize, self.ids() as usize);
            return Err(Error::UnknownInstance { instance, instances });
        }
        let (mut path, mut instances) = (Vec::new(), self);
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
}
