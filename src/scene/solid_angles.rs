//! Solid angles, and their sums: of triangles, strips, and dipoles.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use crate::math::{add, cross, dot, sub};
use crate::simd::{LANES, MapEach};
use crate::value::Affine;

pub(super) type Vector = [f64; 3];

/// Columns of numbers, a lane for each.
pub(super) type Column = [f64; LANES];

/// Triangles, for points far away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dipole {
    /// The middle of the area.
    pub(super) center: Vector,
    pub(super) area: f64,
    /// A bound of the distances of corners from the center.
    pub(super) radius: f64,
    /// The sum of areas times unit normals.
    pub(super) normal: Vector,
    /// The sum of (middle of a triangle − center) ⊗ normal, by rows.
    pub(super) moment: [Vector; 3],
}

impl Dipole {
    pub(super) const NOTHING: Self =
        Self { center: [0.0; 3], area: 0.0, radius: 0.0, normal: [0.0; 3], moment: [[0.0; 3]; 3] };

    pub(super) fn joined(parts: &[Self]) -> Self {
        let mut whole = Self { area: parts.iter().map(|part| part.area).sum(), ..Self::NOTHING };
        // A part without area has no solid angle, and would only widen the rest.
        let parts = || parts.iter().filter(|part| part.area > 0.0);
        for part in parts() {
            whole.center = add(whole.center, part.center.map_each(|x| part.area / whole.area * x));
            whole.normal = add(whole.normal, part.normal);
        }
        for part in parts() {
            let off = sub(part.center, whole.center);
            whole.radius = whole.radius.max(dot(off, off).sqrt() + part.radius);
            for (row, (off, own)) in whole.moment.iter_mut().zip(off.into_iter().zip(part.moment)) {
                *row = add(*row, add(own, part.normal.map_each(|x| off * x)));
            }
        }
        whole
    }

    /// The dipole as carried by `placed`. Distances grow by at most `stretch`.
    pub(super) fn carried(&self, placed: &Affine, stretch: f64) -> Self {
        let columns = [0, 1, 2].map_each(|column| self.moment.map_each(|row| row[column]));
        let columns = columns.map_each(|column| placed.vector(column));
        let moment =
            [0, 1, 2].map_each(|row| placed.normal(columns.map_each(|column| column[row])));
        let (center, normal) = (placed.carry(self.center), placed.normal(self.normal));
        Self { center, area: self.area, radius: stretch * self.radius, normal, moment }
    }

    /// 4π times the winding number around a point.
    fn angle(&self, point: Vector) -> f64 {
        let r = sub(self.center, point);
        let squared = dot(r, r);
        let cubed = squared * squared.sqrt();
        let trace = self.moment[0][0] + self.moment[1][1] + self.moment[2][2];
        let along = dot(r, self.moment.map_each(|row| dot(row, r)));
        (dot(self.normal, r) + trace - 3.0 * along / squared) / cubed
    }
}

pub(super) fn distance(a: Vector, b: Vector) -> f64 {
    let off = sub(a, b);
    dot(off, off).sqrt()
}

/// A sum of solid angles. Those of triangles and strips are arguments of complex numbers: the
/// numbers are multiplied, and whole turns counted, so that one argument is computed in the end, by
/// operations that are rounded alike everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Angles {
    product: [f64; 2],
    turns: f64,
    of_dipoles: f64,
    /// Triangles, strips and dipoles.
    pub(super) terms: usize,
}

impl Angles {
    pub(crate) const NONE: Self =
        Self { product: [1.0, 0.0], turns: 0.0, of_dipoles: 0.0, terms: 0 };

    /// Adds crossings of a closed surface.
    pub(super) fn add_crossings(&mut self, count: f64) {
        self.turns += count;
    }

