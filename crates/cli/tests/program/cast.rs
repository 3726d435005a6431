//! `lanecast cast`: the same answers whatever the way, pipes, summaries, bad input.

use crate::folder::Folder;
use crate::support::{
    CUBE, RAY_HEADER, error_line, json_of, lanecast, output_of, ray_lines, shipped,
};
use lanecast::Backend;
use std::path::{Path, PathBuf};

/// Casts the rays in `text` at a mesh and returns the hits as CSV.
fn cast(mesh: &Path, text: &str, arguments: &[&str]) -> String {
    output_of(
        lanecast().arg("cast").arg(mesh).args(["-", "-o", "-"]).args(arguments).write_stdin(text),
    )
}

fn file(lines: &[String]) -> String {
    format!("{RAY_HEADER}{}\n", lines.join("\n"))
}

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

/// The point is on the ray and on the mesh to half a unit of the last place, and the normal has
/// length 1.
#[test]
fn points_and_unit_normals_of_hits_are_written_on_request() {
    let folder = Folder::new();
    // A plane that leans, far from the origin.
    let mesh =
        folder.file("plane.off", "OFF\n3 1 0\n1000 2000 50\n1006 2000 50\n1000 2007 53\n3 0 1 2\n");
    let rays =
        "ox,oy,oz,dx,dy,dz\n1001.1,2001.3,60,0,0,-0.7\n0,0,0,0,0,1\n1001.7,2000.9,60,0.01,0,-3\n";
    let text = cast(&mesh, rays, &["--points", "--normals"]);
    let header = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,x,y,z,nx,ny,nz";
    assert_eq!(text.lines().next(), Some(header));
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    let origins = [[1001.1_f32, 2001.3, 60.0], [1001.7, 2000.9, 60.0]];
    let directions = [[0.0_f32, 0.0, -0.7], [0.01, 0.0, -3.0]];
    for ((row, origin), direction) in [&rows[0], &rows[2]].into_iter().zip(origins).zip(directions)
    {
        for axis in 0..3 {
            let there = f64::from(origin[axis]) + row[2] * f64::from(direction[axis]);
            assert_eq!(row[8 + axis] as f32, there as f32, "{text}");
        }
        let length = 58.0_f64.sqrt();
        let normal = [0.0, -3.0 / length, 7.0 / length].map(|x| x as f32);
        assert_eq!([row[11] as f32, row[12] as f32, row[13] as f32], normal, "{text}");
    }
    assert!(text.lines().nth(2).expect("a miss").ends_with(",NaN,NaN,NaN,NaN,NaN,NaN"), "{text}");
    // `--normals geometric` is the same, `--points` goes with every hit of a ray, and no other
    // query has either.
    assert_eq!(cast(&mesh, rays, &["--points", "--normals", "geometric"]), text);
    let cube = folder.file("cube.off", CUBE);
    let all =
        cast(&cube, "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-2\n", &["--query", "all", "--points"]);
    let expected = "ray_id,t,primitive_id,geometry_id,instance_id,u,v,x,y,z\n\
                    0,0.5,3,0,-1,0.25,0.25,0.25,0.5,1.0\n0,1.0,1,0,-1,0.25,0.25,0.25,0.5,0.0\n";
    assert_eq!(all, expected);
    for query in ["any", "count", "cost", "line"] {
        let rays = folder.file("rays.csv", rays);
        let mut command = lanecast();
        command.arg("cast").args([&cube, &rays]).args(["-o", "-", "--points", "--query", query]);
        let line = "--points: only --query closest and --query all have points";
        assert_eq!(error_line(&mut command), line);
    }
}

