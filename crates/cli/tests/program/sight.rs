//! `lanecast sight`, and what it shares with `lanecast lidar`.

use crate::folder::Folder;
use crate::support::{CUBE, column, error_line, json_of, lanecast, output_of, shipped};
use assert_cmd::Command;
use lanecast::primitive::Sphere;
use lanecast::{Affine, Scene, SceneBuilder, SightLines};
use lanecast_io::read_model;
use std::path::Path;
use std::sync::Arc;

/// Both formats, observers in several pieces' worth of targets, against the library.
#[test]
fn sight_is_written_as_bits_and_as_where_lines_break() {
    let folder = Folder::new();
    let mesh = shipped("gyroid.ply");
    let random = |seed: u32| {
        (f64::from(seed.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX) - 0.5) * 60.0
    };
    let table = |count: u32, from: u32| {
        let row = |i: u32| {
            let [x, y, z] = [1, 2, 3].map(|axis| random(from + 3 * i + axis) as f32);
            (format!("{i},{z},{x},{y}\n"), [x, y, z])
        };
        let (lines, points): (Vec<_>, Vec<_>) = (0..count).map(row).unzip();
        (String::from("id,z,x,y\n") + &lines.concat(), points)
    };
    let ((seers, observers), (seen, targets)) = (table(7, 1), table(131, 100));
    let (seers, seen) = (folder.file("observers.csv", seers), folder.file("targets.csv", seen));
    let run = |output: &Path, arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("sight").arg(&mesh).args([&seers, &seen]).arg("-o").arg(output).args(arguments);
        command
    };
    let solid = &read_model(&mesh).expect("the solid").meshes[0];
    let scene = Scene::from_triangles(&solid.vertices, &solid.triangles).expect("a scene");
    let lines = SightLines::new(&observers, &targets).expect("lines");
    let matrix = scene.sight(&lines).matrix().expect("a matrix");
    let in_sight = (0..7).map(|observer| matrix.count(observer)).sum::<usize>();
    assert!((10..900).contains(&in_sight), "{in_sight}");

    let path = folder.path("sight.npy");
    let report = json_of(run(&path, &["--json"]).arg("--threads").arg("2"));
    assert_eq!(report["lines"].as_u64(), Some(7 * 131));
    assert_eq!(report["in_sight"].as_u64(), Some(in_sight as u64));
    let bytes = std::fs::read(&path).expect("an array");
    let (header, packed) = bytes.split_at(bytes.len() - 7 * 17);
    assert!(header.starts_with(b"\x93NUMPY\x01\x00") && header.ends_with(b"\n"), "{header:?}");
    assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), header.len() - 10);
    let described = header[10..].trim_ascii_end();
    assert_eq!(described, b"{'descr': '|u1', 'fortran_order': False, 'shape': (7, 17), }");
    let text = output_of(&mut run(Path::new("-"), &[]));
    assert!(text.starts_with(
        "observer,target,visible,status,t,x,y,z,primitive_id,geometry_id,instance_id\n"
    ));
    let names = [
        "observer",
        "target",
        "visible",
        "status",
        "t",
        "x",
        "y",
        "z",
        "primitive_id",
        "geometry_id",
    ];
    let columns = names.map(|name| column(&text, name));
    assert_eq!(columns[0].len(), 7 * 131);
    for number in 0..7 * 131 {
        let (i, j) = (number / 131, number % 131);
        assert_eq!(packed[17 * i + j / 8] >> (j % 8) & 1 == 1, matrix.sees(i, j));
        let row: Vec<&str> = columns.iter().map(|column| column[number]).collect();
        assert_eq!([row[0], row[1]], [i.to_string(), j.to_string()]);
        assert_eq!(row[2], matrix.sees(i, j).to_string());
        let Some(obstacle) = scene.sight(&lines).first_obstacle(i, j).expect("there are such")
        else {
            assert_eq!(row[3..], ["miss", "inf", "NaN", "NaN", "NaN", "-1", "-1"]);
            continue;
        };
        let [observer, target] = [observers[i], targets[j]].map(|point| point.map(f64::from));
        // What is on the line at t, up to the roundings of f32 that the line and t have.
        for axis in 0..3 {
            let there = observer[axis] + (target[axis] - observer[axis]) * f64::from(obstacle.t);
            let found: f64 = row[5 + axis].parse().expect("a number");
            assert!((found - there).abs() < 1e-5, "{row:?}: {there}");
        }
        let of_obstacle = [format!("{:?}", obstacle.t), obstacle.primitive_id.to_string()];
        assert_eq!(
            ([row[4], row[8]], [row[3], row[9]]),
            (of_obstacle.each_ref().map(String::as_str), ["hit", "0"])
        );
    }
    for name in ["sight.npz", "sight.parquet", "sight.arrow", "sight.arrows"] {
        let report = json_of(run(&folder.path(name), &["--json"]).arg("--threads").arg("1"));
        assert_eq!(report["in_sight"].as_u64(), Some(in_sight as u64), "{name}");
    }
}

