//! Light on surfaces: from a sun or a wide lamp, from all around as far as things nearby leave it
//! open, and from the camera.

use super::surface::Spot;
use crate::picture::{Color, mix};
use crate::rays::ray;
use crate::vector::{Vector, add, cross, dot, scale, sub, unit};
use lanecast::Ray;
use lanecast_io::Coordinate;

/// How a scene is lit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Light {
    /// Towards the lamp.
    pub(super) lamp: Vector,
    /// The tangent of half the angle that the lamp takes up; a sun takes none.
    pub(super) spread: f64,
    pub(super) up: Vector,
    pub(super) lamp_color: Color,
    /// From straight above, and from below.
    pub(super) around: [Color; 2],
    /// Along with the camera.
    pub(super) camera: f32,
    pub(super) gloss: f32,
    /// How many rays for each sample look for the lamp, and how many for what is around.
    pub(super) rays: [u32; 2],
    /// How far off something still takes light away; the farther, the less.
    pub(super) reach: f64,
}

/// The number of a pixel along a Hilbert curve ("Über die stetige Abbildung einer Linie auf ein
/// Flächenstück", 1891) over 2¹⁵ × 2¹⁵ pixels.
///
/// Rays of pixels that follow each other on it take numbers of a sequence that do, so that errors
/// of neighbours cancel out: they look like fine grain, as in Ahmed and Wonka, "Screen-space
/// blue-noise diffusion of Monte Carlo sampling error via hierarchical ordering of pixels", 2020.
pub(super) fn hilbert([mut x, mut y]: [u32; 2]) -> u64 {
    let mut number = 0;
    for bit in (0..15).rev() {
        let (right, down) = (x >> bit & 1, y >> bit & 1);
        number = 4 * number + u64::from((3 * right) ^ down);
        if down == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    number
}

/// A place in the unit cube of a sequence that fills it evenly (Roberts, "The unreasonable
/// effectiveness of quasirandom sequences", 2018).
fn r3(index: u64) -> [f64; 3] {
    [0.819_172_513_396_164_4, 0.671_043_606_703_789_3, 0.549_700_477_901_970_3]
        .map(|step| (0.5 + step * index as f64).fract())
}

/// Two directions perpendicular to a unit vector and to each other.
fn tangents(axis: Vector) -> [Vector; 2] {
    let other = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = unit(cross(other, axis));
    [first, cross(axis, first)]
}

/// A direction around an axis: so far off it for its length, at this share of a turn.
fn around(axis: Vector, along: f64, off: f64, turn: f64) -> Vector {
    let [x, y] = tangents(axis);
    // Those of the system differ from machine to machine.
    let (sine, cosine) = libm::sincos(turn * std::f64::consts::TAU);
    add(scale(axis, along), add(scale(x, off * cosine), scale(y, off * sine)))
}

impl Light {
    /// Appends rays from a spot towards the lamp; `number` is that of the sample in the whole
    /// picture.
    pub(super) fn lamp_rays<T: Coordinate>(
        &self,
        spot: &Spot,
        number: u64,
        rays: &mut Vec<Ray<T>>,
    ) {
        let count = u64::from(self.rays[0]);
        for number in number * count..(number + 1) * count {
            let [radius, turn, _] = r3(number);
            let direction = around(self.lamp, 1.0, self.spread * radius.sqrt(), turn);
            rays.push(ray(spot.start, if self.spread > 0.0 { unit(direction) } else { self.lamp }));
        }
    }

    /// Appends rays from a spot to all around its normal, as many as the cosine makes count. What
    /// is near ends more of them than what is far: they are of all lengths up to the reach. None
    /// goes below the triangle.
    pub(super) fn open_rays<T: Coordinate>(
        &self,
        spot: &Spot,
        number: u64,
        rays: &mut Vec<Ray<T>>,
    ) {
        let count = u64::from(self.rays[1]);
        for number in number * count..(number + 1) * count {
            let [height, turn, length] = r3(number);
            let direction = around(spot.normal, (1.0 - height).sqrt(), height.sqrt(), turn);
            let below = dot(direction, spot.facet).min(0.0);
            let direction = sub(direction, scale(spot.facet, 2.0 * below));
            rays.push(Ray { t_max: T::nearest(self.reach * length), ..ray(spot.start, direction) });
        }
    }

    /// The light that a spot of a colour sends to the camera.
    pub(super) fn on_surface(&self, spot: &Spot, color: Color) -> Parts {
        let [from_lamp, ambient] = self.falls_on(spot.normal);
        let camera = self.camera * dot(spot.normal, spot.view).max(0.0) as f32;
        // Blinn 1977, "Models of light reflection for computer synthesized pictures".
        let half = unit(add(self.lamp, spot.view));
        let shine = self.gloss * (dot(half, spot.normal).max(0.0) as f32).powi(36);
        Parts {
            always: color.map(|channel| channel * camera * 0.4),
            lit: [0, 1, 2].map(|at: usize| color[at] * from_lamp[at] + self.lamp_color[at] * shine),
            open: [0, 1, 2].map(|at: usize| color[at] * (ambient[at] + camera * 0.6)),
        }
    }

    /// The light that comes from behind a ground of which so much shows: what the lamp does not
    /// reach is as much darker as even ground would be.
    pub(super) fn on_ground(&self, spot: &Spot, behind: Color, shows: f32) -> Parts {
        let [lamp, ambient] = self.falls_on(spot.normal);
        let share = |part: Color| {
            [0, 1, 2].map(|at: usize| {
                shows * behind[at] * part[at] / (lamp[at] + ambient[at]).max(f32::MIN_POSITIVE)
            })
        };
        Parts {
            always: behind.map(|channel| (1.0 - shows) * channel),
            lit: share(lamp),
            open: share(ambient),
        }
    }

    fn falls_on(&self, normal: Vector) -> [Color; 2] {
        let slant = dot(normal, self.lamp).max(0.0) as f32;
        let high = (0.5 + 0.5 * dot(normal, self.up)) as f32;
        let [above, below] = self.around;
        [self.lamp_color.map(|channel| channel * slant), mix(below, above, high)]
    }
}

/// Light by what it depends on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) always: Color,
    /// As far as the lamp is seen.
    pub(super) lit: Color,
    /// As far as what is around is seen.
    pub(super) open: Color,
}

impl Parts {
    /// All of it for the shares of the lamp and of what is around that are seen.
    pub(super) fn seen(&self, [lit, open]: [f32; 2]) -> Color {
        [0, 1, 2].map(|at: usize| self.always[at] + lit * self.lit[at] + open * self.open[at])
    }
}

#[cfg(test)]
#[path = "../../tests/unit/render/light.rs"]
mod tests;
