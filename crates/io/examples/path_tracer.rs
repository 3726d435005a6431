//! A small path tracer that works in waves: all rays of one kind are cast as one batch, then all of
//! the next.
//!
//! A wave from the camera, then by turns a wave of shadow rays to the sun from whatever was met,
//! and a wave of bounces from there on. Every ray starts off the triangle that it skips, so that no
//! distance has to be guessed.
//!
//! ```sh
//! cargo run --release --example path_tracer -- picture.png 640x360 32
//! ```

mod support;

use std::f32::consts::TAU;
use std::path::PathBuf;

use lanecast::{CastOptions, HitBatch, Ray, Scene, answers::AnyHitBatch};

use support::{arguments, wrote};

type Vector = [f32; 3];
type Failure = Box<dyn std::error::Error>;

/// How often light may be scattered on its way.
const BOUNCES: usize = 4;
/// Where the sun is, and how bright; the sky is brightest around the horizon.
const TO_SUN: Vector = [0.55, -0.45, 0.7];
const SUN: Vector = [2.0, 1.75, 1.35];
const SKY: [Vector; 2] = [[0.5, 0.58, 0.7], [0.15, 0.27, 0.55]];
/// What part of the light the solid and the ground send back.
const SOLID: Vector = [0.8, 0.32, 0.12];
const GROUND: Vector = [0.3, 0.32, 0.3];

/// The rays under way: what they go along, what they skip, and for which pixel they carry how much
/// light.
#[derive(Default)]
struct Wave {
    rays: Vec<Ray>,
    skip: [Vec<u32>; 2],
    pixels: Vec<u32>,
    weights: Vec<Vector>,
}

impl Wave {
    fn push(
        &mut self,
        ray: Ray,
        [geometry_id, primitive_id]: [u32; 2],
        pixel: u32,
        weight: Vector,
    ) {
        self.rays.push(ray);
        self.skip[0].push(geometry_id);
        self.skip[1].push(primitive_id);
        self.pixels.push(pixel);
        self.weights.push(weight);
    }

    fn clear(&mut self) {
        self.rays.clear();
        self.skip.iter_mut().for_each(Vec::clear);
        self.pixels.clear();
        self.weights.clear();
    }

    fn options(&self) -> CastOptions<'_> {
        CastOptions::new().skip(&self.skip[0], &self.skip[1]).geometric_normals(true)
    }
}

