//! Changes of instances: added, removed, moved, exchanged, and changed in their places.

use std::sync::Arc;

use super::{Instance, Instances};
use crate::error::Result;
use crate::scene::labels::Ids;
use crate::scene::{Precision, Scene};
use crate::simd::with_default_float_mode;
use crate::traverse::Target;
use crate::value::{Aabb, Affine};

impl<T: Precision> Scene<T> {
    /// Places scenes in this one, as [`SceneBuilder::instance`](crate::SceneBuilder::instance)
    /// does, at the cost of [moving](Self::set_transforms) all. Returns their numbers.
    ///
    /// The numbers and ids of all other instances stay. Each gets the number and the ids of the
    /// first that was removed and had as many [ids](Self::instance_id) as it needs, one and those
    /// of the instances in it; or else those behind all others.
    ///
    /// ```
    /// use lanecast::{Affine, Ray, Scene, SceneBuilder};
    /// use std::sync::Arc;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    /// let at = |z| Affine::translation([0.0, 0.0, z]);
    /// let mut scene = SceneBuilder::new().instance(&leaf, at(1.0)).instance(&leaf, at(2.0)).build()?;
    /// scene.remove_instances(&[0])?;
    /// let hit = |scene: &Scene| scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest();
    /// assert_eq!(hit(&scene)?.map(|hit| (hit.t, hit.instance_id)), Some((2.0, 1)));
    /// assert_eq!(scene.add_instances(&[(&leaf, at(0.5)), (&leaf, at(3.0))])?, [0, 2]);
    /// assert_eq!(hit(&scene)?.map(|hit| (hit.t, hit.instance_id)), Some((0.5, 0)));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`build`](crate::SceneBuilder::build), with the number that the instance would get.
    /// No instance is added then.
    pub fn add_instances(&mut self, added: &[(&Arc<Self>, Affine)]) -> Result<Vec<u32>> {
        let Instances { mut placed, ids: mut numbers, .. } = self.instances.clone();
        let mut given = Vec::with_capacity(added.len());
        for &(scene, transform) in added {
            let needed = scene.instances.span();
            let fits = |number: &u32| u64::from(placed[*number as usize].reserved) >= needed;
            let number = numbers.removed().find(fits).unwrap_or(numbers.bound());
            let instance = Instance::new(Arc::clone(scene), transform, u32::MAX, number)?;
            match placed.get_mut(number as usize) {
                Some(free) => *free = Instance { reserved: free.reserved, ..instance },
                None => placed.push(instance),
            }
            numbers.take(number);
            given.push(number);
        }
        self.place(placed, numbers)?;
        self.forget_surfaces();
        Ok(given)
    }

