//! Triangles that share vertices.

use std::sync::Arc;

use crate::vector::{cross, minus, plus, times, unit};

/// A triangle mesh.
#[derive(Debug)]
pub(crate) struct Mesh {
    /// One more than there are: who reads 16 bytes at a time reads past a vertex.
    padded_vertices: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Mesh {
    pub(crate) fn new(mut vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Arc<Self> {
        vertices.push([0.0; 3]);
        Arc::new(Self { padded_vertices: vertices, triangles })
    }

    pub(crate) fn vertices(&self) -> &[[f32; 3]] {
        &self.padded_vertices[..self.padded_vertices.len() - 1]
    }

    /// The vertices and a last one that belongs to no triangle.
    pub(crate) fn padded_vertices(&self) -> &[[f32; 3]] {
        &self.padded_vertices
    }

    pub(crate) fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.padded_vertices[vertex as usize].map(f64::from))
    }

    /// About so many of the triangles, from all over.
    pub(crate) fn thinned(&self, triangles: usize) -> Arc<Self> {
        let step = (self.triangles.len() / triangles).max(1);
        Self::new(self.vertices().to_vec(), self.triangles.iter().copied().step_by(step).collect())
    }

    /// Least and greatest coordinates.
    pub(crate) fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for vertex in self.vertices() {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(f64::from(vertex[axis]));
                bounds[1][axis] = bounds[1][axis].max(f64::from(vertex[axis]));
            }
        }
        bounds
    }
}

/// A mesh on its way.
#[derive(Debug, Default)]
pub(crate) struct MeshBuilder {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl MeshBuilder {
    pub(crate) fn finish(self) -> Arc<Mesh> {
        Mesh::new(self.vertices, self.triangles)
    }

    pub(crate) fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    pub(crate) fn vertex(&mut self, position: [f64; 3]) -> u32 {
        self.vertices.push(position.map(|x| x as f32));
        self.vertices.len() as u32 - 1
    }

    /// By vertex numbers.
    pub(crate) fn face(&mut self, vertices: [u32; 3]) {
        self.triangles.push(vertices);
    }

    pub(crate) fn triangle(&mut self, corners: [[f64; 3]; 3]) {
        let vertices = corners.map(|corner| self.vertex(corner));
        self.face(vertices);
    }

    /// A copy of a mesh, its vertices where `place` puts them.
    pub(crate) fn copy(&mut self, mesh: &Mesh, place: impl Fn([f64; 3]) -> [f64; 3]) {
        let first = self.vertices.len() as u32;
        for vertex in mesh.vertices() {
            self.vertex(place(vertex.map(f64::from)));
        }
        self.triangles.extend(mesh.triangles.iter().map(|face| face.map(|vertex| first + vertex)));
    }

    /// Two triangles; the corners go around.
    pub(crate) fn quad(&mut self, corners: [[f64; 3]; 4]) {
        let [a, b, c, d] = corners.map(|corner| self.vertex(corner));
        self.face([a, b, c]);
        self.face([a, c, d]);
    }

    /// Twelve triangles.
    pub(crate) fn cuboid(&mut self, min: [f64; 3], max: [f64; 3]) {
        for axis in 0..3 {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in [min, max] {
                let corner = |a: [f64; 3], b: [f64; 3]| {
                    let mut corner = side;
                    corner[next] = a[next];
                    corner[last] = b[last];
                    corner
                };
                self.quad([corner(min, min), corner(max, min), corner(max, max), corner(min, max)]);
            }
        }
    }

    /// Rows × columns of cells over the points that `at` gives for both parameters in [0, 1].
    pub(crate) fn sheet(&mut self, rows: usize, columns: usize, at: impl Fn(f64, f64) -> [f64; 3]) {
        let first = self.vertices.len() as u32;
        for row in 0..=rows {
            for column in 0..=columns {
                self.vertex(at(row as f64 / rows as f64, column as f64 / columns as f64));
            }
        }
        let width = columns as u32 + 1;
        for row in 0..rows as u32 {
            for column in 0..columns as u32 {
                let a = first + row * width + column;
                self.face([a, a + 1, a + width + 1]);
                self.face([a, a + width + 1, a + width]);
            }
        }
    }

    /// A sphere of 2 · `rings` · 2 `rings` triangles.
    pub(crate) fn sphere(&mut self, center: [f64; 3], radius: f64, rings: usize) {
        self.sheet(rings, 2 * rings, |v, u| {
            let (polar, azimuth) = (v * std::f64::consts::PI, u * std::f64::consts::TAU);
            let direction = [polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos()];
            plus(center, times(direction, radius))
        });
    }

    /// The side of a cylinder, or of a cone, between two points.
    pub(crate) fn tube(
        &mut self,
        ends: [[f64; 3]; 2],
        radii: [f64; 2],
        rings: usize,
        sides: usize,
    ) {
        let along = unit(minus(ends[1], ends[0]));
        let helper = if along[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let across = unit(cross(along, helper));
        let third = cross(along, across);
        self.sheet(rings, sides, |v, u| {
            let angle = u * std::f64::consts::TAU;
            let radius = radii[0] + (radii[1] - radii[0]) * v;
            let center = plus(times(ends[0], 1.0 - v), times(ends[1], v));
            let out = plus(times(across, angle.cos()), times(third, angle.sin()));
            plus(center, times(out, radius))
        });
    }
}
