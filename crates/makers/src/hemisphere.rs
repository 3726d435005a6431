//! Directions over a hemisphere, as of light from the sky.

use crate::common::*;
use std::f64::consts::TAU;

const ASKED: Asked = Asked("hemisphere");

/// The most directions of a point: each takes memory.
const MOST: u32 = 1 << 20;

/// The fractional part of the golden ratio, the number farthest from fractions.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// The distribution of directions over a hemisphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Spread {
    /// Proportional to the cosine of the angle with the normal: equal shares of an even sky's light
    /// on a matt surface.
    #[default]
    Cosine,
    /// Uniform: each direction has the same share of the sky.
    Uniform,
}

/// The same number of rays from each of many points, into the hemisphere around the point's normal.
/// Those of a normal that is zero or not finite are not cast, and have the reason as status. Rays
/// start at the points: see [`Cast::skip`](lanecast::Cast::skip).
///
/// The rays of a point follow each other. Their directions, of length 1, are a lattice: each is
/// turned by the golden ratio from the one before, at even steps of height, or of its square. Each
/// point's lattice is turned and shifted by a random amount that depends only on the seed and the
/// point's number, so that neighbours have different errors.
#[derive(Clone)]
pub struct Hemisphere<'a, T = f32> {
    points: &'a [[T; 3]],
    normals: &'a [[T; 3]],
    spread: Spread,
    seed: u64,
    /// Sine and cosine of the angle of each direction, before it is turned with its point.
    turns: Vec<(f64, f64)>,
}

impl<T> std::fmt::Debug for Hemisphere<'_, T> {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Hemisphere");
        shown
            .field("points", &self.points.len())
            .field("directions", &self.turns.len())
            .field("spread", &self.spread)
            .finish_non_exhaustive()
    }
}

impl<'a, T: Number> Hemisphere<'a, T> {
    /// `directions` rays, from 1 to 2²⁰, from each point. Normals may have any length.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if normals are not as many as points, [`Error::UnusableField`] if
    /// `directions` are 0 or above 2²⁰.
    pub fn new(
        points: &'a [[T; 3]],
        normals: &'a [[T; 3]],
        directions: u32,
        spread: Spread,
    ) -> Result<Self> {
        let (found, expected) = (normals.len(), points.len());
        if found != expected {
            return Err(Error::ColumnLength { column: "normals", found, expected });
        }
        ASKED.within("directions", directions, 1..=MOST)?;
        ASKED.counted("directions", points.len(), directions as usize)?;
        let angle = |number: u32| {
            let turns = GOLDEN * f64::from(number);
            TAU * (turns - libm::floor(turns))
        };
        let turns =
            with_default_float_mode(|| (0..directions).map(|n| libm::sincos(angle(n))).collect());
        Ok(Self { points, normals, spread, seed: 0, turns })
    }

    /// The same points with lattices turned and shifted by another seed; the seed is 0 unless set.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

impl<T: Number> Maker<Ray<T>> for Hemisphere<'_, T> {
    fn len(&self) -> usize {
        self.points.len() * self.turns.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray<T>]) {
        let count = self.turns.len() as f64;
        make_lines(self.turns.len(), first, rays, |point| {
            let normal = unit(self.normals[point].map(T::to_f64));
            let [x, y] = tangents(normal);
            let [turn, shift] = random(self.seed, point as u64);
            let (sine, cosine) = libm::sincos(TAU * turn);
            let origin = self.points[point];
            move |number| {
                // From 0 to 1, 1 excluded: none of the directions is level.
                let u = (number as f64 + shift) / count;
                let [radius, height] = match self.spread {
                    // Malley's method: even on the disc below, lifted to the sphere.
                    Spread::Cosine => [u.sqrt(), (1.0 - u).sqrt()],
                    Spread::Uniform => [(u * (2.0 - u)).sqrt(), 1.0 - u],
                };
                let (s, c) = self.turns[number];
                let (along, across) = (c * cosine - s * sine, s * cosine + c * sine);
                let flat = add(scale(x, radius * along), scale(y, radius * across));
                Ray::new(origin, add(flat, scale(normal, height)).map(T::of_f64))
            }
        });
    }
}
