//! What is right is not complained of, and whatever is wrong is.

use super::*;
use crate::mesh::Meshes;
use answers::Form;
use lanecast::{Backend, Hit, Status};

/// A box from −1 to 1, closed, and a triangle within it.
fn meshes() -> Vec<Mesh> {
    let vertices = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 2.0 * bit as f32 - 1.0)).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let inner = vec![[-0.3, -0.4, 0.1], [0.5, -0.2, 0.2], [0.1, 0.6, -0.3]];
    vec![
        Mesh { vertices, triangles, ..Mesh::default() },
        Mesh { vertices: inner, triangles: vec![[0, 1, 2]], ..Mesh::default() },
    ]
}

fn machine() -> Machine {
    Machine { threads: Threads::ONE, backend: Backend::detect().expect("a backend") }
}

fn scene(meshes: &[Mesh]) -> Scene {
    let meshes = Meshes::from(meshes.to_vec());
    mesh::build(std::path::Path::new("test"), &meshes, &machine()).expect("a scene").scene
}

/// Two scenes in a scene, each with the meshes in two places.
fn nest() -> Nest {
    Nest::drawn(2, &scene(&meshes()).bounds(), 1)
}

/// The scene of the meshes, and that in which they are placed, each with where they are in it.
fn scenes() -> [(Scene, Vec<Place>); 2] {
    let (nest, itself) = (nest(), scene(&meshes()));
    let placed = nest.scene(itself.clone(), &machine()).expect("a scene");
    [(itself, vec![Place::ITSELF]), (placed, nest.places())]
}

fn rays(meshes: &[Mesh], places: &[Place], count: usize) -> Vec<Named> {
    let mut rays = sample::aimed(meshes, places, &scene(meshes).bounds(), count, 5);
    rays[7].ray.direction = [0.0; 3];
    rays[8].ray.origin[1] = f32::NAN;
    rays[9].ray.t_max = -1.0;
    rays
}

fn expected(meshes: &[Mesh], places: &[Place], rays: &[Named]) -> Vec<Expected> {
    rays.iter().map(|named| reference::cast(meshes, places, &named.ray)).collect()
}

fn every_way() -> Vec<Way> {
    Way::all(&Backend::available().collect::<Vec<_>>())
}

fn one_way() -> Way {
    Way { backend: machine().backend, form: Form::Batch }
}

#[test]
fn right_answers_do_not_differ() {
    let meshes = meshes();
    for (mut scene, places) in scenes() {
        let rays = rays(&meshes, &places, 600);
        let expected = expected(&meshes, &places, &rays);
        let differences =
            compare_all(&mut scene, &every_way(), &Threads::ONE, &rays, &expected).expect("answers");
        assert!(differences.is_empty(), "{differences:?}");
        let near = expected.iter().filter(|expected| expected.is_near_an_edge).count();
        let grazed = expected.iter().flat_map(|expected| &expected.meetings);
        let uncrossed = grazed.filter(|meeting| !meeting.passage.crosses).count();
        // Rays that were made for a place miss its edges by a rounding there, some.
        let least = if places.len() == 1 { 50 } else { 20 };
        assert!(
            near > 100 && near < 600 && uncrossed > least,
            "{near} near an edge, {uncrossed} touched only"
        );
        for place in &places {
            let here = |expected: &Expected| {
                expected.meetings.iter().any(|meeting| meeting.instance_id == place.instance_id)
            };
            assert!(expected.iter().filter(|expected| here(expected)).count() > 50, "{place:?}");
        }
    }
}

/// An engine that has lost a triangle, one that has a vertex moved by a ten-thousandth, and one whose triangles
/// have changed places.
#[test]
fn wrong_engines_are_found_out() {
    let right = meshes();
    let places = [Place::ITSELF];
    let rays = rays(&right, &places, 600);
    let expected = expected(&right, &places, &rays);
    let (mut lost, mut moved, mut changed) = (meshes(), meshes(), meshes());
    lost[0].triangles[4] = [0, 0, 0];
    moved[1].vertices[2][2] += 1e-4;
    changed[0].triangles.swap(2, 9);
    for wrong in [lost, moved, changed] {
        let found = compare_all(&mut scene(&wrong), &every_way(), &Threads::ONE, &rays, &expected);
        let found = found.expect("answers");
        assert!(found.len() > 10 && found.len() < rays.len() / 2, "{} of {}", found.len(), rays.len());
    }
}

/// An engine that has a place moved by a ten-thousandth, one in which it is sheared a little less, one with a place the
/// other way round, and one whose places have been taken for each other.
#[test]
fn wrong_places_are_found_out() {
    let (meshes, places) = (meshes(), nest().places());
    let rays = rays(&meshes, &places, 600);
    let expected = expected(&meshes, &places, &rays);
    let (mut moved, mut sheared, mut mirrored, mut changed) = (nest(), nest(), nest(), nest());
    moved.inner[1].moved[2] += 1e-4;
    sheared.outer[0].linear[0][1] += 1e-4;
    mirrored.inner[0].linear[1] = mirrored.inner[0].linear[1].map(|x| -x);
    changed.outer.swap(0, 1);
    for wrong in [moved, sheared, mirrored, changed] {
        let mut wrong = wrong.scene(scene(&meshes), &machine()).expect("a scene");
        let found = compare_all(&mut wrong, &[one_way()], &Threads::ONE, &rays, &expected);
        let found = found.expect("answers");
        assert!(found.len() > 10, "{} of {}", found.len(), rays.len());
    }
}

