//! What is right is not complained of, and whatever is wrong is: of triangles, by themselves and
//! placed.

mod drawn;
mod shapes;
mod spoilt;

use super::*;
use crate::machine::Machine;
use crate::mesh::{self, Meshes};
use crate::precision::Number;
use crate::verify::answers::Form;
use crate::verify::nest::Nest;
use lanecast::{Affine, Backend, Hit, Status};
use lanecast_reference::aim;
use lanecast_reference::vector::Numbers;
use spoilt::{on_closest, spoil_all, spoils};
use std::sync::Arc;

/// Both precisions: what is wrong in `f64` is by a millionth of what it is in `f32`.
trait Tested: Number + Compiled {
    /// Where meshes are.
    const AWAY: [f64; 3];
    const FINER: f64;

    fn of(x: f64) -> Self {
        <Self as Numbers>::nearest(x)
    }
}

impl Tested for f32 {
    const AWAY: [f64; 3] = [0.0; 3];
    const FINER: f64 = 1.0;
}

impl Tested for f64 {
    const AWAY: [f64; 3] = [6_400_000.0, -3_200_000.0, 1_600_000.0];
    const FINER: f64 = 1e-6;
}

fn point<T: Tested>(place: [f64; 3]) -> [T; 3] {
    [0, 1, 2].map(|axis| Tested::of(place[axis] + T::AWAY[axis]))
}

/// A box from −1 to 1, closed, and a triangle within it.
fn meshes<T: Tested>() -> Vec<Mesh<T>> {
    let vertices = (0..8)
        .map(|i| point([i & 1, i >> 1 & 1, i >> 2].map(|bit| 2.0 * f64::from(bit) - 1.0)))
        .collect();
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let inner = [[-0.3, -0.4, 0.1], [0.5, -0.2, 0.2], [0.1, 0.6, -0.3]].map(point).to_vec();
    vec![
        Mesh { vertices, triangles, ..Mesh::default() },
        Mesh { vertices: inner, triangles: vec![[0, 1, 2]], ..Mesh::default() },
    ]
}

fn machine() -> Machine {
    Machine { threads: Threads::ONE, backend: Backend::detect().expect("a backend") }
}

fn scene<T: Tested>(meshes: &[Mesh<T>]) -> Arc<Scene<T>> {
    let mut meshes = Meshes::from(meshes.to_vec());
    mesh::build(std::path::Path::new("test"), &mut meshes, &machine()).expect("a scene").scene
}

/// Two scenes in a scene, each with the meshes in two places.
fn nest<T: Tested>() -> Nest {
    Nest::drawn(2, &scene(&meshes::<T>()).bounds(), 1)
}

/// The ids of the places that the meshes have there.
const PLACES: [u32; 4] = [1, 2, 4, 5];

