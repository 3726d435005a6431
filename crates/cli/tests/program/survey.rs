//! Survey coordinates: a ball of a metre, hundreds and thousands of kilometres from 0, is answered
//! as one at 0. At 6,400 km f32 is in steps of half a metre, and would leave nothing of it.

use crate::folder::Folder;
use crate::support::{error_line, json_of, lanecast, output_of};
use lanecast_io::{PointChunk, PointReader, TableWriter, Values};
use lanecast_reference::meshes;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where the ball is.
pub(crate) const PLACES: [[f64; 3]; 2] =
    [[500_000.0, -250_000.0, 1_000.0], [6_400_000.0, -3_200_000.0, 1_600_000.0]];

/// Multiples of 2⁻²⁶: with 6,400 km they have 49 bits, and are moved without rounding.
fn grid(point: [f64; 3]) -> [f64; 3] {
    point.map(|x| (x * f64::from(1 << 26)).round() / f64::from(1 << 26))
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

/// The ball at 0: vertices and triangles.
fn ball() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mesh = meshes::icosphere(2, 0.5);
    (mesh.vertices.iter().map(|vertex| grid(vertex.map(f64::from))).collect(), mesh.triangles)
}

/// The middle of each triangle of the ball at 0.
fn middles() -> Vec<[f64; 3]> {
    let (vertices, triangles) = ball();
    let middle = |triangle: &[u32; 3]| {
        let corners = triangle.map(|vertex| vertices[vertex as usize]);
        grid(std::array::from_fn(|axis| {
            corners.iter().map(|corner| corner[axis]).sum::<f64>() / 3.0
        }))
    };
    triangles.iter().map(middle).collect()
}

pub(crate) fn mesh_at(folder: &Folder, name: &str, place: [f64; 3]) -> PathBuf {
    let (vertices, triangles) = ball();
    let mut text = String::new();
    for [x, y, z] in vertices.into_iter().map(|vertex| plus(vertex, place)) {
        writeln!(text, "v {x:?} {y:?} {z:?}").expect("memory");
    }
    for [a, b, c] in triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).expect("memory");
    }
    folder.file(name, text)
}

/// A table of points or rays, in the format of its name.
pub(crate) fn table(
    folder: &Folder,
    name: &str,
    names: &[&'static str],
    rows: &[Vec<f64>],
) -> PathBuf {
    let path = folder.path(name);
    let column = |place: usize| rows.iter().map(|row| row[place]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..names.len()).map(column).collect();
    if name.ends_with("npy") {
        let header = format!(
            "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}",
            rows.len(),
            names.len()
        );
        let header = format!("{header:<117}\n");
        let start = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes()].concat();
        let data: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        return folder.file(name, [&start[..], header.as_bytes(), &data].concat());
    }
    let columns: Vec<_> =
        names.iter().zip(&columns).map(|(&name, column)| (name, Values::F64(column))).collect();
    let mut writer = TableWriter::create(&path, None, &columns).expect("a file");
    writer.write(&columns).expect("written");
    writer.finish().expect("written");
    path
}

/// A ray from outside at the middle of each triangle.
pub(crate) fn rays_at(folder: &Folder, name: &str, place: [f64; 3]) -> PathBuf {
    let row = |&middle: &[f64; 3]| {
        let origin = plus(place, grid(middle.map(|x| 3.0 * x)));
        [origin, middle.map(|x| -x)].concat()
    };
    let rows: Vec<Vec<f64>> = middles().iter().map(row).collect();
    table(folder, name, &["ox", "oy", "oz", "dx", "dy", "dz"], &rows)
}

/// Runs to success, silently but for what `--json` says, which is of f64.
fn in_f64(arguments: &[&str], paths: &[&Path]) {
    let mut command = lanecast();
    command.arg(arguments[0]).args(paths).args(&arguments[1..]).args(["--force", "--json"]);
    let report = json_of(&mut command);
    assert_eq!(report["precision"], "f64", "{arguments:?}");
    let said = command.assert().success().get_output().stderr.clone();
    assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
}

