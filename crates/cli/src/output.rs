//! Outputs that cannot be written, or must not be, are refused before anything is opened or read.

use crate::failure::{Failure, Result};
use clap::Args;
use lanecast::support::behind_links;
use lanecast_io::{excerpt_of_name, files_beside};
use same_file::Handle;
use std::path::{Path, PathBuf};

/// Whether a path means standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The extension in lower case, without the dot; empty where there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Whether there is a pipe or a device at a path: its name says nothing, and writing to it
/// overwrites nothing.
pub(crate) fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// What may become of a file that is there: the option of every subcommand that writes one.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Overwriting {
    /// Overwrite the output if it is there
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// A file to be written, and those that are read for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output<'a> {
    pub(crate) path: &'a Path,
    pub(crate) inputs: &'a [&'a Path],
    pub(crate) overwriting: Overwriting,
}

impl Output<'_> {
    /// Refuses a path at which no file can be made, one of the inputs, and a file that is there
    /// unless it may be overwritten. A file of no bytes has nothing to lose.
    pub(crate) fn check(&self) -> Result<()> {
        one_standard_input(self.inputs)?;
        let about =
            |problem: &dyn std::fmt::Display| Err(Failure::about(self.path.display(), problem));
        if let Some(input) = self.overwritten_input() {
            let input = match is_standard(&input) {
                true => "standard input".to_owned(),
                false => excerpt_of_name(&input.display().to_string()).into_owned(),
            };
            return about(&format_args!(
                "the output would overwrite the input {input}; give another name"
            ));
        }
        if is_standard(self.path) {
            return Ok(());
        }
        // A link stands for the file behind it, also where there is none yet.
        let path_behind = behind_links(self.path);
        match path_behind.metadata() {
            Ok(found) if found.is_dir() => about(&"is a directory"),
            // Opening a pipe for a test would be the end of it for its reader.
            Ok(found) if !found.is_file() => Ok(()),
            Ok(found) if found.len() > 0 && !self.overwriting.force => {
                about(&"there is such a file already; --force overwrites it")
            }
            _ => {
                let folder = path_behind.parent().filter(|folder| !folder.as_os_str().is_empty());
                let trial = tempfile::tempfile_in(folder.unwrap_or(Path::new(".")));
                trial.map(drop).or_else(|error| about(&error))
            }
        }
    }

    /// The same for a picture, which is a PNG file and is called one.
    pub(crate) fn check_picture(&self) -> Result<()> {
        self.check()?;
        if !is_standard(self.path) && !is_device(self.path) && extension(self.path) != "png" {
            return Err(Failure::about(
                self.path.display(),
                "pictures are PNG files; end the name in .png",
            ));
        }
        Ok(())
    }

    /// The same for a scene file, which is mapped, as a pipe cannot be, and is not to be called
    /// something else.
    pub(crate) fn check_scene(&self) -> Result<()> {
        self.check()?;
        let refuse = |problem: String| Err(Failure::about(self.path.display(), problem));
        if is_standard(self.path) || is_device(self.path) {
            return refuse("a scene file cannot go to a pipe".to_owned());
        }
        let extension = extension(self.path);
        if OF_OTHER_FORMATS.contains(&&*extension) {
            return refuse(format!(
                "\".{extension}\" means another format, and this is a scene file; end the name in .scene"
            ));
        }
        Ok(())
    }

    /// The input that the output is the same file as, by whatever name or link.
    fn overwritten_input(&self) -> Option<PathBuf> {
        let output = handle(self.path, Handle::stdout)?;
        // To read a pipe would be to take its bytes.
        let files = self.inputs.iter().filter(|input| !is_device(input));
        let buffers = files.flat_map(|input| files_beside(input));
        let all = self.inputs.iter().map(|input| input.to_path_buf()).chain(buffers);
        all.into_iter()
            .find(|input| handle(input, Handle::stdin).is_some_and(|input| input == output))
    }
}

/// Refuses standard input for more than one of the inputs: it would be read to its end for the
/// first.
pub(crate) fn one_standard_input(inputs: &[&Path]) -> Result<()> {
    match inputs.iter().filter(|input| is_standard(input)).count() {
        0 | 1 => Ok(()),
        count => Err(Failure::about(
            "standard input",
            format!("cannot be {count} inputs; give a file for one"),
        )),
    }
}

/// What tells one file from another, `-` being the given stream. Only files hold what can be lost,
/// and to open a pipe would be to wait for its other end.
fn handle(path: &Path, standard: fn() -> std::io::Result<Handle>) -> Option<Handle> {
    let is_file = |handle: &Handle| handle.as_file().metadata().is_ok_and(|found| found.is_file());
    if is_standard(path) {
        return standard().ok().filter(is_file);
    }
    path.metadata()
        .is_ok_and(|found| found.is_file())
        .then(|| Handle::from_path(path).ok())
        .flatten()
}

/// Extensions of the formats that the program reads and writes, but for that of scene files.
const OF_OTHER_FORMATS: [&str; 26] = [
    "obj", "ply", "stl", "off", "gltf", "glb", "tif", "tiff", "npy", "npz", "csv", "parquet",
    "arrow", "feather", "ipc", "arrows", "png", "xyz", "asc", "pts", "txt", "las", "laz", "pcd",
    "gz", "zst",
];