/// Rows of pairs name observers and targets as their files do.
#[test]
fn pairs_are_called_by_the_ids_of_their_files() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let named = folder.file("named.csv", "point_id,x,y,z\n40,0.5,0.25,4\n-7,0.5,0.25,-4\n");
    let plain = folder.file("plain.csv", "x,y,z\n0.25,0.5,5\n0.25,0.5,6\n");
    let mut command = lanecast();
    let text = output_of(command.arg("sight").arg(&cube).args([&named, &plain]).args(["-o", "-"]));
    assert_eq!(column(&text, "observer"), ["40", "40", "-7", "-7"]);
    assert_eq!(column(&text, "target"), ["0", "1", "0", "1"]);
    assert_eq!(column(&text, "visible"), ["true", "true", "false", "false"]);
    let mut command = lanecast();
    let text = output_of(command.arg("sight").arg(&cube).args([&plain, &named]).args(["-o", "-"]));
    assert_eq!(
        [column(&text, "observer"), column(&text, "target")],
        [["0", "0", "1", "1"], ["40", "-7", "40", "-7"]]
    );
}

/// Of a scene file those of its own triangles, each position once.
#[test]
fn scene_file_vertices_are_points_and_files_without_are_refused() {
    let folder = Folder::new();
    let (cube, scene) = (folder.file("cube.off", CUBE), folder.path("cube.scene"));
    lanecast().arg("build").arg(&cube).arg("-o").arg(&scene).assert().success();
    let mast = folder.file("mast.csv", "x,y,z\n0.5,0.25,4\n");
    let sight = |observers: &Path, targets: &Path| {
        let mut command = lanecast();
        command
            .arg("sight")
            .arg(&cube)
            .args([observers, targets])
            .arg("-fo")
            .arg(folder.path("out.npy"));
        command.args(["--shorten", "1e-5", "--json"]);
        command
    };
    for file in [&cube, &scene] {
        let report = json_of(&mut sight(&mast, file));
        assert_eq!((report["targets"].as_u64(), report["in_sight"].as_u64()), (Some(8), Some(4)));
    }

    let placed = Arc::new(Scene::open(&scene).expect("a scene"));
    let builder = SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 1.0)]).expect("a sphere");
    let builder = builder.instance(&placed, Affine::translation([3.0, 0.0, 0.0]));
    let none = folder.path("none.scene");
    builder.build().and_then(|scene| scene.save(&none)).expect("written");
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let refusal = "no vertices to take as points";
    for (file, problem) in [
        (&none, format!("{refusal}: the scene has no triangles of its own")),
        (&empty, refusal.to_owned()),
    ] {
        let expected = format!("{}: {problem}", file.display());
        assert_eq!(
            [error_line(&mut sight(&mast, file)), error_line(&mut sight(file, &mast))],
            [&*expected; 2]
        );
    }
}

#[test]
fn observers_and_targets_are_raised_and_lines_shortened() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let on_top = folder.file("top.csv", "x,y,z\n0.5,0.25,1\n");
    let outside = folder.file("outside.csv", "x,y,z\n0.5,0.25,0.5\n0.5,5,1\n0.5,0.25,9\n");
    let sight = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("sight").arg(&cube).args([&on_top, &outside]).args(["-o", "-"]).args(arguments);
        let text = output_of(&mut command);
        column(&text, "visible").iter().map(|&word| word == "true").collect::<Vec<_>>()
    };
    // On the lid both sides of it are seen, as nothing counts at the ends.
    assert!(sight(&[])[0] && sight(&[])[2]);
    assert_eq!(sight(&["--observer-height", "1"]), [false, true, true]);
    assert!(sight(&["--observer-height", "1", "--shorten", "0.49"])[0]);
    assert_eq!(sight(&["--observer-height", "-0.25"]), [true, false, false]);
    // Moved to the north, the first target is behind a wall.
    assert!(!sight(&["--target-height", "2", "--up", "y", "--observer-height", "0.1"])[0]);
    let vertices = folder.path("matrix.npy");
    let mut command = lanecast();
    command.arg("sight").arg(&cube).arg(&on_top).arg(&cube).arg("-o").arg(&vertices);
    let report = json_of(command.args(["--observer-height", "3", "--shorten", "1e-5", "--json"]));
    assert_eq!((report["targets"].as_u64(), report["in_sight"].as_u64()), (Some(8), Some(4)));
}

