//! Generalised winding numbers: of surfaces that need not be closed.
//!
//! The solid angle of all triangles around a point, as part of the whole sphere: Jacobson, Kavan and Sorkine-Hornung, "Robust
//! Inside-Outside Segmentation using Generalized Winding Numbers", SIGGRAPH 2013. The triangles of a node that is far away
//! count as a dipole with the first term of its expansion: Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers
//! for Soups and Clouds", SIGGRAPH 2018.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::precision::BlockOf;
use super::{Lack, Precision, Scene};
use crate::error::{Error, Result};
use crate::leaf::TriangleLeaf;
use crate::math::{add, cross, dot, sub};
use crate::simd::MapEach;
use crate::status::Status;
use crate::traverse::Target;
use crate::tree::arena::{NodeKind, Reference};
use crate::value::{Affine, Ray};

type Vector = [f64; 3];

/// Triangles as they are seen from far away.
#[derive(Debug, Clone, Copy)]
struct Dipole {
    /// The middle of the area.
    center: Vector,
    area: f64,
    /// No corner is farther from the center.
    radius: f64,
    /// The sum of areas times unit normals.
    normal: Vector,
    /// The sum of (middle of a triangle − center) ⊗ normal, by rows.
    moment: [Vector; 3],
}

/// The dipoles of a scene's own visible triangles.
#[derive(Debug, Clone)]
pub(super) struct Dipoles {
    whole: Dipole,
    /// By node, then slot.
    slots: Vec<[Dipole; 8]>,
}

impl Dipole {
    const NOTHING: Self =
        Self { center: [0.0; 3], area: 0.0, radius: 0.0, normal: [0.0; 3], moment: [[0.0; 3]; 3] };

    fn of_block<T: Precision>(scene: &Scene<T>, block: &BlockOf<T>) -> Self {
        let parts = visible_triangles(scene, block).map(|corners| {
            let [a, b, c] = corners;
            let normal = cross(sub(b, a), sub(c, a)).map(|x| 0.5 * x);
            let center = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            let radius = corners.iter().fold(0.0, |most: f64, corner| most.max(distance(*corner, center)));
            Self { center, area: dot(normal, normal).sqrt(), radius, normal, moment: [[0.0; 3]; 3] }
        });
        Self::joined(&parts.collect::<Vec<_>>())
    }

    fn joined(parts: &[Self]) -> Self {
        let mut whole = Self { area: parts.iter().map(|part| part.area).sum(), ..Self::NOTHING };
        // What has no area is seen by nobody, and would only widen the rest.
        let parts = || parts.iter().filter(|part| part.area > 0.0);
        for part in parts() {
            whole.center = add(whole.center, part.center.map_each(|x| part.area / whole.area * x));
            whole.normal = add(whole.normal, part.normal);
        }
        for part in parts() {
            let off = sub(part.center, whole.center);
            whole.radius = whole.radius.max(dot(off, off).sqrt() + part.radius);
            for (row, (off, own)) in whole.moment.iter_mut().zip(off.into_iter().zip(part.moment)) {
                *row = add(*row, add(own, part.normal.map_each(|x| off * x)));
            }
        }
        whole
    }

    /// Where `placed` carries it. Distances grow by at most `stretch`.
    fn carried(&self, placed: &Affine, stretch: f64) -> Self {
        let columns = [0, 1, 2].map_each(|column| self.moment.map_each(|row| row[column]));
        let columns = columns.map_each(|column| placed.vector(column));
        let moment = [0, 1, 2].map_each(|row| placed.normal(columns.map_each(|column| column[row])));
        let (center, normal) = (placed.carry(self.center), placed.normal(self.normal));
        Self { center, area: self.area, radius: stretch * self.radius, normal, moment }
    }

    /// 4π times the winding number around a point.
    fn angle(&self, point: Vector) -> f64 {
        let r = sub(self.center, point);
        let squared = dot(r, r);
        let cubed = squared * squared.sqrt();
        let trace = self.moment[0][0] + self.moment[1][1] + self.moment[2][2];
        let along = dot(r, self.moment.map_each(|row| dot(row, r)));
        (dot(self.normal, r) + trace - 3.0 * along / squared) / cubed
    }
}

