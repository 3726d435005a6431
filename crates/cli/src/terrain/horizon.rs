//! `lanecast terrain horizon`: the elevation of the horizon around each pixel.

use super::ground::{Rasters, Read, floats, mean};
use super::viewshed::height;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::interrupt::Interrupt;
use crate::machine::MachineArguments;
use crate::number::counted;
use crate::pace::{Clock, Pace};
use crate::report;
use clap::Args;
use lanecast_io::{RasterWriter, Sample};
use lanecast_terrain::{View, azimuths};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = help::short("terrain horizon", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    #[command(flatten)]
    rasters: Rasters,
    /// How many azimuths, at even steps clockwise from north
    #[arg(long, value_name = "N", default_value_t = 36, value_parser = clap::value_parser!(u16).range(1..=3600))]
    azimuths: u16,
    #[command(flatten)]
    view: ViewArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print a summary as JSON, and show no progress
    #[arg(long)]
    json: bool,
}

/// From where, how far and how exactly horizons are seen.
#[derive(Debug, Args)]
pub(super) struct ViewArguments {
    /// How far above the terrain the eyes are
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    height: f64,
    /// How far terrain counts, along the ground, in the units of the raster
    #[arg(long, value_name = "D", value_parser = height, allow_hyphen_values = true)]
    max_distance: Option<f64>,
    /// By how many degrees an elevation may be wrong: from 0.001 to 45
    #[arg(long, value_name = "DEGREES", default_value_t = 0.01, value_parser = tolerance, allow_hyphen_values = true)]
    tolerance: f64,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=45.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.001 to 45, as in 0.01".to_owned())
}

impl ViewArguments {
    pub(super) fn meaning(&self) -> View {
        View {
            height: self.height,
            max_distance: self.max_distance.unwrap_or(f64::INFINITY),
            tolerance: self.tolerance,
        }
    }
}

/// What is said of the terrain by all that look at horizons.
pub(super) const TERRAIN: &str = "\
The terrain is two triangles between the centres of four neighbouring pixels, and there are none at
pixels without data. North is up: where y grows. Eyes on the terrain are a millionth of a pixel above
it, which is 0.0001 degrees at most. All is computed in f64. The earth is flat: neither its curvature
nor refraction is taken into account.";

fn after_help() -> String {
    format!(
        "\
The elevation of the horizon is the greatest angle with the horizontal, in degrees, at which a ray
from the eyes above the centre of a pixel touches the terrain: -90 where there is none in that
direction. It is found by bisection, which is right for whatever terrain: as eyes are above it, a ray
meets it if any ray above that one does. {TERRAIN}

A GeoTIFF has a band for each azimuth, of 32-bit floats: 0 is north, 90 east. An ESRI ASCII grid has
one band, so each azimuth has a file, named after it: horizon-000.asc, horizon-010.asc and so on of
-o horizon.asc. The output has the grid and the coordinate reference system of the raster, and no data
where that has none.

Examples:
  lanecast terrain horizon dem.tif -o horizon.tif --azimuths 36
  lanecast terrain horizon dem.asc -o horizon.asc --azimuths 8 --height 1.7 --max-distance 20000

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
    outputs: Vec<String>,
    rays: u64,
    mean_degrees: Option<f64>,
    #[serde(flatten)]
    pace: Pace,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let (rasters, view) = (&self.rasters, self.view.meaning());
        let azimuths = azimuths(self.azimuths.into());
        let is_text = rasters.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("asc"));
        let outputs: Vec<PathBuf> = match is_text {
            true => azimuths.iter().map(|azimuth| self.named_after(*azimuth)).collect(),
            false => vec![rasters.output.clone()],
        };
        rasters.check_outputs(&outputs, &[])?;
        let ground = rasters.ground(&self.machine, &mut clock)?;
        let interrupt = Interrupt::listen();
        let grid = ground.grid_of_floats();
        // Before the work, as not every file can hold every grid.
        let create = |path: &PathBuf| RasterWriter::create(path, &grid, Sample::F32);
        let writers: Vec<_> = outputs.iter().map(create).collect::<Result<_, _>>()?;
        let rays = ground.terrain.rays_of_horizon(&view) * azimuths.len();
        let asking = (&interrupt, &mut clock);
        let found = ground.ask(asking, !self.json, (rays, "rays"), |terrain, options, watch| {
            terrain.horizon(&azimuths, &view, options, watch)
        })?;
        let bands: Vec<Vec<f64>> =
            found.chunks(grid.rows * grid.columns).map(|band| floats(band, &grid)).collect();
        let names: Vec<String> =
            azimuths.iter().map(|azimuth| format!("azimuth {}", degrees(*azimuth))).collect();
        clock.writing(|| {
            let in_file = bands.len() / writers.len();
            let files = bands.chunks(in_file).zip(names.chunks(in_file)).zip(writers);
            for ((bands, names), writer) in files {
                interrupt.check()?;
                writer.write_bands(bands, names)?;
            }
            Ok::<(), Failure>(())
        })?;
        let summary = Summary {
            read: ground.read(rasters),
            azimuths: azimuths.len(),
            tolerance_degrees: view.tolerance,
            outputs: outputs.iter().map(|path| path.display().to_string()).collect(),
            rays: rays as u64,
            mean_degrees: mean(&found),
            pace: Pace::of_rays(rays as u64, &clock, &ground.built, &ground.machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &rasters.output)
    }

    /// The file of an azimuth: the name of the output with its degrees.
    fn named_after(&self, azimuth: f64) -> PathBuf {
        let output = &self.rasters.output;
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let (stem, end) = (part(output.file_stem()), part(output.extension()));
        output.with_file_name(format!("{stem}-{}.{end}", degrees(azimuth)))
    }
}

/// So that names are in the order of azimuths.
fn degrees(azimuth: f64) -> String {
    if azimuth.fract() == 0.0 { format!("{azimuth:03}") } else { format!("{azimuth:06.2}") }
}

impl Summary {
    fn line(&self) -> String {
        let (azimuths, rays) = (counted(self.azimuths, "azimuth"), counted(self.rays, "ray"));
        let (held, pace) = (self.read.held.words(), self.pace.words());
        let Read { rows, columns, .. } = self.read;
        format!("{azimuths} of {rows} × {columns} pixels at {held}: {rays}; {pace}")
    }
}
