//! What a scene of a file holds itself.

use std::sync::Arc;

use super::SceneFile;
use crate::batch::Masks;
use crate::error::FileProblem;
use crate::hit::Numbering;
use crate::math::MOST_PRIMITIVES;
use crate::scene::instances::Instances;
use crate::scene::{FoundOut, Scene, own_bounds};
use crate::shapes::Shapes;
use crate::simd::{Backend, LANES};
use crate::store::{Place, SectionWriter, damaged};
use crate::tree::{Bvh, TreeSections};
use crate::value::Affine;

/// The section of the first number of each geometry, and of the number of all primitives. Every scene has one.
pub(super) const GEOMETRIES: &str = "geometries";

/// The section of their masks.
const MASKS: &str = "masks";

/// The sections of the tree over triangles.
const TREE: TreeSections = TreeSections { tree: "tree", nodes: "nodes", leaves: "triangles" };

/// All names.
pub(super) const SECTIONS: [&str; 5] = [GEOMETRIES, MASKS, TREE.tree, TREE.nodes, TREE.leaves];

/// Adds what the scene of this number holds itself.
pub(super) fn store<'a>(scene: &'a Scene, number: u32, into: &mut SectionWriter<'a>) {
    into.add(GEOMETRIES, number, Place::Line, bytemuck::cast_slice(scene.numbering.starts()));
    into.add(MASKS, number, Place::Line, bytemuck::cast_slice(scene.masks.as_slice()));
    scene.bvh.store(TREE, number, into);
    scene.shapes.store(number, into);
}

/// The scene of this number, in which these are placed, as the section of that name tells.
pub(super) fn open(
    file: &Arc<SceneFile>,
    number: u32,
    placed: Vec<(Arc<Scene>, Affine, u32)>,
    told_in: &str,
    backend: Backend,
) -> Result<Scene, FileProblem> {
    let sections = &file.sections;
    let numbering = Numbering::of_starts(sections.values(GEOMETRIES, number)?)
        .filter(|numbering| numbering.count() <= MOST_PRIMITIVES)
        .ok_or_else(|| damaged(GEOMETRIES, number, "numbers that do not follow each other"))?;
    let masks = Masks::of(sections.values(MASKS, number)?);
    let geometries = numbering.starts().len() - 1;
    if masks.count() != geometries {
        return Err(damaged(MASKS, number, "not one for each geometry"));
    }
    let bvh: Bvh<_> = Bvh::open(sections, TREE, number)?;
    let shapes = Shapes::open(sections, &numbering, number)?;
    let triangles = numbering.count() - shapes.count();
    let leaves = bvh.blocks().len();
    if triangles < leaves || triangles > LANES * leaves {
        return Err(damaged(TREE.leaves, number, format!("{leaves} leaves for {triangles} triangles")));
    }
    let instances = Instances::new(placed, &own_bounds(&bvh, &shapes))
        .map_err(|error| damaged(told_in, number, error.to_string()))?;
    let found_out = FoundOut::default();
    let file = Some(Arc::clone(file));
    let welded = None;
    Ok(Scene { bvh, numbering, masks, triangles, backend, shapes, instances, found_out, welded, file })
}
