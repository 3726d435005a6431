//! `lanecast terrain sun`: for how long the sun shines on each pixel.

use super::ground::{Rasters, Read, mean};
use super::horizon::TERRAIN;
use super::viewshed::height;
use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::machine::MachineArguments;
use crate::number::counted;
use crate::pace::{Clock, Pace};
use crate::report;
use clap::Args;
use lanecast_makers::Utc;
use serde::Serialize;

#[derive(Debug, Args)]
#[command(after_help = help::short("terrain sun", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    #[command(flatten)]
    rasters: Rasters,
    /// The first time, in UTC: 2026-12-21T06:30
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Utc,
    /// The last time, in UTC
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Utc,
    /// The step of time: 15m, 90s or 1h
    #[arg(long, value_name = "STEP", default_value = "15m", value_parser = step)]
    step: Step,
    /// The latitude of the raster, in degrees to the north
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    latitude: f64,
    /// The longitude of the raster, in degrees to the east of Greenwich
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    longitude: f64,
    /// How far above the terrain the sun is looked at
    #[arg(long, value_name = "H", default_value_t = 0.0, value_parser = height, allow_hyphen_values = true)]
    height: f64,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print a summary as JSON, and show no progress
    #[arg(long)]
    json: bool,
}

/// In seconds.
#[derive(Debug, Clone, Copy)]
struct Step(f64);

fn after_help() -> String {
    format!(
        "\
The answer is the number of hours for which nothing touches the line from the terrain at the centre of
a pixel to the middle of the sun, while that is above the horizontal. The time is cut into steps, of
which the last may be shorter, and the sun stands for each where it is in its middle, as seen from the
latitude and longitude, which are the same for the whole raster: no coordinate reference system is
interpreted. It is there within 0.01 degrees, without refraction. {TERRAIN}

The output has the grid and the coordinate reference system of the raster. It holds 32-bit floats, and
no data where the raster has none.

Examples:
  lanecast terrain sun dem.tif -o sun.tif --from 2026-12-21T00:00 --to 2026-12-22T00:00 --latitude 47.4 --longitude 8.5
  lanecast terrain sun dem.tif -o sun.tif --from 2026-06-21T10:00Z --to 2026-06-21T12:30Z --step 5m --latitude -33.9 --longitude 151.2

{EXIT_CODES}"
    )
}

/// Reads `YYYY-MM-DD`, with `THH:MM` and `:SS` behind it or not, and `Z` or not.
fn time(text: &str) -> Result<Utc, String> {
    let expected = || "expected a time in UTC, as in 2026-12-21T06:30 or 2026-12-21".to_owned();
    let whole = text.strip_suffix('Z').unwrap_or(text);
    let (date, clock) = whole.split_once('T').unwrap_or((whole, "00:00"));
    let digits = |part: &str, count: usize| {
        let is_right = part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
        is_right.then(|| part.parse::<u16>().ok()).flatten()
    };
    let read = || {
        let [date, clock] = [(date, '-'), (clock, ':')]
            .map(|(part, between)| part.split(between).collect::<Vec<_>>());
        let [year, month, day] = date[..] else { return None };
        let (&[hour, minute], seconds) = clock.split_at_checked(2)? else { return None };
        let second = match seconds {
            [] => 0,
            [seconds] => digits(seconds, 2)?,
            _ => return None,
        };
        let two = |part: &str| digits(part, 2).map(|number| number as u8);
        Some(Utc {
            year: digits(year, 4)?,
            month: two(month)?,
            day: two(day)?,
            hour: two(hour)?,
            minute: two(minute)?,
            second: second.into(),
        })
    };
    let time = read().ok_or_else(expected)?;
    time.julian_day().map(|_| time).map_err(|error| error.to_string())
}

/// Reads a number with its unit.
fn step(text: &str) -> Result<Step, String> {
    let seconds =
        [("s", 1.0), ("m", 60.0), ("h", 3600.0)].into_iter().find_map(|(unit, seconds)| {
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            Some(number * seconds).filter(|step| *step > 0.0 && step.is_finite())
        });
    seconds.map(Step).ok_or_else(|| {
        "expected a time with s, m or h for seconds, minutes or hours, as in 15m".to_owned()
    })
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(flatten)]
    read: Read,
    steps: usize,
    /// Of these, with the sun above the horizontal.
    steps_of_day: usize,
    rays: u64,
    mean_hours: Option<f64>,
    #[serde(flatten)]
    pace: Pace,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let rasters = &self.rasters;
        let Step(step) = self.step;
        let suns = lanecast_terrain::suns(self.from, self.to, step, self.latitude, self.longitude)?;
        rasters.check_outputs(std::slice::from_ref(&rasters.output), &[])?;
        let ground = rasters.ground(&self.machine, &mut clock)?;
        let steps_of_day = suns.iter().filter(|(sun, _)| sun.altitude > 0.0).count();
        let rays = steps_of_day * ground.terrain.pixels().len();
        let answering = (&mut clock, !self.json);
        let found = ground.answer(rasters, answering, rays, |terrain, options, watch| {
            terrain.sun_hours(&suns, self.height, options, watch)
        })?;
        let summary = Summary {
            read: ground.read(rasters),
            steps: suns.len(),
            steps_of_day,
            rays: rays as u64,
            mean_hours: mean(&found),
            pace: Pace::of_rays(rays as u64, &clock, &ground.built, &ground.machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &rasters.output)
    }
}

impl Summary {
    fn line(&self) -> String {
        let (steps, rays) = (counted(self.steps, "step"), counted(self.rays, "ray"));
        let (held, pace) = (self.read.held.words(), self.pace.words());
        let Read { rows, columns, .. } = self.read;
        let (by_day, hours) = (self.steps_of_day, self.mean_hours.unwrap_or_default());
        format!(
            "{steps}, {by_day} by day, of {rows} × {columns} pixels at {held}: {hours:.2} hours of \
             sun on average; {rays}; {pace}"
        )
    }
}
