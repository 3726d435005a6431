//! A robot's part: a wrist with a gripper, as the model of a robot brings it for each of its links.
//! Housings that are turned and filleted, a flange with holes and screws, two fingers. Metres, z up.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::solids::{
    Outline, Part, Placement, arc, block, circle, plate, revolved, rounded, screw,
};
use crate::scenes::mesh::{Mesh, MeshBuilder};

/// From the side: the foot is wide, and the pad is the left edge above it.
const FINGER: [[f64; 2]; 6] =
    [[-0.014, 0.0], [0.014, 0.0], [0.014, 0.03], [0.008, 0.09], [-0.004, 0.09], [-0.014, 0.03]];

pub(crate) fn robot() -> Arc<Mesh> {
    let mut mesh = MeshBuilder::default();
    flange(&mut mesh, Placement::at([0.0; 3]), [0.034, 0.078], 0.012, 12);
    // The upright housing and, across it, that of the joint.
    revolved(&mut mesh, Placement::at([0.0, 0.0, 0.012]), &housing(0.052, 0.15), 84);
    let joint = Placement::along([-0.085, 0.0, 0.125], [1.0, 0.0, 0.0]);
    revolved(&mut mesh, joint, &housing(0.044, 0.17), 72);
    for (x, outwards) in [(-0.085, -1.0), (0.085, 1.0)] {
        for step in 0..6 {
            let angle = f64::from(step) / 6.0 * TAU;
            let place = [x, 0.03 * angle.cos(), 0.125 + 0.03 * angle.sin()];
            screw(&mut mesh, Placement::along(place, [outwards, 0.0, 0.0]), 0.002, 0.01);
        }
    }
    // A cable along the back.
    let cable = Placement::at([0.0, 0.054, 0.014]);
    revolved(&mut mesh, cable, &[[0.005, 0.0], [0.005, 0.15]], 24);
    // The gripper: its body, a rail, and the fingers on their carriages.
    let body = Placement::at([0.0, 0.0, 0.162]);
    let bored =
        Part { outline: rounded([0.06, 0.03], 0.012, 8), hole: circle([0.0; 2], 0.016, 40) };
    plate(&mut mesh, body, [0.0, 0.045], &[bored]);
    block(&mut mesh, body, [-0.075, -0.01, 0.045], [0.075, 0.01, 0.053]);
    for side in [-1.0, 1.0] {
        let x = 0.035 * side;
        block(&mut mesh, body, [x - 0.016, -0.018, 0.053], [x + 0.016, 0.018, 0.066]);
        finger(&mut mesh, [x, 0.0, 0.228], side);
        for y in [-0.015, 0.015] {
            screw(&mut mesh, Placement::at([x + 0.008 * side, y, 0.228]), 0.002, 0.01);
        }
    }
    mesh.finish()
}

/// A turned housing: a foot, a fillet, grooves of seals, and a lid with a round edge.
fn housing(radius: f64, height: f64) -> Outline {
    let quarter = TAU / 4.0;
    let (foot, fillet, edge) = (1.08 * radius, 0.08 * radius, 0.2 * radius);
    let mut section = vec![[foot, 0.0], [foot, 0.06 * height]];
    let corner = [foot, 0.06 * height + fillet];
    section.extend(arc(corner, fillet, [-quarter, -2.0 * quarter], 6).skip(1));
    for groove in 0..3 {
        let low = height * (0.3 + 0.15 * f64::from(groove));
        let deep = 0.96 * radius;
        section.extend([
            [radius, low],
            [deep, low],
            [deep, low + 0.02 * height],
            [radius, low + 0.02 * height],
        ]);
    }
    section.extend(arc([radius - edge, height - edge], edge, [0.0, quarter], 8));
    section.extend([[0.5 * radius, height], [0.48 * radius, height - 0.002]]);
    section
}

/// A ring with holes, a screw in every other.
fn flange(
    mesh: &mut MeshBuilder,
    place: Placement,
    [inner, outer]: [f64; 2],
    thick: f64,
    holes: usize,
) {
    let part = |hole: usize| {
        let [from, to] = [hole, hole + 1].map(|place| place as f64 / holes as f64 * TAU);
        let (middle, radius) = ((from + to) / 2.0, 0.35 * inner + 0.65 * outer);
        let mut outline: Outline = arc([0.0; 2], outer, [from, to], 6).collect();
        outline.extend(arc([0.0; 2], inner, [to, from], 6));
        let center = [radius * middle.cos(), radius * middle.sin()];
        (center, Part { outline, hole: circle(center, 0.0035, 20) })
    };
    let (centers, parts): (Vec<_>, Vec<_>) = (0..holes).map(part).unzip();
    plate(mesh, place, [0.0, thick], &parts);
    for [x, y] in centers.into_iter().step_by(2) {
        let head = place.point([x, y, thick]);
        screw(mesh, Placement::along(head, place.axes[2]), 0.003, thick);
    }
}

/// A finger with a ribbed pad, which looks to the other one.
fn finger(mesh: &mut MeshBuilder, [x, y, z]: [f64; 3], side: f64) {
    // In the plane of x and z, the pad towards the middle.
    let outwards = if side > 0.0 { [0.0, -1.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let place =
        Placement { origin: [x, y, z], axes: [[side, 0.0, 0.0], [0.0, 0.0, 1.0], outwards] };
    let lightening = circle([0.0, 0.022], 0.007, 28);
    plate(mesh, place, [-0.012, 0.012], &[Part { outline: FINGER.to_vec(), hole: lightening }]);
    for rib in 0..10 {
        let low = 0.036 + 0.005 * f64::from(rib);
        let inner = -0.014 + 0.01 * (low - 0.03) / 0.06;
        block(mesh, place, [inner - 0.002, low, -0.01], [inner + 0.002, low + 0.003, 0.01]);
    }
}
