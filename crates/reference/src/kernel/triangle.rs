//! The triangle: the point in its plane by Cramer's rule, and in the plane across the line.

use lanecast::Ray;
use lanecast::primitive::{Culling, Side, Triangle, TriangleHit};

use super::lines::ExactLine;
use super::near::Near;
use super::number::Number;
use super::{Judgement, Verdict, demand};
use crate::exact::{Exact, Extended};

/// Judges the classic test by its stated errors: of d by 45 ε D E², of t · d by 51 ε R E², of the
/// weights times d by 45 ε D E R.
pub fn judge_triple_product<T: Number>(
    triangle: &Triangle<T>,
    ray: &Ray<T>,
    culling: Culling,
    hit: Option<TriangleHit<T>>,
) -> Judgement {
    let line = ExactLine::of_ray(ray);
    let [a, b, c] = triangle.vertices.map(|vertex| vertex.map(T::exact));
    let (first, second, offset) = (minus(&b, &a), minus(&c, &a), minus(&line.origin, &a));
    let [e, d, r] =
        [largest(first.iter().chain(&second)), largest(&line.direction), largest(&offset)];
    let powers = if T::DIGITS == 24 { [-35, 40] } else { [-300, 300] };
    let [least, most] = powers.map(Exact::power);
    if ![&e, &d, &r].iter().all(|size| **size <= most && (size.is_zero() || least <= **size)) {
        return Ok(Verdict::Unstated);
    }
    // The bounds are stated to first order: a little more covers the rest.
    let error = |roundoffs: i64, a: &Exact, b: &Exact, c: &Exact| {
        &(&(a * b) * c) * &(&T::roundoffs(roundoffs) + &(&T::roundoffs(1) * &Exact::power(-3)))
    };
    let normal = cross(&first, &second);
    let backwards: Vec<Exact> = line.direction.iter().map(|x| -x.clone()).collect();
    let of_weight = error(45, &d, &e, &r);
    // Cramer's rule for offset = u · first + v · second + t · backwards.
    let determinant = Near::new(dot(&backwards, &normal), error(45, &d, &e, &e));
    let t = Near::new(dot(&offset, &normal), error(51, &r, &e, &e));
    let u = Near::new(dot(&backwards, &cross(&offset, &second)), of_weight.clone());
    let v = Near::new(dot(&backwards, &cross(&first, &offset)), of_weight);
    let Some(is_back) = determinant.sign() else { return Ok(Verdict::Either) };
    let point = [&t, &u, &v].map(|over| over.over(&determinant).expect("its sign is certain"));
    judge_point(point, is_back, &line, culling, hit)
}

/// Judges the watertight test by its stated errors: each vertex moved by 2 ε X + 4 ε Z across the
/// line, weights rounded once, and t off by 2⁻⁴⁸ (2⁻¹⁰⁰ in `f64`) of the greatest at a vertex.
pub fn judge_watertight<T: Number>(
    triangle: &Triangle<T>,
    ray: &Ray<T>,
    culling: Culling,
    hit: Option<TriangleHit<T>>,
) -> Judgement {
    let line = ExactLine::of_ray(ray);
    let sizes: Vec<Exact> = line.direction.iter().map(Exact::abs).collect();
    // The longest, of several the first.
    let z = (0..3).rev().max_by_key(|&axis| &sizes[axis]).expect("three axes");
    let along = &line.direction[z];
    // For each vertex its t, and where the line through it along the direction meets z = 0.
    let vertices = triangle.vertices.map(|vertex| {
        let vertex = minus(&vertex.map(T::exact), &line.origin);
        let t = &vertex[z] / along;
        let sheared = [1, 2].map(|next| {
            let axis = (z + next) % 3;
            let of_axis = &vertex[axis].abs() * &T::roundoffs(2);
            let error = &of_axis + &(&vertex[z].abs() * &T::roundoffs(4));
            Near::new(&vertex[axis] - &(&t * &line.direction[axis]), error)
        });
        (t, sheared)
    });
    let edge = |from: usize, to: usize| {
        let [from, to] = [&vertices[from].1, &vertices[to].1];
        from[0].times(&to[1]).minus(&from[1].times(&to[0]))
    };
    let edges = [edge(1, 2), edge(2, 0), edge(0, 1)];
    let signs = edges.each_ref().map(Near::sign);
    if signs.contains(&Some(true)) && signs.contains(&Some(false)) {
        demand!(hit.is_none(), "met, though it passes");
        return Ok(Verdict::Missed);
    }
    let sum = edges[0].plus(&edges[1]).plus(&edges[2]);
    let Some(is_negative) = sum.sign() else { return Ok(Verdict::Either) };
    // The front runs counter-clockwise as seen from where the line comes: the sum is then positive
    // if it runs down z, and negative if it runs up.
    let is_back = is_negative == along.is_negative();
    let weights = edges.map(|edge| edge.over(&sum).expect("its sign is certain"));
    let mut t = Near::new(Exact::of(0), Exact::of(0));
    for (weight, (at_vertex, _)) in weights.iter().zip(&vertices) {
        t = t.plus(&weight.times(&Near::new(at_vertex.clone(), Exact::of(0))));
    }
    let greatest = largest(vertices.iter().map(|(t, _)| t));
    t.error = &t.error + &(&greatest * &Exact::power(if T::DIGITS == 24 { -48 } else { -100 }));
    if !T::holds_parameter(&t.most()) || !T::holds_parameter(&t.least()) {
        return Ok(Verdict::Unstated);
    }
    let [_, u, v] = weights;
    judge_point([t, u, v], is_back, &line, culling, hit)
}

