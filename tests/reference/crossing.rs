//! Where a line crosses a shape: a triangle by signed volumes, a parallelepiped slab by slab, an ellipsoid as a sphere in
//! its own frame. All of it with how certain that is, for who rounds to `f32`.

use super::frame::{Blur, inverse, stretches};
use super::shape::{Shape, combined};
use super::triangle::line_to_segment;
use super::{ROUNDOFF, Vector, cross, dot, length, minus, plus, times, unit, vector};
use lanecast::{Ray, Side};

/// A point where a line goes through a surface.
#[derive(Debug, Clone, Copy)]
pub struct Crossing {
    pub t: f64,
    /// How far `t` may be off.
    pub t_error: f64,
    /// The front of a triangle where its corners run counter-clockwise as seen from where the line comes from. Of what
    /// has an inside the front is where the line enters.
    pub side: Side,
    /// The normal of a triangle by its corners, outwards of what has an inside, and how far it may be off, of a length
    /// of 1. None so near to an edge that it may be that of another face.
    pub normal: Option<(Vector, f64)>,
}

/// What a line has to do with a shape.
#[derive(Debug, Clone)]
pub enum Meeting {
    /// These crossings and no others, in their order; none if it passes by.
    Sure(Vec<Crossing>),
    /// It passes an edge so close, or so flat along a surface, that roundings decide.
    Open,
}

/// What the whole line of a ray has to do with a shape, told both as it lies in its own scene and where it is placed.
pub fn meeting(ray: &Ray, own: Shape, placed: Shape, blur: &Blur) -> Meeting {
    let (origin, direction) = (vector(ray.origin), vector(ray.direction));
    let reach = 2.0 * length(origin) + 2.0 * placed.size();
    match (own, placed) {
        (_, Shape::Triangle(corners)) => {
            through_triangle(direction, corners.map(|corner| minus(corner, origin)), blur.outside(reach))
        }
        (Shape::Ellipsoid(_, own), Shape::Ellipsoid(middle, half)) => {
            let margins = own.map(|axis| blur.inside(reach) / length(axis));
            through_ellipsoid(minus(origin, middle), direction, half, margins[0])
        }
        (Shape::Parallelepiped(_, own), Shape::Parallelepiped(middle, half)) => {
            let margins = own.map(|axis| blur.inside(reach) / length(axis));
            through_parallelepiped(minus(origin, middle), direction, half, margins)
        }
        _ => unreachable!("a shape is of its kind wherever it is"),
    }
}

/// Corners relative to the origin.
fn through_triangle(direction: Vector, [a, b, c]: [Vector; 3], blur: f64) -> Meeting {
    let along = unit(direction);
    let edges = [[a, b], [b, c], [c, a]];
    let clearance = edges.map(|edge| line_to_segment(along, edge)).into_iter().fold(f64::MAX, f64::min);
    let is_clear = clearance > 4.0 * blur;
    if !is_clear {
        return Meeting::Open;
    }
    // Six times the volumes that the direction spans with the edges.
    let volumes = edges.map(|[from, to]| dot(direction, cross(from, to)));
    let inside = volumes.iter().all(|&v| v > 0.0) || volumes.iter().all(|&v| v < 0.0);
    if !inside {
        return Meeting::Sure(Vec::new());
    }
    let normal = cross(minus(b, a), minus(c, a));
    let facing = dot(direction, normal);
    let t = dot(a, normal) / facing;
    Meeting::Sure(vec![Crossing {
        t,
        t_error: 2.0 * blur * length(normal) / facing.abs() + 4.0 * ROUNDOFF * t.abs(),
        side: if facing < 0.0 { Side::Front } else { Side::Back },
        normal: Some((unit(normal), 1e-5)),
    }])
}

