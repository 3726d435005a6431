//! `lanecast lidar`: what a spinning laser scanner measures.

use crate::arguments::{pair, range, vector};
use crate::existing::Existing;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::hit_format::{self, Format};
use crate::machine::MachineArguments;
use crate::mesh::{self, Held, MeshArguments};
use crate::number::counted;
use crate::numbers;
use crate::output::{Output, Overwriting};
use crate::pace::{Clock, Pace};
use crate::progress::Progress;
use crate::report;
use crate::vector::Vector;
use crate::work::Work;
use clap::Args;
use lanecast::{HitBatch, Maker, RayBatch};
use lanecast_io::{CloudFormat, CloudWriter, HitKind, HitWriter, RayIds};
use lanecast_makers::{Beam, Lidar, Pose};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = help::short("lidar", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The mesh, or a scene file
    ///
    /// One of obj, ply, stl, off, gltf, glb, or a scene file that lanecast build has made. Several meshes in
    /// a file become geometry 0, 1, and so on.
    mesh: PathBuf,
    /// The points, or what each beam meets
    ///
    /// The points where beams end as ply, pcd, xyz, las or laz; what each beam meets as npz, csv, parquet,
    /// Arrow IPC (arrow, feather, ipc; arrows for the stream), or - for standard output.
    #[arg(short, long, value_name = "POINTS")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// The format of the output
    ///
    /// Whatever the extension says; unless given, the extension's, and csv on standard output.
    #[arg(long, value_name = "FORMAT", value_parser = hit_format::named_or(&CLOUDS))]
    format: Option<Format>,
    /// How many beams there are, one above the other
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    beams: u32,
    /// Elevations of the lowest and highest beam
    ///
    /// In degrees.
    #[arg(long, value_name = "LOW,HIGH", default_value = "-25,15", value_parser = pair, allow_hyphen_values = true)]
    elevations: [f64; 2],
    /// The beams instead, from a csv file
    ///
    /// With the columns elevation and azimuth, in degrees.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["beams", "elevations"])]
    beam_table: Option<PathBuf>,
    /// How often all beams fire in a turn
    #[arg(long, value_name = "N", default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Azimuths between which it fires
    ///
    /// In degrees, clockwise from y (north) seen from above.
    #[arg(long, value_name = "FROM,TO", default_value = "0,360", value_parser = pair, allow_hyphen_values = true)]
    sector: [f64; 2],
    /// Where the scanner stands, upright
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, required_unless_present = "poses")]
    at: Option<Vector>,
    /// Where it is over time, from a csv file
    ///
    /// With the columns time, x, y, z and the quaternion qx, qy, qz, qw from the scanner's axes to the
    /// mesh's.
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    poses: Option<PathBuf>,
    /// When it fires first, in seconds
    ///
    /// At the first of the poses unless given.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, requires = "poses")]
    start: Option<f64>,
    /// How long a turn takes, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1)]
    turn_seconds: f64,
    /// How many turns it makes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,
    /// The nearest and farthest that it measures
    ///
    /// Both included; the farthest may be inf, and everything is measured unless given.
    #[arg(long, value_name = "NEAR,FAR", value_parser = range)]
    range: Option<[f64; 2]>,
    #[command(flatten)]
    mesh_options: MeshArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print a summary as JSON, and show no progress
    ///
    /// On standard output, or on standard error if the results go to standard output.
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
Beams come firing after firing, and in each from the first to the last. Rows of hits are those
of lanecast cast: ray_id status t primitive_id geometry_id instance_id u v, where ray_id counts
the beams and t is the distance. A file of points holds those of beams that meet something.
Beams are made while they are cast, so they need not fit into memory.

Examples:
  lanecast lidar terrain.ply -o scan.ply --at 5000,5000,450
  lanecast lidar street.glb -o scan.parquet --beam-table vlp16.csv --poses drive.csv --turns 600
  lanecast lidar mesh.stl -o - --at 0,0,2 --beams 16 --steps 360 --range 0.5,100 | head

{EXIT_CODES}"
    )
}

/// The formats of points.
const CLOUDS: [&str; 5] = ["ply", "pcd", "xyz", "las", "laz"];

/// Rays that are made and cast at a time.
const PIECE: usize = 1 << 18;

