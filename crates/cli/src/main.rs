//! The program `lanecast`: ray queries on mesh files, from the command line.
//!
//! [`command_line`] lists the subcommands. Each subcommand is a module with the same three steps:
//! its arguments as typed (`Arguments`, with the help), what they mean, and the run. A module
//! imports from lower floors only; `tests/engine/floors.rs` lists the floors. Below the subcommands
//! stand, from the top:
//!
//! - [`pipeline`]: the steps from a batch of rays or points to rows in a file; [`summary`];
//! - [`existing`] (hits that a damaged scene file gives), [`pace`] (times), [`rounding`] (a warning
//!   that `f32` is too coarse);
//! - [`inputs`] (files of rays and points as typed), [`mesh`] (files to scenes), [`picture`] (colours
//!   and pixels);
//! - [`chunks`] (rays and points from files), [`hit_format`], [`numbers`] (small tables),
//!   [`precision`] (`f32` or `f64`), [`report`] (standard output and standard error);
//! - [`arguments`] (how values are written), [`interrupt`], [`keep`] (columns of inputs), [`labels`]
//!   (names of what is hit), [`machine`] (threads, backend), [`output`] (what cannot be written is
//!   refused first), [`rays`] (random rays and where they start), [`scenes`], [`shipped`];
//! - [`failure`] (why the program ends early), [`help`] (what it says at the end), [`ids`],
//!   [`number`], [`progress`], [`tally`], [`vector`].
//!
//! The program sees nothing of the engine but its public API.

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
mod inputs;
mod interrupt;
mod keep;
mod labels;
mod lidar;
mod machine;
mod mesh;
mod number;
mod numbers;
mod output;
mod pace;
mod picture;
mod pipeline;
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
mod terrain;
mod vector;
mod verify;

use std::process::ExitCode;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match command_line::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report::end(&failure),
    }
}
