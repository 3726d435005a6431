//! Numbers of triangles, vertices or faces of a mesh, as another file has them.

use super::Meshes;
use crate::failure::{Failure, Result};
use crate::number::counted;
use crate::precision::Number;
use lanecast::{Hit, INVALID_ID};
use lanecast_io::{Mesh, read_values};
use std::path::{Path, PathBuf};

/// A file of numbers, and the column that is meant, where one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueFile {
    pub(crate) path: PathBuf,
    pub(crate) column: Option<String>,
}

impl ValueFile {
    /// Reads `FILE` or `FILE:COLUMN`.
    pub(crate) fn parse(text: &str) -> Self {
        match text.rsplit_once(':') {
            Some((path, column)) if !path.is_empty() && !Path::new(text).exists() => {
                Self { path: path.into(), column: Some(column.to_owned()) }
            }
            _ => Self { path: text.into(), column: None },
        }
    }
}

/// What values are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Triangles,
    Vertices,
    Faces,
}

impl Of {
    const fn name(self) -> &'static str {
        match self {
            Self::Triangles => "triangle",
            Self::Vertices => "vertex",
            Self::Faces => "face",
        }
    }

    fn count<T: Number>(self, mesh: &Mesh<T>) -> usize {
        match (self, &mesh.face_ids) {
            (Self::Vertices, _) => mesh.vertices.len(),
            (Self::Faces, Some(ids)) => ids.iter().max().map_or(0, |&last| last as usize + 1),
            _ => mesh.triangles.len(),
        }
    }
}

/// Values of a mesh file, with the number of the first one of each mesh.
#[derive(Debug)]
pub(crate) struct Values {
    of: Of,
    pub(crate) values: Vec<f32>,
    starts: Vec<usize>,
}

impl Values {
    /// As many as there are of these in all meshes of the file, one mesh after the other. If several
    /// of these are equally many, they are of the first. What can be done otherwise is said of
    /// instances and shapes, for which there can be none.
    pub(crate) fn new<T: Number, const N: usize>(
        file: &ValueFile,
        known: [Of; N],
        (mesh, meshes): (&Path, &Meshes<T>),
        otherwise: &str,
    ) -> Result<Self> {
        let values = read_values(&file.path, file.column.as_deref())?;
        if !meshes.are_of_scene_file() && meshes.in_places().next().is_some()
            || meshes.are_of_scene_file() && meshes.scene_with_more().is_some()
        {
            let problem = format!("has instances or shapes, for which {otherwise}");
            return Err(Failure::about(mesh.display(), problem));
        }
        let counts = |of: Of| meshes.iter().map(move |mesh| of.count(mesh));
        // Faces are numbered through the file, and vertices of a scene file have no numbers.
        let total = |of| match of {
            Of::Faces => counts(of).max().unwrap_or(0),
            of => counts(of).sum(),
        };
        let known = &known[..if meshes.are_of_scene_file() { 1 } else { N }];
        let Some(&of) = known.iter().find(|of| total(**of) == values.len()) else {
            let there: Vec<_> = known.iter().map(|&of| counted(total(of), of.name())).collect();
            let problem = format!(
                "{}; there must be one for each of {}",
                counted(values.len(), "value"),
                there.join(", ")
            );
            return Err(Failure::about(file.path.display(), problem));
        };
        let mut start = 0;
        let next = |count| {
            start += count;
            start - count
        };
        let starts = counts(of).map(next).collect();
        let starts = if of == Of::Faces { vec![0; meshes.len()] } else { starts };
        Ok(Self { of, values, starts })
    }

    /// The value of a triangle of a mesh with this number; none if values are of vertices.
    pub(crate) fn of_triangle<T: Number>(
        &self,
        (number, mesh): (usize, &Mesh<T>),
        triangle: usize,
    ) -> Option<f32> {
        let place = match (self.of, &mesh.face_ids) {
            (Of::Vertices, _) => return None,
            (Of::Faces, Some(ids)) => *ids.get(triangle)? as usize,
            _ => triangle,
        };
        self.values.get(self.starts.get(number)? + place).copied()
    }

    /// The value where a ray meets the surface: between vertices as the hit lies between them.
    pub(crate) fn at<T: Number>(&self, hit: &Hit<T>, meshes: &Meshes<T>) -> Option<f32> {
        let (geometry, triangle) = (hit.geometry_id as usize, hit.primitive_id as usize);
        if hit.instance_id != INVALID_ID {
            return None;
        }
        let mesh = meshes.get(geometry)?;
        if self.of != Of::Vertices {
            return self.of_triangle((geometry, mesh), triangle);
        }
        let start = *self.starts.get(geometry)?;
        let [u, v] = [hit.u, hit.v].map(|weight| weight.to_f64() as f32);
        let weights = [1.0 - u - v, u, v];
        let corners = mesh.triangles.get(triangle)?.iter().zip(weights);
        // A corner of no weight does not count, not even as NaN.
        let seen = corners.filter(|&(_, weight)| weight > 0.0);
        Some(seen.map(|(&vertex, weight)| weight * self.values[start + vertex as usize]).sum())
    }
}
