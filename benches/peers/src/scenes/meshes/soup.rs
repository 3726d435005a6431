//! Triangles anywhere, in a cube of 100 units each way around zero.

use std::sync::Arc;

use crate::random::Random;
use crate::scenes::mesh::{Mesh, MeshBuilder};
use crate::vector::plus;

pub(crate) fn soup(triangles: usize) -> Arc<Mesh> {
    let mut random = Random(0x50f7);
    let mut mesh = MeshBuilder::default();
    // The larger, the fewer: a ray through the middle meets a handful.
    let size = 170.0 / (triangles as f64).sqrt();
    for _ in 0..triangles {
        let center = random.point(100.0);
        let mut corner = || plus(center, random.point(3.0 * size));
        mesh.triangle([corner(), corner(), corner()]);
    }
    mesh.finish()
}
