//! A camera that sees in all directions.

use crate::common::*;
use crate::wide::InBoth;
use std::f64::consts::{PI, TAU};

const ASKED: Asked = Asked("panorama");

/// The largest side of a panorama: each line and column takes memory.
const LARGEST: usize = 1 << 20;

/// A camera that sees in all directions, as an equirectangular picture: longitude runs across it,
/// from half a turn to the left over forward in the middle to half a turn to the right; latitude
/// from straight up to straight down. Rays go through the middles of pixels, line by line from the
/// top. Directions have length 1: `t` is the distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Panorama {
    eye: Vector,
    up: Vector,
    columns: Vec<Vector>,
    /// For each line, the cosine and sine of its latitude: the parts along these, and upwards.
    lines: Vec<[f64; 2]>,
}

impl Panorama {
    /// A panorama around `eye` with `size` pixels, to the side and down, the part of `forward`
    /// across `up` in the middle.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a number not finite or beyond 2¹⁰⁰, `up` zero, `forward` zero or along `up`, a side of `size`
    /// 0 or above 2²⁰.
    pub fn new(eye: [f64; 3], forward: [f64; 3], up: [f64; 3], size: [u32; 2]) -> Result<Self> {
        with_default_float_mode(|| {
            let eye = ASKED.point("eye", eye)?;
            let up = unit(ASKED.direction("up", up)?);
            let right = cross(unit(ASKED.direction("forward", forward)?), up);
            ensure!(length(right) >= 1e-9, ASKED, "forward", "is {forward:?}, which goes along up");
            let [width, height] = ASKED.size("size", size)?;
            let is_usable = width.max(height) <= LARGEST;
            ensure!(is_usable, ASKED, "size", "is {width} x {height}; sides are at most {LARGEST}");
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
            let (columns, lines) =
                ((0..width).map(column).collect(), (0..height).map(line).collect());
            Ok(Self { eye, up, columns, lines })
        })
    }
}

impl InBoth for Panorama {
    fn count(&self) -> usize {
        self.columns.len() * self.lines.len()
    }

    fn make_rays<T: Number>(&self, first: usize, rays: &mut [Ray<T>]) {
        make_lines(self.columns.len(), first, rays, |line| {
            let [level, rise] = self.lines[line];
            let upwards = scale(self.up, rise);
            move |place| ray(self.eye, add(scale(self.columns[place], level), upwards))
        });
    }
}