/// A column of a CSV file, as text.
fn column(path: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a file");
    let place = text.lines().next().expect("a header").split(',').position(|found| found == name);
    let place = place.unwrap_or_else(|| panic!("no column {name}"));
    text.lines()
        .skip(1)
        .map(|line| line.split(',').nth(place).expect("a field").to_owned())
        .collect()
}

fn numbers(path: &Path, name: &str) -> Vec<f64> {
    column(path, name).iter().map(|text| text.parse().expect("a number")).collect()
}

/// Whether the numbers of a column are those of another file, each within so much.
fn are_near(found: &Path, expected: &Path, name: &str, room: f64) {
    let (found, expected) = (numbers(found, name), numbers(expected, name));
    assert_eq!(found.len(), expected.len());
    for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let is_near = found == expected || (found - expected).abs() <= room;
        assert!(is_near, "{name} {row}: {found:e}, {expected:e}");
    }
}

fn points(path: &Path) -> Vec<[f64; 3]> {
    let (mut reader, mut chunk) =
        (PointReader::<f64>::open(path).expect("points"), PointChunk::default());
    let mut all = Vec::new();
    while reader.next_chunk(1000, &mut chunk).expect("points") {
        all.append(&mut chunk.points);
    }
    all
}

#[test]
fn rays_at_triangle_centers_name_their_triangle_in_every_format() {
    let folder = Folder::new();
    let here = (mesh_at(&folder, "here.obj", [0.0; 3]), rays_at(&folder, "here.csv", [0.0; 3]));
    let cast = |mesh: &Path, rays: &Path, output: &str, more: &[&str]| {
        let output = folder.path(output);
        let arguments =
            [&["cast", "--points", "--normals", "-o", output.to_str().expect("UTF-8")], more]
                .concat();
        in_f64(&arguments, &[mesh, rays]);
        output
    };
    let expected = cast(&here.0, &here.1, "expected.csv", &["--precision", "f64"]);
    for place in PLACES {
        let mesh = mesh_at(&folder, "there.obj", place);
        for (rays, output) in [
            ("rays.csv", "hits.csv"),
            ("rays.npy", "hits.npz"),
            ("rays.parquet", "hits.parquet"),
            ("rays.arrow", "hits.arrow"),
            ("rays.npz", "hits.arrows"),
        ] {
            let rays = rays_at(&folder, rays, place);
            let hits = cast(&mesh, &rays, output, &[]);
            for (found, middle) in points(&hits).iter().zip(middles()) {
                let off = (0..3)
                    .map(|axis| (found[axis] - place[axis] - middle[axis]).abs())
                    .fold(0.0, f64::max);
                // The middle is on the triangle but for the grid.
                assert!(off < 1e-7, "{output}: {found:?}, {middle:?}");
            }
            let text = cast(&mesh, &rays, "text.csv", &[]);
            let named: Vec<String> =
                (0..middles().len()).map(|number| number.to_string()).collect();
            assert_eq!(column(&text, "primitive_id"), named, "{place:?}, {}", rays.display());
            for name in ["t", "u", "v", "nx", "ny", "nz"] {
                // 2⁻⁴⁶ of the greatest `t`, and of coordinates of two metres.
                are_near(&text, &expected, name, 1e-12);
            }
        }
    }
    // In f32 hardly any is named, and it is said why.
    let mesh = mesh_at(&folder, "there.obj", PLACES[1]);
    let rays = rays_at(&folder, "rays.csv", PLACES[1]);
    let mut command = lanecast();
    command.arg("cast").arg(&mesh).arg(&rays).args(["-o", "-", "--precision", "f32"]);
    let output = command.assert().success().get_output().clone();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("rounded to f32, in steps of 0.5"), "{said}");
    let hits = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_named = |(row, line): &(usize, &str)| line.split(',').nth(3) == Some(&row.to_string());
    let named = hits.lines().skip(1).enumerate().filter(is_named).count();
    assert!(named < middles().len() / 4, "{named}");
}

