//! `lanecast verify`: what is right passes, what is wrong is shown, what cannot be read is refused,
//! and the same seed gives the same rays.

use lanecast::primitive::{Cylinder, HeightField, Obb, RoundCone, Sphere};
use lanecast::{Aabb, Affine, Scene, SceneBuilder};
use std::path::Path;
use std::sync::Arc;

use crate::folder::Folder;
use crate::layout::{seal, section};
use crate::support::{CUBE, error_line, json_of, lanecast, output_of};
use crate::survey::{PLACES, mesh_at, rays_at};

#[test]
fn nothing_differs_on_a_cube() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let verify = |seed: &str| {
        let mut command = lanecast();
        command.arg("verify").arg(&cube).args(["--rays", "300", "--seed", seed, "--json"]);
        json_of(&mut command)
    };
    let report = verify("3");
    assert_eq!((&report["rays"], &report["differing"]), (&300.into(), &0.into()), "{report}");
    assert_eq!(report["differences"], serde_json::json!([]));
    let ways = report["ways"].as_array().expect("a list").len();
    assert_eq!(ways, 4 * lanecast::Backend::available().count(), "{report}");
    assert!(report["near_an_edge"].as_u64() > Some(100), "{report}");
    assert_eq!(verify("3")["hits"], report["hits"]);
    let words = output_of(lanecast().arg("verify").arg(&cube).args(["--rays", "5"]));
    assert!(words.starts_with("5 rays at 12 triangles: nothing differs"), "{words}");
}

#[test]
fn nothing_differs_where_a_cube_is_placed() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let verify = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("verify").arg(&cube).args(["--placed", "2", "--rays", "90"]).args(arguments);
        command
    };
    let report = json_of(&mut verify(&["--json"]));
    assert_eq!((&report["places"], &report["triangles"]), (&4.into(), &12.into()), "{report}");
    assert_eq!((&report["rays"], &report["differing"]), (&90.into(), &0.into()), "{report}");
    assert!(report["hits"].as_u64() > Some(60), "{report}");
    assert_ne!(json_of(&mut verify(&["--json", "--seed", "2"]))["hits"], report["hits"]);
    let words = output_of(&mut verify(&[]));
    assert!(words.starts_with("90 rays at 12 triangles in 4 places: nothing differs"), "{words}");
    error_line(verify(&[]).arg("rays.csv"));
    error_line(lanecast().arg("verify").arg(&cube).args(["--placed", "0"]));
}

/// Saves the cube as a scene file and changes its bytes.
fn scene_file(folder: &Folder, change: impl FnOnce(&mut Vec<u8>)) -> std::path::PathBuf {
    let (cube, scene) = (folder.file("cube.off", CUBE), folder.path("cube.scene"));
    lanecast().arg("build").arg(cube).arg("-o").arg(&scene).assert().success();
    let mut bytes = std::fs::read(scene).expect("a scene file");
    change(&mut bytes);
    folder.file("changed.scene", bytes)
}

fn verify(scene: &Path) -> assert_cmd::Command {
    let mut command = lanecast();
    command.arg("verify").arg(scene).args(["--rays", "60"]);
    command
}

/// The tree of the file leads past triangles that are in it: sound enough to be opened, with
/// checksums that are right.
#[test]
fn a_tree_that_loses_triangles_is_refused_before_rays_are_cast() {
    let folder = Folder::new();
    let scene = scene_file(&folder, |bytes| {
        let root = section(bytes, "nodes").start;
        // Of the box of its first child, from which x on, and to which in the next 32 bytes: now a
        // plane.
        bytes.copy_within(root..root + 4, root + 32);
        seal(bytes);
    });
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n");
    let cast =
        |mesh: &Path| output_of(lanecast().arg("cast").args([mesh, &rays]).args(["-o", "-"]));
    assert!(!cast(&scene).is_empty(), "nothing is noticed");

    let line = error_line(&mut verify(&scene));
    assert!(
        line.ends_with("nodes: node 0: the content of child 0 sticks out of its box"),
        "{line}"
    );
}

#[test]
fn nothing_differs_in_a_scene_file_hidden_geometries_included() {
    let folder = Folder::new();
    let scene = scene_file(&folder, |_| {});
    let report = json_of(verify(&scene).arg("--json"));
    assert_eq!((&report["triangles"], &report["differing"]), (&12.into(), &0.into()), "{report}");
    let hits = &report["hits"];
    assert!(hits.as_u64() > Some(30), "{report}");

    let mut hidden = lanecast::Scene::<f32>::open(&scene).expect("a scene");
    hidden.set_mask(0, 0).expect("a geometry");
    let path = folder.path("hidden.scene");
    hidden.save(&path).expect("written");
    let report = json_of(verify(&path).arg("--json"));
    assert_eq!((&report["hits"], &report["differing"]), (hits, &0.into()), "{report}");
}

