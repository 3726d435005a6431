//! The meshes of a file, each once, and the places where they stand.

use super::built::Built;
use crate::failure::Result;
use crate::precision::Number;
use crate::vector::{Vector, wide};
use lanecast::{Aabb, Affine, Hit, INVALID_ID, Scene};
use lanecast_io::{Coarseness, Mesh, MeshFormat, Model};
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::OnceLock;

/// The meshes of a file. Those of a scene file are made of its triangles when somebody asks for
/// them.
#[derive(Debug, Default)]
pub(crate) struct Meshes<T: Number = f32> {
    pub(super) meshes: OnceLock<Vec<Mesh<T>>>,
    /// What stands in several places, each a scene of its own, and these places in the order of the
    /// file.
    pub(super) shared: Vec<Vec<Mesh<T>>>,
    /// How many of these meshes stand before each scene.
    pub(super) shared_starts: Vec<usize>,
    pub(super) places: Vec<(usize, Affine)>,
    pub(super) place_names: Vec<String>,
    /// The name of meshes that have none.
    pub(super) name: String,
    /// The scene: opened from a file, or built where something stands in several places.
    pub(super) whole: Option<Built<T>>,
    pub(super) is_scene_file: bool,
    /// The format of the file where it was given.
    pub(super) format: Option<MeshFormat>,
    /// What of the file is not in the meshes.
    pub(super) remarks: Vec<String>,
    /// The longest side of the box around it, where it was read.
    pub(super) size: f64,
    /// How coarse `f32` is for what was read, where it is too coarse.
    pub(super) coarseness: Option<Coarseness>,
    /// Within which distance vertices are to be joined, and in those of a scene that was built have
    /// been.
    pub(super) tolerance: Option<f64>,
}

#[cfg(test)]
impl<T: Number> From<Vec<Mesh<T>>> for Meshes<T> {
    fn from(meshes: Vec<Mesh<T>>) -> Self {
        Self { meshes: OnceLock::from(meshes), ..Self::default() }
    }
}

impl<T: Number> Meshes<T> {
    /// The meshes that stand once, in the frame of the scene; those that stand in several places,
    /// each in its own frame; and these places. What a mirror places is a mesh of its own, inside
    /// out, so that it faces outward there.
    pub(super) fn told_apart(mut model: Model<T>) -> Result<Self> {
        // What flattens cannot be an instance.
        let key = |transform: &Affine, meshes: &Range<usize>| {
            let is_empty = meshes.is_empty() || transform.inverse().is_none();
            (!is_empty).then(|| (meshes.start, transform.is_mirrored()))
        };
        let mut counts: HashMap<(usize, bool), usize> = HashMap::new();
        for placement in &model.placements {
            if let Some(key) = key(&placement.transform, &placement.meshes) {
                *counts.entry(key).or_default() += 1;
            }
        }
        let (mut shared, mut places, mut numbers) = (Vec::new(), Vec::new(), HashMap::new());
        let mut place_names = Vec::new();
        let (mut once, mut shared_starts, mut count) = (Vec::new(), Vec::new(), 0);
        for placement in std::mem::take(&mut model.placements) {
            match key(&placement.transform, &placement.meshes).filter(|key| counts[key] > 1) {
                None => once.push(placement),
                Some(key) => {
                    let number = *numbers.entry(key).or_insert_with(|| {
                        let mut meshes = model.meshes[placement.meshes.clone()].to_vec();
                        if key.1 {
                            meshes.iter_mut().for_each(turn_over);
                        }
                        shared_starts.push(count);
                        count += meshes.len();
                        shared.push(meshes);
                        shared.len() - 1
                    });
                    places.push((number, placement.transform));
                    place_names.push(placement.name);
                }
            }
        }
        let meshes = OnceLock::from(Model { placements: once, ..model }.into_meshes()?);
        Ok(Self { meshes, shared, shared_starts, places, place_names, ..Self::default() })
    }

    /// The scene, if it was opened from a file, or was built with instances of what stands in
    /// several places.
    pub(crate) fn scene(&self) -> Option<&Scene<T>> {
        self.whole.as_ref().map(|whole| &*whole.scene)
    }

    /// The longest side of the box around it.
    pub(crate) fn size(&self) -> f64 {
        let of_scene = |scene: &Scene<T>| {
            let Aabb { min, max } = scene.bounds();
            (0..3).fold(0.0_f64, |size, axis| size.max(max[axis].to_f64() - min[axis].to_f64()))
        };
        self.scene().map_or(self.size, of_scene)
    }

    /// Whether the file is a scene file.
    pub(crate) fn are_of_scene_file(&self) -> bool {
        self.is_scene_file
    }

    /// The vertices of all meshes in all places, named by a triangle or not; NaN where the file has
    /// no position that could be used.
    pub(crate) fn vertices(&self) -> Vec<[T; 3]> {
        let vertices = |mesh: Mesh<T>| {
            let mut vertices = mesh.vertices;
            mesh.unusable_vertices
                .iter()
                .for_each(|&vertex| vertices[vertex as usize] = [T::nearest(f64::NAN); 3]);
            vertices
        };
        let placed = |(number, transform): &(usize, Affine)| {
            let meshes = self.shared[*number].iter();
            meshes.flat_map(|mesh| vertices(mesh.clone().placed(transform))).collect::<Vec<_>>()
        };
        self.iter().cloned().flat_map(vertices).chain(self.places.iter().flat_map(placed)).collect()
    }

