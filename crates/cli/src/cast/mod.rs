//! `lanecast cast`: a file of rays in, a file of hits out, chunk by chunk.

mod answer;
mod pieces;
mod vectors;

use crate::chunks::Chunks;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::hit_format;
use crate::inputs::RayFormat;
use crate::keep::{self, KeepArguments};
use crate::machine::Machine;
use crate::mesh::{self, Meshes, Read};
use crate::output::{Output, Overwriting};
use crate::pace::{Clock, Pace};
use crate::pipeline::{Answered, Columns, Common, Lookup, Pipeline};
use crate::precision::Number;
use crate::report;
use crate::rounding::Rounding;
use crate::summary::{Rows, Summary};
use crate::tally::Tally;
use answer::Answer;
use clap::{Args, ValueEnum};
use lanecast::{Contact, Culling, Status};
use lanecast_io::{HitFormat, HitWriter, Keep, RayIds};
use pieces::Pieces;
use serde::Serialize;
use std::path::PathBuf;
use vectors::{Normals, VertexNormals};

#[derive(Debug, Args)]
#[command(after_help = help::short("cast", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The rays, or - for standard input
    ///
    /// As npy with shape (N, 6), (N, 8) or (N, 2, 3), npz, csv with a header, parquet, or Arrow IPC
    /// (arrow, feather, ipc, arrows).
    #[arg(index = 2)]
    rays: PathBuf,
    #[command(flatten)]
    rays_format: RayFormat,
    /// The hits, or - for standard output
    ///
    /// As npz, csv, parquet, Arrow IPC (arrow, feather, ipc; arrows for the stream), or - for
    /// standard output.
    #[arg(short, long, value_name = "HITS")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// What to ask of every ray
    #[arg(long, value_enum, default_value_t = Query::Closest)]
    query: Query,
    /// Also write x y z of each hit
    ///
    /// The point of each hit, in the columns x y z (closest and all only).
    #[arg(long)]
    points: bool,
    /// Also write nx ny nz of what is hit
    ///
    /// The normal, of length 1, in the columns nx ny nz (closest only); geometric unless given. An
    /// argument that follows is taken for the kind: put it last, or write --normals=geometric.
    #[arg(long, value_enum, value_name = "KIND", num_args = 0..=1, default_missing_value = "geometric")]
    normals: Option<Normals>,
    /// Which sides do not count as a hit
    ///
    /// The front of a triangle is the side from which the vertices run counter-clockwise, that of a
    /// box or a sphere the outside.
    #[arg(long, value_enum, default_value_t = Side::None)]
    culling: Side,
    /// The format of the hits
    ///
    /// Whatever the extension says; unless given, the extension's, and csv on standard output. A
    /// pipe cannot hold an arrow file: -o - makes arrow of it arrows, the stream.
    #[arg(long, value_name = "FORMAT", value_parser = hit_format::named())]
    format: Option<HitFormat>,
    /// Report all touched, not each crossing once
    ///
    /// Every primitive that a ray touches, at an edge or a vertex all that share it, and not each
    /// crossing of the surface once (all and count only).
    #[arg(long)]
    touched: bool,
    /// At most so many hits of a ray
    ///
    /// Those are the nearest (all only).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    #[command(flatten)]
    keep: KeepArguments,
    #[command(flatten)]
    common: Common,
}

/// What can be asked of a ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Query {
    /// The first primitive that the ray meets: t, ids, u, v
    Closest,
    /// The primitives that the ray's line meets nearest to its origin, on either side: where t >= 0
    /// and where t <= 0, as far as t_min and t_max reach (behind the origin only if t_min says so)
    Line,
    /// Whether the ray meets anything: true or false
    Any,
    /// Every crossing of a surface: one row for each, sorted by ray and t. At the rim of an open
    /// surface there may be none where closest has a hit: --touched has that too
    All,
    /// How often the ray crosses a surface. At the rim of an open surface this may be 0 where
    /// closest has a hit: --touched counts that too
    Count,
    /// What it costs to find the closest hit: nodes, boxes, leaves and primitives tested, lanes
    /// filled
    Cost,
}

