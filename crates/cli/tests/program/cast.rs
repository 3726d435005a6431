//! `lanecast cast`: the answers to each query, the same whatever the way.

use crate::folder::Folder;
use crate::support::{CUBE, cast, file, json_of, lanecast, output_of, ray_lines, shipped};
use lanecast::Backend;

#[test]
fn closest_any_count_and_all_agree_on_a_cube() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-2\n3,3,2,0,0,-1\n";
    let closest = cast(&cube, rays, &["--normals"]);
    let lines: Vec<_> = closest.lines().collect();
    assert_eq!(lines[0], "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,nx,ny,nz");
    assert!(lines[1].starts_with("0,hit,0.5,3,0,-1,"), "{closest}");
    assert!(lines[2].starts_with("1,miss,inf,-1,-1,-1,"), "{closest}");
    assert_eq!(
        cast(&cube, rays, &["--query", "any"]),
        "ray_id,status,hit\n0,hit,true\n1,miss,false\n"
    );
    assert_eq!(
        cast(&cube, rays, &["--query", "count"]),
        "ray_id,status,count\n0,hit,2\n1,miss,0\n"
    );
    let all = cast(&cube, rays, &["--query", "all"]);
    let t: Vec<_> =
        all.lines().skip(1).map(|line| line.split(',').nth(1).expect("a column")).collect();
    assert_eq!(t, ["0.5", "1.0"], "{all}");
    assert!(cast(&cube, rays, &["--query", "count", "--culling", "back"]).contains("0,hit,1\n"));
}

#[test]
fn touched_hits_are_left_out_by_default_and_the_limit_holds() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    // Through the diagonals of two faces.
    let rays = "ox,oy,oz,dx,dy,dz\n0.5,0.5,2,0,0,-2\n";
    let ts = |arguments: &[&str]| {
        let hits = cast(&cube, rays, arguments);
        let t = |line: &str| line.split(',').nth(1).expect("a column").to_owned();
        hits.lines().skip(1).map(t).collect::<Vec<_>>()
    };
    assert_eq!(ts(&["--query", "all"]), ["0.5", "1.0"]);
    assert_eq!(ts(&["--query", "all", "--touched"]), ["0.5", "0.5", "1.0", "1.0"]);
    assert_eq!(ts(&["--query", "all", "--touched", "--limit", "3"]), ["0.5", "0.5", "1.0"]);
    assert_eq!(ts(&["--query", "all", "--limit", "1"]), ["0.5"]);
    assert_eq!(cast(&cube, rays, &["--query", "count"]), "ray_id,status,count\n0,hit,2\n");
    assert_eq!(
        cast(&cube, rays, &["--query", "count", "--touched"]),
        "ray_id,status,count\n0,hit,4\n"
    );
}

#[test]
fn a_rim_is_hit_but_crossed_on_one_side_only() {
    let folder = Folder::new();
    let square =
        folder.file("square.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
    // In the middle of each of the four edges.
    let rays =
        "ox,oy,oz,dx,dy,dz\n0.5,0,1,0,0,-1\n0.5,1,1,0,0,-1\n0,0.5,1,0,0,-1\n1,0.5,1,0,0,-1\n";
    let numbers = |query: &[&str]| -> Vec<String> {
        let answers = cast(&square, rays, query);
        answers
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(2).expect("a column").to_owned())
            .collect()
    };
    assert_eq!(numbers(&[]), ["1.0"; 4]);
    assert_eq!(numbers(&["--query", "count", "--touched"]), ["1"; 4]);
    let crossed = numbers(&["--query", "count"]);
    assert!(crossed.contains(&"0".to_owned()) && crossed.contains(&"1".to_owned()), "{crossed:?}");
}

#[test]
fn answer_bytes_do_not_depend_on_backend_or_thread_count() {
    let folder = Folder::new();
    let rays = folder.file("rays.csv", file(&ray_lines(3000)));
    for (query, extension) in
        [("closest", "npz"), ("all", "csv"), ("count", "arrow"), ("any", "parquet")]
    {
        let hits = folder.path(&format!("hits.{extension}"));
        let mut expected = None;
        for backend in Backend::available() {
            for threads in ["1", "2"] {
                let mut command = lanecast();
                command
                    .env("LANECAST_BACKEND", backend.name())
                    .arg("cast")
                    .arg(shipped("gyroid.ply"))
                    .arg(&rays);
                command
                    .arg("-fo")
                    .arg(&hits)
                    .args(["--query", query, "--threads", threads])
                    .assert()
                    .success();
                let bytes = std::fs::read(&hits).expect("hits");
                assert!(
                    *expected.get_or_insert_with(|| bytes.clone()) == bytes,
                    "{query} {backend} {threads}"
                );
            }
        }
    }
}