#[test]
fn points_are_as_near_and_as_deep_inside_as_at_0() {
    let folder = Folder::new();
    let points_at = |name: &str, place: [f64; 3]| {
        let scales = [0.5, 0.999, 1.001, 2.0];
        let point = |(row, middle): (usize, [f64; 3])| {
            plus(place, grid(middle.map(|x| scales[row % 4] * x))).to_vec()
        };
        table(
            &folder,
            name,
            &["x", "y", "z"],
            &middles().into_iter().enumerate().map(point).collect::<Vec<_>>(),
        )
    };
    let here = (mesh_at(&folder, "here.obj", [0.0; 3]), points_at("here.csv", [0.0; 3]));
    for place in PLACES {
        let there = (mesh_at(&folder, "there.obj", place), points_at("there.npy", place));
        for (query, names) in [
            ("closest", &["distance", "u", "v", "primitive_id"][..]),
            ("signed", &["distance"]),
            ("inside", &[]),
        ] {
            let answers = ["found.csv", "expected.csv"].map(|name| folder.path(name));
            let arguments = |output: &Path| {
                ["points", "--query", query, "-o", output.to_str().expect("UTF-8")]
                    .map(str::to_owned)
                    .to_vec()
            };
            let ask = |output: &Path, files: &(PathBuf, PathBuf), more: &[&str]| {
                let arguments = arguments(output);
                let arguments: Vec<&str> =
                    arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
                in_f64(&arguments, &[&files.0, &files.1]);
            };
            ask(&answers[0], &there, &[]);
            ask(&answers[1], &here, &["--precision", "f64"]);
            assert_eq!(column(&answers[0], "status"), column(&answers[1], "status"), "{query}");
            for name in names {
                are_near(&answers[0], &answers[1], name, 1e-13);
            }
        }
    }
}

#[test]
fn lines_of_sight_break_where_they_do_at_0() {
    let folder = Folder::new();
    let ends_at = |name: &str, place: [f64; 3], every: usize| {
        let point = |middle: [f64; 3]| plus(place, grid(middle.map(|x| 2.5 * x))).to_vec();
        let rows: Vec<_> = middles().into_iter().step_by(every).map(point).collect();
        table(&folder, name, &["x", "y", "z"], &rows)
    };
    let ask = |place: [f64; 3], output: &str, more: &[&str]| {
        let mesh = mesh_at(&folder, "mesh.obj", place);
        let (observers, targets) = (ends_at("o.parquet", place, 40), ends_at("t.csv", place, 7));
        let output = folder.path(output);
        let arguments = [&["sight", "-o", output.to_str().expect("UTF-8")], more].concat();
        in_f64(&arguments, &[&mesh, &observers, &targets]);
        output
    };
    let expected = ask([0.0; 3], "expected.csv", &["--precision", "f64"]);
    for place in PLACES {
        let found = ask(place, "found.csv", &[]);
        for name in ["visible", "status", "primitive_id"] {
            assert_eq!(column(&found, name), column(&expected, name), "{name}");
        }
        are_near(&found, &expected, "t", 1e-12);
        let visible = column(&found, "visible").iter().filter(|visible| *visible == "true").count();
        assert!((20..350).contains(&visible), "{visible}");
        assert_eq!(
            std::fs::read(ask(place, "found.npy", &[])).expect("bits"),
            std::fs::read(ask([0.0; 3], "expected.npy", &["--precision", "f64"])).expect("bits")
        );
    }
}

