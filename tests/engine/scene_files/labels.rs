//! Names, data, faces and indices in files: kept, and refused where they contradict each other.

use std::sync::Arc;

use lanecast::primitive::Sphere;
use lanecast::{Affine, Error, Geometry, Scene, SceneBuilder, Threads};

use crate::folder::Folder;
use crate::scene_files::layout::{seal, section, section_of, sections};

const VERTICES: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// A quad that may deform, a hole where another with faces was, a named ball and a quad with faces,
/// and instances with a hole between them.
fn labelled() -> Scene {
    let quad = Geometry::deformable_mesh(&VERTICES, &TRIANGLES);
    let ball = Geometry::spheres(&[Sphere::new([3.0; 3], 1.0)]);
    let plain = Geometry::triangle_mesh(&VERTICES, &TRIANGLES);
    let mut leaf = Scene::from_triangles(&VERTICES, &TRIANGLES).expect("a scene");
    leaf.set_name(0, "leaf").expect("a geometry");
    let leaf = Arc::new(leaf);
    let mut builder = SceneBuilder::new();
    for geometry in [quad.clone(), quad, ball, plain] {
        builder = builder.geometry(geometry).expect("sound");
    }
    for _ in 0..3 {
        builder = builder.instance(&leaf, Affine::IDENTITY);
    }
    let mut scene = builder.build().expect("a scene");
    scene.set_name(2, "Ball ⌀2").expect("a geometry");
    scene.set_user_data(2, u64::MAX).expect("a geometry");
    scene.set_face_ids(1, &[7, 7]).expect("two");
    scene.set_face_ids(3, &[9, 9]).expect("two");
    scene.set_instance_name(2, "the last").expect("an instance");
    scene.set_instance_user_data(0, 5).expect("an instance");
    scene.change().threads(&Threads::ONE).remove(&[1]).expect("a geometry");
    scene.remove_instances(&[1]).expect("an instance");
    scene
}

fn saved(scene: &Scene, folder: &Folder) -> Vec<u8> {
    let path = folder.path("sound.scene");
    scene.save(&path).expect("written");
    std::fs::read(path).expect("a file")
}

#[test]
fn names_data_faces_and_holes_are_saved_and_cost_others_nothing() {
    let folder = Folder::new();
    let bytes = saved(&labelled(), &folder);
    let mut opened = Scene::open(folder.path("sound.scene")).expect("a scene");
    assert_eq!((opened.name(2), opened.user_data(2)), (Ok("Ball ⌀2"), Ok(u64::MAX)));
    assert_eq!((opened.name(0), opened.user_data(0)), (Ok(""), Ok(0)));
    assert_eq!((opened.face_ids(3), opened.face_ids(0)), (Ok(&[9, 9][..]), Ok(&[][..])));
    assert_eq!((opened.instance_name(2), opened.instance_user_data(0)), (Ok("the last"), Ok(5)));
    assert_eq!(opened.scene_of(2).and_then(|leaf| leaf.name(0)), Ok("leaf"));
    assert!(opened.geometry_ids().eq([0, 2, 3]) && opened.instance_numbers().eq([0, 2]));
    assert!(saved(&opened, &folder) == bytes);
    // What may deform, may here too.
    opened
        .change()
        .threads(&Threads::ONE)
        .refit(&[(0, &VERTICES.map(|[x, y, _]| [x, y, 7.0]))])
        .expect("deformable");
    assert_eq!(opened.triangle(0, 1), Ok([[0.0, 0.0, 7.0], [1.0, 1.0, 7.0], [0.0, 1.0, 7.0]]));
    let refused = opened.change().threads(&Threads::ONE).refit(&[(3, &VERTICES)]);
    assert_eq!(refused, Err(Error::NotDeformable { geometry_id: 3 }));
    let plain = saved(&Scene::from_triangles(&VERTICES, &TRIANGLES).expect("a scene"), &folder);
    assert!(
        sections(&plain)
            .iter()
            .all(|(name, ..)| !["labels", "names", "faces", "indices"].contains(&&**name))
    );
}

