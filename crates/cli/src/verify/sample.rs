//! Which rays of a file are verified: all, or as many of them as there is time for.

use crate::failure::Result;
use crate::rounding::Rounding;
use lanecast::Ray;
use lanecast_io::{Coordinate, RayChunk, RayReader};
use lanecast_reference::random::Random;

/// A ray and the name that a difference calls it by: its id in the file, or its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Named<T = f32> {
    pub(super) id: i64,
    pub(super) ray: Ray<T>,
}

/// Takes at most so many rays of a file, each with the same chance, in their order; and says how
/// many there are.
///
/// Vitter, "Random Sampling with a Reservoir", ACM Transactions on Mathematical Software
/// 11(1), 1985.
pub(super) fn of_file<T: Coordinate>(
    mut reader: RayReader<T>,
    most: usize,
    seed: u64,
    mut rounding: Rounding<'_>,
) -> Result<(Vec<Named<T>>, u64)> {
    const CHUNK: usize = 1 << 16;
    let mut random = Random::new(seed);
    let (mut taken, mut seen) = (Vec::new(), 0_u64);
    let mut chunk = RayChunk::<T>::default();
    while reader.next_chunk(CHUNK, &mut chunk)? {
        rounding.look(chunk.moved);
        for (index, &ray) in chunk.rays.iter().enumerate() {
            let named = (seen, Named { id: chunk.ids().get(index), ray });
            seen += 1;
            if taken.len() < most {
                taken.push(named);
                continue;
            }
            let place = random.below(seen as usize);
            if place < most {
                taken[place] = named;
            }
        }
    }
    taken.sort_unstable_by_key(|&(row, _)| row);
    Ok((taken.into_iter().map(|(_, named)| named).collect(), seen))
}

#[cfg(test)]
#[path = "../../tests/unit/verify/sample.rs"]
mod tests;
