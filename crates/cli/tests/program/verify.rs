//! `lanecast verify`: what is right passes, what is wrong is shown, what cannot be read is refused,
//! and the same seed gives the same rays.

use crate::folder::Folder;
use crate::layout::{seal, section};
use crate::pattern::assert_reads;
use crate::support::{EMPTY, fields, rays};
use crate::survey::{PLACES, mesh_at, rays_at};
use lanecast::primitive::{Cylinder, HeightField, Obb, RoundCone, Sphere};
use lanecast::{Aabb, Affine, Backend, Scene, SceneBuilder};
use serde_json::{Value, json};
use std::sync::Arc;

/// Checks of each command line that nothing differs, and what else its report has.
#[track_caller]
fn nothing_differs(folder: &Folder, rows: &[(&str, &str, Value)]) {
    for (line, names, expected) in rows {
        let report = folder.json(&format!("verify {line}"));
        assert_eq!(fields(&report, "differing differences"), json!([0, []]), "{line}: {report}");
        assert_eq!(fields(&report, names), *expected, "{line}: {report}");
    }
}

#[test]
fn nothing_differs_on_a_cube() {
    let folder = Folder::with_cube();
    let line = "cube.off --rays 300 --seed 3";
    nothing_differs(
        &folder,
        &[
            (line, "rays", json!([300])),
            ("cube.off --placed 2 --rays 90", "rays places triangles", json!([90, 4, 12])),
        ],
    );
    let report = folder.json(&format!("verify {line}"));
    let ways = report["ways"].as_array().expect("a list").len();
    assert_eq!(ways, 4 * Backend::available().count(), "{report}");
    assert!(report["near_an_edge"].as_u64() > Some(100), "{report}");
    assert_eq!(folder.json(&format!("verify {line}"))["hits"], report["hits"]);
    let [placed, others] = ["", "--seed 2"].map(|seed| {
        folder.json(&format!("verify cube.off --placed 2 --rays 90 {seed}"))["hits"].clone()
    });
    assert!(placed.as_u64() > Some(60) && placed != others, "{placed}");
    for (line, pattern) in [
        ("--rays 5", "5 rays at 12 triangles: nothing differs…"),
        ("--placed 2 --rays 90", "90 rays at 12 triangles in 4 places: nothing differs…"),
    ] {
        assert_reads(&folder.output(&format!("verify cube.off {line}")), pattern);
    }
}

/// A tree that leads past what is in the file is sound enough to be opened, with checksums that are
/// right.
#[track_caller]
fn a_smaller_box_is_refused(folder: &Folder, scene: &str, nodes: &str) {
    let mut bytes = folder.bytes(scene);
    let root = section(&bytes, nodes).start;
    // Of the box of its first child, from which x on, and to which in the next 32 bytes: now a
    // plane.
    bytes.copy_within(root..root + 4, root + 32);
    seal(&mut bytes);
    folder.file("changed.scene", bytes);
    folder.refuses([(
        "verify changed.scene --rays 60 --json",
        format!("…{nodes}: node 0: the content of child 0 sticks out of its box"),
    )]);
}

#[test]
fn a_tree_that_loses_primitives_is_refused_before_rays_are_cast() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0.5,0.25,2,0,0,-1"));
    folder.output("build cube.off -o cube.scene");
    a_smaller_box_is_refused(&folder, "cube.scene", "nodes");
    let answers = folder.output("cast changed.scene rays.csv -o -");
    assert!(!answers.is_empty(), "nothing is noticed");

    let spheres: Vec<Sphere> =
        (0..40).map(|i| Sphere::new([(i % 8) as f32, (i / 8) as f32, 0.0], 0.4)).collect();
    let scene = SceneBuilder::new().spheres(&spheres).and_then(SceneBuilder::build);
    scene.and_then(|scene| scene.save(folder.path("balls.scene"))).expect("written");
    nothing_differs(&folder, &[("balls.scene --rays 60", "spheres", json!([40]))]);
    a_smaller_box_is_refused(&folder, "balls.scene", "shape nodes");

    mesh_at(&folder, "m.obj", PLACES[1]);
    folder.output("build m.obj -o mesh.scene");
    a_smaller_box_is_refused(&folder, "mesh.scene", "nodes");
}

#[test]
fn nothing_differs_in_a_scene_file_hidden_geometries_included() {
    let folder = Folder::with_cube();
    folder.output("build cube.off -o cube.scene");
    let hits = folder.json("verify cube.scene --rays 60")["hits"].as_u64();
    assert!(hits > Some(30), "{hits:?}");
    let mut hidden = Scene::<f32>::open(folder.path("cube.scene")).expect("a scene");
    hidden.set_mask(0, 0).expect("a geometry");
    hidden.save(folder.path("hidden.scene")).expect("written");
    nothing_differs(
        &folder,
        &[
            ("cube.scene --rays 60", "triangles hits", json!([12, hits])),
            ("hidden.scene --rays 60", "hits", json!([hits])),
        ],
    );
}

