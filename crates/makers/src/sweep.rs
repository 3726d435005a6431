//! How a scanner aims its beams: what turns or bends them from firing to firing.

use crate::common::*;
use std::f64::consts::TAU;

/// A prism that rotates about the y of a [`Lidar`](crate::Lidar) and bends its beams.
///
/// A beam is bent by the sum of the deflections, each in its own direction at a time: the
/// first-order theory of Risley prisms (Marshall, "Risley prism scan patterns", Proc. SPIE 3787,
/// 1999). The field of view of two is a circle of twice their sum. Refraction by two equal prisms of
/// glass with that field strays from the theory by up to 0.1 degrees in a field of 20 degrees, 0.8
/// in one of 40.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prism {
    /// How far a beam is bent, in degrees: where it is small, n - 1 times the angle between the
    /// faces of a prism with the refractive index n.
    pub deflection: f64,
    /// Turns a second, counter-clockwise as the scanner looks; the other way if negative.
    pub rate: f64,
    /// Whereto beams are bent by the first firing, in degrees from x towards z.
    pub phase: f64,
}

/// What aims beams.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sweep {
    /// Nothing: each beam has a direction of its own, as the shots of a pattern have.
    Still,
    /// The scanner turns around z, from one azimuth to another in each turn.
    Level([f64; 2]),
    /// It lies on its side and turns around y, between angles from straight down, and fires in
    /// the first part of the time of a turn.
    Across {
        angles: [f64; 2],
        duty: f64,
    },
    Prisms(Vec<Prism>),
}

/// When a beam is fired: how far within its turn, from 0 to 1, how long after the others of its
/// firing, as a part of a turn's time, and how many seconds after the first firing of all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) within: f64,
    pub(crate) delayed: f64,
    pub(crate) passed: f64,
}

impl Sweep {
    /// The part of a turn's time in which it fires.
    pub(crate) fn duty(&self) -> f64 {
        if let Self::Across { duty, .. } = self { *duty } else { 1.0 }
    }

    /// How far the scanner has turned, in degrees; 0 if it does not turn.
    pub(crate) fn angle(&self, Moment { within, delayed, .. }: Moment) -> f64 {
        let (&[from, to], duty) = match self {
            Self::Level(sector) => (sector, 1.0),
            Self::Across { angles, duty } => (angles, *duty),
            Self::Still | Self::Prisms(_) => return 0.0,
        };
        from + (to - from) * (within + delayed / duty)
    }

    pub(crate) fn at(&self, moment: Moment) -> Turn {
        let turned = || libm::sincos(self.angle(moment).to_radians());
        match self {
            Self::Still => Turn::Level((0.0, 1.0)),
            Self::Level(_) => Turn::Level(turned()),
            Self::Across { .. } => Turn::Across(turned()),
            Self::Prisms(prisms) => {
                let [mut x, mut z] = [0.0; 2];
                for &Prism { deflection, rate, phase } in prisms {
                    // Of many turns the part that counts is taken first: the sum of all would
                    // leave few digits of it.
                    let turns = rate * moment.passed + phase / 360.0;
                    let (sine, cosine) = libm::sincos(TAU * (turns - libm::floor(turns)));
                    (x, z) = (x + deflection * cosine, z + deflection * sine);
                }
                let bent = length([x, z]);
                let towards = if bent > 0.0 { [x / bent, z / bent] } else { [0.0; 2] };
                Turn::Bent { towards, by: libm::sincos(bent.to_radians()) }
            }
        }
    }
}

/// What is done to all directions of beams at a time. Angles are as sine and cosine.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turn {
    /// Clockwise around z.
    Level((f64, f64)),
    /// The same, and then laid down so that y is straight down and z ahead.
    Across((f64, f64)),
    /// From y towards a direction in the plane of x and z.
    Bent { towards: [f64; 2], by: (f64, f64) },
}

impl Turn {
    #[inline(always)]
    pub(crate) fn carry(&self, [x, y, z]: Vector) -> Vector {
        match *self {
            Self::Level((sine, cosine)) => [x * cosine + y * sine, y * cosine - x * sine, z],
            Self::Across((sine, cosine)) => [x * cosine + y * sine, z, x * sine - y * cosine],
            Self::Bent { towards: [right, up], by: (sine, cosine) } => {
                // A turn in the plane of y and the direction: its part of the beam is `along`.
                let along = x * right + z * up;
                let moved = along * cosine + y * sine - along;
                [x + moved * right, y * cosine - along * sine, z + moved * up]
            }
        }
    }
}
