//! Survey coordinates: a ball of a metre, hundreds and thousands of kilometres from 0, is answered
//! as one at 0. At 6,400 km f32 is in steps of half a metre, and would leave nothing of it.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{column, fields, npy, numbers, output_of, picture, text};
use lanecast_io::{PointChunk, PointReader, TableWriter, Values};
use lanecast_reference::meshes;
use serde_json::{Value, json};
use std::fmt::Write;

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

pub(crate) fn mesh_at(folder: &Folder, name: &str, place: [f64; 3]) {
    let (vertices, triangles) = ball();
    let mut text = String::new();
    for [x, y, z] in vertices.into_iter().map(|vertex| plus(vertex, place)) {
        writeln!(text, "v {x:?} {y:?} {z:?}").expect("memory");
    }
    for [a, b, c] in triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).expect("memory");
    }
    folder.file(name, text);
}

/// A table of points or rays, in the format of its name.
fn table<const N: usize>(folder: &Folder, name: &str, names: [&'static str; N], rows: &[[f64; N]]) {
    if name.ends_with("npy") {
        folder.file(name, npy("<f8", rows));
        return;
    }
    let columns: [Vec<f64>; N] =
        std::array::from_fn(|place| rows.iter().map(|row| row[place]).collect());
    let columns: Vec<_> =
        names.into_iter().zip(&columns).map(|(name, column)| (name, Values::F64(column))).collect();
    let mut writer = TableWriter::create(&folder.path(name), None, &columns).expect("a file");
    writer.write(&columns).expect("written");
    writer.finish().expect("written");
}

const OF_RAYS: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// A ray from outside at the middle of each triangle.
pub(crate) fn rays_at(folder: &Folder, name: &str, place: [f64; 3]) {
    let row = |middle: [f64; 3]| {
        let [ox, oy, oz] = plus(place, grid(middle.map(|x| 3.0 * x)));
        let [dx, dy, dz] = middle.map(|x| -x);
        [ox, oy, oz, dx, dy, dz]
    };
    table(folder, name, OF_RAYS, &middles().into_iter().map(row).collect::<Vec<_>>());
}

/// Points beyond the middles of triangles, by these factors in turn.
fn points_at(folder: &Folder, name: &str, place: [f64; 3], factors: &[f64], every: usize) {
    let point = |(row, middle): (usize, [f64; 3])| {
        plus(place, grid(middle.map(|x| factors[row % factors.len()] * x)))
    };
    let rows: Vec<_> = middles().into_iter().enumerate().step_by(every).map(point).collect();
    table(folder, name, ["x", "y", "z"], &rows);
}

/// Runs to success, silently but for what `--json` says, which is of this precision, and returns
/// what it wrote.
#[track_caller]
fn run_in(precision: &str, folder: &Folder, line: &str, output: &str) -> Vec<u8> {
    let mut command = folder.run(&format!("{line} -fo {output} --json"));
    let run = command.assert().success().stderr("");
    let report: Value = serde_json::from_slice(&run.get_output().stdout).expect("JSON");
    assert_eq!(report["precision"], precision, "{line}");
    folder.bytes(output)
}

#[track_caller]
fn in_f64(folder: &Folder, line: &str, output: &str) -> Vec<u8> {
    run_in("f64", folder, line, output)
}

#[track_caller]
fn text_in_f64(folder: &Folder, line: &str) -> String {
    text(in_f64(folder, line, "text.csv"))
}

/// Whether columns of numbers are those of another table, each within so much.
#[track_caller]
fn are_near(found: &str, expected: &str, names: &str, room: f64) {
    for name in names.split_whitespace() {
        let (found, expected) = (numbers(found, name), numbers(expected, name));
        assert_eq!(found.len(), expected.len());
        for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let is_near = found == expected || (found - expected).abs() <= room;
            assert!(is_near, "{name} {row}: {found:e}, {expected:e}");
        }
    }
}

fn is_near(a: [f64; 3], b: [f64; 3], room: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= room)
}

fn points(folder: &Folder, name: &str) -> Vec<[f64; 3]> {
    let mut reader = PointReader::<f64>::open(&folder.path(name)).expect("points");
    let (mut chunk, mut all) = (PointChunk::default(), Vec::new());
    while reader.next_chunk(1000, &mut chunk).expect("points") {
        all.append(&mut chunk.points);
    }
    all
}

