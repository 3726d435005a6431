//! The bytes of accessors, with every range checked: the numbers come from the file.

use super::Trouble;
use crate::error::{FileName, InFile, Result};
use crate::excerpt;
use crate::mesh::Input;
use base64::Engine;
use gltf::accessor::sparse::IndexType;
use gltf::buffer::View;
use gltf::{Accessor, Gltf};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;

/// So many elements may an accessor have that holds zeros but for a few, whatever the size of its
/// file.
const FEW_ZEROS: usize = 1 << 16;

/// The buffers of a document, each loaded when first asked for.
pub(super) struct Buffers<'a> {
    source: &'a Input,
    document: &'a Gltf,
    /// The accessors without data.
    zeros: &'a HashSet<usize>,
    loaded: Vec<Option<Cow<'a, [u8]>>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(source: &'a Input, document: &'a Gltf, zeros: &'a HashSet<usize>) -> Self {
        Self { source, document, zeros, loaded: vec![None; document.buffers().count()] }
    }

    /// Calls `each` with the bytes of every element of an accessor.
    pub(super) fn each(
        &mut self,
        accessor: &Accessor,
        mut each: impl FnMut(&[u8]),
    ) -> Result<(), Trouble> {
        let place = format!("accessor {}", accessor.index());
        let (count, size) = (accessor.count(), accessor.size());
        let view = accessor.view().filter(|_| !self.zeros.contains(&accessor.index()));
        let mut base = match view {
            Some(view) if accessor.sparse().is_none() => {
                let (bytes, stride) =
                    self.strided(&place, &view, accessor.offset(), count, size)?;
                (0..count).for_each(|element| each(&bytes[element * stride..][..size]));
                return Ok(());
            }
            Some(view) => {
                let (bytes, stride) =
                    self.strided(&place, &view, accessor.offset(), count, size)?;
                (0..count).flat_map(|element| &bytes[element * stride..][..size]).copied().collect()
            }
            None => {
                // They are in no file, so more of them than a file has bytes say nothing.
                let most = FEW_ZEROS.max(self.size()?);
                if count > most {
                    let what = format!(
                        "{place}: {count} elements without data; {most} at most are taken as 0"
                    );
                    return Err(Trouble::Values(what));
                }
                vec![0; count * size]
            }
        };
        if let Some(sparse) = accessor.sparse() {
            let (indices, values) = (sparse.indices(), sparse.values());
            let mut targets: Vec<usize> = Vec::new();
            let index_size = indices.index_type().size();
            let at = format!("{place}: sparse indices");
            let (bytes, stride) =
                self.strided(&at, &indices.view(), indices.offset(), sparse.count(), index_size)?;
            for element in 0..sparse.count() {
                let bytes = &bytes[element * stride..];
                targets.push(match indices.index_type() {
                    IndexType::U8 => bytes[0].into(),
                    IndexType::U16 => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
                    IndexType::U32 => {
                        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
                    }
                });
            }
            if let Some(&target) = targets.iter().find(|target| **target >= count) {
                let what = format!("{at}: element {target} does not exist; there are {count}");
                return Err(Trouble::Values(what));
            }
            let at = format!("{place}: sparse values");
            let (bytes, stride) =
                self.strided(&at, &values.view(), values.offset(), targets.len(), size)?;
            for (element, target) in targets.into_iter().enumerate() {
                base[target * size..][..size].copy_from_slice(&bytes[element * stride..][..size]);
            }
        }
        base.chunks_exact(size).for_each(each);
        Ok(())
    }

    /// The bytes of so many elements of a view, from the first one on, and how far apart these are.
    fn strided(
        &mut self,
        place: &str,
        view: &View,
        offset: usize,
        count: usize,
        size: usize,
    ) -> Result<(&[u8], usize), Trouble> {
        if count == 0 {
            return Ok((&[], 0));
        }
        let stride = view.stride().unwrap_or(size).max(1);
        let buffer = view.buffer();
        let (start, length) = (view.offset(), view.length());
        let bytes = self.load(&buffer).map_err(Trouble::Buffer)?;
        // Checked sums: the numbers come from the file.
        let view = start.checked_add(length).and_then(|end| bytes.get(start..end));
        let needed = (count - 1).checked_mul(stride).and_then(|n| n.checked_add(size));
        let elements = needed
            .and_then(|needed| offset.checked_add(needed))
            .and_then(|end| view?.get(offset..end))
            .ok_or_else(|| {
                format!(
                    "{place}: {count} elements of {size} bytes reach beyond buffer {} of {} bytes",
                    buffer.index(),
                    bytes.len()
                )
            })?;
        Ok((elements, stride))
    }

    /// The bytes of the document and all its buffers.
    fn size(&mut self) -> Result<usize, Trouble> {
        let mut size = self.source.bytes.len();
        for buffer in self.document.buffers() {
            size += self.load(&buffer).map_err(Trouble::Buffer)?.len();
        }
        Ok(size)
    }

    fn load(&mut self, buffer: &gltf::Buffer) -> Result<&[u8]> {
        let slot = buffer.index();
        if self.loaded[slot].is_none() {
            self.loaded[slot] = Some(self.fetch(buffer)?);
        }
        Ok(self.loaded[slot].as_deref().unwrap_or_default())
    }

    fn fetch(&self, buffer: &gltf::Buffer) -> Result<Cow<'a, [u8]>> {
        let file = &self.source.file;
        let place = format!("buffer {}", buffer.index());
        let too_short = |found: u64| {
            let promised = buffer.length();
            file.content(format_args!(
                "truncated: {place} should have {promised} bytes, {found} are there"
            ))
        };
        let bytes: Cow<[u8]> = match buffer.source() {
            gltf::buffer::Source::Bin => match self.document.blob.as_deref() {
                Some(blob) => blob.into(),
                None => return Err(file.content(format_args!("{place}: no binary chunk"))),
            },
            gltf::buffer::Source::Uri(uri) if uri.starts_with("data:") => {
                decode(uri).map_err(|what| file.content(format_args!("{place}: {what}")))?.into()
            }
            gltf::buffer::Source::Uri(uri) if uri.contains("://") => {
                let uri = excerpt(uri);
                return Err(file.content(format_args!("{place}: {uri:?} is not a local file")));
            }
            gltf::buffer::Source::Uri(uri) => {
                let path = self.source.folder.join(percent_decoded(uri));
                let name = FileName::of(&path);
                let found = std::fs::metadata(&path).in_file(&name)?;
                // A document may name anything: a pipe would be waited for, a device never ends.
                if !found.is_file() {
                    return Err(name.content(format_args!("{place}: not a regular file")));
                }
                if found.len() < buffer.length() as u64 {
                    return Err(too_short(found.len()));
                }
                let mut bytes = Vec::new();
                std::fs::File::open(&path)
                    .and_then(|file| file.take(buffer.length() as u64).read_to_end(&mut bytes))
                    .in_file(&name)?;
                bytes.into()
            }
        };
        if bytes.len() < buffer.length() {
            return Err(too_short(bytes.len() as u64));
        }
        Ok(bytes)
    }
}

/// The bytes of a `data:` URI.
fn decode(uri: &str) -> Result<Vec<u8>, String> {
    let Some((_, text)) = uri.split_once(";base64,") else {
        return Err("a data URI that is not base64".to_owned());
    };
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|error| format!("data URI: {error}"))
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
