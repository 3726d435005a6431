//! From a mesh file, or a scene file, to a scene, with every error naming the file.

use crate::failure::{Failure, Result};
use crate::machine::Machine;
use crate::number::counted;
use crate::output::{extension, is_standard};
use crate::precision::{Number, Precision, can_be_read_twice};
use crate::report;
use crate::scenes::Kinds;
use crate::vector::{Vector, wide};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lanecast::scene::SceneFile;
use lanecast::{Aabb, Affine, BuildQuality, Hit, INVALID_ID, Scene, SceneBuilder};
use lanecast_io::{Coarseness, Mesh, MeshFormat, Model, read_model, read_model_as, read_model_from};
use serde::Serialize;
use std::collections::HashMap;
use std::io::Read as _;
use std::ops::{Deref, Range};
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
    weld: Option<f64>,
    /// The format of the mesh
    ///
    /// Where its name does not say it, as with - for standard input; a name ending in .gz or .zst is that of a
    /// compressed file.
    #[arg(long, value_name = "FORMAT", value_parser = mesh_formats())]
    mesh_format: Option<MeshFormat>,
}

fn mesh_formats() -> impl TypedValueParser<Value = MeshFormat> {
    PossibleValuesParser::new(MeshFormat::EXTENSIONS)
        .map(|name| MeshFormat::from_extension(&name).expect("a known format"))
}

/// Reads a tolerance: a number that is neither negative nor infinite.
fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().ok().filter(|tolerance| (0.0..=f64::from(f32::MAX)).contains(tolerance));
    tolerance.ok_or_else(|| "expected a number that is not negative, as in 1e-5".to_owned())
}

/// A scene and how long its tree took.
#[derive(Debug, Clone)]
pub(crate) struct Built<T: lanecast::Precision = f32> {
    pub(crate) scene: Arc<Scene<T>>,
    /// To build it, or to open the file that it is in.
    pub(crate) seconds: f64,
}

/// What rays and points can meet, counted.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Held {
    precision: &'static str,
    #[serde(flatten)]
    kinds: Kinds,
    /// The scenes placed in it, of which only the number is known.
    instances: usize,
}

