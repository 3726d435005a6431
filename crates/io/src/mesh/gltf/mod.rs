//! glTF and GLB: the gltf crate reads and checks the document; buffers and accessors are read here,
//! with every range checked, since the crate trusts them.

mod buffers;
mod container;
mod document;
mod extensions;
mod files;
mod primitive;
mod transform;
mod values;

use super::budget::Budget;
use super::{Coordinate, Input, Mesh, Model, Placement, bad_vertex, checked_vertex, counted};
use crate::error::{FileName, Result};
use buffers::Buffers;
use document::Parsed;
pub(super) use files::named_in;
use gltf::{Gltf, Node};
use lanecast::Affine;
use primitive::read_primitive;
use std::ops::Range;
use values::vectors;

pub(super) fn read<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    let file = &source.file;
    let mut budget = Budget::of(source.bytes.len());
    let Parsed { document, transforms, skinned, instances, zeros, remarks } =
        document::parse(source, &mut budget)?;
    let mut reader = Reader {
        file,
        buffers: Buffers::new(source, &document, &zeros, budget),
        meshes: Vec::new(),
        of_mesh: vec![None; document.meshes().count()],
        points_and_lines: 0,
        remarks,
    };

    let mut placements = Vec::new();
    let mut seen = vec![false; document.nodes().count()];
    let mut waiting: Vec<(Node, Affine)> =
        roots(&document).into_iter().map(|node| (node, Affine::IDENTITY)).collect();
    waiting.reverse();
    while let Some((node, parent)) = waiting.pop() {
        let number = node.index();
        if std::mem::replace(&mut seen[number], true) {
            return Err(file.content(format_args!("node {number} is reached twice")));
        }
        let to_world = parent * transforms[number];
        if let Some(mesh) = node.mesh() {
            // The specification ignores the transform of a node with a skin (glTF 2.0, 3.7.3.1).
            let stands = if skinned[number] { Affine::IDENTITY } else { to_world };
            let meshes = reader.mesh(&mesh)?;
            let name = super::joined_name(node.name());
            let mut place = |transform| {
                placements.push(Placement {
                    name: name.clone(),
                    meshes: meshes.clone(),
                    transform,
                });
            };
            // Twice, as the list of them grows.
            let of_each = 2 * size_of::<Placement>() + name.len();
            match &instances[number] {
                None => {
                    let taken = reader.buffers.take(1, of_each);
                    taken.map_err(|trouble| trouble.at(file, &format!("node {number}")))?;
                    place(stands);
                }
                Some(attributes) => {
                    let instances = reader.instances(&document, attributes, of_each);
                    let at_node = format!("node {number}, EXT_mesh_gpu_instancing");
                    let instances = instances.map_err(|trouble| trouble.at(file, &at_node))?;
                    instances.iter().for_each(|instance| place(stands * *instance));
                }
            }
        }
        let children: Vec<_> = node.children().map(|child| (child, to_world)).collect();
        waiting.extend(children.into_iter().rev());
    }
    let Reader { meshes, of_mesh, points_and_lines, mut remarks, .. } = reader;
    if points_and_lines > 0 {
        let count = counted(points_and_lines, "primitive", "primitives");
        remarks.push(format!("{count} of points or lines left out"));
    }
    let not_placed = of_mesh.iter().filter(|meshes| meshes.is_none()).count();
    if not_placed > 0 {
        let count = counted(not_placed, "mesh", "meshes");
        remarks.push(format!("{count} that the scene does not place left out"));
    }
    // Of what the scene places elsewhere: the rest was just told of.
    let of_others =
        document.nodes().filter(|node| !seen[node.index()]).filter_map(|node| node.mesh());
    let of_others = of_others.filter(|mesh| of_mesh[mesh.index()].is_some()).count();
    if of_others > 0 {
        let count = counted(of_others, "node", "nodes");
        remarks.push(format!("{count} of other scenes left out"));
    }
    Ok(Model { name: source.name.clone(), meshes, placements, remarks })
}

