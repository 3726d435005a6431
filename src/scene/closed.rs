//! Closed surfaces, and the first open edge of others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use super::{Scene, ShapesAndInstances};
use crate::answers::Numbering;
use crate::error::{Error, Result};
use crate::leaf::TriangleBlock;

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

/// The reasons why a scene has no inside.
#[derive(Debug, Clone, Default)]
pub(super) struct Openings {
    /// The first edge at which a surface of triangles ends.
    pub(super) edge: Option<OpenEdge>,
    /// The first geometry of primitives that are not closed, and the instances around it.
    pub(super) geometry: Option<(u32, Vec<u32>)>,
}

impl Openings {
    /// The openings of all visible content, instances included.
    pub(super) fn of(scene: &Scene) -> Self {
        let Scene { tree, numbering, masks, others, .. } = scene;
        let ShapesAndInstances { shapes, instances } = others;
        let edge = if masks.that_hide().is_empty() {
            first_open_edge(tree.blocks(), numbering, |_| true)
        } else {
            let is_seen = |number| !masks.hide_geometry(numbering.ids(number).0);
            first_open_edge(tree.blocks(), numbering, is_seen)
        };
        let geometry = shapes.first_open(|geometry_id| !masks.hide_geometry(geometry_id));
        let mut openings = Self { edge, geometry: geometry.map(|geometry_id| (geometry_id, Vec::new())) };
        for (number, instance) in (0..).zip(instances.placed()).filter(|(_, instance)| !instance.is_hidden())
        {
            let Self { edge, geometry } = instance.scene.openings();
            openings.edge = openings.edge.or(*edge);
            let within =
                |(geometry_id, path): &(u32, Vec<u32>)| (*geometry_id, [&[number], &path[..]].concat());
            openings.geometry = openings.geometry.or_else(|| geometry.as_ref().map(within));
        }
        openings
    }
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
pub(super) fn surplus(edges: impl Iterator<Item = [[f32; 3]; 2]>) -> Surplus {
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

/// The directed edges of a triangle.
pub(super) const fn edges_of([a, b, c]: [[f32; 3]; 3]) -> [[[f32; 3]; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The first open edge, by geometry and triangle, of the triangles that count; `None` if their surface is closed.
fn first_open_edge(
    blocks: &[TriangleBlock],
    numbering: &Numbering,
    counts: impl Fn(u32) -> bool,
) -> Option<OpenEdge> {
    let triangles = || blocks.iter().flat_map(TriangleBlock::triangles).filter(|&(_, number)| counts(number));
    let open = surplus(triangles().flat_map(|(corners, _)| edges_of(corners)));
    if open.is_empty() {
        return None;
    }
    let is_open = |ends: &[[f32; 3]; 2]| {
        let [a, b] = ends.map(Place::of);
        open.contains_key(&(a.min(b), a.max(b)))
    };
    triangles()
        .filter_map(|(corners, number)| Some((number, edges_of(corners).into_iter().find(is_open)?)))
        .min_by_key(|&(number, _)| number)
        .map(|(number, ends)| {
            let (geometry_id, primitive_id) = numbering.ids(number);
            OpenEdge { geometry_id, primitive_id, ends }
        })
}

impl Scene {
    /// The first open edge, by geometry and triangle, of the surface of all meshes together; `None` if it is closed.
    ///
    /// Hidden geometries and instances (with a mask of 0) are left out. Boxes and spheres are closed, and primitives of the
    /// caller's own [state it](crate::primitive::Primitives::is_closed). Vertices are equal if their coordinates are, whatever
    /// their indices. An edge is open where the neighbour is wound the other way, and where a vertex of a neighbour lies
    /// within it. Each instance is closed by itself or not; the ids of an edge in an instance are those of its own scene.
    ///
    /// The decision is exact, from the edges themselves: triangles must use each as often in one direction as in the other.
    /// The first call takes some hundred nanoseconds a triangle, twice as long if there is an open edge; further calls take
    /// no time.
    pub fn open_edge(&self) -> Option<OpenEdge> {
        self.openings().edge
    }

    pub(super) fn openings(&self) -> &Openings {
        self.derived.openings.get_or_init(|| Openings::of(self))
    }

    pub(crate) fn refuse_open(&self) -> Result<()> {
        let Openings { edge, geometry } = self.openings();
        if let &Some(OpenEdge { geometry_id, primitive_id, ends }) = edge {
            return Err(Error::OpenSurface { geometry_id, primitive_id, ends });
        }
        match geometry.clone() {
            Some((geometry_id, instance_path)) => Err(Error::NotClosed { geometry_id, instance_path }),
            None => Ok(()),
        }
    }
}
