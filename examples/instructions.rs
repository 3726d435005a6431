//! For those who count: casts 4,096 rays at 3,200 triangles on one thread, so many times. `benches/instructions.py`
//! counts the instructions.
//!
//! ```sh
//! cargo run --release --example instructions -- camera 3 avx2
//! ```

use std::error::Error;

use lanecast::{Backend, RayBatch, Scene, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (set, casts) = (arguments.next().ok_or("a set")?, arguments.next().ok_or("casts")?);
    let casts: u32 = casts.parse()?;
    let backend = arguments.next().map_or(Backend::detect(), |name| name.parse())?;

    let random = &mut Random::new(0x1257);
    let mesh = meshes::terrain(40, random);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles)?;
    // A picture from above a corner, and rays from anywhere to anywhere.
    let camera = |row: usize| {
        let (right, up) = ((row % 64) as f32 / 64.0 - 0.5, (row / 64) as f32 / 64.0 - 0.5);
        ([-4.0, -4.0, 12.0], [1.0 + right, 1.0 - right, -0.5 + up])
    };
    let mut anywhere = || {
        let [x, y, z] = random.point(0.0, 1.0);
        ([40.0 * x, 40.0 * y, 3.0 * z], random.direction())
    };
    let (origins, directions): (Vec<[f32; 3]>, Vec<[f32; 3]>) = match set.as_str() {
        "camera" => (0..4096).map(camera).unzip(),
        "random" => (0..4096).map(|_| anywhere()).unzip(),
        _ => return Err(format!("{set} is no set of rays").into()),
    };
    let rays = RayBatch::from_pairs(&origins, &directions)?;
    for _ in 0..casts {
        let hits = scene.cast(&rays).backend(backend).threads(&Threads::ONE).closest()?;
        let met = hits.status().iter().filter(|status| status.is_hit()).count();
        eprintln!("{met} of {} rays hit", rays.len());
    }
    Ok(())
}