fn main() -> Result<(), Failure> {
    let usage = "path_tracer [PICTURE.png] [WIDTHxHEIGHT] [SAMPLES]";
    let ([_, size, samples], path) = arguments(usage, ["path_tracer.png", "640x360", "32"]);
    let (width, height) = size.split_once('x').ok_or("a size is written as in 640x360")?;
    let [width, height]: [u32; 2] = [width.parse()?, height.parse()?];
    let samples: u32 = samples.parse()?;

    let scene = scene()?;
    let mut light = vec![[0.0; 3]; width as usize * height as usize];
    let (mut wave, mut shadows, mut next) = (Wave::default(), Wave::default(), Wave::default());
    let (mut hits, mut hidden, mut cast) = (HitBatch::new(), AnyHitBatch::new(), 0);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let start = std::time::Instant::now();
    for _ in 0..samples {
        wave.clear();
        camera(width, height, &mut random, &mut wave);
        for _ in 0..=BOUNCES {
            scene.cast(&wave.rays).with(&wave.options()).closest_into(&mut hits)?;
            cast += wave.rays.len();
            scatter(&wave, &hits, &mut light, &mut random, [&mut shadows, &mut next]);
            scene.cast(&shadows.rays).with(&shadows.options()).any_into(&mut hidden)?;
            cast += shadows.rays.len();
            for (row, &pixel) in shadows.pixels.iter().enumerate() {
                if !hidden.status()[row].is_hit() {
                    add(&mut light[pixel as usize], shadows.weights[row]);
                }
            }
            std::mem::swap(&mut wave, &mut next);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{cast} rays in {seconds:.2} s, {:.1} million a second", cast as f64 / seconds / 1e6);
    // Bright light is compressed, and then encoded about as screens expect.
    let byte =
        |light: f32| (255.0 * (1.0 - (-light / samples as f32).exp()).powf(1.0 / 2.2) + 0.5) as u8;
    let bytes: Vec<u8> = light.as_flattened().iter().map(|&light| byte(light)).collect();
    lanecast_io::write_png(&path, width, height, &bytes)?;
    wrote(&path);
    Ok(())
}

/// The shipped solid as geometry 0, on a square of ground.
fn scene() -> Result<Scene, Failure> {
    let solid = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/gyroid.ply");
    let meshes = lanecast_io::read_model(&solid)?.meshes;
    let bottom =
        meshes[0].vertices.iter().fold(f32::INFINITY, |bottom, vertex| bottom.min(vertex[2]));
    let ground = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[x, y]: [f32; 2]| [2e3 * x, 2e3 * y, bottom]);
    Ok(lanecast::SceneBuilder::new()
        .triangle_mesh(&meshes[0].vertices, &meshes[0].triangles)?
        .triangle_mesh(&ground, &[[0, 1, 2], [0, 2, 3]])?
        .build()?)
}

/// A ray through a random point of each pixel.
fn camera(width: u32, height: u32, random: &mut Random, wave: &mut Wave) {
    let eye: Vector = [85.0, -130.0, 45.0];
    let forward = unit(eye.map(|x| -x));
    let right = unit(cross(forward, [0.0, 0.0, 1.0]));
    let up = cross(right, forward);
    for pixel in 0..width * height {
        let x = ((pixel % width) as f32 + random.unit() - 0.5 * width as f32) / height as f32;
        let y = (0.5 * height as f32 - (pixel / width) as f32 - random.unit()) / height as f32;
        let direction =
            std::array::from_fn(|axis| forward[axis] + 0.6 * (x * right[axis] + y * up[axis]));
        wave.push(Ray::new(eye, direction), [lanecast::INVALID_ID; 2], pixel, [1.0; 3]);
    }
}

/// Rays that leave see the sky. Of the others each makes a shadow ray, which carries what the sun
/// sends if nothing is in its way, and a bounce in a random direction, more often along the normal
/// (Lambert's law).
fn scatter(
    wave: &Wave,
    hits: &HitBatch,
    light: &mut [Vector],
    random: &mut Random,
    [shadows, next]: [&mut Wave; 2],
) {
    shadows.clear();
    next.clear();
    let to_sun = unit(TO_SUN);
    for (row, ray) in wave.rays.iter().enumerate() {
        let (pixel, weight) = (wave.pixels[row], wave.weights[row]);
        let Some(hit) = hits.hit(row) else {
            let rise = unit(ray.direction)[2].max(0.0).sqrt();
            let sky =
                std::array::from_fn(|i| weight[i] * (SKY[0][i] + rise * (SKY[1][i] - SKY[0][i])));
            add(&mut light[pixel as usize], sky);
            continue;
        };
        let normal = unit(hits.geometric_normal()[row]);
        let against = if dot(normal, ray.direction) > 0.0 { -1.0 } else { 1.0 };
        let normal = normal.map(|x| against * x);
        let (point, skip) = (ray.at(hit.t), [hit.geometry_id, hit.primitive_id]);
        let color = if hit.geometry_id == 0 { SOLID } else { GROUND };
        let weight: Vector = std::array::from_fn(|i| weight[i] * color[i]);
        let slant = dot(normal, to_sun);
        if slant > 0.0 {
            shadows.push(
                Ray::new(point, to_sun),
                skip,
                pixel,
                std::array::from_fn(|i| weight[i] * SUN[i] * slant),
            );
        }
        let onto_sphere = random.on_sphere();
        let direction: Vector = std::array::from_fn(|axis| normal[axis] + onto_sphere[axis]);
        if dot(direction, direction) > 1e-6 {
            next.push(Ray::new(point, direction), skip, pixel, weight);
        }
    }
}

/// Random numbers by the xorshift of Marsaglia, "Xorshift RNGs", JSS 8(14), 2003.
struct Random(u64);

impl Random {
    /// From 0 to 1, 1 excluded.
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / 16_777_216.0
    }

    /// A point on the sphere around 0 of radius 1.
    fn on_sphere(&mut self) -> Vector {
        let (z, turn) = (1.0 - 2.0 * self.unit(), TAU * self.unit());
        let radius = (1.0 - z * z).max(0.0).sqrt();
        [radius * turn.cos(), radius * turn.sin(), z]
    }
}

fn add(to: &mut Vector, light: Vector) {
    *to = std::array::from_fn(|channel| to[channel] + light[channel]);
}

fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}
