//! Writes files of sections.

use std::borrow::Cow;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use super::checksum::checksum;
use super::header::{CACHE_LINE, Entry, Header, PAGE};
use super::replace::Replacement;
use crate::error::FileProblem;

/// How many bytes are written at a time.
const PIECE: usize = 4 << 20;

/// Where a section may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the next cache line: right behind the section before it, if that fills whole lines.
    Line,
    /// On a page.
    Page,
}

/// Sections that are to become a file.
#[derive(Default)]
pub(crate) struct SectionWriter<'a> {
    sections: Vec<(Entry, Cow<'a, [u8]>)>,
    /// Behind the last section, counted from the first.
    end: usize,
}

impl<'a> SectionWriter<'a> {
    /// Adds a section that a reader has to know. Names have at most 16 letters; `number` tells those of the same name
    /// apart.
    pub(crate) fn add(&mut self, name: &str, number: u32, place: Place, bytes: impl Into<Cow<'a, [u8]>>) {
        let bytes = bytes.into();
        let first = self.end.next_multiple_of(if place == Place::Page { PAGE } else { CACHE_LINE });
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

    /// How long the file will be.
    pub(crate) fn length(&self) -> usize {
        self.start() + self.end
    }

    /// Where the first section begins.
    fn start(&self) -> usize {
        let head = size_of::<Header>() + self.sections.len() * size_of::<Entry>();
        head.next_multiple_of(PAGE)
    }

    /// Writes the file, which has its name, and takes the place of another that had it, when it is complete and on
    /// the disk. `written` is told how many bytes more are, and may break off. Returns whether it did not.
    pub(crate) fn write(
        mut self,
        path: &Path,
        written: impl Fn(usize) -> ControlFlow<()>,
    ) -> Result<bool, FileProblem> {
        let start = self.start();
        for (entry, _) in &mut self.sections {
            entry.first += start as u64;
        }
        let table: Vec<Entry> = self.sections.iter().map(|(entry, _)| *entry).collect();
        let header = Header::new((start + self.end) as u64, &table);

        let mut file = Replacement::of(path)?;
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
        file.sync()?;
        file.finish()?;
        Ok(true)
    }
}
