//! `lanecast sight`: who sees whom, and where lines of sight break.

use crate::arguments::direction;
use crate::existing::Existing;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::hit_format::{self, Format};
use crate::machine::{Machine, MachineArguments};
use crate::mesh::{self, Built, Held, MeshArguments};
use crate::number::{counted, grouped};
use crate::output::{self, Output, Overwriting};
use crate::pace::Pace;
use crate::progress::Progress;
use crate::report;
use crate::vector::{Vector, add, from_f32, scale, to_f32, unit};
use crate::work::Work;
use clap::Args;
use lanecast::{HitBatch, Maker, RayBatch, Scene, SightLines, answers::SightMatrix};
use lanecast_io::{HitKind, HitWriter, PointChunk, PointReader, RayIds, SightWriter, excerpt};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// The mesh: obj, ply, stl, off, gltf, glb, or a scene file
    mesh: PathBuf,
    /// The observers: npy with shape (N, 3), csv with the columns x, y and z, parquet, Arrow IPC (arrow, feather, ipc,
    /// arrows), - for standard input, or a mesh or a scene file for its vertices
    observers: PathBuf,
    /// The targets, alike
    targets: PathBuf,
    /// Who sees whom, as npy, packed bits; or where each line breaks, as npz, csv, parquet, Arrow IPC (arrow, feather,
    /// ipc; arrows for the stream), or - for standard output
    #[arg(short, long, value_name = "SIGHT")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// The format, whatever the extension says; unless given, the extension's, and csv on standard output
    #[arg(long, value_name = "FORMAT", value_parser = hit_format::named_or("npy"))]
    format: Option<Format>,
    /// How far above its point each observer is
    #[arg(long, value_name = "HEIGHT", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    observer_height: f64,
    /// How far above its point each target is
    #[arg(long, value_name = "HEIGHT", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    target_height: f64,
    /// Which way is above: x, y, z or a direction
    #[arg(long, value_name = "X,Y,Z", default_value = "z", value_parser = direction, allow_hyphen_values = true)]
    up: Vector,
    /// The part of each line, at each end, in which nothing breaks it: for ends that lie on the mesh
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    shorten: f32,
    #[command(flatten)]
    mesh_options: MeshArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print a summary as JSON on standard output (on standard error if the results go to standard output), and show no
    /// progress
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
A line of sight is broken by what it touches between its ends; at the ends themselves nothing
counts. Ends that lie on the mesh are off it by a rounding: give them a height, or --shorten
the lines by 1e-5 or so.

The vertices of a mesh file are all that it has, also those of no triangle, as files of point clouds
have them. Those of a scene file are the corners of its own triangles, each position once for each
geometry; the scenes placed in it, its boxes and its spheres have none. A file without any is refused.

An npy file has a row of bytes for each observer, with a bit for each target:
  numpy.unpackbits(array, axis=1, bitorder=\"little\", count=targets)
Rows of hits are those of lanecast cast, with ray_id = observer * targets + target: a miss is a
line that nothing breaks, and t says after which part of it another breaks. Lines are made while
they are cast; the observers and the targets must fit into memory.

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

/// Lines that are made and cast at a time.
const PIECE: usize = 1 << 18;

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    #[serde(flatten)]
    held: Held,
    observers: usize,
    targets: usize,
    /// Of the files of observers and of targets.
    ignored_columns: [Vec<String>; 2],
    lines: u64,
    in_sight: u64,
    #[serde(flatten)]
    pace: Pace,
}

/// Casts lines, and says how far it has got.
struct Caster<'a> {
    built: &'a Built,
    machine: &'a Machine,
    work: Work,
    /// Lines in sight so far.
    in_sight: u64,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let machine = self.machine.meaning()?;
        let inputs = [&*self.mesh, &*self.observers, &*self.targets];
        let output = Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting };
        let format = hit_format::of_or(&output, self.format, "npy")?;
        if output::is_standard(&self.observers) && output::is_standard(&self.targets) {
            return Err(Failure::about("-", "standard input cannot hold observers and targets"));
        }
        let (observers, ignored_by_observers) = self.points(&self.observers, self.observer_height)?;
        let (targets, ignored_by_targets) = self.points(&self.targets, self.target_height)?;
        let lines = SightLines::new(&observers, &targets).and_then(|lines| lines.shortened(self.shorten));
        let lines = lines.map_err(|error| {
            let typed = [
                ("observers", self.observers.display().to_string()),
                ("targets", self.targets.display().to_string()),
                ("part", "--shorten".to_owned()),
            ];
            Failure::of_maker(error, &typed)
        })?;
        let mut meshes = mesh::read(&self.mesh, self.mesh_options)?;
        let built = mesh::build_filled(&self.mesh, &mut meshes, &machine)?;
        let count = observers.len() as u64 * targets.len() as u64;
        let work = Work::begin(Progress::new(!self.json, Some(count), "lines"));
        let (built, machine) = (&built, &machine);
        let mut caster = Caster { built, machine, work, in_sight: 0 };
        match format {
            Format::Own => caster.matrix(&self.output, [&observers, &targets], self.shorten)?,
            Format::Hits(format) => {
                let writer = HitWriter::create(&self.output, Some(format), HitKind::Closest)?;
                caster.hits(writer, &lines, Existing::new(&self.mesh, &meshes))?;
            }
        }
        let casting = caster.work.finish()?;
        let summary = Summary {
            mesh: self.mesh.display().to_string(),
            held: Held::new(&built.scene),
            observers: observers.len(),
            targets: targets.len(),
            ignored_columns: [ignored_by_observers, ignored_by_targets],
            lines: count,
            in_sight: caster.in_sight,
            pace: Pace::of_rays(count, casting, built, machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &self.output)
    }

    /// Points of a file, raised, and its columns that are not read.
    fn points(&self, path: &Path, height: f64) -> Result<(Vec<[f32; 3]>, Vec<String>)> {
        let raised = scale(unit(self.up), height);
        let (mut points, ignored) =
            if is_of_points(path) { read_points(path)? } else { (read_vertices(path)?, Vec::new()) };
        report::name_ignored(path, &ignored, report::is_json_on_standard_error(self.json, &self.output));
        for point in &mut points {
            *point = to_f32(add(from_f32(*point), raised));
        }
        Ok((points, ignored))
    }
}

