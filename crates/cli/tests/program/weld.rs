//! `--weld`: what is proposed closes the mesh, what is done is reported, and whoever takes a mesh
//! takes it.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{CUBE, fields, points, rays};
use serde_json::json;

/// A folder with the cube as an STL file, of triangles with corners of their own, each a little
/// beside where it should be.
fn loose_cube(triangles: usize) -> Folder {
    let folder = Folder::new();
    let lines: Vec<Vec<f32>> = (CUBE.lines().skip(2))
        .map(|line| line.split(' ').map(|x| x.parse().expect("a number")).collect())
        .collect();
    let (vertices, faces) = lines.split_at(8);
    let mut bytes = vec![0; 80];
    bytes.extend((triangles as u32).to_le_bytes());
    for (number, face) in faces.iter().enumerate().take(triangles) {
        bytes.extend([0; 12]);
        for (corner, &vertex) in face[1..].iter().enumerate() {
            for (axis, &x) in vertices[vertex as usize].iter().enumerate() {
                let steps = (7 * number + 3 * corner + 5 * axis) % 11;
                bytes.extend((x + steps as f32 * 1.1e-7).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    folder.file("cube.stl", bytes);
    folder.file("points.csv", points("0.5,0.5,0.25 2,0,0"));
    folder
}

/// The tolerance that an error proposes.
fn proposed(line: &str) -> Option<&str> {
    let (_, proposal) = line.split_once("it has no inside; --weld ")?;
    proposal.strip_suffix(" closes it")
}

const SIGNED: &str = "points cube.stl points.csv -o - --query signed";
const INSIDE: &str = "points cube.stl points.csv -o - --query inside";

#[test]
fn the_refusal_proposes_the_least_tolerance_that_closes() {
    let folder = loose_cube(12);
    let line = folder.error(SIGNED);
    assert_reads(&line, "cube.stl: geometry 0: the surface is open …");
    let tolerance = proposed(&line).unwrap_or_else(|| panic!("nothing proposed: {line}"));
    let inside = folder.output(&format!("{INSIDE} --weld {tolerance}"));
    assert_reads(&inside, "…0,hit,true\n1,miss,false\n");
    assert_reads(&folder.output(&format!("{SIGNED} --weld {tolerance}")), "…\n0,hit,-0.2…");
    // One that is less does not, and the same is proposed again.
    let least: f32 = tolerance.parse().expect("a number");
    for less in [0.99 * least, least.next_down(), 0.0] {
        let line = folder.error(&format!("{INSIDE} --weld {less}"));
        assert_eq!(proposed(&line), Some(tolerance), "{line}");
    }
    loose_cube(11).refuses([(INSIDE, "…: it has no inside")]);
}

#[test]
fn info_says_what_was_joined_and_of_what_it_made() {
    let folder = loose_cube(12);
    let before = folder.json("info cube.stl");
    assert_eq!(fields(&before, "closed welded"), json!([false, null]));
    let after = folder.json("info cube.stl --weld 1e-5");
    let names = "closed boundary_edges welded.collapsed_triangles";
    assert_eq!(fields(&after, names), json!([true, 0, 0]), "{after}");
    let volume = after["volume"].as_f64().expect("a volume");
    assert!((volume - 1.0).abs() < 1e-5, "{after}");
    let joined = after["welded"]["joined_vertices"].as_u64().expect("a number");
    let farthest = after["welded"]["farthest_moved"].as_f64().expect("a number");
    assert!((20..=28).contains(&joined) && farthest > 1e-7 && farthest < 2e-6, "{after}");
    let words = folder.output("info cube.stl --weld 1e-5");
    let row = format!("…\nwelded …{joined} vertices moved by at most …, 0 triangles collapsed\n…");
    assert_reads(&words, &row);
    assert_reads(&words, "…closed        yes…");
    assert_reads(&folder.output("info cube.stl --weld 2"), "…12 triangles collapsed…");
    // Brute force goes over what was joined.
    folder.output("verify cube.stl --rays 500 --weld 1e-5");
}

#[test]
fn a_scene_file_holds_what_was_joined_and_is_not_joined_again() {
    let folder = loose_cube(12);
    folder.output("build cube.stl -o cube.scene --weld 1e-5");
    folder.output("build cube.stl -o loose.scene");
    let inside = folder.output("points cube.scene points.csv -o - --query inside");
    assert_reads(&inside, "…0,hit,true\n1,miss,false\n");
    let line = folder.error(INSIDE);
    let tolerance = proposed(&line).expect("a tolerance");
    folder.file("rays.csv", rays("0,0,5,0,0,-1"));
    let loose = format!("…; built with --weld {tolerance} it would be closed");
    let twice = "cube.scene: vertices are joined before a tree is built…--weld…";
    folder.refuses([
        ("points loose.scene points.csv -o - --query inside", &loose[..]),
        ("info cube.scene --weld 1e-5", twice),
        ("build cube.scene -o again.scene --weld 1e-5", twice),
        ("cast cube.scene rays.csv -o - --weld 1e-5", twice),
        ("points cube.scene points.csv -o - --weld 1e-5", twice),
    ]);
}

/// What `info` proposes is what the refusal of a query does, and joins what it says.
#[test]
fn info_tells_what_closes_an_open_surface_and_what_that_joins() {
    let folder = loose_cube(12);
    let line = folder.error(SIGNED);
    let tolerance = proposed(&line).expect("a tolerance");
    let open = folder.json("info cube.stl");
    let names = "joined_vertices farthest_moved collapsed_triangles";
    let closed = folder.json(&format!("info cube.stl --weld {tolerance}"));
    assert_eq!(fields(&open["closing"], names), fields(&closed["welded"], names));
    assert_eq!(open["closing"]["tolerance"].to_string(), tolerance);
    assert_eq!(fields(&closed, "closed closing"), json!([true, null]));
    assert!(open["closing"]["joined_vertices"].as_u64() >= Some(20), "{open}");
    let words = format!(
        "…- closed by --weld {tolerance}: … vertices moved by at most …, 0 triangles collapsed\n"
    );
    assert_reads(&folder.output("info cube.stl"), &words);
    // Of one that is too small it is the same, and of a surface with a hole there is none.
    let too_small = folder.json("info cube.stl --weld 1e-9");
    assert_eq!(too_small["closing"], open["closing"]);
    assert_eq!(loose_cube(11).json("info cube.stl")["closing"], json!(null));
    folder.output("build cube.stl -o cube.scene");
    let words = format!("…- closed if built with --weld {tolerance}: …");
    assert_reads(&folder.output("info cube.scene"), &words);
}
