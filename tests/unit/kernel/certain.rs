use super::RoundedInterval;
use crate::kernel::ends::SHEAR_ERROR;
use crate::kernel::far::Unsheared;
use crate::kernel::watertight::{Passage, decide, sheared, undecided};
use crate::random::Random;
use crate::simd::Scalar;
use crate::simd::bounded::Bounded;
use crate::value::{Contact, Culling, Rules};

/// A coordinate: of few bits, so that edge functions vanish, or any, and of any size that fits.
fn coordinate(random: &mut Random, size: i32) -> f32 {
    let value =
        if random.below(4) == 0 { random.below(9) as f32 - 4.0 } else { random.between(-4.0, 4.0) };
    value * 2.0_f32.powi(size)
}

/// An end of an interval: often the t of a vertex, or a step or two beside it, or between two.
fn end(random: &mut Random, vertices: &[[f32; 3]; 3], direction_z: f32) -> f32 {
    match random.below(8) {
        0 => f32::INFINITY,
        1 => f32::NEG_INFINITY,
        2 => 0.0,
        3 => random.between(-100.0, 100.0),
        // Amid the triangle.
        4..=6 => {
            (0.3 * vertices[random.below(3)][2] + 0.7 * vertices[random.below(3)][2]) / direction_z
        }
        _ => {
            let t = vertices[random.below(3)][2] / direction_z;
            f32::from_bits(t.to_bits().wrapping_add(random.below(5) as u32).wrapping_sub(2))
        }
    }
}

/// The passage through a triangle that shearing leaves as it is.
fn decide_as_given(
    vertices: &[[f32; 3]; 3],
    direction_z: f32,
    rules: Rules,
    interval: [f32; 2],
) -> Option<Passage<f32>> {
    let given = Unsheared { corners: *vertices, origin: [0.0; 3], shear: [0.0; 2] };
    decide(vertices, &given, direction_z, rules, interval)
}

/// What is called certain is: a hit by either contact within the interval, or no hit and none that
/// exact arithmetic may find within. And most hits of triangles that lie within the interval are
/// certain, as are most misses of those before it.
#[test]
fn certain_answers_are_right() {
    let mut random = Random::new(31);
    let (mut hits, mut inside, mut misses, mut outside) = (0, 0, 0, 0);
    // Certain hits of triangles on both sides of one end, or of both ends, and all these.
    let (mut spanning_hits, mut spanning) = ([0; 2], [0; 2]);
    for _ in 0..1_000_000 {
        let sizes = [0, 0, 0, random.below(240) as i32 - 120, random.below(60) as i32 - 30];
        let [mut across, mut along, size] = [(); 3].map(|()| sizes[random.below(5)]);
        if random.below(16) == 0 {
            // Products of three overflow.
            across = 36 + random.below(12) as i32;
            along = across;
        }
        let (in_front, is_level) = (random.below(2) == 0, random.below(4) == 0);
        let mut vertices = [(); 3].map(|()| {
            let z = coordinate(&mut random, along);
            [
                coordinate(&mut random, across),
                coordinate(&mut random, across),
                if in_front { z.abs() } else { z },
            ]
        });
        if is_level {
            vertices = vertices.map(|[x, y, _]| [x, y, vertices[0][2]]);
        }
        let direction_z = coordinate(&mut random, size);
        let mut interval = [(); 2].map(|()| end(&mut random, &vertices, direction_z));
        if random.below(8) > 0 {
            interval.sort_by(f32::total_cmp);
        }
        // Others are refused.
        let is_sound = (2.0_f32.powi(-100)..=2.0_f32.powi(100)).contains(&direction_z.abs());
        if !is_sound || interval.iter().any(|end| end.is_nan()) {
            continue;
        }
        let culling = random.pick(&[Culling::None, Culling::Back, Culling::Front]);
        let undecided = undecided(&vertices);
        let [is_hit, is_unknown] =
            RoundedInterval::new(direction_z, interval).classify(&vertices, culling, undecided);
        let case = || format!("{vertices:?} {direction_z} {interval:?} {culling:?}");
        assert!(undecided || !is_hit && !is_unknown, "{}", case());
        let decided = [Contact::Touch, Contact::Crossing].map(|contact| {
            let passage =
                decide_as_given(&vertices, direction_z, Rules { culling, contact }, interval);
            passage.map_or([false; 2], |passage| [passage.met, passage.doubtful && !passage.is_far])
        });
        assert!(!is_hit || decided == [[true, false]; 2], "{}", case());
        assert!(is_hit || is_unknown || decided == [[false; 2]; 2], "{}", case());
        let t = vertices.map(|[_, _, z]| z / direction_z);
        let is_inside = t
            .iter()
            .all(|t| interval[0].max(1e-20) < t * 0.999 && t * 1.001 < interval[1].min(1e20));
        let passes = decide_as_given(
            &vertices,
            direction_z,
            Rules::touch(culling),
            [f32::NEG_INFINITY, f32::INFINITY],
        );
        let met = passes.filter(|passage| passage.met).map(|passage| passage.t);
        let is_outside = met.is_some()
            && (t.iter().all(|t| interval[0] - t > 0.1 * t.abs())
                || t.iter().all(|t| t - interval[1] > 0.1 * t.abs()));
        let is_usual =
            (across, along) == (0, 0) && interval.iter().all(|end| end.abs() < 1e6) && undecided;
        let is_well_inside = met.is_some_and(|t| t - interval[0] > 0.1 && interval[1] - t > 0.1);
        // No vertex is so near an end that a rounding decides.
        let is_clear =
            t.iter().all(|t| interval.iter().all(|end| (t - end).abs() > 1e-5 * t.abs()));
        let ends = [t.iter().any(|&t| t < interval[0]), t.iter().any(|&t| interval[1] < t)];
        let is_across = is_well_inside && is_clear && ends.contains(&true) && interval[0] > 0.0;
        let both = usize::from(ends == [true; 2]);
        hits += usize::from(is_hit && is_inside);
        inside += usize::from(decided[0][0] && is_inside);
        misses += usize::from(!is_hit && !is_unknown && is_outside && is_usual);
        outside += usize::from(is_outside && is_usual);
        spanning_hits[both] += usize::from(is_hit && is_across && is_usual);
        spanning[both] += usize::from(is_across && is_usual);
    }
    assert!(hits > 3_000 && hits * 10 > inside * 8, "{hits} certain hits, {inside} inside");
    assert!(misses > 1_000 && misses * 10 > outside * 8, "{misses} of {outside} certain misses");
    for (hits, all) in spanning_hits.into_iter().zip(spanning) {
        assert!(
            hits > 100 && hits * 10 > all * 6,
            "{spanning_hits:?} of {spanning:?} across one end, or both"
        );
    }
}

