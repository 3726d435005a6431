//! `lanecast info`: what is said of sound and unsound meshes.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, output_of, shipped};
use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, Affine, Scene, SceneBuilder};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn the_shipped_solid_is_closed_and_sound() {
    let report = json_of(lanecast().arg("info").arg(shipped("gyroid.ply")).arg("--json"));
    assert_eq!((&report["vertices"], &report["triangles"]), (&23_866.into(), &47_808.into()));
    assert_eq!((&report["closed"], &report["components"]), (&true.into(), &3.into()));
    assert_eq!(report["findings"], serde_json::json!([]));
    let close = |value: &serde_json::Value, expected: f64| {
        (value.as_f64().expect("a number") - expected).abs() < 1.0
    };
    assert!(close(&report["volume"], 80_114.0) && close(&report["surface_area"], 34_300.0));
    assert!(
        report["tree"]["nodes"].as_u64() > Some(0)
            && report["tree"]["sah_cost"].as_f64() > Some(1.0)
    );
}

#[test]
fn what_is_wrong_is_said_in_words() {
    let folder = Folder::new();
    // A cube without its last triangle; one turned over; one without area; a vertex twice.
    let text = CUBE
        .replace("8 12 0", "9 12 0")
        .replace("0 1 1\n", "0 1 1\n0 0 0\n")
        .replace("3 0 2 1\n", "3 8 1 2\n")
        .replace("3 3 4 7\n", "3 1 1 2\n");
    let mesh = folder.file("broken.off", text);
    let words = output_of(lanecast().arg("info").arg(&mesh));
    for finding in [
        "3 boundary edges: ",
        "3 misoriented edges: ",
        "1 degenerate triangle: ",
        "1 duplicate vertex: ",
    ] {
        assert!(words.contains(finding), "{finding}: {words}");
    }
    assert!(words.contains("closed        no"), "{words}");
}

/// An L, of which a fan covers the notch as well, and an hourglass.
#[test]
fn concave_areas_are_right_and_self_crossing_faces_are_counted() {
    let folder = Folder::new();
    let l = "v 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 0\nf 1 2 3 4 5 6\n";
    let mesh = folder.file("l.obj", l);
    let report = json_of(lanecast().arg("info").arg(&mesh).arg("--json"));
    let expected = (&5.0.into(), &0.into(), &4.into());
    assert_eq!(
        (&report["surface_area"], &report["self_crossing_faces"], &report["triangles"]),
        expected
    );
    let mesh = folder.file("hourglass.obj", format!("{l}f 1 3 2 4 5\nf 6 2 1 4 5\n"));
    let report = json_of(lanecast().arg("info").arg(&mesh).arg("--json"));
    assert_eq!(report["self_crossing_faces"], 2);
    let words = output_of(lanecast().arg("info").arg(&mesh));
    assert!(words.contains("2 self-crossing faces: "), "{words}");
}

#[test]
fn an_empty_mesh_is_reported_and_a_picture_of_it_refused() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    assert!(
        output_of(lanecast().arg("info").arg(&empty)).contains("no triangles: every ray misses")
    );
    assert_eq!(
        json_of(lanecast().arg("info").arg(&empty).arg("--json"))["bounds"],
        serde_json::Value::Null
    );
    let expected = format!("{}: the mesh has no triangles", empty.display());
    assert_eq!(
        error_line(lanecast().arg("render").arg(&empty).arg("-o").arg(folder.path("p.png"))),
        expected
    );
    assert_eq!(error_line(lanecast().arg("bench").arg(&empty)), expected);
}

#[test]
fn vertices_that_are_missing_or_not_finite_are_errors() {
    let folder = Folder::new();
    let missing = folder.file("missing.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n");
    let line = error_line(lanecast().arg("info").arg(&missing));
    assert!(
        line.starts_with(&format!("{}: ", missing.display())) && line.contains("vertex 3"),
        "{line}"
    );
    let wild = folder.file("wild.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1e39 0\n3 0 1 2\n");
    let line = error_line(lanecast().arg("info").arg(&wild));
    assert!(
        line.starts_with(&format!("{}: ", wild.display())) && line.contains("vertex 2"),
        "{line}"
    );
}

