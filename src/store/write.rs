//! Writes files of sections.

use std::borrow::Cow;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use super::replace::Replacement;
use super::{Entry, Header, PAGE, checksum};
use crate::error::FileProblem;

const PIECE: usize = 4 << 20;

/// The sections of a file to be written.
#[derive(Default)]
pub(crate) struct SectionWriter<'a> {
    sections: Vec<(Entry, Cow<'a, [u8]>)>,
    /// The end of the last section, relative to the first.
    end: usize,
}

impl<'a> SectionWriter<'a> {
    /// Adds a section, marked as needed, on the next [`CACHE_LINE`](super::CACHE_LINE) or [`PAGE`]: right behind the section before it, if that
    /// fills whole lines. Names have at most 16 letters; `number` tells those of the same name apart.
    pub(crate) fn add(&mut self, name: &str, number: u32, align: usize, bytes: impl Into<Cow<'a, [u8]>>) {
        let bytes = bytes.into();
        let first = self.end.next_multiple_of(align);
        self.end = first + bytes.len();
        let entry = Entry {
            name: Entry::name_of(name),
            number,
            is_needed: 1,
            first: first as u64,
            length: bytes.len() as u64,
            checksum: checksum(&bytes),
        };
        self.sections.push((entry, bytes));
    }

    pub(crate) fn length(&self) -> usize {
        self.start() + self.end
    }

    /// The start of the first section.
    fn start(&self) -> usize {
        let head = size_of::<Header>() + self.sections.len() * size_of::<Entry>();
        head.next_multiple_of(PAGE)
    }

    /// Writes the file and flushes it to the disk, then gives it its name, replacing an older one. `written` gets
    /// the number of further bytes and may stop the writing. Returns whether it did not.
    pub(crate) fn write(
        mut self,
        path: &Path,
        written: impl Fn(usize) -> ControlFlow<()>,
    ) -> Result<bool, FileProblem> {
        let (start, length) = (self.start(), self.length());
        self.sections.iter_mut().for_each(|(entry, _)| entry.first += start as u64);
        let table: Vec<Entry> = self.sections.iter().map(|(entry, _)| *entry).collect();
        let header = Header::new(length as u64, &table);
        let mut replacement = Replacement::of(path)?;
        let file = replacement.as_file_mut();
        let head = [(0, bytemuck::bytes_of(&header)), (size_of::<Header>(), bytemuck::cast_slice(&table))];
        let sections = self.sections.iter().map(|(entry, bytes)| (entry.first as usize, &**bytes));
        let mut end = 0;
        for (first, bytes) in head.into_iter().chain(sections) {
            file.write_all(&[0; PAGE][..first - end])?;
            end = first + bytes.len();
            for piece in bytes.chunks(PIECE) {
                file.write_all(piece)?;
                if written(piece.len()).is_break() {
                    return Ok(false);
                }
            }
        }
        file.write_all(&[0; PAGE][..start.saturating_sub(end)])?;
        file.sync_all()?;
        replacement.finish()?;
        Ok(true)
    }
}