/// Weighted by u and v between the normals of vertices, of length 1, whatever length and frame the
/// file has.
#[test]
fn shading_normals_are_interpolated_between_those_of_vertices() {
    let folder = Folder::new();
    // Normals of lengths 2, 1 and 3: up, to the east, to the north.
    let obj = "v 0 0 0\nv 4 0 0\nv 0 4 0\nvn 0 0 2\nvn 1 0 0\nvn 0 3 0\nf 1//1 2//2 3//3\n";
    let mesh = folder.file("mesh.obj", obj);
    let rays = "ox,oy,oz,dx,dy,dz\n1,2,5,0,0,-1\n3,0.5,-5,0,0,1\n9,9,9,0,0,1\n";
    let normals = |mesh: &Path, rays: &str| {
        let text = cast(mesh, rays, &["--normals", "shading"]);
        let values =
            |line: &str| line.split(',').skip(8).map(|x| x.parse().expect("a number")).collect();
        text.lines().skip(1).map(values).collect::<Vec<Vec<f64>>>()
    };
    let unit = |v: [f64; 3]| v.map(|x| x / v.iter().map(|x| x * x).sum::<f64>().sqrt());
    let close = |found: &[f64], expected: [f64; 3]| {
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7)
    };
    let found = normals(&mesh, rays);
    // u and v are quarters of x and y; the side that is hit changes nothing.
    assert!(close(&found[0], unit([0.25, 0.5, 0.25])), "{found:?}");
    assert!(close(&found[1], unit([0.75, 0.125, 0.125])), "{found:?}");
    assert!(found[2].iter().all(|x| x.is_nan()), "{found:?}");

    // Four nodes place the same mesh: two mirror and stretch it, one turns it, one stretches it.
    let numbers = [
        [0.0_f32, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [0.0, 4.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.6, 0.0, 0.8],
        [0.0, 0.6, 0.8],
    ];
    let bytes: Vec<u8> = numbers.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    folder.file("numbers.bin", bytes);
    let accessor = |offset: usize, more: &str| {
        format!(
            r#"{{"bufferView": 0, "byteOffset": {offset}, "componentType": 5126, "count": 3, "type": "VEC3"{more}}}"#
        )
    };
    let gltf = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0, 1, 2, 3]}}],
            "nodes": [{{"mesh": 0, "scale": [-1, 2, 3]}}, {{"mesh": 0, "translation": [20, 0, 0], "rotation": [1, 0, 0, 0]}},
                {{"mesh": 0, "translation": [40, 0, 0], "scale": [1, 2, 3]}},
                {{"mesh": 0, "translation": [-20, 0, 0], "scale": [-1, 2, 3]}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "NORMAL": 1}}}}]}}],
            "buffers": [{{"uri": "numbers.bin", "byteLength": 72}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 72}}],
            "accessors": [{}, {}]}}"#,
        accessor(0, r#", "min": [0, 0, 0], "max": [4, 4, 0]"#),
        accessor(36, ""),
    );
    let placed = folder.file("placed.gltf", gltf);
    // At x 1, y 2 of the mesh in each: u 0.25, v 0.5.
    let rays = "ox,oy,oz,dx,dy,dz\n-1,4,5,0,0,-1\n21,-2,5,0,0,-1\n41,4,5,0,0,-1\n-21,4,5,0,0,-1\n";
    let found = normals(&placed, rays);
    // Normals are carried by the inverse's transpose, and those of vertices are interpolated there.
    let mixed = |carried: &dyn Fn([f64; 3]) -> [f64; 3]| {
        let [a, b, c] =
            [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0, 0.6, 0.8]].map(|normal| unit(carried(normal)));
        unit([0, 1, 2].map(|axis| 0.25 * a[axis] + 0.25 * b[axis] + 0.5 * c[axis]))
    };
    assert_eq!(found[3], found[0]);
    assert!(close(&found[0], mixed(&|[x, y, z]| [-x, y / 2.0, z / 3.0])), "{found:?}");
    assert!(close(&found[1], mixed(&|[x, y, z]| [x, -y, -z])), "{found:?}");
    assert!(close(&found[2], mixed(&|[x, y, z]| [x, y / 2.0, z / 3.0])), "{found:?}");

    let refused = |mesh: &Path| {
        let rays = folder.file("rays.csv", rays);
        let mut command = lanecast();
        error_line(command.arg("cast").arg(mesh).arg(rays).args([
            "-o",
            "-",
            "--normals",
            "shading",
        ]))
    };
    let none = folder
        .file("none.obj", format!("o smooth\n{obj}o flat\nv 5 5 5\nv 6 5 5\nv 5 6 5\nf 4 5 6\n"));
    let problem = "mesh \"flat\" has no vertex normals for --normals shading";
    assert_eq!(refused(&none), format!("{}: {problem}", none.display()));
    let scene = folder.path("mesh.scene");
    lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene).assert().success();
    let problem =
        "a scene file has no vertex normals; cast the rays at the mesh for --normals shading";
    assert_eq!(refused(&scene), format!("{}: {problem}", scene.display()));
}