#[test]
fn extreme_sizes_are_no_trouble() {
    let folder = Folder::new();
    for size in ["1e30", "1e-30", "1e-44"] {
        let text = CUBE.lines().enumerate().map(|(line, text)| match line {
            2..=9 => text
                .split(' ')
                .map(|x| if x == "1" { size } else { x })
                .collect::<Vec<_>>()
                .join(" "),
            _ => text.to_owned(),
        });
        let mesh = folder.file("extreme.off", text.collect::<Vec<_>>().join("\n"));
        assert_eq!(json_of(lanecast().arg("info").arg(&mesh).arg("--json"))["closed"], true);
        let mut command = lanecast();
        command
            .arg("render")
            .arg(&mesh)
            .arg("-fo")
            .arg(folder.path("p.png"))
            .args(["--size", "16x16"]);
        command.assert().success();
    }
}

#[test]
fn survey_coordinates_that_f32_cannot_tell_apart_are_reported() {
    let folder = Folder::new();
    let square = |x: f64| {
        format!("v {x} 4000000.1 0\nv {} 4000000.1 0\nv {x} 4000300.1 0\nf 1 2 3\n", x + 300.0)
    };
    let far = folder.file("far.obj", square(500_000.1));
    let words = output_of(lanecast().arg("info").arg(&far));
    assert!(words.contains("f32 would be in steps of 0.25, 1/1200 of the mesh's size"), "{words}");
    let words = output_of(lanecast().arg("info").arg(&far).args(["--precision", "f32"]));
    assert!(words.contains("coordinates in steps of 0.25, 1/1200 of the mesh's size"), "{words}");
    let near = folder.file("near.obj", "v 0 0 0\nv 300 0 0\nv 0 300 0\nf 1 2 3\n");
    let words = output_of(lanecast().arg("info").arg(&near));
    assert!(!words.contains("in steps of"), "{words}");
    // All who answer by rounded coordinates say so; `info` does once. Who need not round says
    // nothing.
    let points = folder.file("points.csv", "x,y,z\n500000,4000000,9\n");
    let said = |mesh: &Path, arguments: &[&str]| {
        let output = folder.path("answers").with_extension(match arguments[0] {
            "render" => "png",
            "build" => "scene",
            _ => "csv",
        });
        let mut command = lanecast();
        command
            .arg(arguments[0])
            .arg(mesh)
            .args(&arguments[1..])
            .arg("-fo")
            .arg(output)
            .assert()
            .success()
            .get_output()
            .stderr
            .clone()
    };
    let points = points.to_str().expect("UTF-8");
    let subcommands: [&[&str]; 5] = [
        &["lidar", "--at", "500000,4000000,9", "--steps", "4"],
        &["render", "--size", "8x8"],
        &["points", points],
        &["sight", points, points],
        &["build"],
    ];
    for subcommand in subcommands {
        let words = |mesh, more: &[&str]| {
            String::from_utf8(said(mesh, &[subcommand, more].concat())).expect("UTF-8")
        };
        let in_f32 = &["--precision", "f32"];
        let (coarse, fine) = (words(&far, in_f32), words(&near, in_f32));
        assert!(
            coarse.contains("far.obj: coordinates are rounded to f32, in steps of 0.25"),
            "{coarse}"
        );
        assert!(!fine.contains("rounded"), "{fine}");
        assert!(!words(&far, &[]).contains("rounded"), "{subcommand:?}");
    }
}

/// A scene file of two balls, one of which is placed once more, beside triangles if there are to be
/// any.
fn balls(folder: &Folder, name: &str, triangles: &[[u32; 3]]) -> PathBuf {
    let ball = |x| Sphere::new([x, 0.0, 0.0], 1.0);
    let placed = Arc::new(
        SceneBuilder::new().spheres(&[ball(0.0)]).and_then(SceneBuilder::build).expect("a scene"),
    );
    let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let scene: Scene = SceneBuilder::new()
        .spheres(&[ball(0.0), ball(4.0)])
        .and_then(|builder| builder.triangle_mesh(&vertices, triangles))
        .and_then(|builder| builder.instance(&placed, Affine::translation([0.0, 7.0, 0.0])).build())
        .expect("a scene");
    scene.save(folder.path(name)).expect("written");
    folder.path(name)
}

