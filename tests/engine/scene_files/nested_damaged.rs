//! Damage to what files hold of instances, boxes and spheres: refused with what is wrong, or wrong
//! answers, and nothing else.

use std::sync::Arc;

use lanecast::{Affine, BuildQuality, Error, FileProblem, Scene, SceneBuilder, Threads};

use crate::common::scale::scaled;
use crate::folder::Folder;
use crate::scene_files::layout::{seal, seal_head, section_of, sections, shown};
use crate::scene_files::nested::{
    boxes, cylinders, height_field, oriented_boxes, round_cones, spheres,
};
use crate::scene_files::questions::{answers, rays};
use lanecast_reference::meshes::soup;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;

/// Of a placed scene: where its number lies behind its transform, and how many bytes it has.
const SCENE: usize = 96;
const RECORD: usize = 112;

fn saved(scene: &Scene, folder: &Folder) -> Vec<u8> {
    let path = folder.path("sound.scene");
    scene.save(&path).expect("written");
    std::fs::read(path).expect("a file")
}

/// Two scenes of two geometries of each kind in a third, which is of all kinds too.
fn file(folder: &Folder) -> Vec<u8> {
    let random = &mut Random::new(30);
    let mesh = soup(40, random);
    let mut of_all = || {
        let mut builder = SceneBuilder::new();
        for count in [20, 3] {
            builder = builder
                .triangle_mesh(&mesh.vertices, &mesh.triangles)
                .and_then(|builder| builder.boxes(&boxes(count, random)))
                .and_then(|builder| builder.oriented_boxes(&oriented_boxes(count, random)))
                .and_then(|builder| builder.spheres(&spheres(count, random)))
                .and_then(|builder| builder.round_cones(&round_cones(count, random)))
                .and_then(|builder| builder.cylinders(&cylinders(count, random)))
                .and_then(|builder| builder.height_field(height_field(random)))
                .expect("sound geometries");
        }
        builder
    };
    let one = Arc::new(of_all().build().expect("a scene"));
    let two = of_all().instance(&one, transform(&mut Random::new(31))).build().expect("a scene");
    let mut three = of_all();
    for (place, inner) in (0..).zip([&one, &Arc::new(two), &one]) {
        three = three.instance(inner, transform(&mut Random::new(32 + place)));
    }
    saved(&three.build().expect("a scene"), folder)
}

/// The message with which the file is refused.
fn refusal(folder: &Folder, mut bytes: Vec<u8>) -> String {
    seal(&mut bytes);
    match Scene::<f32>::open(folder.file("crafted.scene", bytes)) {
        Err(Error::SceneFile { problem, .. }) => problem.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("opened"),
    }
}

#[test]
fn a_byte_flipped_in_any_section_is_found() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let rays = rays(3, &mut Random::new(1));
    let names: Vec<String> = sections(&bytes).iter().map(|(name, ..)| name.clone()).collect();
    let of_shapes = [
        "boxes",
        "oriented boxes",
        "spheres",
        "round cones",
        "cylinders",
        "heights",
        "height grids",
    ];
    for name in ["instances", "kinds", "shape nodes", "shape leaves"].into_iter().chain(of_shapes) {
        assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
    }
    for (name, line, range) in sections(&bytes) {
        let place = shown(&bytes, &name, line);
        let step = (range.len() / 12).max(1);
        for at in range.clone().step_by(step).chain(range.end.checked_sub(1)) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            let path = folder.file("flipped.scene", bytes);
            let problem = FileProblem::Damaged {
                place: place.clone(),
                what: "the checksum is wrong".to_owned(),
            };
            let expected = Error::SceneFile { path: path.display().to_string(), problem };
            match Scene::open(&path) {
                Err(found) => assert_eq!(found, expected, "byte {at}"),
                Ok(scene) => {
                    assert!(name == "triangles" || name == "shape leaves", "{place}, byte {at}");
                    assert_eq!(scene.check(), Err(expected.clone()), "byte {at}");
                    answers(&scene, &rays);
                    let scene = Arc::new(scene);
                    let around = SceneBuilder::new()
                        .instance(&scene, Affine::IDENTITY)
                        .build()
                        .expect("a scene");
                    assert_eq!(around.check(), Err(expected), "what is placed is looked at too");
                }
            }
        }
    }
}

#[test]
fn sections_that_are_not_there_are_named() {
    let folder = Folder::new();
    let bytes = file(&folder);
    for (name, line, _) in sections(&bytes) {
        let mut bytes = bytes.clone();
        let place = shown(&bytes, &name, line);
        if place == "instances 1" {
            // Without it nothing is placed there, and what was is placed elsewhere too: another
            // scene, and a sound one.
            continue;
        }
        bytes[line..line + 5].copy_from_slice(b"taste");
        bytes[line + 20] = 0;
        seal_head(&mut bytes);
        let problem = refusal(&folder, bytes);
        let is_right = match name.as_str() {
            // Without kinds all are triangles, of which there are not so many; without instances
            // nothing is placed.
            "kinds" => problem.starts_with("damaged: triangles"),
            "instances" => problem.ends_with("of a scene that is placed nowhere"),
            // There is one scene less.
            "geometries" => {
                problem.contains("which is not behind this one") || problem.contains("geometries")
            }
            _ => problem == format!("damaged: there is no section {place:?}"),
        };
        assert!(is_right, "without {place}: {problem}");
    }
}

