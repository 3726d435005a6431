//! Rays of every kind, drawn in `f64` and rounded to what a scene takes.

use lanecast::{Precision, Ray};
use lanecast_reference::random::Random;
use lanecast_reference::vector::{Vector, minus, plus, times, vector};

/// What the tests must know of a precision.
pub trait Rounded: Precision {
    fn rounded(x: f64) -> Self;
    /// The next number below.
    fn below(self) -> Self;

    fn ray(ray: &Ray<f64>) -> Ray<Self> {
        Ray {
            origin: ray.origin.map(Self::rounded),
            direction: ray.direction.map(Self::rounded),
            t_min: Self::rounded(ray.t_min),
            t_max: Self::rounded(ray.t_max),
        }
    }
}

impl Rounded for f32 {
    fn rounded(x: f64) -> Self {
        x as Self
    }

    fn below(self) -> Self {
        self.next_down()
    }
}

impl Rounded for f64 {
    fn rounded(x: f64) -> Self {
        x
    }

    fn below(self) -> Self {
        self.next_down()
    }
}

/// From 1 to `most`, any power as likely as another.
pub fn log_uniform(most: usize, random: &mut Random) -> usize {
    ((most as f64 + 1.0).powf(f64::from(random.unit())) as usize).clamp(1, most)
}

/// A corner, a point of an edge, or one within.
pub fn on_triangle([a, b, c]: [Vector; 3], random: &mut Random) -> Vector {
    let [u, v] =
        random.pick(&[[0.0, 0.0], [0.0, 0.5], [0.5, 0.5], [0.3, 0.3], [0.1, 0.8], [0.6, 0.2]]);
    plus(times(1.0 - u - v, a), plus(times(u, b), times(v, c)))
}

/// What rays are aimed at.
pub struct Aims {
    pub targets: Vec<Vector>,
    pub middle: Vector,
    pub size: f64,
}

pub const KINDS: [&str; 10] = [
    "within",
    "at it",
    "from one origin",
    "from the surface",
    "clustered",
    "sorted",
    "picture",
    "parallel",
    "axes",
    "planes",
];

