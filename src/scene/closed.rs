//! Whether triangles enclose something, and if not, where the surface ends.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use super::Scene;
use crate::hit::Numbering;
use crate::leaf::TriangleBlock;

/// An edge at which the surface of a scene ends, or of whose triangles not as many run along it one way as the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenEdge {
    /// The geometry of the first triangle that has it.
    pub geometry_id: u32,
    /// That triangle.
    pub primitive_id: u32,
    /// Its ends, in the order of that triangle.
    pub ends: [[f32; 3]; 2],
}

/// What keeps a scene from having an inside.
#[derive(Debug, Clone, Default)]
pub(super) struct Openings {
    /// The first edge at which a surface of triangles ends.
    pub(super) edge: Option<OpenEdge>,
    /// The first geometry of primitives that enclose nothing, and the instances that it lies in.
    pub(super) geometry: Option<(u32, Vec<u32>)>,
}

impl Openings {
    /// Of all that is not hidden: of what a scene holds itself, and of what is placed in it.
    pub(super) fn of(scene: &Scene) -> Self {
        let Scene { bvh, numbering, masks, shapes, instances, .. } = scene;
        let edge = if masks.that_hide().is_empty() {
            first_open_edge(bvh.blocks(), numbering, |_| true)
        } else {
            let is_seen = |number| !masks.hide_geometry(numbering.ids(number).0);
            first_open_edge(bvh.blocks(), numbering, is_seen)
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

/// A place as what it is compared by: places are the same where their numbers are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place([u32; 3]);

impl Place {
    pub(super) fn of(vertex: [f32; 3]) -> Self {
        // No arithmetic, which may take small numbers for 0.
        let number = |x: f32| if x.to_bits() == (-0.0_f32).to_bits() { 0 } else { x.to_bits() };
        Self(vertex.map(number))
    }

    pub(super) fn vertex(self) -> [f32; 3] {
        self.0.map(f32::from_bits)
    }
}

impl Hash for Place {
    /// At once: number by number takes a third longer.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(bytemuck::bytes_of(&self.0));
    }
}

/// Edges, each from its lesser end to its greater one, with how much more often it is run along that way than back.
pub(super) type Surplus = HashMap<(Place, Place), i64>;

/// Of edges as triangles run along them, those that are not run along as often one way as the other.
///
/// Exactly, and of few edges at a time: triangles of a tree follow each other as they lie in space, so that an edge's
/// two come soon after one another, and what is balanced is forgotten.
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

/// The edges of a triangle as it runs along them.
pub(super) const fn edges_of([a, b, c]: [[f32; 3]; 3]) -> [[[f32; 3]; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The first edge, by geometry and triangle, at which the surface of the triangles that count is open; `None` if it is
/// closed.
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
