//! Names of objects, nodes and solids, and numbers of faces, from mesh files to answers, through
//! scene files or not.

use crate::folder::Folder;
use crate::instances::{PLACED, cubes};
use crate::pattern::assert_reads;
use crate::support::{column, fields, points, rays};
use serde_json::json;
use std::collections::BTreeSet;

/// Two quads, the second of an object with a group and a name that needs quotes, and a triangle.
const OBJ: &str = "o floor\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n\
    o wall, \"left\"\ng top\nv 2 0 0\nv 3 0 0\nv 3 1 0\nv 2 1 0\nf 5 6 7 8\nf 8 7 6 5\n";
const WALL: &str = r#"2,"wall, ""left""/top","#;

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 7\nproperty float x\nproperty float y\nproperty float z\n\
    element face 2\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 0\n3 0 0\n3 1 0\n4 0 1 2 3\n3 4 5 6\n";

const STL: &str = "solid lid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\nendsolid lid\n\
    solid\nfacet normal 0 0 1\nouter loop\nvertex 2 0 0\nvertex 3 0 0\nvertex 3 1 0\nendloop\nendfacet\nendsolid\n";

/// A mesh, and rays down at two triangles of each of two quads, and past them.
fn inputs(name: &str, text: &str) -> Folder {
    let folder = Folder::new();
    folder.file(name, text);
    let down =
        "0.75,0.25,5,0,0,-1 0.25,0.75,5,0,0,-1 2.75,0.25,5,0,0,-1 2.25,0.75,5,0,0,-1 9,0,5,0,0,-1";
    folder.file("rays.csv", rays(down));
    folder
}

/// The last columns, from `first` on, of all rows but the header.
fn last_columns(table: &str, first: &str) -> Vec<String> {
    let (head, rows) = table.split_once('\n').expect("a header");
    let place = head.split(',').position(|name| name == first).expect("a column");
    rows.lines()
        .map(|line| line.splitn(place + 1, ',').last().expect("columns").to_owned())
        .collect()
}

/// Closest hits are the same through a scene file and one that was built of that.
#[test]
fn what_a_file_names_is_told_of_closest_hits() {
    for (name, text, expected) in [
        ("room.obj", OBJ, ["0,floor,", "1,floor,", WALL, WALL, "-1,,"]),
        ("sheet.ply", PLY, ["0,sheet,", "0,sheet,", "1,sheet,", "-1,,", "-1,,"]),
        ("parts.stl", STL, ["0,lid,", "-1,,", "0,parts,", "-1,,", "-1,,"]),
    ] {
        let folder = inputs(name, text);
        folder.output(&format!("build {name} -o one.scene"));
        folder.output("build one.scene -o two.scene");
        for mesh in [name, "one.scene", "two.scene"] {
            let hits = folder.output(&format!("cast {mesh} rays.csv -o - --faces --names"));
            assert_eq!(last_columns(&hits, "face_id"), expected, "{mesh} of {name}");
        }
        for format in ["parquet", "arrows"] {
            let [hits, of_scene] = [name, "one.scene"].map(|mesh| {
                let options = "--faces --names --query all --force -o hits --format";
                folder.output(&format!("cast {mesh} rays.csv {options} {format}"));
                folder.bytes("hits")
            });
            assert!(hits == of_scene, "{name} {format}");
        }
    }
    // Each part of a file is a geometry. Only one of both, and in all hits, of which there is no row for what is missed.
    let folder = inputs("room.obj", OBJ);
    let cast = |more: &str| folder.output(&format!("cast room.obj rays.csv -o - {more}"));
    assert_eq!(column(&cast(""), "geometry_id"), ["0", "0", "1", "1", "-1"]);
    assert_eq!(last_columns(&cast("--names"), "geometry_name")[2], WALL[2..]);
    assert_eq!(last_columns(&cast("--faces"), "face_id"), ["0", "1", "2", "2", "-1"]);
    let all = cast("--faces --query all --touched");
    assert_eq!(last_columns(&all, "face_id"), ["0", "1", "2", "3", "3", "2", "3", "3"]);
    assert_reads(&cast(""), "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v\n…");
}

#[test]
fn nodes_of_gltf_name_geometries_and_instances() {
    let folder = Folder::new();
    cubes(&folder, "cubes.gltf", &PLACED);
    folder.output("build cubes.gltf -o cubes.scene");
    folder.file("rays.csv", rays("0.5,0.25,5,0,0,-1 10.5,0.25,5,0,0,-1 40.5,0.25,5,0,0,-1"));
    for mesh in ["cubes.gltf", "cubes.scene"] {
        let hits = folder.output(&format!("cast {mesh} rays.csv -o - --names"));
        assert_eq!(last_columns(&hits, "geometry_name"), ["cube,first", "cube,", "cube,"]);
        let report = folder.json(&format!("info {mesh}"));
        let names = fields(&report, "instance_names geometries.0.name");
        assert_eq!(names, json!([{ "0": "first" }, "cube"]), "{report}");
        assert_reads(&folder.output(&format!("info {mesh}")), "…0 first…");
    }
}

#[test]
fn points_scans_and_lines_of_sight_have_labels_too() {
    let folder = inputs("room.obj", OBJ);
    folder.output("build room.obj -o room.scene");
    folder.file("near.csv", points("0.75,0.25,1 2.25,0.75,1 nan,0,0"));
    folder.file("masts.csv", points("0.5,0.25,5"));
    folder.file("farms.csv", points("0.5,0.25,-5 0.5,0.5,4 2.75,0.25,-1"));
    for mesh in ["room.obj", "room.scene"] {
        let faces = |line: &str| {
            let line = line.replace("MESH", mesh) + " -o - --faces --names";
            last_columns(&folder.output(&line), "face_id")
        };
        assert_eq!(faces("points MESH near.csv"), ["0,floor,", WALL, "-1,,"]);
        assert_eq!(faces("sight MESH masts.csv farms.csv"), ["0,floor,", "-1,,", WALL]);
        let scan: BTreeSet<_> = faces("lidar MESH --at 1.5,0.5,0.1 --misses").into_iter().collect();
        assert!(scan.iter().eq(["-1,,", "0,floor,", "1,floor,", WALL]), "{scan:?}");
    }
    let names = fields(&folder.json("info room.scene"), "geometries.0.name geometries.1.name");
    assert_eq!(names, json!(["floor", "wall, \"left\"/top"]));
}

#[test]
fn names_that_cannot_be_written_are_refused() {
    let folder = inputs("room.obj", OBJ);
    let text = "column \"geometry_name\" is text, which npz and files of points do not hold";
    folder.refuses([
        ("cast room.obj rays.csv -o hits.npz --names", format!("hits.npz: {text}")),
        ("lidar room.obj --at 0,0,1 -o scan.ply --names", format!("scan.ply: {text}")),
        ("lidar room.obj --at 0,0,1 -o scan.las --names", format!("scan.las: {text}")),
    ]);
    // Numbers of faces are no text.
    folder.output("cast room.obj rays.csv -o hits.npz --faces");
    assert_eq!(folder.names(), ["hits.npz", "rays.csv", "room.obj"]);
}