/// Where results go.
enum Writer {
    Points(CloudWriter),
    Hits(HitWriter),
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    #[serde(flatten)]
    held: Held,
    rays: u64,
    hits: u64,
    #[serde(flatten)]
    pace: Pace,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let machine = self.machine.meaning()?;
        let tables = [&self.beam_table, &self.poses].into_iter().flatten();
        let inputs: Vec<_> = [&self.mesh].into_iter().chain(tables).map(|path| &**path).collect();
        let output = Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting };
        let format = hit_format::of_or(&output, self.format, &CLOUDS)?;
        let [near, far] = self.range()?;
        let lidar = self.lidar()?;
        let mut meshes = clock.reading(|| mesh::read(&self.mesh, self.mesh_options))?;
        let built = mesh::build_filled(&self.mesh, &mut meshes, &machine)?;
        let count = lidar.len();
        let mut work = Work::begin(Progress::new(!self.json, Some(count as u64), "rays"));
        let mut writer = match format {
            Format::Own(name) => {
                let format = CloudFormat::from_extension(name).unwrap_or(CloudFormat::Ply);
                Writer::Points(CloudWriter::create_as(&self.output, format)?)
            }
            Format::Hits(format) => {
                Writer::Hits(HitWriter::create(&self.output, Some(format), HitKind::Closest)?)
            }
        };
        let (mut hits, mut points) = (HitBatch::new(), Vec::new());
        let mut existing = Existing::new(&self.mesh, &meshes);
        let mut found = 0;
        for start in (0..count).step_by(PIECE) {
            let rays = RayBatch::made(&lidar).with_interval(near, far);
            let piece = rays.slice(start..count.min(start + PIECE));
            work.piece(start as u64, machine.options(), |options| {
                built.scene.cast(&piece).with(options).closest_into(&mut hits)
            })?;
            existing.check(&hits)?;
            found += hits.status().iter().filter(|status| status.is_hit()).count() as u64;
            match &mut writer {
                Writer::Points(writer) => {
                    points.clear();
                    points
                        .extend((0..piece.len()).filter_map(|row| Some(piece.ray(row).at(hits.hit(row)?.t))));
                    clock.writing(|| writer.write(&points))?;
                }
                Writer::Hits(writer) => {
                    clock.writing(|| writer.write(RayIds::Rows(start as u64), &hits))?;
                }
            }
        }
        let casting = work.finish()?;
        clock.writing(|| match writer {
            Writer::Points(writer) => writer.finish(),
            Writer::Hits(writer) => writer.finish(),
        })?;
        let rays = count as u64;
        let summary = Summary {
            mesh: self.mesh.display().to_string(),
            held: Held::new(&built.scene),
            rays,
            hits: found,
            pace: Pace::of_rays(rays, casting, &clock, &built, &machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &self.output)
    }

    fn lidar(&self) -> Result<Lidar> {
        let beams = match &self.beam_table {
            Some(path) => numbers::read(path, ["elevation", "azimuth"])?
                .into_iter()
                .map(|[elevation, azimuth]| Beam { elevation, azimuth })
                .collect(),
            None => Beam::fan(self.beams, self.elevations),
        };
        let poses = match (&self.poses, self.at) {
            (Some(path), _) => numbers::read(path, ["time", "x", "y", "z", "qx", "qy", "qz", "qw"])?
                .into_iter()
                .map(|[time, x, y, z, qx, qy, qz, qw]| Pose {
                    time,
                    position: [x, y, z],
                    rotation: [qx, qy, qz, qw],
                })
                .collect(),
            (None, at) => vec![Pose::standing(at.unwrap_or_default())],
        };
        let start = self.start.or(poses.first().map(|pose| pose.time)).unwrap_or_default();
        let lidar = Lidar::new(&beams, self.steps).and_then(|lidar| {
            lidar.sector(self.sector)?.carried(&poses, start, self.turn_seconds, self.turns)
        });
        let file = |path: &Option<PathBuf>, option: &str| {
            path.as_ref().map_or_else(|| option.to_owned(), |path| path.display().to_string())
        };
        let typed = [
            ("beams", file(&self.beam_table, "--elevations")),
            ("poses", file(&self.poses, "--at")),
            ("steps", "--steps".to_owned()),
            ("start", "--start".to_owned()),
            ("seconds", "--turn-seconds".to_owned()),
            ("turns", "--turns".to_owned()),
        ];
        lidar.map_err(|error| Failure::of_maker(error, &typed))
    }

    fn range(&self) -> Result<[f32; 2]> {
        let [near, far] = self.range.unwrap_or([0.0, f64::INFINITY]);
        if !(0.0 <= near && near <= far) {
            return Err(Failure::about("--range", "the nearest must be from 0 to the farthest"));
        }
        if (near as f32).is_infinite() {
            return Err(Failure::about("--range", "the nearest is beyond what f32 holds, 3.4e38"));
        }
        Ok([near as f32, far as f32])
    }
}

impl Summary {
    fn line(&self) -> String {
        let (beams, points) = (counted(self.rays, "beam"), counted(self.hits, "point"));
        format!("{beams} at {}: {points} measured; {}", self.held.words(), self.pace.words())
    }
}
