//! Scenes as files: `bindings/python/benches/peers.py` casts the same rays at the same triangles.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use lanecast::{BuildQuality, Ray, Threads};

use super::arguments::wanted;
use super::contestants::LanecastScene;
use super::mesh::Mesh;
use super::rays::{Sight, Sizes};
use super::stage::{self, Stage, Table};
use crate::Result;

/// The sets of rays whose interval is [0, ∞], as a row in a file has none.
const ENDLESS: [&str; 5] = ["camera", "shuffled", "diffuse", "random", "lidar"];

/// What to write, and where.
#[derive(Debug, Args)]
pub(crate) struct WriteArguments {
    /// The folder that receives SCENE.ply and SCENE.RAYS.npy
    folder: PathBuf,
    /// Only these scenes, of any table; the users' meshes unless said otherwise
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = stage::NAMES)]
    scene: Vec<String>,
    /// Only these sets of rays
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = ENDLESS)]
    rays: Vec<String>,
    /// How many rows of 1,024 rays a set has, a quarter of it in the hairball and the soup
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    rows: u16,
}

/// The subcommand.
pub(crate) fn write(arguments: &WriteArguments) -> Result<()> {
    std::fs::create_dir_all(&arguments.folder)?;
    let asked_for = |name: &&str| match arguments.scene.as_slice() {
        [] => Table::of(name) == Table::Users,
        scenes => scenes.iter().any(|scene| scene == name),
    };
    for name in stage::NAMES.into_iter().filter(asked_for) {
        let stage = Stage::named(name, false)?;
        write_ply(&arguments.folder.join(format!("{name}.ply")), &stage.mesh)?;
        let tree = LanecastScene::build(&stage.mesh, BuildQuality::Balanced, &Threads::ONE)?;
        let sizes = Sizes::measured(stage.rows(arguments.rows.into()));
        let sight = Sight::new(&stage, &tree.scene, sizes)?;
        for set in ENDLESS.into_iter().filter(|set| wanted(&arguments.rays, set)) {
            let path = arguments.folder.join(format!("{name}.{set}.npy"));
            write_npy(&path, &sight.rays(set).rays)?;
        }
    }
    Ok(())
}

/// Laid out as the meshes in `data`.
fn write_ply(path: &Path, mesh: &Mesh) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write!(
        file,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.vertices().len(),
        mesh.triangles.len(),
    )?;
    for number in mesh.vertices().as_flattened() {
        file.write_all(&number.to_le_bytes())?;
    }
    for triangle in &mesh.triangles {
        file.write_all(&[3])?;
        for vertex in triangle {
            file.write_all(&vertex.to_le_bytes())?;
        }
    }
    Ok(file.flush()?)
}

/// A row of origin and direction for each ray.
fn write_npy(path: &Path, rays: &[Ray]) -> Result<()> {
    let header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 6), }}", rays.len());
    // Ten bytes stand before the header, and all that stands before the numbers is a multiple of 64.
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&(length as u16).to_le_bytes())?;
    writeln!(file, "{header:0$}", length - 1)?;
    for number in rays.iter().flat_map(|ray| ray.origin.into_iter().chain(ray.direction)) {
        file.write_all(&number.to_le_bytes())?;
    }
    Ok(file.flush()?)
}
