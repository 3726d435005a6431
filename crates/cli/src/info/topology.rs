//! How the triangles of a mesh hang together.

use crate::precision::Number;
use serde::Serialize;
use std::collections::HashMap;

/// Triangles by the vertices that they share.
#[derive(Debug)]
pub(super) struct Topology {
    triangles: Vec<[u32; 3]>,
    vertices: usize,
}

/// A position as what is the same for all vertices there.
pub(super) fn place_of<T: Number>(position: [T; 3]) -> [u64; 3] {
    // Adding 0 makes −0 the same as 0.
    position.map(|x| (x.to_f64() + 0.0).to_bits())
}

/// Edges that are not shared by exactly two triangles that run along them in opposite directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Edges {
    /// Edges of a single triangle.
    pub(super) boundary_edges: usize,
    /// Edges of more than two triangles.
    pub(super) non_manifold_edges: usize,
    /// Edges that their triangles do not run along equally often each way: neighbours that face
    /// opposite ways.
    pub(super) misoriented_edges: usize,
}

impl Topology {
    /// Vertices are the same if they lie at the same position.
    pub(super) fn joined<T: Number>(positions: &[[T; 3]], triangles: &[[u32; 3]]) -> Self {
        Self::new(positions, triangles, &vec![false; positions.len()])
    }

    /// The same, but for vertices that stay by themselves.
    pub(super) fn new<T: Number>(
        positions: &[[T; 3]],
        triangles: &[[u32; 3]],
        by_itself: &[bool],
    ) -> Self {
        let mut first_at: HashMap<[u64; 3], u32> = HashMap::with_capacity(positions.len());
        let place = |(vertex, position): (u32, &[T; 3])| match by_itself[vertex as usize] {
            true => vertex,
            false => *first_at.entry(place_of(*position)).or_insert(vertex),
        };
        let first: Vec<u32> = (0..).zip(positions).map(place).collect();
        let triangles = triangles
            .iter()
            .map(|triangle| triangle.map(|vertex| first[vertex as usize]))
            .collect();
        Self { triangles, vertices: positions.len() }
    }

    /// Triangles with two equal corners have no edges that could close anything; the rest count.
    pub(super) fn edges(&self) -> Edges {
        // An edge as one number, lower vertex first, with the way it is run along in the last bit.
        let mut edges: Vec<(u64, bool)> = Vec::with_capacity(3 * self.triangles.len());
        for &[a, b, c] in self.triangles.iter().filter(|[a, b, c]| a != b && b != c && c != a) {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let (low, high) = (from.min(to), from.max(to));
                edges.push((u64::from(low) << 32 | u64::from(high), from < to));
            }
        }
        edges.sort_unstable();
        let mut found = Edges { boundary_edges: 0, non_manifold_edges: 0, misoriented_edges: 0 };
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let upward = group.iter().filter(|(_, upward)| *upward).count();
            found.boundary_edges += usize::from(group.len() == 1);
            found.non_manifold_edges += usize::from(group.len() > 2);
            found.misoriented_edges += usize::from(group.len() > 1 && 2 * upward != group.len());
        }
        found
    }

    /// Parts that share no vertex.
    pub(super) fn components(&self) -> usize {
        let mut parent: Vec<u32> = (0..self.vertices as u32).collect();
        let mut parts = 0;
        let mut seen = vec![false; self.vertices];
        for &[a, b, c] in &self.triangles {
            for vertex in [a, b, c] {
                parts += usize::from(!std::mem::replace(&mut seen[vertex as usize], true));
            }
            for other in [b, c] {
                let (a, b) = (root(&mut parent, a), root(&mut parent, other));
                if a != b {
                    parent[a.max(b) as usize] = a.min(b);
                    parts -= 1;
                }
            }
        }
        parts
    }

    /// Triangles that have the same corners as one before, whichever way round.
    pub(super) fn duplicate_triangles(&self) -> usize {
        let mut sorted: Vec<[u32; 3]> = self.triangles.clone();
        for triangle in &mut sorted {
            triangle.sort_unstable();
        }
        sorted.sort_unstable();
        sorted.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }
}

/// The least vertex known to be joined with this one; halves the path on the way.
fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        parent[vertex as usize] = parent[parent[vertex as usize] as usize];
        vertex = parent[vertex as usize];
    }
    vertex
}

#[cfg(test)]
#[path = "../../tests/unit/info/topology.rs"]
mod tests;
