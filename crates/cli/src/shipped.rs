//! Where the meshes lie that lanecast ships.

use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};

/// The terrain: metres, x east, y north, z up.
pub(crate) const TERRAIN: &str = "jacksboro.ply";
/// A closed solid, in millimetres.
pub(crate) const SOLID: &str = "gyroid.ply";

/// Finds a shipped file: in `folder` if the user named one, else in `data` of the current folder,
/// or of any folder above the package that cargo runs or above the program.
pub(crate) fn find(name: &str, folder: Option<&Path>) -> Result<PathBuf> {
    if let Some(folder) = folder {
        return Ok(folder.join(name));
    }
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let program = std::env::current_exe().ok();
    std::iter::once(Path::new(""))
        .chain(package.iter().chain(&program).flat_map(|path| path.ancestors().skip(1)))
        .map(|folder| folder.join("data").join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            let path = Path::new("data").join(name);
            Failure::about(
                path.display(),
                "not found in this folder nor above the program; run lanecast in its repository, or say where \
                 the meshes are (demo --data FOLDER, bench MESH)",
            )
        })
}