#[test]
fn f64_scene_files_answer_as_their_meshes_and_report_f64() {
    let folder = Folder::new();
    let (mesh, rays) = (mesh_at(&folder, "m.obj", PLACES[1]), rays_at(&folder, "r.npy", PLACES[1]));
    let scene = folder.path("m.scene");
    in_f64(&["build", "-o", scene.to_str().expect("UTF-8")], &[&mesh]);
    let cast = |mesh: &Path| {
        output_of(lanecast().arg("cast").arg(mesh).arg(&rays).args(["-o", "-", "--points"]))
    };
    assert_eq!(cast(&scene), cast(&mesh));
    let report = json_of(lanecast().arg("info").arg(&scene).arg("--json"));
    assert_eq!((&report["precision"], &report["closed"]), (&"f64".into(), &true.into()));
    let volume = report["volume"].as_f64().expect("closed");
    assert!((volume - 0.48).abs() < 0.04, "{volume}");
    // Built anew from itself it is the same file.
    let again = folder.path("again.scene");
    in_f64(&["build", "-o", again.to_str().expect("UTF-8")], &[&scene]);
    assert_eq!(
        json_of(lanecast().arg("info").arg(&again).arg("--json"))["bounds"],
        report["bounds"]
    );
    // What it is not is refused by name.
    let refused = |arguments: &[&str], scene: &Path| {
        error_line(lanecast().arg(arguments[0]).arg(scene).args(&arguments[1..]))
    };
    let rays = rays.to_str().expect("UTF-8");
    let message = refused(&["cast", rays, "-o", "-", "--precision", "f32"], &scene);
    assert!(message.contains("m.scene") && message.contains("f64"), "{message}");
    let near = mesh_at(&folder, "near.obj", [0.0; 3]);
    let of_f32 = folder.path("near.scene");
    output_of(lanecast().arg("build").arg(&near).arg("-o").arg(&of_f32));
    let message = refused(&["cast", rays, "-o", "-", "--precision", "f64"], &of_f32);
    assert!(message.contains("near.scene") && message.contains("f32"), "{message}");
}

/// A mesh for which f32 is fine, and rays and points for which it is not: by up to 8 m at the
/// distance of geostationary satellites.
#[test]
fn far_rays_are_narrowed_only_where_that_changes_nothing() {
    let folder = Folder::new();
    let mesh = mesh_at(&folder, "m.obj", [0.0; 3]);
    let far = |x: f64, name: &str| {
        let row = |middle: &[f64; 3]| vec![x, middle[1], middle[2], -1.0, 0.0, 0.0];
        let rows: Vec<Vec<f64>> = middles().iter().map(row).collect();
        table(&folder, name, &["ox", "oy", "oz", "dx", "dy", "dz"], &rows)
    };
    let precision = |rays: &Path, more: &[&str]| {
        let output = folder.path("o.csv");
        let mut command = lanecast();
        command.arg("cast").arg(&mesh).arg(rays).arg("-fo").arg(&output).args(more).arg("--json");
        json_of(&mut command)["precision"].as_str().expect("a word").to_owned()
    };
    let rays = far(42_164_001.3, "far.csv");
    assert_eq!(precision(&rays, &[]), "f64");
    let t = numbers(&folder.path("o.csv"), "t");
    assert_eq!(precision(&far(4.0, "four.csv"), &["--precision", "f64"]), "f64");
    for (far, near) in t.iter().zip(numbers(&folder.path("o.csv"), "t")) {
        assert!(*far == near || (far - near - 42_163_997.3).abs() < 2e-8, "{far}, {near}");
    }
    assert!(t.iter().filter(|t| t.is_finite()).count() > 300);
    assert_eq!(precision(&rays, &["--precision", "f32"]), "f32");
    // f32 holds it, or nearly.
    assert_eq!(precision(&far(42_164_000.0, "even.npy"), &[]), "f32");
    assert_eq!(precision(&far(3.3, "near.parquet"), &[]), "f32");
    let line = error_line(lanecast().arg("cast").arg(&mesh).arg(&rays).args([
        "-o",
        "-",
        "--precision",
        "f16",
    ]));
    assert!(line.contains("f16") && line.contains("--precision"), "{line}");
}

#[test]
fn a_mesh_from_standard_input_is_read_as_precisely_as_it_needs() {
    let folder = Folder::new();
    let (mesh, rays) = (mesh_at(&folder, "m.obj", PLACES[1]), rays_at(&folder, "r.npy", PLACES[1]));
    let cast = |mesh: &Path| {
        let mut command = lanecast();
        command.arg("cast").arg(mesh).arg(&rays).args(["-o", "-", "--mesh-format", "obj"]);
        command.write_stdin(std::fs::read(folder.path("m.obj")).expect("a mesh"));
        output_of(&mut command)
    };
    assert_eq!(cast(Path::new("-")), cast(&mesh));
    assert!(cast(&mesh).lines().skip(1).all(|line| line.contains(",hit,")));
}