/// Sums of depths that overflow to the wrong infinity, and a `t` that rounds up to 0 from below the
/// least subnormal, also where the bound of the error exceeds that by least.
#[test]
fn huge_sums_and_subnormal_t_are_not_certain() {
    let (w, k) = (2.0_f32.powi(42), 2.0_f32.powi(43));
    let triangle = |[a, b, c]: [f32; 3], w: f32| [[0.0, w, a], [-w, -w, b], [w, -w, c]];
    let tiny = -2.0_f32.powi(-51);
    let cases = [
        (triangle([1.1 * k, -1.8 * k, -1.8 * k], w), 1.0, f32::INFINITY),
        (triangle([-1.1 * k, 1.8 * k, 1.8 * k], w), 1.0, f32::INFINITY),
        (triangle([5.1 * k, 2.2 * k, 2.2 * k], w), 1.0, 4.0 * k),
        (triangle([tiny; 3], 2.0_f32.powi(-34)), 2.0_f32.powi(100), f32::INFINITY),
        (triangle([2.0 * tiny; 3], 2.0_f32.powi(-30) / 3.0), 2.0_f32.powi(100), f32::INFINITY),
    ];
    for (vertices, direction_z, t_max) in cases {
        let interval = [0.0, t_max];
        let met = decide_as_given(&vertices, direction_z, Rules::touch(Culling::None), interval)
            .is_some_and(|passage| passage.met);
        let [is_hit, is_unknown] = RoundedInterval::new(direction_z, interval).classify(
            &vertices,
            Culling::None,
            undecided(&vertices),
        );
        assert!(is_unknown || is_hit == met, "{vertices:?} {direction_z} {interval:?}");
    }
}

/// Shearing moves x and y by no more than its bound, and by more than half of it.
#[test]
fn the_shear_bound_holds_and_is_at_most_twice_the_worst_error() {
    let mut random = Random::new(43);
    let mut most = 0.0_f64;
    for _ in 0..200_000 {
        // At the corners of what may be, just above powers of two, where rounding takes most, and
        // within.
        let mut number = || match random.below(4) {
            0 => random.between(-2.0, 2.0),
            _ => random.pick(&[-2.0, -1.0, 0.0, 1.0, 2.0]),
        };
        let [vertex, origin] = [(); 2].map(|()| [(); 3].map(|()| Bounded::exact(number())));
        // Quotients, which are rounded once.
        let shear = [(); 2].map(|()| Bounded::new(0.5 * number(), 0.0));
        let [x, y, z] = sheared(vertex, origin, shear);
        let height =
            [x, y, z].iter().fold(f32::MIN_POSITIVE, |most, number| most.max(number.value.abs()));
        most = most.max(x.error.max(y.error) / f64::from(height));
    }
    let ratio = most / f64::from(SHEAR_ERROR * f32::UNIT_ROUNDOFF);
    assert!(0.5 < ratio && ratio <= 1.0, "{ratio}");
}
