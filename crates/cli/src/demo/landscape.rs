//! How the terrain looks: colours of the land, light, shadow, haze and sky.

use super::terrain::Terrain;
use crate::failure::Result;
use crate::picture::{Color, Film, Ramp, Sampling, mix};
use crate::rays::{ray, towards_sun};
use crate::vector::{Vector, add, dot, nearest, scale, unit, wide};
use lanecast::{HitBatch, Ray, answers::AnyHitBatch};
use lanecast_makers::Pinhole;

const UP: Vector = [0.0, 0.0, 1.0];
/// Azimuth and altitude of the sun, in degrees.
const SUN: [f64; 2] = [285.0, 18.0];
/// How far above the land its rays to the sun start, in metres: more than flat triangles lie below
/// the smooth land that they stand for, so that they do not shade each other.
const SUN_LIFT: f64 = 6.0;
const SUNLIGHT: Color = [2.35, 1.95, 1.42];
const SKYLIGHT: Color = [0.20, 0.26, 0.38];
const HAZE: Color = [0.62, 0.72, 0.84];
/// What the observer sees is tinted with this.
const IN_SIGHT: Color = [1.0, 0.48, 0.08];
const ECHO: Color = [0.62, 0.0, 0.22];
const MAST: Color = [0.9, 0.02, 0.02];

/// A view from the southern edge to the north-west, along the ridge that crosses the land.
pub(super) fn camera(size: [u32; 2]) -> lanecast::Result<Pinhole> {
    let (eye, target) = ([22_500.0, 300.0, 4300.0], [15_500.0, 11_000.0, 300.0]);
    Ok(Pinhole::looking_at(eye, target, UP, 42.0, size)?.unit_directions())
}

/// The terrain with what the jobs found out about its vertices.
pub(super) struct Landscape<'a> {
    pub(super) terrain: &'a Terrain<'a>,
    pub(super) sampling: &'a Sampling,
    /// Whether the observer sees a vertex, 0 to 1.
    pub(super) seen: &'a [f32],
    /// How much of the sky a vertex sees, 0 to 1.
    pub(super) sky: &'a [f32],
}

/// What a camera ray meets.
pub(super) struct Point {
    /// Distance from the camera; infinite for the sky.
    distance: f32,
    height: f32,
    seen: f32,
    sky: f32,
    /// The surface's smooth normal.
    normal: Vector,
    /// The ray towards the sun, where the surface faces it.
    pub(super) sun_ray: Option<Ray>,
}

impl Landscape<'_> {
    /// What each camera ray meets.
    pub(super) fn points(&self, rays: &[Ray], hits: &HitBatch) -> Vec<Point> {
        let sun = towards_sun(SUN, UP);
        rays.iter().enumerate().map(|(index, ray)| self.point(ray, hits, index, sun)).collect()
    }

    fn point(&self, camera_ray: &Ray, hits: &HitBatch, index: usize, sun: Vector) -> Point {
        let Some(hit) = hits.hit(index) else {
            return Point {
                distance: f32::INFINITY,
                height: 0.0,
                seen: 0.0,
                sky: 1.0,
                normal: UP,
                sun_ray: None,
            };
        };
        let corners =
            self.terrain.triangles[hit.primitive_id as usize].map(|vertex| vertex as usize);
        let weights = [1.0 - hit.u - hit.v, hit.u, hit.v];
        let blend =
            |values: &[f32]| (0..3).map(|corner| weights[corner] * values[corners[corner]]).sum();
        let normal = (0..3).fold([0.0; 3], |sum, corner| {
            add(sum, scale(self.terrain.normals[corners[corner]], f64::from(weights[corner])))
        });
        let normal = unit(normal);
        let (origin, direction) = (wide(camera_ray.origin), wide(camera_ray.direction));
        let position = add(origin, scale(direction, f64::from(hit.t)));
        let lifted = add(position, scale(normal, SUN_LIFT));
        Point {
            distance: hit.t,
            height: position[2] as f32,
            seen: blend(self.seen),
            sky: blend(self.sky),
            normal,
            sun_ray: (dot(normal, sun) > 0.0).then(|| ray(lifted, sun)),
        }
    }

    /// Adds the colours of the camera rays from `first` on to the film.
    pub(super) fn paint(
        &self,
        first: usize,
        rays: &[Ray],
        points: &[Point],
        shadows: &AnyHitBatch,
        film: &mut Film,
    ) {
        let land = Ramp::with_stops([
            (236.0, 0x3f_63_3c),
            (330.0, 0x5f_7f_4a),
            (450.0, 0x86_97_5c),
            (600.0, 0xa8_a1_78),
            (800.0, 0xa0_93_7c),
            (950.0, 0xbf_b6_a6),
            (1076.0, 0xf4_f0_ea),
        ]);
        let sun = towards_sun(SUN, UP);
        let mut shadows = shadows.status().iter();
        for (index, (ray, point)) in rays.iter().zip(points).enumerate() {
            let lit =
                point.sun_ray.is_some() && shadows.next().is_some_and(|shadow| !shadow.is_hit());
            let color = if point.distance.is_finite() {
                let albedo = land.at((point.height - 236.0) / 840.0);
                let albedo = mix(albedo, IN_SIGHT, 0.38 * point.seen);
                let slant = if lit { dot(point.normal, sun) as f32 } else { 0.0 };
                let sky = point.sky * point.sky;
                let light: Color = std::array::from_fn(|channel| {
                    SUNLIGHT[channel] * slant + SKYLIGHT[channel] * sky
                });
                let surface = std::array::from_fn(|channel| albedo[channel] * light[channel]);
                mix(surface, HAZE, 1.0 - (-(point.distance / 45_000.0).powi(2)).exp())
            } else {
                sky(f64::from(ray.direction[2]))
            };
            film.add(first + index, color);
        }
    }

    /// Marks the points that the scanner hit, where the camera sees them, and the scanner's mast.
    pub(super) fn mark(&self, echoes: &[Vector], film: &mut Film) -> Result<()> {
        let camera = &self.sampling.camera;
        let eye = nearest(camera.eye());
        let lifted = |&echo: &Vector| nearest(add(echo, [0.0, 0.0, 10.0 * self.terrain.lift]));
        let sights: Vec<_> = echoes.iter().map(|echo| Ray::segment(eye, lifted(echo))).collect();
        let hidden = self.terrain.scene.cast(&sights).any()?;
        for (&echo, hidden) in echoes.iter().zip(hidden.status()) {
            if let (Some(place), false) = (camera.project(echo), hidden.is_hit()) {
                film.tint(place, ECHO, 0.65);
            }
        }
        for decimetre in 0..3000 {
            let place = camera.project(self.terrain.above_summit(f64::from(decimetre) / 10.0));
            for side in [-1.0, 0.0, 1.0] {
                place.iter().for_each(|[x, y]| film.tint([x + side, *y], MAST, 1.0));
            }
        }
        Ok(())
    }
}

/// The sky in a direction that rises by `rise`.
fn sky(rise: f64) -> Color {
    mix(HAZE, [0.16, 0.36, 0.68], ((rise + 0.03) * 7.0).clamp(0.0, 1.0) as f32)
}
