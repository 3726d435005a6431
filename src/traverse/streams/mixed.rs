//! Rays of all octants in one list.
//!
//! Such rays share neither near planes nor an order of children: each picks its own planes, and
//! children are visited in the order of the mean `t` at which the rays of their lists enter them.

use crate::simd::{LANES, Rearrange, Vectors};

/// The sum of the `t` at which rays enter each box of a node, a part in each lane.
pub(super) type Entered<V> = [<V as Vectors<f32>>::Real; LANES];

/// The order of children by these sums over lists of these lengths, from the farthest to the
/// nearest, packed as [`Node::far_to_near`](crate::tree::arena::Node::far_to_near) is.
#[inline(always)]
pub(super) fn far_to_near<V: Rearrange>(
    lanes: V,
    entered: Entered<V>,
    lengths: &[u32; LANES],
) -> u32 {
    let mut sums = [0.0; LANES];
    for (sum, entered) in sums.iter_mut().zip(entered) {
        let mut row: V::Row = bytemuck::Zeroable::zeroed();
        lanes.store(entered, &mut row);
        // By halves, as vectors.
        let row = row.as_mut();
        let mut half = V::COUNT / 2;
        while half > 0 {
            for lane in 0..half {
                row[lane] += row[lane + half];
            }
            half /= 2;
        }
        *sum = row[0];
    }
    order_of(sums, lengths)
}

#[inline(always)]
fn order_of(sums: [f32; LANES], lengths: &[u32; LANES]) -> u32 {
    let mut keys = [0.0; LANES];
    for slot in 0..LANES {
        let mean = sums[slot] / lengths[slot].max(1) as f32;
        // NaN, of sums that are infinite, is not above zero.
        let mean = if mean > 0.0 { mean.min(f32::MAX) } else { 0.0 };
        // No two keys are equal. As numbers they compare as their bits do, subnormal ones too: kernels
        // run in the default floating-point mode.
        keys[slot] = f32::from_bits(mean.to_bits() & !(LANES as u32 - 1) | slot as u32);
    }
    let mut order = 0;
    for slot in 0..LANES {
        let mut farther = 0;
        for key in keys {
            farther += u32::from(keys[slot] < key);
        }
        order |= (slot as u32) << (3 * farther);
    }
    order
}

#[cfg(test)]
#[path = "../../../tests/unit/traverse/streams/mixed.rs"]
mod tests;
