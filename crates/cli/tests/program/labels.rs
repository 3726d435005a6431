//! Names of objects, nodes and solids, and numbers of faces, from mesh files to answers, through
//! scene files or not.

use crate::folder::Folder;
use crate::instances::{PLACED, cubes};
use crate::support::{error_line, json_of, lanecast, output_of};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Two quads, the second of an object with a group and a name that needs quotes, and a triangle.
const OBJ: &str = "o floor\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n\
    o wall, \"left\"\ng top\nv 2 0 0\nv 3 0 0\nv 3 1 0\nv 2 1 0\nf 5 6 7 8\nf 8 7 6 5\n";

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 7\nproperty float x\nproperty float y\nproperty float z\n\
    element face 2\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 0\n3 0 0\n3 1 0\n4 0 1 2 3\n3 4 5 6\n";

const STL: &str = "solid lid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\nendsolid lid\n\
    solid\nfacet normal 0 0 1\nouter loop\nvertex 2 0 0\nvertex 3 0 0\nvertex 3 1 0\nendloop\nendfacet\nendsolid\n";

/// Down at two triangles of each of two quads, and past them.
const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0.75,0.25,5,0,0,-1\n0.25,0.75,5,0,0,-1\n2.75,0.25,5,0,0,-1\n\
    2.25,0.75,5,0,0,-1\n9,0,5,0,0,-1\n";

fn cast(mesh: &Path, more: &[&str]) -> String {
    let mut command = lanecast();
    output_of(command.arg("cast").arg(mesh).args(["-", "-o", "-"]).args(more).write_stdin(RAYS))
}

/// The last columns, from `first` on, of all rows but the header.
fn last_columns(table: &str, first: &str) -> Vec<String> {
    let (head, rows) = table.split_once('\n').expect("a header");
    let place = head.split(',').position(|name| name == first).expect("a column");
    rows.lines()
        .map(|line| line.splitn(place + 1, ',').last().expect("columns").to_owned())
        .collect()
}

fn built(folder: &Folder, mesh: &Path) -> PathBuf {
    let scene = folder.path(&format!("{}.scene", mesh.file_name().expect("a name").display()));
    lanecast().arg("build").arg(mesh).arg("-o").arg(&scene).assert().success();
    scene
}

/// The labels of closest hits, the same through a scene file and one that was built of that.
fn labels(folder: &Folder, mesh: &Path) -> Vec<String> {
    let scene = built(folder, mesh);
    let again = built(folder, &scene);
    let told = |mesh: &Path| cast(mesh, &["--faces", "--names"]);
    let found = told(mesh);
    assert_eq!(told(&scene), found);
    assert_eq!(told(&again), found);
    for format in ["parquet", "arrows"] {
        let file = |mesh: &Path| {
            let path = folder.path("hits");
            let mut command = lanecast();
            command
                .arg("cast")
                .arg(mesh)
                .args(["-", "--faces", "--names", "--query", "all", "--force"]);
            command
                .args(["--format", format, "-o"])
                .arg(&path)
                .write_stdin(RAYS)
                .assert()
                .success();
            std::fs::read(path).expect("hits")
        };
        assert!(file(mesh) == file(&scene), "{format}");
    }
    last_columns(&found, "face_id")
}

#[test]
fn obj_objects_name_their_hits_and_polygons_keep_their_numbers() {
    let folder = Folder::new();
    let obj = folder.file("room.obj", OBJ);
    let wall = r#""wall, ""left""/top""#;
    let [second, none] = [format!("2,{wall},"), "-1,,".to_owned()];
    assert_eq!(labels(&folder, &obj), ["0,floor,", "1,floor,", &second, &second, &none]);
    // Only one of both, and in all hits, of which there is no row for what is missed.
    assert_eq!(last_columns(&cast(&obj, &["--names"]), "geometry_name")[2], format!("{wall},"));
    assert_eq!(last_columns(&cast(&obj, &["--faces"]), "face_id"), ["0", "1", "2", "2", "-1"]);
    let all = cast(&obj, &["--faces", "--query", "all", "--touched"]);
    assert_eq!(last_columns(&all, "face_id"), ["0", "1", "2", "3", "3", "2", "3", "3"]);
    assert!(
        cast(&obj, &[]).starts_with("ray_id,status,t,primitive_id,geometry_id,instance_id,u,v\n")
    );
}

#[test]
fn faces_of_ply_and_solids_of_stl_are_told() {
    let folder = Folder::new();
    let ply = folder.file("sheet.ply", PLY);
    assert_eq!(labels(&folder, &ply), ["0,sheet,", "0,sheet,", "1,sheet,", "-1,,", "-1,,"]);
    let stl = folder.file("parts.stl", STL);
    assert_eq!(labels(&folder, &stl), ["0,lid,", "-1,,", "0,parts,", "-1,,", "-1,,"]);
}