/// The scene of the meshes, and that in which they are placed, each with how brute force sees it.
fn scenes<T: Tested>(meshes: &[Mesh<T>]) -> [(Arc<Scene<T>>, World<'_, T>); 2] {
    let (nest, itself, world) = (nest::<T>(), scene(meshes), world_of(meshes));
    let placed = nest.scene(Arc::clone(&itself), &machine()).expect("a scene");
    [(itself, world.clone()), (placed, nest.world(world))]
}

/// Rays at what there is, and three that are not to be cast.
fn rays<T: Tested>(world: &World<T>, count: usize) -> Vec<Named<T>> {
    let mut rays = numbered(aim::aimed(world, count, 5));
    rays[7].ray.direction = [T::ZERO; 3];
    rays[8].ray.origin[1] = Tested::of(f64::NAN);
    rays[9].ray.t_max = -T::ONE;
    rays
}

fn expected<T: Tested>(world: &World<T>, rays: &[Named<T>]) -> Vec<Expected> {
    rays.iter().map(|named| brute_force::cast(world, &named.ray)).collect()
}

fn ask<T: Tested>(scene: &Scene<T>, rays: &[Named<T>]) -> Vec<Answer<T>> {
    let cast: Vec<Ray<T>> = rays.iter().map(|named| named.ray).collect();
    answers::ask(scene, one_way(), &Threads::ONE, &cast).expect("answers")
}

fn compared<T: Tested>(
    scene: &Scene<T>,
    ways: &[Way],
    rays: &[Named<T>],
    expected: &[Expected],
) -> Vec<Difference> {
    compare_all(scene, ways, &Threads::ONE, rays, expected).expect("answers")
}

fn every_way() -> Vec<Way> {
    Way::all(&Backend::available().collect::<Vec<_>>())
}

fn one_way() -> Way {
    Way { backend: machine().backend, form: Form::Batch }
}

#[test]
fn right_answers_do_not_differ() {
    hold_right_answers::<f32>();
    hold_right_answers::<f64>();
}

fn hold_right_answers<T: Tested>() {
    let meshes = meshes::<T>();
    for (scene, world) in scenes(&meshes) {
        let rays = rays(&world, 600);
        let expected = expected(&world, &rays);
        let differences = compared(&scene, &every_way(), &rays, &expected);
        assert!(differences.is_empty(), "{differences:?}");
        let near = expected.iter().filter(|expected| expected.is_near_an_edge).count();
        let grazed = expected.iter().flat_map(|expected| &expected.meetings);
        let uncrossed = grazed.filter(|meeting| !meeting.passage.crosses).count();
        // Rays that were made for a place miss its edges by a rounding there, some; and more are
        // made so for `f64`.
        let least = if world.places() == 1 { 50 } else { 20 };
        let (least, least_near) = if T::FINER < 1.0 { (0, 20) } else { (least, 100) };
        assert!(
            near > least_near && near < 600 && uncrossed > least,
            "{near} near an edge, {uncrossed} touched only"
        );
        for instance_id in if world.places() == 1 { &[lanecast::INVALID_ID][..] } else { &PLACES } {
            let here = |expected: &Expected| {
                expected.meetings.iter().any(|meeting| meeting.instance_id == *instance_id)
            };
            assert!(
                expected.iter().filter(|expected| here(expected)).count() > 50,
                "{instance_id}"
            );
        }
    }
}

#[test]
fn wrong_engines_are_found_out() {
    find_wrong_engines::<f32>(1e-4);
    // Eight steps between neighbouring numbers.
    find_wrong_engines::<f64>(8e-9);
}

/// An engine that has lost a triangle, one that has a vertex moved by so much, and one whose
/// triangles have changed places.
fn find_wrong_engines<T: Tested>(off: f64) {
    let right = meshes::<T>();
    let world = world_of(&right);
    let rays = rays(&world, 600);
    let expected = expected(&world, &rays);
    let (mut lost, mut moved, mut changed) = (meshes::<T>(), meshes::<T>(), meshes::<T>());
    lost[0].triangles[4] = [0, 0, 0];
    moved[1].vertices[2][2] = Tested::of(moved[1].vertices[2][2].to_f64() + off);
    changed[0].triangles.swap(2, 9);
    for wrong in [lost, moved, changed] {
        let found = compared(&scene(&wrong), &every_way(), &rays, &expected);
        assert!(
            found.len() > 10 && found.len() < rays.len() / 2,
            "{} of {}",
            found.len(),
            rays.len()
        );
    }
}

/// The map with one number of its matrix changed.
fn with(map: Affine, [row, column]: [usize; 2], change: impl Fn(f64) -> f64) -> Affine {
    let mut rows = map.rows();
    rows[row][column] = change(rows[row][column]);
    Affine::from_rows(rows)
}

#[test]
fn wrong_places_are_found_out() {
    find_wrong_places::<f32>(1e-4);
    find_wrong_places::<f64>(1e-8);
}

/// An engine that has a place moved by so much, one in which it is sheared a little less, one with
/// a place the other way round, and one whose places have been taken for each other.
fn find_wrong_places<T: Tested>(off: f64) {
    let meshes = meshes::<T>();
    let world = nest::<T>().world(world_of(&meshes));
    let rays = rays(&world, 600);
    let expected = expected(&world, &rays);
    let (mut moved, mut sheared, mut mirrored, mut changed) =
        (nest::<T>(), nest::<T>(), nest::<T>(), nest::<T>());
    moved.inner[1] = with(moved.inner[1], [2, 3], |x| x + off);
    sheared.outer[0] = with(sheared.outer[0], [0, 1], |x| x + off);
    mirrored.inner[0] =
        (0..4).fold(mirrored.inner[0], |map, column| with(map, [1, column], |x| -x));
    changed.outer.swap(0, 1);
    for wrong in [moved, sheared, mirrored, changed] {
        let wrong = wrong.scene(scene(&meshes), &machine()).expect("a scene");
        let found = compared(&wrong, &[one_way()], &rays, &expected);
        assert!(found.len() > 10, "{} of {}", found.len(), rays.len());
    }
}

#[test]
fn every_wrong_answer_is_found() {
    find_wrong_answers::<f32>();
    find_wrong_answers::<f64>();
}

fn find_wrong_answers<T: Tested>() {
    let meshes = meshes::<T>();
    for (scene, world) in scenes(&meshes) {
        let rays = rays(&world, 300);
        let (expected, answers) = (expected(&world, &rays), ask(&scene, &rays));
        for (what, spoil) in spoils::<T>() {
            // A triangle is not left.
            let of_solids = what.contains("leaves");
            let spoilt = spoil_all(&answers, &expected, what, spoil);
            assert!(spoilt > 0 || of_solids, "{what} spoils nothing");
        }
    }
}

#[test]
fn other_bits_are_a_difference_even_where_they_are_near_enough() {
    let meshes = meshes::<f32>();
    let answers = ask(&scene(&meshes), &rays(&world_of(&meshes), 300));
    let hit = answers.iter().find(|answer| answer.closest.is_some()).expect("a hit");
    let mut other = hit.clone();
    on_closest(&mut other, |hit| hit.t = hit.t.next_up());
    assert!(hit.equals(hit) && !hit.equals(&other));
}

/// A ground of 2,000 km.
fn ground() -> [Mesh; 1] {
    let corner = |x: f32, y: f32| [1e6 * x, 1e6 * y, 0.0];
    let vertices = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    [Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], ..Mesh::default() }]
}

