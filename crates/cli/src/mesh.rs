//! From a mesh file, or a scene file, to a scene, with every error naming the file.

use crate::failure::{Failure, Result};
use crate::machine::Machine;
use crate::number::counted;
use crate::output::extension;
use crate::scenes::Kinds;
use crate::vector::{Vector, from_f32};
use clap::Args;
use lanecast::{Aabb, BuildQuality, Scene, SceneBuilder};
use lanecast_io::{Mesh, read_meshes};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// What is done to a mesh before its tree is built: the options of every subcommand that takes one.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct MeshArguments {
    /// Join vertices within this distance
    ///
    /// For meshes whose triangles do not quite meet. The error of a query for which the mesh must be closed
    /// says which tolerance closes it.
    #[arg(long, value_name = "TOLERANCE", value_parser = tolerance, allow_hyphen_values = true)]
    weld: Option<f32>,
}

/// Reads a tolerance: a number that is neither negative nor infinite.
fn tolerance(text: &str) -> Result<f32, String> {
    let tolerance = text.parse().ok().filter(|tolerance: &f32| (0.0..=f32::MAX).contains(tolerance));
    tolerance.ok_or_else(|| "expected a number that is not negative, as in 1e-5".to_owned())
}

/// A scene and how long its tree took.
#[derive(Debug, Clone)]
pub(crate) struct Built {
    pub(crate) scene: Arc<Scene>,
    /// To build it, or to open the file that it is in.
    pub(crate) seconds: f64,
}

/// What rays and points can meet, counted.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Held {
    #[serde(flatten)]
    kinds: Kinds,
    /// The scenes placed in it, of which only the number is known.
    instances: usize,
}

impl Held {
    pub(crate) fn new(scene: &Scene) -> Self {
        Self { kinds: Kinds::of(scene), instances: scene.instance_count() }
    }

    /// In words: what there is, or that there are no triangles.
    pub(crate) fn words(self) -> String {
        let mut words = self.kinds.words();
        if self.instances > 0 {
            words.push(counted(self.instances, "instance"));
        }
        if words.is_empty() { counted(0, "triangle") } else { words.join(" + ") }
    }
}

/// The meshes of a file. Those of a scene file are made of its triangles when somebody asks for them.
#[derive(Debug)]
pub(crate) struct Meshes {
    meshes: OnceLock<Vec<Mesh>>,
    /// The name of meshes that have none.
    name: String,
    opened: Option<Built>,
    /// Within which distance vertices are to be joined, and in those of a scene that was built have been.
    tolerance: Option<f32>,
}

#[cfg(test)]
impl From<Vec<Mesh>> for Meshes {
    fn from(meshes: Vec<Mesh>) -> Self {
        Self { meshes: OnceLock::from(meshes), name: String::new(), opened: None, tolerance: None }
    }
}

/// Reads every mesh of a file: geometry 0, 1, and so on. Opens a scene file and reads nothing of it.
pub(crate) fn read(path: &Path, arguments: MeshArguments) -> Result<Meshes> {
    let MeshArguments { weld: tolerance } = arguments;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (meshes, mut opened) = (OnceLock::new(), None);
    if Scene::is_scene_file(path) || extension(path) == "scene" {
        if tolerance.is_some() {
            let problem = "vertices are joined before a tree is built, and a scene file has one: give --weld to \
                           'lanecast build' with the mesh";
            return Err(Failure::about(path.display(), problem));
        }
        let start = Instant::now();
        let scene = Arc::new(Scene::open(path)?);
        opened = Some(Built { scene, seconds: start.elapsed().as_secs_f64() });
    } else {
        meshes.set(read_meshes(path)?).expect("nothing is there yet");
    }
    Ok(Meshes { meshes, name, opened, tolerance })
}

impl Meshes {
    /// The scene, if it was opened from a file.
    pub(crate) fn scene(&self) -> Option<&Scene> {
        self.opened.as_ref().map(|opened| &*opened.scene)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.scene().map_or_else(|| self.len(), Scene::geometry_count)
    }

    /// The scene, if it was opened from a file and holds what meshes do not.
    pub(crate) fn scene_with_more(&self) -> Option<&Scene> {
        self.scene()
            .filter(|scene| scene.instance_count() > 0 || scene.primitive_count() > scene.triangle_count())
    }

    /// Puts the vertices of triangles where those of the scene are that was built of them.
    fn take_places(&mut self, scene: &Scene) {
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
            (0..8).map(move |corner| std::array::from_fn(|axis| [min, max][corner >> axis & 1][axis]))
        });
        let of_scene =
            self.scene().into_iter().flat_map(Scene::triangles).flat_map(|(_, _, corners)| corners);
        let meshes: &[Mesh] = if self.opened.is_some() { &[] } else { self };
        let of_meshes = meshes.iter().flat_map(|mesh| {
            mesh.triangles.as_flattened().iter().map(|&vertex| mesh.vertices[vertex as usize])
        });
        of_scene.chain(of_meshes).chain(of_box).map(from_f32)
    }
}

