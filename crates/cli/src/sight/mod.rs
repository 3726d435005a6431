//! `lanecast sight`: who sees whom, and where lines of sight break.

mod casting;
mod ends;
mod rows;

use crate::arguments::direction;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::hit_format::{self, Format};
use crate::inputs::PointFormat;
use crate::machine::Machine;
use crate::mesh::{self, Held, Meshes, Read};
use crate::number::{counted, grouped};
use crate::output::{Output, Overwriting};
use crate::pace::{Clock, Pace};
use crate::pipeline::{Common, Lookup, Pipeline};
use crate::precision::Number;
use crate::report;
use crate::rounding::Rounding;
use crate::vector::{Vector, scale, unit};
use casting::{breaks, matrix};
use clap::Args;
use ends::{Ends, Lines, need_f64};
use lanecast::Maker;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = help::short("sight", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The observers, or - for standard input
    ///
    /// As npy with shape (N, 3), npz, csv with the columns x, y and z, parquet, Arrow IPC (arrow,
    /// feather, ipc, arrows), ply, pcd, lines of numbers (xyz, asc, pts, txt), las, laz, or another
    /// mesh or a scene file for its vertices.
    #[arg(index = 2)]
    observers: PathBuf,
    /// The targets, alike
    #[arg(index = 3)]
    targets: PathBuf,
    #[command(flatten)]
    points_format: PointFormat,
    /// Who sees whom, or where lines break
    ///
    /// Who sees whom as npy, packed bits; where each line breaks as npz, csv, parquet, Arrow IPC
    /// (arrow, feather, ipc; arrows for the stream), or - for standard output.
    #[arg(short, long, value_name = "SIGHT")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// The format of the output
    ///
    /// Whatever the extension says; unless given, the extension's, and csv on standard output.
    #[arg(long, value_name = "FORMAT", value_parser = hit_format::named_or(&["npy"]))]
    format: Option<Format>,
    /// How far above its point each observer is
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    observer_height: f64,
    /// How far above its point each target is
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    target_height: f64,
    /// Which way is above: x, y, z or a direction
    #[arg(long, value_name = "X,Y,Z", default_value = "z", value_parser = direction, allow_hyphen_values = true)]
    up: Vector,
    /// The part at each end where nothing counts
    ///
    /// The part of each line, at each end, in which nothing breaks it: for ends that lie on the
    /// mesh.
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    shorten: f64,
    #[command(flatten)]
    common: Common,
}