#[test]
fn a_backend_that_is_named_is_verified_alone() {
    let folder = Folder::with_cube();
    for backend in Backend::available() {
        let name = backend.name();
        let report = folder.json(&format!("verify cube.off --rays 60 --backend {name}"));
        let ways = report["ways"].as_array().expect("a list");
        let is_of_it = |way: &Value| way.as_str().is_some_and(|way| way.starts_with(name));
        assert!(ways.len() == 4 && ways.iter().all(is_of_it), "{report}");
    }
    folder.run("verify cube.off --backend mmx").assert().code(2);
}

#[test]
fn rays_of_a_file_are_verified_and_of_many_a_part() {
    let folder = Folder::with_cube();
    folder.file("empty.off", EMPTY);
    folder.file("rays.csv", rays("0.5,0.5,2,0,0,-1 0.25,0.5,2,0,0,-1 3,3,2,0,0,-1 0,0,0,0,0,0"));
    nothing_differs(
        &folder,
        &[
            ("cube.off rays.csv", "rays hits invalid near_an_edge", json!([4, 2, 1, 1])),
            ("empty.off rays.csv", "hits", json!([0])),
        ],
    );
    let words = folder.output("verify cube.off rays.csv --rays 2");
    assert_reads(&words, "2 rays at 12 triangles…at random from 4…");
    // A seed chooses some, and nothing of all.
    folder.output("verify cube.off rays.csv --seed 2 --rays 3");
    let in_vain =
        "--seed: goes with rays that are made or chosen, and all 4 of the file are verified";
    folder.refuses([
        ("verify cube.off rays.csv --seed 2", in_vain),
        ("verify cube.off rays.csv --seed 2 --rays 4", in_vain),
    ]);
}

/// All kinds of primitives, two deep: a scene of them, placed twice in one with a sphere, and that
/// twice beside a box.
fn nested() -> Scene {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let turned = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let oriented = [Obb::new([2.0, 0.0, 0.5], turned, [0.5, 0.3, 0.4]).expect("orthonormal axes")];
    let balls = [Sphere::new([0.0, 2.0, 0.5], 0.5), Sphere::new([2.0, 2.0, 0.0], 0.7)];
    let boxes = [Aabb { min: [-1.0, -1.0, -0.5], max: [3.0, 3.0, -0.25] }];
    let cones = [
        RoundCone { ends: [[3.0, 0.0, 0.0], [3.0, 2.0, 0.5]], radii: [0.2, 0.4] },
        RoundCone { ends: [[3.0, 3.0, 0.0], [3.5, 3.0, 0.5]], radii: [0.0, 0.3] },
    ];
    let poles = [Cylinder { ends: [[-1.0, 2.0, 0.0], [-0.5, 2.5, 1.0]], radius: 0.3 }];
    let heights = [0.0, 0.2, -0.1, f32::NAN, 0.3, 0.1, 0.0, 0.2, 0.1];
    let field = HeightField::new(&heights, [3, 3], [-0.5, 3.0], [0.6, 0.5]).expect("a sound field");
    let sheared =
        Affine::from_rows([[0.7, -0.6, 0.1, 5.0], [0.5, 0.9, 0.0, 0.3], [0.0, 0.2, -1.1, 0.7]]);
    let leaf = SceneBuilder::new()
        .triangle_mesh(&vertices, &faces)
        .and_then(|builder| builder.oriented_boxes(&oriented))
        .and_then(|builder| builder.spheres(&balls))
        .and_then(|builder| builder.round_cones(&cones))
        .and_then(|builder| builder.cylinders(&poles))
        .and_then(|builder| builder.height_field(field))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let leaf = Arc::new(leaf);
    let twice = |builder: SceneBuilder<'static>, scene: &Arc<Scene>| {
        builder.instance(scene, sheared).instance(scene, Affine::translation([0.0, 4.5, 0.1]))
    };
    let middle =
        twice(SceneBuilder::new(), &leaf).spheres(&balls[..1]).and_then(SceneBuilder::build);
    let outer = twice(SceneBuilder::new(), &Arc::new(middle.expect("a scene")));
    outer.boxes(&boxes).and_then(SceneBuilder::build).expect("a scene")
}

