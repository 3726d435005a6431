//! `lanecast build`: a scene file takes the place of its mesh.

use crate::folder::Folder;
use crate::support::{
    CUBE, RAY_HEADER, error_line, json_of, lanecast, output_of, picture, ray_lines, shipped,
};
use crate::survey::mesh_at;
use lanecast::primitive::Sphere;
use lanecast::{Aabb, Affine, Scene, SceneBuilder};
use std::sync::Arc;

#[test]
fn every_subcommand_takes_the_scene_file_of_a_mesh() {
    let folder = Folder::new();
    let (mesh, scene) = (shipped("gyroid.ply"), folder.path("gyroid.scene"));
    let built = json_of(lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene).arg("--json"));
    assert_eq!((&built["triangles"], &built["geometries"]), (&47_808.into(), &1.into()));
    assert_eq!(built["bytes"].as_u64(), Some(scene.metadata().expect("a file").len()));

    let rays = folder.file("rays.csv", RAY_HEADER.to_owned() + &ray_lines(500).join("\n"));
    let cast = |from| {
        let mut command = lanecast();
        output_of(command.arg("cast").arg(from).arg(&rays).args(["-o", "-", "--query", "all"]))
    };
    let hits = cast(&mesh);
    assert!(hits.lines().count() > 100 && cast(&scene) == hits);

    let [of_mesh, of_scene] =
        [&mesh, &scene].map(|from| json_of(lanecast().arg("info").arg(from).arg("--json")));
    assert_eq!((&of_mesh["kind"], &of_scene["kind"]), (&"mesh".into(), &"scene".into()));
    for field in
        ["triangles", "bounds", "surface_area", "volume", "closed", "components", "findings"]
    {
        let [a, b] = [&of_mesh[field], &of_scene[field]].map(|value| (value.as_f64(), value));
        let is_same =
            a.1 == b.1 || a.0.zip(b.0).is_some_and(|(a, b)| (a - b).abs() < 1e-9 * a.abs());
        assert!(is_same, "{field}: {} and {}", a.1, b.1);
    }
    assert_eq!(of_mesh["tree"]["sah_cost"], of_scene["tree"]["sah_cost"]);
    let words = output_of(lanecast().arg("info").arg(&scene));
    assert!(words.contains("scene file    ") && words.contains("opened in     "), "{words}");

    let pictures = [&mesh, &scene].map(|from| {
        let path = folder.path("picture.png");
        lanecast()
            .arg("render")
            .arg(from)
            .arg("-fo")
            .arg(&path)
            .args(["--size", "40x30"])
            .assert()
            .success();
        picture(&path)
    });
    assert!(pictures[0] == pictures[1]);
    output_of(lanecast().arg("bench").arg(&scene).args(["--seconds", "0", "--rays", "64"]));
}

#[test]
fn a_scene_file_of_f64_is_taken_as_its_help_says() {
    let folder = Folder::new();
    let (mesh, scene) =
        (mesh_at(&folder, "survey.obj", [5.4e6, 4.5e5, 100.0]), folder.path("survey.scene"));
    lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene).assert().success();
    assert!(Scene::<f64>::open(&scene).is_ok());
    let help = output_of(lanecast().args(["build", "--help"]));
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("a scene file of f64, which all of them take but bench"), "{words}");
    let verified = json_of(lanecast().arg("verify").arg(&scene).args(["--rays", "64", "--json"]));
    assert_eq!(verified["precision"], "f64");
    let refused =
        error_line(lanecast().arg("bench").arg(&scene).args(["--seconds", "0", "--rays", "64"]));
    assert!(
        refused.ends_with("it holds a scene of f64, and one of f32 was asked for"),
        "{refused}"
    );
}

#[test]
fn a_scene_file_is_built_anew_from_a_scene_file() {
    let folder = Folder::new();
    let mesh = folder.file("cube.off", CUBE);
    let [first, second] = ["first.scene", "second.scene"].map(|name| folder.path(name));
    let build = |from, to| {
        let command = &mut lanecast();
        command
            .arg("build")
            .arg(from)
            .arg("-fo")
            .arg(to)
            .args(["--quality", "high"])
            .assert()
            .success();
    };
    build(&mesh, &first);
    build(&first, &second);
    build(&second, &first);
    let read = |path| std::fs::read(path).expect("a file");
    assert!(read(&first) == read(&second));
    assert_eq!(folder.names(), ["cube.off", "first.scene", "second.scene"]);
}

