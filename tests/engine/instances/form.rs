//! A thing where it comes to lie, in `f64`: where its surface is, and where outside is.

use lanecast::Affine;
use lanecast_reference::vector::{Vector, cross, dot, length, minus};

/// A triangle by its corners, or a shape by its middle and three half axes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Triangle([Vector; 3]),
    Shape(Gauge, Vector, [Vector; 3]),
}

/// What grows outwards in a shape, of a point in units of the half axes. Its surface is where that is 1, or 0 of a sheet,
/// whose front looks along the third.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gauge {
    Box,
    Ball,
    Octahedron,
    Sheet,
}

impl Form {
    pub(crate) fn placed(self, map: &Affine) -> Self {
        match self {
            Self::Triangle(corners) => Self::Triangle(corners.map(|corner| map.point(corner))),
            Self::Shape(gauge, middle, half) => {
                Self::Shape(gauge, map.point(middle), half.map(|axis| map.vector(axis)))
            }
        }
    }

    /// A point in units of the half axes, by Cramer's rule.
    fn weights(point: Vector, middle: Vector, half: [Vector; 3]) -> Vector {
        let off = minus(point, middle);
        [0, 1, 2].map(|i| {
            let across = cross(half[(i + 1) % 3], half[(i + 2) % 3]);
            dot(off, across) / dot(half[i], across)
        })
    }

    /// The gauge of a shape at a point.
    pub(crate) fn gauge(self, point: Vector) -> Option<f64> {
        let Self::Shape(gauge, middle, half) = self else { return None };
        let w = Self::weights(point, middle, half);
        Some(match gauge {
            Gauge::Box => w.iter().fold(0.0, |most: f64, x| most.max(x.abs())),
            Gauge::Ball => length(w),
            Gauge::Octahedron => w.iter().map(|x| x.abs()).sum(),
            Gauge::Sheet => w[2],
        })
    }

    /// Where outside is, or the front, at a point of the surface; `None` at edges. Of triangles as their corners wind, of
    /// others where the gauge grows.
    pub(crate) fn outward(self, point: Vector) -> Option<Vector> {
        let (gauge, middle, half) = match self {
            Self::Triangle([a, b, c]) => return Some(cross(minus(b, a), minus(c, a))),
            Self::Shape(gauge, middle, half) => (gauge, middle, half),
        };
        let mut w = Self::weights(point, middle, half).map(f64::abs);
        w.sort_by(f64::total_cmp);
        let is_at_edge = match gauge {
            Gauge::Box => w[2] - w[1] < 1e-2,
            Gauge::Octahedron => w[0] < 1e-2,
            Gauge::Ball | Gauge::Sheet => false,
        };
        let slope = |axis: usize| {
            let at = |step: f64| {
                let mut moved = point;
                moved[axis] += step;
                self.gauge(moved).expect("a shape")
            };
            at(1e-5) - at(-1e-5)
        };
        (!is_at_edge).then(|| [slope(0), slope(1), slope(2)])
    }

    /// The middle of what has an inside.
    pub(crate) fn middle(self) -> Option<Vector> {
        match self {
            Self::Shape(Gauge::Sheet, ..) | Self::Triangle(_) => None,
            Self::Shape(_, middle, _) => Some(middle),
        }
    }
}
