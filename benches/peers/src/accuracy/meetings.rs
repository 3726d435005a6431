//! Rays and triangles that they meet, with the exact `t`.

use std::sync::Arc;

use lanecast::Ray;
use lanecast::primitive::Triangle;
use lanecast_reference::exact::Exact;
use lanecast_reference::kernel::watertight::{exactly, signed_volumes};

use crate::random::Random;
use crate::scenes::mesh::{Mesh, MeshBuilder};
use crate::vector::{cross, plus, times, unit};

/// Half widths of triangles in units of the distance of the hit.
const SIZES: [f64; 14] =
    [1e-3, 1e-2, 0.1, 0.3, 1.0, 2.0, 3.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7];

/// Half widths of grounds, in metres.
const GROUNDS: [f64; 5] = [100.0, 1e3, 1e4, 1e5, 1e6];

/// Angles in degrees between lines and the normals of triangles, evenly from the least to the
/// greatest of these.
pub(super) const BANDS: [[u32; 2]; 3] = [[0, 30], [30, 60], [60, 80]];

/// What is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Triangles in any position.
    Tilted,
    /// The same, as much as a thousand distances away from the origin.
    Away,
    /// Triangles square to an axis.
    Flat,
    /// Two triangles seen from a sensor 0.3 to 2 m above them, within 100 m.
    Ground,
}

/// A ray, what it meets and where.
pub(super) struct Meeting {
    pub(super) ray: Ray,
    pub(super) mesh: Arc<Mesh>,
    exact: Exact,
    /// Of a ground, which is seen at a flat angle, none.
    pub(super) band: Option<[u32; 2]>,
}

/// What is drawn: in `f64`, but for the vertices.
struct Drawn {
    origin: [f64; 3],
    direction: [f64; 3],
    mesh: Arc<Mesh>,
    band: Option<[u32; 2]>,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Tilted, Self::Away, Self::Flat, Self::Ground];

    /// What stands above the sizes.
    pub(super) const fn head(self) -> &'static str {
        match self {
            Self::Tilted => "half width over distance, any plane",
            Self::Away => "any plane, up to 1,000 distances away",
            Self::Flat => "plane square to an axis",
            Self::Ground => "half width of the ground in m",
        }
    }

    pub(super) const fn sizes(self) -> &'static [f64] {
        match self {
            Self::Ground => &GROUNDS,
            _ => &SIZES,
        }
    }

    fn draw(self, random: &mut Random, size: f64) -> Drawn {
        let mut mesh = MeshBuilder::default();
        if self == Self::Ground {
            let height = random.between(0.3, 2.0);
            let (angle, away) =
                (random.between(0.0, std::f64::consts::TAU), random.between(0.0, 100.0));
            let origin = [random.between(-10.0, 10.0), random.between(-10.0, 10.0), height];
            mesh.quad([
                [-size, -size, 0.0],
                [size, -size, 0.0],
                [size, size, 0.0],
                [-size, size, 0.0],
            ]);
            let direction = unit([away * angle.cos(), away * angle.sin(), -height]);
            return Drawn { origin, direction, mesh: mesh.finish(), band: None };
        }
        let normal = if self == Self::Flat { [0.0, 0.0, 1.0] } else { random.direction() };
        let along = unit(cross(normal, random.direction()));
        let across = cross(normal, along);
        let around = |angle: f64| plus(times(along, angle.cos()), times(across, angle.sin()));
        let tilt = random.between(0.0, f64::from(BANDS[BANDS.len() - 1][1]));
        let band = BANDS.into_iter().find(|[_, to]| tilt <= f64::from(*to));
        let tilt = tilt.to_radians();
        let slanted = around(random.between(0.0, std::f64::consts::TAU));
        let direction = plus(times(slanted, tilt.sin()), times(normal, -tilt.cos()));
        let origin = random.point(if self == Self::Away { 1000.0 } else { 1.0 });
        let distance = random.between(0.5, 2.0);
        let met = plus(origin, times(direction, distance));
        let turn = random.between(0.0, std::f64::consts::TAU);
        let mut corners = [0.0, 1.0, 2.0].map(|third: f64| {
            let angle = turn + third * std::f64::consts::TAU / 3.0 + random.between(-0.3, 0.3);
            plus(met, times(around(angle), size * distance * random.between(0.65, 1.0)))
        });
        if self == Self::Flat {
            corners.iter_mut().for_each(|corner| corner[2] = met[2]);
        }
        mesh.triangle(corners);
        Drawn { origin, direction, mesh: mesh.finish(), band }
    }
}

/// So many of them. Coordinates are rounded to `f32`, which moves planes: what is met behind the
/// ray, or at another distance than the one meant by a factor of two, is drawn again.
pub(super) fn drawn(kind: Kind, size: f64, count: usize) -> Vec<Meeting> {
    let mut random = Random(size.to_bits() ^ kind as u64);
    let mut meetings = Vec::with_capacity(count);
    while meetings.len() < count {
        let Drawn { origin, direction, mesh, band } = kind.draw(&mut random, size);
        let ray = Ray::new(origin.map(|x| x as f32), direction.map(|x| x as f32));
        let (least, most) = if kind == Kind::Ground { (0.3, 110.0) } else { (0.25, 4.0) };
        let exact = met(&ray, &mesh).filter(|t| exactly(least) <= *t && *t <= exactly(most));
        meetings.extend(exact.map(|exact| Meeting { ray, mesh, exact, band }));
    }
    meetings
}

/// The exact `t` of the first triangle that is met inside.
fn met(ray: &Ray, mesh: &Mesh) -> Option<Exact> {
    let vertices = mesh.vertices();
    mesh.triangles.iter().find_map(|triangle| {
        let triangle = Triangle::new(triangle.map(|vertex| vertices[vertex as usize]));
        let volumes = signed_volumes(ray, &triangle);
        let zero = exactly(0.0);
        let is_inside = volumes.weights_d.iter().all(|weight| weight * &volumes.d > zero);
        is_inside.then(|| &volumes.t_d / &volumes.d)
    })
}

impl Meeting {
    /// |t − exact t| / exact t in units of 2⁻²⁴.
    pub(super) fn error(&self, t: f32) -> f64 {
        ((exactly(t) - &self.exact).abs() / &self.exact).to_f64() * f64::from(1 << 24)
    }
}
