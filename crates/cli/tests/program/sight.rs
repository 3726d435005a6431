//! `lanecast sight`.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{EMPTY, column, fields, json_of, npy, output_of, points};
use lanecast::primitive::Sphere;
use lanecast::{Affine, Scene, SceneBuilder, SightLines};
use lanecast_io::read_model;
use serde_json::json;
use std::sync::Arc;

/// Both formats, observers in several pieces' worth of targets, against the library.
#[test]
fn sight_is_written_as_bits_and_as_where_lines_break() {
    let folder = Folder::new();
    let random = |seed: u32| {
        (f64::from(seed.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX) - 0.5) * 60.0
    };
    let table = |name: &str, count: u32, from: u32| {
        let row = |i: u32| {
            let [x, y, z] = [1, 2, 3].map(|axis| random(from + 3 * i + axis) as f32);
            (format!("{i},{z},{x},{y}\n"), [x, y, z])
        };
        let (lines, points): (Vec<_>, Vec<_>) = (0..count).map(row).unzip();
        folder.file(name, String::from("id,z,x,y\n") + &lines.concat());
        points
    };
    let (observers, targets) = (table("o.csv", 7, 1), table("t.csv", 131, 100));
    let solid = &read_model(&crate::support::shipped("gyroid.ply")).expect("the solid").meshes[0];
    let scene = Scene::from_triangles(&solid.vertices, &solid.triangles).expect("a scene");
    let lines = SightLines::new(&observers, &targets).expect("lines");
    let matrix = scene.sight(&lines).matrix().expect("a matrix");
    let in_sight = (0..7).map(|observer| matrix.count(observer)).sum::<usize>();
    assert!((10..900).contains(&in_sight), "{in_sight}");

    let sight = "sight data/gyroid.ply o.csv t.csv -o";
    for name in ["sight.npy", "sight.npz", "sight.parquet", "sight.arrow", "sight.arrows"] {
        let report = folder.json(&format!("{sight} {name} --threads 2"));
        assert_eq!(fields(&report, "lines in_sight"), json!([7 * 131, in_sight]), "{name}");
    }
    let bytes = folder.bytes("sight.npy");
    let (header, packed) = bytes.split_at(bytes.len() - 7 * 17);
    assert!(header.starts_with(b"\x93NUMPY\x01\x00") && header.ends_with(b"\n"), "{header:?}");
    assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), header.len() - 10);
    let described = header[10..].trim_ascii_end();
    assert_eq!(described, b"{'descr': '|u1', 'fortran_order': False, 'shape': (7, 17), }");
    let text = folder.output(&format!("{sight} -"));
    let names = "observer,target,visible,status,t,x,y,z,primitive_id,geometry_id,instance_id\n";
    assert_reads(&text, &format!("{names}…"));
    assert_eq!(text.lines().count(), 1 + 7 * 131);
    for (number, line) in text.lines().skip(1).enumerate() {
        let (i, j) = (number / 131, number % 131);
        let sees = matrix.sees(i, j);
        assert_eq!(packed[17 * i + j / 8] >> (j % 8) & 1 == 1, sees);
        let start = format!("{i},{j},{sees},");
        let Some(obstacle) = scene.sight(&lines).first_obstacle(i, j).expect("there are such")
        else {
            assert_eq!(line, format!("{start}miss,inf,NaN,NaN,NaN,-1,-1,-1"));
            continue;
        };
        let (t, primitive) = (obstacle.t, obstacle.primitive_id);
        assert_reads(line, &format!("{start}hit,{t:?},…,{primitive},0,-1"));
        // What is on the line at t, up to the roundings of f32 that the line and t have.
        for (axis, found) in line.split(',').skip(5).take(3).enumerate() {
            let [from, to] = [observers[i], targets[j]].map(|point| f64::from(point[axis]));
            let found: f64 = found.parse().expect("a number");
            assert!((found - (from + (to - from) * f64::from(t))).abs() < 1e-5, "{line}");
        }
    }
}

/// Rows of pairs name observers and targets as their files do.
#[test]
fn pairs_are_called_by_the_ids_of_their_files() {
    let folder = Folder::with_cube();
    folder.file("named.csv", "point_id,x,y,z\n40,0.5,0.25,4\n-7,0.5,0.25,-4\n");
    folder.file("plain.csv", points("0.25,0.5,5 0.25,0.5,6"));
    let text = folder.output("sight cube.off named.csv plain.csv -o -");
    for (name, expected) in [
        ("observer", ["40", "40", "-7", "-7"]),
        ("target", ["0", "1", "0", "1"]),
        ("visible", ["true", "true", "false", "false"]),
    ] {
        assert_eq!(column(&text, name), expected);
    }
    let text = folder.output("sight cube.off plain.csv named.csv -o -");
    assert_eq!(column(&text, "observer"), ["0", "0", "1", "1"]);
    assert_eq!(column(&text, "target"), ["40", "-7", "40", "-7"]);
}

