//! `lanecast terrain viewshed`: how many observers see each pixel.

use crate::arguments::not_negative;
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::inputs::PointFormat;
use crate::interrupt::Interrupt;
use crate::machine::{Machine, MachineArguments};
use crate::mesh::{Built, Held};
use crate::number::{counted, grouped};
use crate::output::{Output, Overwriting};
use crate::pace::{Clock, Pace};
use crate::progress::Progress;
use crate::report;
use clap::Args;
use lanecast::answers::SightMatrix;
use lanecast::primitive::HeightField;
use lanecast::{Ray, SceneBuilder, SightLines};
use lanecast_io::{PointChunk, Raster, RasterGrid, RasterWriter, Sample, read_raster};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(after_help = help::short("terrain viewshed", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The raster of heights: a GeoTIFF (tif, tiff) or an ESRI ASCII grid (asc)
    raster: PathBuf,
    /// The raster of counts, in one of the same formats
    #[arg(short, long, value_name = "RASTER")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
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

The output has the grid and the coordinate reference system of the raster. It holds 32-bit integers;
pixels without data have none in it either. An observer beside the raster, or where it has no data,
sees nothing, and is counted in a warning.

Examples:
  lanecast terrain viewshed dem.tif -o seen.tif --observers masts.csv --observer-height 30
  lanecast terrain viewshed dem.asc -o seen.asc --observers hut.csv --observer-height 1.7 --max-distance 5000

{EXIT_CODES}"
    )
}

fn height(text: &str) -> Result<f64, String> {
    not_negative(text, 1e29, "1.7")
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    raster: String,
    rows: usize,
    columns: usize,
    #[serde(flatten)]
    held: Held,
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

/// Lines that are cast at a time.
const PIECE: usize = 1 << 18;
/// The part of a line, at each end, where nothing blocks it.
const PART: f64 = 1e-6;

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let machine = self.machine.meaning()?;
        let inputs = [&*self.raster, &*self.observers];
        Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting }.check()?;
        let raster = clock.reading(|| read_raster(&self.raster))?;
        let places = clock.reading(|| self.places())?;
        let about = |error| Failure::about(self.raster.display(), error);
        let field = raster.height_field::<f64>([0.0; 2]).map_err(about)?;
        let start = Instant::now();
        let builder =
            SceneBuilder::<f64>::default().backend(machine.backend).threads(&machine.threads);
        let scene = builder.height_field(field.clone()).and_then(SceneBuilder::build);
        let scene = Arc::new(scene.map_err(about)?);
        let seconds = start.elapsed().as_secs_f64();
        let built = Built { scene, seconds, is_opened: false };

        let eyes = self.eyes(&built, &machine, &field, &places)?;
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
        let grid = grid_of_counts(&raster);
        let writer = RasterWriter::create(&self.output, &grid, Sample::I32)?;
        let targets = targets(&raster, &field, self.target_height);
        // Nobody knows how many are near.
        let total =
            self.max_distance.is_none().then(|| ((places.len() - beside) * targets.len()) as u64);
        let mut view = View {
            targets,
            max_distance: self.max_distance,
            counts: vec![0_u32; raster.values.len()],
            lines: 0,
            interrupt: &interrupt,
            progress: Progress::new(!self.json, total, "lines"),
        };
        for eye in eyes.into_iter().flatten() {
            clock.asking(|| view.look(&built, &machine, eye))?;
        }
        let View { counts, lines, progress, .. } = view;
        drop(progress);
        interrupt.check()?;
        let value = |(count, height): (&u32, &f64)| {
            let nodata = grid.nodata.unwrap_or(f64::NAN);
            if raster.grid.is_nodata(*height) { nodata } else { f64::from(*count) }
        };
        let values: Vec<f64> = counts.iter().zip(&raster.values).map(value).collect();
        clock.writing(|| writer.write(&values))?;
        let summary = Summary {
            raster: self.raster.display().to_string(),
            rows: grid.rows,
            columns: grid.columns,
            held: Held::new(&built.scene),
            observers: places.len(),
            beside,
            lines,
            in_sight: counts.iter().map(|count| u64::from(*count)).sum(),
            seen: counts.iter().filter(|count| **count > 0).count(),
            pace: Pace::of_rays(lines, &clock, &built, &machine),
        };
        report::sum_up(&summary, || summary.line(), self.json, &self.output)
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

    /// The eyes of the observers; none of those that do not stand on the terrain.
    fn eyes(
        &self,
        built: &Built<f64>,
        machine: &Machine,
        field: &HeightField<f64>,
        places: &[[f64; 2]],
    ) -> Result<Vec<Option<[f64; 3]>>> {
        // A NaN changes nothing.
        let top = field.heights().iter().fold(f64::NEG_INFINITY, |top, height| top.max(*height));
        if top == f64::NEG_INFINITY {
            return Err(Failure::about(self.raster.display(), "no pixel holds data"));
        }
        let down: Vec<Ray<f64>> =
            places.iter().map(|[x, y]| Ray::new([*x, *y, top + 1.0], [0.0, 0.0, -1.0])).collect();
        let hits = built.scene.cast(&down).with(&machine.options()).closest()?;
        let eye = |(row, [x, y]): (usize, &[f64; 2])| {
            let hit = hits.hit(row)?;
            Some([*x, *y, top + 1.0 - hit.t + self.observer_height])
        };
        Ok(places.iter().enumerate().map(eye).collect())
    }
}

