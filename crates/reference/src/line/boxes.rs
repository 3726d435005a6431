//! Where a line goes through a box, by its slabs.

use super::OF_NORMALS;
use super::chord::Chord;
use crate::double::{Double, Wide};
use crate::vector::{FINE, Vector, dot, minus, times, unit, vector};
use lanecast::primitive::Obb;
use lanecast::{Aabb, Ray, Scalar};

/// Where a line is along one axis of a box.
#[derive(Debug, Clone, Copy)]
struct Along {
    /// The line's origin, and how far apart two ways to compute it may be.
    from: f64,
    from_error: f64,
    /// The same of its direction.
    by: f64,
    by_error: f64,
    /// The faces.
    min: f64,
    max: f64,
}

/// What is known of where a line is between the two faces of an axis: the least and the greatest
/// `t` of either end.
#[derive(Debug, Clone, Copy)]
enum Within {
    Never,
    From([f64; 2], [f64; 2]),
    /// Only farther away than this, or nowhere: it runs along the faces, outside of them.
    Beyond(f64),
}

const UNIT: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A box by the axes of the scene. A difference and a quotient are rounded once each.
pub fn of_box<T: Scalar>(aabb: &Aabb<T>, ray: &Ray<T>) -> Option<Chord> {
    let along = |axis: usize| Along {
        from: ray.origin[axis].to_f64(),
        from_error: 0.0,
        by: ray.direction[axis].to_f64(),
        by_error: 0.0,
        min: aabb.min[axis].to_f64(),
        max: aabb.max[axis].to_f64(),
    };
    let is_empty = (0..3).any(|axis| aabb.min[axis] > aabb.max[axis]);
    if is_empty { None } else { chord([0, 1, 2].map(along), UNIT) }
}

/// An oriented box, whose axes count as they are. Sums of three products, the first of differences:
/// each way to compute them is off by at most 5 and 4 roundings of the sum of the magnitudes, and
/// two ways by twice that.
pub fn of_oriented_box<T: Scalar>(obb: &Obb<T>, ray: &Ray<T>) -> Option<Chord> {
    let (origin, center) = (vector(ray.origin), vector(obb.center));
    let (from_center, direction) = (minus(origin, center), vector(ray.direction));
    let is_exact = |axis: usize| exact_difference(origin[axis], center[axis]).is_some();
    let along = |axis: usize| {
        let (unit, half) = (vector(obb.axes[axis]), obb.half_extents[axis].to_f64());
        let error = |v: Vector, is_exact: &dyn Fn(usize) -> bool| {
            let products = [0, 1, 2].map(|i| unit[i] * v[i]);
            let mut nonzero = (0..3).filter(|&i| products[i] != 0.0);
            // Of one product that is not rounded there is one sum.
            let alone = nonzero
                .next()
                .is_none_or(|i| is_exact(i) && unit[i].mul_add(v[i], -products[i]) == 0.0);
            if alone && nonzero.next().is_none() {
                0.0
            } else {
                FINE * dot(unit.map(f64::abs), v.map(f64::abs))
            }
        };
        Along {
            from: dot(unit, from_center),
            from_error: 10.0 * error(from_center, &is_exact),
            by: dot(unit, direction),
            by_error: 8.0 * error(direction, &|_| true),
            min: -half,
            max: half,
        }
    };
    chord([0, 1, 2].map(along), obb.axes.map(vector))
}

impl Along {
    fn within(&self) -> Within {
        let Self { from, from_error, by, by_error, min, max } = *self;
        let outside = (min - from).max(from - max);
        if by == 0.0 && by_error == 0.0 {
            return if outside <= -from_error {
                Within::From([f64::NEG_INFINITY; 2], [f64::INFINITY; 2])
            } else if outside > from_error {
                Within::Never
            } else {
                Within::Beyond(0.0)
            };
        }
        if by.abs() <= 2.0 * by_error {
            // So nearly along the faces that the sign is not known: it comes to them so far away at
            // the nearest.
            let far = (outside.abs() - from_error).max(0.0) / (3.0 * by_error);
            return if outside <= 0.0 {
                Within::From([f64::NEG_INFINITY, -far], [far, f64::INFINITY])
            } else {
                Within::Beyond(far)
            };
        }
        let at = |face: f64| {
            let t = (face - from) / by;
            let error =
                (from_error + t.abs() * by_error) / (by.abs() - by_error) + 8.0 * FINE * t.abs();
            [t - error, t + error]
        };
        let [near, far] = self.faces();
        Within::From(at(near), at(far))
    }