/// Of a scene file those of its own triangles, each position once.
#[test]
fn vertices_are_points_and_files_without_any_are_refused() {
    let folder = Folder::with_cube();
    folder.output("build cube.off -o cube.scene");
    folder.file("mast.csv", points("0.5,0.25,4"));
    for file in ["cube.off", "cube.scene"] {
        let report =
            folder.json(&format!("sight cube.off mast.csv {file} -fo o.npy --shorten 1e-5"));
        assert_eq!(fields(&report, "targets in_sight"), json!([8, 4]));
    }
    let placed = Arc::new(Scene::open(folder.path("cube.scene")).expect("a scene"));
    let builder = SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 1.0)]).expect("a sphere");
    let builder = builder.instance(&placed, Affine::translation([3.0, 0.0, 0.0]));
    builder.build().and_then(|scene| scene.save(folder.path("none.scene"))).expect("written");
    folder.file("empty.off", EMPTY);
    for (file, why) in
        [("none.scene", ": the scene has no triangles of its own"), ("empty.off", "")]
    {
        let expected = format!("{file}: no vertices to take as points{why}");
        folder.refuses([
            (format!("sight cube.off mast.csv {file} -o s.npy"), &expected),
            (format!("sight cube.off {file} mast.csv -o s.npy"), &expected),
        ]);
    }
    // A vertex that is not finite, that no face names and no scene takes, is no target at 0.
    folder.file("mesh.obj", "v -1 -1 1\nv 1 -1 1\nv nan 0 0\nv 0 1 1\nf 1 2 4\n");
    folder.file("mast.csv", points("0,0,5"));
    let text = folder.output("sight mesh.obj mast.csv mesh.obj -o -");
    assert_reads(&text, "…\n0,0,…\n0,1,…\n0,2,false,invalid_direction,…,NaN,…\n0,3,…\n");
    let report = folder.json("sight mesh.obj mast.csv mesh.obj -o seen.npy");
    assert_eq!(report["invalid"], json!([0, 1]));
}

#[test]
fn observers_and_targets_are_raised_and_lines_shortened() {
    let folder = Folder::with_cube();
    folder.file("top.csv", points("0.5,0.25,1"));
    folder.file("outside.csv", points("0.5,0.25,0.5 0.5,5,1 0.5,0.25,9"));
    for (options, pattern) in [
        // On the lid both sides of it are seen, as nothing counts at the ends.
        ("", "true … true"),
        ("--observer-height 1", "false true true"),
        ("--observer-height 1 --shorten 0.49", "true …"),
        ("--observer-height -0.25", "true false false"),
        // Moved to the north, the first target is behind a wall.
        ("--target-height 2 --up y --observer-height 0.1", "false …"),
    ] {
        let text = folder.output(&format!("sight cube.off top.csv outside.csv -o - {options}"));
        assert_reads(&column(&text, "visible").join(" "), pattern);
    }
    let above = "sight cube.off top.csv cube.off -o m.npy --observer-height 3 --shorten 1e-5";
    assert_eq!(fields(&folder.json(above), "targets in_sight"), json!([8, 4]));
}

/// Lines that are too long or too far out for the frame of something that is placed are named, by
/// both kinds of output.
#[test]
fn lines_that_cannot_be_cast_are_named_and_not_in_sight() {
    let folder = Folder::new();
    let triangle =
        Scene::from_triangles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    let tiny =
        Affine::from_rows([[1e-6, 0.0, 0.0, 0.0], [0.0, 1e-6, 0.0, 0.0], [0.0, 0.0, 1e-6, 0.0]]);
    let builder = SceneBuilder::new().instance(&Arc::new(triangle.expect("a triangle")), tiny);
    builder.build().and_then(|built| built.save(folder.path("tiny.scene"))).expect("written");
    // The last is 2⁹³, which f32 holds.
    folder.file("o.csv", points("5,0,0 0,5,0 9903520314283042199192993792,0,0"));
    // More targets than there are lines in a piece.
    folder.file("t.csv", points(&vec!["0,0,3"; 150_000].join(" ")));
    let error = folder.error("sight tiny.scene o.csv t.csv -o out.npy");
    assert_reads(&error, "…observer 2 to target 0 cannot be cast…");
    let summary = folder.json("sight tiny.scene o.csv t.csv -o out.csv");
    assert_eq!(fields(&summary, "lines in_sight"), json!([450_000, 300_000]));
}

