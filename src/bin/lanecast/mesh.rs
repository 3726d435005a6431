//! From a mesh file to a scene, with every error naming the file.

use crate::failure::{Failure, Result};
use crate::machine::Machine;
use crate::vector::{Vector, from_f32};
use lanecast::io::{Mesh, read_meshes};
use lanecast::{Scene, SceneBuilder};
use std::path::Path;
use std::time::Instant;

/// A scene and how long its tree took.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) scene: Scene,
    pub(crate) seconds: f64,
}

/// Reads every mesh of a file: geometry 0, 1, and so on.
pub(crate) fn read(path: &Path) -> Result<Vec<Mesh>> {
    Ok(read_meshes(path)?)
}

/// Builds the scene of the meshes that were read from `path`.
pub(crate) fn build(path: &Path, meshes: &[Mesh], machine: &Machine) -> Result<Built> {
    let start = Instant::now();
    let scene = assemble(meshes, machine).map_err(|error| Failure::about(path.display(), error))?;
    Ok(Built { scene, seconds: start.elapsed().as_secs_f64() })
}

/// The same for a subcommand that can do nothing without a triangle.
pub(crate) fn build_filled(path: &Path, meshes: &[Mesh], machine: &Machine) -> Result<Built> {
    let built = build(path, meshes, machine)?;
    if built.scene.triangle_count() == 0 {
        return Err(Failure::about(path.display(), NO_TRIANGLES));
    }
    Ok(built)
}

/// What is wrong with a mesh without triangles.
pub(crate) const NO_TRIANGLES: &str = "the mesh has no triangles";

/// The corners of all triangles.
pub(crate) fn corners(meshes: &[Mesh]) -> impl Iterator<Item = Vector> {
    meshes.iter().flat_map(|mesh| {
        mesh.triangles.as_flattened().iter().map(|&vertex| from_f32(mesh.vertices[vertex as usize]))
    })
}

fn assemble(meshes: &[Mesh], machine: &Machine) -> lanecast::Result<Scene> {
    let mut builder = SceneBuilder::new().backend(machine.backend).threads(machine.threads.clone());
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles)?;
    }
    builder.build()
}
