//! From meshes to a scene.

use super::built::Built;
use super::meshes::Meshes;
use super::read::{MeshArguments, read_quietly, shown};
use crate::failure::{Failure, Result};
use crate::machine::Machine;
use crate::precision::Number;
use crate::report;
use lanecast::{Affine, BuildQuality, Scene, SceneBuilder, scene::Welded};
use lanecast_io::Mesh;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Builds the scene of the meshes that were read from `path`, unless it was opened. Meshes that are
/// to be welded are welded then.
pub(crate) fn build<T: Number>(
    path: &Path,
    meshes: &mut Meshes<T>,
    machine: &Machine,
) -> Result<Built<T>> {
    match &meshes.whole {
        Some(whole) => Ok(whole.clone()),
        None => build_anew(path, meshes, machine, BuildQuality::Balanced),
    }
}

/// Builds the scene of the meshes that were read from `path`, with the names and faces of the file.
/// Of one that was opened the tree over its own triangles is built anew, and all else stays.
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
            scene.change().threads(&machine.threads).quality(quality).rebuild()?;
            scene
        }
        None => {
            let about = |error| Failure::about(shown(path), error);
            let inner = |shared: &Vec<Mesh<T>>| {
                assemble(shared, &[], meshes.tolerance, machine, quality).map(Arc::new)
            };
            let inner =
                meshes.shared.iter().map(inner).collect::<Result<Vec<_>, _>>().map_err(about)?;
            let place =
                |&(number, transform): &(usize, Affine)| (Arc::clone(&inner[number]), transform);
            let places: Vec<_> = meshes.places.iter().map(place).collect();
            let mut scene =
                assemble(meshes, &places, meshes.tolerance, machine, quality).map_err(about)?;
            for (instance, name) in (0..).zip(&meshes.place_names) {
                scene.set_instance_name(instance, &name[..])?;
            }
            scene
        }
    };
    if scene.welded().is_some() {
        meshes.take_places(&scene);
    }
    let seconds = start.elapsed().as_secs_f64();
    let built = Built { scene: Arc::new(scene), seconds, is_opened: false };
    if !meshes.places.is_empty() {
        meshes.whole = Some(built.clone());
    }
    Ok(built)
}

/// The same for a subcommand whose answers are known where there is nothing to meet: it gives them,
/// and warns.
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
    let mut builder =
        SceneBuilder::<T>::default().backend(machine.backend).threads(&machine.threads);
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

/// The least tolerance that closes the open surface of the meshes that were read from `path`, and
/// what welding by it does; `None` if there is none. Of the meshes as they are in the file, as this
/// tolerance is to take the place of one that was given.
pub(crate) fn closing<T: Number>(
    path: &Path,
    meshes: &Meshes<T>,
    scene: &Scene<T>,
    machine: &Machine,
) -> Option<(T, Welded)> {
    if meshes.tolerance.is_some() {
        let arguments = MeshArguments { mesh_format: meshes.format, ..MeshArguments::default() };
        let mut meshes: Meshes<T> = read_quietly(path, arguments, None).ok()?;
        let built = build(path, &mut meshes, machine).ok()?;
        return closing(path, &meshes, &built.scene, machine);
    }
    let tolerance = scene.closing_tolerance()?;
    let (within, quality) = (Some(tolerance.to_f64()), BuildQuality::Fast);
    let closed = assemble(meshes, &[], within, machine, quality).ok()?;
    Some((tolerance, closed.welded()?))
}

/// A surface that is open, said with the tolerance that closes the mesh, if there is one.
pub(crate) fn refusal<T: Number>(
    path: &Path,
    meshes: &Meshes<T>,
    scene: &Scene<T>,
    machine: &Machine,
    open: &lanecast::Error,
) -> Failure {
    let how = match closing(path, meshes, scene, machine) {
        Some((tolerance, _)) if meshes.is_scene_file => {
            format!("; built with --weld {tolerance:e} it would be closed")
        }
        Some((tolerance, _)) => format!("; --weld {tolerance:e} closes it"),
        None => String::new(),
    };
    Failure::about(shown(path), format!("{open}{how}"))
}
