//! lanecast and its peers, side by side in one process.

mod accuracy;
mod clock;
mod files;
mod growth;
mod kernels;
mod machine;
mod random;
mod report;
mod rounds;
mod scenes;
mod vector;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// lanecast and its peers on the same input, in interleaved rounds, every answer checked
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ray tests without a tree: boxes, oriented boxes, spheres and triangles
    Kernels(KernelsArguments),
    /// Whole scenes, with trees: Embree, other crates and lanecast cast the same rays
    Scenes(scenes::ScenesArguments),
    /// How speed, memory and build time grow with triangles, batches and threads
    Growth(growth::GrowthArguments),
    /// How far `t` is from the exact one, at triangles of all sizes beside the distance of the hit
    Accuracy(accuracy::AccuracyArguments),
    /// Meshes of scenes and rays as files, for programs in other languages
    Write(scenes::WriteArguments),
}

/// What to run, for how long, and where the figures go.
#[derive(Debug, Args)]
pub(crate) struct KernelsArguments {
    /// How long to measure each table, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    seconds: f64,
    /// How many threads share the lines of a call
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Only tables whose name contains this, such as `box f32` or `closest`
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Check the answers on small input and measure nothing; fails if lanecast is wrong anywhere
    #[arg(long)]
    check: bool,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all figures to this file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What can go wrong is told and ends the program.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Kernels(arguments) => kernels::run(&arguments),
        Command::Scenes(arguments) => scenes::run(&arguments),
        Command::Growth(arguments) => growth::run(&arguments),
        Command::Accuracy(arguments) => accuracy::run(&arguments),
        Command::Write(arguments) => scenes::write(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
