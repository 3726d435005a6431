//! The sections of a file: those of one scene, and scenes in scenes. Each scene is in the file once, however often and
//! however deep it is placed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::SceneFile;
use crate::answers::Numbering;
use crate::error::FileProblem;
use crate::math::MOST_PRIMITIVES;
use crate::query::Masks;
use crate::scene::instances::Instance;
use crate::scene::{DerivedCache, Others, Scene, ToPlace};
use crate::shapes::{SHAPE_SECTIONS, Shapes};
use crate::simd::{Backend, LANES};
use crate::store::{MOST_SECTIONS, Place, SectionWriter, damaged};
use crate::tree::{Bvh, TreeSections};
use crate::value::Affine;

/// The section with the first number of each geometry and the number of all primitives. Every scene has one.
const GEOMETRIES: &str = "geometries";

/// The section of the geometries' masks.
const MASKS: &str = "masks";

/// The sections of the tree over triangles.
const TREE: TreeSections = TreeSections { tree: "tree", nodes: "nodes", leaves: "triangles" };

/// The section of instances. Scenes without instances have none.
const INSTANCES: &str = "instances";

/// All names but those of shapes.
const SECTIONS: [&str; 6] = [GEOMETRIES, MASKS, TREE.tree, TREE.nodes, TREE.leaves, INSTANCES];

/// The most scenes in a file.
pub(super) const MOST_SCENES: usize = MOST_SECTIONS / (SECTIONS.len() + SHAPE_SECTIONS.len());

/// All names.
pub(super) fn names() -> Vec<&'static str> {
    [&SECTIONS[..], &SHAPE_SECTIONS].concat()
}

/// An instance. Its inverse map and the tree over all instances are computed anew.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Record {
    /// Of the transform.
    rows: [[f64; 4]; 3],
    /// The number of the placed scene, greater than that of the scene that places it, so no scene is in itself.
    scene: u32,
    mask: u32,
}

/// A scene and its first path of instances.
pub(super) struct Found<'a> {
    pub(super) scene: &'a Scene,
    pub(super) path: Vec<u32>,
}

/// A scene and all scenes placed in it at any depth, each once, and before the scenes placed in it.
pub(super) fn all_of(scene: &Scene) -> Vec<Found<'_>> {
    /// Adds a scene after all scenes placed in it. The recursion is as deep as scenes are nested.
    fn add<'a>(scene: &'a Scene, path: &[u32], seen: &mut HashSet<*const Scene>, all: &mut Vec<Found<'a>>) {
        for (number, instance) in (0..).zip(&scene.others.instances.placed) {
            if seen.insert(Arc::as_ptr(&instance.scene)) {
                add(&instance.scene, &[path, &[number]].concat(), seen, all);
            }
        }
        all.push(Found { scene, path: path.to_vec() });
    }
    let mut all = Vec::new();
    add(scene, &[], &mut HashSet::new(), &mut all);
    all.reverse();
    all
}

/// Adds the sections of all scenes. The numbers of scenes are their places in the list.
pub(super) fn store<'a>(scenes: &[Found<'a>], into: &mut SectionWriter<'a>) {
    let numbers: HashMap<*const Scene, u32> =
        scenes.iter().map(|found| std::ptr::from_ref(found.scene)).zip(0..).collect();
    for (number, &Found { scene, .. }) in (0..).zip(scenes) {
        into.add(GEOMETRIES, number, Place::Line, bytemuck::cast_slice(scene.numbering.starts()));
        into.add(MASKS, number, Place::Line, bytemuck::cast_slice(scene.masks.as_slice()));
        scene.tree.store(TREE, number, into);
        scene.others.shapes.store(number, into);
        let record = |instance: &Instance| Record {
            rows: instance.transform.rows(),
            scene: numbers[&Arc::as_ptr(&instance.scene)],
            mask: instance.mask,
        };
        let records: Vec<Record> = scene.others.instances.placed.iter().map(record).collect();
        if !records.is_empty() {
            into.add(INSTANCES, number, Place::Line, bytemuck::cast_slice(&records).to_vec());
        }
    }
}

/// A placed scene, and whether a scene that places it is open.
struct Opened {
    scene: Arc<Scene>,
    is_placed: bool,
}

/// The first scene of a file, with the others in their places.
pub(super) fn open(file: &Arc<SceneFile>, backend: Backend) -> Result<Scene, FileProblem> {
    let count = file.sections.count(GEOMETRIES) as u32;
    // From the last on: a placed scene is open before the scene that places it.
    let mut opened: Vec<Opened> = Vec::new();
    for number in (1..count).rev() {
        let scene = Arc::new(open_one(file, number, &mut opened, backend)?);
        opened.push(Opened { scene, is_placed: false });
    }
    let scene = open_one(file, 0, &mut opened, backend)?;
    match (1..count).rev().zip(&opened).find(|(_, opened)| !opened.is_placed) {
        Some((number, _)) => Err(damaged(GEOMETRIES, number, "of a scene that is placed nowhere")),
        None => Ok(scene),
    }
}

/// The scene with this number. Scenes with greater numbers are open already, the last first.
fn open_one(
    file: &Arc<SceneFile>,
    number: u32,
    opened: &mut [Opened],
    backend: Backend,
) -> Result<Scene, FileProblem> {
    let sections = &file.sections;
    let mut to_place: Vec<ToPlace> = Vec::new();
    if sections.has(INSTANCES, number) {
        let last = number + opened.len() as u32;
        for (instance, record) in sections.values::<Record>(INSTANCES, number)?.iter().enumerate() {
            let &Record { rows, scene, mask } = record;
            let place = last.checked_sub(scene).and_then(|place| opened.get_mut(place as usize));
            let Some(opened) = place else {
                let what = format!("instance {instance} is of scene {scene}, which is not behind this one");
                return Err(damaged(INSTANCES, number, what));
            };
            opened.is_placed = true;
            to_place.push((Arc::clone(&opened.scene), Affine::from_rows(rows), mask));
        }
    }
    let numbering = Numbering::of_starts(sections.values(GEOMETRIES, number)?)
        .filter(|numbering| numbering.count() <= MOST_PRIMITIVES)
        .ok_or_else(|| damaged(GEOMETRIES, number, "numbers that do not follow each other"))?;
    let masks = Masks::of(sections.values(MASKS, number)?);
    if masks.count() != numbering.starts().len() - 1 {
        return Err(damaged(MASKS, number, "not one for each geometry"));
    }
    let tree: Bvh<_> = Bvh::open(sections, TREE, number)?;
    let shapes = Shapes::open(sections, &numbering, number)?;
    let (triangles, leaves) = (numbering.count() - shapes.count(), tree.blocks().len());
    if triangles < leaves || triangles > LANES * leaves {
        return Err(damaged(TREE.leaves, number, format!("{leaves} leaves for {triangles} triangles")));
    }
    let others = Others::new(shapes, to_place, &tree.bounds())
        .map_err(|error| damaged(INSTANCES, number, error.to_string()))?;
    Ok(Scene {
        tree,
        numbering,
        masks,
        triangles,
        backend,
        others,
        derived: DerivedCache::default(),
        welded: None,
        file: Some(Arc::clone(file)),
    })
}