/// `from` the middle. In units of the half axes it is a sphere of radius 1, and `margin` what the line may be off.
fn through_ellipsoid(from: Vector, direction: Vector, half: [Vector; 3], margin: f64) -> Meeting {
    let rows = inverse(half);
    let [o, d] = [from, direction].map(|v| rows.map(|row| dot(row, v)));
    let speed = length(d);
    let middle = -dot(o, d) / (speed * speed);
    let off = length(plus(o, times(middle, d)));
    if off > 1.0 + margin {
        return Meeting::Sure(Vec::new());
    }
    // What is not a number is open too.
    let is_clear = off < 1.0 - 4.0 * margin;
    if !is_clear {
        return Meeting::Open;
    }
    let chord = |off: f64| (1.0 - off * off).sqrt() / speed;
    let widest = chord((off - margin).max(0.0)) - chord(off + margin);
    let crossing = |t: f64, side: Side| {
        let t_error = widest + margin / speed + 4.0 * ROUNDOFF * t.abs();
        let at = plus(o, times(t, d));
        let [least, most] = stretches(half);
        let turned = 4.0 * (t_error * speed + margin) * most / least;
        Crossing { t, t_error, side, normal: Some((unit(combined(at, rows)), 1e-5 + turned)) }
    };
    let [enter, leave] = [middle - chord(off), middle + chord(off)];
    Meeting::Sure(vec![crossing(enter, Side::Front), crossing(leave, Side::Back)])
}

/// `from` the middle. In units of the half axes it is a cube from −1 to 1, and `margins` what the line may be off along
/// each of them.
fn through_parallelepiped(from: Vector, direction: Vector, half: [Vector; 3], margins: Vector) -> Meeting {
    let rows = inverse(half);
    let [o, d] = [from, direction].map(|v| rows.map(|row| dot(row, v)));
    if !o.iter().chain(&d).chain(&margins).all(|x| x.is_finite()) {
        return Meeting::Open;
    }
    let slabs = |grown: f64| [0, 1, 2].map(|i| slab(o[i], d[i], 1.0 + grown * margins[i]));
    let [large, exact, small] = [1.0, 0.0, -1.0].map(slabs);
    let within = |slabs: [[f64; 2]; 3]| {
        slabs.into_iter().fold([f64::NEG_INFINITY, f64::INFINITY], |[from, to], [enter, leave]| {
            [from.max(enter), to.min(leave)]
        })
    };
    let [[first, last], [enter, leave], [inner, outer]] = [large, exact, small].map(within);
    if first > last {
        return Meeting::Sure(Vec::new());
    }
    let error = |[a, b]: [f64; 2]| (b - a) + 4.0 * ROUNDOFF * a.abs().max(b.abs());
    let errors = [error([first, inner]), error([outer, last])];
    let is_clear = outer - inner > 2.0 * (errors[0] + errors[1]);
    if !is_clear {
        return Meeting::Open;
    }
    let outwards = |axis: usize, sign: f64| (times(sign, unit(rows[axis])), 1e-5);
    // The face of the slab that is entered last, or left first, whatever the roundings.
    let entered = (0..3).find(|&i| (0..3).all(|j| j == i || large[i][0] > small[j][0]));
    let left = (0..3).find(|&i| (0..3).all(|j| j == i || large[i][1] < small[j][1]));
    let sign = |axis: usize| d[axis].signum();
    Meeting::Sure(vec![
        Crossing {
            t: enter,
            t_error: errors[0],
            side: Side::Front,
            normal: entered.map(|axis| outwards(axis, -sign(axis))),
        },
        Crossing {
            t: leave,
            t_error: errors[1],
            side: Side::Back,
            normal: left.map(|axis| outwards(axis, sign(axis))),
        },
    ])
}

/// Where a coordinate is from −`half` to `half`; from the first to the second, nowhere if that comes first.
fn slab(o: f64, d: f64, half: f64) -> [f64; 2] {
    if d == 0.0 {
        let ends = [f64::NEG_INFINITY, f64::INFINITY];
        return if o.abs() <= half { ends } else { [ends[1], ends[0]] };
    }
    let [one, other] = [(-half - o) / d, (half - o) / d];
    // Of a half below zero nothing is left.
    if half < 0.0 { [f64::INFINITY, f64::NEG_INFINITY] } else { [one.min(other), one.max(other)] }
}
