//! Holds what the engine answered against what brute force found, and says what differs.

use super::answers::Answer;
use super::reference::{Expected, Meeting};
use lanecast::{Hit, Status};

/// One answer that is not as it should be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mismatch {
    pub(super) query: &'static str,
    pub(super) found: String,
    pub(super) expected: String,
}

/// The first thing in which an answer differs from what it should be, if it does.
pub(super) fn mismatch(answer: &Answer, expected: &Expected) -> Option<Mismatch> {
    let Answer { status: [closest, any, count, crossed, touched], .. } = *answer;
    if let Some(defect) = expected.defect {
        let found = [closest, any, count, crossed, touched];
        let silent = answer.closest.is_none() && answer.count == 0 && answer.crossed.is_empty();
        return (found != [defect; 5] || !silent).then(|| Mismatch {
            query: "status",
            found: words(&found.map(|status| status.name().to_owned())),
            expected: defect.name().to_owned(),
        });
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
    if let Some(all) = &answer.touched {
        if !are_all(all, touched, &met) {
            return differs("all hits touched", of_hits(all, touched), &met);
        }
        if answer.closest != all.first().copied() {
            return differs("closest hit, the first of those touched", of_hits(all, touched), &met);
        }
    }
    None
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

/// Whether the hits are in order, each is a meeting, and no certain one is missing.
fn are_all(hits: &[Hit], status: Status, meetings: &[&Meeting]) -> bool {
    let in_order = hits.windows(2).all(|pair| {
        let [first, second] = [pair[0], pair[1]].map(|hit| (hit.t, hit.geometry_id, hit.primitive_id));
        first < second
    });
    let complete =
        meetings.iter().all(|meeting| !meeting.is_certain || hits.iter().any(|hit| is_of(hit, meeting)));
    let is_hit = if hits.is_empty() { Status::Miss } else { Status::Hit };
    status == is_hit && in_order && complete && hits.iter().all(|hit| is_met(hit, meetings))
}

fn is_of(hit: &Hit, meeting: &Meeting) -> bool {
    (hit.geometry_id, hit.primitive_id) == (meeting.geometry_id, meeting.primitive_id)
}

/// Whether the hit is one of the meetings, `t` and weights included.
fn is_met(hit: &Hit, meetings: &[&Meeting]) -> bool {
    meetings.iter().any(|meeting| {
        let passage = &meeting.passage;
        let near = |found: f32, exact: f64, error: f64| (f64::from(found) - exact).abs() <= error;
        is_of(hit, meeting)
            && near(hit.t, passage.t, passage.t_error)
            && near(hit.u, passage.weights[0], passage.weight_errors[0])
            && near(hit.v, passage.weights[1], passage.weight_errors[1])
    })
}

/// Hits as a difference shows them, or what the status says where there are none.
pub(super) fn of_hits(hits: &[Hit], status: Status) -> String {
    if hits.is_empty() {
        return status.name().to_owned();
    }
    let of_hit = |hit: &Hit| {
        let Hit { t, geometry_id, primitive_id, u, v, .. } = hit;
        format!("triangle {primitive_id} of geometry {geometry_id} at t = {t:?}, u = {u:?}, v = {v:?}")
    };
    words(&hits.iter().map(of_hit).collect::<Vec<_>>())
}

fn of_meeting(meeting: &Meeting) -> String {
    let Meeting { geometry_id, primitive_id, passage, is_certain } = meeting;
    // Adding zero turns −0 into 0.
    let [u, v] = passage.weights.map(|weight| weight + 0.0);
    let perhaps = if *is_certain { "" } else { "perhaps " };
    let error = passage.t_error;
    format!(
        "{perhaps}triangle {primitive_id} of geometry {geometry_id} at t = {:?} ± {error:.1e}, u = {u:.7}, v = {v:.7}",
        passage.t
    )
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
