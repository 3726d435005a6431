//! How much of the sky is open above a pixel.

use crate::Terrain;
use crate::ground::refused;
use crate::horizon::{self, View, sin_cos};
use crate::work::Work;
use lanecast::support::with_default_float_mode;
use lanecast::{CastOptions, Result, Watch};
use std::f64::consts::FRAC_PI_2;

/// The most azimuths of a sky.
const MOST_AZIMUTHS: usize = 36_000;

/// The plane that looks at the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plane {
    /// Level, wherever it lies.
    #[default]
    Horizontal,
    /// The slope of the ground at the pixel: the mean gradient of the triangles that meet there.
    Surface,
}

impl Terrain {
    /// The sky view factor of each pixel: the share of the light of an even sky that reaches a plane
    /// there, from 0 to 1; NaN at pixels without data. That is the share of the hemisphere above the
    /// plane that is open, weighted by the cosine of the angle with its normal.
    ///
    /// With the elevation h of the [`horizon`](Self::horizon) towards each azimuth φ, at least that
    /// of the plane itself, it is the mean over azimuths of
    ///
    /// ```text
    /// cos β · cos² h + sin β · cos(φ − γ) · (π/2 − h − sin h · cos h)
    /// ```
    ///
    /// for a plane that slopes by β down towards γ: the integral over the open sky, exact but for
    /// the steps of azimuth (Dozier and Frew, "Rapid calculation of terrain parameters for radiation
    /// modeling from digital elevation data", IEEE Transactions on Geoscience and Remote Sensing,
    /// 1990; so in HORAYZON, Steger, Steger and Schär, Geoscientific Model Development, 2022). Of a
    /// horizontal plane it is the mean of cos² h. The sky-view factor of Zakšek, Oštir and Kokalj
    /// (Remote Sensing, 2011) is another: its hemisphere has no weights, and so 1 − sin h.
    ///
    /// # Errors
    /// Those of [`horizon`](Self::horizon), and
    /// [`Error::UnusableField`](lanecast::Error::UnusableField) unless azimuths are from 1 to 36000.
    pub fn sky_view(
        &self,
        azimuths: usize,
        plane: Plane,
        view: &View,
        options: &CastOptions<'_, f64>,
        watch: &Watch<'_>,
    ) -> Result<Vec<f64>> {
        if !(1..=MOST_AZIMUTHS).contains(&azimuths) {
            let problem = format!("are {azimuths}; they must be from 1 to {MOST_AZIMUTHS}");
            return Err(refused("sky view", "azimuths", &problem));
        }
        with_default_float_mode(|| {
            let mut open = vec![f64::NAN; self.heights().len()];
            for &pixel in self.pixels() {
                open[pixel as usize] = 0.0;
            }
            let gradients: Vec<[f64; 2]> = match plane {
                Plane::Horizontal => Vec::new(),
                Plane::Surface => {
                    (0..open.len() as u32).map(|pixel| self.gradient(pixel)).collect()
                }
            };
            let total = azimuths.saturating_mul(self.rays_of_horizon(view));
            let mut work = Work::new(options, watch, total);
            for azimuth in horizon::azimuths(azimuths) {
                let (east, north) = sin_cos(azimuth);
                self.each_horizon(azimuth, view, &mut work, |pixel, elevation| {
                    let [along_x, along_y] =
                        gradients.get(pixel as usize).copied().unwrap_or_default();
                    let rise = along_x * east + along_y * north;
                    let steepness = (1.0 + along_x * along_x + along_y * along_y).sqrt();
                    open[pixel as usize] += share(elevation.to_radians(), rise) / steepness;
                })?;
            }
            Ok(open.into_iter().map(|sum| sum / azimuths as f64).collect())
        })
    }
}

/// The open sky above an elevation in radians, divided by the cosine of the slope of a plane that
/// rises so much towards the azimuth: sin β · cos(φ − γ) is −cos β times that.
fn share(elevation: f64, rise: f64) -> f64 {
    let elevation = elevation.max(libm::atan(rise));
    let (sine, cosine) = libm::sincos(elevation);
    cosine * cosine - rise * (FRAC_PI_2 - elevation - sine * cosine)
}
