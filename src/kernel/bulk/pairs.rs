//! Row by row: line `i` with primitive `i`, or one line with every primitive.

use std::ops::Range;

use super::answers::{Defects, MAX_VALUES, TableRows};
use super::stream::{Load, Pick, Stream, TILE};
use crate::columns::{Columns, PartsOf, Record, Shape};
use crate::kernel::test::{
    Answer, Answers, DecidedHit, InAllLanes, PreparedOf, Test, answers, numbers, of_miss, order,
};
use crate::simd::{Mask, Real, Scalar, Single, Vectors, set_bits};
use crate::value::Line;

/// Tests lines from number `first_line` on with primitives from number `first` on, as many as there
/// are rows. With `ONE` it is that line alone, which is sound, that meets them all. With `T_ALONE`
/// the rows have the first value alone.
pub(super) struct Pairs<'a, 'l, 'p, P: Record, K: Test<P>, const ONE: bool, const T_ALONE: bool> {
    pub(super) test: &'a K,
    pub(super) lines: &'a Columns<'l, K::Line>,
    pub(super) first_line: usize,
    pub(super) primitives: &'a Columns<'p, P>,
    pub(super) first: usize,
    pub(super) rows: TableRows<'a, P::Scalar>,
}

/// Some vectors of rows, all columns of the same length: so the loop over them has no checks.
struct Tile<'s, 't, P: Record, K: Test<P>, V: Vectors<P::Scalar>> {
    lines: PartsOf<K::Line, &'s [V::Row]>,
    primitives: PartsOf<P, &'s [V::Row]>,
    codes: &'t mut [V::Bytes],
    values: [&'t mut [V::Row]; MAX_VALUES],
}

impl<P: Record, K: Test<P>, const ONE: bool, const T_ALONE: bool>
    Pairs<'_, '_, '_, P, K, ONE, T_ALONE>
{
    /// Tests all pairs.
    #[inline(always)]
    pub(super) fn run<V: Vectors<P::Scalar>>(mut self, lanes: V) -> Defects {
        let (test, len) = (self.test, self.rows.len);
        let mut defects = Defects::default();
        if len < V::COUNT {
            self.test_alone(0, (1 << len) - 1, 0..len, &mut defects);
            return defects;
        }
        // One line is prepared once, and picks the columns in its order.
        let (mut alone, mut order_of_columns) =
            (K::Prepared::filled(P::Scalar::ZERO), P::Shape::places());
        if ONE {
            alone = test.prepare(&numbers(&self.lines.get(self.first_line)));
            order_of_columns = order::<P, K>(&alone);
        }
        let in_all_lanes = K::Prepared::map(&alone, &InAllLanes(lanes));
        let mut lines =
            Stream::<K::Line, V>::new(self.lines, self.first_line, if ONE { 0 } else { len });
        let mut primitives = Stream::<P, V>::new(self.primitives, self.first, len);
        let capacity = if ONE { primitives.tile } else { lines.tile.min(primitives.tile) };
        let before = if len > 16 * V::COUNT { primitives.before_cache_line() } else { 0 };
        let zero = lanes.splat(P::Scalar::ZERO);
        let all = zero.le(zero);
        for (start, vectors, fresh) in passes(len, V::COUNT, capacity, before) {
            let end = start + vectors * V::COUNT;
            let mut tile = Tile::<P, K, V> {
                lines: <K::Line as Record>::Shape::filled(&[]),
                primitives: primitives.take(start, vectors, &order_of_columns),
                codes: &mut [],
                values: Default::default(),
            };
            if !ONE {
                tile.lines = lines.take(start, vectors, &<K::Line as Record>::Shape::places());
            }
            if !T_ALONE {
                tile.codes =
                    &mut bytemuck::cast_slice_mut(&mut self.rows.codes[start..end])[..vectors];
            }
            for (values, column) in
                tile.values.iter_mut().zip(&mut self.rows.values).take(Self::VALUES)
            {
                *values = &mut bytemuck::cast_slice_mut(&mut column[start..end])[..vectors];
            }
            let mut open = [0; TILE];
            let mut sound = all;
            for vector in 0..vectors {
                let mut prepared = in_all_lanes;
                let mut primitive = P::Shape::map(&tile.primitives, &Load::new(lanes, vector));
                if !ONE {
                    let line =
                        <K::Line as Record>::Shape::map(&tile.lines, &Load::new(lanes, vector));
                    sound = sound & K::Line::surely_sound(&line);
                    prepared = test.prepare(&line);
                    primitive = K::arrange(primitive, &prepared);
                }
                let answer = test.test(&primitive, &prepared);
                if K::DECIDES {
                    open[vector % TILE] = answer.hit.bits();
                }
                Self::write(lanes, vector, &answer, &mut tile);
            }
            if K::DECIDES {
                Self::decide_open(test, &open[..vectors], &alone, &mut tile);
            }
            if sound.bits() != all.bits() {
                let lines = tile.lines;
                for vector in 0..vectors {
                    let line = <K::Line as Record>::Shape::map(&lines, &Load::new(lanes, vector));
                    let doubtful = !K::Line::surely_sound(&line);
                    self.test_alone(
                        start + vector * V::COUNT,
                        doubtful.bits(),
                        fresh.clone(),
                        &mut defects,
                    );
                }
            }
        }
        defects
    }
}

/// The vectors to test one after the other: their first row, how many there are, and which rows
/// were not tested before. The first end where a cache line begins, `before` rows from the first;
/// the last may overlap those before it.
fn passes(
    len: usize,
    lanes: usize,
    capacity: usize,
    before: usize,
) -> impl Iterator<Item = (usize, usize, Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let (mut start, mut vectors) = (done, capacity.min((len - done) / lanes));
        let mut end = start + vectors * lanes;
        if done < before {
            (vectors, end) = (before.div_ceil(lanes), before);
        } else if vectors == 0 {
            (start, vectors, end) = (len - lanes, 1, len);
        }
        let fresh = done..end;
        done = end;
        (!fresh.is_empty()).then_some((start, vectors, fresh))
    })
}

