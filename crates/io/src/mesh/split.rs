//! The parts of a file whose faces share one list of vertices and one of normals, each made a mesh
//! of its own.

use super::faces::Faces;
use super::text::shown;
use super::{Coordinate, Mesh, counted};
use std::collections::HashMap;

/// No vertex, or no normal.
pub(super) const NONE: u32 = u32::MAX;

/// Faces under one name, with numbers of vertices of the file.
#[derive(Debug)]
pub(super) struct Part {
    name: String,
    faces: Faces,
    /// The normals of each triangle's corners, and how many corners have none. Empty as long as
    /// none has one.
    normals: Vec<[u32; 3]>,
    without_normal: usize,
}

impl Part {
    pub(super) fn new(name: String) -> Self {
        Self { name, faces: Faces::default(), normals: Vec::new(), without_normal: 0 }
    }

    pub(super) fn triangles(&self) -> &[[u32; 3]] {
        &self.faces.triangles
    }

    /// Takes a polygon, with a normal or [`NONE`] for each corner.
    pub(super) fn polygon(&mut self, face: usize, corners: &[u32], normals: &[u32]) {
        let before = self.faces.triangles.len();
        self.faces.polygon(face, corners);
        let without = normals.iter().filter(|normal| **normal == NONE).count();
        self.without_normal += without;
        if without < normals.len() || !self.normals.is_empty() {
            self.normals.resize(before, [NONE; 3]);
            self.normals.extend(normals[1..].windows(2).map(|pair| [normals[0], pair[0], pair[1]]));
        }
    }

    /// Cuts the polygons for which a fan is not right, when all vertices are known.
    pub(super) fn cut_polygons<T: Coordinate>(&mut self, vertices: &[[T; 3]]) {
        self.faces.cut_polygons(vertices, &mut self.normals);
    }

    /// The vertices that its triangles name, in the order of the file, and these numbered anew.
    /// `numbers` is all [`NONE`] before and after.
    pub(super) fn take_its_own<T: Copy>(
        &mut self,
        all: &[[T; 3]],
        is_used: &mut [bool],
        numbers: &mut [u32],
    ) -> Vec<[T; 3]> {
        let mut own: Vec<u32> = self.faces.triangles.as_flattened().to_vec();
        own.sort_unstable();
        own.dedup();
        for (number, &vertex) in (0..).zip(&own) {
            numbers[vertex as usize] = number;
            is_used[vertex as usize] = true;
        }
        for vertex in self.faces.triangles.as_flattened_mut() {
            *vertex = numbers[*vertex as usize];
        }
        own.iter().for_each(|&vertex| numbers[vertex as usize] = NONE);
        own.iter().map(|&vertex| all[vertex as usize]).collect()
    }

    /// The mesh of these vertices. With normals if every corner has one: a vertex with several is
    /// split, and keeps the one that comes first.
    pub(super) fn into_mesh<T: Copy>(
        self,
        mut vertices: Vec<[T; 3]>,
        all_normals: &[[f32; 3]],
        remarks: &mut Vec<String>,
    ) -> Mesh<T> {
        let Self { name, faces, normals: normal_numbers, without_normal } = self;
        let self_crossing_faces = faces.crossing;
        let (mut triangles, face_ids) = faces.into_parts();
        let mut normals = None;
        if !normal_numbers.is_empty() && without_normal > 0 {
            let corners = counted(without_normal, "corner", "corners");
            let of_name = if name.is_empty() {
                String::new()
            } else {
                format!(" of {}", shown(name.as_bytes()))
            };
            remarks.push(format!("normals{of_name} left out: {corners} without one"));
        } else if !normal_numbers.is_empty() {
            let mut of_vertices: Vec<Option<[f32; 3]>> = vec![None; vertices.len()];
            let mut copies: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
            let corners = triangles.as_flattened_mut().iter_mut();
            for (vertex, &number) in corners.zip(normal_numbers.as_flattened()) {
                let normal = all_normals[number as usize];
                let bits = normal.map(f32::to_bits);
                let first = of_vertices[*vertex as usize].get_or_insert(normal);
                if first.map(f32::to_bits) != bits {
                    *vertex = *copies.entry((*vertex, bits)).or_insert_with(|| {
                        vertices.push(vertices[*vertex as usize]);
                        of_vertices.push(Some(normal));
                        vertices.len() as u32 - 1
                    });
                }
            }
            normals = Some(of_vertices.into_iter().map(Option::unwrap_or_default).collect());
        }
        Mesh {
            name,
            vertices,
            triangles,
            face_ids,
            normals,
            self_crossing_faces,
            unusable_vertices: Vec::new(),
        }
    }
}
