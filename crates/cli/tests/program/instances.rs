//! Meshes that a glTF file places more than once.

use crate::folder::Folder;
use crate::support::{CUBE, json_of, lanecast, output_of};
use lanecast::{Affine, Scene, SceneBuilder};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The unit cube, in these nodes.
pub(crate) fn cubes(folder: &Folder, name: &str, nodes: &[&str]) -> PathBuf {
    let numbers = |line: &str| {
        line.split(' ').map(|x| x.parse::<f32>().expect("a number")).collect::<Vec<_>>()
    };
    let lines: Vec<_> = CUBE.lines().skip(2).map(numbers).collect();
    let mut bytes: Vec<u8> = lines[..8].iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(
        lines[8..]
            .iter()
            .flat_map(|face| face[1..].to_vec())
            .flat_map(|x| (x as u16).to_le_bytes()),
    );
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
    folder.file(name, json)
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

/// From above and from below at the middle of each cube.
const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0.5,0.25,5,0,0,-1\n10.5,0.25,5,0,0,-1\n20.5,0.25,5,0,0,-1\n\
                    30.5,0.25,5,0,0,-1\n40.5,0.25,5,0,0,-1\n15,0.25,5,0,0,-1\n0.5,0.25,-5,0,0,1\n20.5,0.25,-5,0,0,1\n";

fn columns(mesh: &Path, names: [&str; 3]) -> Vec<[String; 3]> {
    let hits = output_of(
        lanecast()
            .arg("cast")
            .arg(mesh)
            .args(["-", "-o", "-", "--normals", "--culling", "back"])
            .write_stdin(RAYS),
    );
    let mut lines = hits.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().expect("a header");
    let places = names.map(|name| head.iter().position(|column| column == name).expect("a column"));
    lines.map(|line| places.map(|place| line[place].clone())).collect()
}

#[test]
fn a_mesh_that_is_placed_more_than_once_becomes_instances() {
    let folder = Folder::new();
    let mesh = cubes(&folder, "cubes.gltf", &PLACED);
    let report = json_of(lanecast().arg("info").arg(&mesh).arg("--json"));
    assert_eq!((&report["kind"], &report["instances"]), (&"mesh".into(), &4.into()));
    // Both ways round, each once, however often it is placed.
    assert_eq!((&report["placed_scenes"], &report["depth"]), (&2.into(), &1.into()));
    assert_eq!(
        (&report["triangles"], &report["geometries"][0]["name"]),
        (&12.into(), &"cube".into())
    );
    // Those of instances are rounded outward.
    let bounds = report["bounds"]
        .as_array()
        .expect("two corners")
        .iter()
        .flat_map(|x| x.as_array().expect("three"));
    for (found, expected) in bounds.zip([0.0, 0.0, 0.0, 41.0, 2.0, 2.0]) {
        assert!((found.as_f64().expect("a number") - expected).abs() < 1e-5, "{report}");
    }

    let hits = columns(&mesh, ["t", "instance_id", "nz"]);
    let t: Vec<_> = hits.iter().map(|[t, ..]| &t[..]).collect();
    assert_eq!(
        t,
        ["4.0", "3.0", "4.0", "4.0", "5.0", "inf", "5.0", "5.0"],
        "fronts face outward, mirrored or not"
    );
    let instances: Vec<_> = hits.iter().map(|[_, instance, _]| &instance[..]).collect();
    assert_eq!(instances, ["0", "1", "2", "3", "-1", "-1", "0", "2"]);

    // As a scene file too.
    let scene = folder.path("cubes.scene");
    lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene).assert().success();
    assert_eq!(columns(&scene, ["t", "instance_id", "nz"]), hits);
    lanecast().arg("verify").arg(&mesh).args(["--rays", "400"]).assert().success();
    lanecast().arg("info").arg(&mesh).args(["--weld", "1e-3"]).assert().success();
}

