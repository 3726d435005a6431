//! The demonstration's jobs: rays of different kinds, each cast and timed.

use super::landscape::{self, Landscape};
use super::terrain::Terrain;
use crate::failure::Result;
use crate::machine::Machine;
use crate::number;
use crate::picture::{Film, Sampling};
use crate::progress::Progress;
use crate::rays::diagonal;
use crate::vector::{Vector, add, nearest, wide};
use lanecast::{
    HitBatch, RayBatch, Scene, SightLines,
    answers::{AllHitsBatch, AnyHitBatch, SightMatrix},
};
use lanecast_makers::{Beam, Grid, Hemisphere, Lidar, Pose, Spread};
use serde::Serialize;
use std::time::Instant;

/// Rays that are made and cast at a time.
const PIECE: usize = 1 << 20;

/// How many rays each job casts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amounts {
    size: [u32; 2],
    samples: u32,
    vertices: usize,
    pub(super) sky_directions: usize,
    pub(super) lidar_steps: u32,
    pub(super) x_ray_side: u32,
}

const BEAMS: u32 = 128;

impl Amounts {
    /// Shares out `rays`: about a third each for the camera and the sun, the rest for the others.
    pub(super) fn new(rays: u64, size: [u32; 2], vertices: usize) -> Self {
        let rays = rays as f64;
        let pixels = f64::from(size[0]) * f64::from(size[1]);
        let whole = |number: f64, most: f64| number.round().clamp(1.0, most);
        Self {
            size,
            vertices,
            samples: whole(0.36 * rays / pixels, 1024.0) as u32,
            sky_directions: whole(0.21 * rays / vertices.max(1) as f64, 4096.0) as usize,
            lidar_steps: whole(0.06 * rays / f64::from(BEAMS), 1e6) as u32,
            x_ray_side: whole((0.06 * rays).sqrt(), 1e4) as u32,
        }
    }

    /// Rays of all jobs, if the camera sees no sky and no shade.
    pub(super) fn total(&self) -> u64 {
        let camera = self.size.iter().map(|&side| u64::from(side)).product::<u64>()
            * u64::from(self.samples);
        let vertices = self.vertices as u64 * (self.sky_directions as u64 + 1);
        2 * camera
            + vertices
            + u64::from(self.lidar_steps) * u64::from(BEAMS)
            + u64::from(self.x_ray_side) * u64::from(self.x_ray_side)
    }

    /// The rays of the picture.
    pub(super) fn sampling(&self) -> Result<Sampling> {
        Ok(Sampling::new(landscape::camera(self.size)?, self.samples))
    }
}

/// One line of the table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Job {
    pub(super) kind: &'static str,
    pub(super) query: &'static str,
    pub(super) rays: u64,
    pub(super) hits: u64,
    pub(super) seconds: f64,
    pub(super) million_rays_per_second: f64,
}

/// Casts rays, keeps the time, tells the progress.
pub(super) struct Jobs<'m> {
    machine: &'m Machine,
    progress: Progress,
    done: Vec<Job>,
}

impl<'m> Jobs<'m> {
    pub(super) fn new(machine: &'m Machine, progress: Progress) -> Self {
        Self { machine, progress, done: Vec::new() }
    }

    /// Ends the progress; what was done remains, in the order in which the help tells it.
    pub(super) fn finish(mut self) -> Vec<Job> {
        const ORDER: [&str; 6] = ["camera", "sun", "diffuse", "lidar", "line of sight", "x-ray"];
        self.done.sort_by_key(|job| ORDER.iter().position(|&kind| kind == job.kind));
        self.done
    }

    /// Casts and adds to the line of this kind; `cast` says how many rays hit.
    fn time(
        &mut self,
        [kind, query]: [&'static str; 2],
        rays: usize,
        cast: impl FnOnce() -> lanecast::Result<usize>,
    ) -> Result<()> {
        let start = Instant::now();
        let hits = cast()?;
        let seconds = start.elapsed().as_secs_f64();
        let index = self.done.iter().position(|job| job.kind == kind).unwrap_or_else(|| {
            self.done.push(Job {
                kind,
                query,
                rays: 0,
                hits: 0,
                seconds: 0.0,
                million_rays_per_second: 0.0,
            });
            self.done.len() - 1
        });
        let job = &mut self.done[index];
        job.rays += rays as u64;
        job.hits += hits as u64;
        job.seconds += seconds;
        job.million_rays_per_second = number::millions_per_second(job.rays, job.seconds);
        self.progress.set(self.done.iter().map(|job| job.rays).sum());
        Ok(())
    }

    fn any<'r>(
        &mut self,
        kind: &'static str,
        scene: &'r Scene,
        rays: &RayBatch<'r>,
    ) -> Result<AnyHitBatch>
    where
        'm: 'r,
    {
        let mut hits = AnyHitBatch::default();
        let request = scene.cast(rays).with(&self.machine.options());
        self.time([kind, "any"], rays.len(), || {
            request.any_into(&mut hits)?;
            Ok(hits.status().iter().filter(|status| status.is_hit()).count())
        })?;
        Ok(hits)
    }

