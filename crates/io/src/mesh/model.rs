//! What a mesh file holds.

use super::faces::Faces;
use super::unusable::Unusable;
use super::{Coordinate, Source, counted};
use crate::error::Result;

/// A triangle mesh as its file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh<T = f32> {
    /// The name in the file, or that of the file without its extension.
    pub name: String,
    /// Positions, in the file's units.
    pub vertices: Vec<[T; 3]>,
    /// Three vertex numbers each, counter-clockwise seen from outside; all below
    /// `vertices.len()`.
    pub triangles: Vec<[u32; 3]>,
    /// The face that each triangle is of, by its number in the file from 0. `None` where every triangle has the number of its
    /// face: then no polygon of more corners and no strip was cut.
    pub face_ids: Option<Vec<u32>>,
    /// The normal of each vertex as the file has it, of any length; of a vertex that no triangle names it may be 0.
    pub normals: Option<Vec<[f32; 3]>>,
}

impl<T> Default for Mesh<T> {
    fn default() -> Self {
        Self {
            name: String::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            face_ids: None,
            normals: None,
        }
    }
}

/// What a mesh file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Model<T = f32> {
    /// The meshes, in the order of the file.
    pub meshes: Vec<Mesh<T>>,
    /// What of the file is not in the meshes, or is there in another form: a line each, without the file's name. Colours,
    /// materials and texture coordinates are never there, and not told of.
    pub remarks: Vec<String>,
}

impl<T> Model<T> {
    /// One mesh with the name of the file.
    pub(super) fn of_one(
        source: &Source,
        mut vertices: Vec<[T; 3]>,
        normals: Option<Vec<[f32; 3]>>,
        faces: Faces,
        unusable: Unusable,
    ) -> Result<Self>
    where
        T: Coordinate,
    {
        let mut remarks = Vec::new();
        if faces.too_small > 0 {
            let count = counted(faces.too_small, "face", "faces");
            remarks.push(format!("{count} of fewer than three vertices left out"));
        }
        unusable.settle(source, &mut vertices, faces.triangles.iter(), &mut remarks)?;
        let (triangles, face_ids) = faces.into_parts();
        Ok(Self {
            meshes: vec![Mesh { name: source.name.clone(), vertices, triangles, face_ids, normals }],
            remarks,
        })
    }

    /// The meshes alone.
    pub fn into_meshes(self) -> Vec<Mesh<T>> {
        self.meshes
    }
}
