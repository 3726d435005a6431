//! What a camera's rays leave: samples per pixel in, bytes out.

use super::color::{Color, srgb_byte};
use crate::failure::Result;
use crate::precision::Number;
use lanecast::Ray;
use lanecast_makers::Pinhole;
use std::ops::Range;
use std::path::Path;

/// The rays of a picture: `samples` per pixel, pixel after pixel, row after row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampling {
    pub(crate) camera: Pinhole,
    pub(crate) samples: u32,
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    /// Where the camera's own picture begins in it: beyond its edges the camera sees on.
    pub(crate) corner: [f64; 2],
}

impl Sampling {
    /// The camera's own picture.
    pub(crate) fn new(camera: Pinhole, samples: u32) -> Self {
        Self { camera, samples, size: camera.size(), corner: [0.0; 2] }
    }

    /// How many rays the picture takes.
    pub(crate) fn len(&self) -> usize {
        let [width, height] = self.size.map(|side| side as usize);
        width * height * self.samples as usize
    }

    /// The picture's rays cut into pieces of whole pixels, of about `rays` rays each.
    pub(crate) fn pieces(&self, rays: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let samples = self.samples as usize;
        let (len, piece) = (self.len(), (rays / samples).max(1) * samples);
        (0..len).step_by(piece).map(move |start| start..len.min(start + piece))
    }

    /// Replaces `rays` by those of a piece.
    ///
    /// Within a pixel the samples lie on the R2 sequence (Roberts 2018, the plastic number's
    /// powers), which fills a square evenly for any number of them.
    pub(crate) fn rays<T: Number>(&self, piece: Range<usize>, rays: &mut Vec<Ray<T>>) {
        const STEP: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053];
        let (samples, width) = (self.samples as usize, self.size[0] as usize);
        rays.clear();
        rays.extend(piece.map(|index| {
            let (pixel, sample) = (index / samples, index % samples);
            let [x, y] = STEP.map(|step| (0.5 + step * sample as f64).fract());
            self.ray_through([(pixel % width) as f64 + x, (pixel / width) as f64 + y])
        }));
    }

    /// The ray through a point of the picture.
    pub(crate) fn ray_through<T: Number>(&self, [x, y]: [f64; 2]) -> Ray<T> {
        T::through(&self.camera, [x - self.corner[0], y - self.corner[1]])
    }
}

/// Pixels that gather samples, in linear light.
#[derive(Debug, Clone)]
pub(crate) struct Film {
    size: [u32; 2],
    samples: u32,
    pixels: Vec<Color>,
}

impl Film {
    /// A black film for the samples of a camera.
    pub(crate) fn new(sampling: &Sampling) -> Self {
        let size = sampling.size;
        let pixels = vec![[0.0; 3]; size[0] as usize * size[1] as usize];
        Self { size, samples: sampling.samples, pixels }
    }

    /// Adds the colour that ray `index` of the sampling saw.
    pub(crate) fn add(&mut self, index: usize, color: Color) {
        let pixel = &mut self.pixels[index / self.samples as usize];
        let weight = 1.0 / self.samples as f32;
        *pixel = std::array::from_fn(|channel| pixel[channel] + color[channel] * weight);
    }

    /// Runs of so many pixels, each with the number of its first, to be filled by whoever takes
    /// them.
    pub(crate) fn runs(&mut self, pixels: usize) -> impl Iterator<Item = (usize, &mut [Color])> {
        (0..).step_by(pixels).zip(self.pixels.chunks_mut(pixels))
    }

    /// Lays a colour over the pixel at a point of the picture, if the point is in it.
    pub(crate) fn tint(&mut self, [x, y]: [f64; 2], color: Color, weight: f32) {
        let [width, height] = self.size.map(f64::from);
        if (0.0..width).contains(&x) && (0.0..height).contains(&y) {
            let pixel = &mut self.pixels[y as usize * self.size[0] as usize + x as usize];
            *pixel = super::mix(*pixel, color, weight);
        }
    }

    /// Writes the picture as PNG.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let bytes: Vec<u8> = self.pixels.iter().flat_map(|pixel| pixel.map(srgb_byte)).collect();
        Ok(lanecast_io::write_png(path, self.size[0], self.size[1], &bytes)?)
    }
}