    fn closest<'r>(
        &mut self,
        kind: &'static str,
        scene: &'r Scene,
        rays: &RayBatch<'r>,
        hits: &mut HitBatch,
    ) -> Result<()>
    where
        'm: 'r,
    {
        let request = scene.cast(rays).with(&self.machine.options());
        self.time([kind, "closest"], rays.len(), || {
            request.closest_into(&mut *hits)?;
            Ok(hits.status().iter().filter(|status| status.is_hit()).count())
        })
    }

    /// How well each vertex is in sight of an observer above the summit: 1 or 0.
    pub(super) fn lines_of_sight(&mut self, terrain: &Terrain<'_>) -> Result<Vec<f32>> {
        const OBSERVER: f64 = 20.0;
        const TARGET: [f64; 3] = [0.0, 0.0, 2.0];
        let observers = [nearest(terrain.above_summit(OBSERVER))];
        let targets: Vec<_> =
            terrain.vertices.iter().map(|&vertex| nearest(add(wide(vertex), TARGET))).collect();
        let lines = SightLines::new(&observers, &targets)?;
        let mut matrix = SightMatrix::default();
        let request = terrain.scene.sight(&lines).with(&self.machine.options());
        self.time(["line of sight", "any"], targets.len(), || {
            request.matrix_into(&mut matrix)?;
            Ok(targets.len() - matrix.count(0))
        })?;
        Ok((0..targets.len())
            .map(|target| if matrix.sees(0, target) { 1.0 } else { 0.0 })
            .collect())
    }

    /// How much of the sky each vertex sees, from 0 to 1.
    pub(super) fn diffuse(&mut self, terrain: &Terrain<'_>, directions: usize) -> Result<Vec<f32>> {
        let points: Vec<_> =
            (0..terrain.vertices.len()).map(|vertex| nearest(terrain.lifted(vertex))).collect();
        let normals: Vec<_> = terrain.normals.iter().map(|&normal| nearest(normal)).collect();
        let sky = Hemisphere::new(&points, &normals, directions as u32, Spread::Cosine)?;
        let rays = RayBatch::made(&sky);
        let mut open = Vec::with_capacity(points.len());
        let piece = (PIECE / directions).max(1) * directions;
        for start in (0..rays.len()).step_by(piece) {
            let rays = rays.slice(start..rays.len().min(start + piece));
            let hits = self.any("diffuse", terrain.scene, &rays)?;
            open.extend(hits.status().chunks(directions).map(|of_vertex| {
                of_vertex.iter().filter(|status| !status.is_hit()).count() as f32
                    / directions as f32
            }));
        }
        Ok(terrain.smooth(&terrain.smooth(&open)))
    }

    /// The points that some of the beams of a scanner above the summit measure, for the picture.
    pub(super) fn lidar(&mut self, terrain: &Terrain<'_>, steps: u32) -> Result<Vec<Vector>> {
        /// One in so many beams, so that the scanner's rings can be told apart.
        const SHOWN: usize = 8;
        let stand = Pose::standing(terrain.above_summit(30.0));
        let scanner =
            Lidar::new(&Beam::fan(BEAMS, [-25.0, 5.0]), steps)?.carried(&[stand], 0.0, 0.0, 1)?;
        let rays = RayBatch::made(&scanner);
        let mut points = Vec::new();
        let mut hits = HitBatch::new();
        // A piece is a multiple of the beams, so that counting in steps meets the same ones.
        for start in (0..rays.len()).step_by(PIECE) {
            let rays = rays.slice(start..rays.len().min(start + PIECE));
            self.closest("lidar", terrain.scene, &rays, &mut hits)?;
            let point = |index| Some(wide(rays.ray(index).at(hits.hit(index)?.t)));
            points.extend((0..rays.len()).step_by(SHOWN).filter_map(point));
        }
        Ok(points)
    }

    /// The volume of a closed solid: the lengths that parallel rays run inside it, from each odd
    /// hit to the next even one, times the area that a ray stands for.
    pub(super) fn x_ray(&mut self, solid: &Scene, side: u32) -> Result<f64> {
        let bounds = solid.bounds();
        let (min, max) = (wide(bounds.min), wide(bounds.max));
        let step = [0, 1].map(|axis| (max[axis] - min[axis]) / f64::from(side));
        let start = min[2] - 0.01 * diagonal(&bounds);
        let edges = [[max[0] - min[0], 0.0, 0.0], [0.0, max[1] - min[1], 0.0]];
        let grid = Grid::new([min[0], min[1], start], edges, [side, side], [0.0, 0.0, 1.0])?;
        let all = RayBatch::made(&grid);
        let mut inside = 0.0;
        let mut hits = AllHitsBatch::default();
        for first in (0..all.len()).step_by(PIECE) {
            let rays = all.slice(first..all.len().min(first + PIECE));
            let request = solid.cast(&rays).with(&self.machine.options());
            self.time(["x-ray", "all"], rays.len(), || {
                request.all_into(&mut hits)?;
                Ok(hits.status().iter().filter(|status| status.is_hit()).count())
            })?;
            for index in 0..rays.len() {
                let walls = hits.of_ray(index).chunks_exact(2);
                inside +=
                    walls.map(|wall| f64::from(wall[1].t) - f64::from(wall[0].t)).sum::<f64>();
            }
        }
        Ok(inside * step[0] * step[1])
    }

    /// The terrain in the sun, with what the other jobs found.
    pub(super) fn picture(
        &mut self,
        terrain: &Terrain<'_>,
        sampling: &Sampling,
        [seen, sky]: [&[f32]; 2],
        echoes: &[Vector],
    ) -> Result<Film> {
        let landscape = Landscape { terrain, sampling, seen, sky };
        let mut film = Film::new(sampling);
        let (mut rays, mut hits) = (Vec::new(), HitBatch::new());
        for piece in sampling.pieces(PIECE) {
            sampling.rays(piece.clone(), &mut rays);
            self.closest("camera", terrain.scene, &RayBatch::from_rays(&rays), &mut hits)?;
            let points = landscape.points(&rays, &hits);
            let sun_rays: Vec<_> = points.iter().filter_map(|point| point.sun_ray).collect();
            let shadows = self.any("sun", terrain.scene, &RayBatch::from_rays(&sun_rays))?;
            landscape.paint(piece.start, &rays, &points, &shadows, &mut film);
        }
        landscape.mark(echoes, &mut film)?;
        Ok(film)
    }
}
