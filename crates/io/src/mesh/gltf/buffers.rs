//! The bytes of accessors, with every range checked: the numbers come from the file.

use super::Trouble;
use super::files::Files;
use crate::error::Result;
use crate::mesh::Input;
use crate::mesh::budget::Budget;
use base64::Engine;
use gltf::accessor::sparse::IndexType;
use gltf::buffer::View;
use gltf::{Accessor, Gltf};
use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

/// So many elements may an accessor have that holds zeros but for a few, whatever the size of its
/// file.
const FEW_ZEROS: u64 = 1 << 16;

/// The buffers of a document, each loaded when first asked for.
pub(super) struct Buffers<'a> {
    source: &'a Input,
    document: &'a Gltf,
    /// The accessors without data.
    zeros: &'a HashSet<usize>,
    files: Files<'a>,
    /// Primitives and instances may share accessors: what is made of each is counted.
    budget: Budget,
    loaded: Vec<Option<Loaded<'a>>>,
    /// Whether all of them are.
    is_complete: bool,
}

/// The bytes of a buffer.
#[derive(Clone)]
enum Loaded<'a> {
    OfDocument(Cow<'a, [u8]>),
    /// So many of a file, which other buffers may share.
    OfFile(Rc<Vec<u8>>, usize),
}

impl Loaded<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::OfDocument(bytes) => bytes,
            Self::OfFile(bytes, length) => &bytes[..*length],
        }
    }
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        source: &'a Input,
        document: &'a Gltf,
        zeros: &'a HashSet<usize>,
        budget: Budget,
    ) -> Self {
        let (files, loaded) =
            (Files::new(source, document), vec![None; document.buffers().count()]);
        Self { source, document, zeros, files, budget, loaded, is_complete: false }
    }

    /// Counts so many things of so many bytes, which are about to be made of the file.
    pub(super) fn take(&mut self, count: usize, bytes: usize) -> Result<(), Trouble> {
        if self.budget.take(count, bytes).is_err() {
            // Perhaps not of a buffer that was not asked for yet.
            self.size()?;
            self.budget.check()?;
        }
        Ok(())
    }

    /// What `make` makes of the bytes of every element of an accessor: so many bytes of memory at
    /// most.
    pub(super) fn elements<V>(
        &mut self,
        accessor: &Accessor,
        made: usize,
        make: impl FnMut(&[u8]) -> V,
    ) -> Result<Vec<V>, Trouble> {
        let place = format!("accessor {}", accessor.index());
        let (count, size) = (accessor.count(), accessor.size());
        let view = accessor.view().filter(|_| !self.zeros.contains(&accessor.index()));
        if let Some(view) = &view {
            self.strided(&place, view, accessor.offset(), count, size)?;
            self.take(count, made)?;
        }
        let mut base = match view {
            Some(view) if accessor.sparse().is_none() => {
                let (bytes, stride) =
                    self.strided(&place, &view, accessor.offset(), count, size)?;
                return Ok((0..count)
                    .map(|element| &bytes[element * stride..][..size])
                    .map(make)
                    .collect());
            }
            Some(view) => {
                let (bytes, stride) =
                    self.strided(&place, &view, accessor.offset(), count, size)?;
                (0..count).flat_map(|element| &bytes[element * stride..][..size]).copied().collect()
            }
            None => {
                // They are in no file, so more of them than a file has bytes say nothing.
                let most = FEW_ZEROS.max(self.size()?);
                if count as u64 > most {
                    let what = format!(
                        "{place}: {count} elements without data; {most} at most are taken as 0"
                    );
                    return Err(Trouble::Values(what));
                }
                self.take(count, made)?;
                vec![0; count * size]
            }
        };
        if let Some(sparse) = accessor.sparse() {
            let (indices, values) = (sparse.indices(), sparse.values());
            let mut targets: Vec<usize> = Vec::new();
            let index_size = indices.index_type().size();
            let at = format!("{place}: sparse indices");
            self.strided(&at, &indices.view(), indices.offset(), sparse.count(), index_size)?;
            self.take(sparse.count(), size_of::<usize>())?;
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
        Ok(base.chunks_exact(size).map(make).collect())
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

    /// The bytes of the document and of all files that its buffers are.
    fn size(&mut self) -> Result<u64, Trouble> {
        if !self.is_complete {
            for buffer in self.document.buffers() {
                self.load(&buffer).map_err(Trouble::Buffer)?;
            }
            self.is_complete = true;
        }
        Ok(self.budget.size())
    }

    fn load(&mut self, buffer: &gltf::Buffer) -> Result<&[u8]> {
        let slot = buffer.index();
        if self.loaded[slot].is_none() {
            self.loaded[slot] = Some(self.fetch(buffer)?);
        }
        Ok(self.loaded[slot].as_ref().map_or(&[], Loaded::bytes))
    }

    fn fetch(&mut self, buffer: &gltf::Buffer) -> Result<Loaded<'a>> {
        let source = self.source;
        let file = &source.file;
        let place = format!("buffer {}", buffer.index());
        let promised = buffer.length();
        let too_short = |found: usize| {
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
            gltf::buffer::Source::Uri(uri) => {
                let (bytes, is_new) = self.files.read(uri, &place)?;
                if is_new {
                    self.budget.enlarge(bytes.len());
                }
                if bytes.len() < promised {
                    return Err(too_short(bytes.len()));
                }
                return Ok(Loaded::OfFile(bytes, promised));
            }
        };
        if bytes.len() < promised {
            return Err(too_short(bytes.len()));
        }
        Ok(Loaded::OfDocument(bytes))
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
