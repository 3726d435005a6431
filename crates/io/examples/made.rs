//! Whether rays that are made while they are cast are faster than the same rays in columns: of a
//! camera, a scanner, the sun and others, at the shipped terrain and at a generated mesh, on one
//! thread. `docs/notebook/makers.md` has the figures.
//!
//! ```sh
//! cargo run --release --example made             # 15 rounds
//! cargo run --release --example made -- 31 sun   # 31 rounds, of the sun alone
//! ```

use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use lanecast::answers::AnyHitBatch;
use lanecast::{Backend, HitBatch, Maker, Ray, RayBatch, Scene, SightLines, Threads};
use lanecast_makers::{
    Beam, Grid, Hemisphere, Lidar, Panorama, Pinhole, Pose, Spread, Sun, Sunlight,
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

type Failure = Box<dyn std::error::Error>;

/// Rays that are made at a time to see how long that takes, as many as in a chunk.
const CHUNK: usize = 1 << 15;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().map_or(Ok(15), |rounds| rounds.parse())?;
    if rounds == 0 {
        return Err("there is nothing to compare in 0 rounds: give 1 or more".into());
    }
    let only = arguments.next().unwrap_or_default();
    let terrain = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/jacksboro.ply");
    let meshes = lanecast_io::read_model(&terrain)?.meshes;
    let scene = Scene::from_triangles(&meshes[0].vertices, &meshes[0].triangles)?;
    measure("jacksboro", &scene, rounds, &only)?;
    let hills = meshes::terrain(400, &mut Random::new(7));
    let scene = Scene::from_triangles(&hills.vertices, &hills.triangles)?;
    measure("generated", &scene, rounds, &only)
}

/// Rays in columns.
struct Stored([Vec<f32>; 6], [f32; 2]);

impl Stored {
    fn new(maker: &dyn Maker<Ray>) -> Self {
        let mut columns: [Vec<f32>; 6] = Default::default();
        let rays = RayBatch::made(maker);
        let mut room = vec![Ray::new([0.0; 3], [0.0; 3]); CHUNK];
        for first in (0..rays.len()).step_by(CHUNK) {
            let room = &mut room[..CHUNK.min(rays.len() - first)];
            maker.make(first, room);
            for ray in room {
                let numbers = ray.origin.into_iter().chain(ray.direction);
                columns.iter_mut().zip(numbers).for_each(|(column, x)| column.push(x));
            }
        }
        let one = rays.ray(0);
        Self(columns, [one.t_min, one.t_max])
    }

    fn rays(&self) -> Result<RayBatch<'_>, Failure> {
        let [ox, oy, oz, dx, dy, dz] = &self.0;
        let [t_min, t_max] = self.1;
        Ok(RayBatch::from_columns([ox, oy, oz], [dx, dy, dz])?.with_interval(t_min, t_max))
    }
}