/// The nodes of the default scene, else of the first, else every node that is no one's child.
fn roots(document: &Gltf) -> Vec<Node<'_>> {
    if let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) {
        return scene.nodes().collect();
    }
    let mut is_child = vec![false; document.nodes().count()];
    for child in document.nodes().flat_map(|node| node.children()) {
        is_child[child.index()] = true;
    }
    document.nodes().filter(|node| !is_child[node.index()]).collect()
}

/// What can go wrong below a primitive: with a buffer, which has its own place, or with the values.
enum Trouble {
    Buffer(crate::Error),
    Values(String),
}

impl Trouble {
    fn at(self, file: &FileName, place: &str) -> crate::Error {
        match self {
            Self::Buffer(error) => error,
            Self::Values(what) => file.content(format_args!("{place}: {what}")),
        }
    }
}

impl From<String> for Trouble {
    fn from(what: String) -> Self {
        Self::Values(what)
    }
}

/// What was read so far.
struct Reader<'a, T> {
    file: &'a FileName,
    buffers: Buffers<'a>,
    meshes: Vec<Mesh<T>>,
    /// Where the primitives of each mesh of the file are among the meshes, if it was read.
    of_mesh: Vec<Option<Range<usize>>>,
    points_and_lines: usize,
    remarks: Vec<String>,
}

impl<T: Coordinate> Reader<'_, T> {
    /// The primitives of a mesh, read when it is placed for the first time.
    fn mesh(&mut self, mesh: &gltf::Mesh) -> Result<Range<usize>> {
        if let Some(known) = &self.of_mesh[mesh.index()] {
            return Ok(known.clone());
        }
        let start = self.meshes.len();
        let count = mesh.primitives().count();
        for primitive in mesh.primitives() {
            let place = format!("mesh {}, primitive {}", mesh.index(), primitive.index());
            let read = read_primitive(&primitive, &mut self.buffers, &mut self.remarks);
            let read = read.map_err(|trouble| trouble.at(self.file, &place))?;
            let Some(read) = read else {
                self.points_and_lines += 1;
                continue;
            };
            let number = if count > 1 { primitive.index().to_string() } else { String::new() };
            let name = super::joined_name([mesh.name().unwrap_or_default(), &number]);
            let taken = self.buffers.take(1, size_of::<Mesh<f64>>() + name.len());
            taken.map_err(|trouble| trouble.at(self.file, &place))?;
            self.meshes.push(Mesh { name, ..read });
        }
        let range = start..self.meshes.len();
        self.of_mesh[mesh.index()] = Some(range.clone());
        Ok(range)
    }

    /// Where the instances of a node are in its frame. So many bytes are made of each.
    fn instances(
        &mut self,
        document: &Gltf,
        attributes: &[(String, usize)],
        of_each: usize,
    ) -> Result<Vec<Affine>, Trouble> {
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let mut counts = Vec::new();
        for (name, number) in attributes {
            let accessor = document.accessors().nth(*number);
            let accessor =
                accessor.ok_or_else(|| format!("{name}: accessor {number} does not exist"))?;
            counts.push(accessor.count());
            match name.as_str() {
                "TRANSLATION" => translations = vectors(&mut self.buffers, &accessor, name, |x| x)?,
                "ROTATION" => rotations = vectors(&mut self.buffers, &accessor, name, |x| x)?,
                "SCALE" => scales = vectors(&mut self.buffers, &accessor, name, |x| x)?,
                // Of the file's own, such as colours and numbers.
                _ => {}
            }
        }
        let count = counts.first().copied().unwrap_or(0);
        if counts.iter().any(|other| *other != count) {
            return Err(Trouble::Values(format!("its attributes are of {counts:?} instances")));
        }
        if translations.is_empty() && rotations.is_empty() && scales.is_empty() {
            return Err(Trouble::Values("no TRANSLATION, ROTATION or SCALE".to_owned()));
        }
        self.buffers.take(count, of_each)?;
        let instances = (0..count).map(|instance| {
            let translation = translations.get(instance).copied().unwrap_or([0.0; 3]);
            let rotation = rotations.get(instance).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
            let scale = scales.get(instance).copied().unwrap_or([1.0; 3]);
            let placed = transform::of_parts(translation, rotation, scale);
            placed.map_err(|what| Trouble::Values(format!("instance {instance}: {what}")))
        });
        instances.collect()
    }
}
