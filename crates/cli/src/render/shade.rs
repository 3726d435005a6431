//! What colour the rays of a camera see.

use super::Shade;
use super::light::{Light, Parts, hilbert};
use super::paint::{Paint, viridis};
use super::scale::{Range, sparse_rays};
use super::soften::{Pixel, REACH, soften};
use super::surface::{Spot, Surface};
use crate::failure::Result;
use crate::interrupt::Interrupt;
use crate::mesh::Meshes;
use crate::picture::{Color, Ramp, Sampling, linear, mix};
use crate::precision::Number;
use crate::vector::{Vector, add, dot, length, scale, sub, wide};
use lanecast::{
    CastOptions, Hit, HitBatch, Ray, Scene,
    answers::{AnyHitBatch, CostBatch},
};
use std::time::{Duration, Instant};

/// A level plane of which nothing is seen but the shadows on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    pub(super) height: f64,
    pub(super) center: Vector,
    /// Half the size of what stands on it.
    pub(super) radius: f64,
}

/// Says what rays see. Shared by all threads.
#[derive(Debug)]
pub(super) struct Shader<'a, T: Number> {
    pub(super) scene: &'a Scene<T>,
    pub(super) meshes: &'a Meshes<T>,
    pub(super) options: CastOptions<'a, T>,
    pub(super) shade: Shade,
    pub(super) surface: Surface<'a, T>,
    pub(super) paint: Paint,
    pub(super) light: Light,
    pub(super) ground: Option<Ground>,
    /// The values that the colours of depth and cost stand for.
    pub(super) range: Option<Range>,
}

/// One thread's part of the work: its batches, and what it has cast so far.
#[derive(Debug)]
pub(super) struct Worker<'s, 'a, T: Number> {
    shader: &'s Shader<'a, T>,
    sampling: &'s Sampling,
    ramp: Ramp,
    hits: HitBatch<T>,
    costs: CostBatch,
    any: AnyHitBatch,
    rays: u64,
    time: Duration,
}

impl<T: Number> Shader<'_, T> {
    /// The colours of depth and cost.
    pub(super) fn ramp(&self) -> Ramp {
        match self.shade {
            Shade::Cost => {
                Ramp::new(&[0x00_00_08, 0x3b_0f_70, 0x9c_2e_7f, 0xe8_53_62, 0xfe_a8_73, 0xfc_fd_bf])
            }
            _ => viridis().reversed(),
        }
    }

    /// The range of depth or cost over a sparse set of the camera's rays.
    pub(super) fn find_range(&self, sampling: &Sampling) -> Result<Option<Range>> {
        if !matches!(self.shade, Shade::Depth | Shade::Cost) {
            return Ok(None);
        }
        let rays = sparse_rays(sampling);
        let request = self.scene.cast(&rays).with(&self.options);
        Ok(match self.shade {
            Shade::Depth => Some(Range::of_distances(&request.closest()?)),
            _ => {
                let costs = request.cost()?;
                Some(Range::of_costs(costs.nodes(), costs.primitives()))
            }
        })
    }

    /// What is where the scene is not.
    fn background(&self, [x, y]: [f64; 2], direction: Vector) -> Color {
        match self.shade {
            Shade::Sun => {
                let rise = dot(direction, self.light.up) as f32;
                mix([0.86, 0.89, 0.92], [0.42, 0.58, 0.78], 0.5 + 0.5 * rise)
            }
            // Brightest a little above the middle.
            Shade::Studio => {
                let off = ((x - 0.5).powi(2) + (y - 0.45).powi(2)) as f32 * 2.0;
                mix([0.965; 3], [0.694, 0.730, 0.783], off.min(1.0))
            }
            _ => BACKGROUND,
        }
    }

    /// Where a ray meets the ground, and how much of its shadow shows.
    fn ground(&self, ray: &Ray<T>) -> Option<(Spot, f32)> {
        let Ground { height, center, radius } = self.ground?;
        let (origin, direction) = (wide(ray.origin), wide(ray.direction));
        let up = self.light.up;
        let t = (height - dot(origin, up)) / dot(direction, up);
        let point = add(origin, scale(direction, t));
        let off = length(sub(point, add(center, scale(up, height - dot(center, up))))) / radius;
        // From below nothing is seen, and far away nothing shades it.
        let shows = ((4.0 - off) / 2.0).clamp(0.0, 1.0) as f32;
        let is_seen = t > 0.0 && dot(direction, up) < 0.0 && shows > 0.0;
        let view = scale(direction, -1.0);
        is_seen.then_some((Spot { start: point, normal: up, facet: up, view }, shows))
    }

    /// What the ray with a hit or none sees, if that is the ground, and the light that comes from
    /// there; `at` is its place in the picture, from 0 to 1.
    fn see(
        &self,
        ray: &Ray<T>,
        hit: Option<(Hit<T>, [T; 3])>,
        at: [f64; 2],
    ) -> (Option<(Spot, bool)>, Parts) {
        if let Some((hit, normal)) = hit {
            let spot = self.surface.spot(ray, &hit, normal);
            let color = self.paint.at(&hit, self.meshes);
            let parts = match self.shade {
                Shade::Ao => Parts { open: [0.85; 3], ..Parts::default() },
                _ => self.light.on_surface(&spot, color.unwrap_or(CLAY)),
            };
            return (Some((spot, false)), parts);
        }
        let behind = self.background(at, wide(ray.direction));
        match self.ground(ray) {
            Some((spot, shows)) => (Some((spot, true)), self.light.on_ground(&spot, behind, shows)),
            None => (None, Parts { always: behind, ..Parts::default() }),
        }
    }
}

