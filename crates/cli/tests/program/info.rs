//! `lanecast info`: what is said of sound and unsound meshes.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{CUBE, EMPTY, fields, points};
use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, Affine, Scene, SceneBuilder};
use serde_json::json;
use std::sync::Arc;

#[test]
fn the_shipped_solid_is_closed_and_sound() {
    let report = Folder::new().json("info data/gyroid.ply");
    let names = "vertices triangles closed components findings";
    assert_eq!(fields(&report, names), json!([23_866, 47_808, true, 3, []]));
    for (name, expected) in [("volume", 80_114.0), ("surface_area", 34_300.0)] {
        assert!((report[name].as_f64().expect("a number") - expected).abs() < 1.0, "{report}");
    }
    let tree = &report["tree"];
    assert!(tree["nodes"].as_u64() > Some(0) && tree["sah_cost"].as_f64() > Some(1.0));
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
    folder.file("broken.off", text);
    let words = folder.output("info broken.off");
    for finding in [
        "3 boundary edges: ",
        "3 misoriented edges: ",
        "1 degenerate triangle: ",
        "1 duplicate vertex: ",
        "closed        no",
    ] {
        assert!(words.contains(finding), "{finding}: {words}");
    }
    folder.file("empty.off", EMPTY);
    assert_reads(&folder.output("info empty.off"), "…no triangles: every ray misses…");
    assert!(folder.json("info empty.off")["bounds"].is_null());
}

/// An L, of which a fan covers the notch as well, and an hourglass.
#[test]
fn self_crossing_faces_are_counted_and_concave_ones_are_not() {
    let folder = Folder::new();
    let l = "v 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 0\nf 1 2 3 4 5 6\n";
    folder.file("l.obj", l);
    let names = "surface_area self_crossing_faces triangles";
    assert_eq!(fields(&folder.json("info l.obj"), names), json!([5.0, 0, 4]));
    folder.file("hourglass.obj", format!("{l}f 1 3 2 4 5\nf 6 2 1 4 5\n"));
    assert_eq!(folder.json("info hourglass.obj")["self_crossing_faces"], 2);
    assert_reads(&folder.output("info hourglass.obj"), "…2 self-crossing faces: …");
}

#[test]
fn extreme_sizes_are_no_trouble() {
    let folder = Folder::new();
    let (head, faces) = CUBE.split_at(CUBE.find("3 0 2 1").expect("faces"));
    let (counts, vertices) = head.split_at("OFF\n8 12 0\n".len());
    for size in ["1e30", "1e-30", "1e-44"] {
        folder.file("extreme.off", [counts, &vertices.replace('1', size), faces].concat());
        assert_eq!(folder.json("info extreme.off")["closed"], true);
        folder.output("render extreme.off -fo p.png --size 16x16");
    }
}

/// All who answer by rounded coordinates say so; `info` does once. Who need not round says nothing.
#[test]
fn survey_coordinates_that_f32_cannot_tell_apart_are_reported() {
    let folder = Folder::new();
    let [x, far] = [500_000.1, 500_300.1];
    let square = format!("v {x} 4000000.1 0\nv {far} 4000000.1 0\nv {x} 4000300.1 0\nf 1 2 3\n");
    folder.file("far.obj", square);
    folder.file("near.obj", "v 0 0 0\nv 300 0 0\nv 0 300 0\nf 1 2 3\n");
    folder.file("points.csv", points("500000,4000000,9"));
    let words = folder.output("info far.obj");
    assert_reads(&words, "…f32 would be in steps of 0.25, 1/1200 of the mesh's size…");
    let words = folder.output("info far.obj --precision f32");
    assert_reads(&words, "…coordinates in steps of 0.25, 1/1200 of the mesh's size…");
    assert!(!folder.output("info near.obj").contains("in steps of"));
    for line in [
        "lidar MESH --at 500000,4000000,9 --steps 4 -fo answers.csv",
        "render MESH --size 8x8 -fo answers.png",
        "points MESH points.csv -fo answers.csv",
        "sight MESH points.csv points.csv -fo answers.csv",
        "build MESH -fo answers.scene",
    ] {
        let said = |mesh: &str| folder.said(&line.replace("MESH", mesh));
        let coarse = said("far.obj --precision f32");
        assert_reads(&coarse, "…far.obj: coordinates are rounded to f32, in steps of 0.25…");
        for mesh in ["near.obj --precision f32", "far.obj"] {
            assert!(!said(mesh).contains("rounded"), "{line} {mesh}");
        }
    }
    let ball = SceneBuilder::new().spheres(&[Sphere::new([4e6, 0.0, 0.0], 10.0)]);
    let ball = ball.and_then(SceneBuilder::build).expect("a scene");
    ball.save(folder.path("far.scene")).expect("written");
    assert_reads(&folder.output("info far.scene"), "…coordinates in steps of 0.25…");
}

/// A scene file of two balls, one of which is placed once more, beside triangles if there are to be
/// any.
fn balls(folder: &Folder, triangles: &[[u32; 3]]) {
    let ball = |x| Sphere::new([x, 0.0, 0.0], 1.0);
    let placed = SceneBuilder::new().spheres(&[ball(0.0)]).and_then(SceneBuilder::build);
    let placed = Arc::new(placed.expect("a scene"));
    let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let scene: Scene = SceneBuilder::new()
        .spheres(&[ball(0.0), ball(4.0)])
        .and_then(|builder| builder.triangle_mesh(&vertices, triangles))
        .and_then(|builder| builder.instance(&placed, Affine::translation([0.0, 7.0, 0.0])).build())
        .expect("a scene");
    scene.save(folder.path("balls.scene")).expect("written");
}

