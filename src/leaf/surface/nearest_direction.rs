//! The unit vector that a map takes nearest to a point: to the closest point of the ellipsoid that
//! it makes of a sphere, or of the ellipse that it makes of a disc.

use super::Vector;
use crate::math::{dot, largest};
use crate::simd::MapEach;

/// The most sweeps and steps; 6 and 10 are usual.
const MOST_SWEEPS: usize = 40;
const MOST_STEPS: usize = 100;

/// The columns of A·V and of V, with those of A·V orthogonal: one-sided Jacobi rotations after
/// Hestenes, which find also the least σ to nearly all digits.
fn singular(mut columns: [Vector; 3]) -> [[Vector; 3]; 2] {
    let mut rotated = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..MOST_SWEEPS {
        let mut is_square = true;
        for [i, j] in [[0, 1], [0, 2], [1, 2]] {
            let (a, b, c) = (
                dot(columns[i], columns[i]),
                dot(columns[j], columns[j]),
                dot(columns[i], columns[j]),
            );
            if c.abs() <= f64::EPSILON * (a * b).sqrt() {
                continue;
            }
            is_square = false;
            let half = (b - a) / (2.0 * c);
            let tangent = 1.0_f64.copysign(half) / (half.abs() + (1.0 + half * half).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            let sine = cosine * tangent;
            for vectors in [&mut columns, &mut rotated] {
                let [p, q] = [vectors[i], vectors[j]];
                vectors[i] = [0, 1, 2].map_each(|axis| cosine * p[axis] - sine * q[axis]);
                vectors[j] = [0, 1, 2].map_each(|axis| sine * p[axis] + cosine * q[axis]);
            }
        }
        if is_square {
            break;
        }
    }
    [columns, rotated]
}

/// The unit vector that the map with these columns takes nearest to `q`; of several as near always
/// the same one.
///
/// The unit vector n makes |A·n − q| least, with A the map's linear part and q the point as seen
/// from the center. With A = U·diag(σ)·Vᵀ and z = Vᵀ·n this is zᵢ = σᵢyᵢ/(σᵢ² + λ), y = Uᵀ·q, for
/// the greatest λ at which the length of z is 1. Its length falls from infinity on λ > −σ₃², σ₃
/// being the least. See Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a
/// Hyperellipsoid" (2013), who bisects, and Moré and Sorensen, "Computing a Trust Region Step"
/// (1983), who solve 1/|z| = 1 by Newton's method: 1/|z| is nearly straight, and from the left of
/// the root each step goes towards it and none beyond.
///
/// For any error of λ, n is a unit vector within rounding: a missing step makes the point a little
/// farther, never nearer.
pub(super) fn nearest_direction(columns: [Vector; 3], q: Vector) -> Vector {
    let largest = largest(columns.as_flattened());
    if !(largest > 0.0 && largest.is_finite()) {
        return [1.0, 0.0, 0.0];
    }
    // They are scaled so that squares neither overflow nor underflow.
    let ([columns, rotated], q) = (
        singular(columns.map_each(|column| column.map_each(|x| x / largest))),
        q.map_each(|x| x / largest),
    );
    let lengths = columns.map_each(|column| dot(column, column).sqrt());
    let least = lengths[0].min(lengths[1]).min(lengths[2]);
    // λ = s − σ₃², so that z = σy/(d + s).
    let sy = columns.map_each(|column| dot(column, q));
    let d = lengths.map_each(|length| (length - least) * (length + least));
    // At this s the length is at least 1, as already one part of it is.
    let mut s = (0..3).fold(0.0_f64, |most, i| most.max(sy[i].abs() - d[i]));
    let at = |s: f64| [0, 1, 2].map_each(|i| if sy[i] == 0.0 { 0.0 } else { sy[i] / (d[i] + s) });
    let mut z = at(s);
    let square = dot(z, z);
    if s == 0.0 && square <= 1.0 {
        // The point is in the middle plane of the ellipsoid, as far from both sides: the rest of
        // the length goes along the shortest axis.
        let shortest = (0..3).find(|&i| d[i] == 0.0).unwrap_or(0);
        z[shortest] = (1.0 - square).sqrt();
    } else {
        for _ in 0..MOST_STEPS {
            z = at(s);
            let square = dot(z, z);
            let slope: f64 =
                (0..3).map(|i| if z[i] == 0.0 { 0.0 } else { z[i] * z[i] / (d[i] + s) }).sum();
            let next = s + (square.sqrt() - 1.0) * square / slope;
            // It stops at NaN, too.
            if next <= s || next.is_nan() {
                break;
            }
            s = next;
        }
    }
    let length = dot(z, z).sqrt();
    let z = z.map_each(|x| x / length);
    [0, 1, 2].map_each(|axis| {
        z[0] * rotated[0][axis] + z[1] * rotated[1][axis] + z[2] * rotated[2][axis]
    })
}
