//! `lanecast terrain sky`: how much of the sky is open above each pixel.

use super::ground::{Rasters, Read, mean};
use super::horizon::{TERRAIN, ViewArguments};
use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::machine::MachineArguments;
use crate::number::counted;
use crate::pace::{Clock, Pace};
use crate::report;
use clap::{Args, ValueEnum};
use lanecast_terrain::Plane;
use serde::Serialize;

#[derive(Debug, Args)]
#[command(after_help = help::short("terrain sky", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    #[command(flatten)]
    rasters: Rasters,
    /// How many azimuths of the horizon, at even steps
    #[arg(long, value_name = "N", default_value_t = 36, value_parser = clap::value_parser!(u16).range(1..=3600))]
    azimuths: u16,
    /// The plane that looks at the sky
    #[arg(long, value_name = "PLANE", default_value = "horizontal")]
    plane: PlaneName,
    #[command(flatten)]
    view: ViewArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print a summary as JSON, and show no progress
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PlaneName {
    /// Level, wherever it lies
    Horizontal,
    /// The slope of the terrain at the pixel
    Surface,
}

fn after_help() -> String {
    format!(
        "\
The sky view factor is the share of the light of an even sky that reaches a plane: the share of the
hemisphere above it that is open, weighted by the cosine of the angle with its normal; 1 on a plain.
Of a horizontal plane it is the mean over azimuths of cos² h, with the elevation h of the horizon, 0
at least (Dozier and Frew 1990). --plane surface takes the slope of the terrain, the mean of the
triangles at the pixel, as HORAYZON does (Steger and others 2022). The sky-view factor of Zakšek and
others (2011) is another, the mean of 1 - sin h. {TERRAIN}

The output has the grid and the coordinate reference system of the raster. It holds 32-bit floats, and
no data where the raster has none.

Examples:
  lanecast terrain sky dem.tif -o sky.tif
  lanecast terrain sky dem.tif -o sky.tif --plane surface --azimuths 72 --max-distance 20000

{EXIT_CODES}"
    )
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(flatten)]
    read: Read,
    azimuths: usize,
    tolerance_degrees: f64,
    rays: u64,
    mean_share: Option<f64>,
    #[serde(flatten)]
    pace: Pace,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let (rasters, view) = (&self.rasters, self.view.meaning());
        rasters.check_outputs(std::slice::from_ref(&rasters.output), &[])?;
        let ground = rasters.ground(&self.machine, &mut clock)?;
        let azimuths = usize::from(self.azimuths);
        let plane = match self.plane {
            PlaneName::Horizontal => Plane::Horizontal,
            PlaneName::Surface => Plane::Surface,
        };
        let rays = ground.terrain.rays_of_horizon(&view) * azimuths;
        let answering = (&mut clock, !self.json);
        let found = ground.answer(rasters, answering, rays, |terrain, options, watch| {
            terrain.sky_view(azimuths, plane, &view, options, watch)
        })?;
        let summary = Summary {
            read: ground.read(rasters),
            azimuths,
            tolerance_degrees: view.tolerance,
            rays: rays as u64,
            mean_share: mean(&found),
            pace: Pace::of_rays(rays as u64, &clock, &ground.built, &ground.machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &rasters.output)
    }
}

impl Summary {
    fn line(&self) -> String {
        let (azimuths, rays) = (counted(self.azimuths, "azimuth"), counted(self.rays, "ray"));
        let (held, pace) = (self.read.held.words(), self.pace.words());
        let Read { rows, columns, .. } = self.read;
        let share = self.mean_share.unwrap_or_default();
        format!(
            "{azimuths} of {rows} × {columns} pixels at {held}: {share:.3} of the sky is open on \
             average; {rays}; {pace}"
        )
    }
}
