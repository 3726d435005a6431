//! Files that get their name when they are complete.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file under construction. Dropped without [`finish`](Self::finish), it leaves nothing, and an older file stays.
///
/// It is written beside the final path, so that the final rename stays on one file system.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// A replacement for the file at `path`, with the permissions of an existing one.
    pub fn of(path: &Path) -> io::Result<Self> {
        // A link stays; its target is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
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
        // Created like any new file; the crate closes its own to others, and puts their names into its errors.
        let file = tempfile::Builder::new()
            .prefix(".lanecast-")
            .suffix(".part")
            .make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path))
            .map_err(|error| match error.kind() {
                kind @ io::ErrorKind::NotFound => {
                    io::Error::new(kind, format!("the folder \"{}\" does not exist", folder.display()))
                }
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

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
