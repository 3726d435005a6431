//! From a mesh file, or a scene file, to a scene, with every error naming the file.

mod build;
mod built;
mod meshes;
mod read;
mod values;

pub(crate) use build::{build, build_anew, build_filled, build_warning, closing, refusal};
pub(crate) use built::{Built, Held};
pub(crate) use meshes::Meshes;
pub(crate) use read::{MeshArguments, Read, Subject, read, read_in, shown};
pub(crate) use values::{Of, ValueFile, Values};
