//! A CAD assembly: a gantry of extruded profiles on a drilled bed, with screws, shafts, bearings,
//! gears and sheets. Large faces beside slivers: walls are as long as the bodies. Metres, z up.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::solids::{
    Outline, Part, Placement, block, circle, plate, prism, rectangle, revolved, rounded, screw,
};
use crate::scenes::mesh::{Mesh, MeshBuilder};
use crate::vector::plus;

/// Half of the bed's length and width, and the height of the gantry.
const REACH: [f64; 2] = [0.6, 0.4];
const HEIGHT: f64 = 0.7;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

pub(crate) fn assembly() -> Arc<Mesh> {
    let mut mesh = MeshBuilder::default();
    drilled(&mut mesh, Placement::at([0.0; 3]), REACH, [14, 9], 0.025, 0.004);
    let [right, back] = REACH.map(|reach| reach - 0.04);
    for x in [-right, right] {
        for y in [-back, back] {
            profile(&mut mesh, [x, y, 0.025], Z, HEIGHT);
            mount(&mut mesh, [x, y, 0.025]);
        }
        profile(&mut mesh, [x, -back + 0.03, HEIGHT], Y, 2.0 * back - 0.06);
        profile(&mut mesh, [x, -back + 0.03, 0.3], Y, 2.0 * back - 0.06);
    }
    for y in [-back, back] {
        profile(&mut mesh, [-right + 0.03, y, HEIGHT], X, 2.0 * right - 0.06);
    }
    // The bridge: two shafts in bearings, a spindle between them, and the carriage on them.
    for z in [0.45, 0.55] {
        let shaft = Placement::along([-right, 0.0, z], X);
        let section = [[0.01, 0.0], [0.01, 2.0 * right]];
        revolved(&mut mesh, shaft, &section, 64);
        for x in [-right + 0.03, -0.09, 0.05, right - 0.045] {
            bearing(&mut mesh, Placement::along([x, 0.0, z], X), 0.01);
        }
    }
    spindle(&mut mesh, Placement::along([-right, 0.0, 0.5], X), 2.0 * right);
    for x in [-right, right] {
        block(&mut mesh, Placement::at([x, 0.0, 0.5]), [-0.012, -0.06, -0.16], [0.012, 0.06, 0.22]);
    }
    drilled(
        &mut mesh,
        Placement::along([0.0, -0.035, 0.5], [0.0, -1.0, 0.0]),
        [0.11, 0.09],
        [6, 5],
        0.012,
        0.003,
    );
    // The drive: motors with fins, and trains of gears.
    for (x, y) in [(right + 0.05, 0.0), (-0.2, back + 0.03), (0.2, back + 0.03)] {
        motor(&mut mesh, Placement::at([x, y, if y == 0.0 { 0.46 } else { HEIGHT + 0.03 }]));
    }
    for (place, teeth) in [60, 24, 48, 18, 72].into_iter().enumerate() {
        let x = -0.36 + 0.16 * place as f64;
        let gear_at = Placement::along([x, -back - 0.04, HEIGHT], Y);
        gear(&mut mesh, gear_at, teeth);
        bearing(&mut mesh, Placement::along([x, -back - 0.06, HEIGHT], Y), 0.006);
    }
    // Sheets behind and at one side, the one with a window.
    let window =
        Part { outline: rounded([0.5, 0.32], 0.01, 4), hole: rounded([0.42, 0.2], 0.05, 10) };
    let behind = Placement::along([0.0, back + 0.025, 0.37], Y);
    plate(&mut mesh, behind, [0.0, 0.002], &[window]);
    let beside = Placement::along([-right - 0.027, 0.0, 0.37], X);
    prism(&mut mesh, beside, [0.0, 0.002], rounded([0.34, 0.32], 0.01, 4));
    mesh.finish()
}

/// A plate around zero with holes in rows and columns, and screws in those at the border.
fn drilled(
    mesh: &mut MeshBuilder,
    place: Placement,
    [x, y]: [f64; 2],
    [columns, rows]: [usize; 2],
    thick: f64,
    radius: f64,
) {
    let corner = |column: usize, row: usize| {
        [
            x * (2.0 * column as f64 / columns as f64 - 1.0),
            y * (2.0 * row as f64 / rows as f64 - 1.0),
        ]
    };
    let mut parts = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (least, greatest) = (corner(column, row), corner(column + 1, row + 1));
            let center = [0, 1].map(|axis| (least[axis] + greatest[axis]) / 2.0);
            let hole = circle(center, radius, 20);
            parts.push(Part { outline: rectangle(least, greatest), hole });
            let inside = (1..rows - 1).contains(&row) && (1..columns - 1).contains(&column);
            if !inside {
                let head = place.point([center[0], center[1], thick]);
                screw(mesh, Placement::along(head, place.axes[2]), 0.95 * radius, thick);
            }
        }
    }
    plate(mesh, place, [0.0, thick], &parts);
}