/// Sides of a triangle.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
    /// Both sides count
    None,
    /// Back sides do not count
    Back,
    /// Front sides do not count
    Front,
}

fn after_help() -> String {
    let codes =
        Status::ALL.map(|status| format!("  {}  {}\n", status.code(), status.name())).concat();
    format!(
        "\
A ray is the points origin + t * direction with t_min <= t <= t_max. Its columns are
ox oy oz dx dy dz and, if given, t_min t_max (otherwise 0 and infinity) and ray_id, whole
numbers or, if the first is none, text (otherwise the row number); --keep writes others too.
The direction need not have length 1: t counts its lengths.
Primitives are triangles, and of scene files that programs have written boxes and spheres too.

Rows of hits: ray_id status t primitive_id geometry_id instance_id u v (closest), the same and
behind_t behind_primitive_id ... behind_v for the other side of the origin (line),
ray_id status hit (any), ray_id status count (count), and one row per hit without
status (all). --points adds x y z, origin + t * direction, and --normals nx ny nz, both NaN where
there is no hit. Of a cost (ray_id status nodes boxes leaves triangles lanes_filled) nodes and
leaves are tests of eight lanes, boxes and triangles what these held, and lanes_filled is
(boxes + triangles) / (8 * (nodes + leaves)); the tree decides it, the backend does not. A ray that meets nothing has t = inf and ids -1. A ray that cannot be cast
(NaN, zero direction, ...) is no error: its status says what is wrong with it. A mesh
without triangles gives a warning and all rays miss.

The status is a number in npz and a word in the other formats:
{codes}
At survey coordinates the mesh, rays and answers are in f64: see --precision.

Rays are read in chunks, so they need not fit into memory. The file of hits appears when
it is complete.

Examples:
  lanecast cast mesh.ply rays.npy -o hits.npz
  lanecast cast mesh.obj rays.csv -o hits.csv --query any --threads 4
  lanecast cast mesh.obj rays.csv -o hits.csv --query all --limit 2
  make_rays | lanecast cast mesh.stl - -o - --query count > counts.csv

{EXIT_CODES}"
    )
}