#[test]
fn nothing_differs_on_scenes_of_every_kind_in_scenes() {
    let folder = Folder::new();
    nested().save(folder.path("nested.scene")).expect("written");
    // Its own masks are lifted, also those of instances.
    let mut hidden = nested();
    hidden.set_mask(0, 0).expect("a geometry");
    hidden.set_instance_mask(1, 0).expect("an instance");
    hidden.save(folder.path("hidden.scene")).expect("written");
    folder.file("rays.csv", rays("1,1,9,0,0,-1 90,90,90,1,0,0"));
    let report = folder.json("verify nested.scene --rays 300");
    let hits = report["hits"].as_u64();
    assert!(hits > Some(200) && report["grazing"].as_u64() < Some(5), "{report}");
    let kinds = "rays triangles boxes oriented_boxes spheres places";
    nothing_differs(
        &folder,
        &[
            ("nested.scene --rays 300", kinds, json!([300, 12, 1, 1, 3, 7])),
            ("hidden.scene --rays 300", "hits", json!([hits])),
            // Placed once more, and with rays from a file.
            ("nested.scene --placed 2 --rays 40", "places", json!([28])),
            ("nested.scene rays.csv", "hits", json!([1])),
        ],
    );
    let held = "60 rays at 12 triangles + 1 box + 1 oriented box + 3 spheres + 2 round cones + \
                1 cylinder in 7 places";
    let words = folder.output("verify nested.scene --rays 60");
    assert_reads(&words, &format!("{held}: nothing differs…"));
}

#[test]
fn a_survey_is_verified_in_f64() {
    let folder = Folder::new();
    mesh_at(&folder, "m.obj", PLACES[1]);
    rays_at(&folder, "r.npy", PLACES[1]);
    for line in ["--rays 300", "r.npy", "--placed 2 --rays 90"] {
        let line = format!("m.obj {line}");
        nothing_differs(&folder, &[(&line, "precision", json!(["f64"]))]);
        let report = folder.json(&format!("verify {line}"));
        assert!(report["hits"].as_u64() > Some(60), "{report}");
    }
    let words = folder.output("verify m.obj --rays 5");
    assert_reads(&words, "…nothing differs from brute force in twice the digits of f64…");
    // A mesh that needs no f64, and rays that do.
    mesh_at(&folder, "near.obj", [0.0; 3]);
    folder.file("far.csv", rays("42164001.3,0.1,0.1,-1,0,0"));
    nothing_differs(
        &folder,
        &[
            ("near.obj far.csv --precision auto", "precision", json!(["f64"])),
            ("near.obj far.csv --precision f32", "precision", json!(["f32"])),
        ],
    );
}

/// All kinds of primitives at survey coordinates, placed in a scene that is placed beside itself.
fn survey() -> Scene<f64> {
    let [x, y, z] = PLACES[1];
    let at = |p: [f64; 3]| [x + p[0], y + p[1], z + p[2]];
    let turned = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let vertices = [[0.0; 3], [1.0, 0.1, 0.0], [0.0, 1.0, 0.3], [0.0, 0.2, 1.0]].map(at);
    let heights = [0.0, 0.2, -0.1, f64::NAN, 0.3, 0.1, 0.0, 0.2, 0.1].map(|height| z + height);
    let field =
        HeightField::new(&heights, [3, 3], [x - 0.5, y + 3.0], [0.6, 0.5]).expect("a sound field");
    let leaf = SceneBuilder::<f64>::default()
        .triangle_mesh(&vertices, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        .and_then(|b| b.boxes(&[Aabb { min: at([-1.0, -1.0, -0.5]), max: at([3.0, 3.0, -0.25]) }]))
        .and_then(|b| {
            b.oriented_boxes(&[Obb {
                center: at([2.0, 0.0, 0.5]),
                axes: turned,
                half_extents: [0.5, 0.3, 0.4],
            }])
        })
        .and_then(|b| {
            b.spheres(&[
                Sphere::new(at([0.0, 2.0, 0.5]), 0.5),
                Sphere::new(at([2.0, 2.0, 0.0]), 0.7),
            ])
        })
        .and_then(|b| {
            b.round_cones(&[RoundCone {
                ends: [[3.0, 0.0, 0.0], [3.0, 2.0, 0.5]].map(at),
                radii: [0.2, 0.4],
            }])
        })
        .and_then(|b| {
            b.cylinders(&[Cylinder {
                ends: [[-1.0, 2.0, 0.0], [-0.5, 2.5, 1.0]].map(at),
                radius: 0.3,
            }])
        })
        .and_then(|b| b.height_field(field))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let (leaf, beside) = (Arc::new(leaf), Affine::translation([4.5, 0.3, 0.1]));
    let build = |builder: SceneBuilder<'_, f64>| builder.build().expect("a scene");
    build(SceneBuilder::<f64>::default().instance(&leaf, Affine::IDENTITY).instance(&leaf, beside))
}

#[test]
fn a_scene_file_of_f64_is_verified() {
    let folder = Folder::new();
    survey().save(folder.path("survey.scene")).expect("written");
    let kinds = "precision triangles boxes oriented_boxes spheres round_cones cylinders places";
    let expected = json!(["f64", 12, 1, 1, 2, 1, 1, 2]);
    nothing_differs(&folder, &[("survey.scene --rays 600", kinds, expected)]);
    let report = folder.json("verify survey.scene --rays 600");
    let [hits, grazing] = ["hits", "grazing"].map(|name| report[name].as_u64());
    assert!(hits > Some(450) && grazing < Some(60), "{report}");
    folder.refuses([("verify survey.scene --precision f32", "survey.scene: …f64…")]);
}
