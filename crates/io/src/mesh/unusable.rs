//! Vertices with coordinates that no scene takes: no trouble as long as no triangle names them.

use super::{Coordinate, counted};
use std::collections::HashMap;

/// Vertices whose coordinates are NaN, infinite or too large, each with its line, or 0 where there
/// are no lines.
#[derive(Debug, Default)]
pub(super) struct Unusable(HashMap<usize, u64>);

/// Whether a scene takes a vertex at this position.
pub(super) fn is_usable<T: Coordinate>(position: &[T; 3]) -> bool {
    // False for NaN.
    position.iter().all(|x| x.abs() <= T::LARGEST_COORDINATE)
}

/// What is wrong with a position that is not usable.
pub(super) fn fault<T: Coordinate>(position: &[T; 3]) -> String {
    let power = T::LARGEST_COORDINATE.to_f64().log2();
    format!("{position:?}; coordinates must be finite and at most 2^{power} in magnitude")
}

impl Unusable {
    /// Looks at a vertex.
    pub(super) fn look<T: Coordinate>(&mut self, vertex: usize, position: &[T; 3], line: u64) {
        if !is_usable(position) {
            self.0.insert(vertex, line);
        }
    }

    /// Puts those that no triangle names at 0, remarks on that, and returns their numbers. Where
    /// there are no triangles at all, vertices are points, and stay as they are.
    ///
    /// # Errors
    /// A triangle names one of them: its line, or 0 where there are no lines, and what is wrong.
    /// Files number their vertices from `first`.
    pub(super) fn settle<'a, T: Coordinate>(
        self,
        vertices: &mut [[T; 3]],
        triangles: impl Iterator<Item = &'a [u32; 3]>,
        first: usize,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<u32>, (u64, String)> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        let (mut used, mut any) = (None, false);
        for vertex in triangles.flatten().map(|&vertex| vertex as usize) {
            any = true;
            if self.0.contains_key(&vertex) {
                used = Some(used.map_or(vertex, |least: usize| least.min(vertex)));
            }
        }
        if let Some(vertex) = used {
            let (number, fault) = (vertex + first, fault(&vertices[vertex]));
            let what =
                format!("vertex {number}, numbered from {first}, which a face names, is {fault}");
            return Err((self.0[&vertex], what));
        }
        if !any {
            return Ok(Vec::new());
        }
        self.0.keys().for_each(|&vertex| vertices[vertex] = [T::ZERO; 3]);
        let count = counted(self.0.len(), "vertex", "vertices");
        remarks.push(format!("{count} that no face names put at 0: not finite, or too large"));
        let mut numbers: Vec<u32> = self.0.into_keys().map(|vertex| vertex as u32).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}