/// Brute force reads the same triangles as the engine, so that it would not notice.
#[test]
fn a_scene_file_with_a_wrong_checksum_is_refused() {
    let folder = Folder::new();
    let scene = scene_file(&folder, |bytes| *bytes.last_mut().expect("a byte") ^= 1);
    let line = error_line(&mut verify(&scene));
    assert!(line.contains("changed.scene: damaged: triangles: the checksum is wrong"), "{line}");
}

#[test]
fn a_backend_that_is_named_is_verified_alone() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    for backend in lanecast::Backend::available() {
        let report = json_of(verify(&cube).args(["--json", "--backend", backend.name()]));
        let ways = report["ways"].as_array().expect("a list");
        assert_eq!(ways.len(), 4, "{report}");
        assert!(
            ways.iter().all(|way| way.as_str().is_some_and(|way| way.starts_with(backend.name())))
        );
    }
    verify(&cube).args(["--backend", "mmx"]).assert().code(2);
    // The option counts, and not the environment.
    verify(&cube).env("LANECAST_BACKEND", "mmx").args(["--backend", "portable"]).assert().success();
}

#[test]
fn rays_of_a_file_are_verified_and_of_many_a_part() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file(
        "rays.csv",
        "ray_id,ox,oy,oz,dx,dy,dz\n7,0.5,0.5,2,0,0,-1\n8,0.25,0.5,2,0,0,-1\n9,3,3,2,0,0,-1\n1,0,0,0,0,0,0\n",
    );
    let report = json_of(lanecast().arg("verify").arg(&cube).arg(&rays).arg("--json"));
    assert_eq!((&report["rays"], &report["hits"]), (&4.into(), &2.into()), "{report}");
    assert_eq!((&report["invalid"], &report["near_an_edge"]), (&1.into(), &1.into()), "{report}");
    let words = output_of(lanecast().arg("verify").arg(&cube).arg(&rays).args(["--rays", "2"]));
    assert!(
        words.starts_with("2 rays at 12 triangles") && words.contains("at random from 4"),
        "{words}"
    );
    // A seed chooses some, and nothing of all.
    let seeded = |more: &[&str]| {
        let mut command = lanecast();
        command.arg("verify").arg(&cube).arg(&rays).args(["--seed", "2"]).args(more);
        command
    };
    output_of(&mut seeded(&["--rays", "3"]));
    let in_vain =
        "--seed: goes with rays that are made or chosen, and all 4 of the file are verified";
    assert_eq!(error_line(&mut seeded(&[])), in_vain);
    assert_eq!(error_line(&mut seeded(&["--rays", "4"])), in_vain);
}

#[test]
fn input_that_cannot_be_read_is_an_error() {
    let folder = Folder::new();
    let (cube, empty) = (folder.file("cube.off", CUBE), folder.file("empty.off", "OFF\n0 0 0\n"));
    let line = error_line(lanecast().arg("verify").arg(&cube).arg(folder.path("none.csv")));
    assert!(line.contains("none.csv"), "{line}");
    let line = error_line(lanecast().arg("verify").arg(&empty));
    assert!(line.contains("no triangles"), "{line}");
    error_line(lanecast().arg("verify").arg(&cube).args(["--rays", "0"]));
}

#[test]
fn every_ray_misses_a_mesh_without_triangles() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n");
    let report = json_of(lanecast().arg("verify").arg(&empty).arg(&rays).arg("--json"));
    assert_eq!((&report["hits"], &report["differing"]), (&0.into(), &0.into()), "{report}");
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
fn nothing_differs_in_nested_scenes_of_every_primitive_kind() {
    let folder = Folder::new();
    let path = folder.path("nested.scene");
    nested().save(&path).expect("written");
    let run = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("verify").arg(&path).args(arguments);
        command
    };
    let report = json_of(&mut run(&["--rays", "300", "--json"]));
    assert_eq!((&report["rays"], &report["differing"]), (&300.into(), &0.into()), "{report}");
    let kinds = ["triangles", "boxes", "oriented_boxes", "spheres", "places"];
    assert_eq!(kinds.map(|kind| report[kind].as_u64()), [12, 1, 1, 3, 7].map(Some), "{report}");
    assert!(
        report["hits"].as_u64() > Some(200) && report["grazing"].as_u64() < Some(5),
        "{report}"
    );
    let words = output_of(&mut run(&["--rays", "60"]));
    let expected = "60 rays at 12 triangles + 1 box + 1 oriented box + 3 spheres + 2 round cones + 1 cylinder in 7 places: nothing differs";
    assert!(words.starts_with(expected), "{words}");
    // Its own masks are lifted, also those of instances.
    let mut hidden = nested();
    hidden.set_mask(0, 0).expect("a geometry");
    hidden.set_instance_mask(1, 0).expect("an instance");
    let path_of_hidden = folder.path("hidden.scene");
    hidden.save(&path_of_hidden).expect("written");
    let again =
        json_of(lanecast().arg("verify").arg(path_of_hidden).args(["--rays", "300", "--json"]));
    assert_eq!((&again["hits"], &again["differing"]), (&report["hits"], &0.into()), "{again}");
    // Placed once more, and with rays from a file.
    let report = json_of(&mut run(&["--placed", "2", "--rays", "40", "--json"]));
    assert_eq!((&report["places"], &report["differing"]), (&28.into(), &0.into()), "{report}");
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n1,1,9,0,0,-1\n90,90,90,1,0,0\n");
    let report = json_of(run(&["--json"]).arg(rays));
    assert_eq!((&report["hits"], &report["differing"]), (&1.into(), &0.into()), "{report}");
}

