//! How far the reported `t` is from the exact one, at triangles of any size beside the distance of
//! the hit.

use crate::common::scale::scaled;
use crate::triangle_tests::answers::in_every_form;
use lanecast::primitive::{Test, Triangle, Watertight};
use lanecast::{Ray, Scalar};
use lanecast_reference::kernel::number::Number;
use lanecast_reference::kernel::watertight::{exactly, signed_volumes};
use lanecast_reference::random::Random;

/// Sizes of triangles beside the distance of the hit, which is between 0.5 and 2.
const SIZES: [f64; 12] = [1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e7];

/// Cosines of the angle between the line and the normal.
const TILTS: [f64; 6] = [1.0, 0.9, 0.7, 0.5, 0.2, 0.05];

/// How much the depth of the plane changes for one unit along the two shorter axes, where space is
/// sheared along the line.
pub(crate) fn slopes<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> f64 {
    let [a, b, c] = triangle.vertices.map(|vertex| vertex.map(T::to_f64));
    // As parts of the largest component, so that no product underflows.
    let [ab, ac] = [b, c].map(|p| {
        let edge = [0, 1, 2].map(|axis| p[axis] - a[axis]);
        let largest = edge.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
        edge.map(|x| x / largest)
    });
    let normal = [0, 1, 2].map(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        ab[next] * ac[last] - ab[last] * ac[next]
    });
    let direction = ray.direction.map(T::to_f64);
    let longest =
        (0..3).fold(
            0,
            |most, axis| if direction[axis].abs() > direction[most].abs() { axis } else { most },
        );
    let area = [0, 1, 2]
        .map(|axis| normal[axis] * direction[axis] / direction[longest])
        .iter()
        .sum::<f64>();
    (0..3).filter(|&axis| axis != longest).map(|axis| (normal[axis] / area).abs()).sum()
}

/// A line that meets a triangle of about this size at about the distance 1, seen under this cosine;
/// `flat` triangles lie square to an axis, and `thin` ones are a thousandth as wide as long.
fn drawn<T: Number>(
    random: &mut Random,
    size: f64,
    tilt: f64,
    (flat, thin): (bool, bool),
) -> (Ray<T>, Triangle<T>) {
    let mut unit = || 2.0 * random.unit_f64() - 1.0;
    let normalised = |v: [f64; 3]| {
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        v.map(|x| x / length)
    };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let normal = if flat { [0.0, 0.0, 1.0] } else { normalised([unit(), unit(), unit()]) };
    let along = normalised(cross(normal, [unit(), unit(), unit()]));
    let across = cross(normal, along);
    let slant = (1.0 - tilt * tilt).sqrt();
    let angle = 3.2 * unit();
    let direction: [f64; 3] = [0, 1, 2].map(|axis| {
        slant * (angle.cos() * along[axis] + angle.sin() * across[axis]) - tilt * normal[axis]
    });
    let origin = [unit(), unit(), unit()];
    let distance = 1.25 + 0.75 * unit();
    let turn = 3.2 * unit();
    let width = if thin { 1e-3 } else { 1.0 };
    let corners = [0.0, 2.1, 4.2].map(|third| {
        let (angle, reach) = (turn + third + 0.6 * unit(), size * (0.65 + 0.35 * unit()));
        [0, 1, 2].map(|axis| {
            let on_line = origin[axis] + distance * direction[axis];
            T::of_f64(
                on_line + reach * (angle.cos() * along[axis] + width * angle.sin() * across[axis]),
            )
        })
    });
    let mut corners = corners;
    if flat {
        let height = corners[0][2];
        corners.iter_mut().for_each(|corner| corner[2] = height);
    }
    (Ray::line(origin.map(T::of_f64), direction.map(T::of_f64)), Triangle::new(corners))
}