#[test]
fn a_mesh_that_is_placed_once_is_a_geometry() {
    let folder = Folder::new();
    let mesh = cubes(&folder, "cube.gltf", &PLACED[1..2]);
    let report = json_of(lanecast().arg("info").arg(&mesh).arg("--json"));
    assert_eq!((&report["instances"], &report["closed"]), (&0.into(), &true.into()));
    assert_eq!(report["geometries"][0]["vertices"], 8);
    assert!((report["volume"].as_f64().expect("a number") - 8.0).abs() < 1e-9, "{report}");
}

#[test]
fn the_vertices_of_instances_are_points_of_sight() {
    let folder = Folder::new();
    let mesh = cubes(&folder, "cubes.gltf", &PLACED);
    let ground = folder.file("ground.off", CUBE);
    let bits = folder.path("sight.npy");
    let report = json_of(
        lanecast().arg("sight").args([&ground, &mesh, &mesh]).arg("-o").arg(&bits).arg("--json"),
    );
    assert_eq!((&report["observers"], &report["targets"]), (&40.into(), &40.into()), "{report}");
}

/// Numbers, areas and bounds of what is placed, with what stands once, to any depth; also of a
/// scene file.
#[test]
fn info_measures_what_is_placed_where_it_stands() {
    let folder = Folder::new();
    let cubes = cubes(&folder, "cubes.gltf", &PLACED);
    let scene = folder.path("cubes.scene");
    lanecast().arg("build").arg(&cubes).arg("-o").arg(&scene).assert().success();
    for path in [&cubes, &scene] {
        let report = json_of(lanecast().arg("info").arg(path).arg("--json"));
        // Four cubes, one of them twice as large, and a square with two sides.
        let placed = &report["placed"];
        assert_eq!(placed["triangles"], 60, "{report}");
        assert_eq!(placed["surface_area"], 3.0 * 6.0 + 4.0 * 6.0 + 2.0);
        assert_eq!(placed["bounds"], serde_json::json!([[0.0, 0.0, 0.0], [41.0, 2.0, 2.0]]));
        let words = output_of(lanecast().arg("info").arg(path));
        for row in ["placed         60 triangles, area 44", "placed bounds  0, 0, 0  to  41, 2, 2"]
        {
            assert!(words.contains(row), "{words}");
        }
    }
    // In a nest, first the inner map and then the outer; upright sides are three times as high.
    let two = folder.path("two.scene");
    let of_two = self::cubes(&folder, "two.gltf", &PLACED[..2]);
    lanecast().arg("build").arg(&of_two).arg("-o").arg(&two).assert().success();
    let inner = Arc::new(Scene::open(&two).expect("a scene"));
    let turn =
        Affine::from_rows([[0.6, -0.8, 0.0, 1.0], [0.8, 0.6, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0]]);
    let outer =
        SceneBuilder::new().instance(&inner, turn).instance(&inner, Affine::IDENTITY).build();
    let nest = folder.path("nest.scene");
    outer.and_then(|outer| outer.save(&nest)).expect("written");
    let report = json_of(lanecast().arg("info").arg(&nest).arg("--json"));
    let placed = &report["placed"];
    assert_eq!(placed["triangles"], 48);
    let is_close = |value: &serde_json::Value, expected: f64| {
        (value.as_f64().expect("a number") - expected).abs() < 1e-9 * expected.abs().max(1.0)
    };
    assert!(is_close(&placed["surface_area"], 6.0 + 24.0 + 14.0 + 4.0 * 14.0), "{report}");
    for (axis, [least, greatest]) in
        [[0.0, 12.0], [0.0, 0.8 * 12.0 + 0.6 * 2.0], [0.0, 6.0]].into_iter().enumerate()
    {
        let [min, max] = [0, 1].map(|end| &placed["bounds"][end][axis]);
        assert!(is_close(min, least) && is_close(max, greatest), "{axis}: {report}");
    }
    let plain = folder.file("cube.off", CUBE);
    assert!(json_of(lanecast().arg("info").arg(&plain).arg("--json"))["placed"].is_null());
}
