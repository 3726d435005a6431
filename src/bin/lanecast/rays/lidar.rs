//! A spinning laser scanner: beams fanned out up and down, turned once around.

use super::ray;
use crate::vector::Vector;
use lanecast::Ray;
use std::f64::consts::TAU;

/// A scanner that stands upright, z being up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scanner {
    pub(crate) position: Vector,
    /// Beams one above the other.
    pub(crate) beams: u32,
    /// Altitude of the lowest and of the highest beam, in degrees.
    pub(crate) altitudes: [f64; 2],
    /// Shots of each beam in one turn.
    pub(crate) steps: u32,
}

impl Scanner {
    /// The rays of one turn, in the order in which they are shot: all beams at one azimuth, then
    /// the next azimuth. `t` is the distance.
    pub(crate) fn rays(&self) -> Vec<Ray> {
        let [lowest, highest] = self.altitudes.map(f64::to_radians);
        let between = f64::from(self.beams.saturating_sub(1).max(1));
        let beams: Vec<_> = (0..self.beams)
            .map(|beam| (lowest + (highest - lowest) * f64::from(beam) / between).sin_cos())
            .collect();
        (0..self.steps)
            .flat_map(|step| {
                let (east, north) = (TAU * f64::from(step) / f64::from(self.steps)).sin_cos();
                beams.iter().map(move |&(up, level)| ray(self.position, [level * east, level * north, up]))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_has_every_beam_at_every_step() {
        let scanner = Scanner { position: [0.0; 3], beams: 3, altitudes: [-30.0, 30.0], steps: 4 };
        let rays = scanner.rays();
        assert_eq!(rays.len(), 12);
        let [north, east] = [rays[1], rays[4]].map(|ray| ray.direction.map(|x| (x * 100.0).round()));
        assert_eq!((north, east), ([0.0, 100.0, 0.0], [87.0, 0.0, -50.0]));
        assert!(rays.iter().all(|ray| ray.defect().is_none()));
    }
}
