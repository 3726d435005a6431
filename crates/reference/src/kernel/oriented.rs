//! The oriented box, its axes taken as the numbers they are.

use lanecast::Ray;
use lanecast::primitive::{IntervalHit, Obb, ObbHit};

use super::boxes::{OF_MISSES, inside_all, is_stated, passes_within};
use super::lines::{ExactLine, Interval, within};
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::{Exact, Extended};

/// By how much the box may be taken to be larger, in units of roundoff of |O − C|₁ + |e|₁.
const OF_FACES: i64 = 32;
/// The stated error of the ends of the interval, in units of roundoff.
const OF_ENDS: i64 = 4;

/// A line and a box in the frame of the box.
struct InFrame {
    line: ExactLine,
    half_extents: Vec<Exact>,
    /// How far out a face may be taken to lie.
    slack: Exact,
    /// Magnitudes of the products that make up the direction along each axis.
    direction_terms: Vec<Exact>,
}

impl InFrame {
    fn new<T: Number>(obb: &Obb<T>, ray: &Ray<T>) -> Self {
        let line = ExactLine::of_ray(ray);
        let offset: Vec<Exact> =
            line.origin.iter().zip(&obb.center).map(|(o, c)| o - &c.exact()).collect();
        let half_extents: Vec<Exact> = obb.half_extents.iter().map(|e| e.exact()).collect();
        let axes = obb.axes.map(|axis| axis.map(T::exact));
        let along = |vector: &[Exact]| axes.iter().map(|axis| dot(axis, vector)).collect();
        let sizes: Vec<Exact> = line.direction.iter().map(Exact::abs).collect();
        let size = offset.iter().chain(&half_extents).fold(Exact::of(0), |sum, x| &sum + &x.abs());
        let subnormal = &Exact::of(8) * &T::MIN_POSITIVE.exact();
        Self {
            slack: &(&size * &T::roundoffs(OF_FACES)) + &subnormal,
            direction_terms: axes
                .iter()
                .map(|axis| dot(&axis.each_ref().map(Exact::abs), &sizes))
                .collect(),
            line: ExactLine { origin: along(&offset), direction: along(&line.direction), ..line },
            half_extents,
        }
    }

    /// Where the line is between the faces of each axis, moved outwards.
    fn slabs(&self, outwards: &Exact) -> Vec<Interval> {
        let slab = |axis: usize| {
            let far = &self.half_extents[axis] + outwards;
            let near = -far.clone();
            Interval::between(
                &self.line.origin[axis],
                &self.line.direction[axis],
                &near.into(),
                &far.into(),
            )
        };
        (0..3).map(slab).collect()
    }

    /// The overlap with the box, and with the largest that it may be taken for.
    fn overlaps(&self) -> [Interval; 2] {
        [Exact::of(0), self.slack.clone()]
            .map(|outwards| inside_all(&self.slabs(&outwards)).and(&self.line.interval()))
    }
}

/// Judges the slab test of an oriented box.
pub fn judge_slab<T: Number>(obb: &Obb<T>, ray: &Ray<T>, hit: Option<IntervalHit<T>>) -> Judgement {
    let frame = InFrame::new(obb, ray);
    if let Some(hit) = hit {
        demand!(hit.t_enter <= hit.t_exit, "the ends are out of order or NaN");
        demand!(
            ray.t_min <= hit.t_enter && hit.t_exit <= ray.t_max,
            "the overlap leaves the line's interval"
        );
    }
    if !is_stated::<T>(&frame.slabs(&Exact::of(0)), &frame.line) {
        return Ok(Verdict::Unstated);
    }
    let [overlap, largest] = frame.overlaps();
    let Some(hit) = hit else {
        demand!(overlap.is_empty(), "missed: {} to {}", overlap.from.to_f64(), overlap.to.to_f64());
        return Ok(if largest.is_empty() { Verdict::Missed } else { Verdict::Either });
    };
    let near = !largest.is_empty() || passes_within::<T>(&largest, OF_MISSES);
    demand!(near, "met, though it passes: {} to {}", largest.from.to_f64(), largest.to.to_f64());
    if largest.is_empty() {
        return Ok(Verdict::Either);
    }
    let (t_enter, t_exit) = (hit.t_enter.extended(), hit.t_exit.extended());
    let early = t_enter >= largest.from || within(hit.t_enter, &largest.from, OF_ENDS);
    let late = t_exit <= largest.to || within(hit.t_exit, &largest.to, OF_ENDS);
    demand!(early && late, "reaches beyond {} to {}", largest.from.to_f64(), largest.to.to_f64());
    if overlap.is_empty() {
        return Ok(Verdict::Either);
    }
    let early = t_enter <= overlap.from || within(hit.t_enter, &overlap.from, OF_ENDS);
    let late = t_exit >= overlap.to || within(hit.t_exit, &overlap.to, OF_ENDS);
    demand!(early && late, "cut short of {} to {}", overlap.from.to_f64(), overlap.to.to_f64());
    Ok(Verdict::Met)
}