    /// The face that a line enters by, and that by which it leaves.
    fn faces(&self) -> [f64; 2] {
        if self.by > 0.0 { [self.min, self.max] } else { [self.max, self.min] }
    }

    /// Whether the line enters here no later than it leaves by the faces of `other`, told without
    /// an error; `None` where `f64` does not hold what that takes. What touches is met, whatever
    /// the engine rounds: that much is promised.
    fn enters_before_it_leaves(&self, other: &Self) -> Option<bool> {
        let is_exact =
            |along: &Self| along.from_error == 0.0 && along.by_error == 0.0 && along.by != 0.0;
        if !is_exact(self) || !is_exact(other) {
            return None;
        }
        let (near, far) = (
            exact_difference(self.faces()[0], self.from)?,
            exact_difference(other.faces()[1], other.from)?,
        );
        // near / by ≤ far / by, multiplied by both, the sign of whose product turns it round.
        let difference = Double::product(near, other.by) - Double::product(far, self.by);
        Some(difference.to_f64() * self.by.signum() * other.by.signum() <= 0.0)
    }
}

/// The difference, if it is not rounded.
fn exact_difference(a: f64, b: f64) -> Option<f64> {
    let difference = a - b;
    let taken = a - difference;
    let error = (a - (difference + taken)) - (b - taken);
    (error == 0.0).then_some(difference)
}

/// The line is in the box where it is between all faces. That it enters an axis no later than it
/// leaves the same is certain, as rounding keeps the order of what it rounds: a flat box is met for
/// certain.
fn chord(along: [Along; 3], axes: [Vector; 3]) -> Option<Chord> {
    let within = along.map(|along| along.within());
    let (mut enter, mut exit) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
    let (mut is_certain, mut beyond) = (true, None::<f64>);
    for (axis, found) in within.iter().enumerate() {
        let (near, far) = match *found {
            Within::Never => return None,
            Within::Beyond(t) => {
                beyond = Some(beyond.map_or(t, |other| other.max(t)));
                continue;
            }
            Within::From(near, far) => (near, far),
        };
        (enter, exit) = (
            [0, 1].map(|end| near[end].max(enter[end])),
            [0, 1].map(|end| far[end].min(exit[end])),
        );
        for other in (0..3).filter(|&other| other != axis) {
            let Within::From(_, left) = within[other] else { continue };
            // The engine takes for touching what passes by less than 16 roundings.
            let touching = 32.0 * FINE * near[0].abs().max(left[1].abs());
            if near[0] - left[1] > touching {
                return None;
            }
            is_certain &= near[1] <= left[0]
                || along[axis].enters_before_it_leaves(&along[other]).unwrap_or(false);
        }
    }
    if let Some(beyond) = beyond {
        if -beyond < enter[0] && exit[1] < beyond {
            return None;
        }
        (enter, exit, is_certain) =
            ([f64::NEG_INFINITY, f64::INFINITY], [f64::NEG_INFINITY, f64::INFINITY], false);
    }
    Some(Chord { ends: [enter, exit], normals: normals(&along, &within, axes), is_certain })
}

