//! A landscape of any fineness: noise in octaves over a square of 1,000 units, z up.

use std::sync::Arc;

use crate::random::Random;
use crate::scenes::mesh::{Mesh, MeshBuilder};

/// How far it reaches along x and y.
const SIDE: f64 = 1000.0;

/// About so many triangles.
pub(crate) fn terrain(triangles: usize) -> Arc<Mesh> {
    let cells = ((triangles as f64 / 2.0).sqrt().round() as usize).max(2);
    let mut mesh = MeshBuilder::default();
    mesh.sheet(cells, cells, |y, x| [x * SIDE, y * SIDE, height(x * SIDE, y * SIDE)]);
    mesh.finish()
}

/// How high the land is at a place.
pub(crate) fn height(x: f64, y: f64) -> f64 {
    let (mut sum, mut amplitude, mut frequency) = (0.0, 90.0, 1.0 / 320.0);
    for octave in 0..12 {
        let value = noise(octave, x * frequency, y * frequency);
        // Ridges in the large, plain noise in the small.
        sum += amplitude * if octave < 4 { 1.0 - 2.0 * value.abs() } else { value };
        amplitude *= 0.47;
        frequency *= 2.03;
    }
    sum
}

/// Smooth noise between −1 and 1 with a lattice of unit width.
fn noise(octave: u64, x: f64, y: f64) -> f64 {
    let (left, low) = (x.floor(), y.floor());
    let (u, v) = (smooth(x - left), smooth(y - low));
    let at = |dx: f64, dy: f64| {
        let (column, row) = ((left + dx) as i64 as u64, (low + dy) as i64 as u64);
        let seed = octave
            ^ column.wrapping_mul(0x8da6_b343_d816_3841)
            ^ row.wrapping_mul(0xd816_3841_cb1a_b31f);
        Random(seed).number()
    };
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    mix(mix(at(0.0, 0.0), at(1.0, 0.0), u), mix(at(0.0, 1.0), at(1.0, 1.0), u), v)
}

fn smooth(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}