    /// Removes instances, at the cost of [moving](Self::set_transforms) all. The numbers and ids of
    /// all others stay; hits no longer have those of removed ones, until others
    /// [take](Self::add_instances) them.
    ///
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) names the first that does not
    /// exist. None is removed then.
    pub fn remove_instances(&mut self, removed: &[u32]) -> Result<()> {
        let Instances { mut placed, ids: mut numbers, starts, .. } = self.instances.clone();
        let nothing = Instance::nothing(self.backend)?;
        for &number in removed {
            self.instances.get(number)?;
            let place = number as usize;
            let reserved = starts[place + 1] - starts[place];
            placed[place] = Instance { reserved, ..nothing.clone() };
        }
        removed.iter().for_each(|&number| numbers.free(number));
        placed.truncate(numbers.bound() as usize);
        self.place(placed, numbers)?;
        self.forget_surfaces();
        Ok(())
    }

    /// Moves the named instances, all at once. The cost is that of the k that move, and some ten
    /// nanoseconds for each of the n that there are, as the tree over their boxes is fitted. When
    /// more than a quarter have moved since it was built, or so far that it has become a quarter
    /// worse, the next ray or point builds it anew, in O(n log n) on one thread, for which others
    /// wait: about a microsecond an instance. Answers are those of a scene built anew.
    ///
    /// ```
    /// use lanecast::{Affine, Ray, Scene, SceneBuilder};
    /// use std::sync::Arc;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    /// let at = |z| Affine::translation([0.0, 0.0, z]);
    /// let mut scene = SceneBuilder::new().instance(&leaf, at(1.0)).instance(&leaf, at(2.0)).build()?;
    /// scene.set_transforms([(0, at(7.0))])?;
    /// let hit = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    /// assert_eq!((hit.t, hit.instance_id), (2.0, 1));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance),
    /// [`Error::SingularTransform`](crate::Error::SingularTransform) or
    /// [`Error::InstanceOutOfRange`](crate::Error::InstanceOutOfRange) names the first instance
    /// that cannot be moved. No instance has moved then.
    pub fn set_transforms(
        &mut self,
        transforms: impl IntoIterator<Item = (u32, Affine)>,
    ) -> Result<()> {
        let own = self.own_bounds();
        let transforms: Vec<(u32, Affine)> = transforms.into_iter().collect();
        with_default_float_mode(|| self.instances.set_transforms(&transforms, &own))?;
        self.forget_lacking();
        Ok(())
    }

    /// Replaces the scenes of instances, at the cost of [moving](Self::set_transforms) all.
    /// Numbers, maps, masks, names and data stay. The [ids](Self::instance_id) of others stay too,
    /// unless a scene has more or fewer instances in it than the one before: those behind it move
    /// then.
    ///
    /// [`change_placed`](Self::change_placed) changes a scene in its place.
    ///
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance), and those of
    /// [`build`](crate::SceneBuilder::build). No instance has changed then.
    pub fn set_scenes(&mut self, scenes: impl IntoIterator<Item = (u32, Arc<Self>)>) -> Result<()> {
        let mut placed = self.instances.placed.clone();
        for (number, scene) in scenes {
            self.instances.get(number)?;
            placed[number as usize].scene = scene;
        }
        self.place(placed, self.instances.ids.clone())?;
        self.forget_surfaces();
        Ok(())
    }

    /// Changes the scene of an instance, and with it of all instances in this scene that share it.
    /// Returns the value of `change`.
    ///
    /// The scene is copied, changed and placed; the one before is dropped unless others hold it,
    /// and stays as it is for them. The copy costs a twentieth of a
    /// [`refit`](crate::Change::refit), and placing what [`set_scenes`](Self::set_scenes) costs.
    ///
    /// ```
    /// use lanecast::{Affine, Geometry, Ray, SceneBuilder};
    /// use std::sync::Arc;
    /// let triangle = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
    /// let cloth = SceneBuilder::new().geometry(Geometry::deformable_mesh(&triangle(0.0), &[[0, 1, 2]]))?.build()?;
    /// let mut scene = SceneBuilder::new().instance(&Arc::new(cloth), Affine::translation([0.0, 0.0, 5.0])).build()?;
    /// for z in [1.0, 2.0, 3.0] {
    ///     scene.change_placed(0, |cloth| cloth.change().refit(&[(0, &triangle(z))]))?;
    ///     let hit = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    ///     assert_eq!(hit.t, 5.0 + z);
    /// }
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance), that of `change`, and those of
    /// [`build`](crate::SceneBuilder::build) if the changed scene cannot be placed. Nothing has
    /// changed then, nor after a panic.
    pub fn change_placed<R>(
        &mut self,
        instance: u32,
        change: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        let before = Arc::clone(&self.instances.get(instance)?.scene);
        let mut changed = before.deep_copy();
        let result = change(&mut changed)?;
        let changed = Arc::new(changed);
        let placed = &self.instances.placed;
        let shares = |&number: &u32| Arc::ptr_eq(&placed[number as usize].scene, &before);
        let those: Vec<u32> = self.instance_numbers().filter(shares).collect();
        self.set_scenes(those.into_iter().map(|number| (number, Arc::clone(&changed))))?;
        Ok(result)
    }

    /// Sets all instances. If one of them cannot be placed, nothing changes.
    pub(in crate::scene) fn place(&mut self, placed: Vec<Instance<T>>, numbers: Ids) -> Result<()> {
        self.instances = Instances::new(placed, numbers, &self.own_bounds())?;
        self.forget_lacking();
        Ok(())
    }

    /// The bounds of all but instances.
    pub(in crate::scene) fn own_bounds(&self) -> Aabb<T> {
        self.tree.bounds().union(&self.shapes.bounds()).union(&self.fields.bounds())
    }

    /// Some shapes have closest points only where maps keep angles.
    fn forget_lacking(&mut self) {
        self.derived.lacking = Default::default();
    }
}
