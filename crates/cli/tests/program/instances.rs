//! Meshes that a glTF file places more than once.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{CUBE, column, fields, rays};
use lanecast::{Affine, Scene, SceneBuilder};
use serde_json::{Value, json};
use std::sync::Arc;

/// The unit cube, in these nodes.
pub(crate) fn cubes(folder: &Folder, name: &str, nodes: &[&str]) {
    let numbers = |line: &str| {
        line.split(' ').map(|x| x.parse::<f32>().expect("a number")).collect::<Vec<_>>()
    };
    let lines: Vec<_> = CUBE.lines().skip(2).map(numbers).collect();
    let (vertices, faces) = lines.split_at(8);
    let mut bytes: Vec<u8> = vertices.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let corners = faces.iter().flat_map(|face| face[1..].iter());
    bytes.extend(corners.flat_map(|x| (*x as u16).to_le_bytes()));
    folder.file("cube.bin", &bytes);
    let roots: Vec<String> = (0..nodes.len()).map(|node| node.to_string()).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{}]}}],"nodes":[{}],
        "meshes":[{{"name":"cube","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[
            {{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
            {{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":72}}],
        "buffers":[{{"byteLength":168,"uri":"cube.bin"}}]}}"#,
        roots.join(","),
        nodes.join(","),
    );
    folder.file(name, json);
}

pub(crate) const PLACED: [&str; 5] = [
    r#"{"mesh":0,"name":"first"}"#,
    r#"{"mesh":0,"translation":[10,0,0],"scale":[2,2,2]}"#,
    // Mirrored, which takes the cube to negative x.
    r#"{"mesh":0,"translation":[21,0,0],"scale":[-1,1,1]}"#,
    r#"{"mesh":0,"translation":[31,0,0],"scale":[-1,1,1]}"#,
    // Flat, which no instance can be.
    r#"{"mesh":0,"translation":[40,0,0],"scale":[1,1,0]}"#,
];

/// A folder with these cubes as `cubes.gltf` and as `cubes.scene`.
fn placed() -> Folder {
    let folder = Folder::with_cube();
    cubes(&folder, "cubes.gltf", &PLACED);
    folder.output("build cubes.gltf -o cubes.scene");
    folder
}

#[track_caller]
fn assert_near(found: &Value, expected: f64, room: f64) {
    let number = found.as_f64().expect("a number");
    assert!((number - expected).abs() < room * expected.abs().max(1.0), "{number}, {expected}");
}

#[test]
fn a_mesh_that_is_placed_more_than_once_becomes_instances() {
    let folder = placed();
    let report = folder.json("info cubes.gltf");
    // Both ways round, each once, however often it is placed.
    let names = "kind instances placed_scenes depth triangles geometries.0.name";
    assert_eq!(fields(&report, names), json!(["mesh", 4, 2, 1, 12, "cube"]));
    // Those of instances are rounded outward.
    let corners =
        fields(&report, "bounds.0.0 bounds.0.1 bounds.0.2 bounds.1.0 bounds.1.1 bounds.1.2");
    for (found, expected) in
        corners.as_array().expect("six").iter().zip([0.0, 0.0, 0.0, 41.0, 2.0, 2.0])
    {
        assert_near(found, expected, 1e-6);
    }
    // From above and from below at the middle of each cube.
    let above = "0.5,0.25,5,0,0,-1 10.5,0.25,5,0,0,-1 20.5,0.25,5,0,0,-1 30.5,0.25,5,0,0,-1 40.5,0.25,5,0,0,-1";
    let rest = "15,0.25,5,0,0,-1 0.5,0.25,-5,0,0,1 20.5,0.25,-5,0,0,1";
    folder.file("rays.csv", rays(&format!("{above} {rest}")));
    let [hits, of_scene] = ["gltf", "scene"].map(|kind| {
        folder.output(&format!("cast cubes.{kind} rays.csv -o - --normals --culling back"))
    });
    // Fronts face outward, mirrored or not.
    assert_eq!(column(&hits, "t"), ["4.0", "3.0", "4.0", "4.0", "5.0", "inf", "5.0", "5.0"]);
    assert_eq!(column(&hits, "instance_id"), ["0", "1", "2", "3", "-1", "-1", "0", "2"]);
    for name in ["t", "instance_id", "nz"] {
        assert_eq!(column(&of_scene, name), column(&hits, name), "{name}");
    }
    folder.output("verify cubes.gltf --rays 400");
    folder.output("info cubes.gltf --weld 1e-3");
    let report = folder.json("sight cube.off cubes.gltf cubes.gltf -o sight.npy");
    assert_eq!(fields(&report, "observers targets"), json!([40, 40]), "{report}");
}

#[test]
fn a_mesh_that_is_placed_once_is_a_geometry() {
    let folder = Folder::new();
    cubes(&folder, "cube.gltf", &PLACED[1..2]);
    let report = folder.json("info cube.gltf");
    let names = "instances closed geometries.0.vertices";
    assert_eq!(fields(&report, names), json!([0, true, 8]));
    assert_near(&report["volume"], 8.0, 1e-10);
}

/// Numbers, areas and bounds of what is placed, with what stands once, to any depth; also of a
/// scene file.
#[test]
fn info_measures_what_is_placed_where_it_stands() {
    let folder = placed();
    for path in ["cubes.gltf", "cubes.scene"] {
        let report = folder.json(&format!("info {path}"));
        // Four cubes, one of them twice as large, and a square with two sides.
        let names = "placed.triangles placed.surface_area placed.bounds";
        let area = 3.0 * 6.0 + 4.0 * 6.0 + 2.0;
        let bounds = [[0.0, 0.0, 0.0], [41.0, 2.0, 2.0]];
        assert_eq!(fields(&report, names), json!([60, area, bounds]), "{report}");
        let words = folder.output(&format!("info {path}"));
        assert_reads(&words, "…placed         60 triangles, area 44…");
        assert_reads(&words, "…placed bounds  0, 0, 0  to  41, 2, 2…");
    }
    // In a nest, first the inner map and then the outer; upright sides are three times as high.
    cubes(&folder, "two.gltf", &PLACED[..2]);
    folder.output("build two.gltf -o two.scene");
    let inner = Arc::new(Scene::open(folder.path("two.scene")).expect("a scene"));
    let turn =
        Affine::from_rows([[0.6, -0.8, 0.0, 1.0], [0.8, 0.6, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0]]);
    let outer =
        SceneBuilder::new().instance(&inner, turn).instance(&inner, Affine::IDENTITY).build();
    outer.and_then(|outer| outer.save(folder.path("nest.scene"))).expect("written");
    let placed = &folder.json("info nest.scene")["placed"];
    assert_eq!(placed["triangles"], 48);
    assert_near(&placed["surface_area"], 6.0 + 24.0 + 14.0 + 4.0 * 14.0, 1e-9);
    let most = [12.0, 0.8 * 12.0 + 0.6 * 2.0, 6.0];
    for (axis, greatest) in most.into_iter().enumerate() {
        assert_near(&placed["bounds"][0][axis], 0.0, 1e-9);
        assert_near(&placed["bounds"][1][axis], greatest, 1e-9);
    }
    assert!(folder.json("info cube.off")["placed"].is_null());
}
