//! `lanecast render`: a picture of a mesh.

mod scale;
mod shade;

use crate::arguments::{azimuth_altitude, direction, size, vector};
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::machine::{Machine, MachineArguments};
use crate::mesh::{self, MeshArguments, Meshes, Read};
use crate::output::{self, Output, Overwriting};
use crate::pace::{Clock, Pace};
use crate::picture::{Film, Sampling};
use crate::precision::{Number, PrecisionArguments, moves_any};
use crate::progress::Progress;
use crate::rays::{level_axes, towards_sun};
use crate::report;
use crate::vector::{Vector, add, scale, unit, wide};
use clap::{Args, ValueEnum};
use lanecast::Aabb;
use lanecast_makers::Pinhole;
use scale::Range;
use serde::Serialize;
use shade::Shader;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = help::short("render", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The mesh, or a scene file
    ///
    /// One of obj, ply, stl, off, gltf, glb, or a scene file that lanecast build has made. Several meshes in
    /// a file become geometry 0, 1, and so on.
    mesh: PathBuf,
    /// The picture, or - for standard output
    ///
    /// A PNG file.
    #[arg(short, long, value_name = "PICTURE")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// What the colours mean
    #[arg(long, value_enum, default_value_t = Shade::Sun)]
    shade: Shade,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Rays per pixel
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    samples: u32,
    /// Where the camera stands
    ///
    /// Placed to see the whole mesh unless given.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    eye: Option<Vector>,
    /// What the camera looks at
    ///
    /// The middle of the mesh unless given.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    target: Option<Vector>,
    /// What is up: x, y, z or a direction
    ///
    /// z unless given, but y for glTF files, which have it so.
    #[arg(long, value_name = "X,Y,Z", value_parser = direction, allow_hyphen_values = true)]
    up: Option<Vector>,
    /// Angle from top to bottom, in degrees
    ///
    /// How much the camera sees.
    #[arg(long, value_name = "DEGREES", default_value_t = 35.0, value_parser = field_of_view)]
    fov: f64,
    /// Where the sun stands
    ///
    /// Degrees clockwise from north (y if z is up), degrees above the horizon.
    #[arg(long, value_name = "AZIMUTH,ALTITUDE", default_value = "235,45", value_parser = azimuth_altitude, allow_hyphen_values = true)]
    sun: [f64; 2],
    #[command(flatten)]
    mesh_options: MeshArguments,
    #[command(flatten)]
    precision: PrecisionArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print what was cast, and how fast, as JSON
    ///
    /// With the scale of the colours; on standard output, or on standard error if the picture goes to
    /// standard output.
    #[arg(long)]
    json: bool,
}

/// What the colours mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shade {
    /// Sunlight and cast shadows
    Sun,
    /// Direction of the surface: x red, y green, z blue
    Normals,
    /// Distance from the camera: near is bright
    Depth,
    /// Work per ray: nodes of the tree and triangles that were tested; cheap is dark
    Cost,
}

fn after_help() -> String {
    format!(
        "\
The scale of --shade cost is printed on standard output. A mesh without triangles is an error.

Examples:
  lanecast render mesh.ply -o mesh.png
  lanecast render statue.obj -o statue.png --up y --size 800x1200 --samples 16
  lanecast render terrain.ply -o evening.png --sun 280,12
  lanecast render mesh.stl -o cost.png --shade cost
  lanecast render room.glb -o room.png --eye 2,1.6,3 --target 0,1,0 --fov 60

{EXIT_CODES}"
    )
}

fn field_of_view(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|degrees| (0.001..=170.0).contains(degrees))
        .ok_or_else(|| "expected an angle in degrees, from 0.001 to 170".to_owned())
}

/// Rays that are made, cast and shaded at a time.
const PIECE: usize = 1 << 18;

/// The fields of the JSON report.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    picture: String,
    size: [u32; 2],
    precision: &'static str,
    triangles: usize,
    rays: u64,
    #[serde(flatten)]
    pace: Pace,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<Range>,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let machine = self.machine.meaning()?;
        let (path, overwriting) = (&self.output, self.overwriting);
        Output { path, inputs: &[&self.mesh], overwriting }.check_picture()?;
        let precision = self.precision.precision;
        let eye_needs_f64 = |size| Ok(moves_any(self.eye.into_iter(), size));
        match clock.reading(|| mesh::read_in(&self.mesh, self.mesh_options, precision, eye_needs_f64))? {
            Read::F32(meshes) => self.paint(&machine, meshes, clock),
            Read::F64(meshes) => self.paint(&machine, meshes, clock),
        }
    }

    fn paint<T: Number>(&self, machine: &Machine, mut meshes: Meshes<T>, mut clock: Clock) -> Result<()> {
        let built = mesh::build_filled(&self.mesh, &mut meshes, machine)?;
        let up = self.up.map_or_else(|| usual_up(&self.mesh), unit);
        let camera = self.camera(&meshes, &built.scene.bounds(), up)?;
        let sampling = Sampling { camera, samples: self.samples };

        let sun = towards_sun(self.sun, up);
        let mut shader = Shader::new(self.shade, &built.scene, machine.options(), &sampling, [sun, up])?;
        let mut film = Film::new(&sampling);
        let mut rays = Vec::new();
        let progress = Progress::new(!self.json, Some(sampling.len() as u64), "rays");
        for piece in sampling.pieces(PIECE) {
            sampling.rays(piece.clone(), &mut rays);
            shader.shade(&rays, |index, color| film.add(piece.start + index, color))?;
            progress.set(piece.end as u64);
        }
        drop(progress);
        clock.writing(|| film.write(&self.output))?;

        let scale = shader.range();
        let summary = Summary {
            mesh: self.mesh.display().to_string(),
            picture: self.output.display().to_string(),
            size: self.size,
            precision: T::NAME,
            triangles: built.scene.triangle_count(),
            rays: shader.rays,
            pace: Pace::of_rays(shader.rays, shader.time, &clock, &built, machine),
            scale,
        };
        self.sum_up(&summary)
    }

    fn camera<T: Number>(&self, meshes: &Meshes<T>, bounds: &Aabb<T>, up: Vector) -> Result<Pinhole> {
        let [east, north] = level_axes(up);
        let from = add(scale(north, -1.0), add(scale(east, 0.55), scale(up, 0.65)));
        let fitted = Pinhole::fitted(meshes.corners(), from, up, self.fov, self.size)?.unit_directions();
        if self.eye.is_none() && self.target.is_none() {
            return Ok(fitted);
        }
        let target = self.target.unwrap_or_else(|| scale(add(wide(bounds.min), wide(bounds.max)), 0.5));
        let eye = self.eye.unwrap_or_else(|| fitted.eye());
        if eye == target {
            return Err(Failure::about(
                "--eye",
                "the camera stands at the point that it looks at; give --target",
            ));
        }
        Ok(Pinhole::looking_at(eye, target, up, self.fov, self.size)?.unit_directions())
    }

    fn sum_up(&self, summary: &Summary) -> Result<()> {
        match &summary.scale {
            _ if self.json => report::sum_up(summary, String::new, true, &self.output),
            Some(range) if self.shade == Shade::Cost && output::is_standard(&self.output) => {
                report::remark(&range.words());
                Ok(())
            }
            Some(range) if self.shade == Shade::Cost => report::say(&(range.words() + "\n")),
            _ => Ok(()),
        }
    }
}

/// What is up in files of a format.
fn usual_up(path: &Path) -> Vector {
    match output::extension(path).as_str() {
        "gltf" | "glb" => [0.0, 1.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    }
}
