//! The program `lanecast`: ray queries on mesh files, from the command line.
//!
//! Each subcommand is a module with the same three steps: its arguments as typed (`Arguments`, with
//! the help), what they mean, and the run. Beside them stand what they share: [`machine`] (threads,
//! backend), [`mesh`] (files to scenes), [`precision`] (f32 or f64), [`chunks`] (rays and points
//! from files), [`output`] and [`hit_format`] (what cannot be written is refused first), [`work`]
//! (casting piece by piece), [`tally`], [`pace`] and [`summary`] (what answers add up to),
//! [`existing`] (hits that a damaged scene file gives), [`ids`] (columns that name what is hit),
//! [`rays`] (random rays and where they start), [`numbers`] (small tables), [`picture`] (colours
//! and pixels), [`report`] and [`progress`] (standard output and standard error), [`help`] (what it
//! says at the end) and [`failure`] (exit codes). The program sees nothing of the engine but its
//! public API.

mod arguments;
mod bench;
mod build;
mod cast;
mod chunks;
mod command_line;
mod completions;
mod demo;
mod existing;
mod failure;
mod help;
mod hit_format;
mod ids;
mod info;
mod interrupt;
mod labels;
mod lidar;
mod machine;
mod mesh;
mod number;
mod numbers;
mod output;
mod pace;
mod picture;
mod points;
mod precision;
mod progress;
mod rays;
mod render;
mod report;
mod rounding;
mod scenes;
mod shipped;
mod sight;
mod summary;
mod tally;
mod vector;
mod verify;
mod work;

use std::process::ExitCode;

fn main() -> ExitCode {
    match command_line::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report::end(&failure),
    }
}
