//! What real scanners have and exact rays do not: the options, and what they mean.

use crate::arguments::pair;
use crate::failure::{Failure, Result};
use crate::precision::Number;
use clap::{Args, ValueEnum};
use lanecast::{Maker, Ray};
use lanecast_makers::{Footprint, Keep, Receiver};

/// What real scanners have and exact rays do not.
#[derive(Debug, Args)]
#[command(next_help_heading = "Noise")]
pub(super) struct Noise {
    /// The standard deviation of distances, and if you like what it grows by with each unit of
    /// distance
    #[arg(long, value_name = "SIGMA[,PART]", value_parser = deviation, hide_short_help = true)]
    range_noise: Option<[f64; 2]>,
    /// Up to here a pulse that meets a surface head-on surely comes back. Other pulses come back
    /// with a probability of cos(incidence) * (this / distance)^2; without this option all do
    #[arg(long, value_name = "RANGE", hide_short_help = true)]
    reference_range: Option<f64>,
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
