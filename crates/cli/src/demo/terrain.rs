//! The shipped terrain with what the jobs need to know of it.

use crate::rays::clearance;
use crate::vector::{Vector, add, cross, scale, sub, unit, wide};
use lanecast::Scene;
use lanecast_io::Mesh;

/// A landscape in metres, x east, y north, z up.
#[derive(Debug)]
pub(super) struct Terrain<'a> {
    pub(super) scene: &'a Scene,
    pub(super) vertices: &'a [[f32; 3]],
    pub(super) triangles: &'a [[u32; 3]],
    /// The surface's unit normal at each vertex: the mean over its triangles, weighted by area.
    pub(super) normals: Vec<Vector>,
    /// The highest vertex.
    pub(super) summit: Vector,
    /// How far above the surface rays start that leave it, in metres.
    pub(super) lift: f64,
}

impl<'a> Terrain<'a> {
    pub(super) fn new(mesh: &'a Mesh, scene: &'a Scene) -> Self {
        let mut normals = vec![[0.0; 3]; mesh.vertices.len()];
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|vertex| wide(mesh.vertices[vertex as usize]));
            let normal = cross(sub(b, a), sub(c, a));
            for &vertex in triangle {
                normals[vertex as usize] = add(normals[vertex as usize], normal);
            }
        }
        let summit =
            mesh.vertices.iter().copied().max_by(|a, b| a[2].total_cmp(&b[2])).unwrap_or_default();
        Self {
            scene,
            vertices: &mesh.vertices,
            triangles: &mesh.triangles,
            normals: normals.into_iter().map(unit).collect(),
            summit: wide(summit),
            lift: clearance(&scene.bounds()),
        }
    }

    /// A point so many metres above the summit.
    pub(super) fn above_summit(&self, metres: f64) -> Vector {
        add(self.summit, [0.0, 0.0, metres])
    }

    /// A vertex, lifted off the surface.
    pub(super) fn lifted(&self, vertex: usize) -> Vector {
        add(wide(self.vertices[vertex]), scale(self.normals[vertex], self.lift))
    }

    /// Replaces each vertex's value by the mean over its neighbourhood.
    pub(super) fn smooth(&self, values: &[f32]) -> Vec<f32> {
        let mut sums: Vec<(f32, f32)> = values.iter().map(|&value| (value, 1.0)).collect();
        for triangle in self.triangles {
            let sum: f32 = triangle.iter().map(|&vertex| values[vertex as usize]).sum();
            for &vertex in triangle {
                let (total, weight) = &mut sums[vertex as usize];
                *total += sum;
                *weight += 3.0;
            }
        }
        sums.into_iter().map(|(total, weight)| total / weight).collect()
    }
}
