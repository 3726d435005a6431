//! `lanecast bench`: rays per second on this machine.

mod report;
mod rounds;
mod sets;

use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::machine::{self, Machine};
use crate::mesh::{self, MeshArguments};
use crate::progress::Progress;
use crate::shipped;
use clap::Args;
use lanecast::Threads;
use report::Report;
use rounds::Rounds;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = help::short("bench", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The mesh, or a scene file
    ///
    /// The shipped terrain unless given.
    mesh: Option<PathBuf>,
    #[command(flatten)]
    mesh_options: MeshArguments,
    /// About how long to measure, in seconds
    ///
    /// Every case is measured at least three times.
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = duration)]
    seconds: f64,
    /// Rays in the camera and random sets
    ///
    /// Shadow and diffuse rays are as many as the camera rays that hit.
    #[arg(long, value_name = "N", default_value_t = 1 << 18, value_parser = clap::value_parser!(u32).range(1..=1 << 26))]
    rays: u32,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
Rays of four kinds are cast on every backend that this machine has (or the one that
LANECAST_BACKEND names) and on 1 to all threads:
  camera   from one point through the pixels of a picture: the closest hit
  shadow   from what the camera sees to the sun: any hit
  diffuse  from what the camera sees in all directions over the surface: the closest hit
  random   between random points of the mesh's box: the closest hit
First the answers of all backends and thread counts are checked to be the same. Then all
cases take turns, so that a disturbance hits all alike, and each case's median counts. Rates per
processor second are those of one thread by the time of the processor, which other programs do not
take; where it worked for less than 95% of the time, the machine was busy, and the report says so.

Examples:
  lanecast bench
  lanecast bench mesh.ply --seconds 60 --json > bench.json

{EXIT_CODES}"
    )
}

fn duration(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=86_400.0).contains(seconds))
        .ok_or_else(|| "expected a number of seconds, from 0 to 86400".to_owned())
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let backends = machine::backends(None)?;
        let threads = thread_counts(machine::cores())
            .into_iter()
            .map(Threads::exactly)
            .collect::<lanecast::Result<Vec<_>>>()?;
        let path = match &self.mesh {
            Some(path) => path.clone(),
            None => shipped::find(shipped::TERRAIN, None)?,
        };
        let mut meshes = mesh::read(&path, self.mesh_options)?;
        let machine = Machine { threads: Threads::ALL, backend: backends[0] };
        let built = mesh::build_filled(&path, &mut meshes, &machine)?;
        let sets = sets::sets(&meshes, &built.scene, self.rays as usize)?;

        let mut rounds = Rounds::new(&sets, &backends, &threads);
        rounds.check(&built.scene)?;
        let progress = Progress::new(!self.json, Some(100), "% of the time");
        rounds.measure(&built.scene, Duration::from_secs_f64(self.seconds), |share| {
            progress.set((100.0 * share) as u64);
        })?;
        drop(progress);
        let report = Report::new(&path, &built, &rounds);
        if self.json {
            crate::report::say_json(&report)
        } else {
            crate::report::say(&report.words())
        }
    }
}

/// 1 to all: every number up to four, then doubling.
fn thread_counts(cores: usize) -> Vec<usize> {
    let mut counts: Vec<_> = (1..=cores.min(4)).collect();
    counts.extend((3..).map(|power| 1 << power).take_while(|&count| count < cores));
    if cores > 4 {
        counts.push(cores);
    }
    counts
}

#[cfg(test)]
#[path = "../../tests/unit/bench.rs"]
mod tests;
