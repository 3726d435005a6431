//! What real scanners have and exact rays do not: the options, and what they mean.

use crate::arguments::pair;
use crate::failure::{Failure, Result};
use crate::mesh::{Meshes, Of, ValueFile, Values};
use crate::numbers::{self, Table};
use crate::output::extension;
use crate::precision::Number;
use clap::{Args, ValueEnum};
use lanecast::{Maker, Ray, Scene};
use lanecast_io::{Mesh, excerpt};
use lanecast_makers::{Footprint, Geometries, Keep, Receiver, Reflectance};
use std::path::{Path, PathBuf};

/// What real scanners have and exact rays do not.
#[derive(Debug, Args)]
#[command(next_help_heading = "Noise")]
pub(super) struct Noise {
    /// The standard deviation of distances, and if you like what it grows by with each unit of
    /// distance
    #[arg(long, value_name = "SIGMA[,PART]", value_parser = deviation, hide_short_help = true)]
    range_noise: Option<[f64; 2]>,
    /// Up to here a pulse that meets a white surface head-on surely comes back. Other pulses come
    /// back with a probability of reflectance * cos(incidence) * (this / distance)^2, their
    /// intensity; without this option all do, and intensities do not fall with distance
    #[arg(long, value_name = "RANGE", hide_short_help = true)]
    reference_range: Option<f64>,
    /// How much of the light that meets them surfaces scatter, from 0 to 1: one number for all, or a
    /// csv file with the columns geometry, a name or a geometry_id, and reflectance; or FILE:COLUMN, a
    /// column of a csv or npz file, or an npy file, with one for each triangle or face of the mesh; 1
    /// unless given
    #[arg(long, value_name = "NUMBER|FILE", value_parser = reflectance, hide_short_help = true)]
    reflectance: Option<Told>,
    /// The full angle of beams, in milliradians, where the irradiance is 1/e^2 of that on the axis;
    /// needs --resolution
    #[arg(long, value_name = "MRAD", hide_short_help = true)]
    divergence: Option<f64>,
    /// By how many rays a beam with a divergence is cast
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = clap::value_parser!(u32).range(2..=4096), requires = "divergence", hide_short_help = true)]
    sub_rays: u32,
    /// How far behind each other surfaces must be to give a return each, half the length of a
    /// pulse: nearer ones give one
    #[arg(long, value_name = "DISTANCE", requires = "divergence", hide_short_help = true)]
    resolution: Option<f64>,
    /// Which returns of a beam with a divergence are written
    #[arg(long, value_enum, default_value_t = Returns::Strongest, requires = "divergence", hide_short_help = true)]
    pub(super) returns: Returns,
    /// The seed of random numbers, 0 unless given: the same gives the same noise on every machine
    #[arg(long, value_name = "N", hide_short_help = true)]
    seed: Option<u64>,
}

/// Returns of a pulse.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Returns {
    /// The one of most power
    Strongest,
    /// The nearest
    First,
    /// The farthest
    Last,
    /// Each, the nearest first
    All,
}

/// A reflectance as it is typed.
#[derive(Debug, Clone)]
enum Told {
    Even(f64),
    OfGeometries(PathBuf),
    OfFaces(ValueFile),
}

/// Reads a number from 0 to 1, or else a file.
fn reflectance(text: &str) -> Result<Told, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(Told::Even(number)),
        Ok(_) => Err("expected a number from 0 to 1, or a csv file".to_owned()),
        Err(_) => Ok(match ValueFile::parse(text) {
            ValueFile { path, column: None } if !is_of_values(&path) => Told::OfGeometries(path),
            file => Told::OfFaces(file),
        }),
    }
}

/// Whether a file holds numbers alone, and so no names of geometries.
fn is_of_values(path: &Path) -> bool {
    matches!(extension(path).as_str(), "npy" | "npz")
}

/// The reflectances of surfaces, before there is a scene of these.
#[derive(Debug)]
pub(super) enum Reflectances {
    Even(f64),
    OfGeometries(PathBuf, Table<2, String>),
    OfFaces(ValueFile),
}

impl Reflectances {
    /// Of the geometries of the scene that is made of these meshes.
    pub(super) fn meaning<T: Number>(
        &self,
        scene: &Scene<T>,
        (mesh, meshes): (&Path, &Meshes<T>),
    ) -> Result<Reflectance> {
        match self {
            Self::Even(reflectance) => Ok(Reflectance::even(*reflectance)?),
            Self::OfGeometries(path, table) => of_geometries(scene, path, table),
            Self::OfFaces(file) => {
                let otherwise = "--reflectance takes a table of geometries";
                let known = [Of::Triangles, Of::Faces];
                let values = Values::new(file, known, (mesh, meshes), otherwise)?;
                let about = |problem| Failure::about(file.path.display(), problem);
                if let Some(row) = values.values.iter().position(|v| !(0.0..=1.0).contains(v)) {
                    let value = values.values[row];
                    return Err(about(format!("value {row} is {value}; it must be from 0 to 1")));
                }
                let of_mesh = |mesh: (usize, &Mesh<T>)| -> Vec<f64> {
                    let of = |triangle| values.of_triangle(mesh, triangle).map(f64::from);
                    (0..mesh.1.triangles.len()).filter_map(of).collect()
                };
                let each: Vec<_> = meshes.iter().enumerate().map(of_mesh).collect();
                let rows: Vec<_> = scene
                    .geometry_ids()
                    .filter_map(|id| Some((Geometries::Id(id), &**each.get(id as usize)?)))
                    .collect();
                Ok(Reflectance::of_geometries(scene, &rows)?)
            }
        }
    }