#[test]
fn sections_that_share_bytes_or_are_there_twice_are_refused() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let all = sections(&bytes);
    let lines_of = |name: &str| -> Vec<usize> {
        all.iter().filter(|(found, ..)| found == name).map(|&(_, line, _)| line).collect()
    };
    let lines = lines_of("triangles");
    // A million scenes in the bytes of one would take forever to look at.
    let mut shared = bytes.clone();
    shared.copy_within(lines[0] + 24..lines[0] + 48, lines[1] + 24);
    assert!(
        refusal(&folder, shared).contains("\"triangles 1\" does not lie behind those before it")
    );
    let mut twice = bytes.clone();
    twice[lines[1] + 16] = 0;
    assert!(refusal(&folder, twice).contains("\"triangles\" is there twice"));
    let mut in_table = bytes;
    in_table[all[0].1 + 24..all[0].1 + 32].fill(0);
    assert!(
        refusal(&folder, in_table).contains("\"geometries\" does not lie behind those before it")
    );
}

#[test]
fn instances_that_could_not_be_placed_are_refused() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let number = |row: usize, column: usize| (row * 4 + column) * 8;
    let instances = [0, 1].map(|scene| section_of(&bytes, "instances", scene));
    let changed = |scene: usize, instance: usize, at: usize, new: &[u8]| {
        let (mut bytes, at) = (bytes.clone(), instances[scene].start + instance * RECORD + at);
        bytes[at..at + new.len()].copy_from_slice(new);
        refusal(&folder, bytes)
    };
    // Itself, one before it, and one that does not exist: circles, and what is out of range.
    for (scene, of) in [(0, 0_u32), (1, 1), (1, 0), (0, 3), (1, u32::MAX)] {
        let said = changed(scene, 0, SCENE, &of.to_ne_bytes());
        let place = shown_number("instances", scene);
        let what = format!("instance 0 is of scene {of}, which is not behind this one");
        assert_eq!(said, format!("damaged: {place}: {what}"));
    }
    // Twice the one, and never the other.
    assert_eq!(
        changed(0, 1, SCENE, &2_u32.to_ne_bytes()),
        "damaged: geometries 1: of a scene that is placed nowhere"
    );
    for (row, column, x, said) in [
        (0, 0, f64::NAN, "is singular"),
        (2, 3, f64::NAN, "is singular"),
        (1, 3, f64::INFINITY, "is singular"),
        (1, 1, -f64::INFINITY, "is singular"),
        (1, 1, 1e30, "is singular"),
        (1, 3, 1e300, "out of range"),
        (1, 3, 1e31, "out of range"),
    ] {
        for (scene, instance) in [(0, 2), (1, 0)] {
            let found = changed(scene, instance, number(row, column), &x.to_ne_bytes());
            let begin =
                format!("damaged: {}: instance {instance}: ", shown_number("instances", scene));
            assert!(found.starts_with(&begin) && found.contains(said), "{found}");
        }
    }
    let flat = [0_u8; SCENE];
    assert!(changed(0, 0, 0, &flat).contains("is singular"));
    // Cut off within an instance.
    let mut cut = bytes.clone();
    let (_, line, range) =
        sections(&bytes).into_iter().find(|(name, ..)| name == "instances").expect("some");
    cut[line + 32..line + 40].copy_from_slice(&(range.len() as u64 - 4).to_ne_bytes());
    assert_eq!(refusal(&folder, cut), "damaged: instances: not as long as it should be");
}

fn shown_number(name: &str, scene: usize) -> String {
    if scene == 0 { name.to_owned() } else { format!("{name} {scene}") }
}

#[test]
fn scenes_deeper_or_more_often_placed_than_may_be_are_refused() {
    let folder = Folder::new();
    let leaf = || {
        Arc::new(
            SceneBuilder::new()
                .boxes(&boxes(1, &mut Random::new(1)))
                .expect("boxes")
                .build()
                .expect("a scene"),
        )
    };
    let place = |scene: &Arc<Scene>, times: usize| {
        let mut builder = SceneBuilder::new();
        for number in 0..times {
            builder = builder.instance(scene, Affine::translation([number as f64, 0.0, 0.0]));
        }
        builder
    };
    // The second in the file holds a leaf, which is the third, and behind it is the chain.
    let crafted = |depth: usize, times: usize, aside: usize| {
        let mut chain = leaf();
        for _ in 0..depth {
            chain = Arc::new(place(&chain, times).build().expect("a scene"));
        }
        let aside = Arc::new(place(&leaf(), aside).build().expect("a scene"));
        let root = SceneBuilder::new()
            .instance(&chain, Affine::IDENTITY)
            .instance(&aside, Affine::IDENTITY)
            .build()
            .expect("a scene");
        let mut bytes = saved(&root, &folder);
        let range = section_of(&bytes, "instances", 1);
        for at in range.step_by(RECORD) {
            bytes[at + SCENE..at + SCENE + 4].copy_from_slice(&3_u32.to_ne_bytes());
        }
        refusal(&folder, bytes)
    };
    assert_eq!(
        crafted(15, 1, 1),
        "damaged: instances: instance 1: scenes are placed in scenes more than 16 deep"
    );
    let said = crafted(14, 3, 400);
    assert!(
        said.starts_with("damaged: instances 1: ") && said.contains("more than one scene holds"),
        "{said}"
    );
}

