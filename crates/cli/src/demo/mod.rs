//! `lanecast demo`, and `lanecast` alone: the main job on the shipped data.

mod jobs;
mod landscape;
mod report;
mod terrain;

use crate::arguments::size;
use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::machine::MachineArguments;
use crate::mesh::{self, MeshArguments};
use crate::output::{Output, Overwriting};
use crate::progress::Progress;
use crate::shipped;
use crate::vector::{cross, dot, wide};
use clap::Args;
use jobs::{Amounts, Jobs};
use lanecast_io::Mesh;
use report::Report;
use std::path::{Path, PathBuf};
use terrain::Terrain;

/// The picture unless another is named.
const PICTURE: &str = "lanecast-demo.png";

#[derive(Debug, Args)]
#[command(after_help = help::short("demo", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The picture, a PNG file
    ///
    /// lanecast-demo.png unless given, which is overwritten if it is there.
    #[arg(short, long, value_name = "PICTURE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwriting: Overwriting,
    /// About how many rays to cast
    #[arg(long, value_name = "N", default_value_t = 16_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    rays: u64,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1600x900", value_parser = size)]
    size: [u32; 2],
    /// The folder with jacksboro.ply and gyroid.ply
    ///
    /// The repository's data unless given.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
What is cast, at a terrain in Tennessee of 30 by 32 km and, last, at a closed solid:
  camera          the picture's rays: the closest triangle of each
  sun             from every point that the camera sees in the light: is the sun hidden?
  diffuse         from every vertex over the whole sky: how much of it is hidden?
  lidar           a scanner of 128 beams turns once above the highest summit
  line of sight   from an observer on that summit to every vertex: is it in sight?
  x-ray           parallel rays through the solid: every wall that each of them crosses

The picture shows the terrain in the sun with the shadows it casts. Orange is what the
observer at the red mast sees, magenta the points that some of the scanner's beams hit.

Examples:
  lanecast demo
  lanecast demo --rays 100000000 --size 3840x2160 -o large.png
  lanecast demo --json --threads 1 --backend portable

{EXIT_CODES}"
    )
}

/// What the triangles of a closed mesh enclose.
fn volume(mesh: &Mesh) -> f64 {
    let cone = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| wide(mesh.vertices[vertex as usize]));
        dot(a, cross(b, c)) / 6.0
    };
    mesh.triangles.iter().map(cone).sum()
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let machine = self.machine.meaning()?;
        let folder = self.data.as_deref();
        let [terrain_path, solid_path] =
            [shipped::find(shipped::TERRAIN, folder)?, shipped::find(shipped::SOLID, folder)?];
        // A name that nobody chose overwrites the picture of the time before.
        let path = self.output.as_deref().unwrap_or(Path::new(PICTURE));
        let overwriting = Overwriting { force: self.overwriting.force || self.output.is_none() };
        Output { path, inputs: &[&terrain_path, &solid_path], overwriting }.check_picture()?;
        let overwrites = path.metadata().is_ok_and(|found| found.is_file());
        let mut terrain_meshes = mesh::read(&terrain_path, MeshArguments::default())?;
        let terrain_built = mesh::build_filled(&terrain_path, &mut terrain_meshes, &machine)?;
        let mut solid_meshes = mesh::read(&solid_path, MeshArguments::default())?;
        let solid_built = mesh::build_filled(&solid_path, &mut solid_meshes, &machine)?;

        let terrain = Terrain::new(&terrain_meshes[0], &terrain_built.scene);
        let amounts = Amounts::new(self.rays, self.size, terrain.vertices.len());
        let progress = Progress::new(!self.json, Some(amounts.total()), "rays");
        let mut jobs = Jobs::new(&machine, progress);
        let seen = jobs.lines_of_sight(&terrain)?;
        let sky = jobs.diffuse(&terrain, amounts.sky_directions)?;
        let echoes = jobs.lidar(&terrain, amounts.lidar_steps)?;
        let solid_volume = jobs.x_ray(&solid_built.scene, amounts.x_ray_side)?;
        let film = jobs.picture(&terrain, &amounts.sampling()?, [&seen, &sky], &echoes)?;
        let done = jobs.finish();
        film.write(path)?;

        let report = Report::new(
            done,
            &machine,
            (path, overwrites),
            [&terrain_built, &solid_built],
            [solid_volume, volume(&solid_meshes[0])],
        );
        if self.json {
            crate::report::say_json(&report)
        } else {
            crate::report::say(&report.words())
        }
    }
}
