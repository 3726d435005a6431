//! Holds what the engine answered against what brute force found, and says what differs.

use super::answers::Answer;
use super::reference::{Expected, Meeting, Passage};
use lanecast::{Hit, INVALID_ID, LineHits, Status};
use std::collections::BTreeMap;

/// One answer that is not as it should be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mismatch {
    pub(super) query: &'static str,
    pub(super) found: String,
    pub(super) expected: String,
}

/// The first thing in which an answer differs from what it should be, if it does.
pub(super) fn mismatch(answer: &Answer, expected: &Expected) -> Option<Mismatch> {
    let Answer { status: [closest, any, count, crossed, touched, nearest, ahead, behind], .. } = *answer;
    if let Some(defect) = expected.defect {
        return (!is_refused(answer, defect)).then(|| Mismatch {
            query: "status",
            found: words(&answer.status.map(|status| status.name().to_owned())),
            expected: defect.name().to_owned(),
        });
    }
    let of_numbers = [Status::InvalidOrigin, Status::DirectionOutOfRange];
    if expected.may_be_refused && of_numbers.iter().any(|&status| is_refused(answer, status)) {
        return None;
    }
    let met: Vec<&Meeting> = expected.meetings.iter().collect();
    let crossings: Vec<&Meeting> = met.iter().copied().filter(|meeting| meeting.passage.crosses).collect();
    let differs = |query, found: String, meetings: &[&Meeting]| {
        let expected = words(&meetings.iter().map(|meeting| of_meeting(meeting)).collect::<Vec<_>>());
        Some(Mismatch { query, found, expected })
    };
    if !is_closest(answer.closest.as_ref(), closest, &met) {
        return differs("closest hit", of_hits(answer.closest.as_slice(), closest), &met);
    }
    if !has_status(any, &met) {
        return differs("any hit", any.name().to_owned(), &met);
    }
    if !are_all(&answer.crossed, crossed, &crossings) {
        return differs("all hits", of_hits(&answer.crossed, crossed), &crossings);
    }
    if !has_status(count, &crossings) || answer.count as usize != answer.crossed.len() {
        return differs("count", format!("{} ({count})", answer.count), &crossings);
    }
    let nearest_of_all = &answer.crossed[..answer.crossed.len().min(answer.limit as usize)];
    if !are_nearest(&answer.nearest, answer.limit, nearest, &crossings) || answer.nearest != nearest_of_all {
        return differs("nearest hits", of_hits(&answer.nearest, nearest), &crossings);
    }
    for (query, side, hit, status) in [
        ("line hit ahead", 1.0, answer.line.ahead, ahead),
        ("line hit behind", -1.0, answer.line.behind, behind),
    ] {
        if !is_closest_on_side(side, hit, status, &met) {
            return differs(query, of_hits(hit.as_slice(), status), &met);
        }
    }
    if let Some(all) = &answer.touched {
        if !are_all(all, touched, &met) {
            return differs("all hits touched", of_hits(all, touched), &met);
        }
        if answer.closest != all.first().copied() {
            return differs("closest hit, the first of those touched", of_hits(all, touched), &met);
        }
        let last = all.iter().rev().find(|hit| hit.t <= 0.0);
        // Of several at that `t` the first.
        let behind = last.and_then(|last| all.iter().find(|hit| hit.t == last.t)).copied();
        let ahead = all.iter().find(|hit| hit.t >= 0.0).copied();
        // What lies at 0 may be on the other side too, at another `t`: the reported one counts there and the exact one here.
        let is_moved = |hit: &Hit| {
            let is_at_zero = |meeting: &&&Meeting| meeting.passage.t.abs() <= meeting.passage.t_error;
            !all.contains(hit) && met.iter().filter(is_at_zero).any(|meeting| is_at(hit, meeting))
        };
        let is_nearest = |found: Option<Hit>, nearest: Option<Hit>| {
            let is_as_near = |hit: &Hit| nearest.is_none_or(|nearest| hit.t.abs() <= nearest.t.abs());
            found == nearest || found.as_ref().is_some_and(|hit| is_moved(hit) && is_as_near(hit))
        };
        if !is_nearest(answer.line.ahead, ahead) || !is_nearest(answer.line.behind, behind) {
            return differs("line hits, the nearest of those touched", of_hits(all, touched), &met);
        }
    }
    None
}

