//! A scanned object as scanners' programs hand it on: the dragon, its vertices merged on a grid.

use std::collections::HashMap;
use std::sync::Arc;

use crate::scenes::mesh::{Mesh, MeshBuilder};
use crate::vector::{plus, times};

/// The vertices of a cell of the grid become their mean, and triangles go that lose a corner by it.
/// `cells` is how many there are along the longest side of the mesh.
pub(crate) fn merged(mesh: &Mesh, cells: usize) -> Arc<Mesh> {
    let [min, max] = mesh.bounds();
    let size = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max) / cells as f64;
    let mut numbers = HashMap::new();
    let mut sums: Vec<([f64; 3], f64)> = Vec::new();
    let mut number_of = Vec::new();
    for vertex in mesh.vertices() {
        let vertex = vertex.map(f64::from);
        let cell = [0, 1, 2].map(|axis| ((vertex[axis] - min[axis]) / size) as u32);
        let number = *numbers.entry(cell).or_insert(sums.len() as u32);
        if number as usize == sums.len() {
            sums.push(([0.0; 3], 0.0));
        }
        let (sum, count) = &mut sums[number as usize];
        (*sum, *count) = (plus(*sum, vertex), *count + 1.0);
        number_of.push(number);
    }
    let mut merged = MeshBuilder::default();
    for (sum, count) in sums {
        merged.vertex(times(sum, 1.0 / count));
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| number_of[vertex as usize]);
        if a != b && b != c && c != a {
            merged.face([a, b, c]);
        }
    }
    merged.finish()
}
