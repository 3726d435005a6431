//! The files that a document names: those in its folder and below, each read once.

use crate::error::{InFile, Result};
use crate::excerpt;
use crate::mesh::{Input, MeshFormat};
use gltf::Document;
use gltf::buffer::Source;
use gltf::json::{Value, deserialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// The files of the buffers of a document.
pub(super) struct Files<'a> {
    source: &'a Input,
    /// How much of each its buffers take, by their paths below the folder.
    lengths: HashMap<PathBuf, u64>,
    read: HashMap<PathBuf, Rc<Vec<u8>>>,
}

impl<'a> Files<'a> {
    pub(super) fn new(source: &'a Input, document: &Document) -> Self {
        let mut lengths: HashMap<PathBuf, u64> = HashMap::new();
        for buffer in document.buffers() {
            let Source::Uri(uri) = buffer.source() else { continue };
            // Data in the document may be long.
            let path = if uri.starts_with("data:") { None } else { path_below(uri) };
            if let Some(path) = path {
                let length = lengths.entry(path).or_default();
                *length = (*length).max(buffer.length() as u64);
            }
        }
        Self { source, lengths, read: HashMap::new() }
    }

    /// The first bytes of a file, as many as its buffers take or as there are, and whether they
    /// were not there before.
    pub(super) fn read(&mut self, uri: &str, place: &str) -> Result<(Rc<Vec<u8>>, bool)> {
        let Input { file, folder, path: own, .. } = self.source;
        let refused = |what: &str| file.content(format_args!("{place}: {:?} {what}", excerpt(uri)));
        let outside = || refused("is not in the folder of the document or below it");
        if uri.contains("://") {
            return Err(refused("is not a local file"));
        }
        let below = path_below(uri).ok_or_else(outside)?;
        if let Some(bytes) = self.read.get(&below) {
            return Ok((bytes.clone(), false));
        }
        let name = file.part(place).part(uri);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let real = without_links(&folder.join(&below)).in_file(&name)?;
        if !real.starts_with(without_links(folder).in_file(&name)?) {
            return Err(outside());
        }
        if own.as_ref().is_some_and(|own| without_links(own).is_ok_and(|own| own == real)) {
            return Err(refused("is the document itself"));
        }
        // A document may name anything: a pipe would be waited for, a device never ends.
        let found = real.metadata().in_file(&name)?;
        if !found.is_file() {
            return Err(refused("is not a regular file"));
        }
        let length = self.lengths.get(&below).map_or(0, |length| found.len().min(*length));
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        File::open(&real)
            .and_then(|file| file.take(length).read_to_end(&mut bytes))
            .in_file(&name)?;
        let bytes = Rc::new(bytes);
        self.read.insert(below, bytes.clone());
        Ok((bytes, true))
    }
}

/// Where a path leads: links may lead anywhere. WASI does not say it, and lets none lead out of what
/// it opens.
fn without_links(path: &Path) -> std::io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(path.to_owned()),
        path => path,
    }
}

/// The files that a document names, as far as it can be read.
pub(in crate::mesh) fn named_in(document: &Path) -> Option<Vec<PathBuf>> {
    let folder = document.parent()?;
    let json: Value = deserialize::from_slice(&json_of(document)?).ok()?;
    let uris = json["buffers"].as_array()?.iter().filter_map(|buffer| buffer["uri"].as_str());
    let files = uris.filter(|uri| !uri.starts_with("data:") && !uri.contains("://"));
    Some(files.filter_map(path_below).map(|path| folder.join(path)).collect())
}

/// The JSON of what is a document by its name or its first bytes. Of a GLB no more than that is
/// read.
fn json_of(document: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(document).ok()?;
    let mut start = Vec::new();
    file.by_ref().take(64).read_to_end(&mut start).ok()?;
    if let Some(length) = length_of_json(&start) {
        file.take(length as u64).read_to_end(&mut start).ok()?;
        return Some(start.get(20..20 + length)?.to_vec());
    }
    let format = MeshFormat::of_name(document);
    if format != Some(MeshFormat::Gltf) && !start.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let bytes = Input::read(document, Some(MeshFormat::Gltf)).ok()?.bytes;
    match length_of_json(&bytes) {
        Some(length) => Some(bytes.get(20..20 + length)?.to_vec()),
        None => Some(bytes),
    }
}

/// How long the JSON of a GLB is, which begins at byte 20.
fn length_of_json(glb: &[u8]) -> Option<usize> {
    let length = glb.get(12..16).filter(|_| glb.starts_with(b"glTF"))?;
    Some(u32::from_le_bytes(length.try_into().ok()?) as usize)
}

/// The path that a URI means, without `.` and `..`; none if it does not lead below the folder that
/// it starts from. What separates names or names a drive on any system does so on each.
fn path_below(uri: &str) -> Option<PathBuf> {
    let decoded = percent_decoded(uri);
    let is_drive = decoded.as_bytes().get(1) == Some(&b':');
    if is_drive || decoded.contains('\\') {
        return None;
    }
    let mut path = PathBuf::new();
    for part in Path::new(&decoded).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// `my%20mesh.bin` as `my mesh.bin`; what is no escape stays as it is.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let value =
            escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}