impl Held {
    pub(crate) fn new<T: Number>(scene: &Scene<T>) -> Self {
        Self { precision: T::NAME, kinds: Kinds::of(scene), instances: scene.instance_count() }
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
#[derive(Debug, Default)]
pub(crate) struct Meshes<T: Number = f32> {
    meshes: OnceLock<Vec<Mesh<T>>>,
    /// What stands in several places, each a scene of its own, and these places in the order of the file.
    shared: Vec<Vec<Mesh<T>>>,
    /// How many of these meshes stand before each scene.
    shared_starts: Vec<usize>,
    places: Vec<(usize, Affine)>,
    place_names: Vec<String>,
    /// The name of meshes that have none.
    name: String,
    /// The scene: opened from a file, or built where something stands in several places.
    whole: Option<Built<T>>,
    is_scene_file: bool,
    /// The format of the file where it was given.
    format: Option<MeshFormat>,
    /// What of the file is not in the meshes.
    remarks: Vec<String>,
    /// The longest side of the box around it, where it was read.
    size: f64,
    /// How coarse `f32` is for what was read, where it is too coarse.
    coarseness: Option<Coarseness>,
    /// Within which distance vertices are to be joined, and in those of a scene that was built have been.
    tolerance: Option<f64>,
}

#[cfg(test)]
impl From<Vec<Mesh>> for Meshes {
    fn from(meshes: Vec<Mesh>) -> Self {
        Self { meshes: OnceLock::from(meshes), ..Self::default() }
    }
}

/// Reads every mesh of a file: geometry 0, 1, and so on. Says what of the file is not in them, and whether `f32` is too coarse
/// for them. Opens a scene file and reads nothing of it.
pub(crate) fn read(path: &Path, arguments: MeshArguments) -> Result<Meshes> {
    let meshes = read_for_findings(path, arguments, None)?;
    warn(path, &meshes, "subtract an origin where they are made");
    Ok(meshes)
}

/// Says that `f32` is too coarse for meshes, and what to do.
fn warn(path: &Path, meshes: &Meshes, remedy: &str) {
    if let Some(Coarseness { spacing, steps }) = meshes.coarseness {
        let problem = format!(
            "coordinates are rounded to f32, in steps of {spacing}, 1/{steps} of the mesh's size; {remedy}"
        );
        report::complain(&format!("{}: {problem}", shown(path)));
    }
}

/// The same without that.
fn read_for_findings<T: Number>(
    path: &Path,
    arguments: MeshArguments,
    kept: Option<&[u8]>,
) -> Result<Meshes<T>> {
    let meshes = read_quietly(path, arguments, kept)?;
    tell(path, &meshes);
    Ok(meshes)
}

/// Says what of a file is not in its meshes.
fn tell<T: Number>(path: &Path, meshes: &Meshes<T>) {
    if !meshes.remarks.is_empty() {
        report::complain(&format!("{}: {}", shown(path), meshes.remarks.join("; ")));
    }
}

/// What was read, in the precision in which it is to be asked.
pub(crate) enum Read {
    F32(Meshes),
    F64(Meshes<f64>),
}

/// Reads every mesh of a file in a precision, or in the one that it needs, or that what is asked of a mesh of its size needs by
/// `beside`.
pub(crate) fn read_in(
    path: &Path,
    arguments: MeshArguments,
    precision: Precision,
    beside: impl Fn(f64) -> Result<bool>,
) -> Result<Read> {
    let read = read_in_for_findings(path, arguments, precision, &beside)?;
    if let Read::F32(meshes) = &read {
        warn(path, meshes, "give --precision f64");
        // In f32 whatever is asked of it.
        let is_settled = meshes.is_scene_file || precision == Precision::F32;
        if is_settled && beside(meshes.size())? {
            let remedy = if meshes.is_scene_file { "build it with" } else { "give" };
            report::complain(&format!(
                "{}: what is asked of it is rounded to f32, by more than 1/200,000 of its size; {remedy} --precision f64",
                shown(path)
            ));
        }
    }
    Ok(read)
}

/// The same for a subcommand that says more of coarse coordinates itself.
pub(crate) fn read_in_for_findings(
    path: &Path,
    arguments: MeshArguments,
    precision: Precision,
    beside: impl Fn(f64) -> Result<bool>,
) -> Result<Read> {
    // Standard input is kept for another reading.
    let kept = match precision {
        Precision::Auto if is_standard(path) && arguments.mesh_format.is_some() => Some(standard_input()?),
        _ => None,
    };
    let kept = kept.as_deref();
    let is_f64 = match precision {
        Precision::F32 => false,
        Precision::F64 => true,
        Precision::Auto if is_scene_file(path, arguments) => SceneFile::open(path)?.is_f64(),
        Precision::Auto if kept.is_none() && !can_be_read_twice(path) => false,
        Precision::Auto => {
            let meshes: Meshes = read_quietly(path, arguments, kept)?;
            if meshes.coarseness.is_none() && !beside(meshes.size)? {
                tell(path, &meshes);
                return Ok(Read::F32(meshes));
            }
            true
        }
    };
    Ok(if is_f64 {
        Read::F64(read_for_findings(path, arguments, kept)?)
    } else {
        Read::F32(read_for_findings(path, arguments, kept)?)
    })
}

fn standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| Failure::about("standard input", error))
}

fn is_scene_file(path: &Path, arguments: MeshArguments) -> bool {
    // Looking into a pipe would take what its reader waits for.
    let may_be_scene = arguments.mesh_format.is_none() && !is_standard(path);
    may_be_scene && (Scene::is_scene_file(path) || extension(path) == "scene")
}