#[test]
fn nodes_of_gltf_name_geometries_and_instances() {
    let folder = Folder::new();
    let gltf = cubes(&folder, "cubes.gltf", &PLACED);
    let rays = "ox,oy,oz,dx,dy,dz\n0.5,0.25,5,0,0,-1\n10.5,0.25,5,0,0,-1\n40.5,0.25,5,0,0,-1\n";
    for mesh in [&gltf, &built(&folder, &gltf)] {
        let mut command = lanecast();
        let hits =
            command.arg("cast").arg(mesh).args(["-", "-o", "-", "--names"]).write_stdin(rays);
        assert_eq!(
            last_columns(&output_of(hits), "geometry_name"),
            ["cube,first", "cube,", "cube,"]
        );
        let report = json_of(lanecast().args(["info", "--json"]).arg(mesh));
        assert_eq!(report["instance_names"], serde_json::json!({ "0": "first" }), "{report}");
        assert_eq!(report["geometries"][0]["name"], "cube");
        assert!(output_of(lanecast().arg("info").arg(mesh)).contains("0 first"));
    }
}

#[test]
fn points_scans_and_lines_of_sight_have_labels_too() {
    let folder = Folder::new();
    let obj = folder.file("room.obj", OBJ);
    let scene = built(&folder, &obj);
    let masts = folder.file("masts.csv", "x,y,z\n0.5,0.25,5\n");
    let farms = folder.file("farms.csv", "x,y,z\n0.5,0.25,-5\n0.5,0.5,4\n2.75,0.25,-1\n");
    for mesh in [&obj, &scene] {
        let labels = ["-o", "-", "--faces", "--names"];
        let mut command = lanecast();
        let near = output_of(
            command
                .arg("points")
                .arg(mesh)
                .args(labels)
                .arg("-")
                .write_stdin("x,y,z\n0.75,0.25,1\n2.25,0.75,1\nnan,0,0\n"),
        );
        let wall = r#"2,"wall, ""left""/top","#;
        assert_eq!(last_columns(&near, "face_id"), ["0,floor,", wall, "-1,,"]);
        let mut command = lanecast();
        command.arg("sight").arg(mesh).arg(&masts).arg(&farms).args(labels);
        assert_eq!(last_columns(&output_of(&mut command), "face_id"), ["0,floor,", "-1,,", wall]);
        let mut command = lanecast();
        command.arg("lidar").arg(mesh).args(["--at", "1.5,0.5,0.1", "--misses"]).args(labels);
        let scan: BTreeSet<_> =
            last_columns(&output_of(&mut command), "face_id").into_iter().collect();
        let expected = ["-1,,", "0,floor,", "1,floor,", wall].map(str::to_owned);
        assert_eq!(scan, BTreeSet::from(expected));
    }
    let report = json_of(lanecast().args(["info", "--json"]).arg(&scene));
    let names: Vec<_> = (0..2).map(|id| report["geometries"][id]["name"].clone()).collect();
    assert_eq!(names, ["floor", "wall, \"left\"/top"]);
}

#[test]
fn labels_that_cannot_be_written_are_refused() {
    let folder = Folder::new();
    let obj = folder.file("room.obj", OBJ);
    folder.file("rays.csv", RAYS);
    let refused = |line: &str| {
        let mut command = lanecast();
        command.current_dir(folder.path("")).args(line.split(' '));
        error_line(&mut command)
    };
    assert_eq!(
        refused("cast room.obj rays.csv -o hits.npz --names"),
        "hits.npz: column \"geometry_name\" is text, which npz and ply do not hold"
    );
    assert_eq!(
        refused("lidar room.obj --at 0,0,1 -o scan.ply --names"),
        "scan.ply: column \"geometry_name\" is text, which npz and ply do not hold"
    );
    assert_eq!(
        refused("lidar room.obj --at 0,0,1 -o scan.las --faces"),
        "--faces: only formats with columns can have faces"
    );
    assert_eq!(
        refused("cast room.obj rays.csv -o hits.csv --query any --names"),
        "--names: only --query closest and --query all can have names"
    );
    assert_eq!(
        refused("sight room.obj rays.csv rays.csv -o sight.npy --names"),
        "--names: only formats with rows can have names"
    );
    // Numbers of faces are no text.
    let mut command = lanecast();
    command
        .current_dir(folder.path(""))
        .args(["cast", "room.obj", "rays.csv", "-o", "hits.npz", "--faces"]);
    command.assert().success();
    assert!(obj.exists() && folder.path("hits.npz").exists());
}
