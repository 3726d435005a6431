//! Boxes face by face: the face that is approached and met, if the answer is clear.

use lanecast::Ray;
use lanecast::primitive::{Aabb, FacePoint};

use super::boxes::{is_stated, slabs};
use super::lines::{ExactLine, within};
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::{Exact, Extended};

/// What the reference says of one face that a ray approaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The point in its plane lies within the face, and its t within the interval.
    Within,
    /// It does not.
    Outside,
    /// It is too near to the border of either to tell after rounding.
    Border,
}

/// Judges the answer of the test face by face.
pub fn judge<T: Number, const D: usize>(
    aabb: &Aabb<T, D>,
    ray: &Ray<T, D>,
    hit: Option<FacePoint<T>>,
) -> Judgement {
    let line = ExactLine::of_ray(ray);
    let slabs = slabs(aabb, &line);
    let finite = aabb.min.iter().chain(&aabb.max).all(|side| side.is_finite());
    if !finite || !is_stated::<T>(&slabs, &line) {
        return Ok(Verdict::Unstated);
    }
    let places: Vec<Place> = (0..D).map(|axis| place(aabb, &line, axis)).collect();
    if let Some(FacePoint { t, face }) = hit {
        demand!(
            face.axis < D && !line.direction[face.axis].is_zero(),
            "axis {} is not approached",
            face.axis
        );
        demand!(
            face.at_max == line.direction[face.axis].is_negative(),
            "the far side of axis {}",
            face.axis
        );
        demand!(
            within(t, &slabs[face.axis].from, 2),
            "t should be {}",
            slabs[face.axis].from.to_f64()
        );
        demand!(
            places[face.axis] != Place::Outside,
            "the point lies outside of the face of axis {}",
            face.axis
        );
        let lower = places[..face.axis].contains(&Place::Within);
        demand!(!lower, "the face of a lower axis is met too");
    } else {
        demand!(!places.contains(&Place::Within), "missed");
    }
    Ok(match () {
        () if places.contains(&Place::Within) => Verdict::Met,
        () if places.contains(&Place::Border) => Verdict::Either,
        () => Verdict::Missed,
    })
}

/// Where the line meets the plane of the face of `axis` that it approaches.
fn place<T: Number, const D: usize>(aabb: &Aabb<T, D>, line: &ExactLine, axis: usize) -> Place {
    let direction = &line.direction[axis];
    let is_empty = (0..D).any(|axis| aabb.min[axis] > aabb.max[axis]);
    if direction.is_zero() || is_empty {
        return Place::Outside;
    }
    let side = if direction.is_negative() { aabb.max[axis] } else { aabb.min[axis] };
    let t = &(&side.exact() - &line.origin[axis]) / direction;
    // Two roundings of t, one of the product, one of the sum: four of each size, and to spare.
    let of_t = &t.abs() * &T::roundoffs(3);
    let mut place = between(&t, &line.t_min, &line.t_max, &of_t);
    for other in (0..D).filter(|&other| other != axis) {
        let reach = &line.origin[other].abs() + &(&t * &line.direction[other]).abs();
        let point = &line.origin[other] + &(&t * &line.direction[other]);
        let (low, high) = (aabb.min[other].extended(), aabb.max[other].extended());
        place = match (place, between(&point, &low, &high, &(&reach * &T::roundoffs(6)))) {
            (Place::Outside, _) | (_, Place::Outside) => Place::Outside,
            (Place::Border, _) | (_, Place::Border) => Place::Border,
            _ => Place::Within,
        };
    }
    place
}

fn between(value: &Exact, low: &Extended, high: &Extended, error: &Exact) -> Place {
    let (least, most) = (Extended::from(value - error), Extended::from(value + error));
    if *low <= least && most <= *high {
        Place::Within
    } else if most < *low || *high < least {
        Place::Outside
    } else {
        Place::Border
    }
}