/// Judges a hit by t and the weights of the second and third vertex, of all of which more is known
/// than how they are rounded.
fn judge_point<T: Number>(
    point: [Near; 3],
    is_back: bool,
    line: &ExactLine,
    culling: Culling,
    hit: Option<TriangleHit<T>>,
) -> Judgement {
    let side = if is_back { Side::Back } else { Side::Front };
    if culling == (if is_back { Culling::Back } else { Culling::Front }) {
        demand!(hit.is_none(), "met from the {side:?}");
        return Ok(Verdict::Missed);
    }
    // What is told is rounded once more, and may have been moved to the border by as much.
    let point = point.map(|number| {
        let rounding = &(&number.value.abs() + &number.error) * &T::roundoffs(2);
        Near { error: &(&number.error + &rounding) + &T::MIN_POSITIVE.exact(), ..number }
    });
    let [t, u, v] = &point;
    let (zero, one) = (Extended::from(Exact::of(0)), Extended::from(Exact::of(1)));
    let sum = u.plus(v);
    let inside = u.least() >= zero && v.least() >= zero && sum.most() <= one;
    let outside = u.most() < zero || v.most() < zero || sum.least() > one;
    let within = line.t_min <= t.least() && t.most() <= line.t_max;
    let beyond = t.most() < line.t_min || line.t_max < t.least();
    let Some(hit) = hit else {
        demand!(!(inside && within), "missed");
        return Ok(if outside || beyond { Verdict::Missed } else { Verdict::Either });
    };
    demand!(!outside && !beyond, "met, though it passes");
    demand!(hit.side == side, "the side is {side:?}");
    demand!(
        line.t_min <= hit.t.extended() && hit.t.extended() <= line.t_max,
        "t leaves the line's own interval"
    );
    demand!(hit.u >= T::ZERO && hit.v >= T::ZERO, "a weight is negative or NaN");
    let most = &Exact::of(1) + &T::roundoffs(4);
    demand!(&hit.u.exact() + &hit.v.exact() <= most, "the weights are more than 1");
    for (name, found, near) in [("t", hit.t, t), ("u", hit.u, u), ("v", hit.v, v)] {
        demand!(near.holds(&found.exact()), "{name} should be {}", near.value.to_f64());
    }
    Ok(if inside && within { Verdict::Met } else { Verdict::Either })
}

fn minus(a: &[Exact], b: &[Exact]) -> Vec<Exact> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn cross(a: &[Exact], b: &[Exact]) -> Vec<Exact> {
    let component = |x: usize, y: usize| &(&a[x] * &b[y]) - &(&a[y] * &b[x]);
    vec![component(1, 2), component(2, 0), component(0, 1)]
}

fn dot(a: &[Exact], b: &[Exact]) -> Exact {
    a.iter().zip(b).fold(Exact::of(0), |sum, (a, b)| &sum + &(a * b))
}

fn largest<'a>(numbers: impl IntoIterator<Item = &'a Exact>) -> Exact {
    numbers.into_iter().map(Exact::abs).max().unwrap_or_else(|| Exact::of(0))
}