#[test]
fn shapes_that_a_scene_could_not_hold_are_refused() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let changed = |name: &str, at: usize, x: f32| {
        let (mut bytes, start) = (bytes.clone(), section_of(&bytes, name, 1).start);
        bytes[start + at..start + at + 4].copy_from_slice(&x.to_ne_bytes());
        refusal(&folder, bytes)
    };
    for (name, at, x, said) in [
        ("spheres", 2 * 16, f32::NAN, "geometry 3: the box around primitive 2"),
        ("spheres", 2 * 16 + 12, f32::INFINITY, "geometry 3: the box around primitive 2"),
        ("spheres", 21 * 16 + 4, 1e38, "geometry 10: the box around primitive 1"),
        ("boxes", 4 * 24, f32::NAN, "geometry 1: the box around primitive 4"),
        ("boxes", 4 * 24 + 12, f32::INFINITY, "geometry 1: the box around primitive 4"),
        // Behind an empty one.
        ("boxes", 20 * 24, f32::NAN, "geometry 1: the box around primitive 20"),
        ("boxes", 23 * 24, -f32::INFINITY, "geometry 8: the box around primitive 2"),
        ("round cones", 21 * 32, f32::NAN, "geometry 11: the box around primitive 1"),
        ("round cones", 21 * 32 + 28, f32::INFINITY, "geometry 11: the box around primitive 1"),
        ("heights", 4, f32::INFINITY, "geometry 6: vertex 1 is"),
        ("height grids", 20, f32::NAN, "height field: origin x is inf; it must be finite"),
        ("oriented boxes", 3 * 60, f32::NAN, "oriented box 3: center x is NaN"),
        ("oriented boxes", 3 * 60 + 12, 0.5, "oriented box 3: its axes are not orthonormal"),
        ("oriented boxes", 3 * 60 + 48, -1.0, "oriented box 3: first half extent is -1"),
    ] {
        let found = changed(name, at, x);
        assert!(found.starts_with(&format!("damaged: {name} 1: {said}")), "{found}");
    }
    for (kind, said) in [
        // That of fields whose triangles were in the tree of shapes.
        (5_u32, "damaged: kinds 1: geometry 2 is of a kind that does not exist"),
        (8, "damaged: kinds 1: geometry 2 is of a kind that does not exist"),
        (u32::MAX, "damaged: kinds 1: geometry 2 is of a kind that does not exist"),
        (0, "damaged: oriented boxes 1: 23 values for 3 primitives"),
        (1, "damaged: boxes 1: not as long as it should be"),
    ] {
        assert_eq!(changed("kinds", 8, f32::from_bits(kind)), said);
    }
    // A tree that is none, and one with more leaves than there are shapes.
    assert!(
        changed("shape nodes", 192, f32::from_bits(2))
            .starts_with("damaged: shape nodes 1: node 0: ")
    );
    let tree = [(0, f32::NAN), (12, f32::INFINITY), (0, 9.0), (24, f32::NAN), (20, -f32::INFINITY)];
    for (at, x) in tree {
        for name in ["tree", "shape tree"] {
            assert_eq!(changed(name, at, x), format!("damaged: {name} 1: bounds that are none"));
        }
    }
}

#[test]
fn leaves_of_anything_answer_about_shapes() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let mut random = Random::new(34);
    let rays = rays(8, &mut random);
    let leaves = sections(&bytes)
        .into_iter()
        .filter(|(name, ..)| name == "shape leaves" || name == "triangles");
    let leaves: Vec<_> = leaves.flat_map(|(.., range)| range.step_by(4)).collect();
    for round in 0..scaled(20) {
        let mut bytes = bytes.clone();
        for &at in &leaves {
            if random.below(3) == 0 {
                let new =
                    [random.bits() as u32, f32::NAN.to_bits(), u32::MAX, random.below(200) as u32];
                bytes[at..at + 4].copy_from_slice(&random.pick(&new).to_ne_bytes());
            }
        }
        let mut scene =
            Scene::open(folder.file("leaves.scene", bytes)).expect("leaves are not looked at");
        answers(&scene, &rays);
        scene
            .change()
            .threads(&Threads::ONE)
            .quality(BuildQuality::High)
            .rebuild()
            .expect("nothing stops it");
        answers(&scene, &rays);
        assert!(scene.check().is_err(), "{round}");
    }
}
