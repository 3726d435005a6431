//! Checks that the tree is whole.

use super::arena::{NodeKind, Reference};
use super::sound::Sound;
use super::{Bvh, Leaf};
use crate::value::Aabb;

impl<B: Leaf> Bvh<B> {
    /// Walks the whole tree. `box_of` gives the box of a primitive, `primitives` their number, of which some
    /// are in no leaf because they are elsewhere.
    ///
    /// Returns the fault: what makes it no [sound](Sound) tree, a stack that is too small, a box that does not contain
    /// its subtree, a primitive in no leaf or in two.
    pub(crate) fn validate(
        &self,
        primitives: usize,
        is_elsewhere: impl Fn(u32) -> bool,
        box_of: impl Fn(&B, u32) -> Aabb,
    ) -> Result<(), String> {
        let sound = Sound::<B>::new(self.arena.nodes().len(), self.blocks().len());
        sound.look_at(0, self.arena.nodes())?;
        let stack = sound.stack(self.root)?;
        if stack > self.stack {
            return Err(format!("{stack} references may wait, but there is room for {}", self.stack));
        }
        let mut seen: Vec<bool> = (0..primitives as u32).map(is_elsewhere).collect();
        // The boxes of the children of the root are wider than their content.
        let everywhere = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
        let mut waiting = vec![(self.root, everywhere)];
        while let Some((reference, bounds)) = waiting.pop() {
            let line = reference.line();
            match reference.kind() {
                NodeKind::End => {}
                NodeKind::Leaf => {
                    let block = self.arena.block(reference);
                    for number in block.numbers() {
                        let seen = seen.get_mut(number as usize).ok_or_else(|| {
                            format!("the leaf at line {line} holds primitive {number}, which does not exist")
                        })?;
                        if std::mem::replace(seen, true) {
                            return Err(format!("primitive {number} is in two leaves, one at line {line}"));
                        }
                        if !bounds.contains(&box_of(block, number)) {
                            return Err(format!("primitive {number} sticks out of its leaf at line {line}"));
                        }
                    }
                }
                NodeKind::Inner => {
                    let node = self.arena.node(reference);
                    for slot in 0..node.slots() {
                        let child_bounds = node.boxes.get(slot);
                        if !bounds.contains(&child_bounds) {
                            return Err(format!("node at line {line}: child {slot} sticks out"));
                        }
                        waiting.push((Reference::from_bits(node.children[slot]), child_bounds));
                    }
                }
            }
        }
        let missing = seen.iter().position(|seen| !seen);
        missing.map_or(Ok(()), |missing| Err(format!("primitive {missing} is in no leaf")))
    }
}
