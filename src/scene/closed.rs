//! Whether triangles enclose something, and if not, where the surface ends.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

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

type Corner = [u32; 3];

/// A vertex as what it is compared by: places are the same where their numbers are equal.
fn place(vertex: [f32; 3]) -> Corner {
    // Adding zero turns −0 into 0.
    vertex.map(|x| (x + 0.0).to_bits())
}

/// The edges of all triangles, each from its first to its second vertex, with the triangle's number.
fn edges(blocks: &[TriangleBlock]) -> impl Iterator<Item = ([[f32; 3]; 2], u32)> {
    blocks
        .iter()
        .flat_map(TriangleBlock::triangles)
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

/// The first edge, by geometry and triangle, at which the surface is open; `None` if it is closed.
pub(super) fn first_open_edge(blocks: &[TriangleBlock], numbering: &Numbering) -> Option<OpenEdge> {
    let balance = edges(blocks)
        .filter(|([from, to], _)| place(*from) != place(*to))
        .fold(0_u64, |sum, (ends, _)| sum.wrapping_add(signed(ends)));
    if balance == 0 {
        return None;
    }
    // Once it is known that there is one, it is looked for.
    let mut sorted: Vec<_> = edges(blocks)
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