/// Rays that are made and cast at a time.
const PIECE: usize = 1 << 14;

/// Behind what is shown without light; no colour of depth is like it.
const BACKGROUND: Color = [0.88, 0.9, 0.915];
/// Of a surface that has no other.
const CLAY: Color = [0.53, 0.50, 0.46];

impl<'s, 'a, T: Number> Worker<'s, 'a, T> {
    pub(super) fn new(shader: &'s Shader<'a, T>, sampling: &'s Sampling) -> Self {
        let (hits, costs, any) = (HitBatch::new(), CostBatch::default(), AnyHitBatch::default());
        let (rays, time) = (0, Duration::ZERO);
        Self { shader, sampling, ramp: shader.ramp(), hits, costs, any, rays, time }
    }

    /// Casts the rays of whole rows of pixels, of which the first has this number, and finds their
    /// colours.
    pub(super) fn fill(
        &mut self,
        first: usize,
        pixels: &mut [Color],
        interrupt: &Interrupt,
    ) -> Result<()> {
        let samples = self.sampling.samples as usize;
        let width = self.sampling.size[0] as usize;
        let (rows, height) =
            (first / width..(first + pixels.len()) / width, self.sampling.size[1] as usize);
        let is_lit = matches!(self.shader.shade, Shade::Studio | Shade::Sun | Shade::Ao);
        let neighbours = if is_lit { REACH } else { 0 };
        let all = rows.start.saturating_sub(neighbours)..(rows.end + neighbours).min(height);
        let (first, end) = (all.start * width, all.end * width);
        let mut seen = vec![Pixel::default(); if is_lit { end - first } else { 0 }];
        let mut rays = Vec::new();
        for piece in (first..end).step_by((PIECE / samples).max(1)) {
            interrupt.check()?;
            let piece = piece..end.min(piece + (PIECE / samples).max(1));
            self.sampling.rays(piece.start * samples..piece.end * samples, &mut rays);
            self.cast(&rays)?;
            if is_lit {
                self.lit(piece.start, &rays, &mut seen[piece.start - first..piece.end - first])?;
            } else {
                let pixels = &mut pixels[piece.start - first..piece.end - first];
                for (index, ray) in rays.iter().enumerate() {
                    let (pixel, color) = (&mut pixels[index / samples], self.unlit(index, ray));
                    *pixel = [0, 1, 2].map(|at: usize| pixel[at] + color[at] / samples as f32);
                }
            }
        }
        if is_lit {
            soften(&seen, width, rows.start - all.start, pixels);
        }
        Ok(())
    }

