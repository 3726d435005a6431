//! The first primitive on each line.

use super::parts::{by_parts, worth_it};
use super::{Sink, TILE, chunk_size, many_to_many};
use crate::columns::{Columns, Record, Shape};
use crate::error::Result;
use crate::kernel::bulk::answers::{Closest, Defects};
use crate::kernel::bulk::tile::TileView;
use crate::kernel::bulk::{Bulk, refuse_too_many};
use crate::kernel::test::{PreparedOf, Test, answers};
use crate::simd::{Mask, Real, Vectors, set_bits};

struct ClosestSink<'a, T> {
    index: &'a mut [u32],
    t: &'a mut [T],
}

impl<P: Record, K: Test<P>> Sink<P, K> for ClosestSink<'_, P::Scalar> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &TileView<'_, P, V, TILE>,
    ) {
        let mut best = self.t[line];
        for vector in 0..seen.vectors() {
            let primitive = seen.load(lanes, vector);
            let answer = test.test(&primitive, prepared);
            let mut bits = answer.hit.bits();
            let mut t: V::Row = bytemuck::Zeroable::zeroed();
            if K::DECIDES {
                if bits == 0 {
                    continue;
                }
                let decided = answers(lanes, test, &primitive, prepared);
                (bits, t) = (decided.bits, *K::Values::at(&decided.values, 0));
            } else {
                // Few primitives are closer than the closest so far: most vectors end here.
                let closer = K::Values::at(&answer.values, 0).lt(lanes.splat(best));
                bits = (answer.hit & closer).bits();
                if bits == 0 {
                    continue;
                }
                lanes.store(*K::Values::at(&answer.values, 0), &mut t);
            }
            let place = vector * V::COUNT;
            for lane in set_bits(bits).take_while(|lane| place + lane < seen.count) {
                // Primitives come in ascending order: at equal `t` the first stays.
                if t.as_ref()[lane] < best {
                    best = t.as_ref()[lane];
                    self.index[line] = (seen.first + place + lane) as u32;
                }
            }
        }
        self.t[line] = best;
    }
}

pub(in crate::kernel::bulk) fn closest<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    closest: &mut Closest<P::Scalar>,
) -> Result<Defects> {
    const { assert!(K::Values::COUNT > 0, "a test that gives no t has no closest hit") };
    closest.clear();
    refuse_too_many(lines.len(), primitives.len())?;
    closest.reset(lines.len()).inspect_err(|_| closest.clear())?;
    if worth_it(lines.len(), primitives.len(), bulk.threads) {
        let merge = |first: usize, part: Closest<P::Scalar>| {
            for line in 0..part.t.len() {
                // Parts come in ascending order: at equal `t` the first stays.
                if part.t[line] < closest.t[line] {
                    closest.t[line] = part.t[line];
                    closest.index[line] = part.index[line] + first as u32;
                }
            }
        };
        let outcome =
            by_parts(bulk, lines, primitives, |bulk, part, into| bulk.closest(lines, part, into), merge);
        return outcome.inspect_err(|_| closest.clear());
    }
    let chunk = chunk_size(lines.len(), primitives.len(), bulk.threads);
    let parts = closest.index.chunks_mut(chunk).zip(closest.t.chunks_mut(chunk));
    many_to_many(bulk, lines, primitives, chunk, parts, |(index, t)| ClosestSink { index, t })
        .inspect_err(|_| closest.clear())
}