/// A path as messages name it.
pub(crate) fn shown(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn read_quietly<T: Number>(path: &Path, arguments: MeshArguments, kept: Option<&[u8]>) -> Result<Meshes<T>> {
    let MeshArguments { weld: tolerance, mesh_format } = arguments;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if is_scene_file(path, arguments) {
        if tolerance.is_some() {
            let problem = "vertices are joined before a tree is built, and a scene file has one: give --weld to \
                           'lanecast build' with the mesh";
            return Err(Failure::about(path.display(), problem));
        }
        let start = Instant::now();
        let scene = Arc::new(SceneFile::open(path)?.scene()?);
        let whole = Some(Built { scene, seconds: start.elapsed().as_secs_f64() });
        return Ok(Meshes { name, whole, is_scene_file: true, ..Meshes::default() });
    }
    let mut model = match mesh_format {
        Some(format) if let Some(bytes) = kept => read_model_from("standard input", bytes, format)?,
        Some(format) => read_model_as(path, format)?,
        None if is_standard(path) => {
            let problem =
                format!("give the format of the mesh: --mesh-format {}", MeshFormat::EXTENSIONS.join("|"));
            return Err(Failure::about(shown(path), problem));
        }
        None => read_model(path)?,
    };
    let (remarks, [min, max]) = (std::mem::take(&mut model.remarks), model.bounds());
    let size = (0..3).fold(0.0_f64, |size, axis| size.max(max[axis] - min[axis]));
    let coarseness = Coarseness::of_f32([min, max]);
    Ok(Meshes { name, remarks, size, coarseness, tolerance, format: mesh_format, ..told_apart(model) })
}

/// The meshes that stand once, in the frame of the scene; those that stand in several places, each in its own frame; and
/// these places. What a mirror places is a mesh of its own, inside out, so that it faces outward there.
fn told_apart<T: Number>(mut model: Model<T>) -> Meshes<T> {
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
    let meshes = OnceLock::from(Model { placements: once, ..model }.into_meshes());
    Meshes { meshes, shared, shared_starts, places, place_names, ..Meshes::default() }
}

fn turn_over<T>(mesh: &mut Mesh<T>) {
    mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
}

impl<T: Number> Meshes<T> {
    /// The scene, if it was opened from a file, or was built with instances of what stands in several places.
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

    /// The vertices of all meshes in all places, named by a triangle or not; NaN where the file has no position that could be
    /// used.
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

    /// The meshes that an instance of the scene that is built of them places, and how; those outside of instances for
    /// [`INVALID_ID`].
    pub(crate) fn of_instance(&self, instance: u32) -> (&[Mesh<T>], Option<&Affine>) {
        match self.places.get(instance as usize) {
            Some((number, transform)) => (&self.shared[*number], Some(transform)),
            None => (self, None),
        }
    }

    /// The number of the mesh that is hit, among those that stand once and then those [in places](Self::in_places). In a scene
    /// file its own instances follow the geometries.
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
        self.scene()
            .filter(|scene| scene.instance_count() > 0 || scene.primitive_count() > scene.triangle_count())
    }

    /// Puts the vertices of triangles where those of the scene are that was built of them.
    fn take_places(&mut self, scene: &Scene<T>) {
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
        self.meshes.get_or_init(|| self.scene().map_or_else(Vec::new, |scene| meshes_of(scene, &self.name)))
    }
}

