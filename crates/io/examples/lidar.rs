//! A laser scanner on an aircraft over the shipped terrain: what it measures, as a cloud of points.
//!
//! The rays are made while they are cast, one turn of the scanner at a time, so that a flight of
//! any length takes no more memory than a turn.
//!
//! ```sh
//! cargo run --release --example lidar -- cloud.ply 64 2000
//! ```

mod support;

use std::path::PathBuf;

use lanecast::{HitBatch, RayBatch, Scene};
use lanecast_io::{TableWriter, Values};
use lanecast_makers::{Beam, Lidar, Pose};

use support::{arguments, wrote};

type Failure = Box<dyn std::error::Error>;

/// Beams that are fired at once, from straight down to a little below the horizon, in degrees.
const BEAMS: u32 = 64;
const ELEVATIONS: [f64; 2] = [-90.0, -20.0];
/// How long a turn takes and how fast the aircraft is.
const SECONDS_A_TURN: f64 = 0.1;
const METRES_A_SECOND: f64 = 60.0;
/// How far the scanner reaches, and how high it flies above the highest summit.
const REACH: f32 = 2500.0;
const ABOVE: f64 = 300.0;

fn main() -> Result<(), Failure> {
    let ([_, turns, steps], path) =
        arguments("lidar [CLOUD.ply] [TURNS] [STEPS]", ["cloud.ply", "64", "2000"]);
    let (turns, steps): (u32, u32) = (turns.parse()?, steps.parse()?);

    let terrain = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/jacksboro.ply");
    let meshes = lanecast_io::read_model(&terrain)?.meshes;
    let scene = Scene::from_triangles(&meshes[0].vertices, &meshes[0].triangles)?;

    let lidar = Lidar::new(&Beam::fan(BEAMS, ELEVATIONS), steps)?.carried(
        &flight(&scene, f64::from(turns) * SECONDS_A_TURN),
        0.0,
        SECONDS_A_TURN,
        turns,
    )?;
    let rays = RayBatch::made(&lidar).with_interval(0.0, REACH);
    let turn = (BEAMS * steps) as usize;
    let none = [("x", Values::F32(&[])), ("y", Values::F32(&[])), ("z", Values::F32(&[]))];
    let mut cloud = TableWriter::create(&path, None, &none)?;
    let (mut hits, mut measured) = (HitBatch::new(), 0);
    let mut axes = [(); 3].map(|()| Vec::new());
    let start = std::time::Instant::now();
    for first in (0..rays.len()).step_by(turn) {
        let rays = rays.slice(first..rays.len().min(first + turn));
        scene.cast(&rays).closest_into(&mut hits)?;
        axes.iter_mut().for_each(Vec::clear);
        for (row, hit) in (0..rays.len()).filter_map(|row| Some((row, hits.hit(row)?))) {
            let point = rays.ray(row).at(hit.t);
            axes.iter_mut().zip(point).for_each(|(axis, x)| axis.push(x));
        }
        let [x, y, z] = &axes;
        measured += x.len();
        cloud.write(&[("x", Values::F32(x)), ("y", Values::F32(y)), ("z", Values::F32(z))])?;
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{measured} of {} pulses came back, in {seconds:.2} s", rays.len());
    cloud.finish()?;
    wrote(&path);
    Ok(())
}

/// A straight flight over the middle of the scene, from west to east, banking a little to and fro.
fn flight(scene: &Scene, seconds: f64) -> Vec<Pose> {
    let bounds = scene.bounds();
    let [x, y] =
        [0, 1].map(|axis| 0.5 * (f64::from(bounds.min[axis]) + f64::from(bounds.max[axis])));
    let z = f64::from(bounds.max[2]) + ABOVE;
    (0..=32)
        .map(|step| {
            let time = seconds * f64::from(step) / 32.0;
            let along = METRES_A_SECOND * (time - 0.5 * seconds);
            let bank = 0.05 * f64::from(step).sin();
            Pose { time, position: [x + along, y, z], rotation: [bank.sin(), 0.0, 0.0, bank.cos()] }
        })
        .collect()
}
