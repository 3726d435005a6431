//! `lanecast verify`: the engine against brute force.

mod answers;
mod compare;
mod held;
mod nest;
mod report;
mod sample;

use crate::failure::{Failure, Result};
use crate::help;
use crate::inputs::RayFormat;
use crate::interrupt::Interrupt;
use crate::machine::{self, Machine};
use crate::mesh::{self, MeshArguments, Meshes, Read};
use crate::output;
use crate::precision::{Number, PrecisionArguments};
use crate::progress::Progress;
use crate::rounding::Rounding;
use crate::scenes::Kinds;
use answers::Way;
use clap::Args;
use lanecast::{Backend, Ray, Threads};
use lanecast_reference::aim;
use lanecast_reference::brute_force::Compiled;
use lanecast_reference::world::World;
use nest::Nest;
use report::Report;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(after_help = help::short("verify", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The mesh, or a scene file
    ///
    /// One of obj, ply, stl, off, gltf, glb, a raster of heights (tif, tiff, asc), or a scene file
    /// that lanecast build has made. Several meshes in a file become geometry 0, 1, and so on.
    mesh: PathBuf,
    /// The rays, or - for standard input
    ///
    /// As npy with shape (N, 6), (N, 8) or (N, 2, 3), npz, csv with a header, parquet, or Arrow
    /// IPC; unless given, rays are made that aim at the mesh, its edges and its vertices.
    rays: Option<PathBuf>,
    #[command(flatten)]
    rays_format: RayFormat,
    /// How many rays to make or to choose
    ///
    /// Of those of the file; as many as there is time for unless given.
    #[arg(long = "rays", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 26))]
    count: Option<u32>,
    /// Which rays are made or chosen
    ///
    /// The same seed gives the same rays; 1 unless given.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Place the mesh N times in a scene of scenes
    ///
    /// N times in a scene, and that scene N times in another, by maps that turn, stretch, shear and
    /// mirror it, drawn by the seed; rays are made.
    #[arg(long, value_name = "N", conflicts_with = "rays", value_parser = clap::value_parser!(u32).range(1..=16))]
    placed: Option<u32>,
    /// How many threads to use; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=Threads::MOST as i64))]
    threads: Option<u16>,
    /// The one backend to verify
    ///
    /// portable, avx2 or avx512; every one that this machine has unless given here or in
    /// LANECAST_BACKEND.
    #[arg(long, value_name = "NAME", value_parser = machine::backend)]
    backend: Option<Backend>,
    #[command(flatten)]
    mesh_options: MeshArguments,
    #[command(flatten)]
    precision: PrecisionArguments,
    /// Print the report as JSON, and show no progress
    #[arg(long)]
    json: bool,
}

/// How many tests of a ray and a primitive are done unless a number of rays is given.
const TESTS: u64 = 1 << 30;
/// At least and at most so many rays, however many primitives there are.
const FEWEST: u64 = 64;
const MOST: u64 = 1 << 16;
/// How many rays are answered and compared at a time: enough for every way through the tree.
const BLOCK: usize = 4096;
/// How many differences are shown.
const SHOWN: usize = 10;

fn after_help() -> String {
    format!(
        "\
Each ray is tested against every primitive in f64, and in f64 scenes with twice its digits where they
decide, by code that the engine has no part in, and cast on every backend that this machine has, or on the one that is named, in
batches, in groups and without, and by single calls. The closest hit, any hit, the count, all
hits, crossed and touched, the nearest few and the nearest on either side of the origin must be
what brute force says: the same primitives in the order of t, with t, u and v off by no more than
the engine promises; and every way must give the same bits. What differs is printed: the ray and
both answers, for the first {SHOWN} rays.

Where a ray passes an edge by less than the engine's rounding of vertices may move them, that
decides nothing: those rays are counted, and decided exactly on the vertices as the ray sees
them. A hit that lies at an end of the ray's interval by its rounding may be there or not, and so
may hits on a box or a sphere that the ray passes by less than what f64 rounds: it is told of how
many rays.

At survey coordinates, and of scene files of f64, the answers in f64 are verified: see --precision.

Of a scene file all checksums are looked at first; brute force then goes over what is in it, so that
what is verified are the trees over it. The scene's own masks are lifted: what is hidden is verified
too. In the scenes placed in it what has a mask without a bit is not to be met.

A ray at what is placed is carried into its frame by the inverse map in f64 and rounded there to
the scene's precision, as the engine promises, and t is what it is there: every primitive is tested in each of its
places, by whatever maps it came there.

Unless --rays is given, so many rays are made, or chosen from the file, that there are about
2^30 tests of a ray and a primitive, some 40 ns each: {MOST} rays at a small mesh, 1,200 at one of
900,000 triangles, and never fewer than {FEWEST}. That takes a minute at most on one core, up to 17
million primitives, each counted as often as it is placed; beyond that as long as {FEWEST} rays take.

Examples:
  lanecast verify mesh.ply
  lanecast verify mesh.ply --rays 100000 --seed 7
  lanecast verify mesh.ply --placed 3
  lanecast verify mesh.ply rays.npy --json
  lanecast verify mesh.scene --backend avx2

Exit codes: 0 nothing differs; 1 something does; 2 error, said in one line on standard error;
130 interrupted."
    )
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let inputs: Vec<&Path> = [Some(&self.mesh), self.rays.as_ref()]
            .into_iter()
            .flatten()
            .map(|path| &**path)
            .collect();
        output::one_standard_input(&inputs)?;
        let backends = machine::backends(self.backend)?;
        let threads =
            self.threads.map_or(Ok(Threads::ALL), |count| Threads::exactly(count.into()))?;
        let machine = Machine { threads, backend: backends[0] };
        let (options, precision) = (self.mesh_options, self.precision.precision);
        let needs_f64 = |size| match &self.rays {
            Some(rays) => self.rays_format.need_f64(rays, size),
            None => Ok(false),
        };
        match mesh::read_in(&self.mesh, options, precision, needs_f64)? {
            Read::F32(meshes) => self.verify(meshes, &backends, &machine),
            Read::F64(meshes) => self.verify(meshes, &backends, &machine),
        }
    }

    fn verify<T: Number + Compiled>(
        &self,
        mut meshes: Meshes<T>,
        backends: &[Backend],
        machine: &Machine,
    ) -> Result<()> {
        let seed = self.seed.unwrap_or(1);
        if let Some(scene) = meshes.scene() {
            // What differs afterwards was written so, and not damaged on its way.
            scene.check()?;
        }
        let mut scene = match self.rays {
            Some(_) => mesh::build_warning(&self.mesh, &mut meshes, machine, "every ray misses")?,
            None => mesh::build_filled(&self.mesh, &mut meshes, machine)?,
        }
        .scene;
        if let Some(opened) = meshes.scene() {
            scene = Arc::new(held::unmasked(opened)?);
        }
        let mut world = match meshes.scene() {
            Some(scene) => World::of_scene(scene)?,
            None => held::world_of(&meshes),
        };
        if let Some(count) = self.placed {
            let nest = Nest::drawn(count, &scene.bounds(), seed);
            world = nest.world(world);
            scene = nest
                .scene(scene, machine)
                .map_err(|error| Failure::about(self.mesh.display(), error))?;
        }
        let in_time = (TESTS / world.tests().max(1)).clamp(FEWEST, MOST) as usize;
        let most = self.count.map_or(in_time, |count| count as usize);
        let mut ignored_columns = Vec::new();
        let (rays, rays_given) = match &self.rays {
            Some(path) => {
                let reader = self.rays_format.open::<T>(path)?;
                ignored_columns = reader.ignored_columns().to_vec();
                crate::report::name_ignored(path, &ignored_columns);
                let (rays, given) =
                    sample::of_file(reader, most, seed, Rounding::new(path, &meshes))?;
                if self.seed.is_some() && given <= most as u64 {
                    let problem = format!(
                        "goes with rays that are made or chosen, and all {given} of the file are verified"
                    );
                    return Err(Failure::about("--seed", problem));
                }
                (rays, given)
            }
            None => (held::numbered(aim::aimed(&world, most, seed)), most as u64),
        };
        let ways = Way::all(backends);
        let mut report = Report {
            mesh: self.mesh.display().to_string(),
            precision: T::NAME,
            kinds: Kinds::of_world(&world),
            places: world.places(),
            rays_from: self.rays.as_ref().map(|path| path.display().to_string()),
            ignored_columns,
            seed,
            rays_given,
            rays: rays.len(),
            ways: ways.iter().map(|way| way.name()).collect(),
            ..Report::default()
        };
        let start = Instant::now();
        let progress = Progress::new(!self.json, Some(rays.len() as u64), "rays");
        let interrupt = Interrupt::listen();
        for (number, block) in rays.chunks(BLOCK).enumerate() {
            let told = |done: usize| progress.set((number * BLOCK + done) as u64);
            let rays: Vec<Ray<T>> = block.iter().map(|named| named.ray).collect();
            let expected =
                held::cast_all(&world, &rays, machine.threads.count(), &interrupt, told)?;
            report.count(&expected);
            for difference in held::compare_all(&scene, &ways, &machine.threads, block, &expected)?
            {
                report.differing += 1;
                if report.differences.len() < SHOWN {
                    report.differences.push(difference);
                }
            }
            interrupt.check()?;
        }
        drop(progress);
        report.seconds = start.elapsed().as_secs_f64();
        if self.json {
            crate::report::say_json(&report)?;
        } else {
            crate::report::say(&report.words())?;
        }
        if report.differing > 0 { Err(Failure::Differs) } else { Ok(()) }
    }
}
