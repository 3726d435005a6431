//! Whether answers of the engine are what brute force says.
//!
//! Each takes the [meetings](Meeting) that count: those that [cross](crate::line::Passage::crosses)
//! for counts and all hits, all of them for the closest hit, any hit and what touches. What is
//! certain must be answered, what is not may be.

use crate::brute_force::Meeting;
use crate::line::Passage;
use lanecast::{Hit, Scalar, Status};
use std::collections::BTreeMap;

/// Whether a status says that there is something, where there surely is, and nothing, where there
/// surely is not.
pub fn has_status(status: Status, meetings: &[&Meeting]) -> bool {
    match status {
        Status::Hit => !meetings.is_empty(),
        Status::Miss => !meetings.iter().any(|meeting| meeting.is_certain),
        _ => false,
    }
}

pub fn is_closest<T: Scalar>(hit: Option<&Hit<T>>, status: Status, meetings: &[&Meeting]) -> bool {
    let Some(hit) = hit else {
        return status == Status::Miss && has_status(status, meetings);
    };
    let nothing_nearer = meetings.iter().all(|nearer| {
        !nearer.is_certain || nearer.passage.t + nearer.passage.t_error >= hit.t.to_f64()
    });
    status == Status::Hit && nothing_nearer && is_met(hit, meetings)
}

/// Whether the hits are in order, each is another meeting, and no certain one is missing.
pub fn are_all<T: Scalar>(hits: &[Hit<T>], status: Status, meetings: &[&Meeting]) -> bool {
    let in_order = hits.windows(2).all(|pair| {
        // What lies in no instance comes first.
        let order = |hit: Hit<T>| {
            (hit.t, hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id)
        };
        // A line may enter a flat box, or a sphere that it touches, where it leaves it.
        order(pair[0]) <= order(pair[1])
    });
    let is_hit = if hits.is_empty() { Status::Miss } else { Status::Hit };
    status == is_hit && in_order && are_paired(hits, meetings)
}

/// Whether each hit is another meeting, and no certain one is left over.
pub fn are_paired<T: Scalar>(hits: &[Hit<T>], meetings: &[&Meeting]) -> bool {
    type OfPrimitive<'a, T> = (Vec<&'a Hit<T>>, Vec<&'a Meeting>);
    let mut of_each: BTreeMap<[u32; 3], OfPrimitive<T>> = BTreeMap::new();
    for hit in hits {
        of_each
            .entry([hit.instance_id, hit.geometry_id, hit.primitive_id])
            .or_default()
            .0
            .push(hit);
    }
    for meeting in meetings {
        let ids = [meeting.instance_id, meeting.geometry_id, meeting.primitive_id];
        of_each.entry(ids).or_default().1.push(meeting);
    }
    of_each.values().all(|(hits, meetings)| are_paired_on_one(hits, meetings))
}

/// The same of one primitive, which is met twice at most: all pairings are tried.
fn are_paired_on_one<T: Scalar>(hits: &[&Hit<T>], meetings: &[&Meeting]) -> bool {
    let Some((hit, others)) = hits.split_first() else {
        return meetings.iter().all(|meeting| !meeting.is_certain);
    };
    meetings.iter().enumerate().any(|(place, meeting)| {
        let rest = [&meetings[..place], &meetings[place + 1..]].concat();
        is_at(hit, meeting) && are_paired_on_one(others, &rest)
    })
}

/// Whether the hits are in order, each is a meeting, they are no more than the limit, and no
/// certain one that they leave out is nearer than the last, or missing where there is room. The
/// status says whether there is any, be the limit 0.
pub fn are_nearest<T: Scalar>(
    hits: &[Hit<T>],
    limit: u32,
    status: Status,
    meetings: &[&Meeting],
) -> bool {
    let in_order = hits.is_sorted_by(|first, second| first.t <= second.t);
    let left_out =
        |meeting: &&&Meeting| meeting.is_certain && !hits.iter().any(|hit| is_at(hit, meeting));
    let last = hits.last().filter(|_| hits.len() == limit as usize);
    let nothing_nearer = meetings.iter().filter(left_out).all(|meeting| {
        limit == 0
            || last
                .is_some_and(|last| meeting.passage.t + meeting.passage.t_error >= last.t.to_f64())
    });
    let known = hits.is_empty() || status == Status::Hit;
    has_status(status, meetings)
        && known
        && in_order
        && hits.len() <= limit as usize
        && nothing_nearer
        && hits.iter().all(|hit| is_met(hit, meetings))
}

/// Whether the hit is the closest on a side of the origin: ahead (1) or behind (−1), with `t` as
/// one sees it who looks there.
pub fn is_closest_on_side<T: Scalar>(
    side: T,
    hit: Option<Hit<T>>,
    status: Status,
    meetings: &[&Meeting],
) -> bool {
    let seen = |meeting: &&Meeting| {
        let passage = Passage { t: side.to_f64() * meeting.passage.t, ..meeting.passage };
        let is_certain = meeting.is_certain && passage.t > passage.t_error;
        (passage.t >= -passage.t_error).then_some(Meeting { passage, is_certain, ..**meeting })
    };
    let there: Vec<Meeting> = meetings.iter().filter_map(seen).collect();
    let hit = hit.map(|hit| Hit { t: side * hit.t, ..hit });
    let is_there = hit.is_none_or(|hit| hit.t >= T::ZERO);
    is_there && is_closest(hit.as_ref(), status, &there.iter().collect::<Vec<_>>())
}

/// Whether the hit is this meeting, `t` and weights included.
pub fn is_at<T: Scalar>(hit: &Hit<T>, meeting: &Meeting) -> bool {
    let passage = &meeting.passage;
    let near = |found: T, exact: f64, error: f64| (found.to_f64() - exact).abs() <= error;
    [hit.instance_id, hit.geometry_id, hit.primitive_id]
        == [meeting.instance_id, meeting.geometry_id, meeting.primitive_id]
        && near(hit.t, passage.t, passage.t_error)
        && near(hit.u, passage.weights[0], passage.weight_errors[0])
        && near(hit.v, passage.weights[1], passage.weight_errors[1])
}

/// Whether the hit is one of the meetings.
pub fn is_met<T: Scalar>(hit: &Hit<T>, meetings: &[&Meeting]) -> bool {
    meetings.iter().any(|meeting| is_at(hit, meeting))
}