#[test]
fn hits_are_crossings_unless_touched_ones_are_asked_for_and_as_many_as_the_limit() {
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
fn answers_are_the_same_bytes_for_every_backend_and_thread_count() {
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
fn the_summary_tells_what_was_done() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", file(&ray_lines(100)));
    let hits = folder.path("hits.csv");
    let mut command = lanecast();
    command.arg("cast").arg(&cube).arg(&rays).arg("-o").arg(&hits).args([
        "--query",
        "count",
        "--threads",
        "2",
    ]);
    let summary = json_of(command.arg("--json"));
    assert_eq!((&summary["triangles"], &summary["rays"]), (&12.into(), &100.into()));
    assert_eq!((&summary["query"], &summary["threads"]), (&"count".into(), &2.into()));
    assert!(
        summary["found"].is_u64()
            && summary["cast_seconds"].is_f64()
            && summary["backend"].is_string()
    );

    // For people it is one line on standard error, where no progress is drawn without a terminal.
    let output =
        lanecast().arg("cast").args([&cube, &rays]).arg("-fo").arg(&hits).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.starts_with("100 rays at 12 triangles: ") && text.lines().count() == 1, "{text}");

    // Hits to standard output leave it to themselves.
    let output =
        lanecast().arg("cast").args([&cube, &rays]).args(["-o", "-", "--json"]).assert().success();
    let (out, err) = (&output.get_output().stdout, &output.get_output().stderr);
    assert!(out.starts_with(b"ray_id,"));
    assert!(serde_json::from_slice::<serde_json::Value>(err).is_ok());
}

#[test]
fn bad_files_are_one_line_with_the_file_and_leave_none() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n");
    let solid = std::fs::read(shipped("gyroid.ply")).expect("the shipped solid");
    let ply = |vertex: &str, face: &str| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_indices\nend_header\n{vertex}\n1 0 0\n0 1 0\n{face}\n"
        )
    };
    let cases = [
        (folder.path("missing.ply"), rays.clone(), "missing.ply"),
        (folder.file("mesh.docx", "x"), rays.clone(), "mesh.docx"),
        (folder.file("bad_index.ply", ply("0 0 0", "3 0 1 7")), rays.clone(), "bad_index.ply"),
        (folder.file("nan_vertex.ply", ply("nan 0 0", "3 0 1 2")), rays.clone(), "nan_vertex.ply"),
        (folder.file("truncated.ply", &solid[..solid.len() / 2]), rays, "truncated.ply"),
        (cube.clone(), folder.path("missing.npy"), "missing.npy"),
        (cube.clone(), folder.file("rays.txt", "x"), "rays.txt"),
        (cube.clone(), folder.file("columns.csv", "ox,oy,oz,dx,dy\n0,0,0,0,1\n"), "columns.csv"),
        (cube.clone(), folder.file("word.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,down\n"), "word.csv"),
    ];
    let before = folder.names();
    for (mesh, rays, culprit) in cases {
        let line = error_line(
            lanecast().arg("cast").args([&mesh, &rays]).arg("-o").arg(folder.path("hits.csv")),
        );
        assert!(line.starts_with(&format!("{}: ", folder.path(culprit).display())), "{line}");
        assert_eq!(folder.names(), before, "{line}");
    }
    let rays = folder.path("rays.csv");
    let line = error_line(
        lanecast().arg("cast").args([&cube, &rays]).arg("-o").arg(folder.path("hits.docx")),
    );
    assert!(line.contains("hits.docx: ") && line.contains("npz"), "{line}");
    let line = error_line(lanecast().arg("cast").args([&cube, &rays]).args([
        "-o",
        "-",
        "--normals",
        "--query",
        "any",
    ]));
    assert!(line.starts_with("--normals: "), "{line}");
    for (flag, query) in [("--limit=2", "count"), ("--touched", "any")] {
        let line = error_line(
            lanecast().arg("cast").args([&cube, &rays]).args(["-o", "-", flag, "--query", query]),
        );
        assert!(line.starts_with(&format!("{}: only", flag.trim_end_matches("=2"))), "{line}");
    }
}

