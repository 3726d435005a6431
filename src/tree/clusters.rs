//! Clusters of primitives, and their merging in pairs that are nearest to each other.

use super::binary::{BinaryNode, Bounds};
use crate::simd::{MapEach, Quad, set_bits};

/// The most clusters that are merged at a time.
pub(super) const WINDOW: usize = 16;

/// Clusters up to so far apart in their window are compared.
const RADIUS: usize = 4;

/// No tree of these clusters is deeper: later passes over it are recursive.
const DEEPEST: u32 = 128;

/// Marks a cluster that was merged from two.
const LINK: u32 = 1 << 30;

/// Clusters that are still to be merged, and the parts of those that were. Each is a box, marked
/// with its number and its count of primitives.
#[derive(Default)]
pub(super) struct Clusters {
    pub(super) open: Vec<Bounds>,
    links: Vec<[Bounds; 2]>,
}

impl Clusters {
    /// Opens a cluster of so many primitives.
    pub(super) fn push(&mut self, aabb: Bounds, number: u32, count: u32) {
        self.open.push(aabb.marked([number, count]));
    }

    /// Merges the open clusters from `base` on, a window at most, until no more than `most` are
    /// left.
    pub(super) fn reduce(&mut self, base: usize, most: usize) {
        while self.open.len() - base > most {
            let nearest = nearest(&self.open[base..]);
            // Without branches, of which every other one would be mispredicted.
            let (mut merged, mut gone) = (0_u32, 0_u32);
            for (i, &distance) in nearest.iter().enumerate().take(self.open.len() - base) {
                let j = i ^ (distance as usize % WINDOW);
                let is_mutual = u32::from(nearest[j] == distance);
                merged |= (is_mutual & u32::from(i < j)) << i;
                gone |= (is_mutual & u32::from(i > j)) << i;
            }
            for i in set_bits(merged) {
                let j = i ^ (nearest[i] as usize % WINDOW);
                self.open[base + i] = self.merge(self.open[base + i], self.open[base + j]);
            }
            let mut kept = base;
            for place in base..self.open.len() {
                self.open[kept] = self.open[place];
                kept += usize::from(gone >> (place - base) & 1 == 0);
            }
            self.open.truncate(kept);
        }
    }

    fn merge(&mut self, a: Bounds, b: Bounds) -> Bounds {
        let ([_, of_a], [_, of_b]) = (a.marks(), b.marks());
        self.links.push([a, b]);
        a.union(b).marked([LINK + self.links.len() as u32 - 1, of_a + of_b])
    }

    fn parts(&self, cluster: &Bounds) -> Option<&[Bounds; 2]> {
        let link = cluster.marks()[0].checked_sub(LINK)?;
        Some(&self.links[link as usize])
    }

    /// Writes the subtree of a cluster in depth-first order; `None` if it is too deep. `end` gets
    /// each cluster and its parts, and writes the subtree itself, or says that it is to be taken
    /// apart.
    pub(super) fn emit(
        &self,
        cluster: &Bounds,
        depth: u32,
        nodes: &mut Vec<BinaryNode>,
        end: &mut impl FnMut(&Bounds, Option<&[Bounds; 2]>, &mut Vec<BinaryNode>) -> bool,
    ) -> Option<()> {
        let (at, parts) = (nodes.len(), self.parts(cluster));
        if end(cluster, parts, nodes) {
            return Some(());
        }
        let [left, right] = parts.filter(|_| depth < DEEPEST)?;
        let [_, count] = cluster.marks();
        nodes.push(BinaryNode { aabb: cluster.aabb(), first: 0, count, right: 0 });
        self.emit(left, depth + 1, nodes, end)?;
        (nodes[at].first, nodes[at].right) = (nodes[at + 1].first, (nodes.len() - at) as u32);
        self.emit(right, depth + 1, nodes, end)
    }