fn after_help() -> String {
    format!(
        "\
A line of sight is broken by what it touches between its ends; at the ends themselves nothing
counts. Ends that lie on the mesh are off it by a rounding: give them a height, or --shorten
the lines by 1e-5 or so.

At survey coordinates the mesh and both ends are in f64: see --precision.

The vertices of a mesh file are all that it has, also those of no triangle, as files of point clouds
have them. Those of a scene file are the corners of its own triangles, each position once for each
geometry; the scenes placed in it, its boxes and its spheres have none. A file without any is refused.

An npy file has a row of bytes for each observer, with a bit for each target:
  numpy.unpackbits(array, axis=1, bitorder=\"little\", count=targets)
The other formats have a row for each pair, observer by observer: observer target visible status
t x y z primitive_id geometry_id instance_id. Observers and targets are called by the point_id of
their file, a whole number or text, or by their number from 0. A line that something breaks has
the status hit, and t x y z and the ids say where: t is the part of the line before that. A miss is a line that nothing breaks,
with t = inf, x y z NaN and ids -1. Lines are made while they are cast; the observers and the
targets must fit into memory.

A point that cannot be asked (NaN, infinite, an empty field, beyond 6e29) is no error: it sees nothing and is not
seen, and in rows its lines have the status invalid_origin, of observers, or invalid_direction, of targets.

Examples:
  lanecast sight terrain.ply masts.csv villages.csv -o sight.npy --observer-height 30
  lanecast sight terrain.ply mast.csv terrain.ply -o viewshed.npy --target-height 2
  lanecast sight room.glb lamps.csv seats.csv -o - --up y

{EXIT_CODES}"
    )
}

fn height(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|height: &f64| height.abs() <= 1e29)
        .ok_or_else(|| "expected a number of at most 1e29".to_owned())
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    #[serde(flatten)]
    held: Held,
    observers: usize,
    targets: usize,
    /// How many of the observers and of the targets are no points that can be asked.
    invalid: [usize; 2],
    /// Of the files of observers and of targets.
    ignored_columns: [Vec<String>; 2],
    lines: u64,
    in_sight: u64,
    #[serde(flatten)]
    pace: Pace,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let machine = self.common.subject.machine.meaning()?;
        let inputs = [self.common.mesh(), &*self.observers, &*self.targets];
        let output = Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting };
        let format = hit_format::of_or(&output, self.format, &["npy"])?;
        self.common.labels.expect_ids(matches!(format, Format::Hits(_)), "formats with rows")?;
        let need_f64 = |path, size| need_f64(path, &self.points_format, size);
        let ends_need_f64 =
            |size| Ok(need_f64(&self.observers, size)? || need_f64(&self.targets, size)?);
        match clock.reading(|| self.common.subject.read(ends_need_f64))? {
            Read::F32(meshes) => self.look(format, &machine, meshes, clock),
            Read::F64(meshes) => self.look(format, &machine, meshes, clock),
        }
    }

    fn look<T: Number>(
        &self,
        format: Format,
        machine: &Machine,
        mut meshes: Meshes<T>,
        mut clock: Clock,
    ) -> Result<()> {
        let observers: Ends<T> =
            clock.reading(|| self.ends(&self.observers, self.observer_height))?;
        let targets = clock.reading(|| self.ends(&self.targets, self.target_height))?;
        for (path, ends) in [(&self.observers, &observers), (&self.targets, &targets)] {
            Rounding::new(path, &meshes).look(ends.moved);
        }
        let lines =
            Lines::between(&observers, &targets, T::nearest(self.shorten)).map_err(|error| {
                let typed = [
                    ("targets", self.targets.display().to_string()),
                    ("part", "--shorten".to_owned()),
                ];
                Failure::of_maker(error, &typed)
            })?;
        let mesh = self.common.mesh();
        let warning = "nothing breaks a line of sight";
        let built = mesh::build_warning(mesh, &mut meshes, machine, warning)?;
        let count = lines.len() as u64;
        let total = (Some(count), "lines");
        let pipeline = Pipeline::begin(&self.common, &built, machine, clock, total);
        let (in_sight, clock) = match format {
            Format::Own(_) => matrix(pipeline, &self.output, &lines)?,
            Format::Hits(format) => {
                let lookup = Lookup::new(&self.common, &meshes, &built);
                breaks(pipeline, lookup, (&self.output, format), &lines)?
            }
        };
        let summary = Summary {
            mesh: mesh.display().to_string(),
            held: Held::new(&built.scene),
            observers: observers.count(),
            targets: targets.count(),
            invalid: [observers.unsound(), targets.unsound()],
            ignored_columns: [observers.ignored, targets.ignored],
            lines: count,
            in_sight,
            pace: Pace::of_rays(count, &clock, &built, machine),
        };
        report::sum_up(&summary, || summary.line(), self.common.json, &self.output)
    }

    /// The points of a file, raised.
    fn ends<T: Number>(&self, path: &Path, height: f64) -> Result<Ends<T>> {
        let ends = Ends::read(path, &self.points_format, scale(unit(self.up), height))?;
        self.common.name_ignored(path, &ends.ignored, &self.output);
        Ok(ends)
    }
}

impl Summary {
    fn line(&self) -> String {
        let observers = counted(self.observers, "observer");
        let targets = counted(self.targets, "target");
        let (seen, lines) = (grouped(self.in_sight), counted(self.lines, "line"));
        let (held, pace) = (self.held.words(), self.pace.words());
        let invalid = match self.invalid {
            [0, 0] => String::new(),
            [observers, targets] => {
                format!(
                    "; {} and {} invalid",
                    counted(observers, "observer"),
                    counted(targets, "target")
                )
            }
        };
        format!("{observers} and {targets} at {held}: {seen} of {lines} in sight{invalid}; {pace}")
    }
}