impl Deref for Meshes {
    type Target = [Mesh];

    fn deref(&self) -> &[Mesh] {
        self.meshes.get_or_init(|| self.scene().map_or_else(Vec::new, |scene| meshes_of(scene, &self.name)))
    }
}

/// The geometries of a scene as meshes, empty where they are none. Corners at the same position are one vertex.
fn meshes_of(scene: &Scene, name: &str) -> Vec<Mesh> {
    let empty = Mesh { name: name.to_owned(), ..Mesh::default() };
    let mut meshes = vec![empty; scene.geometry_count()];
    let mut numbers: Vec<HashMap<[u32; 3], u32>> = vec![HashMap::new(); meshes.len()];
    for (geometry_id, primitive_id, corners) in scene.triangles() {
        let (mesh, numbers) = (&mut meshes[geometry_id as usize], &mut numbers[geometry_id as usize]);
        let triangle = corners.map(|corner| {
            // Adding zero turns −0 into 0.
            *numbers.entry(corner.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
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

/// Builds the scene of the meshes that were read from `path`, unless it was opened. Meshes that are to be welded are
/// welded then.
pub(crate) fn build(path: &Path, meshes: &mut Meshes, machine: &Machine) -> Result<Built> {
    match &meshes.opened {
        Some(opened) => Ok(opened.clone()),
        None => build_anew(path, meshes, machine, BuildQuality::Balanced),
    }
}

/// Builds the scene of the meshes that were read from `path`, also if it was opened; of what is placed in that, or is no
/// mesh, the trees stay. The masks stay too.
pub(crate) fn build_anew(
    path: &Path,
    meshes: &mut Meshes,
    machine: &Machine,
    quality: BuildQuality,
) -> Result<Built> {
    let start = Instant::now();
    let scene = match meshes.scene_with_more() {
        Some(scene) => {
            let mut scene = scene.deep_copy();
            scene.rebuild(quality, &machine.threads);
            scene
        }
        None => {
            let mut scene = assemble(meshes, meshes.tolerance, machine, quality)
                .map_err(|error| Failure::about(path.display(), error))?;
            if let Some(opened) = meshes.scene() {
                for geometry_id in 0..opened.geometry_count() as u32 {
                    scene.set_mask(geometry_id, opened.mask(geometry_id)?)?;
                }
            }
            scene
        }
    };
    if scene.welded().is_some() {
        meshes.take_places(&scene);
    }
    Ok(Built { scene: Arc::new(scene), seconds: start.elapsed().as_secs_f64() })
}

/// The same for a subcommand that can do nothing where there is nothing to meet.
pub(crate) fn build_filled(path: &Path, meshes: &mut Meshes, machine: &Machine) -> Result<Built> {
    let built = build(path, meshes, machine)?;
    if built.scene.bounds().is_empty() {
        return Err(Failure::about(path.display(), NO_TRIANGLES));
    }
    Ok(built)
}

/// What is wrong with a mesh without triangles.
pub(crate) const NO_TRIANGLES: &str = "the mesh has no triangles";

fn assemble(
    meshes: &[Mesh],
    tolerance: Option<f32>,
    machine: &Machine,
    quality: BuildQuality,
) -> lanecast::Result<Scene> {
    let mut builder = SceneBuilder::new().backend(machine.backend).threads(&machine.threads);
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles)?;
    }
    if let Some(tolerance) = tolerance {
        builder = builder.weld(tolerance)?;
    }
    builder.quality(quality).build()
}

/// A surface that is open, said with the tolerance that closes the mesh, if there is one.
pub(crate) fn refusal(
    path: &Path,
    meshes: &Meshes,
    scene: &Scene,
    machine: &Machine,
    open: &lanecast::Error,
) -> Failure {
    let closing = match meshes.tolerance {
        None => scene.closing_tolerance(),
        // Of the mesh as it is in the file, as another tolerance is to take the place of the one that was given.
        Some(_) => read(path, MeshArguments::default())
            .and_then(|mut meshes| build(path, &mut meshes, machine))
            .map_or(None, |built| built.scene.closing_tolerance()),
    };
    let how = match closing {
        Some(tolerance) if meshes.opened.is_some() => {
            format!("; built with --weld {tolerance:e} it would be closed")
        }
        Some(tolerance) => format!("; --weld {tolerance:e} closes it"),
        None => String::new(),
    };
    Failure::about(path.display(), format!("{open}{how}"))
}