    /// The clusters that were merged to one.
    pub(super) fn each(&self, cluster: &Bounds, visit: &mut impl FnMut([u32; 2])) {
        match self.parts(cluster) {
            Some(parts) => parts.iter().for_each(|part| self.each(part, visit)),
            None => visit(cluster.marks()),
        }
    }
}

/// For each cluster of a window the distance to the nearest, with the bits in which their places
/// differ as the last ones: by how much half the surface of the common box exceeds the mean of
/// theirs.
///
/// Of pairs with a cluster in common no two differ in the same bits. So the nearest of all is
/// mutual, and equal clusters are nearest in pairs.
fn nearest(window: &[Bounds]) -> [u32; WINDOW] {
    const ROW: usize = WINDOW + RADIUS;
    let around = window.iter().fold(Bounds::empty(), |all, &one| all.union(one));
    let [x, y, z, _] = around.extent().to_array();
    // Lengths become at most one, so that areas neither overflow nor, where they matter, underflow.
    let scale = Quad::splat((1.0 / x.max(y).max(z)).min(f32::MAX));
    // By corner and axis, then cluster; those that are not there are so large that they are nearest
    // to none.
    let mut rows = [[f32::MAX; ROW]; 6];
    for (first, four) in (0..WINDOW).step_by(4).zip(window.chunks(4)) {
        let mut corners = [[Quad::splat(f32::MAX); 2]; 4];
        for (corners, aabb) in corners.iter_mut().zip(four) {
            *corners = aabb.corners();
        }
        for (corner, rows) in rows.chunks_mut(3).enumerate() {
            let axes = Quad::transpose(corners.map_each(|corners| corners[corner]));
            for (row, axis) in rows.iter_mut().zip(axes) {
                row[first..first + 4].copy_from_slice(axis.as_array());
            }
        }
    }
    let at = |row: &[f32; ROW], place: usize| Quad::new(*row[place..].first_chunk().expect("four"));
    let half_area = |i: usize, j: usize| {
        let mut extents = [Quad::splat(0.0); 3];
        for (axis, extent) in extents.iter_mut().enumerate() {
            let [below, above] = [&rows[axis], &rows[3 + axis]];
            *extent =
                (at(below, i).fast_max(at(below, j)) + at(above, i).fast_max(at(above, j))) * scale;
        }
        let [x, y, z] = extents;
        (x * (y + z) + y * z).fast_min(Quad::splat(f32::MAX))
    };
    let mut halves = [0.0; ROW];
    for place in (0..window.len()).step_by(4) {
        halves[place..place + 4]
            .copy_from_slice((half_area(place, place) * Quad::splat(0.5)).as_array());
    }
    let distance_bits = Quad::splat(f32::from_bits(!(WINDOW as u32 - 1)));
    // By distance of places: to those after a cluster, and those before it.
    let (mut after, mut before) = ([Quad::splat(f32::MAX); WINDOW / 4], [[f32::MAX; ROW]; RADIUS]);
    for (apart, before) in (1..).zip(&mut before) {
        for (place, after) in (0..window.len()).step_by(4).zip(&mut after) {
            let other = place + apart;
            let distance = half_area(place, other) - (at(&halves, place) + at(&halves, other));
            let places = [0, 1, 2, 3]
                .map_each(|lane| f32::from_bits(((place + lane) ^ (other + lane)) as u32));
            let distance = distance.fast_max(Quad::splat(0.0)) & distance_bits | Quad::new(places);
            *after = after.fast_min(distance);
            before[other..other + 4].copy_from_slice(distance.as_array());
        }
    }
    let mut nearest = [u32::MAX; WINDOW];
    for (place, after) in (0..WINDOW).step_by(4).zip(after) {
        let least = before.iter().fold(after, |least, before| least.fast_min(at(before, place)));
        nearest[place..place + 4].copy_from_slice(&least.to_array().map(f32::to_bits));
    }
    nearest
}
