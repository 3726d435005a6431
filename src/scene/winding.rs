//! Generalised winding numbers: of surfaces that need not be closed.
//!
//! Of surfaces with few open edges they are crossings and [strips](super::open_edges) of these
//! edges. Of others they are the solid angle of all triangles around a point, as part of the whole
//! sphere, summed over their [pieces](super::pieces): Jacobson, Kavan and Sorkine-Hornung, "Robust
//! Inside-Outside Segmentation using Generalized Winding Numbers", SIGGRAPH 2013.

use std::ops::ControlFlow;

use super::open_edges::{HasBoxFrame, OpenEdges};
use super::pieces::{Metric, Pieces};
use super::precision::BlockOf;
use super::solid_angles::{Angles, Vector, greatest_stretch};
use super::{Lack, Precision, Scene};
use crate::chunks::Chunk;
use crate::error::{Error, Result};
use crate::leaf::TriangleLeaf;
use crate::math::sub;
use crate::simd::Backend;
use crate::status::Status;
use crate::traverse::Target;
use crate::value::{Affine, Ray};

/// Points, and the placement of the scene around them.
pub(crate) struct Views<'a, T> {
    pub(crate) points: &'a [[T; 3]],
    /// The points in the frame of the scene, rounded.
    pub(crate) own: &'a [[T; 3]],
    /// Points with a defect get no winding number.
    pub(crate) defects: &'a [Option<Status>],
    pub(crate) placed: Option<&'a Affine>,
    pub(crate) is_mirrored: bool,
    pub(crate) backend: Backend,
}

impl<'a, T: Precision> Views<'a, T> {
    /// The points without a defect, with their rows.
    fn each(&self) -> impl Iterator<Item = (usize, HasBoxFrame<'a, T>)> {
        let &Self { points, own, defects, placed, is_mirrored, .. } = self;
        (0..points.len()).filter(|&row| defects[row].is_none()).map(move |row| {
            let point = points[row].map(T::to_f64);
            (row, HasBoxFrame { point, own: own[row], placed, is_mirrored })
        })
    }
}

/// How a scene's own visible triangles are summed.
#[derive(Debug, Clone)]
pub(super) enum Summed<T> {
    /// Crossings, and a term for each open edge.
    Edges(OpenEdges<T>),
    Triangles(Pieces),
}

/// The most open edges, as a multiple of the triangles, at which they are summed: a soup of
/// triangles has three times as many.
const MOST_OPEN: f64 = 1.5;

fn visible_triangles<'a, T: Precision>(
    scene: &'a Scene<T>,
    block: &'a BlockOf<T>,
) -> impl Iterator<Item = [Vector; 3]> + 'a {
    let visible = scene.visible();
    let seen = block.triangles().filter(move |&(_, number)| visible.shows(number));
    seen.map(|(corners, _)| corners.map(|corner| corner.map(T::to_f64)))
}

impl<T: Precision> Scene<T> {
    /// How the scene's own visible triangles are summed where the accuracy is finite, unless the
    /// call is to stop.
    fn summed(&self, chunk: &Chunk<'_>) -> ControlFlow<(), &Summed<T>> {
        if let Some(known) = self.derived.summed.get() {
            return ControlFlow::Continue(known);
        }
        let edges = self.open_edges(chunk)?;
        let edges = if edges.len() as f64 <= MOST_OPEN * self.triangles as f64 {
            OpenEdges::new(edges, chunk)?
        } else {
            None
        };
        let summed = if let Some(edges) = edges {
            Summed::Edges(edges)
        } else {
            let blocks = self.tree.bvh().blocks().iter();
            Summed::Triangles(Pieces::new(
                blocks.flat_map(|block| visible_triangles(self, block)),
                chunk,
            )?)
        };
        ControlFlow::Continue(self.derived.summed.get_or_init(|| summed))
    }

    /// Makes the trees for sums of a finite accuracy, so that threads do not each make them, unless
    /// the call is to stop.
    pub(crate) fn prepare_sums(&self, chunk: &Chunk<'_>) -> ControlFlow<()> {
        self.summed(chunk)?;
        self.each_placed(|inner, _, _, _| {
            chunk.work(1)?;
            inner.prepare_sums(chunk)
        })
    }

    /// Whether [`add_own_angles`](Self::add_own_angles) takes crossings of the scene's own
    /// triangles, unless the call is to stop.
    pub(crate) fn sums_crossings(&self, chunk: &Chunk<'_>) -> ControlFlow<(), bool> {
        ControlFlow::Continue(self.triangles > 0 && matches!(self.summed(chunk)?, Summed::Edges(_)))
    }

    /// Adds the generalised winding numbers of the scene's own visible triangles around points.
    /// Parts that are farther than `accuracy` times their radius count as dipoles; without one all
    /// triangles are summed. `crossings` are those by rays along x in the frame of the scene, where
    /// they are needed. Breaks if the call is to stop.
    pub(crate) fn add_own_angles(
        &self,
        views: &Views<'_, T>,
        accuracy: Option<f64>,
        crossings: &[i32],
        angles: &mut [Angles],
        chunk: &Chunk<'_>,
    ) -> ControlFlow<()> {
        let &Views { placed, is_mirrored, backend, .. } = views;
        if self.triangles == 0 {
            return ControlFlow::Continue(());
        }
        let Some(accuracy) = accuracy else {
            for (row, HasBoxFrame { point, .. }) in views.each() {
                for block in self.tree.bvh().blocks() {
                    chunk.work(16)?;
                    for corners in visible_triangles(self, block) {
                        let corners =
                            corners.map(|corner| placed.map_or(corner, |map| map.carry(corner)));
                        angles[row].add_triangle(corners.map(|corner| sub(corner, point)));
                    }
                }
            }
            return ControlFlow::Continue(());
        };
        match self.summed(chunk)? {
            Summed::Edges(edges) => {
                let stretch = placed.map_or(1.0, greatest_stretch);
                for (row, viewed) in views.each() {
                    chunk.work(4)?;
                    let crossings = f64::from(crossings.get(row).copied().unwrap_or(0));
                    angles[row].add_crossings(if is_mirrored { -crossings } else { crossings });
                    edges.add_angles(&viewed, [accuracy, stretch], &mut angles[row], chunk)?;
                }
                ControlFlow::Continue(())
            }
            Summed::Triangles(pieces) => {
                let back = |point: Vector| placed.map_or(point, |map| map.about_back(point));
                let (rows, points): (Vec<u32>, Vec<Vector>) =
                    views.each().map(|(row, viewed)| (row as u32, back(viewed.point))).unzip();
                let metric = Metric::new(placed);
                pieces.add_angles(backend, (&rows, &points, &metric), accuracy, angles, chunk)
            }
        }
    }

    /// The visible instances of this scene: the placed scene and its map, whether that mirrors, and
    /// a point in its frame. Breaks if one does.
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
        !self.shapes.is_empty
            || self.instances.placed.iter().any(|instance| instance.scene.holds_shapes())
    }

    /// Whether a hit is on a shape and not on a mesh.
    pub(crate) fn is_on_shape(&self, instance_id: u32, geometry_id: u32) -> bool {
        self.scene_of(instance_id).is_ok_and(|scene| scene.shapes.geometry(geometry_id).is_some())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/scene/winding.rs"]
mod tests;
