//! Boxes carried by an affine map, and their closest points.

use crate::leaf::triangle::nearest_of_one;
use crate::value::Affine;

type Vector = [f64; 3];

/// A corner and the three edges from there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parallelepiped {
    pub(super) corner: Vector,
    pub(super) edges: [Vector; 3],
}

impl Parallelepiped {
    pub(super) fn placed(&self, map: &Affine) -> Self {
        Self { corner: map.point(self.corner), edges: self.edges.map(|edge| map.vector(edge)) }
    }

    /// The closest point of the surface to `point`, and a face that it lies on: the edge along which that lies, and 1 at
    /// its end, −1 at its start. Of several faces the first by edge, the one at its start before the one at its end. Each
    /// face is two triangles, tested as those of a mesh: flat ones need no case of their own.
    pub(super) fn nearest(&self, point: Vector) -> (Vector, usize, f64) {
        let mut least = (f64::INFINITY, self.corner, 0, -1.0);
        for axis in 0..3 {
            for (at_end, sign) in [(false, -1.0), (true, 1.0)] {
                let [along, across] = [(axis + 1) % 3, (axis + 2) % 3];
                let corner = |of_along: bool, of_across: bool| {
                    let mut ends = [false; 3];
                    (ends[axis], ends[along], ends[across]) = (at_end, of_along, of_across);
                    self.vertex(ends)
                };
                let (from, to) = (corner(false, false), corner(true, true));
                for middle in [corner(true, false), corner(false, true)] {
                    let (squared_distance, nearest) = nearest_of_one(point, [from, middle, to]);
                    if squared_distance < least.0 {
                        least = (squared_distance, nearest, axis, sign);
                    }
                }
            }
        }
        (least.1, least.2, least.3)
    }

    /// Added up in the same order for all faces that meet there.
    fn vertex(&self, ends: [bool; 3]) -> Vector {
        let mut vertex = self.corner;
        for (edge, at_end) in self.edges.iter().zip(ends) {
            if at_end {
                vertex = [vertex[0] + edge[0], vertex[1] + edge[1], vertex[2] + edge[2]];
            }
        }
        vertex
    }
}
