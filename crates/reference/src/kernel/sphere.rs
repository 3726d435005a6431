//! A ball, between a slightly smaller and a slightly larger one.

use lanecast::Ray;
use lanecast::primitive::{Sphere, SphereHit};

use super::lines::{ExactLine, Interval};
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::{Exact, Extended};

/// The stated errors, in units of roundoff: of the center, of the distance between origin and
/// center; of the ends, of that distance and the radius.
const STATED: i64 = 8;

/// What squares cost that are too small for their digits, as a length: 2 to the power of this.
fn vanishing<T: Number>() -> Exact {
    Exact::power(if T::DIGITS == 24 { -73 } else { -535 })
}

/// Radii from here on have no square.
fn too_large<T: Number>() -> Exact {
    Exact::power(if T::DIGITS == 24 { 64 } else { 512 })
}

/// Judges the entry and the exit of a ball.
///
/// The answer is that for a ball whose center is off by h = 8 L ε, L being the origin's distance
/// from it. Such a ball lies within the one of radius r + h around the true center, and holds that
/// of radius r − h: so its roots lie between theirs.
pub fn judge<T: Number>(sphere: &Sphere<T>, ray: &Ray<T>, hit: Option<SphereHit<T>>) -> Judgement {
    if sphere.radius.is_nan() || sphere.radius < T::ZERO {
        demand!(hit.is_none(), "a sphere of radius {} is met", sphere.radius);
        return Ok(Verdict::Missed);
    }
    if !sphere.radius.is_finite() || sphere.radius.exact() >= too_large::<T>() {
        demand!(hit.is_none(), "a sphere of radius {}, which has no square, is met", sphere.radius);
        return Ok(Verdict::Unstated);
    }
    let line = ExactLine::of_ray(ray);
    let own = line.interval();
    if let Some(hit) = hit {
        demand!(hit.t_enter <= hit.t_exit, "the ends are out of order or NaN");
        demand!(
            own.from <= hit.t_enter.extended() && hit.t_exit.extended() <= own.to,
            "the overlap leaves the line's own interval"
        );
    }
    let center: Vec<Exact> = sphere.center.iter().map(|x| x.exact()).collect();
    let offset: Vec<Exact> = line.origin.iter().zip(&center).map(|(o, c)| o - c).collect();
    let radius = sphere.radius.exact();
    let away = &length(&offset)[1];
    let moved = &(away * &T::roundoffs(STATED)) + &vanishing::<T>();
    // Less than its bound from below: the error as a parameter is then more than it could be.
    let speed = &length(&line.direction)[0];
    let of_ends = &(&(&(away + &radius) * &T::roundoffs(STATED)) + &vanishing::<T>()) / speed;

    let large =
        roots(&offset, &line.direction, &(&radius + &moved)).map(|[low, high]| low.or(&high));
    let outer = large.map_or_else(Interval::empty, |roots| roots.widened(&of_ends));
    let small = &radius - &moved;
    let inner = if small.is_negative() { None } else { roots(&offset, &line.direction, &small) };
    let inner =
        inner.map_or_else(Interval::empty, |[low, high]| low.and(&high).widened(&-of_ends.clone()));

    if ![&outer.from, &outer.to, &own.from, &own.to].into_iter().all(T::holds_parameter) {
        let infinite = Exact::from_f64(T::INFINITE_T.to_f64());
        let finite = Interval { from: (-infinite.clone()).into(), to: infinite.into() };
        let beyond = outer.and(&own).and(&finite).is_empty();
        demand!(hit.is_none() || !beyond, "met where no t is finite");
        return Ok(Verdict::Unstated);
    }
    let (most, least) = (outer.and(&own), inner.and(&own));
    let Some(hit) = hit else {
        demand!(least.is_empty(), "missed: {} to {}", least.from.to_f64(), least.to.to_f64());
        return Ok(if most.is_empty() { Verdict::Missed } else { Verdict::Either });
    };
    demand!(!most.is_empty(), "met, though it passes");
    let (t_enter, t_exit) = (hit.t_enter.extended(), hit.t_exit.extended());
    demand!(
        most.from <= t_enter && t_exit <= most.to,
        "reaches beyond {} to {}",
        most.from.to_f64(),
        most.to.to_f64()
    );
    demand!(!hit.inside || t_enter == own.from, "inside, but t_enter is not t_min");
    demand!(!hit.inside || outer.from <= own.from, "inside, but t_min lies before the ball");
    if least.is_empty() {
        return Ok(Verdict::Either);
    }
    demand!(
        t_enter <= least.from && least.to <= t_exit,
        "cut short of {} to {}",
        least.from.to_f64(),
        least.to.to_f64()
    );
    demand!(
        hit.inside || inner.from >= own.from,
        "the interval begins in the ball, but that is not said"
    );
    Ok(Verdict::Met)
}

fn length(vector: &[Exact]) -> [Exact; 2] {
    dot(vector, vector).square_root()
}

fn dot(a: &[Exact], b: &[Exact]) -> Exact {
    a.iter().zip(b).fold(Exact::of(0), |sum, (a, b)| &sum + &(a * b))
}

/// Where |offset + t · direction| ≤ radius, with each end rounded inwards and outwards; `None` if
/// nowhere.
fn roots(offset: &[Exact], direction: &[Exact], radius: &Exact) -> Option<[Interval; 2]> {
    let (a, half_b) = (dot(direction, direction), dot(offset, direction));
    let c = &dot(offset, offset) - &radius.square();
    let discriminant = &half_b.square() - &(&a * &c);
    if discriminant.is_negative() {
        return None;
    }
    let interval = |root: &Exact| Interval {
        from: Extended::from(&-(&half_b + root) / &a),
        to: Extended::from(&(root - &half_b) / &a),
    };
    Some(discriminant.square_root().each_ref().map(interval))
}