impl<P: Record, K: Test<P>, const ONE: bool, const T_ALONE: bool>
    Pairs<'_, '_, '_, P, K, ONE, T_ALONE>
{
    /// How many columns of values are asked for.
    const VALUES: usize = if T_ALONE { 1 } else { K::Values::COUNT };

    /// Writes the answers of a vector; misses where the test only rejects.
    #[inline(always)]
    fn write<V: Vectors<P::Scalar>>(
        lanes: V,
        vector: usize,
        answer: &Answer<V::Real, K::Values>,
        tile: &mut Tile<'_, '_, P, K, V>,
    ) {
        if !T_ALONE {
            tile.codes[vector] = bytemuck::Zeroable::zeroed();
            if !K::DECIDES {
                let code = answer.code.select(answer.hit, lanes.splat(P::Scalar::ZERO));
                lanes.store_bytes(code, &mut tile.codes[vector]);
            }
        }
        for place in 0..Self::VALUES {
            let miss = lanes.splat(of_miss(place));
            let value = *K::Values::at(&answer.values, place);
            let value = if K::DECIDES { miss } else { value.select(answer.hit, miss) };
            lanes.store(value, &mut tile.values[place][vector]);
        }
    }

    /// Decides pairs that the test did not reject: those of the bits of each vector.
    #[inline(always)]
    fn decide_open<V: Vectors<P::Scalar>>(
        test: &K,
        open: &[u32],
        alone: &PreparedOf<P, K, P::Scalar>,
        tile: &mut Tile<'_, '_, P, K, V>,
    ) {
        for (vector, &open) in open.iter().enumerate().filter(|&(_, &open)| open != 0) {
            for lane in set_bits(open) {
                let at = Pick(vector * V::COUNT + lane);
                let (mut prepared, mut primitive) = (*alone, P::Shape::map(&tile.primitives, &at));
                if !ONE {
                    prepared = test.prepare(&<K::Line as Record>::Shape::map(&tile.lines, &at));
                    primitive = K::arrange(primitive, &prepared);
                }
                let Some((code, values)) = decide::<P, K>(test, &primitive, &prepared) else {
                    continue;
                };
                if !T_ALONE {
                    tile.codes[vector].as_mut()[lane] = code;
                }
                for place in 0..Self::VALUES {
                    tile.values[place][vector].as_mut()[lane] = *K::Values::at(&values, place);
                }
            }
        }
    }

    /// Tests pairs one by one, those of the bits set from a row on, and adds to the defects those
    /// of fresh rows.
    #[inline(never)]
    fn test_alone(&mut self, start: usize, bits: u32, fresh: Range<usize>, defects: &mut Defects) {
        for row in set_bits(bits).map(|lane| start + lane) {
            let line = self.lines.get(if ONE { self.first_line } else { self.first_line + row });
            let zero = [P::Scalar::ZERO];
            let mut found = Answers { bits: 0, codes: zero, values: K::Values::filled(zero) };
            if ONE || line.find_line_defect().is_none() {
                let prepared = self.test.prepare(&numbers(&line));
                let primitive =
                    K::arrange(numbers(&self.primitives.get(self.first + row)), &prepared);
                found = answers(Single, self.test, &primitive, &prepared);
            } else if fresh.contains(&row) {
                defects.add(self.first + row);
            }
            if !T_ALONE {
                self.rows.codes[row] = found.codes[0].to_u8();
            }
            for place in 0..Self::VALUES {
                let [value] = *K::Values::at(&found.values, place);
                self.rows.values[place][row] = if found.bits == 0 { of_miss(place) } else { value };
            }
        }
    }
}

/// Not inlined: the same code serves all backends.
#[inline(never)]
fn decide<P: Record, K: Test<P>>(
    test: &K,
    primitive: &PartsOf<P, P::Scalar>,
    prepared: &PreparedOf<P, K, P::Scalar>,
) -> Option<DecidedHit<P, K>> {
    test.decide(primitive, prepared)
}
