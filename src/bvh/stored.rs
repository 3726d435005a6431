//! Trees in files: nodes and leaves as they lie in memory, and beside them what else a tree is.

use super::Bvh;
use super::arena::{Arena, Node, Reference};
use super::sound::Sound;
use crate::error::FileProblem;
use crate::file::{Place, SectionFile, SectionWriter, damaged};
use crate::primitive::{Aabb, LeafBlock, TameRays};

/// The section of a tree as a whole.
pub(crate) const TREE: &str = "tree";

/// The section of its nodes. The leaves follow without a gap.
pub(crate) const NODES: &str = "nodes";

/// What is left of a tree without its nodes and leaves.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Record {
    bounds: [[f32; 3]; 2],
    anchor: [f32; 3],
    root: u32,
    /// How many references a ray may have waiting.
    stack: u32,
    /// Sizes in bytes, as the program that wrote it had them.
    node: u32,
    leaf: u32,
    unused: u32,
}

impl<B: LeafBlock> Bvh<B> {
    /// Adds the sections of the tree; that of its leaves is called `leaves`.
    pub(crate) fn store<'a>(&'a self, leaves: &str, number: u32, into: &mut SectionWriter<'a>) {
        let record = Record {
            bounds: [self.bounds.min, self.bounds.max],
            anchor: self.arena.anchor,
            root: self.root.bits(),
            stack: self.stack as u32,
            node: size_of::<Node>() as u32,
            leaf: size_of::<B>() as u32,
            unused: 0,
        };
        into.add(TREE, number, Place::Line, bytemuck::bytes_of(&record).to_vec());
        into.add(NODES, number, Place::Page, bytemuck::cast_slice(self.arena.nodes()));
        into.add(leaves, number, Place::Line, bytemuck::cast_slice(self.blocks()));
    }

    /// The tree in these sections of a file, which stay where they are.
    ///
    /// Reads all nodes, so that no walk leaves the tree or goes on forever, and no leaf: a damaged one gives wrong
    /// answers.
    pub(crate) fn open(file: &SectionFile, leaves: &str, number: u32) -> Result<Self, FileProblem> {
        let record: Record = file.value(TREE, number)?;
        if (record.node as usize, record.leaf as usize) != (size_of::<Node>(), size_of::<B>()) {
            let what = format!("nodes of {} bytes and leaves of {}", record.node, record.leaf);
            return Err(damaged(TREE, what));
        }
        let [node_count, leaf_count] =
            [(NODES, size_of::<Node>()), (leaves, size_of::<B>())].map(|(name, size)| {
                let length = file.length(name, number)?;
                let wrong = || damaged(name, "not as long as it should be");
                length.is_multiple_of(size).then_some(length / size).ok_or_else(wrong)
            });
        let (node_count, leaf_count) = (node_count?, leaf_count?);
        let sound = Sound::<B>::new(node_count, leaf_count);
        file.look_at(NODES, number, |first, nodes| sound.look_at(first, nodes))?;
        let root = Reference::from_bits(record.root);
        let stack = sound.stack(root).map_err(|what| damaged(NODES, what))?;
        if stack != record.stack as usize {
            return Err(damaged(TREE, "the wrong depth"));
        }
        let arena = Arena::of_lines(file.joined([NODES, leaves], number)?, node_count, record.anchor);
        let [min, max] = record.bounds;
        let bounds = Aabb { min, max };
        Ok(Self { arena, root, bounds, tame: TameRays::of(&bounds), stack, sah_cost_as_built: None })
    }
}