/// A vertex that no face names and no scene takes is no target at 0, and neither are its places in
/// a glTF file.
#[test]
fn vertices_that_are_not_finite_are_no_targets() {
    let folder = Folder::new();
    let mast = folder.file("mast.csv", "x,y,z\n0,0,5\n");
    let flat = "v -1 -1 1\nv 1 -1 1\nv nan 0 0\nv 0 1 1\nf 1 2 4\n";
    let mesh = folder.file("mesh.obj", flat);
    let text =
        output_of(lanecast().arg("sight").arg(&mesh).arg(&mast).arg(&mesh).args(["-o", "-"]));
    assert_eq!(column(&text, "target"), ["0", "1", "2", "3"]);
    assert_eq!(column(&text, "status")[2], "invalid_direction", "{text}");
    assert_eq!((column(&text, "visible")[2], column(&text, "x")[2]), ("false", "NaN"), "{text}");
    let mut command = lanecast();
    command.arg("sight").arg(&mesh).arg(&mast).arg(&mesh).arg("-o").arg(folder.path("seen.npy"));
    let report = json_of(command.arg("--json"));
    assert_eq!(report["invalid"], serde_json::json!([0, 1]));
}

/// Rows of `f32` as an NPY file.
fn npy<const N: usize>(rows: &[[f32; N]]) -> Vec<u8> {
    let header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {N}), }}", rows.len());
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(rows.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Also what `lanecast points` answers: where on a mesh the nearest points are.
#[test]
fn points_are_read_from_every_format_and_from_a_pipe() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let (on_top, outside) =
        ([[0.25, 0.5, 1.0]; 2], [[0.5, 0.25, 0.5], [0.5, 5.0, 1.0], [0.75, 0.25, 9.0]]);
    let table = |points: &[[f32; 3]]| {
        let rows: String = points.iter().map(|[x, y, z]| format!("{z},{x},7,{y}\n")).collect();
        format!("z,x,point_id,y\n{rows}")
    };
    let (seers, seen) =
        (folder.file("seers.csv", table(&on_top)), folder.file("seen.csv", table(&outside)));
    let sight = |observers: &Path, targets: &Path| {
        let mut command = lanecast();
        command.arg("sight").arg(&cube).args([observers, targets]).args(["-o", "-"]);
        command.args(["--observer-height", "0.5"]);
        command
    };
    // Without the names of observers and targets, which an array does not have.
    let lines = |command: &mut Command| {
        let text = output_of(command);
        text.lines()
            .map(|line| line.splitn(3, ',').nth(2).expect("more").to_owned())
            .collect::<Vec<_>>()
    };
    let text = output_of(&mut sight(&seers, &seen));
    assert_eq!(column(&text, "status"), ["hit", "miss", "miss", "hit", "miss", "miss"]);
    let expected = lines(&mut sight(&seers, &seen));
    assert_eq!(lines(&mut sight(&folder.file("seers.npy", npy(&on_top)), &seen)), expected);
    assert_eq!(lines(&mut sight(&seers, &folder.file("seen.npy", npy(&outside)))), expected);
    for input in [table(&outside).into_bytes(), npy(&outside)] {
        assert_eq!(lines(sight(&seers, Path::new("-")).write_stdin(input)), expected);
    }
    for extension in ["parquet", "arrow", "arrows", "csv"] {
        let nearest = folder.path(&format!("nearest.{extension}"));
        lanecast().arg("points").args([&cube, &seers]).arg("-o").arg(&nearest).assert().success();
        assert_eq!(lines(&mut sight(&nearest, &seen)), expected, "{extension}");
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line_before_the_work() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let sound = folder.file("sound.csv", "x,y,z\n0,0,5\n");
    let no_column = folder.file("column.csv", "x,y,height\n0,0,5\n");
    let no_number = folder.file("number.csv", "x,y,z\n0,0,5\n0,zero,5\n");
    let short = folder.file("short.csv", "x,y,z\n0,0,5\n0,5\n");
    let sight = |observers: &Path, targets: &Path, arguments: &[&str]| {
        let mut command = lanecast();
        command
            .arg("sight")
            .arg(&cube)
            .args([observers, targets])
            .arg("-o")
            .arg(folder.path("out.npy"));
        error_line(command.args(arguments))
    };
    let of = |path: &Path, problem: &str| format!("{}: {problem}", path.display());
    let cases = [
        (&no_column, "no column \"z\"; found x, y, height"),
        (&no_number, "line 3: column \"y\": \"zero\" is not a number"),
    ];
    for (path, problem) in cases {
        assert_eq!(sight(path, &sound, &[]), of(path, problem));
        assert_eq!(sight(&sound, path, &[]), of(path, problem));
    }
    assert_eq!(sight(&short, &sound, &[]), of(&short, "line 3: 2 fields, but the header has 3"));
    let (text, shape) =
        (folder.file("seers.dat", "0 0 5\n"), folder.file("shape.npy", npy(&[[0.0; 2]; 4])));
    let known = "npy, npz, csv, parquet, arrow, feather, ipc, arrows, ply, pcd, xyz, asc, pts, txt, las, \
                 laz, and for vertices obj, stl, off, gltf, glb, scene";
    assert_eq!(
        sight(&text, &sound, &[]),
        of(&text, &format!("unknown format \".dat\"; known: {known}"))
    );
    assert_eq!(sight(&sound, &shape, &[]), of(&shape, "shape [4, 2]; expected (N, 3) or (3,)"));
    let mesh = folder.file("broken.off", "OFF\n1 0 0\n0 0\n");
    assert!(sight(&sound, &mesh, &[]).starts_with(&of(&mesh, "")));
    assert!(sight(&folder.path("gone.csv"), &sound, &[]).contains("gone.csv: "));
    assert!(sight(&sound, &sound, &["--shorten", "0.5"]).starts_with("--shorten: is 0.5; "));
    assert!(sight(Path::new("-"), Path::new("-"), &[]).starts_with("standard input: "));

    let lidar = |output: &str, arguments: &[&str]| {
        let mut command = lanecast();
        error_line(
            command.arg("lidar").arg(&cube).arg("-o").arg(folder.path(output)).args(arguments),
        )
    };
    let at = ["--at", "0,0,5"];
    assert!(
        lidar("scan.e57", &at)
            .contains("unknown format \".e57\"; known: ply, pcd, xyz, las, laz, npz, ")
    );
    assert!(lidar("scan.ply", &[]).contains("--at"));
    let elevations = lidar("scan.ply", &["--at", "0,0,5", "--elevations", "-10,95"]);
    assert!(elevations.starts_with("--elevations: the elevation is 9"), "{elevations}");
    assert!(lidar("scan.ply", &["--at", "0,0,5", "--range", "2,1"]).starts_with("--range: "));
    for (range, problem) in [
        ("-1,inf", "the nearest must be from 0 to the farthest"),
        ("1e39,inf", "the nearest is beyond what f32 holds, 3.4e38"),
    ] {
        let line = lidar("scan.ply", &["--at", "0,0,5", &format!("--range={range}")]);
        assert_eq!(line, format!("--range: {problem}"), "{range}");
    }
    let open = lidar("scan.ply", &["--at", "0,0,5", "--range", "inf,inf"]);
    assert!(open.contains("expected two numbers, as in 0.5,100 or 0.5,inf"), "{open}");
    let poses =
        folder.file("poses.csv", "time,x,y,z,qx,qy,qz,qw\n0,0,0,5,0,0,0,1\n1,0,0,5,0,0,0,0\n");
    let path = poses.to_string_lossy();
    let problem = "line 3: the quaternion [0.0, 0.0, 0.0, 0.0] is no rotation";
    assert!(lidar("scan.ply", &["--poses", &path]).starts_with(&of(&poses, problem)));
    let mut names = folder.names();
    names.retain(|name| name.contains("out") || name.contains("scan") || name.contains("part"));
    assert!(names.is_empty(), "{names:?}");
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
    let scene = folder.path("tiny.scene");
    builder.build().and_then(|built| built.save(&scene)).expect("written");
    // More targets than there are lines in a piece.
    let targets = "0,0,3\n".repeat(150_000);
    // The last is 2⁹³, which f32 holds.
    let seers = folder.file("seers.csv", "x,y,z\n5,0,0\n0,5,0\n9903520314283042199192993792,0,0\n");
    let seen = folder.file("seen.csv", format!("x,y,z\n{targets}"));
    let ask = |output: &Path| {
        let mut command = lanecast();
        command.arg("sight").arg(&scene).args([&seers, &seen]).arg("-o").arg(output);
        command
    };
    let error = error_line(&mut ask(&folder.path("out.npy")));
    assert!(error.contains("observer 2 to target 0 cannot be cast"), "{error}");
    let summary = json_of(ask(&folder.path("out.csv")).arg("--json"));
    assert_eq!((&summary["lines"], &summary["in_sight"]), (&450_000.into(), &300_000.into()));
}

/// What cannot be asked is said in its rows and counted, by both kinds of output, however many
/// lines there are.
#[test]
fn nan_and_null_points_see_nothing_and_are_not_seen() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let seers = folder.file("seers.csv", "x,y,z\n0.5,0.25,4\nnan,0,0\n0.5,0.25,-4\n");
    let rows_of_seen = ["0.5,0.25,5", ",1,2", "0.5,0.25,inf", "0.5,0.25,-9", "0.5,0.25,1e30"];
    let seen = folder.file("seen.csv", format!("x,y,z\n{}\n", rows_of_seen.join("\n")));
    let ask = |output: &Path, mesh: &Path| {
        let mut command = lanecast();
        command.arg("sight").arg(mesh).args([&seers, &seen]).arg("-fo").arg(output);
        command
    };
    let text = output_of(&mut ask(Path::new("-"), &cube));
    let status = column(&text, "status");
    let bad = ["invalid_origin", "invalid_direction"];
    let expected = [
        ["miss", bad[1], bad[1], "hit", bad[1]],
        [bad[0]; 5],
        ["hit", bad[1], bad[1], "miss", bad[1]],
    ];
    assert_eq!(status, expected.concat());
    let path = folder.path("sight.npy");
    let report = json_of(ask(&path, &cube).arg("--json"));
    assert_eq!((&report["lines"], &report["in_sight"]), (&15.into(), &2.into()));
    assert_eq!(report["invalid"], serde_json::json!([1, 3]));
    let bytes = std::fs::read(&path).expect("an array");
    assert_eq!(bytes[bytes.len() - 3..], [0b00001, 0, 0b01000]);
    let said = ask(&path, &cube).assert().success().get_output().stderr.clone();
    let said = String::from_utf8(said).expect("UTF-8");
    assert!(said.contains("2 of 15 lines in sight; 1 observer and 3 targets invalid; "), "{said}");
    let report = json_of(ask(&folder.path("hits.csv"), &cube).arg("--json"));
    assert_eq!((&report["in_sight"], &report["invalid"]), (&2.into(), &serde_json::json!([1, 3])));
    // Nobody can be asked at all.
    let none = folder.file("none.csv", "x,y,z\nnan,0,0\n");
    let mut command = lanecast();
    command.arg("sight").arg(&cube).args([&none, &none]).arg("-fo").arg(&path).arg("--json");
    assert_eq!(json_of(&mut command)["in_sight"], 0);
    assert_eq!(std::fs::read(&path).expect("an array").last(), Some(&0));
}