    fn cast(&mut self, rays: &[Ray<T>]) -> Result<()> {
        let start = Instant::now();
        let request = self.shader.scene.cast(rays).with(&self.shader.options);
        match self.shader.shade {
            Shade::Cost => request.cost_into(&mut self.costs)?,
            _ => request.geometric_normals(true).closest_into(&mut self.hits)?,
        }
        self.count(rays.len(), start);
        Ok(())
    }

    /// What a ray of the piece at hand sees without light.
    fn unlit(&self, index: usize, ray: &Ray<T>) -> Color {
        let shader = self.shader;
        let at = |value: f32| self.ramp.at(shader.range.map_or(0.0, |range| range.place(value)));
        if shader.shade == Shade::Cost {
            return at((self.costs.nodes()[index] + self.costs.primitives()[index]) as f32);
        }
        match (self.hits.hit(index), shader.shade) {
            (None, _) => shader.background([0.0; 2], wide(ray.direction)),
            (Some(hit), Shade::Depth) => at(hit.t.to_f64() as f32),
            (Some(hit), Shade::Flat) => shader.paint.at(&hit, shader.meshes).unwrap_or(CLAY),
            (Some(hit), _) => {
                let spot = shader.surface.spot(ray, &hit, self.hits.geometric_normal()[index]);
                spot.normal.map(|x| linear((0.5 + 0.5 * x) as f32))
            }
        }
    }

    /// How many rays were cast, and how long they took.
    pub(super) fn spent(&self) -> (u64, Duration) {
        (self.rays, self.time)
    }

    fn count(&mut self, rays: usize, start: Instant) {
        self.rays += rays as u64;
        self.time += start.elapsed();
    }

    /// Adds what the rays of the piece at hand see to its pixels, of which the first has this
    /// number.
    fn lit(&mut self, first: usize, rays: &[Ray<T>], pixels: &mut [Pixel]) -> Result<()> {
        let (shader, light, sampling) = (self.shader, &self.shader.light, self.sampling);
        let (samples, [width, height]) = (sampling.samples as usize, sampling.size);
        let (mut lamp_rays, mut open_rays) = (Vec::new(), Vec::new());
        let mut all = Vec::with_capacity(rays.len());
        for pixel in 0..pixels.len() {
            let place = [(first + pixel) % width as usize, (first + pixel) / width as usize]
                .map(|x| x as u32);
            let number = hilbert(place) * samples as u64;
            let [x, y] = place.map(f64::from);
            for sample in 0..samples {
                let index = pixel * samples + sample;
                let hit =
                    self.hits.hit(index).map(|hit| (hit, self.hits.geometric_normal()[index]));
                let at = [x / f64::from(width), y / f64::from(height)];
                let (spot, parts) = shader.see(&rays[index], hit, at);
                if let Some((spot, _)) = &spot {
                    if dot(spot.normal, light.lamp) > 0.0 {
                        light.lamp_rays(spot, number + sample as u64, &mut lamp_rays);
                    }
                    light.open_rays(spot, number + sample as u64, &mut open_rays);
                }
                all.push((spot, parts, [lamp_rays.len(), open_rays.len()]));
            }
        }
        let free = [self.free(&lamp_rays)?, self.free(&open_rays)?];
        let mut starts = [0; 2];
        for (index, (spot, parts, ends)) in all.into_iter().enumerate() {
            let share = |of: usize| {
                let free = &free[of][starts[of]..ends[of]];
                free.iter().filter(|&&free| free).count() as f32 / free.len() as f32
            };
            let lit = if ends[0] > starts[0] { share(0) } else { 0.0 };
            let open = if ends[1] > starts[1] { share(1) } else { 1.0 };
            pixels[index / samples].add(spot, &parts, [lit, open]);
            starts = ends;
        }
        Ok(())
    }

    /// Which rays meet nothing.
    fn free(&mut self, rays: &[Ray<T>]) -> Result<Vec<bool>> {
        let start = Instant::now();
        self.shader.scene.cast(rays).with(&self.shader.options).any_into(&mut self.any)?;
        self.count(rays.len(), start);
        Ok(self.any.status().iter().map(|status| !status.is_hit()).collect())
    }
}
