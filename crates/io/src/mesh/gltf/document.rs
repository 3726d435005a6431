//! The JSON of a file: what is geometry goes through the checks of the crate, the rest never comes
//! there.

use super::container::check_glb_length;
use super::extensions::{is_compression, is_known, refusal};
use super::transform;
use crate::error::list;
use crate::error::{InFile, Result};
use crate::excerpt;
use crate::mesh::budget::Budget;
use crate::mesh::{Input, counted};
use gltf::json::{Value, deserialize};
use gltf::{Document, Glb, Gltf};
use lanecast::Affine;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// A checked document, and what the crate does not give of it.
pub(super) struct Parsed {
    pub(super) document: Gltf,
    /// Of each node, to the frame of its parent; the crate would round it to `f32`.
    pub(super) transforms: Vec<Affine>,
    /// Whether each node has a skin, whose joints place its mesh.
    pub(super) skinned: Vec<bool>,
    /// The accessors of each node's instances by the names of their attributes.
    pub(super) instances: Vec<Option<Vec<(String, usize)>>>,
    /// The accessors without data, whose elements are zeros.
    pub(super) zeros: HashSet<usize>,
    pub(super) remarks: Vec<String>,
}

/// What of a document is not looked at: faults in it are no faults of the geometry.
const LEFT_OUT: [&str; 8] = [
    "materials",
    "textures",
    "images",
    "samplers",
    "cameras",
    "animations",
    "skins",
    "extensionsRequired",
];

/// What a node or a scene takes in memory at most while a document is read, whatever it holds.
const OF_NODE: usize = 1000;

pub(super) fn parse(source: &Input, budget: &mut Budget) -> Result<Parsed> {
    let file = &source.file;
    check_glb_length(&source.bytes).in_file(file)?;
    file.guarded(|| {
        let (json, blob) = if source.bytes.starts_with(b"glTF") {
            let glb = Glb::from_slice(&source.bytes).map_err(|error| file.foreign("", error))?;
            (glb.json, glb.bin.map(Cow::into_owned))
        } else {
            (source.bytes.as_slice().into(), None)
        };
        let mut json: Value =
            deserialize::from_slice(&json).map_err(|error| file.foreign("", error))?;
        if let Some(version) =
            json["asset"]["version"].as_str().filter(|version| !version.starts_with("2."))
        {
            let what = format!("version {:?} of glTF, which is not read; 2.0 is", excerpt(version));
            return Err(file.content(what));
        }
        if let Some(what) = refusal(names(&json, "extensionsRequired")) {
            return Err(file.content(what));
        }
        let remarks = remarks(&json);
        let count = array(&json, "nodes").len();
        let taken = budget.take(count + array(&json, "scenes").len(), OF_NODE);
        taken.map_err(|what| file.content(format_args!("nodes and scenes: {what}")))?;
        let mut transforms = Vec::with_capacity(count);
        let mut skinned = Vec::with_capacity(count);
        let mut instances = Vec::with_capacity(count);
        for (number, node) in objects(&mut json, "nodes").enumerate() {
            let at_node = |what: String| file.content(format_args!("node {number}: {what}"));
            transforms.push(transform::of_node(node).map_err(at_node)?);
            skinned.push(node.get("skin").is_some());
            instances.push(instances_of(node).map_err(at_node)?);
            remove(
                node,
                &[
                    "matrix",
                    "translation",
                    "rotation",
                    "scale",
                    "camera",
                    "skin",
                    "weights",
                    "extensions",
                ],
            );
        }
        let mut positions = HashSet::new();
        for mesh in objects(&mut json, "meshes") {
            for primitive in objects(mesh, "primitives") {
                remove(primitive, &["material", "targets", "extensions"]);
                if let Some(attributes) =
                    primitive.get_mut("attributes").and_then(Value::as_object_mut)
                {
                    attributes.retain(|name, _| ["POSITION", "NORMAL"].contains(&name.as_str()));
                    positions.extend(attributes.get("POSITION").and_then(Value::as_u64));
                }
            }
        }
        let zeros = complete(&mut json, &positions);
        remove(&mut json, &LEFT_OUT);
        let root = deserialize::from_value(json).map_err(|error| file.foreign("", error))?;
        let document = Document::from_json(root).map_err(|error| file.foreign("", error))?;
        let document = Gltf { document, blob };
        Ok(Parsed { document, transforms, skinned, instances, zeros, remarks })
    })
}