/// The geometries of a scene as meshes, empty where they are none. Corners at the same position are one vertex.
fn meshes_of<T: Number>(scene: &Scene<T>, name: &str) -> Vec<Mesh<T>> {
    let bound = scene.geometry_ids().next_back().map_or(0, |last| last + 1);
    let of = |geometry_id| {
        let own = scene.name(geometry_id).unwrap_or_default();
        Mesh { name: if own.is_empty() { name } else { own }.to_owned(), ..Mesh::default() }
    };
    let mut meshes: Vec<Mesh<T>> = (0..bound).map(of).collect();
    let mut numbers: Vec<HashMap<[u64; 3], u32>> = vec![HashMap::new(); meshes.len()];
    for (geometry_id, primitive_id, corners) in scene.triangles() {
        let (mesh, numbers) = (&mut meshes[geometry_id as usize], &mut numbers[geometry_id as usize]);
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

/// Builds the scene of the meshes that were read from `path`, unless it was opened. Meshes that are to be welded are
/// welded then.
pub(crate) fn build<T: Number>(path: &Path, meshes: &mut Meshes<T>, machine: &Machine) -> Result<Built<T>> {
    match &meshes.whole {
        Some(whole) => Ok(whole.clone()),
        None => build_anew(path, meshes, machine, BuildQuality::Balanced),
    }
}

/// Builds the scene of the meshes that were read from `path`, with the names and faces of the file. Of one that was opened the
/// tree over its own triangles is built anew, and all else stays.
pub(crate) fn build_anew<T: Number>(
    path: &Path,
    meshes: &mut Meshes<T>,
    machine: &Machine,
    quality: BuildQuality,
) -> Result<Built<T>> {
    let start = Instant::now();
    let scene = match meshes.scene() {
        Some(scene) => {
            let mut scene = scene.deep_copy();
            scene.rebuild(quality, &machine.threads);
            scene
        }
        None => {
            let about = |error| Failure::about(shown(path), error);
            let inner = |shared: &Vec<Mesh<T>>| {
                assemble(shared, &[], meshes.tolerance, machine, quality).map(Arc::new)
            };
            let inner = meshes.shared.iter().map(inner).collect::<Result<Vec<_>, _>>().map_err(about)?;
            let place = |&(number, transform): &(usize, Affine)| (Arc::clone(&inner[number]), transform);
            let places: Vec<_> = meshes.places.iter().map(place).collect();
            let mut scene = assemble(meshes, &places, meshes.tolerance, machine, quality).map_err(about)?;
            for (instance, name) in meshes.place_names.iter().enumerate() {
                scene.set_instance_name(instance, &name[..])?;
            }
            scene
        }
    };
    if scene.welded().is_some() {
        meshes.take_places(&scene);
    }
    let built = Built { scene: Arc::new(scene), seconds: start.elapsed().as_secs_f64() };
    if !meshes.places.is_empty() {
        meshes.whole = Some(built.clone());
    }
    Ok(built)
}

/// The same for a subcommand whose answers are known where there is nothing to meet: it gives them, and warns.
pub(crate) fn build_warning<T: Number>(
    path: &Path,
    meshes: &mut Meshes<T>,
    machine: &Machine,
    what_follows: &str,
) -> Result<Built<T>> {
    let built = build(path, meshes, machine)?;
    if built.scene.bounds().is_empty() {
        report::complain(&format!("{}: warning: {NO_TRIANGLES}; {what_follows}", shown(path)));
    }
    Ok(built)
}

/// The same for a subcommand that aims at the mesh, and can do nothing where there is nothing.
pub(crate) fn build_filled<T: Number>(
    path: &Path,
    meshes: &mut Meshes<T>,
    machine: &Machine,
) -> Result<Built<T>> {
    let built = build(path, meshes, machine)?;
    if built.scene.bounds().is_empty() {
        return Err(Failure::about(shown(path), NO_TRIANGLES));
    }
    Ok(built)
}

/// What is wrong with a mesh without triangles.
const NO_TRIANGLES: &str = "the mesh has no triangles";

/// A scene of meshes, and of scenes in places.
fn assemble<T: Number>(
    meshes: &[Mesh<T>],
    places: &[(Arc<Scene<T>>, Affine)],
    tolerance: Option<f64>,
    machine: &Machine,
    quality: BuildQuality,
) -> lanecast::Result<Scene<T>> {
    let mut builder = SceneBuilder::<T>::default().backend(machine.backend).threads(&machine.threads);
    for mesh in meshes {
        // Vertices without triangles are points: whatever they are, no ray meets them.
        let vertices: &[_] = if mesh.triangles.is_empty() { &[] } else { &mesh.vertices };
        builder = builder.triangle_mesh(vertices, &mesh.triangles)?;
    }
    if let Some(tolerance) = tolerance {
        builder = builder.weld(T::nearest(tolerance))?;
    }
    for (scene, transform) in places {
        builder = builder.instance(scene, *transform);
    }
    let mut scene = builder.quality(quality).build()?;
    for (geometry_id, mesh) in (0..).zip(meshes) {
        scene.set_name(geometry_id, &mesh.name[..])?;
        scene.set_face_ids(geometry_id, mesh.face_ids.as_deref().unwrap_or_default())?;
    }
    Ok(scene)
}

/// A surface that is open, said with the tolerance that closes the mesh, if there is one.
pub(crate) fn refusal<T: Number>(
    path: &Path,
    meshes: &Meshes<T>,
    scene: &Scene<T>,
    machine: &Machine,
    open: &lanecast::Error,
) -> Failure {
    let closing = match meshes.tolerance {
        None => scene.closing_tolerance(),
        // Of the mesh as it is in the file, as another tolerance is to take the place of the one that was given.
        Some(_) => {
            let arguments = MeshArguments { mesh_format: meshes.format, ..MeshArguments::default() };
            read_quietly(path, arguments, None)
                .and_then(|mut meshes: Meshes<T>| build(path, &mut meshes, machine))
                .map_or(None, |built| built.scene.closing_tolerance())
        }
    };
    let how = match closing {
        Some(tolerance) if meshes.is_scene_file => {
            format!("; built with --weld {tolerance:e} it would be closed")
        }
        Some(tolerance) => format!("; --weld {tolerance:e} closes it"),
        None => String::new(),
    };
    Failure::about(shown(path), format!("{open}{how}"))
}
