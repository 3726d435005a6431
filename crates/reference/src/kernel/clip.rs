//! A segment clipped to a box.

use lanecast::Segment;
use lanecast::primitive::{Aabb, ClippedSegment};

use super::boxes::{OF_MISSES, inside_all, is_stated, passes_within, slabs};
use super::lines::ExactLine;
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::{Exact, Extended};

/// Judges a clipped segment; `widening` is how far beyond the faces it is cut, in its lengths.
pub fn judge<T: Number, const D: usize>(
    aabb: &Aabb<T, D>,
    segment: &Segment<T, D>,
    widening: T,
    hit: Option<ClippedSegment<T, D>>,
) -> Judgement {
    // NaN and what is negative widen nothing.
    let widening = if widening > T::ZERO { widening } else { T::ZERO };
    let line = ExactLine::of_segment(segment);
    let slabs = slabs(aabb, &line);
    if !is_stated::<T>(&slabs, &line) {
        return Ok(Verdict::Unstated);
    }
    let overlap = inside_all(&slabs).and(&line.interval());
    let Some(hit) = hit else {
        demand!(overlap.is_empty(), "missed, though they overlap from {}", overlap.from.to_f64());
        let near = passes_within::<T>(&overlap, OF_MISSES);
        return Ok(if near { Verdict::Either } else { Verdict::Missed });
    };
    demand!(hit.t_start >= T::ZERO && hit.t_end <= T::ONE, "the parameters leave the segment");
    demand!(hit.t_start <= hit.t_end, "the parameters are out of order or NaN");
    let verdict = if overlap.is_empty() {
        demand!(passes_within::<T>(&overlap, OF_MISSES), "met, though it passes");
        Verdict::Either
    } else {
        Verdict::Met
    };
    if verdict != Verdict::Met {
        return Ok(verdict);
    }
    let wide = inside_all(&slabs).widened(&widening.exact());
    let ends = [
        ("start", &wide.from, hit.t_start, hit.start, T::ZERO, segment.start),
        ("end", &wide.to, hit.t_end, hit.end, T::ONE, segment.end),
    ];
    // The largest coordinate bounds what rounding the points can cost.
    let coordinates = segment.start.iter().chain(&segment.end).map(|x| x.exact().abs());
    let of_points = &coordinates.max().expect("some coordinates") * &T::roundoffs(8);
    for (name, cut, t, point, own_t, own) in ends {
        let own_exact = own_t.exact();
        let cut = cut
            .finite()
            .map_or(own_exact.clone(), |cut| cut.clone().max(Exact::of(0)).min(Exact::of(1)));
        // One rounding more than a ray: the direction is a difference of the ends.
        let of_t = &(&(&cut + &widening.exact()) * &T::roundoffs(5))
            + &(&widening.exact() * &T::roundoffs(5));
        demand!((&t.exact() - &cut).abs() <= of_t, "t of the {name} should be {}", cut.to_f64());
        if t == own_t {
            demand!(
                point.map(T::bits) == own.map(T::bits),
                "the {name} is not cut off, but has changed"
            );
        }
        let (before, after) = (Extended::from(-of_t.clone()), Extended::from(&own_exact + &of_t));
        let clearly_inside = if name == "start" { wide.from < before } else { wide.to > after };
        demand!(t == own_t || !clearly_inside, "the {name} is cut off, though it lies inside");
        for (axis, exact) in line.at(&cut).iter().enumerate() {
            let off = (&point[axis].exact() - exact).abs();
            demand!(off <= of_points, "the {name} should be at {} on axis {axis}", exact.to_f64());
        }
    }
    Ok(verdict)
}
