//! A city: ground and walls of huge triangles, and on them window frames, lamps and trees of tiny
//! ones. Metres, z up.

use std::sync::Arc;

use crate::random::Random;
use crate::scenes::mesh::{Mesh, MeshBuilder};

/// From one street to the next.
const BLOCK: f64 = 60.0;

/// About so many triangles, on as many blocks as it takes.
pub(crate) fn city(triangles: usize) -> Arc<Mesh> {
    let mut random = Random(0xc17f);
    let mut mesh = MeshBuilder::default();
    // A block has about this many; a few blocks at least.
    let blocks = ((triangles as f64 / 8_000.0).sqrt().round() as usize).max(1);
    let half = blocks as f64 * BLOCK / 2.0;
    mesh.quad([
        [-5_000.0, -5_000.0, 0.0],
        [5_000.0, -5_000.0, 0.0],
        [5_000.0, 5_000.0, 0.0],
        [-5_000.0, 5_000.0, 0.0],
    ]);
    for block in 0..blocks * blocks {
        let corner =
            [(block % blocks) as f64 * BLOCK - half, (block / blocks) as f64 * BLOCK - half];
        let end = triangles * (block + 1) / (blocks * blocks);
        fill_block(&mut mesh, &mut random, corner, end);
    }
    mesh.finish()
}

/// Houses and what is around them, until the mesh has `end` triangles.
fn fill_block(mesh: &mut MeshBuilder, random: &mut Random, [x, y]: [f64; 2], end: usize) {
    for house in 0..4 {
        let [west, south] =
            [x + 4.0 + f64::from(house % 2) * 26.0, y + 4.0 + f64::from(house / 2) * 26.0];
        let height = random.between(8.0, 30.0) * random.between(1.0, 3.0);
        let size = random.between(16.0, 24.0);
        mesh.cuboid([west, south, 0.0], [west + size, south + size, height]);
        let storeys = (height / 3.5) as usize;
        for storey in 0..storeys {
            for window in 0..5 {
                let left = west + size * (0.08 + 0.18 * f64::from(window));
                let sill = storey as f64 * 3.5 + 1.0;
                if mesh.triangle_count() + 2_000 < end {
                    frame(mesh, [left, south - 0.06, sill]);
                    frame(mesh, [left, south + size, sill]);
                }
            }
        }
        // What stands on the roof.
        mesh.tube(
            [[west + 2.0, south + 2.0, height], [west + 2.0, south + 2.0, height + 4.0]],
            [0.03; 2],
            1,
            8,
        );
    }
    // Lamps and trees along the street take up the rest.
    while mesh.triangle_count() < end {
        let along = random.between(0.0, BLOCK);
        let [east, north] =
            if random.below(2) == 0 { [x + along, y + 1.5] } else { [x + 1.5, y + along] };
        if random.below(4) == 0 {
            mesh.tube([[east, north, 0.0], [east, north, 5.0]], [0.06, 0.04], 2, 8);
            mesh.sphere([east, north, 5.0], 0.2, 5);
        } else {
            mesh.tube([[east, north, 0.0], [east, north, 2.5]], [0.15, 0.1], 4, 8);
            for _ in 0..90 {
                let leaf = random.direction();
                let center = [east + 1.2 * leaf[0], north + 1.2 * leaf[1], 3.3 + 1.2 * leaf[2]];
                let mut corner = || crate::vector::plus(center, random.point(0.12));
                mesh.triangle([corner(), corner(), corner()]);
            }
        }
    }
}

/// Four thin bars around a window, and its cross.
fn frame(mesh: &mut MeshBuilder, [x, y, z]: [f64; 3]) {
    let (width, height, thick) = (1.4, 1.6, 0.06);
    for [x0, z0, x1, z1] in [
        [0.0, 0.0, width, thick],
        [0.0, height - thick, width, height],
        [0.0, thick, thick, height - thick],
        [width - thick, thick, width, height - thick],
        [width / 2.0 - 0.02, thick, width / 2.0 + 0.02, height - thick],
    ] {
        mesh.cuboid([x + x0, y, z + z0], [x + x1, y + thick, z + z1]);
    }
}
