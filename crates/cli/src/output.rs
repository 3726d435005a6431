//! Outputs that cannot be written are refused before the work, not after it.

use crate::failure::{Failure, Result};
use std::path::Path;

/// Whether a path means standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The extension in lower case, without the dot; empty where there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Refuses a path at which no file can be made.
pub(crate) fn check(path: &Path) -> Result<()> {
    if is_standard(path) {
        return Ok(());
    }
    // A link stands for the file behind it.
    let path_behind = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match path_behind.metadata() {
        Ok(found) if found.is_dir() => Err(Failure::about(path.display(), "is a directory")),
        // Opening a pipe for a test would be the end of it for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        _ => {
            let folder = path_behind.parent().filter(|folder| !folder.as_os_str().is_empty());
            let trial = tempfile::tempfile_in(folder.unwrap_or(Path::new(".")));
            trial.map(drop).map_err(|error| Failure::about(path.display(), error))
        }
    }
}

/// The same for a picture, which is a PNG file and is called one.
pub(crate) fn check_picture(path: &Path) -> Result<()> {
    let is_device = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if !is_standard(path) && !is_device && extension(path) != "png" {
        return Err(Failure::about(path.display(), "pictures are PNG files; end the name in .png"));
    }
    check(path)
}
