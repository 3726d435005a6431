//! What rounding to f32 moves of rays, points and places is said once, with the remedy that fits,
//! from files and pipes alike.

use crate::folder::Folder;
use crate::support::{lanecast, output_of};
use crate::survey::{mesh_at, table};
use std::path::{Path, PathBuf};

/// Moved to 42,164,000, as f32 is in steps of 4 m there.
const FAR: f64 = 42_164_001.3;
const OF_RAYS: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Rays at a ball of a metre, from this far away from one of them on.
fn rays(folder: &Folder, name: &str, count: usize, far: Option<(usize, f64)>) -> PathBuf {
    let origin = |row| far.filter(|(at, _)| row >= *at).map_or(4.5, |(_, x)| x);
    let rows: Vec<_> =
        (0..count).map(|row| vec![origin(row), 0.125, 0.25, -1.0, 0.0, 0.0]).collect();
    table(folder, name, &OF_RAYS, &rows)
}

/// What is said at `place`.
fn words(place: impl std::fmt::Display, remedy: &str) -> String {
    let mesh = if remedy.starts_with("build") { "scene file" } else { "mesh" };
    format!(
        "lanecast: {place}: coordinates are rounded to f32 and moved by 1.3, more than 1/2,000,000 of the {mesh}'s size; \
         {remedy} --precision f64\n"
    )
}