/// The same points in every format of clouds, wherever points are read.
#[test]
fn points_of_clouds_are_read_wherever_points_are() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let csv = folder.file("points.csv", "x,y,z\n0.5,0.25,4\n0.5,0.25,-4\n0.5,0.25,0.5\n");
    let body = "0.5 0.25 4\n0.5 0.25 -4\n0.5 0.25 0.5\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    let pcd = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 3\nHEIGHT 1\nDATA ascii\n";
    let ask = |points: &Path| {
        let [mut near, mut from, mut to]: [_; 3] = std::array::from_fn(|_| lanecast());
        near.arg("points").args([&cube, points]).args(["--query", "signed", "-o", "-"]);
        from.arg("sight").args([&cube, points, &csv]).args(["-o", "-"]);
        to.arg("sight").args([&cube, &csv, points]).args(["-o", "-"]);
        [near, from, to].map(|mut command| output_of(&mut command))
    };
    let expected = ask(&csv);
    for name in ["scan.ply", "scan.pcd", "scan.xyz", "scan.las", "scan.laz"] {
        // A beam straight down meets the cube at a height of 1.
        let path = folder.path(name);
        let mut lidar = lanecast();
        lidar.arg("lidar").arg(&cube).args([
            "--at",
            "0.5,0.25,4",
            "--elevations",
            "-90,-90",
            "--beams",
            "1",
        ]);
        lidar.args(["--steps", "2", "-o"]).arg(&path).assert().success();
        let mut near = lanecast();
        near.arg("points").args([&cube, &path]).args(["--query", "distance", "-o", "-"]);
        assert_eq!(
            output_of(&mut near),
            "point_id,status,distance\n0,hit,0.0\n1,hit,0.0\n",
            "{name}"
        );
    }
    for (name, head) in [
        ("p.ply", ply),
        ("p.pcd", pcd),
        ("p.xyz", "# x y z\n"),
        ("p.asc", "x y z\n"),
        ("p.pts", "3\n"),
        ("p.txt", "3\r"),
    ] {
        assert_eq!(ask(&folder.file(name, format!("{head}{body}"))), expected, "{name}");
    }
}
