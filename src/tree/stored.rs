//! Trees in files: nodes and leaves as in memory, and a record of the rest.

use super::aabb_block::FiniteRange;
use super::arena::{Arena, Node, Reference};
use super::sound::Sound;
use super::{Bvh, Leaf};
use crate::error::FileProblem;
use crate::math::LARGEST_COORDINATE;
use crate::store::{CACHE_LINE, PAGE, Reading, SectionWriter, damaged};
use crate::value::Aabb;

/// A tree without its nodes and leaves.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct TreeRecord {
    bounds: [[f32; 3]; 2],
    anchor: [f32; 3],
    root: u32,
    /// The greatest stack depth of a ray, in references.
    stack: u32,
    /// Sizes in bytes, in the program that wrote the file.
    node: u32,
    leaf: u32,
    /// The expected cost before primitives moved; 0 if none has.
    sah_cost_as_built: f32,
}

impl<B: Leaf> Bvh<B> {
    /// Adds the sections of the tree, its nodes and right behind them its leaves, by their names;
    /// `number` tells those of several trees apart.
    pub(crate) fn store<'a>(&'a self, names: [&str; 3], number: u32, into: &mut SectionWriter<'a>) {
        let [tree, nodes, leaves] = names;
        let record = TreeRecord {
            bounds: [self.bounds.min, self.bounds.max],
            anchor: self.arena.anchor,
            root: self.root.bits(),
            stack: self.stack as u32,
            node: size_of::<Node>() as u32,
            leaf: size_of::<B>() as u32,
            sah_cost_as_built: self
                .sah_cost_as_built
                .map_or(0.0, |cost| (cost as f32).min(f32::MAX)),
        };
        into.add(tree, number, CACHE_LINE, bytemuck::bytes_of(&record).to_vec());
        into.add(nodes, number, PAGE, bytemuck::cast_slice(self.arena.nodes()));
        into.add(leaves, number, CACHE_LINE, bytemuck::cast_slice(self.blocks()));
    }

    /// The tree in these sections of a file; it stays mapped. Reads and checks all nodes, so that
    /// every walk stays in the tree and ends, and no leaf: a damaged leaf gives wrong answers.
    pub(crate) fn open(
        file: &Reading<'_>,
        names: [&str; 3],
        number: u32,
    ) -> Result<Self, FileProblem> {
        let [tree, nodes, leaves] = names;
        let record: TreeRecord = file.value(tree, number)?;
        if (record.node as usize, record.leaf as usize) != (size_of::<Node>(), size_of::<B>()) {
            let what = format!("nodes of {} bytes and leaves of {}", record.node, record.leaf);
            return Err(damaged(tree, number, what));
        }
        let (node_count, leaf_count) =
            (file.len::<Node>(nodes, number)?, file.len::<B>(leaves, number)?);
        let sound = Sound::new::<B>(node_count, leaf_count);
        file.look_at(nodes, number, |first, nodes| sound.look_at(first, nodes))?;
        let root = Reference::from_bits(record.root);
        let stack = sound.stack(root).map_err(|what| damaged(nodes, number, what))?;
        if stack != record.stack as usize {
            return Err(damaged(tree, number, "the wrong depth"));
        }
        let [min, max] = record.bounds;
        let bounds = Aabb { min, max };
        // Scenes that this one is placed in build trees around it.
        let usable = |x: &f32| x.abs() <= LARGEST_COORDINATE;
        let is_usable =
            bounds == Aabb::EMPTY || !bounds.is_empty() && min.iter().chain(&max).all(usable);
        if !is_usable || !record.anchor.iter().all(usable) {
            return Err(damaged(tree, number, "bounds that are none"));
        }
        let arena =
            Arena::of_lines(file.joined([nodes, leaves], number)?, node_count, record.anchor);
        let range = FiniteRange::of(&bounds, record.anchor);
        let cost = record.sah_cost_as_built;
        if !(cost >= 0.0 && cost.is_finite()) {
            return Err(damaged(tree, number, "a cost that is none"));
        }
        let sah_cost_as_built = (cost > 0.0).then_some(cost.into());
        Ok(Self { arena, root, bounds, range, stack, sah_cost_as_built })
    }
}