    /// The columns of the table that are not read.
    pub(super) fn ignored(&self) -> &[String] {
        if let Self::OfGeometries(_, table) = self { &table.ignored } else { &[] }
    }
}

/// By a table of geometries, whose lines refusals name.
fn of_geometries<T: Number>(
    scene: &Scene<T>,
    path: &Path,
    table: &Table<2, String>,
) -> Result<Reflectance> {
    let about = |row: usize, problem: String| {
        Failure::about(path.display(), format!("line {}: {problem}", table.lines[row]))
    };
    let number = |(row, [_, reflectance]): (usize, &[String; 2])| {
        reflectance.parse().map_err(|_| {
            let text = excerpt(reflectance);
            about(row, format!("column \"reflectance\": {text:?} is not a number"))
        })
    };
    let numbers: Vec<f64> = table.rows.iter().enumerate().map(number).collect::<Result<_>>()?;
    let geometries = table.rows.iter().map(|[geometry, _]| Geometries::Named(geometry));
    let rows: Vec<_> = geometries.zip(numbers.iter().map(std::slice::from_ref)).collect();
    Reflectance::of_geometries(scene, &rows).map_err(|error| match error {
        lanecast::Error::UnusableRow { row, problem, .. } => about(row, problem),
        other => other.into(),
    })
}

/// Reads a number, or two.
fn deviation(text: &str) -> Result<[f64; 2], String> {
    let parts = if text.contains(',') { pair(text) } else { pair(&format!("{text},0")) };
    parts.map_err(|_| "expected a number or two, as in 0.02 or 0.02,0.001".to_owned())
}

impl Noise {
    pub(super) fn receiver(&self) -> Result<Receiver<'static>> {
        if self.seed.is_some() && self.range_noise.is_none() && self.reference_range.is_none() {
            return Err(Failure::about("--seed", "goes with --range-noise and --reference-range"));
        }
        let keep = match self.returns {
            Returns::Strongest => Keep::Strongest,
            Returns::First => Keep::First,
            Returns::Last => Keep::Last,
            Returns::All => Keep::All,
        };
        let [constant, proportional] = self.range_noise.unwrap_or_default();
        Receiver::new()
            .seed(self.seed.unwrap_or_default())
            .keep(keep)
            .range_noise(constant, proportional)
            .and_then(|receiver| {
                receiver.reference_range(self.reference_range.unwrap_or(f64::INFINITY))
            })
            .and_then(|receiver| receiver.resolution(self.resolution.unwrap_or_default()))
            .map_err(refused)
    }

    /// The file of reflectances, if there is one.
    pub(super) fn table(&self) -> Option<&Path> {
        match self.reflectance.as_ref()? {
            Told::Even(_) => None,
            Told::OfGeometries(path) | Told::OfFaces(ValueFile { path, .. }) => Some(path),
        }
    }

    pub(super) fn reflectances(&self) -> Result<Option<Reflectances>> {
        let told = self.reflectance.as_ref().map(|told| match told {
            Told::Even(reflectance) => Ok(Reflectances::Even(*reflectance)),
            Told::OfGeometries(path) => {
                let text = |text: &str| Ok(text.to_owned());
                let table = numbers::read_as(path, ["geometry", "reflectance"], 0, text)?;
                Ok(Reflectances::OfGeometries(path.clone(), table))
            }
            Told::OfFaces(file) => Ok(Reflectances::OfFaces(file.clone())),
        });
        told.transpose()
    }

    /// The cones of beams, if they have a divergence.
    pub(super) fn footprint<'a, T: Number>(
        &self,
        beams: &'a dyn Maker<Ray<T>>,
    ) -> Result<Option<Footprint<'a, T>>> {
        if self.divergence.is_some() && self.resolution.is_none() {
            let problem = "give --resolution too: how far behind each other surfaces must be to give a return each";
            return Err(Failure::about("--divergence", problem));
        }
        let cones =
            self.divergence.map(|divergence| Footprint::new(beams, divergence, self.sub_rays));
        cones.transpose().map_err(refused)
    }
}

/// What is said of a refused option.
fn refused(error: lanecast::Error) -> Failure {
    let typed = [
        ("noise", "--range-noise"),
        ("reference_range", "--reference-range"),
        ("resolution", "--resolution"),
        ("divergence", "--divergence"),
        ("rays", "--sub-rays"),
    ];
    Failure::of_maker(error, &typed.map(|(field, option)| (field, option.to_owned())))
}
