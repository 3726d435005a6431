//! Whether a subcommand works in f32 or in f64: by what was typed, or by what its files need.

use crate::output::is_standard;
use clap::{Args, ValueEnum};
use lanecast::{Maker, Ray};
use lanecast_io::Coordinate;
use lanecast_makers::{Lidar, Pinhole, Wide};
use std::path::Path;

/// The option of subcommands that work in both.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PrecisionArguments {
    /// Work in auto, f32 or f64
    ///
    /// In f64 the mesh is read, its tree built and rays or points are answered without rounding to
    /// f32, at two thirds of the speed. auto, unless given, is f64 where f32 could move coordinates
    /// of the mesh by more than 1/2,000,000 of its size, which it can wherever they are more than
    /// 16 times as large as the mesh, and where it moves an origin or a point among the first
    /// 65,536 of its file by more than that. Later ones, and those from a pipe, are not looked at
    /// ahead: where f32 moves one by that much, it is said.
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

/// Whether a path is that of a file, and no pipe.
pub(crate) fn can_be_read_twice(path: &Path) -> bool {
    !is_standard(path) && path.is_file()
}
