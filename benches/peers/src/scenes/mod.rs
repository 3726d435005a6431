//! Whole scenes: lanecast and its peers cast the same rays at the same triangles.

mod cell;
mod contestants;
mod embree;
mod hits;
mod judge;
mod mesh;
mod meshes;
mod ray_set;
mod rays;
mod report;
mod stage;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use lanecast::Threads;
use rayon::ThreadPool;

use crate::Result;
use crate::clock::Clock;
use cell::{Cell, Measuring};
use contestants::{EmbreeScenes, Entrant, Isa, LanecastScene};
use embree::Api;
use rays::{Sight, Sizes};
use report::{Price, Report};
use stage::Stage;

/// What to cast at what, for how long, and where the figures go.
#[derive(Debug, Args)]
pub(crate) struct ScenesArguments {
    /// Only these scenes
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = stage::NAMES)]
    scene: Vec<String>,
    /// Only these sets of rays
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = rays::NAMES)]
    rays: Vec<String>,
    /// Only contestants whose names contain one of these, such as `embree` or `lanecast avx512`
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    contestants: Vec<String>,
    /// What instructions lanecast and Embree are limited to, each a contestant of its own
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["avx2", "avx512"])]
    isa: Vec<Isa>,
    /// How long to measure each cell of the table, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    seconds: f64,
    /// How many threads build, and cast the rays
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Leave out Embree's robust mode
    #[arg(long)]
    no_robust: bool,
    /// Check the answers on small scenes and measure nothing; fails if lanecast is wrong anywhere
    #[arg(long)]
    check: bool,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all figures to this file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What every scene needs.
struct Session<'a> {
    arguments: &'a ScenesArguments,
    embree: Option<Arc<Api>>,
    threads: Threads,
    pool: ThreadPool,
    report: Report,
}

/// The subcommand.
pub(crate) fn run(arguments: &ScenesArguments) -> Result<()> {
    let threads = usize::from(arguments.threads);
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("fetched");
    let embree = Api::load(&fetched).inspect_err(|error| eprintln!("without Embree: {error}")).ok();
    let mut session = Session {
        arguments,
        embree,
        threads: Threads::exactly(threads)?,
        pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build()?,
        report: Report::new(threads),
    };
    for name in stage::NAMES.into_iter().filter(|name| wanted(&arguments.scene, name)) {
        session.scene(name)?;
    }
    let report = session.report;
    print!("{}", if arguments.check { report.checked() } else { report.summary() });
    report.write(arguments.json.as_deref(), arguments.csv.as_deref())?;
    let wrong = report.lanecast_mismatches();
    if wrong > 0 { Err(format!("lanecast gave {wrong} wrong answers").into()) } else { Ok(()) }
}

/// Whether a name was asked for, or none was.
fn wanted(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|other| other == name)
}

impl Session<'_> {
    fn scene(&mut self, name: &'static str) -> Result<()> {
        let arguments = self.arguments;
        let stage = match Stage::named(name, arguments.check) {
            Ok(stage) => stage,
            Err(error) => {
                eprintln!("without {name}: {error}");
                return Ok(());
            }
        };
        let start = Instant::now();
        let lanecast = LanecastScene::build(&stage.mesh, &self.threads)?;
        let lanecast_seconds = start.elapsed().as_secs_f64();
        let embree = self.embree.as_ref().map(|api| {
            EmbreeScenes::build(api, &stage.mesh, &arguments.isa, !arguments.no_robust, &self.pool)
        });
        let embree = embree.transpose()?;
        let price = Price::new(
            &stage,
            (lanecast_seconds, lanecast.bytes()),
            embree.as_ref().and_then(EmbreeScenes::price),
        );
        let sizes = if arguments.check { Sizes::CHECK } else { Sizes::MEASURED };
        let sight = lanecast.with(|scene| Sight::new(&stage, scene, sizes))?;
        if !arguments.check {
            println!("{}", price.words(sight.share_of_hits()));
        }
        self.report.prices.push(price);
        for rays in rays::NAMES.into_iter().filter(|rays| wanted(&arguments.rays, rays)) {
            let set = sight.rays(rays);
            if let Some(row) = set.rays.iter().position(|ray| ray.defect().is_some()) {
                return Err(format!("ray {row} of {name} {rays} is unsound: {:?}", set.rays[row]).into());
            }
            let mut entrants: Vec<Entrant<'_>> = Vec::new();
            lanecast.enter(&set, &arguments.isa, &mut entrants)?;
            if let Some(embree) = &embree {
                embree.enter(&set, &mut entrants);
            }
            let asked = |entrant: &Entrant<'_>| {
                let names = &arguments.contestants;
                names.is_empty() || names.iter().any(|name| entrant.name.contains(name))
            };
            entrants.retain(asked);
            let measuring = Measuring {
                time: (!arguments.check).then(|| Duration::from_secs_f64(arguments.seconds)),
                clock: Clock::for_threads(arguments.threads.into()),
            };
            let cell = Cell::measure(name, &stage.mesh, &set, entrants, measuring);
            if !arguments.check {
                print!("{}", cell.words());
            }
            self.report.cells.push(cell);
        }
        Ok(())
    }
}