/// The grid of the output: that of the raster, with a value for pixels without data that is no
/// count.
fn grid_of_counts(raster: &Raster) -> RasterGrid {
    let is_usable = |nodata: &f64| *nodata < 0.0 && nodata.fract() == 0.0 && *nodata > -2e9;
    RasterGrid {
        nodata: raster.grid.nodata.filter(is_usable).or(Some(-1.0)),
        ..raster.grid.clone()
    }
}

/// What is to be seen of each pixel with data, and its number.
fn targets(raster: &Raster, field: &HeightField<f64>, raised: f64) -> Vec<([f64; 3], usize)> {
    let RasterGrid { rows, columns, transform: [a, .., e, _], .. } = raster.grid;
    let mut targets = Vec::new();
    for (number, _) in
        raster.values.iter().enumerate().filter(|(_, value)| !raster.grid.is_nodata(**value))
    {
        let (row, column) = (number / columns, number % columns);
        // The vertices of the field ascend.
        let row = if e < 0.0 { rows - 1 - row } else { row };
        let column = if a < 0.0 { columns - 1 - column } else { column };
        let [x, y, z] = field.vertex(row, column);
        targets.push(([x, y, z + raised], number));
    }
    targets
}

/// What observers have seen so far.
struct View<'a> {
    targets: Vec<([f64; 3], usize)>,
    max_distance: Option<f64>,
    counts: Vec<u32>,
    lines: u64,
    interrupt: &'a Interrupt,
    progress: Progress,
}

impl View<'_> {
    /// Counts what an observer sees.
    fn look(&mut self, built: &Built<f64>, machine: &Machine, eye: [f64; 3]) -> Result<()> {
        let (mut matrix, mut places, mut numbers) =
            (SightMatrix::default(), Vec::new(), Vec::new());
        for some in self.targets.chunks(PIECE) {
            let is_near = |([x, y, _], _): &&([f64; 3], usize)| {
                self.max_distance.is_none_or(|most| (x - eye[0]).hypot(y - eye[1]) <= most)
            };
            places.clear();
            numbers.clear();
            for (place, number) in some.iter().filter(is_near) {
                places.push(*place);
                numbers.push(*number);
            }
            let before = self.lines;
            let watch = |within: lanecast::Progress| {
                self.progress.set(before + within.done as u64);
                self.interrupt.flow()
            };
            let options = machine.options().watch(&watch);
            let eyes = [eye];
            let lines = SightLines::new(&eyes, &places)?.shortened(PART)?;
            built.scene.sight(&lines).with(&options).matrix_into(&mut matrix)?;
            for (place, number) in numbers.iter().enumerate() {
                self.counts[*number] += u32::from(matrix.sees(0, place));
            }
            self.lines += places.len() as u64;
            self.interrupt.check()?;
        }
        Ok(())
    }
}

impl Summary {
    fn line(&self) -> String {
        let observers = counted(self.observers, "observer");
        let (lines, seen) = (counted(self.lines, "line"), grouped(self.seen as u64));
        let (held, pace) = (self.held.words(), self.pace.words());
        format!(
            "{observers} at {held}: {} of {lines} in sight, {seen} of {} × {} pixels seen; {pace}",
            grouped(self.in_sight),
            self.rows,
            self.columns
        )
    }
}