#[test]
fn an_output_that_cannot_be_is_refused_before_the_mesh_is_read() {
    let folder = Folder::new();
    folder.file("file", "");
    std::fs::create_dir(folder.path("folder.csv")).expect("a folder");
    let before = folder.names();
    let cases = [
        ("hits.foo", "unknown hit format \".foo\"; known: npz"),
        ("hits", "no extension to tell the hit format by"),
        ("nowhere/hits.csv", ""),
        ("file/hits.csv", ""),
        ("folder.csv", "is a directory"),
    ];
    for (name, problem) in cases {
        let hits = folder.path(name);
        // Neither mesh nor rays exist, which would be the error if somebody looked.
        let line =
            error_line(lanecast().args(["cast", "missing.ply", "missing.npy", "-o"]).arg(&hits));
        assert!(line.starts_with(&format!("{}: {problem}", hits.display())), "{line}");
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn a_named_format_overrides_the_extension() {
    let folder = Folder::new();
    let (cube, hits) = (folder.file("cube.off", CUBE), folder.path("hits.npz"));
    let mut command = lanecast();
    command.arg("cast").arg(&cube).args(["-", "--format", "csv", "-o"]).arg(&hits);
    command.write_stdin("ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n").assert().success();
    assert!(std::fs::read(&hits).expect("hits").starts_with(b"ray_id,"));
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
fn one_is_singular() {
    let folder = Folder::new();
    let triangle = folder.file("triangle.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    let mut command = lanecast();
    command
        .arg("cast")
        .arg(&triangle)
        .args(["-", "--query", "all", "-o"])
        .arg(folder.path("hits.csv"));
    let rays = "ox,oy,oz,dx,dy,dz\n0.25,0.25,5,0,0,-1\n";
    let output = command.write_stdin(rays).assert().success().get_output().clone();
    let line = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(line.starts_with("1 ray at 1 triangle: 1 hit, 0 miss; 1 hit in all; "), "{line}");
}

#[test]
fn an_empty_mesh_gives_a_warning_and_misses() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let rays = "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n";
    let output = lanecast()
        .arg("cast")
        .arg(&empty)
        .args(["-", "-o", "-"])
        .write_stdin(rays)
        .assert()
        .success();
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.starts_with(&format!("lanecast: {}: warning: ", empty.display())), "{text}");
    assert!(output.get_output().stdout.starts_with(b"ray_id,status,t,"));
    assert!(String::from_utf8_lossy(&output.get_output().stdout).contains("\n0,miss,inf,-1,"));
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

#[cfg(unix)]
mod pipes {
    use super::*;
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    fn program() -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
        command.env_remove("LANECAST_BACKEND");
        command
    }

    #[test]
    fn a_reader_that_goes_away_is_no_error() {
        let folder = Folder::new();
        let cube = folder.file("cube.off", CUBE);
        let rays = folder.file("rays.csv", file(&ray_lines(20_000)));
        let mut command = program();
        command
            .arg("cast")
            .args([&cube, &rays])
            .args(["-o", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn an_interrupt_ends_at_once_and_leaves_no_half_file() {
        let folder = Folder::new();
        let cube = folder.file("cube.off", CUBE);
        let mut command = program();
        command.arg("cast").arg(&cube).args(["-", "-o"]).arg(folder.path("hits.csv"));
        let mut child =
            command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        // A pipe that says a little and then nothing more, without closing.
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(file(&ray_lines(10)).as_bytes()).expect("room in the pipe");
        for _ in 0..1000 {
            if folder.names().len() > 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(folder.names().len(), 2, "the file of hits has been begun");
        let interrupt =
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(interrupt.success());
        let code = child.wait().expect("an end").code();
        drop(pipe);
        let mut text = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        assert_eq!((code, text.as_str()), (Some(130), ""));
        assert_eq!(folder.names(), ["cube.off"]);
    }
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

/// What is asked of a mesh without triangles has an answer, with a warning, from every subcommand;
/// what aims at it has none.
#[test]
fn a_mesh_without_triangles_is_a_warning_where_there_is_an_answer() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let rays = folder.file("rays.csv", format!("{RAY_HEADER}7,0.25,0.5,2,0,0,-2\n"));
    let points = folder.file("points.csv", "x,y,z\n0,0,5\n");
    let named = |name: &str, files: &[&PathBuf]| {
        let mut command = lanecast();
        command.arg(name).arg(&empty).args(files);
        command
    };
    let mut scan = named("lidar", &[]);
    scan.args(["--at", "0,0,2", "--steps", "4", "--beams", "1"]);
    for (mut command, follows, expected) in [
        (named("cast", &[&rays]), "every ray misses", "7,miss,inf,"),
        (named("points", &[&points]), "nothing is near any point", "0,miss,inf,"),
        (named("sight", &[&points, &points]), "nothing breaks a line of sight", "0,0,true,"),
        (scan, "every beam misses", ""),
    ] {
        let output = command.args(["-o", "-"]).assert().success().get_output().clone();
        let [text, said] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        let warning = format!(
            "lanecast: {}: warning: the mesh has no triangles; {follows}\n",
            empty.display()
        );
        assert!(said.starts_with(&warning), "{said}");
        assert_eq!(text.lines().count(), 1 + usize::from(!expected.is_empty()), "{text}");
        assert!(text.lines().nth(1).unwrap_or_default().starts_with(expected), "{text}");
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
