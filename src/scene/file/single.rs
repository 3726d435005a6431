//! The sections of one scene in a file.

use std::sync::Arc;

use super::SceneFile;
use crate::answers::Numbering;
use crate::error::FileProblem;
use crate::math::MOST_PRIMITIVES;
use crate::query::Masks;
use crate::scene::instances::Instances;
use crate::scene::{DerivedCache, Scene, ShapesAndInstances, own_bounds};
use crate::shapes::Shapes;
use crate::simd::{Backend, LANES};
use crate::store::{Place, SectionWriter, damaged};
use crate::tree::{Bvh, TreeSections};
use crate::value::Affine;

/// The section with the first number of each geometry and the number of all primitives. Every scene has one.
pub(super) const GEOMETRIES: &str = "geometries";

/// The section of the geometries' masks.
const MASKS: &str = "masks";

/// The sections of the tree over triangles.
const TREE: TreeSections = TreeSections { tree: "tree", nodes: "nodes", leaves: "triangles" };

/// All names.
pub(super) const SECTIONS: [&str; 5] = [GEOMETRIES, MASKS, TREE.tree, TREE.nodes, TREE.leaves];

/// Adds the sections of the scene with this number.
pub(super) fn store<'a>(scene: &'a Scene, number: u32, into: &mut SectionWriter<'a>) {
    into.add(GEOMETRIES, number, Place::Line, bytemuck::cast_slice(scene.numbering.starts()));
    into.add(MASKS, number, Place::Line, bytemuck::cast_slice(scene.masks.as_slice()));
    scene.tree.store(TREE, number, into);
    scene.others.shapes.store(number, into);
}

/// The scene with this number, from its sections and its instances.
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
    let instances = Instances::new(placed, &own_bounds(&bvh.bounds(), &shapes))
        .map_err(|error| damaged(told_in, number, error.to_string()))?;
    Ok(Scene {
        tree: bvh,
        numbering,
        masks,
        triangles,
        backend,
        others: ShapesAndInstances { shapes, instances },
        derived: DerivedCache::default(),
        welded: None,
        file: Some(Arc::clone(file)),
    })
}
