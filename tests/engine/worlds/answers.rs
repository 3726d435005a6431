//! Whether what every query says of a ray is what it must meet.

use crate::common::answers::Answers;
use lanecast::Contact::{Crossing, Touch};
use lanecast::{Hit, answers::LineHits};
use lanecast_reference::known::{Counts, Expected, Tally, hold_normal};
use lanecast_reference::vector::vector;

/// All hits of a ray, each with its crossing where that is sure, the first ones, and the nearest on
/// either side.
pub(crate) fn hold_row(
    expected: &Expected<'_>,
    answers: &Answers,
    row: usize,
    counts: Counts<'_>,
    context: &str,
) -> Tally {
    let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
    let all = answers.all.of_ray(row);
    let (tally, _) = expected.hold(all, everywhere, Crossing, counts, &format!("{context}, all"));

    let up_to = |hits: &[Hit], complete: bool| match hits.last() {
        Some(last) if !complete => [f64::NEG_INFINITY, f64::from(last.t)],
        _ => everywhere,
    };
    let closest: Vec<Hit> = answers.closest.hit(row).into_iter().collect();
    let of_closest = format!("{context}, closest");
    let (_, told) = expected.hold(&closest, up_to(&closest, false), Touch, counts, &of_closest);
    if let Some(Some(meeting)) = told.first() {
        let normal = vector(answers.closest.geometric_normal()[row]);
        let thing = &expected.known.world.things[expected.known.number(&closest[0])];
        hold_normal(normal, meeting, thing, &|| {
            format!("{context}, {:?}: {closest:?}", expected.ray)
        });
    }

    let (nearest, limit) = (answers.nearest.of_ray(row), row % 4);
    assert!(nearest.len() <= limit);
    if limit > 0 {
        let up_to = up_to(nearest, nearest.len() < limit);
        expected.hold(nearest, up_to, Crossing, counts, &format!("{context}, nearest {limit}"));
    }

    let LineHits { ahead, behind } = answers.line.of_line(row);
    let sides = [
        (ahead, 0.0, [0.0, ahead.map_or(f64::INFINITY, |hit| f64::from(hit.t))]),
        (behind, -0.0, [behind.map_or(f64::NEG_INFINITY, |hit| f64::from(hit.t)), 0.0]),
    ];
    for (hit, zero, between) in sides {
        let hits: Vec<Hit> = hit.into_iter().collect();
        assert!(hits.iter().all(|hit| if f64::is_sign_positive(zero) {
            hit.t >= 0.0
        } else {
            hit.t <= 0.0
        }));
        expected.hold(&hits, between, Touch, counts, &format!("{context}, line"));
    }

    let [least, most] = expected.count(Crossing, counts);
    let count = answers.counts.count()[row] as usize;
    assert!(
        (least..=most).contains(&count),
        "{context}, {:?}: {count}, not {least} to {most}",
        expected.ray
    );
    let [least, most] = expected.count(Touch, counts);
    let any = answers.any.status()[row].is_hit();
    assert!(
        if any { most > 0 } else { least == 0 },
        "{context}, {:?}: {any}, {least} to {most}",
        expected.ray
    );
    assert_eq!(answers.closest.hit(row).is_some(), any, "{context}, {:?}", expected.ray);
    tally
}
