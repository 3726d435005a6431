//! What all of `lanecast terrain` have in common: the raster of heights as ground, how it is asked,
//! and the raster that is written.

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::machine::{Machine, MachineArguments};
use crate::mesh::{Built, Held};
use crate::output::{Output, Overwriting};
use crate::pace::Clock;
use crate::progress::Progress;
use crate::report;
use clap::Args;
use lanecast::{CastOptions, SceneBuilder, Watch};
use lanecast_io::{GeoKeys, Raster, RasterGrid, RasterWriter, Sample, read_raster};
use lanecast_terrain::Terrain;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The raster that is read, and the one that is written.
#[derive(Debug, Args)]
pub(super) struct Rasters {
    /// The raster of heights: a GeoTIFF (tif, tiff) or an ESRI ASCII grid (asc)
    pub(super) raster: PathBuf,
    /// The raster of the answers, in one of the same formats
    #[arg(short, long, value_name = "RASTER")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
}

/// A raster of heights that can be asked.
pub(super) struct Ground {
    pub(super) raster: Raster,
    pub(super) terrain: Terrain,
    pub(super) built: Built<f64>,
    pub(super) machine: Machine,
}

/// The first fields of the JSON summary.
#[derive(Debug, Serialize)]
pub(super) struct Read {
    raster: String,
    pub(super) rows: usize,
    pub(super) columns: usize,
    #[serde(flatten)]
    pub(super) held: Held,
}

impl Rasters {
    /// Refuses outputs that cannot be written; other inputs are no outputs either.
    pub(super) fn check_outputs(&self, outputs: &[PathBuf], others: &[&Path]) -> Result<()> {
        let inputs = [&[&*self.raster], others].concat();
        let check = |path: &PathBuf| {
            Output { path, inputs: &inputs, overwriting: self.overwriting }.check()
        };
        outputs.iter().try_for_each(check)
    }

    /// Reads the raster and builds its terrain.
    pub(super) fn ground(&self, machine: &MachineArguments, clock: &mut Clock) -> Result<Ground> {
        let machine = machine.meaning()?;
        let name = self.raster.display();
        let raster = clock.reading(|| read_raster(&self.raster))?;
        let RasterGrid { rows, columns, transform: [a, b, _, d, e, _], .. } = raster.grid;
        let height = |&value: &f64| if raster.grid.is_nodata(value) { f64::NAN } else { value };
        let heights: Vec<f64> = raster.values.iter().map(height).collect();
        if heights.iter().all(|height| height.is_nan()) {
            return Err(Failure::about(name, "no pixel holds data"));
        }
        if raster.grid.crs.as_ref().is_some_and(GeoKeys::is_geographic) {
            report::complain(&format!(
                "{name}: x and y are longitude and latitude in degrees, heights are not: \
                 gdalwarp -t_srs gives them one unit"
            ));
        }
        let [x, y] = raster.grid.centre(0, 0);
        let start = Instant::now();
        let builder =
            SceneBuilder::<f64>::default().backend(machine.backend).threads(&machine.threads);
        let terrain = Terrain::new(&heights, [rows, columns], [a, b, x, d, e, y], builder);
        let terrain = terrain.map_err(|error| Failure::about(name, error))?;
        let seconds = start.elapsed().as_secs_f64();
        let built = Built { scene: Arc::clone(terrain.scene()), seconds, is_opened: false };
        Ok(Ground { raster, terrain, built, machine })
    }
}

impl Ground {
    pub(super) fn read(&self, rasters: &Rasters) -> Read {
        Read {
            raster: rasters.raster.display().to_string(),
            rows: self.raster.grid.rows,
            columns: self.raster.grid.columns,
            held: Held::new(&self.built.scene),
        }
    }

    /// Asks the terrain, with progress over so many things, until an interrupt.
    pub(super) fn ask<R>(
        &self,
        (interrupt, clock): (&Interrupt, &mut Clock),
        shown: bool,
        (total, things): (usize, &str),
        ask: impl FnOnce(&Terrain, &CastOptions<'_, f64>, &Watch<'_>) -> lanecast::Result<R>,
    ) -> Result<R> {
        let progress = Progress::new(shown, Some(total as u64), things);
        let watch = |within: lanecast::Progress| {
            progress.set(within.done as u64);
            interrupt.flow()
        };
        let answers = clock.asking(|| ask(&self.terrain, &self.machine.options(), &watch));
        drop(progress);
        interrupt.check()?;
        Ok(answers?)
    }

    /// Asks the terrain for a number of each pixel, and writes these as floats of 32 bits.
    pub(super) fn answer(
        &self,
        rasters: &Rasters,
        (clock, shown): (&mut Clock, bool),
        rays: usize,
        ask: impl FnOnce(&Terrain, &CastOptions<'_, f64>, &Watch<'_>) -> lanecast::Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        let interrupt = Interrupt::listen();
        let grid = self.grid_of_floats();
        // Before the work, as not every file can hold every grid.
        let writer = RasterWriter::create(&rasters.output, &grid, Sample::F32)?;
        let found = self.ask((&interrupt, &mut *clock), shown, (rays, "rays"), ask)?;
        clock.writing(|| writer.write(&floats(&found, &grid)))?;
        Ok(found)
    }

    /// The grid of whole numbers that are not negative: that of the raster, with a value for pixels
    /// without data that is no answer.
    pub(super) fn grid_of_counts(&self) -> RasterGrid {
        self.grid(-1.0, |nodata| nodata < 0.0 && nodata.fract() == 0.0 && nodata > -2e9)
    }

    /// The same of angles, shares and hours, as floats of 32 bits.
    pub(super) fn grid_of_floats(&self) -> RasterGrid {
        self.grid(-9999.0, |nodata| nodata < -90.0 && f64::from(nodata as f32) == nodata)
    }

    fn grid(&self, nodata: f64, is_usable: impl Fn(f64) -> bool) -> RasterGrid {
        let own = self.raster.grid.nodata.filter(|own| is_usable(*own));
        RasterGrid { nodata: own.or(Some(nodata)), ..self.raster.grid.clone() }
    }
}

/// Answers as a file of floats of 32 bits holds them.
pub(super) fn floats(answers: &[f64], grid: &RasterGrid) -> Vec<f64> {
    let nodata = grid.nodata.unwrap_or(f64::NAN);
    let float = |answer: &f64| if answer.is_nan() { nodata } else { f64::from(*answer as f32) };
    answers.iter().map(float).collect()
}

/// The mean of the answers that there are, in the words of a summary's field: none without any.
pub(super) fn mean(answers: &[f64]) -> Option<f64> {
    let data: Vec<f64> = answers.iter().copied().filter(|answer| !answer.is_nan()).collect();
    (!data.is_empty()).then(|| data.iter().sum::<f64>() / data.len() as f64)
}
