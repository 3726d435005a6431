//! Checks that the tree is whole.

use super::Bvh;
use super::arena::{NodeKind, Reference};
use super::leaf::Leaf;
use crate::value::Aabb;

impl<B: Leaf> Bvh<B> {
    /// Walks the whole tree. `box_of` gives the box of a primitive, `primitives` their number, of which some
    /// are in no leaf because they are elsewhere.
    ///
    /// Returns the fault: a primitive in no leaf or in two, a box that does not contain its subtree, an order
    /// that is no permutation, a stack that is too small.
    pub(crate) fn validate(
        &self,
        primitives: usize,
        is_elsewhere: impl Fn(u32) -> bool,
        box_of: impl Fn(&B, u32) -> Aabb,
    ) -> Result<(), String> {
        let mut seen: Vec<bool> = (0..primitives as u32).map(is_elsewhere).collect();
        // The boxes of the children of the root are wider than their content.
        let everywhere = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
        let stack = self.check(self.root, &everywhere, &mut seen, &box_of)?;
        if let Some(missing) = seen.iter().position(|seen| !seen) {
            return Err(format!("primitive {missing} is in no leaf"));
        }
        if stack + 1 > self.stack {
            return Err(format!("{} references may wait, but there is room for {}", stack + 1, self.stack));
        }
        Ok(())
    }

    fn check(
        &self,
        reference: Reference,
        bounds: &Aabb,
        seen: &mut [bool],
        box_of: &impl Fn(&B, u32) -> Aabb,
    ) -> Result<usize, String> {
        let line = reference.line();
        match reference.kind() {
            NodeKind::End => Ok(0),
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
                Ok(1)
            }
            NodeKind::Inner => {
                let node = self.arena.node(reference);
                for (octant, packed) in node.far_to_near.iter().enumerate() {
                    let named = (0..8).fold(0_u32, |named, place| named | 1 << (packed >> (3 * place) & 7));
                    if named != 0xff {
                        return Err(format!("node at line {line}: order {octant} is no permutation"));
                    }
                }
                let mut deepest = 0;
                let mut children = 0;
                for (slot, &child) in node.children.iter().enumerate() {
                    let child = Reference::from_bits(child);
                    let child_bounds = node.boxes.get(slot);
                    if child == Reference::END {
                        if !child_bounds.is_empty() {
                            return Err(format!("node at line {line}: the empty slot {slot} has a box"));
                        }
                        continue;
                    }
                    if !bounds.contains(&child_bounds) {
                        return Err(format!("node at line {line}: child {slot} sticks out"));
                    }
                    children += 1;
                    deepest = deepest.max(self.check(child, &child_bounds, seen, box_of)?);
                }
                if children == 0 {
                    return Err(format!("node at line {line} has no children"));
                }
                Ok(deepest + children - 1)
            }
        }
    }
}
