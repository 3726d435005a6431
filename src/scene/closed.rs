//! Closed surfaces, and the first open edge of others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use super::{PlacedShape, Scene};
use crate::error::{Error, Result};
use crate::leaf::{Primitives, Shape, TriangleBlock};

/// An edge at which the surface of a scene is open: its triangles do not use it as often in one direction as in the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenEdge {
    /// The geometry of the first triangle with this edge.
    pub geometry_id: u32,
    /// That triangle.
    pub primitive_id: u32,
    /// Its ends, in the direction of that triangle.
    pub ends: [[f32; 3]; 2],
}

/// A place by its bits for comparison: places are equal if their coordinates are equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place([u32; 3]);

impl Place {
    pub(super) fn of(vertex: [f32; 3]) -> Self {
        // No arithmetic: a floating-point mode may flush small numbers to 0.
        let number = |x: f32| if x.to_bits() == (-0.0_f32).to_bits() { 0 } else { x.to_bits() };
        Self(vertex.map(number))
    }

    pub(super) fn vertex(self) -> [f32; 3] {
        self.0.map(f32::from_bits)
    }
}

impl Hash for Place {
    /// All bits at once: number by number takes a third longer.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(bytemuck::bytes_of(&self.0));
    }
}

/// Edges, each from its lesser end to its greater one, with the number of uses in that direction less those in the other.
pub(super) type Surplus = HashMap<(Place, Place), i64>;

/// The edges that triangles do not use as often in one direction as in the other.
///
/// Exact, without a hash sum. The map stays small: leaves follow each other in space, so the two triangles of an edge come
/// soon after each other, and balanced edges are removed.
pub(super) fn surplus(edges: impl Iterator<Item = Edge>) -> Surplus {
    let mut surplus = Surplus::new();
    for ends in edges {
        let [from, to] = ends.map(Place::of);
        if from == to {
            continue;
        }
        let (edge, way) = if from < to { ((from, to), 1) } else { ((to, from), -1) };
        match surplus.entry(edge) {
            Entry::Vacant(vacant) => drop(vacant.insert(way)),
            Entry::Occupied(mut occupied) => {
                *occupied.get_mut() += way;
                if *occupied.get() == 0 {
                    occupied.remove();
                }
            }
        }
    }
    surplus
}

/// A directed edge.
pub(super) type Edge = [[f32; 3]; 2];

/// The edges of a triangle.
pub(super) const fn edges_of([a, b, c]: [[f32; 3]; 3]) -> [Edge; 3] {
    [[a, b], [b, c], [c, a]]
}

impl Scene {
    /// The first open edge, by geometry and triangle, of the surface of all meshes together; `None` if it is closed.
    ///
    /// Hidden geometries and instances (with a mask of 0) are left out. Boxes and spheres are closed, and primitives of the
    /// caller's own [state it](crate::primitive::Primitives::is_closed). Vertices are equal if their coordinates are, whatever
    /// their indices. An edge is open where the neighbour is wound the other way, and where a vertex of a neighbour lies
    /// within it. Each instance is closed by itself or not; the ids of an edge in an instance are those of its own scene.
    ///
    /// Exact: triangles must use each edge as often in one direction as in the other. The first call takes some hundred
    /// nanoseconds a triangle, twice as long if there is an open edge; further calls take no time.
    pub fn open_edge(&self) -> Option<OpenEdge> {
        let of_instances = || {
            let mut seen = self.others.instances.placed.iter().filter(|instance| instance.mask != 0);
            seen.find_map(|instance| instance.scene.open_edge())
        };
        *self.derived.open_edge.get_or_init(|| self.own_open_edge().or_else(of_instances))
    }

    fn own_open_edge(&self) -> Option<OpenEdge> {
        let visible = self.visible();
        let triangles = || {
            let all = self.tree.blocks().iter().flat_map(TriangleBlock::triangles);
            all.filter(move |&(_, number)| visible.shows(number))
        };
        let open = surplus(triangles().flat_map(|(corners, _)| edges_of(corners)));
        if open.is_empty() {
            return None;
        }
        let is_open = |ends: &Edge| {
            let [a, b] = ends.map(Place::of);
            open.contains_key(&(a.min(b), a.max(b)))
        };
        let first = |(corners, number)| Some((number, edges_of(corners).into_iter().find(is_open)?));
        let (number, ends) = triangles().filter_map(first).min_by_key(|&(number, _)| number)?;
        let (geometry_id, primitive_id) = self.numbering.ids(number);
        Some(OpenEdge { geometry_id, primitive_id, ends })
    }

    /// The first visible shape that is not closed.
    fn open_shape(&self) -> Option<&PlacedShape> {
        let find = || {
            let is_open = |id, shape: &Shape| !self.masks.hide_geometry(id) && !shape.is_closed();
            self.first_shape(is_open, |placed| placed.scene.open_shape().filter(|_| placed.mask != 0))
        };
        self.derived.open_shape.get_or_init(find).as_ref()
    }

    /// Refuses a scene that has no inside.
    pub(crate) fn refuse_open(&self) -> Result<()> {
        if let Some(OpenEdge { geometry_id, primitive_id, ends }) = self.open_edge() {
            return Err(Error::OpenSurface { geometry_id, primitive_id, ends });
        }
        self.open_shape().map_or(Ok(()), |(geometry_id, instance_path)| {
            Err(Error::NotClosed { geometry_id: *geometry_id, instance_path: instance_path.clone() })
        })
    }
}
