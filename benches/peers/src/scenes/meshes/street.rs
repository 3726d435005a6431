//! A street of instances, all in one mesh: terraced houses with windows and tiles on both sides of a
//! road, cars, trees and lamps, each of a few models again and again. Metres, z up, along x.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use super::solids::{Outline, Part, Placement, arc, block, plate, prism, rectangle, revolved};
use crate::random::Random;
use crate::scenes::mesh::{Mesh, MeshBuilder};
use crate::vector::{plus, times, unit};

/// Houses on each side, and how wide each is.
const HOUSES: usize = 12;
const WIDE: f64 = 8.0;
/// From the middle of the road to the kerb, and to the houses.
const KERB: f64 = 4.5;
const FACADE: f64 = 8.0;

pub(crate) fn street() -> Arc<Mesh> {
    let mut random = Random(0x57ee);
    let mut mesh = MeshBuilder::default();
    let reach = HOUSES as f64 * WIDE / 2.0;
    // The road is a little higher in the middle.
    mesh.sheet(24, 192, |v, u| {
        let y = (2.0 * v - 1.0) * KERB;
        [(2.4 * u - 1.2) * reach, y, -0.15 + 0.1 * (0.5 * PI * y / KERB).cos()]
    });
    let houses: Vec<_> = (2..5).map(house).collect();
    let cars = [[4.3, 1.75, 1.45], [4.8, 1.85, 1.7]].map(car);
    let trees: Vec<_> = (0..3).map(|_| tree(&mut random)).collect();
    let lamp = lamp();
    for (side, facing) in [(-1.0, PI), (1.0, 0.0)] {
        let turned = |x: f64, y: f64, z: f64| Placement::turned([x, side * y, z], facing);
        let pavement = [[-1.2 * reach, KERB, -0.4], [1.2 * reach, FACADE, 0.0]];
        block(&mut mesh, turned(0.0, 0.0, 0.0), pavement[0], pavement[1]);
        for place in 0..HOUSES {
            let x = (place as f64 + 0.5) * WIDE - reach;
            let model = &houses[random.below(houses.len())];
            copy(&mut mesh, model, turned(x, FACADE, 0.0), 1.0);
            if place % 2 == 0 {
                copy(&mut mesh, &lamp, turned(x, KERB + 0.5, 0.0), 1.0);
            }
            let tree_at = Placement::turned(
                [x + 0.5 * WIDE, side * (KERB + 1.0), 0.0],
                random.between(0.0, TAU),
            );
            copy(&mut mesh, &trees[random.below(trees.len())], tree_at, random.between(0.8, 1.3));
            // Some stand crooked, and some have gone.
            if random.below(5) > 0 {
                let angle = facing + random.between(-0.05, 0.05);
                let car_at = Placement::turned([x, side * (KERB - 1.1), -0.13], angle);
                copy(&mut mesh, &cars[random.below(cars.len())], car_at, 1.0);
            }
        }
    }
    mesh.finish()
}

fn copy(mesh: &mut MeshBuilder, model: &Mesh, place: Placement, size: f64) {
    mesh.copy(model, |point| place.point(times(point, size)));
}

/// A terraced house of so many storeys, its facade in the plane of x and z and its back 10 m behind.
fn house(storeys: usize) -> Arc<Mesh> {
    const DEEP: f64 = 10.0;
    const STOREY: f64 = 3.2;
    let mut mesh = MeshBuilder::default();
    let height = storeys as f64 * STOREY;
    // From outside, x and z of the wall are to the right and up.
    let front =
        Placement { origin: [0.0; 3], axes: [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]] };
    let back = Placement {
        origin: [0.0, DEEP, 0.0],
        axes: [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    };
    for (wall, has_door) in [(front, true), (back, false)] {
        let mut parts = Vec::new();
        for storey in 0..storeys {
            for column in 0..4 {
                let [left, low] = [WIDE * (0.25 * f64::from(column) - 0.5), storey as f64 * STOREY];
                let outline = rectangle([left, low], [left + 0.25 * WIDE, low + STOREY]);
                let is_door = has_door && storey == 0 && column == 1;
                let sill = low + if is_door { 0.1 } else { 0.9 };
                let (least, greatest) = ([left + 0.45, sill], [left + 1.55, low + 2.5]);
                parts.push(Part { outline, hole: rectangle(least, greatest) });
                window(&mut mesh, wall, least, greatest);
            }
        }
        plate(&mut mesh, wall, [-0.3, 0.0], &parts);
    }
    let half = WIDE / 2.0;
    let side_wall = |x: f64| [[x - 0.15, 0.3, 0.0], [x + 0.15, DEEP - 0.3, height]];
    for [min, max] in [side_wall(0.15 - half), side_wall(half - 0.15)] {
        block(&mut mesh, Placement::at([0.0; 3]), min, max);
    }
    roof(&mut mesh, height, DEEP);
    let chimney = [[1.2, 6.5, height + 1.0], [2.2, 7.3, height + 4.6]];
    block(&mut mesh, Placement::at([0.0; 3]), chimney[0], chimney[1]);
    mesh.finish()
}