#[test]
fn damaged_scene_files_are_one_line() {
    let folder = Folder::new();
    let (mesh, scene) = (folder.file("cube.off", CUBE), folder.path("cube.scene"));
    lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene).assert().success();
    let sound = std::fs::read(&scene).expect("a file");
    let mut last = sound.clone();
    *last.last_mut().expect("a byte") ^= 1;
    for (bytes, expected) in [
        (&sound[..sound.len() - 1], "truncated: "),
        (&sound[..0], "not a scene file: an empty file"),
        (&last[..], "damaged: triangles: the checksum is wrong"),
    ] {
        let path = folder.file("damaged.scene", bytes);
        let line = error_line(lanecast().arg("info").arg(&path));
        assert!(line.starts_with(&format!("{}: {expected}", path.display())), "{line}");
        let line =
            error_line(lanecast().arg("build").arg(&path).arg("-o").arg(folder.path("new.scene")));
        assert!(line.contains(expected), "{line}");
    }
    // Whatever it is called.
    let path = folder.file("scene.ply", sound);
    assert_eq!(json_of(lanecast().arg("info").arg(&path).arg("--json"))["kind"], "scene");
    assert!(!folder.names().contains(&"new.scene".to_owned()));
}

#[test]
fn an_impossible_output_is_refused_before_the_mesh_is_read() {
    let folder = Folder::new();
    for (output, expected) in [
        ("-".into(), "a scene file cannot go to a pipe"),
        (folder.path(""), "is a directory"),
        (folder.path("nowhere/a.scene"), "No such file or directory"),
    ] {
        let line = error_line(lanecast().arg("build").arg("none.ply").arg("-o").arg(&output));
        assert!(
            line.starts_with(&output.display().to_string()) && line.contains(expected),
            "{line}"
        );
    }
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
    let (first, second) = (folder.path("first.scene"), folder.path("second.scene"));
    let scene = orchard();
    scene.save(&first).expect("written");
    lanecast()
        .arg("build")
        .arg(&first)
        .arg("-o")
        .arg(&second)
        .args(["--quality", "high"])
        .assert()
        .success();
    let again = Scene::<f32>::open(&second).expect("a scene");
    assert_eq!((again.instance_count(), again.geometry_count(), again.mask(1)), (2, 3, Ok(3)));

    let rays = "ray_id,ox,oy,oz,dx,dy,dz\n0,0.2,0.2,20,0,0,-1\n1,3,0.2,9,0,0,-1\n2,-9,0,0,1,0,0\n3,5.5,5.5,9,0,0,-1\n";
    let rays = folder.file("rays.csv", rays);
    for from in [&first, &second] {
        let mut command = lanecast();
        let hits = output_of(
            command.arg("cast").arg(from).arg(&rays).args(["-o", "-", "--format", "csv"]),
        );
        let instances: Vec<&str> =
            hits.lines().skip(1).filter_map(|line| line.split(',').nth(5)).collect();
        assert_eq!(instances, ["0", "1", "-1", "-1"], "{hits}");
        let info = json_of(lanecast().arg("info").arg(from).arg("--json"));
        let fields = [
            "triangles",
            "boxes",
            "oriented_boxes",
            "spheres",
            "instances",
            "placed_scenes",
            "depth",
        ];
        assert_eq!(fields.map(|field| info[field].as_u64()), [4, 1, 0, 1, 2, 1, 1].map(Some));
        assert_eq!(info["bounds"][1][2].as_f64().map(f64::round), Some(10.0));
        let words = output_of(lanecast().arg("info").arg(from));
        for row in [
            "boxes          1",
            "spheres        1",
            "instances      2",
            "placed scenes  1, up to 1 deep",
        ] {
            assert!(words.contains(row), "{words}");
        }
    }
    let path = folder.path("picture.png");
    lanecast()
        .arg("render")
        .arg(&first)
        .arg("-fo")
        .arg(&path)
        .args(["--size", "40x30"])
        .assert()
        .success();
    let mut command = lanecast();
    command.arg("cast").arg(&first).arg(&rays).arg("-fo").arg(folder.path("hits.csv"));
    let output = command.assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        said.starts_with("4 rays at 4 triangles + 1 box + 1 sphere + 2 instances: 4 hit"),
        "{said}"
    );
    let report = json_of(command.arg("--json"));
    let counts = ["triangles", "boxes", "spheres", "instances"].map(|field| report[field].as_u64());
    assert_eq!(counts, [4, 1, 1, 2].map(Some));
}

#[test]
fn a_scene_file_without_a_triangle_of_its_own_is_not_empty() {
    let folder = Folder::new();
    let path = folder.path("ball.scene");
    let ball =
        SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 2.0)]).and_then(SceneBuilder::build);
    ball.and_then(|scene| scene.save(&path)).expect("written");
    let info = json_of(lanecast().arg("info").arg(&path).arg("--json"));
    assert_eq!((&info["findings"], &info["triangles"]), (&serde_json::json!([]), &0.into()));
    let picture = folder.path("picture.png");
    lanecast()
        .arg("render")
        .arg(&path)
        .arg("-fo")
        .arg(picture)
        .args(["--size", "40x30"])
        .assert()
        .success();
    output_of(lanecast().arg("bench").arg(&path).args(["--seconds", "0", "--rays", "64"]));
}