type Spoil = (&'static str, fn(&mut Answer));

/// Each makes an answer wrong in one respect, if it has what there is to spoil.
const SPOILS: [Spoil; 29] = [
    ("no closest hit", |answer| answer.closest = None),
    ("a closest hit a little nearer", |answer| {
        on_closest(answer, |hit| hit.t -= 1e-4 * hit.t.abs().max(0.1));
    }),
    ("another triangle", |answer| on_closest(answer, |hit| hit.primitive_id += 1)),
    ("another geometry", |answer| on_closest(answer, |hit| hit.geometry_id = 1 - hit.geometry_id)),
    ("another place", |answer| {
        on_closest(answer, |hit| hit.instance_id = hit.instance_id.wrapping_add(1));
    }),
    ("another u", |answer| on_closest(answer, |hit| hit.u += 1e-3)),
    ("another v", |answer| on_closest(answer, |hit| hit.v -= 1e-3)),
    ("the farthest instead of the closest", |answer| answer.closest = answer.crossed.last().copied()),
    ("a NaN", |answer| on_closest(answer, |hit| hit.t = f32::NAN)),
    ("a miss as its status", |answer| answer.status[0] = Status::Miss),
    ("nothing as any hit", |answer| answer.status[1] = Status::Miss),
    ("one more in the count", |answer| answer.count += 1),
    ("a hit too few", |answer| answer.crossed.truncate(answer.crossed.len().max(1) - 1)),
    ("a hit twice", |answer| answer.crossed.extend(answer.crossed.last().copied())),
    ("hits backwards", |answer| answer.crossed.reverse()),
    ("a touched triangle too few", |answer| {
        answer.touched.iter_mut().for_each(|touched| touched.truncate(touched.len().max(1) - 1));
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
    ("what is ahead behind", |answer| std::mem::swap(&mut answer.line.ahead, &mut answer.line.behind)),
    ("another triangle behind", |answer| {
        answer.line.behind.iter_mut().for_each(|hit| hit.primitive_id += 1);
    }),
    ("a hit behind a little nearer", |answer| {
        answer.line.behind.iter_mut().for_each(|hit| hit.t += 1e-4 * hit.t.abs().max(0.1));
    }),
    ("the farthest behind", |answer| {
        let farthest = answer.touched.iter().flatten().find(|hit| hit.t <= 0.0);
        answer.line.behind = farthest.copied();
    }),
    ("a miss behind as its status", |answer| answer.status[7] = Status::Miss),
    ("another reason not to cast it", |answer| {
        if answer.status[0].is_invalid() {
            answer.status[2] = Status::DirectionOutOfRange;
        }
    }),
];

fn on_closest(answer: &mut Answer, spoil: fn(&mut Hit)) {
    answer.closest.iter_mut().for_each(spoil);
}

#[test]
fn every_wrong_answer_is_found() {
    let meshes = meshes();
    for (mut scene, places) in scenes() {
        let rays = rays(&meshes, &places, 300);
        let expected = expected(&meshes, &places, &rays);
        let cast: Vec<Ray> = rays.iter().map(|named| named.ray).collect();
        let answers = answers::ask(&mut scene, one_way(), &Threads::ONE, &cast).expect("answers");
        for (what, spoil) in SPOILS {
            assert!(spoil_all(&answers, &expected, what, spoil) > 0, "{what} spoils nothing");
        }
    }
}

/// How many answers are spoilt, each of which must be noticed.
fn spoil_all(answers: &[Answer], expected: &[Expected], what: &str, spoil: fn(&mut Answer)) -> usize {
    let mut spoiled = 0;
    for (answer, expected) in answers.iter().zip(expected) {
        assert_eq!(compare::mismatch(answer, expected), None, "before it is spoiled");
        let mut wrong = answer.clone();
        spoil(&mut wrong);
        // Where a hit at an end of the interval may be there or not, so may the spoilt answer.
        if wrong.equals(answer) || expected.meetings.iter().any(|meeting| !meeting.is_certain) {
            continue;
        }
        spoiled += 1;
        assert!(
            compare::mismatch(&wrong, expected).is_some(),
            "{what} is not found: {wrong:?}, {expected:?}"
        );
    }
    spoiled
}

#[test]
fn other_bits_are_a_difference_even_where_they_are_near_enough() {
    let meshes = meshes();
    let rays = rays(&meshes, &[Place::ITSELF], 300);
    let cast: Vec<Ray> = rays.iter().map(|named| named.ray).collect();
    let answers = answers::ask(&mut scene(&meshes), one_way(), &Threads::ONE, &cast).expect("answers");
    let hit = answers.iter().find(|answer| answer.closest.is_some()).expect("a hit");
    let mut other = hit.clone();
    on_closest(&mut other, |hit| hit.t = hit.t.next_up());
    assert!(hit.equals(hit) && !hit.equals(&other));
}
