//! Writes files of sections, which get their name when they are complete.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{Entry, Header, PAGE, Result, checksum};
use crate::threads::Stop;

const PIECE: usize = 4 << 20;

#[derive(Default)]
pub(crate) struct SectionWriter<'a> {
    sections: Vec<(Entry, Cow<'a, [u8]>)>,
    /// The end of the last section, relative to the first.
    end: usize,
}

impl<'a> SectionWriter<'a> {
    /// Adds a section, marked as needed, on the next cache line or page: right behind the section
    /// before it, if that fills whole lines. Names have at most 16 letters; `number` tells those of
    /// the same name apart.
    pub(crate) fn add(
        &mut self,
        name: &str,
        number: u32,
        align: usize,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) {
        let bytes = bytes.into();
        let first = self.end.next_multiple_of(align);
        self.end = first + bytes.len();
        let entry = Entry {
            name: Entry::name_of(name),
            number,
            is_needed: 1,
            first: first as u64,
            length: bytes.len() as u64,
            // Summed when the file is written.
            checksum: 0,
        };
        self.sections.push((entry, bytes));
    }

    pub(crate) fn length(&self) -> usize {
        self.start() + self.end
    }

    fn start(&self) -> usize {
        let head = size_of::<Header>() + self.sections.len() * size_of::<Entry>();
        head.next_multiple_of(PAGE)
    }

    /// Writes the file and flushes it to the disk, then gives it its name, replacing an older one.
    /// Returns whether [`write_to`](Self::write_to) was complete.
    pub(crate) fn write(
        self,
        path: &Path,
        stop: Stop<'_>,
        written: impl Fn(usize) -> ControlFlow<()>,
    ) -> Result<bool> {
        let mut file = Replacement::of(path)?;
        let is_complete = self.write_to(&mut file, stop, written)?;
        if is_complete {
            file.as_file_mut().sync_all()?;
            file.finish()?;
        }
        Ok(is_complete)
    }

    /// Writes the bytes of the file. `written` gets the number of further ones and may stop the
    /// writing, and so may `stop` before it begins. Returns whether neither did.
    pub(crate) fn write_to(
        mut self,
        file: &mut impl Write,
        stop: Stop<'_>,
        written: impl Fn(usize) -> ControlFlow<()>,
    ) -> Result<bool> {
        let (start, length) = (self.start(), self.length());
        for (entry, bytes) in &mut self.sections {
            entry.first += start as u64;
            let Some((sum, _)) = checksum(bytes, stop, |_, _| ()) else { return Ok(false) };
            entry.checksum = sum;
        }
        let table: Vec<Entry> = self.sections.iter().map(|(entry, _)| *entry).collect();
        let header = Header::new(length as u64, &table);
        let head =
            [(0, bytemuck::bytes_of(&header)), (size_of::<Header>(), bytemuck::cast_slice(&table))];
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
        Ok(true)
    }
}

/// A file under construction, beside the final path: the final rename stays on one file system.
/// Dropped without [`finish`](Self::finish), it leaves nothing, and an older file stays.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// A replacement for the file at `path`, with the permissions of an existing one.
    pub fn of(path: &Path) -> io::Result<Self> {
        // A link stays; its target is replaced.
        let path = behind_links(path);
        let found = path.metadata().ok();
        if let Some(found) = &found {
            if found.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if !found.is_file() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "is a pipe or a device"));
            }
            // The rename needs permission for the folder only; a read-only file must stay.
            File::options().write(true).open(&path)?;
        }
        let folder = folder(&path);
        // Created like any new file; the crate closes its own to others, and puts their names into
        // its errors.
        let file = tempfile::Builder::new()
            .prefix(".lanecast-")
            .suffix(".part")
            .make_in(folder, |path| {
                File::options().read(true).write(true).create_new(true).open(path)
            })
            .map_err(|error| match error.kind() {
                kind @ io::ErrorKind::NotFound => io::Error::new(
                    kind,
                    format!("the folder \"{}\" does not exist", folder.display()),
                ),
                _ => error,
            })?;
        if let Some(found) = found {
            file.as_file().set_permissions(found.permissions())?;
        }
        Ok(Self { file, path })
    }

    /// The file under construction.
    pub fn as_file_mut(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// Renames the file to its path.
    pub fn finish(self) -> io::Result<()> {
        self.file.persist(self.path).map(drop).map_err(|error| error.error)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The path of the file that a path leads to by links, whether or not there is such a file.
pub fn behind_links(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const MOST: usize = 40;
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let next = |path: &PathBuf| path.read_link().ok().map(|target| folder(path).join(target));
    std::iter::successors(Some(path.to_owned()), next)
        .take(MOST)
        .last()
        .unwrap_or_else(|| path.to_owned())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