    /// Adds a triangle as seen from 0. Van Oosterom and Strackee, "The Solid Angle of a Plane
    /// Triangle", IEEE Transactions on Biomedical Engineering, 1983.
    pub(super) fn add_triangle(&mut self, [a, b, c]: [Vector; 3]) {
        let lengths = [a, b, c].map_each(|corner| dot(corner, corner).sqrt());
        let volume = dot(a, cross(b, c));
        let [la, lb, lc] = lengths;
        let around = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        // From its own plane a triangle is seen edge-on; on it neither of two sides is right, and 0
        // is between them.
        if volume != 0.0 {
            self.multiply([around, volume]);
        }
    }

    pub(super) fn add_dipole(&mut self, dipole: &Dipole, point: Vector) {
        self.terms += 1;
        self.of_dipoles += dipole.angle(point);
    }

    /// Adds sums whose volumes grow by `determinant` where they are placed.
    pub(super) fn add(&mut self, sums: &Sums, determinant: f64) {
        for lane in 0..LANES {
            self.multiply([sums.product[0][lane], sums.product[1][lane]]);
            self.turns += sums.turns[lane];
            self.of_dipoles += determinant * sums.of_dipoles[lane];
        }
        self.terms += sums.terms;
    }

    /// Adds half a solid angle, the argument of a complex number; nothing for 0.
    pub(super) fn multiply(&mut self, [x, y]: [f64; 2]) {
        self.terms += 1;
        let largest = x.abs().max(y.abs());
        if largest == 0.0 || !largest.is_finite() {
            return;
        }
        let [x, y] = [x / largest, y / largest];
        let [re, im] = self.product;
        let [new_re, new_im] = [re * x - im * y, re * y + im * x];
        if im >= 0.0 && y >= 0.0 && new_im < 0.0 {
            self.turns += 1.0;
        } else if im < 0.0 && y < 0.0 && new_im >= 0.0 {
            self.turns -= 1.0;
        }
        let size = new_re.abs().max(new_im.abs());
        self.product = [new_re / size, new_im / size];
    }

    /// The winding number: half the solid angle of a triangle is the argument of its number.
    pub(crate) fn winding(&self) -> f64 {
        self.turns + argument(self.product) / TAU + self.of_dipoles / (2.0 * TAU)
    }
}

/// Sums of solid angles in eight lanes, as those of [`Angles`].
#[derive(Clone, Copy)]
pub(super) struct Sums {
    pub(super) product: [Column; 2],
    pub(super) turns: Column,
    pub(super) of_dipoles: Column,
    /// Lanes that were computed.
    pub(super) terms: usize,
}

impl Sums {
    pub(super) const NONE: Self = {
        let zero = [0.0; LANES];
        Self { product: [[1.0; LANES], zero], turns: zero, of_dipoles: zero, terms: 0 }
    };
}

/// The argument of a complex number that is not 0, in (−π, π].
fn argument([re, im]: [f64; 2]) -> f64 {
    let (x, y) = (re.abs(), im.abs());
    let mut tangent = x.min(y) / x.max(y);
    // tan(α/2) = tan α / (1 + √(1 + tan² α)), three times: then the series of the arc tangent ends
    // soon.
    for _ in 0..3 {
        tangent /= 1.0 + (1.0 + tangent * tangent).sqrt();
    }
    let (mut sum, mut power) = (0.0, tangent);
    for odd in (1..20).step_by(2) {
        let term = power / f64::from(odd);
        sum += if odd % 4 == 1 { term } else { -term };
        power *= tangent * tangent;
    }
    let angle = if y > x { FRAC_PI_2 - 8.0 * sum } else { 8.0 * sum };
    let angle = if re < 0.0 { PI - angle } else { angle };
    if im < 0.0 { -angle } else { angle }
}

/// The greatest stretch of a map, or a bound of it: by Gershgorin's circles of AᵀA, exact for
/// rotations and scales.
pub(super) fn greatest_stretch(placed: &Affine) -> f64 {
    let rows = placed.rows();
    let columns = [0, 1, 2].map_each(|column| rows.map_each(|row| row[column]));
    let sums = columns
        .map_each(|column| columns.iter().map(|other| dot(column, *other).abs()).sum::<f64>());
    sums.into_iter().fold(0.0, f64::max).sqrt()
}