fn distance(a: Vector, b: Vector) -> f64 {
    let off = sub(a, b);
    dot(off, off).sqrt()
}

fn visible_triangles<'a, T: Precision>(
    scene: &'a Scene<T>,
    block: &'a BlockOf<T>,
) -> impl Iterator<Item = [Vector; 3]> + 'a {
    let visible = scene.visible();
    let seen = block.triangles().filter(move |&(_, number)| visible.shows(number));
    seen.map(|(corners, _)| corners.map(|corner| corner.map(T::to_f64)))
}

impl Dipoles {
    fn new<T: Precision>(scene: &Scene<T>) -> Self {
        let arena = &scene.tree.bvh().arena;
        let mut slots = vec![[Dipole::NOTHING; 8]; arena.nodes().len()];
        // Nodes come before their children.
        for (index, node) in arena.nodes().iter().enumerate().rev() {
            for (slot, child) in node.children.map(Reference::from_bits).into_iter().enumerate() {
                slots[index][slot] = of(scene, &slots, child);
            }
        }
        Self { whole: of(scene, &slots, scene.tree.bvh().root), slots }
    }
}

fn of<T: Precision>(scene: &Scene<T>, slots: &[[Dipole; 8]], at: Reference) -> Dipole {
    let arena = &scene.tree.bvh().arena;
    match at.kind() {
        NodeKind::Inner => {
            // Empty slots come last.
            let count = arena.nodes()[at.node()].slots();
            Dipole::joined(&slots[at.node()][..count])
        }
        NodeKind::Leaf => Dipole::of_block(scene, arena.block(at)),
        NodeKind::End => Dipole::NOTHING,
    }
}

/// A sum of solid angles. Those of triangles are arguments of complex numbers: the numbers are multiplied, and whole turns
/// counted, so that one argument is computed in the end, by operations that are rounded alike everywhere.
struct Angles {
    product: [f64; 2],
    turns: f64,
    of_dipoles: f64,
}

impl Angles {
    /// Adds a triangle as seen from 0. Van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", IEEE Transactions on
    /// Biomedical Engineering, 1983.
    fn add_triangle(&mut self, [a, b, c]: [Vector; 3]) {
        let lengths = [a, b, c].map_each(|corner| dot(corner, corner).sqrt());
        let volume = dot(a, cross(b, c));
        let [la, lb, lc] = lengths;
        let around = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        let largest = volume.abs().max(around.abs());
        // From its own plane a triangle is seen edge-on; on it neither of two sides is right, and 0 is between them.
        if volume == 0.0 || !largest.is_finite() {
            return;
        }
        let [x, y] = [around / largest, volume / largest];
        let [re, im] = self.product;
        let [new_re, new_im] = [re * x - im * y, re * y + im * x];
        if im >= 0.0 && y >= 0.0 && new_im < 0.0 {
            self.turns += 1.0;
        } else if im < 0.0 && y < 0.0 && new_im >= 0.0 {
            self.turns -= 1.0;
        }
        let size = new_re.abs().max(new_im.abs());
        self.product = [new_re / size, new_im / size];
    }

    /// The winding number: half the solid angle of a triangle is the argument of its number.
    fn winding(&self) -> f64 {
        self.turns + argument(self.product) / TAU + self.of_dipoles / (2.0 * TAU)
    }
}

/// The argument of a complex number that is not 0, in (−π, π].
fn argument([re, im]: [f64; 2]) -> f64 {
    let (x, y) = (re.abs(), im.abs());
    let mut tangent = x.min(y) / x.max(y);
    // tan(α/2) = tan α / (1 + √(1 + tan² α)), three times: then the series of the arc tangent ends soon.
    for _ in 0..3 {
        tangent /= 1.0 + (1.0 + tangent * tangent).sqrt();
    }
    let (mut sum, mut power) = (0.0, tangent);
    for odd in (1..20).step_by(2) {
        let term = power / f64::from(odd);
        sum += if odd % 4 == 1 { term } else { -term };
        power *= tangent * tangent;
    }
    let angle = if y > x { FRAC_PI_2 - 8.0 * sum } else { 8.0 * sum };
    let angle = if re < 0.0 { PI - angle } else { angle };
    if im < 0.0 { -angle } else { angle }
}

