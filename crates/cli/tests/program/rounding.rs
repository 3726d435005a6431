//! What rounding to f32 moves of rays, points and places is said once, with the remedy that fits,
//! from files and pipes alike.

use crate::folder::Folder;
use crate::support::{npy, points, rays, text};
use crate::survey::mesh_at;

/// Moved to 42,164,000, as f32 is in steps of 4 m there.
const FAR: f64 = 42_164_001.3;

/// A folder with a ball of a metre, and a point near it.
fn ball() -> Folder {
    let folder = Folder::new();
    mesh_at(&folder, "m.obj", [0.0; 3]);
    folder.file("near.csv", points("4,1,1"));
    folder
}

/// Rays at the ball, from this far away from one of them on, in an array.
fn rays_from(count: usize, first: usize, far: f64) -> Vec<u8> {
    let origin = |row| if row >= first { far } else { 4.5 };
    let rows: Vec<_> = (0..count).map(|row| [origin(row), 0.125, 0.25, -1.0, 0.0, 0.0]).collect();
    npy("<f8", &rows)
}

/// The same as a table.
fn table_from(count: usize, first: usize) -> String {
    let row = |row| format!("{},0.125,0.25,-1,0,0", if row >= first { FAR } else { 4.5 });
    rays(&(0..count).map(row).collect::<Vec<_>>().join(" "))
}

/// What a command says beside its summary, with this on its standard input.
fn said(folder: &Folder, line: &str, piped: Vec<u8>) -> String {
    let output = folder.run(line).write_stdin(piped).assert().success().get_output().clone();
    let text = text(output.stderr);
    text.split_inclusive('\n').filter(|line| line.starts_with("lanecast: ")).collect()
}

/// Checks what is said: nothing, or at a place that it is rounded, with a remedy.
#[track_caller]
fn check(folder: &Folder, rows: &[(&str, Option<[&str; 2]>)]) {
    for (line, place) in rows {
        assert_eq!(said(folder, line, Vec::new()), words(*place), "{line}");
    }
}

fn words(place: Option<[&str; 2]>) -> String {
    let Some([place, remedy]) = place else { return String::new() };
    let mesh = if remedy.starts_with("build") { "scene file" } else { "mesh" };
    format!(
        "lanecast: {place}: coordinates are rounded to f32 and moved by 1.3, more than 1/2,000,000 of the {mesh}'s size; \
         {remedy} --precision f64\n"
    )
}

#[test]
fn a_row_behind_those_that_are_looked_at_ahead_is_not_lost() {
    let folder = ball();
    folder.file("behind.npy", rays_from(70_001, 70_000, FAR));
    folder.file("behind.csv", table_from(70_001, 70_000));
    // Within those it decides.
    folder.file("within.npy", rays_from(65_536, 65_535, FAR));
    folder.file("within.csv", table_from(65_536, 65_535));
    let rows: Vec<_> =
        (0..70_001).map(|row| [if row == 70_000 { FAR } else { 4.5 }, 0.25, 0.5]).collect();
    folder.file("p.npy", npy("<f8", &rows));
    check(
        &folder,
        &[
            ("cast m.obj behind.npy --query any -fo o.csv", Some(["behind.npy", "give"])),
            ("cast m.obj behind.csv --query any -fo o.csv", Some(["behind.csv", "give"])),
            ("cast m.obj behind.npy --query any -fo o.csv --precision f64", None),
            ("cast m.obj behind.csv --query any -fo o.csv --precision f64", None),
            ("cast m.obj within.npy -fo o.csv", None),
            ("cast m.obj within.csv -fo o.csv", None),
            ("verify m.obj behind.npy --rays 64", Some(["behind.npy", "give"])),
            ("points m.obj p.npy --query distance -fo o.csv", Some(["p.npy", "give"])),
            ("sight m.obj p.npy near.csv -fo o.npy", Some(["p.npy", "give"])),
        ],
    );
}

#[test]
fn what_comes_from_a_pipe_is_said_once_by_what_it_is_moved() {
    let folder = ball();
    let line = "cast m.obj - --query any -fo o.npz";
    let in_f64 = "cast m.obj - --query any -fo o.npz --precision f64";
    let given = Some(["standard input", "give"]);
    let piped = |far| rays_from(600_000, 300_000, far);
    let narrow = npy("<f4", &[[FAR, 0.1, 0.2, -1.0, 0.0, 0.0]]);
    let two = points(&format!("{FAR},1,1 {FAR},2,1")).into_bytes();
    for (line, bytes, expected) in [
        (line, piped(FAR), given),
        (in_f64, piped(FAR), None),
        // f32 holds it, in a file of f64 and in one of f32.
        (line, piped(42_164_000.0), None),
        (line, narrow.clone(), None),
        ("points m.obj - -o -", two.clone(), given),
        ("sight m.obj - near.csv -o -", two, given),
    ] {
        assert_eq!(said(&folder, line, bytes), words(expected), "{line}");
    }
    folder.file("narrow.npy", &narrow);
    check(&folder, &[("cast m.obj narrow.npy -fo o.npz --precision f32", None)]);
}

#[test]
fn the_remedy_fits_what_made_it_f32() {
    let folder = ball();
    folder.output("build m.obj -o m.scene");
    folder.file("r.csv", table_from(2, 1));
    folder.file("o.obj", format!("v {FAR} 0 0\nv 0 0 0\nv 0 9 0\nf 1 2 3\n"));
    // Raised by what f32 does not hold there.
    folder.file("mast.csv", points("42164000,0,0"));
    check(
        &folder,
        &[
            ("cast m.obj r.csv -fo o.csv", None),
            ("cast m.scene r.csv -fo o.csv", Some(["r.csv", "build it with"])),
            ("cast m.obj r.csv -fo o.csv --precision f32", Some(["r.csv", "give"])),
            ("sight m.obj o.obj near.csv -fo o.npy", Some(["o.obj", "give"])),
            (
                "sight m.obj mast.csv near.csv -fo o.npy --up x --observer-height 1.3",
                Some(["mast.csv", "give"]),
            ),
            ("sight m.obj mast.csv near.csv -fo o.npy --up x --observer-height 4", None),
        ],
    );
    // Places on the command line.
    for (option, line) in [
        ("--at", format!("lidar MESH --at {FAR},0,0 --beams 2 --steps 4 -fo o.csv")),
        ("--eye", format!("render MESH --eye {FAR},0,0 --size 16x16 -fo p.png")),
    ] {
        let (scene, mesh) = (line.replace("MESH", "m.scene"), line.replace("MESH", "m.obj"));
        check(
            &folder,
            &[
                (&scene[..], Some([option, "build it with"])),
                (&format!("{mesh} --precision f32"), Some([option, "give"])),
                (&mesh, None),
            ],
        );
    }
}