#[test]
fn spheres_and_instances_are_counted_and_surfaces_left_out() {
    let folder = Folder::new();
    let path = balls(&folder, "balls.scene", &[]);
    let words = output_of(lanecast().arg("info").arg(&path));
    let row = |what: &str| {
        let line = words.lines().find(|line| line.starts_with(what));
        line.map(|line| line[what.len()..].trim().to_owned())
    };
    assert_eq!(
        [row("triangles"), row("spheres"), row("instances"), row("placed scenes")],
        ["0", "2", "1", "1, up to 1 deep"].map(|x| Some(x.into()))
    );
    assert!(
        row("bounds").is_some_and(|bounds| bounds.starts_with("-1, -1, -1  to  5, 8")),
        "{words}"
    );
    let length = path.metadata().expect("a file").len();
    assert!(row("file").is_some_and(|file| file.ends_with("kB, all trees in it")), "{words}");
    assert_eq!(json_of(lanecast().arg("info").arg(&path).arg("--json"))["file_bytes"], length);
    for unsaid in [
        "boxes",
        "oriented boxes",
        "closed",
        "surface area",
        "volume",
        "memory",
        "SAH cost",
        "fill",
    ] {
        assert_eq!(row(unsaid), None, "{words}");
    }
    assert!(
        !words.contains("Nothing is wrong") && words.contains("no triangles of its own"),
        "{words}"
    );

    // What is said of triangles is said of those beside them.
    let path = balls(&folder, "more.scene", &[[0, 1, 2]]);
    let words = output_of(lanecast().arg("info").arg(&path));
    assert!(
        words.contains("closed         no") && words.contains("What is wrong with this scene"),
        "{words}"
    );
    let path = balls(&folder, "front_and_back.scene", &[[0, 1, 2], [0, 2, 1]]);
    let mesh = json_of(lanecast().arg("info").arg(&path).arg("--json"));
    assert_eq!(
        (&mesh["closed"], mesh["bounds"][1][1].as_f64().map(f64::round)),
        (&true.into(), Some(8.0)),
        "{mesh}"
    );
}

#[test]
fn spheres_far_from_the_origin_are_reported_as_meshes_are() {
    let folder = Folder::new();
    let far = Sphere::new([4e6, 0.0, 0.0], 10.0);
    let scene = SceneBuilder::new().spheres(&[far]).and_then(SceneBuilder::build).expect("a scene");
    scene.save(folder.path("far.scene")).expect("written");
    let words = output_of(lanecast().arg("info").arg(folder.path("far.scene")));
    assert!(words.contains("coordinates in steps of 0.25"), "{words}");
}

#[test]
fn each_kind_is_counted_by_itself_and_placed_scenes_once() {
    let folder = Folder::new();
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let obb = Obb::new([0.0; 3], axes, [1.0; 3]).expect("orthonormal axes");
    let aabb = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let at = |x| Affine::translation([x, 0.0, 0.0]);
    let kinds = || {
        let builder = SceneBuilder::new()
            .boxes(&[aabb; 3])
            .and_then(|builder| builder.oriented_boxes(&[obb; 2]));
        builder
            .and_then(|builder| builder.spheres(&[Sphere::new([0.0; 3], 1.0)]))
            .expect("sound shapes")
    };
    let build = |builder: SceneBuilder<'_>| Arc::new(builder.build().expect("a scene"));
    let leaf = build(kinds());
    let middle = build(SceneBuilder::new().instance(&leaf, at(0.0)).instance(&leaf, at(5.0)));
    let outer = build(
        kinds().instance(&middle, at(1.0)).instance(&leaf, at(2.0)).instance(&middle, at(9.0)),
    );
    let path = folder.path("kinds.scene");
    outer.save(&path).expect("written");
    let report = json_of(lanecast().arg("info").arg(&path).arg("--json"));
    let fields =
        ["triangles", "boxes", "oriented_boxes", "spheres", "instances", "placed_scenes", "depth"];
    assert_eq!(
        fields.map(|field| report[field].as_u64()),
        [0, 3, 2, 1, 3, 2, 2].map(Some),
        "{report}"
    );
    let words = output_of(lanecast().arg("info").arg(&path));
    let table: Vec<Vec<&str>> =
        words.lines().map(|line| line.split("  ").map(str::trim).collect()).collect();
    for (what, value) in [
        ("boxes", "3"),
        ("oriented boxes", "2"),
        ("spheres", "1"),
        ("instances", "3"),
        ("placed scenes", "2, up to 2 deep"),
    ] {
        assert!(
            table.iter().any(|row| row.first() == Some(&what) && row.last() == Some(&value)),
            "{what}: {words}"
        );
    }
}

