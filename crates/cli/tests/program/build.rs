//! `lanecast build`: a scene file takes the place of its mesh.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{CUBE, RAY_HEADER, column, fields, picture, ray_lines, rays};
use crate::survey::mesh_at;
use lanecast::primitive::Sphere;
use lanecast::{Aabb, Affine, Scene, SceneBuilder};
use serde_json::json;
use std::sync::Arc;

/// What every subcommand does that has no answers to compare.
#[track_caller]
fn is_taken(folder: &Folder, scene: &str) {
    folder.output(&format!("render {scene} -fo picture.png --size 40x30"));
    folder.output(&format!("bench {scene} --seconds 0 --rays 64"));
}

#[test]
fn every_subcommand_takes_the_scene_file_of_a_mesh() {
    let folder = Folder::new();
    let built = folder.json("build data/gyroid.ply -o gyroid.scene");
    let length = folder.bytes("gyroid.scene").len();
    assert_eq!(fields(&built, "triangles geometries bytes"), json!([47_808, 1, length]));
    folder.file("rays.csv", RAY_HEADER.to_owned() + &ray_lines(500).join("\n"));
    let [mesh, scene] = ["data/gyroid.ply", "gyroid.scene"].map(|from| {
        let hits = folder.output(&format!("cast {from} rays.csv -o - --query all"));
        folder.output(&format!("render {from} -fo picture.png --size 40x30"));
        let pixels = picture(&folder.path("picture.png"));
        (hits, pixels, folder.json(&format!("info {from}")))
    });
    assert!(mesh.0.lines().count() > 100 && scene.0 == mesh.0);
    assert!(mesh.1 == scene.1);
    let (mesh, scene) = (mesh.2, scene.2);
    assert_eq!([&mesh["kind"], &scene["kind"]], ["mesh", "scene"]);
    let same = "triangles bounds closed components findings tree.sah_cost";
    assert_eq!(fields(&mesh, same), fields(&scene, same));
    for name in ["surface_area", "volume"] {
        let [a, b] = [&mesh, &scene].map(|report| report[name].as_f64().expect("a number"));
        assert!((a - b).abs() < 1e-9 * a.abs(), "{name}: {a} and {b}");
    }
    let words = folder.output("info gyroid.scene");
    assert_reads(&words, "…scene file    …");
    assert_reads(&words, "…opened in     …");
    is_taken(&folder, "gyroid.scene");
}

#[test]
fn a_scene_file_of_f64_is_taken_but_by_bench() {
    let folder = Folder::new();
    mesh_at(&folder, "survey.obj", [5.4e6, 4.5e5, 100.0]);
    folder.output("build survey.obj -o survey.scene");
    assert!(Scene::<f64>::open(folder.path("survey.scene")).is_ok());
    assert_eq!(folder.json("verify survey.scene --rays 64")["precision"], "f64");
    folder.refuses([(
        "bench survey.scene --seconds 0 --rays 64",
        "…it holds a scene of f64, and one of f32 was asked for",
    )]);
}

#[test]
fn a_scene_file_is_built_anew_from_a_scene_file() {
    let folder = Folder::with_cube();
    folder.output("build cube.off -o first.scene --quality high");
    folder.output("build first.scene -o second.scene --quality high");
    folder.output("build second.scene -fo first.scene --quality high");
    assert!(folder.bytes("first.scene") == folder.bytes("second.scene"));
    assert_eq!(folder.names(), ["cube.off", "first.scene", "second.scene"]);
}

#[test]
fn damaged_scene_files_are_one_line() {
    let folder = Folder::new();
    folder.file("cube.off", CUBE);
    folder.output("build cube.off -o cube.scene");
    let sound = folder.bytes("cube.scene");
    let mut last = sound.clone();
    *last.last_mut().expect("a byte") ^= 1;
    for (bytes, problem) in [
        (&sound[..sound.len() - 1], "truncated: …"),
        (&sound[..0], "not a scene file: an empty file…"),
        (&last[..], "damaged: triangles: the checksum is wrong…"),
    ] {
        folder.file("damaged.scene", bytes);
        let expected = format!("damaged.scene: {problem}");
        folder.refuses([
            ("info damaged.scene", &expected),
            ("build damaged.scene -o new.scene", &expected),
            ("verify damaged.scene", &expected),
        ]);
    }
    // Whatever it is called.
    folder.file("scene.ply", sound);
    assert_eq!(folder.json("info scene.ply")["kind"], "scene");
    assert!(!folder.path("new.scene").exists());
}

/// Tetrahedra, one of them by itself and two placed, a box and a sphere: what programs write by
/// means of the library.
fn orchard() -> Scene {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let leaf = Arc::new(Scene::from_triangles(&vertices, &faces).expect("a scene"));
    let stretched =
        Affine::from_rows([[-2.0, 0.5, 0.0, 4.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0]]);
    let mut scene = SceneBuilder::new()
        .triangle_mesh(&vertices, &faces)
        .and_then(|builder| builder.spheres(&[Sphere::new([-3.0, 0.0, 0.0], 1.0)]))
        .and_then(|builder| builder.boxes(&[Aabb { min: [5.0; 3], max: [6.0; 3] }]))
        .map(|builder| {
            builder.instance(&leaf, Affine::translation([0.0, 0.0, 9.0])).instance(&leaf, stretched)
        })
        .and_then(SceneBuilder::build)
        .expect("a scene");
    scene.set_mask(1, 3).expect("a geometry");
    scene
}

#[test]
fn a_scene_file_of_placed_scenes_and_spheres_is_taken_as_it_is() {
    let folder = Folder::new();
    orchard().save(folder.path("first.scene")).expect("written");
    folder.output("build first.scene -o second.scene --quality high");
    let again = Scene::<f32>::open(folder.path("second.scene")).expect("a scene");
    assert_eq!((again.instance_count(), again.geometry_count(), again.mask(1)), (2, 3, Ok(3)));
    let of_four = "0.2,0.2,20,0,0,-1 3,0.2,9,0,0,-1 -9,0,0,1,0,0 5.5,5.5,9,0,0,-1";
    folder.file("rays.csv", rays(of_four));
    for from in ["first.scene", "second.scene"] {
        let hits = folder.output(&format!("cast {from} rays.csv -o - --format csv"));
        assert_eq!(column(&hits, "instance_id"), ["0", "1", "-1", "-1"], "{hits}");
        let info = folder.json(&format!("info {from}"));
        assert_eq!(info["bounds"][1][2].as_f64().map(f64::round), Some(10.0));
    }
    is_taken(&folder, "first.scene");
    let line = "cast first.scene rays.csv -fo hits.csv";
    let held = "4 rays at 4 triangles + 1 box + 1 sphere + 2 instances: 4 hit…";
    assert_reads(&folder.said(line), held);
    let report = folder.json(line);
    assert_eq!(fields(&report, "triangles boxes spheres instances"), json!([4, 1, 1, 2]));
}

#[test]
fn a_scene_file_without_a_triangle_of_its_own_is_not_empty() {
    let folder = Folder::new();
    let ball = SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 2.0)]);
    let ball = ball.and_then(SceneBuilder::build).expect("a scene");
    ball.save(folder.path("ball.scene")).expect("written");
    let info = folder.json("info ball.scene");
    assert_eq!(fields(&info, "findings triangles"), json!([[], 0]));
    is_taken(&folder, "ball.scene");
}