/// The error is small relative to the distance, and not only to that of the farthest vertex.
#[test]
fn some_aimed_rays_have_an_exact_t_near_a_wide_ground() {
    let ground = ground();
    let world = world_of(&ground);
    let rays = numbered(aim::aimed(&world, 600, 1));
    let of_rays = expected(&world, &rays);
    let meetings = rays.iter().zip(&of_rays).flat_map(|(named, expected)| {
        let length = named.ray.direction.iter().map(|x| f64::from(x * x)).sum::<f64>().sqrt();
        expected.meetings.iter().map(move |meeting| (length, &meeting.passage))
    });
    let telling = meetings.filter(|(length, passage)| {
        let t = passage.t.abs();
        t * length < 1e4 && passage.t_error < 1e-4 * t
    });
    assert!(telling.count() > 10);
}

/// 1 m below the ray. The mean of the depths of vertices, which are rounded in units of their
/// distance, made 9.986979 of the distance 10.
#[test]
fn t_that_is_off_as_far_as_vertices_are_rounded_is_found() {
    let ground = ground();
    let rays = numbered(vec![Ray::new([3.0, -7.0, 1.0], [0.9, 0.4, -0.1])]);
    let expected = expected(&world_of(&ground), &rays);
    let answers = ask(&scene(&ground), &rays);
    assert_eq!(compare::mismatch(&answers[0], &expected[0]), None);
    // The promise at this slope is 112 units of 6 · 10⁻⁸.
    for off in [-0.013_021, -8e-5, 8e-5, 0.013] {
        let mut wrong = answers[0].clone();
        let hits = [&mut wrong.crossed, &mut wrong.nearest]
            .into_iter()
            .chain(&mut wrong.touched)
            .flatten();
        let of_line = wrong.closest.iter_mut().chain(&mut wrong.line.ahead);
        hits.chain(of_line).for_each(|hit| hit.t += off);
        let mismatch = compare::mismatch(&wrong, &expected[0]).expect("a difference");
        let right = &mismatch.expected;
        assert!(right.contains("at t = 9.99999") || right.contains("at t = 10.0"), "{mismatch:?}");
        assert_eq!(mismatch.query, "closest hit", "{mismatch:?}");
    }
}
