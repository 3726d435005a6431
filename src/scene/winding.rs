//! Generalised winding numbers: of surfaces that need not be closed.
//!
//! Of surfaces with few open edges they are crossings and [strips](super::open_edges) of these edges. Of others they are the
//! solid angle of all triangles around a point, as part of the whole sphere: Jacobson, Kavan and Sorkine-Hornung, "Robust
//! Inside-Outside Segmentation using Generalized Winding Numbers", SIGGRAPH 2013. The triangles of a node that is far away
//! count as a dipole with the first term of its expansion: Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers
//! for Soups and Clouds", SIGGRAPH 2018.

use std::ops::ControlFlow;

use super::open_edges::{OpenEdges, Viewed};
use super::precision::BlockOf;
use super::solid_angles::{Angles, Dipole, Vector, distance, greatest_stretch};
use super::{Lack, Precision, Scene};
use crate::chunks::Chunk;
use crate::error::{Error, Result};
use crate::leaf::TriangleLeaf;
use crate::math::{cross, dot, sub};
use crate::status::Status;
use crate::traverse::Target;
use crate::tree::arena::{NodeKind, Reference};
use crate::value::{Affine, Ray};

/// How a scene's own visible triangles are summed.
#[derive(Debug, Clone)]
pub(super) enum Summed<T> {
    /// With crossings.
    Edges(OpenEdges<T>),
    Triangles(Dipoles),
}

/// The most open edges, as a multiple of the triangles, at which they are summed: a soup of triangles has three times as many.
const MOST_OPEN: f64 = 1.5;

/// The dipoles of a scene's own visible triangles.
#[derive(Debug, Clone)]
pub(super) struct Dipoles {
    whole: Dipole,
    /// By node, then slot.
    slots: Vec<[Dipole; 8]>,
}

fn of_block<T: Precision>(scene: &Scene<T>, block: &BlockOf<T>) -> Dipole {
    let parts = visible_triangles(scene, block).map(|corners| {
        let [a, b, c] = corners;
        let normal = cross(sub(b, a), sub(c, a)).map(|x| 0.5 * x);
        let center = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
        let radius = corners.iter().fold(0.0, |most: f64, corner| most.max(distance(*corner, center)));
        Dipole { center, area: dot(normal, normal).sqrt(), radius, normal, ..Dipole::NOTHING }
    });
    Dipole::joined(&parts.collect::<Vec<_>>())
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
    fn new<T: Precision>(scene: &Scene<T>, chunk: &Chunk<'_>) -> ControlFlow<(), Self> {
        let arena = &scene.tree.bvh().arena;
        let mut slots = vec![[Dipole::NOTHING; 8]; arena.nodes().len()];
        // Nodes come before their children.
        for (index, node) in arena.nodes().iter().enumerate().rev() {
            for (slot, child) in node.children.map(Reference::from_bits).into_iter().enumerate() {
                chunk.work(16)?;
                slots[index][slot] = of(scene, &slots, child);
            }
        }
        ControlFlow::Continue(Self { whole: of(scene, &slots, scene.tree.bvh().root), slots })
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
        NodeKind::Leaf => of_block(scene, arena.block(at)),
        NodeKind::End => Dipole::NOTHING,
    }
}

impl<T: Precision> Scene<T> {
    /// How the scene's own visible triangles are summed where the accuracy is finite, unless the call is to stop.
    fn summed(&self, chunk: &Chunk<'_>) -> ControlFlow<(), &Summed<T>> {
        if let Some(known) = self.derived.summed.get() {
            return ControlFlow::Continue(known);
        }
        let edges = OpenEdges::new(self, chunk)?;
        let summed = if edges.count() as f64 <= MOST_OPEN * self.triangles as f64 {
            Summed::Edges(edges)
        } else {
            Summed::Triangles(Dipoles::new(self, chunk)?)
        };
        ControlFlow::Continue(self.derived.summed.get_or_init(|| summed))
    }

