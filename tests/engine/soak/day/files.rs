//! Processes that cast from one scene file while it is replaced.

use super::whole_or;
use crate::folder::Folder;
use crate::soak::process::{expect_passed, process};
use lanecast::{HitBatch, Ray, Scene};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const SCENES: u32 = 3;

fn scene(number: u32) -> Scene {
    let mesh = meshes::icosphere(number + 2, 1.0);
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a mesh")
}

fn answers(scene: &Scene) -> HitBatch {
    let random = &mut Random::new(9);
    let rays: Vec<_> =
        (0..500).map(|_| Ray::new(random.point(-2.0, 2.0), random.direction())).collect();
    scene.cast(&rays[..]).closest().expect("not stopped")
}

/// Each opens one of the scenes whole, whenever it does, and a scene that is open stays as it is.
#[test]
fn a_file_may_be_replaced_while_others_cast_from_it() {
    let folder = Folder::new();
    let path = folder.path("shared.scene");
    scene(0).save(&path).expect("a file");
    let readers =
        [(); 2].map(|()| process("soak::day::files::reads", &[("LANECAST_SOAK_FILE", &path)]));
    let (time, start, mut saved) = (Duration::from_secs(whole_or(2, 3600)), Instant::now(), 0_u32);
    let scenes: Vec<_> = (0..SCENES).map(scene).collect();
    while start.elapsed() < time {
        saved += 1;
        scenes[(saved % SCENES) as usize].save(&path).expect("a file");
    }
    // What readers wait for.
    folder.file("done", "");
    readers.into_iter().for_each(expect_passed);
    assert_eq!(folder.names(), ["done", "shared.scene"]);
    eprintln!("saved {saved} times in {} s", time.as_secs());
}

#[test]
#[ignore = "the test above runs it"]
fn reads() {
    let path = PathBuf::from(std::env::var_os("LANECAST_SOAK_FILE").expect("a path"));
    let done = path.parent().unwrap_or(Path::new("")).join("done");
    let expected: Vec<_> = (0..SCENES).map(|number| answers(&scene(number))).collect();
    let (mut opened, mut seen) = (0, [0_u32; SCENES as usize]);
    let mut before: Option<(Scene, usize)> = None;
    while !done.exists() {
        let scene = Scene::open(&path).expect("a whole file");
        scene.check().expect("a sound file");
        let found = answers(&scene);
        let which = expected.iter().position(|expected| *expected == found);
        let which = which.expect("one of the scenes");
        if let Some((scene, which)) = before.replace((scene, which)) {
            assert!(answers(&scene) == expected[which], "it changed while it was open");
        }
        (opened, seen[which]) = (opened + 1, seen[which] + 1);
    }
    eprintln!("opened {opened} times: {seen:?}");
    assert!(opened > 10 && seen.iter().all(|times| *times > 0), "{opened}: {seen:?}");
}
