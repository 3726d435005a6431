//! Points and normals of hits.

use crate::failure::{Failure, Result};
use crate::mesh::Meshes;
use crate::precision::Number;
use crate::rays::point_at;
use crate::vector::{Vector, add, cross, dot, nearest, scale, unit, wide};
use clap::ValueEnum;
use lanecast::{Affine, Hit, HitBatch, Ray, answers::AllHitsBatch};
use lanecast_io::{Mesh, excerpt};
use std::path::Path;

/// Which normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Normals {
    /// Perpendicular to what is hit
    Geometric,
    /// Those of the mesh's vertices, interpolated
    Shading,
}

/// A point for each ray, NaN where it hits nothing.
pub(super) fn points_into<T: Number>(
    points: &mut Vec<[T; 3]>,
    rays: &[Ray<T>],
    hits: &HitBatch<T>,
) {
    let none = [T::nearest(f64::NAN); 3];
    points.clear();
    let rows = rays.iter().enumerate();
    points.extend(rows.map(|(row, ray)| hits.hit(row).map_or(none, |hit| point_at(ray, hit.t))));
}

/// A point for each hit.
pub(super) fn points_of_all_into<T: Number>(
    points: &mut Vec<[T; 3]>,
    rays: &[Ray<T>],
    all: &AllHitsBatch<T>,
) {
    points.clear();
    for (number, ray) in rays.iter().enumerate() {
        points.extend(all.of_ray(number).iter().map(|hit| point_at(ray, hit.t)));
    }
}

/// A normal of length 1 for each ray, NaN where it hits nothing; of a batch with normals. They are
/// those of vertices if they are there.
pub(super) fn normals_into<T: Number>(
    normals: &mut Vec<[T; 3]>,
    vertices: Option<&VertexNormals<'_, T>>,
    hits: &HitBatch<T>,
) {
    normals.clear();
    let normal = |row: usize| match (hits.hit(row), vertices) {
        (None, _) => [T::nearest(f64::NAN); 3],
        (Some(_), None) => nearest(unit(wide(hits.geometric_normal()[row]))),
        (Some(hit), Some(vertices)) => vertices.at(&hit),
    };
    normals.extend((0..hits.len()).map(normal));
}

/// Meshes whose vertices all have normals.
#[derive(Debug)]
pub(super) struct VertexNormals<'a, T: Number>(&'a Meshes<T>);

impl<'a, T: Number> VertexNormals<'a, T> {
    /// Refuses a file of which a mesh has none.
    pub(super) fn of(path: &Path, meshes: &'a Meshes<T>) -> Result<Self> {
        if meshes.are_of_scene_file() {
            let problem = "a scene file has no vertex normals; cast the rays at the mesh for --normals shading";
            return Err(Failure::about(path.display(), problem));
        }
        let lacks = |mesh: &&Mesh<T>| mesh.normals.is_none() && !mesh.triangles.is_empty();
        let Some(without) = meshes.iter().chain(meshes.in_places()).find(lacks) else {
            return Ok(Self(meshes));
        };
        let problem = match without.name.as_str() {
            "" => "the mesh has no vertex normals for --normals shading".to_owned(),
            name => {
                format!("mesh \"{}\" has no vertex normals for --normals shading", excerpt(name))
            }
        };
        Err(Failure::about(path.display(), problem))
    }

    /// The normals of the corners of what is hit as unit vectors in the frame of the scene,
    /// weighted by u and v in `f64` and made a unit vector; zero where they cancel out.
    fn at(&self, hit: &Hit<T>) -> [T; 3] {
        let (meshes, transform) = self.0.of_instance(hit.instance_id);
        let mesh = &meshes[hit.geometry_id as usize];
        let corners = mesh.triangles[hit.primitive_id as usize];
        let (u, v) = (hit.u.to_f64(), hit.v.to_f64());
        let mut sum = [0.0; 3];
        for (vertex, weight) in corners.into_iter().zip([1.0 - u - v, u, v]) {
            let normal = mesh.normals.as_ref().map_or([0.0; 3], |normals| normals[vertex as usize]);
            let normal = wide(normal);
            let carried = transform.map_or(normal, |transform| normal_to(transform, normal));
            sum = add(sum, scale(unit(carried), weight));
        }
        nearest(unit(sum))
    }
}

/// A normal in the frame to which a map leads, of any length: by the transpose of the inverse.
fn normal_to(transform: &Affine, normal: Vector) -> Vector {
    let [x, y, z] = transform.rows().map(|[x, y, z, _]| [x, y, z]);
    let sign = if transform.is_mirrored() { -1.0 } else { 1.0 };
    // The matrix of cofactors is that, times the determinant.
    [cross(y, z), cross(z, x), cross(x, y)].map(|row| sign * dot(row, normal))
}
