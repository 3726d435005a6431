//! Writes files of sections.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use super::Replacement;
use super::checksum::checksum;
use super::header::{CACHE_LINE, Entry, Header, PAGE};
use crate::error::FileProblem;

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

    /// Writes the file, which has its name, and takes the place of another that had it, when it is complete and on
    /// the disk.
    pub(crate) fn write(mut self, path: &Path) -> Result<(), FileProblem> {
        let head = size_of::<Header>() + self.sections.len() * size_of::<Entry>();
        let start = head.next_multiple_of(PAGE);
        for (entry, _) in &mut self.sections {
            entry.first += start as u64;
        }
        let table: Vec<Entry> = self.sections.iter().map(|(entry, _)| *entry).collect();
        let header = Header::new((start + self.end) as u64, &table);

        let mut file = Replacement::of(path)?;
        let mut written = 0;
        for (first, bytes) in
            [(0, bytemuck::bytes_of(&header)), (size_of::<Header>(), bytemuck::cast_slice(&table))]
                .into_iter()
                .chain(self.sections.iter().map(|(entry, bytes)| (entry.first as usize, &**bytes)))
        {
            file.write_all(&[0; PAGE][..first - written])?;
            file.write_all(bytes)?;
            written = first + bytes.len();
        }
        file.write_all(&[0; PAGE][..start.saturating_sub(written)])?;
        file.sync()?;
        Ok(file.finish()?)
    }
}