/// The tree over boxes and spheres leads past some of them: sound enough to be opened, with
/// checksums that are right.
#[test]
fn a_tree_that_loses_spheres_is_refused_before_rays_are_cast() {
    let folder = Folder::new();
    let spheres: Vec<Sphere> =
        (0..40).map(|i| Sphere::new([(i % 8) as f32, (i / 8) as f32, 0.0], 0.4)).collect();
    let scene =
        SceneBuilder::new().spheres(&spheres).and_then(SceneBuilder::build).expect("a scene");
    let path = folder.path("balls.scene");
    scene.save(&path).expect("written");
    assert_eq!(json_of(verify(&path).arg("--json"))["differing"], 0);
    let mut bytes = std::fs::read(&path).expect("a scene file");
    let root = section(&bytes, "shape nodes").start;
    bytes.copy_within(root..root + 4, root + 32);
    seal(&mut bytes);
    let changed = folder.file("changed.scene", bytes);
    let line = error_line(verify(&changed).arg("--json"));
    assert!(
        line.contains("shape nodes: node 0: the content of child 0 sticks out of its box"),
        "{line}"
    );
}

#[test]
fn a_survey_is_verified_in_f64() {
    let folder = Folder::new();
    let (mesh, rays) = (mesh_at(&folder, "m.obj", PLACES[1]), rays_at(&folder, "r.npy", PLACES[1]));
    let run = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("verify").arg(&mesh).args(arguments);
        command
    };
    for arguments in [
        &["--rays", "300"][..],
        &[rays.to_str().expect("UTF-8")],
        &["--placed", "2", "--rays", "90"],
    ] {
        let report = json_of(run(arguments).arg("--json"));
        assert_eq!(
            (&report["precision"], &report["differing"]),
            (&"f64".into(), &0.into()),
            "{report}"
        );
        assert!(report["hits"].as_u64() > Some(60), "{report}");
    }
    let words = output_of(&mut run(&["--rays", "5"]));
    assert!(
        words.contains("nothing differs from brute force in twice the digits of f64"),
        "{words}"
    );
    // A mesh that needs no f64, and rays that do.
    let (near, far) =
        (mesh_at(&folder, "near.obj", [0.0; 3]), "ox,oy,oz,dx,dy,dz\n42164001.3,0.1,0.1,-1,0,0\n");
    let far = folder.file("far.csv", far);
    for (precision, expected) in [("auto", "f64"), ("f32", "f32")] {
        let mut command = lanecast();
        command.arg("verify").args([&near, &far]).args(["--precision", precision, "--json"]);
        let report = json_of(&mut command);
        assert_eq!(
            (&report["precision"], &report["differing"]),
            (&expected.into(), &0.into()),
            "{report}"
        );
    }
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

/// In the broken tree the content of a node sticks out of its box, so that rays lose triangles.
#[test]
fn f64_scene_files_are_verified_and_broken_trees_are_refused() {
    let folder = Folder::new();
    let path = folder.path("survey.scene");
    survey().save(&path).expect("written");
    let verify = |path: &Path| {
        let mut command = lanecast();
        command.arg("verify").arg(path).args(["--rays", "600", "--json"]);
        command
    };
    let report = json_of(&mut verify(&path));
    assert_eq!(
        (&report["precision"], &report["differing"]),
        (&"f64".into(), &0.into()),
        "{report}"
    );
    let kinds =
        ["triangles", "boxes", "oriented_boxes", "spheres", "round_cones", "cylinders", "places"];
    let counts = [12, 1, 1, 2, 1, 1, 2].map(Some);
    assert_eq!(kinds.map(|kind| report[kind].as_u64()), counts, "{report}");
    assert!(
        report["hits"].as_u64() > Some(450) && report["grazing"].as_u64() < Some(60),
        "{report}"
    );
    let line = error_line(verify(&path).args(["--precision", "f32"]));
    assert!(line.contains("survey.scene") && line.contains("f64"), "{line}");

    let mesh = mesh_at(&folder, "m.obj", PLACES[1]);
    lanecast().arg("build").arg(mesh).arg("-o").arg(folder.path("mesh.scene")).assert().success();
    let mut bytes = std::fs::read(folder.path("mesh.scene")).expect("a scene file");
    let root = section(&bytes, "nodes").start;
    bytes.copy_within(root..root + 4, root + 32);
    seal(&mut bytes);
    let line = error_line(&mut verify(&folder.file("changed.scene", bytes)));
    assert!(
        line.ends_with("nodes: node 0: the content of child 0 sticks out of its box"),
        "{line}"
    );
}