/// The greatest stretch of a map, or a bound of it: by Gershgorin's circles of AᵀA, exact for rotations and scales.
fn greatest_stretch(placed: &Affine) -> f64 {
    let rows = placed.rows();
    let columns = [0, 1, 2].map_each(|column| rows.map_each(|row| row[column]));
    let sums = columns.map_each(|column| columns.iter().map(|other| dot(column, *other).abs()).sum::<f64>());
    sums.into_iter().fold(0.0, f64::max).sqrt()
}

impl<T: Precision> Scene<T> {
    /// The generalised winding number of all visible meshes, those of instances too, around a point. What is farther than
    /// `accuracy` times its radius counts as a dipole; without one all triangles are summed.
    pub(crate) fn generalised_winding(&self, point: [T; 3], accuracy: Option<f64>) -> f64 {
        let mut angles = Angles { product: [1.0, 0.0], turns: 0.0, of_dipoles: 0.0 };
        self.add_angles(point.map(T::to_f64), accuracy, None, &mut angles);
        angles.winding()
    }

    fn add_angles(&self, point: Vector, accuracy: Option<f64>, placed: Option<&Affine>, angles: &mut Angles) {
        let add_block = |block: &BlockOf<T>, angles: &mut Angles| {
            for corners in visible_triangles(self, block) {
                let corners = corners.map(|corner| placed.map_or(corner, |map| map.carry(corner)));
                angles.add_triangle(corners.map(|corner| sub(corner, point)));
            }
        };
        if let Some(accuracy) = accuracy {
            let dipoles = self.derived.dipoles.get_or_init(|| Dipoles::new(self));
            let stretch = placed.map_or(1.0, greatest_stretch);
            let mut waiting = vec![(self.tree.bvh().root, &dipoles.whole)];
            while let Some((at, dipole)) = waiting.pop() {
                let center = placed.map_or(dipole.center, |map| map.carry(dipole.center));
                let is_far = distance(center, point) > accuracy * stretch * dipole.radius;
                match at.kind() {
                    // Nothing is there that is seen.
                    _ if dipole.area == 0.0 => {}
                    NodeKind::End => {}
                    _ if is_far => {
                        let dipole = placed.map_or(*dipole, |map| dipole.carried(map, stretch));
                        angles.of_dipoles += dipole.angle(point);
                    }
                    NodeKind::Inner => {
                        let children = self.tree.bvh().arena.nodes()[at.node()].children;
                        let children = children.into_iter().map(Reference::from_bits);
                        waiting.extend(children.zip(&dipoles.slots[at.node()]));
                    }
                    NodeKind::Leaf => add_block(self.tree.bvh().arena.block(at), angles),
                }
            }
        } else {
            self.tree.bvh().blocks().iter().for_each(|block| add_block(block, angles));
        }
        for instance in self.instances.placed.iter().filter(|instance| instance.mask != 0) {
            let placed = placed.map_or(instance.transform, |map| map.after(&instance.transform));
            instance.scene.add_angles(point, accuracy, Some(&placed), angles);
        }
    }

    /// Refuses shapes that enclose no solids: they have no winding number.
    pub(crate) fn refuse_without_inside(&self) -> Result<()> {
        self.first_lacking(Lack::Inside).cloned().map_or(Ok(()), |(geometry_id, instance_path)| {
            Err(Error::NotClosed { geometry_id, instance_path })
        })
    }

    /// The defect of a point that rays cannot start from, here or in the frame of an instance.
    pub(crate) fn defect_of_point(&self, point: [T; 3]) -> Option<Status> {
        let ray = Ray::new(point, [T::ONE, T::ZERO, T::ZERO]);
        ray.find_defect().or_else(|| self.instances.frames.defect(&ray))
    }

    /// Whether the scene, or one placed in it, holds more than meshes and instances.
    pub(crate) fn holds_shapes(&self) -> bool {
        !self.shapes.is_empty || self.instances.placed.iter().any(|instance| instance.scene.holds_shapes())
    }

    /// Whether a hit is on a shape and not on a mesh.
    pub(crate) fn is_on_shape(&self, instance_id: u32, geometry_id: u32) -> bool {
        self.scene_of(instance_id).is_ok_and(|scene| scene.shapes.geometry(geometry_id).is_some())
    }
}
