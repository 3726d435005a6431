//! From a mesh file, or a scene file, to meshes, in the precision that they need.

use super::built::Built;
use super::meshes::Meshes;
use crate::arguments::not_negative;
use crate::failure::{Failure, Result};
use crate::machine::MachineArguments;
use crate::output::{extension, is_standard};
use crate::precision::{Number, Precision, PrecisionArguments, can_be_read_twice};
use crate::report;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lanecast::Scene;
use lanecast::scene::SceneFile;
use lanecast_io::{Coarseness, MeshFormat, read_model, read_model_as, read_model_from};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What is done to a mesh before its tree is built: the options of every subcommand that takes one.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct MeshArguments {
    /// Join vertices within this distance
    ///
    /// For meshes whose triangles do not quite meet. The error of a query for which the mesh must
    /// be closed says which tolerance closes it.
    #[arg(long, value_name = "TOLERANCE", value_parser = tolerance, allow_hyphen_values = true)]
    pub(super) weld: Option<f64>,
    /// The format of the mesh
    ///
    /// Where its name does not say it, as with - for standard input; a name ending in .gz or .zst
    /// is that of a compressed file.
    #[arg(long, value_name = "FORMAT", value_parser = mesh_formats())]
    pub(super) mesh_format: Option<MeshFormat>,
}

/// The mesh, how it is read, and what works on it: the arguments of every subcommand that asks
/// something of one.
#[derive(Debug, Args)]
pub(crate) struct Subject {
    /// The mesh, or a scene file
    ///
    /// One of obj, ply, stl, off, gltf, glb, a raster of heights (tif, tiff, asc), or a scene file
    /// that lanecast build has made. Several meshes in a file become geometry 0, 1, and so on.
    #[arg(index = 1)]
    pub(crate) mesh: PathBuf,
    #[command(flatten)]
    options: MeshArguments,
    #[command(flatten)]
    precision: PrecisionArguments,
    #[command(flatten)]
    pub(crate) machine: MachineArguments,
}

impl Subject {
    /// Reads it in the precision that was asked for, or that it needs, or that what is asked of a
    /// mesh of its size needs by `beside`.
    pub(crate) fn read(&self, beside: impl Fn(f64) -> Result<bool>) -> Result<Read> {
        read_in(&self.mesh, self.options, self.precision.precision, beside)
    }

    /// The same for a subcommand that says more of coarse coordinates itself.
    pub(crate) fn read_for_findings(&self) -> Result<Read> {
        read_in_for_findings(&self.mesh, self.options, self.precision.precision, |_| Ok(false))
    }
}

fn mesh_formats() -> impl TypedValueParser<Value = MeshFormat> {
    PossibleValuesParser::new(MeshFormat::EXTENSIONS)
        .map(|name| MeshFormat::from_extension(&name).expect("a known format"))
}

fn tolerance(text: &str) -> Result<f64, String> {
    not_negative(text, f32::MAX.into(), "1e-5")
}

/// Reads every mesh of a file: geometry 0, 1, and so on. Says what of the file is not in them, and
/// whether `f32` is too coarse for them. Opens a scene file and reads nothing of it.
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

/// Reads every mesh of a file in a precision, or in the one that it needs, or that what is asked of
/// a mesh of its size needs by `beside`.
pub(crate) fn read_in(
    path: &Path,
    arguments: MeshArguments,
    precision: Precision,
    beside: impl Fn(f64) -> Result<bool>,
) -> Result<Read> {
    let read = read_in_for_findings(path, arguments, precision, beside)?;
    if let Read::F32(meshes) = &read {
        warn(path, meshes, "give --precision f64");
    }
    Ok(read)
}

fn read_in_for_findings(
    path: &Path,
    arguments: MeshArguments,
    precision: Precision,
    beside: impl Fn(f64) -> Result<bool>,
) -> Result<Read> {
    // Standard input is kept for another reading.
    let kept = match precision {
        Precision::Auto if is_standard(path) && arguments.mesh_format.is_some() => {
            Some(standard_input()?)
        }
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

pub(super) fn read_quietly<T: Number>(
    path: &Path,
    arguments: MeshArguments,
    kept: Option<&[u8]>,
) -> Result<Meshes<T>> {
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
        let seconds = start.elapsed().as_secs_f64();
        let whole = Some(Built { scene, seconds, is_opened: true });
        return Ok(Meshes { name, whole, is_scene_file: true, ..Meshes::default() });
    }
    let mut model = match mesh_format {
        Some(format) => match kept {
            Some(bytes) => read_model_from("standard input", bytes, format)?,
            None => read_model_as(path, format)?,
        },
        None if is_standard(path) => {
            let problem = format!(
                "give the format of the mesh: --mesh-format {}",
                MeshFormat::EXTENSIONS.join("|")
            );
            return Err(Failure::about(shown(path), problem));
        }
        None => read_model(path)?,
    };
    let (remarks, [min, max]) = (std::mem::take(&mut model.remarks), model.bounds());
    let size = (0..3).fold(0.0_f64, |size, axis| size.max(max[axis] - min[axis]));
    let coarseness = Coarseness::of_f32([min, max]);
    Ok(Meshes {
        name,
        remarks,
        size,
        coarseness,
        tolerance,
        format: mesh_format,
        ..Meshes::told_apart(model)?
    })
}