#[test]
fn a_scanner_measures_what_it_measures_at_0() {
    let folder = Folder::new();
    let scan = |place: [f64; 3], output: &str, more: &[&str]| {
        let mesh = mesh_at(&folder, "mesh.obj", place);
        // Off the middle, so that distances differ.
        let at = plus(place, [0.125, -0.0625, 0.25]).map(|x| format!("{x:?}")).join(",");
        let output = folder.path(output);
        let output_text = output.to_str().expect("UTF-8");
        let arguments = ["lidar", "-o", output_text, "--at", &at, "--beams", "8", "--steps", "90"];
        in_f64(&[&arguments, more].concat(), &[&mesh]);
        output
    };
    let noisy =
        ["--range-noise", "0.01", "--divergence", "30", "--resolution", "0.01", "--returns", "all"];
    for noise in [&[][..], &noisy] {
        let expected = scan([0.0; 3], "expected.csv", &[noise, &["--precision", "f64"]].concat());
        for place in PLACES {
            let found = scan(place, "found.csv", noise);
            for name in ["primitive_id", "beam", "return_number"] {
                assert_eq!(column(&found, name), column(&expected, name), "{name}");
            }
            are_near(&found, &expected, "distance", 1e-12);
            let there = points(&found);
            assert_eq!(there.len(), numbers(&found, "distance").len());
            for (there, here) in there.iter().zip(points(&expected)) {
                let near = (0..3).all(|axis| (there[axis] - place[axis] - here[axis]).abs() < 2e-9);
                assert!(near, "{there:?}, {here:?}");
            }
            if !noise.is_empty() {
                continue;
            }
            for (name, room) in
                [("s.ply", 0.0), ("s.pcd", 0.0), ("s.xyz", 0.0), ("s.las", 1e-8), ("s.laz", 1e-8)]
            {
                let cloud = points(&scan(place, name, noise));
                for (found, expected) in cloud.iter().zip(&there) {
                    let near = (0..3).all(|axis| (found[axis] - expected[axis]).abs() <= room);
                    assert!(near, "{name}: {found:?}, {expected:?}");
                }
                assert_eq!(cloud.len(), there.len(), "{name}");
            }
        }
    }
}

#[test]
fn a_picture_is_that_of_a_ball_at_0() {
    let folder = Folder::new();
    let render = |place: [f64; 3], more: &[&str]| {
        let (mesh, output) = (mesh_at(&folder, "mesh.obj", place), folder.path("p.png"));
        let arguments = ["render", "-o", output.to_str().expect("UTF-8"), "--size", "64x64"];
        in_f64(&[&arguments, more].concat(), &[&mesh]);
        crate::support::picture(&output).2
    };
    let in_f32 = |more: &[&str]| {
        let (mesh, output) = (mesh_at(&folder, "mesh.obj", [0.0; 3]), folder.path("p.png"));
        let mut command = lanecast();
        command
            .arg("render")
            .arg(&mesh)
            .arg("-fo")
            .arg(&output)
            .args(["--size", "64x64"])
            .args(more);
        assert_eq!(json_of(command.arg("--json"))["precision"], "f32");
        crate::support::picture(&output).2
    };
    let differing =
        |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    for look in [
        &["--shade", "studio"][..],
        &["--shade", "studio", "--color", "geometry", "--normals", "geometric"],
        &["--shade", "sun"],
        &["--shade", "ao"],
        &["--shade", "normals"],
        &["--shade", "depth"],
    ] {
        let expected = render([0.0; 3], &[look, &["--precision", "f64"]].concat());
        let far = PLACES.map(|place| render(place, look));
        for found in [&in_f32(look), &far[0], &far[1]] {
            let others = differing(found, &expected);
            assert!(
                others < expected.len() / 100,
                "{look:?}: {others} of {} bytes",
                expected.len()
            );
        }
    }
}
