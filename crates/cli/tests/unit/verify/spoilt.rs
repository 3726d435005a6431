//! Answers that are spoilt, each in one respect.

use super::*;
use lanecast_reference::brute_force::Meeting;
use lanecast_reference::line::Passage;

pub(super) type Spoil<T> = (&'static str, fn(&mut Answer<T>));

/// Each makes an answer wrong in one respect, if it has what there is to spoil.
pub(super) fn spoils<T: Tested>() -> [Spoil<T>; 34] {
    [
        ("no closest hit", |answer| answer.closest = None),
        ("a closest hit a little nearer", |answer| on_closest(answer, |hit| nearer(hit, 1e-4))),
        ("another primitive", |answer| on_closest(answer, |hit| hit.primitive_id += 1)),
        ("another geometry", |answer| on_closest(answer, |hit| hit.geometry_id ^= 1)),
        ("another place", |answer| {
            on_closest(answer, |hit| hit.instance_id = hit.instance_id.wrapping_add(1));
        }),
        ("another u", |answer| on_closest(answer, |hit| hit.u = more(hit.u, 1e-3))),
        ("another v", |answer| on_closest(answer, |hit| hit.v = more(hit.v, -1e-3))),
        ("the farthest instead of the closest", |answer| {
            answer.closest = answer.crossed.last().copied();
        }),
        ("a NaN", |answer| on_closest(answer, |hit| hit.t = Tested::of(f64::NAN))),
        ("a miss as its status", |answer| answer.status[0] = Status::Miss),
        ("nothing as any hit", |answer| answer.status[1] = Status::Miss),
        ("one more in the count", |answer| answer.count += 1),
        ("a hit too few", |answer| answer.crossed.truncate(answer.crossed.len().max(1) - 1)),
        ("a hit twice", |answer| answer.crossed.extend(answer.crossed.last().copied())),
        ("hits backwards", |answer| answer.crossed.reverse()),
        ("one touched too few", |answer| {
            answer
                .touched
                .iter_mut()
                .for_each(|touched| touched.truncate(touched.len().max(1) - 1));
        }),
        ("nothing near", |answer| answer.nearest.clear()),
        ("the second nearest instead of the nearest", |answer| {
            answer.nearest.drain(..answer.nearest.len().min(1));
        }),
        ("one more than was asked for", |answer| {
            answer.nearest.extend(answer.crossed.get(answer.nearest.len()).copied());
        }),
        ("the nearest backwards", |answer| answer.nearest.reverse()),
        ("nothing crossed if none is asked for", |answer| {
            if answer.limit == 0 {
                answer.status[5] = Status::Miss;
            }
        }),
        ("nothing ahead", |answer| answer.line.ahead = None),
        ("nothing behind", |answer| answer.line.behind = None),
        ("what is ahead behind", |answer| {
            std::mem::swap(&mut answer.line.ahead, &mut answer.line.behind);
        }),
        ("another primitive behind", |answer| {
            answer.line.behind.iter_mut().for_each(|hit| hit.primitive_id += 1);
        }),
        ("a hit behind a little nearer", |answer| {
            answer.line.behind.iter_mut().for_each(|hit| nearer(hit, -1e-4));
        }),
        ("the farthest behind", |answer| {
            let farthest = answer.touched.iter().flatten().find(|hit| hit.t <= T::ZERO);
            answer.line.behind = farthest.copied();
        }),
        ("a miss behind as its status", |answer| answer.status[7] = Status::Miss),
        ("where it leaves as the closest hit", |answer| {
            let entered = answer.closest.map(|hit| hit.primitive_id);
            let left = answer.crossed.get(1).filter(|hit| Some(hit.primitive_id) == entered);
            answer.closest = left.copied().or(answer.closest);
        }),
        ("where it enters told twice, and not where it leaves", |answer| {
            if let [first, second, ..] = &mut answer.crossed[..]
                && first.primitive_id == second.primitive_id
            {
                *second = *first;
            }
        }),
        ("where it enters nearer", |answer| {
            answer.crossed.iter_mut().take(1).for_each(|hit| nearer(hit, 1e-3));
        }),
        ("other t everywhere", |answer| on_all(answer, |hit| nearer(hit, -0.01))),
        ("another u everywhere", |answer| on_all(answer, |hit| hit.u = more(hit.u, 0.01))),
        ("another reason not to cast it", |answer| {
            if answer.status[0].is_invalid() {
                answer.status[2] = Status::DirectionOutOfRange;
            }
        }),
    ]
}

/// A number that is more by so much, or by a millionth of it.
fn more<T: Tested>(x: T, by: f64) -> T {
    Tested::of(x.to_f64() + by * T::FINER)
}

/// A little nearer.
fn nearer<T: Tested>(hit: &mut Hit<T>, by: f64) {
    hit.t = more(hit.t, -by * hit.t.to_f64().abs().max(0.1));
}

fn on_all<T>(answer: &mut Answer<T>, spoil: fn(&mut Hit<T>)) {
    on_closest(answer, spoil);
    let touched = answer.touched.iter_mut().flatten();
    answer.crossed.iter_mut().chain(&mut answer.nearest).chain(touched).for_each(spoil);
    answer.line.ahead.iter_mut().chain(&mut answer.line.behind).for_each(spoil);
}

pub(super) fn on_closest<T>(answer: &mut Answer<T>, spoil: fn(&mut Hit<T>)) {
    answer.closest.iter_mut().for_each(spoil);
}

/// How many answers are spoilt, each of which must be noticed.
pub(super) fn spoil_all<T: Tested>(
    answers: &[Answer<T>],
    expected: &[Expected],
    what: &str,
    spoil: fn(&mut Answer<T>),
) -> usize {
    let mut spoiled = 0;
    for (answer, expected) in answers.iter().zip(expected) {
        assert_eq!(compare::mismatch(answer, expected), None, "before it is spoiled");
        let mut wrong = answer.clone();
        spoil(&mut wrong);
        // Where a hit at an end of the interval may be there or not, so may the spoilt answer.
        if wrong.equals(answer) || expected.meetings.iter().any(|meeting| !meeting.is_certain) {
            continue;
        }
        let is_found = compare::mismatch(&wrong, expected).is_some();
        // Of a triangle that is seen from its edge, from where the ray starts, t is not known; and
        // the less is known of it the nearer what is met at survey coordinates.
        let is_vague = |meeting: &Meeting| {
            let Passage { t, t_error, weight_errors, .. } = meeting.passage;
            weight_errors[0] >= 1.0 || t_error > 0.4e-4 * T::FINER * t.abs().max(0.1)
        };
        assert!(
            is_found || expected.meetings.iter().any(is_vague),
            "{what} is not found: {wrong:?}, {expected:?}"
        );
        spoiled += usize::from(is_found);
    }
    spoiled
}
