//! For those who cast millions of rays: hours of sun on a terrain, and a laser scanner that flies
//! over it.
//!
//! Rays are made while they are cast, answers are reused from batch to batch, all cores work, and a
//! watcher may stop the call.
//!
//! ```sh
//! cargo run --release --example batches
//! ```

use std::ops::ControlFlow;
use std::time::Instant;

use lanecast::cast::CastOptions;
use lanecast::{HitBatch, RayBatch, Scene};
use lanecast_makers::{Beam, Lidar, Pose, Sun, Sunlight, Utc};

/// The terrain has so many squares along each side, of so many metres.
const SIDE: u32 = 300;
const METRES: f32 = 10.0;

fn main() -> lanecast::Result<()> {
    let (vertices, triangles) = terrain();
    let scene = Scene::from_triangles(&vertices, &triangles)?;

    // The sun over a day, once an hour, where it is above the horizon.
    let hours =
        (0..24).map(|hour| Utc { year: 2026, month: 12, day: 21, hour, minute: 0, second: 0.0 });
    let suns = hours.map(|time| Sun::at(time, 47.0, 8.0)).collect::<lanecast::Result<Vec<_>>>()?;
    let towards: Vec<[f64; 3]> =
        suns.iter().filter(|sun| sun.altitude > 0.0).map(Sun::direction).collect();
    // From a hand above the ground; one light after the other, for each all points.
    let points: Vec<[f32; 3]> = vertices.iter().map(|&[x, y, z]| [x, y, z + 0.1]).collect();
    let light = Sunlight::new(&points, &towards)?;
    let rays = RayBatch::made(&light);
    let start = Instant::now();
    let shaded = scene.cast(&rays).any()?;
    let mut hours_of_sun = vec![0; points.len()];
    for (row, status) in shaded.status().iter().enumerate() {
        hours_of_sun[row % points.len()] += u32::from(!status.is_hit());
    }
    let (seconds, all) = (start.elapsed().as_secs_f64(), hours_of_sun.iter().sum::<u32>());
    eprintln!(
        "{} rays in {seconds:.2} s: {:.1} of {} hours of sun on average at midwinter",
        rays.len(),
        f64::from(all) / points.len() as f64,
        towards.len()
    );

    // A scanner of 32 beams on an aircraft, 20 turns of 1,800 firings; batch after batch into the
    // same memory.
    let [south, north] = [0.1, 0.9].map(|part| part * f64::from(SIDE) * f64::from(METRES));
    let pose = |time, y| Pose { time, position: [south, y, 600.0], rotation: [0.0, 0.0, 0.0, 1.0] };
    let scanner = Lidar::new(&Beam::fan(32, [-90.0, -30.0]), 1800)?.carried(
        &[pose(0.0, south), pose(2.0, north)],
        0.0,
        0.1,
        20,
    )?;
    let rays = RayBatch::made(&scanner).with_interval(0.0, 2000.0);
    let options = CastOptions::new().watch(&|_progress| ControlFlow::Continue(()));
    let (mut hits, mut measured, start) = (HitBatch::new(), 0, Instant::now());
    for first in (0..rays.len()).step_by(1 << 18) {
        let rays = rays.slice(first..rays.len().min(first + (1 << 18)));
        scene.cast(&rays).with(&options).closest_into(&mut hits)?;
        // Points and normals of the hits cost a small part of the time of casting.
        let surface = scene.surface(rays, &hits).unit_normals(true).locate()?;
        measured += surface.geometric_normal().iter().filter(|normal| normal[2] > 0.0).count();
    }
    eprintln!(
        "{measured} of {} pulses came back, in {:.2} s",
        rays.len(),
        start.elapsed().as_secs_f64()
    );
    assert!(measured > 0 && all > 0);
    Ok(())
}

/// Hills by formula.
fn terrain() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let height = |x: f32, y: f32| {
        80.0 * (0.003 * x).sin() * (0.004 * y + 1.0).cos() + 20.0 * (0.02 * x + 0.013 * y).sin()
    };
    let places = (0..=SIDE).flat_map(|row| {
        (0..=SIDE).map(move |column| [column as f32 * METRES, row as f32 * METRES])
    });
    let squares = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| row * (SIDE + 1) + column));
    let vertices = places.map(|[x, y]| [x, y, height(x, y)]).collect();
    let triangles = squares.flat_map(|corner| {
        let (right, above) = (corner + 1, corner + SIDE + 1);
        [[corner, right, above + 1], [corner, above + 1, above]]
    });
    (vertices, triangles.collect())
}
