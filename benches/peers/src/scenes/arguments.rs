//! What can be asked for.

use std::path::PathBuf;

use clap::Args;

use super::contestants::Isa;
use super::rays;
use super::stage::{self, Table};

/// What to cast at what, for how long, and where the figures go.
#[derive(Debug, Args)]
pub(crate) struct ScenesArguments {
    /// The scenes of these tables: of the users' meshes unless said otherwise, and of all for a check
    #[arg(long, value_enum, value_name = "TABLE", value_delimiter = ',')]
    table: Vec<Table>,
    /// Only these scenes, of any table
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = stage::NAMES)]
    scene: Vec<String>,
    /// Only these sets of rays
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = rays::NAMES)]
    pub(super) rays: Vec<String>,
    /// Only contestants whose names contain one of these, such as `embree` or `lanecast avx512`
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub(super) contestants: Vec<String>,
    /// What instructions lanecast and Embree are limited to, each a contestant of its own
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["sse", "avx2", "avx512"])]
    pub(super) isa: Vec<Isa>,
    /// How many rows of 1,024 rays a set has, a quarter of it in the hairball and the soup; fewer
    /// are quicker to measure, and harder on packets and trees
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) rows: u16,
    /// How long to measure each cell of the table, in seconds; five rounds at least
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    pub(super) seconds: f64,
    /// How many threads build, and cast the rays
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: u16,
    /// Also cast all rays of each set on each way through the tree, to see what choosing the best
    /// would gain
    #[arg(long)]
    pub(super) ways: bool,
    /// Leave out Embree's robust mode
    #[arg(long)]
    pub(super) no_robust: bool,
    /// Leave out the build times
    #[arg(long)]
    pub(super) no_builds: bool,
    /// Check the answers on small scenes and measure nothing; fails if lanecast is wrong anywhere
    #[arg(long)]
    pub(super) check: bool,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write all figures to this file as CSV
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Draw the ratios of all cells to this file as SVG
    #[arg(long, value_name = "FILE")]
    pub(super) chart: Option<PathBuf>,
}

impl ScenesArguments {
    /// What to cast at, in the order of the tables.
    pub(super) fn scenes(&self) -> impl Iterator<Item = &'static str> {
        let in_table = |name: &str| match self.table.as_slice() {
            [] => self.check || Table::of(name) == Table::Users,
            tables => tables.contains(&Table::of(name)),
        };
        let asked_for = move |name: &&str| match self.scene.as_slice() {
            [] => in_table(name),
            scenes => scenes.iter().any(|scene| scene == name),
        };
        stage::NAMES.into_iter().filter(asked_for)
    }

    /// Whether somebody of this name takes part.
    pub(super) fn asks_for(&self, contestant: &str) -> bool {
        self.contestants.is_empty()
            || self.contestants.iter().any(|text| contestant.contains(text.as_str()))
    }

    /// Whether anybody takes part whose name begins so.
    pub(super) fn asks_for_any(&self, beginning: &str) -> bool {
        let could =
            |text: &String| text.starts_with(beginning) || beginning.contains(text.as_str());
        self.contestants.is_empty() || self.contestants.iter().any(could)
    }
}

/// Whether a name was asked for, or none was.
pub(super) fn wanted(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|other| other == name)
}
