//! The right answers, in f64, written for reading.
//!
//! Rounded coordinates decide otherwise near a border than exact ones, and no contestant is wrong
//! there. So a ray meets a primitive for sure if it meets one that is smaller by the tolerance,
//! misses it for sure if it misses one that is larger by as much, and everything between is
//! nobody's mistake.

use super::input::{Input, Primitive};
use super::number::Number;
use crate::vector::{cross, dot, minus};

/// What can be said of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    /// They do not meet.
    Miss,
    /// They meet or not, at no less than this `t` if they do.
    Border { least: f64 },
    /// They meet, at a `t` between these two.
    Hit { least: f64, greatest: f64, back_facing: bool },
}

/// The verdict on a ray and a primitive of the input.
pub(crate) fn verdict<F: Number>(input: &Input<F>, ray: usize, primitive: usize) -> Verdict {
    let [origin, direction] = input.ray(ray).map(|point| point.map(lanecast::Scalar::to_f64));
    let numbers: Vec<f64> =
        input.primitives.iter().map(|column| column[primitive].to_f64()).collect();
    let three = |first: usize| [numbers[first], numbers[first + 1], numbers[first + 2]];
    let tolerance = F::TOLERANCE;
    match input.primitive {
        Primitive::Aabb => solid(tolerance, |grown| {
            let (min, max) = (three(0).map(|x| x - grown), three(3).map(|x| x + grown));
            slabs(origin, direction, min, max)
        }),
        Primitive::Obb => solid(tolerance, |grown| {
            let offset = minus(origin, three(0));
            let axes = [three(3), three(6), three(9)];
            let half = three(12).map(|x| x + grown);
            slabs(
                axes.map(|axis| dot(axis, offset)),
                axes.map(|axis| dot(axis, direction)),
                half.map(|x| -x),
                half,
            )
        }),
        Primitive::Sphere => {
            solid(tolerance, |grown| ball(origin, direction, three(0), numbers[3] + grown))
        }
        Primitive::Triangle => {
            triangle(origin, direction, [three(0), three(3), three(6)], tolerance)
        }
    }
}

/// The verdict on a solid, given where its line is within it when it is grown by so much.
fn solid(tolerance: f64, overlap: impl Fn(f64) -> Option<(f64, f64)>) -> Verdict {
    let on_ray = |(enter, exit): (f64, f64)| (exit >= 0.0).then_some(enter.max(0.0));
    let Some(least) = overlap(tolerance).and_then(on_ray) else {
        return Verdict::Miss;
    };
    match overlap(-tolerance).and_then(on_ray) {
        None => Verdict::Border { least: least - tolerance },
        Some(greatest) => Verdict::Hit {
            least: least - tolerance,
            greatest: greatest + tolerance,
            back_facing: false,
        },
    }
}

fn slabs(
    origin: [f64; 3],
    direction: [f64; 3],
    min: [f64; 3],
    max: [f64; 3],
) -> Option<(f64, f64)> {
    let (mut enter, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if origin[axis] < min[axis] || origin[axis] > max[axis] {
                return None;
            }
            continue;
        }
        let (a, b) = (
            (min[axis] - origin[axis]) / direction[axis],
            (max[axis] - origin[axis]) / direction[axis],
        );
        enter = enter.max(a.min(b));
        exit = exit.min(a.max(b));
    }
    (enter <= exit).then_some((enter, exit))
}

fn ball(
    origin: [f64; 3],
    direction: [f64; 3],
    center: [f64; 3],
    radius: f64,
) -> Option<(f64, f64)> {
    let to_center = minus(center, origin);
    let length_squared = dot(direction, direction);
    let foot = dot(to_center, direction) / length_squared;
    let off = minus(to_center, direction.map(|x| foot * x));
    let half_chord_squared = (radius * radius - dot(off, off)) / length_squared;
    (half_chord_squared >= 0.0)
        .then(|| (foot - half_chord_squared.sqrt(), foot + half_chord_squared.sqrt()))
}

fn triangle(
    origin: [f64; 3],
    direction: [f64; 3],
    vertices: [[f64; 3]; 3],
    tolerance: f64,
) -> Verdict {
    let edges: [[f64; 3]; 3] = std::array::from_fn(|i| minus(vertices[(i + 1) % 3], vertices[i]));
    let length = |vector: [f64; 3]| dot(vector, vector).sqrt();
    let normal = cross(edges[0], minus(vertices[2], vertices[0]));
    let longest = edges.map(length).into_iter().fold(0.0, f64::max);
    let slope = dot(normal, direction) / (length(normal) * length(direction));
    // What off coordinates do to the point where the plane is met, at a slope and for a sliver.
    let slack = tolerance / slope.abs() * (longest * longest / length(normal));
    let t = dot(normal, minus(vertices[0], origin)) / dot(normal, direction);
    let point: [f64; 3] = std::array::from_fn(|axis| origin[axis] + t * direction[axis]);
    let inside = (0..3)
        .map(|i| {
            dot(cross(normal, edges[i]), minus(point, vertices[i]))
                / (length(normal) * length(edges[i]))
        })
        .fold(f64::INFINITY, f64::min);
    if !slack.is_finite() || slack > 1.0 {
        Verdict::Border { least: 0.0 }
    } else if t < -slack || inside < -slack {
        Verdict::Miss
    } else if t < slack || inside < slack {
        Verdict::Border { least: t - slack }
    } else {
        Verdict::Hit { least: t - slack, greatest: t + slack, back_facing: slope > 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Verdict, verdict};
    use crate::kernels::input::{Input, Primitive};

    fn one(primitive: Primitive, ray: [f64; 6], numbers: &[f64]) -> Verdict {
        let input = Input {
            primitive,
            rays: ray.map(|x| vec![x]),
            primitives: numbers.iter().map(|&x| vec![x]).collect(),
        };
        verdict(&input, 0, 0)
    }

    fn is_at(verdict: Verdict, t: f64) -> bool {
        matches!(verdict, Verdict::Hit { least, greatest, .. }
            if least < t && t < greatest && greatest - least < 1e-11)
    }

    #[test]
    fn every_primitive_is_met_where_it_is() {
        let ray = [0.0, 0.0, -5.0, 0.0, 0.0, 1.0];
        assert!(is_at(one(Primitive::Aabb, ray, &[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]), 4.0));
        let turned = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 3.0, 1.0, 1.0];
        assert!(is_at(one(Primitive::Obb, ray, &turned), 2.0));
        assert!(is_at(one(Primitive::Sphere, ray, &[0.0, 0.0, 0.0, 2.0]), 3.0));
        assert!(is_at(
            one(Primitive::Triangle, ray, &[-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 2.0, 0.0]),
            5.0
        ));
    }

    #[test]
    fn touching_decides_nothing_and_behind_is_a_miss() {
        let in_the_face = [-1.0, 0.0, -5.0, 0.0, 0.0, 1.0];
        let cube = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
        assert!(matches!(one(Primitive::Aabb, in_the_face, &cube), Verdict::Border { .. }));
        let away = [0.0, 0.0, -5.0, 0.0, 0.0, -1.0];
        assert_eq!(one(Primitive::Aabb, away, &cube), Verdict::Miss);
        assert_eq!(one(Primitive::Sphere, away, &[0.0, 0.0, 0.0, 2.0]), Verdict::Miss);
    }
}