#[test]
fn labels_that_contradict_each_other_are_refused() {
    const RECORD: usize = 24;
    let folder = Folder::new();
    let bytes = saved(&labelled(), &folder);
    let labels = section(&bytes, "labels");
    // Of geometries 0 to 3 and instances 0 and 2.
    assert_eq!(labels.len(), 6 * RECORD);
    let refusal = |mut bytes: Vec<u8>| {
        seal(&mut bytes);
        match Scene::<f32>::open(folder.file("crafted.scene", bytes)) {
            Err(Error::SceneFile { problem, .. }) => problem.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let changed = |record: usize, at: usize, value: u64, width: usize| {
        let mut bytes = bytes.clone();
        let at = labels.start + RECORD * record + at;
        bytes[at..at + width].copy_from_slice(&value.to_ne_bytes()[..width]);
        refusal(bytes)
    };
    let (id, flags, user_data, name_length) = (0, 4, 8, 16);
    for (record, at, value, said) in [
        (0, id, 1, "labels: geometry 1: not behind the one before it"),
        (3, id, 4, "labels: geometry 4: there is none"),
        (4, id, 1, "labels: instance 1: there is none"),
        (5, id, 0, "labels: instance 0: not behind the one before it"),
        (5, id, 3, "labels: instance 3: there is none"),
        (5, flags, 3, "labels: instance 2: flags that an instance has not"),
        (1, flags, 6, "labels: geometry 1: flags that do not exist"),
        (1, flags, 16, "labels: geometry 1: flags that do not exist"),
        (2, flags, 2, "labels: geometry 2: removed, and there"),
        (0, flags, 2, "labels: geometry 0: removed, and there"),
        (2, flags, 4, "labels: geometry 2: deformable, and no mesh"),
        (3, flags, 0, "faces: not as many as the labels say"),
        (3, flags, 12, "indices: not as long as it should be"),
        (0, flags, 8, "faces: not as long as it should be"),
        (0, flags, 0, "indices: not as many as the labels say"),
    ] {
        assert_eq!(changed(record, at, value, 4), format!("damaged: {said}"));
    }
    assert_eq!(changed(1, user_data, 1, 8), "damaged: labels: geometry 1: removed, and there");
    for length in [u64::MAX, 100] {
        let said = "damaged: labels: geometry 2: its name is longer than all names";
        assert_eq!(changed(2, name_length, length, 8), said);
    }
    assert_eq!(changed(5, name_length, 7, 8), "damaged: names: more than the labels have");
    // Cut within a letter.
    assert_eq!(changed(2, name_length, 6, 8), "damaged: names: that of geometry 2 is not UTF-8");
    let mut invalid = bytes.clone();
    invalid[section_of(&bytes, "names", 0).start] = 0xff;
    assert_eq!(refusal(invalid), "damaged: names: that of geometry 2 is not UTF-8");
    // Indices are looked at when vertices move.
    let mut astray = bytes.clone();
    let indices = section(&bytes, "indices");
    astray[indices.start..indices.start + 4].copy_from_slice(&77_u32.to_ne_bytes());
    seal(&mut astray);
    let mut astray = Scene::open(folder.file("astray.scene", astray)).expect("not looked at");
    let refused = astray.change().threads(&Threads::ONE).refit(&[(0, &VERTICES)]);
    assert!(
        matches!(refused, Err(Error::VertexOutOfRange { geometry_id: 0, vertex: 77, .. })),
        "{refused:?}"
    );
    // A hole behind all that is there.
    let mut hole = bytes.clone();
    let instances = section_of(&bytes, "instances", 0);
    hole[instances.end - 4..instances.end].copy_from_slice(&1_u32.to_ne_bytes());
    assert_eq!(refusal(hole), "damaged: instances: the last instance is removed");
    let empty = SceneBuilder::new().triangle_mesh(&VERTICES, &TRIANGLES);
    let mut empty =
        empty.and_then(|builder| builder.triangle_mesh(&[], &[])?.build()).expect("a scene");
    empty.set_user_data(1, 1).expect("a geometry");
    let mut last = saved(&empty, &folder);
    let record = section(&last, "labels");
    last[record.start + 4..record.end].fill(0);
    last[record.start + 4] = 2;
    assert_eq!(refusal(last), "damaged: labels: the last geometry is removed");
    // Any byte of the small sections, and of the others if the whole file is read.
    for name in ["labels", "names", "faces", "indices"] {
        let range = section_of(&bytes, name, 0);
        for at in range.clone().step_by((range.len() / 7).max(1)) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            let opened = Scene::<f32>::open(folder.file("flipped.scene", bytes));
            let found = opened.and_then(|scene| scene.check()).expect_err("damaged").to_string();
            assert!(found.ends_with(&format!("damaged: {name}: the checksum is wrong")), "{found}");
        }
    }
}