/// An extruded bar with a groove along each side and a bore.
fn profile(mesh: &mut MeshBuilder, start: [f64; 3], along: [f64; 3], length: f64) {
    // A quarter of the outline; the grooves open outwards.
    let quarter = [
        [0.03, -0.01],
        [0.022, -0.006],
        [0.022, 0.006],
        [0.03, 0.01],
        [0.03, 0.028],
        [0.028, 0.03],
    ];
    let outline =
        (0..4).flat_map(|turns| quarter.map(|corner| (0..turns).fold(corner, |[x, y], _| [-y, x])));
    let part = Part { outline: outline.collect(), hole: circle([0.0; 2], 0.007, 24) };
    plate(mesh, Placement::along(start, along), [0.0, length], &[part]);
}

/// A square foot around a post, and its four screws.
fn mount(mesh: &mut MeshBuilder, origin: [f64; 3]) {
    let place = Placement::at(origin);
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
        let side = Placement::along(plus(origin, [0.038 * x, 0.0, 0.02]), [x, 0.0, 0.0]);
        screw(mesh, side, 0.003, 0.012);
        screw(mesh, Placement::at(place.point([0.036 * x, 0.036 * y, 0.04])), 0.003, 0.012);
    }
    let hole = rectangle([-0.0301, -0.0301], [0.0301, 0.0301]);
    plate(mesh, place, [0.0, 0.04], &[Part { outline: rounded([0.042; 2], 0.006, 4), hole }]);
}

/// A needle bearing around a shaft.
fn bearing(mesh: &mut MeshBuilder, place: Placement, bore: f64) {
    let wide = 1.6 * bore;
    for [inner, outer] in [[1.001 * bore, 1.3 * bore], [1.75 * bore, 2.1 * bore]] {
        let race = [[inner, 0.0], [outer, 0.0], [outer, wide], [inner, wide], [inner, 0.0]];
        revolved(mesh, place, &race, 72);
    }
    for needle in circle([0.0; 2], 1.525 * bore, 18) {
        let center = place.point([needle[0], needle[1], 0.05 * wide]);
        let body = [
            [0.2 * bore, 0.0],
            [0.22 * bore, 0.05 * wide],
            [0.22 * bore, 0.85 * wide],
            [0.2 * bore, 0.9 * wide],
        ];
        revolved(mesh, Placement { origin: center, ..place }, &body, 16);
    }
}

/// A spindle with a thread, here rings of two cones.
fn spindle(mesh: &mut MeshBuilder, place: Placement, length: f64) {
    const THREADS: usize = 180;
    let mut section = vec![[0.006, 0.0]];
    for thread in 0..THREADS {
        let low = length * (0.02 + 0.96 * thread as f64 / THREADS as f64);
        section.extend([[0.006, low], [0.0085, low + 0.48 * length / THREADS as f64]]);
    }
    section.extend([[0.006, 0.98 * length], [0.006, length]]);
    revolved(mesh, place, &section, 24);
}

/// A motor with fins around it and a shaft on top.
fn motor(mesh: &mut MeshBuilder, place: Placement) {
    let body = |half: f64| rounded([half; 2], 0.2 * half, 6);
    prism(mesh, place, [0.0, 0.1], body(0.028));
    for fin in 0..16 {
        let low = 0.008 + 0.0055 * f64::from(fin);
        let [outline, hole] = [0.034, 0.0281].map(body);
        plate(mesh, place, [low, low + 0.002], &[Part { outline, hole }]);
    }
    let shaft = [[0.015, 0.1], [0.015, 0.104], [0.004, 0.104], [0.004, 0.13]];
    revolved(mesh, place, &shaft, 40);
}

/// A gear with straight teeth and a bore, and its hub.
fn gear(mesh: &mut MeshBuilder, place: Placement, teeth: usize) {
    let radius = 0.0011 * teeth as f64;
    let corners =
        [(0.0, -0.0012), (0.2, -0.0012), (0.35, 0.0), (0.45, 0.001), (0.75, 0.001), (0.85, 0.0)];
    let outline: Outline = (0..teeth)
        .flat_map(|tooth| {
            corners.map(|(part, above)| {
                let angle = (tooth as f64 + part) / teeth as f64 * TAU;
                [(radius + above) * angle.cos(), (radius + above) * angle.sin()]
            })
        })
        .collect();
    let [bore, hub] = [0.005, 0.009].map(|radius| circle([0.0; 2], radius, 36));
    plate(mesh, place, [0.0, 0.012], &[Part { outline, hole: bore.clone() }]);
    plate(mesh, place, [0.012, 0.02], &[Part { outline: hub, hole: bore }]);
}
