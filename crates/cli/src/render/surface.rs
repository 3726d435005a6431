//! Where rays of a camera meet a surface, and how it lies there.

use super::crease::corner_normals;
use crate::failure::{Failure, Result};
use crate::mesh::Meshes;
use crate::precision::Number;
use crate::vector::{Vector, add, cross, dot, scale, sub, unit, wide};
use clap::ValueEnum;
use lanecast::{Affine, Hit, INVALID_ID, Ray};
use lanecast_io::{Mesh, excerpt};
use std::path::Path;

/// Which normals the light falls on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Normals {
    /// Those of the mesh's vertices; where the file has none, smooth but for edges sharper than 40°
    #[default]
    Auto,
    /// Perpendicular to each triangle
    Geometric,
    /// Those of the mesh's vertices, which it must have
    Shading,
}

/// The normals of a mesh.
#[derive(Debug)]
enum OfMesh<'a> {
    Facets,
    Vertices(&'a [[f32; 3]]),
    Corners(Vec<[[f32; 3]; 3]>),
}

/// The normals of all meshes of a file, in its order.
#[derive(Debug)]
pub(super) struct Surface<'a, T: Number> {
    meshes: &'a Meshes<T>,
    normals: Vec<OfMesh<'a>>,
    lift: f64,
}

/// A point of a surface that a camera sees. Normals have length 1, and are on the side from which
/// it is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// Where rays to the light start: off the surface.
    pub(super) start: Vector,
    /// Of the smooth surface.
    pub(super) normal: Vector,
    /// Of the triangle.
    pub(super) facet: Vector,
    /// Towards the camera.
    pub(super) view: Vector,
}

impl<'a, T: Number> Surface<'a, T> {
    /// Rays to the light start at this height above it.
    pub(super) fn new(
        path: &Path,
        meshes: &'a Meshes<T>,
        normals: Normals,
        lift: f64,
    ) -> Result<Self> {
        let all = || meshes.iter().chain(meshes.in_places());
        if normals == Normals::Shading {
            let lacks = |mesh: &&Mesh<T>| mesh.normals.is_none() && !mesh.triangles.is_empty();
            let problem = match all().find(lacks) {
                _ if meshes.are_of_scene_file() => {
                    Some("a scene file has no vertex normals".to_owned())
                }
                Some(mesh) if mesh.name.is_empty() => {
                    Some("the mesh has no vertex normals".to_owned())
                }
                Some(mesh) => {
                    Some(format!("mesh \"{}\" has no vertex normals", excerpt(&mesh.name)))
                }
                None => None,
            };
            if let Some(problem) = problem {
                return Err(Failure::about(path.display(), problem + " for --normals shading"));
            }
        }
        let of_mesh = |mesh: &'a Mesh<T>| match &mesh.normals {
            _ if normals == Normals::Geometric => OfMesh::Facets,
            Some(normals) => OfMesh::Vertices(normals),
            None => OfMesh::Corners(corner_normals(mesh)),
        };
        Ok(Self { meshes, normals: all().map(of_mesh).collect(), lift })
    }

    /// The point at which a ray meets the surface; `normal` is that of the triangle.
    pub(super) fn spot(&self, ray: &Ray<T>, hit: &Hit<T>, normal: [T; 3]) -> Spot {
        let direction = wide(ray.direction);
        let facet = match unit(wide(normal)) {
            facet if dot(facet, direction) > 0.0 => scale(facet, -1.0),
            facet => facet,
        };
        let point = add(wide(ray.origin), scale(direction, hit.t.to_f64()));
        let view = unit(scale(direction, -1.0));
        let flat = Spot { start: add(point, scale(facet, self.lift)), normal: facet, facet, view };
        let Some(corners) = self.corners(hit) else { return flat };
        let (u, v) = (hit.u.to_f64(), hit.v.to_f64());
        let weights = [1.0 - u - v, u, v];
        let mean = |values: [Vector; 3]| {
            values
                .into_iter()
                .zip(weights)
                .fold([0.0; 3], |sum, (value, weight)| add(sum, scale(value, weight)))
        };
        let sum = mean(corners.map(|(_, normal)| normal));
        let side = if dot(sum, facet) < 0.0 { -1.0 } else { 1.0 };
        let smooth = unit(scale(sum, side));
        if smooth == [0.0; 3] {
            return flat;
        }
        // Lifted to the smooth surface, so that the triangles in front do not shade where it faces
        // the light: the mean of the point's projections to the planes of the corners, of those
        // above it (Hanika, "Hacking the shadow terminator", Ray Tracing Gems II, 2021).
        let lifts = corners.map(|(position, normal)| {
            let normal = scale(normal, side);
            scale(normal, -dot(sub(point, position), normal).min(0.0))
        });
        Spot { start: add(flat.start, mean(lifts)), normal: smooth, ..flat }
    }

    /// The corners of a triangle with normals of length 1 in the frame of the scene, of a mesh that
    /// has them.
    fn corners(&self, hit: &Hit<T>) -> Option<[(Vector, Vector); 3]> {
        // What is placed in a scene file has no meshes here.
        if self.meshes.are_of_scene_file() && hit.instance_id != INVALID_ID {
            return None;
        }
        let number = hit.primitive_id as usize;
        let normals = self.normals.get(self.meshes.number_of(hit))?;
        let (meshes, transform) = self.meshes.of_instance(hit.instance_id);
        let mesh = meshes.get(hit.geometry_id as usize)?;
        let triangle = mesh.triangles.get(number)?;
        let normals = match normals {
            OfMesh::Facets => return None,
            OfMesh::Vertices(normals) => triangle.map(|vertex| normals[vertex as usize]),
            OfMesh::Corners(normals) => normals[number],
        };
        Some([0, 1, 2].map(|corner: usize| {
            let position = wide(mesh.vertices[triangle[corner] as usize]);
            let normal = wide(normals[corner]);
            match transform {
                None => (position, unit(normal)),
                Some(transform) => (transform.point(position), unit(carried(transform, normal))),
            }
        }))
    }
}

/// A normal in the frame to which a map leads, but for its length and, behind a mirror, its side:
/// by the cofactors.
fn carried(transform: &Affine, normal: Vector) -> Vector {
    let [x, y, z] = transform.rows().map(|[x, y, z, _]| [x, y, z]);
    [cross(y, z), cross(z, x), cross(x, y)].map(|row| dot(row, normal))
}
