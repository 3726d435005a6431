//! `lanecast terrain`: what is computed of a raster of heights, as a raster on the same grid.

mod ground;
mod horizon;
mod sky;
mod sun;
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
    /// Write the elevation of the horizon around each pixel, azimuth by azimuth
    Horizon(horizon::Arguments),
    /// Write the share of the sky that is open above each pixel
    Sky(sky::Arguments),
    /// Write for how many hours the sun shines on each pixel between two times
    Sun(sun::Arguments),
}

fn after_help() -> String {
    format!(
        "\
Examples:
  lanecast terrain viewshed dem.tif -o seen.tif --observers masts.csv --observer-height 30
  lanecast terrain horizon dem.tif -o horizon.tif --azimuths 36
  lanecast terrain sky dem.tif -o sky.tif
  lanecast terrain sun dem.tif -o sun.tif --from 2026-12-21T00:00 --to 2026-12-22T00:00 --latitude 47.4 --longitude 8.5
  lanecast terrain viewshed --help               all options, and what counts

{EXIT_CODES}"
    )
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.what {
            What::Viewshed(arguments) => arguments.run(),
            What::Horizon(arguments) => arguments.run(),
            What::Sky(arguments) => arguments.run(),
            What::Sun(arguments) => arguments.run(),
        }
    }
}
