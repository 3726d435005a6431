//! Boxes of any number of axes: the overlap with a line, as an interval.

use lanecast::Ray;
use lanecast::primitive::{Aabb, FaceHit, IntervalHit};

use super::lines::{ExactLine, Interval, within};
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::Extended;

/// The stated error of the ends of the interval, in units of roundoff.
const OF_ENDS: i64 = 4;
/// By how much a line may pass a box and yet be reported, in units of roundoff of t.
pub const OF_MISSES: i64 = 16;

/// A side of a box as a bound: at ±∞ or NaN it is none.
pub fn sides<T: Number, const D: usize>(aabb: &Aabb<T, D>, axis: usize) -> [Extended; 2] {
    let [low, high] = [aabb.min[axis], aabb.max[axis]];
    [
        if low.is_nan() { Extended::NegativeInfinity } else { low.extended() },
        if high.is_nan() { Extended::Infinity } else { high.extended() },
    ]
}

/// Where the line is between the two planes of each axis.
pub fn slabs<T: Number, const D: usize>(aabb: &Aabb<T, D>, line: &ExactLine) -> Vec<Interval> {
    let slab = |axis: usize| {
        let [low, high] = sides(aabb, axis);
        if low > high {
            // As the planes lie: the kernels may take a box that is inverted by less than their
            // slack for one of no thickness.
            let (o, d) = (&line.origin[axis], &line.direction[axis]);
            let inverted = Interval::between(o, d, &high, &low);
            return if d.is_zero() {
                Interval::empty()
            } else {
                Interval { from: inverted.to, to: inverted.from }
            };
        }
        Interval::between(&line.origin[axis], &line.direction[axis], &low, &high)
    };
    (0..D).map(slab).collect()
}

/// Where a line is within all slabs.
pub fn inside_all(slabs: &[Interval]) -> Interval {
    slabs.iter().fold(Interval::whole(), |all, slab| all.and(slab))
}

/// Whether the stated bounds hold for all that the answer is made of.
pub fn is_stated<T: Number>(slabs: &[Interval], line: &ExactLine) -> bool {
    let ends = slabs.iter().flat_map(|slab| [&slab.from, &slab.to]);
    ends.chain([&line.t_min, &line.t_max]).all(T::holds_parameter)
}

/// Judges the interval of a slab test.
pub fn judge_interval<T: Number>(
    slabs: &[Interval],
    line: &ExactLine,
    hit: Option<IntervalHit<T>>,
) -> Judgement {
    let overlap = inside_all(slabs).and(&line.interval());
    if let Some(hit) = hit {
        demand!(hit.t_enter <= hit.t_exit, "the ends are out of order or NaN");
        demand!(
            line.t_min <= hit.t_enter.extended() && hit.t_exit.extended() <= line.t_max,
            "the overlap leaves the line's own interval"
        );
    }
    if !is_stated::<T>(slabs, line) {
        return Ok(Verdict::Unstated);
    }
    if !overlap.is_empty() {
        let Some(hit) = hit else {
            return Err(format!("missed, though they overlap in {overlap:?}"));
        };
        demand!(
            within(hit.t_enter, &overlap.from, OF_ENDS),
            "t_enter should be {}",
            overlap.from.to_f64()
        );
        demand!(
            within(hit.t_exit, &overlap.to, OF_ENDS),
            "t_exit should be {}",
            overlap.to.to_f64()
        );
        return Ok(Verdict::Met);
    }
    let within_slack = passes_within::<T>(&overlap, OF_MISSES);
    let Some(hit) = hit else {
        return Ok(if within_slack { Verdict::Either } else { Verdict::Missed });
    };
    demand!(
        within_slack,
        "met, though it passes: {} to {}",
        overlap.from.to_f64(),
        overlap.to.to_f64()
    );
    for (end, found) in [("t_enter", hit.t_enter), ("t_exit", hit.t_exit)] {
        let bound = OF_ENDS + OF_MISSES;
        demand!(
            within(found, &overlap.from, bound) && within(found, &overlap.to, bound),
            "{end} of a near miss"
        );
    }
    Ok(Verdict::Either)
}

/// Whether an empty overlap lacks no more than so many units of roundoff of t.
pub fn passes_within<T: Number>(overlap: &Interval, roundoffs: i64) -> bool {
    let (Some(enter), Some(exit)) = (overlap.from.finite(), overlap.to.finite()) else {
        return false;
    };
    enter - exit <= &enter.abs().max(exit.abs()) * &T::roundoffs(roundoffs)
}

/// Judges the slab test of a box.
pub fn judge_slab<T: Number, const D: usize>(
    aabb: &Aabb<T, D>,
    ray: &Ray<T, D>,
    hit: Option<IntervalHit<T>>,
) -> Judgement {
    let line = ExactLine::of_ray_by_reciprocals(ray);
    judge_interval(&slabs(aabb, &line), &line, hit)
}

/// Judges the slab test that also names the face.
pub fn judge_entered_face<T: Number, const D: usize>(
    aabb: &Aabb<T, D>,
    ray: &Ray<T, D>,
    hit: Option<FaceHit<T>>,
) -> Judgement {
    let line = ExactLine::of_ray_by_reciprocals(ray);
    let slabs = slabs(aabb, &line);
    let interval = hit.map(|FaceHit { t_enter, t_exit, .. }| IntervalHit { t_enter, t_exit });
    let verdict = judge_interval(&slabs, &line, interval)?;
    let (Some(hit), Verdict::Met | Verdict::Either) = (hit, verdict) else { return Ok(verdict) };

    let entry = inside_all(&slabs).from;
    // Two entries that differ by less than the errors of both may be taken for each other.
    let slack = if rounds_nothing::<T, D>(aabb, ray) { 0 } else { 2 * OF_ENDS };
    let near = |a: &Extended, b: &Extended| match (a.finite(), b.finite()) {
        (Some(a), Some(b)) => (a - b).abs() <= &a.abs().max(b.abs()) * &T::roundoffs(slack),
        _ => a == b,
    };
    match hit.face {
        None => {
            demand!(
                entry <= line.t_min || near(&entry, &line.t_min),
                "no face, but the ray enters"
            );
        }
        Some(face) => {
            demand!(
                entry > line.t_min || slack > 0 && near(&entry, &line.t_min),
                "begins inside, but has a face"
            );
            demand!(
                face.axis < D && near(&slabs[face.axis].from, &entry),
                "axis {} is not entered",
                face.axis
            );
            demand!(
                face.at_max == line.direction[face.axis].is_negative(),
                "the far side of axis {}",
                face.axis
            );
            let lower = slabs[..face.axis].iter().any(|slab| slab.from == entry);
            demand!(slack > 0 || !lower, "a lower axis is entered at the same t");
        }
    }
    Ok(verdict)
}

/// Whether every difference and quotient of the test is a number of the precision, so that nothing
/// is rounded.
fn rounds_nothing<T: Number, const D: usize>(aabb: &Aabb<T, D>, ray: &Ray<T, D>) -> bool {
    (0..D).all(|axis| {
        let (origin, direction) = (ray.origin[axis], ray.direction[axis].component());
        let power = direction.is_zero() || is_power_of_two(ray.direction[axis].to_f64());
        power
            && [aabb.min[axis], aabb.max[axis]].iter().all(|&side| {
                !side.is_finite() || {
                    let difference = T::of_f64(side.to_f64() - origin.to_f64());
                    difference.exact() == &side.exact() - &origin.exact()
                }
            })
    })
}

fn is_power_of_two(value: f64) -> bool {
    value.is_normal() && value.to_bits() << 12 == 0
}