/// What a command says beside its summary, with this on its standard input.
fn said(arguments: &[&str], mesh: &Path, piped: Vec<u8>) -> String {
    let mut command = lanecast();
    command.arg(arguments[0]).arg(mesh).args(&arguments[1..]).write_stdin(piped);
    let output = command.assert().success().get_output().clone();
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    text.lines()
        .filter(|line| line.starts_with("lanecast: "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn rounding_of_a_row_beyond_the_look_ahead_is_reported() {
    let folder = Folder::new();
    let mesh = mesh_at(&folder, "m.obj", [0.0; 3]);
    let output = folder.path("o.csv");
    let output = output.to_str().expect("UTF-8");
    for name in ["r.npy", "r.csv"] {
        let path = rays(&folder, name, 70_001, Some((70_000, FAR)));
        let file = path.to_str().expect("UTF-8");
        let arguments = ["cast", file, "--query", "any", "-fo", output];
        assert_eq!(said(&arguments, &mesh, Vec::new()), words(file, "give"));
        assert_eq!(
            said(&[&arguments[..], &["--precision", "f64"]].concat(), &mesh, Vec::new()),
            ""
        );
        // Within those it decides.
        let path = rays(&folder, name, 65_536, Some((65_535, FAR)));
        assert_eq!(
            said(&["cast", path.to_str().expect("UTF-8"), "-fo", output], &mesh, Vec::new()),
            ""
        );
    }
    let verified = rays(&folder, "r.npy", 70_001, Some((70_000, FAR)));
    let verified = verified.to_str().expect("UTF-8");
    assert_eq!(
        said(&["verify", verified, "--rays", "64"], &mesh, Vec::new()),
        words(verified, "give")
    );
    let rows: Vec<_> =
        (0..70_001).map(|row| vec![if row == 70_000 { FAR } else { 4.5 }, 0.25, 0.5]).collect();
    let points = table(&folder, "p.npy", &["x", "y", "z"], &rows);
    let points = points.to_str().expect("UTF-8");
    let arguments = ["points", points, "--query", "distance", "-fo", output];
    assert_eq!(said(&arguments, &mesh, Vec::new()), words(points, "give"));
    let near = folder.file("near.csv", "x,y,z\n4,1,1\n");
    let arguments =
        ["sight", points, near.to_str().expect("UTF-8"), "-fo", &output.replace("csv", "npy")];
    assert_eq!(said(&arguments, &mesh, Vec::new()), words(points, "give"));
}

/// Rows that `f32` holds are not reported, however far away they are.
#[test]
fn rounding_of_piped_rows_is_reported_once_if_it_moves_them() {
    let folder = Folder::new();
    let mesh = mesh_at(&folder, "m.obj", [0.0; 3]);
    let piped = |name: &str, far: f64| {
        std::fs::read(rays(&folder, name, 600_000, Some((300_000, far)))).expect("a file")
    };
    let arguments =
        ["cast", "-", "--query", "any", "-fo", &folder.path("o.npz").display().to_string()];
    assert_eq!(said(&arguments, &mesh, piped("r.npy", FAR)), words("standard input", "give"));
    assert_eq!(
        said(&[&arguments[..], &["--precision", "f64"]].concat(), &mesh, piped("r.npy", FAR)),
        ""
    );
    // f32 holds it, in a file of f64 and in one of f32.
    assert_eq!(said(&arguments, &mesh, piped("r.npy", 42_164_000.0)), "");
    let narrow: Vec<u8> =
        [FAR as f32, 0.1, 0.2, -1.0, 0.0, 0.0].iter().flat_map(|x: &f32| x.to_le_bytes()).collect();
    let header =
        format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 6), }");
    let narrow = [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &narrow].concat();
    let file = folder.file("narrow.npy", &narrow);
    assert_eq!(said(&arguments, &mesh, narrow), "");
    let of_file =
        ["cast", file.to_str().expect("UTF-8"), "-fo", arguments[5], "--precision", "f32"];
    assert_eq!(said(&of_file, &mesh, Vec::new()), "");
    let near = folder.file("near.csv", "x,y,z\n4,1,1\n");
    let near = near.to_str().expect("UTF-8");
    let points = || format!("x,y,z\n{FAR},1,1\n{FAR},2,1\n").into_bytes();
    for arguments in [["points", "-", "-o", "-"].as_slice(), &["sight", "-", near, "-o", "-"]] {
        assert_eq!(said(arguments, &mesh, points()), words("standard input", "give"));
    }
}

#[test]
fn the_remedy_fits_what_made_it_f32() {
    let folder = Folder::new();
    let mesh = mesh_at(&folder, "m.obj", [0.0; 3]);
    let (scene, output) = (folder.path("m.scene"), folder.path("o.csv"));
    output_of(lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene));
    let path = rays(&folder, "r.csv", 2, Some((1, FAR)));
    let (file, output) = (path.to_str().expect("UTF-8"), output.to_str().expect("UTF-8"));
    let arguments = ["cast", file, "-fo", output];
    assert_eq!(said(&arguments, &mesh, Vec::new()), "");
    assert_eq!(said(&arguments, &scene, Vec::new()), words(file, "build it with"));
    let in_f32 = [&arguments[..], &["--precision", "f32"]].concat();
    assert_eq!(said(&in_f32, &mesh, Vec::new()), words(file, "give"));
    // Places on the command line, and vertices.
    let (at, picture) = (format!("{FAR},0,0"), folder.path("p.png").display().to_string());
    let scan = ["lidar", "--at", &at, "--beams", "2", "--steps", "4", "-fo", output];
    let view = ["render", "--eye", &at, "--size", "16x16", "-fo", &picture];
    for (arguments, option) in [(&scan[..], "--at"), (&view, "--eye")] {
        assert_eq!(said(arguments, &scene, Vec::new()), words(option, "build it with"));
        let in_f32 = [arguments, &["--precision", "f32"]].concat();
        assert_eq!(said(&in_f32, &mesh, Vec::new()), words(option, "give"));
        assert_eq!(said(arguments, &mesh, Vec::new()), "");
    }
    let observers = folder.file("o.obj", format!("v {FAR} 0 0\nv 0 0 0\nv 0 9 0\nf 1 2 3\n"));
    let (observers, near) =
        (observers.to_str().expect("UTF-8"), folder.file("n.csv", "x,y,z\n4,1,1\n"));
    let bits = folder.path("o.npy").display().to_string();
    let sight = ["sight", observers, near.to_str().expect("UTF-8"), "-fo", &bits];
    assert_eq!(said(&sight, &mesh, Vec::new()), words(observers, "give"));
    // Raised by what f32 does not hold there.
    let mast = folder.file("mast.csv", "x,y,z\n42164000,0,0\n");
    let mast = mast.to_str().expect("UTF-8");
    let sight = [
        "sight",
        mast,
        near.to_str().expect("UTF-8"),
        "-fo",
        &bits,
        "--up",
        "x",
        "--observer-height",
    ];
    assert_eq!(said(&[&sight[..], &["1.3"]].concat(), &mesh, Vec::new()), words(mast, "give"));
    assert_eq!(said(&[&sight[..], &["4"]].concat(), &mesh, Vec::new()), "");
}
