//! What is measured of a mesh.

use super::topology::{Edges, Topology, place_of};
use crate::failure::{Failure, Result};
use crate::precision::Number;
use crate::vector::{Vector, cross, dot, length, sub, wide};
use lanecast::Aabb;
use lanecast_io::Mesh;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// A mesh in numbers. All geometries of a file count together.
#[derive(Debug, Serialize)]
pub(super) struct Measures {
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    /// The corners of the least box around the triangles.
    pub(super) bounds: Option<[Vector; 2]>,
    pub(super) surface_area: f64,
    /// Of a closed mesh; negative if its triangles face inward.
    pub(super) volume: Option<f64>,
    /// Has triangles, and every edge is run along as often one way as the other, as queries of what
    /// is inside need it.
    pub(super) closed: bool,
    pub(super) components: usize,
    /// Vertices at a position where another of the same geometry, with the same normal if they have
    /// any, comes before.
    pub(super) duplicate_vertices: usize,
    /// Vertices that no triangle names.
    pub(super) unused_vertices: usize,
    /// Triangles without area.
    pub(super) degenerate_triangles: usize,
    /// Triangles with the same three corners as one before.
    pub(super) duplicate_triangles: usize,
    /// Polygons of the file that cross themselves.
    pub(super) self_crossing_faces: usize,
    #[serde(flatten)]
    pub(super) edges: Edges,
    /// Boundary edges if these duplicate vertices were not joined.
    pub(super) boundary_edges_by_index: usize,
}

impl Measures {
    /// # Errors
    /// The geometries have more vertices together than a number of 32 bits can count.
    pub(super) fn new<T: Number>(path: &Path, meshes: &[Mesh<T>]) -> Result<Self> {
        let firsts =
            first_vertices(meshes.iter().map(|mesh| mesh.vertices.len())).ok_or_else(|| {
                Failure::about(path.display(), "more than 4294967295 vertices in all geometries")
            })?;
        let positions: Vec<[T; 3]> =
            meshes.iter().flat_map(|mesh| mesh.vertices.iter().copied()).collect();
        let mut triangles: Vec<[u32; 3]> =
            Vec::with_capacity(meshes.iter().map(|mesh| mesh.triangles.len()).sum());
        for (mesh, first_vertex) in meshes.iter().zip(firsts) {
            triangles.extend(
                mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first_vertex)),
            );
        }

        let (mut area, mut volume, mut degenerate) = (0.0, 0.0, 0);
        let mut bounds = Aabb::EMPTY;
        let mut used = vec![false; positions.len()];
        // Volumes of cones from a point of the mesh, so that coordinates far from 0 cost no digits.
        let apex =
            triangles.first().map_or([0.0; 3], |triangle| wide(positions[triangle[0] as usize]));
        for triangle in &triangles {
            triangle.iter().for_each(|&vertex| used[vertex as usize] = true);
            let corners = triangle.map(|vertex| positions[vertex as usize]);
            bounds = bounds.union(&Aabb::around(corners));
            let [a, b, c]: [Vector; 3] = corners.map(|corner| sub(wide(corner), apex));
            let twice_area = length(cross(sub(b, a), sub(c, a)));
            area += twice_area / 2.0;
            volume += dot(a, cross(b, c)) / 6.0;
            degenerate += usize::from(twice_area == 0.0);
        }

        let is_duplicate: Vec<bool> = meshes.iter().flat_map(duplicates).collect();
        let duplicate_vertices = is_duplicate.iter().filter(|duplicate| **duplicate).count();
        let topology = Topology::joined(&positions, &triangles);
        let edges = topology.edges();
        let closed =
            !triangles.is_empty() && edges.boundary_edges == 0 && edges.misoriented_edges == 0;
        Ok(Self {
            vertices: positions.len(),
            triangles: triangles.len(),
            bounds: (!bounds.is_empty()).then_some([decimal(bounds.min), decimal(bounds.max)]),
            surface_area: area,
            volume: closed.then_some(volume),
            closed,
            components: topology.components(),
            duplicate_vertices,
            unused_vertices: used.iter().filter(|used| !**used).count(),
            degenerate_triangles: degenerate,
            duplicate_triangles: topology.duplicate_triangles(),
            self_crossing_faces: meshes.iter().map(|mesh| mesh.self_crossing_faces).sum(),
            edges,
            boundary_edges_by_index: match duplicate_vertices {
                0 => edges.boundary_edges,
                _ => Topology::new(&positions, &triangles, &is_duplicate).edges().boundary_edges,
            },
        })
    }
}

/// The numbers that are written like these, in the fewest digits of their precision.
pub(super) fn decimal<T: Number>(v: [T; 3]) -> Vector {
    v.map(|x| x.to_string().parse().unwrap_or_else(|_| x.to_f64()))
}

/// Which vertices are as one before. Those with several normals are in the file once for each, and
/// those at the border of two geometries in both: neither is a fault.
fn duplicates<T: Number>(mesh: &Mesh<T>) -> Vec<bool> {
    let mut known = HashSet::with_capacity(mesh.vertices.len());
    let normal = |vertex: usize| mesh.normals.as_ref().map(|normals| place_of(normals[vertex]));
    let places = mesh.vertices.iter().map(|position| place_of(*position));
    let is_at_a_place =
        |vertex: usize| mesh.unusable_vertices.binary_search(&(vertex as u32)).is_err();
    let is_duplicate =
        |(vertex, place)| is_at_a_place(vertex) && !known.insert((place, normal(vertex)));
    places.enumerate().map(is_duplicate).collect()
}

/// The number of each geometry's first vertex when all are counted through, of geometries with so
/// many vertices; none if the last vertex's number does not fit.
fn first_vertices(counts: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
    let mut next = 0_u32;
    counts
        .map(|count| {
            let first = next;
            next = next.checked_add(u32::try_from(count).ok()?)?;
            Some(first)
        })
        .collect()
}

#[cfg(test)]
#[path = "../../tests/unit/info/measures.rs"]
mod tests;
