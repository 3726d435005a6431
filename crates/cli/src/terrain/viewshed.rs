//! `lanecast terrain viewshed`: how many observers see each pixel.

use super::ground::{Rasters, Read};
use crate::arguments::not_negative;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::inputs::PointFormat;
use crate::interrupt::Interrupt;
use crate::machine::MachineArguments;
use crate::number::{counted, grouped};
use crate::pace::{Clock, Pace};
use crate::report;
use clap::Args;
use lanecast_io::{PointChunk, RasterWriter, Sample};
use lanecast_terrain::{Seen, Sight};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = help::short("terrain viewshed", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    #[command(flatten)]
    rasters: Rasters,
    /// Where the observers stand: points, in the coordinates of the raster
    ///
    /// As lanecast points takes them. x and y count: an observer stands on the terrain there,
    /// whatever its z.
    #[arg(long, value_name = "POINTS")]
    observers: PathBuf,
    #[command(flatten)]
    points_format: PointFormat,
    /// How far above the terrain the eyes of observers are
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    observer_height: f64,
    /// How far above the terrain is what they are to see
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    target_height: f64,
    /// How far an observer sees along the ground, in the units of the raster
    #[arg(long, value_name = "D", value_parser = height, allow_hyphen_values = true)]
    max_distance: Option<f64>,
    /// Which observers see each pixel, by a bit for each of up to 32
    #[arg(long)]
    bits: bool,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print a summary as JSON, and show no progress
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
The terrain is two triangles between the centres of four neighbouring pixels, and there are none at
pixels without data. An observer sees a pixel if no triangle touches the line from its eyes to the
place above the centre of the pixel; the first and the last millionth of the line do not count, as
its ends may lie on the terrain. All is computed in f64. The earth is flat: neither its curvature
nor refraction is taken into account.

The output has the grid and the coordinate reference system of the raster. It holds 32-bit integers,
the number of observers, or with --bits a sum: 1 if the first of the file sees the pixel, 2 if the
second does, 4, 8 and so on, in 64 bits where there are 32 observers. Pixels without data have none in
it either. An observer beside the raster, or where it has no data, sees nothing, and is counted in a
warning. What is below the terrain is ground: nobody sees through a hole from below it.

Examples:
  lanecast terrain viewshed dem.tif -o seen.tif --observers masts.csv --observer-height 30
  lanecast terrain viewshed dem.asc -o seen.asc --observers hut.csv --observer-height 1.7 --max-distance 5000

{EXIT_CODES}"
    )
}

pub(super) fn height(text: &str) -> Result<f64, String> {
    not_negative(text, 1e29, "1.7")
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(flatten)]
    read: Read,
    observers: usize,
    /// How many of them stand beside the terrain.
    beside: usize,
    lines: u64,
    in_sight: u64,
    /// Pixels that one observer sees at least.
    seen: usize,
    #[serde(flatten)]
    pace: Pace,
}

/// Observers that bits tell apart.
const MOST_BITS: usize = 32;

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let rasters = &self.rasters;
        rasters.check_outputs(std::slice::from_ref(&rasters.output), &[&self.observers])?;
        let ground = rasters.ground(&self.machine, &mut clock)?;
        let places = clock.reading(|| self.places())?;
        if self.bits && places.len() > MOST_BITS {
            let observers = counted(places.len(), "observer");
            let problem = format!("{observers}; a pixel has bits for {MOST_BITS} at most");
            return Err(Failure::about(self.observers.display(), problem));
        }
        let eyes = ground.terrain.eyes(&places, self.observer_height, &ground.machine.options())?;
        let beside = eyes.iter().filter(|eye| eye.is_none()).count();
        if let Some(first) = eyes.iter().position(Option::is_none) {
            let observers = counted(beside, "observer");
            let places = "beside the raster, or where it has no data";
            report::complain(&format!(
                "{}: {observers} {places}, the first in row {first}",
                self.observers.display()
            ));
        }
        // Up to here there is nothing to clean up, and an interrupt ends the program by itself.
        let interrupt = Interrupt::listen();
        let grid = ground.grid_of_counts();
        // The sign of 32 bits is that of no data.
        let needs_64 = self.bits && eyes.len() == MOST_BITS;
        let sample = if needs_64 { Sample::I64 } else { Sample::I32 };
        let writer = RasterWriter::create(&rasters.output, &grid, sample)?;
        let max_distance = self.max_distance.unwrap_or(f64::INFINITY);
        let sight = Sight { target_height: self.target_height, max_distance };
        let lines = (eyes.len() - beside) * ground.terrain.pixels().len();
        let asking = (&interrupt, &mut clock);
        let seen = ground.ask(
            asking,
            !self.json,
            (lines, "lines"),
            |terrain, options, watch| match self.bits {
                true => terrain.viewshed_bits(&eyes, &sight, options, watch),
                false => terrain.viewshed_counts(&eyes, &sight, options, watch),
            },
        )?;
        let Seen { pixels, lines, in_sight } = seen;
        let value = |(value, height): (&u32, &f64)| {
            let nodata = grid.nodata.unwrap_or(f64::NAN);
            if height.is_nan() { nodata } else { f64::from(*value) }
        };
        let values: Vec<f64> = pixels.iter().zip(ground.terrain.heights()).map(value).collect();
        clock.writing(|| writer.write(&values))?;
        let summary = Summary {
            read: ground.read(rasters),
            observers: places.len(),
            beside,
            lines,
            in_sight,
            seen: pixels.iter().filter(|value| **value > 0).count(),
            pace: Pace::of_rays(lines, &clock, &ground.built, &ground.machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &rasters.output)
    }

    /// x and y of the observers.
    fn places(&self) -> Result<Vec<[f64; 2]>> {
        const ROWS: usize = 1 << 16;
        let (mut reader, mut chunk) =
            (self.points_format.open::<f64>(&self.observers)?, PointChunk::default());
        let mut places = Vec::new();
        while reader.next_chunk(ROWS, &mut chunk)? {
            places.extend(chunk.points.iter().map(|[x, y, _]| [*x, *y]));
        }
        report::name_ignored(&self.observers, reader.ignored_columns());
        Ok(places)
    }
}

impl Summary {
    fn line(&self) -> String {
        let observers = counted(self.observers, "observer");
        let (lines, seen) = (counted(self.lines, "line"), grouped(self.seen as u64));
        let (held, pace) = (self.read.held.words(), self.pace.words());
        format!(
            "{observers} at {held}: {} of {lines} in sight, {seen} of {} × {} pixels seen; {pace}",
            grouped(self.in_sight),
            self.read.rows,
            self.read.columns
        )
    }
}