#[test]
fn the_order_of_rays_changes_nothing_but_the_order_of_answers() {
    let mut lines = ray_lines(3000);
    let in_order = cast(&shipped("gyroid.ply"), &file(&lines), &[]);
    // 1,979 has no factor in common with 3,000.
    lines = (0..lines.len()).map(|index| lines[index * 1979 % lines.len()].clone()).collect();
    let shuffled = cast(&shipped("gyroid.ply"), &file(&lines), &[]);
    let mut rows: Vec<_> = shuffled.lines().skip(1).collect();
    assert_ne!(rows, in_order.lines().skip(1).collect::<Vec<_>>());
    rows.sort_by_key(|row| row.split(',').next().and_then(|id| id.parse::<u64>().ok()));
    assert_eq!(rows, in_order.lines().skip(1).collect::<Vec<_>>());
}

#[test]
fn rays_that_cannot_be_cast_say_why_in_their_row() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = "ox,oy,oz,dx,dy,dz,t_min,t_max\n\
                nan,0,0,0,0,1,0,1\n0,0,0,inf,0,1,0,1\n0,0,0,0,0,0,0,1\n0,0,0,0,0,1,nan,1\n0,0,0,0,0,1,2,1\n\
                0.5,0.25,-1,0,0,1,0,inf\n";
    let hits = cast(&cube, rays, &["--query", "any"]);
    let status: Vec<_> =
        hits.lines().skip(1).map(|line| line.split(',').nth(1).expect("a column")).collect();
    let expected = [
        "invalid_origin",
        "invalid_direction",
        "zero_direction",
        "invalid_interval",
        "empty_interval",
        "hit",
    ];
    assert_eq!(status, expected);

    let summary = json_of(
        lanecast()
            .arg("cast")
            .arg(&cube)
            .args(["-", "--json", "-o"])
            .arg(folder.path("h.csv"))
            .write_stdin(rays),
    );
    assert_eq!(
        (&summary["rays"], &summary["hits"], &summary["misses"]),
        (&6.into(), &1.into(), &0.into())
    );
    assert_eq!(summary["invalid"]["zero_direction"], 1);
}

#[test]
fn many_hits_per_ray_are_answered_in_pieces_without_a_seam() {
    // 300 triangles above each other: the first piece of 4,096 rays has 1.2 million hits, so that
    // the next ones are of different lengths.
    const LAYERS: usize = 300;
    const RAYS: usize = 12_000;
    let folder = Folder::new();
    let vertices = (0..LAYERS).map(|z| format!("0 0 {z}\n1 0 {z}\n0 1 {z}\n")).collect::<String>();
    let faces = (0..LAYERS).map(|layer| 3 * layer).map(|a| format!("3 {a} {} {}\n", a + 1, a + 2));
    let faces = faces.collect::<String>();
    let stack =
        folder.file("stack.off", format!("OFF\n{} {LAYERS} 0\n{vertices}{faces}", 3 * LAYERS));
    // Every fourth ray hits all layers.
    let rays =
        (0..RAYS).map(|ray| format!("{},0.25,-1,0,0,1,{}\n", (ray % 4) as f64 + 0.25, 3 * ray));
    let rays =
        folder.file("rays.csv", format!("ox,oy,oz,dx,dy,dz,ray_id\n{}", rays.collect::<String>()));
    let mut command = lanecast();
    command.arg("cast").args([&stack, &rays]).args(["--query", "all", "--json", "-o"]);
    let summary = json_of(command.arg(folder.path("hits.arrow")));
    assert_eq!((&summary["rays"], &summary["hits"]), (&RAYS.into(), &(RAYS / 4).into()));
    assert_eq!(summary["found"], RAYS / 4 * LAYERS);
    let text =
        output_of(lanecast().arg("cast").args([&stack, &rays]).args(["--query", "all", "-o", "-"]));
    let ids =
        text.lines().skip(1).map(|line| line.split(',').next().and_then(|id| id.parse().ok()));
    let expected = (0..RAYS).step_by(4).flat_map(|ray| std::iter::repeat_n(Some(3 * ray), LAYERS));
    assert!(ids.eq(expected));
}

#[test]
fn several_meshes_of_a_file_are_several_geometries() {
    let folder = Folder::new();
    // One triangle of positions in two meshes, the second moved up by 1.
    let buffer = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    let gltf = folder.file(
        "two.gltf",
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
            "nodes":[{{"mesh":0}},{{"mesh":1,"translation":[0,0,1]}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}},{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],
            "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{buffer}"}}]}}"#
        ),
    );
    let hits = cast(&gltf, "ox,oy,oz,dx,dy,dz\n0.25,0.25,3,0,0,-1\n", &["--query", "all"]);
    let rows: Vec<_> = hits
        .lines()
        .skip(1)
        .map(|line| line.split(',').skip(1).take(3).collect::<Vec<_>>())
        .collect();
    let expected: [Vec<&str>; 2] = [vec!["2.0", "0", "1"], vec!["3.0", "0", "0"]];
    assert_eq!(rows, expected, "{hits}");
}

