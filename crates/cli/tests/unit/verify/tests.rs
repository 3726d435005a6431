//! What is right is not complained of, and whatever is wrong is: of triangles, by themselves and placed.

mod drawn;
mod shapes;
mod spoilt;

use super::*;
use crate::mesh::Meshes;
use answers::Form;
use lanecast::{Affine, Backend, Hit, Status};
use spoilt::{SPOILS, on_closest, spoil_all};

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

fn scene(meshes: &[Mesh]) -> Arc<Scene> {
    let mut meshes = Meshes::from(meshes.to_vec());
    mesh::build(std::path::Path::new("test"), &mut meshes, &machine()).expect("a scene").scene
}

/// Two scenes in a scene, each with the meshes in two places.
fn nest() -> Nest {
    Nest::drawn(2, &scene(&meshes()).bounds(), 1)
}

/// The ids of the places that the meshes have there.
const PLACES: [u32; 4] = [1, 2, 4, 5];

/// The scene of the meshes, and that in which they are placed, each with how brute force sees it.
fn scenes(meshes: &[Mesh]) -> [(Arc<Scene>, World<'_>); 2] {
    let (nest, itself, world) = (nest(), scene(meshes), world_of(meshes));
    let placed = nest.scene(Arc::clone(&itself), &machine()).expect("a scene");
    [(itself, world.clone()), (placed, nest.world(world))]
}

/// Rays at what there is, and three that are not to be cast.
fn rays(world: &World, count: usize) -> Vec<Named> {
    let mut rays = numbered(aim::aimed(world, count, 5));
    rays[7].ray.direction = [0.0; 3];
    rays[8].ray.origin[1] = f32::NAN;
    rays[9].ray.t_max = -1.0;
    rays
}

fn expected(world: &World, rays: &[Named]) -> Vec<Expected> {
    rays.iter().map(|named| brute_force::cast(world, &named.ray)).collect()
}

fn ask(scene: &Scene, rays: &[Named]) -> Vec<Answer> {
    let cast: Vec<Ray> = rays.iter().map(|named| named.ray).collect();
    answers::ask(scene, one_way(), &Threads::ONE, &cast).expect("answers")
}

fn compared(scene: &Scene, ways: &[Way], rays: &[Named], expected: &[Expected]) -> Vec<Difference> {
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
    let meshes = meshes();
    for (scene, world) in scenes(&meshes) {
        let rays = rays(&world, 600);
        let expected = expected(&world, &rays);
        let differences = compared(&scene, &every_way(), &rays, &expected);
        assert!(differences.is_empty(), "{differences:?}");
        let near = expected.iter().filter(|expected| expected.is_near_an_edge).count();
        let grazed = expected.iter().flat_map(|expected| &expected.meetings);
        let uncrossed = grazed.filter(|meeting| !meeting.passage.crosses).count();
        // Rays that were made for a place miss its edges by a rounding there, some.
        let least = if world.places() == 1 { 50 } else { 20 };
        assert!(
            near > 100 && near < 600 && uncrossed > least,
            "{near} near an edge, {uncrossed} touched only"
        );
        for instance_id in if world.places() == 1 { &[lanecast::INVALID_ID][..] } else { &PLACES } {
            let here = |expected: &Expected| {
                expected.meetings.iter().any(|meeting| meeting.instance_id == *instance_id)
            };
            assert!(expected.iter().filter(|expected| here(expected)).count() > 50, "{instance_id}");
        }
    }
}

/// An engine that has lost a triangle, one that has a vertex moved by a ten-thousandth, and one whose triangles
/// have changed places.
#[test]
fn wrong_engines_are_found_out() {
    let right = meshes();
    let world = world_of(&right);
    let rays = rays(&world, 600);
    let expected = expected(&world, &rays);
    let (mut lost, mut moved, mut changed) = (meshes(), meshes(), meshes());
    lost[0].triangles[4] = [0, 0, 0];
    moved[1].vertices[2][2] += 1e-4;
    changed[0].triangles.swap(2, 9);
    for wrong in [lost, moved, changed] {
        let found = compared(&scene(&wrong), &every_way(), &rays, &expected);
        assert!(found.len() > 10 && found.len() < rays.len() / 2, "{} of {}", found.len(), rays.len());
    }
}

/// The map with one number of its matrix changed.
fn with(map: Affine, [row, column]: [usize; 2], change: impl Fn(f64) -> f64) -> Affine {
    let mut rows = map.rows();
    rows[row][column] = change(rows[row][column]);
    Affine::from_rows(rows)
}

/// An engine that has a place moved by a ten-thousandth, one in which it is sheared a little less, one with a place the
/// other way round, and one whose places have been taken for each other.
#[test]
fn wrong_places_are_found_out() {
    let meshes = meshes();
    let world = nest().world(world_of(&meshes));
    let rays = rays(&world, 600);
    let expected = expected(&world, &rays);
    let (mut moved, mut sheared, mut mirrored, mut changed) = (nest(), nest(), nest(), nest());
    moved.inner[1] = with(moved.inner[1], [2, 3], |x| x + 1e-4);
    sheared.outer[0] = with(sheared.outer[0], [0, 1], |x| x + 1e-4);
    mirrored.inner[0] = (0..4).fold(mirrored.inner[0], |map, column| with(map, [1, column], |x| -x));
    changed.outer.swap(0, 1);
    for wrong in [moved, sheared, mirrored, changed] {
        let wrong = wrong.scene(scene(&meshes), &machine()).expect("a scene");
        let found = compared(&wrong, &[one_way()], &rays, &expected);
        assert!(found.len() > 10, "{} of {}", found.len(), rays.len());
    }
}

#[test]
fn every_wrong_answer_is_found() {
    let meshes = meshes();
    for (scene, world) in scenes(&meshes) {
        let rays = rays(&world, 300);
        let (expected, answers) = (expected(&world, &rays), ask(&scene, &rays));
        for (what, spoil) in SPOILS {
            // A triangle is not left.
            let of_solids = what.contains("leaves");
            let spoilt = spoil_all(&answers, &expected, what, spoil);
            assert!(spoilt > 0 || of_solids, "{what} spoils nothing");
        }
    }
}

#[test]
fn other_bits_are_a_difference_even_where_they_are_near_enough() {
    let meshes = meshes();
    let answers = ask(&scene(&meshes), &rays(&world_of(&meshes), 300));
    let hit = answers.iter().find(|answer| answer.closest.is_some()).expect("a hit");
    let mut other = hit.clone();
    on_closest(&mut other, |hit| hit.t = hit.t.next_up());
    assert!(hit.equals(hit) && !hit.equals(&other));
}
