//! Whether triangles enclose something, and if not, where the surface ends.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::Scene;
use crate::hit::Numbering;
use crate::primitive::TriangleBlock;

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

type Corner = [u32; 3];

/// A vertex as what it is compared by: places are the same where their numbers are equal.
fn place(vertex: [f32; 3]) -> Corner {
    // Adding zero turns −0 into 0.
    vertex.map(|x| (x + 0.0).to_bits())
}

/// The edges of the triangles that count, each from its first to its second vertex, with the triangle's number.
fn edges(
    blocks: &[TriangleBlock],
    counts: impl Fn(u32) -> bool,
) -> impl Iterator<Item = ([[f32; 3]; 2], u32)> {
    blocks
        .iter()
        .flat_map(TriangleBlock::triangles)
        .filter(move |&(_, number)| counts(number))
        .flat_map(|([a, b, c], number)| [[a, b], [b, c], [c, a]].map(|ends| (ends, number)))
}

/// An edge as a number, and its reverse as that number's negative.
///
/// The sum over all edges is 0 where each is run along as often one way as the other; where it is not, the sum of such
/// numbers of 64 bits is 0 by chance of one in 2⁶⁴.
fn signed(ends: [[f32; 3]; 2]) -> u64 {
    let [from, to] = ends.map(place);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    if from < to { hasher.hash_one((from, to)) } else { hasher.hash_one((to, from)).wrapping_neg() }
}

/// The first edge, by geometry and triangle, at which the surface of the triangles that count is open; `None` if it is
/// closed.
fn first_open_edge(
    blocks: &[TriangleBlock],
    numbering: &Numbering,
    counts: impl Fn(u32) -> bool,
) -> Option<OpenEdge> {
    let balance = edges(blocks, &counts)
        .filter(|([from, to], _)| place(*from) != place(*to))
        .fold(0_u64, |sum, (ends, _)| sum.wrapping_add(signed(ends)));
    if balance == 0 {
        return None;
    }
    // Once it is known that there is one, it is looked for.
    let mut sorted: Vec<_> = edges(blocks, &counts)
        .filter(|([from, to], _)| place(*from) != place(*to))
        .map(|(ends, number)| {
            let [from, to] = ends.map(place);
            if from < to { ([from, to], number, 1_i32, ends) } else { ([to, from], number, -1, ends) }
        })
        .collect();
    sorted.sort_unstable_by_key(|&(edge, number, ..)| (edge, number));
    sorted
        .chunk_by(|(a, ..), (b, ..)| a == b)
        .filter(|same| same.iter().map(|(_, _, way, _)| way).sum::<i32>() != 0)
        .map(|same| (same[0].1, same[0].3))
        .min_by_key(|&(number, _)| number)
        .map(|(number, ends)| {
            let (geometry_id, primitive_id) = numbering.ids(number);
            OpenEdge { geometry_id, primitive_id, ends }
        })
}
