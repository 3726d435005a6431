//! The first few primitives along each ray, in order.

use std::ops::Range;

use crate::hit::{Candidate, Limit};
use crate::kernel::ExactScalar;
use crate::query::{Each, Query};
use crate::simd::Real;
use crate::status::Status;
use crate::value::Side;

/// Keeps the hits that come first of every ray of a chunk, as many as it asks for.
pub(crate) struct NearestHits<'a, T = f32> {
    status: &'a mut [Status],
    /// Which ray of the batch is the first of the chunk.
    first: usize,
    limit: Limit<'a>,
    /// Runs of places, one for each ray; as many as hits were found, not as may be asked for.
    places: Vec<Candidate<T>>,
    /// The places of each row that hold its hits, in order.
    kept: Vec<Range<usize>>,
}

/// What is known of one ray.
#[derive(Clone, Copy)]
pub(crate) struct Nearest<T = f32> {
    /// Where its places begin.
    start: usize,
    /// How many it has, and how many of them hold hits.
    room: u32,
    count: u32,
    /// The `t` of the last hit if there may be no more. Below everything where there may be none.
    reach: T,
}

impl<'a, T: ExactScalar> NearestHits<'a, T> {
    /// For the rays of a batch from `first` on.
    pub(crate) fn new(status: &'a mut [Status], first: usize, limit: Limit<'a>) -> Self {
        Self { kept: vec![0..0; status.len()], status, first, limit, places: Vec::new() }
    }

    /// Moves what is kept of a ray to twice as many places.
    fn grow(&mut self, state: &mut Nearest<T>) {
        let kept = state.start..state.start + state.count as usize;
        state.start = self.places.len();
        state.room = (2 * state.room).max(4);
        self.places.extend_from_within(kept);
        self.places.resize(state.start + state.room as usize, Candidate::NONE);
    }

    /// The hits by row, then in order.
    pub(crate) fn into_sorted(self) -> Vec<(u32, Candidate<T>)> {
        let mut sorted = Vec::with_capacity(self.kept.iter().map(Range::len).sum());
        for (row, kept) in (0..).zip(self.kept) {
            sorted.extend(self.places[kept].iter().map(|&candidate| (row, candidate)));
        }
        sorted
    }
}

impl<T: ExactScalar> Query<T> for NearestHits<'_, T> {
    type State = Nearest<T>;
    type Group = Each<Nearest<T>>;

    const NARROWS: bool = true;
    const COUNTS_CONTACTS: bool = true;
    const START: Nearest<T> = Nearest { start: 0, room: 0, count: 0, reach: T::INFINITY };

    fn offer(
        &mut self,
        row: usize,
        state: &mut Nearest<T>,
        candidate: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        let limit = self.limit.of(self.first + row);
        if limit == 0 {
            // It is known now that there is something.
            state.reach = T::NEG_INFINITY;
            return;
        }
        if state.count == state.room && state.count < limit {
            self.grow(state);
        }
        let places = &mut self.places[state.start..][..state.room.min(limit) as usize];
        let kept = state.count as usize;
        let place = places[..kept].partition_point(|other| other.comes_before(&candidate));
        if place < places.len() {
            let end = (kept + 1).min(places.len());
            places.copy_within(place..end - 1, place + 1);
            places[place] = candidate;
            state.count = end as u32;
        }
        if state.count == limit {
            state.reach = places[places.len() - 1].t;
        }
    }

    #[inline(always)]
    fn t_max(state: &Nearest<T>, t_max: T) -> T {
        // Not below the last: what lies at the same `t` may have the lower ids.
        Real::min(t_max, state.reach)
    }

    fn finish(&mut self, row: usize, state: &Nearest<T>) {
        let met = state.count > 0 || state.reach < T::INFINITY;
        self.status[row] = if met { Status::Hit } else { Status::Miss };
        self.kept[row] = state.start..state.start + state.count as usize;
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_few_in_order_whatever_the_order_of_the_offers() {
        let hits: Vec<_> = [(2.0, 7), (1.0, 3), (1.0, 2), (3.0, 0), (0.5, 9), (2.0, 1)]
            .map(|(t, number)| Candidate::<f32> { t, u: 0.0, v: 0.0, number })
            .into();
        let mut sorted = hits.clone();
        sorted.sort_by(Candidate::order);
        for limit in 0..=hits.len() + 1 {
            for first in 0..hits.len() {
                let (mut status, limits) = ([Status::Miss; 2], [9, 9, 9, 1, limit as u32]);
                let mut query = NearestHits::new(&mut status, 3, Limit::PerRay(&limits));
                let mut state = NearestHits::START;
                for offset in 0..hits.len() {
                    let candidate = hits[(first + offset) % hits.len()];
                    // Traversal offers what is within the interval that is left.
                    if candidate.t <= NearestHits::t_max(&state, f32::INFINITY) {
                        query.offer(1, &mut state, candidate, Side::Front, || [0.0; 3]);
                    }
                }
                query.finish(1, &state);
                let expected: Vec<_> = sorted.iter().take(limit).map(|&candidate| (1, candidate)).collect();
                assert_eq!(query.into_sorted(), expected, "{limit} of them, from {first}");
                assert_eq!(status, [Status::Miss, Status::Hit], "{limit} of them, from {first}");
            }
        }
    }
}
