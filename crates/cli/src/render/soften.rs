//! Light without grain: the few rays of a pixel say how much of the lamp and of what is around it
//! sees, and the means of its neighbours on the same surface say it better. Edges stay sharp, for
//! only these shares are averaged.

use super::light::Parts;
use super::surface::Spot;
use crate::picture::Color;
use crate::vector::{Vector, add, dot, length, scale, sub};

/// How many pixels to each side count as neighbours.
pub(super) const REACH: usize = 3;

/// What the samples of a pixel saw, summed up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pixel {
    samples: u32,
    /// How many of them saw a surface, and how many the ground.
    spots: [u32; 2],
    color: Color,
    parts: Parts,
    shares: [f32; 2],
    normal: Vector,
    point: Vector,
}

impl Pixel {
    /// Adds a sample: what it sees, if that is on the ground, its light, and the shares of the lamp
    /// and of what is around.
    pub(super) fn add(&mut self, spot: Option<(Spot, bool)>, parts: &Parts, shares: [f32; 2]) {
        let sum = |a: Color, b: Color| [0, 1, 2].map(|channel: usize| a[channel] + b[channel]);
        self.samples += 1;
        self.color = sum(self.color, parts.seen(shares));
        let Parts { always, lit, open } = self.parts;
        self.parts = Parts {
            always: sum(always, parts.always),
            lit: sum(lit, parts.lit),
            open: sum(open, parts.open),
        };
        if let Some((spot, is_ground)) = spot {
            self.spots[usize::from(is_ground)] += 1;
            self.shares = [self.shares[0] + shares[0], self.shares[1] + shares[1]];
            self.normal = add(self.normal, spot.normal);
            self.point = add(self.point, spot.start);
        }
    }

    /// Whether all samples saw the same, bent little.
    fn is_even(&self) -> bool {
        self.spots.contains(&self.samples) && length(self.normal) > 0.95 * f64::from(self.samples)
    }

    /// Whether another pixel, as even as this one, shows the same surface: it lies near the plane
    /// of this one.
    fn continues_in(&self, other: &Self, share: f64) -> bool {
        let between = scale(sub(other.point, self.point), share);
        let normal = scale(self.normal, share);
        self.spots == other.spots
            && dot(normal, scale(other.normal, share)) > 0.9
            && dot(between, normal).abs() <= 0.25 * length(between)
    }
}

/// The colours of rows of pixels, of which the first `above` and those behind `colors` are only
/// neighbours.
pub(super) fn soften(pixels: &[Pixel], width: usize, above: usize, colors: &mut [Color]) {
    let even: Vec<bool> = pixels.iter().map(Pixel::is_even).collect();
    let height = pixels.len() / width;
    for (index, color) in colors.iter_mut().enumerate() {
        let index = index + above * width;
        let (pixel, share) = (&pixels[index], 1.0 / f64::from(pixels[index].samples));
        let mut mean = pixel.color;
        if even[index] {
            let (x, y) = (index % width, index / width);
            let (mut sums, mut count) = ([0.0; 2], 0.0);
            for row in y.saturating_sub(REACH)..(y + REACH + 1).min(height) {
                for column in x.saturating_sub(REACH)..(x + REACH + 1).min(width) {
                    let place = row * width + column;
                    if place == index || even[place] && pixel.continues_in(&pixels[place], share) {
                        let [lit, open] = pixels[place].shares;
                        sums = [sums[0] + lit, sums[1] + open];
                        count += pixels[place].samples as f32;
                    }
                }
            }
            mean = pixel.parts.seen(sums.map(|sum| sum / count));
        }
        *color = mean.map(|channel| channel * share as f32);
    }
}
