//! A camera that sees in all directions.

use super::checks::Asked;
use super::runs::for_each_run;
use super::vector::{Vector, add, cross, length, ray, scale, unit};
use crate::columns::Maker;
use crate::error::Result;
use crate::simd::with_default_float_mode;
use crate::value::Ray;
use std::f64::consts::{PI, TAU};

const ASKED: Asked = Asked("panorama");

/// The largest side of a panorama: each line and column takes memory.
const LARGEST: usize = 1 << 20;

/// A camera that sees in all directions, as an equirectangular picture. Longitude runs across it: half a turn to the left at
/// the left edge, forward in the middle, half a turn to the right at the right edge. Latitude runs down it, from straight up
/// at the upper edge to straight down at the lower.
///
/// Rays go through the middles of pixels, line by line from the top. Directions have length 1: `t` is the distance
/// from the eye.
#[derive(Debug, Clone, PartialEq)]
pub struct Panorama {
    eye: Vector,
    up: Vector,
    /// The level directions of the columns.
    columns: Vec<Vector>,
    /// For each line, the cosine and sine of its latitude: the parts along these, and upwards.
    lines: Vec<[f64; 2]>,
}

impl Panorama {
    /// A panorama around `eye` with `size` pixels, to the side and down. The part of `forward` perpendicular to `up` is in
    /// the middle.
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField): a number is not finite or beyond 2¹⁰⁰, `up` is zero,
    /// `forward` is zero or along `up`, a side of `size` is 0 or above 2²⁰.
    pub fn new(eye: [f64; 3], forward: [f64; 3], up: [f64; 3], size: [u32; 2]) -> Result<Self> {
        with_default_float_mode(|| {
            let eye = ASKED.point("eye", eye)?;
            let up = unit(ASKED.direction("up", up)?);
            let right = cross(unit(ASKED.direction("forward", forward)?), up);
            if length(right) < 1e-9 {
                return ASKED.refuse("forward", format!("is {forward:?}, which goes along up"));
            }
            let [width, height] = ASKED.size("size", size)?;
            if width.max(height) > LARGEST {
                return ASKED.refuse("size", format!("is {width} x {height}; sides are at most {LARGEST}"));
            }
            let right = unit(right);
            let forward = cross(up, right);
            let column = |x: usize| {
                let (sine, cosine) = libm::sincos(((x as f64 + 0.5) / width as f64 - 0.5) * TAU);
                add(scale(forward, cosine), scale(right, sine))
            };
            let line = |y: usize| {
                let (sine, cosine) = libm::sincos((0.5 - (y as f64 + 0.5) / height as f64) * PI);
                [cosine, sine]
            };
            Ok(Self {
                eye,
                up,
                columns: (0..width).map(column).collect(),
                lines: (0..height).map(line).collect(),
            })
        })
    }
}

impl Maker<Ray> for Panorama {
    fn len(&self) -> usize {
        self.columns.len() * self.lines.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray]) {
        for_each_run(self.columns.len(), first, rays, |line, place, rays| {
            let [level, rise] = self.lines[line];
            let upwards = scale(self.up, rise);
            for (made, &column) in rays.iter_mut().zip(&self.columns[place..]) {
                *made = ray(self.eye, add(scale(column, level), upwards));
            }
        });
    }
}
