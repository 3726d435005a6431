//! Bodies as CAD programs tessellate them: closed, the faces' corners counterclockwise from outside,
//! and no more vertices than the outlines have. Flat faces are fans and walls reach from end to end,
//! so that most triangles are long and thin.

use std::collections::HashSet;
use std::f64::consts::TAU;

use crate::scenes::mesh::MeshBuilder;
use crate::vector::{cross, plus, times, unit};

/// Where a body stands: its origin, and its axes in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub(super) origin: [f64; 3],
    pub(super) axes: [[f64; 3]; 3],
}

impl Placement {
    /// With the world's axes.
    pub(super) fn at(origin: [f64; 3]) -> Self {
        Self { origin, axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }
    }

    /// The third axis points along `axis`. The first is level if `axis` is not vertical.
    pub(super) fn along(origin: [f64; 3], axis: [f64; 3]) -> Self {
        let along = unit(axis);
        let helper = if along[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let across = unit(cross(helper, along));
        Self { origin, axes: [across, cross(along, across), along] }
    }

    /// Turned about the vertical.
    pub(super) fn turned(origin: [f64; 3], angle: f64) -> Self {
        let (sine, cosine) = angle.sin_cos();
        Self { origin, axes: [[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]] }
    }

    /// A point of the body in the world.
    pub(super) fn point(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.axes;
        plus(self.origin, plus(times(a, x), plus(times(b, y), times(c, z))))
    }
}

/// Counterclockwise corners in a plane.
pub(super) type Outline = Vec<[f64; 2]>;

pub(super) fn rectangle([x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) -> Outline {
    vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

pub(super) fn circle(center: [f64; 2], radius: f64, sides: usize) -> Outline {
    arc(center, radius, [0.0, TAU], sides).take(sides).collect()
}

/// The ends and `steps` − 1 points between them, from one angle to another.
pub(super) fn arc(
    [x, y]: [f64; 2],
    radius: f64,
    [from, to]: [f64; 2],
    steps: usize,
) -> impl Iterator<Item = [f64; 2]> {
    (0..=steps).map(move |step| {
        let angle = from + (to - from) * step as f64 / steps as f64;
        [x + radius * angle.cos(), y + radius * angle.sin()]
    })
}

/// A rectangle around zero with round corners.
pub(super) fn rounded([x, y]: [f64; 2], radius: f64, steps: usize) -> Outline {
    let quarter = TAU / 4.0;
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let round = |(place, [right, up]): (usize, [f64; 2])| {
        let start = place as f64 * quarter;
        let center = [right * (x - radius), up * (y - radius)];
        arc(center, radius, [start, start + quarter], steps)
    };
    corners.into_iter().enumerate().flat_map(round).collect()
}

/// A section of radii and heights goes around the third axis: upwards on the outside. If it does not
/// end where it started, flat lids close it.
pub(super) fn revolved(
    mesh: &mut MeshBuilder,
    place: Placement,
    section: &[[f64; 2]],
    sides: usize,
) {
    let rings: Vec<Vec<u32>> = section
        .iter()
        .map(|&[radius, height]| {
            let on_ring = circle([0.0; 2], radius, sides).into_iter();
            on_ring.map(|[x, y]| mesh.vertex(place.point([x, y, height]))).collect()
        })
        .collect();
    for pair in rings.windows(2) {
        for side in 0..sides {
            let next = (side + 1) % sides;
            mesh.face([pair[0][side], pair[0][next], pair[1][next]]);
            mesh.face([pair[0][side], pair[1][next], pair[1][side]]);
        }
    }
    if let [bottom, .., top] = rings.as_slice()
        && section.first() != section.last()
    {
        for side in 1..sides - 1 {
            mesh.face([bottom[0], bottom[side + 1], bottom[side]]);
            mesh.face([top[0], top[side], top[side + 1]]);
        }
    }
}

/// A part of a plate: a convex outline, or one that all points of its hole see; the hole may have no
/// corners.
pub(super) struct Part {
    pub(super) outline: Outline,
    pub(super) hole: Outline,
}

/// Parts side by side, from one height to another. Walls stand at the holes and where no other part
/// begins.
pub(super) fn plate(mesh: &mut MeshBuilder, place: Placement, heights: [f64; 2], parts: &[Part]) {
    // Corners that differ by rounding alone are one.
    let key = |corner: [f64; 2]| corner.map(|x| (x * 1e6).round() as i64);
    let sides = |outline: &Outline| {
        let next = outline.iter().copied().cycle().skip(1);
        outline.iter().copied().zip(next).collect::<Vec<_>>()
    };
    let all = parts.iter().flat_map(|part| sides(&part.outline));
    let all: HashSet<_> = all.map(|(from, to)| (key(from), key(to))).collect();
    for Part { outline, hole } in parts {
        let at = |[x, y]: [f64; 2], end: usize| place.point([x, y, heights[end]]);
        for [a, b, c] in faces(outline, hole) {
            mesh.triangle([at(a, 1), at(b, 1), at(c, 1)]);
            mesh.triangle([at(c, 0), at(b, 0), at(a, 0)]);
        }
        for (from, to) in sides(outline) {
            if !all.contains(&(key(to), key(from))) {
                mesh.quad([at(from, 0), at(to, 0), at(to, 1), at(from, 1)]);
            }
        }
        for (from, to) in sides(hole) {
            mesh.quad([at(to, 0), at(from, 0), at(from, 1), at(to, 1)]);
        }
    }
}

/// A plate of one part without a hole.
pub(super) fn prism(mesh: &mut MeshBuilder, place: Placement, heights: [f64; 2], outline: Outline) {
    plate(mesh, place, heights, &[Part { outline, hole: Vec::new() }]);
}

/// A box with faces along the axes.
pub(super) fn block(mesh: &mut MeshBuilder, place: Placement, min: [f64; 3], max: [f64; 3]) {
    let outline = rectangle([min[0], min[1]], [max[0], max[1]]);
    prism(mesh, place, [min[2], max[2]], outline);
}

/// What lies between an outline and its hole: around the hole, always on to the side whose middle
/// comes first. Without a hole a fan.
fn faces(outline: &Outline, hole: &Outline) -> Vec<[[f64; 2]; 3]> {
    if hole.is_empty() {
        return outline[1..].windows(2).map(|pair| [outline[0], pair[0], pair[1]]).collect();
    }
    let count = hole.len() as f64;
    let middle = [0, 1].map(|axis| hole.iter().map(|corner| corner[axis]).sum::<f64>() / count);
    let angle = |corner: [f64; 2]| (corner[1] - middle[1]).atan2(corner[0] - middle[0]);
    let start = angle(hole[0]);
    let turn = |corner: [f64; 2]| (angle(corner) - start + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
    let nearest =
        |&a: &usize, &b: &usize| turn(outline[a]).abs().total_cmp(&turn(outline[b]).abs());
    let first = (0..outline.len()).min_by(nearest).unwrap_or(0);
    // Once around, and the first corner again.
    let around = |loop_: &Outline, first: usize| {
        let mut last = f64::NEG_INFINITY;
        let mut corners = Vec::new();
        for place in 0..=loop_.len() {
            let corner = loop_[(first + place) % loop_.len()];
            let mut turn = turn(corner);
            while turn < last - 1e-9 {
                turn += TAU;
            }
            last = turn;
            corners.push((corner, turn));
        }
        corners
    };
    let (outside, inside) = (around(outline, first), around(hole, 0));
    let middle_of_side = |corners: &[([f64; 2], f64)], place: usize| {
        corners.get(place + 1).map_or(f64::INFINITY, |next| corners[place].1 + next.1)
    };
    let (mut out, mut inn) = (0, 0);
    let mut faces = Vec::new();
    while out + 1 < outside.len() || inn + 1 < inside.len() {
        if middle_of_side(&outside, out) < middle_of_side(&inside, inn) {
            faces.push([outside[out].0, outside[out + 1].0, inside[inn].0]);
            out += 1;
        } else {
            faces.push([outside[out].0, inside[inn + 1].0, inside[inn].0]);
            inn += 1;
        }
    }
    faces
}

/// A socket head screw, its thread left out as in most models; the head lies on the plane through
/// the origin.
pub(super) fn screw(mesh: &mut MeshBuilder, place: Placement, radius: f64, length: f64) {
    let section = [
        [0.8, -length],
        [1.0, -length + 0.2 * radius],
        [1.0, 0.0],
        [1.7, 0.0],
        [1.7, 1.8 * radius],
        [1.5, 2.0 * radius],
        [0.9, 2.0 * radius],
        [0.9, 1.0 * radius],
    ];
    revolved(mesh, place, &section.map(|[part, height]| [part * radius, height]), 24);
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Part, Placement, circle, plate, rectangle, revolved, rounded, screw};
    use crate::scenes::mesh::{Mesh, MeshBuilder};
    use crate::vector::{cross, dot};

    /// Each side of a triangle is a side of another one that goes the other way.
    fn assert_closed(mesh: &Mesh) {
        let mut sides = HashMap::new();
        let key = |vertex: u32| mesh.vertices()[vertex as usize].map(|x| (x * 1e5).round() as i64);
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *sides.entry((key(from), key(to))).or_insert(0) += 1;
                *sides.entry((key(to), key(from))).or_insert(0) -= 1;
            }
        }
        assert!(sides.values().all(|&count| count == 0));
    }

    fn volume(mesh: &Mesh) -> f64 {
        let corners = (0..mesh.triangles.len()).map(|triangle| mesh.corners(triangle));
        corners.map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum()
    }

    #[test]
    fn plates_with_holes_are_closed_and_as_large_as_they_should_be() {
        let mut mesh = MeshBuilder::default();
        let hole = circle([0.5, 0.5], 0.4, 24);
        let drilled = Part { outline: rectangle([0.0, 0.0], [1.0, 1.0]), hole };
        let beside = Part { outline: rectangle([1.0, 0.0], [3.0, 1.0]), hole: Vec::new() };
        let place = Placement::along([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]);
        plate(&mut mesh, place, [0.0, 2.0], &[drilled, beside]);
        let mesh = mesh.finish();
        assert_closed(&mesh);
        let area_of_hole = 12.0 * 0.16 * (std::f64::consts::TAU / 24.0).sin();
        assert!((volume(&mesh) - 2.0 * (3.0 - area_of_hole)).abs() < 1e-5);
    }

    #[test]
    fn a_round_outline_around_a_round_hole_is_closed() {
        let mut mesh = MeshBuilder::default();
        let part = Part { outline: rounded([2.0, 1.0], 0.5, 6), hole: circle([1.1, 0.1], 0.7, 9) };
        plate(&mut mesh, Placement::at([0.0; 3]), [0.0, 1.0], &[part]);
        assert_closed(&mesh.finish());
    }

    #[test]
    fn what_is_revolved_is_closed_and_faces_outwards() {
        for section in [
            vec![[1.0, 0.0], [1.0, 2.0]],
            vec![[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 0.0]],
        ] {
            let mut mesh = MeshBuilder::default();
            revolved(&mut mesh, Placement::along([0.0; 3], [0.0, 1.0, 0.0]), &section, 12);
            let mesh = mesh.finish();
            assert_closed(&mesh);
            assert!(volume(&mesh) > 1.0);
        }
        let mut mesh = MeshBuilder::default();
        screw(&mut mesh, Placement::at([0.0; 3]), 1.0, 5.0);
        let mesh = mesh.finish();
        assert_closed(&mesh);
        assert!(volume(&mesh) > 15.0);
    }
}
