//! A disc: a point that is nearly in its plane, and not much further from the center than its
//! radius.

use lanecast::Ray;
use lanecast::primitive::{Disc, DiscHit, Side};

use super::lines::ExactLine;
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::{Exact, Extended};

/// The stated errors, in units of roundoff: of the point off the plane, of L + D; at the rim, of
/// L + D + 3 · radius; and the cosine from which on the plane counts as crossed.
const OF_PLANE: i64 = 4;
const OF_RIM: i64 = 1;
const OF_RADIUS: i64 = 3;
const OF_COSINE: i64 = 3;

/// Judges the point where a line passes a disc, by where that point is: L is the distance of the
/// origin from the center, D that from the origin to the point.
pub fn judge<T: Number>(disc: &Disc<T>, ray: &Ray<T>, hit: Option<DiscHit<T>>) -> Judgement {
    let normal: Vec<Exact> = disc.normal.iter().map(|x| x.exact()).collect();
    if disc.radius.is_nan() || disc.radius < T::ZERO || normal.iter().all(Exact::is_zero) {
        demand!(
            hit.is_none(),
            "a disc of radius {}, square to {:?}, is met",
            disc.radius,
            disc.normal
        );
        return Ok(Verdict::Missed);
    }
    if !disc.radius.is_finite() {
        return Ok(Verdict::Unstated);
    }
    let line = ExactLine::of_ray(ray);
    let center = disc.center.map(T::exact);
    let offset: Vec<Exact> = line.origin.iter().zip(&center).map(|(o, c)| o - c).collect();
    let radius = disc.radius.exact();
    // Lengths are rounded up where they bound an error.
    let [away, speed, of_normal] = [&offset, &line.direction, &normal].map(|vector| length(vector));
    let (least, most) = if T::DIGITS == 24 { (-60, 60) } else { (-500, 500) };
    let (least, most) = (Exact::power(least), Exact::power(most));
    if ![&away, &speed, &of_normal, &radius]
        .iter()
        .all(|x| x.is_zero() || least <= **x && **x <= most)
    {
        return Ok(Verdict::Unstated);
    }
    // The bounds are stated to first order: a little more covers the rest.
    let roundoffs = |count: i64| &T::roundoffs(count) + &(&T::roundoffs(1) * &Exact::power(-3));
    let reach = |t: &Exact| &away + &(&t.abs() * &speed);
    let off_plane = |t: &Exact| &reach(t) * &roundoffs(OF_PLANE);
    let off_rim =
        |t: &Exact| &(&reach(t) * &roundoffs(OF_RIM)) + &(&radius * &roundoffs(OF_RADIUS));
    let along_normal = dot(&line.direction, &normal);
    let steepness = &speed * &of_normal;

    // Whatever the angle: a point that is told is one of the disc, or nearly.
    if let Some(DiscHit { t, side }) = hit {
        demand!(
            line.t_min <= t.extended() && t.extended() <= line.t_max && t.is_finite(),
            "t leaves the line's own interval"
        );
        let t = t.exact();
        let point = at(&offset, &line.direction, &t);
        let height = dot(&point, &normal).abs();
        demand!(
            height <= &off_plane(&t) * &of_normal,
            "the point is {} off the plane",
            height.to_f64()
        );
        let most = &radius + &off_rim(&t);
        demand!(dot(&point, &point) <= most.square(), "the point lies beyond the rim");
        if along_normal.abs() > &steepness * &roundoffs(OF_COSINE) {
            let expected = if along_normal.is_negative() { Side::Front } else { Side::Back };
            demand!(side == expected, "the side is {expected:?}");
        }
    }

    // Where the line crosses the plane, and how far from there the computed t may be: such that the
    // point there is off the plane by what is stated, which itself grows with t.
    let slope = &along_normal.abs() - &(&steepness * &roundoffs(OF_PLANE));
    if slope.is_zero() || slope.is_negative() {
        return Ok(Verdict::Either);
    }
    let t = &-dot(&offset, &normal) / &along_normal;
    let of_t = &(&off_plane(&t) * &of_normal) / &slope;
    let (first, last) = (&t - &of_t, &t + &of_t);
    let furthest = first.abs().max(last.abs());
    let in_plane = &(&of_t * &speed) + &off_rim(&furthest);
    let point = at(&offset, &line.direction, &t);
    let from_center = dot(&point, &point);
    let outside = from_center > (&radius + &in_plane).square();
    let inside = radius >= in_plane && from_center < (&radius - &in_plane).square();
    let (first, last) = (Extended::from(first), Extended::from(last));
    let within = line.t_min <= first && last <= line.t_max;
    let beyond = last < line.t_min || line.t_max < first;
    demand!(hit.is_none() || !(outside || beyond), "met, though it passes");
    demand!(hit.is_some() || !(inside && within), "missed");
    Ok(match () {
        () if outside || beyond => Verdict::Missed,
        () if inside && within => Verdict::Met,
        () => Verdict::Either,
    })
}

fn at(offset: &[Exact], direction: &[Exact], t: &Exact) -> Vec<Exact> {
    offset.iter().zip(direction).map(|(o, d)| o + &(t * d)).collect()
}

fn length(vector: &[Exact]) -> Exact {
    let [_, most] = dot(vector, vector).square_root();
    most
}

fn dot(a: &[Exact], b: &[Exact]) -> Exact {
    a.iter().zip(b).fold(Exact::of(0), |sum, (a, b)| &sum + &(a * b))
}