/// The arguments as meant.
struct Task {
    machine: Machine,
    format: HitFormat,
    culling: Culling,
    contact: Contact,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let task = self.meaning()?;
        let rays_need_f64 = |size| self.rays_format.need_f64(&self.rays, size);
        match clock.reading(|| self.common.subject.read(rays_need_f64))? {
            Read::F32(meshes) => self.cast(task, meshes, clock),
            Read::F64(meshes) => self.cast(task, meshes, clock),
        }
    }

    fn cast<T: Number>(&self, task: Task, mut meshes: Meshes<T>, clock: Clock) -> Result<()> {
        let (mesh, Task { machine, format, culling, contact }) = (self.common.mesh(), task);
        let built = mesh::build_warning(mesh, &mut meshes, &machine, "every ray misses")?;
        let vertices = match self.normals {
            Some(Normals::Shading) => Some(VertexNormals::of(mesh, &meshes)?),
            _ => None,
        };
        let blank = || {
            let normals = self.normals.is_some();
            let answer = Answer::<T>::new(self.query, self.points, normals, self.limit);
            Answered { ids: Vec::new(), kept: Vec::new(), answer }
        };
        let kind = blank().answer.kind();
        let mut lookup = Lookup::new(&self.common, &meshes, &built);
        let labels = lookup.columns().into_iter().map(|(name, _)| name);
        let own: Vec<_> = kind.columns().into_iter().chain(labels).collect();
        let open = |keep: &Keep<'_>| self.rays_format.open_keeping::<T>(&self.rays, keep);
        let mut reader = self.keep.open(format, &own, open)?.threads(&machine.threads);
        let ignored = reader.ignored_columns().to_vec();
        self.common.name_ignored(&self.rays, &ignored, &self.output);
        let total = (reader.total(), "rays");
        let mut pipeline = Pipeline::begin(&self.common, &built, &machine, clock, total);
        let names: Vec<_> = reader.kept_columns().map(|(name, _)| name.to_owned()).collect();
        let mut more: Columns<'_> = lookup.columns();
        reader.kept_columns().for_each(|column| more.push(column));
        let mut writer = HitWriter::<T>::create_with(&self.output, Some(format), kind, &more)?
            .threads(&machine.threads);
        if let (Some(rays), true) = (total.0, self.query != Query::All) {
            writer = writer.expect_rows(rays)?;
        }
        let mut tally = Tally::default();
        let write = |Answered { ids, kept, answer }: &Answered<Answer<T>>| {
            let answers = answer.columns();
            tally.add(&answers.status(), answer.found());
            let rays = answer.rays().filter(|_| !kept.is_empty());
            let repeated = rays.map(|rays| keep::of_rows(kept, &rays));
            let mut more: Columns<'_> = lookup.labels_of(answer.ids())?;
            more.extend(keep::named(&names, repeated.as_ref().unwrap_or(kept)));
            Ok(writer.write_with(RayIds::Given(ids), answers, answer.vectors(), &more)?)
        };
        let mut pieces = Pieces::new(self.query);
        let mut rounding = Rounding::new(&self.rays, &meshes);
        let chunks = Chunks::start(move |rows, chunk| reader.next_chunk(rows, chunk));
        pipeline.run(blank, write, |pipeline, queue| {
            while let Some(chunk) = pipeline.read(&chunks)? {
                rounding.look(chunk.moved);
                let mut rest = 0..chunk.rays.len();
                while !rest.is_empty() {
                    let piece = pieces.next(&mut rest);
                    let Answered { mut ids, mut answer, .. } = queue.room();
                    let rays = &chunk.rays[piece.clone()];
                    pipeline.ask(rays.len(), |scene, options| {
                        let options = options.clone().culling(culling).contact(contact);
                        answer.cast(scene, rays, vertices.as_ref(), &options)
                    })?;
                    pieces.learn(rays.len(), answer.found());
                    ids.clear();
                    ids.extend(piece.clone().map(|row| chunk.ids().get(row)));
                    let kept = keep::of_rows(&chunk.kept, &piece);
                    pipeline.hand_over(queue, Answered { ids, kept, answer })?;
                }
                chunks.give_back(chunk);
            }
            Ok(())
        })?;
        let clock = pipeline.finish(|| writer.finish())?;
        let pace = Pace::of_rays(tally.rows(), &clock, &built, &machine);
        let rows = (Rows::Rays(tally.rows()), pace);
        let summary =
            Summary::new(mesh, &built.scene, meshes.count(), self.query, ignored, &tally, rows);
        report::sum_up(&summary, || summary.line(["hit", "miss"]), self.common.json, &self.output)
    }

    fn meaning(&self) -> Result<Task> {
        if self.points && !matches!(self.query, Query::Closest | Query::All) {
            return Err(Failure::about(
                "--points",
                "only --query closest and --query all have points",
            ));
        }
        if self.normals.is_some() && self.query != Query::Closest {
            return Err(Failure::about("--normals", "only --query closest has normals"));
        }
        if self.touched && !matches!(self.query, Query::All | Query::Count) {
            let problem = "only --query all and --query count tell touching from crossing";
            return Err(Failure::about("--touched", problem));
        }
        if self.limit.is_some() && self.query != Query::All {
            return Err(Failure::about(
                "--limit",
                "only --query all has more than one hit of a ray",
            ));
        }
        let has_ids = matches!(self.query, Query::Closest | Query::All);
        self.common.labels.expect_ids(has_ids, "--query closest and --query all")?;
        let inputs = [self.common.mesh(), &*self.rays];
        let output = Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting };
        Ok(Task {
            machine: self.common.subject.machine.meaning()?,
            format: hit_format::of(&output, self.format)?,
            culling: match self.culling {
                Side::None => Culling::None,
                Side::Back => Culling::Back,
                Side::Front => Culling::Front,
            },
            contact: if self.touched { Contact::Touch } else { Contact::Crossing },
        })
    }
}