#[test]
fn costs_are_counted_in_columns() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-2\n3,3,2,0,0,-1\n0,0,0,0,0,0\n";
    let costs = cast(&cube, rays, &["--query", "cost"]);
    let lines: Vec<_> = costs.lines().collect();
    assert_eq!(lines[0], "ray_id,status,nodes,boxes,leaves,triangles,lanes_filled");
    // Twelve triangles lie in two leaves at least, below one node.
    let numbers: Vec<f64> =
        lines[1].split(',').skip(2).map(|number| number.parse().expect("a number")).collect();
    let [nodes, boxes, leaves, triangles, filled] = numbers[..] else { panic!("{costs}") };
    assert!(lines[1].starts_with("0,hit,1,") && boxes >= 2.0 && leaves >= 1.0, "{costs}");
    assert!((filled - (boxes + triangles) / (8.0 * (nodes + leaves))).abs() < 1e-6, "{costs}");
    assert!(lines[2].starts_with("1,miss,1,") && lines[2].contains(",0,0,"), "{costs}");
    assert_eq!(lines[3], "2,zero_direction,0,0,0,0,0.0");
}

#[test]
fn lines_are_met_on_both_sides_of_their_origin() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = "ox,oy,oz,dx,dy,dz,t_min,t_max\n\
                0.25,0.5,0.25,0,0,2,-inf,inf\n0.25,0.5,0.25,0,0,2,0,inf\n0.25,0.5,3,0,0,1,-inf,inf\n3,3,3,0,0,1,-inf,inf\n";
    let hits = cast(&cube, rays, &["--query", "line"]);
    let lines: Vec<_> = hits.lines().collect();
    assert_eq!(
        lines[0],
        "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,behind_t,behind_primitive_id,\
         behind_geometry_id,behind_instance_id,behind_u,behind_v"
    );
    let (ahead, behind) = ("0.375,3,0,-1,", "-0.125,1,0,-1,");
    assert!(lines[1].starts_with(&format!("0,hit,{ahead}")) && lines[1].contains(behind), "{hits}");
    assert!(
        lines[2].starts_with(&format!("1,hit,{ahead}")) && lines[2].contains(",inf,-1,-1,-1,"),
        "{hits}"
    );
    assert!(lines[3].starts_with("2,hit,inf,-1,-1,-1,0.0,0.0,-2.0,3,0,-1,"), "{hits}");
    assert!(lines[4].starts_with("3,miss,inf,-1,-1,-1,0.0,0.0,inf,-1,"), "{hits}");
}

/// A leaf read a list of one ray as a whole vector, past the end of the buffer of all lists.
#[test]
fn a_list_at_the_end_of_its_buffer_is_cast() {
    let folder = Folder::new();
    let (mesh, rays) = (shipped("gyroid.ply"), shipped("regress/stream-list-of-one.npy"));
    for query in ["closest", "any", "count", "line"] {
        let hits = |backend: Backend| {
            let path = folder.path("hits.csv");
            let mut command = lanecast();
            command.arg("cast").args([&mesh, &rays]).arg("-fo").arg(&path).args(["--query", query]);
            command.args(["--backend", &backend.to_string()]).assert().success();
            std::fs::read_to_string(path).expect("the hits")
        };
        let expected = hits(Backend::PORTABLE);
        assert!(expected.matches("hit").count() > 100, "{query}: {expected}");
        for backend in Backend::available() {
            assert_eq!(hits(backend), expected, "{query}, {backend}");
        }
    }
}

/// The notch of an L, which a fan of triangles around its first corner would fill.
#[test]
fn a_ray_through_the_notch_of_a_concave_polygon_misses() {
    let rays = "ox,oy,oz,dx,dy,dz\n1.5,1.5,1,0,0,-1\n2.5,0.5,1,0,0,-1\n0.5,2.5,1,0,0,-1\n0.5,0.5,1,0,0,-1\n";
    for name in ["concave-l.obj", "concave-l.ply"] {
        let mesh = shipped("regress").join(name);
        let hits = cast(&mesh, rays, &["--query", "count"]);
        assert_eq!(hits, "ray_id,status,count\n0,miss,0\n1,hit,1\n2,hit,1\n3,hit,1\n", "{name}");
        assert_eq!(
            json_of(lanecast().arg("info").arg(&mesh).arg("--json"))["surface_area"],
            5.0,
            "{name}"
        );
    }
}
