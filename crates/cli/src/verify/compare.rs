//! Holds what the engine answered against what brute force found, and says what differs.

use super::answers::Answer;
use lanecast::{Hit, INVALID_ID, Scalar, Status, answers::LineHits};
use lanecast_reference::brute_force::{Expected, Meeting};
use lanecast_reference::judge::{
    are_all, are_nearest, has_status, is_at, is_closest, is_closest_on_side,
};

/// One answer that is not as it should be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mismatch {
    pub(super) query: &'static str,
    pub(super) found: String,
    pub(super) expected: String,
}

/// The first thing in which an answer differs from what it should be, if it does.
pub(super) fn mismatch<T: Scalar>(answer: &Answer<T>, expected: &Expected) -> Option<Mismatch> {
    let Answer { status: [closest, any, count, crossed, touched, nearest, ahead, behind], .. } =
        *answer;
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
    let crossings: Vec<&Meeting> =
        met.iter().copied().filter(|meeting| meeting.passage.crosses).collect();
    let differs = |query, found: String, meetings: &[&Meeting]| {
        let expected =
            words(&meetings.iter().map(|meeting| of_meeting(meeting)).collect::<Vec<_>>());
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
    if !are_nearest(&answer.nearest, answer.limit, nearest, &crossings)
        || answer.nearest != nearest_of_all
    {
        return differs("nearest hits", of_hits(&answer.nearest, nearest), &crossings);
    }
    for (query, side, hit, status) in [
        ("line hit ahead", T::ONE, answer.line.ahead, ahead),
        ("line hit behind", -T::ONE, answer.line.behind, behind),
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
        let last = all.iter().rev().find(|hit| hit.t <= T::ZERO);
        // Of several at that `t` the first.
        let behind = last.and_then(|last| all.iter().find(|hit| hit.t == last.t)).copied();
        let ahead = all.iter().find(|hit| hit.t >= T::ZERO).copied();
        // What lies at 0 may be on the other side too, at another `t`: the reported one counts
        // there and the exact one here.
        let is_moved = |hit: &Hit<T>| {
            let is_at_zero =
                |meeting: &&&Meeting| meeting.passage.t.abs() <= meeting.passage.t_error;
            !all.contains(hit) && met.iter().filter(is_at_zero).any(|meeting| is_at(hit, meeting))
        };
        let is_nearest = |found: Option<Hit<T>>, nearest: Option<Hit<T>>| {
            let is_as_near =
                |hit: &Hit<T>| nearest.is_none_or(|nearest| hit.t.abs() <= nearest.t.abs());
            found == nearest || found.as_ref().is_some_and(|hit| is_moved(hit) && is_as_near(hit))
        };
        if !is_nearest(answer.line.ahead, ahead) || !is_nearest(answer.line.behind, behind) {
            return differs("line hits, the nearest of those touched", of_hits(all, touched), &met);
        }
    }
    None
}

/// Whether nothing is answered but what is wrong with the ray.
fn is_refused<T: Scalar>(answer: &Answer<T>, defect: Status) -> bool {
    answer.status == [defect; 8]
        && answer.closest.is_none()
        && answer.count == 0
        && answer.crossed.is_empty()
        && answer.nearest.is_empty()
        && answer.line == LineHits::default()
}

/// Hits as a difference shows them, or what the status says where there are none.
pub(super) fn of_hits<T: Scalar>(hits: &[Hit<T>], status: Status) -> String {
    if hits.is_empty() {
        return status.name().to_owned();
    }
    let of_hit = |hit: &Hit<T>| {
        let Hit { t, u, v, .. } = hit;
        let primitive = of_ids(hit.instance_id, hit.geometry_id, hit.primitive_id);
        format!("{primitive} at t = {t:?}, u = {u:?}, v = {v:?}")
    };
    words(&hits.iter().map(of_hit).collect::<Vec<_>>())
}

fn of_ids(instance_id: u32, geometry_id: u32, primitive_id: u32) -> String {
    let placed = if instance_id == INVALID_ID {
        String::new()
    } else {
        format!(" in instance {instance_id}")
    };
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
