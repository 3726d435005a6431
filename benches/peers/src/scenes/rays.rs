//! The eight sets of rays that are cast at each scene.

use lanecast::{Ray, Scene};

use super::ray_set::{Order, Query, RaySet};
use super::stage::Stage;
use crate::Result;
use crate::random::Random;
use crate::vector::{cross, dot, length, minus, plus, times, unit};

/// As they are called on the command line.
pub(crate) const NAMES: [&str; 8] =
    ["camera", "shuffled", "ao", "shadow", "diffuse", "random", "lidar", "segments"];

/// How many rays there are: of a picture, and of the sets that have none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) beams: usize,
}

impl Sizes {
    /// So many rows of a picture.
    pub(crate) const fn measured(rows: usize) -> Self {
        Self { width: 1024, height: rows, beams: 64 }
    }

    pub(crate) const CHECK: Self = Self { width: 64, height: 32, beams: 16 };

    fn rays(self) -> usize {
        self.width * self.height
    }
}

/// What the camera sees: where the secondary rays start.
pub(crate) struct Sight<'a> {
    stage: &'a Stage,
    sizes: Sizes,
    camera: Vec<Ray>,
    /// Points a little off the surface on the camera's side, and the normal there.
    points: Vec<[[f64; 3]; 2]>,
}

impl<'a> Sight<'a> {
    /// Casts the camera's rays at the scene.
    pub(crate) fn new(stage: &'a Stage, scene: &Scene, sizes: Sizes) -> Result<Self> {
        let camera = camera(stage, sizes);
        let hits = scene.cast(&camera).geometric_normals(true).closest()?;
        let off = 1e-5 * stage.diagonal();
        let mut points = Vec::new();
        for (row, ray) in camera.iter().enumerate() {
            let Some(hit) = hits.hit(row) else { continue };
            let normal = unit(hits.geometric_normal()[row].map(f64::from));
            let direction = ray.direction.map(f64::from);
            let normal = if dot(normal, direction) < 0.0 { normal } else { times(normal, -1.0) };
            let point = plus(ray.origin.map(f64::from), times(direction, f64::from(hit.t)));
            if length(normal).is_finite() {
                points.push([plus(point, times(normal, off)), normal]);
            }
        }
        if points.is_empty() {
            return Err(format!("the camera of {} sees nothing", stage.name).into());
        }
        Ok(Self { stage, sizes, camera, points })
    }

    /// The set of that name.
    pub(crate) fn rays(&self, name: &'static str) -> RaySet {
        let mut random = Random(0x7a15);
        let (query, order, rays) = match name {
            "camera" => (Query::Closest, Order::Coherent, self.camera.clone()),
            "shuffled" => {
                let order = random.order(self.camera.len());
                let rays = order.into_iter().map(|row| self.camera[row]).collect();
                (Query::Closest, Order::Incoherent, rays)
            }
            "ao" => {
                let reach = (0.1 * self.stage.diagonal()) as f32;
                let rays = self.off_surface(|[point, normal]| {
                    ray(point, random.around(normal)).with_interval(0.0, reach)
                });
                (Query::Any, Order::Incoherent, rays)
            }
            "shadow" => {
                let to_light = |[point, _]: [[f64; 3]; 2]| {
                    ray(point, minus(self.stage.light, point)).with_interval(0.0, 1.0)
                };
                (Query::Any, Order::Coherent, self.off_surface(to_light))
            }
            "diffuse" => {
                let rays = self.off_surface(|[point, normal]| ray(point, random.around(normal)));
                (Query::Closest, Order::Incoherent, rays)
            }
            "random" => (
                Query::Closest,
                Order::Incoherent,
                anywhere(self.stage, self.sizes.rays(), &mut random),
            ),
            "lidar" => (Query::Closest, Order::Coherent, self.lidar()),
            _ => (Query::Closest, Order::Incoherent, self.segments(&mut random)),
        };
        RaySet::new(name, query, order, rays)
    }

    /// As many rays as others have, from what the camera sees, in the picture's order; again from
    /// the beginning where it sees too little.
    fn off_surface(&self, make: impl FnMut([[f64; 3]; 2]) -> Ray) -> Vec<Ray> {
        self.points.iter().copied().cycle().take(self.sizes.rays()).map(make).collect()
    }

    /// A spinning lidar: all beams at one azimuth, then at the next.
    fn lidar(&self) -> Vec<Ray> {
        let stage = self.stage;
        let ahead = minus(stage.target, stage.lidar);
        let level = unit(minus(ahead, times(stage.up, dot(ahead, stage.up))));
        let side = cross(level, stage.up);
        let azimuths = self.sizes.rays() / self.sizes.beams;
        let beam = |row: usize| {
            let azimuth = (row / self.sizes.beams) as f64 / azimuths as f64 * std::f64::consts::TAU;
            let part = (row % self.sizes.beams) as f64 / (self.sizes.beams - 1) as f64;
            let elevation = (-25.0 + 40.0 * part).to_radians();
            let around = plus(times(level, azimuth.cos()), times(side, azimuth.sin()));
            ray(stage.lidar, plus(times(around, elevation.cos()), times(stage.up, elevation.sin())))
        };
        (0..self.sizes.rays()).map(beam).collect()
    }

    /// From near one surface a hundredth of the scene's size in any direction.
    fn segments(&self, random: &mut Random) -> Vec<Ray> {
        let reach = 0.01 * self.stage.diagonal();
        let mesh = &self.stage.mesh;
        let mut segment = || {
            let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
            let middle = times(plus(plus(a, b), c), 1.0 / 3.0);
            let start = plus(middle, times(random.direction(), random.between(0.0, reach)));
            ray(start, times(random.direction(), reach)).with_interval(0.0, 1.0)
        };
        (0..self.sizes.rays()).map(|_| segment()).collect()
    }
}

fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
    Ray::new(origin.map(|x| x as f32), direction.map(|x| x as f32))
}

/// So many rays from anywhere in the scene's box in any direction.
pub(crate) fn anywhere(stage: &Stage, rays: usize, random: &mut Random) -> Vec<Ray> {
    let bounds = stage.mesh.bounds();
    let mut one = || ray(stage.within(bounds, random.point(1.0)), random.direction());
    (0..rays).map(|_| one()).collect()
}

/// One ray per pixel, row by row from above.
pub(crate) fn camera(stage: &Stage, sizes: Sizes) -> Vec<Ray> {
    let ahead = unit(minus(stage.target, stage.eye));
    let right = unit(cross(ahead, stage.up));
    let up = cross(right, ahead);
    let (width, height) = (sizes.width as f64, sizes.height as f64);
    let pixel = |place: usize| {
        let (column, row) = ((place % sizes.width) as f64, (place / sizes.width) as f64);
        let x = stage.half_width * (2.0 * (column + 0.5) / width - 1.0);
        let y = stage.half_width * (height - 2.0 * (row + 0.5)) / width;
        ray(stage.eye, plus(ahead, plus(times(right, x), times(up, y))))
    };
    (0..sizes.rays()).map(pixel).collect()
}
