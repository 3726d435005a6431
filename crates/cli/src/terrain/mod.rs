//! `lanecast terrain`: what is computed of a raster of heights, as a raster on the same grid.

mod viewshed;

use crate::failure::{EXIT_CODES, Result};
use crate::help;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = help::short("terrain", &after_help()), after_long_help = help::long(&after_help()))]
#[command(arg_required_else_help = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Count the observers that see each pixel of a raster of heights
    Viewshed(viewshed::Arguments),
}

fn after_help() -> String {
    format!(
        "\
Examples:
  lanecast terrain viewshed dem.tif -o seen.tif --observers masts.csv --observer-height 30
  lanecast terrain viewshed --help               all options, and what counts

{EXIT_CODES}"
    )
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.what {
            What::Viewshed(arguments) => arguments.run(),
        }
    }
}