    /// Makes what sums of a finite accuracy need, so that threads do not each make it, unless the call is to stop.
    pub(crate) fn prepare_sums(&self, chunk: &Chunk<'_>) -> ControlFlow<()> {
        self.summed(chunk)?;
        self.each_placed(|inner, _, _, _| {
            chunk.work(1)?;
            inner.prepare_sums(chunk)
        })
    }

    /// Whether [`add_own_angles`](Self::add_own_angles) takes crossings of the scene's own triangles, unless the call is to stop.
    pub(crate) fn sums_crossings(&self, chunk: &Chunk<'_>) -> ControlFlow<(), bool> {
        ControlFlow::Continue(self.triangles > 0 && matches!(self.summed(chunk)?, Summed::Edges(_)))
    }

    /// Adds the generalised winding number of the scene's own visible triangles around a point. What is farther than `accuracy`
    /// times its radius counts as a dipole; without one all triangles are summed. `crossings` are those by a ray along x in the
    /// frame of the scene, where they are needed. Breaks if the call is to stop.
    pub(crate) fn add_own_angles(
        &self,
        viewed: &Viewed<'_, T>,
        accuracy: Option<f64>,
        crossings: i32,
        angles: &mut Angles,
        chunk: &Chunk<'_>,
    ) -> ControlFlow<()> {
        let &Viewed { point, placed, is_mirrored, .. } = viewed;
        let add_block = |block: &BlockOf<T>, angles: &mut Angles| {
            for corners in visible_triangles(self, block) {
                let corners = corners.map(|corner| placed.map_or(corner, |map| map.carry(corner)));
                angles.add_triangle(corners.map(|corner| sub(corner, point)));
            }
        };
        let Some(accuracy) = accuracy else {
            return self.tree.bvh().blocks().iter().try_for_each(|block| {
                chunk.work(16)?;
                add_block(block, angles);
                ControlFlow::Continue(())
            });
        };
        let stretch = placed.map_or(1.0, greatest_stretch);
        let dipoles = match self.summed(chunk)? {
            Summed::Edges(edges) => {
                angles.add_crossings(f64::from(if is_mirrored { -crossings } else { crossings }));
                return edges.add_angles(viewed, [accuracy, stretch], angles, chunk);
            }
            Summed::Triangles(dipoles) => dipoles,
        };
        let mut waiting = vec![(self.tree.bvh().root, &dipoles.whole)];
        while let Some((at, dipole)) = waiting.pop() {
            chunk.work(8)?;
            let center = placed.map_or(dipole.center, |map| map.carry(dipole.center));
            let is_far = distance(center, point) > accuracy * stretch * dipole.radius;
            match at.kind() {
                // Nothing is there that is seen.
                _ if dipole.area == 0.0 => {}
                NodeKind::End => {}
                _ if is_far => {
                    let dipole = placed.map_or(*dipole, |map| dipole.carried(map, stretch));
                    angles.add_dipole(&dipole, point);
                }
                NodeKind::Inner => {
                    let children = self.tree.bvh().arena.nodes()[at.node()].children;
                    let children = children.into_iter().map(Reference::from_bits);
                    waiting.extend(children.zip(&dipoles.slots[at.node()]));
                }
                NodeKind::Leaf => add_block(self.tree.bvh().arena.block(at), angles),
            }
        }
        ControlFlow::Continue(())
    }

    /// The visible instances of this scene: what each places and by which map, whether that mirrors, and a point in its frame.
    /// Breaks if one does.
    pub(crate) fn each_placed(
        &self,
        mut each: impl FnMut(&Self, &Affine, bool, &dyn Fn([T; 3]) -> [T; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for instance in self.instances.placed.iter().filter(|instance| instance.mask != 0) {
            let back = |point: [T; 3]| instance.transform.point_back(&instance.inverse, point);
            each(&instance.scene, &instance.transform, instance.is_mirrored, &back)?;
        }
        ControlFlow::Continue(())
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

#[cfg(test)]
#[path = "../../tests/unit/scene/winding.rs"]
mod tests;
