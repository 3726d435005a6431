//! A file that takes its name when it is complete.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file on its way. Dropped without [`finish`](Self::finish), it leaves nothing, and what was at its path stays.
///
/// Written beside the final name, so that the rename at the end stays on one file system.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// What is to be the file at `path`, with the permissions of one that is there.
    pub fn of(path: &Path) -> io::Result<Self> {
        // A link keeps pointing where it points; the file behind it is the one to replace.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let permissions = match path.metadata() {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "is a pipe or a device"));
            }
            found => found.ok().map(|found| found.permissions()),
        };
        if permissions.is_some() {
            // The rename asks only for the folder; a file that may not be written stays.
            File::options().write(true).open(&path)?;
        }
        let folder = folder(&path);
        // Created like any new file; the crate closes its own to others, and puts their names into its errors.
        let file = tempfile::Builder::new()
            .prefix(".lanecast-")
            .suffix(".part")
            .make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path))
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    let what = format!("the folder \"{}\" does not exist", folder.display());
                    io::Error::new(io::ErrorKind::NotFound, what)
                }
                _ => error,
            })?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self { file, path })
    }

    /// The file that it is so far.
    pub fn as_file_mut(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_file().sync_all()
    }

    /// Gives the file its name.
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

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
