//! The table by which vectors without a compress instruction are compacted.

use super::lanes::LANES;

/// For each mask its lanes from the lowest to the highest, then lane 0: each as `factor` times its number, and `more`.
pub(super) const fn compressed(factor: u32, more: u32) -> [[u32; LANES]; 1 << LANES] {
    let mut table = [[more; LANES]; 1 << LANES];
    let mut at = 0;
    while at < table.as_flattened().len() {
        let (mask, lane) = (at / LANES, at % LANES);
        if mask >> lane & 1 == 1 {
            let below: usize = mask & ((1 << lane) - 1);
            table[mask][below.count_ones() as usize] = lane as u32 * factor + more;
        }
        at += 1;
    }
    table
}