/// Whether nothing is answered but what is wrong with the ray.
fn is_refused(answer: &Answer, defect: Status) -> bool {
    answer.status == [defect; 8]
        && answer.closest.is_none()
        && answer.count == 0
        && answer.crossed.is_empty()
        && answer.nearest.is_empty()
        && answer.line == LineHits::default()
}

/// Whether a status says that there is something, where there surely is, and nothing, where there surely is not.
fn has_status(status: Status, meetings: &[&Meeting]) -> bool {
    match status {
        Status::Hit => !meetings.is_empty(),
        Status::Miss => !meetings.iter().any(|meeting| meeting.is_certain),
        _ => false,
    }
}

fn is_closest(hit: Option<&Hit>, status: Status, meetings: &[&Meeting]) -> bool {
    let Some(hit) = hit else {
        return status == Status::Miss && has_status(status, meetings);
    };
    let nothing_nearer = meetings
        .iter()
        .all(|nearer| !nearer.is_certain || nearer.passage.t + nearer.passage.t_error >= f64::from(hit.t));
    status == Status::Hit && nothing_nearer && is_met(hit, meetings)
}

/// Whether the hits are in order, each is another meeting, and no certain one is missing.
fn are_all(hits: &[Hit], status: Status, meetings: &[&Meeting]) -> bool {
    let in_order = hits.windows(2).all(|pair| {
        // What lies in no instance comes first.
        let order = |hit: Hit| (hit.t, hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
        // A line may enter a flat box, or a sphere that it touches, where it leaves it.
        order(pair[0]) <= order(pair[1])
    });
    let is_hit = if hits.is_empty() { Status::Miss } else { Status::Hit };
    status == is_hit && in_order && are_paired(hits, meetings)
}

/// Whether each hit is another meeting, and no certain one is left over.
fn are_paired(hits: &[Hit], meetings: &[&Meeting]) -> bool {
    type OfPrimitive<'a> = (Vec<&'a Hit>, Vec<&'a Meeting>);
    let mut of_each: BTreeMap<[u32; 3], OfPrimitive> = BTreeMap::new();
    for hit in hits {
        of_each.entry([hit.instance_id, hit.geometry_id, hit.primitive_id]).or_default().0.push(hit);
    }
    for meeting in meetings {
        let ids = [meeting.instance_id, meeting.geometry_id, meeting.primitive_id];
        of_each.entry(ids).or_default().1.push(meeting);
    }
    of_each.values().all(|(hits, meetings)| are_paired_on_one(hits, meetings))
}

/// The same of one primitive, which is met twice at most: all pairings are tried.
fn are_paired_on_one(hits: &[&Hit], meetings: &[&Meeting]) -> bool {
    let Some((hit, others)) = hits.split_first() else {
        return meetings.iter().all(|meeting| !meeting.is_certain);
    };
    meetings.iter().enumerate().any(|(place, meeting)| {
        let rest = [&meetings[..place], &meetings[place + 1..]].concat();
        is_at(hit, meeting) && are_paired_on_one(others, &rest)
    })
}

/// Whether the hits are in order, each is a meeting, they are no more than the limit, and no certain one that they leave
/// out is nearer than the last, or missing where there is room. The status says whether there is any, be the limit 0.
fn are_nearest(hits: &[Hit], limit: u32, status: Status, meetings: &[&Meeting]) -> bool {
    let in_order = hits.is_sorted_by(|first, second| first.t <= second.t);
    let left_out = |meeting: &&&Meeting| meeting.is_certain && !hits.iter().any(|hit| is_at(hit, meeting));
    let last = hits.last().filter(|_| hits.len() == limit as usize);
    let nothing_nearer = meetings.iter().filter(left_out).all(|meeting| {
        limit == 0
            || last.is_some_and(|last| meeting.passage.t + meeting.passage.t_error >= f64::from(last.t))
    });
    let known = hits.is_empty() || status == Status::Hit;
    has_status(status, meetings)
        && known
        && in_order
        && hits.len() <= limit as usize
        && nothing_nearer
        && hits.iter().all(|hit| is_met(hit, meetings))
}

/// Whether the hit is the closest on a side of the origin: ahead (1) or behind (−1), with `t` as one sees it who looks
/// there.
fn is_closest_on_side(side: f32, hit: Option<Hit>, status: Status, meetings: &[&Meeting]) -> bool {
    let seen = |meeting: &&Meeting| {
        let passage = Passage { t: f64::from(side) * meeting.passage.t, ..meeting.passage };
        let is_certain = meeting.is_certain && passage.t > passage.t_error;
        (passage.t >= -passage.t_error).then_some(Meeting { passage, is_certain, ..**meeting })
    };
    let there: Vec<Meeting> = meetings.iter().filter_map(seen).collect();
    let hit = hit.map(|hit| Hit { t: side * hit.t, ..hit });
    let is_there = hit.is_none_or(|hit| hit.t >= 0.0);
    is_there && is_closest(hit.as_ref(), status, &there.iter().collect::<Vec<_>>())
}

/// Whether the hit is this meeting, `t` and weights included.
fn is_at(hit: &Hit, meeting: &Meeting) -> bool {
    let passage = &meeting.passage;
    let near = |found: f32, exact: f64, error: f64| (f64::from(found) - exact).abs() <= error;
    [hit.instance_id, hit.geometry_id, hit.primitive_id]
        == [meeting.instance_id, meeting.geometry_id, meeting.primitive_id]
        && near(hit.t, passage.t, passage.t_error)
        && near(hit.u, passage.weights[0], passage.weight_errors[0])
        && near(hit.v, passage.weights[1], passage.weight_errors[1])
}

/// Whether the hit is one of the meetings.
fn is_met(hit: &Hit, meetings: &[&Meeting]) -> bool {
    meetings.iter().any(|meeting| is_at(hit, meeting))
}

/// Hits as a difference shows them, or what the status says where there are none.
pub(super) fn of_hits(hits: &[Hit], status: Status) -> String {
    if hits.is_empty() {
        return status.name().to_owned();
    }
    let of_hit = |hit: &Hit| {
        let Hit { t, u, v, .. } = hit;
        let primitive = of_ids(hit.instance_id, hit.geometry_id, hit.primitive_id);
        format!("{primitive} at t = {t:?}, u = {u:?}, v = {v:?}")
    };
    words(&hits.iter().map(of_hit).collect::<Vec<_>>())
}

fn of_ids(instance_id: u32, geometry_id: u32, primitive_id: u32) -> String {
    let placed =
        if instance_id == INVALID_ID { String::new() } else { format!(" in instance {instance_id}") };
    format!("primitive {primitive_id} of geometry {geometry_id}{placed}")
}

fn of_meeting(meeting: &Meeting) -> String {
    let Meeting { passage, is_certain, .. } = meeting;
    let primitive = of_ids(meeting.instance_id, meeting.geometry_id, meeting.primitive_id);
    // Adding zero turns −0 into 0.
    let [u, v] = passage.weights.map(|weight| weight + 0.0);
    let perhaps = if *is_certain { "" } else { "perhaps " };
    let error = passage.t_error;
    format!("{perhaps}{primitive} at t = {:?} ± {error:.1e}, u = {u:.7}, v = {v:.7}", passage.t)
}

/// A list that is cut where it is long.
fn words(items: &[String]) -> String {
    const MOST: usize = 6;
    match items.len() {
        0 => "nothing".to_owned(),
        count if count <= MOST => items.join("; "),
        count => format!("{}; and {} more", items[..MOST].join("; "), count - MOST),
    }
}