fn measure(name: &str, scene: &Scene, rounds: usize, only: &str) -> Result<(), Failure> {
    let bounds = scene.bounds();
    let at = |x: f64, y: f64, z: f64| {
        let part = |axis: usize, part: f64| {
            let [low, high] = [bounds.min[axis], bounds.max[axis]].map(f64::from);
            low + part * (high - low)
        };
        [part(0, x), part(1, y), part(2, z)]
    };
    let up = [0.0, 0.0, 1.0];
    let middle = at(0.5, 0.5, 0.5);
    let reach = f64::from(bounds.max[0] - bounds.min[0]);
    let eye = [middle[0] - 0.6 * reach, middle[1] - 0.6 * reach, middle[2] + 0.5 * reach];
    let aside = [middle[0], middle[1], middle[2] + 0.1 * reach];

    let pinhole = Pinhole::looking_at(eye, middle, up, 40.0, [1024, 1024])?;
    let unit = pinhole.unit_directions();
    let panorama = Panorama::new(aside, [0.0, 1.0, 0.0], up, [1024, 1024])?;
    let edges = [[reach, 0.0, 0.0], [0.0, reach, 0.0]];
    let rain = Grid::new(at(0.0, 0.0, 2.0), edges, [1024, 1024], [0.0, 0.0, -1.0])?;
    let poses = [0.0, 1.0]
        .map(|time| Pose { time, ..Pose::standing([aside[0] + time, aside[1], aside[2]]) });
    let beams = Beam::fan(64, [-80.0, 0.0]);
    let lidar = Lidar::new(&beams, 2048)?.carried(&poses, 0.0, 0.1, 8)?;
    let standing = Lidar::new(&beams, 2048)?.carried(&[Pose::standing(aside)], 0.0, 0.1, 8)?;
    // Points a little above the surface, line by line.
    let mut hits = HitBatch::new();
    scene.cast(&RayBatch::made(&rain)).closest_into(&mut hits)?;
    let down = RayBatch::made(&rain);
    let points: Vec<[f32; 3]> = (0..down.len())
        .map(|row| {
            let ray = down.ray(row);
            let [x, y, z] = hits.hit(row).map_or(ray.origin, |hit| ray.at(hit.t));
            [x, y, z + 1e-4 * reach as f32]
        })
        .collect();
    let sun = Sunlight::new(&points, &[Sun { azimuth: 235.0, altitude: 30.0 }.direction()])?;
    let few: Vec<[f32; 3]> = points.iter().copied().step_by(16).collect();
    let normals = vec![[0.0, 0.0, 1.0]; few.len()];
    let sky = Hemisphere::new(&few, &normals, 16, Spread::Cosine)?;
    let masts: Vec<[f32; 3]> = few
        .iter()
        .step_by(few.len() / 16)
        .map(|&[x, y, z]| [x, y, z + 0.02 * reach as f32])
        .collect();
    let sight = SightLines::new(&masts, &few)?;

    let sets: [(&str, &dyn Maker<Ray>, bool); 9] = [
        ("camera", &pinhole, false),
        ("camera, unit", &unit, false),
        ("panorama", &panorama, false),
        ("rain", &rain, false),
        ("lidar", &lidar, false),
        ("lidar, standing", &standing, false),
        ("sun", &sun, true),
        ("sky", &sky, true),
        ("sight", &sight, true),
    ];
    for (set, maker, is_any) in sets.into_iter().filter(|(set, ..)| set.starts_with(only)) {
        let stored = Stored::new(maker);
        let (stored, made) = (stored.rays()?, RayBatch::made(maker));
        let [stored, made] = if is_any {
            compare(rounds, [&stored, &made], |rays, into: &mut AnyHitBatch| {
                scene.cast(rays).threads(&Threads::ONE).any_into(into)
            })
        } else {
            compare(rounds, [&stored, &made], |rays, into: &mut HitBatch| {
                scene.cast(rays).threads(&Threads::ONE).closest_into(into)
            })
        }
        .map_err(|failure| format!("{set}: {failure}"))?;
        let each = 1e9 / maker.len() as f64;
        let ratio = median(stored.iter().zip(&made).map(|(stored, made)| stored / made));
        let [stored, made] = [stored, made].map(|times| each * median(times.into_iter()));
        let alone = each * making(rounds, maker);
        writeln!(
            std::io::stdout(),
            "{name}, {set}: {stored:.1} ns a ray stored, {made:.1} made ({alone:.1} as rows alone), {ratio:.3} times as fast, on {}",
            Backend::detect()?,
        )?;
    }
    Ok(())
}

/// The seconds that each round takes of stored and of made rays, in turn. Both have the same answers.
fn compare<A: Default + PartialEq>(
    rounds: usize,
    sets: [&RayBatch<'_>; 2],
    cast: impl Fn(&RayBatch<'_>, &mut A) -> lanecast::Result<()>,
) -> Result<[Vec<f64>; 2], Failure> {
    let mut answers: [A; 2] = Default::default();
    let mut seconds: [Vec<f64>; 2] = Default::default();
    for _ in 0..=rounds {
        for ((rays, into), seconds) in sets.into_iter().zip(&mut answers).zip(&mut seconds) {
            let start = Instant::now();
            cast(rays, into)?;
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let [stored, made] = &answers;
    if stored != made {
        return Err("made rays have other answers than stored ones".into());
    }
    // The first round fills the caches.
    for seconds in &mut seconds {
        seconds.remove(0);
    }
    Ok(seconds)
}

/// The seconds that making all rays takes, a chunk at a time.
fn making(rounds: usize, maker: &dyn Maker<Ray>) -> f64 {
    let mut room = vec![Ray::new([0.0; 3], [0.0; 3]); CHUNK];
    median((0..rounds).map(|_| {
        let start = Instant::now();
        for first in (0..maker.len()).step_by(CHUNK) {
            let room = &mut room[..CHUNK.min(maker.len() - first)];
            maker.make(first, room);
            black_box(room);
        }
        start.elapsed().as_secs_f64()
    }))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