/// A frame with a bar across, glass and a sill.
fn window(mesh: &mut MeshBuilder, wall: Placement, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) {
    let middle = (y0 + 2.0 * y1) / 3.0;
    for [left, low, right, high] in [
        [x0, y0, x0 + 0.06, y1],
        [x1 - 0.06, y0, x1, y1],
        [x0 + 0.06, y0, x1 - 0.06, y0 + 0.06],
        [x0 + 0.06, y1 - 0.06, x1 - 0.06, y1],
        [x0 + 0.06, middle - 0.02, x1 - 0.06, middle + 0.02],
    ] {
        block(mesh, wall, [left, low, -0.2], [right, high, -0.12]);
    }
    mesh.quad(
        [[x0, y0, -0.16], [x1, y0, -0.16], [x1, y1, -0.16], [x0, y1, -0.16]].map(|p| wall.point(p)),
    );
    block(mesh, wall, [x0 - 0.05, y0 - 0.05, -0.12], [x1 + 0.05, y0, 0.08]);
}

/// Two slopes of tiles in waves, and the gables below.
fn roof(mesh: &mut MeshBuilder, height: f64, deep: f64) {
    let half = WIDE / 2.0;
    let rise = 4.0;
    let ridge = [0.5 * deep, rise];
    let side = Placement {
        origin: [0.0, 0.0, height],
        axes: [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
    };
    prism(mesh, side, [0.02 - half, half - 0.02], vec![[0.3, 0.0], [deep - 0.3, 0.0], ridge]);
    for (eaves, turn) in [(-0.4, 1.0), (deep + 0.4, -1.0)] {
        mesh.sheet(24, 32, |v, u| {
            // Each row lies on the one below it.
            let row = (24.0 * v).round();
            let lift = 0.12 + 0.03 * (16.0 * TAU * u).cos() + 0.03 * (row % 2.0);
            let y = eaves + (ridge[0] - eaves) * v;
            [turn * WIDE * (u - 0.5), y, height - 0.35 + (rise + 0.35) * v + lift]
        });
    }
}

/// A car of that length, width and height: a body, a cabin and four wheels. It points along x.
fn car([length, width, height]: [f64; 3]) -> Arc<Mesh> {
    let mut mesh = MeshBuilder::default();
    let [long, wide] = [length / 2.0, width / 2.0];
    // Between an ellipsoid and a box, the narrower the higher.
    let mut bulge = |rings: usize, center: [f64; 3], half: [f64; 3], narrow: f64| {
        let soft = |x: f64| x.signum() * x.abs().powf(0.45);
        mesh.sheet(rings, 2 * rings, |v, u| {
            let (polar, azimuth) = ((1.0 - v) * PI, u * TAU);
            let up = soft(polar.cos());
            let around = soft(polar.sin()) * (1.0 - narrow * (up + 1.0));
            let part = [around * soft(azimuth.cos()), around * soft(azimuth.sin()), up];
            plus(center, [0, 1, 2].map(|axis| half[axis] * part[axis]))
        });
    };
    bulge(20, [0.0, 0.0, 0.55], [long, wide, 0.33], 0.03);
    bulge(
        16,
        [-0.05 * length, 0.0, 0.55 * (height + 0.5)],
        [0.3 * length, 0.92 * wide, 0.45 * (height - 0.5)],
        0.14,
    );
    let mut tyre: Outline = vec![[0.2, -0.09]];
    tyre.extend(arc([0.25, 0.0], 0.1, [-0.35 * PI, 0.35 * PI], 8));
    tyre.extend([[0.2, 0.09], [0.19, 0.04], [0.05, 0.07]]);
    for x in [-0.62 * long, 0.62 * long] {
        for side in [-1.0, 1.0] {
            let place = Placement::along([x, side * (wide - 0.07), 0.32], [0.0, side, 0.0]);
            revolved(&mut mesh, place, &tyre, 28);
        }
    }
    mesh.finish()
}

/// A trunk, boughs, and leaves in a crown around them.
fn tree(random: &mut Random) -> Arc<Mesh> {
    let mut mesh = MeshBuilder::default();
    mesh.tube([[0.0; 3], [0.0, 0.0, 2.4]], [0.16, 0.11], 6, 12);
    for _ in 0..14 {
        let out = random.around([0.0, 0.0, 1.0]);
        let start = [0.0, 0.0, random.between(1.8, 2.4)];
        let end = plus(start, times(out, random.between(1.0, 2.0)));
        mesh.tube([start, end], [0.06, 0.015], 3, 7);
        for _ in 0..65 {
            let center = plus(end, times(random.direction(), random.between(0.1, 0.9)));
            let leaf = Placement::along(center, random.direction());
            let [long, wide] = [0.14, 0.07];
            mesh.quad(
                [[-long, 0.0, 0.0], [0.0, -wide, 0.02], [long, 0.0, 0.0], [0.0, wide, 0.02]]
                    .map(|p| leaf.point(p)),
            );
        }
    }
    mesh.finish()
}

/// A post with a bent arm and a lantern, over the road.
fn lamp() -> Arc<Mesh> {
    let mut mesh = MeshBuilder::default();
    let foot = [[0.12, 0.0], [0.12, 0.5], [0.06, 0.6], [0.045, 4.6]];
    revolved(&mut mesh, Placement::at([0.0; 3]), &foot, 16);
    let bend: Vec<_> = arc([0.9, 4.5], 0.9, [PI, 0.5 * PI], 8).collect();
    for pair in bend.windows(2) {
        mesh.tube([pair[0], pair[1]].map(|[out, z]| [0.0, -out, z]), [0.035; 2], 1, 12);
    }
    let lantern = [[0.16, -0.1], [0.2, -0.02], [0.1, 0.05]];
    revolved(&mut mesh, Placement::along([0.0, -1.1, 5.38], unit([0.0, -0.2, 1.0])), &lantern, 24);
    mesh.finish()
}