impl Aims {
    /// None are aimed at the origin.
    pub fn at(mut targets: Vec<Vector>) -> Self {
        if targets.is_empty() {
            targets.push([0.0; 3]);
        }
        let bounds = [0, 1, 2].map(|axis| {
            let along = targets.iter().map(|target| target[axis]);
            [along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max)]
        });
        let size = bounds.iter().map(|[low, high]| 0.5 * (high - low)).fold(0.0, f64::max);
        let size = if size == 0.0 { 1e-25 } else { size };
        Self { targets, middle: bounds.map(|[low, high]| 0.5 * (low + high)), size }
    }

    fn target(&self, random: &mut Random) -> Vector {
        random.pick(&self.targets)
    }

    /// A point within so many sizes of the middle.
    fn around(&self, sizes: f64, random: &mut Random) -> Vector {
        plus(self.middle, times(sizes * self.size, vector(random.point(-1.0, 1.0))))
    }

    /// By how much a way between two points is too short for a direction.
    fn speed(&self) -> f64 {
        match self.size {
            size if size < 1e-60 => 2.0_f64.powi(-size.log2().floor() as i32),
            size if size < 1e-20 => 2.0_f64.powi(100),
            _ => 1.0,
        }
    }

    /// So many rays, of each kind a few in turn, with ends of every kind.
    pub fn of_every_kind(&self, count: usize, random: &mut Random) -> Vec<Ray<f64>> {
        let few = (count / KINDS.len()).clamp(1, 24);
        let mut rays = Vec::new();
        for kind in (0..KINDS.len()).cycle() {
            if rays.len() >= count {
                break;
            }
            rays.extend(self.of_kind(kind, few.min(count - rays.len()), random));
        }
        rays.into_iter().map(|ray| ends(ray, random.below(ENDS), random)).collect()
    }

    /// Rays of a kind, without intervals.
    pub fn of_kind(&self, kind: usize, count: usize, random: &mut Random) -> Vec<Ray<f64>> {
        let far = f64::from(random.pick(&[1.0_f32, 1.0, 3.0, 30.0, 3e4]));
        let (eye, speed) = (self.around(far, random), self.speed());
        let one_direction = match random.below(3) {
            0 => vector(random.direction()),
            axis => {
                [0, 1, 2].map(|other| if other == axis { -2.0 } else { random.pick(&[0.0, -0.0]) })
            }
        };
        let to =
            |origin: Vector, target: Vector| Ray::new(origin, times(speed, minus(target, origin)));
        let at = |random: &mut Random| {
            let origin = self.around(far, random);
            let ray = to(origin, self.target(random));
            Ray { direction: times(random.pick(&[1.0, 1.0, 0.01, 40.0]), ray.direction), ..ray }
        };
        let within =
            |random: &mut Random| Ray::new(self.around(1.1, random), vector(random.direction()));
        let mut rays: Vec<Ray<f64>> = match KINDS[kind] {
            "at it" => (0..count).map(|_| at(random)).collect(),
            "from one origin" => (0..count).map(|_| to(eye, self.target(random))).collect(),
            "from the surface" => (0..count)
                .map(|_| Ray::new(self.target(random), vector(random.direction())))
                .collect(),
            "clustered" => {
                let (mut rays, spread) = (Vec::new(), random.pick(&[0.0, 1e-7, 1e-4, 0.01, 0.1]));
                while rays.len() < count {
                    let (middle, length) = (at(random), log_uniform(300, random));
                    for _ in 0..length.min(count - rays.len()) {
                        let [origin, direction] = [self.size, 1.0]
                            .map(|by| times(by * spread, vector(random.point(-1.0, 1.0))));
                        rays.push(Ray::new(
                            plus(middle.origin, origin),
                            plus(middle.direction, direction),
                        ));
                    }
                }
                rays
            }
            "picture" => {
                let forward = to(eye, self.target(random)).direction;
                let length = forward.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                let [right, up] = [(); 2].map(|()| times(0.7 * length, vector(random.direction())));
                let width = random.pick(&[8, 9, 13, 64, 100, 250, 1000]);
                let ray = |number: usize| {
                    let [x, y] = [number % width, number / width]
                        .map(|place| place as f64 / width as f64 - 0.5);
                    Ray::new(eye, plus(forward, plus(times(x, right), times(y, up))))
                };
                (0..count).map(ray).collect()
            }
            "parallel" => {
                (0..count).map(|_| Ray::new(self.around(1.1, random), one_direction)).collect()
            }
            "axes" => {
                let along_an_axis = |random: &mut Random| {
                    let (mut origin, axis) = (self.target(random), random.below(3));
                    origin[axis] += self.size * f64::from(random.pick(&[-4.0_f32, 0.0, 4.0]));
                    let mut direction = random.pick(&[[0.0; 3], [-0.0; 3]]);
                    direction[axis] = random.pick(&[-1.0, 1.0, 3.0]);
                    Ray::new(origin, direction)
                };
                (0..count).map(|_| along_an_axis(random)).collect()
            }
            "planes" => {
                // Of two axes or nearly so, through a target, from there or from aside: in faces of
                // boxes.
                let in_a_plane = |random: &mut Random| {
                    let mut direction = vector(random.direction());
                    direction[random.below(3)] = random.pick(&[0.0, -0.0, 1e-9]);
                    let away = times(-self.size * random.pick(&[0.0, 1.3, far]), direction);
                    Ray::new(plus(self.target(random), away), direction)
                };
                (0..count).map(|_| in_a_plane(random)).collect()
            }
            _ => (0..count).map(|_| within(random)).collect(),
        };
        if KINDS[kind] == "sorted" {
            let octant = |ray: &Ray<f64>| ray.direction.map(f64::is_sign_negative);
            rays.sort_by(|a, b| {
                octant(a).cmp(&octant(b)).then(a.origin[0].total_cmp(&b.origin[0]))
            });
        }
        rays
    }
}

/// What keeps a ray from being cast.
pub fn spoil(ray: &mut Ray<f64>, random: &mut Random) {
    let (axis, bad) =
        (random.below(3), random.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e31]));
    match random.below(6) {
        0 => ray.origin[axis] = bad,
        1 => ray.direction[axis] = bad,
        2 => ray.direction = random.pick(&[[0.0; 3], [-0.0; 3], [1e-33, 0.0, -0.0]]),
        3 => ray.t_min = f64::NAN,
        4 => ray.t_max = random.pick(&[f64::NAN, -1.0, f64::NEG_INFINITY]),
        _ => *ray = ray.with_interval(2.0, 1.0),
    }
}

/// How many ways there are to draw the ends of rays.
pub const ENDS: usize = 8;

/// A ray with ends of one way; of the last any.
pub fn ends(ray: Ray<f64>, how: usize, random: &mut Random) -> Ray<f64> {
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