/// The errors of `t` in units of the roundoff of `t`, sorted, of lines that meet the triangle; each
/// within its bound.
fn errors<T: Number>(random: &mut Random, size: f64, tilt: f64, kind: (bool, bool)) -> Vec<f64> {
    let mut errors = Vec::new();
    for number in 0..scaled(120) {
        let (ray, triangle) = drawn::<T>(random, size, tilt, kind);
        let volumes = signed_volumes(&ray, &triangle);
        let zero = exactly(0.0);
        if volumes.d == zero || volumes.weights_d.iter().any(|weight| weight * &volumes.d <= zero) {
            continue;
        }
        let exact = &volumes.t_d / &volumes.d;
        let hit = if number == 0 {
            in_every_form(Watertight::TWO_SIDED, &ray, triangle)
        } else {
            Watertight::TWO_SIDED.intersect(&triangle, &ray).expect("a sound ray")
        };
        let Some(hit) = hit else { continue };
        let error =
            ((exactly(hit.t) - &exact).abs() / exact.abs()).to_f64() / T::UNIT_ROUNDOFF.to_f64();
        let bound = 4.0 + 12.0 * slopes(&ray, &triangle);
        assert!(error <= bound, "{error} above {bound} of {ray:?} {triangle:?}: {hit:?}");
        errors.push(error);
    }
    errors.sort_by(f64::total_cmp);
    errors
}

#[test]
fn t_is_as_right_at_large_triangles_as_at_small_ones() {
    /// The most that the median error may be, in units of the roundoff: that of one rounding is
    /// 0.36 on the average.
    const MEDIAN: f64 = 1.0;
    let mut random = Random::new(48);
    for kind in [(false, false), (true, false), (false, true)] {
        for tilt in TILTS {
            let least = if tilt > 0.4 { MEDIAN } else { MEDIAN / tilt };
            for size in SIZES {
                for (precision, errors) in [
                    ("f32", errors::<f32>(&mut random, size, tilt, kind)),
                    ("f64", errors::<f64>(&mut random, size, tilt, kind)),
                ] {
                    let context =
                        format!("{precision}, flat and thin {kind:?}, tilt {tilt}, size {size:e}");
                    assert!(errors.len() > scaled(60), "{context}: only {} hits", errors.len());
                    let median = errors[errors.len() / 2];
                    assert!(median <= least, "{context}: median {median}");
                }
            }
        }
    }
}

/// Sensors 0.3 to 2 m above a ground of this half width, and rays that end within 80 m.
fn over_ground(random: &mut Random, half_width: f64) -> (Ray, [Triangle; 2]) {
    let mut unit = || random.unit_f64();
    let height = 0.3 + 1.7 * unit();
    let (angle, away) = (6.3 * unit(), 80.0 * unit());
    let origin = [10.0 * unit(), 10.0 * unit(), height].map(|x| x as f32);
    let direction = [away * angle.cos(), away * angle.sin(), -height].map(|x| x as f32);
    (Ray::new(origin, direction), ground(half_width as f32))
}

fn ground(half_width: f32) -> [Triangle; 2] {
    let corner = |x: f32, y: f32| [x * half_width, y * half_width, 0.0];
    let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    [Triangle::new([a, b, c]), Triangle::new([a, c, d])]
}

#[test]
fn distance_to_the_ground_does_not_depend_on_its_extent() {
    let mut random = Random::new(7);
    for half_width in [100.0, 1e3, 1e4, 1e5, 1e6] {
        let mut errors = Vec::new();
        for _ in 0..scaled(400) {
            let (ray, ground) = over_ground(&mut random, half_width);
            let hit = ground.iter().find_map(|triangle| {
                Watertight::TWO_SIDED.intersect(triangle, &ray).expect("a sound ray")
            });
            let hit = hit.expect("one of two that share the diagonal");
            let exact = f64::from(ray.origin[2]) / -f64::from(ray.direction[2]);
            errors.push((f64::from(hit.t) / exact - 1.0).abs());
        }
        errors.sort_by(f64::total_cmp);
        let (median, most) = (errors[errors.len() / 2], errors[errors.len() - 1]);
        assert!(
            median < 3.6e-8 && most < 2e-7,
            "half width {half_width}: median {median:e}, most {most:e}"
        );
    }
}
