//! Normals of meshes whose file has none: smooth over edges at which two triangles nearly lie in a
//! plane, creased at others.

use crate::vector::{Vector, add, cross, dot, nearest, scale, sub, unit, wide};
use lanecast_io::{Coordinate, Mesh};

/// The cosine of 40°, the greatest angle between triangles that share a normal.
const CREASE: f64 = 0.766_044_443_118_978;
/// A vertex of more triangles is the tip of a fan, where a mean would cost the square of their
/// number.
const MOST: usize = 512;

/// A normal for each corner of each triangle, of length 1, or zero where the triangle has no area.
///
/// The mean of the triangles around the vertex that are within [`CREASE`] of the corner's own, each
/// by the weight of Max ("Weights for computing vertex normals from facet normals", 1999), which is
/// exact on spheres.
pub(super) fn corner_normals<T: Coordinate>(mesh: &Mesh<T>) -> Vec<[[f32; 3]; 3]> {
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| wide(mesh.vertices[vertex as usize]));
    let weighted = |triangle: &[u32; 3], corner: usize| {
        let corners = corners(triangle);
        let [a, b, c] = [0, 1, 2].map(|next| corners[(corner + next) % 3]);
        let (e, f) = (sub(b, a), sub(c, a));
        let weight = 1.0 / (dot(e, e) * dot(f, f));
        if weight.is_finite() { scale(cross(e, f), weight) } else { [0.0; 3] }
    };
    let facet = |triangle: &[u32; 3]| -> Vector {
        let [a, b, c] = corners(triangle);
        unit(cross(sub(b, a), sub(c, a)))
    };
    let facets: Vec<Vector> = mesh.triangles.iter().map(facet).collect();
    // The corners at each vertex, as a run of all corners: 3 times the triangle, plus the number in
    // it.
    let mut ends = vec![0_usize; mesh.vertices.len() + 1];
    for &vertex in mesh.triangles.as_flattened() {
        ends[vertex as usize + 1] += 1;
    }
    for vertex in 1..ends.len() {
        ends[vertex] += ends[vertex - 1];
    }
    let starts = ends.clone();
    let mut around = vec![0_usize; 3 * mesh.triangles.len()];
    for (corner, &vertex) in mesh.triangles.as_flattened().iter().enumerate() {
        let next = &mut ends[vertex as usize];
        around[*next] = corner;
        *next += 1;
    }
    let normal = |(own, triangle): (usize, &[u32; 3])| {
        triangle.map(|vertex| {
            let around = &around[starts[vertex as usize]..ends[vertex as usize]];
            let near = |corner: &&usize| dot(facets[**corner / 3], facets[own]) > CREASE;
            let sum =
                |sum, &corner: &usize| add(sum, weighted(&mesh.triangles[corner / 3], corner % 3));
            let mean = match around.len() {
                ..=MOST => unit(around.iter().filter(near).fold([0.0; 3], sum)),
                _ => facets[own],
            };
            nearest(if mean == [0.0; 3] { facets[own] } else { mean })
        })
    };
    mesh.triangles.iter().enumerate().map(normal).collect()
}