#[test]
fn vertices_that_no_face_names_may_be_anything_and_are_told_of() {
    let folder = Folder::new();
    let said = "1 vertex that no face names put at 0: not finite, or too large";
    let mesh = folder
        .file("m.off", CUBE.replace("8 12 0", "9 12 0").replace("0 1 1\n", "0 1 1\nnan 0 0\n"));
    let output =
        lanecast().arg("info").arg(&mesh).arg("--json").assert().success().get_output().clone();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["remarks"], serde_json::json!([said]));
    assert_eq!(
        (&report["closed"], &report["bounds"]),
        (&true.into(), &serde_json::json!([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]))
    );
    assert_eq!((&report["duplicate_vertices"], &report["unused_vertices"]), (&0.into(), &1.into()));
    let line = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(line, format!("lanecast: {}: {said}\n", mesh.display()));
    let cloud = folder.file("cloud.obj", "v nan 0 0\nv 1 2 3\n");
    assert_eq!(json_of(lanecast().arg("info").arg(&cloud).arg("--json"))["triangles"], 0);
}

/// A vertex is in the file once for each of its normals, and at the border of two materials in both
/// geometries.
#[test]
fn vertices_that_normals_or_names_split_are_no_faults() {
    let folder = Folder::new();
    let vertices: String = CUBE.lines().skip(2).take(8).map(|line| format!("v {line}\n")).collect();
    let faces: Vec<Vec<u32>> = CUBE
        .lines()
        .skip(10)
        .map(|line| {
            line.split(' ')
                .skip(1)
                .map(|vertex| vertex.parse::<u32>().expect("a number") + 1)
                .collect()
        })
        .collect();
    let mut text = vertices;
    for (side, two) in faces.chunks(2).enumerate() {
        text += &format!("vn {side} 0 1\nusemtl {}\n", side / 3);
        for face in two {
            text += &format!("f {0}//-1 {1}//-1 {2}//-1\n", face[0], face[1], face[2]);
        }
    }
    let mesh = folder.file("cube.obj", &text);
    let report = json_of(lanecast().arg("info").arg(&mesh).arg("--json"));
    assert_eq!((&report["closed"], &report["findings"]), (&true.into(), &serde_json::json!([])));
    assert_eq!((&report["vertices"], &report["duplicate_vertices"]), (&24.into(), &0.into()));
    let names: Vec<_> =
        report["geometries"].as_array().expect("a list").iter().map(|part| &part["name"]).collect();
    assert_eq!(names, ["0", "1"]);
    // The same with a true duplicate.
    let mesh = folder
        .file("cube.obj", text.replacen("f 1//", "f 9//", 1).replace("vn 0", "v 0 0 0\nvn 0"));
    let report = json_of(lanecast().arg("info").arg(&mesh).arg("--json"));
    assert_eq!((&report["duplicate_vertices"], &report["closed"]), (&1.into(), &true.into()));
    assert!(report["boundary_edges_by_index"].as_u64() > Some(0));
}

/// A mesh is closed in the report where queries of what is inside take it, and nowhere else.
#[test]
fn closed_is_what_queries_of_the_inside_take() {
    let folder = Folder::new();
    let points = folder.file("points.csv", "x,y,z\n0.25,0.5,0.5\n");
    let mesh = |faces: &str| {
        format!("OFF 4 {} 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n{faces}", faces.lines().count())
    };
    let flat = "flat: it is closed around no volume";
    for (faces, is_closed, finding) in [
        ("3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n", true, ""),
        // One side is inside out.
        ("3 0 1 2\n3 0 1 3\n3 1 2 3\n3 0 3 2\n", false, "3 misoriented edges"),
        ("3 0 2 1\n3 0 1 3\n3 1 2 3\n", false, "3 boundary edges"),
        // The same triangle twice, and from both sides.
        ("3 0 1 2\n3 0 1 2\n", false, "3 misoriented edges"),
        ("3 0 1 2\n3 0 2 1\n", true, flat),
        ("3 0 1 2\n3 0 2 1\n3 0 1 2\n3 0 2 1\n", true, flat),
        ("3 0 1 2\n3 0 2 1\n3 0 1 2\n", false, "3 misoriented edges"),
        ("3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n3 1 1 2\n", true, "1 degenerate triangle"),
    ] {
        let path = folder.file("mesh.off", mesh(faces));
        let report = json_of(lanecast().arg("info").arg(&path).arg("--json"));
        assert_eq!(
            (&report["closed"], report["volume"].is_null()),
            (&is_closed.into(), !is_closed),
            "{faces}"
        );
        let found = report["findings"].to_string();
        assert!(found.contains(finding) && (!finding.is_empty() || found == "[]"), "{found}");
        let mut inside = lanecast();
        inside.arg("points").arg(&path).arg(&points).args(["-o", "-", "--query", "inside"]);
        assert_eq!(inside.output().expect("a run").status.success(), is_closed, "{faces}");
    }
}
