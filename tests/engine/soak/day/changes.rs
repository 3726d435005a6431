//! A scene that changes all the time needs no more memory for it.
#![cfg(target_os = "linux")]

use super::{Pace, whole_or};
use crate::soak::process::{expect_passed, memory, process};
use lanecast::primitive::Sphere;
use lanecast::{Affine, Geometry, Ray, Scene, SceneBuilder};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use std::sync::Arc;

/// What an allocator may keep that was in use at once.
const SLACK: u64 = 8 << 20;

#[test]
fn a_scene_that_changes_does_not_grow() {
    expect_passed(process("soak::day::changes::in_a_process_of_its_own", &[]));
}

#[test]
#[ignore = "the test above runs it"]
fn in_a_process_of_its_own() {
    let total = whole_or(3000, 1_000_000);
    let random = &mut Random::new(1);
    let Mesh { vertices, triangles } = meshes::icosphere(2, 1.0);
    let balls = |random: &mut Random| [(); 9].map(|()| Sphere::new(random.point(-3.0, 3.0), 0.4));
    let builder = (0..6).fold(SceneBuilder::<f32>::new(), |builder, _| {
        builder.geometry(Geometry::deformable_mesh(&vertices, &triangles)).expect("a mesh")
    });
    let placed = Scene::from_triangles(&vertices, &triangles).expect("a mesh");
    let placed = [Arc::new(placed.deep_copy()), Arc::new(placed)];
    let at = |random: &mut Random| Affine::translation(random.point(-4.0, 4.0).map(f64::from));
    let builder = (0..6).fold(builder, |builder, _| builder.instance(&placed[0], at(random)));
    let mut scene = builder.build().expect("a scene");
    // Two of each are there from the first on.
    let mut extra = scene.change().add(&[(); 2].map(|()| Geometry::spheres(&[]))).expect("room");
    let mut guests = scene.add_instances(&[(&placed[1], at(random))]).expect("room");
    let (mut after_first, mut pace) = (None, Pace::start());
    for step in 0..total {
        match random.below(8) {
            0 => {
                let moved: Vec<_> =
                    vertices.iter().map(|v| v.map(|x| x * random.between(0.9, 1.1))).collect();
                scene.change().refit(&[(random.below(6) as u32, &moved)]).expect("a refit");
            }
            1 => {
                let balls = balls(random);
                let which = random.pick(&extra);
                scene
                    .change()
                    .replace(&[(which, Geometry::spheres(&balls))])
                    .expect("one that is there");
            }
            2 => {
                let gone = extra.swap_remove(random.below(extra.len()));
                scene.change().remove(&[gone]).expect("one that is there");
                let balls = balls(random);
                extra.extend(scene.change().add(&[Geometry::spheres(&balls)]).expect("room"));
            }
            3 => {
                let maps: Vec<_> = (0..6).map(|instance| (instance, at(random))).collect();
                scene.set_transforms(maps).expect("sound maps");
            }
            4 => {
                scene.remove_instances(&guests).expect("those that are there");
                let (some, other) = (at(random), at(random));
                guests =
                    scene.add_instances(&[(&placed[0], some), (&placed[1], other)]).expect("room");
            }
            5 => scene.change().rebuild().expect("a tree"),
            6 => {
                let which = random.pick(&extra);
                let name = format!("ball {}", random.below(1000));
                scene.set_name(which, name).expect("one that is there");
                scene.set_mask(which, random.bits() as u32).expect("one that is there");
            }
            _ => scene = scene.deep_copy(),
        }
        if step % 100 == 0 {
            let rays: Vec<_> =
                (0..64).map(|_| Ray::new(random.point(-6.0, 6.0), random.direction())).collect();
            let cast = scene.cast(&rays[..]);
            let found = cast.closest().expect("not stopped");
            assert!(found == cast.brute_force().closest().expect("not stopped"), "step {step}");
        }
        // As much is in use at once by then as ever will be.
        if step == total / 4 {
            after_first = Some(memory("VmRSS"));
        }
        pace.say("changes", step + 1, total);
    }
    let (before, after) = (after_first.expect("a quarter"), memory("VmRSS"));
    eprintln!("{before} bytes after a quarter of {total} changes, {after} at the end");
    assert!(after < before + SLACK, "{before} bytes after a quarter, {after} at the end");
}
