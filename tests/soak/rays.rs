//! Rays of every kind at a scene.

use crate::scenes::{Held, Subject, log_uniform};
use lanecast::Ray;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{Vector, minus, plus, times};

pub(crate) const KINDS: [&str; 9] = [
    "within",
    "at it",
    "from one origin",
    "from the surface",
    "clustered",
    "sorted",
    "picture",
    "parallel",
    "axes",
];

fn vector(v: [f32; 3]) -> Vector {
    v.map(f64::from)
}

/// A point within so many sizes of the middle.
fn around(subject: &Subject, sizes: f64, random: &mut Random) -> Vector {
    plus(subject.middle, times(sizes * subject.size, vector(random.point(-1.0, 1.0))))
}

fn target(subject: &Subject, random: &mut Random) -> Vector {
    random.pick(&subject.targets)
}

/// Rays of a kind, without intervals.
fn of_kind(kind: usize, count: usize, subject: &Subject, random: &mut Random) -> Vec<Ray<f64>> {
    let far = f64::from(random.pick(&[1.0_f32, 1.0, 3.0, 30.0, 3e4]));
    let eye = around(subject, far, random);
    let one_direction = match random.below(3) {
        0 => vector(random.direction()),
        axis => [0, 1, 2].map(|other| if other == axis { -2.0 } else { random.pick(&[0.0, -0.0]) }),
    };
    let at = |random: &mut Random| {
        let origin = around(subject, far, random);
        let scale = random.pick(&[1.0, 1.0, 0.01, 40.0]);
        Ray::new(origin, times(scale, minus(target(subject, random), origin)))
    };
    let within = |random: &mut Random| Ray::new(around(subject, 1.1, random), vector(random.direction()));
    let mut rays: Vec<Ray<f64>> = match KINDS[kind] {
        "at it" => (0..count).map(|_| at(random)).collect(),
        "from one origin" => (0..count).map(|_| Ray::new(eye, minus(target(subject, random), eye))).collect(),
        "from the surface" => {
            (0..count).map(|_| Ray::new(target(subject, random), vector(random.direction()))).collect()
        }
        "clustered" => {
            let (mut rays, spread) = (Vec::new(), random.pick(&[0.0, 1e-7, 1e-4, 0.01, 0.1]));
            while rays.len() < count {
                let (middle, length) = (at(random), log_uniform(300, random));
                for _ in 0..length.min(count - rays.len()) {
                    let [origin, direction] =
                        [subject.size, 1.0].map(|by| times(by * spread, vector(random.point(-1.0, 1.0))));
                    rays.push(Ray::new(plus(middle.origin, origin), plus(middle.direction, direction)));
                }
            }
            rays
        }
        "picture" => {
            let forward = minus(target(subject, random), eye);
            let length = forward.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let [right, up] = [(); 2].map(|()| times(0.7 * length, vector(random.direction())));
            let width = random.pick(&[8, 9, 13, 64, 100, 250, 1000]);
            let ray = |number: usize| {
                let [x, y] = [number % width, number / width].map(|place| place as f64 / width as f64 - 0.5);
                Ray::new(eye, plus(forward, plus(times(x, right), times(y, up))))
            };
            (0..count).map(ray).collect()
        }
        "parallel" => (0..count).map(|_| Ray::new(around(subject, 1.1, random), one_direction)).collect(),
        "axes" => {
            let along_an_axis = |random: &mut Random| {
                let (mut origin, axis) = (target(subject, random), random.below(3));
                origin[axis] += subject.size * f64::from(random.pick(&[-4.0_f32, 0.0, 4.0]));
                let mut direction = random.pick(&[[0.0; 3], [-0.0; 3]]);
                direction[axis] = random.pick(&[-1.0, 1.0, 3.0]);
                Ray::new(origin, direction)
            };
            (0..count).map(|_| along_an_axis(random)).collect()
        }
        _ => (0..count).map(|_| within(random)).collect(),
    };
    if KINDS[kind] == "sorted" {
        let octant = |ray: &Ray<f64>| ray.direction.map(f64::is_sign_negative);
        let by =
            |a: &Ray<f64>, b: &Ray<f64>| octant(a).cmp(&octant(b)).then(a.origin[0].total_cmp(&b.origin[0]));
        rays.sort_by(by);
    }
    rays
}

/// What keeps a ray from being cast.
fn spoil(ray: &mut Ray<f64>, random: &mut Random) {
    let (axis, bad) = (random.below(3), random.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e31]));
    match random.below(6) {
        0 => ray.origin[axis] = bad,
        1 => ray.direction[axis] = bad,
        2 => ray.direction = random.pick(&[[0.0; 3], [-0.0; 3], [1e-33, 0.0, -0.0]]),
        3 => ray.t_min = f64::NAN,
        4 => ray.t_max = random.pick(&[f64::NAN, -1.0, f64::NEG_INFINITY]),
        _ => *ray = ray.with_interval(2.0, 1.0),
    }
}

/// How the ends of rays are drawn.
fn ends(ray: Ray<f64>, how: usize, random: &mut Random) -> Ray<f64> {
    match how {
        4 => ray.with_interval(f64::NEG_INFINITY, f64::INFINITY),
        5 => ray.with_interval(0.0, 1.0),
        6 => {
            let [start, length] = [2.0, 1.5].map(|most| f64::from(random.between(0.0, most)));
            ray.with_interval(start - 1.0, start - 1.0 + length)
        }
        7 => ends(ray, random.below(7), random),
        _ => ray,
    }
}

/// So many rays, of up to three kinds, some of them not to be cast, and what they are called.
pub(crate) fn drawn(count: usize, subject: &Subject, random: &mut Random) -> (&'static str, Vec<Ray<f64>>) {
    let kind = random.below(KINDS.len());
    let mut rays = of_kind(kind, count, subject, random);
    if random.below(4) == 0 {
        for _ in 0..2 {
            let (first, kind) = (random.below(count), random.below(KINDS.len()));
            let others = of_kind(kind, count - first, subject, random);
            rays.splice(first.., others);
        }
    }
    let (how, spoilt) = (random.below(8), random.pick(&[0.0, 0.0, 0.0, 0.01, 0.5, 1.0]));
    for ray in &mut rays {
        *ray = ends(*ray, how, random);
        if spoilt > 0.0 && random.unit() < spoilt {
            spoil(ray, random);
        }
        if let Held::Single(_) = subject.held {
            *ray = rounded(*ray);
        }
    }
    (KINDS[kind], rays)
}

/// As a scene of `f32` takes it.
fn rounded(ray: Ray<f64>) -> Ray<f64> {
    let number = |x: f64| f64::from(x as f32);
    Ray {
        origin: ray.origin.map(number),
        direction: ray.direction.map(number),
        t_min: number(ray.t_min),
        t_max: number(ray.t_max),
    }
}
