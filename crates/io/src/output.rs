//! Where output goes: a file that appears under its name only when it is complete, or a pipe.

use super::error::{FileName, InFile, Result};
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use lanecast::support::Replacement;

/// The path that means standard input or output.
const STANDARD: &str = "-";

/// An open output. Dropped without [`finish`](Self::finish), it leaves no file.
#[derive(Debug)]
pub(super) struct Output {
    target: BufWriter<Target>,
}

#[derive(Debug)]
enum Target {
    Temporary(Replacement),
    /// A pipe or device under a name, which a rename would replace.
    Device(File),
    Standard(Stdout),
}

/// What an output is called in messages.
pub(super) fn name_of(path: &Path) -> FileName {
    if is_standard(path) { FileName::standard_output() } else { FileName::of(path) }
}

impl Output {
    /// Opens the output at `path`, `-` being standard output.
    pub(super) fn create(path: &Path) -> Result<(Self, FileName)> {
        let name = name_of(path);
        let target = open(path).in_file(&name)?;
        Ok((Self { target: BufWriter::with_capacity(1 << 16, target) }, name))
    }

    /// The file beneath, with everything written so far in it, if it is one that can seek.
    pub(super) fn as_file(&mut self) -> io::Result<Option<&mut File>> {
        self.target.flush()?;
        Ok(match self.target.get_mut() {
            Target::Temporary(file) => Some(file.as_file_mut()),
            Target::Device(_) | Target::Standard(_) => None,
        })
    }

    /// A temporary file without a name, in the folder of the output, where there is room for it.
    pub(super) fn spool(&self) -> io::Result<File> {
        match self.target.get_ref() {
            Target::Temporary(file) => tempfile::tempfile_in(file.folder()),
            Target::Device(_) | Target::Standard(_) => tempfile::tempfile(),
        }
    }

    /// Writes out what is buffered and gives the file its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.target.flush()?;
        match self.target.into_inner().map_err(io::IntoInnerError::into_error)? {
            Target::Temporary(file) => file.finish(),
            Target::Device(_) | Target::Standard(_) => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Temporary(file) => file.write(bytes),
            Self::Device(file) => file.write(bytes),
            Self::Standard(standard) => standard.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary(file) => file.flush(),
            Self::Device(file) => file.flush(),
            Self::Standard(standard) => standard.flush(),
        }
    }
}

/// Whether `path` means standard output.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// Whether there is a pipe or device at `path`, whose name says nothing about a format.
pub(super) fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn open(path: &Path) -> io::Result<Target> {
    if is_standard(path) {
        return Ok(Target::Standard(io::stdout()));
    }
    if is_device(path) {
        return File::options().write(true).open(path).map(Target::Device);
    }
    Replacement::of(path).map(Target::Temporary)
}