#[test]
fn of_spheres_and_instances_there_is_nothing_of_surfaces() {
    let folder = Folder::new();
    balls(&folder, &[]);
    let words = folder.output("info balls.scene");
    let row = |what: &str| {
        let line = words.lines().find(|line| line.starts_with(what));
        line.map(|line| line[what.len()..].trim())
    };
    for (what, pattern) in [
        ("triangles", "0"),
        ("spheres", "2"),
        ("instances", "1"),
        ("placed scenes", "1, up to 1 deep"),
        ("bounds", "-1, -1, -1  to  5, 8…"),
        ("file", "…kB, all trees in it"),
    ] {
        assert_reads(row(what).unwrap_or_default(), pattern);
    }
    let unsaid = [
        "boxes",
        "oriented boxes",
        "closed",
        "surface area",
        "volume",
        "memory",
        "SAH cost",
        "fill",
    ];
    assert_eq!(unsaid.map(row), [None; 8], "{words}");
    assert!(!words.contains("Nothing is wrong"), "{words}");
    assert_reads(&words, "…no triangles of its own…");
    let length = folder.bytes("balls.scene").len();
    assert_eq!(folder.json("info balls.scene")["file_bytes"], length);

    // What is said of triangles is said of those beside them.
    balls(&folder, &[[0, 1, 2]]);
    let words = folder.output("info balls.scene");
    assert_reads(&words, "…closed         no…What is wrong with this scene…");
    balls(&folder, &[[0, 1, 2], [0, 2, 1]]);
    let mesh = folder.json("info balls.scene");
    assert_eq!(mesh["closed"], true, "{mesh}");
    assert_eq!(mesh["bounds"][1][1].as_f64().map(f64::round), Some(8.0), "{mesh}");
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
    outer.save(folder.path("kinds.scene")).expect("written");
    let report = folder.json("info kinds.scene");
    let names = "triangles boxes oriented_boxes spheres instances placed_scenes depth";
    assert_eq!(fields(&report, names), json!([0, 3, 2, 1, 3, 2, 2]), "{report}");
    let words = folder.output("info kinds.scene");
    let rows: Vec<String> =
        words.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in
        ["boxes 3", "oriented boxes 2", "spheres 1", "instances 3", "placed scenes 2, up to 2 deep"]
    {
        assert!(rows.iter().any(|found| found == row), "{row}: {words}");
    }
}

#[test]
fn vertices_that_no_face_names_may_be_anything_and_are_told_of() {
    let folder = Folder::new();
    let said = "1 vertex that no face names put at 0: not finite, or too large";
    let text = CUBE.replace("8 12 0", "9 12 0").replace("0 1 1\n", "0 1 1\nnan 0 0\n");
    folder.file("m.off", text);
    let report = folder.json("info m.off");
    let names = "remarks closed bounds duplicate_vertices unused_vertices";
    let bounds = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]];
    assert_eq!(fields(&report, names), json!([[said], true, bounds, 0, 1]));
    assert_eq!(folder.said("info m.off --json"), format!("lanecast: m.off: {said}\n"));
    folder.file("cloud.obj", "v nan 0 0\nv 1 2 3\n");
    assert_eq!(folder.json("info cloud.obj")["triangles"], 0);
}

/// A vertex is in the file once for each of its normals, and at the border of two materials in both
/// geometries.
#[test]
fn vertices_that_normals_or_names_split_are_no_faults() {
    let folder = Folder::new();
    let mut text: String = CUBE.lines().skip(2).take(8).map(|line| format!("v {line}\n")).collect();
    let corner = |vertex: &str| vertex.parse::<u32>().expect("a number") + 1;
    let faces: Vec<Vec<u32>> =
        CUBE.lines().skip(10).map(|line| line.split(' ').skip(1).map(corner).collect()).collect();
    for (side, two) in faces.chunks(2).enumerate() {
        text += &format!("vn {side} 0 1\nusemtl {}\n", side / 3);
        for face in two {
            text += &format!("f {0}//-1 {1}//-1 {2}//-1\n", face[0], face[1], face[2]);
        }
    }
    folder.file("cube.obj", &text);
    let report = folder.json("info cube.obj");
    let names = "closed findings vertices duplicate_vertices geometries.0.name geometries.1.name";
    assert_eq!(fields(&report, names), json!([true, [], 24, 0, "0", "1"]));
    assert_eq!(report["geometries"].as_array().map(Vec::len), Some(2));
    // The same with a true duplicate.
    let text = text.replacen("f 1//", "f 9//", 1).replace("vn 0", "v 0 0 0\nvn 0");
    folder.file("cube.obj", text);
    let report = folder.json("info cube.obj");
    assert_eq!(fields(&report, "duplicate_vertices closed"), json!([1, true]));
    assert!(report["boundary_edges_by_index"].as_u64() > Some(0));
}

/// A mesh is closed in the report where queries of what is inside take it, and nowhere else.
#[test]
fn closed_is_what_queries_of_the_inside_take() {
    let folder = Folder::new();
    folder.file("points.csv", points("0.25,0.5,0.5"));
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
        let count = faces.lines().count();
        folder.file("m.off", format!("OFF 4 {count} 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n{faces}"));
        let report = folder.json("info m.off");
        assert_eq!(report["closed"], is_closed, "{faces}");
        assert_eq!(report["volume"].is_null(), !is_closed, "{faces}");
        let found = report["findings"].to_string();
        assert!(found.contains(finding) && (!finding.is_empty() || found == "[]"), "{found}");
        let mut inside = folder.run("points m.off points.csv -o - --query inside");
        assert_eq!(inside.output().expect("a run").status.success(), is_closed, "{faces}");
    }
}
