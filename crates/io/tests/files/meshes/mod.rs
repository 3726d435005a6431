//! Mesh files: every format gives the same mesh, and nothing a file holds makes a panic.

mod compressed;
mod faces;
mod files;
mod khronos;
mod names;
mod normals;
mod outside;
mod polygons;
mod precision;
mod promises;
mod refused;
mod regress;
mod sound;
mod time;
mod unusable;
mod written;

use crate::folder::Folder;
use lanecast_io::{Error, Mesh, Model, read_model};

impl Folder {
    fn model(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<Model, Error> {
        read_model(&self.file(name, bytes))
    }

    fn meshes(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<Vec<Mesh>, Error> {
        self.model(name, bytes).and_then(Model::into_meshes)
    }

    fn only_mesh(&self, name: &str, bytes: impl AsRef<[u8]>) -> Mesh {
        let mut meshes = self.meshes(name, bytes).unwrap();
        assert_eq!(meshes.len(), 1);
        meshes.remove(0)
    }

    fn mesh_error(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.error_of(name, self.meshes(name, bytes))
    }
}