#[test]
fn a_ray_at_the_middle_of_a_triangle_names_it_in_every_format() {
    let folder = Folder::new();
    mesh_at(&folder, "here.obj", [0.0; 3]);
    rays_at(&folder, "here.csv", [0.0; 3]);
    let more = "--points --normals";
    let here = format!("cast here.obj here.csv {more} --precision f64");
    let expected = text_in_f64(&folder, &here);
    for place in PLACES {
        mesh_at(&folder, "there.obj", place);
        for (rays, output) in [
            ("rays.csv", "hits.csv"),
            ("rays.npy", "hits.npz"),
            ("rays.parquet", "hits.parquet"),
            ("rays.arrow", "hits.arrow"),
            ("rays.npz", "hits.arrows"),
        ] {
            rays_at(&folder, rays, place);
            let cast = format!("cast there.obj {rays} {more}");
            in_f64(&folder, &cast, output);
            for (found, middle) in points(&folder, output).into_iter().zip(middles()) {
                // The middle is on the triangle but for the grid.
                let off = plus(found, place.map(|x| -x));
                assert!(is_near(off, middle, 1e-7), "{output}: {found:?}, {middle:?}");
            }
            let text = text_in_f64(&folder, &cast);
            let named: Vec<_> = (0..middles().len()).map(|number| number.to_string()).collect();
            assert_eq!(column(&text, "primitive_id"), named, "{place:?}, {rays}");
            // 2⁻⁴⁶ of the greatest `t`, and of coordinates of two metres.
            are_near(&text, &expected, "t u v nx ny nz", 1e-12);
        }
    }
    // In f32 hardly any is named, and it is said why.
    let cast = "cast there.obj rays.npz -o - --precision f32";
    assert_reads(&folder.said(cast), "…rounded to f32, in steps of 0.5…");
    let hits = folder.output(cast);
    let ids = column(&hits, "primitive_id").into_iter().enumerate();
    let named = ids.filter(|(row, id)| *id == row.to_string()).count();
    assert!(named < middles().len() / 4, "{named}");
}

#[test]
fn points_are_as_near_and_as_deep_inside_as_at_0() {
    let folder = Folder::new();
    let factors = [0.5, 0.999, 1.001, 2.0];
    mesh_at(&folder, "here.obj", [0.0; 3]);
    points_at(&folder, "here.csv", [0.0; 3], &factors, 1);
    for place in PLACES {
        mesh_at(&folder, "there.obj", place);
        points_at(&folder, "there.npy", place, &factors, 1);
        for (query, names) in
            [("closest", "distance u v primitive_id"), ("signed", "distance"), ("inside", "")]
        {
            let found =
                text_in_f64(&folder, &format!("points there.obj there.npy --query {query}"));
            let here = format!("points here.obj here.csv --query {query} --precision f64");
            let expected = text_in_f64(&folder, &here);
            assert_eq!(column(&found, "status"), column(&expected, "status"), "{query}");
            are_near(&found, &expected, names, 1e-13);
        }
    }
}

#[test]
fn lines_of_sight_break_where_they_do_at_0() {
    let folder = Folder::new();
    let ask = |place: [f64; 3], more: &str| {
        mesh_at(&folder, "m.obj", place);
        points_at(&folder, "o.parquet", place, &[2.5], 40);
        points_at(&folder, "t.csv", place, &[2.5], 7);
        let line = format!("sight m.obj o.parquet t.csv {more}");
        (text_in_f64(&folder, &line), in_f64(&folder, &line, "bits.npy"))
    };
    let (expected, bits) = ask([0.0; 3], "--precision f64");
    for place in PLACES {
        let (found, found_bits) = ask(place, "");
        for name in ["visible", "status", "primitive_id"] {
            assert_eq!(column(&found, name), column(&expected, name), "{name}");
        }
        are_near(&found, &expected, "t", 1e-12);
        let visible =
            column(&found, "visible").iter().filter(|visible| **visible == "true").count();
        assert!((20..350).contains(&visible), "{visible}");
        assert_eq!(found_bits, bits);
    }
}

#[test]
fn scene_files_of_f64_answer_as_their_meshes() {
    let folder = Folder::new();
    mesh_at(&folder, "m.obj", PLACES[1]);
    mesh_at(&folder, "near.obj", [0.0; 3]);
    rays_at(&folder, "r.npy", PLACES[1]);
    in_f64(&folder, "build m.obj", "m.scene");
    folder.output("build near.obj -o near.scene");
    let cast = |mesh: &str| folder.output(&format!("cast {mesh} r.npy -o - --points"));
    assert_eq!(cast("m.scene"), cast("m.obj"));
    // From standard input a mesh is read as precisely as it needs.
    let mut piped = folder.run("cast - r.npy -o - --points --mesh-format obj");
    assert_eq!(output_of(piped.write_stdin(folder.bytes("m.obj"))), cast("m.obj"));
    assert!(column(&cast("m.obj"), "status").iter().all(|status| *status == "hit"));
    let report = folder.json("info m.scene");
    assert_eq!(fields(&report, "precision closed"), json!(["f64", true]));
    let volume = report["volume"].as_f64().expect("closed");
    assert!((volume - 0.48).abs() < 0.04, "{volume}");
    // Built anew from itself it is the same file.
    in_f64(&folder, "build m.scene", "again.scene");
    assert_eq!(folder.json("info again.scene")["bounds"], report["bounds"]);
    // What it is not is refused by name.
    folder.refuses([
        ("cast m.scene r.npy -o - --precision f32", "…m.scene…f64…"),
        ("cast near.scene r.npy -o - --precision f64", "…near.scene…f32…"),
    ]);
}

