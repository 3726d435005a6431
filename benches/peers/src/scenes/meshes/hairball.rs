//! Long thin triangles: ribbons that grow out of the middle and curl, 100 units long, 0.1 wide.

use std::sync::Arc;

use crate::random::Random;
use crate::scenes::mesh::{Mesh, MeshBuilder};
use crate::vector::{cross, plus, times, unit};

/// How many pieces a ribbon has, of two triangles each.
const PIECES: usize = 10;

pub(crate) fn hairball(triangles: usize) -> Arc<Mesh> {
    let mut random = Random(0x4a12);
    let mut mesh = MeshBuilder::default();
    for _ in 0..triangles / (2 * PIECES) {
        let mut direction = random.direction();
        let mut place = times(direction, random.between(5.0, 30.0));
        let mut last = None;
        for _ in 0..=PIECES {
            let side = times(unit(cross(direction, random.direction())), 0.05);
            let pair =
                [mesh.vertex(plus(place, side)), mesh.vertex(plus(place, times(side, -1.0)))];
            if let Some([a, b]) = last.replace(pair) {
                mesh.face([a, b, pair[1]]);
                mesh.face([a, pair[1], pair[0]]);
            }
            direction = unit(plus(direction, random.point(0.35)));
            place = plus(place, times(direction, 10.0));
        }
    }
    mesh.finish()
}