/// The normals of the face that is surely entered last, and of that which is surely left first.
fn normals(
    along: &[Along; 3],
    within: &[Within; 3],
    axes: [Vector; 3],
) -> [Option<(Vector, f64)>; 2] {
    // The least and the greatest `t` of an end, as seen backwards where the line leaves.
    let at = |end: usize, axis: usize| match within[axis] {
        Within::From(near, _) if end == 0 => near,
        Within::From(_, [least, greatest]) => [-greatest, -least],
        Within::Never | Within::Beyond(_) => [f64::NAN; 2],
    };
    [0, 1].map(|end| {
        let is_last =
            |axis: usize| (0..3).all(|other| other == axis || at(end, axis)[0] > at(end, other)[1]);
        let axis = (0..3).find(|&axis| is_last(axis))?;
        let against = [-1.0, 1.0][end] * along[axis].by.signum();
        Some((unit(times(against, axes[axis])), OF_NORMALS))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::oriented::BoxAndLine;
    use crate::random::Random;
    use crate::vector::{Numbers, rounded};

    const CUBE: Aabb = Aabb { min: [-1.0; 3], max: [1.0; 3] };

    fn turned() -> Obb {
        let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
        Obb::new([0.0; 3], axes, [1.0; 3]).expect("orthonormal axes")
    }

    /// The ends to a millionth, if it is met, and whether that is certain.
    fn in_millionths(chord: Option<Chord>) -> Option<([f64; 2], bool)> {
        chord.map(|Chord { ends, is_certain, .. }| {
            assert!(ends.iter().all(|[least, greatest]| greatest - least < 1e-12), "{ends:?}");
            (ends.map(|[least, _]| (least * 1e6).round() * 1e-6), is_certain)
        })
    }

    #[test]
    fn a_line_enters_and_leaves_and_a_flat_box_is_met_for_certain() {
        let ray = Ray::new([0.25, -3.0, 0.5], [0.0, 2.0, 0.0]);
        assert_eq!(in_millionths(of_box(&CUBE, &ray)), Some(([1.0, 2.0], true)));
        let plate = Aabb { min: [-1.0, 0.3, -1.0], max: [1.0, 0.3, 1.0] };
        let slanted = Ray::new([0.25, -3.0, 0.5], [0.1, 2.0, -0.3]);
        assert_eq!(in_millionths(of_box(&plate, &slanted)), Some(([1.65, 1.65], true)));
        assert_eq!(of_box(&Aabb::EMPTY, &ray), None);
        assert_eq!(of_box(&Aabb { min: [0.0; 3], max: [1.0, -1.0, 1.0] }, &ray), None);
        let along_y = Ray::new([0.0, -5.0, 0.5], [0.0, 1.0, 0.0]);
        assert_eq!(in_millionths(of_oriented_box(&turned(), &along_y)), Some(([3.75, 6.25], true)));
        assert_eq!(of_oriented_box(&turned(), &Ray::new([0.0, -5.0, 0.5], [1.0, 0.0, 0.0])), None);
    }

    /// Touching counts, however quotients are rounded.
    #[test]
    fn what_touches_an_edge_meets_the_box_for_certain() {
        let aabb = Aabb { min: [-1.0; 3], max: [2.0, 5.0, 1.0] };
        let touching = Ray::new([-1.0, 14.0, 0.0], [7.0, -21.0, 0.0]);
        let t = (3e6_f64 / 7.0).round() * 1e-6;
        assert_eq!(in_millionths(of_box(&aabb, &touching)), Some(([t, t], true)));
        let beside = Ray { origin: [-1.0, 14.0_f32.next_up(), 0.0], ..touching };
        assert_eq!(of_box(&aabb, &beside), None);
        let within = Ray { origin: [-1.0, 14.0_f32.next_down(), 0.0], ..touching };
        assert!(of_box(&aabb, &within).is_some_and(|chord| chord.is_certain));
    }

    /// A line that leaves between the faces of one axis at t = 2 and, up to so much, enters there
    /// between those of another.
    fn past_an_edge(gap: f64, error: f64) -> Option<Chord> {
        let along = |from: f64| Along {
            from,
            from_error: error,
            by: 1.0,
            by_error: 0.0,
            min: -1.0,
            max: 1.0,
        };
        chord([along(-3.0 - gap), along(-1.0), Along { by: 0.0, ..along(0.0) }], UNIT)
    }

    #[test]
    fn what_rounding_decides_is_left_open() {
        assert!(past_an_edge(0.0, 0.0).is_some_and(|chord| chord.is_certain), "it touches");
        assert!(past_an_edge(-1e-13, 1e-14).is_some_and(|chord| chord.is_certain));
        for gap in [-1e-14, 0.0, 1e-14] {
            assert!(past_an_edge(gap, 1e-14).is_some_and(|chord| !chord.is_certain), "{gap}");
        }
        assert_eq!(past_an_edge(1e-13, 1e-14), None);
        // For touching the engine may take what passes by a few roundings, though they are known.
        assert!(past_an_edge(8e-15, 0.0).is_some_and(|chord| !chord.is_certain));
        assert_eq!(past_an_edge(2e-14, 0.0), None);
        // In a face or beside it.
        let beside = |from: f64| {
            let along =
                Along { from: -3.0, from_error: 0.0, by: 1.0, by_error: 0.0, min: -1.0, max: 1.0 };
            let still = Along { from, from_error: 1e-14, by: 0.0, ..along };
            chord([along, still, still], UNIT).map(|chord| chord.is_certain)
        };
        assert_eq!([0.9, 1.0, 1.1].map(beside), [Some(true), Some(false), None]);
    }

    #[test]
    fn two_ways_to_compute_where_an_oriented_box_is_may_differ() {
        let slanted = Ray::new([0.3, -5.0, 0.1], [0.1, 1.0, 0.2]);
        let chord = of_oriented_box(&turned(), &slanted).expect("met");
        let width = chord.ends[0][1] - chord.ends[0][0];
        // Quotients alone make it 64.
        assert!((120.0..400.0).contains(&(width / FINE)), "{}", width / FINE);
    }

    #[test]
    fn along_the_faces_it_is_between_them_or_not() {
        let along = |y: f32| Ray::new([-3.0, y, 0.5], [1.0, 0.0, 0.0]);
        assert_eq!(
            in_millionths(of_box(&CUBE, &along(1.0))),
            Some(([2.0, 4.0], true)),
            "in a face"
        );
        assert_eq!(of_box(&CUBE, &along(1.0_f32.next_up())), None);
        // By axes of its own nobody knows, within what rounding does.
        let [x, y, _] = turned().axes;
        let at = |out: f32| Ray::new([0, 1, 2].map(|axis| out * y[axis] - 3.0 * x[axis]), x);
        assert_eq!(in_millionths(of_oriented_box(&turned(), &at(0.5))), Some(([2.0, 4.0], true)));
        assert_eq!(of_oriented_box(&turned(), &at(1.5)), None);
        // Unless one of its axes is one of the scene's.
        let level = |z: f32| Ray::new([0.0, -5.0, z], [0.0, 1.0, 0.0]);
        assert_eq!(
            in_millionths(of_oriented_box(&turned(), &level(1.0))),
            Some(([3.75, 6.25], true))
        );
        assert_eq!(of_oriented_box(&turned(), &level(1.0_f32.next_up())), None);
    }

    #[test]
    fn what_is_certain_is_what_rationals_say() {
        hold_to_rationals::<f32>(0.0);
        hold_to_rationals::<f64>(6.4e6);
    }

    fn hold_to_rationals<T: Numbers>(away: f64) {
        let random = &mut Random::new(1);
        let (mut met, mut missed) = (0, 0);
        for number in 0..4_000 {
            let mut lattice = |away: f64| {
                [(); 3].map(|()| T::nearest(random.below(9) as f64 * 0.25 - 1.0 + away))
            };
            let (center, half, origin, direction) =
                (lattice(away), lattice(0.0), lattice(away), lattice(0.0));
            let axes = if number % 2 == 0 { turned().axes.map(vector) } else { UNIT };
            let axes = axes.map(rounded::<T>);
            let obb =
                Obb { center, axes, half_extents: half.map(|x| T::nearest(x.to_f64().abs())) };
            let ray = Ray::line(origin, direction);
            if ray.defect().is_some() {
                continue;
            }
            let exact = BoxAndLine {
                center: vector(center),
                axes: axes.map(vector),
                half_extents: vector(obb.half_extents),
                origin: vector(origin),
                direction: vector(direction),
            };
            let is_met = exact.meet([f64::NEG_INFINITY, f64::INFINITY], 0.0);
            match of_oriented_box(&obb, &ray) {
                None => assert!(!is_met, "{obb:?} {ray:?}"),
                Some(chord) => assert!(is_met || !chord.is_certain, "{obb:?} {ray:?}"),
            }
            (met, missed) = (met + usize::from(is_met), missed + usize::from(!is_met));
        }
        assert!(met > 500 && missed > 500, "{met} met, {missed} missed");
    }
}
