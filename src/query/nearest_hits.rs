//! The first few primitives along each ray, in order.

use crate::hit::Candidate;
use crate::primitive::Side;
use crate::query::{Each, Query};
use crate::status::Status;

/// Keeps the hits that come first of every ray of a chunk, as many as it asks for.
pub(crate) struct NearestHits<'a> {
    status: &'a mut [Status],
    /// Where the places of each row begin, and last where those of the last end.
    starts: Vec<usize>,
    /// The hits of each row, in order, on its first places.
    found: Vec<Candidate>,
    /// How many of its places each row has filled.
    counts: Vec<u32>,
}

/// What is known of one ray.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    /// How many hits are kept.
    count: u32,
    /// The `t` of the last of them if there is room for no more. Below everything where there is room for none.
    reach: f32,
}

impl<'a> NearestHits<'a> {
    /// With larger limits it is all hits that are collected: places are there for as many as are asked for.
    pub(crate) const MOST: u32 = 1 << 10;

    /// For rays that ask for so many hits each.
    pub(crate) fn new(status: &'a mut [Status], limits: impl Iterator<Item = u32>) -> Self {
        let mut starts = Vec::with_capacity(status.len() + 1);
        starts.push(0);
        let mut end = 0;
        for limit in limits {
            end += limit as usize;
            starts.push(end);
        }
        Self { counts: vec![0; status.len()], status, starts, found: vec![Candidate::NONE; end] }
    }

    /// The hits by row, then in order.
    pub(crate) fn into_sorted(self) -> Vec<(u32, Candidate)> {
        let mut sorted = Vec::with_capacity(self.counts.iter().map(|&count| count as usize).sum());
        for ((row, &count), &start) in (0..).zip(&self.counts).zip(&self.starts) {
            sorted.extend(self.found[start..][..count as usize].iter().map(|&candidate| (row, candidate)));
        }
        sorted
    }
}

impl Query for NearestHits<'_> {
    type State = Nearest;
    type Group = Each<Nearest>;

    const NARROWS: bool = true;
    const COUNTS_CONTACTS: bool = true;
    const START: Nearest = Nearest { count: 0, reach: f32::INFINITY };

    fn offer(
        &mut self,
        row: usize,
        state: &mut Nearest,
        candidate: Candidate,
        _: Side,
        _: impl FnOnce() -> [f32; 3],
    ) {
        let places = &mut self.found[self.starts[row]..self.starts[row + 1]];
        let kept = state.count as usize;
        let place = places[..kept].partition_point(|other| other.comes_before(&candidate));
        if place < places.len() {
            let end = (kept + 1).min(places.len());
            places.copy_within(place..end - 1, place + 1);
            places[place] = candidate;
            state.count = end as u32;
        }
        if state.count as usize == places.len() {
            state.reach = places.last().map_or(f32::NEG_INFINITY, |last| last.t);
        }
    }

    #[inline(always)]
    fn t_max(state: &Nearest, t_max: f32) -> f32 {
        // Not below the last: what lies at the same `t` may have the lower ids.
        t_max.min(state.reach)
    }

    fn finish(&mut self, row: usize, state: &Nearest) {
        let met = state.count > 0 || state.reach < f32::INFINITY;
        self.status[row] = if met { Status::Hit } else { Status::Miss };
        self.counts[row] = state.count;
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
            .map(|(t, number)| Candidate { t, u: 0.0, v: 0.0, number })
            .into();
        let mut sorted = hits.clone();
        sorted.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.number.cmp(&b.number)));
        for limit in 0..=hits.len() + 1 {
            for first in 0..hits.len() {
                let mut status = [Status::Miss; 2];
                let mut query = NearestHits::new(&mut status, [1, limit as u32].into_iter());
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
