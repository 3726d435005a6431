//! Whether a subcommand works in f32 or in f64: by what was typed, or by what its files need.

use crate::failure::Result;
use crate::mesh::shown;
use crate::output::is_standard;
use crate::report;
use clap::{Args, ValueEnum};
use lanecast::{Maker, Ray};
use lanecast_io::{Coordinate, PointChunk, PointReader, RayChunk, RayReader};
use lanecast_makers::{Lidar, Pinhole, Wide};
use std::path::Path;

/// The option of subcommands that work in both.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PrecisionArguments {
    /// Work in auto, f32 or f64
    ///
    /// In f64 the mesh is read, its tree built and rays or points are answered without rounding to f32, at two thirds of the
    /// speed. auto, unless given, is f64 where f32 has fewer than 100,000 steps for the size of the mesh, or would move an origin or a point
    /// among the first 65,536 of its file by half such a part of that size. Rays and points from a pipe are not looked at ahead: it is said where f32 is as coarse as that.
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        default_value_t = Precision::Auto,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(crate) precision: Precision,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Precision {
    /// f64 where coordinates need it
    Auto,
    /// Whatever is lost by that
    F32,
    /// Always
    F64,
}

/// Numbers of a precision.
pub(crate) trait Number: Coordinate + std::fmt::LowerExp + lanecast_makers::Number {
    const NAME: &'static str;

    /// The rays of a scanner.
    fn beams<'a>(lidar: &'a Lidar) -> Box<dyn Maker<Ray<Self>> + 'a>;

    /// The ray of a camera through a point of its picture.
    fn through(camera: &Pinhole, at: [f64; 2]) -> Ray<Self>;
}

impl Number for f32 {
    const NAME: &'static str = "f32";

    fn beams<'a>(lidar: &'a Lidar) -> Box<dyn Maker<Ray> + 'a> {
        Box::new(lidar.clone())
    }

    fn through(camera: &Pinhole, at: [f64; 2]) -> Ray {
        camera.ray_through(at)
    }
}

impl Number for f64 {
    const NAME: &'static str = "f64";

    fn beams<'a>(lidar: &'a Lidar) -> Box<dyn Maker<Ray<Self>> + 'a> {
        Box::new(Wide::new(lidar))
    }

    fn through(camera: &Pinhole, at: [f64; 2]) -> Ray<Self> {
        Wide::new(camera).ray_through(at)
    }
}

/// The parts of a mesh's size by which coordinates may be moved.
const FINE_ENOUGH: f64 = 200_000.0;
/// How many rows are looked at ahead.
const ROWS: usize = 1 << 16;

/// Whether rounding moves a coordinate by more than a mesh of this size bears. Numbers that no scene takes do not count.
pub(crate) fn moves_any(points: impl Iterator<Item = [f64; 3]>, size: f64) -> bool {
    let most = size / FINE_ENOUGH;
    let moves = |x: f64| x.abs() <= 1e30 && (x - f64::from(x as f32)).abs() > most;
    size > 0.0 && points.flatten().any(moves)
}

/// Whether the origins of a file of rays need f64 at a mesh of this size.
pub(crate) fn rays_need_f64(path: &Path, size: f64) -> Result<bool> {
    if !can_be_read_twice(path) {
        return Ok(false);
    }
    let (mut reader, mut chunk) = (RayReader::<f64>::open(path)?, RayChunk::default());
    reader.next_chunk(ROWS, &mut chunk)?;
    Ok(moves_any(chunk.rays.iter().map(|ray| ray.origin), size))
}

/// The same of a file of points.
pub(crate) fn points_need_f64(path: &Path, size: f64) -> Result<bool> {
    if !can_be_read_twice(path) {
        return Ok(false);
    }
    let (mut reader, mut chunk) = (PointReader::<f64>::open(path)?, PointChunk::default());
    reader.next_chunk(ROWS, &mut chunk)?;
    Ok(moves_any(chunk.points.iter().copied(), size))
}

/// Says once that what comes from a pipe may be rounded: nobody looked at it ahead.
pub(crate) struct PipeWatch<'a> {
    path: &'a Path,
    /// By how much it may be moved; infinite where nothing is to be said.
    most: f64,
}

impl<'a> PipeWatch<'a> {
    /// In the precision `T`, beside a mesh of this size.
    pub(crate) fn new<T: Number>(path: &'a Path, size: f64) -> Self {
        let is_narrow = T::NAME == "f32" && size > 0.0 && !path.is_file();
        Self { path, most: if is_narrow { size / FINE_ENOUGH } else { f64::INFINITY } }
    }

    pub(crate) fn look<T: Number>(&mut self, points: impl Iterator<Item = [T; 3]>) {
        if self.most.is_infinite() {
            return;
        }
        let magnitudes = points.flatten().map(|x| x.to_f64().abs());
        let farthest = magnitudes.filter(|x| *x <= 1e30).fold(0.0, f64::max) as f32;
        let step = f64::from(farthest.next_up() - farthest);
        if step / 2.0 > self.most {
            self.most = f64::INFINITY;
            report::complain(&format!(
                "{}: coordinates as far as {farthest} are read as f32, in steps of {step}; give --precision f64",
                shown(self.path)
            ));
        }
    }
}

/// Whether a path is that of a file, and no pipe.
pub(crate) fn can_be_read_twice(path: &Path) -> bool {
    !is_standard(path) && path.is_file()
}