/// Judges the slab test that also names the face: the point of entry must lie in its plane.
pub fn judge_entered_face<T: Number>(
    obb: &Obb<T>,
    ray: &Ray<T>,
    hit: Option<ObbHit<T>>,
) -> Judgement {
    let interval = hit.map(|ObbHit { t_enter, t_exit, .. }| IntervalHit { t_enter, t_exit });
    let verdict = judge_slab(obb, ray, interval)?;
    let (Some(hit), Verdict::Met | Verdict::Either) = (hit, verdict) else { return Ok(verdict) };
    let Some(face) = hit.face else {
        demand!(hit.t_enter == ray.t_min, "no face, but the ray enters");
        demand!(hit.normal == [T::ZERO; 3], "no face, but a normal");
        return Ok(verdict);
    };
    // Where the face lies past the interval's end by less than the slack, t_enter is that end, and
    // so maybe t_min too.
    demand!(hit.t_enter > ray.t_min || hit.t_enter == ray.t_max, "begins inside, but has a face");
    let axis = obb.axes[face.axis];
    let outward = if face.at_max { axis } else { axis.map(|x| T::ZERO - x) };
    demand!(hit.normal == outward, "the normal is not that of the face");

    let frame = InFrame::new(obb, ray);
    let (origin, direction) = (&frame.line.origin[face.axis], &frame.line.direction[face.axis]);
    let Extended::Finite(t) = hit.t_enter.extended() else {
        return Err("a face at infinity".into());
    };
    let coordinate = origin + &(&t * direction);
    let plane = frame.half_extents[face.axis].clone();
    let off = (&coordinate - &if face.at_max { plane } else { -plane }).abs();
    let of_t = &(&t * direction).abs() * &T::roundoffs(2 * (OF_ENDS + OF_MISSES));
    demand!(
        off <= &(&frame.slack + &frame.slack) + &of_t,
        "enters {} away from the face",
        off.to_f64()
    );
    let noise = &frame.direction_terms[face.axis] * &T::roundoffs(8);
    let backwards = if face.at_max { direction.clone() } else { -direction.clone() };
    demand!(backwards <= noise, "leaves through the face");
    Ok(verdict)
}

/// Judges the yes or no of separating axes.
pub fn judge_separating_axes<T: Number>(obb: &Obb<T>, ray: &Ray<T>, hit: Option<()>) -> Judgement {
    let [overlap, largest] = InFrame::new(obb, ray).overlaps();
    demand!(
        hit.is_some() || overlap.is_empty(),
        "missed: {} to {}",
        overlap.from.to_f64(),
        overlap.to.to_f64()
    );
    demand!(hit.is_none() || !largest.is_empty(), "met, though it passes");
    Ok(match (overlap.is_empty(), largest.is_empty()) {
        (false, _) => Verdict::Met,
        (true, true) => Verdict::Missed,
        (true, false) => Verdict::Either,
    })
}

fn dot(a: &[Exact], b: &[Exact]) -> Exact {
    a.iter().zip(b).fold(Exact::of(0), |sum, (a, b)| &sum + &(a * b))
}

/// An oriented box and a line, as numbers that `f64` holds exactly.
#[derive(Debug, Clone, Copy)]
pub struct BoxAndLine {
    pub center: [f64; 3],
    pub axes: [[f64; 3]; 3],
    pub half_extents: [f64; 3],
    pub origin: [f64; 3],
    pub direction: [f64; 3],
}

impl BoxAndLine {
    /// Whether |axis · (origin + t · direction − center)| ≤ half extent + `margin` on all three
    /// axes for some `t` of a closed interval.
    pub fn meet(&self, [t_min, t_max]: [f64; 2], margin: f64) -> bool {
        if t_min.is_nan() || t_max.is_nan() {
            return false;
        }
        let exact = |v: [f64; 3]| v.map(Exact::from_f64);
        let dot = |a: &[Exact; 3], b: &[Exact; 3]| &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2];
        let [origin, center, direction] = [self.origin, self.center, self.direction].map(exact);
        let from_center = [0, 1, 2].map(|axis| &origin[axis] - &center[axis]);
        let interval = Interval { from: Extended::from_f64(t_min), to: Extended::from_f64(t_max) };
        let overlap = (0..3).fold(interval, |overlap, axis| {
            let unit = exact(self.axes[axis]);
            let extent = Exact::from_f64(self.half_extents[axis]) + Exact::from_f64(margin);
            let (low, high) = (Extended::from(-&extent), Extended::from(extent));
            overlap.and(&Interval::between(
                &dot(&unit, &from_center),
                &dot(&unit, &direction),
                &low,
                &high,
            ))
        });
        !overlap.is_empty()
    }
}
