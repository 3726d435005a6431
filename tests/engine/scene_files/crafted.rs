//! Whatever nodes and leaves hold, with checksums that are right, no walk leaves the tree or goes
//! on forever.

use lanecast::primitive::Sphere;
use lanecast::{BuildQuality, Geometry, Scene, SceneBuilder, Threads, scene::SceneFile};

use crate::common::scale::scaled;
use crate::folder::Folder;
use crate::scene_files::layout::{seal, section};
use crate::scene_files::questions::{answers, rays, rays_f64};
use crate::scene_files::round_trip::scene_f64;
use lanecast_reference::meshes::{Mesh, soup};
use lanecast_reference::random::Random;

const NODE: usize = 256;
const LEAF: usize = 320;
/// Where a node's references and orders begin.
const CHILDREN: usize = 192;
const ORDERS: usize = 224;

fn mesh() -> Mesh {
    soup(600, &mut Random::new(2))
}

fn file(folder: &Folder) -> Vec<u8> {
    let (path, mesh) = (folder.path("sound.scene"), mesh());
    let parts = [&mesh.triangles[..250], &[], &mesh.triangles[250..]];
    let mut builder = lanecast::SceneBuilder::new();
    for part in parts {
        builder =
            builder.geometry(Geometry::deformable_mesh(&mesh.vertices, part)).expect("a mesh");
    }
    builder.build().expect("a scene").save(&path).expect("written");
    std::fs::read(path).expect("a file")
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn set_word(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_ne_bytes());
}

/// The message with which the file is refused.
fn refusal(folder: &Folder, mut bytes: Vec<u8>) -> String {
    seal(&mut bytes);
    Scene::<f32>::open(folder.file("crafted.scene", bytes)).expect_err("refused").to_string()
}

#[test]
fn references_that_lead_astray_are_refused() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let nodes = section(&bytes, "nodes");
    let count = (nodes.end - nodes.start) / NODE;
    let first_leaf = (count * NODE / 64) as u32;
    let lines = first_leaf + (section(&bytes, "triangles").len() / 64) as u32;
    assert!(count > 10, "{count} nodes");
    let root = nodes.start + CHILDREN;
    // An inner child of the root, and a node behind it.
    let slot = (0..8).find(|slot| word(&bytes, root + 4 * slot) & 3 == 0).expect("an inner child");
    let child = word(&bytes, root + 4 * slot);
    let below = nodes.start + (child >> 2) as usize * 64 + CHILDREN;
    for (at, reference, expected) in [
        (root + 4 * slot, 0, "no node behind it"),
        (below, 0, "no node behind it"),
        (below, child, "no node behind it"),
        (root + 4 * slot, child + 4, "no node behind it"),
        (root + 4 * slot, first_leaf << 2, "no node behind it"),
        (root + 4 * slot, !3, "no node behind it"),
        (root + 4 * slot, u32::MAX, "is nothing"),
        (root + 4 * slot, 1, "is no leaf"),
        (root + 4 * slot, lines << 2 | 1, "is no leaf"),
        (root + 4 * slot, (first_leaf + 1) << 2 | 1, "is no leaf"),
        (root, 2, "is nothing"),
        (root + 4, word(&bytes, root), "reference"),
    ] {
        let mut bytes = bytes.clone();
        set_word(&mut bytes, at, reference);
        let said = refusal(&folder, bytes);
        assert!(
            said.contains("damaged: nodes: ") && said.contains(expected),
            "{said}, not {expected}"
        );
    }
    // A child of one node that is a child of another too, and so one that is no child.
    let mut twice = bytes.clone();
    let first = (first_leaf << 2) | 1;
    let leaves: Vec<usize> = (0..count)
        .flat_map(|node| (0..8).map(move |slot| nodes.start + node * NODE + CHILDREN + 4 * slot))
        .filter(|&at| word(&bytes, at) & 3 == 1 && word(&bytes, at) != first)
        .collect();
    set_word(&mut twice, leaves[leaves.len() / 2], first);
    assert!(refusal(&folder, twice).contains("no reference to leaf"));
}