/// A mesh for which f32 is fine, and rays and points for which it is not: by up to 8 m at the
/// distance of geostationary satellites.
#[test]
fn rays_from_far_away_are_narrowed_where_that_changes_nothing() {
    let folder = Folder::new();
    mesh_at(&folder, "m.obj", [0.0; 3]);
    for (name, x) in [
        ("far.csv", 42_164_001.3),
        ("four.csv", 4.0),
        ("even.npy", 42_164_000.0),
        ("near.parquet", 3.3),
    ] {
        let row = |[_, y, z]: [f64; 3]| [x, y, z, -1.0, 0.0, 0.0];
        table(&folder, name, OF_RAYS, &middles().into_iter().map(row).collect::<Vec<_>>());
    }
    for (rays, expected) in [
        ("far.csv", "f64"),
        ("far.csv --precision f32", "f32"),
        // f32 holds it, or nearly.
        ("even.npy", "f32"),
        ("near.parquet", "f32"),
    ] {
        let report = folder.json(&format!("cast m.obj {rays} -fo o.csv"));
        assert_eq!(report["precision"], expected, "{rays}");
    }
    let far = numbers(&text_in_f64(&folder, "cast m.obj far.csv"), "t");
    let near = numbers(&text_in_f64(&folder, "cast m.obj four.csv --precision f64"), "t");
    for (far, near) in far.iter().zip(near) {
        assert!(*far == near || (far - near - 42_163_997.3).abs() < 2e-8, "{far}, {near}");
    }
    assert!(far.iter().filter(|t| t.is_finite()).count() > 300);
}

#[test]
fn a_scanner_measures_what_it_measures_at_0() {
    let folder = Folder::new();
    let scan = |place: [f64; 3], output: &str, more: &str| {
        mesh_at(&folder, "mesh.obj", place);
        // Off the middle, so that distances differ.
        let [x, y, z] = plus(place, [0.125, -0.0625, 0.25]);
        let line = format!("lidar mesh.obj --at {x:?},{y:?},{z:?} --beams 8 --steps 90 {more}");
        in_f64(&folder, &line, output);
        points(&folder, output)
    };
    let noisy = "--range-noise 0.01 --divergence 30 --resolution 0.01 --returns all";
    for noise in ["", noisy] {
        let here = scan([0.0; 3], "here.csv", &format!("{noise} --precision f64"));
        let expected = text(folder.bytes("here.csv"));
        for place in PLACES {
            let there = scan(place, "there.csv", noise);
            let found = text(folder.bytes("there.csv"));
            for name in ["primitive_id", "beam", "return_number"] {
                assert_eq!(column(&found, name), column(&expected, name), "{name}");
            }
            are_near(&found, &expected, "distance", 1e-12);
            assert_eq!(there.len(), column(&found, "distance").len());
            for (&there, &here) in there.iter().zip(&here) {
                let there = plus(there, place.map(|x| -x));
                assert!(is_near(there, here, 2e-9), "{there:?}, {here:?}");
            }
            if !noise.is_empty() {
                continue;
            }
            for (name, room) in
                [("s.ply", 0.0), ("s.pcd", 0.0), ("s.xyz", 0.0), ("s.las", 1e-8), ("s.laz", 1e-8)]
            {
                let cloud = scan(place, name, noise);
                let mut pairs = cloud.iter().zip(&there);
                assert!(pairs.all(|(&found, &point)| is_near(found, point, room)), "{name}");
                assert_eq!(cloud.len(), there.len(), "{name}");
            }
        }
    }
}

#[test]
fn a_picture_is_that_of_a_ball_at_0() {
    let folder = Folder::new();
    let pixels = |place: [f64; 3], look: &str, precision: &str| {
        mesh_at(&folder, "mesh.obj", place);
        run_in(precision, &folder, &format!("render mesh.obj --size 64x64 {look}"), "p.png");
        picture(&folder.path("p.png")).2
    };
    for look in [
        "--shade studio",
        "--shade studio --color geometry --normals geometric",
        "--shade sun",
        "--shade ao",
        "--shade normals",
        "--shade depth",
    ] {
        let expected = pixels([0.0; 3], &format!("{look} --precision f64"), "f64");
        let far = PLACES.map(|place| pixels(place, look, "f64"));
        for found in [&pixels([0.0; 3], look, "f32"), &far[0], &far[1]] {
            let pairs = found.iter().zip(&expected);
            let others = pairs.filter(|(a, b)| a.abs_diff(**b) > 2).count();
            assert!(others < expected.len() / 100, "{look}: {others} of {} bytes", expected.len());
        }
    }
}
