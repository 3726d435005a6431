//! What can be asked for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What grows, how far and for how long, and where the figures go.
#[derive(Debug, Args)]
pub(crate) struct GrowthArguments {
    /// Only these
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub(super) only: Vec<Grows>,
    /// The largest terrain; 50 million triangles need about 10 GB
    #[arg(long, value_name = "N", default_value_t = 10_000_000,
        value_parser = clap::value_parser!(u32).range(10_000..=50_000_000))]
    pub(super) most_triangles: u32,
    /// The largest batch; 100 million rays need about 8 GB and some minutes
    #[arg(long, value_name = "N", default_value_t = 4_194_304,
        value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(super) most_rays: u32,
    /// The most threads; all cores unless set
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// How many rows of 1,024 rays a set has
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) rows: u16,
    /// How long to measure each cell of the tables, in seconds; five rounds at least
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub(super) seconds: f64,
    /// Check the answers on small terrains and measure nothing; fails if lanecast is wrong anywhere
    #[arg(long)]
    pub(super) check: bool,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write all figures to this file as CSV
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
}

/// What can grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Grows {
    /// The terrain, from ten thousand triangles
    Triangles,
    /// The batch, from one ray
    Batches,
    /// The threads, from one to all cores
    Threads,
}

impl GrowthArguments {
    pub(super) fn asks_for(&self, what: Grows) -> bool {
        self.only.is_empty() || self.only.contains(&what)
    }
}