#[test]
fn orders_and_empty_slots_that_lead_astray_are_refused() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let nodes = section(&bytes, "nodes");
    let mut same = bytes.clone();
    set_word(&mut same, nodes.start + ORDERS + 8, 0);
    assert!(refusal(&folder, same).contains("node 0: order 2 is no permutation"));
    let mut beyond = bytes.clone();
    beyond[nodes.start + ORDERS + 3] = 1;
    assert!(refusal(&folder, beyond).contains("node 0: order 0 is no permutation"));
    // The mark of the end in the last slot.
    let node = nodes.clone().step_by(NODE).find(|node| word(&bytes, node + CHILDREN + 28) == 2);
    let mut wide = bytes.clone();
    set_word(&mut wide, node.expect("a node that is not full") + 28, 0);
    assert!(refusal(&folder, wide).contains("is not empty"));
}

#[test]
fn leaves_of_anything_answer() {
    let folder = Folder::new();
    let bytes = file(&folder);
    let leaves = section(&bytes, "triangles");
    let mut random = Random::new(5);
    // In release enough for streams.
    let rays = rays(scaled(600), &mut random);
    assert!(leaves.len().is_multiple_of(LEAF));
    // One leaf, and nothing in it, whose numbers change with the spheres before it.
    let path = folder.path("one.scene");
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let ball = Sphere::new([0.0; 3], 0.5);
    let builder = SceneBuilder::new().spheres(&[ball]).expect("a sphere");
    let deformable = Geometry::deformable_mesh(&triangle, &[[0, 1, 2]]);
    let builder = builder.geometry(deformable).expect("a triangle");
    builder.build().expect("a scene").save(&path).expect("written");
    let mut one = std::fs::read(path).expect("a file");
    let leaf = section(&one, "triangles");
    let number = leaf.clone().step_by(4).find(|&at| word(&one, at) == 1 && at >= leaf.start + 288);
    set_word(&mut one, number.expect("the triangle's number"), u32::MAX);
    let mut one =
        Scene::open(folder.file("empty leaf.scene", one)).expect("leaves are not looked at");
    one.change()
        .threads(&Threads::ONE)
        .replace(&[(0, Geometry::spheres(&[ball; 2]))])
        .expect("spheres");
    one.change().threads(&Threads::ONE).refit(&[(1, &triangle)]).expect("as many as before");
    assert_eq!(one.triangles().count(), 0);
    for round in 0..scaled(8) {
        let mut bytes = bytes.clone();
        for at in leaves.clone().step_by(4) {
            if random.below(3) == 0 {
                let number =
                    [random.bits() as u32, f32::NAN.to_bits(), u32::MAX, random.below(700) as u32];
                set_word(&mut bytes, at, random.pick(&number));
            }
        }
        let mut scene =
            Scene::open(folder.file("leaves.scene", bytes)).expect("leaves are not looked at");
        answers(&scene, &rays);
        assert!(scene.check().is_err(), "{round}");
        // They change as others do, with vertices that move and numbers that become others.
        let (mesh, quality, ball) = (mesh(), BuildQuality::Balanced, Sphere::new([0.0; 3], 0.5));
        scene
            .change()
            .threads(&Threads::ONE)
            .refit(&[(0, &mesh.vertices)])
            .expect("as many as before");
        answers(&scene, &rays);
        for balls in [&[ball, ball][..], &[ball]] {
            let mut changed = scene.deep_copy();
            changed
                .change()
                .threads(&Threads::ONE)
                .quality(quality)
                .replace(&[(1, Geometry::spheres(balls))])
                .expect("sound spheres");
            changed
                .change()
                .threads(&Threads::ONE)
                .quality(quality)
                .replace(&[(1, Geometry::spheres(&[ball; 3]))])
                .expect("sound spheres");
            answers(&changed, &rays);
        }
    }
}

/// These say how many triangles they hold, too.
#[test]
fn leaves_of_f64_of_anything_answer() {
    let (folder, mut random) = (Folder::new(), Random::new(6));
    let path = folder.path("sound.scene");
    scene_f64(&[mesh()], 0.0).save(&path).expect("written");
    let bytes = std::fs::read(path).expect("a file");
    let leaves = section(&bytes, "triangles");
    let rays = rays_f64(&rays(scaled(600), &mut random), 0.0);
    for round in 0..scaled(8) {
        let mut bytes = bytes.clone();
        for at in leaves.clone().step_by(4) {
            if random.below(3) == 0 {
                let word =
                    [random.bits() as u32, f32::NAN.to_bits(), u32::MAX, random.below(700) as u32];
                set_word(&mut bytes, at, random.pick(&word));
            }
        }
        let file = SceneFile::open(folder.file("leaves.scene", bytes)).expect("a file");
        let scene: Scene<f64> = file.scene().expect("leaves are not looked at");
        answers(&scene, &rays);
        assert!(scene.check().is_err(), "{round}");
    }
}
