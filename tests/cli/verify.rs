//! `lanecast verify`: what is right passes, what cannot be read is refused, and the same seed gives the same rays.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, output_of};

#[test]
fn nothing_differs_on_a_cube() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let verify = |seed: &str| {
        let mut command = lanecast();
        command.arg("verify").arg(&cube).args(["--rays", "300", "--seed", seed, "--json"]);
        json_of(&mut command)
    };
    let report = verify("3");
    assert_eq!((&report["rays"], &report["differing"]), (&300.into(), &0.into()), "{report}");
    assert_eq!(report["differences"], serde_json::json!([]));
    let ways = report["ways"].as_array().expect("a list").len();
    assert_eq!(ways, 4 * lanecast::Backend::available().count(), "{report}");
    assert!(report["near_an_edge"].as_u64() > Some(100), "{report}");
    assert_eq!(verify("3")["hits"], report["hits"]);
    let words = output_of(lanecast().arg("verify").arg(&cube).args(["--rays", "5"]));
    assert!(words.starts_with("5 rays at 12 triangles: nothing differs"), "{words}");
}

#[test]
fn nothing_differs_where_a_cube_is_placed() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let verify = |arguments: &[&str]| {
        let mut command = lanecast();
        command.arg("verify").arg(&cube).args(["--placed", "2", "--rays", "90"]).args(arguments);
        command
    };
    let report = json_of(&mut verify(&["--json"]));
    assert_eq!((&report["places"], &report["triangles"]), (&4.into(), &12.into()), "{report}");
    assert_eq!((&report["rays"], &report["differing"]), (&90.into(), &0.into()), "{report}");
    assert!(report["hits"].as_u64() > Some(60), "{report}");
    assert_ne!(json_of(&mut verify(&["--json", "--seed", "2"]))["hits"], report["hits"]);
    let words = output_of(&mut verify(&[]));
    assert!(words.starts_with("90 rays at 12 triangles in each of 4 places: nothing differs"), "{words}");
    error_line(verify(&[]).arg("rays.csv"));
    error_line(lanecast().arg("verify").arg(&cube).args(["--placed", "0"]));
}

#[test]
fn rays_of_a_file_are_verified_and_of_many_a_part() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file(
        "rays.csv",
        "ray_id,ox,oy,oz,dx,dy,dz\n7,0.5,0.5,2,0,0,-1\n8,0.25,0.5,2,0,0,-1\n9,3,3,2,0,0,-1\n1,0,0,0,0,0,0\n",
    );
    let report = json_of(lanecast().arg("verify").arg(&cube).arg(&rays).arg("--json"));
    assert_eq!((&report["rays"], &report["hits"]), (&4.into(), &2.into()), "{report}");
    assert_eq!((&report["invalid"], &report["near_an_edge"]), (&1.into(), &1.into()), "{report}");
    let words = output_of(lanecast().arg("verify").arg(&cube).arg(&rays).args(["--rays", "2"]));
    assert!(words.starts_with("2 rays at 12 triangles") && words.contains("at random from 4"), "{words}");
}

#[test]
fn input_that_cannot_be_read_is_an_error() {
    let folder = Folder::new();
    let (cube, empty) = (folder.file("cube.off", CUBE), folder.file("empty.off", "OFF\n0 0 0\n"));
    let line = error_line(lanecast().arg("verify").arg(&cube).arg(folder.path("none.csv")));
    assert!(line.contains("none.csv"), "{line}");
    let line = error_line(lanecast().arg("verify").arg(&empty));
    assert!(line.contains("no triangles"), "{line}");
    error_line(lanecast().arg("verify").arg(&cube).args(["--rays", "0"]));
}

#[test]
fn every_ray_misses_a_mesh_without_triangles() {
    let folder = Folder::new();
    let empty = folder.file("empty.off", "OFF\n0 0 0\n");
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n");
    let report = json_of(lanecast().arg("verify").arg(&empty).arg(&rays).arg("--json"));
    assert_eq!((&report["hits"], &report["differing"]), (&0.into(), &0.into()), "{report}");
}