impl Summary {
    fn line(&self) -> String {
        let observers = counted(self.observers, "observer");
        let targets = counted(self.targets, "target");
        let (seen, lines) = (grouped(self.in_sight), counted(self.lines, "line"));
        let (held, pace) = (self.held.words(), self.pace.words());
        format!("{observers} and {targets} at {held}: {seen} of {lines} in sight; {pace}")
    }
}

/// The extensions of files of points.
const OF_POINTS: [&str; 7] = ["npy", "csv", "parquet", "arrow", "feather", "ipc", "arrows"];
/// Those of files whose vertices are taken.
const OF_MESHES: [&str; 7] = ["obj", "ply", "stl", "off", "gltf", "glb", "scene"];

/// Whether points are to be read and not a mesh: also from what is no file, as pipes have no extension.
fn is_of_points(path: &Path) -> bool {
    let is_pipe = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    output::is_standard(path) || is_pipe || OF_POINTS.contains(&output::extension(path).as_str())
}

fn read_points(path: &Path) -> Result<(Vec<[f32; 3]>, Vec<String>)> {
    const ROWS: usize = 1 << 16;
    let (mut reader, mut chunk, mut points) = (PointReader::open(path)?, PointChunk::default(), Vec::new());
    while reader.next_chunk(ROWS, &mut chunk)? {
        points.extend_from_slice(&chunk.points);
    }
    Ok((points, reader.ignored_columns().to_vec()))
}

fn read_vertices(path: &Path) -> Result<Vec<[f32; 3]>> {
    let meshes = mesh::read(path, MeshArguments::default()).map_err(|failure| {
        let extension = output::extension(path);
        if OF_MESHES.contains(&extension.as_str()) || Scene::is_scene_file(path) {
            return failure;
        }
        let (points, meshes) = (OF_POINTS.join(", "), OF_MESHES.join(", "));
        let problem = match extension.as_str() {
            "" => "no extension to tell the format by".to_owned(),
            _ => format!("unknown format \".{}\"", excerpt(&extension)),
        };
        Failure::about(path.display(), format!("{problem}; known: {points}, and for vertices {meshes}"))
    })?;
    if let Some(scene) = meshes.scene() {
        scene.check()?;
    }
    let vertices: Vec<_> = meshes.iter().flat_map(|mesh| &mesh.vertices).copied().collect();
    if vertices.is_empty() {
        let problem = match meshes.scene_with_more() {
            Some(_) => "no vertices to take as points: the scene has no triangles of its own",
            None => "no vertices to take as points",
        };
        return Err(Failure::about(path.display(), problem));
    }
    Ok(vertices)
}

impl Caster<'_> {
    /// Writes a bit for each line, some observers at a time.
    fn matrix(&mut self, path: &Path, [observers, targets]: [&[[f32; 3]]; 2], part: f32) -> Result<()> {
        let mut writer = SightWriter::create(path, observers.len(), targets.len())?;
        let mut matrix = SightMatrix::default();
        let piece = (PIECE / targets.len().max(1)).max(1);
        for (number, some) in observers.chunks(piece).enumerate() {
            let lines = SightLines::new(some, targets)?.shortened(part)?;
            let scene = &self.built.scene;
            let done = number * piece * targets.len();
            self.work.piece(done as u64, self.machine.options(), |options| {
                // Observers are numbered from the first of all.
                scene.sight(&lines).with(options).matrix_into(&mut matrix).map_err(|error| match error {
                    lanecast::Error::InvalidLine { observer, target, status } => {
                        lanecast::Error::InvalidLine { observer: number * piece + observer, target, status }
                    }
                    error => error,
                })
            })?;
            self.in_sight += (0..some.len()).map(|observer| matrix.count(observer) as u64).sum::<u64>();
            writer.write(&matrix)?;
        }
        Ok(writer.finish()?)
    }

    /// Writes where each line breaks.
    fn hits(
        &mut self,
        mut writer: HitWriter,
        lines: &SightLines<'_>,
        mut existing: Existing<'_>,
    ) -> Result<()> {
        let mut hits = HitBatch::new();
        for start in (0..lines.len()).step_by(PIECE) {
            let piece = start..lines.len().min(start + PIECE);
            let scene = &self.built.scene;
            self.work.piece(start as u64, self.machine.options(), |options| {
                scene.cast(RayBatch::made(lines).slice(piece)).with(options).closest_into(&mut hits)
            })?;
            existing.check(&hits)?;
            for (line, status) in (start..).zip(hits.status()) {
                let (observer, target) = (line / lines.targets(), line % lines.targets());
                // Some cannot be cast for want of a length: both ends are in one place, and see each other.
                let request = || scene.sight(lines).with(&self.machine.options());
                let in_sight = || matches!(request().first_obstacle(observer, target), Ok(None));
                self.in_sight += u64::from(!status.is_hit() && (!status.is_invalid() || in_sight()));
            }
            writer.write(RayIds::Rows(start as u64), &hits)?;
        }
        Ok(writer.finish()?)
    }
}
