//! Brute force: every ray against every primitive. The oracle that the tree is held against.

use crate::kernel::ExactScalar;
use crate::leaf::RayBlock;
use crate::query::Offers;
use crate::simd::{Lanes, set_bits};
use crate::tree::arena::Arena;
use crate::value::{RayBatch, Rules};

/// Offers the hits of all rays at all leaves.
#[inline(always)]
pub(crate) fn scan<L: Lanes, T: ExactScalar, B: RayBlock<T>>(
    lanes: L,
    arena: &Arena<B>,
    rays: &RayBatch<'_, T>,
    rules: Rules,
    offers: &mut Offers<'_, T>,
) {
    let mut made = None;
    let (mut leaves, mut primitives) = (0, 0);
    for leaf in arena.leaves() {
        leaves += 1;
        primitives += arena.block(leaf, &mut made).count() as u32;
    }
    for row in 0..rays.len() {
        let ray = rays.ray(row);
        if let Some(defect) = ray.find_defect() {
            offers.refuse(row, defect);
            continue;
        }
        offers.visit(row, [0, 0, leaves, primitives]);
        let prepared = B::prepare(&ray, 1.0);
        for leaf in arena.leaves() {
            let block = arena.block(leaf, &mut made);
            if offers.work(2).is_break() {
                return;
            }
            // The whole interval, every time: the oracle skips nothing.
            for lane in set_bits(block.undecided(lanes, &prepared)) {
                if let Some(found) = block.decide(lane, &prepared, rules, [ray.t_min, ray.t_max])
                    && let Some(candidate) =
                        found.resolved(|found| block.resolve(lane, &ray, found))
                {
                    offers.offer(row, &candidate, found.side, &|| block.geometric_normal(lane));
                }
            }
        }
    }
}
