//! What colour the rays of a camera see.

use super::Shade;
use super::scale::{Range, sparse_rays};
use crate::failure::Result;
use crate::picture::{Color, Ramp, Sampling, linear, mix};
use crate::precision::Number;
use crate::rays::{clearance, ray};
use crate::vector::{Vector, add, dot, scale, unit, wide};
use lanecast::{
    CastOptions, HitBatch, Ray, Scene,
    answers::{AnyHitBatch, CostBatch},
};
use std::time::{Duration, Instant};

/// Casts the rays of a camera and says what each of them sees.
#[derive(Debug)]
pub(super) struct Shader<'a, T: Number> {
    scene: &'a Scene<T>,
    options: CastOptions<'a, T>,
    shade: Shade,
    sun: Vector,
    up: Vector,
    range: Option<Range>,
    ramp: Ramp,
    hits: HitBatch<T>,
    costs: CostBatch,
    pub(super) rays: u64,
    /// How long they took.
    pub(super) time: Duration,
}

impl<'a, T: Number> Shader<'a, T> {
    /// Depth and cost first cast a sparse set of the camera's rays to find the range of values.
    pub(super) fn new(
        shade: Shade,
        scene: &'a Scene<T>,
        options: CastOptions<'a, T>,
        sampling: &Sampling,
        [sun, up]: [Vector; 2],
    ) -> Result<Self> {
        let ramp = match shade {
            Shade::Cost => {
                Ramp::new(&[0x00_00_08, 0x3b_0f_70, 0x9c_2e_7f, 0xe8_53_62, 0xfe_a8_73, 0xfc_fd_bf])
            }
            _ => Ramp::new(&[0xff_f4_d6, 0x8f_c6_a8, 0x3a_8f_9c, 0x2a_55_7d, 0x1c_22_4b]),
        };
        let (hits, costs) = (HitBatch::new(), CostBatch::default());
        let options = options.normals(matches!(shade, Shade::Sun | Shade::Normals));
        let (range, rays, time) = (None, 0, Duration::ZERO);
        let mut shader = Self { scene, options, shade, sun, up, range, ramp, hits, costs, rays, time };
        if matches!(shade, Shade::Depth | Shade::Cost) {
            shader.cast(&sparse_rays(sampling))?;
            shader.range = Some(match shade {
                Shade::Depth => Range::of_distances(&shader.hits),
                _ => Range::of_costs(shader.costs.nodes(), shader.costs.primitives()),
            });
        }
        Ok(shader)
    }

    /// The values that the colours stand for.
    pub(super) fn range(&self) -> Option<Range> {
        self.range
    }

    /// Casts `rays` and hands each one's number and colour to `paint`.
    pub(super) fn shade(&mut self, rays: &[Ray<T>], mut paint: impl FnMut(usize, Color)) -> Result<()> {
        self.cast(rays)?;
        match (self.shade, self.range) {
            (Shade::Sun, _) => self.sunlight(rays, paint)?,
            (Shade::Depth, Some(range)) => {
                for (index, &t) in self.hits.t().iter().enumerate() {
                    let hit = self.hits.status()[index].is_hit();
                    paint(index, if hit { self.ramp.at(range.place(t.to_f64() as f32)) } else { [0.0; 3] });
                }
            }
            (Shade::Cost, Some(range)) => {
                for (index, (&nodes, &triangles)) in
                    self.costs.nodes().iter().zip(self.costs.primitives()).enumerate()
                {
                    paint(index, self.ramp.at(range.place((nodes + triangles) as f32)));
                }
            }
            _ => {
                for (index, &normal) in self.hits.geometric_normal().iter().enumerate() {
                    let color = |normal: Vector| normal.map(|x| linear((0.5 + 0.5 * x) as f32));
                    let hit = self.hits.status()[index].is_hit();
                    paint(index, if hit { color(unit(wide(normal))) } else { [0.01; 3] });
                }
            }
        }
        Ok(())
    }

    fn cast(&mut self, rays: &[Ray<T>]) -> Result<()> {
        let start = Instant::now();
        let request = self.scene.cast(rays).with(&self.options);
        match self.shade {
            Shade::Cost => request.cost_into(&mut self.costs)?,
            _ => request.closest_into(&mut self.hits)?,
        }
        self.count(rays, start);
        Ok(())
    }

    fn count(&mut self, rays: &[Ray<T>], start: Instant) {
        self.rays += rays.len() as u64;
        self.time += start.elapsed();
    }

    /// Lambert's law with shadows cast by the sun, and a dimmer light from the sky.
    fn sunlight(&mut self, rays: &[Ray<T>], mut paint: impl FnMut(usize, Color)) -> Result<()> {
        const SURFACE: Color = [0.62, 0.56, 0.48];
        const SUN: Color = [1.28, 1.18, 1.0];
        const SKY: Color = [0.22, 0.27, 0.36];
        let lift = clearance(&self.scene.bounds());
        let mut shadow_rays: Vec<Ray<T>> = Vec::new();
        let mut sunny = Vec::new();
        for (index, seen) in rays.iter().enumerate() {
            let direction = wide(seen.direction);
            if !self.hits.status()[index].is_hit() {
                paint(index, background(dot(direction, self.up)));
                continue;
            }
            let normal = unit(wide(self.hits.geometric_normal()[index]));
            // Both sides of a surface look the same.
            let normal = if dot(normal, direction) > 0.0 { scale(normal, -1.0) } else { normal };
            let sky = 0.6 + 0.4 * dot(normal, self.up) as f32;
            let ambient: Color = std::array::from_fn(|channel| SURFACE[channel] * SKY[channel] * sky);
            paint(index, ambient);
            let slant = dot(normal, self.sun);
            if slant > 0.0 {
                let point = add(wide(seen.origin), scale(direction, self.hits.t()[index].to_f64()));
                shadow_rays.push(ray(add(point, scale(normal, lift)), self.sun));
                sunny.push((index, slant as f32));
            }
        }
        let mut shadows = AnyHitBatch::default();
        let start = Instant::now();
        self.scene.cast(&shadow_rays).with(&self.options).any_into(&mut shadows)?;
        self.count(&shadow_rays, start);
        for ((index, slant), shadow) in sunny.into_iter().zip(shadows.status()) {
            if !shadow.is_hit() {
                paint(index, std::array::from_fn(|channel| SURFACE[channel] * SUN[channel] * slant));
            }
        }
        Ok(())
    }
}

/// The sky in a direction that rises by `rise` (the sine of its altitude).
fn background(rise: f64) -> Color {
    mix([0.86, 0.89, 0.92], [0.42, 0.58, 0.78], (0.5 + 0.5 * rise) as f32)
}
