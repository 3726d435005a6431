//! `lanecast points`: a file of points in, a file of answers out, chunk by chunk.

mod answer;

use crate::arguments::not_negative;
use crate::chunks::Chunks;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::hit_format;
use crate::inputs::PointFormat;
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
use lanecast_io::{HitFormat, HitWriter, Keep, RayIds, Vectors};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = help::short("points", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The points, or - for standard input
    ///
    /// As npy with shape (N, 3), npz, csv with a header, parquet, Arrow IPC (arrow, feather, ipc,
    /// arrows), the vertices of ply, pcd, lines of numbers (xyz, asc, pts, txt), las, or laz.
    #[arg(index = 2)]
    points: PathBuf,
    #[command(flatten)]
    points_format: PointFormat,
    /// The answers, or - for standard output
    ///
    /// As npz, csv, parquet, Arrow IPC (arrow, feather, ipc; arrows for the stream), or - for
    /// standard output.
    #[arg(short, long, value_name = "ANSWERS")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// What to ask of every point
    #[arg(long, value_enum, default_value_t = Query::Closest)]
    query: Query,
    /// Find nothing farther than this
    ///
    /// What is as far as this is found (closest only).
    #[arg(long, value_name = "R", value_parser = radius)]
    radius: Option<f64>,
    /// The format of the answers
    ///
    /// Whatever the extension says; unless given, the extension's, and csv on standard output. A
    /// pipe cannot hold an arrow file: -o - makes arrow of it arrows, the stream.
    #[arg(long, value_name = "FORMAT", value_parser = hit_format::named())]
    format: Option<HitFormat>,
    #[command(flatten)]
    keep: KeepArguments,
    #[command(flatten)]
    common: Common,
}

/// What can be asked of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Query {
    /// The nearest point of what the mesh or scene holds: distance, x, y, z, ids, u, v
    Closest,
    /// How far that point is
    Distance,
    /// The same, negative inside of the closed surfaces
    Signed,
    /// Whether the point is inside of a closed surface: true or false
    Inside,
}

/// Reads a radius: a number that is not negative.
fn radius(text: &str) -> Result<f64, String> {
    not_negative(text, f64::INFINITY, "0.5")
}

fn after_help() -> String {
    format!(
        "\
Points have the columns x y z and, if given, point_id, whole numbers or, if the first is none,
text (otherwise the row number); --keep writes others too. Of a ply file
they are the vertices; a line of an xyz file has x y z first, unless a header names the columns.

Rows of answers: point_id status distance x y z primitive_id geometry_id instance_id u v
(closest), point_id status distance (distance, signed), point_id status inside (inside). The
status is hit, or miss where nothing is within the radius or the point is outside; then the
distance is inf, ids are -1 and x y z are NaN. A point that cannot be asked (NaN, infinite, beyond 1e30) is no
error: its status is invalid_origin. In npz the status is a number: 0 miss, 1 hit, 2
invalid_origin.

What is near are triangles, and of scene files the surfaces of boxes and spheres too, where they
are placed; of those that share the nearest point, as triangles do a vertex or an edge, the lowest
ids are named. What is inside is told by what the surface goes around, so cavities are outside; for
signed and inside all triangles must make closed surfaces, and an error says where one is open
('lanecast info' tells more). Where that is because triangles write a corner with other last digits,
as some exporters do, it says which tolerance for --weld closes it.

At survey coordinates the mesh, points and answers are in f64: see --precision.

Points are read in chunks, so they need not fit into memory. Points in an order in which
neighbours follow each other are answered faster. The file of answers appears when it is
complete.

Examples:
  lanecast points mesh.ply points.npy -o closest.npz
  lanecast points part.stl scan.csv -o deviations.csv --query signed --weld 1e-5
  lanecast points mesh.obj points.parquet -o near.parquet --radius 0.5
  make_points | lanecast points solid.ply - -o - --query inside > inside.csv

{EXIT_CODES}"
    )
}