/// What cannot be asked is said in its rows and counted, by both kinds of output, however many
/// lines there are.
#[test]
fn observers_and_targets_that_are_nan_see_and_are_seen_by_none() {
    let folder = Folder::with_cube();
    folder.file("o.csv", points("0.5,0.25,4 nan,0,0 0.5,0.25,-4"));
    folder.file("t.csv", points("0.5,0.25,5 ,1,2 0.5,0.25,inf 0.5,0.25,-9 0.5,0.25,1e30"));
    let [origin, bad] = ["invalid_origin", "invalid_direction"];
    let expected = [["miss", bad, bad, "hit", bad], [origin; 5], ["hit", bad, bad, "miss", bad]];
    let text = folder.output("sight cube.off o.csv t.csv -o -");
    assert_eq!(column(&text, "status"), expected.concat());
    for output in ["sight.npy", "hits.csv"] {
        let line = format!("sight cube.off o.csv t.csv -fo {output}");
        let report = folder.json(&line);
        assert_eq!(fields(&report, "lines in_sight invalid"), json!([15, 2, [1, 3]]));
        let said = "…2 of 15 lines in sight; 1 observer and 3 targets invalid; …";
        assert_reads(&folder.said(&line), said);
    }
    assert_reads(&format!("{:?}", folder.bytes("sight.npy")), "…, 1, 0, 8]");
    // Nobody can be asked at all.
    folder.file("none.csv", points("nan,0,0"));
    let mut sight = folder.run("sight cube.off none.csv none.csv -fo sight.npy --json");
    assert_eq!(json_of(&mut sight)["in_sight"], 0);
    assert_eq!(folder.bytes("sight.npy").last(), Some(&0));
}

/// The same points in every format, wherever points are read; also what `lanecast points` answers:
/// where on a mesh the nearest points are.
#[test]
fn points_are_read_from_every_format_and_from_a_pipe() {
    let folder = Folder::with_cube();
    let on_top = [[0.25, 0.5, 1.0], [0.5, 0.25, 1.0], [0.5, 0.25, 1.0]];
    let text: String = on_top.iter().map(|[x, y, z]| format!("{x} {y} {z}\n")).collect();
    let row = |[x, y, z]: &[f64; 3]| format!("{z},{x},7,{y}\n");
    let table = format!("z,x,point_id,y\n{}", on_top.iter().map(row).collect::<String>());
    let (csv, array) = (table.clone().into_bytes(), npy("<f4", &on_top));
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    let pcd = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 3\nHEIGHT 1\nDATA ascii\n";
    folder.file("p.csv", &csv);
    folder.file("p.npy", &array);
    folder.file("t.csv", points("0.5,0.25,0.5 0.5,5,1 0.75,0.25,9"));
    // Without ids, which most formats do not have.
    let ask = |name: &str, piped: &[u8]| {
        [
            format!("points cube.off {name} --query signed -o -"),
            format!("sight cube.off {name} t.csv --observer-height 0.5 -o -"),
            format!("sight cube.off t.csv {name} --target-height 0.5 -o -"),
        ]
        .map(|line| {
            let text = output_of(folder.run(&line).write_stdin(piped));
            let ids = if line.starts_with("points") { 1 } else { 2 };
            let rest = |line: &str| line.splitn(ids + 1, ',').last().expect("more").to_owned();
            text.lines().map(rest).collect::<Vec<_>>().join("\n")
        })
    };
    let expected = ask("p.csv", &[]);
    let status = column(&expected[1], "status").join(" ");
    assert_eq!(status, "hit miss miss hit miss miss hit miss miss");
    for (name, head) in [
        ("p.ply", ply),
        ("p.pcd", pcd),
        ("p.xyz", "# x y z\n"),
        ("p.asc", "x y z\n"),
        ("p.pts", "3\n"),
        ("p.txt", "3\r"),
    ] {
        folder.file(name, format!("{head}{text}"));
    }
    for name in ["n.parquet", "n.arrow", "n.arrows", "n.csv"] {
        folder.output(&format!("points cube.off p.csv -o {name}"));
    }
    for name in
        "p.npy p.ply p.pcd p.xyz p.asc p.pts p.txt n.parquet n.arrow n.arrows n.csv".split(' ')
    {
        assert_eq!(ask(name, &[]), expected, "{name}");
    }
    assert_eq!([ask("-", &csv), ask("-", &array)], [expected.clone(), expected]);
    for name in ["scan.ply", "scan.pcd", "scan.xyz", "scan.las", "scan.laz"] {
        // A beam straight down meets the cube at a height of 1.
        let down = "--at 0.5,0.25,4 --elevations -90,-90 --beams 1 --steps 2";
        folder.output(&format!("lidar cube.off {down} -o {name}"));
        let near = folder.output(&format!("points cube.off {name} --query distance -o -"));
        assert_eq!(near, "point_id,status,distance\n0,hit,0.0\n1,hit,0.0\n", "{name}");
    }
}