    /// The meshes that stand in several places, each in its own frame.
    pub(crate) fn in_places(&self) -> impl Iterator<Item = &Mesh<T>> {
        self.shared.iter().flatten()
    }

    /// The meshes that an instance of the scene that is built of them places, and how; those
    /// outside of instances for [`INVALID_ID`].
    pub(crate) fn of_instance(&self, instance: u32) -> (&[Mesh<T>], Option<&Affine>) {
        match self.places.get(instance as usize) {
            Some((number, transform)) => (&self.shared[*number], Some(transform)),
            None => (self, None),
        }
    }

    /// The number of the mesh that is hit, among those that stand once and then those [in
    /// places](Self::in_places). In a scene file its own instances follow the geometries.
    pub(crate) fn number_of(&self, hit: &Hit<T>) -> usize {
        let geometry = hit.geometry_id as usize;
        match self.places.get(hit.instance_id as usize) {
            Some(&(number, _)) => self.len() + self.shared_starts[number] + geometry,
            None if hit.instance_id == INVALID_ID => geometry,
            None => {
                let path = self.scene().and_then(|scene| scene.instance_path(hit.instance_id).ok());
                self.len() + path.map_or(0, |path| path[0] as usize)
            }
        }
    }

    /// What of the file is not in the meshes, or is there in another form.
    pub(crate) fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.scene().map_or_else(|| self.len(), Scene::geometry_count)
    }

    /// The same if it holds what meshes do not.
    pub(crate) fn scene_with_more(&self) -> Option<&Scene<T>> {
        self.scene().filter(|scene| {
            scene.instance_count() > 0 || scene.primitive_count() > scene.triangle_count()
        })
    }

    /// Puts the vertices of triangles where those of the scene are that was built of them.
    pub(super) fn take_places(&mut self, scene: &Scene<T>) {
        let Some(meshes) = self.meshes.get_mut() else { return };
        for (geometry_id, primitive_id, corners) in scene.triangles() {
            let Mesh { vertices, triangles, .. } = &mut meshes[geometry_id as usize];
            for (vertex, corner) in triangles[primitive_id as usize].into_iter().zip(corners) {
                vertices[vertex as usize] = corner;
            }
        }
    }

    /// The corners of all triangles, and of the box around a scene that holds what meshes do not.
    pub(crate) fn corners(&self) -> impl Iterator<Item = Vector> {
        let around = self.scene_with_more().map(Scene::bounds).filter(|bounds| !bounds.is_empty());
        let of_box = around.into_iter().flat_map(|Aabb { min, max }| {
            (0..8)
                .map(move |corner| std::array::from_fn(|axis| [min, max][corner >> axis & 1][axis]))
        });
        let of_scene =
            self.scene().into_iter().flat_map(Scene::triangles).flat_map(|(_, _, corners)| corners);
        let meshes: &[Mesh<T>] = if self.whole.is_some() { &[] } else { self };
        let of_meshes = meshes.iter().flat_map(|mesh| {
            mesh.triangles.as_flattened().iter().map(|&vertex| mesh.vertices[vertex as usize])
        });
        of_scene.chain(of_meshes).chain(of_box).map(wide)
    }
}

impl<T: Number> Deref for Meshes<T> {
    type Target = [Mesh<T>];

    fn deref(&self) -> &[Mesh<T>] {
        self.meshes.get_or_init(|| {
            self.scene().map_or_else(Vec::new, |scene| meshes_of(scene, &self.name))
        })
    }
}

/// The geometries of a scene as meshes, empty where they are none. Corners at the same position are
/// one vertex.
fn meshes_of<T: Number>(scene: &Scene<T>, name: &str) -> Vec<Mesh<T>> {
    let bound = scene.geometry_ids().next_back().map_or(0, |last| last + 1);
    let of = |geometry_id| {
        let own = scene.name(geometry_id).unwrap_or_default();
        Mesh { name: if own.is_empty() { name } else { own }.to_owned(), ..Mesh::default() }
    };
    let mut meshes: Vec<Mesh<T>> = (0..bound).map(of).collect();
    let mut numbers: Vec<HashMap<[u64; 3], u32>> = vec![HashMap::new(); meshes.len()];
    for (geometry_id, primitive_id, corners) in scene.triangles() {
        let (mesh, numbers) =
            (&mut meshes[geometry_id as usize], &mut numbers[geometry_id as usize]);
        let triangle = corners.map(|corner| {
            // Adding zero turns −0 into 0.
            *numbers.entry(corner.map(|x| (x.to_f64() + 0.0).to_bits())).or_insert_with(|| {
                mesh.vertices.push(corner);
                mesh.vertices.len() as u32 - 1
            })
        });
        let place = primitive_id as usize;
        // Only a damaged file has a number that is greater.
        if place < scene.triangle_count() {
            if mesh.triangles.len() <= place {
                mesh.triangles.resize(place + 1, [0; 3]);
            }
            mesh.triangles[place] = triangle;
        }
    }
    meshes
}

fn turn_over<T>(mesh: &mut Mesh<T>) {
    mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
}
