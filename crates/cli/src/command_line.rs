//! The command line: the list of subcommands, and the messages about a wrong command line.

use crate::failure::{Failure, Result};
use crate::help;
use crate::{
    bench, build, cast, completions, demo, info, lidar, points, render, sight, terrain, verify,
};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use lanecast_io::excerpt;
use std::ffi::OsString;

/// Ray queries on meshes and scenes: millions of rays, exact answers, the same on every machine
///
/// lanecast answers where rays meet a mesh: the closest hit, any hit, all hits, or how many. It
/// reads a mesh, or a scene file, and a file of rays and writes a file of hits. Without a
/// subcommand it runs the demonstration.
#[derive(Debug, Parser)]
#[command(name = "lanecast", version, after_help = help::short("", AFTER_HELP), after_long_help = help::long(AFTER_HELP))]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Cast millions of rays at the shipped terrain, and write a picture
    Demo(demo::Arguments),
    /// Cast a file of rays at a mesh and write a file of hits
    Cast(cast::Arguments),
    /// Write the points that a laser scanner measures
    Lidar(Box<lidar::Arguments>),
    /// Write which targets are in sight of which observers, or where lines of sight break
    Sight(sight::Arguments),
    /// Write rasters beside one of heights: viewsheds, horizons, open sky, hours of sun
    Terrain(terrain::Arguments),
    /// Ask of a file of points what is nearest, how far it is, or which are inside
    Points(points::Arguments),
    /// Make a picture of a mesh
    Render(render::Arguments),
    /// Say what a mesh and its tree are, and what is wrong with the mesh
    Info(info::Arguments),
    /// Compare the answers with brute force in f64, and print what differs
    Verify(verify::Arguments),
    /// Save a mesh and its tree as a scene file, which opens at once
    Build(build::Arguments),
    /// Measure how many rays a second this machine casts
    Bench(bench::Arguments),
    /// Print a script that completes lanecast's arguments in a shell
    Completions(completions::Arguments),
}

/// Runs the subcommand that the command line names, or prints help or the version.
pub(crate) fn run() -> Result<()> {
    Cli::read()?.map_or(Ok(()), Cli::run)
}

impl Cli {
    /// Reads the command line; none if it asks for help or the version, which is then printed.
    fn read() -> Result<Option<Self>> {
        let mut command =
            Self::command().mut_subcommands(|subcommand| subcommand.mut_args(may_be_negative));
        let parsed = command.try_get_matches_from_mut(std::env::args_os());
        let parsed = parsed.and_then(|mut matches| Self::from_arg_matches_mut(&mut matches));
        let mut error = match parsed {
            Ok(cli) => return Ok(Some(cli)),
            Err(error) => error.format(&mut command),
        };
        if error.use_stderr() {
            shorten(&mut error);
            let text = error.to_string();
            let hint = swallowed(&error);
            return Err(Failure::Message(in_one_line(&text, hint, std::env::args_os().skip(1))));
        }
        // Where help cannot be written nobody reads it.
        let _ = error.print();
        Ok(None)
    }

    fn run(self) -> Result<()> {
        match self.command {
            None => Self::parse_from(["lanecast", "demo"]).run(),
            Some(Command::Demo(arguments)) => arguments.run(),
            Some(Command::Cast(arguments)) => arguments.run(),
            Some(Command::Lidar(arguments)) => arguments.run(),
            Some(Command::Sight(arguments)) => arguments.run(),
            Some(Command::Terrain(arguments)) => arguments.run(),
            Some(Command::Points(arguments)) => arguments.run(),
            Some(Command::Render(arguments)) => arguments.run(),
            Some(Command::Info(arguments)) => arguments.run(),
            Some(Command::Verify(arguments)) => arguments.run(),
            Some(Command::Build(arguments)) => arguments.run(),
            Some(Command::Bench(arguments)) => arguments.run(),
            Some(Command::Completions(arguments)) => arguments.run(Self::command()),
        }
    }
}

/// What follows an option is its value, though it looks like an option: a number that is refused is
/// said to be out of range.
fn may_be_negative(argument: Arg) -> Arg {
    let takes_number = argument.get_action().takes_values() && !argument.is_positional();
    argument.allow_negative_numbers(takes_number)
}

/// What to say where the value of an option that needs none was none of its values: it may have
/// been meant otherwise.
fn swallowed(error: &clap::Error) -> &'static str {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option))
            if error.kind() == ErrorKind::InvalidValue && option.contains(" [<") =>
        {
            "; what follows this option is its value: name one, or put the option last"
        }
        _ => "",
    }
}

/// Cuts what clap repeats of the command line.
fn shorten(error: &mut clap::Error) {
    let typed =
        [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    for kind in typed {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let text = excerpt(text).into_owned();
            error.insert(kind, ContextValue::String(text));
        }
    }
}

/// What clap says about a wrong command line, with what it proposes, without the usage and other
/// tips in the paragraphs below, but with where to find them. Of the arguments that are `typed` the
/// first are the subcommands: options come after them.
fn in_one_line(text: &str, hint: &str, typed: impl Iterator<Item = OsString>) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut message = words(paragraph.trim_start_matches("error:")) + hint;
    let tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    for tip in tips.filter(|tip| tip.contains(" similar ")) {
        message += &format!("; {}", words(tip));
    }
    let cli = Cli::command();
    let (mut command, mut path) = (&cli, cli.get_name().to_owned());
    for name in typed {
        let Some(found) = command.find_subcommand(name) else { break };
        path = format!("{path} {}", found.get_name());
        command = found;
    }
    format!("{message} (see '{path} --help')")
}

/// What the help says at the end.
const AFTER_HELP: &str = "\
Examples:
  lanecast                                       the demonstration
  lanecast info mesh.ply                         look at a mesh first
  lanecast render mesh.ply -o mesh.png           see it
  lanecast cast mesh.ply rays.npy -o hits.npz    the closest hit of every ray
  lanecast cast mesh.ply rays.csv -o - | head    hits as CSV to a pipe
  lanecast verify mesh.ply                       hold the answers against brute force
  lanecast lidar mesh.ply -o scan.ply --at 0,0,2 what a laser scanner measures there
  lanecast build mesh.ply -o mesh.scene          a scene file, for all that takes a mesh
  lanecast points mesh.ply p.npy -o near.npz     what is nearest to every point

Environment:
  LANECAST_BACKEND   portable, avx2 or avx512: which SIMD instructions to use
  NO_COLOR           no colours in help and messages

Exit codes: 0 done (also when the reader of a pipe has gone); 1 verify found what differs; 2 error,
said in one line on standard error; 130 interrupted.";

#[cfg(test)]
#[path = "../tests/unit/command_line.rs"]
mod tests;