/// The arguments as meant.
struct Task {
    machine: Machine,
    format: HitFormat,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let task = self.meaning()?;
        let points_need_f64 = |size| self.points_format.need_f64(&self.points, size);
        match clock.reading(|| self.common.subject.read(points_need_f64))? {
            Read::F32(meshes) => self.ask(task, meshes, clock),
            Read::F64(meshes) => self.ask(task, meshes, clock),
        }
    }

    fn ask<T: Number>(&self, task: Task, mut meshes: Meshes<T>, clock: Clock) -> Result<()> {
        let (mesh, Task { machine, format }) = (self.common.mesh(), task);
        let built = mesh::build_warning(mesh, &mut meshes, &machine, "nothing is near any point")?;
        let about_mesh = |problem: lanecast::Error| match problem {
            lanecast::Error::Stopped { .. } => problem.into(),
            _ => Failure::about(mesh.display(), problem),
        };
        if matches!(self.query, Query::Signed | Query::Inside) {
            // An open surface is refused before anything is written.
            built.scene.point([T::ZERO; 3]).with(&machine.options()).contains().map_err(
                |problem| match problem {
                    lanecast::Error::OpenSurface { .. } => {
                        mesh::refusal(mesh, &meshes, &built.scene, &machine, &problem)
                    }
                    _ => about_mesh(problem),
                },
            )?;
        }
        let blank = || {
            let radius = self.radius.map_or(T::INFINITY, T::nearest);
            let answer = Answer::new(self.query, radius);
            Answered { ids: Vec::new(), kept: Vec::new(), answer }
        };
        let kind = blank().answer.kind();
        let mut lookup = Lookup::new(&self.common, &meshes, &built);
        let labels = lookup.columns().into_iter().map(|(name, _)| name);
        let own: Vec<_> = kind.columns().into_iter().chain(labels).collect();
        let open = |keep: &Keep<'_>| self.points_format.open_keeping::<T>(&self.points, keep);
        let mut reader = self.keep.open(format, &own, open)?.threads(&machine.threads);
        let ignored = reader.ignored_columns().to_vec();
        self.common.name_ignored(&self.points, &ignored, &self.output);
        let total = (reader.total(), "points");
        let mut pipeline = Pipeline::begin(&self.common, &built, &machine, clock, total);
        let names: Vec<_> = reader.kept_columns().map(|(name, _)| name.to_owned()).collect();
        let mut more: Columns<'_> = lookup.columns();
        reader.kept_columns().for_each(|column| more.push(column));
        let mut writer = HitWriter::<T>::create_with(&self.output, Some(format), kind, &more)?
            .threads(&machine.threads);
        if let Some(points) = total.0 {
            writer = writer.expect_rows(points)?;
        }
        let mut tally = Tally::default();
        let write = |Answered { ids, kept, answer }: &Answered<Answer<T>>| {
            let answers = answer.columns();
            tally.add(&answers.status(), None);
            let mut more: Columns<'_> = lookup.labels_of(answer.ids())?;
            more.extend(keep::named(&names, kept));
            Ok(writer.write_with(RayIds::Given(ids), answers, Vectors::default(), &more)?)
        };
        let mut rounding = Rounding::new(&self.points, &meshes);
        let chunks = Chunks::start(move |rows, chunk| reader.next_chunk(rows, chunk));
        pipeline.run(blank, write, |pipeline, queue| {
            while let Some(mut chunk) = pipeline.read(&chunks)? {
                rounding.look(chunk.moved);
                let Answered { mut ids, mut kept, mut answer } = queue.room();
                pipeline.ask(chunk.points.len(), |scene, options| {
                    answer.ask(scene, &chunk.points, options).map_err(about_mesh)
                })?;
                ids.clear();
                ids.extend((0..chunk.points.len()).map(|row| chunk.ids().get(row)));
                std::mem::swap(&mut kept, &mut chunk.kept);
                pipeline.hand_over(queue, Answered { ids, kept, answer })?;
                chunks.give_back(chunk);
            }
            Ok(())
        })?;
        let clock = pipeline.finish(|| writer.finish())?;
        let pace = Pace::of_points(tally.rows(), &clock, &built, &machine);
        let rows = (Rows::Points(tally.rows()), pace);
        let summary =
            Summary::new(mesh, &built.scene, meshes.count(), self.query, ignored, &tally, rows);
        let words = match self.query {
            Query::Inside => ["inside", "outside"],
            Query::Closest | Query::Distance | Query::Signed => ["near", "with nothing near"],
        };
        report::sum_up(&summary, || summary.line(words), self.common.json, &self.output)
    }

    fn meaning(&self) -> Result<Task> {
        self.common.labels.expect_ids(self.query == Query::Closest, "--query closest")?;
        if self.radius.is_some() && self.query != Query::Closest {
            return Err(Failure::about("--radius", "only --query closest has a radius"));
        }
        let inputs = [self.common.mesh(), &*self.points];
        let output = Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting };
        Ok(Task {
            machine: self.common.subject.machine.meaning()?,
            format: hit_format::of(&output, self.format)?,
        })
    }
}