/// Puts in what the crate asks for and nobody reads: the bounds of positions, the nodes of a scene
/// that has none, and a view of a buffer for accessors without data, of which the numbers are
/// handed back.
fn complete(json: &mut Value, positions: &HashSet<u64>) -> HashSet<usize> {
    let (buffer, view) = (array(json, "buffers").len(), array(json, "bufferViews").len());
    let mut zeros = HashSet::new();
    for (number, accessor) in objects(json, "accessors").enumerate() {
        let Some(accessor) = accessor.as_object_mut() else { continue };
        if positions.contains(&(number as u64)) {
            for bound in ["min", "max"] {
                accessor.insert(bound.to_owned(), vec![0; 3].into());
            }
        }
        if ["bufferView", "sparse"].iter().all(|data| !accessor.contains_key(*data)) {
            accessor.insert("bufferView".to_owned(), view.into());
            zeros.insert(number);
        }
    }
    for scene in objects(json, "scenes").filter_map(Value::as_object_mut) {
        scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
    }
    if let Some(document) = json.as_object_mut().filter(|_| !zeros.is_empty()) {
        let uri = "data:application/octet-stream;base64,AA==";
        let one = |members: &[(&str, Value)]| {
            Value::from_iter(
                members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())),
            )
        };
        let of_buffer = one(&[("byteLength", 1.into()), ("uri", uri.into())]);
        let of_view = one(&[("byteLength", 1.into()), ("buffer", buffer.into())]);
        for (key, value) in [("buffers", of_buffer), ("bufferViews", of_view)] {
            let all = document.entry(key).or_insert_with(|| Value::Array(Vec::new()));
            all.as_array_mut().into_iter().for_each(|all| all.push(value.clone()));
        }
    }
    zeros
}

fn remove(value: &mut Value, keys: &[&str]) {
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, _| !keys.contains(&key.as_str()));
    }
}

fn objects<'a>(value: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn names<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    array(value, key).iter().filter_map(Value::as_str)
}

/// What of the document is not in the meshes, and what stands in another form there.
fn remarks(json: &Value) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut remark = |count: usize, one: &str, more: &str, what: &str| {
        if count > 0 {
            remarks.push(format!("{} {what}", counted(count, one, more)));
        }
    };
    let skinned = array(json, "nodes").iter().filter(|node| node.get("skin").is_some()).count();
    remark(
        skinned,
        "skinned node",
        "skinned nodes",
        "left in rest pose, not moved by its transform",
    );
    let primitives = || array(json, "meshes").iter().flat_map(|mesh| array(mesh, "primitives"));
    let morphed = primitives().filter(|primitive| !array(primitive, "targets").is_empty()).count();
    remark(
        morphed,
        "primitive with morph targets",
        "primitives with morph targets",
        "left in rest pose",
    );
    remark(array(json, "animations").len(), "animation", "animations", "left out");
    let unknown =
        names(json, "extensionsUsed").filter(|name| !is_known(name) && !is_compression(name));
    let unknown: BTreeSet<&str> = unknown.collect();
    let count = unknown.len();
    if count > 0 {
        let names = list(unknown);
        remarks.push(format!(
            "{} left out: {names}",
            counted(count, "unknown extension", "unknown extensions")
        ));
    }
    remarks
}

/// The attributes of `EXT_mesh_gpu_instancing`, if a node has it.
fn instances_of(node: &Value) -> Result<Option<Vec<(String, usize)>>, String> {
    let Some(extension) = node.get("extensions").and_then(|all| all.get("EXT_mesh_gpu_instancing"))
    else {
        return Ok(None);
    };
    let attributes = extension.get("attributes").and_then(Value::as_object);
    let attributes = attributes.ok_or("EXT_mesh_gpu_instancing without attributes")?;
    let accessor = |(name, accessor): (&String, &Value)| {
        let number = accessor.as_u64().and_then(|number| usize::try_from(number).ok());
        let name = excerpt(name).into_owned();
        number.map(|number| (name.clone(), number)).ok_or(format!("{name} names no accessor"))
    };
    attributes.iter().map(accessor).collect::<Result<_, _>>().map(Some)
}
